"""Debates of any protocol in memory: good replies, and the rules that they go through."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from debate_ops.audit import audit
from debate_ops.formats import entries, headers, schema
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Entry
from debate_ops.model.turn import Absent, Act, Reply, Turn
from debate_ops.protocols.table import rules_of
from debate_ops.storage.record import step_after
from tests.protocols.memory import MemoryRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from debate_ops.errors import Finding
    from debate_ops.model.entries import Contribution
    from debate_ops.model.turn import Checked, Context, Step, Task

Data = dict[str, Any]
NOW = "2026-01-01T00:00:00Z"


class Stage:
    """One protocol's debates; `good` gives the usual reply, `chosen` the usual settings."""

    def __init__(
        self, protocol: str, good: Callable[[Debate, Turn, Task], Data], **chosen: Any
    ) -> None:
        self.protocol, self.rules = protocol, rules_of(protocol)
        self.good, self.chosen = good, chosen

    def read(self, **chosen: Any) -> Data:
        """Return settings in full, whether or not they fit one another."""
        values = self.chosen | chosen
        return {s.name: s.read(values.get(s.name, s.default)) for s in self.rules.SETTINGS}

    def settings(self, **chosen: Any) -> Data:
        """Return settings in full."""
        full = self.read(**chosen)
        assert list(self.rules.clashes(full)) == []
        return full

    def begun(self, **chosen: Any) -> Debate:
        """Return a new debate."""
        full, empty = self.settings(**chosen), MemoryRecord({})
        return Debate("x", self.protocol, 0, self.rules.derive(empty, full), full, empty)

    def turn(self, debate: Debate) -> Turn:
        """Return the turn that is due."""
        turn = self.rules.next_turn(debate, NOW)
        assert isinstance(turn, Turn)
        return turn

    def asked(self, debate: Debate) -> list[str]:
        """Return who has a task."""
        return [task.participant for task in self.turn(debate).tasks]

    def context(self, debate: Debate, participant: str = "") -> Context:
        """Return what a participant sees, or the first of those who have a task."""
        turn = self.turn(debate)
        tasks = [task for task in turn.tasks if participant in {"", task.participant}]
        return self.rules.context(debate, turn, tasks[0])

    def reply(self, debate: Debate, task: Task, change: Data | None) -> Reply | Absent:
        """Return the usual reply, changed, in its one form; None is an absence."""
        turn, name = self.turn(debate), task.participant
        if change is None:
            return Absent(name, "skip", "why")
        naming = {"participant": name, "exchange": turn.exchange}
        value = naming | self.good(debate, turn, task) | change
        return Reply(name, self.rules.normalise(task, exact(value))[0])

    def replied(self, debate: Debate, **changes: Data | None) -> dict[str, Reply | Absent]:
        """Return the usual replies to the turn that is due, changed by participant."""
        tasks = {task.participant: task for task in self.turn(debate).tasks}
        assert changes.keys() <= tasks.keys()
        return {
            name: self.reply(debate, task, changes.get(name, {})) for name, task in tasks.items()
        }

    def findings(self, debate: Debate, **changes: Data | None) -> Checked:
        """Return what is wrong with changed replies."""
        replies = self.replied(debate, **changes)
        own = {name: replies[name] for name in changes}
        return self.rules.check(debate, self.turn(debate), own)

    def codes(self, debate: Debate, **changes: Data | None) -> tuple[list[str], list[str]]:
        """Return the codes of the faults and of the warnings that changed replies bring."""
        faults, warnings = self.findings(debate, **changes)
        return codes_of(faults), codes_of(warnings)

    def hold(self, debate: Debate, **changes: Data | None) -> Debate:
        """Return the debate after good replies to its turn, changed by participant."""
        turn, replies = self.turn(debate), self.replied(debate, **changes)
        for task in turn.tasks:
            reply = replies[task.participant]
            if isinstance(reply, Reply):
                assert schema.explain(schema.load(task.schema), reply.value) == []
        assert self.rules.check(debate, turn, replies).faults == ()
        return self.after(debate, self.rules.record(debate, turn, replies))

    def act(self, debate: Debate, name: str, **words: str) -> Debate:
        """Return the debate after what a person does."""
        act = Act(name, {"reason": "So."} | words, "the chair")
        return self.after(debate, self.rules.ACTS[name](debate, act))

    def after(self, debate: Debate, step: Step) -> Debate:
        """Return the debate after a step; its state is the one that its record leads to."""
        assert step.entries
        record = dict(entry_map(debate))
        for value in step.entries:
            assert value.id not in record
            record[value.id] = entry_of(value, debate)
            assert entries.parse(record[value.id]) == value
        grown = debate._replace(step=debate.step + 1, state=step.state, record=MemoryRecord(record))
        assert self.rules.derive(grown.record, grown.settings) == step.state
        assert step_after(grown.record) == grown.step
        return grown

    def until(
        self, debate: Debate, phase: str, exchange: int = -1, who: str = "", **changes: Data | None
    ) -> Debate:
        """Return the debate when a phase is due, in an exchange and for a participant if named."""
        for _ in range(100):
            number, now, _ = debate.state
            if now == phase and exchange in {-1, number} and (not who or who in self.asked(debate)):
                return debate
            due = {name: changes[name] for name in self.asked(debate) if name in changes}
            debate = self.hold(debate, **due)
        raise AssertionError(f"{phase} does not come")

    def audited(self, debate: Debate) -> Checked:
        """Return what the audit says of the whole record."""
        values = [(entry, entries.parse(entry)) for entry in entry_map(debate).values()]
        return audit(self.rules, values, debate.settings)

    def audit_codes(self, debate: Debate) -> list[str]:
        """Return the codes of all that the audit says."""
        faults, warnings = self.audited(debate)
        return codes_of((*faults, *warnings))

    def faulty(self, debate: Debate) -> set[str]:
        """Return the ids of the entries that have a fault."""
        return {Path(fault.file).stem for fault in self.audited(debate).faults}

    def follow_the_rules(
        self, debate: Debate, draw: Callable[[Debate, Task], Data | None]
    ) -> Debate:
        """Run a debate to its end by drawn replies: its calls were enough, its record is sound."""
        left = self.rules.calls_left(debate, None)
        while isinstance(turn := self.rules.next_turn(debate, NOW), Turn):
            assert turn.tasks
            assert (turn.step, turn.exchange, turn.phase) == (debate.step, *debate.state[:2])
            assert left >= self.rules.calls_left(debate, None) >= len(turn.tasks)
            left = self.rules.calls_left(debate, None) - len(turn.tasks)
            changes = {task.participant: draw(debate, task) for task in turn.tasks}
            debate = self.hold(debate, **changes)
        assert self.rules.calls_left(debate, None) == 0
        assert set(self.audit_codes(debate)) <= {"word_limit"}
        return debate


