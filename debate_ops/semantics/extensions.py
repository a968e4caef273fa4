"""Which arguments stand together: the extensions of the attack graph.

docs/semantics.md names the papers that define them. Supports play no part in them;
`with_derived_attacks` turns them into attacks where asked for. What the grounded extension leaves
undecided, which in a graph without cycles is nothing, is searched by clingo (extra `semantics`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from types import ModuleType
from typing import NamedTuple

from debate_ops.errors import ConfigurationError
from debate_ops.model.graph import ArgumentGraph, Neighbours, neighbours

GROUNDED = "grounded"
COMPLETE = "complete"
PREFERRED = "preferred"
STABLE = "stable"
SEMI_STABLE = "semi-stable"
IDEAL = "ideal"

EXTENSIONS: Mapping[str, str] = {
    GROUNDED: "what survives whoever judges: unattacked, or defended by what survives",
    COMPLETE: "every position that defends itself and contains all that it defends",
    PREFERRED: "the positions that defend themselves and cannot be made larger",
    STABLE: "the positions that attack everything outside of them; there may be none",
    SEMI_STABLE: "the complete positions that leave the least undecided",
    IDEAL: "the largest position that defends itself within all preferred ones",
}
"""Each semantics that gives extensions, and what it says in one line."""

MOST = 1000
"""How many extensions are listed unless more are asked for."""

CONFLICTS = 100_000
"""After how many conflicts one search is stopped: some seconds."""

_COMPLETE = """
in(X) :- arg(X), not open(X).
open(X) :- att(Y,X), not out(Y).
out(X) :- att(Y,X), in(Y).
:- in(X), out(X).
range(X) :- in(X).
range(X) :- out(X).
"""
_IN = "#show in/1."
_STABLE = f":- arg(X), not range(X). {_IN}"
_LARGEST = f"#heuristic in(X) : arg(X). [1,true] {_IN}"
_WIDEST = "#heuristic range(X) : arg(X). [1,true] #show range/1."
_EACH, _MAXIMAL, _UNION = "record", "domRec", "brave"
"""Modes of clingo: each set, those that no other holds, and ever more of what is in some set."""


_STOPPED = "The search would take too long and was stopped before its end."


class Extensions(NamedTuple):
    """The extensions of a graph, each sorted, and sorted among themselves.

    No extension (`()`) and the empty extension (`((),)`) are different answers. Where `bound` is a
    sentence, it says what stopped the listing: each one listed is an extension, but there are or
    may be others.
    """

    extensions: tuple[tuple[str, ...], ...]
    bound: str = ""


class Acceptance(NamedTuple):
    """Whether an argument is in some and in every extension of a graph; None if not known.

    Where one of them is None, `bound` is the sentence that says what stopped the search.
    """

    some: bool | None
    every: bool | None
    bound: str = ""


class _StoppedError(Exception):
    """A search was stopped before its end."""


def grounded(graph: ArgumentGraph) -> tuple[str, ...]:
    """Return the grounded extension, sorted: the least complete one; there is always one.

    Linear in arguments and attacks. S. Modgil and M. Caminada, Proof theories and algorithms for
    abstract argumentation frameworks (2009), grounded labelling.
    """
    inside, _ = _grounded(graph)
    return tuple(sorted(inside))


def extensions(
    graph: ArgumentGraph, name: str, most: int = MOST, conflicts: int = CONFLICTS
) -> Extensions:
    """Return the extensions of a graph by the semantics of that name, one of `EXTENSIONS`.

    `most` bounds how many are listed, `conflicts` how long each search takes.

    Raises:
        KeyError: there is no such semantics.
        ConfigurationError: clingo is needed, and not installed.
    """
    if name not in EXTENSIONS:
        raise KeyError(name)
    inside, hit = _grounded(graph)
    left = graph.restricted_to({*graph.arguments} - inside - hit)
    sets: list[frozenset[str]] = []
    bound = ""
    try:
        sets.extend(islice(_sets(left, name, conflicts), most + 1))
    except _StoppedError:
        bound = f"{_STOPPED} Each extension listed is one, but there may be others."
    if len(sets) > most:
        bound = f"There are more extensions; this lists {most:,}."
    listed = (tuple(sorted(inside | members)) for members in sets[:most])
    return Extensions(tuple(sorted(listed)), bound)


def acceptance(
    graph: ArgumentGraph, name: str, argument: str, most: int = MOST, conflicts: int = CONFLICTS
) -> Acceptance:
    """Return whether an argument is in some and in every extension by the semantics of that name.

    Where there is no extension, it is in none of them, and so in every one. What the extensions
    that are listed leave open is asked for by itself as far as one set answers it: each complete
    set is part of a preferred one.

    Raises:
        KeyError: there is no such semantics.
        ConfigurationError: clingo is needed, and not installed.
    """
    listed, bound = extensions(graph, name, most, conflicts)
    has = [argument in members for members in listed]
    if not bound:
        return Acceptance(any(has), all(has))
    some: bool | None = any(has) or None
    every = False if not all(has) else True if argument in grounded(graph) else None
    if some is None and name in {COMPLETE, PREFERRED, STABLE}:
        some = _can_be("in", argument, graph, name, conflicts)
    if every is None and name == COMPLETE:
        every = False
    elif every is None and name in {PREFERRED, STABLE}:
        is_hit = _can_be("out", argument, graph, name, conflicts)
        every = False if is_hit else True if is_hit is False and name == STABLE else None
    return Acceptance(some, every, bound if None in {some, every} else "")


def _can_be(
    state: str, argument: str, graph: ArgumentGraph, name: str, conflicts: int
) -> bool | None:
    """Tell whether a complete, or stable, set has an argument `in` it or hits it (`out`).

    None if the search was stopped.
    """
    rules = _STABLE if name == STABLE else _IN
    asked = f"{rules} :- not {state}({graph.arguments.index(argument)})."
    try:
        return any(True for _ in _models(graph, conflicts, asked, _EACH))
    except _StoppedError:
        return None


def with_derived_attacks(graph: ArgumentGraph) -> ArgumentGraph:
    """Return the graph with attacks that follow from attacks and supports beside its own.

    A *supported* attack: a supports b, directly or by a chain, and b attacks c; then a attacks c.
    An *indirect* attack: a attacks b, and b supports c, directly or by a chain; then a attacks c.
    A chain with supports on both sides of the attack derives nothing. C. Cayrol, M.-C.
    Lagasquie-Schiex, On the acceptability of arguments in bipolar argumentation frameworks (2005).
    """
    supporters, supported = neighbours(graph.arguments, graph.supports)
    derived = dict.fromkeys(graph.attacks)
    for attacker, target in graph.attacks:
        derived |= dict.fromkeys((attacker, reached) for reached in _chain(target, supported))
        derived |= dict.fromkeys((reached, target) for reached in _chain(attacker, supporters))
    return graph._replace(attacks=tuple(derived))


def _chain(start: str, side: Neighbours) -> dict[str, None]:
    """Return what one edge, or several in a row, lead to."""
    reached: dict[str, None] = {}
    waiting = [start]
    while waiting:
        new = [there for there in side[waiting.pop()] if there not in reached]
        reached |= dict.fromkeys(new)
        waiting += new
    return reached


def _grounded(graph: ArgumentGraph) -> tuple[frozenset[str], frozenset[str]]:
    """Return who is in the grounded extension, and whom it attacks."""
    attackers, attacked = neighbours(graph.arguments, graph.attacks)
    left = {argument: len(own) for argument, own in attackers.items()}
    inside = [argument for argument, count in left.items() if not count]
    hit: set[str] = set()
    for argument in inside:
        for target in attacked[argument]:
            if target in hit:
                continue
            hit.add(target)
            for relieved in attacked[target]:
                left[relieved] -= 1
                if not left[relieved]:
                    inside.append(relieved)
    return frozenset(inside), frozenset(hit)


def _sets(graph: ArgumentGraph, name: str, conflicts: int) -> Iterator[frozenset[str]]:
    """Yield every set of a kind, in a graph of which the grounded extension settles nothing.

    Raises:
        _StoppedError: there may be others.
    """
    models = partial(_models, graph, conflicts)
    if name == GROUNDED or not graph.arguments:
        yield frozenset()
    elif name == IDEAL:
        *_, ever = models(_LARGEST, _UNION)
        yield _ideal(graph, ever)
    elif name == SEMI_STABLE:
        for reached in models(_WIDEST, _MAXIMAL):
            yield from models(_IN, _EACH, reached)
    elif name == PREFERRED:
        yield from models(_LARGEST, _MAXIMAL)
    else:
        yield from models(_STABLE if name == STABLE else _IN, _EACH)


def _ideal(graph: ArgumentGraph, ever: frozenset[str]) -> frozenset[str]:
    """Return the largest set that attacks all its attackers, none of which is `ever` accepted.

    All preferred ones need not be listed for it: P. E. Dunne, The computational complexity of ideal
    semantics (2009).
    """
    attackers, _ = neighbours(graph.arguments, graph.attacks)
    inside = frozenset(a for a in ever if ever.isdisjoint(attackers[a]))
    while lost := {a for a in inside if any(inside.isdisjoint(attackers[b]) for b in attackers[a])}:
        inside -= lost
    return inside


def _models(
    graph: ArgumentGraph,
    conflicts: int,
    rules: str,
    mode: str,
    reached: Iterable[str] = (),
) -> Iterator[frozenset[str]]:
    """Yield what some more rules show of each complete set.

    What is to be `reached` is in the set or attacked by it.
    """
    places = {argument: place for place, argument in enumerate(graph.arguments)}
    facts = [f"arg({place})." for place in places.values()]
    facts += [f"att({places[one]},{places[other]})." for one, other in graph.attacks]
    facts += [f":- not range({places[argument]})." for argument in reached]
    options = [f"--enum-mode={mode}", "--heuristic=Domain", "0"]
    control = _clingo().Control(options, logger=lambda *_: None)
    control.add("base", [], "\n".join((_COMPLETE, rules, *facts)))
    control.ground([("base", [])])
    control.configuration.solve.solve_limit = f"{conflicts},umax"
    with control.solve(yield_=True) as solutions:
        for model in solutions:
            numbers = (symbol.arguments[0].number for symbol in model.symbols(shown=True))
            yield frozenset(graph.arguments[number] for number in numbers)
        if not solutions.get().exhausted:
            raise _StoppedError


def _clingo() -> ModuleType:
    try:
        import clingo
    except ImportError:
        raise ConfigurationError(
            "the extensions of a graph with cycles are computed by clingo, which is not installed",
            hint="Install debate-ops with its extra 'semantics' (from a clone: "
            "pip install '.[semantics]'); 'grounded' and the strengths do without.",
        ) from None
    return clingo
