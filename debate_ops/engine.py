"""Create, next, submit, intervene, undo: load, decide, commit, in one place.

Agent client, headless runner and tests all go through these functions.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from debate_ops import clock
from debate_ops.errors import (
    BadRecordError,
    BusyError,
    DiskError,
    Finding,
    RefusedError,
    RunAgainError,
    UsageError,
)
from debate_ops.formats import debate_file, entries, json_reply, json_text, schema
from debate_ops.model.debate import Debate, Framing, Request
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    Absence,
    Entry,
    Judgment,
    Value,
)
from debate_ops.model.ids import parse_id
from debate_ops.model.score import signed
from debate_ops.model.turn import Absent, Done, Reply, Step, Task, Turn, Waiting
from debate_ops.prompts import build
from debate_ops.protocols.base import Replies, Rules
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events, files, inbox, lock, new
from debate_ops.storage import load as loading
from debate_ops.storage.commit import TAKEN_BACK, commit, leftovers, recover, set_aside
from debate_ops.storage.folder import RECORD_FOLDERS, Folder, for_new
from debate_ops.storage.record import FolderRecord, step_after

WAITING = "waiting"
REPLIED = "replied"
REFUSED = "refused"
SKIPPED = "skipped"

NO_FILES: Mapping[str, str] = {}

_PATH_PART = re.compile(r"\.([A-Za-z_]\w*)|\[([0-9]+)\]")


class TaskStatus(NamedTuple):
    """A task of the turn now due, its files, and how far it is."""

    task: Task
    status: str
    attempts: int
    slot: inbox.Slot


class Position(NamedTuple):
    """Where a debate stands and what it waits for."""

    folder: Folder
    debate: Debate
    due: Turn | Waiting | Done
    tasks: tuple[TaskStatus, ...] = ()
    calls_left: int | None = None
    warnings: tuple[Finding, ...] = ()


class Outcome(NamedTuple):
    """What a submission did: the ids now on record, and what is due next."""

    position: Position
    committed: tuple[str, ...]
    already_applied: bool
    warnings: tuple[Finding, ...]


class Given(NamedTuple):
    """One reply as it came: its bytes, where from, and what is known of how it was made."""

    raw: bytes
    name: str
    made_by: Mapping[str, Any] = {}


class RepliesRefusedError(RefusedError):
    """Replies broke rules: every fault of every reply, and where things stand now."""

    def __init__(
        self, faults: tuple[Finding, ...], warnings: tuple[Finding, ...], position: Position | None
    ) -> None:
        count = len(faults)
        super().__init__(
            f"{count} fault{'s' if count != 1 else ''} found; nothing was changed", faults=faults
        )
        self.warnings = warnings
        self.position = position


# ---------------------------------------------------------------- create


def create(
    slug: str,
    framing: Framing,
    *,
    protocol: str = "exchange",
    settings: Mapping[str, Any] | None = None,
    replay_of: Mapping[str, Any] | None = None,
) -> Position:
    """Make a new debate folder: built aside, then renamed, so that it is there whole or not.

    Raises:
        UsageError: the slug, the motion or a setting is not as wanted.
        DiskError: it cannot be written.
    """
    rules = rules_of(protocol)
    folder = for_new(slug)
    if not framing.motion.strip():
        raise UsageError("the motion is blank", hint="Say what is to be debated.")
    debate = Debate(
        slug=slug,
        protocol=protocol,
        step=0,
        state=rules.initial(),
        settings=checked_settings(rules, settings or {}),
        record=_NothingYet(),
        body=debate_file.compose_body(framing),
        created=clock.now(),
        replay_of=replay_of,
    )
    new.build(folder, debate_file.render(debate))
    events.append(folder, [{"event": "debate_created", "at": debate.created, "debate": slug}])
    return look(folder)


class _NothingYet:
    def ids(self, folder: str) -> Sequence[str]:  # noqa: ARG002
        return ()

    def get(self, entry_id: str) -> Entry | None:  # noqa: ARG002
        return None

    def digest(self, entry_id: str) -> str:
        raise KeyError(entry_id)


def checked_settings(rules: Rules, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a protocol's settings in full: what was given, and the defaults for the rest.

    Raises:
        UsageError: a setting is unknown or has a value it cannot have; all are told at once.
    """
    known = {setting.name: setting for setting in rules.SETTINGS}
    problems = [f"{name}: there is no such setting" for name in given if name not in known]
    settings: dict[str, Any] = {}
    for name, setting in known.items():
        value = given.get(name, setting.default)
        if setting.values and value not in setting.values:
            problems.append(f"{name} is {value!r}, wanted {' or '.join(setting.values)}")
        if setting.whole and (not isinstance(value, int) or value < setting.least):
            problems.append(f"{name} is {value!r}, wanted a whole number from {setting.least}")
        settings[name] = value
    if problems:
        raise UsageError("; ".join(problems), hint=f"Settings: {', '.join(known)}.")
    return settings


