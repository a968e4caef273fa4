"""`doctor`: is everything here that the program needs?"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from typing import NamedTuple

from debate_ops import __version__
from debate_ops.cli.answers import Answer
from debate_ops.errors import CONFIGURATION
from debate_ops.prompts import templates
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.storage.folder import DEBATES, slugs

PACKAGES = ("python-frontmatter", "matplotlib")
CONFLICT = ("conflicted copy", "sync-conflict", ".orig", ".rej")


class Probe(NamedTuple):
    """One thing looked at: what is there, and what repairs it where it is wrong."""

    name: str
    good: bool
    found: str
    fix: str = ""


def check() -> Answer:
    """Look at the interpreter, the packages, the skill's files and the debates folder."""
    probes = [
        Probe("debate-ops", good=True, found=__version__),
        Probe(
            "python", sys.version_info >= (3, 11), platform.python_version(), "Use 3.11 or newer."
        ),
        Probe("interpreter", good=True, found=sys.executable),
        *map(_package, PACKAGES),
        *map(_templates, PROTOCOLS),
        _writable(),
        *_conflicts(),
    ]
    good = all(probe.good for probe in probes)
    result = {"success": good, "checks": [probe._asdict() for probe in probes]}
    lines = [
        f"{'ok  ' if probe.good else 'FAIL'} {probe.name}: {probe.found}"
        + (f"  ->  {probe.fix}" if not probe.good else "")
        for probe in probes
    ]
    return Answer(result, lines, 0 if good else CONFIGURATION)


def _package(name: str) -> Probe:
    try:
        return Probe(name, good=True, found=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        fix = f"Run any other command once with 'python3 {_package_folder()}', it sets them up."
        return Probe(name, good=False, found="missing", fix=fix)


def _package_folder() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _templates(protocol: str) -> Probe:
    path = os.path.join(templates.skill_folder(), "templates", protocol)
    there = os.path.isdir(path)
    return Probe(f"templates of {protocol}", there, path, "Install debate_ops again.")


def _writable() -> Probe:
    path = DEBATES if os.path.isdir(DEBATES) else "."
    return Probe(
        "debates folder", os.access(path, os.W_OK), os.path.abspath(path), "Make it writable."
    )


def _conflicts() -> list[Probe]:
    """Find what a sync service or a merge left where two machines wrote the same debate."""
    paths = []
    for slug in slugs():
        for base, _, names in os.walk(os.path.join(DEBATES, slug)):
            paths += [os.path.join(base, n) for n in names if any(c in n for c in CONFLICT)]
    return [
        Probe("conflicting copy", good=False, found=path, fix="Keep the right one, move the other.")
        for path in paths
    ]
