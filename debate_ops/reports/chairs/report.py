"""A debate of chairs for its readers: no winner, but where the chairs stand: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import frameworks, names, phrases
from debate_ops.protocols.chairs.course import IN_ORDER
from debate_ops.protocols.chairs.rules import KINDS, RULES
from debate_ops.protocols.chairs.settings import is_evaluated
from debate_ops.protocols.chairs.statistics import Statistics, of_past
from debate_ops.reports.blocks import (
    Line,
    Listing,
    Paragraph,
    Quote,
    Ref,
    Said,
    Section,
    Strong,
    Table,
    line,
)
from debate_ops.reports.charts import Grid, worth_drawing
from debate_ops.reports.content import cancelled, content_of, mapping
from debate_ops.reports.items import Content
from debate_ops.reports.provenance import alone
from debate_ops.reports.record import Note
from debate_ops.reports.table import Number, Outline
from debate_ops.reports.text import counted, excerpt, joined, shorten
from debate_ops.reports.view import Answer, Case, Question, View

ANSWER_RULE = (
    "Chairs argued from moral frameworks, and nobody wins. The answer says where they "
    "meet and where they part; the cruxes are of the form: who believes this leans to that. An "
    "unfair speech that a chair was instructed to give is named as such in the story."
)

read = content_of

_QUOTE = 420
_LAST = 300
_LONG = 240
_EXCHANGES = 10
_DASH = "\N{EN DASH}"
"""Where there was nothing to judge: that is not the same as a zero."""
_PER_CENT = "\N{NO-BREAK SPACE}%"
_ADHERENCE = (
    "Adherence is the mean of 100 points over the evaluated speeches; a rate is the share of them "
    "in which it was tried. An evaluation is one reader's view of a speech, not proof of it."
)
_PHRASES = (
    "Counted are speeches with a phrase of an English list. That is a search for words, no score; "
    "who says the same in other words is not counted."
)
_PARTICULARS = {
    "persona": "persona",
    "position": "own position",
    "must_acknowledge": "has to acknowledge",
}
_EVALUATED = ("Evaluated", "Adherence", "Steel-man rate", "Self-critique rate")
_SEARCHED = ("With a steel-man phrase", "With a self-critique phrase")
_About = Mapping[tuple[str, str], Contribution]
"""What was said of each speech and into it, by the speech and the kind."""

Chairs = Sequence[Mapping[str, Any]]


def view(content: Content) -> View:
    """Return what readers are shown of a debate of chairs."""
    settings = content.debate.settings
    chairs, closing = settings["participants"], _last(content, names.CLOSING)
    statistics = of_past(RULES.past_of(content.debate))
    everybody = joined([chair["name"] for chair in chairs])
    size = f"{counted(len(chairs), 'chair')}, {counted(statistics.exchanges, 'exchange')}"
    # Nobody wins, so a panel is asked whether the debate was fair.
    voices = {chair["name"]: frameworks.of(chair["framework"]).name for chair in chairs}
    represented = "Did the others represent {} rightly, so that it would say: that is my view?"
    of_closing = "Is the arbiter's closing fair to every chair: to what each said, and conceded?"
    heads = ("Chair", "Judges by", "Its question", "Its position")
    shown = len(heads) if any(chair["position"] for chair in chairs) else len(heads) - 1
    return View(
        content=content,
        choices={chair["name"]: content.names[chair["name"]] for chair in chairs},
        favoured="",
        sureness=None,
        shares={},
        data=dict(_data(statistics)),
        answer=Answer(
            quiet=f"chairs with an arbiter, no winner · {size}",
            text=f"No winner: {everybody} answer from different principles"
            if closing
            else f"No closing yet: {everybody} argue, nobody has summed up",
            why=tuple(_why(content, closing)),
            picture=Table(heads[:shown], tuple(_row(chair)[:shown] for chair in chairs)),
            cases=tuple(_cases(content, chairs)),
            is_reached=closing is not None,
        ),
        question=Question(
            choices={"yes": "It was fair", "no": "It was not"},
            voices=voices | {names.ARBITER: "the arbiter, who closes"},
            text="Was the debate fair?\n\nNobody is to win it. Decide whether each chair was "
            "represented rightly, by the others and at the end.",
            issues=(*(represented.format(n) for n in voices), *([of_closing] if closing else [])),
            also_heard=(closing.id,) if closing else (),
            views=False,
        ),
    )


def outcome(content: Content) -> Section | None:
    """Return the arbiter's closing, as it stands on record; nothing while there is none."""
    closing = _last(content, names.CLOSING)
    return (
        Section("closing", "How the arbiter closes", (Said(_text(closing)),)) if closing else None
    )


