"""The command `calibrate`: a judge decides debates whose answers are known."""

from __future__ import annotations

import json
import os
import re
import statistics
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

import click

from debate_ops import engine
from debate_ops.cli import answers, hearings, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, made_by_option, timeout_option
from debate_ops.cli.run import answer_with_estimate
from debate_ops.core.errors import PARTICIPANT_FAILED, DebateError, RefusedError, UsageError
from debate_ops.core.values import Done, Turn
from debate_ops.engine import Framing, Position, files
from debate_ops.engine.headers import digest_text, dumps
from debate_ops.engine.store import DEBATES, Folder, is_slug
from debate_ops.imports import nyu
from debate_ops.imports.imported import Imported, names
from debate_ops.report import track_record
from debate_ops.report.calibration import Case, Result
from debate_ops.report.panel import TWO, Panel, read_panel
from debate_ops.report.track_record import CALIBRATIONS, RESULT
from debate_ops.report.words import count
from debate_ops.run import runner
from debate_ops.run.base import Participant
from debate_ops.run.cast import EVERYBODY, make_participant
from debate_ops.run.spending import Limits, estimate_run

SETS = {"nyu": "nyu.json", "own": "own.json"}
"""The sets that ship with the program."""
QUOTATIONS = (
    "The debate is about a document that those who decide cannot see. Words between <quote> and "
    "</quote> have been compared with it and stand there; all else is what a speaker claims. Some "
    "speeches answer a judge whose questions are not part of this."
)
"""Said to whoever decides a debate that quotes."""
_DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), CALIBRATIONS)
_NAME, _DIGITS = 40, 8
MOST_BYTES = 64 * 1024 * 1024


class Known(NamedTuple):
    """A debate with a known answer: who speaks for it, and where a judge decides it.

    `both` has the whole debate, `one` the first speech of one side: what it says later tells what
    the other said.
    """

    debate: Imported
    right: str
    both: Folder
    one: Folder
    kind: str


@command("calibrate")
@click.option("--judge", metavar="SPEC", help="Who judges, as for 'run'.")
@click.option(
    "--set",
    "set_",
    metavar="NAME",
    default="nyu",
    help="A set that ships with the program (nyu, own), or a JSON file.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Only the first so many debates."
)
@click.option(
    "--panel",
    type=click.IntRange(min=1),
    metavar="N",
    default=1,
    help="How many members a panel has, an odd number.",
)
@click.option(
    "--at-once",
    type=click.IntRange(min=1),
    metavar="N",
    default=4,
    help="How many debates at the same time.",
)
@timeout_option
@made_by_option
@click.option(
    "--dry-run",
    is_flag=True,
    help="Ask nobody; say how many replies and tokens it is likely to take.",
)
def calibrate(  # noqa: PLR0913  (what the command line gives)
    set_: str,
    *,
    judge: str | None,
    limit: int | None,
    panel: int,
    at_once: int,
    timeout: float,
    dry_run: bool,
    made_by: str | None,
) -> Answer:
    """Have a judge decide debates whose answers are known, and say how well it does.

    Measured are the debate, the question without it, and one side alone: how often the judge is
    right, how sure it was, and what order and length did. The debates are kept in
    debates/calibration, so that a run that was stopped goes on, and the page of a debate says how
    well its judge did here. The prompts for agents of yours are listed if no --judge is given.

    \b
    debate-ops calibrate --judge anthropic:MODEL --limit 30
    debate-ops calibrate --set own --made-by MODEL
    debate-ops calibrate --set my-questions.json --panel 3
    """
    who = make_participant(judge) if judge else None
    above = os.path.join(DEBATES, CALIBRATIONS, _name(set_), _of(judge or made_by, panel))
    known = list(_known(set_, limit, above))
    places = [place for number, item in enumerate(known) for place in _made(item, number, panel)]
    if dry_run:
        return _estimate(places, who)
    failed = _run(places, who, at_once, timeout) if who else []
    positions = [hearings.settle(place, by=made_by) for place in places]
    failed += _undecided(positions) if who else ()
    due = [position for position in positions if isinstance(position.due, Turn)]
    replies = sum(position.calls_left or 0 for position in due)
    again = f"calibrate --set {set_} --panel {panel}" + (f" --limit {limit}" if limit else "")
    data, due_lines = hearings.list_tasks(due, again, made_by)
    result: dict[str, Any] = {"success": not failed, **data, "errors": failed}
    result |= {"known": len(known), "replies": replies, "result": None}
    done = _result(known, judge or made_by or "the agents that were asked")
    done = done._replace(set=_name(set_), panel=panel)
    lines = done.list_lines() if done.with_debate or not due else []
    if due:
        said = f"{done.debates} of {count(len(known), 'debate')} with known answers decided"
        to_come = f"{count(replies, 'reply', 'replies')} to come in all, views before ballots"
        lines.insert(0, f"{said}; {to_come}")
    if done.with_debate:
        result["result"] = done.as_data()
        lines += _keep(os.path.join(above, RESULT), done)
    lines += answers.label("failed", failed)
    return Answer(result, [*lines, *due_lines], PARTICIPANT_FAILED if failed else 0)


