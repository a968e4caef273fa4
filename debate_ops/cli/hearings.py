"""The commands `panel`, `rejudge` and `compare`: is a verdict the same when it is given again?

Each judgment is a debate of its own, inside of the folder of the debate that it is about.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from threading import Event
from typing import Any

import click

from debate_ops import endings, engine, panels, runner
from debate_ops.cli import answers, watch
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import (
    command,
    debate_argument,
    made_by_option,
    quiet_option,
    timeout_option,
)
from debate_ops.engine import Position
from debate_ops.core.errors import DONE, RefusedError, UsageError
from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS
from debate_ops.model.score import ONE
from debate_ops.model.turn import Done, Turn
from debate_ops.run import base
from debate_ops.run.base import FailedError, Participant, Prompt
from debate_ops.run.replay import Replay
from debate_ops.run.table import participant
from debate_ops.run.progress import Display
from debate_ops.protocols.exchange.past import JUDGE, OPP, PROP
from debate_ops.reports import hearing, track_record
from debate_ops.reports.exchange import comparison
from debate_ops.reports.table import view_of
from debate_ops.reports.text import counted, size
from debate_ops.run.spending import Limits
from debate_ops.storage import folder, inbox
from debate_ops.storage.folder import Folder

INSIDE = "rejudged"
NOBODY: Mapping[str, Participant] = {}


@command("panel")
@debate_argument
@click.option(
    "--judges",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many members, an odd number; 3 if not given.",
)
@click.option(
    "--judge",
    metavar="SPEC",
    multiple=True,
    help="Who replies, as for 'run'; several take turns (repeatable).",
)
@click.option(
    "--persona",
    metavar="TEXT",
    multiple=True,
    help="How a member is to look at it; several take turns (repeatable).",
)
@click.option("--anew", is_flag=True, help="Set the panel that is there aside.")
@made_by_option
@timeout_option
@quiet_option
def panel(  # noqa: PLR0913  (what the command line gives)
    debate: str,
    *,
    judges: int | None,
    judge: Sequence[str],
    persona: Sequence[str],
    anew: bool,
    made_by: str | None,
    quiet: bool,
    timeout: float,
) -> Answer:
    """Have a panel read a debate once, blind, half of it with the sides in the other order.

    Each member says what it thinks before it reads, and casts a ballot after: who had the better of
    each issue of the brief, how sure, and why. It is kept in the debate's folder; the record and
    its scores stay as they are. The page then says whether the verdict stands. Without --judge the
    prompts for agents of yours are listed; the same command takes what they wrote, and goes on.

    \b
    debate-ops panel my-decision --judge anthropic:MODEL --judge google:MODEL
    debate-ops panel my-decision
    """
    source = folder.find(debate)
    replying = [participant(spec) for spec in judge]
    place = panels.prepare(source, judges, persona, anew=anew)
    if replying and not endings.is_idle(engine.look(place)):
        _run(place, panels.cast_of(place, replying), quiet=quiet, timeout=timeout)
    position = settled(place, by=made_by)
    due, lines = tasks([position], f"panel {source.name}", made_by)
    is_done = isinstance(position.due, Done)
    result = {"success": True} | answers.state(position) | due
    result |= {"state": "done" if is_done else "turn", "verdict": None}
    if is_done and (shown := panels.sentences(source)):
        records, _ = track_record.kept(source)
        sat = list(track_record.judges(engine.look(source).debate, position.debate, records))
        result |= {"verdict": shown[0], "judges": [each.as_data() for each in sat]}
        known = [f"{each}." for each in track_record.sentences(sat)]
        lines = [*shown, *known, f"Next:  {answers.invocation()} report {source.name}"]
    return Answer(result, lines)


@command("rejudge")
@debate_argument
@click.option("--times", type=click.IntRange(min=1), metavar="N", default=3, help="How often.")
@click.option("--judge", metavar="SPEC", help="Who judges, as for 'run'.")
@made_by_option
@timeout_option
@quiet_option
def rejudge(  # noqa: PLR0913  (what the command line gives)
    debate: str, *, times: int, judge: str | None, made_by: str | None, quiet: bool, timeout: float
) -> Answer:
    """Have the record of a debate in exchanges judged again, and compare.

    Each time a fresh judge scores one exchange after the other, without new debating; every second
    judge reads the other side first. The record does not change. Without --judge the prompts for
    agents of yours are listed; the same command takes what they wrote, and goes on.

    \b
    debate-ops rejudge my-decision --times 4 --judge anthropic:MODEL
    """
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
    replay = Replay(source)
    recorded: dict[str, Participant] = {PROP: replay, OPP: replay}
    replying = {JUDGE: participant(judge)} if judge else {}
    places = [_again(source, of, number) for number in range(1, times + 1)]
    for place in places:
        if not _is_over(of, engine.look(place)):
            position = settled(place, recorded, made_by)
            if replying and not _is_over(of, position):
                _run(place, recorded | replying, quiet=quiet, timeout=timeout)
    due = [place for place in map(engine.look, places) if not _is_over(of, place)]
    data, lines = tasks(due, f"rejudge {source.name} --times {times}", made_by)
    result = {"success": True, "debate": source.name} | data
    return Answer(result, lines) if due else _compared([source, *places], result)


@command("compare")
@click.argument("debates", metavar="DEBATE...", nargs=-1, required=True)
def compare(debates: Sequence[str]) -> Answer:
    """Put the verdicts of debates side by side: what each answers, by how much, and how sure.

    Where the same arguments were judged in all of them, also every score and the spread.
    """
    places = [folder.find(name) for name in debates]
    if len(places) < 2:  # noqa: PLR2004  (two can be compared)
        raise UsageError("name two debates or more")
    return _compared(places, {"success": True})


def settled(
    held: Folder, recorded: Mapping[str, Participant] = NOBODY, by: str | None = None
) -> Position:
    """Return what a debate waits for, once all that is there for it is on record.

    Replies in the inbox are submitted, as written `by` somebody, if that is said; those who are
    `recorded` say again what they said.

    Raises:
        RepliesRefusedError: a reply is refused; its repair prompt says why.
    """
    while True:
        position = engine.next_turn(held)
        if not isinstance(position.due, Turn):
            return position
        for item in position.tasks:
            replay = recorded.get(item.task.participant)
            if replay and item.status == engine.WAITING:
                _say_again(replay, position.due, item)
        position = engine.look(held) if recorded else position
        if any(item.status in {engine.WAITING, engine.REFUSED} for item in position.tasks):
            return position
        is_new = not any(item.task.participant in recorded for item in position.tasks)
        engine.submit(held, position.debate.step, {"by": by} if by and is_new else {})


def tasks(
    positions: Sequence[Position], again: str, made_by: str | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the tasks that debates wait for: as data, and as lines that end with a command."""
    again += f" --made-by {shlex.quote(made_by)}" if made_by else ""
    turns = [answers.turn(position) for position in positions]
    all_ = [task | {"debate": turn["debate"]} for turn in turns for task in turn["tasks"]]
    result = {"tasks": all_, "submit": [turn["submit"] for turn in turns if "submit" in turn]}
    due = [task for task in all_ if task["status"] in {engine.WAITING, engine.REFUSED}]
    if not due:
        return result, []
    return result, [
        f"{counted(len(due), 'reply', 'replies')} to come. Give each prompt to a fresh agent:",
        *(f"  {t.get('repair_file') or t['prompt_file']}  ->  {t['reply_file']}" for t in due),
        f"Next:  {answers.invocation()} {again}",
    ]


