"""Who is ahead, by how much, and how often that changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

from debate_ops.errors import Finding
from debate_ops.model.score import signed
from debate_ops.reports.exchange.narrative_check.figures import Figure, figures
from debate_ops.reports.exchange.narrative_check.mentions import (
    ARGUMENT,
    When,
    named_exchange,
)
from debate_ops.reports.exchange.narrative_check.owners import Reading
from debate_ops.reports.exchange.narrative_check.prose import Sentence
from debate_ops.reports.exchange.narrative_check.record import Known, leading

_BEFORE = re.compile(
    r"\b(?:(?:ahead|leads|led|leading|behind|trails|trailed|trailing|wins|won)\b[^.;:0-9]{0,30}?\bby"
    r"|(?:lead|margin|gap|difference|advantage|edge)\b[^.;:0-9]{0,45}?"
    r"\b(?:of|was|is|to|at|from|by|stood|only))\s(?:only\s|just\s)?(?:[0-9.]+\sto\s)?\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s?(?:points?\s)?(?:ahead|behind|apart|lead|margin|gap|advantage)\b", re.IGNORECASE
)
_NOW = re.compile(
    r"\b(?:(?:is|are|now|stays|remains)\s(?:\w+\s)?(?:ahead|behind)|leads|wins|trails)\b[^.;:]{0,40}\Z",
    re.IGNORECASE,
)
_GREW = re.compile(r"\s[^.,;:0-9]{0,40}?\b(?:to|by)\s(?:only\s|just\s)?")
_TOP = re.compile(
    r"\b(?P<side>proposition|opposition)\s(?:came\sout\son\stop|outscored\sthe\s(?:proposition|opposition)|overtook|took\sthe\slead"
    r"|(?:scored|has|had|gained)\s(?:more\spoints|the\shigher\stotal|a\shigher\stotal))\b"
    r"|\b(?:victory|win|debate|verdict)\s(?:went|goes|belongs|belonged)\sto\sthe\s"
    r"(?P<side2>proposition|opposition)\b"
    r"|\bwinner\s(?:was|is)\sthe\s(?P<side3>proposition|opposition)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:(?P<none>no|none\sof\sthe)|every|all(?:\sof)?(?:\sthe)?|each)\s(?:[a-z]+\s|[0-9]+\s)?"
    r"arguments?\s(?:of\sthe\s(?P<side>proposition|opposition)\s)?(?:[a-z]+\s){0,3}(?P<way>above|below)\szero\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:narrow|widen|grew|grow|shrank|shrink|clos|increas|chang|reduc|fell|rose|extend)\w*"
    r"[^.;:0-9]{0,30}\bby\s\Z",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:would|could|might|may|if|whether|should|had\sit|not|never|neither|nor|no|nobody|without"
    r"|n't|unless|hardly|almost|nearly|until|either)\b|n't\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?P<side>proposition|opposition)(?:\sside)?(?P<gap>(?:,[^,;:]{1,60},)?(?:\s\w+){0,2}?)\s"
    r"(?P<verb>(?:is|are|was|stays|stayed|remains|remained|ends|ended|finished|came\sout|stands)\s"
    r"(?:\w+\s)?(?:ahead|in\sfront|in\sthe\slead)\b"
    r"|(?:is|was|remains|stands|ends|ended)\s(?:\w+\s)?(?:behind)\b"
    r"|leads\b|led\b(?!\s(?:to|with|the|by\s[a-z])\b)|trails\b|trailed\b|prevailed\b|prevails\b"
    r"|(?:has\s|had\s)?(?:wins|won|lost|loses)(?=\s*(?:[.,;:!]|\Z|the\sdebate|overall|on\spoints|on\stotals"
    r"|by\s(?:a\s|[0-9])|narrowly|clearly)))",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"behind|trail|los(?:t|es)", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|led|trailed|stayed|remained|had)\b", re.IGNORECASE)
_HANDS = re.compile(
    r"\blead\s(?:(?P<never>never|did\snot|didn't)\s)?(?:changed?|changing)\s(?:hands|sides)"
    r"(?:\s(?P<times>once|twice|thrice|(?:[a-z]+|[0-9]+)\stimes))?",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"\b(?:sides\s(?:are|end|ended|finished|stand)\s(?:level|tied|even)|ends?\s(?:in\sa\s)?(?:level|draw|tie)\b"
    r"|ended\s(?:in\sa\s)?(?:level|draw|tie)\b|totals\sare\s(?:level|equal|the\ssame))",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\bboth(?:\s(?:totals|sides|of\sthem))?(?:\s(?:are|were|stand|stood|ended|end|finished))?\s"
    r"(?P<way>below|above|under|over)\s(?:zero|0)\b",
    re.IGNORECASE,
)


def is_lead(figure: Figure, reading: Reading) -> bool:
    """Tell whether a number is said to be a lead of one side over the other."""
    if any(m.kind == ARGUMENT for m in reading.named if m.start < figure.start):
        return False
    place = reading.figures.index(figure)
    earlier = reading.figures[place - 1] if place else None
    grew = earlier and _GREW.fullmatch(reading.text[earlier.end : figure.start])
    if earlier and grew and _is_named_lead(earlier, reading.text):
        return True
    return _is_named_lead(figure, reading.text)


def _is_named_lead(figure: Figure, text: str) -> bool:
    after = bool(_AFTER.match(text, figure.end))
    return after or (not figure.sign and bool(_BEFORE.search(text, 0, figure.start)))


def check(figure: Figure, reading: Reading) -> Finding | None:
    """Return what is wrong with a number that is said to be a lead."""
    known = reading.known
    when = named_exchange(reading.text, figure.start, figure.end)
    values = _leads(known, when)
    if when is None and _NOW.search(reading.text, 0, figure.start):
        values = values[-1:]
    start = _from(figure, reading)
    if start is not None and start.millis is not None:
        pairs = set(combinations([abs(value) for _, value in known.lead.marks], 2))
        values = [value for value in values if (int(start.millis), abs(value)) in pairs]
    if figure.millis in {abs(v) for v in values}:
        return None
    if _MOVED.search(reading.text, 0, figure.start) and figure.millis in known.leads:
        return None
    found = figure.text.strip()
    wanted = ", then ".join(_written(known, value) for _, value in known.lead.marks)
    message = f"{found} is not the lead on record"
    return Finding("wrong_lead", message, found=found, wanted=wanted or "no lead: not judged yet")


def _from(figure: Figure, reading: Reading) -> Figure | None:
    """Return the lead after `from`, where this one stands after `to`."""
    place = reading.figures.index(figure)
    first = reading.figures[place - 1] if place else None
    if first is None or reading.text[first.end : figure.start].strip() != "to":
        return None
    return first if reading.text[: first.start].endswith("from ") else None


def claims(sentence: Sentence, text: str, known: Known) -> Iterator[Finding]:
    """Yield what is wrong with what a sentence says of the lead without a number."""
    for found in (_ahead, _on_top, _hands, _level, _both, _all):
        for offset, finding in found(sentence.text, known):
            yield sentence.finding(text, offset, finding)


def _ahead(text: str, known: Known) -> Iterator[tuple[int, Finding]]:
    sides = {name: side for side, name in known.sides.items()}
    for match in _AHEAD.finditer(text):
        clause = text[max(text.rfind(mark, 0, match.start()) for mark in ";:,") + 1 : match.end()]
        if _DOUBT.search(clause):
            continue
        name = match["side"].casefold()
        ahead = sides[name]
        if _BEHIND.search(match["verb"]):
            ahead = next(side for side in known.sides if side != ahead)
        values = _told_leads(text, match, known)
        if ahead not in {leading(known.sides, value) for value in values}:
            now = leading(known.sides, values[-1]) if values else ""
            wanted = f"the {known.sides[now]} is ahead" if now else "the sides are level"
            message = f"the record does not have the {known.sides[ahead]} ahead"
            yield match.start(), Finding("wrong_lead", message, found=match[0], wanted=wanted)


def _on_top(text: str, known: Known) -> Iterator[tuple[int, Finding]]:
    sides = {name: side for side, name in known.sides.items()}
    led = {leading(known.sides, value) for _, value in known.lead.marks}
    for match in _TOP.finditer(text):
        name = (match["side"] or match["side2"] or match["side3"]).casefold()
        if sides[name] in led or _DOUBT.search(text[: match.start()]):
            continue
        message = f"the record never has the {name} ahead"
        yield match.start(), Finding("wrong_lead", message, found=match[0])


def _all(text: str, known: Known) -> Iterator[tuple[int, Finding]]:
    sides = {name: side for side, name in known.sides.items()}
    for match in _ALL.finditer(text):
        side = sides.get((match["side"] or "").casefold(), "")
        scores = [s.score for s in known.scored(side) if s.score is not None]
        above = match["way"].casefold() == "above"
        some = [value for value in scores if (value > 0) == above and value]
        if len(some) != (0 if match["none"] else len(scores)):
            message = f"{len(some)} of {len(scores)} scores are {match['way'].casefold()} zero"
            yield match.start(), Finding("wrong_score", message, found=match[0], wanted=message)


def _told_leads(text: str, match: re.Match[str], known: Known) -> list[int]:
    """Return the leads that a clause may speak of: at an exchange, at any time, or now."""
    when = named_exchange(text, match.start(), match.end())
    number = next((f for f in figures(text[match.end() :])), None)
    if when is not None:
        return _leads(known, when)
    values = [value for _, value in known.lead.marks]
    if not _PAST.search(match["verb"]):
        values = values[-1:]
    if number and number.millis in set(map(abs, values)) and is_by(text, match, number):
        return [value for value in values if abs(value) == number.millis]
    return values


def is_by(text: str, match: re.Match[str], number: Figure) -> bool:
    """Tell whether a number right after a clause is the lead that the clause speaks of."""
    return bool(re.fullmatch(r"\s?by\s", text[match.end() : match.end() + number.start]))


def _leads(known: Known, when: When | None) -> list[int]:
    if when is None:
        return [value for _, value in known.lead.marks]
    standing = [known.lead.after(exchange) for exchange in when.standing]
    return [value for value in standing if value is not None]


def _hands(text: str, known: Known) -> Iterator[tuple[int, Finding]]:
    leaders = [leading(known.sides, value) for _, value in known.lead.marks if value]
    turns = sum(a != b for a, b in pairwise(leaders))
    for match in _HANDS.finditer(text):
        said = _times(match)
        if (
            said is None
            or said == turns
            or (match["times"] is None and not match["never"] and turns)
        ):
            continue
        wanted = f"{turns} times" if turns else "the lead never changed hands"
        message = "the lead did not change hands so often" if turns else wanted
        yield match.start(), Finding("wrong_lead", message, found=match[0], wanted=wanted)


def _times(match: re.Match[str]) -> int | None:
    if match["never"]:
        return 0
    if match["times"] is None:
        return -1
    number = figures(match["times"])
    return number[0].whole if number else None


def _level(text: str, known: Known) -> Iterator[tuple[int, Finding]]:
    for match in _LEVEL.finditer(text):
        if known.leader and not _DOUBT.search(text[: match.start()]):
            message = "the sides are not level"
            wanted = f"the {known.sides[known.leader]} is ahead"
            yield match.start(), Finding("wrong_lead", message, found=match[0], wanted=wanted)


def _both(text: str, known: Known) -> Iterator[tuple[int, Finding]]:
    totals = known.numbers.totals.values()
    for match in _BOTH.finditer(text):
        below = match["way"].casefold() in {"below", "under"}
        if any((value >= 0) if below else (value <= 0) for value in totals):
            wanted = ", ".join(map(signed, totals))
            message = f"not both totals are {match['way']} zero"
            yield match.start(), Finding("wrong_score", message, found=match[0], wanted=wanted)


def _written(known: Known, value: int) -> str:
    side = leading(known.sides, value)
    return f"{known.sides[side]} {signed(abs(value)).removeprefix('+')}" if side else "level"
