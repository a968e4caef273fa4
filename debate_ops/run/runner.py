"""Run a debate without an agent client: next, ask, submit, until nothing is due; then its memo."""

import math
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event as Flag
from typing import Any

from debate_ops import engine
from debate_ops.analysis.usage import read_usage
from debate_ops.core import clock
from debate_ops.core.errors import ParticipantFailedError, RefusedError, ToRepairError
from debate_ops.core.protocol import Replayed
from debate_ops.core.replies import schema_of
from debate_ops.core.values import ABSENCE, EXCUSE, OMIT, Absent, Fault, Task, Turn, Waiting
from debate_ops.engine import Position, RepliesRefusedError, TaskStatus, events, files, inbox
from debate_ops.engine.cited_files import open_library
from debate_ops.engine.inbox import PAUSED
from debate_ops.engine.record import read_debate_file
from debate_ops.engine.store import MEMO, Folder
from debate_ops.report import memo
from debate_ops.report.memo import REPORTER
from debate_ops.report.reading import read_debate
from debate_ops.report.words import count
from debate_ops.run import progress
from debate_ops.run.cast import Person, find_cast
from debate_ops.run.endings import Stop, describe_failure, refuse_idle, report_ending
from debate_ops.run.participants import Answer, AskResult, Participant, Prompt, ask
from debate_ops.run.progress import Display, Event, describe_duration, open_span
from debate_ops.run.run_file import Notes
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
    cast, spending = find_cast(engine.load(folder), participants), spending or Spending(limits)
    with (
        report_ending(listening, log=folder) as stop,
        _open_run(folder, cast, stop, spending, display) as one,
        open_span("debate.run", {"debate.slug": folder.slug}),
    ):
        return one.finish(exchanges, has_memo=has_memo)


def file_replies(folder: Folder, participants: Mapping[str, Participant], *, wait: float) -> None:
    """Ask participants, by name, for what is due from them now, and put it into the inbox.

    Raises:
        BusyError: another process has asked for longer than `wait` seconds.
        ParticipantFailedError: one gave no reply, or was refused too often to be asked again.
        InterruptedRunError: a signal came.
    """
    with report_ending(log=folder) as stop, _open_run(folder, participants, stop, wait=wait) as one:
        one.file_replies()


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
    cast = {REPORTER: participant}
    with report_ending() as stop, _open_run(folder, cast, stop, spending, display) as one:
        one.write_memo()


@contextmanager
def _open_run(  # noqa: PLR0913  (what a run is made of)
    folder: Folder,
    replying: Mapping[str, Participant],
    stop: Stop,
    spending: Spending | None = None,
    display: Display | None = None,
    *,
    wait: float = 0.1,
) -> Iterator["_Run"]:
    """Begin a run, once no other runs this debate; refuse it if that takes `wait` seconds."""
    names = {name: who.name for name, who in replying.items()}
    spending = spending or Spending(USUAL_LIMITS)
    spending.expect(names)
    with inbox.lock_run(folder, wait), closing(Notes(folder, names)) as notes:
        yield _Run(folder, replying, names, stop, spending, display or Display(), notes)


