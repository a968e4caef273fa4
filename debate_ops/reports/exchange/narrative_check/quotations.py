"""Quotations: their words stand in one text on record, and in that of the one they are given to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check import prose
from debate_ops.reports.exchange.narrative_check.mentions import ID, own_id
from debate_ops.reports.exchange.narrative_check.prose import Block, Quotation
from debate_ops.reports.exchange.narrative_check.record import Known, bare
from debate_ops.reports.text import shorten

_SHOWN = 90
_EMPHASISED = 4
_LEFT_OUT = re.compile(r"…|\.\.\.|\[[^\]]*\]")
_SAYING = (
    r"(?:sa(?:id|ys|ying)|writ(?:es|ing)|wrote|hold(?:s|ing)?|held|argu(?:es|ed|ing)|stat(?:es|ed)"
    r"|claim(?:s|ed|ing)?|assert(?:s|ed)|maintain(?:s|ed)|insist(?:s|ed)|warn(?:s|ed)|conclud(?:es|ed)"
    r"|add(?:s|ed)|not(?:es|ed)|puts?\sit|contend(?:s|ed))"
)
_WORD_OF = (
    r"(?:answer(?:s|ed)|repl(?:ies|ied)|call(?:s|ed)|ask(?:s|ed)|conced(?:es|ed)|cit(?:es|ed)"
    r"|quot(?:es|ed)|grant(?:s|ed)|admit(?:s|ted)|withdr[ea]ws?|describ(?:es|ed)|wants?|demand(?:s|ed))"
)
_SPEAKER = rf"(?P<who>{ID}|\b(?:proposition|opposition|judge)\b)"
_WHO = re.compile(_SPEAKER, re.IGNORECASE)
_SAID = re.compile(
    rf"{_SPEAKER}(?:,[^,;:]{{1,80}},)?\s(?:[a-z]+\s)?{_SAYING}\b[^.;]*\Z", re.IGNORECASE
)
_SAID_AT_ONCE = re.compile(
    rf"{_SPEAKER}(?:,[^,;:]{{1,80}},)?\s(?:[a-z]+\s)?(?:{_SAYING}|{_WORD_OF})(?:\sthat|\swith)?[\s,:]*\Z",
    re.IGNORECASE,
)
_NEXT_TO = re.compile(rf"{_SPEAKER}(?:'s(?:\s[a-z]+)?)?[\s,:(]{{1,3}}\Z", re.IGNORECASE)
_AFTER = re.compile(
    rf"[\s,]*(?:\(\s?{_SPEAKER}"
    rf"|(?:{_SAYING}|{_WORD_OF})\s(?:the\s)?{_SPEAKER.replace('who', 'who2')}"
    rf"|(?:the\s)?{_SPEAKER.replace('who', 'who3')}\s{_SAYING}\b)",
    re.IGNORECASE,
)
_OTHER_SPEAKER = re.compile(r"\b(?:the\sother|both|nobody|it|they)\b", re.IGNORECASE)
_WANTED = "words as an argument or the judge has them, or no quotation marks"


def check(block: Block, text: str, known: Known) -> Iterator[Finding]:
    """Yield what is wrong with the quotations of a paragraph."""
    for quotation in block.quotations:
        found = _fault(quotation, block, known)
        if found:
            yield prose.at(text, block.places[quotation.start], found)


def emphasised(text: str, known: Known) -> Iterator[Finding]:
    """Yield emphasised words that look like a quotation and stand nowhere on record."""
    for words, offset in prose.emphasised(text):
        if len(words.split()) < _EMPHASISED or _stands(words, known.sources):
            continue
        before = prose.plain(text[max(0, offset - 200) : offset])
        said = _SAID_AT_ONCE.search(before) or _SAID.search(before) or before.rstrip().endswith(":")
        found = _unknown(words)
        if not said:
            message = "these emphasised words do not stand in the record"
            found = found._replace(code="unsure_quotation", message=message)
        yield prose.at(text, offset, found)


def _fault(quotation: Quotation, block: Block, known: Known) -> Finding | None:
    if not quotation.closed:
        message = "a quotation is opened and never closed"
        found = shorten(quotation.words, _SHOWN)
        return Finding("unknown_quotation", message, found=found, wanted="a closing mark")
    if not quotation.words.strip():
        return None
    if not _stands(quotation.words, known.sources):
        return _unknown(quotation.words)
    return _speaker(quotation, block, known)


def _unknown(words: str) -> Finding:
    message = "these words do not stand in the record"
    return Finding("unknown_quotation", message, found=shorten(words, _SHOWN), wanted=_WANTED)


def _stands(words: str, sources: Iterable[str]) -> bool:
    """Tell whether all pieces of a quotation stand in one text, whole words in this order."""
    pieces = [bare(piece).strip(" .,;:!?") for piece in _LEFT_OUT.split(words)]
    kept = [piece for piece in pieces if piece]
    return bool(kept) and any(_in_order(kept, source) for source in sources)


def _in_order(pieces: list[str], source: str) -> bool:
    place = 0
    for piece in pieces:
        place = _find(piece, source, place)
        if place < 0:
            return False
        place += len(piece)
    return True


def _find(piece: str, source: str, start: int) -> int:
    """Return where a piece stands as whole words; -1 where it does not."""
    while (place := source.find(piece, start)) >= 0:
        before, after = source[place - 1 : place], source[place + len(piece) :][:1]
        if not (piece[0].isascii() and before.isalnum() and before.isascii()) and not (
            piece[-1].isascii() and after.isalnum() and after.isascii()
        ):
            return place
        start = place + 1
    return -1


# ---------------------------------------------------------------- whose words


def _speaker(quotation: Quotation, block: Block, known: Known) -> Finding | None:
    """Return a fault where the words are given to one who did not say them."""
    begun = max((a for a, _ in block.sentences() if a <= quotation.start), default=0)
    before = block.masked[begun : quotation.start]
    after = block.masked[quotation.end :]
    name, sure = _given_to(before, after)
    if not name:
        return _nobody_said(quotation, before, known)
    texts = _texts(name, known)
    if texts is None or _stands(quotation.words, texts):
        return None
    message = (
        f"these words are not {name}'s" if "_" in name else f"these words are not the {name}'s"
    )
    code = "wrong_speaker" if sure else "unsure_quotation"
    said_by = _said_by(quotation.words, known)
    found = shorten(quotation.words, _SHOWN)
    return Finding(code, message, found=found, wanted=f"words of {said_by}" if said_by else "")


def _given_to(before: str, after: str) -> tuple[str, bool]:
    """Return whom a quotation is given to, and whether that is beyond doubt."""
    follows = _AFTER.match(after)
    if follows:
        return (follows["who"] or follows["who2"] or follows["who3"]), True
    names = list(_WHO.finditer(before))
    if not names:
        return "", False
    last = before[names[-1].start() :]
    for pattern in (_SAID_AT_ONCE, _NEXT_TO):
        if pattern.match(last):
            return names[-1]["who"], True
    if _SAID.match(last) and not _OTHER_SPEAKER.search(last):
        return names[-1]["who"], True
    return "", False


def _nobody_said(quotation: Quotation, before: str, known: Known) -> Finding | None:
    """Warn where only one argument is named and the words are another's."""
    ids = {own_id(match[0], known) for match in re.finditer(ID, before)} - {""}
    if len(ids) != 1:
        return None
    (argument_id,) = ids
    linked = [a.attacker for a in known.received.get(argument_id, ())]
    linked += [a.target for a in known.made.get(argument_id, ())]
    linked += [link.target_id for link in known.defences(argument_id)]
    texts = [known.spoken.get(i, "") for i in (argument_id, *linked, *known.numbers.judgments)]
    if _stands(quotation.words, [*texts, *map(bare, _framing(known))]):
        return None
    message = f"these words are neither {argument_id}'s nor those of an argument linked with it"
    return Finding("unsure_quotation", message, found=shorten(quotation.words, _SHOWN))


def _framing(known: Known) -> Iterator[str]:
    framing = known.numbers.framing
    yield from (framing.motion, framing.scope)
    yield from (item.text for item in framing.definitions)
    yield from (item.text for item in framing.context)


def _texts(name: str, known: Known) -> tuple[str, ...] | None:
    folded = name.casefold()
    side = next((key for key, word in known.sides.items() if word == folded), "")
    if side or folded == "judge":
        return known.spoken_by(side or known.numbers.kind.judge)
    whose = next((i for i in (name, name.partition("-")[0]) if i in known.ids), "")
    return known.spoken_by(whose) if whose in known.spoken else None


def _said_by(words: str, known: Known) -> str:
    return next((i for i, text in known.spoken.items() if _stands(words, [text])), "")
