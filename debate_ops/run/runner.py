"""Run a debate without an agent client: next, ask, submit, until nothing is owed."""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import closing
from functools import partial
from threading import Event as Flag
from typing import Any

from debate_ops import clock, engine, progress
from debate_ops.run.endings import ending, exit_code, failed, in_short, logged, refuse_idle
from debate_ops.engine import (
    REFUSED,
    REPLIED,
    SKIPPED,
    WAITING,
    Position,
    RepliesRefusedError,
    TaskStatus,
)
from debate_ops.core.errors import Finding, RefusedError, UsageError
from debate_ops.formats import entries
from debate_ops.model.turn import OMIT, Absent, Turn, Waiting
from debate_ops.run import stop as stopping
from debate_ops.run.ask import Asked, Heard, Pace, ask, prompt_in
from debate_ops.run.base import Answer, FailedError, Participant, Prompt, TimedOutError
from debate_ops.run.table import cast
from debate_ops.run.progress import Display, duration
from debate_ops.run.running import Noted
from debate_ops.run.spending import Limits, Spending
from debate_ops.storage import events, inbox, lock
from debate_ops.storage.folder import Folder

USUAL_LIMITS = Limits()
REPAIRS = 2
"""How many times a refused reply is handed back."""
_SECONDS_BETWEEN_LOOKS = 0.5
"""How often a run looks whether a person has done something about it."""


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
    with stopping.heard() as stop, ending(folder, display, stop):
        inbox.prepare(folder)
        # `next` looks for a runner by taking this lock for an instant: that is no other runner.
        alone = lock.held(inbox.run_lock(folder), "is running this debate", wait=0.1)
        with alone, logged(folder):
            if exchanges is not None and exchanges < 1:
                raise UsageError(f"{exchanges} exchanges cannot be held", hint="Say 1 or more.")
            replying = cast(engine.look(folder).debate, participants)
            noted = Noted(folder, {name: who.name for name, who in replying.items()})
            with closing(noted):
                return _Run(noted, replying, limits, display, stop).finish(exchanges)


