"""A formal debate for its readers: the ballot, how sure that is, and every round: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.score import Millis, to_number
from debate_ops.protocols.formal.rules import (
    ANSWER,
    BALLOT,
    CLOSING,
    FIRST_PAIR,
    JUDGE,
    KINDS,
    OPENING,
    OTHER,
    PAIRED,
    PREPARATION,
    QUESTION,
    REBUTTAL,
    slots,
)
from debate_ops.protocols.formal.settings import SIDES
from debate_ops.protocols.schedule import Slot
from debate_ops.reports import sureness
from debate_ops.reports.blocks import (
    Bar,
    Bars,
    Block,
    Heading,
    Paragraph,
    Quote,
    Ref,
    Said,
    Section,
    line,
)
from debate_ops.reports.content import content_of, mapping
from debate_ops.reports.items import Content, Item
from debate_ops.reports.provenance import Provenance, alone
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.table import Number, Outline
from debate_ops.reports.text import counted, excerpt
from debate_ops.reports.view import Answer, Case, View
from debate_ops.startup import NamedTuple

HAS_GRAPH = False
ANSWER_RULE = (
    "Two sides held speeches. The answer is what the ballot says, or, where there is "
    "none, that nobody judged. Give the issues: those that the ballot names, and what tipped it."
)

read = content_of

CHOICES = {"aff": "for the motion", "neg": "against the motion"}
_CLOSE = 500
"""In thousandths: half of one of thirty speaker points."""
_QUOTE = 360
_NOTES = "the notes of both sides (preparation)"
_SPEECHES = (OPENING, REBUTTAL, CLOSING)


class Ballot(NamedTuple):
    """What the judge decided: the winning side, speaker points in thousandths, the reasons."""

    value: Contribution
    winner: str
    reasons: str
    points: Mapping[str, Millis]

    @property
    def is_low_point(self) -> bool:
        """Whether the winner has fewer speaker points."""
        return self.points.get(self.winner, 0) < max(self.points.values(), default=0)

    @property
    def apart(self) -> Millis:
        """How many speaker points are between the sides."""
        points = self.points.values()
        return Millis(max(points, default=0) - min(points, default=0))


def ballot_of(content: Content) -> Ballot | None:
    """Return the ballot; None while there is none."""
    value = next((v for v in content.contributions if v.kind == BALLOT), None)
    if value is None:
        return None
    reasons = value.texts.get(KINDS[BALLOT].heading, "")
    points = {m.about: m.number for m in content.marks if m.judgment == value.id}
    return Ballot(value, str(value.data.get("winner")), reasons, points)


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


def sections(_: Content) -> tuple[Section, ...]:
    """Return nothing: the speeches and the ballot are the whole record."""
    return ()


def _answer(content: Content, ballot: Ballot | None) -> Answer:
    number = sum(len(_said(content, side)) for side in SIDES)
    judged = "one judge" if _judge(content) else "no judge"
    answer = Answer(
        quiet=f"formal debate, two sides, {judged} · {counted(number, 'speech', 'speeches')}",
        text="No answer yet: nobody has judged",
        cases=tuple(_cases(content)),
        next_steps=(line("Ask somebody to judge: nobody has."),),
    )
    if ballot is None:
        return answer
    said = Quote(excerpt(ballot.reasons, _QUOTE), ballot.value.id)
    return answer._replace(
        text=f"The judge decides {CHOICES.get(ballot.winner, 'for no side')}",
        why=(line(f"{_points(content, ballot)}."), line("The judge: ", said)),
        picture=_picture(ballot),
        next_steps=(),
        is_reached=True,
    )


def outcome(content: Content) -> tuple[Block, ...]:
    """Return the judge's ballot, as it stands on record; nothing while there is none."""
    ballot, judge = ballot_of(content), _judge(content)
    if ballot is None or judge is None:
        return ()
    facts = (
        f"The {content.names.get(ballot.winner, ballot.winner)} wins.",
        f"{_points(content, ballot)}.",
        f"{alone('judge', judge)}.",
    )
    reasons = (Heading("Reasons"), Said(ballot.reasons)) if ballot.reasons.strip() else ()
    return (Heading("Ballot"), *(Paragraph(line(fact)) for fact in facts), *reasons)


def _judge(content: Content) -> Provenance | None:
    """Return how the ballot is made, where a judge is asked at the end."""
    return next((m for m in content.made if m.participant == JUDGE), None)


def _points(content: Content, ballot: Ballot) -> str:
    names = content.names
    each = (f"{names.get(side, side)} {to_number(n)}" for side, n in ballot.points.items())
    return f"Speaker points: {', '.join(each)}"


def _reasons(content: Content, ballot: Ballot | None) -> Iterator[Reason]:
    judge = _judge(content)
    if ballot is None or judge is None:
        yield Reason(_not_judged(content), Level.TOO_CLOSE, is_alone=True)
        return
    if ballot.is_low_point:
        yield Reason("The side that won has fewer speaker points", Level.LOW)
    elif ballot.apart <= _CLOSE:
        yield Reason(f"Only {to_number(ballot.apart)} of 30 speaker points apart", Level.LOW)
    yield Reason(alone("judge", judge), Level.MODERATE, is_alone=True)
    yield Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)


def _not_judged(content: Content) -> str:
    """Return why there is no ballot."""
    if _judge(content) is None:
        return "Nobody was asked to judge: the record names no winner"
    if content.stops_at:
        return "A judge is to decide at the end"
    return "A judge was to decide and gave no ballot"


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
    """Return what a side said, of these kinds or of any."""
    own = (item for item in content.read if item.participant == side and not item.absence)
    return [item for item in own if not kinds or item.kind in kinds]


def notes(content: Content) -> Mapping[str, Note]:
    """Return the notes on each text that readers are shown, by id; the ballot's too."""
    sides, ballot = list(SIDES), ballot_of(content)
    by_id = {
        item.id: Note(
            sides.index(item.participant) if item.participant in SIDES else None,
            states=tuple(_states(content, item)),
        )
        for item in content.read
    }
    if ballot:
        winner = content.names.get(ballot.winner, ballot.winner)
        by_id[ballot.value.id] = Note(states=(f"for the {winner}",))
    return by_id


def _states(content: Content, item: Item) -> Iterator[str]:
    if item.absence:
        yield "not given"
    if item.kind == QUESTION:
        answer = Slot(item.entry.exchange, OTHER[item.participant], ANSWER).id
        yield "answered" if answer in content.ids else "unanswered"
    if item.cut:
        yield "cut"


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    by_id = {i: slot for slot in slots(debate.settings) for i in (slot.id, slot.absence_id)}

    def place(entry: Entry) -> str:
        return _round(by_id[entry.id]) if entry.id in by_id else entry.kind.capitalize()

    def private(entry: Entry) -> str:
        return _NOTES if entry.id in by_id and by_id[entry.id].kind == PREPARATION else ""

    judge = {JUDGE: "judge"} if debate.settings["judge"] == "one" else {}
    return Outline(
        participants={**SIDES, **judge},
        place=place,
        sides=tuple(SIDES),
        numbers=_numbers,
        private=private,
        shows_private=debate.settings.get("show_preparation") != "no",
    )


def _round(slot: Slot) -> str:
    pair = f", pair {slot.exchange - FIRST_PAIR + 1}" if slot.kind in PAIRED else ""
    return f"{KINDS[slot.kind].round.capitalize()}{pair}"


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield the speaker points of each side."""
    if value.kind == BALLOT:
        for side, points in mapping(value.data.get("speaker_points")).items():
            yield side, "speaker points", points
