"""The commands `config` and `doctor`: what is set, and whether all that is needed is here."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from functools import partial
from typing import Any, NamedTuple

import click

from debate_ops import __version__
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command
from debate_ops.cli.config import (
    KEYS,
    check_value,
    find_user_file,
    read_config,
    read_file,
    read_specs,
)
from debate_ops.core import errors
from debate_ops.core.errors import DebateError, UsageError
from debate_ops.engine import files, store


@command("config")
@click.argument("action", type=click.Choice(["show", "set", "unset"]), default="show")
@click.argument("key", type=click.Choice(list(KEYS)), metavar="[KEY]", required=False)
@click.argument("value", required=False)
def config(action: str, key: str | None, value: str | None) -> Answer:
    """Show or change what stands for options that are not given.

    A value comes from the first of: an option, a variable such as DEBATE_OPS_JUDGE,
    debate-ops.toml in this folder, your own config.toml. The folder's file never says who replies.

    \b
    debate-ops config set all cmd:"claude -p --output-format json"
    debate-ops config set language German
    debate-ops config
    """
    is_given = (key is not None, value is not None)
    if is_given != {"show": (False, False), "set": (True, True)}.get(action, (True, False)):
        needed = {"show": "no KEY", "set": "a KEY and a VALUE"}.get(action, "a KEY and no VALUE")
        raise UsageError(f"config {action} takes {needed}", hint=f"Keys: {', '.join(KEYS)}.")
    path = find_user_file()
    if key:
        checked = None if value is None else check_value(key, value, "config set")
        _change(path, key, checked)
    found = read_config()
    lines = [f"Written: {path}"] if key else []
    lines += [f"{name} = {each.value}   ({each.source})" for name, each in found.items()]
    free = (f"  {name}: {meaning}" for name, meaning in KEYS.items() if name not in found)
    lines += [] if key else ["Not set:", *free, f"Your file: {path}"]
    values = {name: each._asdict() for name, each in found.items()}
    return Answer({"success": True, "file": path, "values": values}, lines)


def _change(path: str, key: str, value: Any) -> None:
    """Set a key in a file, or take it out; whatever else stands there stays as it is."""
    import tomlkit  # no other command writes TOML

    path = os.path.abspath(path)
    read_file(path)  # refuses what is no TOML
    document = tomlkit.parse(files.read_text(path) if os.path.lexists(path) else "")
    if value is None:
        document.pop(key, None)
    else:
        document[key] = value
    with files.disk_errors(f"write {path}"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_durable(path, tomlkit.dumps(document))


class Check(NamedTuple):
    """One thing looked at: what is there, and what repairs it where it is wrong."""

    name: str
    good: bool
    actual: str
    fix: str = ""


@command("doctor")
def doctor() -> Answer:
    """Check that debates can be written and who is set can reply, and say who else could.

    Of a key only its variable is named. A server on this machine is asked which models it has.
    """
    from debate_ops.run.cast import make_participant  # no other command here needs it
    from debate_ops.run.providers import find_repliers  # likewise

    version = f"{__version__} (Python {platform.python_version()}, {sys.executable})"
    place = os.path.abspath(store.DEBATES if os.path.isdir(store.DEBATES) else ".")
    checks = [
        Check("debate-ops", good=True, actual=version),
        Check("debates folder", os.access(place, os.W_OK), place, "Make it writable."),
    ]
    for key, spec in read_specs().items():
        made = errors.catch_error(partial(make_participant, spec))
        if isinstance(made, DebateError):
            checks.append(Check(key, good=False, actual=made.message, fix=made.hint))
    good = all(check.good for check in checks)
    repliers = find_repliers()
    result = {
        "success": good,
        "checks": [check._asdict() for check in checks],
        "found": [found._asdict() for found in repliers],
    }
    lines = [
        f"{'ok  ' if c.good else 'FAIL'} {c.name}: {c.actual}{'' if c.good else f'  ->  {c.fix}'}"
        for c in checks
    ]
    lines += [f"found: {found.what}: --all {shlex.quote(found.spec)}" for found in repliers]
    return Answer(result, lines, 0 if good else errors.CONFIGURATION)
