"""Whose a number is: the argument or the side that its sentence gives it to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.reports.exchange.narrative_check.figures import Figure, figures, listed
from debate_ops.reports.exchange.narrative_check.mentions import (
    ID,
    STAND_IN,
    Mention,
    group_before,
    mentions,
)
from debate_ops.reports.exchange.narrative_check.prose import Block, Sentence, sentences
from debate_ops.reports.exchange.narrative_check.record import Known

_LINKS = listed(
    """
    at had has have having with was were is are scored scores score stand stands stood fell
    falls rose rises dropped drops went goes end ends ended began begins started opened finished
    moved climbed sank slipped slid gained gains lost loses falling rising recovered won took
    kept closed remained stayed came by to from now only still just later then again first
    finally also of a an the its in all rescored point points total final s down up back further
    respectively out which
    """
)
"""Words that may stand between an id and its score."""

_WORDS = re.compile(r"[^\W\d_]+|[+\-]?[0-9][0-9.,]*|[^\w\s]")
_OBJECT = re.compile(
    r"\b(?:by|against|on|from|after|with|than|before|like|unlike|which|whom|that|when|since|while"
    r"|because|as|though|once|under|upon|to|of)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
_SCORE_OF = re.compile(
    r"(?:\b(?:scores?|totals?|standing)\s(?:of|for)|(?:\A|[,;:]\s)for)\s(?:the\s)?\Z", re.IGNORECASE
)
_BREAK = re.compile(r"[;:\N{EM DASH}]")
_GIVEN_TO = re.compile(
    r"\s?(?:points?\s)?(?:\(|for\s|of\s|went\sto\s|was\s|is\s|to\s|from\s|off\s)(?:the\s)?",
    re.IGNORECASE,
)
_SCORE_SIZED = 2

_CHANGE = re.compile(
    rf"\b(?P<verb>by|gain\w*|los(?:t|es|ing|e|s\sof)|cost(?:s|ing)?|shed(?:s|ding)?|add(?:s|ed|ing)?"
    rf"|drop(?:s|ped)?(?!\sto)|took|takes|deduct(?:s|ed)|remov(?:es|ed)|(?:fall|rise|change|drop|gain|rescore|loss)\sof)"
    rf"(?:\s(?:{ID}|it|them|another|only|just|a|further|about|back|that|the|argument|proposition"
    rf"|opposition|side))*\s\Z",
    re.IGNORECASE,
)
_GAPPED = re.compile(rf"(?:{ID}|\b(?:proposition|opposition))\s(?:only\s|just\s)?\Z", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s\Z", re.IGNORECASE)
_TO = re.compile(r"\b(?:in)?to\s(?:only\s|just\s|now\s)?\Z", re.IGNORECASE)
_DOWN = re.compile(
    r"\b(?:f[ae]ll\w*|drop\w*|s[aiu]nk\w*|slip\w*|slid\w*|los[te]\w*|losing|loss|declin\w+|cost\w*"
    r"|shed\w*|down|lower\w*|took|takes|deduct\w*|remov\w*)\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:ris\w+|rose|climb\w*|gain\w*|recover\w*|improv\w*|up|lift\w*|rais\w*|add\w*)\b",
    re.IGNORECASE,
)
_REACH = 45
_THAN_FIRST = re.compile(
    r"\s(?:points?\s)?(?:(?P<up>above|higher)|below|lower)\s(?:than\s)?(?:where|what|its|it)\s"
    r"(?:it\s)?(?:had\s)?(?:began|begun|beginning|started|start|opened|opening)\b",
    re.IGNORECASE,
)


class Reading(NamedTuple):
    """A sentence with its numbers, whom it names, and whom its paragraph named before it."""

    sentence: Sentence
    figures: list[Figure]
    named: list[Mention]
    earlier: tuple[Mention, ...]
    known: Known

    @property
    def text(self) -> str:
        """The words of the sentence."""
        return self.sentence.text


class Owner(NamedTuple):
    """Whose a number is.

    Where the sentence leaves a doubt, `sure` is False and all are given that the paragraph has
    named so far.
    """

    mentions: tuple[Mention, ...]
    sure: bool = False


class Role(NamedTuple):
    """What a number is said to be: a value, or (`by`) a change.

    `before` is the number after `from` where this one stands after `to`. `way` is 1 for what is
    said to have gone up, -1 for down, 0 where nothing is said.
    """

    by: bool = False
    before: Figure | None = None
    way: int = 0


def readings(block: Block, known: Known) -> Iterator[Reading]:
    """Yield the sentences of a paragraph as the checks of their numbers need them."""
    earlier: dict[str, Mention] = {}
    for sentence in sentences(block):
        named = mentions(sentence.text, known)
        yield Reading(sentence, figures(sentence.text), named, tuple(earlier.values()), known)
        earlier |= {m.name: m for m in named if m.kind != STAND_IN}


def follows(figure: Figure, reading: Reading) -> bool:
    """Tell whether a number stands after an id or a side as a score does: `prop_001 fell to 0`."""
    group = group_before(reading.text, reading.named, figure.start)
    if not group or group[-1].kind == STAND_IN:
        return False
    between = reading.text[group[-1].end : figure.start]
    return between.strip() not in {"", "'s"} and _is_link(between)


def owner(figure: Figure, reading: Reading) -> Owner:
    """Return whose a number is, by the rules that the package states."""
    group = group_before(reading.text, reading.named, figure.start)
    after = _after(figure, reading, has_group=bool(group))
    if after:
        return Owner((after,), sure=True)
    if not group or group[-1].kind == STAND_IN or not _is_subject(group, figure, reading):
        return Owner(_around(reading))
    series = _series(group, reading)
    if len(group) > 1 and len(series) == len(group) and figure in series:
        return Owner((group[series.index(figure)],), sure=True)
    return Owner(tuple(group), sure=True)


def role(figure: Figure, reading: Reading) -> Role:
    """Return what a number is said to be."""
    before = reading.text[: figure.start]
    tail = before[-_REACH:]
    if first := _THAN_FIRST.match(reading.text, figure.end):
        return Role(by=True, way=1 if first["up"] else -1)
    if _GAPPED.search(before) and (spoken := _last_change(figure, reading)):
        return spoken
    if change := _CHANGE.search(tail):
        return Role(by=True, way=_way(tail if change["verb"] == "by" else change[0]))
    if not _TO.search(before):
        return Role()
    place = reading.figures.index(figure)
    earlier = reading.figures[place - 1] if place else None
    between = reading.text[earlier.end : figure.start].lstrip() if earlier else ""
    if earlier and _FROM.search(reading.text[: earlier.start]) and _TO.fullmatch(between):
        return Role(before=earlier, way=_way(reading.text[: earlier.start][-_REACH:]))
    return Role(way=_way(tail))


def _last_change(figure: Figure, reading: Reading) -> Role | None:
    """Return the role of the number before: `one side lost 0.35 and the other only 0.05`."""
    place = reading.figures.index(figure)
    if not place:
        return None
    earlier = reading.figures[place - 1]
    change = _CHANGE.search(reading.text[: earlier.start][-_REACH:])
    return Role(by=True, way=_way(change[0])) if change else None


def _way(text: str) -> int:
    downs, ups = list(_DOWN.finditer(text)), list(_UP.finditer(text))
    if not downs and not ups:
        return 0
    last = max((*downs, *ups), key=lambda match: match.start())
    return -1 if last in downs else 1


def _after(figure: Figure, reading: Reading, *, has_group: bool) -> Mention | None:
    """Return whom a number is given to right after it: `+0.35 (prop_001)`."""
    after = next((m for m in reading.named if m.start >= figure.end), None)
    if after is None or after.kind == STAND_IN:
        return None
    between = reading.text[figure.end : after.start]
    given = _GIVEN_TO.fullmatch(between) and ("(" in between or not has_group)
    return after if given else None


def _is_subject(group: list[Mention], figure: Figure, reading: Reading) -> bool:
    """Tell whether the number can be nobody else's than that of those named last."""
    prefix = reading.text[: group[0].start]
    between = reading.text[group[-1].end : figure.start]
    if _OBJECT.search(prefix) and not _SCORE_OF.search(prefix):
        return False
    names = {m.name for m in reading.named if m.start < figure.start}
    if names == {m.name for m in group} and not _BREAK.search(between):
        return True
    return _is_link(between) and "," not in between


def _is_link(between: str) -> bool:
    return all(
        word in ",(:='" or word[-1].isdigit() or word.casefold() in _LINKS
        for word in _WORDS.findall(between)
    )


def _series(group: list[Mention], reading: Reading) -> list[Figure]:
    """Return the scores that follow a group of ids: as many as ids, they go with them in order."""
    return [
        f
        for f in reading.figures
        if f.start >= group[-1].end and (f.sign or f.decimals >= _SCORE_SIZED)
    ]


def _around(reading: Reading) -> tuple[Mention, ...]:
    everyone = (*reading.earlier, *reading.named)
    found = {m.name: m for m in everyone if m.kind != STAND_IN}
    return tuple(found.values())
