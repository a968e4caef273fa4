"""A design debate for its readers: the solution, what it leaves unmet, and what was criticised."""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from debate_ops.analysis.flow import Attack
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import PERSON, Debate
from debate_ops.protocols.design import CONFIDENCE_CAP
from debate_ops.protocols.design_history import History
from debate_ops.report.markdown import inline, show_text
from debate_ops.report.verdict import IS_MET, Level, Question, Reason, Section, Verdict, View
from debate_ops.report.words import NONE, count, join

_HALF = 50
_LISTS = {
    "What it gives up": "trade_offs",
    "Recommendations": "recommendations",
    "Open questions": "open_questions",
}


class Design(View):
    """A design debate as its readers look at it: its solution, and which requirements are unmet."""

    def __init__(self, at: Replayed) -> None:
        super().__init__(at)
        self.requirements = History(self.d).list_requirements()
        self.solution = next(iter(self.d.find("synthesis")), None)
        self.unmet = [r for r in self.requirements if r["id"] in self.list_of("unmet")]
        self.major = sum(r["level"] == "major" for r in self.unmet)

    def list_of(self, key: str) -> list[str]:
        """Return a list that the solution has in its header; empty while there is no solution."""
        return [*map(str, self.solution.data.get(key) or ())] if self.solution else []


def make_verdict(at: Replayed, stops_at: str) -> Verdict:
    """Return the judge's solution, and how sure that is."""
    s = Design(at)
    flow = s.follow_critiques(_list_critiques(s.d))
    title = str(s.solution.data.get("title") or "A solution") if s.solution else ""
    none = "No answer yet: the debate is not over" if stops_at else "No solution"
    roles = {p.name: p.role for p in s.d.settings.participants}
    kind = f"{count(len(roles), 'author')}, one judge, {count(s.exchanges, 'exchange')}"
    return Verdict(
        kind=f"design debate · {kind}",
        answer=title or (s.cancellation and "Cancelled without a solution") or none,
        reasons=tuple(_list_reasons(s)),
        tags=flow.tags,
        names=s.name_participants({}, roles),
        outcome_title="The solution" if s.solution else "",
        outcome=_write_solution(s),
        reached=s.solution is not None,
        question=_ask_panel(s, roles),
        sections=(_list_requirements(s),) if s.requirements else (),
        flow=flow,
    )


def _list_critiques(d: Debate) -> Iterator[Attack]:
    answers: dict[tuple[str, int], tuple[str, str, str]] = {}
    for e in d.find("refinement"):
        reasons = e.texts.get("Answers", "").split("\n")
        for answer, row in zip(e.data.get("answers") or (), reasons, strict=False):
            key = (str(answer["critique"]), int(answer["point"]))
            lead = f"- {key[0]}, point {key[1]}: {answer['verdict']}. "
            reason = str(answer.get("reason") or row.removeprefix(lead))
            answers[key] = (str(answer["verdict"]), e.id, reason)
    for e in d.find("critique"):
        for item in e.data.get("points") or ():
            number = int(item["number"])
            verdict, by, reason = answers.get((e.id, number), ("", "", ""))
            yield Attack(
                entry=e.id,
                exchange=e.round,
                by=e.by,
                target=str(e.data["target"]),
                on=f"{item['level']}, point {number}",
                outcome=verdict,
                replies=(by,) if by else (),
                reason=reason,
                said=e.texts.get(f"Point {number}", ""),
            )


def _list_reasons(s: Design) -> Iterator[Reason]:
    if s.solution is None:
        yield Reason(s.cancellation or "There is no solution", Level.NOT_JUDGED)
        return
    sure = int(s.solution.data["confidence"])
    level = Level.LOW if sure < _HALF else Level.MODERATE
    cap = f" (a major requirement that is not met caps it at {CONFIDENCE_CAP})" if s.major else ""
    yield Reason(f"The judge's own confidence is {sure} of 100{cap}", level)
    if s.unmet:
        total = count(len(s.requirements), "requirement")
        text = f"{len(s.unmet)} of {total} not met or only in part, {s.major} of them major"
        yield Reason(text, Level.LOW if s.major else Level.MODERATE)
    yield s.judge_alone("judge")
    yield Reason("Nothing was built or measured", Level.MODERATE)


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
        choices=dict(zip(("yes", "no"), IS_MET, strict=True)),
        voices={**roles, PERSON: "who answers questions"},
        text="\n\n".join(parts),
        issues=tuple(f"Is this met? {text}" for text in asked),
        judged="no" if s.major else "yes",
    )


def _list_requirements(s: Design) -> Section:
    """Return each requirement, unmet ones first, with what the judge says of it."""
    unmet, met = Markup("**not met, or in part**"), "met" if s.solution else NONE
    rows = [
        (unmet if r in s.unmet else met, f"{r['text']} ({r['id']}, {r['level']})")
        for r in sorted(s.requirements, key=lambda r: (r not in s.unmet, r["level"] != "major"))
    ]
    names = join(r["id"] for r in s.unmet)
    text = f"Not met, or only in part, by the judge: {names or 'none'}." if s.solution else ""
    fold = count(len(s.requirements), "requirement")
    heads = ("By the judge", "Requirement")
    return Section("Requirements", text, heads=heads, rows=tuple(rows), fold=fold)


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
    sure = show_text(s.solution.texts.get("Confidence", ""))
    return parts + Markup("\n\n### Confidence, by the judge's word\n\n") + sure
