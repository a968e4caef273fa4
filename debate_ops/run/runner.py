"""Run a debate without an agent client: next, ask, submit, until nothing is due; then its memo."""

import math
import os
import time
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from typing import Any

from debate_ops import engine
from debate_ops.analysis.usage import read_usage
from debate_ops.core import clock
from debate_ops.core.errors import ParticipantFailedError, RefusedError, ToRepairError
from debate_ops.core.replies import schema_of
from debate_ops.core.values import ABSENCE, EXCUSE, OMIT, Absent, Fault, Task, Turn, Waiting
from debate_ops.engine import Position, RepliesRefusedError, TaskStatus, events, files, inbox
from debate_ops.engine.cited_files import open_library
from debate_ops.engine.inbox import PAUSED
from debate_ops.engine.record import read_debate_file
from debate_ops.engine.store import MEMO, Folder
from debate_ops.report import memo
from debate_ops.report.memo import REPORTER
from debate_ops.report.reading import Reading, read_debate
from debate_ops.run import progress
from debate_ops.run.base import Answer, Asked, AskResult, FailedError, Participant, Prompt, ask
from debate_ops.run.cast import Person, find_cast
from debate_ops.run.endings import Stop, describe_failure, refuse_idle, report_ending, shorten
from debate_ops.run.progress import Display, Event, describe_duration, open_span
from debate_ops.run.running import Notes
from debate_ops.run.spending import Limits, Spending

USUAL_LIMITS = Limits()
REPAIRS = 2
"""How many times a refused reply is handed back."""
_SECONDS_BETWEEN_CHECKS = 0.5


def run(  # noqa: PLR0913  (what a run is made of)
    folder: Folder,
    exchanges: int | None,
    participants: Mapping[str, Participant],
    *,
    limits: Limits = USUAL_LIMITS,
    spending: Spending | None = None,
    display: Display | None = None,
    listening: Stop | None = None,
    has_memo: bool = False,
) -> Position:
    """Run `exchanges` more exchanges, or without a number finish what was asked for before.

    `participants` are named by participant (`prop`), by role (`debater`) or `all`. Whoever has no
    reply in the end is absent where the debate goes on without it and somebody else could answer.
    In a thread, `listening` is what the main thread listens for signals with. `spending` is what
    was used before within the same limits.

    Raises:
        UsageError: nothing is due, or a name in `participants` means nobody.
        BusyError: another process runs this debate.
        ParticipantFailedError: a participant gave no usable reply.
        LimitReachedError: the next turn is likely to go over one of `limits`.
        InterruptedRunError: a signal came.
    """
    display = display or Display()
    with report_ending(listening, log=folder) as stop, inbox.lock_run(folder):
        replying = find_cast(engine.load(folder), participants)
        names = {n: who.name for n, who in replying.items()}
        about = {"debate.slug": folder.slug}
        with closing(Notes(folder, names)) as notes, open_span("debate.run", about):
            one = _Run(notes, replying, spending or Spending(limits), display, stop)
            return one.finish(exchanges, has_memo=has_memo)


def file_replies(folder: Folder, participants: Mapping[str, Participant], *, wait: float) -> None:
    """Ask participants, by name, for what is due from them now, and put it into the inbox.

    Raises:
        BusyError: another process has asked for longer than `wait` seconds.
        ParticipantFailedError: one gave no reply, or was refused too often to be asked again.
        InterruptedRunError: a signal came.
    """
    display, names = Display(), {name: who.name for name, who in participants.items()}
    with (
        report_ending(log=folder) as stop,
        inbox.lock_run(folder, wait),
        closing(Notes(folder, names)) as notes,
    ):
        _Run(notes, participants, Spending(USUAL_LIMITS), display, stop).file_replies()


