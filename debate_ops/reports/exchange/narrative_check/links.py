"""Who attacks, defends and answers whom, and what was never attacked or answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check.mentions import ID, own_id
from debate_ops.reports.exchange.narrative_check.prose import Sentence
from debate_ops.reports.exchange.narrative_check.record import Known
from debate_ops.semantics.flow import Reception, State

_IDS = rf"{ID}(?:(?:\s?,\s(?:and\s)?|\s(?:and|or)\s){ID})*"
_ASIDE = r"(?:,[^,;:.]{1,80},)?"
_PART = r"(?:(?:the|both\sthe|its)\s)?(?:(?P<part>claim|grounds?|warrant|backing)\sof\s)?"
_PART_AFTER = r"(?:'s\s(?P<part_after>claim|grounds?|warrant|backing)\b)?"
_WAY = r"(?P<way>(?:(?!and\b|or\b)[a-z']+\s){0,3}?)"
_DOUBT = re.compile(
    r"\b(?:would|could|might|may|if|whether|should|can|tried|failed|sought|meant|wanted|wants|to"
    r"|claims|seems|because|that)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|n't|without|no)\b|n't\b", re.IGNORECASE)
_VERBS = {
    "attack": r"attack(?:s|ed|ing)?",
    "oppose": r"challeng(?:es|ed|e|ing)|rebut(?:s|ted|ting)?|counter(?:s|ed|ing)?|contest(?:s|ed)?"
    r"|hit|hits|undercut(?:s)?|refut(?:es|ed|e)",
    "answer": r"answer(?:s|ed|ing)?|repl(?:y|ies|ied|ying)\sto|respond(?:s|ed|ing)?\sto",
    "defend": r"defend(?:s|ed|ing)?|reinforc(?:es|ed|e|ing)|repair(?:s|ed)?|support(?:s|ed)?"
    r"|clarif(?:ies|ied)",
    "concede": r"conced(?:es|ed)|gave\sup|gives\sup|withdrew|withdraws|abandon(?:s|ed)",
}
_NOUNS = {
    "attack": r"attacks?",
    "oppose": r"rebuttals?|counter-?attacks?|challenges?",
    "answer": r"answers?|repl(?:y|ies)|responses?",
    "defend": r"defen[cs]es?",
    "concede": r"concessions?",
}
_BEFORE_NEXT = re.compile(
    r"\s*(?:[.,;:)!?]|\Z|(?:in|on|by|with|as|for|but|while|when|after|at|because|over|too|again|and"
    r"\s(?!opp_|prop_)|from|where|without|since|though|before|alike|directly|later|only|rather)\b)"
)
_ENDED = (
    r"(?!\s(?:by|in\sfull|fully|directly|in\sdetail|on|for|until|in\sexchange|in\spart|only)\b)"
)

Pair = tuple[str, str]


class _Claim(NamedTuple):
    """A link that a sentence tells of; `denied` where it says that there was none."""

    kind: str
    subject: str
    target: str
    part: str
    denied: bool
    place: int


def check(sentence: Sentence, text: str, known: Known) -> Iterator[Finding]:
    """Yield the links that a sentence tells of and that are not on record."""
    for claim in dict.fromkeys(_claims(sentence.text, known)):
        fault = _fault(claim, known)
        if fault:
            yield sentence.finding(text, claim.place, fault)
    for offset, found in _states(sentence.text, known):
        yield sentence.finding(text, offset, found)


# ---------------------------------------------------------------- links


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for kind, verb in _VERBS.items():
        subject, hit = rf"(?P<a>{ID})", rf"{_PART}(?P<b>{_IDS}){_PART_AFTER}"
        active = (
            rf"{subject}{_ASIDE},?\s(?:which\s|who\s)?{_WAY}(?:{verb})\s"
            rf"(?:both\s|directly\s|only\s)?{hit}"
        )
        passive = (
            rf"(?P<b>{ID}){_ASIDE},?\s(?P<way>(?:which\s|that\s)?(?:(?:was|were|is|are|been|being|has|had"
            rf"|never|not|also|then|later|again|itself)\s){{0,4}})(?:{verb})\s(?:[a-z]+ly\s)?"
            rf"by\s(?:both\s)?(?P<a>{_IDS})"
        )
        noun = _NOUNS[kind]
        owned = rf"{subject}'s\s(?P<way>)(?:[a-z]+\s)?(?:{noun})\s(?:on|of|to|against)\s{hit}"
        of = (
            rf"\b(?:{noun})\s(?:of|by|from|in)\s{subject}\s(?P<way>)"
            rf"(?:on|to|against)\s{hit}"
        )
        on = (
            rf"\b(?:{noun})\s(?:on|to|of|against)\s{_PART}(?P<b>{ID})\s(?P<way>)"
            rf"(?:by|from|in)\s(?P<a>{_IDS})"
        )
        for pattern in (active, passive, owned, of, on):
            yield kind, re.compile(pattern)


_PATTERNS = tuple(_patterns())
_ANY_ID = re.compile(ID)


def _claims(text: str, known: Known) -> Iterator[_Claim]:
    if len(_ANY_ID.findall(text)) < 2:  # noqa: PLR2004
        return
    for kind, pattern in _PATTERNS:
        place = 0
        while match := pattern.search(text, place):
            place = match.start() + 1
            yield from _told(kind, match, text, known)


def _told(kind: str, match: re.Match[str], text: str, known: Known) -> Iterator[_Claim]:
    groups = match.groupdict()
    if _DOUBT.search(match["way"]) or re.search(r"\bby\s(?:the\s)?\Z", text[: match.start()]):
        return
    part = groups.get("part") or groups.get("part_after") or ""
    denied = bool(_NOT.search(match["way"]))
    for subject in _listed(match["a"], text, match.end("a")):
        for target in _listed(match["b"], text, match.end("b")):
            pair = own_id(subject, known), own_id(target, known)
            if all(pair) and pair[0] != pair[1]:
                yield _Claim(kind, *pair, part.rstrip("s"), denied, match.start())


def _listed(ids: str, text: str, end: int) -> list[str]:
    """Return the ids of a list; the last may begin what comes next and is then left out."""
    found = _ANY_ID.findall(ids)
    is_next = len(found) > 1 and not _BEFORE_NEXT.match(text, end)
    return found[:-1] if is_next else found


_HOLDS: dict[str, Callable[[Known, str, str], bool]] = {
    "attack": lambda known, a, b: (a, b) in known.attacked,
    "oppose": lambda known, a, b: known.answers(a, b),
    "answer": lambda known, a, b: known.answers(a, b),
    "defend": lambda known, a, b: known.defends(a, b),
    "concede": lambda known, a, b: known.concedes(a, b),
}
_TOLD = {
    "attack": "attacks",
    "oppose": "attacks or answers",
    "answer": "answers",
    "defend": "defends",
    "concede": "gives up",
}


def _fault(claim: _Claim, known: Known) -> Finding | None:
    holds = _HOLDS[claim.kind](known, claim.subject, claim.target)
    pair = f"{claim.subject} {_TOLD[claim.kind]} {claim.target}"
    if claim.denied:
        if not holds:
            return None
        return Finding("wrong_link", f"the record has that {pair}", found=f"not: {pair}")
    if not holds:
        wanted = _linked(claim.subject, known)
        message = f"the record does not have that {pair}"
        return Finding("wrong_link", message, found=pair, wanted=wanted)
    parts = {a.component.rstrip("s") for a in known.attacked.get((claim.subject, claim.target), ())}
    if claim.kind != "attack" or not claim.part or claim.part in parts:
        return None
    message = f"{claim.subject} does not attack the {claim.part} of {claim.target}"
    return Finding("wrong_link", message, found=claim.part, wanted=" or ".join(sorted(parts)))


def _linked(argument_id: str, known: Known) -> str:
    """Return what an argument does attack and defend."""
    argument = known.arguments[argument_id].argument
    told = [
        f"{verb} {', '.join(dict.fromkeys(link.target_id for link in links))}"
        for verb, links in (("attacks", argument.attacks), ("defends", argument.defends))
        if links
    ]
    return f"{argument_id} {' and '.join(told)}" if told else f"{argument_id} has no links"


# ---------------------------------------------------------------- what became of them

_WAS = (
    r"(?:(?:was|were|is|has|had|have|been|went|goes|stood|stands|remained|remains|stayed|still|left"
    r"|also|simply|largely)\s)*"
)
_NO_ANSWER = (
    rf"{_WAS}(?:(?P<dropped>dropped\b(?!\s(?:to|by|from|it|the|its|its))|ignored\b)"
    r"|unanswered\b|(?:never|not)\s(?:been\s)?(?:answered|rebutted|addressed)\b"
    rf"{_ENDED}|(?:got|received|drew|met|found)\sno\s(?:answer|reply)\b"
    r"|answered\sby\s(?:nobody|no\sone|none|no\sargument)\b)"
)
_ARGUMENT_STATES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"(?P<id>{ID}){_ASIDE},?\s(?:which\s)?(?:{phrase})", re.IGNORECASE))
    for name, phrase in (
        ("unanswered", _NO_ANSWER),
        (
            "answered",
            rf"(?:was|were|is|has\sbeen|had\sbeen)\s(?:later\s|also\s)?answered\b{_ENDED}",
        ),
        (
            "unattacked",
            (
                rf"{_WAS}(?:unattacked|(?:never|not)\s(?:been\s)?attacked|unchallenged)\b{_ENDED}"
                rf"|{_WAS}(?:attacked|challenged)\sby\s(?:nobody|no\sone|none|no\sargument|neither\sside)\b"
            ),
        ),
        ("attacked", rf"(?:was|were|is|has\sbeen)\s(?:also\s|later\s)?attacked\b{_ENDED}"),
        (
            "conceded",
            r"(?:was|is)\s(?:later\s|partly\s|in\spart\s)?(?:conceded|given\sup|withdrawn)\b",
        ),
    )
)
_ATTACK = (
    rf"(?:(?P<a1>{ID})'s\sattacks?\son\s(?P<b1>{ID})|\battacks?\s(?:of|by|from)\s(?P<a2>{ID})\son"
    rf"\s(?P<b2>{ID})|\battacks?\son\s(?P<b3>{ID})\s(?:by|from)\s(?P<a3>{ID}))\s"
)
_ATTACK_UNANSWERED = re.compile(rf"{_ATTACK}{_NO_ANSWER}", re.IGNORECASE)
_ATTACK_ANSWERED = re.compile(
    rf"{_ATTACK}(?:was|were|is|has\sbeen)\s(?:later\s)?answered\b", re.IGNORECASE
)
_EVERY = re.compile(
    r"\b(?:(?P<none>no\sattacks?|none\sof\s(?:the\s|its\s)?(?:[0-9]+\s|[a-z]+\s)?attacks|not\sone\sattack"
    r"|nothing)|(?P<all>every\sattack|all\s(?:of\s)?(?:the\s)?(?:[0-9]+\s)?attacks|each\sattack))"
    r"\s(?:in\sthe\sdebate\s|was\s|were\s|has\sbeen\s|have\sbeen\s|is\s|are\s|went\s|had\s|goes\s|remained\s"
    r"|stood\s|left\s)*(?P<state>dropped|unanswered|answered|no\sturn\sleft)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    rf"\b(?:nobody|no\sone|neither\sside|no\sargument|never|not)\s(?:[a-z]+\s)?"
    rf"(?P<verb>answer|attack|challenge)(?:ed|d|s)?\s(?P<id>{ID})(?!,?\s(?:and|or)\s)",
    re.IGNORECASE,
)


def _states(text: str, known: Known) -> Iterator[tuple[int, Finding]]:
    for name, pattern in _ARGUMENT_STATES:
        for match in pattern.finditer(text):
            prefix = text[: match.start()]
            if re.search(r"\battacks?\b[^.;,]{0,30}\s(?:on|of|by|from)\s\Z", prefix):
                continue
            if argument_id := own_id(match["id"], known):
                yield from _placed(match, _state(name, argument_id, match, known))
    for match in _NOBODY.finditer(text):
        if argument_id := own_id(match["id"], known):
            name = "unattacked" if match["verb"].casefold() != "answer" else "unanswered"
            yield from _placed(match, _state(name, argument_id, None, known))
    for pattern, answered in ((_ATTACK_UNANSWERED, False), (_ATTACK_ANSWERED, True)):
        for match in pattern.finditer(text):
            yield from _placed(match, _attack_state(match, known, answered=answered))
    for match in _EVERY.finditer(text):
        yield from _placed(match, _every(match, known))


def _placed(match: re.Match[str], fault: Finding | None) -> Iterator[tuple[int, Finding]]:
    if fault:
        yield match.start(), fault._replace(found=match[0].strip())


def _state(
    name: str, argument_id: str, match: re.Match[str] | None, known: Known
) -> Finding | None:
    """Return the fault where an argument was not received as a sentence says."""
    received = known.received.get(argument_id, ())
    made = known.made.get(argument_id, ())
    attackers = ", ".join(dict.fromkeys(a.attacker for a in received))
    fault = Finding("wrong_link", "")
    if name == "unattacked" and received:
        return fault._replace(message=f"{argument_id} was attacked", wanted=f"by {attackers}")
    if name == "attacked" and not received:
        how = known.numbers.flow.receptions.get(argument_id, Reception.NEVER_ATTACKED)
        return fault._replace(message=f"nobody attacks {argument_id}", wanted=how.value)
    if name == "conceded" and not any(known.concedes(i, argument_id) for i in known.arguments):
        return fault._replace(message=f"no argument gives up a part of {argument_id}")
    replied = {State.ANSWERED, State.NOT_MET}
    standing = [a for a in made if a.state not in replied]
    if name == "unanswered":
        if match is not None and (match["dropped"] or "").casefold() == "dropped":
            standing = [a for a in (*made, *received) if a.state is State.DROPPED]
        was_answered = received or made
        if was_answered and not standing:
            by = dict.fromkeys(
                [*(i for a in made for i in a.answered_by), *(a.attacker for a in received)]
            )
            return fault._replace(
                message=f"{argument_id} was answered", wanted=f"by {', '.join(by)}"
            )
    if name == "answered" and not received and not any(a.state in replied for a in made):
        return fault._replace(message=f"nobody answers {argument_id}", wanted="never answered")
    return None


def _attack_state(match: re.Match[str], known: Known, *, answered: bool) -> Finding | None:
    key = next(k for k in "123" if match[f"a{k}"])
    pair = own_id(match[f"a{key}"], known), own_id(match[f"b{key}"], known)
    attacks = known.attacked.get(pair, ())
    if not attacks:
        return None
    fault = Finding("wrong_link", "", wanted=" or ".join(dict.fromkeys(a.words for a in attacks)))
    name = f"the attack of {pair[0]} on {pair[1]}"
    states = {a.state for a in attacks}
    if answered:
        wrong = State.ANSWERED not in states
        return fault._replace(message=f"{name} was not answered") if wrong else None
    if states == {State.ANSWERED}:
        return fault._replace(message=f"{name} was answered")
    if (match["dropped"] or "").casefold() == "dropped" and State.DROPPED not in states:
        return fault._replace(message=f"{name} was not dropped")
    return None


def _every(match: re.Match[str], known: Known) -> Finding | None:
    attacks = known.numbers.attacks
    state = match["state"].casefold()
    fits = {
        "dropped": [a for a in attacks if a.state is State.DROPPED],
        "unanswered": [a for a in attacks if a.state is not State.ANSWERED],
        "answered": [a for a in attacks if a.state is State.ANSWERED],
        "no turn left": [a for a in attacks if a.state is State.NO_TURN],
    }[state]
    if match["none"] and match["none"].casefold() == "nothing":
        return None
    if len(fits) == (len(attacks) if match["all"] else 0):
        return None
    message = f"{len(fits)} of {len(attacks)} attacks: {state}"
    return Finding("wrong_link", message, wanted=message)