# ---------------------------------------------------------------- look and next


def look(folder: Folder) -> Position:
    """Return where a debate stands; recover first if that is needed and possible.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    try:
        return _look(folder)
    except BadRecordError:  # perhaps the middle of another process's commit: that is over now
        return _look(folder)


def _look(folder: Folder) -> Position:
    debate = verified(loading.load(folder).debate)
    warnings = _recover_if_free(folder)
    return _position(folder, debate, (*warnings, *_remarks(folder, debate)))


def _recover_if_free(folder: Folder) -> list[Finding]:
    file, _ = loading.read_debate_file(folder)
    temporary, late, _ = leftovers(folder, file)
    if not (temporary or late) or not os.access(folder.path, os.W_OK):
        return []
    try:
        inbox.prepare(folder)
        with lock.held(inbox.write_lock(folder), "is writing in this debate", wait=0):
            return recover(folder, loading.read_debate_file(folder)[0])
    except (OSError, DiskError, BusyError):
        return []


def _remarks(folder: Folder, debate: Debate) -> list[Finding]:
    """Return what is worth knowing before going on, without opening every file."""
    found = loading.strangers(folder, debate)
    found += [
        Finding(
            "late_reply",
            f"inbox/{name} came after its turn was over; it is kept and not used",
            file=f"inbox/{name}",
        )
        for name in inbox.late(folder, debate.step)
    ]
    if debate.slug != folder.slug:
        found.append(
            Finding(
                "renamed",
                f"debate.md names the debate {debate.slug!r}, its folder is {folder.slug!r}",
                file="debate.md",
            )
        )
    return found


def next_turn(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what the debate waits for, with the prompts of its tasks written.

    `exchanges` asks for that many more exchanges; 0 gives an unfinished request up; None goes on
    with what was asked for.

    Raises:
        BadRecordError, BusyError, DiskError, RunAgainError: see `errors`.
    """
    with _writing(folder) as (debate, seen, warnings):
        changed, remark = _with_request(debate, exchanges)
        if changed is not debate:
            commit(folder, seen, debate_file.render(changed), {})
        remarks = _remarks(folder, changed)
        return prepared(_position(folder, changed, (*warnings, *remark, *remarks)))


def _with_request(debate: Debate, exchanges: int | None) -> tuple[Debate, list[Finding]]:
    if exchanges is None:
        return debate, []
    old = debate.request if debate.request and _owed(debate) else None
    if exchanges == 0:
        given_up = [Finding("request_given_up", "the unfinished request was given up")]
        return (debate._replace(request=None), given_up) if debate.request else (debate, [])
    if old is not None and old.exchanges == exchanges:
        return debate, []
    request = Request(exchanges, max(debate.state.exchange, 1) + exchanges)
    remark = (
        f"the unfinished request for {old.exchanges} exchanges is replaced by one for {exchanges}"
        if old
        else ""
    )
    warnings = [Finding("request_replaced", remark)] if remark else []
    return debate._replace(request=request), warnings


def _owed(debate: Debate) -> int:
    """Return how many exchanges the request still owes, the opening not counted."""
    if debate.request is None:
        return 0
    return max(0, debate.request.until - max(debate.state.exchange, 1))


def prepared(position: Position) -> Position:
    """Write the prompts of the tasks that are still to be done; equal prompts are left alone."""
    if not isinstance(position.due, Turn):
        return position
    debate, turn = position.debate, position.due
    framing = debate_file.framing(debate.body)
    rules = rules_of(debate.protocol)
    for item in position.tasks:
        if item.status in {WAITING, REFUSED}:
            context = rules.context(debate, turn, item.task)
            text = build.prompt(debate, framing, turn, item.task, context)
            inbox.write(item.slot.prompt, text)
    inbox.clear_prompts(position.folder, debate.step)
    return position


def _position(folder: Folder, debate: Debate, warnings: Sequence[Finding]) -> Position:
    rules = rules_of(debate.protocol)
    due = rules.next_turn(debate, clock.now())
    request = debate.request
    calls = None
    if request is not None and isinstance(due, Turn):
        calls = rules.calls_left(debate, request.until)
        if not _owed(debate) and debate.state.exchange >= request.until:
            due = Done(_held(request.exchanges))
    tasks = _statuses(folder, due) if isinstance(due, Turn) else ()
    return Position(folder, debate, due, tasks, calls, tuple(warnings))


