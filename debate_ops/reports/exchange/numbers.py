"""The numbers of a debate as plain tables, computed from its record; scores in thousandths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import (
    ARGUMENTS,
    Absence,
    Argument,
    Entry,
    Judgment,
    Link,
    Value,
)
from debate_ops.model.score import Millis, signed
from debate_ops.model.texts import one_line
from debate_ops.protocols.exchange import rules
from debate_ops.protocols.exchange.rules import AWAITING_JUDGMENT
from debate_ops.reports.exchange import weighing
from debate_ops.reports.exchange.kind import JUDGE, SIDES
from debate_ops.reports.exchange.weighing import Weighing
from debate_ops.reports.made import Made, made
from debate_ops.reports.reading import entries_of
from debate_ops.semantics.flow import Attack, Flow, Reception, flow, turns_of
from debate_ops.semantics.flow import component as component_of
from debate_ops.storage.folder import SCORES


class Mark(NamedTuple):
    """A score that an argument was given: in which exchange, and why."""

    exchange: int
    score: Millis
    reason: str


class Standing(NamedTuple):
    """An argument, and the scores it has had."""

    argument: Argument
    history: tuple[Mark, ...]

    @property
    def score(self) -> Millis | None:
        """The score on record, None where there is none yet."""
        return self.history[-1].score if self.history else None

    @property
    def rescores(self) -> tuple[tuple[Mark, Mark], ...]:
        """Each change of the score: before and after."""
        return tuple(pairwise(self.history))


class Round(NamedTuple):
    """One exchange: what its judgment added to each side, and the totals after it.

    `judgment` is the judgment's id, empty where there is none; `new` comes from new arguments,
    `rescored` from changed scores of earlier ones.
    """

    exchange: int
    judgment: str
    new: Mapping[str, Millis]
    rescored: Mapping[str, Millis]
    totals: Mapping[str, Millis]

    @property
    def judged(self) -> bool:
        """Whether there is a judgment."""
        return bool(self.judgment)

    def change(self, side: str) -> Millis:
        """Return by how much this exchange changed a side's total."""
        return Millis(self.new[side] + self.rescored[side])


class Numbers(NamedTuple):
    """All that a report says of a debate."""

    debate: Debate
    framing: Framing
    standings: tuple[Standing, ...]
    rounds: tuple[Round, ...]
    totals: Mapping[str, Millis]
    flow: Flow
    weighing: Weighing
    absences: tuple[Absence, ...]
    made: tuple[Made, ...]
    warnings: tuple[Finding, ...]

    @property
    def names(self) -> dict[str, str]:
        """What readers call the participants."""
        return {**SIDES, JUDGE: "judge"}

    @property
    def attacks(self) -> tuple[Attack, ...]:
        """Every attack, and its outcome."""
        return self.flow.attacks

    @property
    def never_attacked(self) -> tuple[str, ...]:
        """The arguments that the other side left alone though it had a later turn."""
        return self.flow.received(Reception.NEVER_ATTACKED)

    @property
    def judged(self) -> tuple[Round, ...]:
        """The exchanges that have been judged."""
        return tuple(item for item in self.rounds if item.judged)

    @property
    def scored(self) -> tuple[Standing, ...]:
        """The arguments that have a score."""
        return tuple(item for item in self.standings if item.history)

    def standing(self, argument_id: str) -> Standing | None:
        """Return one argument's standing, or None where the record has no such argument."""
        return next((s for s in self.standings if s.argument.id == argument_id), None)


def of(debate: Debate) -> Numbers:
    """Compute the numbers of a debate whose record has been verified."""
    read = entries_of(debate)
    values = [entries.parse(entry) for entry in read]
    arguments = _in_reading_order(values)
    judgments = [value for value in values if isinstance(value, Judgment)]
    absences = tuple(value for value in values if isinstance(value, Absence))
    rounds = _rounds(values)
    standings = _standings(arguments, judgments)
    sides = tuple(SIDES)
    totals = {key: _stated(debate, name) for key, name in SIDES.items()}
    return Numbers(
        debate=debate,
        framing=debate_file.framing(debate.body),
        standings=standings,
        rounds=rounds,
        totals=totals,
        flow=_flow(debate, arguments, absences),
        weighing=weighing.of(arguments, {s.argument.id: s.score for s in standings}, sides),
        absences=absences,
        made=made((*SIDES, JUDGE), read),
        warnings=(
            *_disagreements(rounds, totals),
            *_lost_targets(arguments),
            *_limits(read, values),
        ),
    )


def sources(standings: Iterable[Standing]) -> dict[str, list[str]]:
    """Return everything cited, in the order in which it was first cited, and by which arguments."""
    cited: dict[str, dict[str, None]] = {}
    for standing in standings:
        for ground in standing.argument.grounds:
            cited.setdefault(one_line(ground.source), {})[standing.argument.id] = None
    return {text: list(ids) for text, ids in cited.items() if text}


