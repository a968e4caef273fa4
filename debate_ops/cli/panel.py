"""The command `panel`: several who read a debate once, blind, half of them in the other order."""

from __future__ import annotations

import os
from collections.abc import Sequence

from debate_ops import engine
from debate_ops.cli import answers, hearings
from debate_ops.cli.answers import Answer
from debate_ops.errors import RefusedError
from debate_ops.formats import debate_file
from debate_ops.model.turn import Done
from debate_ops.participants.table import EVERYBODY, participant
from debate_ops.protocols.speeches.settings import NAME as PROTOCOL
from debate_ops.protocols.speeches.settings import members_of
from debate_ops.reports import brief as briefs
from debate_ops.reports import hearing, table
from debate_ops.reports.blocks import Paragraph, words
from debate_ops.reports.view import View
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
        names = members_of(engine.look(held).debate.settings)
        cast = {name: replying[n % len(replying)] for n, name in enumerate(names)}
        cast[EVERYBODY] = replying[0]  # nobody else is due
        hearings.run(held, cast, quiet=quiet, timeout=timeout)
    position = hearings.settled(held)
    result = {"success": True} | answers.state(position) | hearings.waiting([position])
    lines = hearings.task_lines(result, f"panel {source.name}")
    is_done = isinstance(position.due, Done)
    result |= {"state": "done" if is_done else "turn", "verdict": None}
    if is_done and (section := table.read(engine.look(source).debate, position.debate).panel):
        shown = [words(b.line) for b in section.blocks if isinstance(b, Paragraph)]
        result["verdict"] = shown[0]
        lines = [*shown, f"Next:  {answers.invocation()} report {source.name}"]
    return Answer(result, lines)


def _held(source: Folder, judges: int | None, persona: Sequence[str], *, anew: bool) -> Folder:
    """Return where the panel of a debate is held: made, if it is not there yet.

    Raises:
        RefusedError: it has read another record.
    """
    debate, held = engine.look(source).debate, hearing.place(source)
    view = table.view_of(debate)
    settings = hearing.settings(view, judges or USUAL, list(persona), _issues(source, view))
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
