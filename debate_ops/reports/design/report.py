"""A design debate for its readers: first screen, record and notes: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
from debate_ops.protocols.acts import CANCELLED, ENDS, PERSON
from debate_ops.protocols.design import kinds, names
from debate_ops.protocols.design.history import JUDGE_SUMMARY, ORDER, of_record
from debate_ops.protocols.design.settings import advocate_of
from debate_ops.reports import critiques, sureness
from debate_ops.reports.blocks import (
    Block,
    Heading,
    Line,
    Listing,
    Quiet,
    Ref,
    Said,
    Section,
    Strong,
    Table,
    line,
)
from debate_ops.reports.content import cancelled, content_of
from debate_ops.reports.critiques import Point
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.provenance import alone
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.table import Number, Outline
from debate_ops.reports.text import counted, excerpt, shorten
from debate_ops.reports.view import Answer, Case, Question, View

ANSWER_RULE = (
    "Agents by role proposed and criticised, and a judge wrote one solution. The answer "
    "says what to build, the sections what it consists of and why so, the weightiest parts first, "
    "then what speaks against building it, what it leaves unmet, and what could be taken instead. "
    "Every part is built by the people and in the time that the case has, or it is put off."
)

_LISTS = {
    kinds.TRADE_OFFS: "trade_offs",
    kinds.RECOMMENDATIONS: "recommendations",
    kinds.OPEN_QUESTIONS: "open_questions",
}
"""Lists of a solution: their headings, and their keys in its header."""
_CORE, _ITEM, _TEXT = 420, 240, 600
_HALF, _SURE = 50, 80
_FEW = 3
_MANY = 5
"""From how many points on it is strange that none is rejected."""


class Design:
    """All that the report says of a design debate.

    `current` are the texts that are at their newest, `points` what was criticised in any. `unmet`
    are the requirements that the judge says its solution does not meet.
    """

    def __init__(self, debate: Debate) -> None:
        self.debate, self.content = debate, content_of(debate)
        self.of = self.content.of
        self.said = {value.id: value for value in self.content.contributions}
        history = of_record(debate.record, debate.settings)
        self.authors = history.names
        self.exchange = debate.state.exchange
        self.current = tuple(self.said[text] for text in history.texts(self.exchange).values())
        self.requirements = history.requirements()
        self.points = critiques.in_time(self.content, self._points())
        self.solution = next(iter(self.of(names.SYNTHESIS)), None)
        unmet = self.listed("unmet")
        self.unmet = tuple(r for r in self.requirements if r["id"] in unmet)

    def listed(self, key: str) -> tuple[str, ...]:
        """Return a list that the solution has in its header; none while there is no solution."""
        return tuple(map(str, self.solution.data.get(key) or ())) if self.solution else ()

    def _points(self) -> Iterator[Point]:
        answers = {
            (answer["critique"], answer["point"]): (answer["verdict"], text.id, answer["reason"])
            for text in self.of(names.REFINEMENT)
            for answer in kinds.answers_of(text)
        }
        for critique in self.of(names.CRITIQUE):
            for item in critique.data.get("points") or ():
                number = int(item["number"])
                verdict, by, reason = answers.get((critique.id, number), ("", "", ""))
                yield Point(
                    id=critique.id,
                    point=number,
                    exchange=critique.exchange,
                    critic=critique.participant,
                    target=str(critique.data["target"]),
                    severity=str(item["level"]),
                    text=critique.texts.get(kinds.point_heading(number), ""),
                    outcome=str(verdict),
                    replies=(by,) if by else (),
                    reason=reason,
                )


def coverage(text: Contribution) -> Mapping[str, str]:
    """Return how far a text says to meet each requirement, by its id."""
    return {item["requirement"]: item["coverage"] for item in text.data.get("coverage") or ()}


read = Design


def view(design: Design) -> View:
    """Return what readers are shown of a design debate."""
    authors = counted(len(design.authors), "author")
    exchanges = counted(design.exchange, "exchange")
    return View(
        content=design.content,
        choices={},
        favoured="",
        sureness=sureness.of(_reasons(design)),
        shares={},
        data=dict(_data(design)),
        answer=Answer(
            quiet=f"design debate · {authors}, one judge, {exchanges}",
            text=_text(design),
            why=tuple(_why(design)),
            picture=_picture(design) if design.solution and design.requirements else None,
            cases=tuple(_cases(design)) if design.solution else (),
            turns_on=_few(design.listed("open_questions")),
            next_steps=_few(design.listed("recommendations")),
            is_reached=design.solution is not None,
        ),
        question=_question(design),
    )


def _question(design: Design) -> Question | None:
    """Return what a panel is asked: whether the solution meets each requirement."""
    if (solution := design.solution) is None:
        return None
    says = ["no" if r in design.unmet else "yes" for r in design.requirements]
    major = [r["level"] == names.MAJOR for r in design.requirements]
    fails = ("no", True) in zip(says, major, strict=True)
    asked = tuple(f"({r['id']}, {r['level']}) {r['text']}" for r in design.requirements)
    return Question(
        choices={"yes": "It does what was asked", "no": "It does not"},
        voices={item["name"]: item["role"] for item in design.debate.settings["participants"]}
        | {PERSON: "who answers questions"},
        text="\n\n".join(
            (
                "Does the solution do what was asked: does it meet every major requirement?",
                "The requirements:",
                *asked,
                f"The solution: {solution.data['title']}",
                solution.texts.get(kinds.SOLUTION, ""),
            )
        ),
        issues=tuple(f"Is this met? {text}" for text in asked),
        judged="no" if fails else "yes",
        judged_issues=tuple(says),
    )


def _few(texts: tuple[str, ...]) -> tuple[Line, ...]:
    return tuple(line(excerpt(text, _ITEM)) for text in texts[:_FEW])


def _reasons(design: Design) -> Iterator[Reason]:
    if (solution := design.solution) is None:
        yield Reason("There is no solution", Level.NOT_JUDGED)
        return
    sure = int(solution.data["confidence"])
    level = Level.LOW if sure < _HALF else Level.MODERATE if sure < _SURE else Level.HIGH
    major = sum(r["level"] == names.MAJOR for r in design.unmet)
    cap = (
        f" (a major requirement that is not met caps it at {names.CONFIDENCE_CAP})" if major else ""
    )
    yield Reason(f"The judge's own confidence is {sure} of 100{cap}", level)
    if design.unmet:
        named = f", {major} of them major" if major else ""
        total = counted(len(design.requirements), "requirement")
        yield Reason(
            f"{len(design.unmet)} of {total} not met or only in part{named}",
            Level.LOW if major else Level.MODERATE,
        )
    answered = [point for point in design.points if point.outcome]
    if len(answered) >= _MANY and all(p.outcome == names.ACCEPTED for p in answered):
        number = counted(len(answered), "answered point")
        why = f"All {number} of criticism were accepted: authors who concede everything test little"
        yield Reason(why, Level.MODERATE)
    judge = next(m for m in design.content.made if m.participant == names.JUDGE)
    yield Reason(alone("judge", judge), Level.MODERATE, is_alone=True)
    yield Reason("Nothing was built or measured", Level.MODERATE)


def _text(design: Design) -> str:
    phase = design.debate.state.phase
    if design.solution:
        return str(design.solution.data.get("title") or "A solution")
    if phase == CANCELLED:
        return "Cancelled without a solution"
    return "No solution" if phase in ENDS else "No answer yet: the debate is not over"


def _why(design: Design) -> Iterator[Line]:
    if solution := design.solution:
        core = excerpt(solution.texts.get(kinds.SOLUTION, ""), _CORE)
        yield line(core, " ", Ref(solution.id, "The whole solution"))
        yield line("Why so sure, by the judge: ", excerpt(kinds.why_so_sure(solution), _CORE))
    elif not design.content.stops_at:
        missing = "The judge was to write the solution and did not."
        yield line(cancelled(design.said.values()) or missing)


def _picture(design: Design) -> Table:
    """Return the requirements that the judge says are not met, and how many others are."""
    table = _requirements(design)
    met = [r for r in design.requirements if r not in design.unmet]
    others = f"{len(met)} of {counted(len(design.requirements), 'requirement')}"
    major = sum(r["level"] == names.MAJOR for r in met)
    row = (line("met"), line(others, Quiet(f" ({major} major)")))
    return table._replace(rows=(*table.rows[: len(design.unmet)], *([row] if met else [])))


def _requirements(design: Design, authors: tuple[str, ...] = ()) -> Table:
    """Return the requirements, unmet ones by the judge first, with who claims what."""
    claims = {text.participant: coverage(text) for text in design.current}
    rows = []
    for r in sorted(
        design.requirements, key=lambda r: (r not in design.unmet, r["level"] != names.MAJOR)
    ):
        is_unmet = r in design.unmet
        judged = line(Strong("not met, or in part") if is_unmet else "met")
        text = shorten(r["text"], _TEXT if authors else _ITEM)
        claimed = (line(claims.get(name, {}).get(r["id"], "\N{EN DASH}")) for name in authors)
        about = f" ({r['id']}, {r['level']})" if authors else f" ({r['level']})"
        rows.append((*((judged,) if design.solution else ()), line(text, Quiet(about)), *claimed))
    heads = ("By the judge", "Requirement") if design.solution else ("Requirement",)
    return Table((*heads, *(f"{name} claims" for name in authors)), tuple(rows))


def _cases(design: Design) -> Iterator[Case]:
    if given_up := design.listed("trade_offs"):
        yield Case("", "What it gives up", _few(given_up))
    rejected = [point for point in design.points if point.outcome == names.REJECTED]
    rejected.sort(key=lambda point: point.severity != names.MAJOR)
    half = _ITEM // 2
    lines = tuple(
        line(excerpt(point.text, half), Quiet(f" Rejected: {excerpt(point.reason, half)}"))
        for point in rejected[:_FEW]
    )
    if lines:
        yield Case("", "What was rejected, and why", lines)


def _data(design: Design) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    outcomes = [point.outcome for point in design.points]
    yield "count:requirements", str(len(design.requirements))
    yield "count:points", str(len(design.points))
    for verdict in names.VERDICTS:
        yield f"count:points:{verdict}", str(outcomes.count(verdict))
    yield "count:exchanges", str(design.exchange)
    for assessment in design.of(names.ASSESSMENT):
        yield f"confidence@{assessment.exchange}", str(int(assessment.data["confidence"]))
    if design.solution:
        yield "confidence", str(int(design.solution.data["confidence"]))
        yield "count:unmet", str(len(design.unmet))
        yield "count:met", str(len(design.requirements) - len(design.unmet))


def outcome(design: Design) -> Section | None:
    """Return the solution with all that the judge says of it; nothing while there is none."""
    blocks = tuple(_solution(design))
    return Section("solution", "The solution", blocks) if blocks else None


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of critiques of a debate whose record has been verified."""
    return critiques.sheet(debate, "exchange", Design(debate).points)


