"""The command `doctor`: what is there of what the program needs, and who could reply."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from typing import NamedTuple

from debate_ops import __version__
from debate_ops.cli import config
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command
from debate_ops.core.errors import CONFIGURATION, DebateError, catch_error
from debate_ops.engine import store
from debate_ops.engine.prompts import find_skill_folder
from debate_ops.protocols import PROTOCOLS
from debate_ops.run.cast import make_participant
from debate_ops.run.finding import find_repliers

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
    probes = [*_probe(), *_probe_specs()]
    good = all(probe.good for probe in probes)
    result = {"success": good, "checks": [probe._asdict() for probe in probes]}
    repliers, values = find_repliers(), config.read_config()
    named = [key for key in ("all", "debaters") if key in values]
    taken = f"{values[named[0]].value}" if named else "asks who replies; in a script, --all"
    result |= {"found": [found._asdict() for found in repliers]}
    result |= {"config": {key: found._asdict() for key, found in values.items()}, "ask": taken}
    lines = [
        f"{'ok  ' if p.good else 'FAIL'} {p.name}: {p.actual}{'' if p.good else f'  ->  {p.fix}'}"
        for p in probes
    ]
    for found in repliers:
        needs = f"; it needs {found.needs}" if found.needs else ""
        lines.append(f"found: {found.what}: --all {shlex.quote(found.spec)}{needs}")
    lines += [f"set: {key} = {each.value}   ({each.source})" for key, each in values.items()]
    lines.append(f"'ask' takes: {taken}")
    return Answer(result, lines, 0 if good else CONFIGURATION)


def _probe_specs() -> Iterator[Probe]:
    for key, spec in config.read_specs().items():
        made = catch_error(lambda spec=spec: make_participant(spec))  # type: ignore[misc]
        if isinstance(made, DebateError):
            yield Probe(key, good=False, actual=made.message, fix=made.hint)


def _probe() -> Iterator[Probe]:
    import importlib.metadata  # more than all other commands of this module take
    import platform

    yield Probe("debate-ops", good=True, actual=__version__)
    is_new = sys.version_info >= (3, 11)
    yield Probe("python", is_new, platform.python_version(), "Use 3.11 or newer.")
    yield Probe("interpreter", good=True, actual=sys.executable)
    program = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    set_up = f"Run any other command once with 'python3 {program}', it sets them up."
    for name in PACKAGES:
        try:
            yield Probe(name, good=True, actual=importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Probe(name, good=False, actual="missing", fix=set_up)
    templates = find_skill_folder() / "templates"
    is_whole = all((templates / protocol).is_dir() for protocol in PROTOCOLS)
    yield Probe("templates", is_whole, str(templates), "Install debate_ops again.")
    place = store.DEBATES if os.path.isdir(store.DEBATES) else "."
    is_writable = os.access(place, os.W_OK)
    yield Probe("debates folder", is_writable, os.path.abspath(place), "Make it writable.")
    # What a sync service or a merge left where two machines wrote the same debate:
    for slug in store.list_slugs():
        for base, _, names in os.walk(os.path.join(store.DEBATES, slug)):
            for name in names:
                if any(mark in name for mark in CONFLICT):
                    fix = "Keep the right one, move the other."
                    yield Probe("conflicting copy", good=False, actual=f"{base}/{name}", fix=fix)
