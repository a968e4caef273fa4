"""How a command is declared: by click, on the function that does it.

The function returns an `Answer` and can be called as any function; the command prints the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from debate_ops.cli import answers
from debate_ops.errors import RUN_AGAIN, UnprintedError

F = TypeVar("F", bound=Callable[..., answers.Answer])

COMMANDS: dict[str, click.Command] = {}
"""The commands of all modules that were imported so far."""

ASKED, PASSED = "asked", "passed"
"""A command prints JSON if it is asked to, with `--json`; or its function is told so, too."""

debate = click.argument("debate")
reason = click.option("--reason", metavar="TEXT", help="Why; it goes on record.")
by = click.option("--by", metavar="NAME", default="user", help="Who it is; goes on record.")
keep = click.option("--keep", is_flag=True, help="Leave the reply files after the commit.")
force = click.option("--force", is_flag=True, help="Replace the file, if it is there.")
quiet = click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
timeout = click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    metavar="SECONDS",
    default=600.0,
    help="Time for one reply.",
)
made_by = click.option(
    "--made-by", metavar="TEXT", help="Which model your agents are, as for 'submit'."
)
output = click.option(
    "--output", metavar="FILE", help="Write it there instead of printing it; '-' prints it."
)
preparation = click.option(
    "--preparation/--no-preparation",
    default=None,
    help="Show the notes that each side made for itself, or not; else the debate's setting says.",
)


class Answering(click.Command):
    """A command whose function returns an answer, which is printed."""

    def __init__(self, *args: Any, json: str | None, repeatable: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        self.json, self.repeatable = json, repeatable

    def invoke(self, ctx: click.Context) -> None:
        """Call the function, print what it answers, and end with its exit code."""
        as_json = ctx.params.get("as_json", False)
        if self.json != PASSED:
            ctx.params.pop("as_json", None)
        answer: answers.Answer = super().invoke(ctx)
        try:
            answers.give(answer, as_json=as_json)
        except UnprintedError as error:
            if self.repeatable:
                error.exit_code = RUN_AGAIN
                error.hint = "Make room there, then run it again: nothing is done twice."
            raise
        ctx.exit(answer.code)


def command(name: str, *, json: str | None = ASKED, repeatable: bool = False) -> Callable[[F], F]:
    """Declare that a function is a command; `repeatable` is one that does nothing twice."""

    def declare(function: F) -> F:
        made = click.command(name, cls=Answering, json=json, repeatable=repeatable)(function)
        if json:
            as_json = click.Option(
                ["--json", "as_json"], is_flag=True, help="Print one JSON object."
            )
            made.params.append(as_json)
        COMMANDS[name] = made
        return function

    return declare
