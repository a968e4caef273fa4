"""Where a debate stands, as all commands say it: as data, and in sentences for people."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from debate_ops import engine
from debate_ops.cli import answers, config
from debate_ops.cli.answers import Answer
from debate_ops.core.errors import DebateError, ToRepairError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.texts import one_line, signed
from debate_ops.core.values import ARGUMENTS, JUDGMENTS, OMIT, Done, Turn, Waiting
from debate_ops.engine import Outcome, Position, store
from debate_ops.engine.prompts import summarise_entry
from debate_ops.engine.validate import find_faulty_parts
from debate_ops.report.words import count
from debate_ops.run.endings import takes_memo
from debate_ops.run.running import Running

MOST_NAMED = 6
MOST_OF_A_TITLE = 200
MOST_OF_A_TEXT = 1_000
"""How many characters are shown of an entry's title, and of a text that a person is asked about."""


ACT_FORMS = {
    "answer": 'ID="…"',
    "resume": "",
    **dict.fromkeys(("resolve", "escalate", "cancel"), '--reason "…"'),
    "decide": '--proposal ID --reason "…"',
}
"""How each act is typed, after the debate's name."""


def load_with_warnings(
    debate: str, load: Callable[[store.Folder], Position] = engine.load
) -> Position:
    """Return where a debate stands that is to be shown; say its warnings on standard error."""
    position = load(engine.store.find_folder(debate))
    found = [*position.warnings, *find_faulty_parts(position)]
    answers.remark(*answers.label("warning", answers.list_sentences(found)))
    return position


def describe_state(position: Position) -> dict[str, Any]:
    """Return what every answer about a debate begins with."""
    place, request = position.at.place, position.header.request
    left = position.count_exchanges_left() if isinstance(place, Turn) else 0
    return {
        "debate": position.folder.name,
        "protocol": position.protocol.name,
        "current_exchange": place.round,
        "current_phase": place.phase,
        "step": position.debate.step,
        "cumulative_scores": position.header.cumulative_scores,
        "request": request.model_dump() | {"remaining": left} if request else None,
    }


def describe_place(position: Position) -> dict[str, Any]:
    """Return where a debate is and what it waits for: for a reply, for a person, or nothing.

    `completed` says what was completed and what to type next in a client; `acts` and `about` what
    a person can do, and about which entries.
    """
    due, name, cycle = position.due, position.folder.name, position.protocol.cycle
    result = describe_state(position) | {
        "state": {Turn: "turn", Waiting: "waiting", Done: "done"}[type(due)],
        "progress": describe_progress(position),
        "to_come": describe_work_left(position),
    }
    is_asked_on = position.count_exchanges_left() and position.is_between
    if is_asked_on and (why := position.protocol.explain_end(position.debate, due.round - 1)):
        words = f"{answers.name_invocation()} {_write_end(position)}"
        result["may_end"] = f"{why}; if that is enough, '{words}' ends it here"
    if isinstance(due, Done):
        more = "" if position.has_end else f" {config.find_usual_exchanges()}"
        commands = [f"/debate-run {name}{more}"] if position.can_go_on else []
        number = position.count_complete() if cycle else None
        result["completed"] = {"exchanges": number, "next": [*commands, f"/debate-report {name}"]}
    if isinstance(due, Waiting):
        about = []
        for entry in filter(None, map(position.debate.entries.get, due.about)):
            text, said = summarise_entry(entry), [*entry.texts.items()]
            if entry.kind != "argument" and said and said[0][1]:
                text = said[0][1] + "".join(f" ({title}: {more})" for title, more in said[1:])
            about.append({"id": entry.id, "text": one_line(text, MOST_OF_A_TEXT)})
        result |= {"acts": list(due.acts), "about": about}
    return result


def describe_work_left(position: Position) -> str:
    """Return what is still to come, of a debate that nobody has asked for yet what is usual."""
    is_begun = position.header.request or position.debate.step
    if not is_begun and not position.has_end:
        position = engine.plan(position, config.find_usual_exchanges())
    return position.describe_work_left()


def write_place(position: Position, result: Mapping[str, Any]) -> list[str]:
    """Return what an answer says of where a debate is, for people."""
    lines = [f"{result['debate']}: {result['progress']}"]
    lines += [f"  {item['id']}: {item['text']}" for item in result.get("about", ())]
    lines += [f"To come: {result['to_come']}"] if result["to_come"] else []
    lines += [result["may_end"]] if "may_end" in result else []
    if done := result.get("completed"):
        number = done["exchanges"]
        counted = "" if number is None else f"{count(number, position.protocol.cycle)} completed"
        lines += filter(None, ["; ".join(filter(None, [counted, describe_totals(position)]))])
        lines.append(f"In an agent client:  {'   or  '.join(done['next'])}")
    return lines


