"""The commands `panel`, `rejudge`, `calibrate` and `compare`: is a verdict to be relied on?

Each judgment is a debate of its own; of a panel, and of one who judges again, it lies inside of the
folder of the debate that it is about.
"""

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from itertools import islice
from typing import Any

import click

from debate_ops import calibration, engine, panels
from debate_ops.cli import answers, config, debate_state
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import (
    ALL,
    command,
    flag_option,
    judging_options,
    number_option,
    option,
    several,
)
from debate_ops.cli.run import answer_with_estimate
from debate_ops.core import errors
from debate_ops.core.errors import DebateError
from debate_ops.core.values import Done, Turn
from debate_ops.engine import REFUSED, REPLIED, WAITING, Position, files, inbox, store
from debate_ops.engine.debate_file import read_framing
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.store import Folder
from debate_ops.engine.validate import load_part
from debate_ops.protocols.exchange import SIDES
from debate_ops.report import provenance
from debate_ops.report.comparison import compare_judgments
from debate_ops.report.reading import read_debate
from debate_ops.report.words import count, size
from debate_ops.run import runner
from debate_ops.run.cast import Replay, hide_password, make_participant
from debate_ops.run.endings import Stop, is_idle
from debate_ops.run.progress import open_display
from debate_ops.run.spending import Limits, Spending, estimate_run
from debate_ops.tournament import cluster


@command("panel")
@flag_option(
    "--all-debates", ALL, help="Read every complete debate that no panel has read as it is."
)
@number_option("--judges N", help="How many members, an odd number; 3 if not given.")
@several("--judge SPEC", help="Who replies, as for 'run', else who is set; several take turns.")
@flag_option("--anew", help="Set the panel that is there aside.")
@judging_options
def panel(
    debate: str | None,
    *,
    all_: bool,
    judges: int | None,
    judge: Sequence[str],
    anew: bool,
    **how: Any,
) -> Answer:
    """Have a panel read a debate, blind, and say whether its verdict stands.

    Half of its members read the sides in the other order. Each says what it thinks before it reads,
    and casts a ballot after: who had the better of each issue, how sure, and why. It is kept in the
    debate's folder; record and scores stay as they are. Without --judge the prompts for agents of
    yours are listed; the same command takes what they wrote, and goes on.

    \b
    debate-ops panel my-decision --judge anthropic:MODEL --judge google:MODEL
    debate-ops panel my-decision
    debate-ops panel --all-debates --judge anthropic:MODEL --workers 8
    """
    specs = [*judge] or [spec for name, spec in config.read_specs().items() if name == "panel"]
    if judges and judges % 2 == 0:
        raise errors.UsageError(f"--judges {judges} is even: a panel could be split in two halves")
    if all_ and (debate or anew):
        raise errors.UsageError("--all-debates takes no DEBATE and no --anew")
    failed, places = dict[str, DebateError](), dict[str, Folder]()
    with ExitStack() as stack:
        for slug in store.list_slugs() if all_ else [debate or ""]:
            try:
                source = store.find_folder(slug)
                if not all_ or panels.is_due(engine.load(source), always=True):
                    stack.enter_context(inbox.lock_run(source))
                    places[source.name] = panels.prepare(source, judges, anew=anew)
            except DebateError as error:  # faults of one stop no other
                failed[slug] = error
        failures, positions = _decide([*places.values()], specs, **how)
    failed |= failures
    if failed and not all_:
        raise next(iter(failed.values()))
    data, lines = list_tasks(positions)
    held = {name: engine.load(store.find_folder(name)) for name in places}
    verdicts = {name: panels.describe_state(position)["verdict"] for name, position in held.items()}
    if all_:
        data |= {"debates": [{"debate": s, "verdict": v or None} for s, v in verdicts.items()]}
        data |= {"success": not failed, "errors": answers.list_failed(failed)}
        lines = [*(f"{name}: {said}" for name, said in verdicts.items() if said), *lines]
        lines = lines or ["no complete debate waits for a panel"]
        lines += answers.label("failed", data["errors"])
        return Answer(data, lines, next((e.exit_code for e in failed.values()), 0))
    ((name, verdict),), (position,) = verdicts.items(), positions
    is_done = isinstance(position.due, Done)
    data |= {"success": True} | debate_state.describe_state(position)
    data |= {"state": "done" if is_done else "turn", "verdict": None}
    if is_done and verdict:
        sat = provenance.find_judges(source, held[name].at, position.at)
        data |= {"verdict": verdict, "judges": [each.as_data() for each in sat]}
        known = [f"{each.describe()}." for each in sat if each.records]
        return Answer(data, [verdict, *known], next=[f"report {name}"])
    return Answer(data, lines)