def _held(exchanges: int) -> str:
    if exchanges == 1:
        return "the exchange asked for is held"
    return f"all {exchanges} exchanges asked for are held"


def _statuses(folder: Folder, turn: Turn) -> tuple[TaskStatus, ...]:
    return tuple(_status(folder, turn, task) for task in turn.tasks)


def _status(folder: Folder, turn: Turn, task: Task) -> TaskStatus:
    slot = inbox.slot(folder, turn.step, task.participant)
    attempts = inbox.refusals(folder, turn.step, task.participant)
    status = REFUSED if attempts else WAITING
    if os.path.lexists(slot.reply):
        status = REPLIED
    if os.path.lexists(slot.skip):
        status = SKIPPED
    return TaskStatus(task, status, attempts, slot)


# ---------------------------------------------------------------- submit


def submit(folder: Folder, step: int, made_by: Mapping[str, Any] | None = None) -> Outcome:
    """Commit the turn of `step` from the replies in the inbox.

    `made_by` goes on record for each of them, beside what the inbox says of the single reply.

    Raises:
        RepliesRefusedError: a reply is missing or breaks a rule. Refused ones are moved aside with
            their reasons, good ones stay, nothing else is changed.
    """
    with _writing(folder) as (debate, seen, recovered):
        if step != debate.step:
            return _with_prompts(_finished(folder, debate, step, recovered))
        turn = _turn_due(debate)
        given, skipped, missing = _from_inbox(folder, turn, made_by or {})
        found = _judge(debate, turn, given, skipped, naming_required=True)
        if found.faults or missing:
            raise _refused(folder, debate, turn, given, found, missing)
        outcome = _commit(folder, debate, seen, turn, found.replies, (*recovered, *found.warnings))
        inbox.clear(folder, turn.step, _raw(given))
        return _with_prompts(outcome)


def _raw(given: Mapping[str, Given]) -> dict[str, bytes]:
    return {name: item.raw for name, item in given.items()}


def _with_prompts(outcome: Outcome) -> Outcome:
    try:
        return outcome._replace(position=prepared(outcome.position))
    except DiskError as error:
        raise RunAgainError(
            f"the turn is on record, but not the next one's prompts: {error.message}",
            hint="Free some space, then run the same command again; nothing is done twice.",
        ) from None


def submit_given(
    folder: Folder,
    exchange: int | None,
    given: Mapping[str, Given],
    gone: Mapping[str, str] = NO_FILES,
) -> Outcome:
    """Commit the turn that replies from named files answer; the inbox is not looked at.

    `exchange` is the number the caller gave, or None; `gone` are the named files that are not
    there, by participant. The replies of a turn that is over are answered from the record if they
    are the same, or gone as consumed replies are, and refused if not.

    Raises:
        RepliesRefusedError: a reply breaks a rule; nothing was changed.
        RefusedError: the exchange or the phase is another one.
        UsageError: a file is not there, and its reply is not on record.
    """
    with _writing(folder) as (debate, seen, recovered):
        due = rules_of(debate.protocol).next_turn(debate, clock.now())
        turn = due if isinstance(due, Turn) else None
        wanted = {task.participant for task in turn.tasks} if turn else set()
        named = {*given, *gone}
        if turn is None or wanted != named or exchange not in {None, turn.exchange}:
            return _repeated(folder, debate, exchange, given, gone, recovered)
        if gone:
            raise _not_there(gone)
        found = _judge(debate, turn, given, {}, naming_required=False)
        if found.faults:
            if exchange is None and (past := _past_match(folder, debate, given)) is not None:
                return _answered(folder, debate, past, recovered)
            raise RepliesRefusedError(found.faults, found.warnings, None)
        return _commit(folder, debate, seen, turn, found.replies, (*recovered, *found.warnings))


def _not_there(gone: Mapping[str, str]) -> UsageError:
    return UsageError(
        f"cannot read {' and '.join(gone.values())}: no such file",
        hint="Check the path; nothing was changed.",
    )


class _Found(NamedTuple):
    replies: dict[str, Reply | Absent]
    faults: tuple[Finding, ...]
    warnings: tuple[Finding, ...]


@contextmanager
def _writing(folder: Folder) -> Iterator[tuple[Debate, str, list[Finding]]]:
    """Hold the debate's lock; give the verified debate, its `debate.md`, and what recovery did."""
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        debate, seen = loading.load(folder)
        debate = verified(debate)  # first: recovery believes the step
        warnings = recover(folder, loading.read_debate_file(folder)[0])
        yield debate, seen, warnings


