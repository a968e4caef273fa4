"""The tables of the page: totals, arguments, attacks, changed scores, sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from debate_ops.reports.exchange import flow_table, flow_words, words
from debate_ops.reports.exchange.kind import SCORES
from debate_ops.reports.exchange.map_facts import fates
from debate_ops.reports.exchange.numbers import (
    Mark,
    Numbers,
    Round,
    Source,
    Standing,
    component,
    sources,
)
from debate_ops.reports.exchange.phrases import CLAIM, because, changes, reasons
from debate_ops.reports.given import Rows
from debate_ops.reports.markdown import bullets, cited, fold, references, table
from debate_ops.reports.parts import Parts, Shown
from debate_ops.reports.phrases import (
    CELL,
    LONG_REASON,
    REASON,
    folded,
    left_out,
    newest,
)
from debate_ops.reports.text import counted, inline, score, shorten
from debate_ops.semantics.flow import RULE, Attack


def rounds(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield the first picture in numbers."""
    if not numbers.judged:
        return
    shown, more = newest(numbers.judged, rows)
    heads = ["After"]
    for name in numbers.kind.sides.values():
        heads += [f"{name.capitalize()}:", "by new arguments:", "by rescores:"]
    content = table(heads, [_round(numbers, r) for r in shown])
    yield fold("Scores by exchange, in numbers", content, *left_out(more, "exchange"))


def _round(numbers: Numbers, r: Round) -> list[str]:
    cells = [reasons(numbers, r)]
    for side in numbers.kind.sides:
        rescored = score(r.rescored[side]) if r.rescored[side] else ""
        cells += [score(r.totals[side]), score(r.new[side]), rescored]
    return cells


def arguments(numbers: Numbers, rows: Rows) -> Parts:
    """Yield the arguments, how they stand, and who attacks and defends them."""
    yield "## Arguments"
    if not numbers.standings:
        yield "There are none yet."
        return
    yield Shown(SCORES, words.scores_alt(numbers))
    yield from _claims(numbers, rows)
    states = fates(numbers)
    changed = any(s.rescores for s in numbers.standings)
    heads = ["Argument", "Side", "Title", "Score:", *(["Earlier"] if changed else [])]
    heads += ["Attacked by", "Defended by", "Attacks on it"]
    shown, more = newest(numbers.standings, rows)
    lines = []
    for standing in shown:
        before = [_earlier(standing)] if changed else []
        links = [references(standing.attacked_by), references(standing.defended_by)]
        state = states[standing.argument.id].words
        lines.append([*_argument(numbers, standing), *before, *links, state])
    yield table(heads, lines)
    yield from left_out(more, "argument")
    yield "An id leads to the argument, a score to the judge's reasons."


