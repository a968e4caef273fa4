"""The command line: words in, one result out; every error comes out as sentences."""

import importlib
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import click

from debate_ops import __version__
from debate_ops.cli import answers, config, debate_state
from debate_ops.cli.command import COMMANDS
from debate_ops.core.errors import INTERRUPTED, BugError, DebateError, UsageError, disk_refused
from debate_ops.engine import store

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Make a debate": {
        "ask": "ask",
        "run": "demo",
        "new": "new settings",
        "imports": "import convert",
    },
    "Run it": {
        "run": "run",
        "turns": "next submit process-exchange process-judge check-reply reply skip advance pause "
        "resume stop say undo",
        "report": "watch",
    },
    "Decide it": {
        "turns": "answer decide resolve escalate cancel",
        "verdicts": "panel rejudge compare calibrate",
        "tournament": "tournament",
    },
    "Read it": {
        "show": "list status show",
        "report": "report outcome transcript flow export",
    },
    "Check it": {"show": "check validate schema"},
    "Set it up": {"config": "doctor config"},
}
"""What commands are for, in the order of help, and by modules: one is imported when it is called.

All of them together take three times as long to import as `status`.
"""
MODULES = {
    name: module
    for group in GROUPS.values()
    for module, names in group.items()
    for name in names.split()
}

ALWAYS_JSON = frozenset({"submit", "process-exchange", "process-judge"})
JSON_IN_PIPES = frozenset({"next"})
"""The commands of an agent's loop: they print JSON in any case, or where no terminal shows it."""


class Commands(click.Group):
    """The program; its commands are loaded when they are needed, as click's manual shows."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of that name."""
        if module := MODULES.get(cmd_name):
            importlib.import_module(f"debate_ops.cli.{module}")
        return COMMANDS.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what they are for, each with the beginning of its sentence."""
        for title, group in GROUPS.items():
            names = " ".join(group.values()).split()
            commands = ((name, self.get_command(ctx, name)) for name in names)
            helps = ((name, each.get_short_help_str(1_000)) for name, each in commands if each)
            with formatter.section(title):
                formatter.write_dl([(n, re.split("[:;]", text)[0].strip(".")) for n, text in helps])


@click.group(
    cls=Commands,
    commands={name: click.Command(name) for name in MODULES},  # until they are loaded
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.version_option(__version__, prog_name="debate-ops")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Have AI agents or people debate a question; all of it is kept as a folder of Markdown files.

    \b
    A first look:        debate-ops demo
    A debate of yours:   debate-ops ask "Should we move our database before the season?"
    Step by step:        debate-ops new my-decision --motion "We should move our database"
                         debate-ops run my-decision 3 --all cmd:"claude -p"
                         debate-ops report my-decision
    All of a command:    debate-ops run --help

    DEBATE is the name of a folder in 'debates', or its path; where there is but one, it may be left
    out if no word follows it.

    Exit codes: 0 done, 1 refused, 2 usage, 3 a participant failed, 4 configuration, 5 bad data on
    disk, 6 a limit, 7 busy, 8 a person has to act, 10 'check' says no, 74 disk, 75 run it again,
    130 interrupted.
    """
    store.DEBATES = config.find_value("debates") or store.USUAL_PLACE
    if ctx.invoked_subcommand is None:
        from debate_ops.cli import show

        answers.print_answer(show.describe_folder(), as_json=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Every error is printed in sentences, and as one JSON object where JSON is printed.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = next((word for word in words if word in MODULES), "")
    is_piped = name in JSON_IN_PIPES and not sys.stdout.isatty()
    as_json = "--json" in words or name in ALWAYS_JSON or is_piped  # also where words are wrong
    try:
        if unreadable := [word for word in words if not answers.is_text(word)]:
            raise UsageError(f"{unreadable[0]!r} is not UTF-8")  # noqa: TRY301  (printed below)
        code: Any = cli.main(
            words, prog_name=answers.name_invocation(), standalone_mode=False, obj=as_json
        )
        return int(code or 0)
    except (KeyboardInterrupt, click.Abort):
        answers.remark("debate-ops: interrupted; everything written so far is kept")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  (whatever it is, it is said)
        return _print_refusal(_explain(error), as_json=as_json)


def _explain(error: Exception) -> DebateError:
    """Return any error as one of ours: of click's, with the usage of the command."""
    if isinstance(error, DebateError):
        return error
    if isinstance(error, OSError):
        return disk_refused(error)
    if not isinstance(error, click.ClickException):
        traceback.print_exc()
        return BugError("this is a bug of the program, not of yours; nothing is lost")
    message = error.format_message().replace("valid integer range", "whole number")
    usage, ctx = list[str](), getattr(error, "ctx", None)
    if re.search(r"unexpected extra argument|No such option '-\w'", message):
        usage.append("Put a text of several words in quotation marks.")
    if ctx:
        usage += [ctx.get_usage(), f"All of it: {ctx.command_path} --help"]
    return UsageError(message, hint="\n  ".join(usage))


def _print_refusal(error: DebateError, *, as_json: bool) -> int:
    program = answers.name_invocation()  # whose path may have backslashes
    named = rf"(?<=\B')({'|'.join(MODULES)})(?=[ '])"
    error.hint = re.sub(named, lambda name: f"{program} {name[0]}", error.hint)
    if as_json and error.code != "unprinted":  # standard output takes nothing
        answers.print_object(debate_state.describe_refusal(error))
        return error.exit_code
    answers.remark_error(error)
    return error.exit_code