def describe_turn(position: Position) -> dict[str, Any]:
    """Return what a debate waits for now, as `next` and `submit` print it."""
    due, asking, programs = position.due, position.select_tasks(), config.find_programs(position)
    result = describe_place(position) | {
        "reason": "" if isinstance(due, Turn) else due.reason,
        "calls_now": len(asking.tasks),
        "calls_left": asking.calls_left,
        "tasks": [_describe_task(position, item, programs) for item in position.tasks],
    }
    if isinstance(due, Turn):
        result["submit"] = f"submit {position.folder.name} --step {position.debate.step}"
        if position.debate.settings.checkpoints == "on" and position.is_between:
            result |= {"checkpoint": _list_checkpoint(position), "end": _write_end(position)}
        if deadline := position.find_deadline():
            result |= {"deadline": deadline, "late": position.is_late()}
    return result


def _write_end(position: Position) -> str:
    """Return the command that ends a debate between two exchanges; empty where there is none."""
    name = position.folder.name
    if "close" in position.protocol.acts:
        return f"stop {name} --with-closing --reason '…'"
    return "" if position.has_end else f"next {name} --exchanges 0"


def _list_checkpoint(position: Position) -> list[str]:
    """Return in two lines where a debate stands between two exchanges: how far, and what is new."""
    last, cycle = max(e.round for e in position.debate.entries.values()), position.protocol.cycle
    what = f"{cycle.capitalize()} {last}" if cycle and last else "The opening"
    new = [e for e in position.debate.entries.values() if (e.round, e.folder) == (last, ARGUMENTS)]
    said = [f"{e.id} {summarise_entry(e)}" for e in new if e.by != ADVISER]
    left = position.describe_work_left() or "nothing that was asked for"
    totals = describe_totals(position)
    return [
        f"{what if cycle else 'A round'} is over. To come: {left}. {totals}".rstrip(),
        one_line(f"New: {'; '.join(said)}", MOST_OF_A_TEXT),
    ]


def is_done(position: Position) -> bool:
    """Tell whether a debate is complete, or an exchange is and nobody has said how many follow."""
    is_unasked = isinstance(position.due, Turn) and position.calls_left is None
    return position.is_complete or (is_unasked and position.is_between)


def list_lacking(position: Position) -> set[str]:
    """Return what a debate lacks at its end: its panel, a memo of this record, its page."""
    from debate_ops import panels  # few commands need it
    from debate_ops.report.reading import read_debate

    if not takes_memo(position):
        return set()
    lacks = {
        "panel": panels.is_due(position),
        "memo": not read_debate(position).current_memo,
        "page": not os.path.lexists(position.folder.within(store.PAGE)),
    }
    return {name for name, is_lacking in lacks.items() if is_lacking}


def explain_missing_memo(position: Position) -> str:
    """Return that a debate which is done has no memo of its record; empty where it lacks none."""
    return "There is no advice of this record" if "memo" in list_lacking(position) else ""


def describe_totals(position: Position) -> str:
    """Return the scores of a debate so far in one line; empty where there are none."""
    return ", ".join(
        f"{side} {signed(total['total'])} ({total['count']} scored)"
        for side, total in position.header.cumulative_scores.items()
    )


def answer_with_turn(done: Position | Outcome, **more: Any) -> Answer:
    """Return what a command answers that has worked: what it did, warnings, what is due now."""
    position = done.position if isinstance(done, Outcome) else done
    if isinstance(done, Outcome):
        result = describe_outcome(done)
    else:
        result = {"success": True, **more} | answers.list_remarks(position.warnings)
        result |= describe_turn(position)
    committed = ", ".join(result.get("committed", ()))
    lines = [f"On record: {committed}."] if committed else []
    lines += write_place(position, result)
    lines += [
        f"  {t['participant']}: {t['status']}, {t['prompt_file']}  ->  {t['reply_file']}"
        for t in result["tasks"]
    ]
    lines += answers.write_next(suggest_commands(position))
    return Answer(result, [*lines, *answers.label("warning", result["warnings"])])


def suggest_commands(position: Position, run: Running | None = None) -> list[str]:
    """Return the commands that make sense now, the likeliest first."""
    name, due = position.folder.name, position.due
    if run:
        found = [f"reply {name} --as {person}" for person in run.list_people()]
        found += [f"{act} {name}" for act in ("watch", "pause", "stop")]
    elif isinstance(due, Waiting):
        found = [f"{act} {name} {ACT_FORMS[act]}".rstrip() for act in due.acts]
    else:
        found = [*_suggest(position)]
    return [f"{answers.name_invocation()} {command}" for command in found]


