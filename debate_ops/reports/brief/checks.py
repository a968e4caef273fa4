"""A reply of the reporter: read, and held to its schema and, in every language, to the record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.engine import checking
from debate_ops.errors import Finding, RefusedError
from debate_ops.formats import json_reply, schema
from debate_ops.formats.json_places import Path, json_path
from debate_ops.formats.json_reply import JsonReply
from debate_ops.model import messages
from debate_ops.model.score import signed
from debate_ops.protocols.replies import items, objects
from debate_ops.reports.blocks import Anchor, Line, Ref
from debate_ops.reports.brief.fields import FIELD, Fields, Loose, NotOnRecordError
from debate_ops.reports.view import OPEN, View

REPORTER = "reporter"
"""Who writes the brief."""
SCHEMA = "brief"
EVEN = "even"
"""Who had the better of an issue where neither had."""
ANSWER_WORDS = 30
STORY_WORDS = (300, 600)
ADVICE_WORDS = 960
"""Of what is read first: what is longer is not read by somebody who has a few minutes."""
NOTES_WORDS = 400
"""Of what stands below it, besides the story."""

STORY = "story"
_NAMES = frozenset({"participant", "direction", "for", "better", "point", "cites", "arguments"})
"""Keys under which stand names and no texts."""
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
"""A reply by the schema of the brief; as it is shown, each text is a `Line` with its fields filled.

