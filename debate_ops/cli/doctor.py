"""The command `doctor`: is everything here that the program needs?"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterator

from debate_ops import __version__
from debate_ops.cli.answers import Answer
from debate_ops.errors import CONFIGURATION
from debate_ops.prompts import templates
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.startup import NamedTuple
from debate_ops.storage.folder import DEBATES, slugs

PACKAGES = ("python-frontmatter", "jinja2")
CONFLICT = ("conflicted copy", "sync-conflict", ".orig", ".rej")


class Probe(NamedTuple):
    """One thing looked at: what is there, and what repairs it where it is wrong."""

    name: str
    good: bool
    actual: str
    fix: str = ""


def doctor() -> Answer:
    """Look at the interpreter, the packages, the skill's files and the debates folder."""
    probes = list(_probes())
    good = all(probe.good for probe in probes)
    result = {"success": good, "checks": [probe._asdict() for probe in probes]}
    lines = [
        f"ok   {probe.name}: {probe.actual}"
        if probe.good
        else f"FAIL {probe.name}: {probe.actual}  ->  {probe.fix}"
        for probe in probes
    ]
    return Answer(result, lines, 0 if good else CONFIGURATION)


def _probes() -> Iterator[Probe]:
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
    for protocol in PROTOCOLS:
        path = os.path.join(templates.skill_folder(), "templates", protocol)
        again = "Install debate_ops again."
        yield Probe(f"templates of {protocol}", os.path.isdir(path), path, again)
    path = DEBATES if os.path.isdir(DEBATES) else "."
    is_writable = os.access(path, os.W_OK)
    yield Probe("debates folder", is_writable, os.path.abspath(path), "Make it writable.")
    yield from _conflicts()


def _conflicts() -> Iterator[Probe]:
    """Yield what a sync service or a merge left where two machines wrote the same debate."""
    move = "Keep the right one, move the other."
    for slug in slugs():
        for base, _, names in os.walk(os.path.join(DEBATES, slug)):
            for name in names:
                if any(mark in name for mark in CONFLICT):
                    path = os.path.join(base, name)
                    yield Probe("conflicting copy", good=False, actual=path, fix=move)