@command("rejudge")
@number_option("--times N", default=3, help="How often.")
@option("--judge SPEC", help="Who judges, as for 'run'.")
@judging_options
def rejudge(debate: str, *, times: int, judge: str | None, **how: Any) -> Answer:
    """Have the record of a debate in exchanges judged again, and compare.

    Each time a fresh judge scores one exchange after the other, without new debating; every second
    judge reads the other side first. The record does not change. Without --judge the prompts for
    agents of yours are listed; the same command takes what they wrote, and goes on.

    \b
    debate-ops rejudge my-decision --times 4 --judge anthropic:MODEL
    """
    source = store.find_folder(debate)
    of = engine.load(source)
    if of.protocol.name != "exchange" or not of.debate.find("judgment"):
        hint = f"A judged exchange has; any other debate is read by a panel: 'panel {source.name}'."
        raise errors.RefusedError(
            f"{source.name} has no scores that could be given again", hint=hint
        )
    with inbox.lock_run(source):
        places = [_again(source, of, number) for number in range(1, times + 1)]
        left = [place for place in places if not _is_judged(of, engine.load(place))]
        failed, positions = _decide(left, [judge] if judge else [], source, **how)
    if failed:
        raise next(iter(failed.values()))
    tasks, lines = list_tasks([each for each in positions if not _is_judged(of, each)])
    data = {"success": True, "debate": source.name} | tasks
    if lines:
        return Answer(data, lines)
    compared, lines = _compare([source, *places])
    return Answer(data | compared, lines, next=[f"report {source.name}"])


@command("calibrate")
@option("--judge SPEC", help="Who judges, as for 'run'.")
@option(
    "--set NAME",
    "set_",
    default="nyu",
    help="A set that ships with the program (nyu, own), or a JSON file.",
)
@number_option("--limit N", help="Only the first so many debates.")
@number_option("--panel N", default=1, help="How many members a panel has, an odd number.")
@judging_options
@flag_option("--dry-run", help="Ask nobody; say how many replies and tokens it is likely to take.")
def calibrate(
    set_: str,
    *,
    judge: str | None,
    limit: int | None,
    panel: int,
    dry_run: bool,
    **how: Any,
) -> Answer:
    """Have a judge decide debates whose answers are known, and say how well it does.

    Measured are the debate, the question without it, and one side alone: how often the judge is
    right, how sure it was, and what order and length did. The debates are kept in
    debates/calibration, so that a run that was stopped goes on, and the page of a debate says how
    well its judge did here. The prompts for agents of yours are listed if no --judge is given.

    \b
    debate-ops calibrate --judge anthropic:MODEL --limit 30 --workers 8
    debate-ops calibrate --set own --made-by MODEL
    debate-ops calibrate --set my-questions.json --panel 3
    """
    who = make_participant(judge) if judge else None
    title = calibration.name_set(set_)
    asked = judge or how["made_by"]
    kept = calibration.find_place(title, asked, panel)
    with tempfile.TemporaryDirectory() if dry_run else nullcontext(kept) as above:
        known = calibration.list_known(set_, above)
        chosen = enumerate(islice(known.items(), limit))
        places = [p for n, each in chosen for p in calibration.make_debates(*each, n, panel)]
        if dry_run:
            name, previews = who.name if who else "", map(engine.preview, places)
            return answer_with_estimate(
                [estimate_run(p, dict.fromkeys(p.debate.settings.members, name)) for p in previews]
            )
    for place in places if who else ():
        calibration.ask_again(place)
    failures, positions = _decide(places, [judge] if judge else [], **how)
    failed = answers.list_failed(failures)
    failed += calibration.find_undecided(positions) if who else ()
    due = [position for position in positions if isinstance(position.due, Turn)]
    number = len(places) // 2  # of each both sides, and one alone
    replies = sum(position.calls_left or 0 for position in due)
    data, due_lines = list_tasks(due)
    result: dict[str, Any] = {"success": not failed, **data, "errors": failed}
    result |= {"known": number, "replies": replies, "result": None}
    asked = hide_password(asked or "the agents that were asked")
    done = calibration.measure_judge(known, asked, title, panel)
    lines = [*done.list_lines()] if done.number or not due else []
    if due:
        waiting = sum(isinstance(position.due, Turn) for position in positions[::2])
        said = f"{number - waiting} of {count(number, 'debate')} decided"
        lines.insert(0, f"{said}; {count(replies, 'reply', 'replies')} to come in all")
    if done.number:
        result["result"] = done.as_data()
        lines += calibration.keep_result(kept, done)
    lines += answers.label("failed", failed)
    return Answer(result, [*lines, *due_lines], errors.PARTICIPANT_FAILED if failed else 0)


