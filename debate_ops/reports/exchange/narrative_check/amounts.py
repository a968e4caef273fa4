"""Numbers that are no scores: counts of what is on record, exchanges, years, and all others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check import counts, scores
from debate_ops.reports.exchange.narrative_check.figures import Figure, listed
from debate_ops.reports.exchange.narrative_check.owners import Reading
from debate_ops.reports.exchange.narrative_check.record import Known, bare

_YEARS = range(1900, 2100)
_FEW = 12
_OWN = listed(
    """
    issue question point reason matter theme strand thread front side way respect part half step
    stage kind form sense moment line concern idea topic camp reading clash answer thing time
    proposal team debater participant word sentence other of more and or
    """
)
"""What a narrator may count up to twelve: the account's own divisions, not what is on record."""

_MEANT = listed(
    """
    the these those its their all both other same last first next
    """
)
_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]++)\s\Z")
_EXCHANGES = re.compile(
    r"\bexchanges?\s(?:[0-9a-z]+(?:,\s|\sand\s|,\sand\s|\sor\s|\sto\s|\s?[-\N{EN DASH}]\s?))*\Z",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"\bexchanges?\s(?P<roman>[IVX]+)\b")
_SHARE = re.compile(
    r"\b(?:twice|thrice|double|triple|quadruple)\sas\s(?:many|much)"
    r"|\b(?:[a-z]+|[0-9]+)\stimes\s(?:as|more|fewer|higher|lower|larger|stronger)\b"
    r"|\b(?:doubled|tripled|trebled|halved|quadrupled)\b|\b[0-9a-z]+-?fold\b(?<=\dfold|[a-z]fold)"
    r"|\b(?:dozens|scores|hundreds|thousands|millions|billions)\sof\b"
    r"|\b(?:a|one|two|three|four)[\s-](?:half|halves|thirds?|quarters?|fourths?|fifths?|tenths?)\sof\b"
    r"|\bhalf\s(?:of\s)?(?:the|its|all|their)\s(?:attacks|arguments|scores?|rescores|points|exchanges)\b"
    r"|\bmost\sof\sthe\s(?:attacks|arguments|rescores|exchanges)\b"
    r"|\b(?:majority|minority)\sof\sthe\s(?:attacks|arguments|rescores|exchanges)\b",
    re.IGNORECASE,
)
_POINT = re.compile(
    r"\b(?:zero|nought|one|minus)\spoint\s(?:zero|one|two|three|four|five|six|seven|eight|nine)\b",
    re.IGNORECASE,
)
_NO_DIGIT = re.compile(r"[^\W\d_]?[¼½¾⅐-⅞⅟-ↈ①-⓿⁰-₉²³¹]")
_NAME = re.compile(r"\b[^\W\d_]+[0-9]\w*")
_AS_IN_FACTS = "a number as it stands in the facts, or as an argument gives it"


def check(reading: Reading, text: str) -> Iterator[Finding]:
    """Yield what is wrong with the numbers of a sentence."""
    for figure in reading.figures:
        found = _figure(figure, reading)
        if found:
            yield reading.sentence.finding(text, figure.start, found)
    for offset, found in (*_shares(reading), *_names(reading), *counts.times(reading)):
        yield reading.sentence.finding(text, offset, found)


def _figure(figure: Figure, reading: Reading) -> Finding | None:
    known = reading.known
    if figure.percent:
        return _percent(figure, known)
    if _EXCHANGES.search(reading.text, 0, figure.start) and not figure.sign and not figure.ordinal:
        return _exchange(figure, known, least=0)
    if figure.ordinal:
        return _ordinal(figure, known)
    if scores.is_score(figure, reading):
        return scores.check(figure, reading)
    noun = counts.noun(figure, reading)
    return counts.check(figure, noun, reading) if noun else _other(figure, reading)


def _percent(figure: Figure, known: Known) -> Finding | None:
    given = figure.number in known.percents
    return None if given else _unknown(figure, "a percentage that an argument gives")


def _exchange(figure: Figure, known: Known, least: int) -> Finding | None:
    number, last = figure.whole, known.last_exchange
    if number is None or least <= number <= last:
        return None
    return _unknown(figure, f"the number of an exchange held, at most {last}")


def _ordinal(figure: Figure, known: Known) -> Finding | None:
    number = figure.whole or 0
    noun = next((word for word in figure.near[:2] if word in counts.NOUNS), "")
    if noun == "exchange":
        return _exchange(figure, known, least=1)
    if noun:
        most = counts.whole(noun, known)
        return None if number <= most else _unknown(figure, f"at most {most}")
    if number <= _FEW or figure.number in known.near:
        return None
    return _unknown(figure, _AS_IN_FACTS)


def _other(figure: Figure, reading: Reading) -> Finding | None:
    """Hold any other number to the texts on record, together with the word after it."""
    known, noun = reading.known, figure.near[0] if figure.near else ""
    near = known.near.get(figure.number)
    if (figure.spelled and figure.number in {"0", "1"}) or (
        near and near.intersection(figure.near)
    ):
        return None
    if (
        figure.whole is not None
        and figure.whole <= _FEW
        and any(word in _OWN for word in figure.near[:2])
    ):
        return None
    if figure.sign and figure.sign + figure.number not in known.with_sign:
        return _unknown(figure, _AS_IN_FACTS)
    if near is None:
        is_year = figure.whole in _YEARS
        return _unknown(figure, "a year that an argument gives" if is_year else _AS_IN_FACTS)
    others = known.numbered.get(noun, frozenset()) - {"1"}
    if not others or figure.whole is None or figure.whole in _YEARS:
        return None
    before = _BEFORE.search(reading.text, 0, figure.start)
    found = figure.text.strip()
    message = f"{found} is on record, but not before {noun!r}"
    wanted = f"{', '.join(sorted(others))}, as the record has it"
    meant = before is not None and before[1].casefold() in _MEANT
    code = "unsure_number" if meant else "unknown_number"
    return Finding(code, message, found=found, wanted=wanted)


def _shares(reading: Reading) -> Iterator[tuple[int, Finding]]:
    """Yield shares and multiples that nobody on record gives."""
    known = reading.known
    for pattern in (_SHARE, _POINT, _NO_DIGIT):
        for match in pattern.finditer(reading.text):
            if bare(match[0]) not in known.words:
                message = f"{match[0]!r} is a number that the record does not give"
                found = Finding("unknown_number", message, found=match[0], wanted=_AS_IN_FACTS)
                yield match.start(), found
    for match in _ROMAN.finditer(reading.text):
        message = "an exchange is named by a number in digits"
        wanted = f"the number of an exchange held, at most {known.last_exchange}"
        yield match.start(), Finding("unknown_number", message, found=match[0], wanted=wanted)


def _names(reading: Reading) -> Iterator[tuple[int, Finding]]:
    """Yield names with digits in them, like `UT1`, that nobody on record uses."""
    for match in _NAME.finditer(reading.text):
        if bare(match[0]) not in reading.known.words:
            message = f"the name {match[0]} is not on record"
            yield match.start(), Finding("unsure_number", message, found=match[0])


def _unknown(figure: Figure, wanted: str) -> Finding:
    found = figure.text.strip()
    return Finding("unknown_number", f"{found} is not on record", found=found, wanted=wanted)
