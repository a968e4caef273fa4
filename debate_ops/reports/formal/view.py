"""A formal debate for its readers: what the ballot answers, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.score import Millis
from debate_ops.protocols.formal.rules import CLOSING, JUDGE, SIDES
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Bar, Bars, Line, Quote, Ref, line
from debate_ops.reports.exports import from_record
from debate_ops.reports.formal import words
from debate_ops.reports.formal.numbers import Ballot, Numbers
from debate_ops.reports.made import LENGTH, makers
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import counted, excerpt
from debate_ops.reports.view import Answer, Case, View

CHOICES = {"aff": "for the motion", "neg": "against the motion"}
_CLOSE = 500
"""In thousandths: half of one of thirty speaker points."""
_QUOTE = 360


def view(numbers: Numbers) -> View:
    """Return what readers are told of a formal debate."""
    ballot = numbers.ballot
    return View(
        told=from_record.told(numbers.debate),
        choices=CHOICES,
        favoured=ballot.winner if ballot else "",
        sureness=sureness.of(_reasons(numbers)),
        shares={},
        data=dict(_data(numbers)),
        answer=Answer(
            quiet=_quiet(numbers),
            text=_text(numbers),
            why=tuple(_why(numbers)),
            picture=_picture(ballot) if ballot else None,
            cases=tuple(_cases(numbers)),
            next_steps=() if ballot else (line("Ask somebody to judge: nobody has."),),
            is_reached=ballot is not None,
        ),
    )


def _reasons(numbers: Numbers) -> Iterator[Reason]:
    ballot = numbers.ballot
    if ballot is None:
        yield Reason(words.why(numbers).rstrip("."), Level.TOO_CLOSE)
        return
    apart = _apart(ballot)
    if ballot.is_low_point:
        yield Reason("The side that won has fewer speaker points", Level.LOW)
    elif apart <= _CLOSE:
        yield Reason(f"Only {words.number(apart)} of 30 speaker points apart", Level.LOW)
    judge = next(m for m in numbers.made if m.participant == JUDGE)
    who = makers(judge, LENGTH) if judge.by else "model unknown"
    yield Reason(f"One judge, one ballot ({who})", Level.MODERATE)
    yield Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)


def _apart(ballot: Ballot) -> Millis:
    points = ballot.points.values()
    return Millis(max(points, default=0) - min(points, default=0))


def _quiet(numbers: Numbers) -> str:
    given = sum(not s.is_absent for s in numbers.speeches)
    judged = "one judge" if numbers.is_judged else "no judge"
    return f"formal debate, two sides, {judged} · {counted(given, 'speech', 'speeches')}"


def _text(numbers: Numbers) -> str:
    if numbers.ballot is None:
        return "No answer yet: nobody has judged"
    return f"The judge decides {CHOICES.get(numbers.ballot.winner, 'for no side')}"


def _why(numbers: Numbers) -> Iterator[Line]:
    ballot = numbers.ballot
    if ballot is None:
        return
    yield line(f"Speaker points: {words.points(numbers, ballot)}.")
    yield line("The judge: ", Quote(excerpt(ballot.reasons, _QUOTE), ballot.id))


def _picture(ballot: Ballot) -> Bars:
    return Bars(
        "Speaker points",
        tuple(
            Bar(CHOICES.get(side, side).capitalize(), points, words.number(points), tone=tone)
            for tone, (side, points) in enumerate(ballot.points.items(), 1)
        ),
        caption="How well each side spoke, of 30; the ballot alone decides who wins.",
    )


def _cases(numbers: Numbers) -> Iterator[Case]:
    """Yield how each side closes: the nearest to its best case that the record has as data."""
    for side in SIDES:
        own = [p for p in numbers.transcript.passages if p.participant == side and not p.is_absence]
        closing = next((p for p in reversed(own) if p.id.endswith(CLOSING)), None)
        if closing is not None:
            said = excerpt(closing.texts[0][1], _QUOTE)
            title = f"The case {CHOICES[side]}, from its closing"
            yield Case(side, title, (line(said), line(Ref(closing.id, closing.heading))))


def _data(numbers: Numbers) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    for side in numbers.sides:
        key = next(k for k, name in SIDES.items() if name == side.name)
        yield f"count:speeches:{key}", str(side.speeches)
        yield f"count:questions:{key}", str(side.questions)
        yield f"count:words:{key}", str(side.words)
    if numbers.ballot:
        for key, points in numbers.ballot.points.items():
            yield f"points:{key}", words.number(points)
        yield "points:apart", words.number(_apart(numbers.ballot))
