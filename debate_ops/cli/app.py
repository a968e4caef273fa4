"""The command line: words in, one result out; every error comes out as sentences."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import click

from debate_ops import __version__
from debate_ops.cli import answers
from debate_ops.cli.command import COMMANDS
from debate_ops.errors import INTERRUPTED, BugError, DebateError, UsageError, disk_refused
from debate_ops.model.texts import one_line

MODULES = {
    "new": "new",
    "import": "imports",
    "list": "status",
    "status": "status",
    "next": "submit",
    "submit": "submit",
    "process-exchange": "submit",
    "process-judge": "submit",
    "check-reply": "submit",
    "reply": "reply",
    "skip": "intervene",
    "advance": "intervene",
    "answer": "answer",
    "decide": "intervene",
    "escalate": "intervene",
    "cancel": "intervene",
    "pause": "intervene",
    "resume": "intervene",
    "stop": "intervene",
    "say": "intervene",
    "undo": "intervene",
    "show": "show",
    "check": "check",
    "validate": "check",
    "run": "run",
    "panel": "hearings",
    "rejudge": "hearings",
    "compare": "hearings",
    "calibrate": "calibrate",
    "watch": "watch",
    "report": "report",
    "outcome": "report",
    "transcript": "report",
    "flow": "report",
    "semantics": "semantics",
    "export": "report",
    "demo": "run",
    "doctor": "check",
    "schema": "check",
}
"""Where each command is declared, in the order of help; a module is imported when it is called."""

ALWAYS_JSON = frozenset({"next", "submit", "process-exchange", "process-judge"})


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
        """Name what is like a command that there is not."""
        if args[0] not in MODULES and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=MODULES, ctx=ctx)
        return super().resolve_command(ctx, args)


def _work_in(ctx: click.Context, _: click.Parameter, directory: str | None) -> None:
    if directory and not ctx.resilient_parsing:
        try:
            answers.work_in(directory)
        except OSError as error:
            raise click.BadParameter(f"cannot work in {directory}: {error.strerror}") from None


@click.group(
    cls=Commands,
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
    metavar="DIR",
    expose_value=False,
    callback=_work_in,
    help="Work as if started in DIR; debates are in its folder 'debates'.",
)
def cli() -> None:
    """Run structured debates between AI agents, on a folder of Markdown files.

    \b
    A first look:        debate-ops demo
    A debate of yours:   debate-ops new my-decision --motion "This house would ..."
                         debate-ops run my-decision 3 --all cmd:"claude -p"
                         debate-ops report my-decision

    DEBATE is a slug (a folder below 'debates') or a relative path.

    Exit codes: 0 done, 1 refused, 2 usage, 3 a participant failed, 4 configuration, 5 bad data on
    disk, 6 a limit, 7 busy, 8 a person has to act, 74 disk, 75 run it again.
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Every error is printed in sentences, and as one JSON object where JSON is printed. Missing
    packages are let through: the caller sets them up.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in words or any(word in ALWAYS_JSON for word in words[:3])
    try:
        return _run(words)
    except (click.UsageError, DebateError) as error:
        return _refused(error, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
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
    code: Any = cli.main(words, prog_name=answers.program(), standalone_mode=False)
    return int(code or 0)


def _refused(error: DebateError | click.UsageError, *, as_json: bool) -> int:
    if isinstance(error, click.UsageError):
        if not as_json:
            error.show()
            return error.exit_code
        usage = error.ctx.get_usage() if error.ctx else ""
        error = UsageError(error.format_message(), hint=usage)
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
