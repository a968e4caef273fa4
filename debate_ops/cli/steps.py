"""The commands that move a debate on, as plain functions: arguments in, an answer out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops import clock, engine
from debate_ops.cli import answers, waiting
from debate_ops.cli.answers import Answer
from debate_ops.engine import RawReply
from debate_ops.errors import CHECK_NOT_MET, BusyError, Finding, UsageError
from debate_ops.formats.headers import scores
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.score import signed, to_number
from debate_ops.model.texts import one_line
from debate_ops.model.turn import OMIT, Act, Turn, Waiting
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files, folder, inbox, lock


def next_(debate: str, exchanges: int | None = None) -> Answer:
    """Return what the debate waits for; write the prompts."""
    position = engine.next_turn(_free(debate), exchanges)
    result = {"success": True} | answers.remarks(position.warnings) | answers.turn(position)
    return Answer(result, code=answers.exit_code(position))


def _free(debate: str) -> folder.Folder:
    """Return the folder of a debate that no headless run is holding.

    Raises:
        BusyError: one is: a second hand in its turns would pay twice, or mix up what is written.
    """
    place = folder.find(debate)
    runner = lock.is_held(inbox.run_lock(place))
    if runner:
        raise BusyError(
            f"this debate is being run by another process ({runner})",
            hint="Wait until that run ends, or stop it; nothing is lost.",
        )
    return place


def submit(debate: str, step: int, made_by: str = "", wait: int | None = None) -> Answer:
    """Check the replies in the inbox, commit them, and return the next turn.

    `wait` is for how many seconds to wait, at most, until every reply is there and still.
    """
    made, place = {"by": made_by} if made_by else {}, folder.find(debate)
    if wait:
        waiting.for_replies(place, step, wait)
    outcome = engine.submit(place, step, made)
    return Answer(answers.outcome(outcome), code=answers.exit_code(outcome.position))


def process_exchange(
    debate: str, exchange: int, prop_file: str, opp_file: str, *, keep: bool = False
) -> Answer:
    """Commit both sides' arguments from files that the caller names."""
    given, gone = _given({"prop": prop_file, "opp": opp_file})
    outcome = engine.submit_given(folder.find(debate), exchange, given, gone)
    _consume(given, keep=keep)
    ids = {
        name: [i for i in outcome.committed if i.startswith(f"{side}_")]
        for side, name in (("prop", "proposition"), ("opp", "opposition"))
    }
    if exchange == 0:
        return _processed(outcome, ids)
    return _processed(outcome, {name: each[0] if each else None for name, each in ids.items()})


def process_judge(debate: str, json_file: str, *, keep: bool = False) -> Answer:
    """Commit a judgment from a file that the caller names."""
    given, gone = _given({"judge": json_file})
    outcome = engine.submit_given(folder.find(debate), None, given, gone)
    _consume(given, keep=keep)
    entry = outcome.position.debate.record.get(outcome.committed[0])
    header = entry.header if entry else {}
    scored = scores(header)
    return _processed(
        outcome,
        [argument_id for argument_id, _ in scored],
        score=[to_number(score) for _, score in scored],
        rescored=[item["argument_id"] for item in header.get("rescores") or []],
    )


def status(debate: str) -> Answer:
    """Return where a debate stands; nothing is written unless an interruption left something."""
    position = engine.look(folder.find(debate))
    name = answers.name_of(position.folder)
    result = answers.state(position) | {
        "state": answers.turn(position)["state"],
        "progress": answers.progress(position),
        **answers.waiting(position),
        "absences": [absence._asdict() for absence in engine.absences(position.debate)],
        "warnings": answers.findings(
            messages.within((*position.warnings, *_of_an_older_tool(position)))
        ),
        "next": sensible(position, name),
    }
    return Answer(result, _status_lines(result))


def _of_an_older_tool(position: engine.Position) -> tuple[Finding, ...]:
    """Return what is to be known of a debate that this program has not gone on with yet."""
    if not position.debate.older:
        return ()
    from debate_ops import validation  # reads every file: worth it once

    faults, warnings = validation.validate(position.folder)
    known = {warning.message for warning in position.warnings}
    return (*faults, *(w for w in warnings if w.message not in known))


def sensible(position: engine.Position, name: str) -> list[str]:
    """Return the commands that make sense now, ready to be typed."""
    return [f"{answers.invocation()} {word}" for word in _sensible(position, name)]


def _sensible(position: engine.Position, name: str) -> Iterator[str]:
    debate, due = position.debate, position.due
    counts = bool(rules_of(debate.protocol).CYCLE) and not _ends_itself(debate)
    asks = counts and not (position.tasks and debate.request)
    if isinstance(due, Waiting):
        yield from (f"{act} {name} {ACT_FORMS[act]}".rstrip() for act in due.acts)
    goes_on = counts or isinstance(rules_of(debate.protocol).next_turn(debate, clock.now()), Turn)
    if goes_on:
        yield f"next {name}{' --exchanges 3' if asks else ''}"
    for item in position.tasks:
        if item.status == engine.REFUSED and item.task.on_failure != OMIT:
            yield f'skip {name} --participant {item.task.participant} --reason "…"'
    if isinstance(due, Turn) and engine.is_late(debate, due):
        yield f'advance {name} --step {due.step} --reason "…"'
    if goes_on:
        yield f'run {name}{" 3" if asks else ""} --all cmd:"claude -p"'
    if debate.step:
        yield f"show {name}"
        yield f"report {name}"


ACT_FORMS = {
    "answer": "",
    "decide": '--proposal ID --reason "…"',
    "escalate": '--reason "…"',
    "cancel": '--reason "…"',
}
"""How each act is typed, after the debate's name; by itself, `answer` asks for each answer."""


