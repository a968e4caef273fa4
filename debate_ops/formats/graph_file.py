"""Argument graphs as text: APX facts, read and written, and the `p af` files of ICCMA, read.

    arg(a).  arg("x 1").      an argument; a name that is no plain constant stands in quotes
    att(a,b).                 a attacks b
    sup(a,b).                 a supports b
    weight(a,0.5).            the base score of a, from 0 to 1
    % ...                     a comment, to the end of the line

Facts may stand in any order, several on a line. `sup` and `weight` are an extension: solvers that
know attacks only may refuse them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.errors import Finding, RefusedError
from debate_ops.formats.json_places import placed
from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.texts import one_line

PREDICATES = {"arg": "arg(a).", "att": "att(a,b).", "sup": "sup(a,b).", "weight": "weight(a,0.5)."}
"""Each kind of fact, and how it is written."""

MOST_FAULTS = 50
"""So many faults are listed; of more, how many there are."""

MOST_NUMBERED = 1_000_000
"""The largest number of arguments that an `af` file may declare."""

_TERM = r'(?:"(?:[^"\\\n]|\\.)*"|-?[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?|-?[\w\'-]+)'
_FACT = re.compile(rf"([a-z]\w*)\s*\(\s*({_TERM}(?:\s*,\s*{_TERM})*)\s*\)\s*\.")
_EACH = re.compile(_TERM)
_BLANK = re.compile(r"(?:\s++|%[^\n]*+)*+")
_REST = re.compile(r'(?:"(?:[^"\\\n]++|\\.)*+"|[^.\n%"])*+(?:"[^.\n%]*+)?\.?')
_PLAIN = re.compile(r"_*[a-z][A-Za-z0-9_]*|0|[1-9][0-9]*", re.ASCII)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,7}", re.ASCII)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = frozenset('"\\n')
_SHOWN = 60


class _Fact(NamedTuple):
    """One fact: its kind, its names, where it begins, and how it stands there."""

    kind: str
    terms: tuple[str, ...]
    start: int
    text: str


class _WrongError(ValueError):
    """A fact that is none, and what would be one."""

    def __init__(self, message: str, expected: str) -> None:
        super().__init__(message)
        self.expected = expected


def parse(text: str, name: str) -> ArgumentGraph:
    """Return the graph in a file of either format, known by the name's ending or the first line.

    Raises:
        RefusedError: the text is faulty; every fault is listed with its line. Or it is of a format
            that is not read.
    """
    if name.lower().endswith(".tgf"):
        raise RefusedError(f"{name}: TGF is not read; APX facts or numbers after 'p af N' are")
    first = next(_lines(text), None)
    is_numbered = name.lower().endswith(".af") or (first and first[1][:2] == ["p", "af"])
    return parse_af(text, name) if is_numbered else parse_apx(text, name)


def parse_apx(text: str, name: str) -> ArgumentGraph:
    """Return the graph that APX facts describe, its arguments in the order of their facts.

    >>> parse_apx("att(a,b). arg(a). arg(b). weight(b,0.5).", "g.apx").base
    {'b': 0.5}

    Raises:
        RefusedError: the text is faulty; every fault is listed with its line.
    """
    facts = sorted(_facts(text), key=lambda fact: fact.kind != "arg")
    return _graph((), facts, text, name)


def parse_af(text: str, name: str) -> ArgumentGraph:
    """Return the graph of an `af` file: `p af N`, then `i j` for an attack of i on j; # comments.

    Its arguments are named by their numbers, from 1. The format is that of the International
    Competition on Computational Models of Argumentation since 2023.

    Raises:
        RefusedError: the text is faulty; every fault is listed with its line.
    """
    start, words = next(_lines(text), (0, []))
    match words:
        case ["p", "af", count] if _COUNT.fullmatch(count) and int(count) <= MOST_NUMBERED:
            numbers = map(str, range(1, int(count) + 1))
        case _:
            expected = f"p af N, with the number of arguments, {MOST_NUMBERED:,} at most"
            fact = _Fact("", (), start, " ".join(words))
            raise _refusal([(fact, _WrongError("no first line", expected))], text, name)
    _, *attacks = _lines(text)
    facts = [_Fact("att", tuple(words), start, " ".join(words)) for start, words in attacks]
    return _graph(numbers, facts, text, name)


def render_apx(graph: ArgumentGraph, *, supports_and_weights: bool = True) -> str:
    """Return the graph as APX facts, one a line; reading them gives the same graph again.

    Without supports and weights every solver that reads APX takes the text.

    >>> render_apx(ArgumentGraph(("a", "x y"), (("a", "x y"),))).splitlines()
    ['arg(a).', 'arg("x y").', 'att(a,"x y").']
    """
    lines = [f"arg({_name(argument)})." for argument in graph.arguments]
    lines += [f"att({_name(source)},{_name(target)})." for source, target in graph.attacks]
    if supports_and_weights:
        lines += [f"sup({_name(source)},{_name(target)})." for source, target in graph.supports]
        lines += [f"weight({_name(key)},{_decimal(base)})." for key, base in graph.base.items()]
    return "".join(f"{line}\n" for line in lines)


def _graph(arguments: Iterable[str], facts: Iterable[_Fact], text: str, name: str) -> ArgumentGraph:
    """Return the graph of these facts; arguments come before what is said of them.

    Raises:
        RefusedError: some are faulty.
    """
    known: dict[str, dict[Any, Any]] = {kind: {} for kind in PREDICATES}
    known["arg"] = dict.fromkeys(arguments)
    faults: list[tuple[_Fact, _WrongError]] = []
    for fact in facts:
        try:
            _add(fact, known)
        except _WrongError as error:
            faults.append((fact, error))
    if faults:
        raise _refusal(faults, text, name)
    arguments, attacks, supports = (tuple(known[kind]) for kind in ("arg", "att", "sup"))
    return ArgumentGraph(arguments, attacks, supports, known["weight"])


def _add(fact: _Fact, known: dict[str, dict[Any, Any]]) -> None:
    """Add one fact to those of its kind.

    Raises:
        _WrongError: it is none, is there already, or is about an argument that is not there.
    """
    kind, terms = fact.kind, fact.terms
    if kind not in PREDICATES:
        raise _WrongError("no fact", " or ".join(PREDICATES.values()))
    if len(terms) != PREDICATES[kind].count(",") + 1:
        raise _WrongError(f"{kind} with {len(terms)} terms", PREDICATES[kind])
    names = tuple(map(_unquoted, terms))
    about = names[: {"arg": 0, "weight": 1}.get(kind, 2)]
    for argument in about:
        if argument not in known["arg"]:
            expected = f"arg({_name(argument)}). as well"
            raise _WrongError(f"there is no argument {argument!r}", expected)
    key = names if kind in {"att", "sup"} else names[0]
    if key in known[kind]:
        raise _WrongError(f"{kind} of {key!r} for the second time", "each fact once")
    known[kind][key] = _weight(names[1]) if kind == "weight" else ()


def _weight(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not 0 <= float(text) <= 1:
        raise _WrongError(f"{text!r} is no weight", "a number from 0 to 1")
    return float(text)


def _facts(text: str) -> Iterator[_Fact]:
    """Yield the facts, and what is none as one of no kind."""
    place = 0
    while (place := _end(_BLANK, text, place)) < len(text):
        match = _FACT.match(text, place)
        end = match.end() if match else max(_end(_REST, text, place), place + 1)
        kind = match[1] if match else ""
        terms = tuple(_EACH.findall(match[2])) if match else ()
        yield _Fact(kind, terms, place, text[place:end])
        place = end


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _unquoted(term: str) -> str:
    if not term.startswith('"'):
        return term
    for match in _ESCAPE.finditer(term):
        if match[1] not in _ESCAPED:
            raise _WrongError(f"{match[0]} is no escape", r"one of \" \\ \n")
    return _ESCAPE.sub(lambda match: "\n" if match[1] == "n" else match[1], term[1:-1])


def _name(key: str) -> str:
    """Return an argument's name as it is written: as it is, or in quotes.

    >>> _name("prop_000a"), _name("7"), _name("Not plain")
    ('prop_000a', '7', '"Not plain"')
    """
    if _PLAIN.fullmatch(key) and key != "not":
        return key
    escaped = key.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _decimal(number: float) -> str:
    """Return a number without an exponent, so that reading it gives the same number."""
    return format(Decimal(repr(float(number))), "f")


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield where each line begins that says something, and its words without the comment."""
    start = 0
    for line in text.split("\n"):
        if words := line.split("#")[0].split():
            yield start, words
        start += len(line) + 1


def _refusal(faults: list[tuple[_Fact, _WrongError]], text: str, name: str) -> RefusedError:
    faults.sort(key=lambda fault: fault[0].start)
    more = len(faults) - MOST_FAULTS
    return RefusedError(
        f"{name} is no graph that can be read" + (f"; {more} more faults" if more > 0 else ""),
        hint="Correct these lines and try again; docs/semantics.md shows the facts.",
        faults=tuple(_finding(*fault, text, name) for fault in faults[:MOST_FAULTS]),
    )


def _finding(fact: _Fact, error: _WrongError, text: str, name: str) -> Finding:
    excerpt = one_line(fact.text, _SHOWN)
    message = f"{one_line(str(error), _SHOWN)}: {excerpt!r}, expected {error.expected}"
    fault = Finding("bad_graph", message, file=name, actual=excerpt, expected=error.expected)
    return placed(fault, text, fact.start)
