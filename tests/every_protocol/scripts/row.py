"""What the common suite has to know of a protocol: how its debates are held by a script, and more.

A script is deterministic: it writes a good reply for any task from the debate, the turn and the
task alone. Every text it writes bears a mark of its own, so that a test can tell who was shown
what.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.model.turn import Act

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.entries import Entry
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data


class Variant(NamedTuple):
    """One course of a debate: its settings, its replies, what a person does, and where it ends.

    `act` gives what a person does at a moment instead of a reply; `is_over` tells where the
    script of a protocol without an end of its own ends.
    """

    settings: Mapping[str, Any]
    reply: Callable[[Debate, Turn, Task], Data]
    act: Callable[[Debate], Act | None] = lambda _: None
    is_over: Callable[[Debate], bool] = lambda _: False


class Effect(NamedTuple):
    """A setting's other value, and where it is seen in a script: `prompts`, `turns`, `calls`, ...

    `name` is the variant; `beside` are settings without which this one has nothing to do; `away` is
    who never replies, where the setting is about that.
    """

    value: Any
    seen_in: str
    name: str
    beside: Mapping[str, Any] = {}
    away: str = ""


class Row(NamedTuple):
    """What the common suite has to know of a protocol, and cannot read from its rules.

    `sees` gives the ids of the entries whose texts a task's prompt holds: all these, and no other.
    `broken` gives a reply that fits its schema and breaks a rule, where there is one. `effects`
    has every setting. `added` are kinds of entries that the rules write by themselves.
    """

    variants: Mapping[str, Variant]
    sees: Callable[[Debate, Turn, Task], Collection[str]]
    broken: Callable[[Debate, Turn, Task], Data | None]
    effects: Mapping[str, Effect]
    added: frozenset[str] = frozenset()


LONG = f"{'many words and no line break ' * 60}{'x' * 1900}"
"""A line that agent clients would cut, and in it a word that is longer than a line."""


def mark(turn: Turn, task: Task, place: int = 0) -> str:
    """Return a word that stands in one text of one reply and nowhere else."""
    return f"zq{turn.step}{task.participant.replace('-', '')}{place}zq"


def named(turn: Turn, task: Task) -> Data:
    """Return whose a reply is and what it answers."""
    return {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}


def entries(debate: Debate, folder: str) -> list[Entry]:
    """Return the entries of a folder of the record, oldest exchange first."""
    actual = (debate.record.get(entry_id) for entry_id in debate.record.ids(folder))
    return [entry for entry in actual if entry is not None]
