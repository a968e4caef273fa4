"""Transcripts and discussion threads: a text in which the speakers are named.

Captions (WebVTT, SRT) are read by webvtt-py. Any other text is of one form throughout, and that
form alone decides where speeches begin:

- In a log, such as a chat that was exported, each message begins with a head of its own. Whoever is
  named there speaks; what stands below a head without a speaker is left out, and counted.
- Elsewhere a speaker is a label: a heading, in bold, with a colon at the beginning of a line
  (behind the mark of a list or a quotation, with a time before or behind it), or in a line of its
  own beside a time. Other words stand so too: those that do not read like a speaker are text.
"""

from __future__ import annotations

import html
import io
import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.imports import KNOWN, Imported, Speech

_CAPTIONS = {
    "vtt": re.compile(r"WEBVTT"),
    "srt": re.compile(r"\d+\s*\n\s*\d+:\d\d:\d\d[,.]\d+\s*-->"),
}
_VOICE = re.compile(r"<v(?:\.[^\s>]+)*\s+([^>\n]+)>")
_NAMELESS = re.compile(r"(?:\s*[-\u2013][^:\n]*(?:\n|\Z)){2,}")
_MAIL = (  # the head of a mail, as it stands above what is printed or answered
    r"^\**(?:From|Von|De):[^\n]*\n(?:\**(?:To|Cc|Bcc|Sent|Date|Subject|Reply-To|An|Gesendet|Datum|"
    r"Betreff|Para|Enviado|Asunto|À|Envoyé|Objet):[^\n]*\n){2}"
)
_OTHERS = {
    "JSON": re.compile(r"\s*[\[{]\s*[\"{\[\]}]"),
    "HTML": re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE),
    "XML": re.compile(r"\s*<(?:\?xml|tt)\b"),
    "Rich Text": re.compile(r"\{\\rtf"),
    "SubStation Alpha": re.compile(r"\s*\[Script Info\]"),
    "mail": re.compile(rf"(?ms)(?:.*{_MAIL}){{2}}|{_MAIL}|(?:Return-Path|Delivered-To|Received): "),
}

