"""Words and numbers for readers: counts, lists, excerpts, and texts cut to the room there is."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from rich.cells import cell_len, set_cell_size

from debate_ops.core import texts
from debate_ops.core.texts import one_line

FEW = 3
NONE = "\N{EN DASH}"
"""Where there is nothing to show: that is not the same as a zero."""
_SHORTEST = 8
count = texts.count


def join(items: Iterable[str]) -> str:
    """Return a list as a sentence has it.

    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = [*items] or [""]
    return " and ".join(filter(None, [", ".join(first), last]))


def some(items: Sequence[str], most: int = FEW) -> str:
    """Return items as a sentence has them; of many the first ones, and how many more there are.

    >>> some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(items) - most
    return join([*items[:most], f"{more} more"] if more > 0 else items)


def capitalise(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def signed(score: object) -> str:
    """Return a score with two decimals, three where it has them, and a minus as wide as a plus.

    >>> signed(Decimal("0.35")), signed(0), signed(None)
    ('+0.35', '0.00', 'not scored')
    """
    return texts.signed(score).replace("-", "\N{MINUS SIGN}")


def size(score: object) -> str:
    """Return how large a number is, whatever its sign."""
    return signed(abs(Decimal(str(score)))).removeprefix("+")


def percent(share: object) -> str:
    """Return a share, as a number or as `7/11`, in per cent: `64 %`."""
    return f"{100 * float(Fraction(str(share))):.0f} %"


# Room: texts cut to columns, of which a wide character takes two.


def shorten(text: str, most: int) -> str:
    """Return a text on one line of at most `most` columns, cut at a word where it is cut.

    >>> shorten("A title of several words", 12)
    'A title of…'
    """
    text = one_line(text)
    if cell_len(text) <= most:
        return text
    end = len(set_cell_size(text, most - 1).rstrip())
    word_end = text.rfind(" ", 0, end + 1)
    return text[: word_end if word_end >= _SHORTEST else end].rstrip(" ,;:-") + "…"


def wrap(text: str, columns: int, most: int) -> tuple[str, ...]:
    """Return a text in at most `most` lines of so many columns; what is cut ends in `…`.

    >>> wrap("defended and counter-attacked at once", 14, 2)
    ('defended and', 'counter-attac…')
    """
    from rich.console import Console  # takes longer than all else here
    from rich.text import Text

    lines = [str(line).strip() for line in Text(one_line(text)).wrap(Console(), columns)]
    shown = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return tuple(shorten(line, columns) for line in shown if line)
