"""Run a debate without an agent client: next, ask, submit, until nothing is owed."""

from __future__ import annotations

import math
import signal
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from threading import Event as Flag
from typing import Any

from debate_ops import clock, engine, progress
from debate_ops.engine import (
    REFUSED,
    REPLIED,
    SKIPPED,
    WAITING,
    Outcome,
    Position,
    RepliesRefusedError,
    TaskStatus,
)
from debate_ops.errors import (
    BUG,
    DONE,
    WAITING_FOR_PERSON,
    DebateError,
    Finding,
    ParticipantFailedError,
    UsageError,
)
from debate_ops.formats import entries
from debate_ops.model.turn import OMIT, Absent, Done, Turn, Waiting
from debate_ops.participants import stop as stopping
from debate_ops.participants.ask import Asked, Heard, Pace, ask, prompt_in
from debate_ops.participants.base import Answer, FailedError, Participant, Prompt, TimedOutError
from debate_ops.participants.table import cast
from debate_ops.progress import Display, Event, duration
from debate_ops.protocols.table import rules_of
from debate_ops.spending import Limits, Spending
from debate_ops.storage import events, files, inbox, lock
from debate_ops.storage.folder import Folder

USUAL_LIMITS = Limits()
REPAIRS = 2
"""How many times a refused reply is handed back."""


def displayed(act: Callable[[Display], int], *, quiet: bool, json_lines: bool) -> int:
    """Do something with progress on the standard streams and return the exit code.

    With `json_lines` an error is the last of the lines on standard output, and not raised.

    Raises:
        DebateError: what is done raised it.
    """
    display = progress.display(quiet=quiet, json_lines=json_lines)
    try:
        return act(display)
    except DebateError as error:
        if not json_lines:
            raise
        for text in (f"debate-ops: {error.message}", f"  {error.hint}"):
            progress.display().show(Event("error", text))
        return error.exit_code


def exit_code(position: Position) -> int:
    """Return the exit code of a run that came to its end there."""
    return WAITING_FOR_PERSON if isinstance(position.due, Waiting) else DONE


def run(
    folder: Folder,
    exchanges: int | None,
    participants: Mapping[str, Participant],
    *,
    limits: Limits = USUAL_LIMITS,
    display: Display | None = None,
) -> Position:
    """Run `exchanges` more exchanges, or without a number finish what was asked for before.

    `participants` are named by participant (`prop`), by role (`debater`) or `all`. Replies that
    an earlier run left in the inbox are used. One who gives none in time is
    asked once more with half as much time again, one who fails otherwise once more as before; a
    refused reply is handed back at most twice. Whoever then still has no reply is absent where
    the debate goes on without it and somebody else could answer. The `adviser` is asked if one is
    named; otherwise, and where it fails, the debate goes on without the first answer.

    Raises:
        UsageError: nothing is owed, or a name in `participants` means nobody.
        BusyError: another process runs this debate.
        ParticipantFailedError: a participant gave no usable reply.
        LimitReachedError: the next turn is likely to go over one of `limits`.
        InterruptedRunError: a signal came.
    """
    display = display or progress.Silent()
    with stopping.heard() as stop, ending(folder, display, stop), _alone(folder):
        if exchanges is not None and exchanges < 1:
            raise UsageError(f"{exchanges} exchanges cannot be held", hint="Say 1 or more.")
        replying = cast(engine.look(folder).debate, participants)
        return _Run(folder, replying, limits, display, stop).finish(exchanges)


@contextmanager
def _alone(folder: Folder) -> Iterator[None]:
    inbox.prepare(folder)
    # `next` looks for a runner by taking this lock for an instant: that is no other runner.
    with lock.held(inbox.run_lock(folder), "is running this debate", wait=0.1):
        yield


