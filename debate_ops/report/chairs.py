"""A debate of chairs for its readers: no winner, but where the chairs stand, and fair play."""

from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Entry
from debate_ops.protocols.chairs import ARBITER, EVALUATOR
from debate_ops.protocols.chairs_fairness import count_debate
from debate_ops.report.markdown import show_text
from debate_ops.report.verdict import (
    Question,
    Section,
    Verdict,
    judge_alone,
    name_participants,
)
from debate_ops.report.words import NONE, count, join, shorten

EVALUATIONS = (
    "Points are the mean of 100 over the evaluated speeches, for arguing fairly and by the chair's "
    "own framework; per cent are of the speeches in which it was tried. An evaluation is one "
    "reader's view of a speech, not proof of it."
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
    principles = (
        (c.name, c.view.name, c.view.question, shorten(c.position, 300) or NONE)
        for c in s.participants
    )
    return Verdict(
        kind=f"chairs with an arbiter, no winner · {length}",
        answer=f"No winner: {everybody} answer from different principles" if closing else not_yet,
        reasons=(judge_alone(d, EVALUATOR),) if d.find("evaluation") else (),
        decider=ARBITER,
        choices={name: f"{name} ({view})" for name, view in chairs.items()},
        sides=tuple(chairs) if len(chairs) == 2 else (),  # noqa: PLR2004  (two have colours)
        names=name_participants(at, {}, chairs),
        outcome_title="How the arbiter closes" if closing else "",
        outcome=show_text(closing.texts.get("Closing", "")) if closing else Markup(),
        reached=closing is not None,
        is_sought=False,
        question=_ask_panel(chairs, closing),
        sections=(
            Section(
                "Who the chairs are",
                heads=("Chair", "Judges by", "Its question", "Its position"),
                rows=tuple(principles),
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
    """Return how each chair argued: by its evaluations, if there are any."""
    d, is_evaluated = at.debate, at.debate.settings.is_evaluated
    keys = ("evaluated", "adherence", "steel_man_rate", "self_critique_rate")
    rows = []
    for chair in figures["chairs"]:
        own = [e for e in d.entries.values() if e.by == chair["name"]]
        speeches = sum(e.kind == "speech" for e in own)
        measured = [NONE if chair[key] is None else chair[key] for key in keys if is_evaluated]
        interruptions = chair["interruptions_made"], chair["interruptions_suffered"]
        words = sum(int(e.data.get("words") or 0) for e in own)
        rows.append((chair["name"], speeches, *measured, *interruptions, f"{words:,}"))
    measures = ("Evaluated", "Points", "Put another view at its best, %", "Criticised itself, %")
    return Section(
        "Fair play",
        EVALUATIONS * is_evaluated,
        heads=(
            *("Chair", "Speeches", *measures[: 4 * is_evaluated]),
            *("Interrupted others", "Was interrupted", "Words"),
        ),
        rows=tuple(rows),
    )
