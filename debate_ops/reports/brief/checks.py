"""What a brief has to keep to: the record, in every language by the same rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.formats import schema
from debate_ops.formats.json_reply import Path, json_path
from debate_ops.model import messages
from debate_ops.model.score import signed
from debate_ops.reports.blocks import Line
from debate_ops.reports.brief.fields import FIELD, Fields, NotOnRecordError
from debate_ops.reports.brief.loose import Loose
from debate_ops.reports.brief.values import EVEN
from debate_ops.reports.view import OPEN, View

SCHEMA = "brief"
ANSWER_WORDS = 30
STORY_WORDS = (300, 600)
ADVICE_WORDS = 800
"""Of what is read first: what is longer is not read by somebody who has a few minutes."""
NOTES_WORDS = 400
"""Of what stands below it, besides the story."""

STORY = "story"
_NAMES = frozenset({"participant", "direction", "better", "point", "cites", "arguments"})
"""Keys under which stand names and no texts."""
_CHOICES = frozenset({"for", "yes_favours"})
"""Keys under which stand names of choices; where there are not just two of them, texts too."""
SIDES = 2
"""Of so many choices each has to be argued for, and nothing else can be favoured."""
_NOTES = frozenset({"changed", "issues", "names", "unchecked", "unused"})
"""Keys under which stands what is read after the advice."""
_FREE = frozenset({"confidence", "next_steps"})
"""Where numbers are the reporter's estimates and proposals."""
_MOST_CHARACTERS = 200_000
"""More than a brief that fits its schema can have: the rest of a flood is not looked at."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that put no spaces between words: two of them are counted as a word."""
_WORD = re.compile(r"\w+(?:[^\w\s]+\w+)*")
_PARAGRAPHS = re.compile(r"\n\s*\n")

Data = Mapping[str, Any]


class Checked(NamedTuple):
    """The texts of a brief by their path, each as paragraphs, and what is wrong with it."""

    lines: Mapping[Path, tuple[Line, ...]]
    faults: tuple[Finding, ...]


def check(value: object, view: View) -> Checked:
    """Hold a brief to the record; what does not fit its schema is passed over."""
    fields = Fields(view)
    data = value if isinstance(value, dict) else {}
    lines, faults = _texts(data, fields)
    faults += [
        *_names(data, fields),
        *_direction(data, view),
        *_reasons(data, view),
        *_issues(data, view),
        *_lengths(data, view),
    ]
    return Checked(lines, tuple(faults))


def words(text: str) -> int:
    """Return how many words a text has, each field counted as one, in any script.

    >>> words("One [[prop_001]], two."), words("三四五六。")
    (3, 2)
    """
    text = FIELD.sub("x", text)
    return len(_UNSPACED.findall(text)) // 2 + len(_WORD.findall(_UNSPACED.sub(" ", text)))


# ---------------------------------------------------------------- texts


def _texts(data: Data, fields: Fields) -> tuple[dict[Path, tuple[Line, ...]], list[Finding]]:
    """Return the texts with their fields filled in, and what is wrong with them."""
    loose, lines, left = Loose(fields), {}, _MOST_CHARACTERS
    faults: list[Finding] = []
    for path, text in schema.texts(schema.load(SCHEMA), data):
        left -= len(text)
        if left < 0 or _is_name(path, text, fields.view):
            continue
        where, cites = json_path(path), _cites(data, path)
        paragraphs = _PARAGRAPHS.split(text.strip()) if path[0] == STORY else [text]
        filled = [fields.fill(paragraph, where) for paragraph in paragraphs]
        lines[path] = tuple(each.line for each in filled)
        for each in filled:
            faults += each.faults
            faults += loose.faults(each, where, cites, free_numbers=path[0] in _FREE)
    return lines, faults


def _is_name(path: Path, text: str, view: View) -> bool:
    keys = [part for part in path if isinstance(part, str)]
    is_choice = text in view.choices or len(view.choices) == SIDES or keys[0] == "names"
    return keys[-1] in _NAMES or (keys[-1] in _CHOICES and is_choice)


def _cites(data: Data, path: Path) -> list[str]:
    """Return the entries and points that the object around a text names."""
    owner: Any = data
    for part in path[:-1]:
        owner = owner[part]
    if not isinstance(owner, dict):
        return []
    return [*_listed(owner, "cites"), *_listed(owner, "arguments"), _text(owner, "point")]


def _names(data: Data, fields: Fields) -> Iterator[Finding]:
    """Yield the entries and points that are named and are not on record."""
    for where, item in _objects(data, "reasons", "light", "issues", "options", "unchecked"):
        for key in ("cites", "arguments"):
            for number, name in enumerate(_listed(item, key)):
                try:
                    fields.reference(name)
                except NotOnRecordError as error:
                    yield error.finding(f"{where}.{key}[{number}]", name)
    for where, item in _objects(data, "unused"):
        point = _text(item, "point")
        if point not in fields.view.unused:
            message = "no point of this name is unused"
            yield _fault("not_unused", f"{where}.point", point, message, fields.view.unused)


# ---------------------------------------------------------------- choices


