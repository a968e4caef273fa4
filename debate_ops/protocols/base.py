"""What a protocol is: the functions that the engine asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import Entry, Record, Value
from debate_ops.model.turn import Absent, Checked, Context, Done, Reply, Step, Task, Turn, Waiting

Replies = Mapping[str, Reply | Absent]
"""What a turn's tasks ended with, by participant."""


class Setting(NamedTuple):
    """One option of a protocol: its default, what it may be, and what it does.

    `values` are the words allowed; empty where any text (or, for `whole`, any number from
    `least`) will do.
    """

    name: str
    default: Any
    help: str
    values: tuple[str, ...] = ()
    whole: bool = False
    least: int = 0


class Rules(Protocol):
    """A protocol; each module of this package but this one and the table is one.

    Every function is pure: the debate, the replies and the time come in, values go out.
    """

    SIDES: Mapping[str, str]
    """Participant to the name of its side, in the order in which readers meet them."""

    ROLES: Mapping[str, str]
    """Participant to the kind of agent that acts for it."""

    SETTINGS: tuple[Setting, ...]

    def initial(self) -> State:
        """Return the state of a debate without entries."""
        ...  # pragma: no cover

    def derive(self, record: Record) -> State:
        """Return the state that the record leads to; totals from the last judgment alone."""
        ...  # pragma: no cover

    def next_turn(self, debate: Debate, now: str) -> Turn | Waiting | Done:
        """Return what the debate waits for."""
        ...  # pragma: no cover

    def context(self, debate: Debate, turn: Turn, task: Task) -> Context:
        """Return what the participant of `task` may see."""
        ...  # pragma: no cover

    def normalise(self, task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return a reply in the form its schema describes, and what was put right, as sentences."""
        ...  # pragma: no cover

    def check(self, debate: Debate, turn: Turn, replies: Replies) -> Checked:
        """Return faults and warnings that no schema can state.

        Replies that break their schema come too, so that all faults are told at once: no form
        may be taken for granted here.
        """
        ...  # pragma: no cover

    def record(self, debate: Debate, turn: Turn, replies: Replies) -> Step:
        """Return the entries that checked replies become, and the state after them."""
        ...  # pragma: no cover

    def calls_left(self, debate: Debate, until: int) -> int:
        """Return how many agent calls it takes until `until` exchanges are over."""
        ...  # pragma: no cover

    def audit(self, values: Sequence[tuple[Entry, Value]]) -> Checked:
        """Return the faults and warnings of a whole record, oldest exchange first."""
        ...  # pragma: no cover

    def recall(self, entries: Mapping[str, Value], turn: Turn, task: Task) -> dict[str, Any] | None:
        """Return the reply that a participant gave in this turn of a recorded debate, or None."""
        ...  # pragma: no cover
