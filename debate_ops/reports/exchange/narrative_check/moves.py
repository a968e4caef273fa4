"""What went up and what went down: of scores, totals and the lead, told without a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.model.score import signed
from debate_ops.reports.exchange.narrative_check.figures import figures
from debate_ops.reports.exchange.narrative_check.mentions import (
    ID,
    When,
    named_exchange,
    own_id,
)
from debate_ops.reports.exchange.narrative_check.owners import Reading
from debate_ops.reports.exchange.narrative_check.record import Course, Known

Told = Iterator[tuple[int, Finding]]

_WHO = (
    rf"(?:(?P<id>{ID})|\b(?:the\s)?(?P<side>proposition|opposition)\b)"
    r"(?:'s\s(?:total|score|standing)\b)?(?:,[^,;:]{1,60},)?"
)
_DOUBT = re.compile(
    r"\b(?:would|could|might|may|if|whether|should|unless|almost|nearly|hardly|until|had\sit)\b"
    r"|\b(?:by|against|attack\son|on)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:never|not|neither|nor|no)\b|n't\b", re.IGNORECASE)
_CHANGED = (
    r"(?P<verb>rescored|re-scored|raised|lowered|marked\s(?:it\s)?(?:up|down)|upgraded|downgraded)"
)
_WAS_CHANGED = re.compile(
    rf"(?P<id>{ID})(?:,[^,;:]{{1,60}},)?\s(?P<way>(?:(?:was|were|is|has|had|been|never|not|also"
    rf"|later|then|again|ever)\s)+){_CHANGED}\b(?P<judge>\sby\sthe\sjudge)?(?!\s(?:as|by\s(?!the\sj))\b)",
    re.IGNORECASE,
)
_JUDGE_CHANGED = re.compile(
    rf"\bjudge\s(?P<way>(?:(?:has|had|did|never|not|also|later|then|again|ever)\s)*)"
    rf"(?P<verb>rescored?|raised?|lower(?:ed)?|upgraded|downgraded|marked\s(?:up|down))\s(?:the\sscore\sof\s)?"
    rf"(?P<id>{ID})(?P<judge>)",
    re.IGNORECASE,
)
_UPWARDS = {"raise": 1, "upgra": 1, "lower": -1, "downg": -1}
_WENT = re.compile(
    rf"{_WHO}\s(?P<way>(?:never\s|also\s|then\s|later\s|again\s|only\s)?)(?:(?P<up>rose|climbed|improved"
    r"|gained(?:\spoints)?)|(?P<down>fell|sank|slipped|declined|lost\spoints))"
    r"(?:\s(?:again|further|steadily|sharply|slightly|too|overall|in\sall|in\sthe\send))?"
    r"(?=\s*(?:[.,;:!]|\Z)|\s(?:in|during|after|and|but|while)\b)",
    re.IGNORECASE,
)
_ENDED = re.compile(
    rf"{_WHO}\s(?:ended|ends|finished|finishes|closed|stands|is)\s(?:(?:at|with|up|only|just|a|little"
    r"|slightly|much|far|well)\s)*(?:(?P<number>[0-9]*\.?[0-9]+)\s(?:points?\s)?)?"
    r"(?:(?P<up>higher|above|better|over)|(?P<down>lower|below|worse|under)|(?P<level>where))\s"
    r"(?:than\sat\s(?:the\s)?(?:start|first|beginning)|(?:(?:than|where|what)\s)?(?:it\s|its\s)(?:had\s)?"
    r"(?:began|begun|beginning|started|start|opened|opening))\b",
    re.IGNORECASE,
)
_SIGN = re.compile(
    rf"{_WHO}\s(?P<verb>is|was|ended|ends|stands|stood|finished|finishes|closed|remained|stayed"
    r"|remains|stays|has|had)\s(?P<way>(?:(?:up|still|now|never|not|always|with|a|in|the|end)\s)*)"
    r"(?P<sign>positive|negative|above\szero|below\szero)\b"
    r"(?!\s(?:until|before|(?:after|in|at)\sno)\b)",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\bboth\s(?:(?:of\s)?the\s)?(?:totals|sides)\s(?:\w+\s){1,2}(?P<sign>positive|negative)\b",
    re.IGNORECASE,
)
_KEPT = re.compile(r"\b(?:remain|stay)", re.IGNORECASE)
_WAS = re.compile(r"\b(?:was|had|stood)\b", re.IGNORECASE)

_GAP = r"\b(?:lead|gap|margin|distance)\b(?:\sof\sthe\s(?:proposition|opposition)|\sbetween\sthem)?"
_GREW = r"(?P<up>grew|widened|increased|rose|extended)"
_SHRANK = r"(?P<down>shrank|narrowed|decreased|fell|closed|reduced|cut)"
_AMOUNT = r"(?:\s(?:again|further|slightly|from\s[0-9.]+|to\s[0-9.]*[0-9]|by\s[0-9.]*[0-9]))*"
_LEAD_WENT = re.compile(
    rf"{_GAP}\s(?:then\s|again\s|also\s|was\s|only\s)?(?:{_GREW}|{_SHRANK})\b{_AMOUNT}",
    re.IGNORECASE,
)
_EXCHANGE_MOVED = re.compile(
    rf"\bexchange\s(?P<exchange>[0-9]+|[a-z]+)\s(?:then\s|again\s|also\s)?(?:{_GREW}|{_SHRANK})\s"
    rf"(?:the|its|this)\s(?:lead|gap|margin)\b",
    re.IGNORECASE,
)
_LEAD_MOST = re.compile(
    rf"{_GAP}\s(?:is|was|stood)\s(?:at\sits\s|the\s)?(?:(?P<up>largest|greatest|widest|biggest|highest)"
    r"|(?P<down>smallest|narrowest|least|lowest))\b",
    re.IGNORECASE,
)


def check(reading: Reading, text: str) -> Iterator[Finding]:
    """Yield what a sentence says moved, and the way, where the record has it otherwise."""
    for found in (_rescored, _went, _ended, _signs, _both, _lead_went, _lead_most):
        for offset, finding in found(reading.text, reading.known):
            yield reading.sentence.finding(text, offset, finding)


def _is_doubtful(text: str, start: int) -> bool:
    begun = max(text.rfind(mark, 0, start) for mark in ";:,") + 1
    return bool(_DOUBT.search(text[begun:start]))


def _fault(
    match: re.Match[str], message: str, wanted: str, code: str = "wrong_score"
) -> tuple[int, Finding]:
    return match.start(), Finding(code, message, found=match[0].strip(), wanted=wanted)


# ---------------------------------------------------------------- scores and totals


def _course(match: re.Match[str], known: Known) -> tuple[str, Course] | None:
    """Return whom a clause is about, as a reader writes it, and how that one's score moved."""
    if match["side"]:
        name = match["side"].casefold()
        side = next(side for side, word in known.sides.items() if word == name)
        return f"the {name}", known.totals[side]
    argument_id = own_id(match["id"], known)
    return (argument_id, known.courses[argument_id]) if argument_id else None


