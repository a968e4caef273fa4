"""The command line: words in, one result out; every error comes out as sentences."""

from __future__ import annotations

import gc
import importlib
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from debate_ops import __version__
from debate_ops.cli import answers, config, standing
from debate_ops.cli.command import COMMANDS
from debate_ops.core.errors import INTERRUPTED, BugError, DebateError, UsageError, disk_refused
from debate_ops.core.texts import suggest_near
from debate_ops.engine import store

GROUPS: Mapping[str, str] = {
    "Make a debate": "ask demo new settings import convert",
    "Run it": "run next submit process-exchange process-judge check-reply reply skip advance pause "
    "resume stop say undo watch",
    "Decide it": "answer decide resolve escalate cancel panel rejudge compare calibrate tournament",
    "Read it": "list status show report outcome transcript flow export",
    "Check it": "check validate schema",
    "Set it up": "doctor config",
}
"""What commands are for, in the order of help."""
_HOMES = {
    "doctor": "config",
    "imports": "import convert",
    "intervene": "skip advance pause resume stop say undo answer decide resolve escalate cancel",
    "new": "settings",
    "report": "outcome transcript flow export",
    "run": "demo",
    "show": "check validate schema",
    "status": "list",
    "submit": "next process-exchange process-judge check-reply reply",
    "verdicts": "panel rejudge compare calibrate",
}
MODULES = {
    name: next((module for module, names in _HOMES.items() if name in names.split()), name)
    for group in GROUPS.values()
    for name in group.split()
}
"""The module of each command, its own name if none is said: one is imported when it is called.

All of them together take three times as long to import as `status`.
"""

ALWAYS_JSON = frozenset({"submit", "process-exchange", "process-judge"})
JSON_IN_PIPES = frozenset({"next"})
"""The commands of an agent's loop: they print JSON in any case, or where no terminal shows it."""

_ROUNDS = "--rounds --cycles --turns --n -n"
WAYS = (
    ("ask next", _ROUNDS, "It is named --exchanges here."),
    (
        "ask run",
        "--model --agent --provider --llm --with",
        "Say who replies, as in '--all openai:MODEL' or '--all cmd:\"claude -p\"'.",
    ),
    ("ask run", "--pro --for --aff", "The side for the motion is --prop."),
    ("ask run", "--con --against --neg", "The side against it is --opp."),
    ("run", f"--exchanges {_ROUNDS}", "The number stands alone, as in 'run DEBATE 3'."),
    ("new", "--topic --title --resolution", "What is debated is --motion."),
    (
        "new",
        "--rounds --exchanges",
        "How many exchanges there are is said when it is run, as in 'run DEBATE 3'.",
    ),
    (
        "new",
        "",
        "What is debated is said with --motion 'TEXT'; an option is given again for each value.",
    ),
    (
        "report",
        "--format --html --output -o --to",
        "Its files are in the debate's folder; elsewhere: 'export DEBATE --to html --output PATH'.",
    ),
)
"""Commands, what people type after them ("" is a word too much), and what works in its place."""

FIRST_WORDS = {
    "version": "--version",
    **dict.fromkeys(("init", "create"), "new"),
    **dict.fromkeys(("start", "begin", "debate"), "ask"),
}
"""What people type first, and the command for it."""


class Commands(click.Group):
    """The program; its commands are loaded when they are needed, as click's manual shows."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's interface)
        """Return the names of all commands in the order of help."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of that name."""
        if module := MODULES.get(cmd_name):
            importlib.import_module(f"debate_ops.cli.{module}")
        return COMMANDS.get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take `help COMMAND` for its option, and name what is like a command that there is not."""
        if args[0] == "help":
            if not args[1:]:
                click.echo(ctx.get_help())
                ctx.exit()
            args = [*args[1:2], "--help"]
        if args[0] not in MODULES and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=MODULES, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what they are for, each with the beginning of its sentence."""
        for title, group in GROUPS.items():
            commands = ((name, self.get_command(ctx, name)) for name in group.split())
            helps = ((name, each.get_short_help_str(1_000)) for name, each in commands if each)
            with formatter.section(title):
                formatter.write_dl([(n, re.split("[:;]", text)[0].strip(".")) for n, text in helps])


