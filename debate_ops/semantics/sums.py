"""Sums that a text writes out, such as `95 / 60 = 1.58`: found, and computed again.

What cannot be read with certainty is left alone: a false alarm would be worse than a mistake that
nobody is told of. Nothing is evaluated but the four operations on decimals, exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

_LOOK_BACK = 200
"""In how many characters before a sign of equality a sum may stand."""
_GAPS = " \u00a0\u2009\u202f"
_GAP = rf"[{_GAPS}]"
_DIGITS = (
    rf"\d{{1,3}}(?:[.,'\u2019{_GAPS}]\d{{3}})+(?:[.,]\d{{1,9}})?"
    r"|\d{1,15}(?:[.,]\d{1,9})?"
)
_NUMBER = rf"(?P<number>{_DIGITS})(?![\d'\u2019]|[.,]\d)"
_SYMBOLS = "%\u2030\u00b0$\u20ac\u00a3\u00a5"
_UNIT = rf"(?P<unit>{_GAP}?[{_SYMBOLS}]|(?:{_GAP}(?!x{_GAP})[^\W\d_]{{1,30}}){{0,2}})"
_AMOUNT = rf"(?:(?P<currency>[$\u20ac\u00a3\u00a5]){_GAP}?)?{_NUMBER}{_UNIT}"
_SIGN = rf"{_GAP}*(?:[+\u00d7*\u00b7/\u00f7\u2212]|(?<={_GAP})[-\u2013:x](?={_GAP})){_GAP}*"
_PER_CENT = rf"(?:{_GAP}?%|{_GAP}(?:per ?cent|Prozent|pour cent|por ciento))"
_TERM = re.compile(rf"(?:(?P<sign>[-+\u00d7*\u00b7/\u00f7\u2212\u2013:x]){_GAP}*)?{_AMOUNT}")
_PLAIN_TERM = re.sub(r"\(\?P<\w+>", "(?:", _AMOUNT)
_LEFT = re.compile(rf"(?<![\w.,'\u2019]){_PLAIN_TERM}(?:{_SIGN}{_PLAIN_TERM}){{1,9}}{_GAP}*\Z")
_SHARE = re.compile(
    rf"(?<![\w.,'\u2019])({_DIGITS}){_PER_CENT}{_GAP}(?:of|von|de|of the){_GAP}"
    rf"({_PLAIN_TERM}){_GAP}*\Z"
)
_EQUALS = re.compile(r"(?<![<>=!:~\u2248])=(?![=<>~])")
_RESULT = re.compile(rf"{_GAP}*(?P<minus>[-\u2212])?{_AMOUNT}(?!{_SIGN}[\d(]|{_GAP}*[=^])")
_GOES_ON_BEFORE = re.compile(rf"[-+\u00d7*\u00b7/\u00f7\u2212\u2013:x=)<>~\u2248^\u221a]{_GAP}*\Z")
_THOUSANDS = {".": re.compile(rf"[,'\u2019{_GAPS}]"), ",": re.compile(rf"[.'\u2019{_GAPS}]")}
"""By the sign before decimals, what may stand between thousands."""
_PLUS, _MINUS, _DIVIDED = "+", "-\u2013\u2212", "/\u00f7:"
_FUNCTION_WORDS = """
a all als also an and as at aux but by car con da das de der die donc e en est et for from give
gives however in is ist it la le les mais mit more must never not of on only or para per pero por
pour que qui so soit than that the then they this to too und un une was what when where which
while who with y zu
"""
_NO_UNITS = frozenset(_FUNCTION_WORDS.split())
"""Words behind a number that are no unit of it."""


class Sum(NamedTuple):
    """A sum as it is written, and whether it is right; if not, what its result is.

    The result is empty where a number may be read in two ways.
    """

    text: str
    is_right: bool
    result: str = ""


class _Term(NamedTuple):
    """A number with the sign before it and the unit behind it, as they are written."""

    sign: str
    number: str
    unit: str


def sums(text: str) -> Iterator[Sum]:
    """Yield each sum of a text whose result is certain.

    >>> [(each.text, each.is_right) for each in sums("So 95 / 60 = 1.58, and 3 * 40 = 110.")]
    [('95 / 60 = 1.58', True), ('3 * 40 = 110', False)]
    """
    for equals in _EQUALS.finditer(text):
        before = text[max(0, equals.start() - _LOOK_BACK) : equals.start()]
        stated = _RESULT.match(text, equals.end())
        left = _SHARE.search(before) or _LEFT.search(before)
        if not stated or not left or _GOES_ON_BEFORE.search(before[: left.start()]):
            continue
        result = _term(stated)._replace(sign=stated["minus"] or "")
        judged = _judged([*_terms(left)], result)
        if judged:
            end = stated.end("unit" if stated["unit"].strip() in _SYMBOLS else "number")
            yield judged._replace(text=text[equals.start() - len(left[0]) : end].strip())


def _terms(left: re.Match[str]) -> Iterator[_Term]:
    if left.lastindex:
        yield _Term("", left[1], "%")
        whole = _TERM.match(left[2])
        yield _term(whole)._replace(sign="*") if whole else _Term("*", "", "")
        return
    yield from map(_term, _TERM.finditer(left[0]))


def _term(match: re.Match[str]) -> _Term:
    words = [w for w in match["unit"].split() if w.casefold() not in _NO_UNITS]
    sign = (match.groupdict().get("sign") or "").strip()
    return _Term(sign, match["number"], match["currency"] or " ".join(words))


def _judged(terms: Sequence[_Term], result: _Term) -> Sum | None:
    """Return whether a result is right in one of the ways to read its numbers; None if unclear."""
    readings = [_read(terms, result, point) for point in _THOUSANDS]
    readable = [reading for reading in readings if reading is not _UNREADABLE]
    if any(reading is not None and reading.is_right for reading in readable):
        return Sum("", is_right=True)
    wrong = [reading for reading in readable if reading is not None]
    if not wrong or len(wrong) < len(readable):
        return None
    return wrong[0] if len({reading.result for reading in wrong}) == 1 else Sum("", is_right=False)


_UNREADABLE = Sum("", is_right=False, result="unreadable")


def _read(terms: Sequence[_Term], result: _Term, point: str) -> Sum | None:
    numbers = [_number(term.number, point) for term in (*terms, result)]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return _UNREADABLE
    value = _value(terms, known[:-1], result.unit)
    if value is None:
        return None
    stated = -known[-1] if result.sign else known[-1]
    places = len(result.number.partition(point)[2])
    last = Fraction(1, 10**places)
    if abs(value - stated) * 2 < last or value + last / 2 == stated:
        return Sum("", is_right=True)
    digits = re.sub(r"\D", "", result.number)
    coarse = last * 10 ** (len(digits) - len(digits.rstrip("0")))
    is_rounded = abs(value - stated) < last or (not places and abs(value - stated) * 2 <= coarse)
    if is_rounded or not _fits(terms, result):
        return None
    return Sum("", is_right=False, result=_written(value, places + 2))


def _number(text: str, point: str) -> Fraction | None:
    """Return a number, read with this sign before decimals, if it can be read so."""
    whole, _, decimals = text.partition(point)
    groups = _THOUSANDS[point].split(whole)
    is_grouped = len(groups) > 1 and all(len(group) == len("000") for group in groups[1:])
    if not (is_grouped or len(groups) == 1) or not (decimals.isdigit() or not decimals):
        return None
    return Fraction(int("".join(groups) + decimals), 10 ** len(decimals))


def _value(terms: Sequence[_Term], numbers: Sequence[Fraction], unit: str) -> Fraction | None:
    """Return what terms come to, in the unit of the result; None where that is unclear."""
    signs = [term.sign for term in terms[1:]]
    shares = [term.unit == "%" for term in terms]
    is_added = any(sign in _PLUS + _MINUS for sign in signs)
    if is_added and any(shares):
        return _added(signs, numbers) if all(shares) and unit == "%" else None
    if unit == "%" and (any(shares) or not all(sign in _DIVIDED for sign in signs)):
        return None
    scaled = [n / 100 if share else n for n, share in zip(numbers, shares, strict=True)]
    value = _added(signs, scaled)
    return value * 100 if value is not None and unit == "%" else value


def _added(signs: Sequence[str], numbers: Sequence[Fraction]) -> Fraction | None:
    """Return the sum of products; None where something is divided by zero."""
    products = [numbers[0]]
    for sign, number in zip(signs, numbers[1:], strict=True):
        if sign in _PLUS + _MINUS:
            products.append(number if sign in _PLUS else -number)
        elif sign in _DIVIDED and not number:
            return None
        else:
            products[-1] = products[-1] / number if sign in _DIVIDED else products[-1] * number
    return sum(products, Fraction(0))


def _fits(terms: Sequence[_Term], result: _Term) -> bool:
    """Tell whether no unit is converted, and no range, ratio or date is taken for a sum."""
    units = {term.unit for term in terms} - {"", "%"}
    signs = [term.sign for term in terms[1:]]
    is_range = {*signs} <= {"-", "\u2013", ":"} or signs == ["/", "/"]
    return units == {result.unit} - {"", "%"} and len(units) <= 1 and not is_range


def _written(value: Fraction, places: int) -> str:
    """Return a number with so many decimals at most."""
    scaled = round(value * 10**places)
    digits = f"{abs(scaled):0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")
    return f"-{text}" if scaled < 0 else text
