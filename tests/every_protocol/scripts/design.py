"""The protocol `design`, held by a script."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.turn import Act
from debate_ops.protocols.design import names
from debate_ops.protocols.design.history import History, of_record
from tests.every_protocol.scripts.row import LONG, Effect, Row, Variant, entries, mark, named

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.entries import Entry
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data


class _Plan(NamedTuple):
    """What the agents of a debate have in mind.

    `questions` tells how many each asks, by round; `points` are the levels that each makes against
    everybody else, `accepted` the verdict on them all; `confidence` is the judge's, by exchange.
    """

    questions: tuple[Mapping[str, int], ...] = ()
    points: Mapping[str, tuple[str, ...]] = {}
    accepted: bool = True
    confidence: tuple[int, ...] = (50,)
    more: str = ""


class _At(NamedTuple):
    """A task of a design debate."""

    plan: _Plan
    history: History
    turn: Turn
    task: Task

    @property
    def me(self) -> str:
        return self.task.participant

    def text(self, place: int = 0) -> str:
        return f"It is {mark(self.turn, self.task, place)}.{self.plan.more}"


def _design_reply(debate: Debate, turn: Turn, task: Task, plan: _Plan) -> Data:
    history = of_record(debate.record, debate.settings)
    return named(turn, task) | _REPLIES[turn.phase](_At(plan, history, turn, task))


def _questions(at: _At) -> Data:
    round_ = len({at.history.look(i)["round"] for i in at.history.questions()})
    asked = at.plan.questions[round_].get(at.me, 0) if round_ < len(at.plan.questions) else 0
    return {
        "questions": [
            {"text": f"{at.text(2 * n)} What then?", "why": at.text(2 * n + 1) if n else ""}
            for n in range(asked)
        ]
    }


def _requirements(at: _At) -> Data:
    return {
        "requirements": [
            {"text": at.text(0), "level": "major"},
            {"text": at.text(1), "level": "minor"},
        ]
    }


def _summary(at: _At) -> Data:
    return {"summary": f"In short, {mark(at.turn, at.task)}."}


def _coverage(at: _At, place: int) -> list[Data]:
    numbered = enumerate(at.history.requirements(), start=place)
    return [{"requirement": r["id"], "coverage": "full", "how": at.text(n)} for n, r in numbered]


def _proposal(at: _At) -> Data:
    return {
        "title": f"The way of {at.me}",
        "solution": at.text(0),
        "coverage": _coverage(at, 1),
    }


def _critiques(at: _At) -> Data:
    levels = at.plan.points.get(at.me, ())
    others = [name for name in at.history.texts(at.turn.exchange) if name != at.me]
    return {
        "critiques": [
            {
                "target": name,
                "requirements": at.text(10 * place),
                "points": [
                    {"level": level, "text": at.text(10 * place + n)}
                    for n, level in enumerate(levels, start=1)
                ],
            }
            for place, name in enumerate(others, start=1)
        ]
    }


def _refinement(at: _At) -> Data:
    verdict = "accepted" if at.plan.accepted else "rejected"
    asked = at.history.points_against(at.me, at.turn.exchange)
    return {
        "answers": [
            {"critique": critique, "point": number, "verdict": verdict, "reason": at.text(n)}
            for n, (critique, number) in enumerate(asked, start=20)
        ],
        "solution": at.text(0),
        "coverage": _coverage(at, 1),
    }


def _assessment(at: _At) -> Data:
    every = at.plan.confidence
    confidence = every[min(at.turn.exchange, len(every)) - 1]
    return {"confidence": confidence, "reasons": at.text()}


def _synthesis(at: _At) -> Data:
    minor = [str(r["id"]) for r in at.history.requirements() if r["level"] == "minor"]
    return {
        "title": "The one way",
        "solution": at.text(0),
        "trade_offs": [at.text(1)],
        "recommendations": [at.text(2), at.text(3)],
        "unmet": minor,
        "open_questions": [],
        "confidence": 75,
        "confidence_reasons": at.text(4),
    }


_REPLIES: Mapping[str, Callable[[_At], Data]] = {
    names.AWAITING_QUESTIONS: _questions,
    names.AWAITING_REQUIREMENTS: _requirements,
    names.AWAITING_SUMMARIES: _summary,
    names.AWAITING_PROPOSALS: _proposal,
    names.AWAITING_CRITIQUES: _critiques,
    names.AWAITING_REFINEMENTS: _refinement,
    names.AWAITING_ASSESSMENT: _assessment,
    names.AWAITING_JUDGE_SUMMARY: _summary,
    names.AWAITING_SYNTHESIS: _synthesis,
}


# ---------------------------------------------------------------- who sees what


class _Seen(NamedTuple):
    """The record, and who reads it in which exchange."""

    every: list[Entry]
    me: str
    exchange: int

    def of(self, kind: str) -> list[Entry]:
        return [e for e in self.every if e.kind == kind]

    def current(self) -> dict[str, str]:
        """The newest text of each."""
        texts = [*self.of("proposal"), *self.of("refinement")]
        texts.sort(key=lambda e: (e.exchange, e.kind == "refinement"))
        return {e.participant: e.id for e in texts}

    def against_me(self) -> list[Entry]:
        return [e for e in self.of("critique") if str(e.header["target"]).startswith(f"{self.me}_")]

    def earlier(self) -> set[str]:
        kinds = {"proposal", "critique", "refinement"}
        return {e.id for e in self.every if e.kind in kinds and e.exchange < self.exchange}

    def own_history(self) -> set[str]:
        own = [e for e in self.every if e.participant == self.me]
        summaries = [e for e in own if e.kind == "summary"]
        since = summaries[-1].exchange if summaries else 1
        texts = [e for e in own if e.kind in {"proposal", "refinement"}] + self.against_me()
        there = {e.id for e in texts if since <= e.exchange < self.exchange}
        return there | {e.id for e in summaries[-1:]}


def _design_sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    """Tell who sees what, from the headers alone; everybody sees the answers and requirements."""
    every = [*entries(debate, ARGUMENTS), *entries(debate, JUDGMENTS)]
    seen = _Seen(every, task.participant, turn.exchange)
    public = {e.id for e in every if e.kind in {"clarification", "requirements"}}
    return public | _SEES[turn.phase](seen)


def _sees_nothing(_: _Seen) -> set[str]:
    return set()


def _sees_last(seen: _Seen) -> set[str]:
    own = seen.current().get(seen.me)
    return seen.own_history() | {own} if own else set()


def _sees_others(seen: _Seen) -> set[str]:
    others = {text for name, text in seen.current().items() if name != seen.me}
    return seen.own_history() | others


def _sees_own(seen: _Seen) -> set[str]:
    now = {e.id for e in seen.against_me() if e.exchange == seen.exchange}
    return seen.own_history() | {seen.current()[seen.me]} | now


def _sees_texts(seen: _Seen) -> set[str]:
    return set(seen.current().values())


def _sees_all(seen: _Seen) -> set[str]:
    now = {e.id for e in seen.of("critique") if e.exchange == seen.exchange}
    summary = {e.id for e in seen.of("summary") if e.participant == "judge"}
    return _sees_texts(seen) | now | (summary or seen.earlier())


_SEES: Mapping[str, Callable[[_Seen], set[str]]] = {
    "awaiting_questions": _sees_nothing,
    "awaiting_requirements": _sees_nothing,
    "awaiting_summaries": _Seen.own_history,
    "awaiting_proposals": _sees_last,
    "awaiting_critiques": _sees_others,
    "awaiting_refinements": _sees_own,
    "awaiting_assessment": _sees_texts,
    "awaiting_judge_summary": _Seen.earlier,
    "awaiting_synthesis": _sees_all,
}


def _design_broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    good = _design_reply(debate, turn, task, _Plan())
    unknown = [{"requirement": "r99", "coverage": "none", "how": "Not at all."}]
    own = [{"target": task.participant, "requirements": "All.", "points": []}]
    changes: Mapping[str, Data | None] = {
        names.AWAITING_QUESTIONS: None,
        names.AWAITING_REQUIREMENTS: {"requirements": [{"text": "Same.", "level": "minor"}] * 2},
        names.AWAITING_SUMMARIES: {"summary": "long " * 999},
        names.AWAITING_PROPOSALS: {"coverage": unknown},
        names.AWAITING_CRITIQUES: {"critiques": own},
        names.AWAITING_REFINEMENTS: {"answers": []},
        names.AWAITING_ASSESSMENT: None,
        names.AWAITING_JUDGE_SUMMARY: {"summary": "long " * 999},
        names.AWAITING_SYNTHESIS: {"unmet": ["r99"]},
    }
    change = changes[turn.phase]
    return None if change is None else good | change


# ---------------------------------------------------------------- what a person does


def _nothing(_: Debate) -> Act | None:
    return None


def _answered(debate: Debate) -> Act:
    """Answer every open question but the last, which does not apply."""
    said = [
        entry.header["question"]
        for entry in entries(debate, JUDGMENTS)
        if entry.kind == "clarification"
    ]
    asked = [entry.id for entry in entries(debate, ARGUMENTS) if entry.kind == "question"]
    *first, last = [question for question in asked if question not in said]
    answers = {q: f"Yes, zq{debate.step}person{n}zq." for n, q in enumerate(first)}
    return Act("answer", {**answers, last: ""}, "the owner")


_Acting = Callable[["Debate"], "Act | None"]


def _design(settings: Mapping[str, Any], plan: _Plan, **acts: _Acting) -> Variant:
    """Return a variant with what a person does, by the phase in which it is done."""
    return Variant(
        settings,
        lambda debate, turn, task: _design_reply(debate, turn, task, plan),
        lambda debate: acts.get(debate.state.phase, _nothing)(debate),
    )


_TWO = "ann:security,ben:simplicity"
_OWN_ROLES = [
    {"name": "ann", "role": "architect"},
    {
        "name": "ben",
        "role": "gardener",
        "description": {"file": "gardener.md", "text": "Lets things grow."},
        "prompts": {"critique": "Pull the weeds."},
    },
    {"name": "cara-lee", "role": "data-modelling"},
]
_POINTS = {"ann": ("major", "minor"), "ben": ("minor",)}
_CANCELLED = Act("cancel", {"reason": "The problem is gone."})

ROW = Row(
    {
        "two, all phases": _design(
            {"participants": _TWO, "clarifying_questions": 2, "clarifying_rounds": 2}
            | {"stop_at_confidence": 80, "summary_threshold": 200, "summary_characters": 100},
            _Plan(({"ann": 2, "ben": 1}, {"ann": 1, "ben": 1}), _POINTS, confidence=(60, 85)),
            awaiting_answers=_answered,
        ),
        "three, fresh, requirements given": _design(
            {"participants": _OWN_ROLES, "proposals": "fresh", "max_exchanges": 2}
            | {"requirements": ["It holds.", {"text": "It is cheap.", "level": "minor"}]},
            _Plan(points=_POINTS),
        ),
        "long texts": _design(
            {"participants": _TWO, "max_exchanges": 2}, _Plan(points=_POINTS, more=f" {LONG}")
        ),
        "nothing new": _design(
            {"participants": _TWO, "requirements": ["It holds."]},
            _Plan(points=_POINTS, accepted=False),
        ),
        "no questions, cancelled": _design(
            {"participants": _TWO, "requirements": ["It holds."], "clarifying_questions": 1},
            _Plan(points=_POINTS),
            awaiting_refinements=lambda _: _CANCELLED,
        ),
    },
    _design_sees,
    _design_broken,
    {
        "participants": Effect(f"{_TWO},cara:testing", "turns", "nothing new"),
        "max_exchanges": Effect(1, "states", "long texts"),
        "requirements": Effect(["It lasts."], "prompts", "nothing new"),
        "clarifying_questions": Effect(1, "entries", "two, all phases"),
        "clarifying_rounds": Effect(1, "states", "two, all phases"),
        "proposals": Effect("carried", "turns", "three, fresh, requirements given"),
        "stop_at_confidence": Effect(50, "states", "two, all phases"),
        "stop_when_nothing_new": Effect("no", "states", "nothing new"),
        "summary_threshold": Effect(100_000, "turns", "two, all phases"),
        "summary_characters": Effect(20, "checks", "two, all phases"),
        "word_limits": Effect("reject", "checks", "long texts"),
        "web_search": Effect("forbidden", "prompts", "nothing new"),
        "language": Effect("French", "prompts", "nothing new"),
        "first_answer": Effect("on", "entries", "nothing new"),
        "history_characters": Effect(1000, "prompts", "long texts", {"summary_threshold": 0}),
    },
    frozenset({"clarification", "cancellation"}),
)
