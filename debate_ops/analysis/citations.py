"""Citations of files, as in `src/app.py:40-52` and `report.pdf#p12`, and what is quoted under them.

They stand where a reply names a `document` or a `source`, with the words under `quote`, and in any
text: behind the words in quotation marks or backticks that they are the source of, in brackets, or
before them with a colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

_PLACE = re.compile(
    r"(?<=\w)(?::([0-9]{1,7})(?:[-\u2013]([0-9]{1,7}))?|#p?([0-9]{1,7})(?:[-\u2013]([0-9]{1,7}))?)(?![\w/]|[.:]\w)"
)
_NAME = re.compile(r"[^\s()\[\]{}<>\"“”«»`,;|]+\Z")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}\Z")
_MOST_WORDS = 8
"""How many words a name with spaces may have in a text."""
_QUOTED = r"(?:\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|`([^`]+)`)"
_ANY = re.compile(_QUOTED)
_BEFORE = re.compile(rf"{_QUOTED}[\s,]*[(\[]?\s*\Z")
_AFTER = re.compile(rf"[)\]]?:\s*{_QUOTED}")
_LOOK_BACK = 4_000
"""Characters before a citation in which the words begin that it is the source of."""


class Cited(NamedTuple):
    """A file that is cited, and words that are said to stand in it; empty where it is none.

    `first` and `last` are lines, or pages where it `is_page`; 0 is the whole file. `where` is the
    path of its text in the reply; it `is_named` under a key for documents, or as a source that has
    the name of a file.
    """

    where: str
    name: str
    first: int = 0
    last: int = 0
    is_page: bool = False
    quote: str = ""
    is_named: bool = False

    @property
    def source(self) -> str:
        """The citation as it is written."""
        if not self.first:
            return self.name
        span = f"-{self.last}" if self.last > self.first else ""
        return f"{self.name}{'#p' if self.is_page else ':'}{self.first}{span}"


def find_citations(value: Any, is_name: Callable[[str], bool], where: str = "") -> Iterator[Cited]:
    """Yield the citations in a text, or in all texts of a reply or an entry.

    `is_name` tells which files there are: their names may have spaces, and may stand alone.
    """
    if isinstance(value, str):
        yield from _find_in_text(value, is_name, where)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from find_citations(part, is_name, f"{where}.{number}")
    elif isinstance(value, Mapping):
        named = _find_named(value, is_name, where)
        for key, part in value.items():
            if named and key == "detail":
                said = (next(filter(None, match.groups())) for match in _ANY.finditer(part))
                yield from (
                    named[0]._replace(where=f"{where}.{key}"[1:], quote=each) for each in said
                )
            elif key not in {"document", "source"} and not (named and key == "quote"):
                yield from find_citations(part, is_name, f"{where}.{key}")
        yield from named


def _find_named(
    value: Mapping[str, Any], is_name: Callable[[str], bool], where: str
) -> list[Cited]:
    """Return what an object cites by its keys, the first with the words that it quotes."""
    named = list[Cited]()
    for key in ("document", "source"):
        text, at = str(value.get(key) or ""), f"{where}.{key}"
        found = list(_find_in_text(text, is_name, at))
        if text and not found and (key == "document" or is_name(text)):
            found = [Cited(at.removeprefix("."), text)]
        is_document = key == "document"
        named += [e._replace(is_named=is_document or bool(_SUFFIX.search(e.name))) for e in found]
    if named and (quote := value.get("quote")):
        named[0] = named[0]._replace(where=f"{where}.quote"[1:], quote=quote)
    return named


def _find_in_text(text: str, is_name: Callable[[str], bool], where: str) -> Iterator[Cited]:
    for place in _PLACE.finditer(text):
        head = text[max(0, place.start() - _LOOK_BACK) : place.start()]
        if not (match := _NAME.search(head)) or "://" in match[0]:
            continue
        words = head.rpartition("\n")[2].rsplit(" ", _MOST_WORDS)
        longer = (" ".join(words[n:]).lstrip('(["“«`') for n in range(len(words)))
        name = next(filter(is_name, longer), match[0])
        quoted = _BEFORE.search(head.removesuffix(name)) or _AFTER.match(text, place.end())
        first = int(place[1] or place[3])
        yield Cited(
            where.removeprefix("."),
            name,
            first,
            int(place[2] or place[4] or first),
            is_page=place[3] is not None,
            quote=next(filter(None, quoted.groups())) if quoted else "",
        )
