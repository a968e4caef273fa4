"""A whole record of the protocol `design`, held against its rules once more.

The debate is held again, step by step: what was due is compared with what is there, and each reply,
taken back out of its entries, is checked and filed anew. So all that the rules compute (sizes,
counts, targets, what ended the debate) is computed once more by the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.entries import Absence, Contribution, Entry, Value
from debate_ops.model.ids import parse_id
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Absent, Checked, Reply, Task, Turn
from debate_ops.protocols.acts import CANCELLATION, CANCELLED, PERSON
from debate_ops.protocols.audit import finding
from debate_ops.protocols.base import Audited, Settings
from debate_ops.protocols.design import acts, filing, replies
from debate_ops.protocols.design.course import ENDS, Due, coming, open_tasks, why_not_due
from debate_ops.protocols.design.history import History, empty, grown
from debate_ops.protocols.design.names import (
    ABSENCE,
    ASSESSMENT,
    AWAITING_ANSWERS,
    AWAITING_JUDGE_SUMMARY,
    AWAITING_SUMMARIES,
    CLARIFICATION,
    COVERAGES,
    CRITIQUE,
    JUDGE,
    LEVELS,
    MOST_CONFIDENCE,
    MOST_CRITIQUE_POINTS,
    PHASES,
    PROPOSAL,
    QUESTION,
    REFINEMENT,
    REQUIREMENTS,
    SUMMARY,
    SYNTHESIS,
    VERDICTS,
)
from debate_ops.protocols.design.settings import names_of


def audit(values: Audited, settings: Settings) -> Checked:
    """Return the faults and warnings of all entries together."""
    faults: list[Finding] = []
    placed: list[tuple[Entry, Value]] = []
    unsound: set[str] = set()
    for entry, value in values:
        misplaced, misformed = [*_place_faults(entry, settings)], [*_form_faults(entry, value)]
        placed += [] if misplaced else [(entry, value)]
        unsound |= {entry.id} if misformed else set()
        faults += misplaced or misformed
    found = list(_held_again(placed, unsound, settings))
    warnings = [each for each in found if each.code == "word_limit"]
    faults += [each for each in found if each not in warnings]
    return Checked(tuple(faults), tuple(warnings))


# ---------------------------------------------------------------- whose entry it is, and where


_BY_AGENTS = (QUESTION, SUMMARY, PROPOSAL, CRITIQUE, REFINEMENT, ABSENCE)
_BY_JUDGE = (REQUIREMENTS, SUMMARY, ASSESSMENT, SYNTHESIS, ABSENCE)
_BY_PERSON = (CLARIFICATION, CANCELLATION)
_BEFORE_EXCHANGES = (QUESTION, CLARIFICATION, REQUIREMENTS)
_ANYWHERE = (ABSENCE, CANCELLATION)


def _place_faults(entry: Entry, settings: Settings) -> Iterator[Finding]:
    kind, name, parts = entry.kind, entry.participant, parse_id(entry.id)
    kinds = {JUDGE: _BY_JUDGE, PERSON: _BY_PERSON} | dict.fromkeys(names_of(settings), _BY_AGENTS)
    if kind not in {*_BY_AGENTS, *_BY_JUDGE, *_BY_PERSON}:
        message = f"{kind} is no kind of entry of a design debate"
        yield finding(entry, "unknown_kind", message, kind)
    elif name not in kinds:
        yield finding(entry, "not_a_participant", f"{name} takes no part in this debate")
    elif kind not in kinds[name]:
        yield finding(entry, "not_its_part", f"{kind} is not {name}'s to file")
    if parts is None or parts.kind != kind or parts.letter:
        yield finding(entry, "out_of_place", f"{entry.id} is of the kind {kind}")
    elif kind == ABSENCE and _phase_of(entry) not in PHASES:
        yield finding(entry, "out_of_place", f"{entry.id} is from no phase of a design debate")
    least = 0 if kind in {*_BEFORE_EXCHANGES, *_ANYWHERE} else 1
    most = 0 if kind in _BEFORE_EXCHANGES else settings["max_exchanges"]
    if not least <= entry.exchange <= most:
        message = f"{kind} in exchange {entry.exchange}"
        yield finding(entry, "out_of_place", message, entry.exchange, f"{least} to {most}")


def _number_of(entry: Entry) -> int:
    parts = parse_id(entry.id)
    return parts.number if parts else 0


def _phase_of(entry: Entry) -> str:
    """Return the phase that an entry is from; empty where there is no such phase."""
    if entry.kind == ABSENCE:
        number = _number_of(entry) // 10
        return next((name for name, phase in PHASES.items() if phase.number == number), "")
    if entry.kind == SUMMARY:
        return AWAITING_JUDGE_SUMMARY if entry.participant == JUDGE else AWAITING_SUMMARIES
    acted = {CLARIFICATION: AWAITING_ANSWERS, CANCELLATION: CANCELLED}
    phases = {phase.kind: name for name, phase in PHASES.items()}
    return acted.get(entry.kind) or phases[entry.kind]


def _round_of(entry: Entry) -> int:
    if entry.kind == ABSENCE:
        return _number_of(entry) % 10
    round_ = entry.header.get("round", 0)
    return round_ if isinstance(round_, int) else 0


# ---------------------------------------------------------------- what it has to say


_IsRight = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


def _is_confidence(value: Any) -> bool:
    return _is_whole(value) and 0 <= value <= MOST_CONFIDENCE


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_few(value: Any) -> bool:
    return _POINTS(value) and len(value) <= MOST_CRITIQUE_POINTS


def _one_of(words: Sequence[str]) -> _IsRight:
    return lambda value: value in words


def _list_of(**fields: _IsRight) -> _IsRight:
    def is_item(item: Any) -> bool:
        return isinstance(item, dict) and all(
            is_right(item.get(key)) for key, is_right in fields.items()
        )

    return lambda value: isinstance(value, list) and all(map(is_item, value))


_POINTS = _list_of(number=_is_whole, level=_one_of(LEVELS))
_COVERAGE = _list_of(requirement=_is_text, coverage=_one_of(COVERAGES), how=_is_text)
_OF_TEXT: Mapping[str, _IsRight] = {"title": _is_text, "coverage": _COVERAGE}
_DATA: Mapping[str, Mapping[str, _IsRight]] = {
    QUESTION: {"round": _is_whole},
    CLARIFICATION: {"question": _is_text, "applies": _is_yes_or_no, "by": _is_text},
    REQUIREMENTS: {
        "requirements": _list_of(id=_is_text, text=_is_text, level=_one_of(LEVELS)),
    },
    PROPOSAL: _OF_TEXT,
    CRITIQUE: {"target": _is_text, "points": _are_few},
    REFINEMENT: {
        **_OF_TEXT,
        "answers": _list_of(critique=_is_text, point=_is_whole, verdict=_one_of(VERDICTS)),
    },
    ASSESSMENT: {"confidence": _is_confidence},
    SYNTHESIS: {
        "title": _is_text,
        "confidence": _is_confidence,
        **dict.fromkeys(("unmet", "trade_offs", "recommendations", "open_questions"), _are_texts),
    },
}
"""Kind of entry to the keys of its header that the reply is taken from."""

_SECTIONS: Mapping[str, tuple[str, ...]] = {
    QUESTION: (filing.QUESTION_TEXT,),
    CLARIFICATION: (acts.ANSWERED,),
    SUMMARY: (filing.SUMMARY_TEXT,),
    PROPOSAL: (filing.SOLUTION,),
    REFINEMENT: (filing.SOLUTION, filing.ANSWERS),
    ASSESSMENT: (filing.REASONS,),
    SYNTHESIS: (filing.SOLUTION, filing.CONFIDENCE),
}


def _form_faults(entry: Entry, value: Value) -> Iterator[Finding]:
    """Yield what is missing of an entry, or so wrong that no reply can be taken from it."""
    if not isinstance(value, Contribution):
        return
    for key, is_right in _DATA.get(entry.kind, {}).items():
        if not is_right(value.data.get(key)):
            found = value.data.get(key)
            yield finding(entry, "bad_form", f"{key} is {found!r}, which it cannot be", found)
    wanted = [*_SECTIONS.get(entry.kind, ()), *_point_headings(value)]
    missing = [heading for heading in wanted if is_blank(value.texts.get(heading, ""))]
    if missing:
        yield finding(entry, "bad_form", f"there is no section {', '.join(missing)}")
    answers = value.data.get("answers")
    lines = value.texts.get(filing.ANSWERS, "").split("\n")
    if entry.kind == REFINEMENT and isinstance(answers, list) and len(answers) != len(lines):
        message = f"{len(lines)} lines of answers to {len(answers)} answers in the header"
        yield finding(entry, "bad_form", message)


def _point_headings(value: Contribution) -> Iterator[str]:
    points = value.data.get("points") if value.kind == CRITIQUE else None
    for point in points if isinstance(points, list) else ():
        if isinstance(point, dict):
            yield filing.point_heading(point.get("number", 0))


# ---------------------------------------------------------------- the debate, held again


class _Part(NamedTuple):
    """The entries of one step that are from one phase, and what is on record before them.

    From those named in `unsound` no reply can be taken.
    """

    history: History
    exchange: int
    phase: str
    round_: int
    entries: Audited
    unsound: Collection[str]

    @property
    def first(self) -> Entry:
        """The first of them."""
        return self.entries[0][0]

    def of(self, name: str) -> list[Value]:
        """Return the values of a participant."""
        return [value for entry, value in self.entries if entry.participant == name]

    def sound(self) -> Audited:
        """Return the entries of those participants of whom none is unsound."""
        bad = {entry.participant for entry, _ in self.entries if entry.id in self.unsound}
        return [(entry, value) for entry, value in self.entries if entry.participant not in bad]


def _held_again(values: Audited, unsound: Collection[str], settings: Settings) -> Iterator[Finding]:
    history, is_in_order = empty(settings), True
    ordered = sorted(values, key=lambda pair: pair[0].step)
    for _, of_step in groupby(ordered, key=lambda pair: pair[0].step):
        step = list(of_step)
        due = coming(history)
        for part in _parts(history, step, unsound):
            if is_in_order and (fault := _order_fault(part, due)):
                is_in_order = False  # whatever comes after it would be out of order, too
                yield fault
            yield from _part_faults(part)
        history = grown(history, (value for _, value in step))


def _parts(history: History, step: Audited, unsound: Collection[str]) -> Iterator[_Part]:
    """Yield the entries of a step by phase; there is one, unless something is wrong."""

    def place(pair: tuple[Entry, Value]) -> tuple[int, str, int]:
        entry, _ = pair
        return entry.exchange, _phase_of(entry), _round_of(entry)

    for (exchange, phase, round_), found in groupby(sorted(step, key=place), key=place):
        yield _Part(history, exchange, phase, round_, list(found), unsound)


def _order_fault(part: _Part, due: Due) -> Finding | None:
    if part.phase == CANCELLED and due.phase not in ENDS:
        return None
    if (part.exchange, part.phase, part.round_) == (due.exchange, due.phase, due.round_):
        return None
    told = f"{part.phase} of exchange {part.exchange}"
    wanted = f"{due.phase} of exchange {due.exchange}"
    message = f"step {part.first.step} is from {told}, where {wanted} was due"
    return finding(part.first, "out_of_order", message, told, wanted)


def _part_faults(part: _Part) -> Iterator[Finding]:
    if part.phase == AWAITING_ANSWERS:
        yield from _clarification_faults(part)
    elif part.phase != CANCELLED:
        yield from _attendance_faults(part)
        yield from _reply_faults(part)


def _attendance_faults(part: _Part) -> Iterator[Finding]:
    """Yield a fault for each who was due and is not there, is there undue, or is both."""
    history, exchange, phase = part.history, part.exchange, part.phase
    due = open_tasks(history, exchange, phase, part.round_)
    there = dict.fromkeys(entry.participant for entry, _ in part.entries)
    for name in due:
        if name not in there:
            message = f"{name} has neither a reply nor an absence in {phase}"
            yield finding(part.first, "missing", f"{message} of exchange {exchange}", wanted=name)
    for name in there:
        entry = next(entry for entry, _ in part.entries if entry.participant == name)
        if name not in due:
            why = why_not_due(history, exchange, phase, name) or "it had replied before"
            yield finding(entry, "not_due", f"{name} was not due in {phase}: {why}")
        values = part.of(name)
        if any(isinstance(value, Absence) for value in values) and len(values) > 1:
            message = f"{name} is both absent and on record with a reply"
            yield finding(entry, "given_and_absent", message)


def _reply_faults(part: _Part) -> Iterator[Finding]:
    """Yield what is wrong with the replies, and what filing them anew gives otherwise."""
    schema = PHASES[part.phase].schema
    names = dict.fromkeys(entry.participant for entry, _ in part.sound())
    tasks = tuple(Task(name, "", "", schema) for name in names)
    turn = Turn(part.first.step, part.exchange, part.phase, tasks)
    given = {task.participant: _reply(part, turn, task) for task in tasks}
    files = {entry.participant: entry.file for entry, _ in part.entries}
    checked = replies.check_after(part.history, turn, given)
    for found in (*checked.faults, *(w for w in checked.warnings if w.code == "word_limit")):
        yield found._replace(file=files[found.participant], participant="")
    filed = {v.id: v for v in filing.entries(part.history, turn, part.round_, given)}
    yield from _differences(part, filed)


def _reply(part: _Part, turn: Turn, task: Task) -> Reply | Absent:
    """Return what a participant's task ended with, as the entries tell it."""
    values = part.of(task.participant)
    value = filing.recall(values, turn, task)
    if value is not None:
        return Reply(task.participant, value)
    absence = next(each for each in values if isinstance(each, Absence))
    return Absent(task.participant, absence.how, absence.reason, absence.by)


