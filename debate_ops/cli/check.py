"""The commands `check`, `validate` and `schema`: what holds of a debate, and what has to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from debate_ops import engine, repair, validation
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.errors import BAD_RECORD, CHECK_NOT_MET, Finding, UsageError
from debate_ops.formats import schema as schemas
from debate_ops.formats.json_text import printed
from debate_ops.model.texts import one_line
from debate_ops.model.turn import Done, Met
from debate_ops.protocols.table import rules_of
from debate_ops.reports import hearing
from debate_ops.reports.sureness import Level
from debate_ops.reports.table import view_of
from debate_ops.storage import folder


def _complete(position: engine.Position) -> Met:
    return Met(is_met=isinstance(position.due, Done), why=answers.progress(position))


def _decided(position: engine.Position) -> Met:
    panel, _ = hearing.of(position.folder, position.debate)
    view = view_of(position.debate, panel)
    if view.sureness is None or view.favoured not in view.choices:
        return Met(is_met=False, why="the record favours no choice")
    level = view.sureness.level
    why = f"the record favours {one_line(view.choices[view.favoured])}: {level.words}"
    return Met(is_met=level > Level.TOO_CLOSE, why=why)


COMMON: Mapping[str, Callable[[engine.Position], Met]] = {
    "complete": _complete,
    "decided": _decided,
}
"""What can be required of a debate of any protocol; each has more of its own."""


def check(debate: str, require: Sequence[str]) -> Answer:
    """Tell whether a debate meets all that is required of it; exit code 10 if not."""
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


def validate(debate: str, *, fix: bool) -> Answer:
    """Check a whole debate; repair what can be repaired where that is asked for."""
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


def schema(name: str | None) -> Answer:
    """Return a schema's text, or the names of all."""
    if name is None:
        return Answer(lines=schemas.names())
    if name not in schemas.names():
        raise UsageError(
            f"there is no schema {name!r}", hint=f"There are: {', '.join(schemas.names())}."
        )
    return Answer(lines=[printed(schemas.load(name))])
