"""What changes a debate: each command loads it, decides, and commits. All writes are here."""

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from debate_ops.core import clock, protocol
from debate_ops.core.errors import DebateError, DiskError, RefusedError, RunAgainError, UsageError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.settings import check_settings
from debate_ops.core.texts import decode, is_blank
from debate_ops.core.values import PERSON, Absent, Act, Done, Entry, Fault, Turn, name_act
from debate_ops.engine import events, files, inbox, prompts, store
from debate_ops.engine.cited_files import Library, open_library
from debate_ops.engine.debate_file import MOST_COUNT, Framing, Header, Request, Word, write_body
from debate_ops.engine.headers import canonical, digest_bytes, dumps
from debate_ops.engine.inbox import PAUSED, STOPPED, Hold
from debate_ops.engine.position import (
    REPLIED,
    SKIPPED,
    Position,
    RawReply,
    Received,
    RepliesRefusedError,
    TaskStatus,
    check_task_reply,
    find_position,
    list_tasks,
    load,
    order_entries,
    read_inbox,
    read_replies,
    recover,
    replay_record,
    show_place,
)
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.record import Record, digest_value, order_id, read_debate_file, write_turn
from debate_ops.engine.store import Folder
from debate_ops.protocols import load_protocol

MOST_OF_A_WORD = 4_000
"""Characters that a person may say at once; all of it stands in every prompt from then on."""


def create(  # noqa: PLR0913  (what a debate is made of)
    slug: str,
    framing: Framing,
    *,
    protocol: str = "exchange",
    settings: Mapping[str, Any] | None = None,
    replay_of: Mapping[str, Any] | None = None,
    inside: str | None = None,
    turns: Iterable[Mapping[str, RawReply]] = (),
) -> Position:
    """Make a new debate folder: built aside, then renamed, so that it is there whole or not.

    The motion is kept to the letter. `inside` is the folder in which the debate gets its own, if
    not with all others; `turns` are the replies of its first turns, where it was held elsewhere.

    A `UsageError` where slug, motion or a setting is not right, a `RepliesRefusedError` where a
    reply is, a `ConfigurationError` without the library, a `DiskError` if it cannot be written.
    """
    rules = load_protocol(protocol)
    folder = store.plan_folder(slug, inside)
    if is_blank(framing.motion):
        raise UsageError("the motion is blank", hint="Say what is to be debated.")
    full = check_settings(rules.Settings, rules.Settings.draw(settings or {}, secrets.randbelow))
    if full.first_answer != "off" and ADVISER in rules.participants(full):
        why = f"has {ADVISER}, who gives the first answer: name it otherwise, or set that to off"
        raise UsageError("", faults=(Fault("participants", why),))
    names = rules.other_names(full)
    papers = [(names.get(owner, owner), name, text) for owner, name, text in framing.papers]
    debaters = [name for name, role in rules.participants(full).items() if role == "debater"]
    if nobody := sorted({owner for owner, *_ in papers} - {*debaters}):
        text = f"there are papers for {', '.join(nobody)}, who does not debate here"
        raise UsageError(text, hint=f"Give papers to {', '.join(debaters)}.")
    if twice := {name for name, _ in framing.context} & {name for _, name, _ in papers}:
        raise UsageError(f"{', '.join(sorted(twice))} is given to all and to one alone")
    framing = framing._replace(papers=tuple(papers))
    if full.cited_folder:
        full = full.model_copy(update={"cited_folder": os.path.relpath(full.cited_folder)})
        Library(full.cited_folder)
    header = Header(
        debate_id=slug,
        protocol=protocol,
        current_exchange=0,
        current_phase="new",
        step=0,
        settings=full.model_dump(),
        created=clock.now(),
        replay_of=dict(replay_of) if replay_of else None,
    )
    record = Record(folder, "", header, write_body(framing))
    at = replay_record(record)
    record.header = show_place(header, at)
    record.header.digests = record.digest_again(0)
    position, texts = Position(record, at, at.place), dict[str, str]()
    happened = events.describe_creation(at, slug, header.created)
    for replies in turns:
        read = read_replies(position, replies, is_named=False)
        read.refuse_faults()
        source = _name_replies(position, read)
        more, since = _add_step(position, at.make(read.replies), source, replies)
        texts, happened = texts | more, happened + since
    store.build_folder(folder, position.record.write(position.header), texts)
    events.append_events(folder, happened)
    return load(folder)


