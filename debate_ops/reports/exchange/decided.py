"""What decided a debate: the largest change of the lead, the extremes, the attacks left open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.flow_words import outcomes
from debate_ops.reports.exchange.numbers import Numbers, Round, Standing, lead
from debate_ops.reports.exchange.phrases import because, changes, reasons
from debate_ops.reports.markdown import bullets
from debate_ops.reports.phrases import CELL, REASON, some
from debate_ops.reports.text import inline, score, shorten


def decided(numbers: Numbers) -> Iterator[str]:
    """Yield the part of the page that says what the numbers turn on."""
    if not numbers.scored:
        return
    yield "## What decided it"
    yield bullets(
        [
            *_swing(numbers),
            *_extreme("Highest score", words.strongest(numbers.scored)),
            *_extreme("Lowest score", words.weakest(numbers.scored)),
            *_largest_rescore(numbers),
            f"**Replies:** {outcomes(numbers.flow)}",
        ]
    )


def _swing(numbers: Numbers) -> Iterator[str]:
    """Yield the exchange that moved the lead most; the opening only where nothing came later."""
    later = [r for r in numbers.judged if r.exchange]
    largest = max(later or numbers.judged, key=lambda r: abs(_moved(r)))
    moved = _moved(largest)
    if moved:
        sides = numbers.kind.sides
        changed = ", ".join(f"{name} {score(largest.change(side))}" for side, name in sides.items())
        gainer = list(sides.values())[0 if moved > 0 else 1]
        by = score(abs(moved)).removeprefix("+")
        yield (
            f"**Largest change of the lead:** {reasons(numbers, largest)}, by {by} towards the "
            f"{gainer} ({changed})."
        )


def _moved(r: Round) -> int:
    return lead({side: r.change(side) for side in r.totals})


def _extreme(what: str, standings: Sequence[Standing]) -> Iterator[str]:
    now = score(standings[0].score)
    if len(standings) > 1:
        names = some([f"[{s.argument.id}]" for s in standings])
        yield f"**{what}:** {now}, shared by {names}."
        return
    standing, mark = standings[0], standings[0].history[-1]
    title = inline(shorten(standing.argument.title, CELL))
    yield f"**{what}:** {now}, [{standing.argument.id}] {title}. {because(mark, REASON)}"


def _largest_rescore(numbers: Numbers) -> Iterator[str]:
    made = changes(numbers)
    if not made:
        return
    sizes = [abs(after.score - before.score) for _, before, after in made]
    standing, before, after = made[sizes.index(max(sizes))]
    which = f"Largest of {len(made)} rescores" if len(made) > 1 else "Rescore"
    others = sizes.count(max(sizes)) - 1
    equal = f" ({others} more changed as much)" if others else ""
    yield (
        f"**{which}:** {score(before.score)} → {score(after.score)} in "
        f"{words.named(numbers, after.exchange)}, [{standing.argument.id}]{equal}. "
        f"{because(after, REASON)}"
    )