A part of the story is a tuple of lines then, a list of cites is a line of references; names of
choices, entries and points are texts as they were given.
"""
Findings = tuple[Finding, ...]
_Lines = Mapping[Path, tuple[Line, ...]]
"""Texts by their path, each as paragraphs."""


class Reading(NamedTuple):
    """A brief as data and, where its form is right, as it is shown; its faults and warnings."""

    data: Data
    content: Data | None
    faults: Findings
    warnings: Findings = ()


def read_reply(raw: bytes, name: str, view: View) -> Reading:
    """Read and check a reply; its faults say where in the file `name` they are."""
    try:
        reply = json_reply.find_json(raw)
    except RefusedError as error:
        placed = (fault._replace(participant=REPORTER, file=name) for fault in error.faults)
        return Reading({}, None, tuple(placed))
    reading = read(reply.value, view)
    unknown = checking.unknown_keys(SCHEMA, REPORTER, reply.value)
    return reading._replace(
        faults=_located(reading.faults, reply, name),
        warnings=_located((*reply.warnings, *unknown), reply, name),
    )


def _located(findings: Findings, reply: JsonReply, name: str) -> Findings:
    named = (finding._replace(participant=REPORTER) for finding in findings)
    return tuple(
        checking.located(each, {REPORTER: reply}, {REPORTER: name}) for each in messages.few(named)
    )


def read(value: Any, view: View) -> Reading:
    """Check a brief as data; what does not fit its schema is not held to the record too."""
    fields, data = Fields(view), value if isinstance(value, dict) else {}
    form = list(checking.form_faults(SCHEMA, REPORTER, value))
    if view.shares and isinstance(value, dict) and "issues" not in value:
        message = "is missing: scores decided this debate, so the brief must go through the issues"
        form.append(Finding("missing", message, where="$.issues"))
    lines, of_texts = _texts(data, fields)
    faults = [
        *form,
        *of_texts,
        *_names(data, fields),
        *_direction(data, view),
        *_cases(data, view),
        *_issues(data, view),
        *_lengths(data, view),
    ]
    content = None if form else _shown(value, lines, fields)
    by_reporter = (fault._replace(participant=REPORTER) for fault in faults)
    return Reading(value, content, tuple(dict.fromkeys(by_reporter)))


def _shown(value: Any, lines: _Lines, fields: Fields, path: Path = ()) -> Any:
    """Return a part of a brief whose form is right, as it is shown."""
    if path[-1:] == ("cites",):
        return tuple(_references(value, fields))
    if isinstance(value, dict):
        return {key: _shown(item, lines, fields, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(_shown(v, lines, fields, (*path, n)) for n, v in enumerate(value))
    if path not in lines:
        return value
    return lines[path] if path[0] == STORY else lines[path][0]


def _references(names: Iterable[str], fields: Fields) -> Iterator[Ref | Anchor]:
    for name in dict.fromkeys(names):
        try:
            yield fields.reference(name)
        except NotOnRecordError:  # a fault of its own
            continue


def words(text: str) -> int:
    """Return how many words a text has, each field counted as one, in any script.

    >>> words("One [[prop_001]], two."), words("三四五六。")
    (3, 2)
    """
    text = FIELD.sub("x", text)
    return len(_UNSPACED.findall(text)) // 2 + len(_WORD.findall(_UNSPACED.sub(" ", text)))


def _texts(data: Data, fields: Fields) -> tuple[_Lines, list[Finding]]:
    """Return the texts with their fields filled in, and what is wrong with them."""
    loose, left = Loose(fields), _MOST_CHARACTERS
    lines: dict[Path, tuple[Line, ...]] = {}
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
    key = _key(path)
    is_choice = text in view.choices or len(view.choices) == SIDES
    return key in _NAMES or (key == "yes_favours" and is_choice)


def _key(path: Path) -> str:
    """Return the key under which a text stands, alone or in a list."""
    return next(part for part in reversed(path) if isinstance(part, str))


def _cites(data: Data, path: Path) -> list[str]:
    """Return the entries and points that the object around a text names."""
    owner: Any = data
    for part in path[:-1]:
        owner = owner[part]
    if not isinstance(owner, dict):
        return []
    return [*_listed(owner, "cites"), *_listed(owner, "arguments"), _text(owner, "point")]


def _names(data: Data, fields: Fields) -> Iterator[Finding]:
    """Yield what is named that there is not: entries and points, unused points, choices."""
    view = fields.view
    is_choice = {"for"} | ({"yes_favours"} if len(view.choices) == SIDES else set())
    for path, name in schema.texts(schema.load(SCHEMA), data):
        key, where = _key(path), json_path(path)
        if key in {"cites", "arguments"}:
            try:
                fields.reference(name)
            except NotOnRecordError as error:
                yield error.finding(where, name)
        elif key == "point" and name not in view.unused:
            yield _fault("not_unused", where, name, "no point of this name is unused", view.unused)
        elif key in is_choice and name not in view.choices:
            yield _fault("wrong_choice", where, name, "there is no such choice", view.choices)


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


def _cases(data: Data, view: View) -> Iterator[Finding]:
    """Yield for which of two choices no section makes the case."""
    argued = {_text(section, "for") for _, section in objects(data.get("sections"))}
    for choice in view.choices if len(view.choices) == SIDES else ():
        if choice not in argued:
            message = "no section makes the case for this choice; mark at least one for each"
            yield _fault("no_case", "$.sections", choice, message, view.choices)


def _issues(data: Data, view: View) -> Iterator[Finding]:
    """Yield where issues say another choice than their sums, or leave out what has a share."""
    if "issues" not in data:
        return
    counted: Counter[str] = Counter()
    for number, item in objects(data["issues"]):
        arguments = _listed(item, "arguments")
        counted.update(arguments)
        yield from _better(item, f"$.issues[{number}].better", arguments, view)
    missing = [name for name in view.shares if not counted[name]]
    twice = [name for name in view.shares if counted[name] > 1]
    for code, names, to in (("issue_missing", missing, "none"), ("issue_twice", twice, "more")):
        if names:
            message = f"each entry that counts in the result belongs to one issue; these to {to}"
            yield _fault(code, "$.issues", messages.names(names), message, ())


def _better(item: Data, where: str, arguments: Sequence[str], view: View) -> Iterator[Finding]:
    typed = _text(item, "better")
    allowed = (*view.choices, EVEN)
    if typed not in allowed:
        yield _fault("wrong_choice", where, typed, "there is no such choice", allowed)
        return
    if not view.shares.keys() & set(arguments):
        return
    total = view.moved_by(arguments)
    ahead = list(view.choices)[total < 0] if total else EVEN
    if typed != ahead:
        sum_ = f"{signed(abs(total))} for {ahead}" if total else "0"
        message = f"the scores of its entries add up to {sum_}"
        yield _fault("against_record", where, typed, message, (ahead,))


def _lengths(data: Data, view: View) -> Iterator[Finding]:
    counts: Counter[str] = Counter()
    for path, text in schema.texts(schema.load(SCHEMA), data):
        if path[0] == STORY:
            counts[STORY] += words(text)
        elif not _is_name(path, text, view):
            counts["notes" if path[0] in _NOTES else "advice"] += words(text)
    for where, what, number, least, most in (
        ("$", "the advice", counts["advice"], 0, ADVICE_WORDS),
        ("$", "issues, unchecked, unused", counts["notes"], 0, NOTES_WORDS),
        ("$.answer", "the answer", words(_text(data, "answer")), 0, ANSWER_WORDS),
        ("$.story", "its four parts together", counts[STORY], *STORY_WORDS),
    ):
        if number and not least <= number <= most:
            code = "too_long" if number > most else "too_short"
            expected = f"{least} to {most}" if least else f"at most {most}"
            yield _fault(code, where, "", f"{what}: {number} words", [expected])


def _fault(
    code: str, where: str, typed: str, text: str, choices: Sequence[str] | Mapping[str, str]
) -> Finding:
    expected = messages.names(list(choices))
    named = f"{typed}: " if typed else ""
    message = f"{named}{text}" + (f"; expected {expected}" if expected else "")
    return Finding(code, message, where=where, actual=typed, expected=expected)


def _listed(item: Data, key: str) -> list[str]:
    return list(filter(_is_text, items(item.get(key))))


def _text(item: Data, key: str) -> str:
    text = item.get(key)
    return text if isinstance(text, str) else ""


def _is_text(value: object) -> bool:
    return isinstance(value, str)