_HALF = r"(?:\s?[AaPp]\.?\s?[Mm]\b\.?|\sUhr\b)?+"
_CLOCK = rf"\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d+)?)?Z?{_HALF}"
_NUMBERS = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"
_MONTH = r"(?:Jan|Feb|M[aä]r|Apr|Ma[iy]|Jun[ei]?|Jul[iy]?|Aug|Sept?|O[ck]t|Nov|De[cz])[a-z]*\.?"
_WEEKDAY = (
    r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|"
    r"(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|Sonnabend)"
)
_DATE = (
    rf"{_NUMBERS}|\d{{1,2}}(?:\. |[-. ]){_MONTH}[- ]\d{{2,4}}|{_MONTH} \d{{1,2}}(?:, \d{{4}})?|"
    r"\d{1,2}\.\d{1,2}\."
)
_DAY = (
    rf"(?:(?:Today|Yesterday|Heute|(?:Vorg|G)estern|(?:{_WEEKDAY},? ?)?(?:{_DATE})|{_WEEKDAY})"
    r"(?:,? (?:at|um)|,)?[ T])?"
)
_WHEN = f"{_DAY}{_CLOCK}"
_NAME = r"(?P<name>(?=[^\n:\uff1a]{0,59}?[^\W\d_]|\+\d)[\w+][^:\uff1a*#|<>\"“”\[\]\n]{0,59}?)"
_SAID = r"(?P<said>\s+(?:commented|wrote|said|replied|opened)\b[^\n:]*?)?"
_LABEL = (
    r"^[ \t]*(?P<quoted>(?:>[ \t]?)*+)(?:(?:[-*+•\u2013\u2014]|\d+[.)]|\d+[ \t])[ \t]+)?"
    rf"(?P<lead>[\[(]?(?P<before>{_WHEN})[\])]?[ \t]*(?:[-\u2013\u2014|][ \t]*)?)?%s"
    rf"(?P<at>@)?[\"“„«\[<]?{_NAME}[\"”“»\]>]?(?P<to>[ \t]+\(to [^:\n)]*\))?(?:\*\*)?"
    rf"(?P<trail>[ \t]*[,|•\u2013\u2014-]?[ \t]*[\[(]?(?P<behind>{_WHEN})[\])]?)?%s"
)
_COLON = r"(?:\*\*)?(?::(?:\*\*)?(?=\s|\Z)|\uff1a(?:\*\*)?)[ \t]*"
_CHAT = (  # all before the colon is a name, unless a quotation begins in it
    rf"^(?P<lead>\[?(?P<before>{_NUMBERS},?[ T]\d\d?[:.]\d\d(?:[:.]\d\d)?Z?{_HALF}))"
    r"(?: \| \w+ [\d:]+)?(?:\] ?| - | )"
    r"(?:(?!\u200e)(?P<name>(?:[^:\"“„«\n]|\"[^\":\n]*\"){1,80}):(?:[ \t]|$))?"
)
_CHAT_OF_MEETING = (
    rf"^(?P<lead>(?P<before>{_CLOCK}))[ \t]+From[ \t]+(?P<name>[^:\n]+?)"
    r"(?:[ \t]+(?i:to)[ \t]+(?:(?i:everyone)|(?P<to>[^:\n]+?)))?[ \t]*:(?=\s)[ \t]*"
)
_CHAT_IN_LINES = (  # such as IRC
    rf"^(?:(?P<lead>[\[(]?(?P<before>{_WHEN})[\])]?)[ \t]+)?"
    r"(?:<[ @+%&~]?(?P<name>[^<>\s]{1,40})>(?:[ \t]|$)|(?(lead)|(?!)))"
)
_CHAT_IN_RECORDS = (  # such as Signal
    r"^From: (?P<name>[^\n(<]+?)[ \t]*(?:[(<].*)?\n(?:Type: .*\n)?Sent: (?P<before>.*)"
    r"(?:\n(?:Received|Edited): .*)*$"
)
_LOGS = (_CHAT, _CHAT_OF_MEETING, _CHAT_IN_LINES, _CHAT_IN_RECORDS)
_CHAT_WITH_MODEL = (  # copied from its page; a heading may repeat how the text below begins
    r"^(?:#+ )?(?P<name>You|Du|ChatGPT|Claude|Copilot|Gemini) "
    r"(?P<said>said|responded|has?t gesagt):?[ \t]*(?:$|(?P<begin>\S.*)\n\s*(?=(?P=begin)))"
)
_LABELS = (
    _CHAT_WITH_MODEL,
    r"^(?:[a-z ]+:\t.*\n){0,9}(?P<said>author):\t(?P<name>\S.*)(?:\n[a-z ]+:\t.*)*(?:\n--$)?",
    *(rf"^{'#' * level} +(?P<at>@)?{_NAME}{_SAID}:? *$" for level in range(1, 7)),
    _LABEL % (r"\*\*", _SAID + _COLON),
    _LABEL % (r"(?:\*\*)?", _COLON),
)
_EDITED = r"(?:,? \(?[Ee]dited\)?)?[ \t]*$"
_LINES = (
    _LABEL % (r"(?:\*\*)?", rf"(?:\*\*)?[ \t]*(?(behind)|(?(before)|(?!))){_EDITED}"),
    rf"^{_NAME}[ \t]*\n(?P<trail>\s*(?:\u2014|:[a-z][\w+-]*:)?\s*(?P<behind>{_WHEN})){_EDITED}",
)
_FORMS = (_LOGS, _LABELS, _LINES)
_TITLE = re.compile(
    r"(?:^(?:# +|title:\t|Motion: +)|\A(?:Meeting|Subject|Title|Topic): +)(?P<title>\S.*)$",
    re.MULTILINE,
)
_HELD = re.compile(rf"\b(?:{_NUMBERS}|\d{{1,2}}\.? {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}})\b")
_TIME_ABOVE = re.compile(rf"^[ \t]*([\[(]?(?P<time>{_CLOCK})[\])]?)\s*\Z", re.MULTILINE)
_END = re.compile(
    r"^(?:(?:Meeting|Transcription) ended after \d+:|Transcribed by https?:|=+\nExported \d).*\Z",
    re.MULTILINE | re.DOTALL,
)
_RULE = re.compile(r"[ \t]*(?:[-*_=]{2,}[ \t]*)?")
_INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_IN_LOGS = {
    "what a chat writes for files, edits and deleted messages": re.compile(
        r"\A(?:\u200e.*|<[^<>\n]+ [^<>\n]+>|\S+\.\w{2,5} \((?:file attached|Datei angehängt|"
        r"archivo adjunto)\)|"
        r"(?:You deleted this message|This message was deleted|Diese Nachricht wurde gelöscht|"
        r"Du hast diese Nachricht gelöscht|Se eliminó este mensaje|Eliminaste este mensaje)\.?)"
        r"(?:\n|\Z)|(?:\u200e<[^<>\n]+>|<[^<>\n]*\b(?:edited|bearbeitet|editado|editó)\b[^<>\n]*>)\s*\Z"
    )
}
_ELSEWHERE = {
    "reactions": re.compile(r"^\{Reactions\}\n(?:.+(?:\n|\Z))*", re.MULTILINE),
    "headings between speeches": re.compile(r"(?<!\n)(?:\n+#{1,6} [^\n]*)+\s*\Z"),
}

