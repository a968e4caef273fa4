"""A formal debate for its readers: what the ballot answers, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.score import to_number
from debate_ops.protocols.formal.rules import (
    ANSWER,
    CLOSING,
    JUDGE,
    OPENING,
    QUESTION,
    REBUTTAL,
    SIDES,
)
from debate_ops.reports import made, sureness
from debate_ops.reports.blocks import Bar, Bars, Quote, Ref, line
from debate_ops.reports.document import document
from debate_ops.reports.formal.ballot import Ballot, ballot_of, speeches
from debate_ops.reports.items import Content, Item
from debate_ops.reports.made import Made
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import counted, excerpt
from debate_ops.reports.view import Answer, Case, View

CHOICES = {"aff": "for the motion", "neg": "against the motion"}
_CLOSE = 500
"""In thousandths: half of one of thirty speaker points."""
_QUOTE = 360
_SPEECHES = (OPENING, REBUTTAL, CLOSING)


def view(content: Content) -> View:
    """Return what readers are shown of a formal debate."""
    ballot = ballot_of(content)
    return View(
        content=content,
        choices=CHOICES,
        favoured=ballot.winner if ballot else "",
        sureness=sureness.of(_reasons(content, ballot)),
        shares={},
        data=dict(_data(content, ballot)),
        answer=_answer(content, ballot),
    )


def _answer(content: Content, ballot: Ballot | None) -> Answer:
    answer = Answer(
        quiet=_quiet(content),
        text="No answer yet: nobody has judged",
        cases=tuple(_cases(content)),
        next_steps=(line("Ask somebody to judge: nobody has."),),
    )
    if ballot is None:
        return answer
    said = Quote(excerpt(ballot.reasons, _QUOTE), ballot.value.id)
    return answer._replace(
        text=f"The judge decides {CHOICES.get(ballot.winner, 'for no side')}",
        why=(line(f"Speaker points: {points(content, ballot)}."), line("The judge: ", said)),
        picture=_picture(ballot),
        next_steps=(),
        is_reached=True,
    )


def outcome(content: Content) -> str:
    """Return the judge's ballot, as it stands on record; empty while there is none."""
    ballot, judge = ballot_of(content), _judge(content)
    if ballot is None or judge is None:
        return ""
    facts = (
        f"The {content.names.get(ballot.winner, ballot.winner)} wins.",
        f"Speaker points: {points(content, ballot)}.",
        made.alone("judge", judge),
    )
    return document("Ballot", [("", "\n\n".join(facts)), ("Reasons", ballot.reasons)])


def _judge(content: Content) -> Made | None:
    """Return how the ballot is made, where a judge is asked at the end."""
    return next((m for m in content.made if m.participant == JUDGE), None)


def points(content: Content, ballot: Ballot) -> str:
    """Return the speaker points, the sides in the order of readers."""
    names = content.names
    return ", ".join(
        f"{names.get(i, i)} {to_number(number)}" for i, number in ballot.points.items()
    )


def _reasons(content: Content, ballot: Ballot | None) -> Iterator[Reason]:
    judge = _judge(content)
    if ballot is None or judge is None:
        yield Reason(_not_judged(content), Level.TOO_CLOSE)
        return
    if ballot.is_low_point:
        yield Reason("The side that won has fewer speaker points", Level.LOW)
    elif ballot.apart <= _CLOSE:
        yield Reason(f"Only {to_number(ballot.apart)} of 30 speaker points apart", Level.LOW)
    who = made.makers(judge, made.LENGTH) if judge.by else "model unknown"
    yield Reason(f"One judge, one ballot ({who})", Level.MODERATE)
    yield Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)


def _not_judged(content: Content) -> str:
    """Return why there is no ballot."""
    if _judge(content) is None:
        return "Nobody was asked to judge: the record names no winner"
    if content.stops_at:
        return "A judge is to decide at the end"
    return "A judge was to decide and gave no ballot"


def _quiet(content: Content) -> str:
    number = sum(item.absence is None for item in speeches(content))
    judged = "one judge" if _judge(content) else "no judge"
    return f"formal debate, two sides, {judged} · {counted(number, 'speech', 'speeches')}"


def _picture(ballot: Ballot) -> Bars:
    return Bars(
        "Speaker points",
        tuple(
            Bar(CHOICES.get(side, side).capitalize(), points, str(to_number(points)), tone=tone)
            for tone, (side, points) in enumerate(ballot.points.items(), 1)
        ),
        caption="How well each side spoke, of 30; the ballot alone decides who wins.",
    )


def _cases(content: Content) -> Iterator[Case]:
    """Yield how each side closes: the nearest to its best case that the record has as data."""
    for side in SIDES:
        for closing in _said(content, side, CLOSING)[-1:]:
            said = line(excerpt(closing.texts[0][1], _QUOTE))
            title = f"The case {CHOICES[side]}, from its closing"
            yield Case(side, title, (said, line(Ref(closing.id, closing.title))))


def _data(content: Content, ballot: Ballot | None) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    for side in SIDES:
        public = _said(content, side, *_SPEECHES, QUESTION, ANSWER)
        yield f"count:speeches:{side}", str(len(_said(content, side, *_SPEECHES)))
        yield f"count:questions:{side}", str(len(_said(content, side, QUESTION)))
        words = sum(int(item.entry.header.get("words") or 0) for item in public)
        yield f"count:words:{side}", str(words)
    if ballot:
        for side, number in ballot.points.items():
            yield f"points:{side}", str(to_number(number))
        yield "points:apart", str(to_number(ballot.apart))


def _said(content: Content, side: str, *kinds: str) -> list[Item]:
    own = (i for i in speeches(content) if i.participant == side and not i.absence)
    return [item for item in own if item.kind in kinds]