def _work_in(ctx: click.Context, _: click.Parameter, directory: str | None) -> None:
    """Work in another folder, and suggest commands that do so too."""
    if directory and not ctx.resilient_parsing:
        program = answers.name_program()  # while its path is relative to where it was typed
        os.chdir(directory)
        answers.WITHIN[:] = [program, "-C", shlex.quote(directory)]


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.version_option(__version__, prog_name="debate-ops")
@click.option(
    "-C",
    "--directory",
    type=click.Path(exists=True, file_okay=False, readable=False, executable=True),
    metavar="DIR",
    expose_value=False,
    callback=_work_in,
    help="Work as if started in DIR; debates are in its folder 'debates'.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Run structured debates between AI agents, on a folder of Markdown files.

    \b
    A first look:        debate-ops demo
    A debate of yours:   debate-ops ask "Should we move our database before the season?"
    Step by step:        debate-ops new my-decision --motion "We should move our database"
                         debate-ops run my-decision 3 --all cmd:"claude -p"
                         debate-ops report my-decision
    All of a command:    debate-ops help run

    DEBATE is a slug (a folder below 'debates') or a relative path; it may be left out where the
    folder has but one.

    Exit codes: 0 done, 1 refused, 2 usage, 3 a participant failed, 4 configuration, 5 bad data on
    disk, 6 a limit, 7 busy, 8 a person has to act, 10 'check' says no, 74 disk, 75 run it again,
    130 interrupted.
    """
    store.DEBATES = config.find_value("debates") or store.USUAL_PLACE
    if ctx.invoked_subcommand is None:
        from debate_ops.cli import status

        answers.print_answer(status.describe_folder(), as_json=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Every error is printed in sentences, and as one JSON object where JSON is printed.
    """
    gc.set_threshold(50_000)  # a long debate has many values and few cycles: a tenth faster
    words = list(sys.argv[1:] if argv is None else argv)
    name = next((word for word in words if word in MODULES), "")
    is_piped = name in JSON_IN_PIPES and not sys.stdout.isatty()
    as_json = "--json" in words or name in ALWAYS_JSON or is_piped  # also where words are wrong
    try:
        if unreadable := [word for word in words if not answers.is_text(word)]:
            raise UsageError(f"{unreadable[0]!r} is not UTF-8")  # noqa: TRY301  (printed below)
        code: Any = cli.main(
            words, prog_name=answers.name_program(), standalone_mode=False, obj=as_json
        )
        return int(code or 0)
    except (click.UsageError, DebateError) as error:
        refused = error if isinstance(error, DebateError) else _explain(error)
        return _print_refusal(refused, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        answers.remark("debate-ops: interrupted; everything written so far is kept")
        return INTERRUPTED
    except OSError as error:
        return _print_refusal(disk_refused(error), as_json=as_json)
    except Exception:  # noqa: BLE001  (whatever it is, it is ours)
        import traceback

        traceback.print_exc()
        bug = BugError("this is a bug of the program, not of yours; nothing is lost")
        return _print_refusal(bug, as_json=as_json)


def _explain(error: click.UsageError) -> UsageError:
    """Return an error of click's as one of ours, with the way that works where it is known."""
    message, name = error.format_message(), (error.ctx and error.ctx.info_name) or ""
    message = message.replace("valid integer range", "whole number")
    if typed := re.search(r": '([^']*)' is not one of (.*)\.", message):
        near = suggest_near(typed[1], re.findall("'([^']*)'", typed[2]))
        message = message.rstrip(".") + near if near else message
    option = error.option_name if isinstance(error, click.NoSuchOption) else None
    if isinstance(error, click.NoSuchOption):
        message = _explain_option(error, is_before=name not in MODULES)
    option = "" if "unexpected extra argument" in message else option
    for commands, options, way in WAYS:
        if name in commands.split() and option in options.split(" "):
            return UsageError(message, hint=way)
    if error.ctx is None:
        return UsageError(message)
    usage = error.ctx.get_usage()
    if isinstance(error, click.exceptions.NoSuchCommand):
        first, usage = error.command_name, ""
        if right := FIRST_WORDS.get(first, f"ask {shlex.quote(first)}" if " " in first else ""):
            message, usage = error.message, f"Expected: {answers.name_invocation()} {right}"
    elif "unexpected extra argument" in message:
        usage = (
            "Put a text of several words in quotation marks; an option takes one value, and is "
            f"given again for each.\n  {usage}"
        )
    more = f"help {name}" if name in MODULES else "--help"
    hint = "\n  ".join(filter(None, [usage, f"All of it: {answers.name_program()} {more}"]))
    return UsageError(message, hint=hint)


def _explain_option(error: click.NoSuchOption, *, is_before: bool) -> str:
    """Return what is wrong with an option that there is not, or not before the command."""
    option = error.option_name
    if re.fullmatch(r"-\d+", option):
        return f"{option} is not in the range x>=1"
    if is_before and option == "--json":
        return "--json stands behind the command, as in 'status --json'"
    return error.message.rstrip(".") + suggest_near(option, error.possibilities or ())


def _print_refusal(error: DebateError, *, as_json: bool) -> int:
    program = answers.name_invocation()  # whose path may have backslashes
    named = rf"(?<=\B')({'|'.join(MODULES)})(?=[ '])"
    error.hint = re.sub(named, lambda name: f"{program} {name[0]}", error.hint)
    if as_json and error.code != "unprinted":  # standard output takes nothing
        answers.print_object(standing.describe_refusal(error))
        return error.exit_code
    answers.remark_error(error)
    return error.exit_code
