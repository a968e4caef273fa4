"""Which arguments stand together: the extensions of the attack graph.

docs/semantics.md names the papers that define them. Supports play no part in them; `derived` turns
them into attacks where asked for. What the grounded extension leaves undecided, which in a graph
without cycles is nothing, is searched by clingo (extra `semantics`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import ModuleType

from debate_ops.errors import ConfigurationError
from debate_ops.model.graph import ArgumentGraph
from debate_ops.semantics.components import neighbours
from debate_ops.startup import NamedTuple

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

SOME = "some"
EVERY = "every"

_COMPLETE = """
in(X) :- arg(X), not open(X).
open(X) :- att(Y,X), not out(Y).
out(X) :- att(Y,X), in(Y).
:- in(X), out(X).
range(X) :- in(X).
range(X) :- out(X).
"""
_STABLE = ":- arg(X), not range(X)."
_LARGEST = "#heuristic {}(X) : arg(X). [1,true]"
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


class Accepted(NamedTuple):
    """Whether an argument is in some extension, or in every one.

    `answer` is None where the bound stopped the search before that was settled.
    """

    answer: bool | None
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
    settled, search = _split(graph, conflicts)
    sets: list[frozenset[str]] = []
    bound = ""
    try:
        sets.extend(islice(search.sets(name), most + 1))
    except _StoppedError:
        bound = f"{_STOPPED} Each extension listed is one, but there may be others."
    if len(sets) > most:
        bound = f"There are more extensions; this lists {most:,}."
    listed = (tuple(sorted(settled | members)) for members in sets[:most])
    return Extensions(tuple(sorted(listed)), bound)


def accepted(
    graph: ArgumentGraph, argument: str, name: str, how: str, conflicts: int = CONFLICTS
) -> Accepted:
    """Tell whether an argument is in `SOME` or in `EVERY` extension, without listing them all.

    Where there is no extension (stable only), it is in none of them, and so in every one.

    Raises:
        KeyError: there is no such semantics, or no such argument.
        ConfigurationError: clingo is needed, and not installed.
    """
    if name not in EXTENSIONS or argument not in graph.arguments:
        raise KeyError(name, argument)
    settled, search = _split(graph, conflicts)
    try:
        if argument in search.graph.arguments:
            sets = search.sets(name, argument, is_in=how == SOME)
        else:
            sets = search.sets(STABLE if name == STABLE else GROUNDED)
        is_decided = any((argument in members | settled) == (how == SOME) for members in sets)
    except _StoppedError:
        return Accepted(None, _STOPPED)
    return Accepted(is_decided == (how == SOME))


def _split(graph: ArgumentGraph, conflicts: int) -> tuple[frozenset[str], _Search]:
    """Return the grounded extension, and the search of what it leaves undecided."""
    inside, hit = _grounded(graph)
    settled = inside | hit
    left = [argument for argument in graph.arguments if argument not in settled]
    return inside, _Search(graph.restricted_to(left), conflicts)


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


class _Search:
    """The search of a graph of which the grounded extension settles nothing."""

    def __init__(self, graph: ArgumentGraph, conflicts: int) -> None:
        self.graph = graph
        self._conflicts = conflicts
        self._left = MOST

    def sets(
        self, name: str, about: str | None = None, *, is_in: bool = True
    ) -> Iterator[frozenset[str]]:
        """Yield every set of a kind; `about` an argument, only sets that decide about it.

        These have it or, where it is not to be in them, do not; `ideal` yields its one set.

        Raises:
            _StoppedError: there may be others.
        """
        only = {} if about is None else {about: is_in}
        if name == GROUNDED or not self.graph.arguments:
            yield frozenset()
        elif name == IDEAL:
            yield self._ideal()
        elif name == SEMI_STABLE:
            for reached in self._models(_LARGEST.format("range"), _MAXIMAL, shown="range"):
                yield from self._models("", _EACH, only, reached=reached)
        elif name == PREFERRED and not (only and is_in):
            for members in self._models(_LARGEST.format("in"), _MAXIMAL, only):
                larger = dict.fromkeys((*members, *only), True)
                if not only or not any(self._models("", _EACH, larger)):
                    yield members
        else:  # each complete set lies in a preferred one
            yield from self._models(_STABLE if name == STABLE else "", _EACH, only)

    def _ideal(self) -> frozenset[str]:
        """Return the ideal set: the largest that attacks all its attackers, none ever accepted.

        All preferred ones need not be listed for it: P. E. Dunne, The computational complexity of
        ideal semantics (2009).
        """
        *_, ever = self._models(_LARGEST.format("in"), _UNION)
        attackers, _ = neighbours(self.graph.arguments, self.graph.attacks)
        inside = frozenset(a for a in ever if ever.isdisjoint(attackers[a]))
        while lost := {
            a for a in inside if any(inside.isdisjoint(attackers[b]) for b in attackers[a])
        }:
            inside -= lost
        return inside

    def _models(
        self,
        rules: str,
        mode: str,
        only: Mapping[str, bool] = {},
        *,
        reached: Iterable[str] = (),
        shown: str = "in",
    ) -> Iterator[frozenset[str]]:
        """Yield what is `shown` of each complete set by some more rules.

        `only` says of arguments whether they are in it, `reached` are in it or attacked by it.
        """
        self._left -= 1
        if self._left < 0:
            raise _StoppedError
        control = _clingo().Control(
            [f"--enum-mode={mode}", "--heuristic=Domain", "0"], logger=lambda *_: None
        )
        places = {argument: place for place, argument in enumerate(self.graph.arguments)}
        facts = [f"arg({place})." for place in places.values()]
        facts += [f"att({places[one]},{places[other]})." for one, other in self.graph.attacks]
        facts += [f":- {'not ' * is_in}in({places[a]})." for a, is_in in only.items()]
        facts += [f":- not range({places[argument]})." for argument in reached]
        control.add("base", [], "\n".join((_COMPLETE, rules, *facts, f"#show {shown}/1.")))
        control.ground([("base", [])])
        control.configuration.solve.solve_limit = f"{self._conflicts},umax"
        with control.solve(yield_=True) as models:
            for model in models:
                numbers = (symbol.arguments[0].number for symbol in model.symbols(shown=True))
                yield frozenset(self.graph.arguments[number] for number in numbers)
            if not models.get().exhausted:
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