def codes_of(findings: Iterable[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def exact(value: Any) -> Any:
    """Return a reply with its numbers as they are read from JSON."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return Decimal(str(value)) if isinstance(value, float) else value


def entry_of(value: Contribution, debate: Debate) -> Entry:
    """Return the entry that a value becomes, by way of its file."""
    judged = value.data.get("judges", ())
    known = entry_map(debate)
    digests = {i: debate.record.digest(i) for i in judged if i in known}
    text = entries.render(value, entries.Stamp(debate.step, "", NOW, {}, digests))
    file = headers.parse(text, value.id)
    return headers.checked(Entry(value.id, value.folder, file.header, file.body), value.id)


def entry_map(debate: Debate) -> Mapping[str, Entry]:
    assert isinstance(debate.record, MemoryRecord)
    return debate.record.entries


def ids(debate: Debate) -> list[str]:
    return [*debate.record.ids(ARGUMENTS), *debate.record.ids(JUDGMENTS)]


def header(debate: Debate, entry_id: str) -> Mapping[str, Any]:
    return entry_map(debate)[entry_id].header


def value_of(debate: Debate, entry_id: str) -> Any:
    return entries.parse(entry_map(debate)[entry_id])


def edited(debate: Debate, entry_id: str, **changes: Any) -> Debate:
    """Return a debate in which somebody changed the header of an entry."""
    entry = entry_map(debate)[entry_id]
    return with_entries(debate, entry._replace(header=dict(entry.header) | changes))


def with_entries(debate: Debate, *added: Entry) -> Debate:
    record = dict(entry_map(debate)) | {entry.id: entry for entry in added}
    return debate._replace(record=MemoryRecord(record))


def without(debate: Debate, *lost: str) -> Debate:
    record = {i: entry for i, entry in entry_map(debate).items() if i not in lost}
    assert len(record) == len(entry_map(debate)) - len(lost)
    return debate._replace(record=MemoryRecord(record))
