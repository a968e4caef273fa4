"""How often, how many of each side, and who gave nothing up: plain tallies of the links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check.figures import figures
from debate_ops.reports.exchange.narrative_check.mentions import ID, named_exchange, own_id
from debate_ops.reports.exchange.narrative_check.owners import Reading
from debate_ops.reports.exchange.narrative_check.record import Known
from debate_ops.semantics.flow import CONCESSION, Attack, State

Told = Iterator[tuple[int, Finding]]

_SIDE = r"\b(?P<side>proposition|opposition)"
_DOUBT = re.compile(
    r"\b(?:would|could|might|may|if|whether|should|unless|almost|nearly|hardly|not|never)\b",
    re.IGNORECASE,
)
_TIMES = r"(?P<number>once|twice|thrice|(?:[a-z]+|[0-9]+)\stimes)\b"
_HIT = re.compile(
    rf"(?P<id>{ID})(?:,[^,;:]{{1,60}},)?\s(?:was|has\sbeen|had\sbeen)\s(?P<verb>attacked|defended)\s"
    rf"(?:only\s|just\s|exactly\s)?(?:{_TIMES}|by\s(?P<many>[a-z]+|[0-9]+)\sarguments?\b)",
    re.IGNORECASE,
)
_RECEIVED = re.compile(
    rf"(?P<id>{ID})\s(?:received|faced|drew|met)\s(?P<number>[a-z]+|[0-9]+)\s(?P<verb>attack)s?\b"
    r"(?P<many>)",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\beach\s(?:side|team)\s(?P<did>(?:[a-z]+\s){1,2}?)(?P<number>[a-z]+|[0-9]+)\s"
    r"(?P<kind>opening\s|new\s)?(?P<noun>attack|argument)s?\b"
    r"(?!\s[a-z]*\s?(?:unanswered|dropped))(?!\s(?:(?:in|at|per)\s)?(?:each|every|an?|per)\b)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"opening\s|(?:opened|began|started)\swith\s", re.IGNORECASE)
_LAST = re.compile(r"\bin\sthe\s(?:last|final)\sexchange\b", re.IGNORECASE)
_OPENED = re.compile(
    rf"{_SIDE}\s(?:(?:opened|began|started)\swith\s(?P<number>[a-z]+|[0-9]+)\sarguments?\b"
    r"|(?:gave|made|had|offered|brought)\s(?P<many>[a-z]+|[0-9]+)\sopening\sarguments?\b)",
    re.IGNORECASE,
)
_NO_CONCESSION = re.compile(
    r"\b(?P<side>proposition|opposition|neither\sside|no\sside|nobody|no\sone)\s"
    r"(?:(?:made|makes|offered)\s(?P<no>no|a|some|several)?\s?concessions?\b"
    r"|(?P<nothing>(?:conceded|gave\sup|concedes|withdrew)\s(?:nothing|no\spoints?)\b|did\snot\sconcede\sanything\b|never\s(?:conceded|gave\sup)\b"
    r"(?:\sanything)?(?=\s*(?:[.,;:!]|\Z)))|(?P<did>conceded(?=\s*(?:[.;:!]|\Z))))",
    re.IGNORECASE,
)
_LEFT = re.compile(
    rf"{_SIDE}\sleft\s(?:only\s|just\s)?(?P<number>[a-z]+|[0-9]+)\s(?:of\s[a-z]+\s)?attacks?\s"
    r"(?:unanswered|without\s(?:an\s)?answer)\b",
    re.IGNORECASE,
)
_DROPPED = re.compile(rf"{_SIDE}\s(?:dropped|ignored)\s(?P<id>{ID})(?!'s)", re.IGNORECASE)
_GIVEN_UP = re.compile(
    rf"(?P<id>{ID})\s(?:was|is)\s(?:later\s|partly\s|in\spart\s)?(?:conceded|given\sup|withdrawn)\s"
    r"by\sthe\s(?P<side>proposition|opposition)\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?P<share>most|few)\s(?:of\sthe\s)?attacks\s(?:(?:were|was|went|are|had|been)\s)*"
    r"(?P<state>(?:never\s|not\s)answered|unanswered|dropped|answered)\b",
    re.IGNORECASE,
)


def check(reading: Reading, text: str) -> Iterator[Finding]:
    """Yield the tallies of a sentence that the record does not have."""
    for found in (_hit, _each, _opened, _concessions, _left, _dropped, _given_up, _most):
        for offset, finding in found(reading.text, reading.known):
            yield reading.sentence.finding(text, offset, finding)


def _number(words: str | None) -> int | None:
    found = figures(words or "")
    return found[0].whole if found else 0 if (words or "").casefold() == "no" else None


def _is_doubtful(text: str, start: int) -> bool:
    begun = max(text.rfind(mark, 0, start) for mark in ";:,") + 1
    return bool(_DOUBT.search(text[begun:start]))


def _side(match: re.Match[str], known: Known) -> str:
    name = match["side"].casefold()
    return next((side for side, word in known.sides.items() if word == name), "")


def _wrong(match: re.Match[str], counts: set[int], what: str) -> tuple[int, Finding]:
    wanted = " or ".join(map(str, sorted(counts)))
    message = f"the record has another number of {what}"
    return match.start(), Finding("unknown_number", message, found=match[0], wanted=wanted)


def _link(
    match: re.Match[str], message: str, wanted: str = "", code: str = "wrong_link"
) -> tuple[int, Finding]:
    return match.start(), Finding(code, message, found=match[0], wanted=wanted)


# ---------------------------------------------------------------- how many


def _hit(text: str, known: Known) -> Told:
    for match in (*_HIT.finditer(text), *_RECEIVED.finditer(text)):
        argument_id, number = own_id(match["id"], known), _number(match["number"] or match["many"])
        if not argument_id or number is None or _is_doubtful(text, match.start()):
            continue
        when = named_exchange(text, match.start(), match.end())
        if match["verb"].casefold().startswith("attack"):
            hits = [(a.attacker, a.exchange) for a in known.received.get(argument_id, ())]
        else:
            hits = [
                (s.argument.id, s.argument.exchange)
                for s in known.numbers.standings
                for link in s.argument.defends
                if link.target_id == argument_id
            ]
        kept = [hit for hit in hits if when is None or hit[1] == when.exchange]
        counts = {len({attacker for attacker, _ in kept})}
        counts |= set() if match["many"] else {len(kept)}
        if number not in counts:
            yield _wrong(match, counts, f"times that {argument_id} was {match['verb'].casefold()}")


def _each(text: str, known: Known) -> Told:
    for match in _EACH.finditer(text):
        number = _number(match["number"])
        if number is None or _is_doubtful(text, match.start()):
            continue
        noun = match["noun"].casefold()
        when = named_exchange(text, match.start(), match.end())
        at = None if when is None else when.exchange
        if _LAST.search(text):
            at = known.last_exchange
        if _OPENING.match(match["kind"] or "") or _OPENING.match(match["did"]):
            at = 0
        held = [_of_side(noun, side, at, known) for side in known.sides]
        if any(number not in counts for counts in held):
            yield _wrong(match, set().union(*held), f"{noun}s of each side")


def _of_side(noun: str, side: str, exchange: int | None, known: Known) -> set[int]:
    """Return how many attacks or arguments a side made, in all or in one exchange."""
    if noun == "attack":
        kept = [
            a for a in known.numbers.attacks if a.side == side and exchange in {None, a.exchange}
        ]
        return {len(kept), len({(a.attacker, a.target) for a in kept})}
    own = [known.arguments[i].argument.exchange for i in known.of_side(side)]
    if exchange is not None:
        return {own.count(exchange)}
    return {len(own), own.count(0), len(own) - own.count(0)}


def _opened(text: str, known: Known) -> Told:
    for match in _OPENED.finditer(text):
        number = _number(match["number"] or match["many"])
        if number is None or _is_doubtful(text, match.start()):
            continue
        counts = _of_side("argument", _side(match, known), 0, known)
        if number not in {1, *counts}:
            yield _wrong(match, counts, "opening arguments")


def _left(text: str, known: Known) -> Told:
    for match in _LEFT.finditer(text):
        number, side = _number(match["number"]), _side(match, known)
        if number is None or _is_doubtful(text, match.start()):
            continue
        on_it = [a for a in known.numbers.attacks if a.attacked_side == side]
        dropped = _numbers([a for a in on_it if a.state is State.DROPPED])
        not_met = _numbers([a for a in on_it if a.state in {State.DROPPED, State.NOT_MET}])
        if number in dropped | not_met:
            continue
        if number in _numbers([a for a in on_it if a.state is not State.ANSWERED]):
            message = "some of these attacks came too late to be answered"
            wanted = f"{max(dropped)} dropped"
            yield _link(match, message, wanted, "unsure_link")
        else:
            yield _wrong(match, dropped, f"attacks that the {match['side'].casefold()} dropped")


def _numbers(attacks: list[Attack]) -> set[int]:
    return {len(attacks), len({(a.attacker, a.target) for a in attacks})}


def _most(text: str, known: Known) -> Told:
    attacks = known.numbers.attacks
    for match in _MOST.finditer(text):
        if _is_doubtful(text, match.start()) or not attacks:
            continue
        state = match["state"].casefold()
        fits = [
            a
            for a in attacks
            if (a.state is State.DROPPED if state == "dropped" else a.state is State.ANSWERED)
        ]
        count = len(fits) if state in {"dropped", "answered"} else len(attacks) - len(fits)
        if (2 * count > len(attacks)) != (match["share"].casefold() == "most"):
            yield _link(match, f"{count} of {len(attacks)} attacks: {state}")


# ---------------------------------------------------------------- what was given up or dropped


def _concessions(text: str, known: Known) -> Told:
    for match in _NO_CONCESSION.finditer(text):
        if _is_doubtful(text, match.start()):
            continue
        when = named_exchange(text, match.start(), match.end())
        side, word = _side(match, known), match["side"].casefold()
        ids = known.of_side(side) if side else list(known.arguments)
        given = [
            i
            for i in ids
            if any(link.type == CONCESSION for link in known.defences(i))
            and (when is None or known.arguments[i].argument.exchange == when.exchange)
        ]
        says_none = bool(match["nothing"]) or (match["no"] or "").casefold() == "no"
        is_denied = says_none or not side
        is_double = says_none and not side
        if bool(given) == is_denied and not is_double:
            told = f"it does in {', '.join(given)}" if given else "no concession is on record"
            yield _link(match, f"the record has it otherwise of the {word}" if side else told, told)


def _dropped(text: str, known: Known) -> Told:
    for match in _DROPPED.finditer(text):
        argument_id, side = own_id(match["id"], known), _side(match, known)
        if not argument_id or _is_doubtful(text, match.start()):
            continue
        received, made = known.received.get(argument_id, ()), known.made.get(argument_id, ())
        is_own = known.arguments[argument_id].argument.side == side
        if any(a.state is State.DROPPED for a in (received if is_own else made)):
            continue
        if received or is_own:
            code = "unsure_link" if is_own else "wrong_link"
            told = dict.fromkeys(a.attacker for a in received)
            wanted = f"attacked by {', '.join(told)}" if told else "not attacked"
            yield _link(match, f"{argument_id} was not dropped", wanted, code)


def _given_up(text: str, known: Known) -> Told:
    for match in _GIVEN_UP.finditer(text):
        argument_id, side = own_id(match["id"], known), _side(match, known)
        if not argument_id or any(known.concedes(i, argument_id) for i in known.of_side(side)):
            continue
        message = f"no argument of the {match['side'].casefold()} gives up a part of {argument_id}"
        yield _link(match, message)
