"""What is set by variables and files, for options that are not given; `config` and `doctor`.

An option goes before a variable, a variable before the file of the folder, and that before the
user's own file. The folder may come from a stranger, and who replies starts programs and spends
money: its file never says that, nor for how long.
"""

import os
import platform
import shlex
import sys
import tomllib
from collections.abc import Iterable
from typing import Any, NamedTuple

import click

from debate_ops import __version__
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command
from debate_ops.core import errors
from debate_ops.engine import Position, files, store
from debate_ops.protocols import PROTOCOLS

FOLDER_FILE = "debate-ops.toml"
"""The file in the folder that one works in."""
USUAL_EXCHANGES = 3

SPECS = {
    "all": "Who replies for all whom no other option names.",
    "debaters": "Who argues.",
    "prop": "Who argues for the motion.",
    "opp": "Who argues against it.",
    "judge": "Who judges.",
    "reporter": "Who writes the memo; else who replies for the others.",
    "panel": "Who sits on its panel; the judge, if not given.",
}
"""What says who replies, as an option and as a key."""
KEYS = {
    key: f"{said[:1].lower()}{said[1:].removesuffix('.')} (a SPEC, as for 'run')"
    for key, said in SPECS.items()
} | {
    "exchanges": "how many exchanges 'ask' and 'new --question' propose",
    "protocol": "the rules of new debates",
    "language": "the language of new debates",
    "word-limits": "what a text over its limit does: warn or reject",
    "debates": "the folder in which debates lie",
}
"""What can be set, and what it means."""
FOR_FOLDERS = frozenset({"protocol", "language", "word-limits", "debates"})
"""Keys that the folder's file may have."""


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
    found = [(path, *each) for path in (find_user_file(), FOLDER_FILE) for each in _list(path)]
    names = {f"DEBATE_OPS_{key.upper().replace('-', '_')}": key for key in KEYS}
    found += [(name, key, os.environ[name]) for name, key in names.items() if os.environ.get(name)]
    return {key: Value(_check(key, value, source), source) for source, key, value in found}


def _list(path: str) -> list[tuple[str, Any]]:
    """Return what a file sets, unchecked; nothing where there is none."""
    try:
        return [*tomllib.loads(files.read_text(path)).items()] if os.path.lexists(path) else []
    except ValueError as error:
        raise errors.ConfigurationError(
            f"{path}: not valid TOML: {error}", hint="Repair it."
        ) from None


def _check(key: str, value: Any, source: str) -> Any:
    """Return a value as its key has it; refuse what the folder's file may not say."""
    try:
        return _read(key, value, is_of_folder=source == FOLDER_FILE)
    except (click.BadParameter, errors.UsageError) as error:
        hint = error.hint if isinstance(error, errors.UsageError) else ""
        why = error.message.replace("valid integer range", "whole number")
        raise errors.ConfigurationError(f"{source}: {key}: {why}", hint=hint) from None


def _read(key: str, value: Any, *, is_of_folder: bool) -> Any:
    if key not in KEYS:
        raise errors.UsageError("there is no such key", hint=f"There are: {', '.join(KEYS)}.")
    if is_of_folder and key not in FOR_FOLDERS:
        raise errors.UsageError(
            "cannot be set in a folder, which may come from a stranger: who replies, and how long, "
            "starts programs and spends money",
            hint=f"Remove it there; your own: 'config set {key} VALUE'.",
        )
    if type(value) not in {str, int}:
        raise errors.UsageError(f"is {value}, expected a text or a number")
    if key in SPECS:
        from debate_ops.run.cast import split_spec  # most folders set no SPEC

        return ":".join(split_spec(str(value)))
    if key == "debates":
        path = os.path.normpath(os.path.expanduser(str(value)))
        if is_of_folder and (os.path.isabs(path) or ".." in path.replace("\\", "/").split("/")):
            hint = "Your own file and DEBATE_OPS_DEBATES may name any folder."
            raise errors.UsageError(f"is {value!r}, expected a folder below this one", hint=hint)
        return path
    kinds = {"exchanges": click.IntRange(min=1), "protocol": click.Choice([*PROTOCOLS])}
    kinds["word-limits"] = click.Choice(["warn", "reject"])  # all protocols know these
    return kinds.get(key, click.STRING)(value)


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