_MOST_WORDS = 6
_IN_SENTENCES = re.compile(  # no name and no role has such a word
    r"(?:am|are|as|at|be|because|been|but|by|can|could|did|does|has|have|he|her|his|how|if|in|into|"
    r"is|it|its|my|not|on|our|she|should|so|than|that|their|then|there|these|they|this|those|to|"
    r"was|we|were|what|when|where|which|why|with|would|you|your)"
)
_BEFORE_COLONS = re.compile(  # what often stands so and never speaks
    r"(?:action|agenda|apologies|arguments?|attendees|background|backing|bcc|caveat|cc|claims?|"
    r"conclusion|context|conversation|correction|costs?|date|definition|duration|edit|evidence|"
    r"examples?|facts?|finally|first(?:ly)?|from|grounds?|however|instead|item|location|meeting|"
    r"minutes|motion|nb|no|notes?|option|participants|place|points?|premise|present|problem|ps|"
    r"quote|re|reasons?|received|remark|result|second(?:ly)?|sent|sources?|step|subject|summary|"
    r"third(?:ly)?|time|title|tldr|to|topic|transcript|type|update|warning|warrant|yes)"
)


class _Found(NamedTuple):
    """The form of a text, its heads, who speaks, and how often what else stands so comes."""

    form: str
    heads: list[re.Match[str]]
    speakers: AbstractSet[str]
    for_text: Counter[str]
    is_sure: bool


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
    times, left_out = list[tuple[int, str]](), Counter[str]()
    if kind:
        text, voices, times = _read_captions(text, kind, left_out)
        speakers = speakers or voices
    titles = list(_TITLE.finditer(text))
    title = titles[0] if titles and sum(each[0][0] == "#" for each in titles) <= 1 else None
    motion = title["title"].strip() if title else ""
    found = _find_heads(text, motion, {name.strip().casefold() for name in speakers})
    heads = found.heads
    before = _TIME_ABOVE.sub("", text[: heads[0].start()].replace(title[0] if title else "", ""))
    left_out["lines before the first speaker"] = len(re.findall(r"\S.*", before))
    if end := _END.search(text, heads[-1].end()):
        text = text[: end.start()]
        left_out["lines behind the last speech"] = len(re.findall(r"\S.*", end[0]))
    speeches = [*_read_speeches(text, found, times, left_out)]
    if len({speech.speaker for speech in speeches}) < 2:  # noqa: PLR2004
        raise UsageError("no two speakers can be distinguished in it", hint=KNOWN)
    if kind:  # a caption is as long as a line of the screen
        turns = [[*turn] for _, turn in groupby(speeches, lambda speech: speech.speaker)]
        texts = (" ".join(" ".join(speech.text for speech in turn).split()) for turn in turns)
        speeches = [turn[0]._replace(text=said) for turn, said in zip(turns, texts, strict=True)]
    counted = tuple(f"{what}: {number}" for what, number in left_out.items() if number)
    held = (_HELD.search(text[: heads[0].end()]) or [""])[0]
    return Imported(motion, (*speeches,), {}, counted, found.for_text, held)


