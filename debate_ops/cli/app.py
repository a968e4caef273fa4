"""The command line: words in, one result out; every error comes out as sentences."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

from debate_ops import __version__
from debate_ops.cli import answers, parser
from debate_ops.cli.parser import COMMANDS, PROGRAM
from debate_ops.errors import (
    DONE,
    INTERRUPTED,
    RUN_AGAIN,
    USAGE,
    BugError,
    DebateError,
    UnprintedError,
    UsageError,
    disk_refused,
)
from debate_ops.model.texts import one_line

ALWAYS_JSON = frozenset({"next", "submit", "process-exchange", "process-judge"})
REPEATABLE = ALWAYS_JSON | {"new", "list", "status"}
"""The commands that an agent calls at every step: what is on record is not done twice."""

NEEDS_PACKAGES = frozenset({"run", "report", "demo", "doctor"})
"""The commands that would begin to change something, or judge, before they miss a package."""
PACKAGES = ("frontmatter", "jinja2", "markdown_it", "nh3")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Every error is printed in sentences, and as one JSON object where JSON is printed. Missing
    packages are let through: the caller sets them up.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in words or any(word in ALWAYS_JSON for word in words[:3])
    try:
        return _run(words)
    except DebateError as error:
        return _refused(error, as_json=as_json)
    except KeyboardInterrupt:
        answers.remark("debate-ops: interrupted; everything written so far is kept")
        return INTERRUPTED
    except ImportError:
        raise
    except OSError as error:
        return _refused(disk_refused(error), as_json=as_json)
    except Exception:  # noqa: BLE001  (whatever it is, it is ours)
        import traceback

        traceback.print_exc()
        bug = BugError("this is a bug of the program, not of yours; nothing is lost")
        return _refused(bug, as_json=as_json)


def _run(words: list[str]) -> int:
    for word in words:
        if not answers.is_text(word):
            raise UsageError(f"{word!r} is not UTF-8")
    values: dict[str, Any] = parser.read(PROGRAM, words, mixed=False) if words else {"help": True}
    if values.get("version"):
        answers.say([f"debate-ops, version {__version__}"])
        return DONE
    if values.get("help"):
        answers.say(parser.help_lines(answers.program(), PROGRAM, COMMANDS))
        return DONE if words else USAGE
    if directory := values["directory"]:
        try:
            answers.work_in(directory)
        except OSError as error:
            raise UsageError(f"cannot work in {directory}: {error.strerror}") from None
    return _call(values["command"], values["rest"])


def _call(name: str, words: Sequence[str]) -> int:
    if name not in COMMANDS:
        hint = parser.similar(name, COMMANDS) or "'--help' lists the commands."
        raise UsageError(f"there is no command {name!r}", hint=hint)
    command = COMMANDS[name]
    called = f"{answers.program()} {name}"
    try:
        values = parser.read(command, words)
    except UsageError as error:
        error.hint = f"{error.hint} Usage: {parser.usage(called, command)}".strip()
        raise
    if values.get("help"):
        answers.say(parser.help_lines(called, command, {}))
        return DONE
    _require_packages(name)
    as_json = values.pop("json", False)
    if command.knows_json:
        values["as_json"] = as_json
    answer = function_of(command)(**values)
    try:
        answers.give(answer, as_json=as_json)
    except UnprintedError as error:
        if name in REPEATABLE:
            error.exit_code = RUN_AGAIN
            error.hint = "Make room there, then run the same command again: nothing is done twice."
        raise
    return answer.code


def function_of(command: parser.Command) -> Callable[..., answers.Answer]:
    """Return the function that does what a command says; its module is imported only now."""
    module, _, name = command.act.partition(".")
    function: Callable[..., Any] = getattr(
        importlib.import_module(f"debate_ops.cli.{module}"), name
    )
    return function


def _require_packages(name: str) -> None:
    if name not in NEEDS_PACKAGES:
        return
    from importlib.util import find_spec  # not needed at every step

    for package in PACKAGES:
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def _refused(error: DebateError, *, as_json: bool) -> int:
    if as_json:
        answers.show(answers.refusal(error))
    answers.remark(f"debate-ops: {one_line(error.message)}")
    sentences = error.sentences()
    if not as_json and sentences != [error.message]:
        for sentence in sentences:
            answers.remark(f"  {one_line(sentence)}")
    if error.hint:
        answers.remark(f"  {error.hint}")
    return error.exit_code
