"""A debate of any protocol as speeches that a panel reads, in a folder inside of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.errors import Finding, RefusedError
from debate_ops.formats import entries
from debate_ops.formats.json_text import dumps
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS
from debate_ops.model.turn import Turn
from debate_ops.protocols.acts import CANCELLED, PERSON
from debate_ops.protocols.evidence import CHECKED
from debate_ops.protocols.filing import PASSED
from debate_ops.protocols.settings import panel_of
from debate_ops.protocols.speeches.settings import NEW_ROUND
from debate_ops.reports import panel, table, track_record
from debate_ops.reports.items import Item, in_full
from debate_ops.reports.table import ReportData, report_of, view_of
from debate_ops.reports.view import View
from debate_ops.storage.folder import Folder

MOST_CHARACTERS = 250_000
"""How much of a debate a member of the panel reads in full, the newest."""
_REMARK = re.compile(CHECKED, re.IGNORECASE)


class Said(NamedTuple):
    """A speech: whose it is, its text, and at which step of the debate it was given."""

    participant: str
    text: str
    step: int = 0

    def spoken(self) -> Said:
        """Return it without the program's remarks, which are no part of the record."""
        rows = [row for row in self.text.split("\n") if not row.startswith(CHECKED)]
        return Said(self.participant, "\n".join(rows).strip())


def place(folder: Folder) -> Folder:
    """Return where the panel of a debate is held."""
    return Folder(folder.within(panel.PANEL))


def of(folder: Folder, debate: Debate) -> tuple[Debate | None, tuple[Finding, ...]]:
    """Return the debate in which a panel reads this one, and what to warn of.

    A panel that has read another record than this one is left out.
    """
    if panel.is_own(debate) or not os.path.lexists(place(folder).debate_file):
        return None, ()
    held = engine.look(place(folder)).debate
    if is_current(held, debate):
        return held, ()
    message = "the panel has read another record than this one; hold it anew with 'panel --anew'"
    return None, (Finding("panel_out_of_date", message, file=panel.PANEL),)


def reported(folder: Folder, debate: Debate) -> tuple[ReportData, tuple[Finding, ...]]:
    """Return what is reported of a debate in its folder, and what to warn of.

    Beside the record that is its panel, or that one is due, and the track record of who judged.
    """
    held, doubts = of(folder, debate)
    records, unreadable = track_record.kept(folder)
    judges = track_record.judges(debate, held, records)
    data = table.read(debate, held).noting(track_record.sentences(judges))
    view = data.view._replace(panel_due=_due(folder, data.view, held))
    return data._replace(view=view), (*doubts, *unreadable)


def _due(folder: Folder, view: View, held: Debate | None) -> int:
    """Return how many members the panel has that is still to read a debate; 0 if none is."""
    members = panel_of(view.debate)
    if not members or view.debate.state.phase == CANCELLED:
        return 0
    if held:
        return members * isinstance(engine.look(place(folder)).due, Turn)
    return members * (bool(view.content.stops_at) or can_decide(view.debate))


def can_decide(debate: Debate) -> bool:
    """Tell whether enough was said in a debate for a panel to decide anything."""
    try:
        settings(view_of(debate), panel.TWO, [], [])
    except RefusedError:
        return False
    return True


def is_current(held: Debate, debate: Debate) -> bool:
    """Tell whether what a panel reads is what is on record now."""
    heard = [said.spoken() for said in read(held)]
    return heard == [said.spoken() for said in speeches(view_of(debate))]


def read(held: Debate) -> Iterator[Said]:
    """Yield what a panel reads, as it is on record."""
    on_record = filter(None, map(held.record.get, held.record.ids(ARGUMENTS)))
    for entry in sorted(on_record, key=lambda e: e.step):
        yield Said(entry.participant, entries.parse(entry).texts.get("Speech", "").strip())


