"""What is on record of a design debate: by whom, of what, against what, and how long it is."""

from collections.abc import Iterable, Sequence
from typing import Any

from debate_ops.core.values import PERSON, Debate, Entry
from debate_ops.protocols.shared import choose_advocate

JUDGE = "judge"
Point = tuple[str, int]
"""A point of a critique: the critique's id, and the point's number in it."""


class History:
    """A design debate as its rules look at it: texts, critiques and points by participant.

    An agent's *text* is its newest refinement or proposal. Entries come by exchange, and by agent.
    """

    def __init__(self, d: Debate) -> None:
        self.d, self.settings = d, d.settings
        self.names: list[str] = d.settings.names

    def find(self, kind: str, exchange: int | None = None, by: str | None = None) -> list[Entry]:
        order = [*self.names, JUDGE, PERSON]
        found = self.d.find(kind, round=exchange, by=by)
        return sorted(found, key=lambda e: (e.round, order.index(e.by), e.number))

    def find_name(self, word: str) -> str:
        return str(self.settings.roles.get(word, word))

    def find_advocate(self, exchange: int) -> str:
        return choose_advocate(self.find_name(self.settings.devils_advocate), self.names, exchange)

    def list_texts(self, exchange: int) -> dict[str, str]:
        """Return the id of each agent's text at the end of an exchange, of those who have one."""
        said = self.d.find("proposal", "refinement")  # in the order in which they came
        newest = {e.by: e.id for e in said if e.round <= exchange}
        return {name: newest[name] for name in self.names if name in newest}

    def find_criticised(self, name: str, exchange: int) -> str:
        """Return the id of the text that an exchange's critiques are of: its new or last one."""
        new = self.find("proposal", exchange, name)
        return new[0].id if new else self.list_texts(exchange - 1).get(name, "")

    def place_of(self, name: str) -> int:
        """Return an agent's place among the agents, from 1; critiques of it have that number."""
        return self.names.index(self.find_name(name)) + 1

    def list_received(self, name: str, exchange: int) -> list[Entry]:
        place = self.place_of(name)
        return [e for e in self.find("critique", exchange) if e.number == place]

    def list_points(self, name: str, exchange: int) -> list[Point]:
        received = self.list_received(name, exchange)
        return [(e.id, point["number"]) for e in received for point in e.data["points"]]

    def list_to_summarise(self, name: str, exchange: int) -> list[Entry]:
        """Return what a summary before an exchange is made from, or would be.

        An agent's is of its newest earlier summary, which stands for all before that one, and of
        what came since: its texts and the critiques of them.
        """
        if name == JUDGE:
            kinds = ("proposal", "critique", "refinement")
            return [e for n in range(1, exchange) for kind in kinds for e in self.find(kind, n)]
        listed = [e for e in self.find("summary", by=name) if e.round < exchange][-1:]
        for number in range(listed[0].round if listed else 1, exchange):
            listed += self.find("proposal", number, name)
            listed += self.list_received(name, number)
            listed += self.find("refinement", number, name)
        return listed

    def needs_summary(self, name: str, exchange: int) -> bool:
        threshold: int = self.settings.summary_limits(name)[0]
        return 0 < threshold <= measure(self.list_to_summarise(name, exchange))

    def list_requirements(self) -> list[Any]:
        """Return the requirements ({id, text, level}): those given, or those the judge named."""
        given = [each.model_dump() for each in self.settings.requirements]
        return given or [r for e in self.find("requirements", 0) for r in e.data["requirements"]]

    def list_requirement_ids(self) -> list[str]:
        return [r["id"] for r in self.list_requirements()]

    def list_major(self, among: Sequence[str]) -> list[str]:
        majors = [r["id"] for r in self.list_requirements() if r["level"] == "major"]
        return [each for each in majors if each in among]

    def list_open_questions(self) -> list[str]:
        answered = {e.data["question"] for e in self.find("clarification", 0)}
        return [e.id for e in self.find("question", 0) if e.id not in answered]

    def why_unasked(self, exchange: int) -> str:
        """Return what ends the debate with an exchange whatever the judge may say; or nothing."""
        if exchange >= self.settings.max_exchanges:
            return "count"
        is_new = any(e.data["accepted"] for e in self.find("refinement", exchange))
        return "" if is_new or self.settings.stop_when_nothing_new == "no" else "nothing_new"

    def why_stopped(self, exchange: int) -> str:
        """Return what ends the debate with an exchange that is over; empty where it goes on."""
        least = self.settings.stop_at_confidence
        is_sure = any(e.data["confidence"] >= least > 0 for e in self.find("assessment", exchange))
        return self.why_unasked(exchange) or ("confidence" if is_sure else "")


def measure(entries: Iterable[Entry]) -> int:
    """Return how many characters the texts of these entries have together."""
    return sum(e.data["after"] if e.kind == "summary" else e.data["characters"] for e in entries)
