"""Holds a narrative against the record: its ids, its numbers, its quotations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.score import Millis, to_millis
from debate_ops.reports.exchange.facts import said
from debate_ops.reports.exchange.numbers import Numbers, lead
from debate_ops.reports.report import Findings
from debate_ops.reports.text import shorten

LENGTH = (500, 600)
PARTS = 4

_SMALL = 12
"""Numbers up to this are counts in passing (`3 reasons`), unless they count entries."""

_YEARS = range(1900, 2100)
_QUOTED_WORDS = 4
_WORD_LENGTH = 20
_SHOWN = 90

_ID = re.compile(r"\b([a-z]+)_(\w+)((?:-\w+)*)", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[+\-\N{MINUS SIGN}\N{EN DASH}]?)(?P<number>[0-9]+(?:[.,][0-9]+)*)"
    r"(?P<percent>\s?%|\s?per\s?cent\b)?(?P<ordinal>(?:st|nd|rd|th)\b)?",
    re.IGNORECASE,
)
_FINE = re.compile(r"\.[0-9]{2,3}\Z")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?\Z")
_COUNTED = re.compile(r"\s(?:new\s)?(argument|exchange|attack|rescore|absence)s?\b", re.IGNORECASE)
_EXCHANGE = re.compile(r"\bexchanges?\s\Z", re.IGNORECASE)
_QUOTATION = re.compile('“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|"([^"\n]*(?:\n[^"\n]+)*)"|「([^」]*)」')
_LEFT_OUT = re.compile(r"…|\.\.\.|\[[^\]]*\]")
_MARKUP = re.compile(r"<!--|<(?=[A-Za-z/!?])|!\[|\]\(|^[ ]{0,3}(?:```|~~~)", re.MULTILINE)
_PART = re.compile(r"^##[ \t]+\S", re.MULTILINE)
_HEADING = re.compile(r"^#.*$", re.MULTILINE)


class Known(NamedTuple):
    """What is on record, in the forms that a narrative is compared in."""

    ids: frozenset[str]
    scores: frozenset[int]
    numbers: frozenset[str]
    signed: frozenset[str]
    percents: frozenset[str]
    counts: Mapping[str, frozenset[int]]
    last_exchange: int
    words: str


def check(text: str, numbers: Numbers) -> tuple[Findings, Findings]:
    """Return (faults, warnings): what is not on record, and what is not as was asked for."""
    known = _known(numbers)
    if not text.strip():
        return (Finding("blank", "the narrative is blank"),), ()
    faults = [*_markup(text), *_ids(text, known), *_numbers(text, known), *_quotations(text, known)]
    warnings = [*_years(text, known), *_parts(text), *_length(text)]
    return tuple(sorted(faults, key=_place)), tuple(sorted(warnings, key=_place))


def _place(finding: Finding) -> tuple[int, int]:
    return finding.line, finding.column


# ---------------------------------------------------------------- what is on record


def _known(numbers: Numbers) -> Known:
    texts = [*said(numbers), numbers.debate.created, str(dict(numbers.debate.replay_of or {}))]
    tokens = [match for text in texts for match in _NUMBER.finditer(text)]
    counts = _counts(numbers)
    arguments = (standing.argument.id for standing in numbers.standings)
    return Known(
        ids=frozenset([*arguments, *numbers.judgments]),
        scores=frozenset(_scores(numbers)),
        numbers=frozenset(
            [*(_plain(m["number"]) for m in tokens), *(str(n) for c in counts.values() for n in c)]
        ),
        signed=frozenset(_sign(m) + _plain(m["number"]) for m in tokens),
        percents=frozenset(_plain(m["number"]) for m in tokens if m["percent"]),
        counts=counts,
        last_exchange=len(numbers.rounds) - 1,
        words=" \x1f ".join(map(_bare, texts)),
    )


def _scores(numbers: Numbers) -> Iterator[int]:
    for standing in numbers.standings:
        yield from (mark.score for mark in standing.history)
        yield from (after.score - before.score for before, after in standing.rescores)
    for r in numbers.rounds:
        for side in r.totals:
            yield from (r.totals[side], r.new[side], r.rescored[side], r.change(side))
        changes = {side: r.change(side) for side in r.totals}
        for ahead in (lead(r.totals), lead(changes)):
            yield from (ahead, -ahead)
        yield sum(r.totals.values())
    yield from numbers.totals.values()
    yield from (lead(numbers.totals), -lead(numbers.totals), sum(numbers.totals.values()))


def _counts(numbers: Numbers) -> dict[str, frozenset[int]]:
    """Return how many there are of what a narrative may count; wholes and their obvious parts."""
    standings = numbers.standings
    sides = Counter(s.argument.side for s in standings)
    exchanges = Counter(s.argument.exchange for s in standings)
    openings = Counter((s.argument.side, s.argument.exchange) for s in standings)
    states = [attack.state for attack in numbers.attacks]
    rescores = sum(len(s.rescores) for s in standings)
    held = {len(numbers.rounds), len(numbers.judged)}
    return {
        "argument": frozenset(
            {len(standings), len(numbers.scored), len(numbers.never_attacked)}
            | {*sides.values(), *exchanges.values(), *openings.values()}
        ),
        "exchange": frozenset(held | {number - 1 for number in held}),
        "attack": frozenset({len(states)} | {states.count(state) for state in states}),
        "rescore": frozenset({rescores}),
        "absence": frozenset({len(numbers.absences)}),
    }


# ---------------------------------------------------------------- what the narrative says


def _markup(text: str) -> Iterator[Finding]:
    kinds = {"<": "an HTML tag or comment", "!": "a picture", "]": "a link"}
    for match in _MARKUP.finditer(text):
        found = match[0].strip()
        message = f"{kinds.get(found[0], 'a code fence')} does not belong in a narrative"
        yield _at(text, match.start(), Finding("markup", message, found=found))


def _ids(text: str, known: Known) -> Iterator[Finding]:
    participants = {entry_id.partition("_")[0] for entry_id in known.ids} | {"prop", "opp", "judge"}
    for match in _ID.finditer(text):
        name = f"{match[1]}_{match[2]}"
        if match[1].lower() in participants and not {name, match[0]} & known.ids:
            fault = Finding("unknown_id", f"{name} is not on record", found=name, wanted=_AN_ID)
            yield _at(text, match.start(), fault)


_AN_ID = "an id as it stands in the record"


def _numbers(text: str, known: Known) -> Iterator[Finding]:
    for match in _NUMBER.finditer(text):
        wanted = "" if match["ordinal"] else _fault(text, match, known)
        if wanted:
            found = match[0].strip()
            message = f"{found} is not on record"
            fault = Finding("unknown_number", message, found=found, wanted=wanted)
            yield _at(text, match.start(), fault)


_AS_IN_FACTS = "a number as it stands in the facts, or as an argument gives it"


def _fault(text: str, match: re.Match[str], known: Known) -> str:
    """Return what is wanted in the place of a number, or an empty string where it may stand."""
    number = _plain(match["number"])
    if match["percent"]:
        return "" if number in known.percents else "a percentage that an argument gives"
    if match["sign"] or _FINE.search(number):
        return "" if _is_score(match, number, known) else _AS_IN_FACTS
    if number.isdigit():
        return _count_fault(text, match, int(number), known)
    return "" if number in known.numbers or _is_score(match, number, known) else _AS_IN_FACTS


def _is_score(match: re.Match[str], number: str, known: Known) -> bool:
    sign = _sign(match)
    if sign:
        score = _millis(sign.removeprefix("+") + number)
        return score in known.scores or sign + number in known.signed
    score = _millis(number)
    return number in known.numbers or score in known.scores or _negative(score) in known.scores


def _count_fault(text: str, match: re.Match[str], number: int, known: Known) -> str:
    counted = _COUNTED.match(text, match.end())
    if _EXCHANGE.search(text, 0, match.start()):
        last = known.last_exchange
        return "" if number <= last else f"the number of an exchange held, at most {last}"
    if counted:
        noun = counted[1].lower()
        counts = known.counts[noun]
        if number in counts or number <= min(_SMALL, max(counts, default=0)):
            return ""
        return f"how many {noun}s there are: {', '.join(map(str, sorted(counts)))}"
    passing = number <= _SMALL or number in _YEARS or str(number) in known.numbers
    return "" if passing else _AS_IN_FACTS


def _years(text: str, known: Known) -> Iterator[Finding]:
    for match in _NUMBER.finditer(text):
        number = match["number"]
        if number.isdigit() and int(number) in _YEARS and number not in known.numbers:
            message = f"the year {number} is not on record"
            yield _at(text, match.start(), Finding("unknown_year", message, found=number))


def _quotations(text: str, known: Known) -> Iterator[Finding]:
    for match in _QUOTATION.finditer(text):
        quoted = next(filter(None, match.groups()), "")
        pieces = map(_trimmed, _LEFT_OUT.split(quoted))
        if len(quoted.split()) >= _QUOTED_WORDS and not all(p in known.words for p in pieces):
            fault = Finding(
                "unknown_quotation",
                "these words do not stand in the record",
                found=shorten(quoted, _SHOWN),
                wanted="words as an argument or the judge has them, or no quotation marks",
            )
            yield _at(text, match.start(), fault)


def _trimmed(piece: str) -> str:
    return _bare(piece).strip(" .,;:!?")


def _parts(text: str) -> Iterator[Finding]:
    parts = len(_PART.findall(text))
    if parts != PARTS:
        message = f"the narrative has {parts} parts under headings of the second level"
        yield Finding("report_parts", message, found=str(parts), wanted=str(PARTS))


def _length(text: str) -> Iterator[Finding]:
    words = _HEADING.sub("", text).split()
    if not words or sum(map(len, words)) / len(words) > _WORD_LENGTH:
        return  # a language that sets no spaces between words
    least, most = LENGTH
    if not least <= len(words) <= most:
        message = f"the narrative has {len(words)} words, wanted {least} to {most}"
        yield Finding("report_length", message, found=f"{len(words)} words")


# ---------------------------------------------------------------- forms


def _plain(number: str) -> str:
    """Return a number without marks between thousands, and with a point before its decimals.

    >>> _plain("1,234.5"), _plain("0,35")
    ('1234.5', '0.35')
    """
    if _THOUSANDS.match(number) and not number.startswith("0"):
        return number.replace(",", "")
    return number.replace(",", ".") if number.count(",") == 1 and "." not in number else number


def _sign(match: re.Match[str]) -> str:
    return "-" if match["sign"] and match["sign"] != "+" else match["sign"]


def _millis(number: str) -> Millis | None:
    try:
        return to_millis(Decimal(number))
    except InvalidOperation:
        return None


def _negative(score: Millis | None) -> int | None:
    return None if score is None else -score


# Typewriter, English, German and French quotation marks, and what Markdown sets words off with.
_QUOTE_MARKS = re.compile("[\"'\u2018-\u201f\u00ab\u00bb`*_]")
_DASHES = re.compile("[\\-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]")


def _bare(text: str) -> str:
    """Return words as they are compared: without marks, in small letters, one space between."""
    return " ".join(_DASHES.sub("-", _QUOTE_MARKS.sub("", text)).casefold().split())


def _at(text: str, offset: int, finding: Finding) -> Finding:
    """Return a finding with the line and column of where it is."""
    line = text.count("\n", 0, offset) + 1
    return finding._replace(line=line, column=offset - text.rfind("\n", 0, offset))
