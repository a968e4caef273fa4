"""The commands `config` and `doctor`: what stands for options that are not given, and what is here.

An option goes before a variable, a variable before the file of the folder, and that before the
user's own file. The folder may come from a stranger, and who replies starts programs and spends
money: its file never says that, nor for how long.
"""

from __future__ import annotations

import os
import shlex
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click

from debate_ops import __version__
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, option
from debate_ops.core import errors
from debate_ops.core.errors import ConfigurationError, DebateError, UsageError
from debate_ops.core.texts import suggest_near
from debate_ops.engine import Position, files, store
from debate_ops.engine.prompts import find_skill_folder
from debate_ops.protocols import PROTOCOLS

FOLDER_FILE = "debate-ops.toml"
"""The file in the folder that one works in."""
_LAST = ".last-spec"


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
        for key, value in _read_file(path).items():
            found[key] = Value(_check(key, value, path), path)
    for key in KEYS:
        name = f"DEBATE_OPS_{key.upper().replace('-', '_')}"
        if value := os.environ.get(name):
            found[key] = Value(_check(key, value, name), name)
    return found


def _read_file(path: str) -> dict[str, Any]:
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


def _check(key: str, value: Any, source: str) -> Any:
    """Return a value as its key has it; refuse what the folder's file may not say."""
    if key not in KEYS:
        raise ConfigurationError(
            f"{source}: there is no key {key!r}{suggest_near(key, KEYS)}",
            hint=f"There are: {', '.join(KEYS)}.",
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


def read_last_spec() -> str:
    """Return who replied in the last `ask` or `run`; empty where that is not known."""
    with suppress(DebateError):
        return files.read_text(f"{find_user_file()}{_LAST}")
    return ""


def keep_last_spec(spec: str) -> None:
    """Keep who replied, to be proposed the next time; without a place for it, it is forgotten."""
    with suppress(OSError):
        os.makedirs(os.path.dirname(find_user_file()), exist_ok=True)
        files.write_durable(f"{find_user_file()}{_LAST}", spec)


@command("config")
@click.argument(
    "action", type=click.Choice(["show", "list", "get", "set", "unset"]), default="show"
)
@click.argument("key", type=click.Choice(list(KEYS)), metavar="[KEY]", required=False)
@click.argument("value", required=False)
@option("--here", help=f"Change {FOLDER_FILE} in this folder, not your own.")
def config(action: str, key: str | None, value: str | None, *, here: bool) -> Answer:
    """Show or change what stands for options that are not given.

    A value comes from the first of: an option, a variable such as DEBATE_OPS_JUDGE,
    debate-ops.toml in this folder, your own config.toml. The folder's file never says who replies.

    \b
    debate-ops config set all cmd:"claude -p --output-format json"
    debate-ops config set language German
    debate-ops config
    """
    is_given = (key is not None, value is not None)
    action = "show" if action == "list" else action
    if is_given != {"show": (False, False), "set": (True, True)}.get(action, (True, False)):
        needed = {"show": "no KEY", "set": "a KEY and a VALUE"}.get(action, "a KEY and no VALUE")
        raise UsageError(f"config {action} takes {needed}", hint=f"Keys: {', '.join(KEYS)}.")
    path = FOLDER_FILE if here else find_user_file()
    if action in {"set", "unset"}:
        source = path if here else "config set"
        _change(path, str(key), None if value is None else _check(str(key), value, source))
    found = read_config()
    shown = {n: found[n]._asdict() for n in ([key] if key in found else found if not key else [])}
    result: dict[str, Any] = {"success": True, "file": path, "values": shown}
    if action == "get":
        return Answer(result, [str(found[key].value) if key in found else f"{key} is not set"])
    lines = [f"Written: {path}"] if key else []
    lines += [f"{n} = {each['value']}   ({each['source']})" for n, each in shown.items()]
    if action == "set":
        probes = [each for each in _probe_specs() if each.name in {key, str(key).rstrip("s")}]
        result["warnings"] = [f"{each.actual}. {each.fix}".strip() for each in probes]
        lines += answers.label("warning", result["warnings"])
    if not key:
        free = (f"{name}: {meaning}" for name, meaning in KEYS.items() if name not in found)
        lines += ["Not set:", *(f"  {each}" for each in free), f"Your file: {path}"]
    return Answer(result, lines)


def _change(path: str, key: str, value: Any) -> None:
    """Set a key in a file, or take it out; whatever else stands there stays as it is."""
    import tomlkit  # no other command writes TOML

    path = os.path.abspath(path)
    _read_file(path)  # refuses what is no TOML
    document = tomlkit.parse(files.read_text(path) if os.path.lexists(path) else "")
    if value is None:
        document.pop(key, None)
    else:
        document[key] = value
    with files.disk_errors(f"write {path}"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_durable(path, tomlkit.dumps(document))


PACKAGES = ("python-frontmatter", "jinja2", "jsonschema", "pydantic")
CONFLICT = ("conflicted copy", "sync-conflict", ".orig", ".rej")


class Probe(NamedTuple):
    """One thing looked at: what is there, and what repairs it where it is wrong."""

    name: str
    good: bool
    actual: str
    fix: str = ""


@command("doctor")
def doctor() -> Answer:
    """Check that everything the program needs is there, and say who could reply.

    Of a key only its variable is named. A server on this machine is asked which models it has.
    """
    from debate_ops.run.providers import find_repliers  # no other command here needs it

    probes = [*_probe(), *_probe_specs()]
    good = all(probe.good for probe in probes)
    repliers, values = find_repliers(), read_config()
    taken = next((values[key].value for key in ("all", "debaters") if key in values), None)
    taken = taken or "asks who replies; in a script, --all"
    result = {
        "success": good,
        "checks": [probe._asdict() for probe in probes],
        "found": [found._asdict() for found in repliers],
        "config": {key: found._asdict() for key, found in values.items()},
        "ask": taken,
    }
    lines = [
        f"{'ok  ' if p.good else 'FAIL'} {p.name}: {p.actual}{'' if p.good else f'  ->  {p.fix}'}"
        for p in probes
    ]
    for found in repliers:
        needs = f"; it needs {found.needs}" if found.needs else ""
        lines.append(f"found: {found.what}: --all {shlex.quote(found.spec)}{needs}")
    lines += [f"set: {key} = {each.value}   ({each.source})" for key, each in values.items()]
    lines.append(f"'ask' takes: {taken}")
    return Answer(result, lines, 0 if good else errors.CONFIGURATION)


def _probe_specs() -> Iterator[Probe]:
    from debate_ops.run.cast import make_participant  # likewise

    for key, spec in read_specs().items():
        made = errors.catch_error(lambda spec=spec: make_participant(spec))  # type: ignore[misc]
        if isinstance(made, DebateError):
            yield Probe(key, good=False, actual=made.message, fix=made.hint)


def _probe() -> Iterator[Probe]:
    import importlib.metadata  # more than all other commands of this module take
    import platform

    yield Probe("debate-ops", good=True, actual=__version__)
    yield Probe("python", good=True, actual=platform.python_version())
    yield Probe("interpreter", good=True, actual=sys.executable)
    for name in PACKAGES:  # 'start' sets them up where they are missing
        yield Probe(name, good=True, actual=importlib.metadata.version(name))
    templates = find_skill_folder() / "templates"
    is_whole = all((templates / protocol).is_dir() for protocol in PROTOCOLS)
    yield Probe("templates", is_whole, str(templates), "Install debate_ops again.")
    place = store.DEBATES if os.path.isdir(store.DEBATES) else "."
    is_writable = os.access(place, os.W_OK)
    yield Probe("debates folder", is_writable, os.path.abspath(place), "Make it writable.")
    # What a sync service or a merge left where two machines wrote the same debate:
    for slug in store.list_slugs():
        for path in Path(store.DEBATES, slug).rglob("*"):
            if any(mark in path.name for mark in CONFLICT):
                fix = "Keep the right one, move the other."
                yield Probe("conflicting copy", good=False, actual=f"{path}", fix=fix)
