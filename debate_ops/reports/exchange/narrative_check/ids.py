"""Ids in a narrative: on record, of the side named with them, of the exchange named with them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check.mentions import (
    EXCHANGE,
    ID,
    exchange_number,
    own_id,
)
from debate_ops.reports.exchange.narrative_check.prose import Sentence
from debate_ops.reports.exchange.narrative_check.record import Known

_LIKE_ID = re.compile(r"(?<![\w-])[^\W_](?:[^\W_]|-)*+_(?:[^\W0-9]|-)*+[0-9][\w-]*+")
_PREFIXED = re.compile(r"(?<!\w)(?:prop|opp|judge)_\w+(?:-\w+)*", re.IGNORECASE)
_MISSPELT = re.compile(r"(?<![\w-])(?:prop|opp)[\s.-]?[0-9]{1,3}[a-z]?(?!\w)", re.IGNORECASE)
_SIDE_OF = re.compile(
    rf"\b(?P<side>proposition|opposition)(?:'s|s')?\s"
    rf"(?:(?:own|first|second|third|last|new|argument|attack|reply|answer|rebuttal|defence|point"
    rf"|claim)\s){{0,2}}(?P<id>{ID})"
    rf"|(?P<id2>{ID})\s?(?:\((?:of\s)?(?:the\s)?|(?:of|for|by|from)\sthe\s)"
    rf"(?P<side2>proposition|opposition)\b(?!'s)",
    re.IGNORECASE,
)
_SPOKE = (
    r"(?:attack|argu|sa[iy]|repl[iy]|answer|defend|conced|claim|counter|rebut|respond|object"
    r"|introduc|wrote|warn|gave\sup|withdr|note|cite|contend|insist|assert)"
)
_SPOKE_IN = re.compile(
    rf"\b(?:in|during|at)\s(?:the\s)?(?P<when>{EXCHANGE}),?\s(?P<id>{ID})"
    rf"(?:,[^,;:]{{1,60}},)?\s(?:(?:also|then|again|later)\s)?{_SPOKE}",
    re.IGNORECASE,
)
_OF_EXCHANGE = re.compile(
    rf"(?P<id>{ID})(?:\s?\(|\s(?:of|from|made\sin)\s)(?:the\s)?(?P<when>{EXCHANGE})",
    re.IGNORECASE,
)
_DID_IN = re.compile(
    rf"(?P<id>{ID})\s{_SPOKE}[a-z]*(?:\s{ID})?\s(?:in|during)\s(?:the\s)?(?P<when>{EXCHANGE})",
    re.IGNORECASE,
)
_WANTED = "an id as it stands in the record"


def check(sentence: Sentence, text: str, known: Known) -> Iterator[Finding]:
    """Yield what is wrong with the ids of a sentence."""
    for found in (_unknown, _sides, _exchanges):
        for offset, finding in found(sentence, known):
            yield sentence.finding(text, offset, finding)


def _unknown(sentence: Sentence, known: Known) -> Iterator[tuple[int, Finding]]:
    words = sentence.text
    seen = set()
    for pattern in (_PREFIXED, _LIKE_ID, _MISSPELT):
        for match in pattern.finditer(words):
            name = match[0]
            is_name = pattern is _LIKE_ID and name in known.tokens
            if match.start() in seen or is_name or _is_known(name, known):
                continue
            seen.add(match.start())
            shown = name.partition("-")[0] if pattern is not _MISSPELT else name
            message = f"{shown} is not on record"
            yield match.start(), Finding("unknown_id", message, found=shown, wanted=_WANTED)


def _is_known(name: str, known: Known) -> bool:
    parts = name.split("-")
    starts = ("-".join(parts[:end]) for end in range(1, len(parts) + 1))
    return bool(known.ids.intersection(starts))


def _sides(sentence: Sentence, known: Known) -> Iterator[tuple[int, Finding]]:
    for match in _SIDE_OF.finditer(sentence.text):
        place = match.start("id") if match["id"] else match.start("id2")
        argument_id = own_id(match["id"] or match["id2"], known)
        said = (match["side"] or match["side2"]).casefold()
        if not argument_id:
            continue
        side = known.sides[known.arguments[argument_id].argument.side]
        if side != said:
            message = f"{argument_id} is not an argument of the {said}"
            yield place, Finding("wrong_side", message, found=said, wanted=f"the {side}")


def _exchanges(sentence: Sentence, known: Known) -> Iterator[tuple[int, Finding]]:
    for pattern in (_SPOKE_IN, _OF_EXCHANGE, _DID_IN):
        for match in pattern.finditer(sentence.text):
            argument_id, number = own_id(match["id"], known), exchange_number(match["when"])
            if not argument_id or number is None:
                continue
            own = known.arguments[argument_id].argument.exchange
            if own != number:
                said = known.numbers.kind.place(number)
                message = f"{argument_id} is not an argument of {_the(said)}"
                wanted = known.numbers.kind.place(own)
                yield (
                    match.start("id"),
                    Finding("wrong_exchange", message, found=said, wanted=wanted),
                )


def _the(place: str) -> str:
    return place if place[-1].isdigit() else f"the {place}"
