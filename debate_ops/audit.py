"""A whole record, validated against the rules of its protocol: the debate is replayed step by step.

For each step the rules say what was due. The replies, or what a person did, are taken back out of
the entries, checked as if they had just come, and recorded once more; what comes out must be what
is on record. So whatever follows from the settings and from other entries is computed anew.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from debate_ops.errors import BadRecordError, DebateError, Finding, RefusedError
from debate_ops.formats import entries, schema
from debate_ops.formats.json_text import canonical
from debate_ops.model import messages
from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
from debate_ops.model.turn import Absent, Checked, Reply, Step, Task, Turn
from debate_ops.model.views import absence_of
from debate_ops.protocols import acts
from debate_ops.protocols.base import Rules, Settings

Audited = Sequence[tuple[Entry, Contribution]]
"""Entries with what they say."""

WORD_LIMIT = "word_limit"
"""The code of the one finding that is a warning here, whatever the settings make of it."""

MISSING = "missing"
"""The code of what was due at a step, and is not there."""

_OPTIONAL = (
    *("answers", "attacks", "because", "builds_on", "cut", "defends", "keeps_reasoning"),
    *("lifted_by", "repeats"),
)
"""Keys that only some entries have: a fault where an entry has one that does not follow."""

_NO_REPLY = (ArithmeticError, AttributeError, BadRecordError, LookupError, TypeError, ValueError)
"""What is raised where no reply could have led to an entry."""


def audit(rules: Rules, values: Audited, settings: Settings, body: str = "") -> Checked:
    """Return what is wrong with a whole record, and which texts are over their word limit.

    What entries quote of the context is compared with the `body` of the debate, where it is given.

    It ends at the first step that is out of order: all that comes after it would be, too.
    """
    past = Past()
    state = rules.derive(past, settings)
    findings: list[Finding] = []
    ordered = sorted(values, key=lambda pair: (_step_of(pair), order(pair[0].id)))
    for number, pairs in groupby(ordered, key=_step_of):
        debate, part = Debate("", "", number, state, settings, past, body=body), tuple(pairs)
        try:
            result = _replayed(rules, debate, part, past)
        except _NO_REPLY as error:
            findings += [] if findings else [_finding(part[0][0], "bad_form", _no_reply(error))]
            break
        findings += result.findings
        if result.state is None:
            break
        state = result.state
    warnings = tuple(f for f in findings if f.code == WORD_LIMIT)
    return Checked(tuple(f for f in findings if f.code != WORD_LIMIT), warnings)


def _step_of(pair: tuple[Entry, Contribution]) -> int:
    return pair[0].step


class Past:
    """The record up to a step, which grows while the debate is replayed."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._ids: dict[str, list[str]] = {}

    def add(self, step: Iterable[Entry]) -> None:
        """Put the entries of the next step on record."""
        for entry in step:
            self._entries[entry.id] = entry
            insort(self._ids.setdefault(entry.folder, []), entry.id, key=order)

    def ids(self, folder: str) -> Sequence[str]:
        """Return the ids of a folder, oldest exchange first."""
        return self._ids.get(folder, ())

    def get(self, entry_id: str) -> Entry | None:
        """Return an entry, or None where there is none of that id."""
        return self._entries.get(entry_id)

    def digest(self, entry_id: str) -> str:
        """Raise an error: no rule asks for the digest of a file."""
        raise KeyError(entry_id)


class _Result(NamedTuple):
    """What is wrong with a step, and the state after it; None where nothing can follow."""

    findings: tuple[Finding, ...]
    state: State | None = None


def _replayed(rules: Rules, debate: Debate, part: Audited, past: Past) -> _Result:
    """Replay one step, and put those of its entries on record that belong there."""
    if all(entry.participant == acts.PERSON for entry, _ in part):
        return _acted(rules, debate, part, past)
    due = rules.next_turn(debate, "")
    if not isinstance(due, Turn) or (due.exchange, due.phase) != debate.state[:2]:
        at = f"by its settings the debate is at {debate.state.phase}"
        why = at if isinstance(due, Turn) else due.reason
        message = f"nothing was due at step {debate.step}: {why}"
        return _Result((_finding(part[0][0], "out_of_place", message),))
    replies, findings = _replies(rules, due, part)
    answered = due._replace(tasks=tuple(t for t in due.tasks if t.participant in replies))
    findings += _located(rules.check(debate, answered, replies), part)
    if _is_older(part):
        return _as_it_stands(rules, debate, part, past, findings)
    step = rules.record(debate, answered, replies) if replies else Step((), debate.state)
    unread = {task.participant for task in due.tasks} - replies.keys()
    tolerated = unread | {*_others(rules, debate, part)} if unread else unread
    belonging, differences = _compared(step, part, tolerated)
    past.add(belonging)
    findings += differences
    lost = [value for value in step.entries if past.get(value.id) is None and not unread]
    findings += [Finding(MISSING, f"{v.id} is not on record", file=v.file) for v in lost]
    if not unread and not lost:
        return _Result(tuple(findings), step.state)
    try:
        return _Result(tuple(findings), _state_after(rules, debate, due, past))
    except _NO_REPLY:
        return _Result(tuple(findings))


