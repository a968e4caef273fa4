"""The whole command line, by click: every option, every error, every help text."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from debate_ops import __version__
from debate_ops.cli import answers
from debate_ops.cli.commands import COMMANDS
from debate_ops.cli.guard import fail, guarded
from debate_ops.cli.hot import is_text
from debate_ops.cli.once import Once
from debate_ops.errors import INTERRUPTED, USAGE

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
ALWAYS_JSON = frozenset({"next", "submit", "process-exchange", "process-judge"})


class InOrder(Once, click.Group):
    """A group that lists its commands in the order in which a debate meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        return list(self.commands)


@click.group(cls=InOrder, commands=COMMANDS, context_settings=CONTEXT, no_args_is_help=True)
@click.version_option(__version__, prog_name="debate-ops")
@click.option(
    "-C",
    "--directory",
    metavar="DIR",
    help="Work as if started in DIR; debates are in its folder 'debates'.",
)
def cli(directory: str | None) -> None:
    """Run structured debates between AI agents, on a folder of Markdown files.

    \b
    A first look:        debate-ops demo
    A debate of yours:   debate-ops new my-decision --motion "This house would ..."
                         debate-ops run my-decision 3 --all cmd:"claude -p"
                         debate-ops report my-decision

    DEBATE is a slug (a folder below 'debates') or a relative path.
    Exit codes: 0 done, 1 refused, 2 usage, 3 a participant failed, 4 configuration,
    5 bad data on disk, 6 a limit, 7 busy, 8 a person has to act, 74 disk, 75 run it again.
    """  # noqa: D301
    if directory:
        try:
            answers.work_in(directory)
        except OSError as error:
            raise click.UsageError(f"cannot work in {directory}: {error.strerror}") from None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; every error comes out as sentences."""
    words = list(sys.argv[1:] if argv is None else argv)
    for word in words:
        if not is_text(word):
            return fail("usage", f"{word!r} is not UTF-8", USAGE, as_json="--json" in words)
    as_json = "--json" in words or any(word in ALWAYS_JSON for word in words[:3])
    return guarded(lambda: _run(words, as_json=as_json), as_json=as_json)


def _run(words: list[str], *, as_json: bool) -> int:
    try:
        code = cli.main(args=words, prog_name=answers.program(), standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        answers.say([error.format_message()])
        return USAGE
    except click.UsageError as error:
        usage = f"\n{error.ctx.get_usage()}" if error.ctx else ""
        return fail("usage", f"{error.format_message()}{usage}", USAGE, as_json=as_json)
    except click.exceptions.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0