def component(link: Link | Attack) -> str:
    """Return what an attack or a defence is about, in words."""
    return component_of(link.type)


def lead(totals: Mapping[str, Millis]) -> Millis:
    """Return by how much the first side is ahead of the second."""
    first, second = list(totals.values())[:2]
    return Millis(first - second)


def _in_reading_order(values: Iterable[Value]) -> list[Argument]:
    """Return the arguments by exchange, and in each exchange by side as readers meet them."""
    sides = list(SIDES)
    arguments = [value for value in values if isinstance(value, Argument)]
    return sorted(arguments, key=lambda a: (a.exchange, sides.index(a.side), a.id))


def _stated(debate: Debate, side: str) -> Millis:
    total = debate.state.totals.get(side)
    return total.total if total else Millis(0)


def _standings(
    arguments: Sequence[Argument], judgments: Iterable[Judgment]
) -> tuple[Standing, ...]:
    histories: dict[str, list[Mark]] = {}
    for judgment in judgments:
        for item in judgment.decisions:
            mark = Mark(judgment.exchange, item.score, item.reasoning)
            histories.setdefault(item.argument_id, []).append(mark)
    return tuple(Standing(a, tuple(histories.get(a.id, ()))) for a in arguments)


def _rounds(values: Sequence[Value]) -> tuple[Round, ...]:
    judgments: dict[int, list[Judgment]] = {}
    for value in values:
        if isinstance(value, Judgment):
            judgments.setdefault(value.exchange, []).append(value)
    totals = dict.fromkeys(SIDES, Millis(0))
    rounds = []
    for exchange in range(max((value.exchange for value in values), default=-1) + 1):
        decided = judgments.get(exchange, [])
        new = dict.fromkeys(SIDES, Millis(0))
        rescored = dict.fromkeys(SIDES, Millis(0))
        for judgment in decided:
            for item in judgment.scores:
                _add(new, item.argument_id, item.score)
            for change in judgment.rescores:
                _add(rescored, change.argument_id, change.score - change.previous)
        totals = {side: Millis(totals[side] + new[side] + rescored[side]) for side in totals}
        judgment_id = decided[-1].id if decided else ""
        rounds.append(Round(exchange, judgment_id, new, rescored, totals))
    return tuple(rounds)


def _add(sums: dict[str, Millis], argument_id: str, score: int) -> None:
    side = argument_id.partition("_")[0]
    if side in sums:
        sums[side] = Millis(sums[side] + score)


def _flow(debate: Debate, arguments: Sequence[Argument], absences: Iterable[Absence]) -> Flow:
    of_sides = (absence for absence in absences if absence.participant in SIDES)
    return flow(arguments, turns_of(arguments, of_sides), _coming(debate))


def _coming(debate: Debate) -> tuple[str, ...]:
    """Return the sides whose next turn is still to come.

    It is as long as what was asked for is not held, and as long as the judge or a side is awaited
    in the midst of an exchange: nobody has said yet that this was the last one.
    """
    request, (exchange, phase, _) = debate.request, debate.state
    next_turn = exchange + (phase == AWAITING_JUDGMENT)
    was_asked_for = request is not None and next_turn < request.until
    is_last = request is not None and next_turn >= request.until
    is_under_way = phase == AWAITING_JUDGMENT and not is_last
    return tuple(SIDES) if was_asked_for or is_under_way else ()


def _disagreements(rounds: Sequence[Round], totals: Mapping[str, Millis]) -> Iterator[Finding]:
    """Warn where the scores on record do not add up to the totals: some have been lost."""
    summed = rounds[-1].totals if rounds else dict.fromkeys(SIDES, Millis(0))
    for side, name in SIDES.items():
        if summed[side] != totals[side]:
            yield Finding(
                "totals_differ",
                f"the scores on record of the {name} add up to {signed(summed[side])}, its total "
                f"is {signed(totals[side])}: scores of some exchanges are missing",
                file="debate.md",
            )


def _lost_targets(arguments: Sequence[Argument]) -> Iterator[Finding]:
    known = {argument.id for argument in arguments}
    for argument in arguments:
        for link in (*argument.attacks, *argument.defends):
            if link.target_id not in known:
                yield Finding(
                    "target_missing",
                    f"{argument.id} names {link.target_id}, which is not on record",
                    file=f"{ARGUMENTS}/{argument.id}.md",
                )


def _limits(read: Iterable[Entry], values: Iterable[Value]) -> Iterator[Finding]:
    for entry, value in zip(read, values, strict=True):
        if not isinstance(value, Absence):
            file = SCORES if entry.header.get("older") else entry.file
            yield from (limit._replace(file=file) for limit in rules.broken_limits(value))
