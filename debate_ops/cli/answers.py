"""What commands print: flat JSON objects, and the sentences that go with them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from debate_ops import clock, engine
from debate_ops.engine import (
    Outcome,
    Position,
    RepliesAwaitedError,
    RepliesRefusedError,
    TaskStatus,
    counted,
    deadline,
    is_late,
    missing_entries,
    owed,
    where,
)
from debate_ops.core.errors import (
    DebateError,
    Finding,
    ToRepairError,
    UnprintedError,
)
from debate_ops.formats import entries
from debate_ops.formats.headers import totals_as_data
from debate_ops.formats.json_text import compact, printed
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENT, JUDGMENTS
from debate_ops.model.score import signed
from debate_ops.core.texts import one_line, shown
from debate_ops.model.turn import OMIT, STATES, Done, Turn, Waiting
from debate_ops.protocols.table import rules_of

MOST_NAMED = 6
MOST_OF_A_TITLE = 200
MOST_OF_A_TEXT = 1_000
"""How many characters are shown of an entry's title, and of a text that a person is asked about."""


class Answer(NamedTuple):
    """What a command answers: an object, lines for people or a whole `text`, the exit code.

    Where there are neither lines nor a text, the object is printed in any case; without an object,
    the command has printed what it had to say.
    """

    data: Mapping[str, Any] | None = None
    lines: Sequence[str] = ()
    code: int = 0
    text: str | None = None


def give(answer: Answer, *, as_json: bool) -> None:
    """Print an answer, as one JSON object or for people.

    Raises:
        UnprintedError: standard output takes nothing.
    """
    is_for_people = bool(answer.lines) or answer.text is not None
    if answer.data is not None and (as_json or not is_for_people):
        show(answer.data)
    elif answer.text is not None:
        _write(answer.text)
    else:
        _write("".join(f"{harmless(line)}\n" for line in answer.lines))


