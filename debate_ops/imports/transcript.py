"""Transcripts and discussion threads: a text in which the speakers are named.

Captions (WebVTT, SRT) are read by webvtt-py. Elsewhere a speech begins with its speaker: in
the listing of a tracker's command line (`author:` above each comment), in a heading, in bold, with
a colon at the beginning of a line (behind the mark of a list or a quotation, with a time before or
behind it), or in a line of its own beside a time.
"""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.imports import KNOWN, Imported, Speech

_CAPTIONS = {
    "vtt": re.compile(r"WEBVTT"),
    "srt": re.compile(r"\d+\s*\n\s*\d+:\d\d:\d\d[,.]\d+\s*-->"),
}
_VOICE = re.compile(r"<v(?:\.[^\s>]+)*\s+([^>\n]+)>")
_OTHERS = {
    "JSON": re.compile(r"\s*[\[{]\s*[\"{\[\]}]"),
    "HTML": re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE),
    "XML": re.compile(r"\s*<(?:\?xml|tt)\b"),
    "Rich Text": re.compile(r"\{\\rtf"),
    "SubStation Alpha": re.compile(r"\s*\[Script Info\]"),
}

_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?)?"
_DAY = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"
_WHEN = rf"(?:{_DAY},?[ T])?{_CLOCK}"
_NAME = r"(?P<name>(?=[^\n:\uff1a]{0,59}?[^\W\d_]|\+\d)[\w+][^:\uff1a*#|<>\"“”\[\]\n]{0,59}?)"
_SAID = r"(?P<said>\s+(?:commented|wrote|said|replied|opened)\b[^\n:]*?)?"
_LABEL = (
    r"^[ \t]*(?P<quoted>(?:>[ \t]?)*+)(?:(?:[-*+•\u2013\u2014]|\d+[.)])[ \t]+)?"
    rf"(?:[\[(]?(?P<before>{_WHEN})Z?[\])]?[ \t]*(?:[-\u2013\u2014|][ \t]*)?(?:From[ \t]+)?)?%s"
    rf"(?P<at>@)?[\"“„«\[<]?{_NAME}[\"”“»\]>]?(?P<to>[ \t]+(?:\(to [^:\n)]*\)|to Everyone))?"
    rf"(?:\*\*)?(?:[ \t]*[,|\u2013-]?[ \t]*[\[(]?(?P<behind>{_WHEN})Z?[\])]?)?%s"
)
_COLON = r"(?:\*\*)?(?::(?:\*\*)?(?=\s|\Z)|\uff1a(?:\*\*)?)[ \t]*"
_ALONE = r"(?:\*\*)?[ \t]*(?(behind)|(?(before)|(?!)))$"
_LISTING, *_ = _STYLES = [
    re.compile(style, re.MULTILINE)
    for style in (
        r"^(?P<said>author):\t(?P<name>\S.*)$",
        *(rf"^{'#' * level} +(?P<at>@)?{_NAME}{_SAID}:? *$" for level in range(1, 7)),
        _LABEL % (r"\*\*", _SAID + _COLON),
        _LABEL % (r"(?:\*\*)?", _COLON),
        _LABEL % (r"(?:\*\*)?", _ALONE),
    )
]
_TITLE = re.compile(
    r"(?:^(?:# +|title:\t|Motion: +)|\A(?:Meeting|Subject|Title|Topic): +)(?P<title>\S.*)$",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(  # what a chat has at the head of a message for what it does not export
    r"\A\u200e?(?:<[^<>\n]+>|[^\s:]+\.\w{2,5} \((?:file attached|Datei angehängt)\)|"
    r"(?:image|video|audio|sticker|GIF|document|Contact card) omitted|"
    r"(?:Bild|Video|Audio|Sticker|GIF|Dokument|Kontaktkarte) weggelassen|"
    r"(?:You deleted this message|This message was deleted|Diese Nachricht wurde gelöscht|"
    r"Du hast diese Nachricht gelöscht)\.?)(?:\n|\Z)"
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_HELD = re.compile(rf"\b(?:{_DAY}|\d{{1,2}}\.? {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}})\b")
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?")
_STAMP = re.compile(
    rf"^[ \t]*[\[(]?(?P<time>{_WHEN})[\])]?[ \t]*$\n?|^\[{_CLOCK}\][ \t]+", re.MULTILINE
)
_NOTICE = re.compile(rf"^\[?{_DAY},? {_CLOCK}(?:\]| -) .*\n?", re.MULTILINE)
_END = re.compile(r"^(?:Meeting|Transcription) ended after \d+:.*\Z", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"[ \t]*(?:[-*_=]{2,}[ \t]*)?")
_FIELD = re.compile(rf"[a-z ]+:\t.*|{_RULE.pattern}")
_HEADING = re.compile(r"(?:\n+#{1,6} [^\n]*)+\s*\Z")

_MOST_WORDS = 6
_IN_SENTENCES = re.compile(  # no name and no role has such a word
    r"(?:am|are|as|at|be|because|been|but|by|can|could|did|does|has|have|he|her|his|how|if|in|into|"
    r"is|it|its|my|not|on|our|she|should|so|than|that|their|then|there|these|they|this|those|to|"
    r"was|we|were|what|when|where|which|why|with|would|you|your)"
)
_BEFORE_COLONS = re.compile(  # what often stands so and never speaks
    r"(?:agenda|arguments?|attendees|background|backing|caveat|claims?|conclusion|context|"
    r"correction|costs?|date|definition|duration|edit|evidence|examples?|facts?|finally|first(?:ly)?|"
    r"grounds?|however|instead|item|location|meeting|minutes|motion|nb|no|notes?|option|"
    r"participants|place|points?|premise|present|problem|ps|quote|reasons?|remark|result|second(?:ly)?|sources?|step|subject|"
    r"summary|third(?:ly)?|time|title|tldr|topic|transcript|update|warning|warrant|yes)"
)


def read(text: str, speakers: Collection[str] = ()) -> Imported:
    """Return the debate of a transcript; only `speakers` speak, where they are named.

    Raises:
        UsageError: no two speakers can be distinguished, or it is of a form that is not known.
        MissingExtraError: it has captions, and webvtt-py is not installed.
    """
    text = re.sub("^[\u200e\u200f\ufeff]+", "", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    text = text.strip("\n")
    if form := next((form for form, begin in _OTHERS.items() if begin.match(text)), ""):
        raise UsageError(f"it is {form}, a form that is not known", hint=KNOWN)
    kind = next((kind for kind, begin in _CAPTIONS.items() if begin.match(text)), "")
    if kind:
        text, voices = _read_captions(text, kind)
        speakers = speakers or voices
    if end := _END.search(text):
        text = text[: end.start()]
    titles = list(_TITLE.finditer(text))
    title = titles[0] if titles and sum(each[0][0] == "#" for each in titles) <= 1 else None
    motion = title["title"].strip() if title else ""
    heads, for_text = _find_heads(text, motion, {name.strip().casefold() for name in speakers})
    is_listing = heads[0].re is _LISTING
    before = text[: heads[0].start()].replace(title[0] if title else "", "")
    notices = len(_NOTICE.findall(text)) - sum(bool(_NOTICE.match(m[0] + " ")) for m in heads)
    left_out = [f"lines with a date and nobody who speaks: {notices}"] if notices > 0 else []
    if not is_listing and _NOTICE.sub("", _STAMP.sub("", before)).strip():
        left_out.append("what stands before the first speaker")
    if end:
        left_out.append(f"what stands behind the last speech: {end[0].splitlines()[0]}")
    speeches, omitted = list[Speech](), 0
    for each in _read_speeches(text, heads):
        said = _PLACEHOLDER.sub("", each.text) if each.at else each.text
        omitted += said != each.text
        speeches += [each._replace(text=said)] if said else []
    if omitted:
        left_out.append(f"what stands for files and deleted messages: {omitted}")
    if kind:  # a caption is as long as a line of the screen
        turns = [[*turn] for _, turn in groupby(speeches, lambda speech: speech.speaker)]
        texts = (" ".join(" ".join(speech.text for speech in turn).split()) for turn in turns)
        speeches = [turn[0]._replace(text=said) for turn, said in zip(turns, texts, strict=True)]
    held = (_HELD.search(text[: heads[0].end()]) or [""])[0]
    return Imported(motion, (*speeches,), left_out=(*left_out,), for_text=for_text, held=held)


def _read_captions(text: str, kind: str) -> tuple[str, tuple[str, ...]]:
    """Return captions as a text with times in lines of their own, and the voices that are marked.

    Each voice begins a line, with a colon behind it.
    """
    try:
        import webvtt
    except ModuleNotFoundError:
        raise MissingExtraError("captions need", "documents") from None
    lines, voices = [], dict[str, None]()
    try:
        for caption in webvtt.from_buffer(io.StringIO(text), format=kind).captions:
            voices |= dict.fromkeys(map(str.strip, _VOICE.findall(caption.raw_text)))
            caption.text = _VOICE.sub(r"\n\1: ", caption.raw_text)
            lines += [caption.start, html.unescape(caption.text).strip()]
    except (webvtt.errors.MalformedFileError, webvtt.errors.MalformedCaptionError) as error:
        raise UsageError(f"its captions cannot be read: {error}", hint=KNOWN) from None
    return "\n".join(lines), tuple(voices) if len(voices) > 1 else ()


def _find_heads(
    text: str, motion: str, known: AbstractSet[str]
) -> tuple[list[re.Match[str]], dict[str, int]]:
    """Return where speeches begin, and how often what else stands so comes: it is text.

    The first style is taken in which two speak, and of whom that is sure, or one comes again; else
    the first in which two speak.
    """
    found: list[tuple[bool, list[re.Match[str]], dict[str, int]]] = []
    for style in _STYLES:
        matches = [each for each in style.finditer(text) if each["name"].strip() != motion]
        times = Counter(each["name"].strip() for each in matches)
        named = {name for name in times if _may_speak(name)}
        marks = ("said", "at", "before", "to", "behind")
        marked = (each for each in matches if any(map(each.groupdict().get, marks)))
        sure = {each["name"].strip() for each in marked} & named
        again = {name for name in named if times[name] > 1}
        if known:
            sure = {name for name in times if name.casefold() in known}
            again = named = set()
        proper = again | {name for name in named if not any(map(str.islower, name.split()[1:]))}
        spoken = next((names for names in (sure, again, proper, named) if len(names) > 1), set())
        heads = [each for each in matches if each["name"].strip() in spoken]
        if heads:
            later = (m["name"].strip() for m in matches if m.start() > heads[0].start())
            others = Counter(name for name in later if name not in spoken)
            found.append((not spoken & (sure | again), heads, dict(others)))
    if not found:
        raise UsageError("no two speakers can be distinguished in it", hint=KNOWN)
    _, heads, for_text = min(found, key=lambda each: each[0])
    if silent := known - {each["name"].strip().casefold() for each in heads}:
        raise UsageError(f"no speech in it begins with {', '.join(sorted(silent))}", hint=KNOWN)
    return heads, for_text


def _may_speak(label: str) -> bool:
    """Tell whether a label reads like a name or a role, and not like a sentence or a heading."""
    words = re.findall(r"[^\W_]+", re.sub(r"\(.*", "", label).casefold())
    return (
        0 < len(words) <= _MOST_WORDS
        and not _BEFORE_COLONS.fullmatch(words[-1])
        and (len(words) == 1 or not any(map(_IN_SENTENCES.fullmatch, words)))
        and not re.search(r"[?!;=]|[.,] .*[.,] ", label)
    )


def _read_speeches(text: str, heads: Sequence[re.Match[str]]) -> Iterator[Speech]:
    ends = [*(match.start() for match in heads[1:]), len(text)]
    found = [*_STAMP.finditer(text[: heads[0].start()])]
    time = found[-1]["time"] or "" if found else ""
    for match, end in zip(heads, ends, strict=True):
        own = match.groupdict()
        date = _DATE.search(own.get("said") or "")
        at = own.get("before") or own.get("behind") or (date[0] if date else time)
        said = text[match.end() : end]
        if own.get("quoted"):
            said = re.sub(r"^[ \t]*(?:>[ \t]?)+", "", said, flags=re.MULTILINE)
        for stamp in _STAMP.finditer(said):
            time = stamp["time"] or time
        said = _NOTICE.sub("", _STAMP.sub("", said))
        said = _HEADING.sub("", said)  # what a speech ends with belongs to the speeches after it
        lines = said.split("\n")
        while match.re is _LISTING and lines and _FIELD.fullmatch(lines[0]):
            lines.pop(0)
        while lines and _RULE.fullmatch(lines[-1]):
            lines.pop()
        if said := "\n".join(lines).strip():
            yield Speech(match["name"].strip(), said, at)