@contextmanager
def ending(folder: Folder, display: Display, stop: stopping.Stop) -> Iterator[None]:
    """Tell the end of a run that does not come to its own end, with its exit code."""
    try:
        try:
            yield
        except KeyboardInterrupt:
            raise _interrupted(folder, stop) from None
    except DebateError as error:
        result = {"exit": error.exit_code, "code": error.code, "error": error.message}
        faults = [fault.sentence() for fault in error.faults]
        display.show(Event("done", data=result | {"errors": faults, "hint": error.hint}))
        raise
    except Exception as error:
        display.show(Event("done", data={"exit": BUG, "code": "bug", "error": str(error)}))
        raise


def _interrupted(folder: Folder, stop: stopping.Stop) -> stopping.InterruptedRunError:
    hint = f"Everything that came is kept. Go on with {_go_on(folder)}."
    if stop.signal in {0, signal.SIGINT}:
        return stopping.InterruptedRunError("interrupted", hint=hint)
    return stopping.TerminatedRunError("terminated", hint=hint)


def _go_on(folder: Folder) -> str:
    return f"'run {folder.name}' and the same options"


class _Run:
    """One run: who replies, within which bounds, and where progress is shown."""

    def __init__(
        self,
        folder: Folder,
        replying: Mapping[str, Participant],
        limits: Limits,
        display: Display,
        stop: stopping.Stop,
    ) -> None:
        self._folder = folder
        self._replying = replying
        self._timeout = limits.timeout
        self._pace = Pace(limits.at_once, limits.per_minute)
        self._names = {name: participant.name for name, participant in replying.items()}
        self._spending = Spending(limits, self._names)
        self._display = display
        self._stop = stop
        self._warned: set[str] = set()

    def finish(self, exchanges: int | None) -> Position:
        """Go from turn to turn until nothing is owed any more."""
        position = engine.next_turn(self._folder, exchanges)
        _refuse_idle(position, exchanges)
        self._display.show(progress.launch(position, self._names))
        while isinstance(position.due, Turn) and position.calls_left is not None:
            self._warn(position, position.warnings)
            self._spending.require_room(position)
            position = self._complete(position, position.due)
        self._display.show(progress.done(position, exit_code(position)))
        return position

    def _complete(self, position: Position, turn: Turn) -> Position:
        """Ask for the replies of a turn until they are committed; return what is due then.

        Raises:
            ParticipantFailedError: one failed, or all did; what came is kept.
        """
        for item in position.tasks:
            if item.status == REPLIED:
                self._report(position, "reused", f"{item.task.participant}'s reply is here", item)
        refusals: Counter[str] = Counter()
        names = (i.task.participant for i in position.tasks if i.status in {WAITING, REFUSED})
        absent = {n: Absent(n, "skip", "nobody", "run") for n in names if n not in self._replying}
        while True:
            absent |= self._collect(position, turn, absent)
            self._refuse_silence(position, absent)
            try:
                outcome = engine.submit(self._folder, turn.step, absent=absent)
            except RepliesRefusedError as refused:
                position, given_up = self._after_refusal(position, refused, refusals, absent)
                absent |= given_up
            else:
                self._report_outcome(position, outcome)
                return outcome.position

    def _refuse_silence(self, position: Position, absent: Mapping[str, Absent]) -> None:
        """Refuse to record that nobody at all could answer.

        That says something of the programs, not of the debate.

        Raises:
            ParticipantFailedError: several were to reply, and each of them failed.
        """
        own_limit = {item.task.participant for item in position.tasks if item.task.seconds}
        if isinstance(position.due, Turn) and position.due.seconds:
            own_limit |= absent.keys()
        needed = [item for item in position.tasks if item.task.on_failure != OMIT]
        names = (item.task.participant for item in needed)  # in the order of the turn
        silent = ((name, absent[name]) for name in names if name in absent)
        failed = {n: a for n, a in silent if _has_failed(a, has_limit=n in own_limit)}
        asked = {item.task.participant for item in needed if item.status != SKIPPED}
        if len(failed) > 1 and failed.keys() >= asked:
            raise _failed(
                self._folder,
                [Finding("participant_failed", a.reason, name) for name, a in failed.items()],
            )

    def _collect(
        self, position: Position, turn: Turn, absent: Mapping[str, Absent]
    ) -> dict[str, Absent]:
        """Put every reply that is still due into the inbox; return who else is absent now.

        Whoever is `absent` already is not asked.

        Raises:
            ParticipantFailedError: one failed; what the others said is kept.
        """
        due = {item.task.participant: item for item in position.tasks if _is_due(item, absent)}
        stop = Flag()
        # Counted from here and not from the last commit: a run that goes on gives everybody time.
        closes = time.monotonic() + turn.seconds if turn.seconds else math.inf
        asked = {name: self._asked(turn, item, stop, closes) for name, item in due.items()}
        silent: dict[str, Absent] = {}
        failures = []
        begun, awaited = time.monotonic(), list(due)
        with closing(ask(asked, stop, self._stop.is_asked, self._pace)) as answers:
            for heard in answers:
                if heard is None:
                    seconds = time.monotonic() - begun
                    self._display.wait(progress.awaited(position, awaited, seconds))
                    continue
                if not heard.once_more:
                    awaited.remove(heard.name)
                ended = self._take(position, due[heard.name], heard)
                silent |= {heard.name: ended} if isinstance(ended, Absent) else {}
                failures += [ended] if isinstance(ended, Finding) else []
        if self._stop.is_asked():
            raise KeyboardInterrupt
        if failures:
            raise _failed(self._folder, failures)
        return silent

    def _asked(self, turn: Turn, item: TaskStatus, stop: Flag, closes: float) -> Asked:
        text, file = prompt_in(item.slot, with_repair=item.status == REFUSED)
        limit = float(item.task.seconds or self._timeout)
        prompt = Prompt(text, file, turn, item.task, limit, stop, closes)
        return Asked(self._replying[item.task.participant], prompt)

    def _take(self, position: Position, item: TaskStatus, heard: Heard) -> Absent | Finding | None:
        """Keep what one participant said; return what there is instead of a reply."""
        name, said = heard.name, heard.said
        if isinstance(said, Answer | FailedError):
            letters = len(files.read_text(item.slot.prompt)) + len(getattr(said, "raw", b""))
            self._spending.add(said.made_by, letters)
        if isinstance(said, Answer):
            inbox.put(item.slot, said.raw, said.made_by)
            recorded = self._replying[name].recorded
            text = "" if recorded else f"{name} replied ({duration(heard.seconds)})"
            self._report(position, "replied", text, item, seconds=round(heard.seconds, 1))
            return None
        if isinstance(said, Absent):
            return said
        if heard.once_more:
            text = f"{name}: {said.in_full()}; asked once more"
            self._report(position, "retry", text, item, why=said.in_full())
            return None
        self._report(position, "failed", f"{name}: {said.in_full()}", item, why=said.in_full())
        failed = events.of_failure(position.debate, name, said.sentence, clock.now())
        events.append(self._folder, [failed])
        if self._may_be_absent(item):
            how = "time-out" if isinstance(said, TimedOutError) else "skip"
            return Absent(name, how, said.sentence, "run")
        return Finding("participant_failed", said.in_full(), name)

    def _may_be_absent(self, item: TaskStatus) -> bool:
        """Tell whether the debate goes on without a reply; a replay's are all on record."""
        recorded = self._replying[item.task.participant].recorded
        return item.task.on_failure in ({OMIT} if recorded else {OMIT, "absence"})

    def _after_refusal(
        self,
        position: Position,
        refused: RepliesRefusedError,
        refusals: Counter[str],
        absent: Mapping[str, Absent],
    ) -> tuple[Position, dict[str, Absent]]:
        """Return the position from which refused participants are asked again, and who is not.

        Raises:
            ParticipantFailedError: one was refused too often, or cannot mend a reply, and the
                debate does not go on without it.
        """
        after = refused.position
        again = [item for item in after.tasks if _is_due(item, absent)] if after else []
        if after is None or not again:
            raise refused
        hopeless: list[Finding] = []
        given_up = {}
        for item in again:
            name = item.task.participant
            refusals[name] += 1
            own = [fault for fault in refused.faults if fault.participant == name]
            sentences = [fault._replace(participant="").sentence() for fault in own]
            text = f"{name}'s reply was refused: {_in_short(sentences)}"
            self._report(position, "refused", text, item, faults=sentences)
            recorded = self._replying[name].recorded
            if refusals[name] <= REPAIRS and not recorded:
                continue
            if self._may_be_absent(item):
                reason = f"refused {refusals[name]} times: {_in_short(sentences)}"
                given_up[name] = Absent(name, "skip", reason, "run")
            else:
                hopeless += own
        if hopeless:
            raise _failed(self._folder, hopeless, refusals)
        return after, given_up

    def _report(
        self, position: Position, name: str, text: str, item: TaskStatus, **data: Any
    ) -> None:
        data = {"participant": item.task.participant, **data}
        self._display.show(progress.event(position, name, text, data))

    def _warn(self, position: Position, warnings: Sequence[Finding]) -> None:
        new = {w.sentence(): w.code for w in warnings if w.sentence() not in self._warned}
        self._warned |= new.keys()
        for sentence, code in new.items():
            data = {"code": code, "message": sentence}
            self._display.show(progress.event(position, "warning", f"warning: {sentence}", data))

    def _report_outcome(self, position: Position, outcome: Outcome) -> None:
        self._warn(position, outcome.warnings)
        record = outcome.position.debate.record
        for entry in filter(None, map(record.get, outcome.committed)):
            self._display.show(progress.committed(position, outcome, entries.parse(entry)))


