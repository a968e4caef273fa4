"""What the page tells of a text of a formal debate: its pair, and what the ballot says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from debate_ops.protocols.formal.rules import ANSWER, OTHER, QUESTION, SIDES
from debate_ops.protocols.schedule import Slot
from debate_ops.reports.blocks import Line, Quote, line
from debate_ops.reports.formal import view
from debate_ops.reports.formal.ballot import Ballot, ballot_of, speeches
from debate_ops.reports.items import Content, Item
from debate_ops.reports.record import Note
from debate_ops.reports.sentences import sentences
from debate_ops.reports.text import counted, shorten

_ID = re.compile(r"(?<![a-z])[a-z]++_[0-9]{3,6}-[a-z]+")
_MOST_SENTENCES = 3
_REASON = 300


def notes(content: Content) -> Mapping[str, Note]:
    """Return the notes on each text that readers are shown, by id; the ballot's too."""
    ballot = ballot_of(content)
    by_id = {item.id: _of_speech(content, item, ballot) for item in speeches(content)}
    if ballot:
        by_id[ballot.value.id] = _of_ballot(content, ballot)
    return by_id


def _of_speech(content: Content, item: Item, ballot: Ballot | None) -> Note:
    side = list(SIDES).index(item.participant) if item.participant in SIDES else None
    if item.absence:
        return Note(side, states=("not given",))
    reasons = ballot.reasons if ballot else ""
    states = tuple(_states(content, item, reasons))
    return Note(side, states=states, facts=tuple(_facts(item, reasons)))


def _states(content: Content, item: Item, reasons: str) -> Iterator[str]:
    """Yield words to filter by."""
    if item.kind == QUESTION:
        answer = Slot(item.entry.exchange, OTHER[item.participant], ANSWER).id
        yield "answered" if answer in content.ids else "unanswered"
    if item.cut:
        yield "cut"
    if _names(reasons, item):
        yield "named in the ballot"


def _facts(item: Item, reasons: str) -> Iterator[tuple[str, tuple[Line, ...]]]:
    if item.cut:
        length = counted(item.cut.words, "word")
        yield "Cut", (line(f"{item.cut.kept:,} words kept; it had {length}"),)
    if own := [s for s in sentences(reasons) if _names(s, item)]:
        said = (line(Quote(shorten(s, _REASON))) for s in own[:_MOST_SENTENCES])
        yield "In the ballot", tuple(said)


def _of_ballot(content: Content, ballot: Ballot) -> Note:
    winner = content.names.get(ballot.winner, ballot.winner)
    low = " (with fewer speaker points)" if ballot.is_low_point else ""
    facts = (
        ("Winner", (line(f"{winner}{low}"),)),
        ("Speaker points", (line(view.points(content, ballot)),)),
    )
    return Note(facts=facts, states=(f"for the {winner}",))


def _names(text: str, item: Item) -> bool:
    return item.id in _ID.findall(text)