def _rescored(text: str, known: Known) -> Told:
    for pattern in (_WAS_CHANGED, _JUDGE_CHANGED):
        for match in pattern.finditer(text):
            argument_id = own_id(match["id"], known)
            if not argument_id or _is_doubtful(text, match.start()):
                continue
            verb = match["verb"].casefold()
            way = _UPWARDS.get(verb[:5], 1 if verb.endswith("up") else -1 if "down" in verb else 0)
            when = named_exchange(text, match.start(), match.end())
            rescores = known.arguments[argument_id].rescores
            fits = [
                signed(after.score - before.score)
                for before, after in rescores
                if _is_then(when, after.exchange)
                and (not way or (after.score - before.score) * way > 0)
            ]
            if bool(fits) == (not _NOT.search(match["way"])):
                continue
            message = f"{argument_id} was {'' if fits else 'not '}{verb}{_then(when)}"
            is_plain = pattern is _JUDGE_CHANGED or bool(match["judge"]) or verb != "raised"
            code = "wrong_score" if is_plain else "unsure_score"
            yield _fault(
                match, message, f"{argument_id}: {known.courses[argument_id].told()}", code
            )


def _is_then(when: When | None, exchange: int) -> bool:
    if when is None:
        return True
    return exchange == when.exchange if when.during else exchange >= when.exchange


def _then(when: When | None) -> str:
    return f" {'in' if when.during else 'after'} exchange {when.exchange}" if when else ""


def _went(text: str, known: Known) -> Told:
    for match in _WENT.finditer(text):
        told = _course(match, known)
        if told is None or not told[1].marks or _is_doubtful(text, match.start()):
            continue
        name, course = told
        when = named_exchange(text, match.start(), match.end())
        way = 1 if match["up"] else -1
        is_so = any(change * way > 0 for change in _moves(match, course, when, known))
        if is_so == bool(_NOT.search(match["way"])):
            verb = (match["up"] or match["down"]).casefold()
            message = f"{name} {'' if is_so else 'never '}{verb}{_then(when)}"
            yield _fault(match, message, f"{name}: {course.told()}")


