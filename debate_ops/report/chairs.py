"""A debate of chairs for its readers: no winner, but where the chairs stand, and fair play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Entry
from debate_ops.protocols.chairs import ARBITER, EVALUATOR
from debate_ops.protocols.chairs_fairness import count_debate, has_phrase
from debate_ops.report.markdown import show_text
from debate_ops.report.verdict import (
    Question,
    Section,
    Verdict,
    choose_tags,
    judge_alone,
    name_participants,
)
from debate_ops.report.words import NONE, count, join, shorten

EVALUATIONS = (
    "Points are the mean of 100 over the evaluated speeches, for arguing fairly and by the chair's "
    "own framework; per cent are of the speeches in which it was tried. An evaluation is one "
    "reader's view of a speech, not proof of it."
)
PHRASES = (
    "Counted are speeches with a phrase of an English list. That is a search for words, no score; "
    "who says the same in other words is not counted."
)


def make_verdict(at: Replayed, stops_at: str) -> Verdict:
    """Return where the chairs stand: nobody is to win."""
    d, s = at.debate, at.debate.settings
    figures = count_debate(d)
    closing = next(iter(d.find("closing", by=ARBITER)), None)
    chairs = {chair.name: chair.view.name for chair in s.participants}
    everybody = join(chairs)
    length = f"{count(len(chairs), 'chair')}, {count(figures['exchanges'], 'exchange')}"
    not_yet = f"No closing{' yet' if stops_at else ''}: {everybody} argue, nobody has summed up"
    has_positions = any(c.position for c in s.participants)
    heads = ("Chair", "Judges by", "Its question", "Its position")[: 3 + has_positions]
    principles = (
        (Markup(f"**{c.name}**"), c.view.name, c.view.question, shorten(c.position, 300))  # noqa: S704  (a name has no marks)
        for c in s.participants
    )
    return Verdict(
        kind=f"chairs with an arbiter, no winner · {length}",
        answer=f"No winner: {everybody} answer from different principles" if closing else not_yet,
        reasons=(judge_alone(d, EVALUATOR),) if d.find("evaluation") else (),
        decider=ARBITER,
        choices={name: f"{name} ({view})" for name, view in chairs.items()},
        sides=tuple(chairs) if len(chairs) == 2 else (),  # noqa: PLR2004  (two have colours)
        tags=dict(_list_tags(at)),
        names=name_participants(at, {}, chairs),
        outcome_title="How the arbiter closes" if closing else "",
        outcome=show_text(closing.texts.get("Closing", "")) if closing else Markup(),
        reached=closing is not None,
        is_sought=False,
        question=_ask_panel(chairs, closing),
        sections=(
            Section(
                "Who the chairs are", heads=heads, rows=tuple(r[: len(heads)] for r in principles)
            ),
            _describe_fairness(at, figures),
        ),
    )


def _ask_panel(chairs: dict[str, str], closing: Entry | None) -> Question:
    """Return what a panel is asked: nobody wins, so whether the debate was fair."""
    represented = "Did the others represent {} rightly, so that it would say: that is my view?"
    of_closing = "Is the arbiter's closing fair to every chair: to what each said, and conceded?"
    return Question(
        choices={"yes": "The debate was fair", "no": "The debate was not fair"},
        voices={**chairs, ARBITER: "the arbiter, who closes"},
        text="Was the debate fair?\n\nNobody is to win it. Decide whether each chair was "
        "represented rightly, by the others and at the end.",
        issues=(*(represented.format(n) for n in chairs), *([of_closing] if closing else [])),
        also_heard=(closing.id,) if closing else (),
        views=False,
    )


def _describe_fairness(at: Replayed, figures: dict[str, Any]) -> Section:
    """Return how each chair argued: by its evaluations, or by its words where there are none."""
    d, is_evaluated = at.debate, at.debate.settings.is_evaluated
    rows = []
    for chair in figures["chairs"]:
        own = [e for e in d.entries.values() if e.by == chair["name"]]
        speeches = [e.texts.get("Speech", "") for e in own if e.kind == "speech"]
        if is_evaluated:
            keys = ("evaluated", "adherence", "steel_man_rate", "self_critique_rate")
            measured = [NONE if chair[key] is None else chair[key] for key in keys]
        else:
            kinds = ("steel_man", "self_critique")
            measured = [sum(has_phrase(kind, said) for said in speeches) for kind in kinds]
        interruptions = chair["interruptions_made"], chair["interruptions_suffered"]
        words = sum(int(e.data.get("words") or 0) for e in own)
        rows.append((chair["name"], len(speeches), *measured, *interruptions, f"{words:,}"))
    of_evaluations = (
        "Evaluated",
        "Points",
        "Put another view at its best, %",
        "Criticised itself, %",
    )
    of_words = ("With words that put another view at its best", "With words that criticise itself")
    measures = of_evaluations if is_evaluated else of_words
    return Section(
        "Fair play",
        EVALUATIONS if is_evaluated else PHRASES,
        heads=("Chair", "Speeches", *measures, "Interrupted others", "Was interrupted", "Words"),
        rows=tuple(rows),
    )


def _list_tags(at: Replayed) -> Iterator[tuple[str, tuple[str, ...]]]:
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
        yield e.id, choose_tags(tags)