class _Run:
    """One run: who replies, within which bounds, and where progress is shown."""

    def __init__(
        self,
        noted: Noted,
        replying: Mapping[str, Participant],
        limits: Limits,
        display: Display,
        stop: stopping.Stop,
    ) -> None:
        self._folder = noted.folder
        self._replying = replying
        self._timeout = limits.timeout
        self._pace = Pace(limits.at_once, limits.per_minute)
        self._names = {name: participant.name for name, participant in replying.items()}
        self._spending = Spending(limits, self._names)
        self._display = display
        self._stop = stop
        self._noted = noted
        self._warned: set[str] = set()

    def finish(self, exchanges: int | None) -> Position:
        """Go from turn to turn until nothing is owed any more."""
        engine.lift_stop(self._folder)
        position = self._resumed(engine.next_turn(self._folder, exchanges))
        refuse_idle(position, exchanges)
        self._display.show(progress.launch(position, self._names))
        while isinstance(position.due, Turn) and position.calls_left is not None:
            self._warn(position, position.warnings)
            self._spending.require_room(position)
            position = self._resumed(self._complete(position, position.due))
        self._display.show(progress.done(position, exit_code(position)))
        return position

    def _resumed(self, position: Position) -> Position:
        """Return where the debate stands once nobody has it paused any more."""
        while isinstance(position.due, Waiting) and engine.is_paused(position):
            self._display.wait(f"{self._folder.name}: {position.due.reason}")
            time.sleep(_SECONDS_BETWEEN_LOOKS)
            if self._stop.is_asked():
                raise KeyboardInterrupt
            position = engine.next_turn(self._folder)
        return position

    def _is_overtaken(self, turn: Turn) -> bool:
        """Tell whether a person has decided or cancelled the debate while its turn was run."""
        return engine.step_on_disk(self._folder) != turn.step

    def _is_over(self, turn: Turn) -> Callable[[], bool]:
        """Return what tells whether nobody has to be asked any more; it looks now and then."""
        looked = time.monotonic()

        def is_over() -> bool:
            nonlocal looked
            if self._stop.is_asked() or time.monotonic() - looked < _SECONDS_BETWEEN_LOOKS:
                return self._stop.is_asked()
            looked = time.monotonic()
            return self._is_overtaken(turn)

        return is_over

    def _complete(self, position: Position, turn: Turn) -> Position:
        """Ask for the replies of a turn until they are committed; return what is due then."""
        for item in position.tasks:
            if item.status == REPLIED:
                self._report(position, "reused", f"{item.task.participant}'s reply is here", item)
        refusals: Counter[str] = Counter()
        names = (i.task.participant for i in position.tasks if i.status in {WAITING, REFUSED})
        absent = {n: Absent(n, "skip", "nobody", "run") for n in names if n not in self._replying}
        while True:
            absent |= self._collect(position, turn, absent)
            if self._is_overtaken(turn):
                return engine.next_turn(self._folder)
            self._refuse_silence(position, absent)
            try:
                outcome = engine.submit(self._folder, turn.step, absent=absent)
            except RepliesRefusedError as refused:
                position, given_up = self._after_refusal(position, refused, refusals, absent)
                absent |= given_up
            except RefusedError:
                if not self._is_overtaken(turn):
                    raise
                return engine.next_turn(self._folder)
            else:
                self._warn(position, outcome.warnings)
                record = outcome.position.debate.record
                for entry in filter(None, map(record.get, outcome.committed)):
                    value = entries.parse(entry)
                    self._display.show(progress.committed(position, outcome, value))
                return outcome.position

    def _refuse_silence(self, position: Position, absent: Mapping[str, Absent]) -> None:
        """Refuse to record that nobody at all could answer.

        That says something of the programs, not of the debate.
        """
        own_limit = {item.task.participant for item in position.tasks if item.task.seconds}
        if isinstance(position.due, Turn) and position.due.seconds:
            own_limit |= absent.keys()
        needed = [item for item in position.tasks if item.task.on_failure != OMIT]
        names = [item.task.participant for item in needed]  # in the order of the turn
        failures = {
            name: absence
            for name in names
            if (absence := absent.get(name))
            and absence.by == "run"  # a replay's is no failure
            # Nor is a time-out where the debate itself gives that participant so much time.
            and not (absence.how == "time-out" and name in own_limit)
        }
        asked = {item.task.participant for item in needed if item.status != SKIPPED}
        if len(failures) > 1 and failures.keys() >= asked:
            raise failed(
                self._folder,
                [Finding("participant_failed", a.reason, name) for name, a in failures.items()],
            )

    def _collect(
        self, position: Position, turn: Turn, absent: Mapping[str, Absent]
    ) -> dict[str, Absent]:
        """Put every reply that is still due into the inbox; return who else is absent now.

        Whoever is `absent` already is not asked.
        """
        due = {item.task.participant: item for item in position.tasks if _is_due(item, absent)}
        stop = Flag()
        # Counted from here and not from the last commit: a run that goes on gives everybody time.
        closes = time.monotonic() + turn.seconds if turn.seconds else math.inf
        asked = {name: self._asked(turn, item, stop, closes) for name, item in due.items()}
        silent: dict[str, Absent] = {}
        failures = []
        begun, awaited = time.monotonic(), list(due)
        self._noted.begin(due)
        self._append(position, "call_started", *due)
        try:
            with closing(ask(asked, stop, self._is_over(turn), self._pace)) as answers:
                for heard in answers:
                    if heard is None:
                        self._noted.save()
                        seconds = time.monotonic() - begun
                        self._display.wait(progress.awaited(position, awaited, seconds))
                        continue
                    if not heard.once_more:
                        awaited.remove(heard.name)
                        self._noted.end(heard.name)
                    read = len(asked[heard.name].prompt.text)
                    ended = self._take(position, due[heard.name], heard, read)
                    silent |= {heard.name: ended} if isinstance(ended, Absent) else {}
                    failures += [ended] if isinstance(ended, Finding) else []
        finally:
            self._append(position, "call_ended", *awaited, outcome="stopped")
        if self._stop.is_asked():
            raise KeyboardInterrupt
        if failures and not self._is_overtaken(turn):
            raise failed(self._folder, failures)
        return silent

    def _asked(self, turn: Turn, item: TaskStatus, stop: Flag, closes: float) -> Asked:
        text, file = prompt_in(item.slot, with_repair=item.status == REFUSED)
        limit = float(item.task.seconds or self._timeout)
        hear = partial(self._noted.hear, item.task.participant)
        prompt = Prompt(text, file, turn, item.task, limit, stop, closes, hear)
        return Asked(self._replying[item.task.participant], prompt)

    def _take(
        self, position: Position, item: TaskStatus, heard: Heard, read: int
    ) -> Absent | Finding | None:
        """Keep what one participant said to so many letters; return what is there for a reply."""
        name, said = heard.name, heard.said
        made = getattr(said, "made_by", {})
        known = {key: made.get(key) for key in ("model", "tokens", "cost_usd")}
        seconds = None if "SOURCE_DATE_EPOCH" in os.environ else round(heard.seconds, 1)
        words = {"why": said.sentence, "said": said.said} if isinstance(said, FailedError) else {}
        none = "replied" if isinstance(said, Answer) else "absent"
        more = {"outcome": getattr(said, "outcome", none), "seconds": seconds, **known}
        if heard.once_more:
            self._append(position, "call_ended", name, **more, **words)
            self._append(position, "call_started", name)
        else:
            self._append(position, "call_ended", name, **more)
        if isinstance(said, Answer | FailedError):
            self._spending.add(said.made_by, read + len(getattr(said, "raw", b"")))
        if isinstance(said, Answer):
            inbox.put(item.slot, said.raw, said.made_by)
            recorded = self._replying[name].recorded
            text = "" if recorded else f"{name} replied ({duration(heard.seconds)})"
            self._report(position, "replied", text, item, seconds=round(heard.seconds, 1))
            self._warn(position, [Finding("participant", r, name) for r in said.remarks])
            return None
        if isinstance(said, Absent):
            return said
        if heard.once_more:
            text = f"{name}: {said.in_full()}; asked once more"
            self._report(position, "retry", text, item, why=said.in_full())
            return None
        self._report(position, "failed", f"{name}: {said.in_full()}", item, why=said.in_full())
        self._append(position, "participant_failed", name, **known, **words)
        if self._may_be_absent(item):
            how = "time-out" if isinstance(said, TimedOutError) else "skip"
            return Absent(name, how, said.sentence, "run")
        return Finding("participant_failed", said.in_full(), name)

    def _append(self, position: Position, event: str, *names: str, **more: Any) -> None:
        debate, at = position.debate, clock.now()
        of = {name: {"participant": name, "by": self._names[name]} for name in names}
        happened = [events.of_run(debate, event, at, **of[name], **more) for name in names]
        events.append(self._folder, happened)

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
        """Return the position from which refused participants are asked again, and who is not."""
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
            text = f"{name}'s reply was refused: {in_short(sentences)}"
            self._report(position, "refused", text, item, faults=sentences)
            recorded = self._replying[name].recorded
            if refusals[name] <= REPAIRS and not recorded:
                continue
            reason = f"refused {refusals[name]} times: {in_short(sentences)}"
            self._append(position, "participant_failed", name, why=reason)
            if self._may_be_absent(item):
                given_up[name] = Absent(name, "skip", reason, "run")
            else:
                hopeless += own
        if hopeless:
            raise failed(self._folder, hopeless, refusals)
        return after, given_up

    def _report(
        self, position: Position, name: str, text: str, item: TaskStatus, **data: Any
    ) -> None:
        data = {"participant": item.task.participant, **data}
        self._display.show(progress.event(position, name, text, **data))

    def _warn(self, position: Position, warnings: Sequence[Finding]) -> None:
        new = {w.sentence(): w.code for w in warnings if w.sentence() not in self._warned}
        self._warned |= new.keys()
        for sentence, code in new.items():
            text, data = f"warning: {sentence}", {"code": code, "message": sentence}
            self._display.show(progress.event(position, "warning", text, **data))


def _is_due(item: TaskStatus, absent: Container[str]) -> bool:
    return item.status in {WAITING, REFUSED} and item.task.participant not in absent