def name_unset(position: Position, names: Iterable[str]) -> str:
    """Return the commands that take away the SPECs of some, so that agents reply for them."""
    from debate_ops.run.cast import find_usual  # most folders set no SPEC

    own = find_user_file()
    unset = {
        key.replace("debaters", "debater"): (
            f"'config unset {key}'" if each.source == own else f"'unset {each.source}'"
        )
        for key, each in read_config().items()
        if key in SPECS
    }
    found = find_usual(position, unset)
    return " and ".join(dict.fromkeys(found[name] for name in names))


def find_programs(position: Position) -> dict[str, str]:
    """Return the SPECs set for a name or role, which reply beside the agents of a client."""
    specs = read_specs()
    if not specs.keys() - {"all", "reporter"}:
        return {}
    from debate_ops.run.cast import find_usual  # most folders set no SPEC

    return find_usual(position, specs)


@command("config")
@click.argument("action", type=click.Choice(["show", "set", "unset"]), default="show")
@click.argument("key", type=click.Choice(list(KEYS)), metavar="[KEY]", required=False)
@click.argument("value", required=False)
def config(action: str, key: str | None, value: str | None) -> Answer:
    """Show or change what holds where no option says it, such as who replies.

    A value comes from the first of: an option, a variable such as DEBATE_OPS_JUDGE,
    debate-ops.toml in this folder, your own config.toml. The folder's file never says who replies.

    \b
    debate-ops config set all cmd:"claude -p --output-format json"
    debate-ops config set language German
    debate-ops config
    """
    from debate_ops.run.cast import find_unable  # no hot command needs it

    needed = {"show": "", "unset": "KEY", "set": "KEY VALUE"}[action]
    if (key is not None) + (value is not None) != len(needed.split()):
        hint = f"Keys: {', '.join(KEYS)}."
        raise errors.UsageError(f"expected 'config {f'{action} {needed}'.rstrip()}'", hint=hint)
    path = find_user_file()
    if key:
        _change(path, key, None if value is None else _check(key, value, "config set"))
    found = read_config()
    changed = {key: str(found[key].value)} if key in SPECS and value else {}
    remarks = [f"{key}: {why.message}" for why in find_unable(changed).values()]
    lines = [f"Written: {path}"] if key else []
    lines += [f"{name} = {each.value}   ({each.source})" for name, each in found.items()]
    free = (f"  {name}: {meaning}" for name, meaning in KEYS.items() if name not in found)
    lines += [] if key else ["Not set:", *free, f"Your file: {path}"]
    values = {name: each._asdict() for name, each in found.items()}
    return Answer({"success": True, "file": path, "values": values, "warnings": remarks}, lines)


def _change(path: str, key: str, value: Any) -> None:
    """Set a key in a file, or take it out; whatever else stands there stays as it is."""
    import tomlkit  # no other command writes TOML

    path = os.path.abspath(path)
    _list(path)  # refuses what is no TOML
    document = tomlkit.parse(files.read_text(path) if os.path.lexists(path) else "")
    if value is None:
        document.pop(key, None)
    else:
        document[key] = value
    with files.disk_errors(f"write {path}"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_durable(path, tomlkit.dumps(document))


@command("doctor")
def doctor() -> Answer:
    """Check the set-up, and list who can reply here.

    Of a key only its variable is named. A server on this machine is asked which models it has.
    """
    from debate_ops.run.cast import find_unable  # loads packages that no hot command needs
    from debate_ops.run.clients import FOR_A_MODEL, find_repliers

    version = f"{__version__} (Python {platform.python_version()}, {sys.executable})"
    place = os.path.abspath(store.DEBATES if os.path.isdir(store.DEBATES) else ".")
    rows = [
        ("debate-ops", True, version, ""),
        ("debates folder", os.access(place, os.W_OK), place, "Make it writable."),
        *((who, False, why.message, why.hint) for who, why in find_unable(read_specs()).items()),
    ]
    good, found = all(is_good for _, is_good, *_ in rows), find_repliers()
    result = {
        "success": good,
        "checks": [dict(zip(("name", "good", "actual", "fix"), row, strict=True)) for row in rows],
        "found": [each._asdict() for each in found],
    }
    lines = [
        f"ok   {name}: {actual}" if is_good else f"FAIL {name}: {actual}  ->  {fix}"
        for name, is_good, actual, fix in rows
    ]
    lines += [f"found: {each.what}: --all {shlex.quote(each.spec)}" for each in found]
    lines += [FOR_A_MODEL] * (len(found) == 1)
    return Answer(result, lines, 0 if good else errors.CONFIGURATION)
