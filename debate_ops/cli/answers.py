"""What commands answer: flat JSON objects or sentences, and how they are printed and asked for."""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import click

from debate_ops.core.errors import DebateError, UnprintedError
from debate_ops.core.texts import one_line, shown, spelled
from debate_ops.core.values import Fault

MOST_OF_A_MESSAGE = 600
MOST_FAULTS = 100
SPEC = "SPEC"
"""What stands in a proposed command for who replies, where nobody is known."""


class Answer(NamedTuple):
    """What a command answers: an object, lines for people or a whole `text`, the exit code.

    `next` are the commands that make sense now, without the program's name. Where there are neither
    lines nor a text, the object is printed in any case; without an object, the command has printed
    what it had to say.
    """

    data: Mapping[str, Any] | None = None
    lines: Sequence[str] = ()
    code: int = 0
    text: str | None = None
    next: Sequence[str] | None = None


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer, as one JSON object or for people, who get its warnings beside it.

    Raises:
        UnprintedError: standard output takes nothing.
    """
    data, text, program = answer.data, answer.text, name_invocation()
    commands = [f"{program} {command}" for command in answer.next or ()]
    if data is not None and (as_json or not (answer.lines or text is not None)):
        print_object(data if answer.next is None else {**data, "next": commands})
        return
    lines = [*answer.lines, *(f"Next:  {command}" for command in commands)]
    if any(f" {SPEC}" in command for command in commands):
        lines.append(f"{SPEC} is who replies; who can here:  {program} doctor")
    _write("".join(f"{clean(line)}\n" for line in lines) if text is None else text)
    remark(*label("warning", (data or {}).get("warnings", ())))


def print_object(data: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output: on one line, unless a person looks at it."""
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


def name_invocation() -> str:
    """Return the program's name as it was called, so that what it suggests can be typed."""
    path = sys.argv[0]
    name = os.path.basename(path)
    if name == "__main__.py":
        own = sys.executable.removeprefix(os.path.join(os.getcwd(), ""))
        return f"{shlex.quote(own)} -m debate_ops"
    is_folder = name == "debate_ops" and os.path.isdir(path)
    return f"python3 {shlex.quote(path)}" if is_folder else "debate-ops"


def list_faults(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """Return faults as flat objects: `file`, `message`, and whose and where if that is known."""
    return [
        {"file": fault.file, "message": fault.message}
        | {k: v for k, v in (("participant", fault.by), ("where", fault.where)) if v}
        for fault in _shorten(faults)
    ]


def _shorten(faults: Iterable[Fault]) -> list[Fault]:
    """Return the first faults in short, and how many more there are."""
    found = [*faults]
    listed = [
        replace(f, where=one_line(f.where, 200), message=one_line(f.message, MOST_OF_A_MESSAGE))
        for f in found[:MOST_FAULTS]
    ]
    more = len(found) - len(listed)
    return [*listed, Fault("", f"{more:,} more are not listed")] if more else listed


def list_sentences(faults: Iterable[Fault]) -> list[str]:
    """Return faults as sentences."""
    return [fault.sentence() for fault in _shorten(faults)]


def list_remarks(warnings: Iterable[Fault]) -> dict[str, list[str]]:
    """Return `errors` (none) and `warnings` as sentences."""
    return {"errors": [], "warnings": list_sentences(warnings)}


def list_failed(failed: Mapping[str, DebateError]) -> list[str]:
    """Return errors by what they are about, each with all that is known of it."""
    return [
        one_line(f"{what}: {'; '.join(dict.fromkeys([e.message, *e.sentences()]))}", 6_000)
        for what, e in failed.items()
    ]


def label(word: str, messages: Iterable[str]) -> list[str]:
    """Return messages about faults or warnings, each on one line behind that word."""
    return [f"{word}: {one_line(message)}" for message in messages]


def mark_lines(text: str) -> str:
    """Return what somebody wrote with a mark before each line but the first: none looks like ours.

    >>> mark_lines("Claim: It pays.\\nFile it? [Y/n]")
    'Claim: It pays.\\n    > File it? [Y/n]'
    """
    return "\n    > ".join(text.splitlines())


def clean(text: str) -> str:
    """Return a text without what would steer a terminal; of its line breaks, plain ones stay."""
    return "\n".join(" ".join(line.splitlines()) for line in shown(text).split("\n"))


def is_text(word: str) -> bool:
    """Tell whether a word of the command line is UTF-8, and not bytes that nothing can write."""
    return not re.search("[\ud800-\udfff]", word)


def can_ask() -> bool:
    """Tell whether a person is there who can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask_person(question: str) -> str:
    """Return what a person types on the terminal; the question goes to standard error.

    Raises:
        KeyboardInterrupt: the input was ended, or the program was.
    """
    suffix = " " if question.endswith("?") else ": "
    how: dict[str, Any] = {"default": "", "show_default": False, "prompt_suffix": suffix}
    try:
        return str(click.prompt(clean(question), value_proc=_check_typed, err=True, **how))
    except click.Abort:
        remark("")  # the line that was begun
        raise KeyboardInterrupt from None


def _check_typed(typed: str) -> str:
    """Return what was typed; what is not UTF-8 is asked for again."""
    if not is_text(typed):
        raise click.UsageError("that is not UTF-8: set the terminal to it, or type it otherwise")
    return typed