def _is_older(part: Audited) -> bool:
    """Tell whether a step was written by the older tool, whose replies had another form."""
    return any(entry.header.get("older") for entry, _ in part)


def _as_it_stands(
    rules: Rules, debate: Debate, part: Audited, past: Past, findings: list[Finding]
) -> _Result:
    """Return what is wrong with a step of the older tool, whose entries are taken for right."""
    differences = _compared(Step(tuple(value for _, value in part), debate.state), part, ())[1]
    past.add(entry for entry, _ in part)
    listed = (f for f in (*findings, *differences) if f.code != MISSING)
    return _Result(tuple(listed), rules.derive(past, debate.settings))


def _state_after(rules: Rules, debate: Debate, due: Turn, past: Past) -> State | None:
    """Return the state that the entries of a step lead to; None where it is due still."""
    state = rules.derive(past, debate.settings)
    after = rules.next_turn(debate._replace(step=debate.step + 1, state=state), "")
    if not isinstance(after, Turn) or (after.exchange, after.phase) != (due.exchange, due.phase):
        return state
    both = {t.participant for t in after.tasks} & {t.participant for t in due.tasks}
    return None if both else state


def _others(rules: Rules, debate: Debate, part: Audited) -> Iterator[str]:
    """Yield who is no participant: what the rules add depends on replies that cannot be read."""
    names = rules.participants(debate.settings)
    return (entry.participant for entry, _ in part if entry.participant not in names)


def _acted(rules: Rules, debate: Debate, part: Audited, past: Past) -> _Result:
    """Do again what a person did."""
    act = acts.recalled([value for _, value in part])
    try:
        if act.name not in rules.ACTS:
            raise RefusedError(f"a person cannot {act.name} in such a debate")
        findings = _compared(rules.ACTS[act.name](debate, act), part, ())[1]
    except DebateError as error:
        faults = error.faults or (Finding("out_of_place", error.message),)
        findings = [fault._replace(file=part[0][0].file) for fault in faults]
    past.add(entry for entry, _ in part)
    return _Result(tuple(findings), rules.derive(past, debate.settings))


def _replies(
    rules: Rules, due: Turn, part: Audited
) -> tuple[dict[str, Reply | Absent], list[Finding]]:
    """Return what each task ended with, and why that of some cannot be read from the entries."""
    replies: dict[str, Reply | Absent] = {}
    findings: list[Finding] = []
    for task in due.tasks:
        own = [(entry, value) for entry, value in part if entry.participant == task.participant]
        try:
            reply = recalled(rules, due, task, [value for _, value in own])
        except _MissingError:
            where = f"{due.phase} of exchange {due.exchange}"
            message = f"{task.participant} was due in {where}, and has no reply or absence there"
            findings.append(_finding((own or part)[0][0], MISSING, message))
            continue
        except _NO_REPLY as error:
            findings.append(_finding(own[0][0], "bad_form", _no_reply(error)))
            continue
        faults = _form_faults(task, reply, own)
        findings += faults
        if not faults or _is_older(part):
            replies[task.participant] = reply
    return replies, findings


def _form_faults(task: Task, reply: Reply | Absent, own: Audited) -> list[Finding]:
    """Return where a reply breaks its schema; the older tool's, where a score is out of range."""
    form = _schema(task.schema)
    if isinstance(reply, Absent) or schema.accepts(form, reply.value):
        return []
    faults = schema.explain(form, reply.value)
    if _is_older(own):
        faults = [fault for fault in faults if fault.code == "out_of_range"]
    return [
        _finding(
            _about(own, each.path[0] if each.path else "", (*each.path, 0, 0)[1]),
            each.code,
            f"{'.'.join(map(str, each.path))} {each.message}",
        )
        for each in faults
    ]