def _ends_itself(debate: Debate) -> bool:
    return rules_of(debate.protocol).last_exchange(debate.settings) is not None


def _given(named: Mapping[str, str]) -> tuple[dict[str, RawReply], dict[str, str]]:
    """Return the replies in the files named by participant, and the names of missing files."""
    gone = {name: path for name, path in named.items() if not os.path.lexists(path)}
    here = {name: path for name, path in named.items() if name not in gone}
    return {n: RawReply(files.read_given(path, MAX_BYTES), path) for n, path in here.items()}, gone


def _consume(given: Mapping[str, RawReply], *, keep: bool) -> None:
    for reply in () if keep else given.values():
        files.discard_read(reply.name, reply.raw)


def _processed(outcome: engine.Outcome, argument_id: Any, **more: Any) -> Answer:
    state = outcome.position.debate.state
    result = {
        "success": True,
        "argument_id": argument_id,
        "already_applied": outcome.already_applied,
        **answers.remarks(outcome.warnings),
        "current_exchange": state.exchange,
        "current_phase": state.phase,
        "step": outcome.position.debate.step,
        "cumulative_scores": answers.state(outcome.position)["cumulative_scores"],
    }
    return Answer(result | more)


def skip(
    debate: str, participant: str, reason: str, step: int | None = None, *, withdraw: bool = False
) -> Answer:
    """End a participant's task without a reply, or take that back while it is pending."""
    place = _free(debate)
    if withdraw:
        position = engine.withdraw_skip(place, participant)
        result = {"success": True} | answers.remarks(position.warnings)
        return turn_answer(result | answers.turn(position))
    done = engine.skip(place, participant, reason, step=step)
    if isinstance(done, engine.Outcome):
        return turn_answer(answers.outcome(done))
    pending = {"success": True, "committed": [], "pending": participant}
    return turn_answer(pending | answers.remarks(done.warnings) | answers.turn(done))


def advance(debate: str, step: int, reason: str) -> Answer:
    """Close the turn of a step with the replies that are there."""
    return turn_answer(answers.outcome(engine.advance(_free(debate), step, reason)))


def decide(debate: str, by: str, **given: str) -> Answer:
    """Decide a debate that was escalated to a person."""
    return act(debate, "decide", by, given)


def escalate(debate: str, by: str, **given: str) -> Answer:
    """Hand a debate over to a person."""
    return act(debate, "escalate", by, given)


def cancel(debate: str, by: str, **given: str) -> Answer:
    """End a debate without a result."""
    return act(debate, "cancel", by, given)


def act(debate: str, name: str, by: str, given: Mapping[str, str]) -> Answer:
    """Put on record what a person decides about the whole debate."""
    return turn_answer(answers.outcome(engine.act(_free(debate), Act(name, given, by))))


def turn_answer(result: dict[str, Any]) -> Answer:
    """Return an answer whose lines say what went on record, and which turn is due."""
    committed = ", ".join(result.get("committed", ()))
    tasks = [
        f"  {t['participant']}: {t['status']}, reply to {t['reply_file']}" for t in result["tasks"]
    ]
    lines = [f"On record: {committed}."] if committed else []
    lines += [f"{result['debate']}: {result['progress']}", *_about_lines(result), *tasks]
    return Answer(result, [*lines, *map(one_line, result["warnings"])])


def _about_lines(result: Mapping[str, Any]) -> list[str]:
    return [f"  {item['id']}: {item['text']}" for item in result.get("about", ())]


def _status_lines(result: Mapping[str, Any]) -> list[str]:
    totals = ", ".join(
        f"{side} {signed(int(item['total'] * 1000))} ({item['count']} scored)"
        for side, item in result["cumulative_scores"].items()
    )
    return [
        f"{result['debate']}: {result['progress']}",
        *_about_lines(result),
        *([totals] if totals else []),
        *answers.labelled("warning", (each["message"] for each in result["warnings"])),
        *(f"Next:  {command}" for command in result["next"]),
    ]


def check(debate: str, required: Sequence[str]) -> Answer:
    """Tell whether a debate meets all that is required of it; exit code 10 if not."""
    position = engine.look(folder.find(debate))
    state = position.debate
    known = rules_of(state.protocol).REQUIREMENTS
    where = f"of a debate of the protocol {state.protocol!r}"
    if not known:
        raise UsageError(f"nothing can be required {where}")
    unknown = [name for name in required if name not in known]
    if unknown or not required:
        what = f"{' and '.join(unknown)} cannot be required" if unknown else "say what is required"
        raise UsageError(
            f"{what} {where}",
            hint=f"What can be: {', '.join(known)}. As in 'check {debate} --require …'.",
        )
    met = {name: known[name](state) for name in required}
    result = {
        "success": all(item.is_met for item in met.values()),
        "debate": answers.name_of(position.folder),
        "requirements": {name: item._asdict() for name, item in met.items()},
    }
    lines = [
        f"{name}: {'met' if item.is_met else 'not met'}: {item.why}" for name, item in met.items()
    ]
    return Answer(result, lines, 0 if result["success"] else CHECK_NOT_MET)


def undo(debate: str, exchange: int | None = None, step: int | None = None) -> Answer:
    """Take the last exchange back, or all from a step on."""
    if exchange is not None and step is not None:
        raise UsageError("--exchange and --step exclude each other")
    position, ids = engine.undo(_free(debate), exchange, step)
    result: dict[str, Any] = {"success": True, "taken_back": list(ids)}
    result |= answers.remarks(position.warnings) | answers.turn(position)
    lines = [
        f"Taken back: {', '.join(ids)} (now in set-aside/).",
        f"{result['debate']}: {result['progress']}",
        f"Next:  {answers.invocation()} status {result['debate']}",
    ]
    return Answer(result, lines)
