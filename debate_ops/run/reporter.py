"""Have a participant write the memo of a debate, and take it in."""

from __future__ import annotations

from contextlib import closing
from threading import Event as Flag

from debate_ops import engine
from debate_ops.core.errors import ParticipantFailedError, ToRepairError
from debate_ops.core.replies import schema_of
from debate_ops.core.values import Fault, Task, Turn
from debate_ops.engine import inbox, store
from debate_ops.engine.store import Folder
from debate_ops.report import memo
from debate_ops.report.memo import REPORTER
from debate_ops.report.reading import Reading, read_debate
from debate_ops.run.base import Answer, AskResult, FailedError, Participant, Prompt, ask
from debate_ops.run.endings import Stop, report_ending, shorten
from debate_ops.run.progress import Display, Event, Notes, describe_duration
from debate_ops.run.runner import REPAIRS, USUAL_LIMITS, read_prompt


def write_memo(
    folder: Folder,
    participant: Participant,
    *,
    timeout: float = USUAL_LIMITS.timeout,
    display: Display | None = None,
) -> None:
    """Ask a participant for the memo until one is taken in; a current one stays as it is.

    One who fails is asked once more; a refused memo is handed back at most twice.

    Raises:
        BusyError: another process runs this debate.
        ParticipantFailedError: it gave no usable memo; the debate stays as it is.
        InterruptedRunError: a signal came.
    """
    shown = display or Display()

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
            result = _ask(reading, participant, timeout, shown, stop)
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
            report("memo", f"the {REPORTER} wrote {store.MEMO} ({took})")
            return
        raise ParticipantFailedError(
            f"the {REPORTER} gave no usable memo; the debate itself is complete and on record",
            hint=f"Ask again with 'run {folder.name} --reporter SPEC'.",
            faults=faults,
        )


def _ask(
    reading: Reading, participant: Participant, timeout: float, display: Display, stop: Stop
) -> AskResult:
    """Ask for the memo, once more after a failure; return what came in the end."""
    text, file = read_prompt(memo.find_memo_slot(reading.folder), with_repair=True)
    at, task, done = reading.at, Task(REPORTER, "memo"), Flag()
    turn, schema = Turn(at.place.round, at.place.phase, (task,)), schema_of(memo.Advice)
    prompt = Prompt(text, file, at.debate.step, turn, task, schema, timeout, done)
    with closing(ask({REPORTER: (participant, prompt)}, done, stop.is_asked)) as answers:
        for result in answers:
            if result is None:
                display.wait(f"waiting for the {REPORTER}")
            elif not result.once_more:
                return result
            elif isinstance(result.said, FailedError):
                why = f"{reading.folder.slug}: {result.said.describe()}; asked once more"
                display.show(Event("retry", why))
    raise KeyboardInterrupt
