"""What stands and how strong it is: of a debate, or of a graph in a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command
from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import graph_file
from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.ids import is_slug
from debate_ops.model.messages import names
from debate_ops.model.score import to_number
from debate_ops.model.texts import one_line
from debate_ops.reports.exchange.scoreboard import SIDES, Scoreboard, ahead, in_points
from debate_ops.reports.text import counted, score
from debate_ops.semantics.extensions import (
    EXTENSIONS,
    MOST,
    Extensions,
    acceptance,
    extensions,
    with_derived_attacks,
)
from debate_ops.semantics.influence import (
    LAST_WORD_RULE,
    RULE,
    Influence,
    LastWord,
    disagreements,
    flipping_attacks,
    last_word,
)
from debate_ops.semantics.strengths import STRENGTHS, strengths
from debate_ops.storage import folder

HELP = "help"
PROTOCOL = "exchange"
MAX_FILE_BYTES = 50_000_000
MOST_NAMED = 50
"""How many ids of a graph a hint names."""


@command("semantics")
@click.argument("debate", metavar="[DEBATE|FILE]", required=False)
@click.option(
    "--semantics",
    metavar="NAME",
    help="Which semantics; 'help' lists them. Without it, a debate is weighed as in its report.",
)
@click.option(
    "--derived-attacks",
    is_flag=True,
    help="Count the attacks that follow from attacks and supports, too.",
)
@click.option(
    "--argument",
    metavar="ID",
    help="Say whether it is in some and in every extension, instead of listing them.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help="List N extensions, at most; 1000 if not given.",
)
def semantics(
    debate: str | None,
    *,
    semantics: str | None,
    derived_attacks: bool,
    argument: str | None,
    most: int | None,
) -> Answer:
    """Show how strong each argument is and which survive, in a debate or a graph in a FILE.

    A FILE holds APX facts (arg, att, sup, weight), or numbers after a line "p af N".

    \b
    debate-ops semantics my-decision
    debate-ops semantics my-decision --semantics preferred
    debate-ops semantics graph.apx --semantics h-categoriser --json
    """
    if semantics == HELP:
        return _names()
    if debate is None:
        raise UsageError("name a DEBATE or a FILE")
    name = None if semantics is None else _named(semantics)
    useless = {
        "--derived-attacks": derived_attacks and name is None,
        "--most": most is not None and name not in EXTENSIONS,
        "--argument": argument is not None and name not in EXTENSIONS,
    }
    if options := [option for option, is_useless in useless.items() if is_useless]:
        raise UsageError(
            f"{' and '.join(options)} would change nothing here",
            hint=f"It is for extensions, which --semantics names: {', '.join(EXTENSIONS)}.",
        )
    board = None if _is_file(debate) else _scoreboard(debate)
    if name is None:
        if board is None:
            raise UsageError(f"{debate} is a graph: say by which semantics", hint=_there_are())
        answer = _overview(board)
    else:
        graph = board.graph if board else _graph(debate)
        graph = with_derived_attacks(graph) if derived_attacks else graph
        if name in STRENGTHS:
            answer = _strengths(graph, name)
        else:
            listed = MOST if most is None else most
            answer = (
                _extensions(name, extensions(graph, name, listed))
                if argument is None
                else _accepted(name, graph, argument, listed)
            )
    if board and not board.arguments:
        return answer._replace(lines=[f"{debate} has no arguments yet."])
    return answer


def _graph(path: str) -> ArgumentGraph:
    return graph_file.parse(texts.text(path, MAX_FILE_BYTES), path)


def _is_file(word: str) -> bool:
    """Tell whether a word means a file: there is one, or it can be no debate."""
    return os.path.isfile(word) or not is_slug(os.path.basename(word.rstrip("/\\")))


def _names() -> Answer:
    result = dict(EXTENSIONS)
    result |= {name: gradual.description for name, gradual in STRENGTHS.items()}
    return Answer({"semantics": result}, [f"{name:<17} {line}" for name, line in result.items()])


def _named(text: str) -> str:
    """Return the name of a semantics, however it is spelled."""
    word = text.strip().lower().replace("_", "-").replace(" ", "-")
    if word not in EXTENSIONS and word not in STRENGTHS:
        raise UsageError(f"there is no semantics {text!r}", hint=_there_are())
    return word


def _there_are() -> str:
    names = ", ".join([*EXTENSIONS, *STRENGTHS])
    return f"There are: {names}. '--semantics {HELP}' says what each means."


def _scoreboard(word: str) -> Scoreboard:
    """Return a debate that has an attack graph, with what its links come to.

    Raises:
        RefusedError: its protocol has none.
    """
    debate = engine.look(folder.find(word)).debate
    if debate.protocol != PROTOCOL:
        raise RefusedError(
            f"a debate of the protocol {debate.protocol!r} has no attack graph; "
            f"only those of {PROTOCOL!r} have one",
            hint=f"Its report gives the result: '{answers.invocation()} report {word}'.",
        )
    return Scoreboard(debate)


def _accepted(name: str, graph: ArgumentGraph, argument: str, most: int) -> Answer:
    """Say whether an argument is in some and in every extension, as far as that is known."""
    if argument not in graph.arguments:
        there = names(graph.arguments, MOST_NAMED) or "none"
        raise UsageError(f"there is no argument {argument!r}", hint=f"There are: {there}.")
    accepted = acceptance(graph, name, argument, most)
    result: dict[str, Any] = {"semantics": name, "argument": argument}
    result |= {"some": accepted.some, "every": accepted.every}
    if accepted.bound:
        result |= {"complete": False, "bound": accepted.bound}
    words = {True: "yes", False: "no", None: "not known"}
    lines = [f"in {how} {name} extension: {words[result[how]]}" for how in ("some", "every")]
    return Answer(result, [*lines, *filter(None, [accepted.bound])])


def _extensions(name: str, listing: Extensions) -> Answer:
    result: dict[str, Any] = {"semantics": name, "extensions": listing.extensions}
    if listing.bound:
        result |= {"complete": False, "bound": listing.bound}
    count = counted(len(listing.extensions), "extension") if listing.extensions else "no extension"
    listed = " listed" if listing.bound else ""
    lines = ["  {" + ", ".join(map(one_line, ids)) + "}" for ids in listing.extensions]
    return Answer(result, [f"{name}: {count}{listed}", *lines, *filter(None, [listing.bound])])


def _strengths(graph: ArgumentGraph, name: str) -> Answer:
    weighed = strengths(graph, name)
    result: dict[str, Any] = {"semantics": name, "strengths": weighed.strengths}
    ordered = sorted(weighed.strengths.items(), key=lambda item: -item[1])
    lines = [f"{value:6.3f}  {one_line(key)}" for key, value in ordered]
    if weighed.converged:
        return Answer(result, [f"{name}:", *lines])
    result |= {"converged": False, "residual": weighed.residual}
    warning = (
        f"{name} did not converge on the cycles of this graph: after {weighed.rounds:,} rounds an "
        f"argument still differs by {weighed.residual:.3g} from what its neighbours make of it. "
        "These are the last numbers tried, not its strengths:"
    )
    return Answer(result, [warning, *lines])


def _overview(board: Scoreboard) -> Answer:
    """Return strengths, what stands, the last word and the disagreements of a debate."""
    rows = list(_rows(board))
    influence = flipping_attacks(board.graph, board.sides)
    last = last_word(board.graph, {a.id: a.exchange for a in board.arguments}, board.sides)
    differ = list(disagreements(board.graph, board.scores))
    strongest = influence.strongest
    data: dict[str, Any] = {
        "semantics": board.strengths.semantics,
        "arguments": rows,
        "lead": influence.lead,
        "last_word": last._asdict(),
        "disagreements": differ,
        "flipping_attacks": [effect._asdict() for effect in influence.flipping],
        "strongest_attack": strongest and strongest._asdict(),
    }
    if not board.strengths.converged:
        data |= {"converged": False, "residual": board.strengths.residual}
    if influence.bound:
        data |= {"complete": False, "bound": influence.bound}
    lines = [f"{'argument':<10} {'strength':>8} {'score':>10}  stands"]
    lines += [_line(board, row) for row in rows]
    return Answer(data, [*lines, "", *_sentences(board, influence, last, differ)])


def _rows(board: Scoreboard) -> Iterator[dict[str, Any]]:
    """Yield the arguments of a debate, the strongest first."""
    strength = board.strengths.strengths
    for argument in sorted(board.arguments, key=lambda a: -strength[a.id]):
        points = board.scores[argument.id]
        yield {
            "id": argument.id,
            "side": SIDES[argument.side],
            "score": None if points is None else to_number(points),
            "strength": strength[argument.id],
            "stands": argument.id in board.surviving,
            "conceded": argument.id in board.conceded,
            "title": argument.title,
        }


def _line(board: Scoreboard, row: Mapping[str, Any]) -> str:
    points, stands = score(board.scores[row["id"]]), "yes" if row["stands"] else "no"
    part = " (a part conceded)" if row["conceded"] else ""
    head = f"{row['id']:<10} {row['strength']:>8.3f} {points:>10}"
    return f"{head}  {stands:<4} {one_line(row['title'])}{part}"


def _sentences(
    board: Scoreboard, influence: Influence, last: LastWord, differ: Sequence[str]
) -> list[str]:
    flips = ", ".join(f"{item.attacker} on {item.target}" for item in influence.flipping)
    lines = [f"Lead by strength ({board.strengths.semantics}): {ahead(in_points(influence.lead))}."]
    if not board.strengths.converged:
        lines.append("The strengths did not converge: these are the last numbers tried.")
    lines.append(f"Stand: {_counts(last.standing)}.")
    if last.exchange:
        lines.append(
            f"Without the last exchange ({last.exchange}): {_counts(last.standing_before)}; "
            f"{ahead(in_points(last.lead_before))}. {LAST_WORD_RULE}"
        )
    return [
        *lines,
        f"Single attacks without which the other side would lead: {flips or 'none'}.",
        *filter(None, [influence.bound]),
        f"Judge and graph disagree about: {', '.join(differ) or 'none'}.",
        RULE,
    ]


def _counts(standing: Mapping[str, int]) -> str:
    sides = SIDES.items()
    return ", ".join(f"{standing.get(side, 0)} of the {name}" for side, name in sides)
