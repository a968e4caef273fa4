"""The reference of all commands, `docs/commands.md`, from the program itself.

    python -m tests.reference

What stands on that page above the first command is written by hand.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from debate_ops.cli.app import MODULES, cli

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
NAME = "debate-ops"


def program() -> click.Context:
    return click.Context(cli, info_name=NAME, **cli.context_settings)


def page() -> str:
    """Return the whole page."""
    head, _, _ = PAGE.read_text(encoding="utf-8").partition("\n```text")
    parts = [head.rstrip("\n"), *_section(program())]
    for name in MODULES:
        command = cli.get_command(program(), name)
        assert command
        parts += [f"## {name}", *_section(click.Context(command, program(), name))]
    return "\n\n".join(parts) + "\n"


def _section(of: click.Context) -> Iterator[str]:
    yield f"```text\n{of.command.get_usage(of).removeprefix('Usage: ')}\n```"
    for paragraph in inspect.cleandoc(of.command.help or "").split("\n\n"):
        literal = paragraph.startswith("\b\n")
        yield f"```text\n{paragraph[2:]}\n```" if literal else " ".join(paragraph.split())
    own = (each for each in of.command.params if each.name != "json")  # the introduction has it
    records = [each.get_help_record(of) for each in own]
    if rows := [f"- `{left}`: {text}" for left, text in filter(None, records) if text]:
        yield "\n".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
