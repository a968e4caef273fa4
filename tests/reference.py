"""The reference of all commands, `docs/commands.md`, from the program itself.

    python -m tests.reference

What stands on that page above the first command is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from debate_ops.cli.parser import COMMANDS, PROGRAM, Command, Option, usage

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
NAME = "debate-ops"


def page() -> str:
    """Return the whole page."""
    head, _, _ = PAGE.read_text(encoding="utf-8").partition("\n```text")
    parts = [head.rstrip("\n"), *_section(PROGRAM, NAME)]
    for name, command in COMMANDS.items():
        parts += [f"## {name}", *_section(command, f"{NAME} {name}")]
    return "\n\n".join(parts) + "\n"


def _section(command: Command, name: str) -> Iterator[str]:
    yield f"```text\n{usage(name, command)}\n```"
    text, _, _ = command.text.partition("\n\n-")
    for paragraph in text.split("\n\n"):
        is_literal = paragraph.startswith("    ")
        yield f"```text\n{dedent(paragraph)}\n```" if is_literal else " ".join(paragraph.split())
    if command.options:
        yield "\n".join(f"- `{_left(each)}`: {each.help}" for each in command.options)


def _left(option: Option) -> str:
    names = ", ".join(option.names) + (f"/{option.opposite}" if option.opposite else "")
    return f"{names} {option.value}".rstrip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