def _last(content: Content, kind: str, chair: str = "") -> Contribution | None:
    own = (v for v in content.contributions if v.kind == kind and chair in {"", v.participant})
    return next(reversed(list(own)), None)


def _text(value: Contribution) -> str:
    """Return what was said, without its sources."""
    return value.texts.get(KINDS[value.kind].heading, "")


def _why(content: Content, closing: Contribution | None) -> Iterator[Line]:
    if closing:
        said = Quote(excerpt(_text(closing), _QUOTE), closing.id)
        yield line("The arbiter closes: ", said)
        return
    if ended := cancelled(content.contributions):
        yield line(ended)
    yield line("Nobody wins such a debate.")
    yield line(_evaluated(content))


def _evaluated(content: Content) -> str:
    """Return who evaluated, and that nobody has evaluated it again."""
    if not is_evaluated(content.debate.settings):
        return "Nobody was evaluated: accountability is relaxed."
    by = next((m for m in content.made if m.participant == names.EVALUATOR and m.replies), None)
    return f"{alone('evaluator', by)}." if by else "No speech has been evaluated."


def _row(chair: Mapping[str, Any]) -> tuple[Line, ...]:
    framework = frameworks.of(chair["framework"])
    position = line(shorten(chair["position"], _LAST))
    return line(Strong(chair["name"])), line(framework.name), line(framework.question), position


def _cases(content: Content, chairs: Chairs) -> Iterator[Case]:
    """Yield how each chair spoke last: the nearest to its best case that the record has as data."""
    for name in (chair["name"] for chair in chairs):
        if last := _last(content, names.SPEECH, name):
            said = line(excerpt(_text(last), _LAST))
            yield Case(name, f"{name}, in its last speech", (said, line(Ref(last.id))))


def _data(statistics: Statistics) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    yield "count:exchanges", str(statistics.exchanges)
    yield "count:speeches", str(statistics.speeches)
    yield "count:interruptions", str(statistics.interruptions)
    for chair in statistics.chairs:
        if chair.adherence is not None:
            yield f"adherence:{chair.name}", str(chair.adherence)


def sections(content: Content) -> Iterator[Section]:
    """Yield the record: who each chair is to be, and fair play."""
    settings = content.debate.settings
    if particulars := tuple(_particulars(settings)):
        yield Section("chairs", "Who each chair is to be", (Listing(particulars),))
    measured, note = (_EVALUATED, _ADHERENCE) if is_evaluated(settings) else (_SEARCHED, _PHRASES)
    heads = ("Chair", "Speeches", *measured, "Interrupted others", "Was interrupted", "Words")
    table = Table(heads, tuple(_fair_play(content)))
    of = {
        (v.participant, v.exchange): float(about.data["adherence"])
        for v in content.contributions
        if (about := _about(content).get((v.id, names.EVALUATION)))
    }
    exchanges = sorted({exchange for _, exchange in of})
    shown = exchanges[-_EXCHANGES:]
    last = f"; the last {_EXCHANGES} of {len(exchanges)} exchanges" if shown != exchanges else ""
    chairs = (chair["name"] for chair in content.debate.settings["participants"])
    chart = Grid(
        "fairness",
        "How fair each chair was in each exchange",
        tuple(f"exchange {number}" for number in shown),
        tuple((name, tuple(of.get((name, number)) for number in shown)) for name in chairs),
        unit=f"adherence, in points of 100, by the evaluator{last}",
    )
    yield Section("fair-play", "Fair play", (*worth_drawing(chart), table, Paragraph(line(note))))


def _particulars(settings: Settings) -> Iterator[Line]:
    for chair in settings["participants"]:
        for key, what in _PARTICULARS.items():
            if chair[key].strip():
                yield line(f"{chair['name']}, {what}: ", Quote(shorten(chair[key], _LONG)))
    for tension in settings["key_tensions"]:
        yield line("Put to all of them: ", Quote(shorten(tension, _LONG)))