@command("compare")
@click.argument("debates", metavar="DEBATE...", nargs=-1, required=True)
def compare(debates: Sequence[str]) -> Answer:
    """Put the verdicts of debates side by side: what each answers, by how much, and how sure.

    Where the same arguments were judged in all of them, also every score and the spread.
    """
    places = [store.find_folder(name) for name in debates]
    if len(places) < 2:  # noqa: PLR2004  (two can be compared)
        raise errors.UsageError("name two debates or more")
    data, lines = _compare(places)
    return Answer({"success": True} | data, lines)


def settle(held: Folder, sides: Replay | None = None, *, by: str | None) -> Position:
    """Return what a debate waits for, once all that is there for it is on record.

    Replies in the inbox are submitted, as written `by` somebody, if that is said; the `sides` of a
    record say again what they said.
    """
    while True:
        with suppress(errors.ParticipantFailedError):  # it is not on record
            runner.file_replies(held, dict.fromkeys(SIDES, sides) if sides else {})
        position = engine.next_turn(held)
        if not isinstance(position.due, Turn):
            return position
        for item in position.tasks:
            if by and item.status == REPLIED:  # whoever completes the turn did not write this one
                inbox.label(item.slot, files.read_named(item.slot.reply, MAX_BYTES), {"by": by})
        if any(item.is_open for item in position.tasks):
            return position
        engine.submit(held, position.debate.step)


def list_tasks(positions: Sequence[Position]) -> tuple[dict[str, Any], list[str]]:
    """Return the tasks that debates wait for: as data, and as lines for people."""
    turns = [debate_state.describe_turn(position) for position in positions]
    all_ = [task | {"debate": turn["debate"]} for turn in turns for task in turn["tasks"]]
    result = {"tasks": all_, "submit": [turn["submit"] for turn in turns if "submit" in turn]}
    due = [task for task in all_ if task["status"] in {WAITING, REFUSED}]
    if not due:
        return result, []
    whole = sum(turn["calls_left"] or 0 for turn in turns)
    return result, [
        f"{len(due)} of {count(whole, 'reply', 'replies')} due. Give each prompt to a fresh agent,",
        "then the same command again:",
        *(f"  {t.get('repair_file') or t['prompt_file']}  ->  {t['reply_file']}" for t in due),
    ]