class _Run:
    """One run: who replies, within which bounds, and where progress is shown."""

    def __init__(
        self,
        notes: Notes,
        replying: Mapping[str, Participant],
        spending: Spending,
        display: Display,
        stop: Stop,
    ) -> None:
        self._folder, self._names, self._notes = notes.folder, notes.names, notes
        self._replying, self._spending, self._limits = replying, spending, spending.limits
        self._display, self._stop = display, stop
        self._course = progress.Course()
        spending.expect(self._names)
        self._warned: set[str] = set()
        self._refusals: Counter[str] = Counter()
        self._failures: dict[str, list[Fault]] = {}

    def finish(self, exchanges: int | None, *, has_memo: bool) -> Position:
        """Go from turn to turn until nothing is due any more."""
        if (hold := inbox.read_hold(self._folder)) and hold.state == inbox.STOPPED:
            engine.resume(self._folder, "run")
        position = self._wait_while_paused(engine.next_turn(self._folder, exchanges))
        refuse_idle(position)
        asking = position.select_tasks(self._replying)
        self._display.show(progress.describe_launch(asking, self._names, has_memo=has_memo))
        while isinstance(position.due, Turn) and position.calls_left is not None:
            self._warn(position, position.warnings)
            self._spending.require_room(position)
            place = position.at.place
            about = {"debate.step": position.debate.step, "debate.exchange": place.round}
            with open_span("debate.turn", about | {"debate.phase": place.phase}):
                position = self._complete(position, position.due)
            position = self._wait_while_paused(position)
        reason = "" if isinstance(position.due, Turn) else position.due.reason
        self._display.show(Event("done", reason))
        return position

    def file_replies(self) -> None:
        """Have those who reply do so once; whoever does not has failed."""
        position = engine.next_turn(self._folder)
        if isinstance(position.due, Turn):
            names = {item.task.by for item in position.tasks} - self._replying.keys()
            absent = {name: Absent("skip", "", "run") for name in names}
            if silent := self._collect(position, position.due, absent):
                raise self._describe_failure(silent)

    def _wait_while_paused(self, position: Position) -> Position:
        """Return where the debate stands once nobody has it paused any more."""
        while isinstance(position.due, Waiting) and getattr(position.hold, "state", "") == PAUSED:
            self._display.wait(f"{self._folder.name}: {position.due.reason}")
            time.sleep(_SECONDS_BETWEEN_CHECKS)
            if self._stop.is_asked():
                raise KeyboardInterrupt
            position = engine.next_turn(self._folder)
        return position

    def _is_overtaken(self, step: int) -> bool:
        """Tell whether a person has decided or cancelled the debate while its turn was run."""
        return read_debate_file(self._folder).step != step

    def _is_over(self, step: int, awaited: Sequence[str]) -> bool:
        """Tell whether nobody has to be asked any more: a stopped debate still awaits programs."""
        if self._stop.is_asked() or self._is_overtaken(step):
            return True
        hold = inbox.read_hold(self._folder)
        by_people = all(isinstance(self._replying[name], Person) for name in awaited)
        return hold is not None and hold.state == inbox.STOPPED and by_people

    def _complete(self, position: Position, turn: Turn) -> Position:
        """Ask for the replies of a turn until they are committed; return what is due then."""
        step, folder = position.debate.step, self._folder
        names = {item.task.by for item in position.tasks if _is_due(item)} - self._replying.keys()
        absent = {name: Absent("skip", "nobody", "run") for name in names}
        self._refusals.clear()
        self._failures.clear()
        while (silent := self._collect(position, turn, absent)) is not None:
            absent |= silent
            self._require_replies(position, turn, absent)
            try:
                after = engine.submit(folder, step, absent=absent)
            except RepliesRefusedError as refused:
                position, given_up = self._after_refusal(position, refused, absent)
                absent |= given_up
                self._require_replies(position, turn, absent)
            except RefusedError:
                if not self._is_overtaken(step):
                    raise
                break
            else:
                self._warn(position, after.warnings)
                for entry_id in after.committed:
                    self._display.show(progress.describe_record(position, after, entry_id))
                return after
        return engine.next_turn(folder)

    def _require_replies(
        self, position: Position, turn: Turn, absent: Mapping[str, Absent]
    ) -> None:
        """Refuse to go on without a reply that is needed, or where nobody at all could answer.

        The latter says something of the programs; only without a judge may the debate go on.
        """
        stopping = {item.task.by for item in position.tasks if not self._may_be_absent(item)}
        failed = {name: absent[name] for name in self._failures if name in stopping}
        needed = [item for item in position.tasks if item.task.on_failure not in {OMIT, EXCUSE}]
        silent = {
            item.task.by: absence
            for item in needed
            if (absence := absent.get(item.task.by))
            and absence.by == "run"  # a replay's is no failure
            # Nor is a time-out where the debate itself gives so much time.
            and not (absence.how == "time-out" and (turn.seconds or item.task.seconds))
        }
        roles = position.protocol.participants(position.debate.settings)
        matters = len(silent) > 1 or any(roles[name] == "debater" for name in silent)
        asked = {item.task.by for item in needed if item.status != engine.SKIPPED}
        if failed or (matters and silent.keys() >= asked):
            raise self._describe_failure(failed or silent)

    def _describe_failure(self, absent: Mapping[str, Absent]) -> ParticipantFailedError:
        """Return the error that some gave no usable reply, with what they had to say."""
        faults = [
            fault
            for name, absence in absent.items()
            for fault in self._failures.get(name, [Fault("", absence.reason, by=name)])
        ]
        return describe_failure(self._folder, faults, max(self._refusals[n] for n in absent))

    def _collect(
        self, position: Position, turn: Turn, absent: Mapping[str, Absent]
    ) -> dict[str, Absent] | None:
        """Put every reply that is still due into the inbox; return who else is absent now.

        Whoever is `absent` already is not asked. None where the rest is not needed any more.
        """
        due = {item.task.by: item for item in position.tasks if _is_due(item, absent)}
        stop, begun = Flag(), time.monotonic()
        # Counted from here and not from the last commit: a run that goes on gives everybody time.
        closes = begun + turn.seconds if turn.seconds else math.inf
        asked = {name: self._prepare(position, item, stop, closes) for name, item in due.items()}
        silent, awaited = dict[str, Absent](), list(due)
        self._course.expect(position.select_tasks(self._replying))
        self._notes.begin(due)
        for name in due:
            if isinstance(self._replying[name], Person):
                form = f"in another terminal: debate-ops reply {self._folder.name} --as {name}"
                text = f"waiting for {name} ({self._names[name]}), {form}"
                self._report(position, "asked", text)
        self._log(position, "call_started", *due)
        is_over = partial(self._is_over, position.debate.step, awaited)
        try:
            with closing(ask(asked, stop, is_over)) as answers:
                for result in answers:
                    if result is None:
                        self._notes.save()
                        minutes, rest = divmod(int(time.monotonic() - begun), 60)
                        who = f"{' and '.join(awaited)} {minutes}:{rest:02d}"
                        course = self._describe_course(position, self._course.done + 1)
                        self._display.wait(f"{course}: waiting for {who}")
                        continue
                    name, (_, prompt) = result.name, asked[result.name]
                    if not result.once_more:
                        self._course.count(1)
                        awaited.remove(name)
                        self._notes.end(name)
                    if absence := self._take(position, due[name], result, len(prompt.text)):
                        silent[name] = absence
        finally:
            self._log(position, "call_ended", *awaited, outcome="stopped")
        if self._stop.is_asked():
            raise KeyboardInterrupt
        return None if awaited or self._is_overtaken(position.debate.step) else silent

    def _describe_course(self, position: Position, number: int) -> str:
        return self._course.describe(position, self._spending.used, number)

    def _prepare(self, position: Position, item: TaskStatus, stop: Flag, closes: float) -> Asked:
        """Return who is asked for one task, what, and within which bounds."""
        name, step = item.task.by, position.debate.step
        text, file = read_prompt(item.slot, with_repair=item.status == engine.REFUSED)
        if self._limits.keeps_prompts:
            kept = self._folder.within("prompts", f"{step}-{name}-{item.attempts + 1}.md")
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            inbox.write(kept, text)
        schema = schema_of(position.at.form_of(name))
        required = [*position.at.name_required(name), *schema.get("required", ())]
        schema = {**schema, "required": list(dict.fromkeys(required))}
        seconds = float(item.task.seconds or self._limits.timeout)
        note, library = partial(self._notes.note_text, name), open_library(position.at, name)
        what = (text, file, step, position.at.turn, item.task, schema, seconds, stop, closes)
        return self._replying[name], Prompt(*what, note_text=note, files=library)

    def _take(
        self, position: Position, item: TaskStatus, result: AskResult, read: int
    ) -> Absent | None:
        """Keep what one participant said to so many letters; return that it is absent, if it is."""
        name, said = result.name, result.said
        made = getattr(said, "made_by", {})
        known = {key: made.get(key) for key in ("model", "tokens", "cost_usd")}
        words = {"why": said.sentence, "said": said.said} if isinstance(said, FailedError) else {}
        known |= {"outcome": getattr(said, "outcome", "absent")}
        measured = None if "SOURCE_DATE_EPOCH" in os.environ else round(result.seconds, 1)
        self._log(position, "call_ended", name, seconds=measured, **known, **words)
        if isinstance(said, Absent):
            return said
        self._spending.add(made, read + len(getattr(said, "raw", b"")))
        if isinstance(said, Answer):
            inbox.put(item.slot, said.raw, made)
            if not self._replying[name].recorded:
                took = filter(None, (f"prompt of {read:,} characters", read_usage(made).sentence()))
                course = self._describe_course(position, self._course.done)
                text = f"{course}: {name} replied ({describe_duration(result.seconds)})"
                self._display.show(Event("replied", text, ", ".join(took)))
            return None
        why = said.describe()
        if result.once_more:
            self._log(position, "call_started", name)
            self._report(position, "retry", f"{name}: {why}; asked once more")
            return None
        self._failures[name] = [Fault("", why, by=name)]
        self._report(position, "failed", f"{name}: {why}")
        self._log(position, "participant_failed", name, **known, **words)
        how = "time-out" if said.outcome == "timed_out" else "skip"
        return Absent(how, said.sentence, "run")

    def _log(self, position: Position, event: str, *names: str, **more: Any) -> None:
        """Put an event of this run on the debate's log, once for each participant."""
        describe = partial(events.describe_run, position.at, self._folder.slug, event, clock.now())
        events.append_events(
            self._folder,
            [describe(participant=name, by=self._names[name], **more) for name in names],
        )

    def _may_be_absent(self, item: TaskStatus) -> bool:
        """Tell whether the debate goes on without a reply; a replay's are all on record."""
        replying = self._replying.get(item.task.by)
        is_recorded = replying is not None and replying.recorded
        return item.task.on_failure in ({OMIT} if is_recorded else {OMIT, ABSENCE, EXCUSE})

    def _after_refusal(
        self, position: Position, refused: RepliesRefusedError, absent: Mapping[str, Absent]
    ) -> tuple[Position, dict[str, Absent]]:
        """Return the position from which refused participants are asked again, and who is not."""
        after, given_up = refused.position, dict[str, Absent]()
        again = [item.task.by for item in after.tasks if _is_due(item, absent)] if after else []
        if after is None or not again:
            raise refused
        for name in again:
            self._refusals[name] += 1
            own = [fault for fault in refused.faults if fault.by == name]
            why = shorten([fault.sentence().removeprefix(f"{name}: ") for fault in own])
            self._report(position, "refused", f"{name}'s reply was refused: {why}")
            if self._refusals[name] <= REPAIRS and not self._replying[name].recorded:
                self._course.count(-1)
                continue
            reason = f"refused {self._refusals[name]} times: {why}"
            self._log(position, "participant_failed", name, why=reason)
            self._failures[name], given_up[name] = own, Absent("skip", reason, "run")
        return after, given_up

    def _report(self, position: Position, name: str, text: str) -> None:
        self._display.show(Event(name, f"{position.describe_place()}: {text}"))

    def _warn(self, position: Position, warnings: Sequence[Fault]) -> None:
        """Show each warning once."""
        new = dict.fromkeys(sentence for w in warnings if (sentence := w.sentence()))
        for sentence in (sentence for sentence in new if sentence not in self._warned):
            self._report(position, "warning", f"warning: {sentence}")
        self._warned |= new.keys()


