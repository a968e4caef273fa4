"""What `make docs` writes: the reference of all commands, and what skills ask clients to allow.

    python -m tests.reference

What stands in `docs/commands.md` above the first command is written by hand. The list of what is
allowed stands in the headers of the skills, docs/clients.md and docs/security.md.
"""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click

from debate_ops.cli.app import MODULES, cli

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "commands.md"
NAME = "debate-ops"


def program() -> click.Context:
    return click.Context(cli, info_name=NAME, **cli.context_settings)


def page() -> str:
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


GRANTS = {
    "debate-new": "list status new",
    "debate-run": "list status next submit reply process-exchange process-judge skip show check "
    "check-reply",
    "debate-report": "list status report",
    "debate": "list status new next submit reply process-exchange process-judge skip show check "
    "check-reply flow report",
}
"""The commands of each skill; none starts programs, decides for a person or writes anywhere."""
EDITS = ["Edit(debates/*/inbox/**)", "Edit(debates/*/panel/inbox/**)"]
_HOME = "/home/you/.claude/skills/debate"


def pages() -> Iterator[tuple[Path, str]]:
    """Yield each file that has a part of the list, as it should be."""
    for name, commands in GRANTS.items():
        is_root = name == "debate"
        path = ROOT / "SKILL.md" if is_root else ROOT / "skills" / name / "SKILL.md"
        base = "${CLAUDE_SKILL_DIR}" if is_root else "${CLAUDE_PLUGIN_ROOT}"
        more = ["Read"] if name == "debate-new" else [*EDITS, "Read", "Agent"]
        line = f"allowed-tools: {' '.join([*_rules(base, commands), *more])}"
        yield path, _replace(path, r"^allowed-tools: .*$", line)
    path, rules = ROOT / "docs/clients.md", [*_rules(_HOME, GRANTS["debate"]), *EDITS]
    allow = json.dumps({"permissions": {"allow": rules}}, indent=2)
    yield path, _replace(path, r'(?s)^\{\n  "permissions".*?^\}$', allow)
    path, listed = ROOT / "docs/security.md", ", ".join(f"`{c}`" for c in GRANTS["debate"].split())
    yield path, _replace(path, r"^\| `debate_ops` with .*? \|", f"| `debate_ops` with {listed} |")


def _rules(base: str, commands: str) -> list[str]:
    return [f"Bash(python3 {base}/debate_ops {command} *)" for command in commands.split()]


def _replace(path: Path, pattern: str, part: str) -> str:
    text, number = re.subn(pattern, lambda _: part, path.read_text("utf-8"), flags=re.MULTILINE)
    assert number == 1, f"{path} has {number} places for the list"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for made in pages():
        made[0].write_text(made[1], encoding="utf-8")
