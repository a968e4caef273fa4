"""Debates of chairs in memory: good replies, and the rules that they go through."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from debate_ops.formats import entries, front, schema
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import Entry, Value
from debate_ops.model.turn import Absent, Done, Reply, Task, Turn
from debate_ops.prompts import build
from debate_ops.protocols.chairs import names
from debate_ops.protocols.chairs.rules import RULES
from tests.builders import MOTION
from tests.protocols.memory import MemoryRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Data = dict[str, Any]

NOW = "2026-01-01T00:00:00Z"
DEFAULTS = {setting.name: setting.read(setting.default) for setting in RULES.SETTINGS}
READ = {setting.name: setting.read for setting in RULES.SETTINGS}

CHAIRS = "ann:utilitarian,ben:virtue_ethics"
THREE = f"{CHAIRS},cara:deontological"
FRAMING = Framing(MOTION)


def settings(**chosen: Any) -> Data:
    """Return settings in full; the chairs are ann and ben where nobody else is named."""
    settings = {"participants": CHAIRS} | chosen
    return DEFAULTS | {name: READ[name](value) for name, value in settings.items()}


def begun(**chosen: Any) -> Debate:
    full = settings(**chosen)
    empty = MemoryRecord({})
    return Debate("x", "chairs", 0, RULES.derive(empty, full), full, empty)


def entry_of(value: Value, step: int) -> Entry:
    """Return the entry that a value becomes, by way of its file."""
    text = entries.render(value, entries.Stamp(step, "", NOW, {}, {}, {}))
    file = front.parse(text, value.id)
    return Entry(value.id, entries.folder(value), file.header, file.body)


def turn_of(debate: Debate) -> Turn:
    turn = RULES.next_turn(debate, NOW)
    assert isinstance(turn, Turn)
    return turn


def said(participant: str, kind: str, exchange: int) -> str:
    """Return what somebody says in a good reply."""
    return f"{kind.upper()} of {participant} in {exchange}, to be heard."


def parts(points: int = 20) -> Data:
    """Return the four parts of an evaluation that finds no fault."""
    attempted = {"points": points, "quality": "strong", "notes": "It is there."}
    return {
        "steel_manning": dict(attempted),
        "self_critique": dict(attempted),
        "framework_consistency": {"points": points, "consistent": True, "violations": []},
        "intellectual_honesty": {"points": points, "level": "high", "issues": []},
    }


def evaluated(points: int = 20, **changes: Any) -> Data:
    """Return what an evaluation says; an absent or weak steel-man is given by its quality."""
    reply = parts(points) | {"requires_interjection": False, "interjection_reason": None}
    return reply | changes


def straw_man(points: int = 5) -> Data:
    """Return an evaluation for which the arbiter steps in, whatever the accountability."""
    none = {"points": 0, "quality": "absent", "notes": "The other view is not put."}
    calls = {"requires_interjection": True, "interjection_reason": "It misleads."}
    return evaluated(points, steel_manning=none) | calls


def quiet() -> Data:
    """Return the moderator's word that nobody cuts in."""
    return {"interrupt": False, "why": "It can wait."}


def cut_in(chair: str, urgency: float = 0.9, **changes: Any) -> Data:
    """Return the moderator's word that a chair does; every good speech has the trigger."""
    reply = {"interrupt": True, "chair": chair, "reason": "direct_challenge"}
    why = {"trigger": "to be heard", "urgency": urgency, "opener": "Wait a moment.", "why": "Now."}
    return reply | why | changes


def good(task: Task, turn: Turn) -> Data:
    """Return a good reply to a task: nobody steps in, and nobody cuts in."""
    kind = kind_of(task)
    naming = {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}
    if kind == names.EVALUATION:
        return naming | evaluated()
    if kind == names.FLOOR:
        return naming | quiet()
    text = {"text": said(task.participant, kind, turn.exchange)}
    return naming | text | ({"quote": "to be heard"} if kind == names.INTERJECTION else {})


def kind_of(task: Task) -> str:
    """Return the kind of entry that a task asks for."""
    return next(name for name, kind in RULES.KINDS.items() if name == task.template)


def hold(debate: Debate, **changes: Data | None) -> Debate:
    """Hold the turn that is due, with good replies; changed by participant, or None: skipped."""
    turn = turn_of(debate)
    replies: dict[str, Reply | Absent] = {}
    for task in turn.tasks:
        name = task.participant.replace("-", "_")
        change = changes.get(name, {})
        if change is None:
            replies[task.participant] = Absent(task.participant, "skip", "r")
            continue
        value, _ = RULES.normalise(task, as_read(good(task, turn) | change))
        assert schema.accepts(schema.load(task.schema), value)
        replies[task.participant] = Reply(task.participant, value)
    assert RULES.check(debate, turn, replies).faults == ()
    step = RULES.record(debate, turn, replies)
    all_entries = dict(entries_of(debate))
    all_entries |= {value.id: entry_of(value, debate.step) for value in step.entries}
    grown = debate._replace(
        step=debate.step + 1, state=step.state, record=MemoryRecord(all_entries)
    )
    assert RULES.derive(grown.record, grown.settings) == grown.state
    return grown


def as_read(reply: Data) -> Data:
    """Return a reply as it is read from its text, with exact numbers."""
    read: Data = json.loads(json.dumps(reply), parse_float=Decimal)
    return read


def entries_of(debate: Debate) -> Mapping[str, Entry]:
    assert isinstance(debate.record, MemoryRecord)
    return debate.record.entries


def until(debate: Debate, kind: str, participant: str = "", exchange: int = -1) -> Debate:
    """Hold a debate until somebody is asked for an entry of this kind."""
    while not is_asked(debate, kind, participant, exchange):
        debate = hold(debate)
    return debate


def is_asked(debate: Debate, kind: str, participant: str = "", exchange: int = -1) -> bool:
    turn = turn_of(debate)
    if exchange not in {-1, turn.exchange}:
        return False
    asked = [task for task in turn.tasks if kind_of(task) == kind]
    return any(participant in {"", task.participant} for task in asked)


def is_over(debate: Debate) -> bool:
    return isinstance(RULES.next_turn(debate, NOW), Done)


def lively(debate: Debate) -> Iterator[Debate]:
    """Yield a debate before each turn; the first speech is interjected and interrupted."""
    while not is_over(debate):
        yield debate
        first = is_asked(debate, names.EVALUATION, exchange=1) and not any(
            entry.kind == names.EVALUATION for entry in entries_of(debate).values()
        )
        changes = {"evaluator": straw_man(), "moderator": cut_in("ben")} if first else {}
        debate = hold(debate, **changes)


def prompt_of(debate: Debate, participant: str) -> str:
    """Return the prompt that a participant is given now."""
    turn = turn_of(debate)
    (task,) = [task for task in turn.tasks if task.participant == participant]
    context = RULES.context(debate, turn, task)
    return build.prompt(debate, FRAMING, turn, task, context)
