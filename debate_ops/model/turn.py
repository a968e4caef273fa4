"""What a debate waits for now, and what came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.debate import State, Word
from debate_ops.model.entries import Contribution


class Task(NamedTuple):
    """One participant's part of a turn.

    `agent` is the kind of agent to start, `template` and `schema` name the prompt and the form
    of the reply. `on_failure` is `stop`, or `absence` where the debate goes on without it, or
    `omit` where it does so and nothing is put on record.
    `seconds` is how long `run` waits for the reply; 0 leaves that to the run.
    """

    participant: str
    agent: str
    template: str
    schema: str
    on_failure: str = "stop"
    seconds: float = 0


OMIT = "omit"
"""What happens where a task that is nobody's part of the debate fails: nothing."""


class Turn(NamedTuple):
    """One or more tasks, which may run in parallel; all must end before the debate moves on.

    `seconds` is after how long, counted from the last commit, the turn may be closed without the
    replies that are missing; 0 is never. `beside` are tasks that the engine adds: no rule knows of
    them, and nothing waits for them.
    """

    step: int
    exchange: int
    phase: str
    tasks: tuple[Task, ...]
    seconds: float = 0
    beside: tuple[Task, ...] = ()


class Waiting(NamedTuple):
    """A person has to do something first: one of `acts`; `about` are the entries it is about."""

    reason: str
    acts: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


class Done(NamedTuple):
    """Nothing is due, and why."""

    reason: str


STATES: Mapping[type, str] = {Turn: "turn", Waiting: "waiting", Done: "done"}
"""What programs are told of a debate that waits so."""


class Reply(NamedTuple):
    """A participant's reply as data, in the one form its schema describes.

    `made_by` holds what is known of how it was made: model, latency_ms, tokens, replay_of.
    """

    participant: str
    value: Mapping[str, Any]
    made_by: Mapping[str, Any] = {}


class Checked(NamedTuple):
    """What a check found: faults stop the submission, warnings do not."""

    faults: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()


class Own(str):
    """Words of the program's own, which stand in a prompt as they are.

    Whatever is no `Own` is taken for somebody else's and quoted: who forgets it sees quotation
    marks in a prompt, and lets no foreign text pass for the program's.
    """

    __slots__ = ()


class Context(NamedTuple):
    """What one participant may see.

    `values` are short texts by placeholder, quoted unless they are `Own`; `shown` are entries
    given in full and `listed` entries given by a line each, by placeholder; of those named in
    `may_shorten` the oldest are listed instead of shown where the whole would be too long.
    `scores` are in thousandths; None where scores are not this participant's business. `words` are
    what people said to it. `remarks` are what the program has to say of an entry that is given in
    full, from its id: lines that are quoted unless they are `Own`.
    """

    values: Mapping[str, str] = {}
    shown: Mapping[str, tuple[str, ...]] = {}
    listed: Mapping[str, tuple[str, ...]] = {}
    may_shorten: tuple[str, ...] = ()
    scores: Mapping[str, int] | None = None
    words: tuple[Word, ...] = ()
    remarks: Callable[[str], tuple[str, ...]] = lambda _: ()


class Step(NamedTuple):
    """What a submission adds to the debate: the entries, and the state after it."""

    entries: tuple[Contribution, ...]
    state: State


class Act(NamedTuple):
    """What a person does that no task asked for: its name, its values by key, and by whom."""

    name: str
    values: Mapping[str, str]
    by: str = "user"


class Met(NamedTuple):
    """Whether a requirement on a debate is met, and why."""

    is_met: bool
    why: str


class Absent(NamedTuple):
    """The act of ending a task without a reply: see `Absence`."""

    participant: str
    how: str
    reason: str
    by: str = "user"
