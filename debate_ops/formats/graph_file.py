"""Argument graphs as text: APX facts, read and written, and the `p af` files of ICCMA, read.

    arg(a).  arg("x 1").      an argument; a name that is no plain constant stands in quotes
    att(a,b).                 a attacks b
    sup(a,b).                 a supports b
    weight(a,0.5).            the base score of a, from 0 to 1
    % ...                     a comment, to the end of the line

Facts may stand in any order, several on a line. `sup` and `weight` are an extension: solvers that
know attacks only may refuse them. What an edge is about cannot be said in either format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from debate_ops.errors import Finding, RefusedError
from debate_ops.model.graph import ArgumentGraph, Edge

PREDICATES = {"arg": "arg(a).", "att": "att(a,b).", "sup": "sup(a,b).", "weight": "weight(a,0.5)."}
"""Each kind of fact, and how it is written."""

MOST_FAULTS = 50
"""So many faults are told; of more, how many there are."""

MOST_NUMBERED = 1_000_000
"""The largest number of arguments that an `af` file may declare."""

_TERM = r'(?:"(?:[^"\\\n]|\\.)*"|-?[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?|-?[\w\'-]+)'
_FACT = re.compile(rf"([a-z]\w*)\s*\(\s*({_TERM}(?:\s*,\s*{_TERM})*)\s*\)\s*\.")
_EACH = re.compile(_TERM)
_BLANK = re.compile(r"(?:\s++|%[^\n]*+)++")
_REST = re.compile(r'(?:"(?:[^"\\\n]++|\\.)*+"|[^.\n%"])*+(?:"[^.\n%]*+)?\.?')
_PLAIN = re.compile(r"_*[a-z][A-Za-z0-9_]*|0|[1-9][0-9]*", re.ASCII)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", re.ASCII)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = frozenset('"\\n')
_SHOWN = 60
_ENDS = 2
_DIGITS = 9


class _Fact(NamedTuple):
    """One fact as it stands: its kind, its terms, and where it begins."""

    kind: str
    terms: tuple[str, ...]
    start: int


class _Wrong(NamedTuple):
    """One fault: where it begins, what is wrong, what was found and what is wanted."""

    start: int
    message: str
    found: str
    wanted: str


def parse(text: str, name: str) -> ArgumentGraph:
    """Return the graph in a file of either format, told by the name's ending or the first line.

    Raises:
        RefusedError: the text is faulty; every fault is listed with its line. Or it is of a format
            that is not read.
    """
    if name.lower().endswith(".tgf"):
        raise RefusedError(f"{name}: TGF is not read; APX facts or numbers after 'p af N' are")
    lines = (line.split("#")[0].split() for line in text.split("\n"))
    first: list[str] = next((words for words in lines if words), [])
    is_numbered = name.lower().endswith(".af") or first[:2] == ["p", "af"]
    return parse_af(text, name) if is_numbered else parse_apx(text, name)


def parse_apx(text: str, name: str) -> ArgumentGraph:
    """Return the graph that APX facts describe, its arguments in the order of their facts.

    >>> parse_apx("att(a,b). arg(a). arg(b). weight(b,0.5).", "g.apx").base
    {'b': 0.5}

    Raises:
        RefusedError: the text is faulty; every fault is listed with its line.
    """
    reader = _Reader()
    facts = list(_facts(text, reader.faults))
    for fact in sorted(facts, key=lambda fact: fact.kind != "arg"):
        reader.take(fact)
    _raise(reader.faults, text, name)
    return ArgumentGraph(
        tuple(reader.arguments), reader.edges["att"], reader.edges["sup"], reader.base
    )


def render_apx(graph: ArgumentGraph, *, supports_and_weights: bool = True) -> str:
    """Return the graph as APX facts, one a line; reading them gives the same graph again.

    What an edge is about and what was conceded is not said. Without supports and weights every
    solver that reads APX takes the text.

    >>> render_apx(ArgumentGraph(("a", "x y"), {("a", "x y"): ()})).splitlines()
    ['arg(a).', 'arg("x y").', 'att(a,"x y").']
    """
    lines = [f"arg({_name(argument)})." for argument in graph.arguments]
    lines += [f"att({_name(source)},{_name(target)})." for source, target in graph.attacks]
    if supports_and_weights:
        lines += [f"sup({_name(source)},{_name(target)})." for source, target in graph.supports]
        lines += [f"weight({_name(key)},{_decimal(base)})." for key, base in graph.base.items()]
    return "".join(f"{line}\n" for line in lines)


def parse_af(text: str, name: str) -> ArgumentGraph:
    """Return the graph of an `af` file: `p af N`, then `i j` for an attack of i on j; # comments.

    Its arguments are named by their numbers, from 1. The format is that of the International
    Competition on Computational Models of Argumentation since 2023.

    Raises:
        RefusedError: the text is faulty; every fault is listed with its line.
    """
    faults: list[_Wrong] = []
    lines = list(_lines(text))
    count = _declared(lines, faults)
    _raise(faults, text, name)
    attacks: dict[Edge, tuple[str, ...]] = {}
    for start, words in lines[1:]:
        edge = _numbered_edge(words, count)
        if edge is None:
            wanted = f"two numbers from 1 to {count}: who attacks, and whom"
            faults.append(_Wrong(start, "no attack", " ".join(words), wanted))
        elif edge in attacks:
            faults.append(_Wrong(start, "an attack for the second time", " ".join(words), "once"))
        else:
            attacks[edge] = ()
    _raise(faults, text, name)
    return ArgumentGraph(tuple(str(number) for number in range(1, count + 1)), attacks)


class _Reader:
    """What the facts say so far, and what is wrong with them."""

    def __init__(self) -> None:
        self.arguments: dict[str, None] = {}
        self.edges: dict[str, dict[Edge, tuple[str, ...]]] = {"att": {}, "sup": {}}
        self.base: dict[str, float] = {}
        self.faults: list[_Wrong] = []

    def take(self, fact: _Fact) -> None:
        """Add one fact, or its fault; arguments have to come before what is said of them."""
        takes = {"arg": self._argument, "weight": self._weight}
        wrong = _misspelled(fact.terms) or takes.get(fact.kind, self._edge)(fact)
        if wrong:
            shown = f"{fact.kind}({','.join(fact.terms)})."
            self.faults.append(_Wrong(fact.start, wrong[0], shown, wrong[1]))

    def _argument(self, fact: _Fact) -> tuple[str, str] | None:
        if wrong := _miscounted(fact, 1):
            return wrong
        key = _unquoted(fact.terms[0])
        if key in self.arguments:
            return f"argument {key!r} for the second time", "each argument once"
        self.arguments[key] = None
        return None

    def _edge(self, fact: _Fact) -> tuple[str, str] | None:
        if wrong := _miscounted(fact, 2) or self._unknown(fact.terms):
            return wrong
        edge = (_unquoted(fact.terms[0]), _unquoted(fact.terms[1]))
        if edge in self.edges[fact.kind]:
            return "the same fact for the second time", "each fact once"
        self.edges[fact.kind][edge] = ()
        return None

    def _weight(self, fact: _Fact) -> tuple[str, str] | None:
        if wrong := _miscounted(fact, 2) or self._unknown(fact.terms[:1]):
            return wrong
        key, given = map(_unquoted, fact.terms)
        if key in self.base:
            return f"a weight of {key!r} for the second time", "one weight for an argument"
        if not _NUMBER.fullmatch(given) or not 0 <= float(given) <= 1:
            return f"{given!r} is no weight", "a number from 0 to 1"
        self.base[key] = float(given)
        return None

    def _unknown(self, terms: Iterable[str]) -> tuple[str, str] | None:
        missing = [key for key in map(_unquoted, terms) if key not in self.arguments]
        if not missing:
            return None
        return f"there is no argument {missing[0]!r}", f"arg({_name(missing[0])}). as well"


def _misspelled(terms: Iterable[str]) -> tuple[str, str] | None:
    quoted = (term for term in terms if term.startswith('"'))
    unknown = [
        found[0] for term in quoted for found in _ESCAPE.finditer(term) if found[1] not in _ESCAPED
    ]
    return (f"{unknown[0]} is no escape", r"one of \" \\ \n") if unknown else None


def _miscounted(fact: _Fact, wanted: int) -> tuple[str, str] | None:
    if len(fact.terms) == wanted:
        return None
    return f"{fact.kind} with {len(fact.terms)} terms", PREDICATES[fact.kind]


def _facts(text: str, faults: list[_Wrong]) -> Iterator[_Fact]:
    """Yield the facts, and add what is none to the faults."""
    place = 0
    while True:
        blank = _BLANK.match(text, place)
        place = blank.end() if blank else place
        if place >= len(text):
            return
        found = _FACT.match(text, place)
        if found and found[1] in PREDICATES:
            yield _Fact(found[1], tuple(_EACH.findall(found[2])), place)
            place = found.end()
            continue
        rest = _REST.match(text, place)
        end = max(rest.end() if rest else 0, place + 1)
        faults.append(_Wrong(place, "no fact", text[place:end], " or ".join(PREDICATES.values())))
        place = end


def _unquoted(term: str) -> str:
    if not term.startswith('"'):
        return term
    return _ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], term[1:-1])


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


def _declared(lines: list[tuple[int, list[str]]], faults: list[_Wrong]) -> int:
    """Return how many arguments the first line declares."""
    start, words = lines[0] if lines else (0, [])
    match words:
        case ["p", "af", count] if _is_number(count, MOST_NUMBERED):
            return int(count)
    wanted = f"p af N, with the number of arguments, {MOST_NUMBERED:,} at most"
    faults.append(_Wrong(start, "no first line", " ".join(words), wanted))
    return 0


def _numbered_edge(words: list[str], count: int) -> Edge | None:
    if len(words) == _ENDS and all(_is_number(w, count) and int(w) for w in words):
        return str(int(words[0])), str(int(words[1]))
    return None


def _is_number(word: str, most: int) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _DIGITS and int(word) <= most


def _raise(faults: list[_Wrong], text: str, name: str) -> None:
    if not faults:
        return
    faults.sort(key=lambda fault: fault.start)
    findings = tuple(_finding(fault, text, name) for fault in faults[:MOST_FAULTS])
    more = len(faults) - len(findings)
    raise RefusedError(
        f"{name} is no graph that can be read" + (f"; {more} more faults" if more else ""),
        hint="Mend these lines and try again; docs/semantics.md shows the facts.",
        faults=findings,
    )


def _finding(fault: _Wrong, text: str, name: str) -> Finding:
    line_start = text.rfind("\n", 0, fault.start) + 1
    found, wanted = _short(fault.found), fault.wanted
    return Finding(
        "bad_graph",
        f"{_short(fault.message)}: found {found!r}, wanted {wanted}",
        file=name,
        line=text.count("\n", 0, fault.start) + 1,
        column=fault.start - line_start + 1,
        found=found,
        wanted=wanted,
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."
