"""Debates of speeches for their readers: decided by a judge at the end, or between chairs.

Of chairs none wins: what is shown is where they stand, and how fairly they argued.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Replayed
from debate_ops.core.texts import spell_number
from debate_ops.core.values import Entry
from debate_ops.protocols.chairs import ARBITER, EVALUATOR
from debate_ops.protocols.chairs_fairness import count_debate
from debate_ops.protocols.formal import SIDES
from debate_ops.protocols.shared import STANCES
from debate_ops.protocols.speeches import NOBODY
from debate_ops.report.markdown import inline, show_text
from debate_ops.report.verdict import Level, Question, Reason, Section, Verdict, View
from debate_ops.report.words import NONE, count, join, shorten

JUDGE = "judge"
CHOICES = dict(zip(SIDES, STANCES, strict=True))
_SPEECHES = ("opening", "rebuttal", "question", "answer", "closing")
_CLOSE_PERCENT = 60
"""In per cent: below it, a judge is hardly surer than of the opposite."""


def make_verdict(at: Replayed, stops_at: str) -> Verdict:
    """Return what the judge decides, and how sure that is; of chairs, where they stand."""
    if at.protocol.name == "chairs":
        return _describe_chairs(at, stops_at)
    view, is_formal = View(at), at.protocol.name == "formal"
    kind, spoken = ("ballot", _SPEECHES) if is_formal else ("verdict", ("speech",))
    decision = next(iter(view.d.find(kind)), None)
    own = (_read_ballot if is_formal else _read_verdict)(view, decision.data if decision else {})
    if decision:
        outcome = own.outcome + "\n\n" + show_text(decision.texts.get("Reasons", ""))
        reasons = (*own.reasons, view.judge_alone(JUDGE))
        own = replace(own, outcome_title="The decision", outcome=outcome, reached=True)
    else:
        lack = view.cancellation or "The judge gave no decision"
        if stops_at:
            lack = "A judge is to decide at the end"
        elif JUDGE not in at.protocol.participants(view.d.settings):
            lack = "Nobody was asked to judge"
        reasons = (Reason(lack, Level.NOT_JUDGED, is_alone=True),)
        own = replace(own, answer="No answer yet: nobody has judged", outcome=Markup())
    length = count(len(view.d.find(*spoken)), "speech", "speeches")
    reasons = (*reasons, view.note_unchecked("speeches"))
    return replace(own, kind=f"{own.kind} · {length}", reasons=reasons)


def _read_ballot(view: View, ballot: Mapping[str, Any]) -> Verdict:
    """Return a formal debate by its ballot: whoever wins may have fewer speaker points."""
    points, winner = ballot.get("speaker_points") or {}, str(ballot.get("winner"))
    each = ", ".join(f"{SIDES.get(side, side)} {spell_number(n)}" for side, n in points.items())
    return Verdict(
        "formal debate, two sides",
        f"The judge decides {CHOICES.get(winner, 'for no side')}",
        favoured=winner if winner in CHOICES else "",
        choices=CHOICES,
        sides=tuple(SIDES),
        names=view.name_participants({**SIDES, "judge": "judge"}),
        outcome=inline(f"Speaker points: {each}."),
    )


def _read_verdict(view: View, verdict: Mapping[str, Any]) -> Verdict:
    """Return a debate in speeches by its verdict: how sure the judge is, and its own doubt."""
    settings = view.d.settings
    called = {each.name: each.called or each.name for each in settings.participants}
    choices = {name: text or called[name] for name, text in settings.positions.items()}
    sure, winner = int(verdict.get("percent") or 0), str(verdict.get("winner"))
    doubts = list[Reason]()
    if winner == NOBODY or sure < _CLOSE_PERCENT:
        level = Level.TOO_CLOSE if winner == NOBODY else Level.LOW
        doubts.append(Reason(f"The judge is {sure} % sure", level))
    who, what = called.get(winner, winner), choices.get(winner, "")
    position = f": “{shorten(what, 200)}”" if what not in {who, ""} else ""
    answer = f"The judge decides for {who}{position}"
    return Verdict(
        f"debate in speeches, {count(len(choices), 'speaker')}",
        answer,
        reasons=tuple(doubts),
        favoured=winner if winner in choices else "",
        choices=choices,
        sides=tuple(choices) if len(choices) == 2 else (),  # noqa: PLR2004  (two have colours)
        names=view.name_participants(called, {n: shorten(t, 60) for n, t in choices.items()}),
        outcome=inline(f"{answer}, {sure} % sure."),
    )


# Chairs.

_EVALUATIONS = (
    "Points are the mean of 100 over the evaluated speeches, for arguing fairly and by the chair's "
    "own framework; per cent are of the speeches in which it was tried. An evaluation is one "
    "reader's view of a speech, not proof of it."
)


def _describe_chairs(at: Replayed, stops_at: str) -> Verdict:
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
        reasons=(View(at).judge_alone(EVALUATOR),) if d.find("evaluation") else (),
        decider=ARBITER,
        choices={name: f"{name} ({view})" for name, view in chairs.items()},
        sides=tuple(chairs) if len(chairs) == 2 else (),  # noqa: PLR2004  (two have colours)
        names=View(at).name_participants({}, chairs),
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
        _EVALUATIONS if is_evaluated else "",
        heads=(
            *("Chair", "Speeches", *(measures if is_evaluated else ())),
            *("Interrupted others", "Was interrupted", "Words"),
        ),
        rows=tuple(rows),
    )