def remove_new(position: Position) -> None:
    """Remove a debate that was just made, unless somebody has gone on with it or is doing so."""
    folder, made = position.folder, position.record.seen.encode("utf-8")
    with suppress(DebateError, OSError):
        with inbox.lock_run(folder), inbox.lock(folder, 0.1):
            if any(file.kind == inbox.REPLY for file in inbox.list_files(folder)):
                return
            if not files.has_content(folder.debate_file, made):
                return
            os.unlink(folder.debate_file)  # whoever waits for the lock finds no debate
        shutil.rmtree(folder.path, ignore_errors=True)


@contextmanager
def _writing(folder: Folder) -> Iterator[Position]:
    """Hold the debate's lock, and put right what an interrupted command left."""
    read_debate_file(folder).refuse_older_tool()
    with inbox.lock(folder):
        yield recover(folder)


def _write_prompts(position: Position) -> Position:
    """Write the prompts of the tasks still to be done, and clear away all but late replies.

    Return where the debate stands for whoever goes on with it.
    """
    folder, at, header = position.folder, position.at, position.header
    roles = at.protocol.participants(at.debate.settings)
    for item in position.select_tasks().tasks if isinstance(position.due, Turn) else ():
        by = item.task.by  # nobody speaks to the adviser
        meant = {"", by, roles.get(by)} if by != ADVISER else set()
        said = [f"{word.by}: {word.text}" for word in header.words if word.to in meant]
        text = prompts.render_prompt(at, item.task, folder.name, header.created, said)
        files.write_derived(item.slot.prompt, text)
    for file in inbox.list_files(folder):
        if file.step != at.debate.step and not file.kind.endswith(inbox.REPLY):
            files.discard(file.path)
    return position.apply_hold()


def _go_on(position: Position) -> Position:
    """End a debate that has gone on for too long, over all its runs; write the prompts due now.

    What was committed before stands where the disk refuses that.
    """
    limit, now = position.protocol.time_out(position.debate, position.at.place), position
    try:
        if limit and clock.count_seconds(position.header.created, clock.now()) >= limit[0]:
            now = replace(
                _commit_act(position, limit[1]),
                committed=position.committed,
                already_applied=position.already_applied,
            )
        return _write_prompts(now)
    except DiskError as error:
        if not position.committed:
            raise
        raise RunAgainError(
            f"the turn is on record, but not the next one's prompts: {error.message}",
            hint="Free some space, then run the same command again; nothing is done twice.",
        ) from None


