"""The commands `rejudge` and `compare`: is a verdict the same when it is given again?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from debate_ops import engine
from debate_ops.cli import hearings
from debate_ops.cli.answers import Answer
from debate_ops.engine import Position
from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS
from debate_ops.participants.replay import Replay
from debate_ops.participants.table import participant
from debate_ops.protocols.exchange.past import JUDGE, OPP, PROP
from debate_ops.reports import hearing
from debate_ops.reports.exchange import comparison
from debate_ops.reports.table import view_of
from debate_ops.storage import folder
from debate_ops.storage.folder import Folder

INSIDE = "rejudged"


def rejudge(debate: str, *, times: int, judge: str | None, quiet: bool, timeout: float) -> Answer:
    """Have the record judged again by fresh judges; nothing of it changes."""
    source = folder.find(debate)
    of = engine.look(source).debate
    if of.protocol != comparison.EXCHANGE or not of.record.ids(JUDGMENTS):
        raise RefusedError(
            f"{source.name} has no scores that could be given again",
            hint="A debate of another protocol is read again by a panel: see 'panel --help'.",
        )
    if judge and not _last(of):
        raise RefusedError(
            f"of {source.name} the opening alone was judged, which no run can do by itself",
            hint="Leave --judge out and give the prompts that are listed to agents of yours, or "
            f"run an exchange first, as in 'run {source.name} 1'.",
        )
    replying, replay = participant(judge) if judge else None, Replay(source)
    places = [_held(source, of, number) for number in range(1, times + 1)]
    positions = []
    for held in places:
        position = (
            hearings.settled(held, {PROP: replay, OPP: replay})
            if not _is_over(of, engine.look(held))
            else None
        )
        if position and replying and not _is_over(of, position):
            cast = {PROP: replay, OPP: replay, JUDGE: replying}
            over = partial(_is_over, of)
            hearings.run(held, cast, until=over, quiet=quiet, timeout=timeout)
        positions.append(engine.look(held))
    due = [position for position in positions if not _is_over(of, position)]
    result: dict[str, Any] = {"success": True, "debate": source.name} | hearings.waiting(due)
    if due:
        again = f"rejudge {source.name} --times {times}"
        return Answer(result, hearings.task_lines(result, again))
    return _compared([source, *places], result)


def _held(source: Folder, of: Debate, number: int) -> Folder:
    """Return where a debate is judged once more; every second judge reads the other side first."""
    held = Folder(source.within(INSIDE, f"judge-{number}"))
    if not os.path.lexists(held.path):
        settings = {**of.settings, "first_answer": "off", "panel": 0}
        settings["read_first"] = PROP if number % 2 else OPP
        engine.create(
            held.slug,
            debate_file.framing(of.body),
            settings=settings,
            replay_of={"debate": source.name},
            inside=source.within(INSIDE),
        )
        asked_for = _last(of)
        if asked_for:
            engine.next_turn(held, asked_for)
    return held


def _last(debate: Debate) -> int:
    """Return the last exchange that was judged."""
    return max(
        entry.exchange for i in debate.record.ids(JUDGMENTS) if (entry := debate.record.get(i))
    )


def _is_over(of: Debate, position: Position) -> bool:
    return len(position.debate.record.ids(JUDGMENTS)) >= len(of.record.ids(JUDGMENTS))


def compare(debates: Sequence[str]) -> Answer:
    """Put the verdicts of debates side by side."""
    places = [folder.find(name) for name in debates]
    if len(places) < 2:  # noqa: PLR2004  (two can be compared)
        raise UsageError("name two debates or more")
    return _compared(places, {"success": True})


def _compared(places: Sequence[Folder], result: dict[str, Any]) -> Answer:
    looked = [(place.name, engine.look(place).debate) for place in places]
    lines = []
    if comparison.is_one_record([debate for _, debate in looked]):
        compared = comparison.of(looked)
        result |= compared.as_data()
        lines = compared.lines()
    verdicts = [_verdict(place, debate) for place, (_, debate) in zip(places, looked, strict=True)]
    result["verdicts"] = verdicts
    lines += [
        f"{v['debate']}: {v['answer']} ({v['sure'] or 'no verdict is sought'})" for v in verdicts
    ]
    return Answer(result, lines)


def _verdict(place: Folder, debate: Debate) -> dict[str, str]:
    view = view_of(debate, hearing.of(place, debate)[0])
    sure = view.sureness.level.words if view.sureness else ""
    return {"debate": place.name, "answer": view.answer.text, "sure": sure}
