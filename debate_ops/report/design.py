"""A design debate for its readers: the solution, what it leaves unmet, and what was criticised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Position
from debate_ops.core.values import PERSON, Done
from debate_ops.protocols.design_history import History
from debate_ops.report.critiques import (
    ADVOCATE,
    Point,
    describe_points,
    note_points,
    set_states,
)
from debate_ops.report.markdown import compose, inline, show_text
from debate_ops.report.verdict import (
    Level,
    Note,
    Question,
    Reason,
    Verdict,
    describe_cancellation,
    is_cancelled,
    judge_alone,
    merge_notes,
    name_participants,
    refer,
)
from debate_ops.report.words import NONE, count, excerpt

CAP = 40
"""The judge's confidence at most, while a major requirement is unmet."""
_CORE, _HALF, _SURE, _MANY = 420, 50, 80, 5
_LISTS = {
    "What it gives up": "trade_offs",
    "Recommendations": "recommendations",
    "Open questions": "open_questions",
}


class Design:
    """A design debate as its readers look at it: texts, requirements, points, the solution."""

    def __init__(self, at: Position) -> None:
        self.at, self.d = at, at.debate
        self.history = History(self.d)
        self.authors = self.history.names
        self.texts = sorted(self.d.find("proposal", "refinement"), key=lambda e: e.step)
        self.current = {e.by: e for e in self.texts}
        self.requirements = self.history.list_requirements()
        self.solution = next(iter(self.d.find("synthesis")), None)
        self.exchanges = max((e.round for e in self.d.entries.values()), default=0)
        self.points = set_states(self.d, self._list_points())
        unmet = self.list_of("unmet")
        self.unmet = [r for r in self.requirements if r["id"] in unmet]

    def list_of(self, key: str) -> list[str]:
        """Return a list that the solution has in its header; empty while there is no solution."""
        return [*map(str, self.solution.data.get(key) or ())] if self.solution else []

    @property
    def confidence(self) -> int:
        """How sure the judge is of its solution, of 100."""
        return int(self.solution.data["confidence"]) if self.solution else 0

    @property
    def why_so_sure(self) -> str:
        """Why the judge is as sure as it says."""
        text = self.solution.texts.get("Confidence", "") if self.solution else ""
        return text.removeprefix(f"{self.confidence} of 100: ")

    def _list_points(self) -> Iterator[Point]:
        answers: dict[tuple[str, int], tuple[str, str, str]] = {}
        for e in self.d.find("refinement"):
            reasons = e.texts.get("Answers", "").split("\n")
            for answer, row in zip(e.data.get("answers") or (), reasons, strict=False):
                key = (str(answer["critique"]), int(answer["point"]))
                lead = f"- {key[0]}, point {key[1]}: {answer['verdict']}. "
                reason = str(answer.get("reason") or row.removeprefix(lead))
                answers[key] = (str(answer["verdict"]), e.id, reason)
        for e in self.d.find("critique"):
            is_advocate = self.history.find_advocate(e.round) == e.by
            for item in e.data.get("points") or ():
                number = int(item["number"])
                verdict, by, reason = answers.get((e.id, number), ("", "", ""))
                yield Point(
                    id=e.id,
                    number=number,
                    exchange=e.round,
                    critic=e.by,
                    target=str(e.data["target"]),
                    severity=str(item["level"]),
                    text=e.texts.get(f"Point {number}", ""),
                    outcome=verdict,
                    replies=(by,) if by else (),
                    reason=reason,
                    marks=(ADVOCATE,) if is_advocate else (),
                )


def make_verdict(at: Position, stops_at: str) -> Verdict:
    """Return the judge's solution, and how sure that is."""
    s = Design(at)
    title = str(s.solution.data.get("title") or "A solution") if s.solution else ""
    missing = "No solution" if not stops_at else "No answer yet: the debate is not over"
    none = "Cancelled without a solution" if is_cancelled(at) else missing
    roles = {p.name: p.role for p in s.d.settings.participants}
    kind = f"{count(len(s.authors), 'author')}, one judge, {count(s.exchanges, 'exchange')}"
    return Verdict(
        kind=f"design debate · {kind}",
        answer=title or none,
        reasons=tuple(_list_reasons(s)),
        why=tuple(_list_why(s, stops_at)),
        notes=merge_notes(_list_notes(s)),
        names=name_participants(at, {n: n if r == n else f"{n} ({r})" for n, r in roles.items()}),
        outcome_title="The solution" if s.solution else "",
        outcome=_write_solution(s),
        reached=s.solution is not None,
        question=_ask_panel(s, roles),
        about={
            "requirements": [*_list_requirements(s)],
            "authors": s.authors,
            "solution": s.solution,
            **describe_points(s.points),
        },
    )


