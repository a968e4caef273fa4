"""The command `panel`: several who read a debate once, blind, half of them in the other order."""

from __future__ import annotations

from collections.abc import Sequence

from debate_ops import engine, panels
from debate_ops.cli import answers, hearings
from debate_ops.cli.answers import Answer
from debate_ops.model.turn import Done
from debate_ops.participants.table import participant
from debate_ops.reports import track_record
from debate_ops.storage import folder


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
    place = panels.prepare(source, judges, persona, anew=anew)
    if replying:
        hearings.run(place, panels.cast_of(place, replying), quiet=quiet, timeout=timeout)
    position = hearings.settled(place)
    result = {"success": True} | answers.state(position) | hearings.waiting([position])
    lines = hearings.task_lines(result, f"panel {source.name}")
    is_done = isinstance(position.due, Done)
    result |= {"state": "done" if is_done else "turn", "verdict": None}
    if is_done and (shown := panels.sentences(source)):
        records, _ = track_record.kept(source)
        sat = list(track_record.judges(engine.look(source).debate, position.debate, records))
        result |= {"verdict": shown[0], "judges": [each.as_data() for each in sat]}
        known = [f"{each.sentence()}." for each in sat]
        lines = [*shown, *known, f"Next:  {answers.invocation()} report {source.name}"]
    return Answer(result, lines)
