"""The command line: words in, one result out; every error comes out as sentences."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

from debate_ops import __version__
from debate_ops.cli import answers, parser
from debate_ops.cli.commands import COMMANDS, PROGRAM
from debate_ops.cli.guard import fail, guarded
from debate_ops.errors import DONE, RUN_AGAIN, USAGE, UnprintedError, UsageError

ALWAYS_JSON = frozenset({"next", "submit", "process-exchange", "process-judge"})
REPEATABLE = ALWAYS_JSON | {"new", "list", "status"}
"""The commands that an agent calls at every step: what is on record is not done twice."""

NEEDS_PACKAGES = frozenset({"run", "report", "demo", "doctor"})
"""The commands that would begin to change something, or judge, before they miss a package."""
PACKAGES = ("frontmatter", "matplotlib", "jinja2", "markdown_it", "nh3")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    for word in words:
        if not answers.is_text(word):
            return fail("usage", f"{word!r} is not UTF-8", USAGE, as_json="--json" in words)
    as_json = "--json" in words or any(word in ALWAYS_JSON for word in words[:3])
    return guarded(lambda: _run(words), as_json=as_json)


def _run(words: list[str]) -> int:
    given: dict[str, Any] = {"help": True}
    if words:
        given = parser.read(PROGRAM, words, mixed=False)
    if given.get("version"):
        answers.say([f"debate-ops, version {__version__}"])
        return DONE
    if given.get("help"):
        answers.say(parser.help_lines(answers.program(), PROGRAM, COMMANDS))
        return DONE if words else USAGE
    _work_in(given["directory"])
    return _call(given["command"], given["rest"])


def _work_in(directory: str | None) -> None:
    if directory:
        try:
            answers.work_in(directory)
        except OSError as error:
            raise UsageError(f"cannot work in {directory}: {error.strerror}") from None


def _call(name: str, words: Sequence[str]) -> int:
    command = parser.find(COMMANDS, name)
    called = f"{answers.program()} {name}"
    try:
        given = parser.read(command, words)
    except UsageError as error:
        error.hint = f"{error.hint} Usage: {parser.usage(called, command)}".strip()
        raise
    if given.get("help"):
        answers.say(parser.help_lines(called, command, {}))
        return DONE
    _require_packages(name)
    as_json = given.pop("json", False) or given.get("as_json", False)
    answer = act_of(command)(**given)
    try:
        answers.give(answer, as_json=as_json)
    except UnprintedError as error:
        if name in REPEATABLE:
            error.exit_code = RUN_AGAIN
            error.hint = "Make room there, then run the same command again: nothing is done twice."
        raise
    return answer.code


def act_of(command: parser.Command) -> Callable[..., answers.Answer]:
    """Return the function that does what a command says; its module is imported only now."""
    module, _, name = command.act.partition(".")
    act: Callable[..., Any] = getattr(importlib.import_module(f"debate_ops.cli.{module}"), name)
    return act


def _require_packages(name: str) -> None:
    if name not in NEEDS_PACKAGES:
        return
    from importlib.util import find_spec  # not needed at every step

    for package in PACKAGES:
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
