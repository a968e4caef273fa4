"""What the page tells of an entry of two sides: its scores with their reasons, and its attacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.model.entries import Argument, Link
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.flow_words import ON_A_PAGE, came
from debate_ops.reports.exchange.numbers import Mark, Numbers, Round, Standing, component
from debate_ops.reports.exchange.what_stands import strength
from debate_ops.reports.markdown import bullets, quoted, reference
from debate_ops.reports.parts import Aside
from debate_ops.reports.phrases import CELL
from debate_ops.reports.text import counted, inline, joined, score, shorten
from debate_ops.semantics.flow import CONCESSION, Attack, Reception, State

STANDS, CONCEDED, RESCORED = "stands", "conceded", "rescored"
"""Words to filter by, beside the states of attacks and the receptions of arguments."""

Fact = tuple[str, str]

_IN_A_CARD = ON_A_PAGE._replace(by=True)


def asides(numbers: Numbers) -> Mapping[str, Aside]:
    """Return what is told of every argument, judgment and absence, by id."""
    about = _about(numbers)
    told = {s.argument.id: _of_argument(about, s) for s in numbers.standings}
    told |= {r.judgment: _of_judgment(numbers, r) for r in numbers.judged}
    sides = list(numbers.kind.sides)
    return told | {
        a.id: Aside(sides.index(a.participant)) for a in numbers.absences if a.participant in sides
    }


class _About(NamedTuple):
    """The numbers, and by argument: who attacks it, whom it attacks, who defends it, its title."""

    numbers: Numbers
    on: Mapping[str, Sequence[Attack]]
    by: Mapping[str, Sequence[Attack]]
    defended: Mapping[str, Sequence[tuple[str, Link]]]
    titles: Mapping[str, str]

    def named(self, argument_id: str) -> str:
        """Return a reference to an argument, with its title."""
        title = inline(shorten(self.titles.get(argument_id, ""), CELL))
        return f"{reference(argument_id)} {title}".rstrip()


def _about(numbers: Numbers) -> _About:
    arguments = [s.argument for s in numbers.standings]
    on: dict[str, list[Attack]] = {}
    by: dict[str, list[Attack]] = {}
    for attack in numbers.attacks:
        on.setdefault(attack.target, []).append(attack)
        by.setdefault(attack.attacker, []).append(attack)
    return _About(numbers, on, by, _defended(arguments), {a.id: a.title for a in arguments})


def _defended(arguments: Iterable[Argument]) -> dict[str, list[tuple[str, Link]]]:
    found: dict[str, list[tuple[str, Link]]] = {}
    for argument in arguments:
        for link in argument.defends:
            found.setdefault(link.target_id, []).append((argument.id, link))
    return found


# ---------------------------------------------------------------- arguments


def _of_argument(about: _About, standing: Standing) -> Aside:
    sides = list(about.numbers.kind.sides)
    return Aside(
        side=sides.index(standing.argument.side),
        score=score(standing.score),
        states=tuple(_states(about, standing)),
        facts=tuple(_facts(about, standing)),
    )


def _states(about: _About, standing: Standing) -> Iterator[str]:
    argument_id = standing.argument.id
    reception = about.numbers.flow.receptions[argument_id]
    if reception is not Reception.ATTACKED:
        yield reception.value
    hits = about.on.get(argument_id, ())
    found = {attack.state for attack in hits}
    yield from (state.value for state in State if state in found)
    if any(link.type == CONCESSION for _, link in about.defended.get(argument_id, ())):
        yield CONCEDED
    if about.numbers.weighing.stands(argument_id):
        yield STANDS
    if standing.rescores:
        yield RESCORED


def _facts(about: _About, standing: Standing) -> Iterator[Fact]:
    argument = standing.argument
    yield from _scores(about.numbers, standing.history)
    yield "By the links", _weighed(about.numbers, argument.id)
    if hits := about.on.get(argument.id):
        yield "Attacked by", bullets(_attacks(about, hits, "attacker"))
    if defences := about.defended.get(argument.id):
        yield "Defended by", bullets(_defences(about, defences))
    if own := about.by.get(argument.id):
        yield "Attacks", bullets(_attacks(about, own, "target"))
    if argument.defends:
        pairs = [(link.target_id, link) for link in argument.defends]
        yield "Defends", bullets(_defences(about, pairs))


def _scores(numbers: Numbers, history: Sequence[Mark]) -> Iterator[Fact]:
    """Yield each score that an argument has had, with the judge's reason."""
    if history:
        lines = [_marked(numbers, mark) for mark in reversed(history)]
        yield ("Scores, the newest first" if len(lines) > 1 else "Score"), bullets(lines)


def _marked(numbers: Numbers, mark: Mark) -> str:
    place = f"[{words.named(numbers, mark.exchange)}][{mark.judgment}]"
    reason = mark.reason.strip()
    told = quoted(reason, _all_of(reason)) if reason else "no reason given"
    return f"**{score(mark.score)}** in {place}: {told}"


def _all_of(text: str) -> int:
    """Return a length that leaves nothing of a text out: a letter has two columns at most."""
    return 2 * len(text) + 1


def _weighed(numbers: Numbers, argument_id: str) -> str:
    stands = "stands" if numbers.weighing.stands(argument_id) else "does not stand"
    return f"{stands}; strength {strength(numbers.weighing.strength(argument_id))}"


def _attacks(about: _About, hits: Sequence[Attack], other: str) -> Iterator[str]:
    """Yield the attacks between two arguments together: they have the same answers."""
    pairs: dict[str, list[Attack]] = {}
    for attack in hits:
        pairs.setdefault(getattr(attack, other), []).append(attack)
    for other_id, own in pairs.items():
        parts = joined([inline(shorten(a.component, CELL)) for a in own])
        yield f"{about.named(other_id)} ({parts}): {_came(own[0])}"


def _came(attack: Attack) -> str:
    """Return what became of an attack: by what it was answered, or for how long it was dropped."""
    dropped = attack.state is State.DROPPED
    later = f" in {counted(attack.turns, 'later turn')}" if dropped else ""
    return f"{came(attack, _IN_A_CARD)}{later}"


def _defences(about: _About, defences: Iterable[tuple[str, Link]]) -> Iterator[str]:
    for other, link in defences:
        yield f"{about.named(other)} ({inline(shorten(component(link), CELL))})"


# ---------------------------------------------------------------- judgments


def _of_judgment(numbers: Numbers, r: Round) -> Aside:
    changes = ", ".join(
        f"{name} {score(r.change(side))}" for side, name in numbers.kind.sides.items()
    )
    totals = ", ".join(
        f"{name} {score(r.totals[side])}" for side, name in numbers.kind.sides.items()
    )
    return Aside(facts=(("Totals after it", totals), ("What it changed", changes)))