def _suggest(position: Position) -> Iterator[str]:
    name, tasks = position.folder.name, position.tasks
    is_asked = position.has_end or (tasks and position.header.request)
    number = "" if is_asked else f" {config.find_usual_exchanges()}"
    repliers = "" if "all" in config.read_specs() else f" --all {answers.SPEC}"
    if position.is_complete:
        if explain_missing_memo(position):
            yield f"run {name}{repliers}"
        yield from (f"outcome {name}", f"report {name}")
    if is_done(position):
        from debate_ops import panels  # any other debate does without

        if (panels.describe_state(position) or {}).get("state") in {"due", "begun"}:
            yield f"panel {name}"
    if position.can_go_on:
        yield f"run {name}{number}{repliers}"
        is_asking = any(os.path.lexists(item.slot.prompt) for item in tasks)
        asks = f"next {name}{number and f' --exchanges{number}'}"
        yield f"submit {name} --step {position.debate.step}" if is_asking else asks
    for item in tasks:
        if item.status == engine.REFUSED and item.task.on_failure != OMIT:
            yield f'skip {name} --participant {item.task.by} --reason "…"'
    if position.is_late():
        yield f'advance {name} --step {position.debate.step} --reason "…"'


def _describe_task(
    position: Position, item: engine.TaskStatus, programs: Collection[str]
) -> dict[str, Any]:
    task, settings, protocol = item.task, position.debate.settings, position.protocol
    agent, searches = protocol.participants(settings).get(task.by, "debater"), settings.web_search
    is_own = task.template in protocol.replies
    result = {
        "participant": task.by,
        "agent": agent,
        "prompt_file": item.slot.prompt,
        "reply_file": item.slot.reply,
        "schema": f"{protocol.name}-{task.template}" if is_own else task.template,
        "status": item.status,
        "attempts": item.attempts,
        "on_failure": task.on_failure,
        "web_search": (agent, searches) == ("debater", "allowed"),
    }
    result |= {"repair_file": item.slot.repair} if item.status == engine.REFUSED else {}
    return result | ({"by_program": True} if task.by in programs else {})


def describe_progress(position: Position) -> str:
    """Return one line that says where the debate is."""
    due, place = position.due, position.describe_place()
    if isinstance(due, Done) and position.can_go_on:
        return due.reason
    if not isinstance(due, Turn):
        return f"{place}: {one_line(due.reason)}"
    asked = (item.task.by for item in position.select_tasks().tasks)
    names = [name for name in asked if name != ADVISER]  # nothing waits for it
    who = " and ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} participants"
    return f"{place}: {f'{who} due' if names else 'all replies in'}"


def describe_outcome(result: Outcome) -> dict[str, Any]:
    """Return the answer to a submission: what it did, and the turn that is due now."""
    decided: dict[str, Any] = {}
    for entry in filter(None, map(result.position.debate.entries.get, result.committed)):
        if entry.kind == "judgment":
            for key in ("scores", "rescores"):
                if items := entry.data.get(key):
                    decided[key] = {item["argument_id"]: item["score"] for item in items}
            if effects := entry.data.get("effects"):
                decided["effects"] = list(effects)
        elif entry.folder == JUDGMENTS and entry.kind != "absence":
            decided.setdefault("judgments", {})[entry.id] = one_line(entry.title, MOST_OF_A_TITLE)
    return {
        "success": True,
        "already_applied": result.already_applied,
        "committed": list(result.committed),
        **decided,
        **answers.list_remarks(result.warnings),
    } | describe_turn(result.position)


def describe_refusal(error: DebateError) -> dict[str, Any]:
    """Return an error as the object that a command prints instead of its result."""
    errors = answers.list_sentences(error.faults) or error.sentences()
    result: dict[str, Any] = {
        "success": False,
        "code": error.code,
        "error": error.message,
        "errors": errors,
        "faults": answers.list_faults(error.faults),
        "hint": error.hint,
        "warnings": [],
    }
    if isinstance(error, engine.RepliesRefusedError):
        result |= answers.list_remarks(error.warnings) | {"errors": errors}
        if error.position is not None:
            result |= describe_turn(error.position)
    if isinstance(error, ToRepairError):
        result["repair_prompt_file"] = error.repair_prompt
    if isinstance(error, engine.RepliesAwaitedError):  # asked for again and again: it stays short
        turn = describe_turn(error.position)
        result |= {key: turn[key] for key in ("debate", "step", "state", "submit")}
    return result
