"""Every command by name, as `commands.txt` declares it: its help is its declaration.

A section begins with `== NAME: MODULE.FUNCTION, WORD, ...` and goes on with the help. A word in
brackets may be left out, one with dots may be many; `key=WORD` says how the function calls it, if
that is not the word itself. `as_json` stands for a function that wants to know whether JSON is
printed, `no_json` for a command that has none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from debate_ops.cli.parser import JSON, Command, Word

_FILE = os.path.join(os.path.dirname(__file__), "commands.txt")
_WORD = re.compile(r"(?:(\w+)=)?(\S+)(?: \((?:at least (\d+)|default: (\w+))\))?")


def _declared() -> Iterator[tuple[str, Command]]:
    with open(_FILE, encoding="utf-8") as file:
        _, *sections = re.split("^== ", file.read(), flags=re.MULTILINE)
    for section in sections:
        head, _, text = section.strip().partition("\n")
        name, _, parts = head.partition(": ")
        act, *words = parts.split(", ")
        has_json = "no_json" not in words and "\n--json: " not in text
        gap = "" if "\n\n-" in text else "\n"
        yield (
            name,
            Command(
                act,
                f"{text}\n{gap}{JSON}" if has_json else f"{text}{gap}",
                tuple(_word(word) for word in words if not word.endswith("_json")),
                knows_json="as_json" in words,
            ),
        )


def _word(declared: str) -> Word:
    match = _WORD.fullmatch(declared)
    key, shown, least, default = match.groups() if match else (None, declared, None, None)
    return Word(
        key or shown.strip("[]").lower(), shown, None if least is None else int(least), default
    )


COMMANDS = dict(_declared())
PROGRAM = COMMANDS.pop("debate-ops")
