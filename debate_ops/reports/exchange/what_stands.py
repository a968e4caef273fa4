"""The part of the page that gives the second opinion: strength first, then what stands."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.numbers import Numbers, Standing, lead
from debate_ops.reports.exchange.weighing import Weighing
from debate_ops.reports.given import Rows
from debate_ops.reports.markdown import bullets, references, table
from debate_ops.reports.phrases import CELL, FEW, folded, newest
from debate_ops.reports.text import counted, inline, joined, score, shorten
from debate_ops.semantics.influence import LAST_WORD_RULE, RULE, Disagreement, Effect

_SHORT_LIST = 20
"""So many arguments are listed where the page would be too long with all of them."""

_WHAT = (
    "A second opinion, computed from the judge's scores and the links between the arguments; it "
    "changes no score. The *strength* of an argument, from 0 to 1, starts at its score (a score of "
    "0 is 0.50), falls with the strength of what attacks it and rises with the strength of what "
    "supports it (DF-QuAD). An argument *stands* if it is unattacked, or defended by what stands "
    "(the grounded extension). A defence that concedes a part supports nothing; what stands may "
    "have conceded a part. Where the judge has already lowered a score because of an attack, that "
    "attack counts twice here."
)


def what_stands(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield the strength of each argument, what stands, and how far to trust that."""
    weighing = numbers.weighing
    if not weighing.graph.attacks:
        return
    yield "## What stands once everything is counted"
    yield _WHAT
    yield bullets(
        [
            f"**By strength:** {_leads(numbers, weighing)}",
            f"**Standing:** {_standing(numbers, weighing)}",
            f"**The last word:** {_last_word(numbers, weighing)}",
            f"**Judge and graph:** {_disagreements(weighing)}",
            f"**One attack less:** {_one_attack_less(numbers, weighing)}",
        ]
    )
    yield from _strengths(numbers, rows)
    yield f"{RULE} {LAST_WORD_RULE}"


def strength(number: float) -> str:
    """Return a strength for readers.

    >>> strength(0.456)
    '0.46'
    """
    return f"{number:.2f}"


def ahead(numbers: Numbers, by: float, would_be: str = "") -> str:
    """Return which side a lead by strength is of, and how large it is, as a clause."""
    return words.ahead(numbers, by, strength(abs(by)), would_be)


def _leads(numbers: Numbers, weighing: Weighing) -> str:
    by_links = ahead(numbers, weighing.influence.lead)
    told = f"{by_links} (the sum of its arguments' strengths less the other's)"
    if not weighing.strengths.converged:
        return f"{told}. The strengths did not come to rest, so do not rely on them."
    by_judge = f"by the judge's totals {words.standing(numbers)}"
    if differs(numbers):
        return f"**{by_links}**, but {by_judge}."
    return f"{told}; {by_judge}."


def differs(numbers: Numbers) -> bool:
    """Tell whether one side is ahead by the judge's totals, and the other by strength."""
    return numbers.weighing.influence.lead * lead(numbers.totals) < 0


def _standing(numbers: Numbers, weighing: Weighing) -> str:
    parts = []
    for side, name in numbers.kind.sides.items():
        own = [s.argument.id for s in numbers.standings if s.argument.side == side]
        kept = [i for i in own if weighing.stands(i)]
        named = f" ({_some(kept)})" if kept else ""
        parts.append(f"{len(kept)} of {len(own)} of the {name}{named}")
    return f"{joined(parts)}."


def _some(ids: list[str]) -> str:
    """Return links to the newest of many arguments, and how many more there are."""
    shown, more = newest(ids, 2 * FEW)
    return f"{references(shown)}{f' and {more} earlier ones' if more else ''}"


def _last_word(numbers: Numbers, weighing: Weighing) -> str:
    last = weighing.last_word
    if not last.exchange:
        return "there is only the opening."
    names = numbers.kind.sides
    without = joined(
        [f"{last.standing_before.get(side, 0)} of the {names[side]}" for side in names]
    )
    place = numbers.kind.place(last.exchange)
    return (
        f"nobody could answer {place}. Without it {without} would stand, and by strength "
        f"{ahead(numbers, last.lead_before)}."
    )


def _disagreements(weighing: Weighing) -> str:
    found = weighing.disagreements
    if not found:
        return "they disagree about no argument."
    shown = found[:FEW]
    more = f" and {len(found) - FEW} more" if len(found) > FEW else ""
    told = "; ".join(map(_disagreement, shown))
    return f"they disagree about {counted(len(found), 'argument')}: {told}{more}."


def _disagreement(item: Disagreement) -> str:
    what = "stands" if item.stands else "does not stand"
    return (
        f"[{item.argument}] was scored {score(item.score)}, but {what} and has strength "
        f"{strength(item.strength)}"
    )


def _one_attack_less(numbers: Numbers, weighing: Weighing) -> str:
    found = weighing.influence
    bound = f" {found.bound}" if found.bound else ""
    if found.flipping:
        return f"{flip(numbers, found.flipping[0])}{_others(len(found.flipping) - 1)}.{bound}"
    if found.strongest is None:
        return f"there is no attack to take away.{bound}"
    effect = found.strongest
    return (
        "no single attack turns the lead by strength; the one that bears most on it is "
        f"{_attack(effect)} (without it {ahead(numbers, effect.lead)}).{bound}"
    )


def flip(numbers: Numbers, effect: Effect) -> str:
    """Return what would be without an attack, as a clause."""
    return f"without {_attack(effect)} {ahead(numbers, effect.lead, 'would be')}"


def _attack(effect: Effect) -> str:
    return f"the attack of [{effect.attacker}] on [{effect.target}]"


def _others(number: int) -> str:
    return f"; {counted(number, 'other attack')} would do it too" if number else ""


def _strengths(numbers: Numbers, rows: Rows) -> Iterator[str]:
    weighing = numbers.weighing
    strongest = sorted(numbers.standings, key=lambda s: -weighing.strength(s.argument.id))
    shown = strongest if rows is None else strongest[: min(rows, _SHORT_LIST)]
    heads = ["Argument", "Side", "Title", "Strength:", "Score:", "Stands"]
    content = [table(heads, [_row(numbers, standing) for standing in shown])]
    if len(shown) < len(strongest):
        weaker = counted(len(strongest) - len(shown), "weaker argument")
        content.append(f"{weaker} left out here: the page would be too long.")
    yield from folded("Strength of each argument, the strongest first", content, len(shown))


def _row(numbers: Numbers, standing: Standing) -> list[str]:
    argument = standing.argument
    return [
        f"[{argument.id}]",
        numbers.kind.sides.get(argument.side, argument.side),
        inline(shorten(argument.title, CELL)),
        strength(numbers.weighing.strength(argument.id)),
        score(standing.score),
        numbers.weighing.fate(argument.id),
    ]