def settings(view: View, members: int, personas: list[str], issues: list[str]) -> dict[str, Any]:
    """Return the settings of the debate in which a panel reads this one.

    Raises:
        RefusedError: there is nothing to decide between.
    """
    asked, order = panel.question(view), _order(list(speeches(view)))
    voices = {_ORGANISER.get(name, name): what for name, what in asked.voices.items()}
    heard = {name: what for name, what in voices.items() if name in order}
    if len(heard) < panel.TWO or not asked.choices:
        raise RefusedError(
            f"there is nothing that a panel could decide about {view.debate.slug} yet",
            hint="It needs two who have spoken; of a design debate, the solution.",
        )
    are_choices = heard.keys() <= asked.choices.keys() <= voices.keys()
    return {
        "participants": _listed(heard),
        "order": order,
        "word_limit": 0,
        "panel": members,
        "views": "on" if asked.views else "off",
        "question": asked.text,
        "choices": [] if are_choices else _listed(asked.choices),
        "personas": personas,
        "issues": list(asked.issues) or issues,
        "language": view.debate.settings.get("language", ""),
        "first_answer": "off",
    }


_ORGANISER = {PERSON: "organiser"}
"""What a person who answers is called in a debate in speeches, where no speaker has that name."""


def _listed(named: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "position": what} for name, what in named.items()]


def _order(said: list[Said]) -> list[str]:
    """Return who speaks, in order: who could hear another one speaks in a later round.

    Within a round members of a panel read in different orders.
    """
    order: list[str] = []
    for before, speech in zip([None, *said], said, strict=False):
        if before and before.step != speech.step:
            order.append(NEW_ROUND)
        order.append(speech.participant)
    return order


def speeches(view: View) -> Iterator[Said]:
    """Yield what was said in a debate by those whom a panel hears, in order.

    What one participant says in one step is one speech, and that one who speaks elsewhere gave no
    reply is one, too. Of the oldest entries the title alone is given where it would be too much.
    """
    asked, outline = panel.question(view), report_of(view.debate.protocol).outline(view.debate)
    public = (item for item in view.content.items if not outline.private(item.entry))
    of_voices = [item for item in public if item.participant in asked.voices]
    heard = {i.id for i in of_voices if i.is_said or i.id in asked.also_heard}
    speaking = {item.participant for item in of_voices if item.id in heard}
    items = [
        i for i in of_voices if i.id in heard or (_is_absence(i) and i.participant in speaking)
    ]
    cut = in_full(items, MOST_CHARACTERS)
    short = {item.id for place, item in enumerate(items) if place < cut or item.absence}
    for (step, who), group in groupby(items, key=lambda i: (i.entry.step, i.participant)):
        yield Said(
            _ORGANISER.get(who, who),
            "\n\n".join(_text(item, short=item.id in short) for item in group),
            step,
        )


def _is_absence(item: Item) -> bool:
    return item.absence is not None and item.absence.how != PASSED


def _text(item: Item, *, short: bool) -> str:
    texts = [
        f"{name}: {text}" if name == CHECKED else _not_ours(f"{name}: {text}" if name else text)
        for name, text in item.texts
    ]
    return "\n".join([f"[{item.id}] {item.title}", *([] if short else texts)])


def _not_ours(text: str) -> str:
    """Return what somebody said, without what would pass for a remark of the program's own."""
    return _REMARK.sub(r"said to be \g<0>", text)


def file(held: Folder, said: Iterator[Said] | list[Said], source: str) -> None:
    """Put speeches on record, those that are there already left alone.

    Raises:
        RepliesRefusedError: one breaks a rule of every reply.
    """
    there = len(engine.look(held).debate.record.ids(ARGUMENTS))
    for speech in list(said)[there:]:
        made: Mapping[str, Any] = {"replay_of": {"debate": source}}
        raw = engine.RawReply(dumps({"text": speech.text}).encode(), source, made)
        engine.submit_replies(held, None, {speech.participant: raw})