def show(data: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output: on one line, unless a person looks at it.

    Raises:
        UnprintedError: standard output takes nothing.
    """
    _write(f"{printed(data) if sys.stdout.isatty() else compact(data)}\n")


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


def remark(text: str) -> None:
    """Print a line for people on standard error, without what would steer a terminal."""
    if sys.stderr is None:  # closed by the caller
        return
    with suppress(OSError):
        sys.stderr.write(f"{harmless(text)}\n")


_WITHIN: list[str] = []


def work_in(directory: str) -> None:
    """Work in another folder, and suggest commands that do so too.

    Raises:
        OSError: there is no such folder.
    """
    import shlex  # most commands are called where they are to work

    os.chdir(directory)
    _WITHIN[:] = ["-C", shlex.quote(directory)]


def invocation() -> str:
    """Return how this program was called, so that what it suggests can be typed as it stands."""
    return " ".join([program(), *_WITHIN])


def program() -> str:
    """Return the program's name as it was called, without options."""
    path = sys.argv[0]
    name = os.path.basename(path.rstrip("/"))
    if name == "__main__.py":
        return "python3 -m debate_ops"
    return f"python3 {path}" if name == "debate_ops" and os.path.isdir(path) else "debate-ops"


def findings(faults: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return findings as flat objects without their empty parts, but for code, file, message."""
    return [
        {"code": fault.code, "file": fault.file, "message": fault.message}
        | {key: value for key, value in fault._asdict().items() if value}
        for fault in faults
    ]


def warn_of_missing(debate: Debate) -> None:
    """Say on standard error which entries are missing of a debate that is shown all the same."""
    for line in labelled("warning", sentences(missing_entries(debate))):
        remark(line)


def labelled(word: str, messages: Iterable[str]) -> list[str]:
    """Return messages about faults or warnings, each on one line behind that word."""
    return [f"{word}: {one_line(message)}" for message in messages]


def sentences(faults: Iterable[Finding]) -> list[str]:
    """Return findings as sentences."""
    return [f.sentence() for f in faults]


def state(position: Position) -> dict[str, Any]:
    """Return what every answer about a debate begins with."""
    debate = position.debate
    request = debate.request
    left = owed(debate) if isinstance(position.due, Turn) else 0
    return {
        "debate": position.folder.name,
        "protocol": debate.protocol,
        "current_exchange": debate.state.exchange,
        "current_phase": debate.state.phase,
        "step": debate.step,
        "cumulative_scores": totals_as_data(debate.state.totals),
        "request": request._asdict() | {"remaining": left} if request else None,
    }


def turn(position: Position) -> dict[str, Any]:
    """Return what a debate waits for now, as `next` and `submit` print it."""
    due, asking = position.due, engine.asking(position)
    result = state(position) | {
        "state": STATES[type(due)],
        "reason": "" if isinstance(due, Turn) else due.reason,
        "progress": progress(position),
        "to_come": engine.work_left(asking),
        "calls_now": len(asking.tasks),
        "calls_left": asking.calls_left,
        "tasks": [_task(position, item) for item in position.tasks],
    }
    if isinstance(due, Turn):
        result["submit"] = f"submit {position.folder.name} --step {due.step}"
        if due.seconds:
            result["deadline"] = deadline(position.debate, due)
            result["late"] = is_late(position.debate, due)
    return result | completed(position) | waiting(position)


def completed(position: Position) -> dict[str, Any]:
    """Return what was completed, and what to type next in a client; nothing where a turn is due."""
    if not isinstance(position.due, Done):
        return {}
    name, rules = position.folder.name, rules_of(position.debate.protocol)
    goes_on = isinstance(rules.next_turn(position.debate, clock.now()), Turn)
    more = " 3" if rules.last_exchange(position.debate.settings) is None else ""
    commands = [f"/debate-run {name}{more}"] if goes_on else []
    number = engine.completed_exchanges(position.debate) if rules.CYCLE else None
    return {"completed": {"exchanges": number, "next": [*commands, f"/debate-report {name}"]}}


def completed_lines(position: Position) -> list[str]:
    """Return what was completed, with the scores, for people."""
    done = completed(position).get("completed")
    if done is None:
        return []
    number, cycle = done["exchanges"], rules_of(position.debate.protocol).CYCLE
    counts = [] if number is None else [f"{number} {cycle}{'' if number == 1 else 's'} completed"]
    return [
        *filter(None, ["; ".join([*counts, *filter(None, [totals(position.debate)])])]),
        f"In an agent client:  {'   or  '.join(done['next'])}",
    ]


def totals(debate: Debate) -> str:
    """Return the scores of a debate so far in one line; empty where there are none."""
    return ", ".join(
        f"{side} {signed(total.total)} ({total.scored} scored)"
        for side, total in debate.state.totals.items()
    )


def turn_answer(done: Position | Outcome, **more: Any) -> Answer:
    """Return what a command answers that has worked: what it did, warnings, what is due now."""
    position = done.position if isinstance(done, Outcome) else done
    if isinstance(done, Outcome):
        result = outcome(done)
    else:
        result = {"success": True, **more} | remarks(position.warnings) | turn(position)
    committed = ", ".join(result.get("committed", ()))
    lines = [f"On record: {committed}."] if committed else []
    lines += [f"{result['debate']}: {result['progress']}", *about_lines(result)]
    lines += [f"To come: {result['to_come']}"] if result["to_come"] else []
    lines += completed_lines(position)
    lines += [
        f"  {t['participant']}: {t['status']}, {t['prompt_file']}  ->  {t['reply_file']}"
        for t in result["tasks"]
    ]
    lines += [f"Next:  {invocation()} {result['submit']}"] if "submit" in result else []
    return Answer(result, [*lines, *labelled("warning", result["warnings"])])


def waiting(position: Position) -> dict[str, Any]:
    """Return what a person can do about a debate that waits for one; nothing where none does."""
    due, record = position.due, position.debate.record
    if not isinstance(due, Waiting):
        return {}
    about = []
    for entry in filter(None, map(record.get, due.about)):
        value = entries.parse(entry)
        text = entries.headline(value)
        if value.kind != ARGUMENT and value.texts:
            (_, first), *more = value.texts.items()
            text = first + "".join(f" ({name}: {text})" for name, text in more)
        about.append({"id": entry.id, "text": one_line(text, MOST_OF_A_TEXT)})
    return {"acts": list(due.acts), "about": about}


def about_lines(result: Mapping[str, Any]) -> list[str]:
    """Return what an answer says of these entries, for people."""
    return [f"  {item['id']}: {item['text']}" for item in result.get("about", ())]


def _task(position: Position, item: TaskStatus) -> dict[str, Any]:
    result = {
        "participant": item.task.participant,
        "agent": item.task.agent,
        "prompt_file": item.slot.prompt,
        "reply_file": item.slot.reply,
        "schema": item.task.schema,
        "status": item.status,
        "attempts": item.attempts,
        "on_failure": item.task.on_failure,
        "web_search": item.task.agent == "debater"
        and item.task.on_failure != OMIT
        and position.debate.settings.get("web_search") != "forbidden",
    }
    if item.status == "refused":
        result["repair_file"] = item.slot.repair
    return result


def progress(position: Position) -> str:
    """Return one line that says where the debate is."""
    debate, due = position.debate, position.due
    place = where(debate)
    if isinstance(due, Done) and position.calls_left is not None:  # it could go on
        return f"{due.reason}; next would be {place}"
    if not isinstance(due, Turn):
        return f"{place}: {one_line(due.reason)}"
    names = [s.task.participant for s in position.tasks if s.status in {"waiting", "refused"}]
    who = " and ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} participants"
    return f"{counted(debate)}{place}: {f'{who} due' if names else 'all replies are in'}"


def outcome(result: Outcome) -> dict[str, Any]:
    """Return the answer to a submission: what it did, and the turn that is due now."""
    return {
        "success": True,
        "already_applied": result.already_applied,
        "committed": list(result.committed),
        **_decisions(result),
        **remarks(result.warnings),
    } | turn(result.position)


def _decisions(result: Outcome) -> dict[str, Any]:
    decided: dict[str, Any] = {}
    for entry_id in result.committed:
        entry = result.position.debate.record.get(entry_id)
        if entry is None or entry.folder != JUDGMENTS or entry.is_absence:
            continue
        if entry.kind != "judgment":
            title = str(entry.header.get("title", entry.kind))
            decided.setdefault("judgments", {})[entry_id] = one_line(title, MOST_OF_A_TITLE)
            continue
        for key in ("scores", "rescores"):
            if items := entry.header.get(key):
                decided[key] = {item["argument_id"]: item["score"] for item in items}
        if effects := entry.header.get("effects"):
            decided["effects"] = list(effects)
    return decided


def remarks(warnings: Iterable[Finding]) -> dict[str, Any]:
    """Return `errors` (none) and `warnings` as sentences; details only where there are any."""
    listed = messages.within(warnings)
    result: dict[str, Any] = {"errors": [], "warnings": sentences(listed)}
    return result | ({"warning_details": findings(listed)} if listed else {})


def refusal(error: DebateError) -> dict[str, Any]:
    """Return an error as the object that a command prints instead of its result."""
    faults = messages.within(error.faults)
    errors = sentences(faults) or error.sentences()
    result: dict[str, Any] = {
        "success": False,
        "code": error.code,
        "error": error.message,
        "errors": errors,
        "faults": findings(faults),
        "hint": error.hint,
        "warnings": [],
    }
    if isinstance(error, RepliesRefusedError):
        result |= remarks(error.warnings) | {"errors": errors}
        if error.position is not None:
            result |= turn(error.position)
    if isinstance(error, ToRepairError):
        result["repair_prompt_file"] = error.repair_prompt
    if isinstance(error, RepliesAwaitedError):  # asked for again and again: it stays short
        result |= {key: turn(error.position)[key] for key in ("debate", "step", "state", "submit")}
    return result


def harmless(text: str) -> str:
    """Return a text without what would steer a terminal; of its line breaks, plain ones stay."""
    return "\n".join(" ".join(line.splitlines()) for line in shown(text).split("\n"))


def is_text(word: str) -> bool:
    """Tell whether a word of the command line is UTF-8, and not bytes that nothing can write."""
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def asked(question: str) -> str:
    """Return what a person types on the terminal; the question goes to standard error.

    Raises:
        KeyboardInterrupt: the input was ended, or the program was.
    """
    sys.stderr.write(f"{harmless(question)}: ")
    sys.stderr.flush()
    try:
        return input()
    except (EOFError, KeyboardInterrupt):
        sys.stderr.write("\n")  # the line that was begun
        raise KeyboardInterrupt from None
