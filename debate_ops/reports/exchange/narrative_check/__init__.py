"""Holds a narrative against the record: whatever it says that a program can check.

A fault refuses the narrative, a warning leaves it to its author. What stands in quotation marks
is held to the record as a quotation and is not read as the narrator's own words. Numbers in
digits, ids, scores and quotations are checked in any language; what hangs on words (who attacks
whom, who is ahead, numbers spelled out) is read in English. The rules, a module for each family:

- `ids`: every word like `name_001` is an id on record, spelt as there. An argument called one of
  a side is of that side; one said to speak in an exchange is of that exchange.
- `owners`, `scores`: a number with a sign or two decimals is a score. It belongs to the id or
  side named last before it, or in brackets after it, and has to be a score of that one: at the
  exchange named with it, the first after `began`, the last after `ended`; after `from X to Y`
  and `by X` a change of it, the way that the verb says. Where another id, `it` or the object of
  another verb stands between, it has to be a value of what the paragraph has named: another
  value on record is a warning, any other a fault. After `total` it is a total.
- `leads`: a number after `ahead by`, `lead of`, `gap` and the like is the lead; a side said to
  lead, win or trail does so; so with how often the lead changed hands, and with `both below zero`.
- `counts`: a number of arguments, attacks, exchanges, rescores, judges, sources is one on record:
  of the part that the clause names (a state, an id, a side, an exchange), else of any part.
- `amounts`: any other number, in digits or spelled out, stands in a text on record, and a whole
  one before a word that the texts number stands there before that word. Percentages and years
  too; shares and multiples (`a third of`, `twice as many`) stand there word for word. Free are
  `one`, and up to twelve the account's own divisions: `two issues`, `the third point`.
- `links`: `A attacked B`, `B was answered by A`, `A's defence of B` and what they deny agree with
  the links on record; so do `dropped`, `unanswered`, `never attacked` and `conceded`. What
  would, could or might have been is not checked.
- `moves`: an argument said to be rescored, raised or lowered, or never so, was it, in the exchange
  named; so with `rose` and `fell`, with `ended below where it began`, with positive and negative,
  and with a lead that grew, shrank or was largest. A passive `raised` is a warning.
- `tallies`: how often one was attacked, what each side made or opened with, what a side left
  unanswered or dropped, and whether it conceded, agree with the links on record.
- `ranks`: the highest, lowest, strongest, largest is so among all or on its side, in the end, at
  first or at any time; so are `higher than` and `outscored`.
- `quotations`: words in any quotation marks, or after `>`, stand in one text, whole and in order
  around what is left out. After an id, a side or the judge and a verb of saying, next to a name,
  or with one in brackets after them, they are the words of that one; else a doubt is a warning.
- `form`: no tags, links, addresses, code or hidden characters; warnings for parts and length.
"""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check import (
    amounts,
    form,
    ids,
    leads,
    links,
    moves,
    owners,
    prose,
    quotations,
    ranks,
    tallies,
)
from debate_ops.reports.exchange.narrative_check.record import Known
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.report import Findings

_WARNINGS = "unsure"


def check(text: str, numbers: Numbers) -> tuple[Findings, Findings]:
    """Return (faults, warnings): what is not on record, and what is unsure or not as asked for."""
    if not text.strip():
        return (Finding("blank", "the narrative is blank"),), ()
    known = Known(numbers)
    found = [*form.markup(text), *quotations.emphasised(text, known), *_said(text, known)]
    unsure = [finding for finding in found if finding.code.startswith(_WARNINGS)]
    faults = [finding for finding in found if finding not in unsure]
    warnings = [*unsure, *form.parts(text), *form.length(text)]
    return tuple(sorted(faults, key=_place)), tuple(sorted(warnings, key=_place))


def _said(text: str, known: Known) -> Iterator[Finding]:
    for block in prose.blocks(text):
        yield from quotations.check(block, text, known)
        for reading in owners.readings(block, known):
            yield from ids.check(reading.sentence, text, known)
            yield from amounts.check(reading, text)
            yield from links.check(reading.sentence, text, known)
            yield from leads.claims(reading.sentence, text, known)
            yield from ranks.check(reading, text)
            yield from moves.check(reading, text)
            yield from tallies.check(reading, text)


def _place(finding: Finding) -> tuple[int, int]:
    return finding.line, finding.column