def _clarification_faults(part: _Part) -> Iterator[Finding]:
    asked, open_ = part.history.questions(), part.history.open_questions()
    first = len(part.history.clarifications()) + 1
    filed: dict[str, Value] = {}
    for number, (entry, value) in enumerate(part.sound(), start=first):
        assert isinstance(value, Contribution)  # noqa: S101  (clarifications are nothing else)
        question, given = value.data["question"], value.texts[acts.ANSWERED]
        if question not in open_:
            problem = "is answered already" if question in asked else "is no question on record"
            yield finding(entry, "bad_target", f"{question} {problem}", question)
            filed[entry.id] = value
            continue
        asks = part.history.asks(question)
        text = given if value.data["applies"] else ""
        again = acts.clarification(number, question, asks, text, value.data["by"])
        filed[again.id] = again
        open_ = tuple(each for each in open_ if each != question)
    yield from _differences(part, filed)


def _differences(part: _Part, filed: Mapping[str, Value]) -> Iterator[Finding]:
    """Yield a fault for each thing that entries say otherwise than the rules do of the reply."""
    there = {entry.id: (entry, value) for entry, value in part.sound()}
    for entry_id in filed.keys() - there.keys():
        message = f"{entry_id} is not on record, but follows from what is"
        yield finding(part.first, "missing", message, wanted=entry_id)
    for entry_id, (entry, value) in there.items():
        if entry_id not in filed:
            message = f"{entry_id} does not follow from the replies of its step"
            yield finding(entry, "out_of_place", message, entry_id)
        elif isinstance(value, Contribution):
            yield from _different(entry, value, filed[entry_id])


def _different(entry: Entry, value: Contribution, filed: Value) -> Iterator[Finding]:
    if not isinstance(filed, Contribution):
        return
    for key in dict.fromkeys((*value.data, *filed.data)):
        is_, right = value.data.get(key), filed.data.get(key)
        if is_ != right:
            message = f"{key} is {is_!r} on record, {right!r} by the entries and the settings"
            yield finding(entry, "differs", message, is_, str(right))
    for heading in dict.fromkeys((*value.texts, *filed.texts)):
        if value.texts.get(heading) != filed.texts.get(heading):
            message = f"the section {heading} is not what follows from the header"
            yield finding(entry, "differs", message, heading)
