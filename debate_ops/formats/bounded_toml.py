"""TOML within bounds: how deep it is, and how many parts its keys have."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from debate_ops.formats.bounded_json import MAX_DEPTH, is_deeper

TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
MOST_STOPS = 1_000
"""How many full stops a line may have: a reader takes seconds for a key of very many parts."""

_PLACE = re.compile(r"\(at line ([0-9]+), column [0-9]+\)|\(at end of document\)")


class UnreadableError(ValueError):
    """A text that is not read, and on which line of it the reason stands, from 1."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def read(text: str) -> dict[str, Any]:
    """Return the table that a text is; numbers with a fraction are `Decimal`.

    Raises:
        UnreadableError: it goes beyond a bound, or is not TOML.
    """
    import tomllib  # not needed at every step

    for line, words in enumerate(text.split("\n"), 1):
        if words.count(".") > MOST_STOPS:
            raise UnreadableError(f"more than {MOST_STOPS} full stops on one line", line)
    try:
        value = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        raise UnreadableError(_PLACE.sub("", str(error)).strip(), line) from None
    except RecursionError:
        raise UnreadableError(TOO_DEEP) from None
    if is_deeper(value):
        raise UnreadableError(TOO_DEEP)
    return value
