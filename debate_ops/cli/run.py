"""The commands `run` and `demo`: a debate without an agent client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from debate_ops import demo as demos
from debate_ops import endings, engine, reporter, runner
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.report import report
from debate_ops.cli.status import status
from debate_ops.errors import DONE, WAITING_FOR_PERSON, UsageError
from debate_ops.participants.base import Participant
from debate_ops.participants.table import EVERYBODY, cast, participant
from debate_ops.progress import Display
from debate_ops.reports.file_names import PAGE
from debate_ops.spending import Limits, estimate
from debate_ops.storage import folder
from debate_ops.storage.folder import Folder


def run(debate: str, exchanges: int | None, *, as_json: bool, **options: Any) -> Answer:
    """Run exchanges with the participants that the options name; the progress is printed here."""
    names = ("prop", "opp", "judge", "adviser")
    named = {name: options[name] for name in names} | {EVERYBODY: options["all_"]}
    participants = _participants(named, options["as_"])
    writer = participant(options["reporter"]) if options["reporter"] else None
    place, quiet, limits = folder.find(debate), options["quiet"], _limits(options)
    if options["dry_run"]:
        return _estimate(place, exchanges, participants)

    def act(display: Display) -> int:
        code = DONE
        if not (writer and exchanges is None and endings.is_idle(engine.look(place))):
            position = runner.run(place, exchanges, participants, limits=limits, display=display)
            code = endings.exit_code(position)
        if writer and code == DONE:
            reporter.write_brief(place, writer, timeout=limits.timeout, display=display)
        return code

    code = endings.displayed(act, quiet=quiet, json_lines=as_json)
    if code == WAITING_FOR_PERSON and not quiet:
        for line in status(debate).lines:
            answers.remark(line)
    elif code == DONE and not quiet:
        answers.remark(f"Next:  {answers.invocation()} report {debate}")
    return Answer(code=code)


def _limits(options: Mapping[str, Any]) -> Limits:
    cost = options["max_cost"]
    return Limits(
        timeout=options["timeout"],
        cost=None if cost is None else Decimal(str(cost)),
        tokens=options["max_tokens"],
        at_once=options["at_once"] or 0,
        per_minute=options["per_minute"] or 0,
    )


def _estimate(
    place: Folder, exchanges: int | None, participants: Mapping[str, Participant]
) -> Answer:
    """Return what a run is likely to take, without asking anybody."""
    position = engine.next_turn(place, exchanges)
    replying = cast(position.debate, participants)
    result = estimate(position, {name: who.name for name, who in replying.items()})
    return Answer(
        {"success": True, **result._asdict(), "cost": result.cost and float(result.cost)},
        [result.sentence()],
    )


def _participants(named: Mapping[str, str | None], others: Sequence[str]) -> dict[str, Participant]:
    """Return who replies for whom: those who have an option, and others as NAME=SPEC.

    Raises:
        UsageError: a word names nobody, or two name the same one.
    """
    specs = {name: spec for name, spec in named.items() if spec}
    for word in others:
        name, equals, spec = word.partition("=")
        if not equals:
            raise UsageError(f"{word!r} names nobody", hint="Write --as NAME=SPEC.")
        if name in specs:
            raise UsageError(f"{name} is named twice")
        specs[name] = spec
    return {name: participant(spec) for name, spec in specs.items() if spec}


def demo(slug: str, *, as_json: bool) -> Answer:
    """Replay the example debate through the engine and render its report."""
    code = demos.demo(slug, quiet=as_json)
    done = report(f"{folder.DEBATES}/{slug}", png=False, verbose=False)
    files = done.data["files"] if done.data else []
    program = answers.invocation()
    lines = [
        *done.lines,
        "",
        f"Open:  {folder.DEBATES}/{slug}/{PAGE}   (in any browser)",
        f"Read:  {files[0]}   (on a code host, in an editor's preview, or as it is)",
        f"Look:  {program} show {slug}",
        f'Next:  {program} new my-decision --motion "This house would ..."',
    ]
    return Answer(done.data, lines, code)