def _read_captions(
    text: str, kind: str, left_out: Counter[str]
) -> tuple[str, tuple[str, ...], list[tuple[int, str]]]:
    """Return captions as a text, the voices that are marked, and the time of each place in it.

    Each voice begins a line, with a colon behind it.
    """
    try:
        import webvtt
    except ModuleNotFoundError:
        raise MissingExtraError("captions need", "documents") from None
    words, voices, times = "", dict[str, None](), list[tuple[int, str]]()
    try:
        for caption in webvtt.from_buffer(io.StringIO(text), format=kind).captions:
            voices |= dict.fromkeys(map(str.strip, _VOICE.findall(caption.raw_text)))
            caption.text = _VOICE.sub(r"\n\1: ", caption.raw_text)
            said = html.unescape(caption.text).strip()
            if _NAMELESS.fullmatch(said):
                left_out["captions of several speakers without names"] += 1
                continue
            times.append((len(words), caption.start))
            words += f"{said}\n"
    except (webvtt.errors.MalformedFileError, webvtt.errors.MalformedCaptionError) as error:
        raise UsageError(f"its captions cannot be read: {error}", hint=KNOWN) from None
    return words, tuple(voices) if len(voices) > 1 else (), times


def _find_heads(text: str, motion: str, known: AbstractSet[str]) -> _Found:
    """Return where speeches begin: in a form in which two surely speak, else in which they may.

    A name surely speaks if it has a mark, or comes again. Of several labels the first that is
    listed above is taken; of a log, labels and lines what begins first in the text: another one
    stands in its speeches.
    """
    candidates = list[_Found]()
    for form in chain(*_FORMS):
        heads = _list_heads(form, text)
        times = Counter(filter(None, map(_spell_name, heads)))
        named = {name for name in times if form in _LOGS or _may_speak(name)} - {motion}
        marks = ("said", "at", "to", "before", "behind")
        marked = (each for each in heads if any(map(each.groupdict().get, marks)))
        sure = {_spell_name(each) for each in marked} & named
        again = {name for name in named if times[name] > 1}
        if known:
            sure = again = {name for name in times if name.casefold() in known}
            named = set()
        proper = again | {name for name in named if not any(map(str.islower, name.split()[1:]))}
        spoken = next((names for names in (sure, again, proper, named) if len(names) > 1), set())
        speaking = [each for each in heads if _spell_name(each) in spoken]
        if not speaking:
            continue
        later = [_spell_name(each) for each in heads if each.start() > speaking[0].start()]
        for_text = Counter(name for name in later if form not in _LOGS and name not in spoken)
        heads = heads if form in _LOGS else speaking
        is_sure = bool(spoken & (again if form in _LINES else sure | again))
        candidates.append(_Found(form, heads, spoken, for_text, is_sure))
    if not candidates:
        raise UsageError("no two speakers can be distinguished in it", hint=KNOWN)
    ranked = sorted(candidates, key=lambda each: not each.is_sure)
    first = [next((each for each in ranked if each.form in kind), None) for kind in _FORMS]
    found = min(filter(None, first), key=lambda each: (not each.is_sure, each.heads[0].start()))
    # A day that is not known stands to a name: who spoke is not for certain.
    ends = re.compile(rf"(?:{'|'.join(map(re.escape, found.speakers))}) .* (?:at|um)")
    unread = filter(ends.fullmatch, found.for_text if found.form in _LINES and not known else ())
    if name := next(unread, ""):
        raise UsageError(f"it has a day of a form that is not known: {name!r}", hint=KNOWN)
    if found.form == _CHAT_WITH_MODEL and not known:
        turns = [_spell_name(head) for head in found.heads]
        odd = [turn for before, turn in zip(turns, turns[2:], strict=False) if turn != before]
        odd += {"You", "Du"}.intersection(turns[-1:])
        if odd:  # one of them may be quoted
            message = f"{odd[0]!r} stands in it where the other's turn is expected"
            raise UsageError(message, hint=KNOWN)
    if silent := known - {name.casefold() for name in found.speakers}:
        raise UsageError(f"no speech in it begins with {', '.join(sorted(silent))}", hint=KNOWN)
    return found


