"""Where a debate stands, as all commands say it: as data, and in sentences for people."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from debate_ops import engine, panels
from debate_ops.cli import answers, config
from debate_ops.cli.answers import Answer
from debate_ops.core.errors import DebateError, ParticipantFailedError, ToRepairError
from debate_ops.core.protocol import CANCELLED
from debate_ops.core.texts import one_line, signed
from debate_ops.core.values import ARGUMENTS, JUDGMENTS, OMIT, Done, Turn, Waiting
from debate_ops.engine import Position, store
from debate_ops.engine.prompts import summarise_entry
from debate_ops.engine.validate import load_parts
from debate_ops.report.provenance import collect_replies
from debate_ops.report.reading import read_debate
from debate_ops.report.words import count, some
from debate_ops.run.endings import is_idle
from debate_ops.run.run_file import PERSON, Running, find_run

MOST_OF_A_TITLE, MOST_OF_A_TEXT = 200, 1_000
"""Characters that are shown of a title, and of an entry's texts."""
ACT_FORMS = {
    "answer": 'ID="…"',
    "resume": "",
    **dict.fromkeys(("resolve", "escalate", "cancel"), '--reason "…"'),
    "decide": '--proposal ID --reason "…"',
}
"""How each act is typed, after the debate's name."""


class ProgramFailedError(ParticipantFailedError):
    """A program that replies beside the agents of a client has failed; where things stand now."""

    def __init__(self, failed: ParticipantFailedError, position: Position) -> None:
        super().__init__(failed.message, hint=failed.hint, faults=failed.faults)
        self.position = position


def load_with_warnings(
    debate: str, load: Callable[[store.Folder], Position] = engine.load
) -> Position:
    """Return where a debate stands that is to be shown; say its warnings on standard error."""
    position = load(engine.store.find_folder(debate))
    found = [*position.warnings, *load_parts(position)[1]]
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


def describe_work_left(position: Position) -> str:
    """Return what is still to come, of a debate that nobody has asked for yet what is usual.

    Where nobody but people has replied, and a run asks nobody else, no memo is: they write none.
    """
    is_begun = position.header.request or position.debate.step
    if not is_begun and not position.has_end:
        position = engine.plan(position, config.find_usual_exchanges())
    run = find_run(position.folder)
    asked = [by.startswith(PERSON) for by in run.names.values()] if run else []
    made = [o for origins in collect_replies(position.at).values() for o in origins]
    people = [*asked, *("person" in origin for origin in made)]
    by_people = bool(people) and all(people)
    if by_people:  # nor is an adviser asked
        position = position.select_tasks(position.protocol.participants(position.debate.settings))
    has_memo = not (_find_source(position) or by_people)
    return position.describe_work_left(has_memo=has_memo, by_people=by_people)


def _find_source(position: Position) -> str:
    """Return the name of the debate whose panel this is, or that is judged again; else nothing."""
    above, name = os.path.split(position.folder.path)
    higher, held_in = os.path.split(above)
    is_part = name == store.PANEL or held_in == store.REJUDGED
    source = store.Folder(above if name == store.PANEL else higher)
    return source.name if is_part and os.path.lexists(source.debate_file) else ""


def describe_turn(position: Position) -> dict[str, Any]:
    """Return where a debate is and what it waits for: for replies, for a person, or nothing."""
    due, name, asking = position.due, position.folder.name, position.select_tasks()
    programs = config.find_programs(position)
    result = describe_state(position) | {
        "state": {Turn: "turn", Waiting: "waiting", Done: "done"}[type(due)],
        "progress": describe_progress(position),
        "to_come": describe_work_left(position),
        "reason": "" if isinstance(due, Turn) else due.reason,
        "calls_now": len(asking.tasks),
        "calls_left": asking.calls_left,
        "on_hold": position.hold and position.hold._asdict(),
        "tasks": [_describe_task(position, item, programs) for item in position.tasks],
    }
    if isinstance(due, Waiting):
        about = []
        for entry in filter(None, map(position.debate.entries.get, due.about)):
            text = " ".join(f"{title}: {said}" for title, said in entry.texts.items())
            about.append({"id": entry.id, "text": one_line(text, MOST_OF_A_TEXT)})
        result |= {"acts": list(due.acts), "about": about}
    elif isinstance(due, Done):
        source = _find_source(position)
        more = "" if position.has_end else f" {config.find_usual_exchanges()}"
        commands = [f"/debate-run {name}{more}"] if position.can_go_on and not source else []
        number = position.count_complete() if position.protocol.cycle else None
        commands += [f"/debate-report {source or name}"]
        result["completed"] = {"exchanges": number, "next": commands}
    else:
        result["submit"] = f"submit {name} --step {position.debate.step}"
        if deadline := position.find_deadline():
            result |= {"deadline": deadline, "late": position.is_late()}
        if position.is_between:
            result |= _describe_pause(position)
    return result