def _has_failed(absent: Absent, *, has_limit: bool) -> bool:
    """Tell whether a participant failed in this run: a replay's absence is none.

    A time-out is no failure where the debate itself gives that participant so much time.
    """
    return absent.by == "run" and not (has_limit and absent.how == "time-out")


def _is_due(item: TaskStatus, absent: Container[str]) -> bool:
    return item.status in {WAITING, REFUSED} and item.task.participant not in absent


def is_idle(position: Position) -> bool:
    """Tell whether a debate waits for nobody: all that was asked for is held."""
    if isinstance(position.due, Turn):
        return position.calls_left is None
    return isinstance(position.due, Done)


def _refuse_idle(position: Position, exchanges: int | None) -> None:
    due, debate = position.due, position.debate
    if exchanges is not None or not is_idle(position):
        return
    hint = f"Say how many more exchanges to run, as in 'run {position.folder.name} 3'."
    if not isinstance(due, Done):
        raise UsageError("nothing is owed: no exchanges were asked for", hint=hint)
    if rules_of(debate.protocol).last_exchange(debate.settings) is None:
        raise UsageError("nothing is owed: all that was asked for is held", hint=hint)
    raise UsageError(f"nothing is owed: {due.reason}", hint="It has ended; see it with 'show'.")


def _in_short(sentences: Sequence[str]) -> str:
    more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
    return "".join(sentences[:1]) + more


def _failed(
    folder: Folder, faults: Sequence[Finding], refusals: Mapping[str, int] | None = None
) -> ParticipantFailedError:
    names = list(dict.fromkeys(fault.participant for fault in faults))
    times = max(refusals[name] for name in names) if refusals else 0
    why = f": refused {times} time{'s' if times > 1 else ''}, see inbox/refused" if times else ""
    return ParticipantFailedError(
        f"{' and '.join(names)} gave no usable reply{why}",
        hint=f"Everything that came is kept. Go on with {_go_on(folder)}, or leave "
        f"{names[0]} out with 'skip {folder.name} --participant {names[0]} --reason \"…\"'.",
        faults=tuple(faults),
    )
