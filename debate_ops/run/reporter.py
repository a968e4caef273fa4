"""Have a participant write the brief of a debate, and take it in."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from threading import Event as Flag
from typing import Any

from debate_ops import engine, progress
from debate_ops.run.endings import ending
from debate_ops.engine import Position
from debate_ops.core.errors import Finding, ParticipantFailedError, ToRepairError
from debate_ops.formats.brief_file import NAME
from debate_ops.model.turn import Task, Turn
from debate_ops.run import stop as stopping
from debate_ops.run.ask import Asked, Heard, ask, prompt_in
from debate_ops.run.base import Answer, FailedError, Participant, Prompt
from debate_ops.run.progress import Display, Event, duration
from debate_ops.reports import brief, hearing
from debate_ops.reports.brief import REPORTER
from debate_ops.reports.table import view_of
from debate_ops.run.runner import REPAIRS, USUAL_LIMITS
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder


def write_brief(
    folder: Folder,
    participant: Participant,
    *,
    timeout: float = USUAL_LIMITS.timeout,
    display: Display | None = None,
) -> None:
    """Ask a participant for the brief until one is taken in; a current one stays as it is.

    One who fails is asked once more; a refused brief is handed back at most twice.

    Raises:
        ParticipantFailedError: it gave no usable brief; the debate stays as it is.
        InterruptedRunError: a signal came.
    """
    display = display or progress.Silent()
    with stopping.heard() as stop, ending(folder, display, stop):
        _Asking(engine.look(folder), participant, timeout, display, stop).until_taken()


class _Asking:
    """One who is asked for a brief, and where progress is shown."""

    def __init__(
        self,
        position: Position,
        participant: Participant,
        timeout: float,
        display: Display,
        stop: stopping.Stop,
    ) -> None:
        self._position = position
        self._folder = position.folder
        self._place = brief.slot(position.folder)
        self._participant = participant
        self._timeout = timeout
        self._display = display
        self._stop = stop

    def until_taken(self) -> None:
        """Ask until there is a current brief."""
        debate = self._position.debate
        view = view_of(debate, hearing.of(self._folder, debate)[0])
        current, _ = brief.of(self._folder, view)
        if current is not None and not current.out_of_date:
            return
        brief.write_prompt(self._folder, view)
        faults: tuple[Finding, ...] = ()
        for _ in range(1 if self._participant.recorded else 1 + REPAIRS):
            faults = self._ask()
            if not faults:
                return
        raise _failed(self._folder, faults)

    def _ask(self) -> tuple[Finding, ...]:
        """Ask once and take the brief in; return the faults of one that is refused."""
        heard = self._heard()
        if not isinstance(heard.said, Answer):
            fault = Finding(ParticipantFailedError.code, _why(heard), REPORTER)
            raise _failed(self._folder, (fault,))
        inbox.put(self._place, heard.said.raw, heard.said.made_by)
        for remark in heard.said.remarks:
            self._report("warning", f"warning: {remark}")
        try:
            warnings = brief.take(self._folder, self._place.reply)
        except ToRepairError as refused:
            sentences = refused.sentences()
            self._report("refused", f"the brief was refused: {sentences[0]}", faults=sentences)
            return refused.faults
        for warning in warnings:
            self._report("warning", f"warning: {warning.sentence()}", code=warning.code)
        text = f"the {REPORTER} wrote {NAME} ({duration(heard.seconds)})"
        self._report("brief", text, file=self._folder.within(NAME))
        return ()

    def _heard(self) -> Heard:
        """Return what the participant said in the end."""
        with closing(self._answers()) as answers:
            for heard in answers:
                if heard is None:
                    self._display.wait(f"waiting for the {REPORTER}")
                elif heard.once_more:
                    self._report("retry", f"{_why(heard)}; asked once more", why=_why(heard))
                else:
                    return heard
        raise KeyboardInterrupt

    def _answers(self) -> Generator[Heard | None, None, None]:
        text, file = prompt_in(self._place, with_repair=True)
        debate, done = self._position.debate, Flag()
        task = Task(REPORTER, REPORTER, brief.SCHEMA, brief.SCHEMA)
        turn = Turn(debate.step, debate.state.exchange, debate.state.phase, (task,))
        prompt = Prompt(text, file, turn, task, self._timeout, done)
        return ask({REPORTER: Asked(self._participant, prompt)}, done, self._stop.is_asked)

    def _report(self, name: str, text: str, **data: Any) -> None:
        debate = self._position.debate
        result = {"debate": debate.slug, "step": debate.step, "participant": REPORTER}
        self._display.show(Event(name, f"{debate.slug}: {text}", result | data))


def _why(heard: Heard) -> str:
    return heard.said.in_full() if isinstance(heard.said, FailedError) else "there is no brief"


def _failed(folder: Folder, faults: Sequence[Finding]) -> ParticipantFailedError:
    return ParticipantFailedError(
        f"the {REPORTER} gave no usable brief; the debate itself is held and on record",
        hint=f"Ask again with 'run {folder.name} --reporter SPEC', or let 'report {folder.name}' "
        "name the prompt for an agent of yours.",
        faults=tuple(faults),
    )
