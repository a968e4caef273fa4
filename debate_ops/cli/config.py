"""What is set, by variables and files: it stands for options that are not given.

An option goes before a variable, a variable before the file of the folder, and that before the
user's own file. The folder may come from a stranger, and who replies starts programs and spends
money: its file never says that, nor for how long.
"""

from __future__ import annotations

import os
import tomllib
from typing import Any, NamedTuple

import click

from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.engine import Position, files
from debate_ops.protocols import PROTOCOLS

FOLDER_FILE = "debate-ops.toml"
"""The file in the folder that one works in."""
USUAL_EXCHANGES = 3

KEYS = {
    "all": "who replies where nothing else says so: a SPEC, as for 'run'",
    "debaters": "who argues",
    "prop": "who argues for the motion",
    "opp": "who argues against it",
    "judge": "who judges",
    "reporter": "who writes the memo",
    "panel": "who sits on a panel",
    "exchanges": "how many exchanges 'ask' and 'new --question' propose",
    "protocol": "the rules of new debates",
    "language": "the language of new debates",
    "word-limits": "what a text over its limit does: warn or reject",
    "debates": "the folder in which debates lie",
}
"""What can be set, and what it means."""
SPECS = frozenset({"all", "debaters", "prop", "opp", "judge", "reporter", "panel"})
FOR_FOLDERS = frozenset({"protocol", "language", "word-limits", "debates"})
"""Keys that say who replies, and those that the folder's file may have."""


class Value(NamedTuple):
    """A value that was set, and where: a file or a variable."""

    value: Any
    source: str


def find_user_file() -> str:
    """Return the user's own file, which need not be there."""
    return os.path.join(click.get_app_dir("debate-ops"), "config.toml")


def read_config() -> dict[str, Value]:
    """Return what is set, by key.

    Raises:
        ConfigurationError: a file or variable says what it cannot; names it, and what to do.
    """
    found = {}
    for path in (find_user_file(), FOLDER_FILE):
        for key, value in read_file(path).items():
            found[key] = Value(check_value(key, value, path), path)
    for key in KEYS:
        name = f"DEBATE_OPS_{key.upper().replace('-', '_')}"
        if value := os.environ.get(name):
            found[key] = Value(check_value(key, value, name), name)
    return found


def read_file(path: str) -> dict[str, Any]:
    """Return what a file sets, unchecked; nothing where there is none."""
    try:
        return tomllib.loads(files.read_text(path)) if os.path.lexists(path) else {}
    except ValueError as error:
        raise ConfigurationError(f"{path}: not valid TOML: {error}", hint="Repair it.") from None


def _read(key: str, value: Any) -> Any:
    if key in SPECS:
        from debate_ops.run.cast import split_spec  # most folders set no SPEC

        return ":".join(split_spec(str(value)))
    if key == "debates":
        return os.path.normpath(os.path.expanduser(str(value)))
    kinds = {"exchanges": click.IntRange(min=1), "protocol": click.Choice([*PROTOCOLS])}
    return kinds.get(key, click.STRING)(value)


def check_value(key: str, value: Any, source: str) -> Any:
    """Return a value as its key has it; refuse what the folder's file may not say."""
    if key not in KEYS:
        raise ConfigurationError(
            f"{source}: there is no key {key!r}", hint=f"There are: {', '.join(KEYS)}."
        )
    if source == FOLDER_FILE and key not in FOR_FOLDERS:
        raise ConfigurationError(
            f"{source}: {key!r} cannot be set in a folder, which may come from a stranger: who "
            "replies, and how long, starts programs and spends money",
            hint=f"Remove it there; your own: 'config set {key} VALUE'.",
        )
    if isinstance(value, dict | list | bool):
        raise ConfigurationError(f"{source}: {key} is {value}, expected {KEYS[key]}")
    try:
        made = _read(key, value)
    except (click.BadParameter, UsageError) as error:
        hint = error.hint if isinstance(error, UsageError) else ""
        why = error.message.replace("valid integer range", "whole number")
        raise ConfigurationError(f"{source}: {key}: {why}", hint=hint) from None
    parts = str(made).replace("\\", "/").split("/")
    if key == "debates" and source == FOLDER_FILE and (os.path.isabs(made) or ".." in parts):
        raise ConfigurationError(
            f"{source}: debates is {value!r}, expected a folder below this one",
            hint="Your own file and DEBATE_OPS_DEBATES may name any folder.",
        )
    return made


def find_value(key: str) -> Any:
    """Return what is set for a key; None where nothing is."""
    return read_config().get(key, Value(None, "")).value


def find_usual_exchanges() -> int:
    """Return how many exchanges are proposed: as many as are set, or else the usual number."""
    return int(find_value("exchanges") or USUAL_EXCHANGES)


def read_specs() -> dict[str, str]:
    """Return who is set to reply, by name or role: `prop`, `debater`, `judge`, `panel`, `all` …."""
    specs = {key: each for key, each in read_config().items() if key in SPECS}
    return {key.replace("debaters", "debater"): str(each.value) for key, each in specs.items()}


def find_programs(position: Position) -> dict[str, str]:
    """Return the SPECs that reply beside the agents of a client: those set for a name or role.

    Who is set for all stands for whoever nobody asks; within a client that is an agent of its own.
    """
    specs = read_specs()
    if not specs.keys() - {"all", "reporter"}:
        return {}
    from debate_ops.run.cast import find_usual  # most folders set no SPEC

    return find_usual(position, specs)
