"""How a command is declared: by click, on the function that does it.

The function returns an `Answer` and can be called as any function; the command prints the answer.
"""

from __future__ import annotations

import builtins
import inspect
import keyword
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from typing import Any, TypeVar

import click

from debate_ops.cli import answers
from debate_ops.core.errors import (
    RUN_AGAIN,
    BadRecordError,
    UnprintedError,
    UsageError,
    catch_error,
)
from debate_ops.core.settings import WEEK
from debate_ops.core.values import Turn
from debate_ops.engine import Position, inbox, load, store
from debate_ops.engine.store import is_slug, suggest_slug
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
    """Declare an option as help shows it: `-q, --quiet` is a flag, `--judge SPEC` has a value.

    Its parameter has the option's name, with `_` behind it where Python has that name: `all_`.
    """
    *options, last = re.split(",? ", words)
    if last.startswith("-"):
        options.append(last)
    else:
        how["metavar"] = last
    if not how.keys() & {"metavar", "type"}:
        how["is_flag"] = True
    plain = options[-1].lstrip("-").partition("/")[0]
    if not name and (keyword.iskeyword(plain) or hasattr(builtins, plain)):
        name = (f"{plain}_",)
    return click.option(*options, *name, **how)


several = partial(option, multiple=True)
counted = partial(option, type=click.IntRange(min=1))
"""An option that may be given again, and one with a number from 1."""
of_step = partial(option, "--step K", type=click.IntRange(min=0))
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
made_by_option = option("--made-by TEXT", help="Which model your agents are, as for 'submit'.")


def bundle(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Declare options that several commands have, in this order."""

    def declare(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return declare


cluster_options = bundle(
    counted(
        "--workers N",
        default=1,
        help="How many debates at the same time; several need the extra 'many'.",
    ),
    scheduler_option,
    timeout_option,
)


class Command(click.Command):
    """A command whose function returns an answer, which is printed."""

    def __init__(self, *args: Any, repeatable: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        self.repeatable = repeatable

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command's words; a debate that they do not name is the only one, or chosen."""
        if not ctx.resilient_parsing and self._lacks_debate(ctx, args):
            args = [_choose_debate(ctx), *args]
        return super().parse_args(ctx, args)

    def _lacks_debate(self, ctx: click.Context, args: list[str]) -> bool:
        """Tell whether the first word is not the debate, but what comes after it."""
        arguments = [each for each in self.params if isinstance(each, click.Argument)]
        if not arguments or arguments[0].name != DEBATE:
            return False
        given, _, _ = self.make_parser(ctx).parse_args(list(args))
        first, *more = (given.get(str(each.name)) for each in arguments)
        if given.get(ALL) is True or not {*ctx.help_option_names}.isdisjoint(args):
            return False
        if not isinstance(first, str):
            return True
        is_debate = not isinstance(catch_error(lambda: store.find_folder(first)), UsageError)
        if not more or is_debate:  # a damaged one, too
            return False
        rest = zip(arguments[1:], more, strict=True)
        lacks_another = any(each.required and not isinstance(word, str) for each, word in rest)
        is_no_name = not is_slug(first) and suggest_slug(first) not in store.list_slugs()
        return lacks_another or first.isdigit() or (is_no_name and "/" not in first)

    def invoke(self, ctx: click.Context) -> None:
        """Call the function, print what it answers, and end with its exit code."""
        as_json = ctx.params.pop("as_json") or bool(ctx.obj)
        if self.callback and "as_json" in inspect.signature(self.callback).parameters:
            ctx.params["as_json"] = as_json
        try:
            answer: answers.Answer = super().invoke(ctx)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            _refuse_unsound(str(ctx.params.get(DEBATE, "")))  # else it is a bug
            raise
        try:
            answers.print_answer(answer, as_json=as_json)
        except UnprintedError as error:
            if self.repeatable:
                error.exit_code = RUN_AGAIN
                error.hint = "Make room there, then run it again: nothing is done twice."
            raise
        ctx.exit(answer.code)


def _refuse_unsound(debate: str) -> None:
    """Refuse a debate with faults, such as of an edit, which a command cannot be blamed for."""
    error = catch_error(lambda: load_whole(store.find_folder(debate)))
    if isinstance(error, BadRecordError):
        raise error from None


def _list_awaiting(slugs: Sequence[str]) -> list[str]:
    """Return the debates that a run is in, or else those in which a reply is due."""
    places = [store.Folder(os.path.join(store.DEBATES, slug)) for slug in slugs]
    if run_now := [p for p in places if store.find_holder(p.within(inbox.RUN_LOCK))]:
        return [place.name for place in run_now]
    positions = [catch_error(partial(load, place)) for place in places]
    return [p.folder.name for p in positions if isinstance(p, Position) and isinstance(p.due, Turn)]


def _choose_debate(ctx: click.Context) -> str:
    """Return the only debate of this folder, or which of several a person chooses."""
    slugs = sorted(store.list_slugs(), key=store.is_example)
    if not slugs:
        raise UsageError("there are no debates here yet", hint="See one with 'demo'.")
    if "reply" in str(ctx.info_name):
        only = slugs = _list_awaiting(slugs)
        where = "that waits for one"
    else:
        only = [slug for slug in slugs if not store.is_example(slug)] or slugs
        where = "here" if only == slugs else "of yours here"
    if not only:
        hint = "Name the one that you mean; 'list' says where each is."
        raise UsageError("no debate here waits for a reply", hint=hint)
    if len(only) == 1:
        answers.remark(f"debate: {only[0]} (the only one {where})")
        return only[0]
    if ctx.obj or not answers.can_ask():
        hint = f"As in '{ctx.info_name} {slugs[0]}'. There are: {', '.join(slugs)}."
        raise UsageError("name one of the debates here", hint=hint)
    named = {slug: slug for slug in slugs}
    for number, slug in enumerate(slugs, 1):
        answers.remark(f"{number:3}  {slug}")
        named.setdefault(f"{number}", slug)
    question = f"Which debate? 1 to {len(slugs)}, or its name"
    while (word := answers.ask_person(question).strip()) not in named:
        pass
    return named[word]


def command(name: str, *, repeatable: bool = False) -> Callable[[F], F]:
    """Declare that a function is a command; `repeatable` is one that does nothing twice.

    A function with a parameter `debate` is given the name of one, behind the command's own; one
    with a parameter `as_json` whether JSON is printed.
    """

    def declare(function: F) -> F:
        if DEBATE in inspect.signature(function).parameters:
            _debate_argument(function)
        made = click.command(name, cls=Command, repeatable=repeatable)(function)
        words = "Print one JSON object."
        made.params.append(click.Option(["--json", "as_json"], is_flag=True, help=words))
        COMMANDS[name] = made
        return function

    return declare
