"""What the page tells of an argument: its scores with the judge's reasons, and its links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from debate_ops.model.entries import Link
from debate_ops.reports.blocks import Line, Quiet, Quote, Ref, Strong, line
from debate_ops.reports.exchange.kind import SIDES, place_of
from debate_ops.reports.exchange.numbers import Mark, Numbers, Standing, component
from debate_ops.reports.exchange.words import outcome
from debate_ops.reports.record import Note
from debate_ops.reports.text import joined, score, shorten
from debate_ops.semantics.flow import CONCESSION, Attack, Reception, State

SURVIVES, CONCEDED, RESCORED = "survives", "conceded", "score revised"
"""Words to filter by, beside the states of attacks and the receptions of arguments."""

_CELL = 110

Item = TypeVar("Item")


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return the notes on every argument and absence, by id."""
    links = _Links(numbers)
    sides = list(SIDES)
    absent = (a for a in numbers.absences if a.participant in sides)
    return {s.argument.id: links.note(s) for s in numbers.standings} | {
        a.id: Note(sides.index(a.participant)) for a in absent
    }


class _Links:
    """The links of a debate by argument, both ways."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._titles = {s.argument.id: s.argument.title for s in numbers.standings}
        self._on = _grouped((attack.target, attack) for attack in numbers.attacks)
        self._by = _grouped((attack.attacker, attack) for attack in numbers.attacks)
        self._defences = _grouped(
            (link.target_id, (s.argument.id, link))
            for s in numbers.standings
            for link in s.argument.defends
        )

    def note(self, standing: Standing) -> Note:
        return Note(
            side=list(SIDES).index(standing.argument.side),
            score=score(standing.score),
            states=tuple(self._states(standing)),
            facts=tuple(self._facts(standing)),
        )

    def _states(self, standing: Standing) -> Iterator[str]:
        own = standing.argument.id
        reception = self._numbers.flow.receptions[own]
        if reception is not Reception.ATTACKED:
            yield reception.value
        states = {attack.state for attack in self._on.get(own, ())}
        yield from (state.value for state in State if state in states)
        if any(link.type == CONCESSION for _, link in self._defences.get(own, ())):
            yield CONCEDED
        if self._numbers.weighing.stands(own):
            yield SURVIVES
        if standing.rescores:
            yield RESCORED

    def _facts(self, standing: Standing) -> Iterator[tuple[str, tuple[Line, ...]]]:
        own, argument = standing.argument.id, standing.argument
        if standing.history:
            label = "Scores, the newest first" if standing.rescores else "Score"
            yield label, tuple(self._scored(mark) for mark in reversed(standing.history))
        if attacks := self._on.get(own):
            yield "Attacked by", tuple(self._attacks(attacks, "attacker"))
        if defences := self._defences.get(own):
            yield "Defended by", tuple(self._link(other, link) for other, link in defences)
        if attacks := self._by.get(own):
            yield "Attacks", tuple(self._attacks(attacks, "target"))
        if argument.defends:
            yield "Defends", tuple(self._link(link.target_id, link) for link in argument.defends)

    def _scored(self, mark: Mark) -> Line:
        place = place_of(mark.exchange)
        reason = mark.reason.strip()
        why = Quote(" ".join(reason.split())) if reason else Quiet("no reason given")
        return line(Strong(score(mark.score)), f" in {place}: ", why)

    def _named(self, id_: str) -> Ref:
        return Ref(id_, self._titles.get(id_, ""))

    def _attacks(self, attacks: Sequence[Attack], other: str) -> Iterator[Line]:
        """Yield the attacks between two arguments together: they have the same answers."""
        pairs = _grouped((getattr(attack, other), attack) for attack in attacks)
        for id_, own in pairs.items():
            parts = joined([shorten(attack.component, _CELL) for attack in own])
            yield line(self._named(id_), f" ({parts}): ", Quiet(self._outcome(own[0])))

    def _outcome(self, attack: Attack) -> str:
        return outcome(attack, lambda id_: self._titles.get(id_, "") or id_)

    def _link(self, other: str, link: Link) -> Line:
        return line(self._named(other), f" ({shorten(component(link), _CELL)})")


def _grouped(pairs: Iterable[tuple[str, Item]]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups
