"""Writes the reference of all commands, `docs/commands.md`, from the program itself.

Run it as `python -m debate_ops.cli.reference`; a test checks the page against what this prints.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from debate_ops.cli.app import ALWAYS_JSON
from debate_ops.cli.commands import COMMANDS, PROGRAM
from debate_ops.cli.parser import Command, names_of, notes_on, paragraphs, usage

NAME = "debate-ops"

_HEAD = f"""\
# Commands

This page is written by `python -m debate_ops.cli.reference` (`make docs`).
Change the program, not the page.

`{NAME}`, `python3 -m debate_ops` and `python3 PATH/debate_ops` are the same program.
The last one needs no installation: PATH is where this project lies.
As every `-m`, the second lets modules in the folder you work in go before all others.
In a folder that somebody else has filled, use one of the other two, `python3 -P -m debate_ops` or
`PYTHONSAFEPATH=1`: they import nothing from there.

Results go to standard output, remarks to standard error.
With `--json` the result is one JSON object, on one line unless a terminal shows it.
{{always_json}} print JSON in any case.
An option may be given once, unless it says that it may be given several times.
To repeat a plain flag changes nothing.
Every command has `-h, --help`.
Exit codes, what the keys in JSON mean, and the environment: [answers.md](answers.md).
"""


def page() -> str:
    """Return the whole page."""
    named = [f"`{name}`" for name in COMMANDS if name in ALWAYS_JSON]
    always = f"{', '.join(named[:-1])} and {named[-1]}"
    parts = [_HEAD.format(always_json=always).rstrip("\n"), *_section(PROGRAM, NAME)]
    for name, command in COMMANDS.items():
        parts += [f"## {name}", *_section(command, f"{NAME} {name}")]
    return "\n\n".join(parts) + "\n"


def _section(command: Command, name: str) -> Iterator[str]:
    yield f"```text\n{usage(name, command)}\n```"
    for text, is_literal in paragraphs(command):
        yield f"```text\n{text}\n```" if is_literal else text
    if command.options:
        yield "\n".join(
            f"- `{names_of(each)}`: {each.help.rstrip('.')}{notes_on(each)}."
            for each in command.options
        )


if __name__ == "__main__":
    sys.stdout.write(page())
