"""What is on record of a design debate: by whom, of what, against what, and how long it is.

An index over the ids, made once; headers are read where they are asked for, bodies never.
"""

from __future__ import annotations

from collections.abc import Iterable

from debate_ops.model.entries import Record
from debate_ops.model.ids import entry_id, parse_id
from debate_ops.protocols.acts import PERSON
from debate_ops.protocols.base import Settings
from debate_ops.protocols.design import names
from debate_ops.protocols.design.settings import names_of
from debate_ops.protocols.replies import objects
from debate_ops.protocols.schedule import Header, Past, on_record


class History:
    """What is on record, by kind, exchange and participant."""

    def __init__(self, past: Past) -> None:
        self.settings, self.ids, self.look = past.settings, past.ids, past.look
        self.names = names_of(past.settings)
        self._places: dict[tuple[str, int], dict[str, list[str]]] = {}
        parsed = filter(None, map(parse_id, past.ids))
        for parts in sorted(parsed, key=lambda parts: parts.number):
            by_name = self._places.setdefault((parts.kind, parts.exchange), {})
            by_name.setdefault(parts.participant, []).append(str(parts))

    @property
    def newest(self) -> int:
        """The number of the newest exchange on record; 0 where there is none."""
        return max((exchange for _, exchange in self._places), default=0)

    def of(self, kind: str, exchange: int | None = None, participant: str = "") -> tuple[str, ...]:
        """Return the ids of a kind, by exchange, and in each in the order of the participants."""
        numbers = range(self.newest + 1) if exchange is None else (exchange,)
        people = (participant,) if participant else (*self.names, names.JUDGE, PERSON)
        places = (self._places.get((kind, number), {}) for number in numbers)
        return tuple(i for by_name in places for name in people for i in by_name.get(name, ()))

    def text_of(self, participant: str, exchange: int) -> str:
        """Return the newest text of a participant at the end of an exchange; empty without one."""
        for number in range(exchange, 0, -1):
            for kind in (names.REFINEMENT, names.PROPOSAL):
                if (text := entry_id(participant, number, kind)) in self.ids:
                    return text
        return ""

    def texts(self, exchange: int) -> dict[str, str]:
        """Return the newest text of each participant who has one, in order."""
        texts = {name: self.text_of(name, exchange) for name in self.names}
        return {name: text for name, text in texts.items() if text}

    def criticised(self, participant: str, exchange: int) -> str:
        """Return the text that an exchange's critiques of a participant are of.

        That is its new proposal, or else its text of the exchange before.
        """
        new = entry_id(participant, exchange, names.PROPOSAL)
        return new if new in self.ids else self.text_of(participant, exchange - 1)

    def place_of(self, participant: str) -> int:
        """Return a participant's place among the agents, from 1."""
        return self.names.index(participant) + 1

    def received(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return the critiques that an exchange has of a participant's text."""
        place = self.place_of(participant)
        critiques = (entry_id(critic, exchange, names.CRITIQUE, place) for critic in self.names)
        return tuple(critique for critique in critiques if critique in self.ids)

    def points(self, critique: str) -> tuple[int, ...]:
        """Return the numbers of the points that a critique makes."""
        numbers = (point.get("number") for _, point in objects(self.look(critique).get("points")))
        return tuple(number for number in numbers if isinstance(number, int))

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
            if not self.of(names.REFINEMENT, number, name)
            for point in self.points_against(name, number)
        )

    def accepts_any(self, exchange: int) -> bool:
        """Tell whether anybody accepted a point in an exchange."""
        return any(
            answer.get("verdict") == names.ACCEPTED
            for refinement in self.of(names.REFINEMENT, exchange)
            for _, answer in objects(self.look(refinement).get("answers"))
        )

    def own(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return a participant's own history in an exchange, oldest first.

        That is its summary of this exchange, if there is one; or else what one would be of.
        """
        summary = self.of(names.SUMMARY, exchange, participant)
        return summary or self.to_summarise(participant, exchange)

    def to_summarise(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return what a participant's summary before an exchange is made from, or would be.

        The judge's is of every text and critique. An agent's is of its newest earlier summary,
        which stands for all before that one; then of each exchange since its proposal, the
        critiques of its text, and its refinement.
        """
        if participant == names.JUDGE:
            kinds = (names.PROPOSAL, names.CRITIQUE, names.REFINEMENT)
            return tuple(i for n in range(1, exchange) for kind in kinds for i in self.of(kind, n))
        numbers = range(exchange - 1, 0, -1)
        first = next((n for n in numbers if self.of(names.SUMMARY, n, participant)), 0)
        entries = [*self.of(names.SUMMARY, first, participant)] if first else []
        for number in range(first or 1, exchange):
            entries += self.of(names.PROPOSAL, number, participant)
            entries += self.received(participant, number)
            entries += self.of(names.REFINEMENT, number, participant)
        return tuple(entries)

    def number(self, entry: str, key: str) -> int:
        """Return a number in a header; 0 where there is none."""
        number = self.look(entry).get(key)
        return number if isinstance(number, int) else 0

    def size(self, ids: Iterable[str]) -> int:
        """Return how many characters the texts of these entries have together."""
        keys = ("after", "characters")  # a summary has the former
        return sum(self.number(entry, key) for entry in ids for key in keys)

    def requirements(self) -> tuple[Header, ...]:
        """Return the requirements ({id, text, level}): those given, or those the judge named."""
        named = objects(self.look(entry_id(names.JUDGE, 0, names.REQUIREMENTS)).get("requirements"))
        return tuple(self.settings["requirements"]) or tuple(
            item for _, item in named if all(isinstance(item.get(key), str) for key in _REQUIREMENT)
        )

    def questions(self, round_: int = 0) -> tuple[str, ...]:
        """Return the clarifying questions, of one round or of all."""
        asked = self.of(names.QUESTION, 0)
        return tuple(i for i in asked if not round_ or self.look(i).get("round") == round_)

    def clarifications(self) -> tuple[str, ...]:
        """Return what a person said to the questions."""
        return self.of(names.CLARIFICATION, 0)

    def open_questions(self) -> tuple[str, ...]:
        """Return the questions that nobody has answered."""
        answered = {self.look(i).get("question") for i in self.clarifications()}
        return tuple(question for question in self.questions() if question not in answered)


_REQUIREMENT = ("id", "text", "level")


def of_record(record: Record, settings: Settings) -> History:
    """Return the history of a debate."""
    return history_of(on_record(record, settings))


def history_of(past: Past) -> History:
    """Return the history of a debate, as a schedule looks at it."""
    history: History = past.once("history", History)
    return history