def _moves(
    match: re.Match[str], course: Course, when: When | None, known: Known
) -> frozenset[int] | set[int]:
    """Return the changes that a clause may tell of; of a side also what an exchange added."""
    side = (match["side"] or "").casefold()
    added: set[int] = set()
    if side:
        key = next(key for key, word in known.sides.items() if word == side)
        rounds = [r.exchange for r in known.numbers.judged if _is_then(when, r.exchange)]
        added = {value for exchange in rounds for value in known.added(key, exchange)}
    if when is None:
        return course.changes | added
    steps = zip(course.marks, course.marks[1:], strict=False)
    return added | {b - a for (_, a), (at, b) in steps if _is_then(when, at)}


def _ended(text: str, known: Known) -> Told:
    for match in _ENDED.finditer(text):
        told = _course(match, known)
        if told is None or not told[1].marks or _is_doubtful(text, match.start()):
            continue
        name, course = told
        change = course.marks[-1][1] - course.marks[0][1]
        way = 1 if match["up"] else -1 if match["down"] else 0
        said = figures(match["number"])[0].millis if match["number"] else abs(change)
        if (change > 0) - (change < 0) != way or abs(change) != said:
            message = f"{name} did not end so: it changed by {signed(change)} in all"
            yield _fault(match, message, f"{name}: {course.told()}")


def _signs(text: str, known: Known) -> Told:
    for match in _SIGN.finditer(text):
        told = _course(match, known)
        if told is None or not told[1].marks or _is_doubtful(text, match.start()):
            continue
        name, course = told
        when = named_exchange(text, match.start(), match.end())
        values = [value for _, value in course.marks]
        if when is not None:
            values = [v for v in map(course.after, when.standing) if v is not None]
        elif not _WAS.search(match["verb"]) and not _KEPT.search(match["verb"]):
            values = values[-1:]
        fits = [_has_sign(value, match["sign"]) for value in values]
        is_not = bool(_NOT.search(match["way"]))
        is_so = all(fits) if _KEPT.search(match["verb"]) else any(fits)
        if is_so == is_not and values:
            message = f"{name} is {'' if is_so else 'not '}{match['sign'].casefold()}{_then(when)}"
            yield _fault(match, message, f"{name}: {course.told()}")


def _has_sign(value: int, word: str) -> bool:
    return value > 0 if word.casefold() in {"positive", "above zero"} else value < 0


def _both(text: str, known: Known) -> Told:
    totals = known.numbers.totals.values()
    for match in _BOTH.finditer(text):
        if not all(_has_sign(value, match["sign"]) for value in totals):
            yield _fault(
                match, f"not both totals are {match['sign']}", ", ".join(map(signed, totals))
            )


# ---------------------------------------------------------------- the lead


def _lead_went(text: str, known: Known) -> Told:
    for pattern in (_LEAD_WENT, _EXCHANGE_MOVED):
        for match in pattern.finditer(text):
            if pattern is _EXCHANGE_MOVED:
                number = figures(match[0])
                at = number[0].whole if number else None
                when = None if at is None else When(at, during=True)
            else:
                when = named_exchange(text, match.start(), match.end())
            begun = max(text.rfind(mark, 0, match.start()) for mark in ";:,") + 1
            clause = text[begun : match.end()]
            if _is_doubtful(text, match.start()) or _NOT.search(clause):
                continue
            changes = _lead_changes(known, when)
            way = 1 if match["up"] else -1
            if changes and not any(change * way > 0 for change in changes):
                verb = "grow" if way > 0 else "shrink"
                yield _fault(
                    match, f"the lead did not {verb}{_then(when)}", _leads(known), "wrong_lead"
                )


def _lead_changes(known: Known, when: When | None) -> list[int]:
    """Return by how much the lead grew; a lead that changed hands counts as both ways."""
    found = []
    for (_, before), (at, after) in zip(known.lead.marks, known.lead.marks[1:], strict=False):
        if _is_then(when, at):
            change = abs(after) - abs(before)
            found += [change, -change] if before * after < 0 else [change]
    return found


def _lead_most(text: str, known: Known) -> Told:
    marks = known.lead.marks
    for match in _LEAD_MOST.finditer(text):
        when = named_exchange(text, match.start(), match.end())
        if when is None or not marks or _is_doubtful(text, match.start()):
            continue
        sizes = [abs(value) for _, value in marks]
        most = max(sizes) if match["up"] else min(sizes)
        stood = [v for v in map(known.lead.after, when.standing) if v is not None]
        if stood and abs(stood[0]) != most:
            is_before = most in {abs(value) for value in stood[1:]}
            code = "unsure_lead" if is_before else "wrong_lead"
            word = (match["up"] or match["down"]).casefold()
            yield _fault(match, f"the lead was not {word}{_then(when)}", _leads(known), code)


def _leads(known: Known) -> str:
    told = [f"{at}: {signed(abs(v)).removeprefix('+')}" for at, v in known.lead.marks]
    return f"the lead after each exchange, {', '.join(told)}"