def _claims(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield what each argument claims, by side."""
    for side, name in numbers.kind.sides.items():
        own = [s for s in numbers.standings if s.argument.side == side]
        shown, more = newest(own, rows)
        if not shown:
            continue
        total = f" (total {score(numbers.totals[side])})" if numbers.judged else ""
        yield f"**{name.capitalize()}**{total}"
        yield bullets(map(_claim, shown))
        yield from left_out(more, "argument")


def _claim(standing: Standing) -> str:
    argument = standing.argument
    title = inline(shorten(argument.title, CELL))
    named = f"[{argument.id}] **{title}**" if title else f"[{argument.id}]"
    return f"{named} ({score(standing.score)}): {inline(shorten(argument.claim, CLAIM))}"


def _argument(numbers: Numbers, standing: Standing) -> list[str]:
    argument = standing.argument
    return [
        f"[{argument.id}]",
        numbers.kind.sides.get(argument.side, argument.side),
        inline(shorten(argument.title, CELL)),
        _linked(standing.history[-1]) if standing.history else score(None),
    ]


def _earlier(standing: Standing) -> str:
    return " → ".join(map(_linked, standing.history[:-1]))


def _linked(mark: Mark) -> str:
    return f"[{score(mark.score)}][{mark.judgment}]"


def attacks(numbers: Numbers, rows: Rows) -> Parts:
    """Yield the flow: the threads, each attack and how it was answered, and the rule."""
    if not numbers.standings:
        return
    yield "## Flow"
    yield " ".join(flow_words.tally(numbers.flow, references))
    yield RULE
    if not numbers.attacks:
        return
    yield from flow_table.sheet(numbers, rows)
    yield from _answers(numbers, rows)


def _answers(numbers: Numbers, rows: Rows) -> Iterator[str]:
    pairs = [list(group) for _, group in groupby(numbers.attacks, lambda a: (a.attacker, a.target))]
    yield "### Attacks and how each was answered"
    if len(pairs) < len(numbers.attacks):
        yield (
            "Attacks of one argument on several parts of another share a row: "
            f"{len(numbers.attacks)} attacks in {counted(len(pairs), 'row')}."
        )
    shown, more = newest(pairs, rows)
    heads = ["Attack", "On", "In", "Defended by", "Counter-attacked by", "Conceded by", "State"]
    content = [table(heads, [_attack(numbers, pair) for pair in shown]), *left_out(more, "attack")]
    yield from folded("Each attack and its answers", content, len(shown))


def _attack(numbers: Numbers, pair: Sequence[Attack]) -> list[str]:
    """Return the row of one argument's attacks on another: they have the same answers."""
    first = pair[0]
    hit = ", ".join(dict.fromkeys(inline(shorten(component(a), CELL)) for a in pair))
    return [
        f"[{first.attacker}]",
        f"[{first.target}]{f', {hit}' if hit else ''}",
        numbers.kind.place(first.exchange),
        references(first.defended_by),
        references(first.countered_by),
        references(first.conceded_by),
        first.words,
    ]


def rescores(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield every change of a score, with the judge's reason."""
    made = changes(numbers)
    if not made:
        return
    yield "## Scores that were changed"
    changed, earlier = newest([s for s in numbers.standings if s.rescores], rows)
    yield bullets(_course(numbers, standing) for standing in changed)
    yield from left_out(earlier, "argument")
    shown, more = newest(made, rows)
    length = LONG_REASON if rows is None else REASON
    content = [
        bullets(
            f"[{s.argument.id}] from {score(before.score)} to {score(after.score)} in "
            f"{words.named(numbers, after.exchange)}. {because(after, length)}"
            for s, before, after in shown
        ),
        *left_out(more, "change"),
    ]
    yield fold(f"{counted(len(made), 'change')} with the judge's reasons", *content)


def _course(numbers: Numbers, standing: Standing) -> str:
    """Return every score that an argument has had, and when it was changed."""
    first, *later = standing.history
    told = [f"{score(mark.score)} ({words.named(numbers, mark.exchange)})" for mark in later]
    return f"[{standing.argument.id}] {' → '.join([score(first.score), *told])}"


def cited_sources(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield what the debaters cite."""
    if not numbers.standings:
        return
    found = sources(numbers.standings)
    own = [source for source in found if source.text.casefold() in _OWN]
    others = [source for source in found if source not in own]
    yield "## Sources"
    yield "As cited by the debaters, not checked." if others else "None were cited."
    if others:
        shown, more = newest(others, rows)
        content = [
            bullets(f"{cited(source.text)} ({_citing(source, rows)})" for source in shown),
            *left_out(more, "source"),
        ]
        yield from folded(counted(len(others), "source"), content, len(shown))
    for source in own:
        yield f"Grounds of the debaters' own reasoning: {_citing(source, rows)}."


def _citing(source: Source, rows: Rows) -> str:
    """Return the arguments that cite a source, the newest of many."""
    ids, more = newest(source.cited_by, rows)
    return f"{references(ids)}{f' and {more} earlier ones' if more else ''}"


_OWN = frozenset({"reasoning", "own reasoning"})