def _describe_pause(position: Position) -> dict[str, Any]:
    """Return why a debate may end between two exchanges, and the two lines of a checkpoint."""
    d, name, rules = position.debate, position.folder.name, position.protocol
    result: dict[str, Any] = {}
    end = "" if position.has_end else f"next {name} --exchanges 0"
    end = f"stop {name} --with-closing --reason '…'" if "close" in rules.acts else end
    why = rules.explain_end(d, position.due.round - 1)
    if why and position.count_exchanges_left():
        words = f"{answers.name_invocation()} {end}"
        result["may_end"] = f"{why}; if that is enough, '{words}' ends it here"
    if d.settings.checkpoints == "on":
        last = max(e.round for e in d.entries.values())
        what = f"{rules.cycle.capitalize()} {last}" if last else "The opening"
        new = [e for e in d.entries.values() if (e.round, e.folder) == (last, ARGUMENTS)]
        said = "; ".join(
            f"{e.id} {e.title if e.kind == 'argument' else summarise_entry(e)}" for e in new
        )
        left = position.describe_work_left() or "nothing that was asked for"
        totals = write_totals(position.header.cumulative_scores)
        lines = [
            f"{what if rules.cycle else 'A round'} is over. To come: {left}. {totals}",
            f"New: {said}",
        ]
        lines = [one_line(line, MOST_OF_A_TEXT) for line in lines]
        result |= {"checkpoint": lines, "end": end}
    return result


def write_place(position: Position, result: Mapping[str, Any]) -> list[str]:
    """Return what an answer says of where a debate is, for people."""
    done = result.get("completed", {})
    number, totals = done.get("exchanges"), write_totals(result["cumulative_scores"])
    counted = "" if number is None else f"{count(number, position.protocol.cycle)} completed"
    held = f"On hold: {position.hold.sentence()}; 'resume' ends it" if position.hold else ""
    return [
        f"{result['debate']}: {result['progress']}",
        *(f"  {item['id']}: {item['text']}" for item in result.get("about", ())),
        *([f"To come: {result['to_come']}"] if result["to_come"] else []),
        *filter(
            None, [done and held, result.get("may_end"), "; ".join(filter(None, [counted, totals]))]
        ),
        *([f"In an agent client:  {'   or  '.join(done['next'])}"] if done else []),
    ]


def is_done(position: Position) -> bool:
    """Tell whether a debate is complete, or an exchange is and nobody has said how many follow."""
    is_unasked = isinstance(position.due, Turn) and position.calls_left is None
    return position.is_complete or (is_unasked and position.is_between)


def list_left(position: Position, exchanges: int | None = None) -> set[str]:
    """Return what is to come if so many more exchanges are asked for: turns, or what is lacking."""
    is_over = exchanges is None and is_done(position)
    return list_lacking(position) if is_over else {"turns"}


def list_lacking(position: Position) -> set[str]:
    """Return what a debate lacks at its end: its panel, a memo of this record, its page."""
    is_held = position.debate.step > 0 and position.at.place.phase != CANCELLED
    if not (is_held and is_idle(position)):
        return set()
    lacks = {
        "panel": panels.is_due(position),
        "memo": not read_debate(position).memo,
        "page": not os.path.lexists(position.folder.within(store.PAGE)),
    }
    return {name for name, is_lacking in lacks.items() if is_lacking}


def write_answer(answer: str, sureness: str) -> str:
    """Return an answer and how sure it is; once where that is the same, as "Too close to call"."""
    return answer if answer.lower() == sureness else f"{answer} (how sure: {sureness})"


def write_totals(totals: Mapping[str, Any]) -> str:
    """Return the scores of a debate so far in one line; empty where there are none."""
    scored = {side: total for side, total in totals.items() if total["count"]}
    return ", ".join(f"{s} {signed(t['total'])} ({t['count']} scored)" for s, t in scored.items())


def answer_with_turn(
    done: Position, due: Position | None = None, *, did: str = "", **more: Any
) -> Answer:
    """Return what a command answers that has worked: what it did, warnings, what is `due` now."""
    result: dict[str, Any] = {"success": True} | answers.list_remarks(done.warnings)
    if done.committed:
        result |= {"already_applied": done.already_applied, "committed": [*done.committed]}
        result |= describe_decisions(done)
    position = due or done
    result |= more | describe_turn(position)
    committed = ", ".join(result.get("committed", ()))
    before = "That had been done before. " if done.already_applied else ""
    did = did or (f"{before}On record: {committed}." if committed else "")
    lines = [*filter(None, [did]), *write_place(position, result)]
    lines += [
        f"  {t['participant']}: {t['status']}, {t['prompt_file']}  ->  {t['reply_file']}"
        for t in result["tasks"]
    ]
    return Answer(result, lines, next=suggest_commands(position))


