"""What commands print: flat JSON objects, and the sentences that go with them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.cli import config
from debate_ops.core import clock
from debate_ops.core.errors import DebateError, ToRepairError, UnprintedError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.texts import one_line, shown, signed, spelled
from debate_ops.core.values import ARGUMENTS, JUDGMENTS, Done, Fault, Turn, Waiting
from debate_ops.engine import Outcome, Position
from debate_ops.engine.prompts import summarise_entry
from debate_ops.report.words import count

MOST_NAMED = 6
MOST_OF_A_TITLE = 200
MOST_OF_A_TEXT = 1_000
"""How many characters are shown of an entry's title, and of a text that a person is asked about."""
MOST_OF_A_MESSAGE = 600
MOST_FAULTS = 10_000
"""How many characters the faults of one answer have at most."""


class Answer(NamedTuple):
    """What a command answers: an object, lines for people or a whole `text`, the exit code.

    Where there are neither lines nor a text, the object is printed in any case; without an object,
    the command has printed what it had to say.
    """

    data: Mapping[str, Any] | None = None
    lines: Sequence[str] = ()
    code: int = 0
    text: str | None = None


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer, as one JSON object or for people.

    Raises:
        UnprintedError: standard output takes nothing.
    """
    is_for_people = bool(answer.lines) or answer.text is not None
    if answer.data is not None and (as_json or not is_for_people):
        print_object(answer.data)
    elif answer.text is not None:
        _write(answer.text)
    else:
        _write("".join(f"{clean(line)}\n" for line in answer.lines))


def print_object(data: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output: on one line, unless a person looks at it.

    Raises:
        UnprintedError: standard output takes nothing.
    """
    _write(f"{write_json(data, indent=2 if sys.stdout.isatty() else None)}\n")


def write_json(data: Any, *, indent: int | None = None) -> str:
    """Return JSON without anything that a terminal could not show."""

    def make_plain(value: Any) -> Any:
        return value.model_dump(mode="json") if hasattr(value, "model_dump") else float(value)

    between = (",", ": ") if indent else (",", ":")
    return spelled(
        json.dumps(data, indent=indent, separators=between, ensure_ascii=False, default=make_plain)
    )


def _write(text: str) -> None:
    """Write to standard output: one that is closed is the reader's own choice, a full one not."""
    try:
        if sys.stdout is not None:
            sys.stdout.write(text)
            sys.stdout.flush()
    except OSError as error:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until the very end)
        if not isinstance(error, BrokenPipeError):
            raise UnprintedError(
                "the command has done its work, but its answer could not be printed: standard "
                f"output says {error.strerror}",
                hint="Make room there; before you run the command again, let 'status' or 'list' "
                "show what it did.",
            ) from None


def remark(*lines: str) -> None:
    """Print lines for people on standard error, without what would steer a terminal."""
    if sys.stderr is not None:  # else closed by the caller
        with suppress(OSError):
            sys.stderr.writelines(f"{clean(line)}\n" for line in lines)


def remark_error(error: DebateError) -> None:
    """Say on standard error what is wrong, all of it, and what to do next."""
    said = [one_line(sentence) for sentence in error.sentences() if sentence != error.message]
    remark(f"debate-ops: {one_line(error.message)}")
    remark(*(f"  {sentence}" for sentence in (*said, error.hint) if sentence))


WITHIN: list[str] = []
"""How the program was called that works in another folder: its name, `-C` and the folder."""


def name_invocation() -> str:
    """Return how this program was called, so that what it suggests can be typed as it stands."""
    return " ".join(WITHIN or [name_program()])


def name_program() -> str:
    """Return the program's name as it was called, without options, as a shell takes it."""
    if WITHIN:
        return WITHIN[0]
    path = sys.argv[0]
    name = os.path.basename(path.rstrip("/"))
    if name == "__main__.py":
        folder, found = os.path.dirname(sys.executable), shutil.which("python3")
        is_found = found is not None and os.path.dirname(found) == folder
        here = os.path.join(os.getcwd(), "")
        own = shlex.quote(sys.executable.removeprefix(here))
        return f"{'python3' if is_found else own} -m debate_ops"
    is_folder = name == "debate_ops" and os.path.isdir(path)
    return f"python3 {shlex.quote(path)}" if is_folder else "debate-ops"


