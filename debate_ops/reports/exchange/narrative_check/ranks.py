"""The highest and lowest: superlatives held to the scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from debate_ops.errors import Finding
from debate_ops.model.score import signed
from debate_ops.reports.exchange.narrative_check.mentions import ARGUMENT, ID, SIDE, own_id
from debate_ops.reports.exchange.narrative_check.owners import Reading
from debate_ops.reports.exchange.narrative_check.record import Known
from debate_ops.reports.exchange.numbers import Standing

_TOP = re.compile(
    r"\b(?:(?P<high>highest|best|top|strongest)|(?P<low>lowest|worst|weakest))[\s-]"
    r"(?:(?:and|or)\s\w+\s)?(?:(?:final|single|new|opening|surviving|proposition|opposition)\s)*"
    r"(?:scor\w+|argument|point|scored|rated|of\sall|standing)\b",
    re.IGNORECASE,
)
_LARGEST = re.compile(
    r"\b(?:largest|biggest|greatest|deepest|sharpest|steepest)\s(?:single\s)?"
    r"(?P<what>rescore|fall|drop|loss|rise|gain|change)\b(?!\sof\sthe\s(?:lead|total))",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    rf"(?P<a>{ID})(?:,[^,;:]{{1,60}},)?\s(?:[a-z]+\s){{0,3}}?(?:(?P<high>higher|better)|(?P<low>lower|worse)"
    rf"|the\ssame\sscore|(?P<over>outscore[ds](?=\s(?!by)))|(?P<under>outscored(?=\sby)))(?:\s(?:than|as|by)|(?<=outscore[ds]))\s(?P<b>{ID})",
    re.IGNORECASE,
)
_FINALLY = re.compile(
    r"\b(?:end(?:s|ed)?|final|finally|now|clos(?:es|ed)|finish(?:es|ed))\b", re.IGNORECASE
)
_HEDGE = re.compile(r"\b(?:one\sof|among|perhaps|would|not|second|third|next)\b", re.IGNORECASE)
_BREAK = re.compile(r"[;:\N{EM DASH}]|,\s(?:and|but|while|which)\s")
_LONG = 70


def check(reading: Reading, text: str) -> Iterator[Finding]:
    """Yield the superlatives of a sentence that the scores contradict."""
    for match in _TOP.finditer(reading.text):
        if not _HEDGE.search(reading.text[max(0, match.start() - 20) : match.start()]):
            yield from _top(match, reading, text)
    for match in _LARGEST.finditer(reading.text):
        yield from _largest(match, reading, text)
    for match in _COMPARED.finditer(reading.text):
        yield from _compared(match, reading, text)


def _top(match: re.Match[str], reading: Reading, text: str) -> Iterator[Finding]:
    known = reading.known
    ids = _ids(match, reading)
    if not ids:
        yield from _top_score(match, reading, text)
        return
    standing = known.arguments[ids[0]]
    sides = [m.name for m in reading.named if m.kind == SIDE and m.start < match.end()]
    pools = [known.scored(side) for side in ("", standing.argument.side, *sides)]
    high, in_the_end = bool(match["high"]), bool(_FINALLY.search(reading.text))
    if any(_is_extreme(standing, pool, high, in_the_end) for pool in pools if pool):
        return
    pool = known.scored(standing.argument.side)
    word = match[0].casefold()
    message = f"{ids[0]} is not the {word} on record"
    yield _finding(match, reading, text, message, _extremes(pool, high=bool(match["high"])))


def _top_score(match: re.Match[str], reading: Reading, text: str) -> Iterator[Finding]:
    """Hold a number after `the highest score` to the highest of all and of each side."""
    known, high = reading.known, bool(match["high"])
    figure = next(
        (
            f
            for f in reading.figures
            if match.end() <= f.start <= match.end() + _LONG and f.decimals
        ),
        None,
    )
    if figure is None or not known.scored():
        return
    choose = max if high else min
    pools = [known.scored(side) for side in ("", *known.sides)]
    allowed = {choose(m.score for s in pool for m in s.history) for pool in pools if pool}
    allowed |= {choose(s.history[-1].score for s in pool) for pool in pools if pool}
    if figure.millis not in allowed:
        message = f"{figure.text} is not the {match[0].casefold()} on record"
        wanted = " or ".join(map(signed, sorted(allowed)))
        yield _finding(match, reading, text, message, wanted)


def _ids(match: re.Match[str], reading: Reading) -> list[str]:
    """Return the argument that a superlative is said of: the next in its clause, or the last."""
    stop = _BREAK.search(reading.text, match.end())
    end = stop.start() if stop else len(reading.text)
    after = [m for m in reading.named if m.kind == ARGUMENT and match.end() <= m.start < end]
    if after and after[0].start - match.end() <= _LONG:
        return [after[0].name]
    before = [m for m in reading.named if m.kind == ARGUMENT and m.end <= match.start()]
    near = before and match.start() - before[-1].end <= _LONG // 2
    return [before[-1].name] if near else []


def _is_extreme(
    standing: Standing,
    pool: list[Standing],
    high: bool,  # noqa: FBT001
    in_the_end: bool,  # noqa: FBT001
) -> bool:
    choose = max if high else min
    best_now = choose(s.history[-1].score for s in pool)
    if in_the_end:
        return standing.score == best_now
    best_ever = choose(mark.score for s in pool for mark in s.history)
    first = choose(s.history[0].score for s in pool)
    scores = [mark.score for mark in standing.history]
    return bool(scores) and (
        standing.score == best_now or best_ever in scores or scores[0] == first
    )


def _compared(match: re.Match[str], reading: Reading, text: str) -> Iterator[Finding]:
    """Hold `a scored higher than b` to their scores in the end and at first."""
    arguments = reading.known.arguments
    names = own_id(match["a"], reading.known), own_id(match["b"], reading.known)
    if not all(names) or not all(arguments[name].history for name in names):
        return
    wanted = 1 if match["high"] or match["over"] else -1 if match["low"] or match["under"] else 0
    for place in (-1, 0):
        a, b = (arguments[name].history[place].score for name in names)
        if (a > b) - (a < b) == wanted:
            return
    told = ", ".join(f"{name} {signed(arguments[name].history[-1].score)}" for name in names)
    yield _finding(match, reading, text, "the scores of the two are not so", told)


def _extremes(pool: list[Standing], *, high: bool) -> str:
    if not pool:
        return "no argument has been scored yet"
    best = (max if high else min)(s.history[-1].score for s in pool)
    ids = [s.argument.id for s in pool if s.score == best]
    return f"{', '.join(ids[:3])} ({signed(best)})"


def _largest(match: re.Match[str], reading: Reading, text: str) -> Iterator[Finding]:
    known, what = reading.known, match["what"].casefold()
    ids = _ids(match, reading)
    changes = _changes(known, what)
    if not ids or not changes:
        return
    sides = ("", known.arguments[ids[0]].argument.side)
    tops = [
        max(abs(c) for i, c in changes if side in {"", known.arguments[i].argument.side})
        for side in sides
        if any(side in {"", known.arguments[i].argument.side} for i, _ in changes)
    ]
    if any(i == ids[0] and abs(c) in tops for i, c in changes):
        return
    most = max(changes, key=lambda change: abs(change[1]))
    message = f"the {match[0].casefold()} is not that of {ids[0]}"
    yield _finding(match, reading, text, message, f"{most[0]} by {signed(most[1])}")


def _changes(known: Known, what: str) -> list[tuple[str, int]]:
    """Return each change of a score, of the way asked for; steps and whole courses alike."""
    found = []
    for i, standing in known.arguments.items():
        scores = [mark.score for mark in standing.history]
        steps = [b - a for a, b in pairwise(scores)]
        whole = [scores[-1] - scores[0]] if len(scores) > 1 else []
        found += [(i, c) for c in (*steps, *([] if what == "rescore" else whole))]
    if what in {"fall", "drop", "loss"}:
        return [change for change in found if change[1] < 0]
    return [c for c in found if c[1] > 0] if what in {"rise", "gain"} else found


def _finding(
    match: re.Match[str], reading: Reading, text: str, message: str, wanted: str
) -> Finding:
    found = Finding("wrong_rank", message, found=match[0], wanted=wanted)
    return reading.sentence.finding(text, match.start(), found)
