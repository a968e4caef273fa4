"""Sources numbered through a whole transcript, and the markers in a text that name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from debate_ops.model.texts import one_line
from debate_ops.reports.transcript.values import Citation, Passage, Source

_MARKER = re.compile(r"\[([0-9]{1,2}(?:\s?[-\N{EN DASH},;]\s?[0-9]{1,2})*)\]")
_PIECE = re.compile(r"[0-9]+(?:\s?[-\N{EN DASH}]\s?[0-9]+)?")
_RANGE = re.compile(r"\s?[-\N{EN DASH}]\s?")


class Numbering:
    """Gives each source its number when it is first cited; the same source keeps it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, given: object) -> tuple[Citation, ...]:
        """Return citations as they stand in a header, with their numbers; what is none is none."""
        items = (
            [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []
        )
        return tuple(self._one(str(c.get("source", "")), str(c.get("detail", ""))) for c in items)

    def _one(self, source: str, detail: str) -> Citation:
        key = _key(source)
        return Citation(self._numbers.setdefault(key, len(self._numbers) + 1), source, detail)


def _key(source: str) -> str:
    """Return what is the same for two spellings of a source.

    >>> _key("https://example.org/a/") == _key(" https://example.org/a")
    True
    """
    return one_line(source).casefold().rstrip("/.")


def bibliography(passages: Iterable[Passage]) -> tuple[Source, ...]:
    """Return every source cited, by number."""
    found: dict[int, Source] = {}
    for passage in passages:
        for number, source, detail in passage.citations:
            known = found.get(number, Source(number, source, (), ()))
            details = [*known.details, *([detail] if detail.strip() else [])]
            found[number] = known._replace(
                details=tuple(dict.fromkeys(details)),
                cited_by=tuple(dict.fromkeys((*known.cited_by, passage.id))),
            )
    return tuple(found[number] for number in sorted(found))


def renumbered(text: str, own: Sequence[Citation]) -> str:
    """Return a text whose markers name the sources by their numbers in the whole transcript.

    A marker counts from 1 in the passage's own list; one that leads out of it stays as it is.

    >>> renumbered("So [1], and [1-2].", [Citation(4, "a", ""), Citation(7, "b", "")])
    'So [4], and [4, 7].'
    """
    return _MARKER.sub(lambda match: _marker(match, own), text)


def _marker(match: re.Match[str], own: Sequence[Citation]) -> str:
    places = _places(match[1])
    if not places or not all(0 < place <= len(own) for place in places):
        return match[0]
    return f"[{', '.join(str(own[place - 1].number) for place in places)}]"


def loose(text: str, own: Sequence[Citation]) -> tuple[str, ...]:
    """Return the markers of a text that have no source in the passage's own list."""
    found = (match[0] for match in _MARKER.finditer(text) if _marker(match, own) == match[0])
    return tuple(dict.fromkeys(m for m in found if not _names_own(m, own)))


def _names_own(marker: str, own: Sequence[Citation]) -> bool:
    return all(0 < place <= len(own) for place in _places(marker))


def _places(marker: str) -> list[int]:
    places: list[int] = []
    for piece in _PIECE.findall(marker):
        first, _, last = _RANGE.sub("-", piece).partition("-")
        places += range(int(first), int(last or first) + 1)
    return places
