"""How a command is declared: by click, on the function that does it.

The function returns an `Answer` and can be called as any function; the command prints the answer.
"""

import inspect
import os
from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any, TypeVar

import click

from debate_ops.cli import answers
from debate_ops.core.errors import BadRecordError, UsageError, catch_error
from debate_ops.core.settings import WEEK
from debate_ops.engine import inbox, store
from debate_ops.engine.store import Folder
from debate_ops.engine.validate import load_whole

F = TypeVar("F", bound=Callable[..., answers.Answer])

COMMANDS: dict[str, click.Command] = {}
"""The commands of all modules that were imported so far."""

DEBATE, ALL = "debate", "all_"
"""The parameters that name a debate, and that ask for every one."""

_debate_argument = click.argument(
    DEBATE,
    required=False,
    shell_complete=lambda _, __, begun: [s for s in store.list_slugs() if s.startswith(begun)],
)


def option(words: str, *name: str, **how: Any) -> Callable[[F], F]:
    """Declare an option with a value as help shows it, such as `--judge SPEC`.

    Its parameter may have a `name` of its own.
    """
    plain, _, metavar = words.partition(" ")
    return click.option(plain, *name, metavar=metavar or None, **how)


def several(words: str, *name: str, help: str) -> Callable[[F], F]:  # noqa: A002  (as click has it)
    """Declare an option that may be given again, as its help then says."""
    return option(words, *name, help=f"{help.removesuffix('.')} (repeatable).", multiple=True)


def number_option(words: str, *name: str, least: int = 1, **how: Any) -> Callable[[F], F]:
    """Declare an option whose value is a whole number."""
    return option(words, *name, type=click.IntRange(min=least), **how)


def flag_option(words: str, *name: str, **how: Any) -> Callable[[F], F]:
    """Declare an option without a value, maybe with a letter for it: `-q, --quiet`."""
    return click.option(*words.split(", "), *name, is_flag=True, **how)


of_step = partial(number_option, "--step K", least=0)
quiet_option = flag_option("-q, --quiet", help="No progress on standard error.")


class Amount(click.FloatRange):
    """A number within bounds that is one: click takes `nan` for any bound, and `inf` without."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that a word says."""
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is no number", param, ctx)
        return number


timeout_option = option(
    "--timeout SECONDS", type=Amount(min=0.1, max=WEEK), default=600.0, help="Time for one reply."
)
scheduler_option = option("--scheduler ADDRESS", help="Use the Dask cluster there instead.")


def bundle(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Declare options that several commands have, in this order."""

    def declare(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return declare


judging_options = bundle(
    option("--made-by TEXT", help="Which model your agents are, as for 'submit'."),
    number_option(
        "--workers N",
        default=1,
        help="How many debates at the same time; several need the extra 'many'.",
    ),
    scheduler_option,
    timeout_option,
    quiet_option,
)
"""How debates are decided once more, and how many at a time."""


class Command(click.Command):
    """A command whose function returns an answer, which is printed."""

    def invoke(self, ctx: click.Context) -> None:
        """Call the function, print what it answers, and end with its exit code."""
        as_json = ctx.params.pop("as_json") or bool(ctx.obj)
        if ctx.params.get(DEBATE, "") is None and ctx.params.get(ALL) is not True:
            ctx.params[DEBATE] = _find_only_debate(str(ctx.info_name))
        if self.callback and "as_json" in inspect.signature(self.callback).parameters:
            ctx.params["as_json"] = as_json
        try:
            answer: answers.Answer = super().invoke(ctx)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            _refuse_unsound(str(ctx.params.get(DEBATE, "")))  # else it is a bug
            raise
        answers.print_answer(answer, as_json=as_json)
        ctx.exit(answer.code)


def _refuse_unsound(debate: str) -> None:
    """Refuse a debate with faults, such as of an edit, which a command cannot be blamed for."""
    error = catch_error(lambda: load_whole(store.find_folder(debate)))
    if isinstance(error, BadRecordError):
        raise error from None


def _find_only_debate(name: str) -> str:
    """Return the debate that a command without one is about: the only one here, or in a run."""
    slugs = store.list_slugs()
    slugs = [slug for slug in slugs if slug not in store.EXAMPLES] or slugs
    locks = (Folder(os.path.join(store.DEBATES, slug)).within(inbox.RUN_LOCK) for slug in slugs)
    in_a_run = [slug for slug, lock in zip(slugs, locks, strict=True) if store.find_holder(lock)]
    slugs = in_a_run if len(in_a_run) == 1 else slugs
    if len(slugs) != 1:
        there = f"There are: {', '.join(slugs)}." if slugs else "There is none: see 'demo'."
        raise UsageError("name one of the debates here", hint=f"As in '{name} DEBATE'. {there}")
    answers.remark(f"debate: {slugs[0]}")
    return slugs[0]


def command(name: str) -> Callable[[F], F]:
    """Declare that a function is a command.

    A function with a parameter `debate` is given the name of one, behind the command's own; one
    with a parameter `as_json` whether JSON is printed.
    """

    def declare(function: F) -> F:
        if DEBATE in inspect.signature(function).parameters:
            _debate_argument(function)
        made = click.command(name, cls=Command)(function)
        words = "Print one JSON object."
        made.params.append(click.Option(["--json", "as_json"], is_flag=True, help=words))
        COMMANDS[name] = made
        return function

    return declare
