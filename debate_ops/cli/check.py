"""The commands `check`, `validate`, `schema` and `doctor`: what holds, and what has to."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import click

from debate_ops import __version__, engine, repair, validation
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.core.errors import BAD_RECORD, CHECK_NOT_MET, CONFIGURATION, Finding, UsageError
from debate_ops.formats import schema as schemas
from debate_ops.formats.json_text import printed
from debate_ops.core.texts import one_line
from debate_ops.model.turn import Done, Met
from debate_ops.prompts.build import skill_folder
from debate_ops.protocols.table import PROTOCOLS, rules_of
from debate_ops.reports import hearing
from debate_ops.reports.sureness import Level
from debate_ops.reports.table import view_of
from debate_ops.storage import folder
from debate_ops.storage.folder import DEBATES, slugs


def _decided(position: engine.Position) -> Met:
    panel, _ = hearing.of(position.folder, position.debate)
    view = view_of(position.debate, panel)
    if view.sureness is None or view.favoured not in view.choices:
        return Met(is_met=False, why="the record favours no choice")
    level, choice = view.sureness.level, one_line(view.choices[view.favoured])
    if level == Level.NOT_JUDGED:
        return Met(is_met=True, why=f"a person decided for {choice}")
    return Met(is_met=level > Level.TOO_CLOSE, why=f"the record favours {choice}: {level.words}")


COMMON: Mapping[str, Callable[[engine.Position], Met]] = {
    "complete": lambda p: Met(is_met=isinstance(p.due, Done), why=answers.progress(p)),
    "decided": _decided,
}
"""What can be required of a debate of any protocol; each has more of its own."""


@command("check")
@debate_argument
@click.option(
    "--require",
    metavar="NAME",
    multiple=True,
    help="What is required: complete or decided (not too close to call), and by protocol "
    "others such as consensus or no-blocking (repeatable).",
)
def check(debate: str, require: Sequence[str]) -> Answer:
    """Check whether a debate meets requirements; exit code 10 if not: a gate for CI."""
    position = engine.look(folder.find(debate))
    state = position.debate
    own = rules_of(state.protocol).REQUIREMENTS
    unknown = [name for name in require if name not in {*COMMON, *own}]
    if unknown or not require:
        what = f"{' and '.join(unknown)} cannot be required" if unknown else "say what is required"
        raise UsageError(
            f"{what} of a debate of the protocol {state.protocol!r}",
            hint=f"What can be: {', '.join([*COMMON, *own])}. As in 'check {debate} --require …'.",
        )
    met = {name: own[name](state) if name in own else COMMON[name](position) for name in require}
    result = {
        "success": all(item.is_met for item in met.values()),
        "debate": position.folder.name,
        "requirements": {name: item._asdict() for name, item in met.items()},
    }
    lines = [
        f"{name}: {'met' if item.is_met else 'not met'}: {item.why}" for name, item in met.items()
    ]
    return Answer(result, lines, 0 if result["success"] else CHECK_NOT_MET)


@command("validate")
@debate_argument
@click.option(
    "--fix",
    is_flag=True,
    help="Make debate.md from the record, and move what an interruption left to set-aside.",
)
def validate(debate: str, *, fix: bool) -> Answer:
    """Check a whole debate: every file, link, score and total, and the word limits."""
    place = folder.find(debate)
    repaired = answers.sentences(repair.fix(place) if fix else ())
    faults, warnings = validation.validate(place)
    result = {
        "success": not faults,
        "debate": place.name,
        "errors": answers.sentences(faults),
        "faults": answers.findings(faults),
        "warnings": answers.findings(warnings),
        "fixed": repaired,
    }
    lines = [
        *answers.labelled("fixed", repaired),
        *answers.labelled("fault", answers.sentences(faults)),
        *answers.labelled("warning", answers.sentences(warnings)),
        f"{place.name}: {_count(faults, 'fault')}, {_count(warnings, 'warning')}",
    ]
    return Answer(result, lines, BAD_RECORD if faults else 0)


def _count(findings: Sequence[Finding], word: str) -> str:
    return f"{len(findings)} {word}{'' if len(findings) == 1 else 's'}"


@command("schema")
@click.argument("name", metavar="[NAME]", type=click.Choice(schemas.names()), required=False)
def schema(name: str | None) -> Answer:
    """Print the JSON Schema of a kind of reply; without NAME, list them."""
    if name is None:
        return Answer({"success": True, "schemas": schemas.names()}, schemas.names())
    return Answer(schemas.load(name), [printed(schemas.load(name))])


PACKAGES = ("python-frontmatter", "jinja2")
CONFLICT = ("conflicted copy", "sync-conflict", ".orig", ".rej")


class Probe(NamedTuple):
    """One thing looked at: what is there, and what repairs it where it is wrong."""

    name: str
    good: bool
    actual: str
    fix: str = ""


@command("doctor")
def doctor() -> Answer:
    """Check that everything the program needs is there."""
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
    for protocol in PROTOCOLS:
        path = os.path.join(skill_folder(), "templates", protocol)
        again = "Install debate_ops again."
        yield Probe(f"templates of {protocol}", os.path.isdir(path), path, again)
    path = DEBATES if os.path.isdir(DEBATES) else "."
    is_writable = os.access(path, os.W_OK)
    yield Probe("debates folder", is_writable, os.path.abspath(path), "Make it writable.")
    # What a sync service or a merge left where two machines wrote the same debate:
    move = "Keep the right one, move the other."
    for slug in slugs():
        for base, _, names in os.walk(os.path.join(DEBATES, slug)):
            for name in names:
                if any(mark in name for mark in CONFLICT):
                    path = os.path.join(base, name)
                    yield Probe("conflicting copy", good=False, actual=path, fix=move)
