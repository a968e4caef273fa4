"""What each skill asks a client to allow: the one list, and the places where it is written.

`make docs` writes them: the headers of the skills, docs/clients.md and docs/security.md.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
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
    for made in pages():
        made[0].write_text(made[1], encoding="utf-8")
