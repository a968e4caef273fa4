"""The demo: the real debate that ships with the project, held again by replaying its record."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from debate_ops import endings, engine, progress, reporter, runner
from debate_ops.engine import Position
from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.formats import brief_file, debate_file
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ADVICE
from debate_ops.core.texts import one_line
from debate_ops.run.replay import Replay, entries_of
from debate_ops.run.table import EVERYBODY
from debate_ops.run.progress import Display, Event
from debate_ops.prompts.build import skill_folder
from debate_ops.protocols.first_answer import ADVISER
from debate_ops.reports import provenance
from debate_ops.reports.provenance import NOT_RECORDED
from debate_ops.storage import load
from debate_ops.storage.folder import DEBATES, Folder, find

SLUG = "demo"
EXAMPLE = "leap-seconds"
"""The debate to replay."""

_MOTION_SHOWN = 160


def demo(slug: str = SLUG, *, quiet: bool = False) -> int:
    """Hold the example debate again in the user's `debates/`, and return the exit code."""
    return endings.exit_code(replay(slug, _WithoutWarnings(progress.display(quiet=quiet))))


class _WithoutWarnings:
    """Shows what happens, without warnings: those of a debate held long ago help nobody."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self.wait = display.wait

    def show(self, event: Event) -> None:
        """Show an event that is no warning."""
        if event.name != "warning":
            self._display.show(event)


def replay(slug: str, display: Display) -> Position:
    """Hold the example debate again as `debates/<slug>`; go on where an earlier demo stopped.

    Every recorded reply goes through the same checks, scores and commits as when it was new.

    Raises:
        ConfigurationError: no example came with the program.
        UsageError: the slug is a debate of the user's own, or of another example.
        DebateError: see `runner.run`.
    """
    example = find_example()
    recorded = engine.with_settings(load.load(example).debate)
    later = recorded.state.exchange - 1
    position = _begun(slug, recorded)
    display.show(Event("label", label(position), dict(position.debate.replay_of or {})))
    if position.debate.state.exchange >= recorded.state.exchange:
        text = f"{position.folder.path} exists, and is complete: nothing was held again."
        display.show(Event("exists", text, {"debate": slug}))
        return position
    owed = None if position.debate.request else later
    names = [EVERYBODY, *([ADVISER] if recorded.record.ids(ADVICE) else [])]
    participants = dict.fromkeys(names, Replay(example))
    position = runner.run(position.folder, owed, participants, display=display)
    if position.debate.state.exchange >= recorded.state.exchange:
        _take_brief(example, position.folder, display)
    return position


def _take_brief(example: Folder, folder: Folder, display: Display) -> None:
    """Take over the brief of the example, where it has one, held to the new record."""
    if os.path.lexists(example.within(brief_file.NAME)):
        reporter.write_brief(folder, Replay(example), display=display)


def label(position: Position) -> str:
    """Return one line that says what is replayed, when it was recorded, and by whom."""
    result = position.debate.replay_of or {}
    motion = one_line(debate_file.framing(position.debate.body).motion, _MOTION_SHOWN)
    makers = dict.fromkeys((result.get("by") or {}).values())
    return (
        f'Replay of "{motion}", debated on {result.get("held") or f"a day {NOT_RECORDED}"}; '
        f"who debated: {', '.join(map(str, makers))}. No model runs now."
    )


def find_example() -> Folder:
    """Return the debate that ships with the program.

    Raises:
        ConfigurationError: it is not there.
    """
    folder = Folder(os.path.join(skill_folder(), DEBATES, EXAMPLE))
    if os.path.lexists(folder.debate_file):
        return folder
    raise ConfigurationError(
        f"no debate to replay came with the program: there is no {folder.path}",
        hint="Install debate_ops again, or clone it with its 'debates' folder.",
    )


def _begun(slug: str, recorded: Debate) -> Position:
    if not Path(DEBATES, slug, debate_file.NAME).exists():
        return engine.create(
            slug,
            debate_file.framing(recorded.body),
            protocol=recorded.protocol,
            settings=recorded.settings,
            replay_of=_origin(recorded),
        )
    position = engine.look(find(slug))
    before = position.debate.replay_of
    if before is None or before.get("debate") != recorded.slug:
        what = "a debate of yours" if before is None else f"a replay of {before.get('debate')}"
        raise UsageError(
            f"{position.folder.path} exists already, and it is {what}",
            hint="Choose another slug, as in 'demo my-demo'; nothing was changed.",
        )
    return position


def _origin(recorded: Debate) -> dict[str, Any]:
    entries = entries_of(recorded)
    return {
        "debate": recorded.slug,
        "held": _period([str(entry.header.get("at", "")) for entry in entries], recorded.created),
        "by": {
            made.participant: ", ".join(made.by) or NOT_RECORDED
            for made in provenance.find_provenance(recorded)
        },
    }


def _period(times: Sequence[str], created: str) -> str:
    days = sorted({time[:10] for time in times if time}) or [created[:10]]
    return " – ".join(dict.fromkeys([days[0], days[-1]]))  # noqa: RUF001  (an en dash: from, to)
