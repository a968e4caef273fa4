"""Debates that were held elsewhere: as data, or as a text in which the speakers are named.

Captions (WebVTT, SRT) are read by webvtt-py. Any other text is of one form throughout, and that
form alone decides where speeches begin:

- In a chat that was exported, each message begins with a date and a time, and who is named there
  speaks.
- Elsewhere a speaker is a label: a heading, in bold, with a colon at the beginning of a line, or in
  a line of its own before a time. What stands so and does not read like a speaker is text.
"""

import html
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, count, groupby
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.core.settings import LONGEST_NAME, RESERVED, explain_errors
from debate_ops.engine.store import spell_slug

KNOWN = (
    "Known are captions (WebVTT, SRT), chats and meetings with times, JSON with 'question', "
    "'answers' and 'speeches', and texts in which a speech begins with its speaker: 'Ann: ...', "
    "'**Ann:** ...', '## Ann'. Where other words stand so, list the names with --speakers."
)


class Speech(NamedTuple):
    """What somebody said: who, by the name as it stood there, the text, and when if known."""

    speaker: str
    text: str
    at: str = ""


class Imported(NamedTuple):
    """A debate: its motion, if named, its speeches, and what each speaker spoke for.

    `left_out` says what was not taken; `for_text` how often what stands like a name was not one.
    """

    motion: str
    speeches: tuple[Speech, ...]
    positions: Mapping[str, str] = {}
    left_out: tuple[str, ...] = ()
    for_text: Mapping[str, int] = {}


def names(speakers: Iterable[str]) -> dict[str, str]:
    """Return a participant's name for each speaker: in small ASCII letters, each another one.

    >>> names(["Zoë B.", "Zoe B", "李", "Con", "3rd"])
    {'Zoë B.': 'zoe-b', 'Zoe B': 'zoe-b-2', '李': 'speaker', 'Con': 'con', '3rd': 'the-3rd'}
    """
    taken, by_speaker = {*RESERVED, "nobody"}, dict[str, str]()
    for speaker in dict.fromkeys(speakers):
        base = spell_slug(speaker, LONGEST_NAME - 8) or "speaker"
        base = f"the-{base}" if base[0].isdigit() else base
        possible = chain([base], (f"{base}-{number}" for number in count(2)))
        by_speaker[speaker] = next(name for name in possible if name not in taken)
        taken.add(by_speaker[speaker])
    return by_speaker


class Said(BaseModel):
    """What somebody said, as data."""

    debater: str
    text: str


class DebateData(BaseModel):
    """A debate, as data."""

    question: str
    answers: dict[str, str]
    speeches: tuple[Said, ...]


def read_data(data: Any) -> Imported:
    """Return a debate that is given as data; raise a `UsageError` where it has another form."""
    try:
        given = DebateData.model_validate(data)
    except ValidationError as error:
        is_slack = isinstance(data, list) and any("ts" in e for e in data if isinstance(e, dict))
        form = "a Slack export" if is_slack else "JSON of another form"
        why = "; ".join(" ".join(each) for each in explain_errors(error))
        raise UsageError(f"it is {form}, a form that is not known: {why}", hint=KNOWN) from None
    speeches = tuple(Speech(said.debater, said.text) for said in given.speeches)
    return Imported(given.question, speeches, given.answers)


# Texts.

_CAPTIONS = {
    "vtt": re.compile(r"WEBVTT"),
    "srt": re.compile(r"\d+[^\S\n]*\n\s*\d+:\d\d:\d\d[,.]\d+\s*-->"),
}
_VOICE = re.compile(r"<v(?:\.[^\s>]+)?\s++([^>\n]+)>")
_NAMELESS = re.compile(r"(?:\s*[-\u2013][^:\n]*(?:\n|\Z)){2,}")
_OTHERS = {
    "JSON": re.compile(r"\s*[\[{]\s*[\"{\[\]}]"),
    "HTML": re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE),
    "XML": re.compile(r"\s*<(?:\?xml|tt)\b"),
    "Rich Text": re.compile(r"\{\\rtf"),
    "mail": re.compile(r"(?:From|Received|Return-Path|Delivered-To): "),
}

