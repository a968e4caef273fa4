"""The pages that are looked at: those of the example debates, of hostile ones, of long ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

from debate_ops import engine
from debate_ops.model.debate import Debate
from debate_ops.model.turn import Act
from debate_ops.reports import hearing
from debate_ops.reports.brief import keeping
from debate_ops.reports.content import content_of
from debate_ops.reports.html import page
from debate_ops.reports.items import Item
from debate_ops.reports.screen import BriefOf, page_data
from debate_ops.reports.table import read
from debate_ops.storage.folder import Folder
from tests.browser import hostile
from tests.builders import ROOT, new_debate
from tests.every_protocol.stage import aside
from tests.hostile import holding
from tests.reports.consensus import debates as consensus
from tests.reports.debates import debate, long_debate
from tests.reports.formal import debates as formal
from tests.reports.held import debate_of

EXAMPLES = tuple(sorted(path.parent.name for path in (ROOT / "debates").glob("*/debate.md")))
"""Debates of all protocols."""
WITH_BRIEF = " with its brief"
"""What follows the name of an example whose page is to begin with its brief."""


class Shown(NamedTuple):
    """A page as a file's text, and the entries that have a card on it."""

    html: str
    items: tuple[Item, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of what was said, in order."""
        return [item.id for item in self.items]


def _no_brief(_: object) -> tuple[None, tuple[()]]:
    return None, ()


@cache
def page_of(name: str) -> Shown:
    """Return the page of this name: an example's, or one of the debates made for the tests."""
    example = name.removesuffix(WITH_BRIEF)
    if example in EXAMPLES:
        folder = Folder(str(ROOT / "debates" / example))
        debated = debate_of(folder)
        panel, _ = hearing.of(folder, debated)
        return _of(debated, panel, partial(keeping.of, folder) if name != example else _no_brief)
    with aside():
        made = MADE[name]()
        return _of(debate_of(made) if isinstance(made, Folder) else made)


def _of(debated: Debate, panel: Debate | None = None, brief_of: BriefOf = _no_brief) -> Shown:
    own = tuple(item for item in content_of(debated).read if item.kind != "judgment")
    data = page_data(read(debated, panel), brief_of=brief_of)
    return Shown(page.render(data), own)


def _hostile(protocol: str) -> Folder:
    """Return a debate of a protocol with a hostile text wherever there can be one."""
    folder = holding.begin(protocol, holding.framing(formal.HOSTILE))
    holding.finish(folder, protocol, formal.HOSTILE, {})
    return folder


def _cancelled() -> Folder:
    folder = consensus.search(consensus.AGREED, participants=5, turns=3)
    engine.act(folder, Act("cancel", {"reason": hostile.SCRIPT}, hostile.SCRIPT))
    return folder


HOSTILE: Mapping[str, Callable[[], Debate | Folder]] = {
    "hostile": hostile.one_of_each,
    **{
        f"hostile {protocol}": partial(_hostile, protocol)
        for protocol in ("formal", "chairs", "design", "consensus", "speeches")
    },
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
