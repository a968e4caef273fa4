"""Numbers in prose: in digits or spelled out, with sign, percent or ordinal, and the word after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import NamedTuple

from debate_ops.model.score import Millis, to_millis


def listed(words: str) -> tuple[str, ...]:
    """Return the words of a list.

    >>> listed("one two")
    ('one', 'two')
    """
    return tuple(words.split())


_UNITS = listed(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen
    """
)
_TENS = listed(
    """
    twenty thirty forty fifty sixty seventy eighty ninety
    """
)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
_ORDINALS = listed(
    """
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
    """
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}

_VALUES = {word: value for value, word in enumerate(_UNITS)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_RANKS = {word: value for value, word in enumerate(_ORDINALS)}
_RANKS |= {f"{word[:-1]}ieth": 10 * value for value, word in enumerate(_TENS, 2)}

_CARDINAL = "|".join(sorted(chain(_VALUES, _SCALES), key=len, reverse=True))
_RANK = "|".join(sorted(_RANKS, key=len, reverse=True))
_SPELLED = re.compile(
    rf"(?<![\w-])(?:(?:an?\s)(?=hundred|thousand|million|billion|dozen))?"
    rf"(?P<words>(?:{'|'.join(_TENS)})-(?:{_RANK})|(?:{_RANK})"
    rf"|(?:{_CARDINAL})(?:[\s-](?:and\s)?(?:{_CARDINAL}))*"
    rf"|once|twice|thrice)(?![\w])",
    re.IGNORECASE,
)
_DIGITS = re.compile(
    r"(?<!\w)(?<!\w[.,])(?P<sign>[+\-±\N{EN DASH}]?)"
    r"(?P<number>[0-9]+(?:[.,][0-9]+)*|[.,][0-9]+)(?P<ordinal>(?:st|nd|rd|th)\b)?(?P<unit>[^\W\d_]+)?",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s?(?:%|‰|per\s?cent\b|percentage\b)", re.IGNORECASE)
_SIGN_WORD = re.compile(r"\b(?:(minus|negative)|(plus|positive))\s\Z", re.IGNORECASE)
_WORD = re.compile(r"[\s(-]*([^\W\d_]+(?:'s)?)")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?\Z")
_NEAR = 3


class Figure(NamedTuple):
    """A number in a text.

    `number` is plain: digits with a point before the decimals, "0.35" or "24". `sign` is "+", "-"
    or empty. `spelled` tells a number in words. `near` are the words after it, in small letters
    and without a plural's s.
    """

    start: int
    end: int
    text: str
    number: str
    sign: str = ""
    percent: bool = False
    ordinal: bool = False
    spelled: bool = False
    near: tuple[str, ...] = ()

    @property
    def millis(self) -> Millis | None:
        """The number with its sign as a score in thousandths; None where it can be none."""
        try:
            return to_millis(Decimal(f"{self.sign}{self.number}"))
        except InvalidOperation:
            return None

    @property
    def whole(self) -> int | None:
        """The number as a count, None where it is none."""
        return int(self.number) if self.number.isdigit() and not self.sign else None

    @property
    def decimals(self) -> int:
        """How many decimals are written."""
        return len(self.number.partition(".")[2])


def figures(text: str) -> list[Figure]:
    """Return every number in a text, in order."""
    return sorted(chain(_in_digits(text), _in_words(text)))


def plain(number: str) -> str:
    """Return a number without marks between thousands, and with a point before its decimals.

    >>> plain("1,234.5"), plain("0,35"), plain(".5")
    ('1234.5', '0.35', '0.5')
    """
    if _THOUSANDS.match(number) and not number.startswith("0"):
        return number.replace(",", "")
    pointed = number.replace(",", ".") if number.count(",") == 1 and "." not in number else number
    return f"0{pointed}" if pointed.startswith(".") else pointed


def lemma(word: str) -> str:
    """Return a word in small letters without the s of a plural.

    >>> lemma("Hours"), lemma("s")
    ('hour', 's')
    """
    folded = word.casefold()
    return folded.rstrip("s") or folded


def _in_digits(text: str) -> Iterator[Figure]:
    for match in _DIGITS.finditer(text):
        percent = None if match["unit"] else _PERCENT.match(text, match.end())
        sign, start = _sign(text, match)
        bare = max(match.end("number"), match.end("ordinal"))
        end = max(bare, match.end("unit"), percent.end() if percent else 0)
        yield Figure(
            start=start,
            end=end,
            text=text[start:end],
            number=plain(match["number"]),
            sign=sign,
            percent=bool(percent),
            ordinal=bool(match["ordinal"]),
            near=_near(text, bare),
        )


def _sign(text: str, match: re.Match[str]) -> tuple[str, int]:
    if match["sign"]:
        return {"\N{EN DASH}": "-"}.get(match["sign"], match["sign"]), match.start()
    word = _SIGN_WORD.search(text, 0, match.start())
    if word is None:
        return "", match.start()
    return "-" if word[1] else "+", word.start()


def _in_words(text: str) -> Iterator[Figure]:
    for match in _SPELLED.finditer(text):
        words = [w for w in re.split(r"[\s-]", match["words"].casefold()) if w != "and"]
        percent = _PERCENT.match(text, match.end())
        end = percent.end() if percent else match.end()
        yield Figure(
            start=match.start(),
            end=end,
            text=text[match.start() : end],
            number=str(_value(words)),
            percent=bool(percent),
            ordinal=words[-1] in _RANKS,
            spelled=True,
            near=("time",) if words[0] in _TIMES else _near(text, end),
        )


def _value(words: list[str]) -> int:
    """Return what number words say.

    >>> _value(["two", "hundred", "five"]), _value(["twenty", "fourth"])
    (205, 24)
    """
    total = current = 0
    for word in words:
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if _SCALES[word] > _SCALES["hundred"]:
                total, current = total + current, 0
        else:
            current += _VALUES.get(word, _RANKS.get(word, _TIMES.get(word, 0)))
    return total + current


def _near(text: str, end: int) -> tuple[str, ...]:
    found: list[str] = []
    while len(found) < _NEAR and (match := _WORD.match(text, end)):
        found.append(lemma(match[1]))
        end = match.end()
    return tuple(found)