def next_turn(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what the debate waits for, with the prompts of its tasks written.

    `exchanges` asks for that many more exchanges; 0 gives an unfinished request up, and asks a new
    debate for its opening alone; None goes on with what was asked for, and where all of that is
    complete, to the end of a debate that has one.
    """
    with _writing(folder) as position:
        request = _choose_request(position, exchanges)
        if request == position.header.request:
            return _go_on(position)
        if exchanges and (left := position.count_exchanges_left()):
            text = f"this replaces the request that was open, with {left} still to come"
            position.warnings.append(Fault("", text, is_warning=True))
        return _go_on(_change(position, request=request))


def preview(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what `next_turn` would; prompts are written, and nothing goes on record."""
    with _writing(folder) as position:
        now = plan(position, exchanges)
        _write_prompts(now)
        return now


def plan(position: Position, exchanges: int | None) -> Position:
    """Return where a debate would stand if so many more exchanges were asked for."""
    request = _choose_request(position, exchanges)
    header = position.header.model_copy(update={"request": request})
    record = replace(position.record, header=header)
    return find_position(record, replay_record(record))


def _change(position: Position, **update: Any) -> Position:
    record = position.record
    header = record.header.model_copy(update=update)
    at = replay_record(replace(record, header=header))  # a request says when closings are due
    header = show_place(header, at)
    text = record.write(header)
    store.commit(record.folder, record.seen, text, {})
    return find_position(replace(record, seen=text, header=header), at, position.warnings)


def _choose_request(position: Position, exchanges: int | None) -> Request | None:
    at, request, rules = position.at, position.header.request, position.protocol
    here, last = at.place.round, rules.last_exchange(at.debate.settings)
    is_open, is_due = position.count_exchanges_left() > 0, isinstance(at.place, Turn)
    if exchanges is None:  # a fulfilled request gives way to an end that the debate has by itself
        return request if is_open or last is None or not is_due else None
    if exchanges == 0 and is_open:
        # Between two exchanges a debate is finished as it is.
        is_begun = any(e.round == here for e in at.debate.entries.values())
        is_whole = not is_begun and last is None and here > 1
        return Request(exchanges=here - 1, until=here) if is_whole else None
    is_same = request and is_open and request.exchanges == exchanges
    if exchanges == here == 0 and request is None and last is None:
        return Request(exchanges=0, until=1)  # the opening alone
    if exchanges == 0 or is_same or not is_due:
        return request
    if not rules.cycle:
        text = f"a debate of the protocol {rules.name!r} is held to its end"
        raise UsageError(f"{text}: there is nothing that {exchanges} could count")
    first = max(here, 1)
    rest = min(exchanges, (MOST_COUNT - 1 if last is None else last + 1) - first)
    return Request(exchanges=rest, until=first + rest) if rest > 0 else request


def take_reply(
    position: Position, item: TaskStatus, reply: RawReply, made_by: Mapping[str, Any]
) -> list[Fault]:
    """Put a reply that was filed by hand into the inbox if it is good; return its warnings."""
    folder, at = position.folder, position.at
    with inbox.lock(folder):  # of two at the same time one is filed
        is_over = read_debate_file(folder).step != at.debate.step
        status = next(i.status for i in list_tasks(folder, at) if i.slot == item.slot)
        if is_over or status in {REPLIED, SKIPPED}:
            how = "it is on record" if is_over else status
            raise RefusedError(f"{item.task.by}'s part of this turn is over: {how}")
        warnings = check_task_reply(position, item, reply)
        inbox.put(item.slot, reply.raw, made_by)
        files.discard(item.slot.draft)
    return warnings


def submit(
    folder: Folder,
    step: int,
    made_by: Mapping[str, Any] | None = None,
    absent: Mapping[str, Absent] | None = None,
) -> Position:
    """Commit the turn of `step` from the replies in the inbox; a repeat is harmless.

    `made_by` goes on record where the inbox does not say how a reply was made. `absent` give none,
    beside those whose skip is pending; they are forgotten where the turn is refused, because a
    reply is missing or breaks a rule: a `RepliesRefusedError`. Then refused replies lie aside with
    their reasons, good ones stay, and nothing else is changed.
    """
    with _writing(folder) as position:
        if step != position.debate.step:
            received = {
                file.participant: RawReply(files.read_named(file.path, MAX_BYTES), file.path)
                for file in inbox.list_files(folder)
                if (file.step, file.kind) == (step, inbox.REPLY)
            }
            return _answer_from_record(position, step, received)
        return _submit_turn(position, made_by or {}, absent or {})


def _submit_turn(
    position: Position, made_by: Mapping[str, Any], absent: Mapping[str, Absent]
) -> Position:
    folder, step = position.folder, position.debate.step
    read = read_inbox(position, made_by, absent)
    if not read.faults:
        return _go_on(_commit_replies(position, read))
    now = dict[str, str]()  # refused ones go aside with their reasons, each with a repair prompt
    for name, item in read.raw.items():
        if own := [fault for fault in read.faults if fault.by == name]:
            repair = prompts.render_repair(name, own, decode(item.raw, "replace"))
            files.write_derived(inbox.find_slot(folder, step, name).repair, repair)
            reasons = "".join(f"- {fault.sentence()}\n" for fault in own)
            now[name] = folder.shown(inbox.refuse(folder, step, name, reasons))
        elif made_by:  # whoever completes the turn did not write this one
            inbox.label(inbox.find_slot(folder, step, name), item.raw, made_by)
    moved = tuple(replace(fault, file=now.get(fault.by, fault.file)) for fault in read.faults)
    noted = [*position.warnings, *read.warnings]
    raise RepliesRefusedError(moved, noted, find_position(position.record, position.at))


def _name_replies(position: Position, read: Received) -> str:
    """Return the digest that names the replies of a turn, the adviser's left out."""
    data = {
        name: {"absent": reply.how, "reason": reply.reason}
        if isinstance(reply, Absent)
        else reply.model_dump(by_alias=True)
        for name, reply in read.replies.items()
        if name in {task.by for task in position.at.turn.tasks}
    }
    return _name_source(position, position.debate.step, replies=data)


def _commit_replies(position: Position, read: Received) -> Position:
    source = _name_replies(position, read)
    return _commit(position, position.at.make(read.replies), source, read.raw, read.warnings)


def _commit_act(position: Position, done: Act) -> Position:
    made = position.protocol.act(position.debate, position.at.place, done)
    return _commit(position, made, _name_act(position, position.debate.step, done))


def _name_act(position: Position, step: int, done: Act) -> str:
    return _name_source(position, step, act=done.name, given=dict(done.values), by=done.by)


def _name_source(position: Position, step: int, **given: Any) -> str:
    """Return the digest that names a submission, or a person's act: over debate, step and words."""
    data = {"debate": position.header.debate_id, "step": step, **given}
    return digest_bytes(canonical(data).encode("utf-8"))


def _commit(
    position: Position,
    made: Sequence[Entry],
    source: str,
    received: Mapping[str, RawReply] = {},
    warnings: Sequence[Fault] = (),
) -> Position:
    """Put the entries of a step on record, and return where the debate stands then."""
    seen, step = position.record.seen, position.debate.step
    texts, happened = _add_step(position, made, source, received)
    folder, record = position.folder, position.record
    record.seen = record.write(record.header)
    files.discard(folder.within(inbox.UNDO))
    store.commit(
        folder, seen, record.seen, {folder.within(name): text for name, text in texts.items()}
    )
    files.discard(folder.within(store.PARTIAL))
    events.append_events(folder, happened)
    used = {name: item.raw for name, item in received.items()}
    noted = [*position.warnings, *warnings, *inbox.clear(folder, step, used)]
    now = find_position(record, position.at, noted)
    return replace(now, committed=tuple(e.id for e in _list_step(now, step)))


def _add_step(
    position: Position, made: Sequence[Entry], source: str, received: Mapping[str, RawReply]
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Let a position go on by a step; return the texts of its files by name, and its events."""
    record, at, moment = position.record, position.at, clock.now()
    before, rests_on = at.place, record.digest_before()
    libraries = {name: open_library(at, name) for name in received}

    def stamp(entry: Entry) -> Entry:
        header: dict[str, Any] = {"from": source, "at": moment, "rests_on": {}}
        if reply := received.get(entry.by):
            library = libraries[entry.by]
            checked = library.check_entry(entry, at.debate) if library else [*reply.checked]
            header |= {"made_by": dict(reply.made_by), "checked": checked}
        return replace(entry, header=header)

    # Before the rules go on: they may look at times, and prompts say what was checked.
    done = at.commit(order_entries(at.protocol, at.debate, [stamp(entry) for entry in made]))
    stamped = [e if e.header else stamp(e) for e in done]
    by_id, texts, digests = write_turn(record.body, stamped, rests_on)
    update = {"undone": [], "digests": digests}
    header = show_place(record.header, at).model_copy(update=update)
    position.record = replace(
        record, header=header, entries=[*record.entries, *by_id], digests=record.digests | digests
    )
    begun = events.find_time(position.folder, events.describe_phase("started", before))
    return texts, events.describe_step(before, at, stamped, moment, header.created, begun=begun)


def submit_files(folder: Folder, exchange: int | None, paths: Mapping[str, str]) -> Position:
    """Commit the turn that files answer, named by participant, and remove them.

    Without an `exchange` it is the one that is due, or the last one that there is. What is on
    record already is answered from there: files are then kept, and need not be there any more.
    """
    with _writing(folder) as position:
        place = position.at.place
        own = [e for e in position.debate.entries.values() if e.by in paths]
        number = max((e.round for e in own), default=0) if exchange is None else exchange
        steps = [e.step for e in own if e.round == number]
        due = {task.by for task in place.tasks} if isinstance(place, Turn) else set()
        is_due = due == {*paths} and exchange in {None, place.round}
        received = {
            name: RawReply(files.read_named(path, MAX_BYTES), path)
            for name, path in paths.items()
            if is_due or os.path.lexists(path)
        }
        if is_due:
            read = read_replies(position, received, is_named=False)
            may_repeat = exchange is None and steps and read.faults
            if not may_repeat or not _is_recorded(position, steps[-1], received):
                read.refuse_faults()
                now = _commit_replies(position, read)
                for each in received.values():
                    if files.has_content(each.name, each.raw):  # what was written since then stays
                        files.discard(each.name)
                return _go_on(now)
        if not steps:
            raise RefusedError(
                f"no reply of {' and '.join(paths)} for exchange {number} is due: this debate is "
                f"at exchange {place.round}, {place.phase}; the files are kept"
            )
        for each in received.values():
            text = f"exchange {number} is on record; this file is kept and not used"
            position.warnings.append(Fault("", text, file=each.name, is_warning=True))
        return _answer_from_record(position, steps[-1], received)


def _answer_from_record(
    position: Position, step: int, received: Mapping[str, RawReply] = {}
) -> Position:
    """Answer what ends the turn of another step than the one now due; refuse other replies."""
    here, hint = position.debate.step, f"Ask what is due with 'next {position.folder.slug}'."
    if step > here:
        text = f"step {step} is not due yet: this debate is at step {here}"
        raise RefusedError(f"{text}, {position.at.place.phase}", hint=hint)
    ids = tuple(entry.id for entry in _list_step(position, step))
    if received and not _is_recorded(position, step, received):
        raise RefusedError(
            f"step {step} is on record with other replies ({', '.join(ids)}); "
            "these are not used, and are kept",
            hint=hint,
        )
    late = inbox.clear(position.folder, step)
    moved = {fault.file for fault in late}
    warnings = [*(f for f in position.warnings if f.file not in moved), *late]
    return _go_on(replace(position, warnings=warnings, committed=ids, already_applied=True))


def _is_recorded(position: Position, step: int, received: Mapping[str, RawReply]) -> bool:
    past = replace(position, at=replay_record(position.record, step))
    if not isinstance(past.at.place, Turn):
        return True  # a person's act is on record, which no reply contradicts
    read = read_replies(past, received, is_named=False)
    replies: dict[str, Any] = {task.by: Absent("skip", "", PERSON) for task in past.at.tasks}
    made = past.at.make(replies | read.replies) if not read.faults else []
    recorded = [e for e in _list_step(position, step) if e.by in received]
    return not protocol.compare([e for e in made if e.by in received], recorded)


def _list_step(position: Position, step: int) -> list[Entry]:
    return [e for e in position.debate.entries.values() if e.step == step]


def _refuse_blank(text: str, what: str, option: str) -> None:
    if is_blank(text):
        raise UsageError(f"{what} is required", hint=f"Say it with {option}; it goes on record.")


def skip(folder: Folder, participant: str, reason: str, *, step: int | None = None) -> Position:
    """End a task without a reply, for a reason; with it the turn, if nobody else is awaited."""
    _refuse_blank(reason, "a reason", "--reason")
    with _writing(folder) as position:
        here, participant = position.debate.step, position.at.find_name(participant)
        if step is None:
            left = os.path.lexists(inbox.find_slot(folder, here - 1, participant).skip)
            # Where it is left, it was committed, and stopped before it was cleared.
            step = here - 1 if left and _is_skipped(position, here - 1, participant) else here
        if step < here and not _is_skipped(position, step, participant):
            raise RefusedError(f"step {step} is over, and {participant} was not skipped in it")
        if step != here:
            return _answer_from_record(position, step)
        if participant not in {task.by for task in position.require_turn().tasks}:
            raise position.refuse_participant(participant)
        marker = {"how": "skip", "reason": reason, "by": "user"}
        inbox.keep(inbox.find_slot(folder, here, participant).skip, dumps(marker) + "\n")
        now = find_position(position.record, position.at)
        return _write_prompts(now) if now.list_awaited() else _submit_turn(now, {}, {})


def _is_skipped(position: Position, step: int, name: str) -> bool:
    return any(e.kind == "absence" and e.by == name for e in _list_step(position, step))


def close_turn(folder: Folder, step: int, reason: str) -> Position:
    """Close the turn of `step`: who has no reply in, or a second refused one, is absent."""
    _refuse_blank(reason, "a reason", "--reason")
    with _writing(folder) as position:
        if step != position.debate.step:
            return _answer_from_record(position, step)
        position.require_turn()
        how, by = ("time-out", "rule") if position.is_late() else ("advance", "user")
        absent = {name: Absent(how, reason, by) for name in position.list_awaited()}
        return _submit_turn(position, {}, absent)


def act(folder: Folder, done: Act) -> Position:
    """Put on record what a person decides about the whole debate.

    A `RefusedError` where the debate knows no such act, or not now; a `UsageError` where something
    is missing that it needs.
    """
    _refuse_blank(done.by, "a name", "--by")
    with _writing(folder) as position:
        last, rules = position.debate.step - 1, position.protocol
        source = _name_act(position, last, done)
        if any(e.header.get("from") == source for e in position.record.entries if e.step == last):
            return _answer_from_record(position, last)
        if done.name not in rules.acts:
            raise RefusedError(
                f"a debate of the protocol {rules.name!r} knows no {name_act(done.name)!r}",
                hint=f"'status {folder.name}' names what can be done here.",
            )
        return _go_on(_commit_act(position, done))


def undo(folder: Folder, step: int | None = None) -> Position:
    """Take the last exchange back, or all from `step` on: files are set aside, never deleted.

    The header names what was. A repeat is harmless with the step, and where the undo was stopped
    before its end. A `RefusedError` where there is nothing to take back.
    """
    with _writing(folder) as position:
        again = inbox.read_undo(folder) if step is None else step
        now, is_done = position, position.header.undone and position.debate.step == again
        if not is_done:
            _commit_undo(position.record, step)
            now = recover(folder)
            now.warnings = [*dict.fromkeys(position.warnings + now.warnings)]
        now = _write_prompts(now)
        files.discard(folder.within(inbox.UNDO))  # last: until then, a repeat ends this undo
        return now


def _commit_undo(record: Record, step: int | None) -> None:
    """Make an earlier step that of the debate; what is beyond it is left to recovery."""
    folder, entries = record.folder, record.entries
    if step is None:
        newest = max((e.round for e in entries), default=-1)
        step = min((e.step for e in entries if e.round == newest), default=0)
    last = [entry for entry in entries if entry.step >= step]
    if not last:
        which = f" from step {step} on" if step else " yet"
        raise RefusedError(f"there is nothing to take back{which}")
    last.sort(key=lambda e: (store.RECORD_FOLDERS.index(e.folder), order_id(e.id)))
    step, ids = min(entry.step for entry in last), [entry.id for entry in last]
    at = replay_record(record, step)
    if request := record.header.request:  # never more is due than was asked for
        most = max(at.place.round, 1) + request.exchanges
        request = Request(exchanges=request.exchanges, until=min(request.until, most))
    update = {"request": request, "undone": ids, "digests": record.digest_again(step)}
    header = show_place(record.header, at).model_copy(update=update)
    inbox.keep(folder.within(inbox.UNDO), f"{step}\n")
    store.commit(folder, record.seen, record.write(header), {})
    event = {"event": "exchange_undone", "at": clock.now(), "entries": ids}
    events.append_events(folder, [event])


def pause(folder: Folder, by: str, reason: str = "", *, state: str = PAUSED) -> Position:
    """Hold a debate back: a run waits before its next turn, or ends after this one if `STOPPED`."""
    _refuse_blank(by, "a name", "--by")
    with _writing(folder) as position:
        old, place = position.hold, position.at.place
        if isinstance(place, Done):
            text = f"there is nothing to hold back: {place.reason}"
            position.warnings.append(Fault("", text, is_warning=True))
        elif old is None or old.state != state:
            position.hold = hold = Hold(state, clock.now(), by, reason)
            inbox.keep(folder.within(inbox.HOLD), canonical(hold._asdict()) + "\n")
            _append(position, f"debate_{state}", hold.at, by=by, reason=reason)
        return position.apply_hold()


stop = partial(pause, state=STOPPED)


def resume(folder: Folder, by: str) -> Position:
    """Let a debate go on; harmless where nothing holds it back."""
    _refuse_blank(by, "a name", "--by")
    with _writing(folder) as position:
        if position.hold:
            files.discard(folder.within(inbox.HOLD))
            position.hold = None
            _append(position, "debate_resumed", clock.now(), by=by)
        return _write_prompts(position)


def say(folder: Folder, text: str, *, by: str, to: str = "") -> Position:
    """Put a person's word on record, for prompts from now on: to a participant, a role, or all."""
    _refuse_blank(by, "a name", "--by")
    if is_blank(text):
        raise UsageError("there is nothing to say", hint="Say it in quotation marks.")
    if len(text) > MOST_OF_A_WORD:
        raise UsageError(f"this has {len(text)} characters, expected at most {MOST_OF_A_WORD}")
    with _writing(folder) as position:
        roles = position.protocol.participants(position.debate.settings)
        known = list(dict.fromkeys((*roles, *roles.values())))
        to = to and position.at.find_name(to)
        if to and to not in known:
            hint = f"Say it to one of {', '.join(known)}."
            raise UsageError(f"{to!r} is nobody in this debate", hint=hint)
        place = position.at.place
        if isinstance(place, Done):
            raise RefusedError(f"nobody would read it: {place.reason}")
        word = Word(text=text, by=by, to=to, step=position.debate.step, at=clock.now())
        words, digests = position.header.words, position.header.digests
        if any(word == old.model_copy(update={"at": word.at}) for old in words):
            return _write_prompts(position)
        if digests:  # an older version has none
            digests = {**digests, f"words.{len(words)}": digest_value(word.model_dump())}
        now = _change(position, words=[*words, word], digests=digests)
        _append(now, "said", word.at, by=by, to=to)
        return _write_prompts(now)


def _append(position: Position, name: str, at: str, **data: str) -> None:
    where = {"debate": position.header.debate_id, "step": position.debate.step}
    events.append_events(position.folder, [{"event": name, **where, **data, "at": at}])
