"""Design debates in memory: good replies, and the rules that they go through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from debate_ops.formats import entries, front, headers, schema
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry, Value
from debate_ops.model.ids import order
from debate_ops.model.turn import Absent, Act, Reply, Step, Task, Turn
from debate_ops.protocols.design import names
from debate_ops.protocols.design.history import History, of_record
from debate_ops.protocols.design.rules import RULES
from tests.protocols.memory import MemoryRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from debate_ops.model.turn import Checked

Data = dict[str, Any]

NOW = "2026-01-01T00:00:00Z"
THREE = "ann:architect,ben:security,cara:testing"
TWO = "ann:architect,ben:security"
PHASES = [kind.phase for kind in RULES.KINDS.values() if kind.schema]
GIVEN = ["It holds.", {"text": "It is cheap.", "level": "minor"}]


def settings_of(**chosen: Any) -> Data:
    """Return settings in full; the agents are ann, ben and cara, the requirements r1 and r2."""
    values = {"participants": THREE, "requirements": GIVEN} | chosen
    settings = {s.name: s.read(values.get(s.name, s.default)) for s in RULES.SETTINGS}
    assert list(RULES.clashes(settings)) == []
    return settings


def begun(**chosen: Any) -> Debate:
    full, empty = settings_of(**chosen), MemoryRecord({})
    return Debate("x", "design", 0, RULES.derive(empty, full), full, empty)


def turn_of(debate: Debate) -> Turn:
    turn = RULES.next_turn(debate, NOW)
    assert isinstance(turn, Turn)
    return turn


def asked(debate: Debate) -> list[str]:
    return [task.participant for task in turn_of(debate).tasks]


def history_of(debate: Debate) -> History:
    return of_record(debate.record, debate.settings)


def record_of(debate: Debate) -> Mapping[str, Entry]:
    assert isinstance(debate.record, MemoryRecord)
    return debate.record.entries


def entry_of(value: Value, debate: Debate) -> Entry:
    """Return the entry that a value becomes, by way of its file."""
    judged = value.data.get("judges", ()) if isinstance(value, Contribution) else ()
    digests = {entry_id: debate.record.digest(entry_id) for entry_id in judged}
    text = entries.render(value, entries.Stamp(debate.step, "", NOW, {}, {}, digests))
    file = front.parse(text, value.id)
    return headers.checked(Entry(value.id, entries.folder(value), file.header, file.body), value.id)


def after(debate: Debate, step: Step) -> Debate:
    """Return the debate after a step; what `record` says and what `derive` finds is the same."""
    assert step.entries
    entries_ = dict(record_of(debate))
    for value in step.entries:
        assert value.id not in entries_
        entries_[value.id] = entry_of(value, debate)
        assert entries.parse(entries_[value.id]) == value
    record = MemoryRecord(entries_)
    assert RULES.derive(record, debate.settings) == step.state
    return debate._replace(step=debate.step + 1, state=step.state, record=record)


def coverage(history: History) -> list[Data]:
    requirements = history.requirements()
    return [{"requirement": r["id"], "coverage": "full", "how": "So."} for r in requirements]


def answers(history: History, name: str, exchange: int, verdict: str = "accepted") -> list[Data]:
    return [
        {"critique": critique, "point": number, "verdict": verdict, "reason": "Right."}
        for critique, number in history.points_against(name, exchange)
    ]


def critique(target: str, *levels: str) -> Data:
    points = [{"level": level, "text": f"Point {n}."} for n, level in enumerate(levels, start=1)]
    return {"target": target, "requirements": "All are met.", "points": points}


def solution(**more: Any) -> Data:
    return {
        "title": "The way",
        "solution": "Do.",
        "trade_offs": ["It is slow."],
        "recommendations": ["Begin."],
        "unmet": [],
        "open_questions": [],
        "confidence": 70,
        "confidence_reasons": "It was tried.",
    } | more


def good(debate: Debate, turn: Turn, task: Task) -> Data:
    """Return the usual reply: nobody asks, all make one major point each, and accept it."""
    history, name, exchange = history_of(debate), task.participant, turn.exchange
    text = {"title": "A way", "solution": "Do this.", "coverage": coverage(history)}
    replies: Mapping[str, Callable[[], Data]] = {
        names.AWAITING_QUESTIONS: lambda: {"questions": []},
        names.AWAITING_REQUIREMENTS: lambda: {
            "requirements": [{"text": "It lasts.", "level": "major"}]
        },
        names.AWAITING_SUMMARIES: lambda: {"summary": "Short."},
        names.AWAITING_PROPOSALS: lambda: text,
        names.AWAITING_CRITIQUES: lambda: {
            "critiques": [critique(n, "major") for n in history.texts(exchange) if n != name]
        },
        names.AWAITING_REFINEMENTS: lambda: text | {"answers": answers(history, name, exchange)},
        names.AWAITING_ASSESSMENT: lambda: {"confidence": 50, "reasons": "Half."},
        names.AWAITING_JUDGE_SUMMARY: lambda: {"summary": "Short."},
        names.AWAITING_SYNTHESIS: solution,
    }
    return replies[turn.phase]()


def replied(debate: Debate, **changes: Data | None) -> dict[str, Reply | Absent]:
    """Return good replies to the turn that is due, changed where given; None is an absence."""
    turn = turn_of(debate)
    replies: dict[str, Reply | Absent] = {}
    for task in turn.tasks:
        name = task.participant
        if name in changes and changes[name] is None:
            replies[name] = Absent(name, "skip", "It did not come.", "user")
            continue
        value = good(debate, turn, task) | (changes.get(name) or {})
        plain, _ = RULES.normalise(task, value)
        replies[name] = Reply(name, plain)
    assert changes.keys() <= replies.keys(), "who is changed has a task"
    return replies


def checked(debate: Debate, **changes: Data | None) -> Checked:
    return RULES.check(debate, turn_of(debate), replied(debate, **changes))


def faults(debate: Debate, **changes: Data | None) -> list[str]:
    """Return each fault as `participant where code`."""
    findings = checked(debate, **changes).faults
    return [f"{f.participant} {f.where} {f.code}" for f in findings]


def hold(debate: Debate, **changes: Data | None) -> Debate:
    """Hold the turn that is due; good replies fit their schema."""
    turn, replies = turn_of(debate), replied(debate, **changes)
    for task in turn.tasks:
        reply = replies[task.participant]
        if isinstance(reply, Reply):
            assert list(schema.explain(schema.load(task.schema), reply.value)) == []
    assert RULES.check(debate, turn, replies).faults == ()
    return after(debate, RULES.record(debate, turn, replies))


def act(debate: Debate, name: str, **words: str) -> Debate:
    return after(debate, RULES.ACTS[name](debate, Act(name, words, "olga")))


def until(debate: Debate, phase: str, exchange: int = 0) -> Debate:
    """Hold good turns until a phase, of an exchange if one is given."""
    for _ in range(200):
        if debate.state.phase == phase and exchange in {0, debate.state.exchange}:
            return debate
        debate = hold(debate)
    raise AssertionError(f"{phase} does not come")


def state(debate: Debate) -> tuple[int, str]:
    number, phase, _ = debate.state
    return number, phase


def header(debate: Debate, entry_id: str) -> Mapping[str, Any]:
    return record_of(debate)[entry_id].header


def value(debate: Debate, entry_id: str) -> Contribution:
    contribution = entries.parse(record_of(debate)[entry_id])
    assert isinstance(contribution, Contribution)
    return contribution


def values(debate: Debate) -> list[tuple[Entry, Value]]:
    """Return the whole record, as `validate` hands it to the audit."""
    record = record_of(debate)
    return [(record[i], entries.parse(record[i])) for i in sorted(record, key=order)]


def edited(debate: Debate, entry_id: str, **changes: Any) -> Debate:
    """Return a debate in which somebody changed keys of a header by hand; None takes one out."""
    record = dict(record_of(debate))
    header_ = {**record[entry_id].header, **changes}
    kept = {key: item for key, item in header_.items() if item is not None}
    record[entry_id] = record[entry_id]._replace(header=kept)
    return debate._replace(record=MemoryRecord(record))


def without(debate: Debate, *ids: str) -> Debate:
    """Return a debate of which some files are lost."""
    record = {i: entry for i, entry in record_of(debate).items() if i not in ids}
    return debate._replace(record=MemoryRecord(record))