def _fair_play(content: Content) -> Iterator[tuple[Line, ...]]:
    """Yield how each chair argued: by its evaluations, or by its words where there are none."""
    debate = content.debate
    for chair in of_past(RULES.past_of(debate)).chairs:
        own = [value for value in content.contributions if value.participant == chair.name]
        said = [v.texts.get(KINDS[names.SPEECH].heading, "") for v in own if v.kind == names.SPEECH]
        measured: tuple[str, ...] = (
            str(sum(map(phrases.has_steel_man, said))),
            str(sum(map(phrases.has_self_critique, said))),
        )
        if is_evaluated(debate.settings):
            rates = (chair.steel_man_rate, chair.self_critique_rate)
            shares = (_rate(rate, _PER_CENT) for rate in rates)
            measured = (str(chair.evaluated), _rate(chair.adherence), *shares)
        cells = (
            chair.name,
            str(len(said)),
            *measured,
            str(chair.interruptions_made),
            str(chair.interruptions_suffered),
            f"{sum(int(value.data.get('words') or 0) for value in own):,}",
        )
        yield tuple(map(line, cells))


def _rate(number: int | None, unit: str = "") -> str:
    return _DASH if number is None else f"{number}{unit}"


def notes(content: Content) -> Mapping[str, Note]:
    """Return what readers learn of each speech, and of what was said of it and into it, by id."""
    about = _about(content)
    speeches = (value.id for value in content.contributions if value.kind == names.SPEECH)
    by_id = {speech: _of_speech(content, speech, about) for speech in speeches}
    for (speech, kind), value in about.items():
        if kind == names.EVALUATION:
            states = ("foul",) if value.data.get("violation") else ()
            by_id[value.id] = Note(score=_adherence(value), states=states)
        elif kind != names.REPLY:
            answered = "answered" if (speech, names.REPLY) in about else "unanswered"
            states = (answered,) if kind == names.INTERRUPTION else ()
            by_id[value.id] = Note(states=states, facts=(("Of", (line(Ref(speech)),)),))
    return by_id


def _of_speech(content: Content, speech: str, about: _About) -> Note:
    evaluation = about.get((speech, names.EVALUATION))
    states = {
        "interrupted": (speech, names.INTERRUPTION) in about,
        "called to order": (speech, names.INTERJECTION) in about,
        "foul": evaluation and evaluation.data.get("violation"),
        "not evaluated": evaluation is None and is_evaluated(content.debate.settings),
    }
    others = (
        about.get((speech, kind)) for kind in (names.FLOOR, names.INTERJECTION, names.INTERRUPTION)
    )
    refs = tuple(line(Ref(other.id)) for other in others if other)
    return Note(
        score=_adherence(evaluation) if evaluation else "",
        states=tuple(state for state, is_so in states.items() if is_so),
        facts=(("Said of it", refs),) if refs else (),
    )


def _about(content: Content) -> _About:
    values = content.contributions
    return {(str(v.data["speech"]), v.kind): v for v in values if "speech" in v.data}


def _adherence(evaluation: Contribution) -> str:
    return f"{int(evaluation.data['adherence'])} of 100"


_SHOWN = {
    names.EVALUATION: ("parts", "violation"),
    names.FLOOR: ("reason", "urgency", "threshold"),
    names.INTERRUPTION: ("speech", "reason", "trigger"),
    names.SPEECH: ("answers",),
    names.REPLY: ("answers",),
}
"""What is read of a header with the texts, by kind of entry."""


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    settings = debate.settings
    chosen = {c["name"]: frameworks.of(c["framework"]).name for c in settings["participants"]}
    offices = {name: name for name in RULES.participants(settings) if name in names.OFFICES}
    return Outline(participants=chosen | offices, place=_place, shown=_SHOWN, numbers=_numbers)


def _place(entry: Entry) -> str:
    """Return the part of the debate that an entry belongs to."""
    number = order(entry.id)[-1] // 10 if entry.is_absence else 0
    kind = dict(enumerate(IN_ORDER, 1)).get(number, entry.kind)
    if kind == names.OPENING:
        return "Openings"
    if entry.exchange and kind not in {names.CLOSING, CANCELLATION}:
        return f"Exchange {entry.exchange}"
    return kind.capitalize()


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield how far a speech keeps to its framework: the points of each part, then their sum."""
    if value.kind == names.EVALUATION:
        speech = str(value.data.get("speech") or "")
        for part, judged in mapping(value.data.get("parts")).items():
            yield speech, part, mapping(judged).get("points")
        yield speech, "adherence", value.data.get("adherence")
