"""What a protocol is: the functions that the engine asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import Contribution, Record
from debate_ops.model.turn import (
    Absent,
    Act,
    Checked,
    Context,
    Done,
    Met,
    Reply,
    Step,
    Task,
    Turn,
    Waiting,
)
from debate_ops.protocols.settings import Setting

Replies = Mapping[str, Reply | Absent]
"""What a turn's tasks ended with, by participant."""

Settings = Mapping[str, Any]
"""A protocol's settings in full, as `engine.checked_settings` returns them."""


class Rules(Protocol):
    """A protocol; each module of this package that the table names is one, or declares one.

    Every function is pure: the debate, the replies and the time come in, values go out.
    """

    @property
    def CYCLE(self) -> str:  # noqa: N802
        """What the N of a request counts, in the singular; empty where N would have no meaning."""

    @property
    def SETTINGS(self) -> tuple[Setting, ...]:  # noqa: N802
        """Its options."""

    @property
    def EVENTS(self) -> Mapping[str, str]:  # noqa: N802
        """Kind of entry to the event that tells of it in `events.jsonl`."""

    @property
    def MILESTONES(self) -> Mapping[str, str]:  # noqa: N802
        """Phase to the event that tells that a debate has come to it, where that is worth one."""

    @property
    def ACTS(self) -> Mapping[str, Callable[[Debate, Act], Step]]:  # noqa: N802
        """What a person may do unasked, by name; `RefusedError` where it cannot be done now."""

    @property
    def REQUIREMENTS(self) -> Mapping[str, Callable[[Debate], Met]]:  # noqa: N802
        """What `check` can require of a debate, by name."""

    def folder_of(self, entry_id: str) -> str:
        """Return the record folder in which an entry of this id belongs; empty for no id of ours.

        Absences belong in `judgments`, in every protocol.
        """

    def clashes(self, settings: Settings) -> Iterator[str]:
        """Yield a sentence for each setting that does not fit the others, or has no effect.

        It begins with the setting's name.
        """

    def participants(self, settings: Settings) -> Mapping[str, str]:
        """Return the kind of agent that acts for each participant, in the order of readers."""

    def derive(self, record: Record, settings: Settings) -> State:
        """Return the state that the record leads to; that of a new debate for an empty one."""

    def next_turn(self, debate: Debate, now: str) -> Turn | Waiting | Done:
        """Return what the debate waits for."""

    def why_not_asked(self, debate: Debate, turn: Turn, participant: str) -> str:
        """Return why a participant of the debate has no task in this turn, as a clause."""

    def place(self, exchange: int, phase: str) -> str:
        """Return in words where a debate is, as in `exchange 3`."""

    def context(self, debate: Debate, turn: Turn, task: Task) -> Context:
        """Return what the participant of `task` may see."""

    def normalise(self, task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return a reply in the form its schema describes, and what was put right, as sentences."""

    def check(self, debate: Debate, turn: Turn, replies: Replies) -> Checked:
        """Return faults and warnings that no schema can state.

        Replies that break their schema come too, so that all faults are reported at once: no form
        may be taken for granted here.
        """

    def record(self, debate: Debate, turn: Turn, replies: Replies) -> Step:
        """Return the entries that checked replies become, at least one, and the state after them.

        Each entry's id begins with the participant whose reply it is made from, or with a name
        that is no participant's where the rules themselves add it.
        """

    def last_exchange(self, settings: Settings) -> int | None:
        """Return the number of the last exchange there can be; None where there is no end."""

    def calls_left(self, debate: Debate, until: int | None) -> int:
        """Return how many agent calls it takes, at most, to reach exchange `until`, or the end."""

    def recall(
        self, values: Sequence[Contribution], turn: Turn, task: Task
    ) -> dict[str, Any] | None:
        """Return the reply that became `values`, or None where none of them is from one.

        `values` are what a recorded debate has of this participant for the same step. What
        `record` makes of that reply are the same values once more: `audit` rests on it.
        """