_HALF = r"(?:\s?[AaPp]\.?\s?[Mm]\b\.?)?+"
_CLOCK = rf"\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d+)?)?Z?{_HALF}"
_DATE = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"
_WHEN = rf"(?:{_DATE},?[ T])?{_CLOCK}"
_NAME = r"(?P<name>(?=[^\n:\uff1a]{0,59}?[^\W\d_]|\+\d)[\w+][^:\uff1a*#|<>\"“”\[\]\n]{0,59}?)"
_LABEL = (
    r"^[ \t]*(?P<quoted>(?:>[ \t]?)*+)(?:(?:[-*+•\u2013\u2014]|\d+[.)]|\d+[ \t])[ \t]+)?"
    rf"(?:[\[(]?(?P<before>{_WHEN})[\])]?[ \t]*(?:[-\u2013\u2014|][ \t]*)?)?%s"
    rf"@?[\"“„«\[<]?{_NAME}[\"”“»\]>]?(?P<mark>[ \t]++\(to [^:\n)]*\))?(?:\*\*)?"
    rf"(?:[ \t]*+[,|•\u2013\u2014-]?[ \t]*+[\[(]?(?P<behind>{_WHEN})[\])]?)?"
    r"(?:\*\*)?(?::(?:\*\*)?(?=\s|\Z)|\uff1a(?:\*\*)?)[ \t]*"
)
_CHAT = (  # all before the colon is a name, unless a quotation begins in it
    rf"^\[?(?P<before>{_DATE},?[ T]\d\d?[:.]\d\d(?:[:.]\d\d)?Z?{_HALF})"
    r"(?: \| \w+ [\d:]+)?(?:\] ?| - | )"
    r"(?:(?!\u200e)(?P<name>(?:[^:\"“„«\n]|\"[^\":\n]*\"){1,80}):(?:[ \t]|$))?"
)
_NAMES_ABOVE = rf"^{_NAME}[ \t]*(?:[,|•\u2013\u2014-][ \t]*)?[\[(]?(?P<behind>{_WHEN})[\])]?[ \t]*$"
_FORMS = (
    _CHAT,
    _NAMES_ABOVE,
    r"^(?:#+ )?(?P<name>You|ChatGPT|Claude|Copilot|Gemini) (?P<mark>said|responded):[ \t]*$",
    r"^(?:[a-z ]+:\t.*\n){0,9}(?P<mark>author):\t(?P<name>\S.*)(?:\n[a-z ]+:\t.*)*(?:\n--$)?",
    *(rf"^{'#' * level} +@?{_NAME}:? *$" for level in range(1, 7)),
    _LABEL % r"\*\*",
    _LABEL % r"(?:\*\*)?",
)
_TITLE = re.compile(r"^(?:# +|title:\t|(?:Motion|Meeting): +)(?P<title>\S.*)$", re.MULTILINE)
_TIME_ABOVE = re.compile(rf"^[ \t]*([\[(]?(?P<time>{_CLOCK})[\])]?)\s*\Z", re.MULTILINE)
_END = re.compile(r"^(?:Meeting|Transcription) ended after \d+:.*\Z", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"[ \t]*(?:[-*_=]{2,}[ \t]*)?")
_INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_LEFT_OUT = {
    True: (
        "what a chat writes for files and edits",
        re.compile(r"\A(?:\u200e.*|<(?=[^<>\n]+ [^<>\n])[^<>\n]+>)(?:\n|\Z)|\u200e<[^<>\n]+>\s*\Z"),
    ),
    False: ("headings between speeches", re.compile(r"(?<!\n)(?:\n+#{1,6} [^\n]*+)+\s*\Z")),
}
"""What nobody said of that which stands below a head, by whether it is a chat."""