def _is_due(item: TaskStatus, absent: Container[str] = ()) -> bool:
    return item.is_open and item.task.by not in absent


def read_prompt(slot: inbox.Slot, *, with_repair: bool) -> tuple[str, str]:
    """Return the prompt in the inbox, and its file; behind it what was wrong with a reply to it."""
    text = files.read_text(slot.prompt)
    if not with_repair or not os.path.exists(slot.repair):
        return text, slot.prompt
    text = f"{text}\n{files.read_text(slot.repair)}"
    inbox.write(slot.again, text)
    return text, slot.again


def write_memo(
    folder: Folder,
    participant: Participant,
    *,
    spending: Spending | None = None,
    display: Display | None = None,
) -> None:
    """Ask a participant for the memo until one is taken in; a current one stays as it is.

    Raises:
        BusyError: another process runs this debate.
        ParticipantFailedError: it gave no usable memo; the debate stays as it is.
        LimitReachedError: the memo is likely to go over a limit of `spending`.
        InterruptedRunError: a signal came.
    """
    shown, spending = display or Display(), spending or Spending(USUAL_LIMITS)
    spending.expect({REPORTER: participant.name})

    def report(name: str, text: str) -> None:
        shown.show(Event(name, f"{folder.slug}: {text}"))

    with (
        report_ending() as stop,
        inbox.lock_run(folder),
        closing(Notes(folder, {REPORTER: participant.name})) as notes,
    ):
        reading = read_debate(engine.load(folder))
        if reading.current_memo:
            return
        memo.write_memo_prompt(folder, reading.at, reading.verdict)
        notes.begin([REPORTER])
        place, faults = memo.find_memo_slot(folder), tuple[Fault, ...]()
        for _ in range(1 + REPAIRS):
            spending.require_room(replace(reading.position, tasks=()))
            result = _ask_for_memo(reading, participant, spending, shown, stop)
            said = result.said
            if not isinstance(said, Answer):
                why = said.describe() if isinstance(said, FailedError) else "there is no memo"
                faults = (Fault("", why, by=REPORTER),)
                break
            inbox.put(place, said.raw, said.made_by)
            try:
                warnings = memo.take_memo(folder, reading.at, reading.verdict, place.reply)
            except ToRepairError as refused:
                report("refused", f"the memo was refused: {shorten(refused.sentences())}")
                faults = refused.faults
                continue
            for warning in warnings:
                report("warning", f"warning: {warning.sentence()}")
            took = describe_duration(result.seconds)
            report("memo", f"the {REPORTER} wrote {MEMO} ({took})")
            return
        raise ParticipantFailedError(
            f"the {REPORTER} gave no usable memo; the debate itself is complete and on record",
            hint=f"Ask again with 'run {folder.name} --reporter SPEC'.",
            faults=faults,
        )


def _ask_for_memo(
    reading: Reading, participant: Participant, spending: Spending, display: Display, stop: Stop
) -> AskResult:
    """Ask for the memo, once more after a failure; return what came in the end."""
    text, file = read_prompt(memo.find_memo_slot(reading.folder), with_repair=True)
    at, task, done = reading.at, Task(REPORTER, "memo"), Flag()
    turn, schema = Turn(at.place.round, at.place.phase, (task,)), schema_of(memo.Advice)
    prompt = Prompt(text, file, at.debate.step, turn, task, schema, spending.limits.timeout, done)
    with closing(ask({REPORTER: (participant, prompt)}, done, stop.is_asked)) as answers:
        for result in answers:
            if result is None:
                display.wait(f"waiting for the {REPORTER}")
                continue
            written = len(getattr(result.said, "raw", b""))
            spending.add(getattr(result.said, "made_by", {}), len(text) + written)
            if not result.once_more:
                return result
            if isinstance(result.said, FailedError):
                why = f"{reading.folder.slug}: {result.said.describe()}; asked once more"
                display.show(Event("retry", why))
    raise KeyboardInterrupt