def verified(debate: Debate) -> Debate:
    """Return `debate`, its settings in full, if its `debate.md` shows what the record leads to.

    Raises:
        BadRecordError: names both values, or the setting that is not as wanted.
    """
    rules = rules_of(debate.protocol)
    derived = rules.derive(debate.record)
    shown = debate.state
    pairs = [
        ("step", debate.step, step_after(debate.record)),
        ("current_exchange", shown.exchange, derived.exchange),
        ("current_phase", shown.phase, derived.phase),
        *(
            (f"cumulative_scores of the {side}", _told(shown.totals.get(side)), _told(total))
            for side, total in derived.totals.items()
        ),
    ]
    wrong = [
        f"{name} is {is_} in debate.md, {was} by the record"
        for name, is_, was in pairs
        if is_ != was
    ]
    if wrong:
        raise BadRecordError(
            "; ".join(wrong),
            hint="Mend debate.md by hand, or run 'validate --fix' to make it from the record.",
        )
    return debate._replace(settings=_settings_in_full(rules, debate.settings))


def _settings_in_full(rules: Rules, shown: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return checked_settings(rules, shown)
    except UsageError as error:
        raise BadRecordError(
            f"debate.md: settings: {error.message}", hint=f"Mend debate.md by hand. {error.hint}"
        ) from None


def _told(total: Any) -> str:
    return f"{signed(total.total)} over {total.scored}" if total else "nothing"


def _turn_due(debate: Debate) -> Turn:
    due = rules_of(debate.protocol).next_turn(debate, clock.now())
    if not isinstance(due, Turn):
        raise RefusedError(f"no reply is due: {due.reason}")
    return due


def _from_inbox(
    folder: Folder, turn: Turn, made_by: Mapping[str, Any]
) -> tuple[dict[str, Given], dict[str, Absent], list[Finding]]:
    given, skipped, missing = {}, {}, []
    for item in _statuses(folder, turn):
        name, reply = item.task.participant, item.slot.reply
        if item.status == SKIPPED:
            skipped[name] = _skip_marker(item.slot.skip, name)
        elif item.status == REPLIED:
            raw = _bounded(reply)
            made = inbox.made_by(item.slot, raw) | dict(made_by)
            given[name] = Given(raw, folder.shown(reply), made)
        else:
            missing.append(
                Finding(
                    "reply_missing",
                    "there is no reply yet",
                    name,
                    file=folder.shown(reply),
                    wanted="the participant's JSON reply in this file",
                )
            )
    return given, skipped, missing


def _bounded(path: str) -> bytes:
    return files.read_given(path, json_reply.MAX_BYTES)


def _skip_marker(path: str, participant: str) -> Absent:
    try:
        data = json_reply.find_json(_bounded(path)).value
        return Absent(participant, str(data["how"]), str(data["reason"]), str(data["by"]))
    except (RefusedError, KeyError, TypeError):
        raise RefusedError(
            f"{path} is not a skip as this program writes it",
            hint=f"Skip {participant} once more, or take the skip back with '--withdraw'.",
        ) from None


def _judge(
    debate: Debate,
    turn: Turn,
    given: Mapping[str, Given],
    skipped: Mapping[str, Absent],
    *,
    naming_required: bool,
) -> _Found:
    """Read and check all replies of a turn; every fault of every reply is found at once."""
    rules = rules_of(debate.protocol)
    replies: dict[str, Reply | Absent] = dict(skipped)
    texts: dict[str, json_reply.FoundJson] = {}
    faults: list[Finding] = []
    warnings: list[Finding] = []
    for task in turn.tasks:
        name = task.participant
        if name not in given:
            continue
        try:
            texts[name] = json_reply.find_json(given[name].raw)
        except RefusedError as error:
            faults += [_placed(fault, name, given[name].name) for fault in error.faults]
            continue
        value, notes = rules.normalise(task, texts[name].value)
        replies[name] = Reply(name, value, given[name].made_by)
        warnings += [w._replace(participant=name) for w in texts[name].warnings]
        warnings += [Finding("put_right", note, name) for note in notes]
        faults += _naming_faults(task, turn, value, required=naming_required)
        faults += _schema_faults(task, value)
        warnings += _unknown_keys(task, value)
    checked = rules.check(debate, turn, replies)
    by_name = {name: item.name for name, item in given.items()}
    return _Found(
        replies,
        tuple(_located(f, texts, by_name) for f in (*faults, *checked.faults)),
        tuple(_located(w, texts, by_name) for w in (*warnings, *checked.warnings)),
    )


def _naming_faults(
    task: Task, turn: Turn, value: Mapping[str, Any], *, required: bool
) -> Iterator[Finding]:
    wanted = {"participant": task.participant, "exchange": turn.exchange}
    for key, right in wanted.items():
        if key not in value and required:
            yield Finding(
                "not_named",
                f"{key} is missing: a reply says whose it is and for which exchange",
                task.participant,
                where=f"$.{key}",
                wanted=repr(right).replace("'", '"'),
            )
        elif key in value and (value[key] != right or isinstance(value[key], bool)):
            yield Finding(
                f"wrong_{key}",
                f"{key} is {value[key]!r}, this reply is due from {task.participant} for "
                f"exchange {turn.exchange}",
                task.participant,
                where=f"$.{key}",
                found=repr(value[key]),
                wanted=repr(right).replace("'", '"'),
            )


def _schema_faults(task: Task, value: Any) -> Iterator[Finding]:
    wanted = schema.load(task.schema)
    if schema.accepts(wanted, value):
        return
    for fault in schema.explain(wanted, value):
        if fault.path[:1] in {("participant",), ("exchange",)}:
            continue  # told by the naming faults
        yield Finding(
            fault.code,
            fault.message,
            task.participant,
            where=json_reply.json_path(fault.path),
            found=fault.found,
            wanted=fault.wanted,
        )


def _unknown_keys(task: Task, value: Any) -> Iterator[Finding]:
    for path in schema.unknown_keys(schema.load(task.schema), value):
        yield Finding(
            "unknown_key",
            f"{path[-1]} is not part of a reply and was left out",
            task.participant,
            where=json_reply.json_path(path),
        )


def _placed(finding: Finding, participant: str, name: str) -> Finding:
    return finding._replace(participant=finding.participant or participant, file=name)


def _located(
    finding: Finding, texts: Mapping[str, json_reply.FoundJson], names: Mapping[str, str]
) -> Finding:
    """Add the file and, from its JSON path, the line and column of what a finding is about."""
    name = finding.participant
    finding = finding._replace(file=finding.file or names.get(name, ""))
    if finding.line or not finding.where or name not in texts:
        return finding
    path = tuple(int(i) if i else key for key, i in _PATH_PART.findall(finding.where))
    place = json_reply.locate(texts[name], _as_written(path, texts[name].value))
    return finding._replace(line=place[0], column=place[1]) if place else finding


def _as_written(path: tuple[str | int, ...], value: Any) -> tuple[str | int, ...]:
    """Return a path into a reply's one form as a path into the form it was written in."""
    if path[:1] not in {("arguments",), ("scores",)}:
        return path
    if isinstance(value, list):
        return path[1:]
    return path if path[0] in value else path[2:]


# ---------------------------------------------------------------- commit


def _commit(
    folder: Folder,
    debate: Debate,
    seen: str,
    turn: Turn,
    replies: Replies,
    warnings: tuple[Finding, ...],
) -> Outcome:
    rules = rules_of(debate.protocol)
    step = rules.record(debate, turn, replies)
    source = source_of(debate, turn.step, replies)
    at = clock.now()
    made = {v: _stamp(debate, step, source, at, replies, v) for v in step.entries}
    texts = {
        folder.entry(entries.folder(value), value.id): entries.render(value, stamp)
        for value, stamp in made.items()
    }
    after = debate._replace(step=debate.step + 1, state=step.state, undone=())
    commit(folder, seen, debate_file.render(after), texts)
    events.append(folder, events.of_step(debate, step, at))
    later = loading.load(folder).debate
    position = _position(folder, later, _remarks(folder, later))
    return Outcome(position, tuple(v.id for v in step.entries), False, warnings)


def _stamp(
    debate: Debate, step: Step, source: str, at: str, replies: Replies, value: Value
) -> entries.Stamp:
    participant = value.id.partition("_")[0]
    reply = replies.get(participant)
    judged = [s.argument_id for s in value.scores] if isinstance(value, Judgment) else []
    return entries.Stamp(
        step=debate.step,
        source=source,
        at=at,
        made_by=reply.made_by if isinstance(reply, Reply) else {},
        totals=step.state.totals,
        digests={entry_id: debate.record.digest(entry_id) for entry_id in judged},
    )


def source_of(debate: Debate, step: int, replies: Replies) -> str:
    """Return the digest that names a submission: SHA-256 over debate, step and replies.

    White space, fences, wrappers and the naming of participant and exchange make no difference.
    """
    data = {
        "debate": debate.slug,
        "step": step,
        "replies": {name: _plain(reply) for name, reply in replies.items()},
    }
    return hashlib.sha256(json_text.canonical(data).encode("utf-8")).hexdigest()


def _plain(reply: Reply | Absent) -> dict[str, Any]:
    if isinstance(reply, Absent):
        return {"absent": reply.how, "reason": reply.reason}
    return {k: v for k, v in reply.value.items() if k not in {"participant", "exchange"}}


def _refused(
    folder: Folder,
    debate: Debate,
    turn: Turn,
    given: Mapping[str, Given],
    found: _Found,
    missing: Sequence[Finding],
) -> RepliesRefusedError:
    """Move refused replies aside with their reasons, and write a repair prompt for each."""
    for name, item in given.items():
        own = [fault for fault in found.faults if fault.participant == name]
        if not own:
            continue
        text = item.raw.decode("utf-8", "replace")
        repair = build.repair(name, own, text)
        inbox.write(inbox.slot(folder, turn.step, name).repair, repair)
        inbox.refuse(folder, turn.step, name, "".join(f"- {f.sentence()}\n" for f in own))
    position = _position(folder, debate, ())
    return RepliesRefusedError((*found.faults, *missing), found.warnings, position)


# ---------------------------------------------------------------- repeats


def _finished(folder: Folder, debate: Debate, step: int, recovered: Sequence[Finding]) -> Outcome:
    """Answer a submission for another step than the one now due."""
    if step > debate.step:
        raise RefusedError(
            f"step {step} is not due yet: this debate is at step {debate.step}",
            hint=f"Ask for the turn again with 'next {folder.slug}'.",
        )
    others = _clear_what_is_on_record(folder, debate, step)
    if others:
        raise RefusedError(
            f"step {step} is on record with other replies; these came too late and are kept "
            f"({', '.join(others)})",
            hint=f"Ask for the turn that is due with 'next {folder.slug}'.",
        )
    return _answered(folder, debate, step, recovered)


def _clear_what_is_on_record(folder: Folder, debate: Debate, step: int) -> list[str]:
    """Clear the inbox of a turn that is over, or return the names of replies not on record."""
    past = _debate_at(folder, debate, step)
    turn = _turn_due(past)
    given, skipped, _ = _from_inbox(folder, turn, {})
    if given or skipped:
        found = _judge(past, turn, given, skipped, naming_required=False)
        if found.faults or not _is_on_record(folder, debate, past, turn, found.replies):
            return [item.name for item in given.values()]
    inbox.clear(folder, step, _raw(given))
    return []


def _is_on_record(
    folder: Folder, debate: Debate, past: Debate, turn: Turn, replies: Replies
) -> bool:
    """Tell whether these replies, of which some may be gone already, were committed at `turn`."""
    if source_of(debate, turn.step, replies) in _sources(folder, turn.step):
        return True
    absent = {t.participant: Absent(t.participant, "skip", "") for t in turn.tasks}
    if len(replies) == len(absent):
        return False
    for value in rules_of(debate.protocol).record(past, turn, absent | dict(replies)).entries:
        entry = debate.record.get(value.id)
        recorded = entries.parse(entry) if entry else None
        if value.id.partition("_")[0] in replies and value != recorded:
            return False
    return True


def _repeated(
    folder: Folder,
    debate: Debate,
    exchange: int | None,
    given: Mapping[str, Given],
    gone: Mapping[str, str],
    recovered: Sequence[Finding],
) -> Outcome:
    """Answer replies that the turn now due does not wait for: an old turn's, or nobody's."""
    step = _step_answered(debate, exchange, {*given, *gone})
    if step is None:
        raise _not_there(gone) if gone else _not_due(debate, exchange, given)
    past = _debate_at(folder, debate, step)
    turn = _turn_due(past)
    found = _judge(past, turn, given, {}, naming_required=False)
    if found.faults:
        raise RepliesRefusedError(found.faults, found.warnings, None)
    if given and not _is_on_record(folder, debate, past, turn, found.replies):
        raise RefusedError(
            f"exchange {turn.exchange} is on record with other replies "
            f"({', '.join(_ids_of_step(folder, debate, step))}); these were not used and are kept",
            hint=f"Ask what is due with 'next {folder.slug}'.",
        )
    consumed = [
        Finding("file_gone", f"{name} is not there; exchange {turn.exchange} is on record", who)
        for who, name in gone.items()
    ]
    return _answered(folder, debate, step, (*recovered, *consumed))


def _past_match(folder: Folder, debate: Debate, given: Mapping[str, Given]) -> int | None:
    """Return the step that these replies were committed at, if it was the last one of its kind."""
    step = _step_answered(debate, debate.state.exchange - 1, set(given))
    if step is None:
        return None
    past = _debate_at(folder, debate, step)
    found = _judge(past, _turn_due(past), given, {}, naming_required=False)
    same = not found.faults and source_of(debate, step, found.replies) in _sources(folder, step)
    return step if same else None


def _step_answered(debate: Debate, exchange: int | None, participants: set[str]) -> int | None:
    """Return the step at which these participants' entries of an exchange were committed."""
    number = debate.state.exchange - 1 if exchange is None else exchange
    for kind in (ARGUMENTS, JUDGMENTS):
        for entry_id in reversed(debate.record.ids(kind)):
            entry = debate.record.get(entry_id)
            if entry is None or entry.exchange < number:
                break
            if entry.exchange == number and entry_id.partition("_")[0] in participants:
                return entry.step
    return None


def _not_due(debate: Debate, exchange: int | None, given: Mapping[str, Given]) -> RefusedError:
    now = debate.state
    names = " and ".join(given)
    which = "" if exchange is None else f" for exchange {exchange}"
    due = rules_of(debate.protocol).next_turn(debate, clock.now())
    waits = " and ".join(t.participant for t in due.tasks) if isinstance(due, Turn) else "nobody"
    return RefusedError(
        f"replies of {names}{which} are not due: this debate is at exchange {now.exchange}, "
        f"{now.phase}, and waits for {waits}",
        hint="Nothing was changed; the files are kept.",
    )


def _debate_at(folder: Folder, debate: Debate, step: int) -> Debate:
    """Return the debate as it was before the turn of `step`."""
    near = debate.state.exchange - 1 if debate.step - step <= len(RECORD_FOLDERS) else 0
    record = FolderRecord(folder, step, max(0, near), older=not debate.created)
    return debate._replace(
        step=step, state=rules_of(debate.protocol).derive(record), record=record, request=None
    )


def _ids_of_step(folder: Folder, debate: Debate, step: int) -> tuple[str, ...]:
    """Return the ids of one commit, in the order in which the commit told them."""
    ids = [entry.id for entry in _entries_of_step(folder, debate, step)]
    participants = list(rules_of(debate.protocol).ROLES)
    return tuple(sorted(ids, key=lambda i: participants.index(i.partition("_")[0])))


def _entries_of_step(folder: Folder, debate: Debate, step: int) -> list[Entry]:
    found = []
    for kind in RECORD_FOLDERS:
        for entry_id in reversed(debate.record.ids(kind)):
            entry = debate.record.get(entry_id)
            if entry is not None and entry.step == step:
                found.append(entry)
            elif found and found[-1].folder == kind:
                break
    return found[::-1]


def _sources(folder: Folder, step: int) -> set[str]:
    debate = loading.load(folder).debate
    return {str(e.header.get("from", "")) for e in _entries_of_step(folder, debate, step)}


def _answered(folder: Folder, debate: Debate, step: int, warnings: Sequence[Finding]) -> Outcome:
    """Give the answer of a turn that is on record once more, computed from the record."""
    position = _position(folder, debate, _remarks(folder, debate))
    return Outcome(position, _ids_of_step(folder, debate, step), True, tuple(warnings))


# ---------------------------------------------------------------- intervene


def skip(
    folder: Folder,
    participant: str,
    reason: str,
    *,
    step: int | None = None,
    how: str = "skip",
    by: str = "user",
) -> Outcome | Position:
    """End a participant's task without a reply, with a reason that goes on record.

    The turn is committed if nobody else is awaited; otherwise the skip waits in the inbox for the
    other replies.

    Raises:
        RefusedError: the participant is not awaited now, or the reason is blank.
        RepliesRefusedError: another reply of the turn breaks a rule.
    """
    if not reason.strip():
        raise UsageError("a reason is wanted", hint="Say why with --reason; it goes on record.")
    with _writing(folder) as (debate, seen, recovered):
        if step is None and _was_interrupted(folder, debate, participant):
            step = debate.step - 1
        if step is not None and step < debate.step:
            return _with_prompts(_skipped_before(folder, debate, step, participant, recovered))
        turn = _turn_due(debate)
        names = [task.participant for task in turn.tasks]
        if participant not in names:
            raise RefusedError(
                f"{participant} is not awaited now: exchange {turn.exchange} waits for "
                f"{' and '.join(names)}"
            )
        marker = {"how": how, "reason": reason, "by": by}
        inbox.keep(inbox.slot(folder, turn.step, participant).skip, json_text.dumps(marker) + "\n")
        if any(s.status in {WAITING, REFUSED} for s in _statuses(folder, turn)):
            return prepared(_position(folder, debate, tuple(recovered)))
        given, skipped, _ = _from_inbox(folder, turn, {})
        found = _judge(debate, turn, given, skipped, naming_required=True)
        if found.faults:
            raise _refused(folder, debate, turn, given, found, ())
        outcome = _commit(folder, debate, seen, turn, found.replies, (*recovered, *found.warnings))
        inbox.clear(folder, turn.step, _raw(given))
        return _with_prompts(outcome)


def _was_interrupted(folder: Folder, debate: Debate, participant: str) -> bool:
    """Tell whether the last turn's skip was committed and then stopped before it was cleared."""
    marker = inbox.slot(folder, debate.step - 1, participant).skip
    return os.path.lexists(marker) and _is_skipped(folder, debate, debate.step - 1, participant)


def _is_skipped(folder: Folder, debate: Debate, step: int, participant: str) -> bool:
    return any(
        entry.is_absence and entry.header.get("participant") == participant
        for entry in _entries_of_step(folder, debate, step)
    )


def _skipped_before(
    folder: Folder, debate: Debate, step: int, participant: str, recovered: Sequence[Finding]
) -> Outcome:
    if _is_skipped(folder, debate, step, participant):
        _clear_what_is_on_record(folder, debate, step)
        return _answered(folder, debate, step, recovered)
    raise RefusedError(
        f"step {step} is over, and {participant} was not skipped in it",
        hint=f"Ask what is due with 'next {folder.slug}'.",
    )


def withdraw_skip(folder: Folder, participant: str) -> Position:
    """Take back a skip that is not on record yet, so that the task can be tried again.

    Raises:
        RefusedError: no skip of this participant is pending.
    """
    with _writing(folder) as (debate, _, warnings):
        path = inbox.slot(folder, debate.step, participant).skip
        if not os.path.lexists(path):
            raise RefusedError(f"no skip of {participant} is pending")
        os.unlink(path)
        return prepared(_position(folder, debate, tuple(warnings)))


def undo(folder: Folder, exchange: int | None = None) -> tuple[Position, tuple[str, ...]]:
    """Take the last exchange back: its files are set aside, never deleted.

    With its number as `exchange` a repeat is harmless. Returns the new position and the ids
    taken back.

    Raises:
        RefusedError: there is nothing to take back, it is another exchange, or an older tool
            wrote it.
    """
    with _writing(folder) as (debate, seen, warnings):
        if _is_undone(debate, exchange, warnings):
            remarks = _remarks(folder, debate)
            return _prepared_or_not(_position(folder, debate, (*warnings, *remarks))), debate.undone
        last = _last_exchange(debate)
        if not last:
            raise RefusedError("there is no exchange to take back yet")
        if exchange not in {None, last[0].exchange}:
            raise RefusedError(f"exchange {exchange} is not the last one: {last[0].exchange} is")
        if any(entry.header.get("older") for entry in last):
            raise RefusedError(
                f"exchange {last[0].exchange} was written by an older tool; it is never changed"
            )
        step = min(entry.step for entry in last)
        before = _debate_at(folder, debate, step)
        ids = tuple(entry.id for entry in last)
        after = before._replace(request=debate.request, undone=ids)
        commit(folder, seen, debate_file.render(after), {})
        told = recover(folder, loading.read_debate_file(folder)[0])
        at = clock.now()
        events.append(folder, [{"event": "exchange_undone", "at": at, "entries": list(ids)}])
        now = loading.load(folder).debate
        return _prepared_or_not(_position(folder, now, (*warnings, *told))), ids


def _is_undone(debate: Debate, exchange: int | None, recovered: Sequence[Finding]) -> bool:
    """Tell whether this `undo` has happened already: it was interrupted, or names what is gone."""
    if exchange is None:
        return any(warning.code == TAKEN_BACK for warning in recovered)
    return exchange in {parts.exchange for i in debate.undone if (parts := parse_id(i))}


def _prepared_or_not(position: Position) -> Position:
    """Write the prompts if the disk lets us: to undo once more would be worse than to lack them."""
    try:
        return prepared(position)
    except DiskError as error:
        told = Finding("no_prompts", f"{error.message}; 'next {position.folder.slug}' tries again")
        return position._replace(warnings=(*position.warnings, told))


def _last_exchange(debate: Debate) -> list[Entry]:
    ids = [*debate.record.ids(ARGUMENTS), *debate.record.ids(JUDGMENTS)]
    found = [entry for entry_id in ids if (entry := debate.record.get(entry_id)) is not None]
    newest = max((entry.exchange for entry in found), default=-1)
    return [entry for entry in found if entry.exchange == newest]


def absences(debate: Debate) -> list[Absence]:
    """Return every absence on record."""
    found = (debate.record.get(entry_id) for entry_id in debate.record.ids(JUDGMENTS))
    values = (entries.parse(entry) for entry in found if entry is not None and entry.is_absence)
    return [value for value in values if isinstance(value, Absence)]


def move_aside(folder: Folder, path: str) -> str:
    """Set a file of the folder aside for good and return where it is now."""
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        return set_aside(folder, path)
