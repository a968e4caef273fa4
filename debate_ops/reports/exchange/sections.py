"""The record of a debate of two sides: pictures, scores, attacks, and which arguments survive."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import (
    Block,
    Fold,
    Line,
    Listing,
    Paragraph,
    Picture,
    Quiet,
    Ref,
    Section,
    Table,
    line,
)
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.argument_map import LEGEND
from debate_ops.reports.exchange.kind import LEAD, MAP, SCORES, SIDES, place_of
from debate_ops.reports.exchange.notes import notes
from debate_ops.reports.exchange.numbers import Numbers, Round, Standing, sources
from debate_ops.reports.exchange.view import ahead
from debate_ops.reports.text import score, shorten
from debate_ops.semantics.flow import RULE

_SCALE = (
    "A score runs from \N{MINUS SIGN}1 to +1 and says how far an argument is above or below the "
    "others of its exchange, whose scores sum to 0. Only the gap between the sides matters: "
    "negative totals are normal."
)
_SURVIVING = (
    "A second opinion, computed from the judge's scores and the links between the arguments; it "
    "changes no score. The strength of an argument, from 0 to 1, starts at its score (a score of 0 "
    "is 0.50), falls with the strength of what attacks it and rises with the strength of what "
    "supports it (DF-QuAD). An argument survives if it is unattacked, or defended by what survives "
    "(the grounded extension)."
)
_SOURCE = 400


def sections(numbers: Numbers) -> Iterator[Section]:
    """Yield the record, the pictures first."""
    if numbers.judged:
        lead = Picture(LEAD, words.lead_alt(numbers))
        table = Fold("Scores by exchange", (Paragraph(line(_SCALE)), _rounds(numbers)))
        yield Section("lead", "How the lead moved", (lead, table))
    if numbers.standings:
        legend = Paragraph(line(Quiet(LEGEND)))
        yield Section("map", "Map of the debate", (Picture(MAP, words.map_alt(numbers)), legend))
        yield Section("scores", "Scores and attacks", tuple(_scores(numbers)))
    cited = sources(numbers.standings)
    if cited:
        lines = tuple(
            line(shorten(text, _SOURCE), Quiet(" in "), *_references(ids))
            for text, ids in cited.items()
        )
        listing = Fold(f"{len(cited)} sources", (Listing(lines),))
        yield Section("sources", "What the arguments cite", (listing,))


def _rounds(numbers: Numbers) -> Table:
    names = [name.capitalize() for name in SIDES.values()]
    heads = ("After", *(h for name in names for h in (name, "new arguments", "revised scores")))
    return Table((*heads, "Lead"), tuple(_round(r) for r in numbers.judged))


def _round(r: Round) -> tuple[Line, ...]:
    cells = [line(Ref(r.judgment, place_of(r.exchange)))]
    for side in SIDES:
        revised = score(r.rescored[side]) if r.rescored[side] else ""
        cells += [line(score(r.totals[side])), line(score(r.new[side])), line(revised)]
    return (*cells, line(ahead(r.totals["prop"] - r.totals["opp"])))


def _scores(numbers: Numbers) -> Iterator[Block]:
    if numbers.scored:
        yield Picture(SCORES, words.scores_alt(numbers))
    shown = notes(numbers)
    rows = tuple(
        _argument(numbers, s, shown[s.argument.id].states) for s in _ordered(numbers.standings)
    )
    heads = ("Argument", "Side", "Score", "Strength", "Outcome")
    yield Fold("All arguments, the highest score first", (Table(heads, rows),))
    if numbers.attacks:
        yield Fold("When an attack counts as answered", (Paragraph(line(_plain(RULE))),))
        yield Fold("Which arguments survive, and their strength", tuple(_surviving(numbers)))


def _plain(rule: str) -> str:
    return one_line(rule.replace("*", ""))


def _ordered(standings: tuple[Standing, ...]) -> list[Standing]:
    return sorted(standings, key=lambda s: (s.score is None, -(s.score or 0)))


def _argument(numbers: Numbers, standing: Standing, states: tuple[str, ...]) -> tuple[Line, ...]:
    argument = standing.argument
    return (
        line(Ref(argument.id, argument.title)),
        line(SIDES.get(argument.side, argument.side)),
        line(" → ".join(score(mark.score) for mark in standing.history) or score(None)),
        line(f"{numbers.weighing.strength(argument.id):.2f}"),
        line(", ".join(states)),
    )


def _surviving(numbers: Numbers) -> Iterator[Block]:
    weighing = numbers.weighing
    yield Paragraph(line(_SURVIVING))
    facts = []
    for side, name in SIDES.items():
        own = [s.argument for s in numbers.standings if s.argument.side == side]
        kept = [a.id for a in own if weighing.stands(a.id)]
        facts.append(line(f"{len(kept)} of {len(own)} of the {name} survive: ", *_references(kept)))
    by = round(weighing.influence.lead * 1000)
    facts.append(line(f"By strength {ahead(by)}; by the judge's scores {_by_scores(numbers)}."))
    flipping = weighing.influence.flipping[:1]
    facts += [
        line(
            "Without the attack of ",
            Ref(effect.attacker),
            " on ",
            Ref(effect.target),
            f", {ahead(round(effect.lead * 1000))} by strength.",
        )
        for effect in flipping
    ]
    yield Listing(tuple(facts))


def _by_scores(numbers: Numbers) -> str:
    return ahead(numbers.totals["prop"] - numbers.totals["opp"])


def _references(ids: tuple[str, ...] | list[str]) -> Line:
    spans: list[Ref | str] = []
    for id_ in ids:
        spans += [", ", Ref(id_)] if spans else [Ref(id_)]
    return tuple(spans)