@dataclass
class _Run:
    """One run: who replies, within which bounds, and where progress is shown."""

    folder: Folder
    replying: Mapping[str, Participant]
    names: Mapping[str, str]
    stop: Stop
    spending: Spending
    display: Display
    notes: Notes
    course: progress.Course = field(default_factory=progress.Course)
    place: str = ""
    warned: set[str] = field(default_factory=set)
    absent: dict[str, Absent] = field(default_factory=dict)
    refusals: Counter[str] = field(default_factory=Counter)
    failures: dict[str, list[Fault]] = field(default_factory=dict)

    def finish(self, exchanges: int | None, *, has_memo: bool) -> Position:
        """Go from turn to turn until nothing is due any more."""
        if (hold := inbox.read_hold(self.folder)) and hold.state == inbox.STOPPED:
            engine.resume(self.folder, "run")
        position = self._wait_while_paused(engine.next_turn(self.folder, exchanges))
        refuse_idle(position)
        asking = position.select_tasks(self.replying)
        self.display.show(progress.describe_launch(asking, self.names, has_memo=has_memo))
        while isinstance(position.due, Turn) and position.calls_left is not None:
            self.place = position.describe_place()
            self._warn(position.warnings)
            self.spending.require_room(position)
            place = position.at.place
            about = {"debate.step": position.debate.step, "debate.exchange": place.round}
            with open_span("debate.turn", about | {"debate.phase": place.phase}):
                position = self._complete(position, position.due)
            position = self._wait_while_paused(position)
        reason = "" if isinstance(position.due, Turn) else position.due.reason
        self.display.show(Event("done", reason))
        return position

    def file_replies(self) -> None:
        """Have those who reply do so once; whoever does not has failed."""
        position = engine.next_turn(self.folder)
        if isinstance(position.due, Turn) and self._collect(position, position.due) and self.absent:
            raise self._describe_failure([*self.absent])

    def write_memo(self) -> None:
        """Have the memo written until it is one, unless there is one of this record."""
        reading, self.place = read_debate(engine.load(self.folder)), self.folder.slug
        if reading.memo:
            return
        at, task = reading.at, Task(REPORTER, "memo")
        slot = memo.write_memo_prompt(self.folder, at, reading.verdict)
        last = max((entry.round for entry in at.debate.entries.values()), default=0)
        turn = Turn(last, progress.MEMO_PHASE, (task,))
        writing = replace(reading.position, at=replace(at, place=turn), calls_left=1)
        for attempts in range(1 + REPAIRS):
            self.spending.require_room(replace(reading.position, tasks=()))
            asked = (TaskStatus(task, engine.WAITING, attempts, slot),)
            position = replace(writing, tasks=asked)
            if not self._collect(position, turn):  # the debate went on
                return
            if faults := tuple(self.failures.get(REPORTER, ())):
                break
            try:
                warnings = memo.take_memo(self.folder, at, reading.verdict, slot.reply)
            except ToRepairError as refused:
                faults, why = refused.faults, f"the memo was refused: {_shorten(refused.faults)}"
                self._report("refused", why)
                if attempts == REPAIRS:
                    self._log(position, "participant_failed", REPORTER, why=why)
                else:
                    self.course.count(-1)
            else:
                self._warn(warnings)
                self._report("memo", f"the {REPORTER} wrote {MEMO}")
                return
        raise ParticipantFailedError(
            f"the {REPORTER} gave no usable memo; the debate itself is complete and on record",
            hint=f"Ask again with 'run {self.folder.name} --reporter SPEC'.",
            faults=faults,
        )

    def _wait_while_paused(self, position: Position) -> Position:
        """Return where the debate stands once nobody has it paused any more."""
        reason = ""
        while isinstance(position.due, Waiting) and getattr(position.hold, "state", "") == PAUSED:
            if reason != (reason := position.due.reason):
                self._report("paused", f"{reason}; 'resume {self.folder.name}' ends it")
            self.display.wait(f"{self.folder.name}: {position.due.reason}")
            time.sleep(_SECONDS_BETWEEN_CHECKS)
            if self.stop.is_asked():
                raise KeyboardInterrupt
            position = engine.next_turn(self.folder)
        return position

    def _complete(self, position: Position, turn: Turn) -> Position:
        """Ask for the replies of a turn until they are committed; return what is due then."""
        step = position.debate.step
        for of_a_turn in (self.absent, self.failures, self.refusals):
            of_a_turn.clear()
        while self._collect(position, turn):
            self._require_replies(position, turn)
            try:
                after = engine.submit(self.folder, step, absent=self.absent)
            except RepliesRefusedError as refused:
                position = self._hand_back(refused)
            except RefusedError:
                if not self._is_overtaken(step):
                    raise
                break
            else:
                self._warn(after.warnings)
                for entry_id in after.committed:
                    self.display.show(progress.describe_record(position, after, entry_id))
                return after
        return engine.next_turn(self.folder)

    def _is_overtaken(self, step: int) -> bool:
        """Tell whether a person has decided or cancelled the debate while its turn was run."""
        return read_debate_file(self.folder).step != step

    def _collect(self, position: Position, turn: Turn) -> bool:
        """Put every reply that is still due into the inbox; tell whether the turn is still on."""
        asking = position.select_tasks(self.replying)
        due = {i.task.by: i for i in asking.tasks if i.task.by not in self.absent}
        stop, step = Flag(), position.debate.step
        # Counted from here and not from the last commit: a run that goes on gives everybody time.
        begun = time.monotonic()
        bounds = (turn, stop, begun + turn.seconds if turn.seconds else math.inf)
        asked = {name: self._prepare(position.at, item, *bounds) for name, item in due.items()}
        self.notes.begin(asked)
        self.course.expect(asking)
        people = [name for name in due if isinstance(self.replying[name], Person)]
        for name in people:
            form = f"in another terminal: debate-ops reply {self.folder.name} --as {name}"
            self._report("asked", f"waiting for {name} ({self.names[name]}), {form}")
        self._log(position, "call_started", *due)

        def is_over() -> bool:
            if self.stop.is_asked() or self._is_overtaken(step):
                return True
            hold = inbox.read_hold(self.folder)  # where a debate is stopped, programs still reply
            return hold is not None and hold.state == inbox.STOPPED and asked.keys() <= {*people}

        pairs = {name: (self.replying[name], prompt) for name, prompt in asked.items()}
        try:
            with closing(ask(pairs, stop, is_over)) as results:
                for result in results:
                    if result is None:
                        self.notes.save()
                        minutes, rest = divmod(int(time.monotonic() - begun), 60)
                        who = f"{' and '.join(asked)} {minutes}:{rest:02d}"
                        self.display.wait(f"{self._describe_course(1)}: waiting for {who}")
                        continue
                    if not result.once_more:
                        del asked[result.name]
                    self._take(position, due[result.name], result)
        finally:
            self._log(position, "call_ended", *asked, outcome="stopped")
        if self.stop.is_asked():
            raise KeyboardInterrupt
        return not (asked or self._is_overtaken(step))

    def _describe_course(self, ahead: int = 0) -> str:
        return self.course.describe(self.spending.used, self.course.done + ahead)

    def _prepare(
        self, at: Replayed, item: TaskStatus, turn: Turn, stop: Flag, closes: float
    ) -> Prompt:
        """Return what is asked for one task, and within which bounds."""
        name, step = item.task.by, at.debate.step
        text, file = _read_prompt(item.slot)
        if self.spending.limits.keeps_prompts:
            kept = self.folder.within("prompts", f"{step}-{name}-{item.attempts + 1}.md")
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            files.write_derived(kept, text)
        schema = schema_of(memo.Advice if name == REPORTER else at.form_of(name))
        named = () if name == REPORTER else at.name_required(name)
        required = [*dict.fromkeys([*named, *schema.get("required", ())])]
        what = (text, file, step, turn, item.task, schema | {"required": required})
        seconds = float(item.task.seconds or self.spending.limits.timeout)
        note, library = partial(self.notes.note_text, name), open_library(at, name)
        return Prompt(*what, seconds, stop, closes, note_text=note, files=library)

    def _take(self, position: Position, item: TaskStatus, result: AskResult) -> None:
        """Keep what one participant said, or that it is absent."""
        name, said = result.name, result.said
        if isinstance(said, Absent):
            self._note_end(position, result, outcome="absent")
            self.absent[name] = said
            return
        read = len(result.prompt.text)
        self.spending.add(said.made_by, read + len(getattr(said, "raw", b"")))
        known = {key: said.made_by.get(key) for key in ("model", "tokens", "cost_usd")}
        known |= {"outcome": said.outcome}
        if isinstance(said, Answer):
            self._note_end(position, result, **known)
            inbox.put(item.slot, said.raw, said.made_by)
            if not self.replying[name].recorded:
                used = read_usage(said.made_by).sentence()
                took = ", ".join(filter(None, (f"prompt of {read:,} characters", used)))
                text = f"{name} replied ({describe_duration(result.seconds)})"
                self.display.show(Event("replied", f"{self._describe_course()}: {text}", took))
            return
        known |= {"why": said.sentence, "said": said.said}
        self._note_end(position, result, **known)
        if result.once_more:
            self._log(position, "call_started", name)
            self._report("retry", f"{name}: {said.describe()}; asked once more")
            return
        self._report("failed", f"{name}: {said.describe()}")
        self._log(position, "participant_failed", name, **known)
        how = "time-out" if said.outcome == "timed_out" else "skip"
        self.absent[name] = Absent(how, said.sentence, "run")
        self.failures[name] = [Fault("", said.describe(), by=name)]

    def _note_end(self, position: Position, result: AskResult, **known: Any) -> None:
        """Note that a call has ended, and unless it is made once more that one is not asked now."""
        measured = None if "SOURCE_DATE_EPOCH" in os.environ else round(result.seconds, 1)
        self._log(position, "call_ended", result.name, seconds=measured, **known)
        if not result.once_more:
            self.course.count(1)
            self.notes.end(result.name)

    def _require_replies(self, position: Position, turn: Turn) -> None:
        """Refuse to go on without a reply that is needed, or where nobody at all could answer.

        The latter says something of the programs; only without a judge may the debate go on.
        """
        needed = [item for item in position.tasks if item.task.on_failure not in {OMIT, EXCUSE}]
        stopping = {
            item.task.by
            for item in needed
            if item.task.by in self.failures
            # What a replay does not say is not on record.
            and (item.task.on_failure != ABSENCE or self.replying[item.task.by].recorded)
        }
        silent = {
            item.task.by
            for item in needed
            if (absence := self.absent.get(item.task.by))
            and absence.by == "run"  # a replay's is no failure
            # Nor is a time-out where the debate itself gives so much time.
            and not (absence.how == "time-out" and (turn.seconds or item.task.seconds))
        }
        roles = position.protocol.participants(position.debate.settings)
        matters = len(silent) > 1 or any(roles[name] == "debater" for name in silent)
        asked = {item.task.by for item in needed if item.status != engine.SKIPPED}
        if failed := stopping or (matters and silent >= asked and silent):
            raise self._describe_failure([i.task.by for i in needed if i.task.by in failed])

    def _describe_failure(self, names: Sequence[str]) -> ParticipantFailedError:
        """Return the error that some gave no usable reply, with what they had to say."""
        faults = [
            fault
            for name in names
            for fault in self.failures.get(name, [Fault("", self.absent[name].reason, by=name)])
        ]
        return describe_failure(self.folder, faults, max(self.refusals[name] for name in names))

    def _hand_back(self, refused: RepliesRefusedError) -> Position:
        """Return the position from which refused participants are asked again, if they are."""
        position = refused.position
        due = position.select_tasks(self.replying).tasks if position else ()
        again = [item.task.by for item in due if item.task.by not in self.absent]
        if position is None or not again:
            raise refused
        for name in again:
            self.refusals[name] += 1
            own = [fault for fault in refused.faults if fault.by == name]
            why = _shorten(own).removeprefix(f"{name}: ")
            self._report("refused", f"{name}'s reply was refused: {why}")
            if self.refusals[name] <= REPAIRS and not self.replying[name].recorded:
                self.course.count(-1)
                continue
            reason = f"refused {self.refusals[name]} times: {why}"
            self._log(position, "participant_failed", name, why=reason)
            self.failures[name], self.absent[name] = own, Absent("skip", reason, "run")
        return position

    def _log(self, position: Position, event: str, *names: str, **more: Any) -> None:
        """Put an event of this run on the debate's log, once for each participant."""
        describe = partial(events.describe_run, position.at, self.folder.slug, event, clock.now())
        events.append_events(
            self.folder,
            [describe(participant=name, by=self.names[name], **more) for name in names],
        )

    def _report(self, name: str, text: str) -> None:
        self.display.show(Event(name, f"{self.place}: {text}"))

    def _warn(self, warnings: Sequence[Fault]) -> None:
        """Show each warning once."""
        new = dict.fromkeys(sentence for w in warnings if (sentence := w.sentence()))
        for sentence in (sentence for sentence in new if sentence not in self.warned):
            self._report("warning", f"warning: {sentence}")
        self.warned |= new.keys()


def _shorten(faults: Sequence[Fault]) -> str:
    """Return the first of some faults, and how many more there are."""
    more = f" (and {count(len(faults) - 1, 'more fault')})" if len(faults) > 1 else ""
    return "".join(fault.sentence() for fault in faults[:1]) + more


def _read_prompt(slot: inbox.Slot) -> tuple[str, str]:
    """Return the prompt in the inbox, and its file; behind it what was wrong with a reply to it."""
    text = files.read_text(slot.prompt)
    if not os.path.exists(slot.repair):
        return text, slot.prompt
    text = f"{text}\n{files.read_text(slot.repair)}"
    files.write_derived(slot.again, text)
    return text, slot.again
