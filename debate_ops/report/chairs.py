"""A debate of chairs for its readers: no winner, but where the chairs stand, and fair play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Position
from debate_ops.core.values import Entry
from debate_ops.protocols.chairs_fairness import count_debate, has_phrase
from debate_ops.report.markdown import compose, show_text
from debate_ops.report.verdict import (
    Note,
    Question,
    Verdict,
    describe_cancellation,
    judge_alone,
    merge_notes,
    name_participants,
    refer,
)
from debate_ops.report.words import NONE, count, excerpt, join, spell_value

ARBITER = "arbiter"
ADHERENCE = (
    "Adherence is the mean of 100 points over the evaluated speeches; a rate is the share of them "
    "in which it was tried. An evaluation is one reader's view of a speech, not proof of it."
)
PHRASES = (
    "Counted are speeches with a phrase of an English list. That is a search for words, no score; "
    "who says the same in other words is not counted."
)
_QUOTE = 420


def make_verdict(at: Position, stops_at: str) -> Verdict:
    """Return where the chairs stand: nobody is to win."""
    d, s = at.debate, at.debate.settings
    figures = count_debate(d)
    closing = next(iter(d.find("closing", by=ARBITER)), None)
    chairs = {chair.name: chair.view.name for chair in s.participants}
    everybody = join(chairs)
    length = f"{count(len(chairs), 'chair')}, {count(figures['exchanges'], 'exchange')}"
    text = closing.texts.get("Closing", "") if closing else ""
    not_yet = f"No closing{' yet' if stops_at else ''}: {everybody} argue, nobody has summed up"
    return Verdict(
        kind=f"chairs with an arbiter, no winner · {length}",
        answer=f"No winner: {everybody} answer from different principles" if closing else not_yet,
        why=tuple(_list_why(at, closing, text)),
        choices={name: f"{name} ({view})" for name, view in chairs.items()},
        sides=tuple(chairs) if len(chairs) == 2 else (),  # noqa: PLR2004  (two have colours)
        notes=merge_notes(_list_notes(at)),
        names=name_participants(at, {n: f"{n} ({view})" for n, view in chairs.items()}),
        outcome_title="How the arbiter closes" if closing else "",
        outcome=show_text(text) if closing else Markup(),
        reached=closing is not None,
        is_sought=False,
        question=_ask_panel(chairs, closing),
        about={
            "chairs": s.participants,
            "tensions": s.key_tensions,
            "fairness": [*_list_fairness(at, figures)],
            "is_evaluated": s.is_evaluated,
            "rule": ADHERENCE if s.is_evaluated else PHRASES,
        },
    )


def _list_why(at: Position, closing: Entry | None, text: str) -> Iterator[str]:
    d = at.debate
    if closing:
        quote, to = excerpt(text, _QUOTE), refer(closing)
        yield compose("The arbiter closes: “{quote}” ({link})", quote=quote, link=to)
        return
    if cancelled := describe_cancellation(d):
        yield cancelled
    yield "Nobody wins such a debate."
    if not d.settings.is_evaluated:
        yield "Nobody was evaluated: accountability is relaxed."
    else:
        found = d.find("evaluation")
        yield f"{judge_alone(d, 'evaluator').text}." if found else "No speech has been evaluated."


def _ask_panel(chairs: dict[str, str], closing: Entry | None) -> Question:
    """Return what a panel is asked: nobody wins, so whether the debate was fair."""
    represented = "Did the others represent {} rightly, so that it would say: that is my view?"
    of_closing = "Is the arbiter's closing fair to every chair: to what each said, and conceded?"
    return Question(
        choices={"yes": "It was fair", "no": "It was not"},
        voices={**chairs, ARBITER: "the arbiter, who closes"},
        text="Was the debate fair?\n\nNobody is to win it. Decide whether each chair was "
        "represented rightly, by the others and at the end.",
        issues=(*(represented.format(n) for n in chairs), *([of_closing] if closing else [])),
        also_heard=(closing.id,) if closing else (),
        views=False,
    )


def _list_fairness(at: Position, figures: dict[str, Any]) -> Iterator[list[str]]:
    """Yield how each chair argued: by its evaluations, or by its words where there are none."""
    d = at.debate
    for chair in figures["chairs"]:
        own = [e for e in d.entries.values() if e.by == chair["name"]]
        speeches = [e.texts.get("Speech", "") for e in own if e.kind == "speech"]
        measured = [
            str(sum(has_phrase(kind, said) for said in speeches))
            for kind in ("steel_man", "self_critique")
        ]
        if d.settings.is_evaluated:
            rates = (chair["steel_man_rate"], chair["self_critique_rate"])
            shares = (NONE if rate is None else f"{rate} %" for rate in rates)
            adherence = NONE if chair["adherence"] is None else str(chair["adherence"])
            measured = [str(chair["evaluated"]), adherence, *shares]
        yield [
            chair["name"],
            str(len(speeches)),
            *measured,
            str(chair["interruptions_made"]),
            str(chair["interruptions_suffered"]),
            f"{sum(int(e.data.get('words') or 0) for e in own):,}",
        ]


def _list_notes(at: Position) -> Iterator[tuple[str, Note]]:
    d = at.debate
    about = {(str(e.data["speech"]), e.kind): e for e in d.entries.values() if "speech" in e.data}
    for e in d.find("speech"):
        judged = about.get((e.id, "evaluation"))
        tags = {
            "foul": bool(judged and judged.data.get("violation")),
            "called to order": (e.id, "interjection") in about,
            "interrupted": (e.id, "interruption") in about,
            "not evaluated": judged is None and d.settings.is_evaluated,
        }
        score = f"{int(judged.data['adherence'])} of 100" if judged else ""
        yield e.id, Note(score, tuple(tag for tag, holds in tags.items() if holds)[:2])
    for (speech, kind), e in about.items():
        if kind == "evaluation":
            parts = compose("{p}", p=spell_value(e.data.get("parts")))
            foul = ("foul",) if e.data.get("violation") else ()
            yield e.id, Note(f"{int(e.data['adherence'])} of 100", foul, (("Parts", parts),))
        elif kind == "interruption":
            is_answered = (speech, "reply") in about
            yield e.id, Note("", ("answered" if is_answered else "unanswered",))
