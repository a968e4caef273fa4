"""Words: what white space separates; counting them, and what a text that has too many comes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.protocols.base import Settings
from debate_ops.protocols.replies import objects

MARK = "..."
"""What stands at the end of a text that was cut."""

_SENTENCE_END = r"[.!?…。！？][\"'”’»)\]]*\Z"  # noqa: RUF001  (full-width marks too)
_NEAR_THE_END = 15
"""In which last per cent of what may be kept the end of a sentence is looked for."""


class Cut(NamedTuple):
    """A text in two: what is kept, without the mark, and what is left out; together the whole."""

    kept: str
    left_out: str


def count(text: str) -> int:
    r"""Return how many words a text has.

    >>> count("one  two\nthree")
    3
    """
    return len(text.split())


def cut(text: str, most: int) -> Cut:
    """Return at most `most` words of a text, to the end of a sentence if one is near; and the rest.

    White space and paragraphs stay as they are. A text within the limit, or no limit (0), leaves
    nothing out.

    >>> cut("One two. Three four.", 3)
    Cut(kept='One two. Three', left_out=' four.')
    """
    words = list(re.finditer(r"\S+", text)) if most else []
    if len(words) <= most:
        return Cut(text, "")
    least = most - most * _NEAR_THE_END // 100
    last = next(
        (
            place
            for place in range(most, least - 1, -1)
            if re.search(_SENTENCE_END, words[place - 1][0])
        ),
        most,
    )
    end = words[last - 1].end()
    return Cut(text[:end], text[end:])


def over(name: str, text: Any, most: int, least: int = 0) -> Finding | None:
    """Return the finding that a text has more than `most` words, or some but fewer than `least`.

    0 is no limit.
    """
    number = count(text) if isinstance(text, str) else 0
    if not most or (number <= most and not 0 < number < least):
        return None
    span = f"{least} to {most}" if least else f"at most {most}"
    message = f"{name} has {number} words, expected {span}"
    return Finding("word_limit", message, actual=f"{number} words", expected=f"{span} words")


def too_long(
    limits: Mapping[str, Any], value: Mapping[str, Any], settings: Settings, path: str = "$"
) -> Iterator[Finding]:
    """Yield which texts of a reply break their word limits, and what is done about it.

    A limit is a number, the name of the setting that has it, or the least and the most; the
    limits of an object or of a list of objects are by key.
    """
    for key, limit in limits.items():
        where, part = f"{path}.{key}", value.get(key)
        if isinstance(limit, Mapping):
            listed = [(f"{where}[{place}]", item) for place, item in objects(part)]
            for place, item in [(where, part)] if isinstance(part, dict) else listed:
                yield from too_long(limit, item, settings, place)
            continue
        if isinstance(part, list):
            texts = {f"{key}[{place}]": text for place, text in enumerate(part)}
            yield from too_long(dict.fromkeys(texts, limit), texts, settings, path)
            continue
        least, most = limit if isinstance(limit, tuple) else (0, limit)
        most = settings[most] if isinstance(most, str) else most
        finding = over(key, part, most, least)
        if finding is None:
            continue
        if settings.get("word_limits") == "cut":
            kept = count(cut(value[key], most).kept)
            message = f"{finding.message}; the first {kept} are kept, the rest is left out"
            finding = finding._replace(message=message)
        yield finding._replace(where=where)


def joined(shown: str, left_out: str) -> str:
    """Return the whole text of which `shown`, with its mark, and `left_out` are the parts."""
    return shown.removesuffix(MARK) + left_out if left_out else shown