def describe_decisions(done: Position) -> dict[str, Any]:
    """Return the scores, the effects of attacks, and the other judgments of a submission."""
    found: dict[str, Any] = {}
    for entry in filter(None, map(done.debate.entries.get, done.committed)):
        if entry.kind == "judgment":
            for key in ("scores", "rescores"):
                if items := entry.data.get(key):
                    found[key] = {item["argument_id"]: item["score"] for item in items}
            found |= {"effects": effects} if (effects := entry.data.get("effects")) else {}
        elif entry.folder == JUDGMENTS and entry.kind != "absence":
            found.setdefault("judgments", {})[entry.id] = one_line(entry.title, MOST_OF_A_TITLE)
    return found


def suggest_commands(position: Position, run: Running | None = None) -> list[str]:
    """Return the commands that make sense now, the likeliest first."""
    name, due = position.folder.name, position.due
    if run:
        found = [f"reply {name} --as {person}" for person in run.list_people()]
        acts = ("resume", "watch", "stop") if position.hold else ("watch", "pause", "stop")
        return found + [f"{act} {name}" for act in acts]
    if isinstance(due, Waiting):
        return [f"{act} {name} {ACT_FORMS[act]}".rstrip() for act in due.acts]
    return [*_suggest(position)]


def _suggest(position: Position) -> Iterator[str]:
    name, step, tasks = position.folder.name, position.debate.step, position.tasks
    is_asked = position.has_end or (tasks and position.header.request)
    number = "" if is_asked else f" {config.find_usual_exchanges()}"
    repliers = "" if "all" in config.read_specs() else f" --all {answers.SPEC}"
    lacks_memo = position.is_complete and "memo" in list_lacking(position)
    if source := _find_source(position):
        of_panel = "report" if position.is_complete else "panel"
        yield f"{of_panel if position.folder.slug == store.PANEL else 'rejudge'} {source}"
    elif position.is_complete:
        if lacks_memo:  # and the other 'run' is another time's
            yield f"run {name}{repliers}"
        yield from (f"outcome {name}", f"report {name}")
    panel = panels.describe_state(position) if is_done(position) else {}
    if panel.get("state") in {"due", "begun"}:
        yield f"panel {name}"
    elif panel.get("state") == "has faults":
        yield f"panel {name} --anew"
    if position.can_go_on and not source:
        yield from [] if lacks_memo else [f"run {name}{number}{repliers}"]
        is_asking = any(os.path.lexists(item.slot.prompt) for item in tasks)
        asks = f"next {name}{number and f' --exchanges{number}'}"
        yield f"submit {name} --step {step}" if is_asking else asks
    for item in tasks:
        if item.status == engine.REFUSED and item.task.on_failure != OMIT:
            yield f'skip {name} --participant {item.task.by} --reason "…"'
    if position.is_late():
        yield f'advance {name} --step {step} --reason "…"'


def _describe_task(
    position: Position, item: engine.TaskStatus, programs: Collection[str]
) -> dict[str, Any]:
    task, settings, protocol = item.task, position.debate.settings, position.protocol
    agent = protocol.participants(settings).get(task.by, "debater")
    is_own = task.template in protocol.replies
    result = {
        "participant": task.by,
        "agent": agent,
        "prompt_file": item.slot.prompt,
        "reply_file": item.slot.reply,
        "schema": f"{protocol.name}-{task.template}" if is_own else "first-answer",
        "status": item.status,
        "attempts": item.attempts,
        "on_failure": task.on_failure,
        "web_search": (agent, settings.web_search) == ("debater", "allowed"),
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
    names = position.list_awaited()
    return f"{place}: {f'{some(names)} due' if names else 'all replies in'}"


def describe_refusal(error: DebateError) -> dict[str, Any]:
    """Return an error as the object that a command prints instead of its result."""
    result: dict[str, Any] = {
        "success": False,
        "code": error.code,
        "error": error.message,
        "faults": answers.list_faults(error.faults),
        "hint": error.hint,
        **answers.list_remarks(getattr(error, "warnings", ())),
        "errors": answers.list_sentences(error.faults) or error.sentences(),
    }
    if isinstance(error, engine.RepliesRefusedError | ProgramFailedError) and error.position:
        result |= describe_turn(error.position)
    if isinstance(error, ToRepairError):
        result["repair_prompt_file"] = error.repair_prompt
    return result
