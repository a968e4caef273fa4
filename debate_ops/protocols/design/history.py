"""What is on record of a design debate: by whom, of what, against what, and how long it is.

An index over the ids, made once; headers are read where they are asked for, bodies never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.ids import entry_id, parse_id
from debate_ops.protocols.acts import PERSON
from debate_ops.protocols.base import Settings
from debate_ops.protocols.design.names import (
    ACCEPTED,
    CLARIFICATION,
    CRITIQUE,
    JUDGE,
    PROPOSAL,
    QUESTION,
    REFINEMENT,
    REQUIREMENTS,
    SUMMARY,
)
from debate_ops.protocols.design.settings import names_of
from debate_ops.protocols.schedule import Past

Header = Mapping[str, Any]
_Places = Mapping[tuple[str, int], Mapping[str, tuple[str, ...]]]

_TEXTS = (PROPOSAL, CRITIQUE, REFINEMENT)
"""What a history is made of, in the order of an exchange."""


class History(NamedTuple):
    """The record of a debate with these settings; `look` gives the header of an entry.

    `ids` are all of them; `places` has them by kind and exchange, then by participant.
    """

    settings: Settings
    ids: frozenset[str]
    places: _Places
    look: Callable[[str], Header]

    @property
    def names(self) -> tuple[str, ...]:
        """The agents, in order."""
        return names_of(self.settings)

    @property
    def newest(self) -> int:
        """The number of the newest exchange on record; 0 where there is none."""
        return max((exchange for _, exchange in self.places), default=0)

    def of(self, kind: str, exchange: int | None = None, participant: str = "") -> tuple[str, ...]:
        """Return the ids of a kind, by exchange, and in each in the order of the participants."""
        numbers = range(self.newest + 1) if exchange is None else (exchange,)
        wanted = (participant,) if participant else (*self.names, JUDGE, PERSON)
        there = (self.places.get((kind, number), {}) for number in numbers)
        return tuple(i for by_name in there for name in wanted for i in by_name.get(name, ()))

    def has(self, participant: str, exchange: int, kind: str) -> bool:
        """Tell whether there is an entry of a kind."""
        return participant in self.places.get((kind, exchange), {})

    # ------------------------------------------------------------ texts and critiques

    def text_of(self, participant: str, exchange: int) -> str:
        """Return the text of a participant that stands in an exchange; empty where there is none.

        That is its newest refinement or proposal of an exchange up to this one.
        """
        for number in range(exchange, 0, -1):
            for kind in (REFINEMENT, PROPOSAL):
                if (text := entry_id(participant, number, kind)) in self.ids:
                    return text
        return ""

    def last_text(self, participant: str, exchange: int) -> str:
        """Return the text of a participant that stood at the end of the exchange before."""
        return self.text_of(participant, exchange - 1)

    def texts(self, exchange: int) -> dict[str, str]:
        """Return the text that stands of each participant who has one, in order."""
        found = {name: self.text_of(name, exchange) for name in self.names}
        return {name: text for name, text in found.items() if text}

    def criticised(self, participant: str, exchange: int) -> str:
        """Return the text that an exchange's critiques of a participant are of.

        That is its new proposal, or else its text of the exchange before.
        """
        new = entry_id(participant, exchange, PROPOSAL)
        return new if new in self.ids else self.last_text(participant, exchange)

    def place_of(self, participant: str) -> int:
        """Return a participant's place among the agents, from 1."""
        return self.names.index(participant) + 1

    def received(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return the critiques that an exchange has of a participant's text."""
        place = self.place_of(participant)
        wanted = (entry_id(critic, exchange, CRITIQUE, place) for critic in self.names)
        return tuple(critique for critique in wanted if critique in self.ids)

    def points(self, critique: str) -> tuple[int, ...]:
        """Return the numbers of the points that a critique makes."""
        told = _objects(self.look(critique).get("points"))
        return tuple(point["number"] for point in told if isinstance(point.get("number"), int))

    def points_against(self, participant: str, exchange: int) -> tuple[tuple[str, int], ...]:
        """Return (critique, number) of each point that an exchange has against a participant."""
        received = self.received(participant, exchange)
        return tuple(
            (critique, number) for critique in received for number in self.points(critique)
        )

    def unanswered(self, exchange: int) -> tuple[tuple[str, int], ...]:
        """Return (critique, number) of each point that nobody answered, up to an exchange."""
        return tuple(
            point
            for number in range(1, exchange + 1)
            for name in self.names
            if not self.has(name, number, REFINEMENT)
            for point in self.points_against(name, number)
        )

    def accepts_any(self, exchange: int) -> bool:
        """Tell whether anybody accepted a point in an exchange."""
        return any(
            answer.get("verdict") == ACCEPTED
            for refinement in self.of(REFINEMENT, exchange)
            for answer in _objects(self.look(refinement).get("answers"))
        )

    # ------------------------------------------------------------ histories and their size

    def summary_of(self, participant: str, exchange: int) -> str:
        """Return a participant's newest summary of an exchange up to this one, or nothing."""
        wanted = (entry_id(participant, number, SUMMARY) for number in range(exchange, 0, -1))
        return next((summary for summary in wanted if summary in self.ids), "")

    def own(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return a participant's own history in an exchange, oldest first.

        That is its summary of this exchange, if there is one; or else `before_summary`.
        """
        summary = entry_id(participant, exchange, SUMMARY)
        return (summary,) if summary in self.ids else self.before_summary(participant, exchange)

    def before_summary(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return what a participant's summary of an exchange is made from, or would be.

        Its newest summary of an earlier exchange, which stands for all before that one; then of
        each exchange since its proposal, the critiques of its text, and its refinement.
        """
        summary = self.summary_of(participant, exchange - 1)
        parts = parse_id(summary)
        found = [summary] if summary else []
        for number in range(parts.exchange if parts else 1, exchange):
            found += self.of(PROPOSAL, number, participant)
            found += self.received(participant, number)
            found += self.of(REFINEMENT, number, participant)
        return tuple(found)

    def for_judge(self, exchange: int) -> tuple[str, ...]:
        """Return the judge's history: every text and critique of the exchanges before this one."""
        return tuple(
            entry
            for number in range(1, exchange)
            for kind in _TEXTS
            for entry in self.of(kind, number)
        )

    def size(self, ids: Iterable[str]) -> int:
        """Return how many characters the texts of these entries have together."""
        return sum(_characters(self.look(entry)) for entry in ids)

    # ------------------------------------------------------------ before the first exchange

    def requirements(self) -> tuple[Header, ...]:
        """Return the requirements ({id, text, level}): those given, or those the judge named."""
        given = self.settings["requirements"]
        named = self.look(entry_id(JUDGE, 0, REQUIREMENTS)).get("requirements")
        return tuple(given or filter(_is_requirement, _objects(named)))

    def questions(self, round_: int = 0) -> tuple[str, ...]:
        """Return the clarifying questions, of one round or of all."""
        asked = self.of(QUESTION, 0)
        return tuple(i for i in asked if not round_ or self.look(i).get("round") == round_)

    def asks(self, question: str) -> str:
        """Return the text of a clarifying question; empty where there is none on record."""
        return str(self.look(question).get("asks", ""))

    def clarifications(self) -> tuple[str, ...]:
        """Return what a person said to the questions."""
        return self.of(CLARIFICATION, 0)

    def open_questions(self) -> tuple[str, ...]:
        """Return the questions that nobody has answered."""
        answered = {self.look(i).get("question") for i in self.clarifications()}
        return tuple(question for question in self.questions() if question not in answered)


def _objects(value: Any) -> list[Header]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]


def _is_requirement(item: Header) -> bool:
    return all(isinstance(item.get(key), str) for key in ("id", "text", "level"))


def _characters(header: Header) -> int:
    number = header.get("after", header.get("characters"))
    return number if isinstance(number, int) else 0


def of_record(record: Record, settings: Settings) -> History:
    """Return the history of a debate."""
    ids = (*record.ids(ARGUMENTS), *record.ids(JUDGMENTS))

    def look(wanted: str) -> Header:
        entry = record.get(wanted)
        return entry.header if entry else {}

    return History(settings, frozenset(ids), _placed(ids), look)


def history_of(past: Past) -> History:
    """Return the history of a debate, as a schedule looks at it."""
    history: History = past.once("history", _history_of)
    return history


def _history_of(past: Past) -> History:
    return History(past.settings, past.ids, _placed(past.ids), past.look)


def _placed(ids: Iterable[str]) -> _Places:
    found: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {}
    for parts in sorted(_parsed(ids), key=lambda parts: parts.number):
        by_name = found.setdefault((parts.kind, parts.exchange), {})
        by_name[parts.participant] = (*by_name.get(parts.participant, ()), str(parts))
    return found


def _parsed(ids: Iterable[str]) -> Iterator[Any]:
    return (parts for parts in map(parse_id, ids) if parts)
