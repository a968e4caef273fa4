"""Slugs and entry ids: the only names that ever become file names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
SLUG_LENGTH = 64
_IN_LATIN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "œ": "oe"}
    | {"ł": "l", "đ": "d", "ð": "d", "þ": "th"}
)
SLUG_RULE = "lower-case letters, digits and single hyphens between them, at most 64 characters"

ENTRY_ID = re.compile(
    r"(?P<participant>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)_(?P<exchange>[0-9]{3,6})"
    r"(?P<letter>[a-z]?)(?:-(?P<kind>[a-z]+)(?:-(?P<number>[0-9]{1,4}))?)?\Z"
)


class EntryId(NamedTuple):
    """The parts of `<participant>_<exchange>[<letter>][-<kind>[-<number>]]`.

    >>> parse_id("prop_000a")
    EntryId(participant='prop', exchange=0, letter='a', kind='', number=0)
    >>> str(EntryId("chair-2", 3, kind="interruption"))
    'chair-2_003-interruption'
    """

    participant: str
    exchange: int
    letter: str = ""
    kind: str = ""
    number: int = 0

    def __str__(self) -> str:
        """Return the id as it stands in files and replies."""
        kind = f"-{self.kind}" if self.kind else ""
        number = f"-{self.number}" if self.number else ""
        return f"{self.participant}_{self.exchange:03d}{self.letter}{kind}{number}"


@lru_cache(maxsize=100_000)
def entry_id(participant: str, exchange: int, kind: str, number: int = 0) -> str:
    """Return the id of an entry of a kind, as it stands in files and replies."""
    return str(EntryId(participant, exchange, kind=kind, number=number))


@lru_cache(maxsize=100_000)
def parse_id(text: str) -> EntryId | None:
    """Return the parts of an id, or None where `text` is not an id in its one spelling."""
    match = ENTRY_ID.match(text)
    if match is None:
        return None
    participant, exchange, letter, kind, number = match.groups()
    parts = EntryId(participant, int(exchange), letter, kind or "", int(number or 0))
    return parts if str(parts) == text else None


def order(entry_id: str) -> tuple[int, str, str, str, int]:
    """Return the sort key of an id: by exchange as a number, so that 1000 follows 999."""
    parts = parse_id(entry_id)
    if parts is None:
        return (-1, entry_id, "", "", 0)
    return (parts.exchange, parts.participant, parts.letter, parts.kind, parts.number)


def is_slug(text: str) -> bool:
    """Tell whether `text` may name a debate: see `SLUG_RULE`."""
    return len(text) <= SLUG_LENGTH and SLUG.match(text) is not None


def is_device(slug: str) -> bool:
    """Tell whether Windows has a device of this name, so that no folder there can bear it."""
    return re.fullmatch(r"con|prn|aux|nul|(?:com|lpt)[0-9]", slug) is not None


def suggest_slug(text: str) -> str:
    """Return the slug nearest to `text`, or an empty string where nothing is left of it.

    >>> [*map(suggest_slug, ["X Debate!", "Müller und Großé", "CON"])]
    ['x-debate', 'mueller-und-grosse', 'con-debate']
    """
    plain = unicodedata.normalize("NFC", text.lower()).translate(_IN_LATIN)
    plain = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", plain))
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))[:SLUG_LENGTH].strip("-")
    return f"{slug}-debate" if is_device(slug) else slug