def _say_again(replay: Participant, turn: Turn, item: engine.TaskStatus) -> None:
    try:
        said = replay.reply(Prompt("", item.slot.prompt, turn, item.task, 0, Event()))
    except FailedError:
        return
    if isinstance(said, base.Answer):
        inbox.put(item.slot, said.raw, said.made_by)


def _run(held: Folder, cast: Mapping[str, Participant], *, quiet: bool, timeout: float) -> None:
    """Run what is due in a debate with these participants, with progress on standard streams."""

    def act(display: Display) -> int:
        runner.run(held, None, cast, limits=Limits(timeout=timeout), display=display)
        return DONE

    with watch.in_terminal(held) if not quiet else nullcontext() as view:
        endings.displayed(act, quiet=quiet, view=view)


def _again(source: Folder, of: Debate, number: int) -> Folder:
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
        if asked_for := _last(of):
            engine.next_turn(held, asked_for)
    return held


def _last(debate: Debate) -> int:
    """Return the last exchange that was judged."""
    judgments = filter(None, map(debate.record.get, debate.record.ids(JUDGMENTS)))
    return max(entry.exchange for entry in judgments)


def _is_over(of: Debate, position: Position) -> bool:
    return len(position.debate.record.ids(JUDGMENTS)) >= len(of.record.ids(JUDGMENTS))


def _compared(places: Sequence[Folder], result: dict[str, Any]) -> Answer:
    looked = [(place.name, engine.look(place).debate) for place in places]
    lines = []
    if comparison.is_one_record([debate for _, debate in looked]):
        compared = comparison.of(looked)
        result |= compared.as_data()
        lines = compared.lines()
    verdicts = [_verdict(place, debate) for place, (_, debate) in zip(places, looked, strict=True)]
    result["verdicts"] = [verdict for verdict, _ in verdicts]
    return Answer(result, [*lines, *(line for _, line in verdicts)])


def _verdict(place: Folder, debate: Debate) -> tuple[dict[str, Any], str]:
    """Return what a debate answers, as data and as a line."""
    view = view_of(debate, hearing.of(place, debate)[0])
    answer, sure = view.answer.text, view.sureness.level.words if view.sureness else ""
    verdict: dict[str, Any] = {"debate": place.name, "answer": answer, "lead": None, "sure": sure}
    if view.shares:
        verdict["lead"] = view.lead / ONE
        answer += f"; lead {size(view.lead)}"
    return verdict, f"{place.name}: {answer}; how sure: {sure or 'no verdict is sought'}"
