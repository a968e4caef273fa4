"""Counts of arguments, attacks, exchanges and the like, with what the clause says of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from debate_ops.errors import Finding
from debate_ops.model.entries import Argument
from debate_ops.reports.exchange.narrative_check.figures import Figure, figures, lemma, listed
from debate_ops.reports.exchange.narrative_check.mentions import (
    ARGUMENT,
    EXCHANGE,
    ID,
    SIDE,
    exchange_number,
    own_id,
)
from debate_ops.reports.exchange.narrative_check.owners import Reading
from debate_ops.reports.exchange.narrative_check.record import Known
from debate_ops.reports.exchange.numbers import sources
from debate_ops.semantics.flow import Answer, Attack, State

NOUNS = listed(
    """
    argument exchange attack rescore absence judge judgment source defence defense rescoring
    """
)
"""What a narrative may count because it is on record."""

_REACH = 3
_OF = re.compile(r"\s(?:of\s(?:the\s|all\s|its\s|their\s)?)\Z", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:last|first|next|final|other|more|later|these|those|both|another|further|least|of\sthe)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[;:\N{EM DASH}]|,\s(?:and|but|while|which|so)\s|\s(?:while|but|whereas)\s")
_IN = re.compile(rf"\b(?:in|of|during)\s(?:the\s)?({EXCHANGE})", re.IGNORECASE)

_EACH_SIDE = re.compile(r"\beach\s(?:side|team)\b", re.IGNORECASE)
_ONES = re.compile(r"\s(?:[a-z]+\s)?(?:ones|others|of\s(?:them|these|those))\b", re.IGNORECASE)
_NOUN = re.compile(r"\b(argument|attack|rescore|source|absence)s?\b", re.IGNORECASE)
_IN_ALL = re.compile(r"\bthere\s(?:were|are|have\sbeen|had\sbeen)\s\Z", re.IGNORECASE)
_NAMED = re.compile(
    rf"\sarguments?\s(?P<verb>attack(?:ed|s)?|defend(?:ed|s)?)\s(?P<id>{ID})(?!,?\s(?:and|or)\s)"
)
_HOW_OFTEN = r"(?P<times>once|twice|thrice|(?:[a-z]+|[0-9]+)\stimes)\b"
_CHANGED = r"(?P<verb>rescored|lowered|raised|marked\sdown)"
_RESCORED = re.compile(rf"(?P<id>{ID})\s(?:was|had\sbeen|has\sbeen)\s{_CHANGED}\s{_HOW_OFTEN}")
_RESCORED_IT = re.compile(rf"\b{_CHANGED}\s(?P<id>{ID})\s{_HOW_OFTEN}")
_WAYS = {"lower": -1, "marke": -1, "raise": 1}
_STATED = re.compile(
    r"\s(?:(?:was|were|went|are|is|had)\s)?(?:no\sturn\sleft|too\slate|dropped|unanswered|counter-?attacked"
    r"|not\smet|(?:partly\s)?conceded|defended|answered)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(arguments?|attacks?|rescores?|absences?|sources?)\s[^.;:0-9]{0,30}:[^.;]{0,40}\Z",
    re.IGNORECASE,
)
_COUNTERED = "counter-attacked"
_STATES: tuple[tuple[re.Pattern[str], object], ...] = (
    (
        re.compile(r"\bno\sturns?\s(?:was\s|were\s)?left\b|\btoo\slate\b", re.IGNORECASE),
        State.NO_TURN,
    ),
    (re.compile(r"\bdropped\b", re.IGNORECASE), State.DROPPED),
    (re.compile(r"\bnot\s(?:directly\s)?met\b", re.IGNORECASE), State.NOT_MET),
    (
        re.compile(
            r"\bunanswered\b|\b(?:no|without|never|not)\s(?:an\s|been\s)?answer", re.IGNORECASE
        ),
        None,
    ),
    (re.compile(r"\bstill\sopen\b|\bopen\b", re.IGNORECASE), State.OPEN),
    (re.compile(r"\bcounter-?\s?attack(?:ed|s)\b|\bcountered\b", re.IGNORECASE), _COUNTERED),
    (re.compile(r"\bconceded\b", re.IGNORECASE), Answer.CONCEDED),
    (re.compile(r"\bdefended\b", re.IGNORECASE), Answer.DEFENDED),
    (re.compile(r"\banswered\b", re.IGNORECASE), State.ANSWERED),
)


def noun(figure: Figure, reading: Reading) -> str:
    """Return what a number counts, if it is something on record: `six of the 24 attacks`."""
    if figure.whole is None or figure.percent:
        return ""
    for word in figure.near[:_REACH]:
        if word in NOUNS:
            return {"defense": "defence", "rescoring": "rescore"}.get(word, word)
    following = _following(figure, reading)
    if following and _OF.fullmatch(reading.text[figure.end : following.start]):
        return noun(following, reading)
    if _STATED.match(reading.text, figure.end):
        return "attack"
    listed = _LISTED.search(reading.text, 0, figure.start)
    if listed is None and _ONES.match(reading.text, figure.end):
        listed = next(iter([*_NOUN.finditer(reading.text, 0, figure.start)][-1:]), None)
    return lemma(listed[1]) if listed else ""


def whole(noun: str, known: Known) -> int:
    """Return how many there are in all."""
    return max(_plain(noun, known), default=0)


def check(figure: Figure, noun: str, reading: Reading) -> Finding | None:
    """Return what is wrong with a count, or None."""
    number, known = figure.whole, reading.known
    is_one = figure.text.casefold() == "one"
    clause = _clause(reading, figure)
    counts = _attacks(clause, figure, reading) if noun == "attack" else None
    if counts is None and noun == "argument" and _IN_ALL.search(reading.text, 0, figure.start):
        counts = _plain(noun, known)
    if counts is None and (named := _NAMED.match(reading.text, figure.end)):
        counts = _linked(named, known)
    if counts is None:
        counts = _counts(noun, known)
        if noun == "exchange" and _LATER.search(clause):
            counts |= set(range(known.last_exchange + 2))
    if number in counts or is_one:
        return None
    found, listed = figure.text.strip(), ", ".join(map(str, sorted(counts)))
    message = f"{found} is not a number of {noun}s on record"
    wanted = f"how many {noun}s there are: {listed}"
    return Finding("unknown_number", message, found=found, wanted=wanted)


def _counts(noun: str, known: Known) -> set[int]:
    """Return every number that a count may be: wholes, and the parts that the record divides into.

    Where the sentence does not say which part it means, any of them passes.
    """
    found = _plain(noun, known)
    if noun == "argument":
        found |= set(_parts(known))
    if noun == "rescore":
        found |= set(_rescores(known))
    if noun == "defence":
        links = [a.defends for a in _arguments(known)]
        found |= {sum(map(len, links)), *map(len, links)}
    return found


def _linked(match: re.Match[str], known: Known) -> set[int]:
    """Return how many arguments attack or defend the one named."""
    standing = known.arguments.get(own_id(match["id"], known))
    if standing is None:
        return set()
    by = standing.attacked_by if match["verb"].startswith("attack") else standing.defended_by
    return {len(by)}


def times(reading: Reading) -> Iterator[tuple[int, Finding]]:
    """Yield what is wrong with how often an argument is said to have been rescored."""
    for pattern in (_RESCORED, _RESCORED_IT):
        for match in pattern.finditer(reading.text):
            argument_id = own_id(match["id"], reading.known)
            number = figures(match["times"])
            if not argument_id or not number:
                continue
            changes = [b.score - a.score for a, b in reading.known.arguments[argument_id].rescores]
            way = _WAYS.get(match["verb"].casefold()[:5], 0)
            held = sum(change * way > 0 or not way for change in changes)
            if number[0].whole != held:
                message = f"{argument_id} was not {match['verb']} so often"
                found = Finding("unknown_number", message, found=match["times"], wanted=str(held))
                yield match.start("times"), found


def _plain(noun: str, known: Known) -> set[int]:
    numbers = known.numbers
    held = {len(numbers.rounds), len(numbers.judged)}
    rescores = sum(len(s.rescores) for s in numbers.standings)
    judges = {1} if numbers.judged else {0}
    return {
        "argument": {len(numbers.standings), len(numbers.scored)},
        "exchange": held | {number - 1 for number in held},
        "attack": {len(numbers.attacks), len(known.attacked)},
        "rescore": {rescores},
        "absence": {len(numbers.absences)},
        "judge": judges,
        "judgment": {len(numbers.judgments) - len(numbers.absences), len(numbers.judged)},
        "source": {len(sources(numbers.standings))},
        "defence": {sum(len(a.defends) for a in _arguments(known))},
    }[noun]


def _arguments(known: Known) -> list[Argument]:
    return [s.argument for s in known.numbers.standings]


def _parts(known: Known) -> Iterator[int]:
    arguments, standings = _arguments(known), known.numbers.standings
    yield from Counter(a.side for a in arguments).values()
    yield from Counter(a.exchange for a in arguments).values()
    yield from Counter((a.side, a.exchange) for a in arguments).values()
    yield from (len(known.numbers.never_attacked), len(known.numbers.too_late))
    for side in ("", *known.sides):
        own = [s for s in standings if side in {"", s.argument.side}]
        scores = [s.score for s in own if s.score is not None]
        yield from (len(scores), sum(v > 0 for v in scores), sum(v < 0 for v in scores))
        yield from (scores.count(min(scores)), sum(v == 0 for v in scores)) if scores else ()
        yield sum(bool(s.rescores) for s in own)
        yield sum(s.argument.exchange > 0 for s in own)
        yield sum(bool(known.received.get(s.argument.id)) for s in own)
    for standing in standings:
        yield len(set(standing.attacked_by))
        yield len({a.target for a in known.made.get(standing.argument.id, ())})


def _rescores(known: Known) -> Iterator[int]:
    standings = known.numbers.standings
    yield from (len(s.rescores) for s in standings)
    changes = [(s, before, after) for s in standings for before, after in s.rescores]
    yield from Counter(s.argument.side for s, _, _ in changes).values()
    yield from Counter(after.exchange for _, _, after in changes).values()
    yield from Counter((s.argument.side, after.exchange) for s, _, after in changes).values()
    for side in ("", *known.sides):
        ways = [a.score - b.score for s, b, a in changes if side in {"", s.argument.side}]
        yield from (sum(way > 0 for way in ways), sum(way < 0 for way in ways))


# ---------------------------------------------------------------- attacks


def _attacks(clause: str, figure: Figure, reading: Reading) -> set[int]:
    """Return how many attacks there are of the kind that the clause tells of, in each reading."""
    known = reading.known
    attacks: list[Attack] = list(known.numbers.attacks)
    is_whole = bool(_OF.search(reading.text[: figure.start])) or " of " not in clause
    said = _said_of(figure, reading, clause)
    state = next((item for item in _STATES if item[0].search(said)), None)
    named = [m for m in reading.named if reading.text.find(clause) <= m.start]
    named = [m for m in named if m.end <= reading.text.find(clause) + len(clause)]
    ids = {m.name for m in named if m.kind == ARGUMENT}
    sides = {m.name for m in named if m.kind == SIDE}
    exchange = _IN.search(clause)
    if not (state or ids or sides or exchange):
        if _IN_ALL.search(reading.text, 0, figure.start):
            return _plain("attack", known)
        return {*_plain("attack", known), *_any_part(attacks)}
    found: set[int] = set()
    for some in _with(attacks, ids, sides, _exchange(exchange, known)):
        fits = [a for a in some if state is None or _is(a, state[1])]
        found |= _both_ways(fits)
        if _EACH_SIDE.search(clause):
            found |= set(Counter(a.side for a in fits).values())
        if is_whole and _follows_of(figure, reading):
            found |= _both_ways(some)
    if _follows_of(figure, reading):
        found |= _plain("attack", known)
    return found


def _exchange(match: re.Match[str] | None, known: Known) -> int | None:
    """Return which exchange is named, `the last exchange` too."""
    if match is None:
        return None
    is_last = match[1].casefold().startswith(("last ", "final "))
    return known.last_exchange if is_last else exchange_number(match[1])


def _follows_of(figure: Figure, reading: Reading) -> bool:
    """Tell whether a number is the whole of which another is a part: `six of the 24`."""
    return bool(re.search(r"\bof\s(?:the\s|all\s|its\s)?\Z", reading.text[: figure.start]))


def _with(
    attacks: list[Attack], ids: set[str], sides: set[str], exchange: int | None
) -> Iterator[list[Attack]]:
    """Yield the attacks that fit what is named: made by it, or made on it."""
    kept = [a for a in attacks if exchange is None or a.exchange == exchange]
    readings = [kept]
    if ids:
        readings = [
            [a for a in kept if a.attacker in ids],
            [a for a in kept if a.target in ids],
            [a for a in kept if a.attacker in ids and a.target in ids],
        ]
    for some in readings:
        if not sides:
            yield some
        else:
            yield [a for a in some if a.side in sides]
            yield [a for a in some if a.attacked_side in sides]


def _following(figure: Figure, reading: Reading) -> Figure | None:
    return next((f for f in reading.figures if f.start >= figure.end), None)


def _said_of(figure: Figure, reading: Reading, clause: str) -> str:
    """Return the part of a clause that belongs to one number, not to the next one."""
    after = _following(figure, reading)
    while after and _OF.fullmatch(reading.text[figure.end : after.start]):
        after = _following(after, reading)
    start = reading.text.find(clause)
    said = reading.text[figure.end : after.start if after else start + len(clause)]
    first = next((f for f in reading.figures if f.start >= start), None)
    return reading.text[start : figure.start] + said if first is figure else said


def _is(attack: Attack, state: object) -> bool:
    if state is None:
        return attack.state is not State.ANSWERED
    if state is _COUNTERED:
        return bool(attack.countered_by)
    return attack.state is state or state in attack.answers


def _both_ways(attacks: Iterable[Attack]) -> set[int]:
    """Return how many attacks, and how many if those of one argument on another are one."""
    some = list(attacks)
    return {len(some), len({(a.attacker, a.target) for a in some})}


def _any_part(attacks: list[Attack]) -> Iterator[int]:
    yield from Counter(a.attacker for a in attacks).values()
    yield from Counter(a.target for a in attacks).values()
    yield from Counter(a.exchange for a in attacks).values()
    yield from Counter(a.side for a in attacks).values()
    yield from Counter((a.side, a.exchange) for a in attacks).values()
    yield from Counter(a.component for a in attacks).values()
    yield from Counter((a.attacker, a.target) for a in attacks).values()


def _clause(reading: Reading, figure: Figure) -> str:
    """Return the clause that a number stands in."""
    breaks = [m.span() for m in _BREAK.finditer(reading.text)]
    start = max((end for _, end in breaks if end <= figure.start), default=0)
    stop = min((begin for begin, _ in breaks if begin >= figure.end), default=len(reading.text))
    return reading.text[start:stop]