def list_faults(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """Return faults as flat objects: `file`, `message`, and whose and where if that is known."""
    return [
        {"file": fault.file, "message": fault.message}
        | {k: v for k, v in (("participant", fault.by), ("where", fault.where)) if v}
        for fault in shorten_faults(faults)
    ]


def shorten_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Return faults in short, as many as an answer has room for, and how many more there are."""
    listed: list[Fault] = []
    left, more = MOST_FAULTS, 0
    for fault in faults:
        message, where = one_line(fault.message, MOST_OF_A_MESSAGE), one_line(fault.where, 200)
        left -= len(message) + len(where) + len(fault.file) + 20
        if left < 0:
            more += 1
        else:
            listed.append(Fault(where, message, fault.by, fault.file, fault.is_warning))
    return listed + ([Fault("", f"{more:,} more are not listed")] if more else [])


def list_sentences(faults: Iterable[Fault]) -> list[str]:
    """Return faults as sentences."""
    return [fault.sentence() for fault in shorten_faults(faults)]


def list_failed(failed: Mapping[str, DebateError]) -> list[str]:
    """Return errors by what they are about, each with all that is known of it."""
    return [
        one_line(f"{what}: {'; '.join(dict.fromkeys([e.message, *e.sentences()]))}", MOST_FAULTS)
        for what, e in failed.items()
    ]


def label(word: str, messages: Iterable[str]) -> list[str]:
    """Return messages about faults or warnings, each on one line behind that word."""
    return [f"{word}: {one_line(message)}" for message in messages]


SPEC = "SPEC"
"""What stands in a proposed command for who replies, where nobody is known."""


def tell_next(commands: Iterable[str]) -> list[str]:
    """Return the commands that make sense now as lines, and what a SPEC in one of them is."""
    lines = [f"Next:  {command}" for command in commands]
    if any(f" {SPEC}" in line for line in lines):
        lines.append(f"{SPEC} is who replies; who can here:  {name_invocation()} doctor")
    return lines


def load_with_warnings(debate: str) -> Position:
    """Return where a debate stands that is to be shown; say its warnings on standard error."""
    position = engine.load(engine.store.find_folder(debate))
    remark(*label("warning", list_sentences(position.warnings)))
    return position


def describe_state(position: Position) -> dict[str, Any]:
    """Return what every answer about a debate begins with."""
    place, request = position.at.place, position.header.request
    left = position.count_owed() if isinstance(place, Turn) else 0
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
    is_asked_on = position.count_owed() and is_between(position)
    if is_asked_on and (why := position.protocol.explain_end(position.debate, due.round - 1)):
        words = f"{name_invocation()} {_write_end(position)}"
        result["may_end"] = f"{why}; if that is enough, '{words}' ends it here"
    if isinstance(due, Done):
        more = f" {config.find_usual_exchanges()}" if asks_for_number(position) else ""
        commands = [f"/debate-run {name}{more}"] if can_go_on(position) else []
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
    if not is_begun and asks_for_number(position):
        position = engine.plan(position, config.find_usual_exchanges())
    return position.describe_work_left()


def tell_place(position: Position, result: Mapping[str, Any]) -> list[str]:
    """Return what an answer says of where a debate is, for people."""
    lines = [f"{result['debate']}: {result['progress']}"]
    lines += [f"  {item['id']}: {item['text']}" for item in result.get("about", ())]
    lines += [f"To come: {result['to_come']}"] if result["to_come"] else []
    lines += [result["may_end"]] if "may_end" in result else []
    if done := result.get("completed"):
        number = done["exchanges"]
        counted = "" if number is None else f"{count(number, position.protocol.cycle)} completed"
        lines += filter(None, ["; ".join(filter(None, [counted, tell_totals(position)]))])
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
        if position.debate.settings.checkpoints == "on" and is_between(position):
            result |= {"checkpoint": _list_checkpoint(position), "end": _write_end(position)}
        if deadline := position.find_deadline():
            result |= {"deadline": deadline, "late": clock.now() >= deadline}
    return result


def is_between(position: Position) -> bool:
    """Tell whether one exchange, or cycle or round, is over and nothing is said in the next."""
    rounds = [entry.round for entry in position.debate.entries.values()]
    return isinstance(position.due, Turn) and bool(rounds) and max(rounds) < position.due.round


def _write_end(position: Position) -> str:
    """Return the command that ends a debate between two exchanges; empty where there is none."""
    name = position.folder.name
    if "close" in position.protocol.acts:
        return f"stop {name} --with-closing --reason '…'"
    return f"next {name} --exchanges 0" if asks_for_number(position) else ""


def _list_checkpoint(position: Position) -> list[str]:
    """Return in two lines where a debate stands between two exchanges: how far, and what is new."""
    last, cycle = max(e.round for e in position.debate.entries.values()), position.protocol.cycle
    what = f"{cycle.capitalize()} {last}" if cycle and last else "The opening"
    new = [e for e in position.debate.entries.values() if (e.round, e.folder) == (last, ARGUMENTS)]
    said = [f"{e.id} {summarise_entry(e)}" for e in new if e.by != ADVISER]
    left = position.describe_work_left() or "nothing that was asked for"
    totals = tell_totals(position)
    return [
        f"{what if cycle else 'A round'} is over. To come: {left}. {totals}".rstrip(),
        one_line(f"New: {'; '.join(said)}", MOST_OF_A_TEXT),
    ]


def can_go_on(position: Position) -> bool:
    """Tell whether the rules lead to another turn, whatever was asked for."""
    return isinstance(position.at.place, Turn)


def is_over(position: Position) -> bool:
    """Tell whether a debate is at the end of its rules or, where they have none, of the request."""
    is_at_end = asks_for_number(position) or not can_go_on(position)
    return isinstance(position.due, Done) and is_at_end


def asks_for_number(position: Position) -> bool:
    """Tell whether a debate goes on for as many exchanges as somebody asks for."""
    protocol = position.protocol
    return bool(protocol.cycle) and protocol.last_exchange(position.debate.settings) is None


def tell_totals(position: Position) -> str:
    """Return the scores of a debate so far in one line; empty where there are none."""
    return ", ".join(
        f"{side} {signed(total['total'])} ({total['count']} scored)"
        for side, total in position.header.cumulative_scores.items()
    )


def answer_with_turn(
    done: Position | Outcome, before: Position | None = None, /, **more: Any
) -> Answer:
    """Return what a command answers that has worked: what it did, warnings, what is due now.

    Who was a person `before` is taken to reply as one again, and a run to go on with `run`.
    """
    position = done.position if isinstance(done, Outcome) else done
    entries = (before or position).debate.entries.values()
    people = {entry.by for entry in entries if "person" in made_by(entry)}
    makers = [made.keys() for entry in entries if (made := made_by(entry)) and "person" not in made]
    made_by_run = bool(before and makers) and all(m & {"command", "model"} for m in makers)
    if isinstance(done, Outcome):
        result = describe_outcome(done)
    else:
        result = {"success": True, **more} | list_remarks(position.warnings)
        result |= describe_turn(position)
    committed = ", ".join(result.get("committed", ()))
    lines = [f"On record: {committed}."] if committed else []
    lines += tell_place(position, result)
    lines += [
        f"  {t['participant']}: {t['status']}, {t['prompt_file']}  ->  {t['reply_file']}"
        for t in result["tasks"]
    ]
    asked = (item.task.by for item in position.select_tasks().tasks)
    next_ = [f"reply {position.folder.name} --as {name}" for name in asked if name in people]
    if "submit" in result:
        goes_on = f"run {position.folder.name}{name_repliers(before or position)}"
        next_.append(goes_on if made_by_run else result["submit"])
    lines += tell_next(f"{name_invocation()} {command}" for command in next_)
    if "submit" in result and made_by_run:
        lines.append("   or  the same 'ask' again, if one began it")
    return Answer(result, [*lines, *label("warning", result["warnings"])])


def name_repliers(position: engine.Position) -> str:
    """Return who may reply for all, as options of `run`: the people who did so far still do.

    All others are those who are set, who replied the last time, or a SPEC to be filled in.
    """
    makers = {e.by: made for e in position.debate.entries.values() if (made := made_by(e))}
    people = {
        by: f"person:{one_line(made['person'])}" for by, made in makers.items() if "person" in made
    }
    if people.keys() == makers.keys() and len({*people.values()}) == 1:
        return f" --all {shlex.quote(people.popitem()[1])}"
    named = [f" --as {shlex.quote(f'{by}={who}')}" for by, who in people.items()]
    last = shlex.quote(config.read_last_spec()) if config.read_last_spec() else SPEC
    return "".join([*([] if "all" in config.read_specs() else [f" --all {last}"]), *named])


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
    if isinstance(due, Done) and can_go_on(position):
        return due.reason
    if not isinstance(due, Turn):
        return f"{place}: {one_line(due.reason)}"
    asked = (item.task.by for item in position.select_tasks().tasks)
    names = [name for name in asked if name != ADVISER]  # nothing waits for it
    who = " and ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} participants"
    return f"{position.describe_progress()}{place}: {f'{who} due' if names else 'all replies in'}"


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
        **list_remarks(result.warnings),
    } | describe_turn(result.position)


def list_absences(position: Position) -> list[dict[str, Any]]:
    """Return every absence on record: whose, in which exchange, how, why and by whom."""
    return [
        {"id": e.id, "participant": e.by, "exchange": e.round}
        | {key: e.data.get(key, "") for key in ("how", "reason", "by")}
        for e in position.debate.find("absence")
    ]


def list_remarks(warnings: Iterable[Fault]) -> dict[str, Any]:
    """Return `errors` (none) and `warnings` as sentences; details only where there are any."""
    listed = shorten_faults(warnings)
    result: dict[str, Any] = {"errors": [], "warnings": [w.sentence() for w in listed]}
    return result | ({"warning_details": list_faults(listed)} if listed else {})


def describe_refusal(error: DebateError) -> dict[str, Any]:
    """Return an error as the object that a command prints instead of its result."""
    errors = list_sentences(error.faults) or error.sentences()
    result: dict[str, Any] = {
        "success": False,
        "code": error.code,
        "error": error.message,
        "errors": errors,
        "faults": list_faults(error.faults),
        "hint": error.hint,
        "warnings": [],
    }
    if isinstance(error, engine.RepliesRefusedError):
        result |= list_remarks(error.warnings) | {"errors": errors}
        if error.position is not None:
            result |= describe_turn(error.position)
    if isinstance(error, ToRepairError):
        result["repair_prompt_file"] = error.repair_prompt
    if isinstance(error, engine.RepliesAwaitedError):  # asked for again and again: it stays short
        turn = describe_turn(error.position)
        result |= {key: turn[key] for key in ("debate", "step", "state", "submit")}
    return result


def clean(text: str) -> str:
    """Return a text without what would steer a terminal; of its line breaks, plain ones stay."""
    return "\n".join(" ".join(line.splitlines()) for line in shown(text).split("\n"))


def is_text(word: str) -> bool:
    """Tell whether a word of the command line is UTF-8, and not bytes that nothing can write."""
    return not re.search("[\ud800-\udfff]", word)


def ask_person(question: str) -> str:
    """Return what a person types on the terminal; the question goes to standard error.

    What is not UTF-8 is asked for again.

    Raises:
        KeyboardInterrupt: the input was ended, or the program was.
    """
    asked = f"{clean(question)}{'' if question.endswith('?') else ':'} "
    is_edited = sys.stdout.isatty() and sys.stdout is sys.__stdout__  # then by readline, which has
    if not is_edited:  # to know what stands before the cursor
        sys.stderr.write(asked)
        sys.stderr.flush()
    try:
        typed = input(asked if is_edited else "")
        typed.encode()
    except (EOFError, KeyboardInterrupt):
        sys.stderr.write("\n")  # the line that was begun
        raise KeyboardInterrupt from None
    except UnicodeError:
        remark("  That is not UTF-8: set the terminal to it, or type it otherwise.")
        return ask_person(question)
    return typed
