"""Words and numbers for readers: counts, lists, excerpts, and texts cut to the room there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from rich.cells import get_character_cell_size

from debate_ops.core import texts
from debate_ops.core.texts import one_line

FEW = 3
NONE = "\N{EN DASH}"
"""Where there is nothing to show: that is not the same as a zero."""
_SHORTEST = 8
_WIDTHS = {" .,:;'|!iIjl()[]": 0.4, "frt-": 0.42, "~<>=+#^": 0.84, "mwMW@%&…—": 1.0}
"""Of DejaVu Sans, which is as wide as any; most letters differ little from the rest."""

Measure = Callable[[str], float]
"""How wide a character is."""
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


# Room: texts cut to columns of a fixed font, or to ems of a usual one.


columns = get_character_cell_size
"""How wide a character is in columns of a fixed font: wide ones take two."""


def shorten(text: str, most: float, measure: Measure = columns) -> str:
    """Return a text on one line of at most `most` columns, cut at a word where it is cut.

    >>> shorten("A title of several words", 12)
    'A title of…'
    """
    text = one_line(text)
    if sum(map(measure, text)) <= most:
        return text
    used, end = measure("…"), 0
    for character in text:
        used += measure(character)
        if used > most:
            break
        end += 1
    word_end = text.rfind(" ", 0, end + 1)
    return text[: word_end if word_end >= _SHORTEST else end].rstrip(" ,;:-") + "…"


def ems_of(character: str) -> float:
    """Return the width of a character, in ems of a wide sans-serif font."""
    if columns(character) != 1:
        return 0.65 * columns(character)
    for letters, ems in _WIDTHS.items():
        if character in letters:
            return ems
    return 0.79 if character.isupper() else 0.64


def break_lines(text: str, most: float, measure: Measure = columns) -> list[str]:
    """Return a text in lines of at most `most` columns, or of what else is measured.

    A longer word stays whole, unless it is of a script that knows no spaces.

    >>> break_lines("see https://example.org/a for it", 10)
    ['see', 'https://example.org/a', 'for it']
    """
    lines, used = [""], 0.0
    for word in one_line(text).split():
        is_wide = sum(map(measure, word)) > most and sum(map(columns, word)) > len(word)
        for place, piece in enumerate(word if is_wide else (word,)):
            space = " " if lines[-1] and not place else ""
            length = sum(map(measure, space + piece))
            if lines[-1] and used + length > most:
                lines.append("")
                space, length, used = "", sum(map(measure, piece)), 0
            lines[-1] += space + piece
            used += length
    return lines


def wrap(text: str, ems: float, most: int) -> tuple[str, ...]:
    """Return a text in at most `most` lines of at most `ems` each; what is cut ends in `…`.

    >>> wrap("defended and counter-attacked at once", 9, 3)
    ('defended and', 'counter-attack…', 'at once')
    """
    lines = break_lines(text, ems, ems_of)
    shown = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return tuple(shorten(line, ems, ems_of) for line in shown if line)
