"""How a command is declared: by click, on the function that does it.

The function returns an `Answer` and can be called as any function; the command prints the answer.
"""

import builtins
import inspect
import keyword
import os
import re
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


def option(words: str, *name: str, least: int = 1, **how: Any) -> Callable[[F], F]:
    """Declare an option as help shows it: `-q, --quiet` is a flag, `--judge SPEC` has a value.

    A value such as `yes|no` is one of these words; `N` and `K` are numbers, the `least` of them 1.
    The parameter has the option's name, with `_` behind it where Python has that name: `all_`.
    """
    *options, last = re.split(",? ", words)
    if last.startswith("-"):
        options.append(last)
        how["is_flag"] = True
    elif "|" in last:
        how["type"] = click.Choice(last.split("|"))
    else:
        kind = click.IntRange(min=least) if last in {"N", "K"} else None
        how = {"type": kind, "metavar": last} | how
    plain = options[-1].lstrip("-").partition("/")[0]
    if not name and (keyword.iskeyword(plain) or hasattr(builtins, plain)):
        name = (f"{plain}_",)
    return click.option(*options, *name, **how)


def several(words: str, *name: str, help: str) -> Callable[[F], F]:  # noqa: A002  (as click has it)
    """Declare an option that may be given again, as its help then says."""
    return option(words, *name, help=f"{help.removesuffix('.')} (repeatable).", multiple=True)


of_step = partial(option, "--step K", least=0)
quiet_option = option("-q, --quiet", help="No progress on standard error.")


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
    option(
        "--workers N",
        default=1,
        help="How many debates at the same time; several need the extra 'many'.",
    ),
    scheduler_option,
    timeout_option,
    quiet_option,
)
"""How debates are decided once more, and how many at a time."""
cast_options = bundle(
    option("--all SPEC", help="Who does what no other option names."),
    option("--debaters SPEC", help="Who argues."),
    option("--prop SPEC", help="Who argues for the motion."),
    option("--opp SPEC", help="Who argues against it."),
    option("--adviser SPEC", help="Who gives the first answer; else --all, if that is no person."),
    option("--judge SPEC", help="Who judges."),
    option("--reporter SPEC", help="Who writes the memo; else who replies for the others."),
    option("--no-memo", help="Have no memo written."),
    option("--panel SPEC", help="Who sits on its panel; the judge, if not given."),
    timeout_option,
    option(
        "--max-cost DOLLARS",
        "cost",
        type=Amount(min=0.0),
        help="Do not begin a turn that is likely to bring the run above this.",
    ),
    option("--dry-run", help="Ask nobody; say what the run is likely to take, as far as is known."),
    quiet_option,
)
"""Who replies, and within which bounds."""


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