def sections(design: Design) -> Iterator[Section]:
    """Yield the record: requirements and critiques."""
    if design.requirements:
        yield Section("requirements", "Requirements", (_requirements(design, design.authors),))
    if design.points:
        yield critiques.section(design.points, "Exchange")


def _solution(design: Design) -> Iterator[Block]:
    """Yield the solution with all that the judge says of it; nothing while there is none."""
    if (solution := design.solution) is None:
        return
    yield Said(solution.texts.get(kinds.SOLUTION, ""))
    unmet = [f"{r['id']} ({r['level']}): {r['text']}" for r in design.unmet]
    lists = {name: design.listed(key) for name, key in _LISTS.items()} | {kinds.UNMET: unmet}
    for name, items in lists.items():
        if items:
            yield Heading(name)
            yield Listing(tuple(map(line, items)))
    yield Heading(kinds.CONFIDENCE)
    sure = kinds.of_most(solution.data["confidence"])
    yield Said(f"{sure}, by the judge's word.\n\n{kinds.why_so_sure(solution)}")


def notes(design: Design) -> Mapping[str, Note]:
    """Return the notes on texts, critiques, questions and the solution, by id."""
    settings = design.debate.settings
    marks = {
        critique.id: (critiques.ADVOCATE,)
        for critique in design.of(names.CRITIQUE)
        if critique.participant == advocate_of(settings, critique.exchange)
    }
    by_id = critiques.notes(design.points, marks)
    texts = (*design.of(names.PROPOSAL), *design.of(names.REFINEMENT))
    by_id |= {text.id: _note(design, text) for text in texts}
    by_id |= {question.id: Note(states=("unanswered",)) for question in design.of(names.QUESTION)}
    for answer in design.of(names.CLARIFICATION):
        by_id[answer.data["question"]] = Note(states=("answered",))
        by_id[answer.id] = Note(facts=(("By", (line(str(answer.data.get("by", ""))),)),))
    if solution := design.solution:
        by_id[solution.id] = Note(score=kinds.of_most(solution.data["confidence"]))
    return by_id


def _note(design: Design, text: Contribution) -> Note:
    claimed, total = list(coverage(text).values()), len(design.requirements)
    score = f"claims {claimed.count(names.FULL)} of {total}" if total and claimed else ""
    return Note(score=score, states=("last text" if text in design.current else "replaced",))


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    roles = {item["name"]: item["role"] for item in debate.settings["participants"]}
    return Outline(
        participants=roles | {names.JUDGE: names.JUDGE},
        place=_place,
        shown={names.SYNTHESIS: ("stopped_by",)},
        numbers=_numbers,
    )


def _place(entry: Entry) -> str:
    kind = ORDER[order(entry.id)[-1] // 10 - 1] if entry.is_absence else entry.kind
    if (entry.participant, kind) == (names.JUDGE, names.SUMMARY):
        kind = JUDGE_SUMMARY
    label = kinds.KINDS[kind].round or kind
    return f"Exchange {entry.exchange}: {label}" if entry.exchange else label.capitalize()


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield how sure the judge is, from 0 to 100; about the state of the whole design."""
    if value.kind in {names.ASSESSMENT, names.SYNTHESIS}:
        yield "", "confidence", value.data.get("confidence")
