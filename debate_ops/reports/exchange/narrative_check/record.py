"""What is on record, in the forms that a narrative is compared in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations

from debate_ops.model.entries import Link
from debate_ops.model.score import Millis, signed
from debate_ops.reports.exchange import numbers as values
from debate_ops.reports.exchange.facts import argument_lines, said
from debate_ops.reports.exchange.narrative_check import figures, prose
from debate_ops.reports.exchange.narrative_check.figures import Figure
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.semantics.flow import CONCESSION, Attack

_QUOTE_MARKS = re.compile("[\"'\u2018-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f`*_]")
_DASHES = re.compile("[\\-\N{EN DASH}\N{EM DASH}]")

_WORD = re.compile(r"[\w-]+")


class Course:
    """How a score or a total moved: what it was after which exchange."""

    def __init__(self, marks: Iterable[tuple[int, int]]) -> None:
        self.marks = tuple(marks)
        self.values = frozenset(value for _, value in self.marks)

    def after(self, exchange: int) -> int | None:
        """Return what it was after an exchange; None where there was nothing yet."""
        return next((value for at, value in reversed(self.marks) if at <= exchange), None)

    @cached_property
    def changes(self) -> frozenset[int]:
        """By how much it changed between any two of its values."""
        found = {after - before for (_, before), (_, after) in combinations(self.marks, 2)}
        return frozenset(found)

    def moved(self, before: int, after: int) -> bool:
        """Tell whether it had the one value and the other one later."""
        pairs = ((a, b) for (_, a), (_, b) in combinations(self.marks, 2))
        return (before, after) in pairs

    def reached(self, value: int, way: int) -> bool:
        """Tell whether it came to a value from below (`way` 1) or from above (-1)."""
        pairs = ((a, b) for (_, a), (_, b) in combinations(self.marks, 2))
        return any(b == value and (b - a) * way > 0 for a, b in pairs)

    def told(self) -> str:
        """Return the values as a reader writes them."""
        return ", then ".join(signed(value) for _, value in self.marks) or "not scored"


class Known:
    """The record of a debate, as the parts of the check ask for it."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.sides: Mapping[str, str] = numbers.kind.sides
        self.arguments = {s.argument.id: s for s in numbers.standings}
        self.ids = frozenset([*self.arguments, *numbers.judgments])
        self.last_exchange = len(numbers.rounds) - 1
        self.courses = {
            i: Course((mark.exchange, mark.score) for mark in s.history)
            for i, s in self.arguments.items()
        }
        self.totals = {side: self._totals(side) for side in self.sides}
        self.lead = Course((r.exchange, values.lead(r.totals)) for r in numbers.judged)

    def _totals(self, side: str) -> Course:
        marks = [(r.exchange, r.totals[side]) for r in self.numbers.judged]
        stated = self.numbers.totals.get(side, Millis(0))
        if marks and marks[-1][1] != stated:
            marks.append((self.last_exchange, stated))
        return Course(marks)

    # ------------------------------------------------------------ texts

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Every text that a narrative may take words or numbers from."""
        numbers = self.numbers
        stamps = (numbers.debate.created, str(dict(numbers.debate.replay_of or {})))
        return (*said(numbers), *stamps)

    @cached_property
    def spoken(self) -> Mapping[str, str]:
        """The words of each argument, and of the judge in each judgment, by id."""
        found = {i: bare("\n".join(argument_lines(s.argument))) for i, s in self.arguments.items()}
        reasons: dict[str, list[str]] = {}
        for standing in self.arguments.values():
            for mark in standing.history:
                reasons.setdefault(mark.judgment, []).append(bare(mark.reason))
        return {**found, **{i: " \x1f ".join(texts) for i, texts in reasons.items()}}

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Texts in each of which a whole quotation has to stand."""
        return (*self.spoken.values(), *(bare(text) for text in self.texts))

    @cached_property
    def tokens(self) -> frozenset[str]:
        """The words with an underscore on record: names that look like ids."""
        texts = (prose.plain(text) for text in self.texts if "_" in text)
        words = (word.lstrip("_-") for text in texts for word in _WORD.findall(text))
        return frozenset(word for word in words if "_" in word)

    @cached_property
    def words(self) -> str:
        """Everything said, to look words up in."""
        return " \x1f ".join(self.sources)

    def spoken_by(self, name: str) -> tuple[str, ...]:
        """Return the texts of an argument, of a judgment, of all of a side, or of the judge."""
        if name in self.sides:
            return tuple(self.spoken[i] for i in self.of_side(name))
        if name == self.numbers.kind.judge:
            return tuple(self.spoken[i] for i in self.numbers.judgments if i in self.spoken)
        return (self.spoken.get(name, ""),)

    # ------------------------------------------------------------ numbers

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Every number in a text on record."""
        return tuple(f for text in self.texts for f in figures.figures(prose.plain(text)))

    @cached_property
    def near(self) -> Mapping[str, frozenset[str]]:
        """The words that stand after each number on record."""
        return _gathered((f.number, f.near) for f in self.figures)

    @cached_property
    def numbered(self) -> Mapping[str, frozenset[str]]:
        """The numbers that stand directly before each word on record."""
        return _gathered((f.near[0], (f.number,)) for f in self.figures if f.near)

    @cached_property
    def with_sign(self) -> frozenset[str]:
        """The numbers that stand with a sign on record."""
        return frozenset(f.sign + f.number for f in self.figures if f.sign)

    @cached_property
    def percents(self) -> frozenset[str]:
        """The percentages on record."""
        return frozenset(f.number for f in self.figures if f.percent)

    def own_figures(self, argument_id: str) -> frozenset[str]:
        """Return the numbers in the texts of one argument, each with its sign."""
        standing = self.arguments[argument_id]
        texts = map(prose.plain, argument_lines(standing.argument))
        return frozenset(f.sign + f.number for text in texts for f in figures.figures(text))

    # ------------------------------------------------------------ scores

    @cached_property
    def side_values(self) -> Mapping[str, frozenset[int]]:
        """Of each side its totals, and what each exchange added to them."""
        return {
            side: self.totals[side].values
            | {value for r in self.numbers.judged for value in self.added(side, r.exchange)}
            for side in self.sides
        }

    def added(self, side: str, exchange: int) -> frozenset[int]:
        """Return what an exchange added to a total: by new arguments, by rescores, in all."""
        r = self.numbers.rounds[exchange]
        return frozenset({r.new[side], r.rescored[side], r.change(side)})

    @cached_property
    def leads(self) -> frozenset[int]:
        """The lead after each exchange and its changes, without sign."""
        found = {abs(value) for value in (*self.lead.values, *self.lead.changes)}
        if self.numbers.judged:
            found.add(abs(values.lead(self.numbers.totals)))
        return frozenset(found)

    @cached_property
    def scores(self) -> frozenset[int]:
        """Every value that a score, a total or a change of one ever had."""
        found: set[int] = set()
        for course in (*self.courses.values(), *self.totals.values()):
            found |= course.values
        for standing in self.arguments.values():
            found |= {after.score - before.score for before, after in standing.rescores}
        for r in self.numbers.rounds:
            found.add(sum(r.totals.values()))
        found.add(sum(self.numbers.totals.values()))
        for of_side in self.side_values.values():
            found |= of_side
        return frozenset(found | self.leads | {-lead for lead in self.leads})

    @property
    def leader(self) -> str:
        """The side that is ahead, empty where the sides are level."""
        return leading(self.sides, values.lead(self.numbers.totals))

    def scored(self, side: str = "") -> list[Standing]:
        """Return the arguments that have a score, of one side or of all."""
        return [s for s in self.numbers.scored if side in {"", s.argument.side}]

    # ------------------------------------------------------------ links

    def of_side(self, side: str) -> list[str]:
        """Return the ids of a side's arguments."""
        return [i for i, s in self.arguments.items() if s.argument.side == side]

    @cached_property
    def attacked(self) -> Mapping[tuple[str, str], tuple[Attack, ...]]:
        """The attacks of one argument on another."""
        found: dict[tuple[str, str], list[Attack]] = {}
        for attack in self.numbers.attacks:
            found.setdefault((attack.attacker, attack.target), []).append(attack)
        return {pair: tuple(attacks) for pair, attacks in found.items()}

    @cached_property
    def made(self) -> Mapping[str, tuple[Attack, ...]]:
        """The attacks that each argument makes."""
        return _attacks_by((a.attacker, a) for a in self.numbers.attacks)

    @cached_property
    def received(self) -> Mapping[str, tuple[Attack, ...]]:
        """The attacks on each argument."""
        return _attacks_by((a.target, a) for a in self.numbers.attacks)

    def defences(self, argument_id: str) -> tuple[Link, ...]:
        """Return what an argument defends."""
        return self.arguments[argument_id].argument.defends

    def defends(self, defender: str, target: str) -> bool:
        """Tell whether one argument defends another."""
        return any(link.target_id == target for link in self.defences(defender))

    def concedes(self, argument_id: str, target: str) -> bool:
        """Tell whether an argument gives up a part of another."""
        return any(
            (link.target_id, link.type) == (target, CONCESSION)
            for link in self.defences(argument_id)
        )

    def answers(self, argument_id: str, attacker: str) -> bool:
        """Tell whether an argument attacks another one, or answers an attack that it made."""
        return (argument_id, attacker) in self.attacked or any(
            argument_id in attack.answered_by for attack in self.made.get(attacker, ())
        )


def leading(sides: Iterable[str], lead: int) -> str:
    """Return which side a lead of the first is a lead of; empty where it is none."""
    first, second = list(sides)[:2]
    return (first if lead > 0 else second) if lead else ""


def bare(text: str) -> str:
    """Return words as they are compared: without marks, in small letters, one space between."""
    shown = _QUOTE_MARKS.sub("", prose.plain(text))
    return " ".join(_DASHES.sub("-", shown).casefold().split())


def _gathered(pairs: Iterable[tuple[str, Iterable[str]]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for key, words in pairs:
        found.setdefault(key, set()).update(words)
    return {key: frozenset(words) for key, words in found.items()}


def _attacks_by(pairs: Iterator[tuple[str, Attack]]) -> dict[str, tuple[Attack, ...]]:
    found: dict[str, list[Attack]] = {}
    for key, attack in pairs:
        found.setdefault(key, []).append(attack)
    return {key: tuple(attacks) for key, attacks in found.items()}
