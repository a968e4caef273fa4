"""The command `panel`: several who read a debate once, blind, half of them in the other order."""

from __future__ import annotations

import os
from collections.abc import Sequence

from debate_ops import engine, runner
from debate_ops.cli import answers, hearings
from debate_ops.cli.answers import Answer
from debate_ops.engine import Position
from debate_ops.errors import RefusedError
from debate_ops.formats import debate_file
from debate_ops.model.turn import Done, Turn
from debate_ops.participants.base import Participant
from debate_ops.participants.table import EVERYBODY, participant
from debate_ops.progress import Display
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.settings import panel_of
from debate_ops.protocols.speeches.settings import NAME as PROTOCOL
from debate_ops.protocols.speeches.settings import members_of
from debate_ops.reports import brief as briefs
from debate_ops.reports import hearing, table, track_record
from debate_ops.reports.blocks import Paragraph, words
from debate_ops.reports.view import View
from debate_ops.spending import Limits
from debate_ops.storage import commit, folder
from debate_ops.storage.folder import Folder

USUAL = 3
"""How many members a panel has where nobody says otherwise."""


def panel(  # noqa: PLR0913  (what the command line gives)
    debate: str,
    *,
    judges: int | None,
    judge: Sequence[str],
    persona: Sequence[str],
    anew: bool,
    quiet: bool,
    timeout: float,
) -> Answer:
    """Have a panel read a debate: those who are named, or else agents of the caller's."""
    source = folder.find(debate)
    replying = [participant(spec) for spec in judge]
    held = _held(source, judges, persona, anew=anew)
    if replying:
        hearings.run(held, cast_of(held, replying), quiet=quiet, timeout=timeout)
    position = hearings.settled(held)
    result = {"success": True} | answers.state(position) | hearings.waiting([position])
    lines = hearings.task_lines(result, f"panel {source.name}")
    is_done = isinstance(position.due, Done)
    result |= {"state": "done" if is_done else "turn", "verdict": None}
    if is_done and (shown := _sentences(source, held)):
        records, _ = track_record.kept(source)
        sat = list(track_record.judges(engine.look(source).debate, position.debate, records))
        result |= {"verdict": shown[0], "judges": [each.as_data() for each in sat]}
        known = [f"{each.sentence()}." for each in sat]
        lines = [*shown, *known, f"Next:  {answers.invocation()} report {source.name}"]
    return Answer(result, lines)


def cast_of(held: Folder, judges: Sequence[Participant]) -> dict[str, Participant]:
    """Return who replies for each member: the judges in turn."""
    names = members_of(engine.look(held).debate.settings)
    # Of the others, nobody is due.
    return {name: judges[n % len(judges)] for n, name in enumerate(names)} | {EVERYBODY: judges[0]}


def going_on(position: Position) -> Position:
    """Return where the panel stands that is due on a complete debate, or else the debate itself.

    The panel is made if it is not there yet; one that has read another record is set aside.
    """
    if not _is_wanted(position):
        return position
    source, debate = position.folder, position.debate
    is_old = os.path.lexists(hearing.place(source).path) and not hearing.of(source, debate)[0]
    try:
        held = engine.next_turn(_held(source, None, (), anew=is_old))
    except RefusedError:  # nothing was said that a panel could decide
        return position
    return held if isinstance(held.due, Turn) else position


def run(position: Position, judge: Participant, limits: Limits, display: Display) -> None:
    """Run the panel that is due on a complete debate, if one is: each member is the same judge."""
    held = going_on(position)
    if isinstance(held.due, Turn) and held.folder != position.folder:
        cast = cast_of(held.folder, [judge])
        runner.run(held.folder, None, cast, limits=limits, display=display)


def state(position: Position) -> dict[str, str] | None:
    """Return how far the panel is that a debate is to have, and its verdict; None without one."""
    if not panel_of(position.debate):
        return None
    if is_due(position):
        return {"state": "due", "verdict": ""}
    if hearing.of(position.folder, position.debate)[0] is None:
        return {"state": "later", "verdict": ""}
    shown = _sentences(position.folder, hearing.place(position.folder))
    return {"state": "done", "verdict": shown[0] if shown else ""}


def is_due(position: Position) -> bool:
    """Tell whether a debate is complete but for the panel that it is to have."""
    if not _is_wanted(position):
        return False
    held, _ = hearing.of(position.folder, position.debate)
    return held is None or isinstance(engine.look(hearing.place(position.folder)).due, Turn)


def _is_wanted(position: Position) -> bool:
    is_complete = isinstance(position.due, Done) and position.debate.state.phase != CANCELLED
    return is_complete and bool(panel_of(position.debate) and position.debate.step)


def _sentences(source: Folder, held: Folder) -> list[str]:
    """Return what the page says of a panel, as far as it is said in sentences."""
    section = table.read(engine.look(source).debate, engine.look(held).debate).panel
    return [words(b.line) for b in section.blocks if isinstance(b, Paragraph)] if section else []


def _held(source: Folder, judges: int | None, persona: Sequence[str], *, anew: bool) -> Folder:
    """Return where the panel of a debate is held: made, if it is not there yet.

    Raises:
        RefusedError: it has read another record.
    """
    debate, held = engine.look(source).debate, hearing.place(source)
    view = table.view_of(debate)
    number = judges or panel_of(debate) or USUAL
    settings = hearing.settings(view, number, list(persona), _issues(source, view))
    if os.path.lexists(held.path) and anew:
        commit.set_aside(source, held.path)
    if not os.path.lexists(held.path):
        framing = debate_file.framing(debate.body)
        engine.create(held.slug, framing, protocol=PROTOCOL, settings=settings, inside=source.path)
    asked = len(members_of(engine.look(held).debate.settings))
    if judges not in {None, asked}:
        raise RefusedError(
            f"the panel of {source.name} has {asked} members, not {judges}",
            hint=f"Hold another with 'panel {source.name} --anew'; the old one is set aside.",
        )
    hearing.file(held, list(hearing.speeches(view)), source.name)
    if not hearing.is_current(engine.look(held).debate, debate):
        raise RefusedError(
            f"the panel of {source.name} has read another record than the one of now",
            hint=f"Hold it anew with 'panel {source.name} --anew'; the old one is set aside.",
        )
    return held


def _issues(source: Folder, view: View) -> list[str]:
    """Return the issues of the debate's brief; none where it has no current one."""
    brief, _ = briefs.of(source, view)
    if brief is None or brief.out_of_date:
        return []
    return [words(issue["question"]) for issue in brief.data.get("issues", ())]