_MOST_WORDS = 6
"""Of a name."""
_IN_SENTENCES = re.compile(  # no name and no role has such a word
    r"(?:am|are|as|at|be|because|been|but|by|can|could|did|does|has|have|he|her|his|how|if|in|into|"
    r"is|it|its|my|not|on|our|she|should|so|than|that|their|then|there|these|they|this|those|to|um|"
    r"was|we|were|what|when|where|which|why|with|would|you|your|today|yesterday|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_BEFORE_COLONS = re.compile(  # what often stands so and never speaks
    r"(?:action|agenda|arguments?|attendees|background|backing|caveat|cc|claims?|conclusion|context|"
    r"conversation|correction|costs?|date|definition|edit|evidence|examples?|facts?|finally|"
    r"first(?:ly)?|from|grounds?|however|item|location|meeting|minutes|motion|nb|no|notes?|option|"
    r"participants|place|points?|premise|present|problem|ps|quote|reasons?|received|result|"
    r"second(?:ly)?|sent|sources?|step|subject|summary|third(?:ly)?|time|title|to|topic|"
    r"transcript|type|update|warning|warrant|yes)"
)


class _Found(NamedTuple):
    """The form of a text, its heads, who speaks, and how often what else stands so comes."""

    form: str
    heads: list[re.Match[str]]
    speakers: AbstractSet[str]
    for_text: Counter[str]
    is_sure: bool