def _keep(path: str, done: Result) -> list[str]:
    """Keep a result, unless one of more debates is there; say so then."""
    with suppress(OSError, UsageError, ValueError, LookupError, TypeError):
        if (before := track_record.read_record(path)).number > done.debates:
            return [f"kept in {path} is the result of more debates: {before.describe()}"]
    files.write_durable(path, dumps(done.as_data()) + "\n")
    return []


def _name(set_: str) -> str:
    name = os.path.splitext(os.path.basename(set_))[0].lower()
    return name if is_slug(name) else "set"


def _undecided(positions: list[Position]) -> Iterator[str]:
    """Yield which debates are over without a decision, because those who were asked failed."""
    for position in positions:
        read = read_panel(position.debate)
        if isinstance(position.due, Done) and not (read and read.is_one):
            path = position.folder.path
            yield f"{path}: too few ballots were cast; remove that folder to have them asked again"


def _of(judge: str | None, members: int) -> str:
    """Return the folder for what one judge decides: another one decides anew."""
    if judge is None:
        return f"agents-{members}"
    words = re.sub("[^a-z0-9]+", "-", judge.lower()).strip("-")[:_NAME].strip("-")
    return f"{words or 'judge'}-{digest_text(judge)[:_DIGITS]}-{members}"


def _known(set_: str, limit: int | None, above: str) -> Iterator[Known]:
    """Yield the debates of a set, which are decided in folders inside of `above`."""
    path = os.path.join(_DATA, SETS[set_]) if set_ in SETS else set_
    if not os.path.lexists(path):
        raise UsageError(f"there is no set {set_!r}", hint=f"Give {' or '.join(SETS)}, or a file.")
    try:
        data = json.loads(texts.read_text(path, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{set_} is no JSON: {error}") from None
    if not isinstance(data, list) or not all(isinstance(d, dict) and "correct" in d for d in data):
        raise UsageError(
            f"{set_} is no set of debates with known answers",
            hint=f"Give {' or '.join(SETS)}, or a JSON list of objects with question, answers, "
            "correct, speeches.",
        )
    debated = [(number, item) for number, item in enumerate(data, 1) if item.get("speeches")]
    if not debated:
        raise UsageError(
            f"nobody has debated the questions of {set_}",
            hint="Each needs 'speeches' of both debaters.",
        )
    for number, item in debated[:limit]:
        debate = nyu.read(item)
        if item["correct"] not in debate.positions or len(debate.positions) != TWO:
            raise UsageError(
                f"debate {number} of {set_}: {item['correct']!r} is none of its two answers",
                hint="Each needs two 'answers' by letter, and the letter of the 'correct' one.",
            )
        both = Folder(os.path.join(above, f"known-{number:03}"))
        one = Folder(f"{both.path}-one")
        yield Known(debate, str(item["correct"]), both, one, str(item.get("kind", "")))


def _made(item: Known, number: int, members: int) -> Iterator[Folder]:
    """Make the two debates of a known one, where they are not there yet."""
    by_speaker = names(item.debate.positions)
    sides = list(by_speaker)
    heard = item.right if number % 4 < 2 else next(s for s in sides if s != item.right)  # noqa: PLR2004
    for place, only in ((item.both, ""), (item.one, heard)):
        said = [
            (by_speaker[s.speaker], s.text)
            for s in item.debate.speeches
            if not only or s.speaker == only
        ]
        said = said[:1] if only else said
        if not os.path.lexists(place.debate_file):
            settings = {
                "participants": [
                    {"name": by_speaker[side], "position": item.debate.positions[side]}
                    for side in (reversed(sides) if number % 2 else sides)
                ],
                "order": [name for name, _ in said],
                "word_limit": 0,
                "panel": members,
                "views": "off" if only else "on",
            }
            is_quoting = any("<quote>" in text for _, text in said)
            framing = Framing(item.debate.motion, scope=QUOTATIONS if is_quoting else "")
            engine.create(
                place.slug,
                framing,
                protocol="speeches",
                settings=settings,
                inside=os.path.dirname(place.path),
            )
        filed = _list_speeches(engine.load(place))
        for name, text in said[len(filed) :]:
            raw = engine.RawReply(json.dumps({"text": text}).encode(), item.debate.motion)
            engine.submit_replies(place, None, {name: raw})
        if _list_speeches(engine.load(place)) != said:
            raise RefusedError(
                f"{place.name} was decided on other speeches than those of the set now",
                hint=f"Remove {os.path.dirname(place.path)}, then run the same command again.",
            )
        yield place


def _list_speeches(position: Position) -> list[tuple[str, str]]:
    """Return who said what in a debate, as it was given."""
    return [(e.by, next(iter(e.texts.values()), "")) for e in position.debate.find("speech")]


def _run(places: list[Folder], who: Participant, at_once: int, timeout: float) -> list[str]:
    """Run every debate that is not over; return what kept some from their end."""

    def one(place: Folder) -> str:
        position = engine.load(place)
        if not isinstance(position.due, Turn):
            return ""
        try:
            runner.run(place, None, {EVERYBODY: who}, limits=Limits(timeout=timeout))
        except DebateError as error:
            return f"{place.slug}: {error.message}"
        return ""

    with ThreadPoolExecutor(at_once) as pool:
        return [said for said in pool.map(one, places) if said]


def _estimate(places: list[Folder], who: Participant | None) -> Answer:
    name = who.name if who else ""
    positions = map(engine.preview, places)
    return answer_with_estimate(
        [estimate_run(p, dict.fromkeys(p.debate.settings.members, name)) for p in positions]
    )


def _result(known: list[Known], judge: str) -> Result:
    both: list[Case] = []
    before: list[Case] = []
    one: list[Case] = []
    members: list[Case] = []
    models: dict[str, None] = {}
    flipped = pairs = 0
    for item in known:
        right = names(item.debate.positions)[item.right]
        for place, into in ((item.both, both), (item.one, one)):
            position = engine.load(place)
            read = read_panel(position.debate)
            if read is None or not read.is_one:
                continue
            into.append(_average(read.list_shares(right), item.kind))
            if into is both:
                members += _list_cases(read, position, right)
                models |= dict.fromkeys(track_record.list_models(position.at))
                if shares := read.list_shares(right, before=True):
                    before.append(_average(shares, item.kind))
                pairs += len({member.first for member in read.members}) > 1
                flipped += read.is_flipping
    cases = (tuple(both), tuple(before), tuple(one), tuple(members))
    named = tuple(filter(None, models))
    return Result(judge, len(both), *cases, flips=(flipped, pairs), models=named)


def _average(shares: list[float], kind: str) -> Case:
    return Case(statistics.mean(shares), right_first=False, kind=kind)


def _list_cases(read: Panel, position: Position, right: str) -> list[Case]:
    lengths = dict.fromkeys(read.choices, 0)
    for name, text in _list_speeches(position):
        lengths[name] += len(text)
    others = max(length for name, length in lengths.items() if name != right)
    longer = None if others == lengths[right] else lengths[right] > others
    shares = read.list_shares(right)
    return [
        Case(share, member.first == right, longer)
        for member, share in zip(read.members, shares, strict=True)
    ]
