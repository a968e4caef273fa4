"""The pages that are looked at: those of the example debates, of hostile ones, of long ones."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

from debate_ops.core.protocol import Position
from debate_ops.core.values import Entry
from debate_ops.report.page import write_html
from debate_ops.report.record import list_texts
from tests.browser import hostile
from tests.courses import RICH
from tests.report.stage import (
    EXAMPLES,
    OPENING,
    argument,
    exchange,
    judgment,
    read_at,
    read_example,
)

WITHOUT_MEMO = " without its memo"
"""What follows the name of an example whose page is to begin with what the rules say."""


class Shown(NamedTuple):
    """A page as a file's text, and the entries that have a card on it."""

    html: str
    items: tuple[Entry, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of what was said, in order."""
        return [item.id for item in self.items]


@cache
def page_of(name: str) -> Shown:
    """Return the page of this name: an example's, or one of the debates made for the tests."""
    example = name.removesuffix(WITHOUT_MEMO)
    reading = read_example(example) if example in EXAMPLES else read_at(MADE[name]())
    if name != example:
        reading.memo = None
    return Shown(write_html(reading).decode(), tuple(reading.list_entries()))


def spell(item: Entry) -> list[tuple[str, str]]:
    """Return the texts of an entry that stand on its card."""
    return [(h, t) for h, t in list_texts(item) if h not in {"Attacks", "Defends", "Sources"}]


def _long(exchanges: int) -> Position:
    entries = [*map(argument, OPENING), judgment(0, dict.fromkeys(OPENING, 0))]
    for n in range(1, exchanges + 1):
        before = "000a" if n == 1 else f"{n - 1:03d}"
        entries += [
            argument(f"prop_{n:03d}", [f"opp_{before}"], [f"prop_{before}"]),
            argument(f"opp_{n:03d}", [f"prop_{before}"], [f"opp_{before}"]),
            judgment(n, {f"prop_{n:03d}": 0.1, f"opp_{n:03d}": -0.1}),
        ]
    return exchange(*entries)


HOSTILE: Mapping[str, Callable[[], Position]] = {
    "hostile": hostile.one_of_each,
    **{f"hostile {name}": partial(hostile.spoil, name) for name in RICH},
    "damaged": hostile.damaged,
    "long ids": hostile.long_ids,
    "empty": exchange,
}
LONG: Mapping[str, Callable[[], Position]] = {
    "50 arguments": lambda: _long(22),  # an opening has six, an exchange two
    "1000 arguments": lambda: _long(497),
}
MADE = {**HOSTILE, **LONG}