def _decide(  # noqa: PLR0913  (what the command line gives)
    places: Sequence[Folder],
    specs: Sequence[str],
    source: Folder | None = None,
    *,
    made_by: str | None,
    workers: int,
    scheduler: str | None,
    quiet: bool,
    **how: Any,
) -> tuple[dict[str, DebateError], list[Position]]:
    """Have judges decide what is due; return why some failed, by path, and where all stand then.

    What the sides said is on record at `source`, where these debates are to repeat it.
    """
    due = [p for p in map(engine.load, places) if specs and not is_idle(p)]
    is_alone = not due or (workers == 1 and not scheduler)
    for spec in specs if due and is_alone else ():  # a wrong one is refused before any is asked
        make_participant(spec)
    find = os.path.abspath if scheduler else str
    recorded = find(source.path) if source else ""
    casts = {p.folder.path: panels.assign_members(p, specs) for p in due}
    items = {path: (find(path), cast, recorded) for path, cast in casts.items()}
    failed, same = dict[str, DebateError](), how | {"quiet": quiet or not is_alone}
    known = {spec: spec for spec in specs}
    with nullcontext() if is_alone else cluster.open_cluster(workers, scheduler, known) as client:
        for number, (path, error) in enumerate(cluster.run_tasks(client, _run, items, **same), 1):
            failed |= {path: error} if error else {}
            if not (quiet or is_alone):
                answers.remark(f"{number} of {len(due)}: {path}")
    sides = Replay(source) if source else None
    return failed, [settle(place, sides, by=made_by) for place in places]


def _run(path: str, cast: Mapping[str, str], recorded: str, *, stop: Stop, **how: Any) -> None:
    """Run what is due in a debate, as a task."""
    replying = {name: make_participant(spec) for name, spec in cast.items()}
    replay = Replay(Folder(recorded)) if recorded else None
    replying |= {"prop": replay, "opp": replay} if replay else {}
    held, spending = Folder(path), Spending(Limits(timeout=how["timeout"]))
    with open_display(quiet=how["quiet"]) as display:
        runner.run(held, None, replying, spending=spending, display=display, listening=stop)


def _again(source: Folder, of: Position, number: int) -> Folder:
    """Return where a debate is judged once more; what was judged of another record is set aside."""
    name = f"{store.REJUDGED}/judge-{number}"
    held = Folder(source.within(name))
    last = max(judged.round for judged in of.debate.find("judgment"))
    if os.path.lexists(held.path):
        old, said = load_part(of, name), {e.id: e.compared() for e in of.debate.find("argument")}
        asked = old.header.request.until - 1 if old.header.request else 0
        is_same = all(said.get(e.id) == e.compared() for e in old.debate.find("argument"))
        if asked == last and is_same:
            if not (old.header.request or _is_judged(of, old)):  # begun by an earlier version
                engine.next_turn(held, last)
            return held
        store.set_aside(source, held.path)
    settings = of.debate.settings.model_dump() | {"first_answer": "off", "panel": 0}
    settings["read_first"] = "prop" if number % 2 else "opp"
    if not of.debate.find("closing", round=last):
        settings["closing"] = "off"  # nobody can repeat what is not on record
    engine.create(
        held.slug,
        read_framing(of.record.body),
        settings=settings,
        replay_of={"debate": source.name},
        inside=source.within(store.REJUDGED),
    )
    engine.next_turn(held, last)
    return held


def _is_judged(of: Position, position: Position) -> bool:
    """Tell whether all that was judged of a debate has been judged once more."""
    return len(position.debate.find("judgment")) >= len(of.debate.find("judgment"))


def _compare(places: Sequence[Folder]) -> tuple[dict[str, Any], list[str]]:
    readings = [read_debate(debate_state.load_with_warnings(place.name)) for place in places]
    compared, lines = compare_judgments([(r.position.folder.name, r.at) for r in readings])
    verdicts = list[dict[str, Any]]()
    for reading in readings:
        found, name = reading.verdict, reading.position.folder.name
        sure = reading.sureness if found.is_sought else ""
        made = provenance.find_provenance(reading.at)
        makers = {each["participant"]: each["makers"] for each in made}
        lead = "" if found.lead is None else f"; lead {size(round(found.lead, 3))}"
        lines.append(f"{name}: {found.answer}{lead}; {sure or 'no verdict is sought'}")
        if not compared:  # others than the judges differ, too
            lines.append("  " + "; ".join(f"{k} by {who}" for k, who in makers.items()))
        verdict = {"debate": name, "answer": found.answer, "lead": found.lead}
        verdicts.append(verdict | {"sure": sure, "makers": makers})
    return compared | {"verdicts": verdicts}, lines
