"""The pages that are looked at: those of the example debates, of hostile ones, of long ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

from debate_ops import engine
from debate_ops.model.debate import Debate
from debate_ops.model.turn import Act
from debate_ops.reports.brief import keeping
from debate_ops.reports.content import content_of
from debate_ops.reports.html import page
from debate_ops.reports.items import Item
from debate_ops.reports.page_data import BriefOf, page_data
from debate_ops.reports.table import report_of
from debate_ops.storage.folder import Folder
from tests.browser import hostile
from tests.builders import ROOT, new_debate
from tests.every_protocol.stage import aside
from tests.reports.chairs import debates as chairs
from tests.reports.consensus import debates as consensus
from tests.reports.debates import debate, long_debate
from tests.reports.design import debates as design
from tests.reports.formal import debates as formal
from tests.reports.held import debate_of

EXAMPLES = tuple(sorted(path.parent.name for path in (ROOT / "debates").glob("*/debate.md")))
"""Debates of all protocols."""
WITH_BRIEF = " with its brief"
"""What follows the name of an example whose page is to begin with its brief."""


class Drawn(NamedTuple):
    """A page as a file's text, and the entries that have a card on it."""

    html: str
    items: tuple[Item, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of what was said, in order."""
        return [item.id for item in self.items]


@cache
def drawn(name: str) -> Drawn:
    """Return the page of this name: an example's, or one of the debates made for the tests."""
    example = name.removesuffix(WITH_BRIEF)
    if example in EXAMPLES:
        folder = Folder(str(ROOT / "debates" / example))
        held = debate_of(folder)
        return _of(held) if name == example else _of(held, partial(keeping.of, folder))
    with aside():
        made = MADE[name]()
        return _of(debate_of(made) if isinstance(made, Folder) else made)


def _of(held: Debate, brief_of: BriefOf = lambda _: (None, ())) -> Drawn:
    report = report_of(held.protocol)
    own = tuple(item for item in content_of(held).read if item.kind != "judgment")
    data = page_data(report, report.read(held), brief_of=brief_of)
    return Drawn(page.render(data), own)


def _formal() -> Folder:
    evil = formal.HOSTILE
    return formal.formal(formal.hostile, motion=evil, judge="one", cross_exam_questions=1)


def _design() -> Folder:
    text = formal.HOSTILE
    own = {"name": "ann", "role": "artist", "description": {"file": text[:40], "text": text}}
    plan = design.Plan(texts=text, unmet=["r1"], confidence=30)
    return design.debate(
        plan,
        participants=[own, "ben:performance", "cara:simplicity"],
        requirements=[text, {"text": f"{text} too", "level": "minor"}],
        motion=text,
    )


def _consensus() -> Folder:
    plan = consensus.AGREED._replace(texts=formal.HOSTILE)
    return consensus.search(plan, participants=5, motion=formal.HOSTILE)


def _cancelled() -> Folder:
    folder = consensus.search(consensus.AGREED, participants=5, turns=3)
    engine.act(folder, Act("cancel", {"reason": hostile.RUNNING[0]}, hostile.RUNNING[3]))
    return folder


HOSTILE: Mapping[str, Callable[[], Debate | Folder]] = {
    "hostile": hostile.one_of_each,
    "hostile formal": _formal,
    "hostile chairs": lambda: chairs.debate(chairs.EVIL, motion=formal.HOSTILE),
    "hostile design": _design,
    "hostile consensus": _consensus,
    "damaged": hostile.damaged,
    "long ids": hostile.long_ids,
    "cancelled": _cancelled,
    "empty": new_debate,
    "nothing at all": lambda: debate(motion=""),
}

LONG: Mapping[str, Callable[[], Debate]] = {
    "50 arguments": lambda: long_debate(22),  # an opening has six, an exchange two
    "1000 arguments": lambda: long_debate(497),
}

MADE = {**HOSTILE, **LONG}