def _direction(data: Data, view: View) -> Iterator[Finding]:
    typed, where = _text(data, "direction"), "$.direction"
    allowed = [*filter(None, [view.favoured]), OPEN]
    if typed not in (*view.choices, OPEN):
        yield _fault("wrong_choice", where, typed, "there is no such choice", allowed)
    elif typed not in allowed:
        yield _fault("against_record", where, typed, "the record does not favour this", allowed)
    elif typed == OPEN and view.choices and not _text(data, "meanwhile"):
        message = "no choice is favoured, so say what to do as long as nothing more is known"
        yield _fault("missing", "$.meanwhile", "", message, ())


def _reasons(data: Data, view: View) -> Iterator[Finding]:
    reasons = list(_objects(data, "reasons"))
    keyed = [("names", "for")]
    if len(view.choices) == SIDES:
        keyed += [("reasons", "for"), ("cruxes", "yes_favours")]
    for name, key in keyed:
        for where, item in _objects(data, name):
            if _text(item, key) not in view.choices:
                message = "there is no such choice"
                yield _fault(
                    "wrong_choice", f"{where}.{key}", _text(item, key), message, view.choices
                )
    argued = {_text(item, "for") for _, item in reasons}
    for choice in view.choices if len(view.choices) == SIDES else ():
        if choice not in argued:
            message = "no reason is given for this choice; give at least one for each"
            yield _fault("no_reason", "$.reasons", choice, message, view.choices)


def _issues(data: Data, view: View) -> Iterator[Finding]:
    """Yield where issues say another choice than their sums, or leave out what has a share."""
    if "issues" not in data:
        return
    counted: Counter[str] = Counter()
    for where, item in _objects(data, "issues"):
        arguments = _listed(item, "arguments")
        counted.update(arguments)
        yield from _better(item, f"{where}.better", arguments, view)
    missing = [name for name in view.shares if not counted[name]]
    twice = [name for name in view.shares if counted[name] > 1]
    if missing:
        message = "each entry that counts in the result belongs to one issue; these to none"
        yield _fault("issue_missing", "$.issues", messages.names(missing), message, ())
    if twice:
        message = "each entry that counts in the result belongs to one issue; these to more"
        yield _fault("issue_twice", "$.issues", messages.names(twice), message, ())


def _better(item: Data, where: str, arguments: Sequence[str], view: View) -> Iterator[Finding]:
    typed = _text(item, "better")
    allowed = (*view.choices, EVEN)
    if typed not in allowed:
        yield _fault("wrong_choice", where, typed, "there is no such choice", allowed)
        return
    total = sum(view.shares.get(name, 0) for name in set(arguments))
    if not total or typed == EVEN:
        return
    first, second = list(view.choices)[:2]
    ahead = first if total > 0 else second
    if typed != ahead:
        message = f"the scores of its entries add up to {signed(abs(total))} for {ahead}"
        yield _fault("against_record", where, typed, message, (ahead, EVEN))


# ---------------------------------------------------------------- lengths


def _lengths(data: Data, view: View) -> Iterator[Finding]:
    numbers: Counter[bool] = Counter()
    for path, text in schema.texts(schema.load(SCHEMA), data):
        if path[0] != STORY and not _is_name(path, text, view):
            numbers[path[0] in _NOTES] += words(text)
    parts = ((False, "the advice", ADVICE_WORDS), (True, "issues, unchecked, unused", NOTES_WORDS))
    for are_notes, part, most in parts:
        if numbers[are_notes] > most:
            message = f"{part}: {numbers[are_notes]} words together"
            yield _fault("too_long", "$", "", message, [f"at most {most}"])
    number = words(_text(data, "answer"))
    if number > ANSWER_WORDS:
        sentence = f"the answer has {number} words"
        yield _fault("too_long", "$.answer", "", sentence, [f"at most {ANSWER_WORDS}"])
    story = data.get(STORY)
    number = sum(map(words, filter(_is_text, story.values()))) if isinstance(story, dict) else 0
    least, most = STORY_WORDS
    if number and not least <= number <= most:
        sentence = f"its four parts together have {number} words"
        code = "too_long" if number > most else "too_short"
        yield _fault(code, "$.story", "", sentence, [f"{least} to {most}"])


def _fault(
    code: str, where: str, typed: str, text: str, choices: Sequence[str] | Mapping[str, str]
) -> Finding:
    expected = messages.names(list(choices))
    named = f"{typed}: " if typed else ""
    message = f"{named}{text}" + (f"; expected {expected}" if expected else "")
    return Finding(code, message, where=where, found=typed, wanted=expected)


# ---------------------------------------------------------------- what may have any form


def _objects(data: Data, *names: str) -> Iterator[tuple[str, Data]]:
    for name in names:
        items = data.get(name)
        for number, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict):
                yield f"$.{name}[{number}]", item


def _listed(item: Data, key: str) -> list[str]:
    names = item.get(key)
    return list(filter(_is_text, names)) if isinstance(names, list) else []


def _text(item: Data, key: str) -> str:
    text = item.get(key)
    return text if isinstance(text, str) else ""


def _is_text(value: object) -> bool:
    return isinstance(value, str)
