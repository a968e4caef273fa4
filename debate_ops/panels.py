"""The panel of a debate: making it, going on to it when the debate is complete, and its state.

A panel is a debate in the protocol `speeches`, in a folder inside of the debate that it reads.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from debate_ops import engine, runner
from debate_ops.engine import Position
from debate_ops.core.errors import RefusedError
from debate_ops.formats import debate_file
from debate_ops.model.turn import Done, Turn
from debate_ops.run.base import Participant
from debate_ops.run.table import EVERYBODY
from debate_ops.run.progress import Display
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.settings import panel_of
from debate_ops.protocols.speeches.settings import NAME as PROTOCOL
from debate_ops.protocols.speeches.settings import members_of
from debate_ops.reports import brief as briefs
from debate_ops.reports import hearing, table
from debate_ops.reports.blocks import Paragraph, words
from debate_ops.reports.view import View
from debate_ops.run.spending import Limits
from debate_ops.storage import commit
from debate_ops.storage.folder import Folder

USUAL = 3
"""How many members a panel has where nobody says otherwise."""


def cast_of(panel: Folder, judges: Sequence[Participant]) -> dict[str, Participant]:
    """Return who replies for each member: the judges in turn."""
    names = members_of(engine.look(panel).debate.settings)
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
    if not hearing.can_decide(debate):
        return position
    panel = engine.next_turn(prepare(source, anew=is_old))
    return panel if isinstance(panel.due, Turn) else position


def run(position: Position, judge: Participant, limits: Limits, display: Display) -> None:
    """Run the panel that is due on a complete debate, if one is: each member is the same judge."""
    panel = going_on(position)
    if isinstance(panel.due, Turn) and panel.folder != position.folder:
        cast = cast_of(panel.folder, [judge])
        runner.run(panel.folder, None, cast, limits=limits, display=display)


def state(position: Position) -> dict[str, str] | None:
    """Return how far the panel is that a debate is to have, and its verdict; None without one."""
    if not panel_of(position.debate):
        return None
    if is_due(position):
        return {"state": "due", "verdict": ""}
    if hearing.of(position.folder, position.debate)[0] is None:
        return {"state": "nothing to decide" if _is_wanted(position) else "later", "verdict": ""}
    shown = sentences(position.folder)
    return {"state": "done", "verdict": shown[0] if shown else ""}


def is_due(position: Position) -> bool:
    """Tell whether a debate is complete but for the panel that it is to have."""
    if not _is_wanted(position):
        return False
    panel, _ = hearing.of(position.folder, position.debate)
    if panel is None:
        return hearing.can_decide(position.debate)
    return isinstance(engine.look(hearing.place(position.folder)).due, Turn)


def _is_wanted(position: Position) -> bool:
    is_complete = isinstance(position.due, Done) and position.debate.state.phase != CANCELLED
    return is_complete and bool(panel_of(position.debate) and position.debate.step)


def sentences(source: Folder) -> list[str]:
    """Return what the page says of the panel of a debate, as far as it is said in sentences."""
    panel = engine.look(hearing.place(source)).debate
    section = table.read(engine.look(source).debate, panel).panel
    return [words(b.line) for b in section.blocks if isinstance(b, Paragraph)] if section else []


def prepare(
    source: Folder, judges: int | None = None, personas: Sequence[str] = (), *, anew: bool = False
) -> Folder:
    """Return where the panel of a debate is held: made, if it is not there yet.

    Raises:
        RefusedError: there is nothing to decide, or the panel that is there has another number of
            members or has read another record.
    """
    debate, panel = engine.look(source).debate, hearing.place(source)
    view = table.view_of(debate)
    number = judges or panel_of(debate) or USUAL
    settings = hearing.settings(view, number, list(personas), _issues(source, view))
    if os.path.lexists(panel.path) and anew:
        commit.set_aside(source, panel.path)
    if not os.path.lexists(panel.path):
        framing = debate_file.framing(debate.body)
        engine.create(panel.slug, framing, protocol=PROTOCOL, settings=settings, inside=source.path)
    asked = len(members_of(engine.look(panel).debate.settings))
    if judges not in {None, asked}:
        raise RefusedError(
            f"the panel of {source.name} has {asked} members, not {judges}",
            hint=f"Hold another with 'panel {source.name} --anew'; the old one is set aside.",
        )
    hearing.file(panel, list(hearing.speeches(view)), source.name)
    if not hearing.is_current(engine.look(panel).debate, debate):
        raise RefusedError(
            f"the panel of {source.name} has read another record than the one of now",
            hint=f"Hold it anew with 'panel {source.name} --anew'; the old one is set aside.",
        )
    return panel


def _issues(source: Folder, view: View) -> list[str]:
    """Return the issues of the debate's brief; none where it has no current one."""
    brief, _ = briefs.of(source, view)
    if brief is None or brief.out_of_date:
        return []
    return [words(issue["question"]) for issue in brief.data.get("issues", ())]