def _about(own: Audited, part: object, place: object) -> Entry:
    """Return the entry that has a part of a reply, or that an item of the part became."""
    holding = next((entry for entry, _ in own if part in entry.header), None)
    return holding or own[place if isinstance(place, int) and place < len(own) else 0][0]


_schema = cache(schema.load)


class _MissingError(LookupError):
    """Nothing of a participant's is a reply to its task, or an absence from it."""


def recalled(rules: Rules, due: Turn, task: Task, values: Sequence[Contribution]) -> Reply | Absent:
    """Return what a task ended with, by what its participant has on record in this step.

    Raises:
        LookupError: it has nothing there; other errors where no reply can be read from an entry.
    """
    value = rules.recall(values, due, task)
    if value is not None:
        return Reply(task.participant, rules.normalise(task, value)[0])
    absence = next(filter(None, map(absence_of, values)), None)
    if absence is None:
        raise _MissingError
    return Absent(task.participant, absence.how, absence.reason, absence.by)


def _finding(
    entry: Entry, code: str, message: str, actual: str = "", expected: str = ""
) -> Finding:
    return Finding(code, message, file=entry.file, actual=actual, expected=expected)


def _no_reply(error: Exception) -> str:
    return f"no reply could have become this entry: {messages.name(error)}"


_PART = re.compile(r"\$\.([a-z]+)(?:\[([0-9]+)\])?")
"""The part of a reply that something is about: one that may have become an entry of its own."""


def _located(checked: Checked, part: Audited) -> Iterator[Finding]:
    """Yield what was wrong with replies, as findings about the files that they became."""
    warnings = (warning for warning in checked.warnings if warning.code == WORD_LIMIT)
    for finding in (*checked.faults, *warnings):
        own = [(entry, value) for entry, value in part if entry.participant == finding.participant]
        match, where = _PART.match(finding.where), finding.where
        key, place = (match[1], int(match[2] or 0)) if match else ("", 0)
        named = [pair for pair in own if pair[0].kind == key]
        is_elsewhere = not named and any(key in entry.header for entry, _ in own)
        if match and (named or (match[2] and not is_elsewhere)):
            where = f"${where[match.end() :]}"
        file = _about(named or own, key, place).file if own else ""
        yield finding._replace(file=file, participant="", where=where)


def _compared(
    step: Step, part: Audited, unread: Container[str]
) -> tuple[list[Entry], list[Finding]]:
    """Return the entries that belong to a step, and what they say otherwise than the rules."""
    right = {value.id: value for value in step.entries}
    belonging: list[Entry] = []
    findings: list[Finding] = []
    for entry, value in part:
        if entry.id in right:
            belonging.append(entry)
            findings += _differences(entry, value, right[entry.id])
        elif entry.participant in unread:
            belonging.append(entry)
        else:
            message = f"{entry.id} does not follow from the replies of step {entry.step}"
            findings.append(_finding(entry, "out_of_place", message))
    return belonging, findings


def _differences(entry: Entry, value: Contribution, right: Contribution) -> Iterator[Finding]:
    """Yield a fault for each thing that an entry says otherwise than what it is made from."""
    for name, is_, expected in _pairs(entry, value, right):
        if not _is_same(is_, expected):
            here, computed = messages.value(is_), messages.value(expected)
            message = f"{name} is {here} on record, {computed} by the settings and the entries"
            yield _finding(entry, "differs", message, str(is_), str(expected))


def _is_same(is_: Any, expected: Any) -> bool:
    """Tell whether two values of a header or a section are equal, kinds of numbers apart."""
    if is_ == expected and (isinstance(is_, str) or repr(is_) == repr(expected)):
        return True
    return canonical(is_) == canonical(expected)


def _pairs(
    entry: Entry, value: Contribution, right: Contribution
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name of each part of an entry, as it is and as it follows from the rules."""
    data = entries.header_data(right)
    for key in dict.fromkeys((*data, *_OPTIONAL)):
        nothing: Any = [] if key in entries.LINKS else None
        yield key, entry.header.get(key, nothing), data.get(key, nothing)
    for heading in dict.fromkeys((*right.texts, *value.texts)):
        yield f"section {heading}", value.texts.get(heading), right.texts.get(heading)
    yield "kind", entry.kind, right.kind