def _list_heads(form: str, text: str) -> list[re.Match[str]]:
    """Return what may be a head; of those with a stamp only such as have that of the form."""
    heads = [*re.finditer(form, text, re.MULTILINE)]
    parts = [head.groupdict("") for head in heads]
    stamps = [each.get("lead", "") + each.get("trail", "") for each in parts]
    if form in _LOGS:
        stamps = [re.sub(r"\d\d?(?!\d)", "0", each) for each in stamps]
    else:  # one says 'Today' where the next has a date, or has a picture before it
        stamps = [re.sub(rf"{_DAY}\d[\d:.,]*(?: Uhr)?", "0", each) for each in stamps]
        stamps = [re.sub(r":[a-z][\w+-]*:\s*|[ \t]{2,}|\t", "  ", each) for each in stamps]
    stamps = [re.sub(r"[A-Za-z]+", "A", each) for each in stamps]
    common = Counter(filter(None, stamps)).most_common(1)
    expected = {*stamps[:1]} if form in _LOGS else {"", *dict(common)}
    return [head for head, stamp in zip(heads, stamps, strict=True) if stamp in expected]


def _spell_name(head: re.Match[str]) -> str:
    """Return who is named in a head, without what nobody sees; nothing where nobody is."""
    return " ".join(_INVISIBLE.sub("", head["name"] or "").split())


def _may_speak(label: str) -> bool:
    """Tell whether a label reads like a name or a role, and not like a sentence or a heading."""
    words = re.findall(r"[^\W_]+", re.sub(r"\(.*", "", label).casefold())
    return (
        0 < len(words) <= _MOST_WORDS
        and not _BEFORE_COLONS.fullmatch(words[-1])
        and (len(words) == 1 or not any(map(_IN_SENTENCES.fullmatch, words)))
        and not re.search(rf"[?!;=]|[.,] .*[.,] |\d {_MONTH} \d|{_MONTH} \d+, \d| um$", label)
        and not re.match(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?:,|$)", label)
    )


def _read_speeches(
    text: str, found: _Found, times: Sequence[tuple[int, str]], left_out: Counter[str]
) -> Iterator[Speech]:
    """Yield what stands below each head, and count what of it nobody said."""
    form, heads = found.form, found.heads
    ends = [*(head.start() for head in heads[1:]), len(text)]
    above = None if form in _LOGS or times else _TIME_ABOVE.search(text[: heads[0].start()])
    time = above["time"] if above else ""
    for head, end in zip(heads, ends, strict=True):
        name, own, said = _spell_name(head), head.groupdict(""), text[head.end() : end]
        if name not in found.speakers:
            who = f"what {name} said" if name else "lines with a time and nobody who speaks"
            left_out[who] += 1
            continue
        if times:
            time = times[bisect(times, head.start(), key=itemgetter(0)) - 1][1]
        day = _HELD.search(own.get("said", ""))
        at = own.get("before") or own.get("behind") or (day[0] if day else time)
        left_out["to whom it was said, where not to all"] += bool(own.get("to"))
        if own.get("quoted"):
            said = re.sub(r"^[ \t]*(?:>[ \t]?)+", "", said, flags=re.MULTILINE)
        below = _TIME_ABOVE.search(said) if above and end < len(text) else None
        if above and below and re.sub(r"\d+", "0", below[1]) == re.sub(r"\d+", "0", above[1]):
            said, time = said[: below.start()], below["time"]
        for what, pattern in (_IN_LOGS if form in _LOGS else _ELSEWHERE).items():
            words = pattern.sub("", said)
            left_out[what] += words != said
            said = words
        lines = said.split("\n")
        while lines and _RULE.fullmatch(lines[-1]):
            lines.pop()
        if said := "\n".join(lines).strip():
            yield Speech(name, said, at)