def read(text: str, speakers: Collection[str] = ()) -> Imported:
    """Return the debate of a transcript; only `speakers` speak, where they are named."""
    text = re.sub("^[\u200e\u200f\ufeff]+", "", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    text = text.strip("\n")
    if form := next((form for form, begin in _OTHERS.items() if begin.match(text)), ""):
        raise UsageError(f"it is {form}, a form that is not known", hint=KNOWN)
    kind = next((kind for kind, begin in _CAPTIONS.items() if begin.match(text)), "")
    left_out = Counter[str]()
    if kind:
        text, voices = _read_captions(text, kind, left_out)
        speakers = speakers or voices
    titles = list(_TITLE.finditer(text))
    title = titles[0] if titles and sum(each[0][0] == "#" for each in titles) <= 1 else None
    motion = title["title"].strip() if title else ""
    found = _find_heads(text, motion, {name.strip().casefold(): name for name in speakers})
    heads = found.heads
    before = _TIME_ABOVE.sub("", text[: heads[0].start()].replace(title[0] if title else "", ""))
    left_out["lines before the first speaker"] = len(re.findall(r"\S.*", before))
    if end := _END.search(text, heads[-1].end()):
        text = text[: end.start()]
        left_out["lines behind the last speech"] = len(re.findall(r"\S.*", end[0]))
    speeches = [*_read_speeches(text, found, left_out)]
    if len({speech.speaker for speech in speeches}) < 2:  # noqa: PLR2004
        raise UsageError("no two speakers can be distinguished in it", hint=KNOWN)
    if kind:  # a caption is as long as a line of the screen
        turns = [[*turn] for _, turn in groupby(speeches, lambda speech: speech.speaker)]
        texts = (" ".join(" ".join(speech.text for speech in turn).split()) for turn in turns)
        speeches = [turn[0]._replace(text=said) for turn, said in zip(turns, texts, strict=True)]
    counted = tuple(f"{what}: {number}" for what, number in left_out.items() if number)
    return Imported(motion, (*speeches,), {}, counted, found.for_text)


def _read_captions(text: str, kind: str, left_out: Counter[str]) -> tuple[str, tuple[str, ...]]:
    """Return captions as a text in which each voice begins a line, and whose are marked."""
    try:
        import webvtt
    except ModuleNotFoundError:
        raise MissingExtraError("captions need", "documents") from None
    words, voices = list[str](), dict[str, None]()
    try:
        for caption in webvtt.from_buffer(io.StringIO(text), format=kind).captions:
            voices |= dict.fromkeys(map(str.strip, _VOICE.findall(caption.raw_text)))
            caption.text = _VOICE.sub(r"\n\1: ", caption.raw_text)
            words.append(html.unescape(caption.text).strip())
    except (webvtt.errors.MalformedFileError, webvtt.errors.MalformedCaptionError) as error:
        raise UsageError(f"its captions cannot be read: {error}", hint=KNOWN) from None
    named = [said for said in words if not _NAMELESS.fullmatch(said)]
    left_out["captions of several speakers without names"] = len(words) - len(named)
    return "\n".join(named), tuple(voices) if len(voices) > 1 else ()


def _find_heads(text: str, motion: str, known: Mapping[str, str]) -> _Found:
    """Return where speeches begin: in the first form in which somebody surely speaks, else may."""
    candidates, there = list[_Found](), set[str]()
    for form in _FORMS:
        heads = [*re.finditer(form, text, re.MULTILINE)]
        if form == _CHAT:  # a chat with dates of another form is pasted into this one
            stamps = [re.sub(r"\d+|[A-Za-z]+", "0", head["before"]) for head in heads]
            heads = [h for h, s in zip(heads, stamps, strict=True) if s == stamps[0]]
        times = Counter(filter(None, map(_spell_name, heads)))
        there |= {name.casefold() for name in times}
        named = {name for name in times if form == _CHAT or _may_speak(name)} - {motion}
        marks = () if form == _NAMES_ABOVE else ("mark", "before", "behind")
        marked = {_spell_name(each) for each in heads if any(map(each.groupdict().get, marks))}
        sure = {name for name in named if times[name] > 1 or name in marked}
        if known:
            sure = named = {name for name in times if name.casefold() in known}
        proper = {name for name in named if not any(map(str.islower, name.split()[1:]))}
        spoken = sure if len(sure) > 1 else named if sure else proper
        if len(spoken) < 2:  # noqa: PLR2004
            continue
        speaking = [each for each in heads if _spell_name(each) in spoken]
        later = [_spell_name(each) for each in heads if each.start() > speaking[0].start()]
        for_text = Counter(name for name in later if form != _CHAT and name not in spoken)
        heads = heads if form == _CHAT else speaking
        candidates.append(_Found(form, heads, spoken, for_text, bool(sure)))
    found = min(candidates, key=lambda each: not each.is_sure, default=None)
    said = {name.casefold() for name in found.speakers} if found else there
    if silent := [name for key, name in known.items() if key not in said]:
        speak = sorted(_find_heads(text, motion, {}).speakers)
        raise UsageError(
            f"nobody called {' or '.join(silent)} speaks in it; who speaks: {', '.join(speak)}",
            hint="List with --speakers those who do, as they stand there.",
        )
    if not found:
        raise UsageError("no two speakers can be distinguished in it", hint=KNOWN)
    if found.form == _NAMES_ABOVE and found.for_text and not known:  # such as a day behind a name
        raise UsageError(f"a time stands beside {next(iter(found.for_text))!r} in it", hint=KNOWN)
    return found


def _spell_name(head: re.Match[str]) -> str:
    """Return who is named in a head, without what nobody sees; nothing where nobody is."""
    return " ".join(_INVISIBLE.sub("", head["name"] or "").split())


def _may_speak(label: str) -> bool:
    words = re.findall(r"[^\W_]+", re.sub(r"\([^)]*\)", "", label).casefold())
    return (
        0 < len(words) <= _MOST_WORDS
        and not _BEFORE_COLONS.fullmatch(words[-1])
        and (len(words) == 1 or not any(map(_IN_SENTENCES.fullmatch, words)))
        and not re.search(r"[?!;=]|[.,] .*[.,] |\d{4}$", label)
    )


def _read_speeches(text: str, found: _Found, left_out: Counter[str]) -> Iterator[Speech]:
    """Yield what stands below each head, and count what of it nobody said."""
    heads, is_chat = found.heads, found.form == _CHAT
    above = None if is_chat else _TIME_ABOVE.search(text[: heads[0].start()])
    time = above["time"] if above else ""
    for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=True):
        name, own, said = _spell_name(head), head.groupdict(""), text[head.end() : end]
        if name not in found.speakers:
            who = f"what {name} said" if name else "lines with a time and nobody who speaks"
            left_out[who] += 1
            continue
        at = own.get("before") or own.get("behind") or time
        if own.get("quoted"):
            said = re.sub(r"^[ \t]*(?:>[ \t]?)+", "", said, flags=re.MULTILINE)
        below = _TIME_ABOVE.search(said) if above and end < len(text) else None
        if above and below and re.sub(r"\d+", "0", below[1]) == re.sub(r"\d+", "0", above[1]):
            said, time = said[: below.start()], below["time"]
        what, pattern = _LEFT_OUT[is_chat]
        words = pattern.sub("", said)
        left_out[what] += words != said
        lines = words.split("\n")
        while lines and _RULE.fullmatch(lines[-1]):
            lines.pop()
        if said := "\n".join(lines).strip():
            yield Speech(name, said, at)