def _list_reasons(s: Design) -> Iterator[Reason]:
    if s.solution is None:
        yield Reason("There is no solution", Level.NOT_JUDGED)
        return
    sure = s.confidence
    level = Level.LOW if sure < _HALF else Level.MODERATE if sure < _SURE else Level.HIGH
    major = sum(r["level"] == "major" for r in s.unmet)
    cap = f" (a major requirement that is not met caps it at {CAP})" if major else ""
    yield Reason(f"The judge's own confidence is {sure} of 100{cap}", level)
    if s.unmet:
        named = f", {major} of them major" if major else ""
        total = count(len(s.requirements), "requirement")
        text = f"{len(s.unmet)} of {total} not met or only in part{named}"
        yield Reason(text, Level.LOW if major else Level.MODERATE)
    answered = [p for p in s.points if p.outcome]
    if len(answered) >= _MANY and all(p.outcome == "accepted" for p in answered):
        number = count(len(answered), "answered point")
        why = f"All {number} of criticism were accepted: authors who concede everything test little"
        yield Reason(why, Level.MODERATE)
    yield judge_alone(s.d, "judge")
    yield Reason("Nothing was built or measured", Level.MODERATE)


def _list_why(s: Design, stops_at: str) -> Iterator[str]:
    if s.solution:
        core = excerpt(s.solution.texts.get("Solution", ""), _CORE)
        yield compose("{core} {link}", core=core, link=refer(s.solution, "The whole solution"))
        yield f"Why so sure, by the judge: {excerpt(s.why_so_sure, _CORE)}"
    elif not stops_at:
        missing = "The judge was to write the solution and did not."
        yield describe_cancellation(s.d) or missing


def _ask_panel(s: Design, roles: Mapping[str, str]) -> Question | None:
    """Return what a panel is asked: whether the solution meets each requirement."""
    if s.solution is None:
        return None
    asked = tuple(f"({r['id']}, {r['level']}) {r['text']}" for r in s.requirements)
    parts = (
        "Does the solution do what was asked: does it meet every major requirement?",
        "The requirements:",
        *asked,
        f"The solution: {s.solution.data['title']}",
        s.solution.texts.get("Solution", ""),
    )
    return Question(
        choices={"yes": "It does what was asked", "no": "It does not"},
        voices={**roles, PERSON: "who answers questions"},
        text="\n\n".join(parts),
        issues=tuple(f"Is this met? {text}" for text in asked),
        judged="no" if any(r["level"] == "major" for r in s.unmet) else "yes",
        judged_issues=tuple("no" if r in s.unmet else "yes" for r in s.requirements),
    )


def _list_requirements(s: Design) -> Iterator[dict[str, Any]]:
    """Yield each requirement, unmet ones first, with what the judge and each author say of it."""
    claims = {
        by: {c["requirement"]: c["coverage"] for c in e.data.get("coverage") or ()}
        for by, e in s.current.items()
    }
    for r in sorted(s.requirements, key=lambda r: (r not in s.unmet, r["level"] != "major")):
        met = "not met, or in part" if r in s.unmet else "met"
        yield {
            **r,
            "judged": met if s.solution else NONE,
            "claims": [str(claims.get(name, {}).get(r["id"], NONE)) for name in s.authors],
        }


def _write_solution(s: Design) -> Markup:
    if s.solution is None:
        return Markup()
    parts = show_text(s.solution.texts.get("Solution", ""))
    lists = {name: s.list_of(key) for name, key in _LISTS.items()}
    lists["Unmet requirements"] = [f"{r['id']} ({r['level']}): {r['text']}" for r in s.unmet]
    for name, items in lists.items():
        if items:
            rows = Markup("\n").join(Markup("- ") + inline(item) for item in items)
            parts += Markup(f"\n\n### {name}\n\n") + rows  # noqa: S704  (a name of ours)
    sure = f"\n\n### Confidence\n\n{s.confidence} of 100, by the judge's word.\n\n"
    return parts + Markup(sure) + show_text(s.why_so_sure)  # noqa: S704  (a number)


def _list_notes(s: Design) -> Iterator[tuple[str, Note]]:
    yield from note_points(s.points)
    total = len(s.requirements)
    for e in s.texts:
        full = sum(c["coverage"] == "full" for c in e.data.get("coverage") or ())
        score = f"claims {full} of {total}" if total and e.data.get("coverage") else ""
        tag = "last text" if s.current[e.by] is e else "replaced"
        yield e.id, Note(score, (tag,))
    answers = {str(e.data["question"]): e for e in s.d.find("clarification")}
    for e in s.d.find("question"):
        is_open = e.id not in answers and not isinstance(s.at.place, Done)
        tag = "answered" if e.id in answers else "open" if is_open else "unanswered"
        yield e.id, Note(tags=(tag,))
    for e in answers.values():
        yield e.id, Note(facts=(("By", inline(str(e.data.get("by", "")))),))
    if s.solution:
        yield s.solution.id, Note(f"{s.confidence} of 100")
