"""What stands and how strong it is: of a debate, or of a graph in a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import graph_file
from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.ids import is_slug
from debate_ops.model.score import ONE, to_number
from debate_ops.model.texts import one_line
from debate_ops.reports.exchange import numbers, words
from debate_ops.reports.exchange.kind import SIDES
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.text import counted, score
from debate_ops.semantics.derived import with_derived_attacks
from debate_ops.semantics.extensions import (
    EVERY,
    EXTENSIONS,
    MOST,
    SOME,
    STEPS,
    accepted,
    extensions,
)
from debate_ops.semantics.influence import LAST_WORD_RULE, RULE, Effect, LastWord
from debate_ops.semantics.strengths import STRENGTHS, strengths
from debate_ops.storage import files, folder

HELP = "help"
PROTOCOL = "exchange"
MAX_FILE_BYTES = 50_000_000
DECIMALS = 12
"""Of a strength in JSON: more would be rounding."""

INSTEAD: Mapping[str, str] = {
    "formal": "the verdict and the whole transcript",
    "chairs": "how well each chair kept to its framework",
    "design": "the critiques and what came of them",
    "consensus": "the votes against the threshold",
}
"""What the report of a protocol without attack graph shows."""

ALSO_CALLED: Mapping[str, str] = {
    "df-quad": "dfquad",
    "quadratic": "quadratic-energy",
    "qe": "quadratic-energy",
    "euler-based": "euler",
    "categoriser": "h-categoriser",
    "max": "max-based",
    "card": "card-based",
    "semistable": "semi-stable",
}

STANDARD_INPUT = "-"

_FILE_OR_DEBATE = "Give the slug of a debate, or the path of a file of APX facts."
_NAMED = 50
"""So many arguments are named where one is asked for that is not there."""

Answer = tuple[dict[str, Any], list[str]]


class Wanted(NamedTuple):
    """What is asked of a graph: by which semantics, and of which argument."""

    semantics: str | None = None
    derived: bool = False
    most: int | None = None
    argument: str | None = None


def answer(word: str, wanted: Wanted) -> Answer:
    """Return the answer and its lines; `word` is a file, if there is one, else a debate.

    Raises:
        UsageError: there is no such semantics, argument, file or debate.
        RefusedError: the file holds no graph, or the debate's protocol has none.
    """
    if wanted.semantics == HELP:
        return _names()
    name = _named(wanted.semantics) if wanted.semantics is not None else ""
    _refuse_useless(name, wanted)
    is_file = _is_file(word)
    if not name:
        if is_file:
            raise UsageError(f"{word} is a graph: say by which semantics", hint=_there_are())
        result = _numbers(word)
        data, lines = _overview(result)
        return data, lines if result.weighing.graph.arguments else _nothing_yet(word)
    graph = _read(word) if is_file else _numbers(word).weighing.graph
    data, lines = _by(with_derived_attacks(graph) if wanted.derived else graph, name, wanted)
    return data, lines if is_file or graph.arguments else _nothing_yet(word)


def _nothing_yet(word: str) -> list[str]:
    return [f"{word} has no arguments yet."]


def _is_file(word: str) -> bool:
    """Tell whether a word means a file and no debate.

    Raises:
        UsageError: it can only mean a file, and there is none that can be read.
    """
    if word == STANDARD_INPUT:
        raise UsageError("standard input is not read: name a file", hint=_FILE_OR_DEBATE)
    if os.path.isfile(word):
        return True
    is_folder = os.path.isdir(word)
    if os.path.lexists(word) and not is_folder:
        raise UsageError(f"{word} is no file that can be read", hint=_FILE_OR_DEBATE)
    if not word or is_slug(word.replace("\\", "/").rstrip("/").split("/")[-1]):
        return False
    if is_folder:
        raise UsageError(f"{word} is a folder, and holds no debate", hint=_FILE_OR_DEBATE)
    raise UsageError(f"there is no file {word}, and no debate of that name", hint=_FILE_OR_DEBATE)


def _names() -> Answer:
    result = dict(EXTENSIONS)
    result |= {name: gradual.description for name, gradual in STRENGTHS.items()}
    return {"semantics": result}, [f"{name:<17} {line}" for name, line in result.items()]


def _named(given: str) -> str:
    """Return the name of a semantics, however it is spelled."""
    word = given.strip().lower().replace("_", "-").replace(" ", "-").replace("izer", "iser")
    word = ALSO_CALLED.get(word, word)
    if word not in EXTENSIONS and word not in STRENGTHS:
        raise UsageError(f"there is no semantics {given!r}", hint=_there_are())
    return word


def _there_are() -> str:
    names = ", ".join([*EXTENSIONS, *STRENGTHS])
    return f"There are: {names}. '--semantics {HELP}' says what each means."


def _refuse_useless(name: str, wanted: Wanted) -> None:
    """Refuse an option that would change nothing."""
    given = {
        "--derived-attacks": wanted.derived,
        "--most": wanted.most is not None,
        "--argument": wanted.argument is not None,
    }
    used = set(given) if name in EXTENSIONS else {"--derived-attacks"} if name else set()
    if useless := [option for option, is_given in given.items() if is_given and option not in used]:
        options = " and ".join(useless)
        need = "needs" if len(useless) == 1 else "need"
        wrong = f"would change nothing: {name} has no extensions" if name else f"{need} --semantics"
        raise UsageError(
            f"{options} {wrong}", hint=f"Name one with --semantics: {', '.join(EXTENSIONS)}."
        )
    if wanted.most is not None and wanted.argument is not None:
        raise UsageError("--most would change nothing: --argument lists no extensions")


def _read(path: str) -> ArgumentGraph:
    data = files.read_given(path, MAX_FILE_BYTES)
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} is not UTF-8 at byte {error.start}", hint="Save the file as UTF-8."
        ) from None
    return graph_file.parse(text, path)


def _numbers(word: str) -> Numbers:
    """Return the numbers of a debate that has an attack graph.

    Raises:
        RefusedError: its protocol has none.
    """
    debate = engine.look(folder.find(word)).debate
    if debate.protocol != PROTOCOL:
        raise RefusedError(
            f"a debate of the protocol {debate.protocol!r} has no attack graph; "
            f"only those of {PROTOCOL!r} have one",
            hint=f"Its report shows {INSTEAD.get(debate.protocol, 'the outcome')}: "
            f"'{answers.invocation()} report {word}'.",
        )
    return numbers.of(debate)


def _by(graph: ArgumentGraph, name: str, wanted: Wanted) -> Answer:
    if wanted.argument is not None:
        return _accepted(graph, name, wanted.argument)
    if name in STRENGTHS:
        return _strengths(graph, name)
    return _extensions(graph, name, MOST if wanted.most is None else wanted.most)


def _accepted(graph: ArgumentGraph, name: str, argument: str) -> Answer:
    if argument not in graph.arguments:
        raise UsageError(f"there is no argument {argument!r}", hint=_known(graph.arguments))
    found = {how: accepted(graph, argument, name, how, STEPS // 2) for how in (SOME, EVERY)}
    result: dict[str, Any] = {"semantics": name, "argument": argument}
    result |= {how: item.answer for how, item in found.items()}
    bounds = dict.fromkeys(item.bound for item in found.values() if item.bound)
    result |= {"complete": False, "bound": " ".join(bounds)} if bounds else {}
    words = {True: "yes", False: "no", None: "not known"}
    lines = [f"in {how} {name} extension: {words[item.answer]}" for how, item in found.items()]
    return result, [*lines, *bounds]


def _known(ids: Sequence[str]) -> str:
    named = ", ".join(map(one_line, ids[:_NAMED])) or "none yet"
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return f"There are: {named}{more}."


def _extensions(graph: ArgumentGraph, name: str, most: int) -> Answer:
    found = extensions(graph, name, most)
    result: dict[str, Any] = {"semantics": name, "extensions": found.extensions}
    if not found.complete:
        result |= {"complete": False, "bound": found.bound}
    count = counted(len(found.extensions), "extension") if found.extensions else "no extension"
    listed = "" if found.complete else " listed"
    lines = [f"{name}: {count}{listed}"]
    lines += ["  {" + ", ".join(map(one_line, ids)) + "}" for ids in found.extensions]
    return result, [*lines, *([found.bound] if found.bound else [])]


def _strengths(graph: ArgumentGraph, name: str) -> Answer:
    found = strengths(graph, name)
    values = {key: round(value, DECIMALS) for key, value in found.strengths.items()}
    result: dict[str, Any] = {"semantics": name, "strengths": values}
    ordered = sorted(found.strengths.items(), key=lambda item: -item[1])
    lines = [f"{value:6.3f}  {one_line(key)}" for key, value in ordered]
    if found.converged:
        return result, [f"{name}:", *lines]
    result |= {"converged": False, "residual": found.residual}
    warning = (
        f"{name} did not converge on the cycles of this graph: after {found.rounds:,} rounds an "
        f"argument still differs by {found.residual:.3g} from what its neighbours make of it. "
        "These are the last numbers tried, not its strengths:"
    )
    return result, [warning, *lines]


def _overview(debate: Numbers) -> Answer:
    """Return strengths, what stands, the last word and the disagreements of a debate."""
    weighing = debate.weighing
    rows = [_row(debate, standing) for standing in _strongest_first(debate)]
    influence = weighing.influence
    data: dict[str, Any] = {
        "semantics": weighing.strengths.semantics,
        "arguments": rows,
        "lead": round(influence.lead, DECIMALS),
        "last_word": _last_word(weighing.last_word),
        "disagreements": [item.argument for item in weighing.disagreements],
        "flipping_attacks": [_effect(item) for item in influence.flipping],
        "strongest_attack": _effect(influence.strongest) if influence.strongest else None,
    }
    if not weighing.strengths.converged:
        data |= {"converged": False, "residual": weighing.strengths.residual}
    if influence.bound:
        data |= {"complete": False, "bound": influence.bound}
    return data, [*_table(rows), "", *_sentences(debate)]


def _strongest_first(debate: Numbers) -> list[Standing]:
    return sorted(debate.standings, key=lambda s: -debate.weighing.strength(s.argument.id))


def _row(debate: Numbers, standing: Standing) -> dict[str, Any]:
    argument = standing.argument
    return {
        "id": argument.id,
        "side": SIDES[argument.side],
        "score": None if standing.score is None else to_number(standing.score),
        "strength": round(debate.weighing.strength(argument.id), DECIMALS),
        "stands": debate.weighing.stands(argument.id),
        "conceded": argument.id in debate.weighing.graph.conceded,
        "title": argument.title,
    }


def _last_word(last: LastWord) -> dict[str, Any]:
    return {
        "exchange": last.exchange,
        "standing": dict(last.standing),
        "standing_before": dict(last.standing_before),
        "lead": round(last.lead, DECIMALS),
        "lead_before": round(last.lead_before, DECIMALS),
    }


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "attacker": effect.attacker,
        "target": effect.target,
        "lead_without": round(effect.lead, DECIMALS),
    }


def _table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    lines = [f"{'argument':<10} {'strength':>8} {'score':>10}  stands"]
    for row in rows:
        stands = "yes" if row["stands"] else "no"
        part = " (a part conceded)" if row["conceded"] else ""
        given = score(None if row["score"] is None else int(row["score"] * ONE))
        title = one_line(row["title"])
        lines.append(
            f"{row['id']:<10} {row['strength']:>8.3f} {given:>10}  {stands:<4} {title}{part}"
        )
    return lines


def _sentences(debate: Numbers) -> list[str]:
    last, influence = debate.weighing.last_word, debate.weighing.influence
    lines = [f"Lead by strength ({influence.semantics}): {ahead(influence.lead)}."]
    if not debate.weighing.strengths.converged:
        lines.append("The strengths did not converge: these are the last numbers tried.")
    lines.append(f"Stand: {_counts(last.standing)}.")
    if last.exchange:
        lines.append(
            f"Without the last exchange ({last.exchange}): "
            f"{_counts(last.standing_before)}; {ahead(last.lead_before)}. "
            f"{LAST_WORD_RULE}"
        )
    differ = ", ".join(item.argument for item in debate.weighing.disagreements) or "none"
    return [*lines, *_changes(debate), f"Judge and graph disagree about: {differ}.", RULE]


def _changes(debate: Numbers) -> list[str]:
    influence = debate.weighing.influence
    lines = [
        f"Without the attack of {item.attacker} on {item.target} {ahead(item.lead, 'would be')}."
        for item in influence.flipping
    ]
    if not lines and influence.strongest:
        item = influence.strongest
        without = ahead(item.lead, "would be")
        which = f"that of {item.attacker} on {item.target}: without it {without}"
        lines = [f"No single attack decides the lead; the one that changes it most is {which}."]
    return [*lines, *([influence.bound] if influence.bound else [])]


def ahead(lead: float, would_be: str = "") -> str:
    """Return which side a lead by strength is of, and how large it is, as a clause."""
    return words.ahead(lead, f"{abs(lead):.2f}", would_be)


def _counts(standing: Mapping[str, int]) -> str:
    sides = SIDES.items()
    return ", ".join(f"{standing.get(side, 0)} of the {name}" for side, name in sides)
