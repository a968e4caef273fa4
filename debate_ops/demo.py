"""The demo: the real debate that ships with the project, held again by replaying its record."""

from __future__ import annotations

import os
from typing import Any

from debate_ops import engine
from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.texts import one_line
from debate_ops.engine import Position, debate_file, store
from debate_ops.engine.prompts import find_skill_folder
from debate_ops.engine.store import USUAL_PLACE, Folder
from debate_ops.report import memo, provenance
from debate_ops.report.provenance import NOT_RECORDED
from debate_ops.report.reading import read_debate
from debate_ops.run import runner
from debate_ops.run.cast import EVERYBODY
from debate_ops.run.endings import exit_code
from debate_ops.run.others import Replay
from debate_ops.run.progress import Display, Event, choose_display

SLUG = "demo"
EXAMPLE = "outdoor-pool"
"""The debate to replay."""
_MOTION_SHOWN = 160


def demo(slug: str = SLUG, *, quiet: bool = False) -> int:
    """Hold the example debate again in the user's `debates/`, and return the exit code."""
    return exit_code(replay_example(slug, _WithoutWarnings(choose_display(quiet=quiet))))


class _WithoutWarnings:
    """Shows what happens, without warnings: those of a debate held long ago help nobody."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self.wait = display.wait

    def show(self, event: Event) -> None:
        """Show an event that is no warning."""
        if event.name != "warning":
            self._display.show(event)


def replay_example(slug: str, display: Display) -> Position:
    """Hold the example debate again as `debates/<slug>`; go on where an earlier demo stopped.

    Every recorded reply goes through the same checks, scores and commits as when it was new.

    Raises:
        ConfigurationError: no example came with the program.
        UsageError: the slug is a debate of the user's own, or of another example.
        DebateError: see `runner.run`.
    """
    example = find_example()
    recorded = engine.load(example)
    last = recorded.at.place.round
    position = _begin(slug, recorded)
    display.show(Event("label", describe_replay(position)))
    if position.at.place.round >= last:
        text = f"{position.folder.path} exists, and is complete: nothing was held again."
        display.show(Event("exists", text))
        return position
    owed = None if position.header.request else last - 1
    names = [EVERYBODY, *([ADVISER] if recorded.debate.find("advice") else [])]
    participants = dict.fromkeys(names, Replay(example))
    position = runner.run(position.folder, owed, participants, display=display)
    if position.at.place.round >= last and os.path.lexists(example.within(memo.NAME)):
        reading = read_debate(position)
        made = {"replay_of": {"debate": EXAMPLE}}
        path = example.within(memo.NAME)
        memo.take_memo(position.folder, reading.at, reading.verdict, path, made)
    return position


def describe_replay(position: Position) -> str:
    """Return one line that says what is replayed, when it was recorded, and by whom."""
    result = position.header.replay_of or {}
    motion = one_line(position.debate.motion, _MOTION_SHOWN)
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
    folder = Folder(str(find_skill_folder() / USUAL_PLACE / EXAMPLE))
    if os.path.lexists(folder.debate_file):
        return folder
    raise ConfigurationError(
        f"no debate to replay came with the program: there is no {folder.path}",
        hint="Install debate_ops again, or clone it with its 'debates' folder.",
    )


def _begin(slug: str, recorded: Position) -> Position:
    place = Folder(os.path.join(store.DEBATES, slug))
    if not os.path.lexists(place.debate_file):
        return engine.create(
            slug,
            debate_file.read_framing(recorded.record.body),
            protocol=recorded.protocol.name,
            settings=recorded.debate.settings.model_dump(),
            replay_of=_describe_origin(recorded),
        )
    position = engine.load(place)
    before = position.header.replay_of
    if before is None or before.get("debate") != recorded.folder.slug:
        what = "a debate of yours" if before is None else f"a replay of {before.get('debate')}"
        raise UsageError(
            f"{position.folder.path} exists already, and it is {what}",
            hint="Choose another slug, as in 'demo my-demo'; nothing was changed.",
        )
    return position


def _describe_origin(recorded: Position) -> dict[str, Any]:
    times = [str(entry.header.get("at", "")) for entry in recorded.debate.entries.values()]
    days = sorted({time[:10] for time in times if time}) or [recorded.header.created[:10]]
    return {
        "debate": recorded.folder.slug,
        "held": " – ".join(dict.fromkeys([days[0], days[-1]])),  # noqa: RUF001  (from, to)
        "by": {made.participant: made.makers for made in provenance.find_provenance(recorded.at)},
    }
