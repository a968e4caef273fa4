"""Sources numbered through a whole debate, and the markers in a text that name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from debate_ops.model.texts import one_line
from debate_ops.reports.items import Citation, Item, Source

_MARKER = re.compile(r"\[([0-9]{1,2}(?:\s?[-\N{EN DASH},;]\s?[0-9]{1,2})*)\]")
_PIECE = re.compile(r"([0-9]+)(?:\s?[-\N{EN DASH}]\s?([0-9]+))?")


class Numbering:
    """Gives each source its number when it is first cited; the same source keeps it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, listed: object) -> tuple[Citation, ...]:
        """Return citations as they stand in a header, with their numbers; what is none is none."""
        items = listed if isinstance(listed, list) else ()
        return tuple(self._one(item) for item in items if isinstance(item, dict))

    def _one(self, citation: dict[str, object]) -> Citation:
        source = str(citation.get("source", ""))
        number = self._numbers.setdefault(_key(source), len(self._numbers) + 1)
        return Citation(number, source, str(citation.get("detail", "")))


def _key(source: str) -> str:
    """Return what is the same for two spellings of a source.

    >>> _key("https://example.org/a/") == _key(" https://example.org/a")
    True
    """
    return one_line(source).casefold().rstrip("/.")


def bibliography(items: Iterable[Item]) -> tuple[Source, ...]:
    """Return every source cited, by number."""
    by_number: dict[int, Source] = {}
    for item in items:
        for number, source, detail in item.citations:
            known = by_number.get(number, Source(number, source, (), ()))
            details = (*known.details, *filter(str.strip, [detail]))
            by_number[number] = known._replace(
                details=tuple(dict.fromkeys(details)),
                cited_by=tuple(dict.fromkeys((*known.cited_by, item.id))),
            )
    return tuple(by_number[number] for number in sorted(by_number))


def renumbered(text: str, own: Sequence[Citation]) -> tuple[str, tuple[str, ...]]:
    """Return a text whose markers name the sources by their numbers in the whole debate.

    A marker counts from 1 in the entry's own list; one that leads out of it stays as it is, and is
    returned as well.

    >>> renumbered("So [1], [9] and [1-2].", [Citation(4, "a", ""), Citation(7, "b", "")])
    ('So [4], [9] and [4, 7].', ('[9]',))
    """
    loose: dict[str, None] = {}

    def marker(match: re.Match[str]) -> str:
        places = _places(match[1])
        if places and all(0 < place <= len(own) for place in places):
            return f"[{', '.join(str(own[place - 1].number) for place in places)}]"
        loose[match[0]] = None
        return match[0]

    return _MARKER.sub(marker, text), tuple(loose)


def _places(marker: str) -> list[int]:
    """Return the places that a marker names.

    >>> _places("1, 3-5"), _places("5-3")
    ([1, 3, 4, 5], [])
    """
    pieces = (match.groups() for match in _PIECE.finditer(marker))
    return [n for first, last in pieces for n in range(int(first), int(last or first) + 1)]
