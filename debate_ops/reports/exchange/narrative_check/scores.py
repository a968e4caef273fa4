"""Scores and totals: each held to the one that its sentence gives it to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check import leads
from debate_ops.reports.exchange.narrative_check.figures import Figure
from debate_ops.reports.exchange.narrative_check.mentions import (
    SIDE,
    Mention,
    When,
    named_exchange,
)
from debate_ops.reports.exchange.narrative_check.owners import (
    Owner,
    Reading,
    Role,
    follows,
    owner,
    role,
)
from debate_ops.reports.exchange.narrative_check.record import Course, Known

_FINE = 2
_TOTAL = re.compile(r"\b(?:totals?|overall|cumulative|sum)\b[^.;:+\-0-9]{0,45}\Z", re.IGNORECASE)
_ADDED = re.compile(
    r"(?:\b(?:proposition|opposition)|\b(?:scor|got|took|earn|won|receiv|new|which|rescor|chang)\w*)"
    r"\s?\(?\Z",
    re.IGNORECASE,
)
_BEGAN = re.compile(
    r"\b(?:began|begins|started|starts|opened|at\sfirst)[\s,]*(?:at\s|with\s)?\Z", re.IGNORECASE
)
_ENDED = re.compile(
    r"\b(?:ended|ends|closed|closes|finished|finishes|stands|is\snow)\s(?:[a-z,]+\s){0,4}\Z"
    r"|\b(?:ended|ends|closed|closes|finished|finishes)\s\(\Z",
    re.IGNORECASE,
)
_SCORED = re.compile(r"\bscor\w+\s(?:only\s)?\Z", re.IGNORECASE)
_AGAINST = re.compile(r"\s?(?:to|against|versus|vs\.?|over|and|,)\s?", re.IGNORECASE)
_TO_TOTAL = re.compile(r"\s?(?:to|against|versus)\s?", re.IGNORECASE)
_NO_NOUN = re.compile(r"\s?(?:[.,;:)!?]|\Z|(?:points?|and|but|in|after|by|while|from|to|at)\b)")
_AS_IN_FACTS = "a number as it stands in the facts, or as an argument gives it"
_FEW = 3
_PLAIN = Role()


def is_score(figure: Figure, reading: Reading) -> bool:
    """Tell whether a number is read as a score, and not as one that a text on record gives.

    A number with a sign, with two decimals, or (with fewer) right after an id or a side is one.
    """
    if figure.percent or figure.ordinal or figure.millis is None:
        return False
    near = reading.known.near.get(figure.number, frozenset())
    if figure.near and figure.near[0] in near and figure.near[0] != "point":
        return False
    if figure.sign or figure.decimals >= _FINE:
        return True
    if figure.decimals:
        return figure.number not in reading.known.near or follows(figure, reading)
    small = figure.number in {"0", "1"} and figure.text.casefold() not in {"one", "once"}
    ends = bool(_NO_NOUN.match(reading.text, figure.end))
    return small and ends and follows(figure, reading)


def check(figure: Figure, reading: Reading) -> Finding | None:
    """Return what is wrong with a score, or None: a fault, or a warning where it is unsure."""
    if leads.is_lead(figure, reading):
        return leads.check(figure, reading)
    whose = owner(figure, reading)
    first = _joined(figure, reading, _AGAINST)
    if _TOTAL.search(reading.text[: (first or figure).start]):
        return _total(figure, whose, reading)
    return _sure(figure, whose, reading) if whose.sure else _doubtful(figure, whose, reading)


def is_warning(finding: Finding) -> bool:
    """Tell whether a finding does not stop a narrative."""
    return finding.code.startswith("unsure")


def _sure(figure: Figure, whose: Owner, reading: Reading) -> Finding | None:
    known, said = reading.known, role(figure, reading)
    values = {v for m in whose.mentions for v in _values(m, figure, said, reading)}
    if figure.millis in values or _in_own_text(figure, whose, known):
        return None
    names = " or ".join(_name(m, known) for m in whose.mentions)
    what = "a change of the score" if said.by else "a score"
    message = f"{figure.text.strip()} is not {what} of {names}{_then(figure, reading)}"
    wanted = "; ".join(_told(m, known) for m in whose.mentions[:_FEW])
    return Finding("wrong_score", message, found=figure.text.strip(), wanted=wanted)


def _total(figure: Figure, whose: Owner, reading: Reading) -> Finding | None:
    known = reading.known
    sides = [m.name for m in whose.mentions if m.kind == SIDE] if whose.sure else []
    values = {v for side in sides for v in _of_total(side, figure, reading)}
    if not sides:
        said = role(figure, reading)
        values = {v for c in known.totals.values() for v in _at(c, figure, said, reading)}
    values |= {sum(r.totals.values()) for r in known.numbers.judged}
    pair = not sides and _joined(figure, reading, _AGAINST)
    if _is_other_total(figure, reading) or (figure.millis in values and not pair):
        return None
    wanted = "; ".join(f"{known.sides[s]}: {known.totals[s].told()}" for s in sides or known.sides)
    message = f"{figure.text.strip()} is not a total on record{_then(figure, reading)}"
    return Finding("wrong_score", message, found=figure.text.strip(), wanted=wanted)


def _doubtful(figure: Figure, whose: Owner, reading: Reading) -> Finding | None:
    """Hold a number to all that the paragraph has named; on record but not theirs is a warning."""
    known, score = reading.known, figure.millis
    said = role(figure, reading)
    near = {v for m in whose.mentions for v in _any(m, said, known)}
    near |= set() if figure.sign else known.leads
    if score in near:
        return None
    found = figure.text.strip()
    if score not in known.scores and figure.sign + figure.number not in _written(figure, known):
        message = f"{found} is not on record"
        return Finding("unknown_number", message, found=found, wanted=_AS_IN_FACTS)
    if not whose.mentions:
        return None
    message = f"{found} is on record, but not of what this paragraph has named so far"
    return Finding("unsure_score", message, found=found, wanted="the id before its score")


# ---------------------------------------------------------------- what a number may be


def _values(mention: Mention, figure: Figure, said: Role, reading: Reading) -> set[int]:
    """Return the values that a number may have if it is this argument's or this side's."""
    known = reading.known
    if mention.kind != SIDE:
        course = known.courses[mention.name]
        return (
            _changes(course.changes, figure, said)
            if said.by
            else _at(course, figure, said, reading)
        )
    if said.by:
        added = {v for r in known.numbers.judged for v in known.added(mention.name, r.exchange)}
        return _changes(added | known.totals[mention.name].changes, figure, said)
    values = _of_total(mention.name, figure, reading, said)
    if _is_other_total(figure, reading):
        return {figure.millis or 0}
    if said.before is None and _joined(figure, reading, _TO_TOTAL):
        return set()
    if not follows(figure, reading) or _SCORED.search(reading.text[: figure.start]):
        values |= {v for i in known.of_side(mention.name) for v in known.courses[i].values}
    return values


def _of_total(side: str, figure: Figure, reading: Reading, said: Role = _PLAIN) -> set[int]:
    known = reading.known
    when = _when(figure, reading)
    values = _at(known.totals[side], figure, said, reading)
    if said.way or said.before or not _ADDED.search(reading.text[: figure.start]):
        return values
    rounds = [
        r.exchange for r in known.numbers.judged if when is None or r.exchange == when.exchange
    ]
    return values | {v for exchange in rounds for v in known.added(side, exchange)}


def _at(course: Course, figure: Figure, said: Role, reading: Reading) -> set[int]:
    """Return the values that fit the exchange named, and the way that they are said to move."""
    values = set(course.values)
    when = _when(figure, reading)
    if when is not None:
        standing = {course.after(exchange) for exchange in when.standing}
        values = {v for v in standing if v is not None}
    if said.before is not None:
        start = said.before.millis
        return {v for v in values if start is not None and course.moved(start, v)}
    if said.way:
        return {v for v in values if course.reached(v, said.way)}
    return values if when else _first_or_last(course, figure, reading)


def _first_or_last(course: Course, figure: Figure, reading: Reading) -> set[int]:
    """Return what it had, at the beginning or in the end if the words say so."""
    before = reading.text[: figure.start]
    if course.marks and _BEGAN.search(before):
        return {course.marks[0][1]}
    if course.marks and _ENDED.search(before):
        return {course.marks[-1][1]}
    return set(course.values)


def _changes(changes: set[int] | frozenset[int], figure: Figure, said: Role) -> set[int]:
    """Return changes as they may be written: without a sign where the verb says which way."""
    right = {v for v in changes if not said.way or v * said.way > 0}
    return right if figure.sign else {abs(v) for v in right}


def _is_other_total(figure: Figure, reading: Reading) -> bool:
    """Tell whether this is the second of two totals: `-0.70 to -1.15`."""
    first = _joined(figure, reading, _AGAINST)
    if first is None:
        return False
    known, when = reading.known, _when(figure, reading)
    pairs = [set(r.totals.values()) for r in known.numbers.judged]
    if when is not None:
        rounds = known.numbers.rounds
        pairs = [set(rounds[at].totals.values()) for at in when.standing if 0 <= at < len(rounds)]
    pairs += [] if when else [set(known.numbers.totals.values())]
    return {first.millis, figure.millis} in pairs


def _joined(figure: Figure, reading: Reading, by: re.Pattern[str]) -> Figure | None:
    """Return the number before, where these words join the two and it does not follow `from`."""
    place = reading.figures.index(figure)
    first = reading.figures[place - 1] if place else None
    if first is None or not by.fullmatch(reading.text[first.end : figure.start]):
        return None
    return None if re.search(r"\bfrom\s\Z", reading.text[: first.start]) else first


def _any(mention: Mention, said: Role, known: Known) -> Iterator[int]:
    course = (known.totals if mention.kind == SIDE else known.courses)[mention.name]
    if not said.by:
        yield from course.values
        return
    yield from course.changes
    yield from map(abs, course.changes)
    if mention.kind == SIDE:
        yield from map(abs, known.side_values[mention.name])


def _in_own_text(figure: Figure, whose: Owner, known: Known) -> bool:
    ids = [m.name for m in whose.mentions if m.kind != SIDE]
    return any(figure.sign + figure.number in known.own_figures(i) for i in ids)


def _written(figure: Figure, known: Known) -> frozenset[str]:
    return known.with_sign if figure.sign else frozenset(known.near)


# ---------------------------------------------------------------- words


def _when(figure: Figure, reading: Reading) -> When | None:
    return named_exchange(reading.text, figure.start, figure.end)


def _then(figure: Figure, reading: Reading) -> str:
    when = _when(figure, reading)
    if when is None:
        return ""
    place = reading.known.numbers.kind.place(when.exchange)
    return f" {'in' if when.during else 'after'} {place if when.exchange else f'the {place}'}"


def _name(mention: Mention, known: Known) -> str:
    return f"the {known.sides[mention.name]}" if mention.kind == SIDE else mention.name


def _told(mention: Mention, known: Known) -> str:
    if mention.kind == SIDE:
        return f"{known.sides[mention.name]}: {known.totals[mention.name].told()}"
    return f"{mention.name}: {known.courses[mention.name].told()}"
