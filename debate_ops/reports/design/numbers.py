"""What the report of a design debate says, computed from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.audit import audit
from debate_ops.errors import Finding
from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import Absence, Contribution
from debate_ops.protocols.design import filing
from debate_ops.protocols.design import history as histories
from debate_ops.protocols.design import rules as design
from debate_ops.protocols.design.course import ENDS
from debate_ops.protocols.design.names import (
    ACCEPTED,
    ASSESSMENT,
    CLARIFICATION,
    CRITIQUE,
    PROPOSAL,
    QUESTION,
    REFINEMENT,
    REJECTED,
    SUMMARY,
    SYNTHESIS,
)
from debate_ops.protocols.filing import PASSED
from debate_ops.reports.cancelled import cancelled
from debate_ops.reports.design import transcript as transcripts
from debate_ops.reports.made import Made, made
from debate_ops.reports.reading import in_order
from debate_ops.reports.transcript.values import Transcript


class Requirement(NamedTuple):
    """A requirement: its id, how grave it is not to meet it, and its text."""

    id: str
    level: str
    text: str


class Covered(NamedTuple):
    """How far a text says to meet a requirement, and how."""

    requirement: str
    coverage: str
    how: str


class Text(NamedTuple):
    """A proposal or a refinement; a refinement with the points it accepted and rejected."""

    id: str
    author: str
    exchange: int
    title: str
    solution: str
    covered: tuple[Covered, ...]
    refines: str
    accepted: int
    rejected: int


class Point(NamedTuple):
    """A point of a critique, and what its author said of it; no `verdict` while nobody answered."""

    number: int
    level: str
    text: str
    verdict: str
    reason: str
    answer: str


class Critique(NamedTuple):
    """A critique of a text, its points with what came of them."""

    id: str
    critic: str
    author: str
    target: str
    exchange: int
    requirements: str
    points: tuple[Point, ...]

    def came(self, verdict: str) -> int:
        """Return how many points have this verdict; those with none where it is empty."""
        return sum(point.verdict == verdict for point in self.points)


class Question(NamedTuple):
    """A clarifying question and its answer; `answer_id` is empty while there is none."""

    id: str
    by: str
    text: str
    why: str
    answer_id: str
    answer: str
    applies: bool
    answered_by: str


class Summary(NamedTuple):
    """A summary: its sizes in characters before and after, and what it stands for."""

    id: str
    by: str
    exchange: int
    before: int
    after: int
    covers: tuple[str, ...]


class Assessment(NamedTuple):
    """How sure the judge was after an exchange, of 100."""

    id: str
    exchange: int
    confidence: int
    reasons: str


class Synthesis(NamedTuple):
    """The judge's solution."""

    id: str
    title: str
    solution: str
    confidence: int
    why_so_sure: str
    stopped_by: str
    unmet: tuple[str, ...]
    trade_offs: tuple[str, ...]
    recommendations: tuple[str, ...]
    open_questions: tuple[str, ...]


class Replaced(NamedTuple):
    """A built-in text that the user replaced: whose, which, and by which file, if by one."""

    name: str
    what: str
    file: str


class Numbers(NamedTuple):
    """All that the report says of a design debate."""

    debate: Debate
    framing: Framing
    names: Mapping[str, str]
    transcript: Transcript
    requirements: tuple[Requirement, ...]
    questions: tuple[Question, ...]
    texts: tuple[Text, ...]
    current: tuple[Text, ...]
    critiques: tuple[Critique, ...]
    summaries: tuple[Summary, ...]
    assessments: tuple[Assessment, ...]
    synthesis: Synthesis | None
    replaced: tuple[Replaced, ...]
    cancelled: str
    absences: tuple[Absence, ...]
    made: tuple[Made, ...]
    warnings: tuple[Finding, ...]

    @property
    def exchange(self) -> int:
        """The exchange that the debate is in, or ended in."""
        return self.debate.state.exchange

    @property
    def is_over(self) -> bool:
        """Whether nothing is awaited any more."""
        return self.debate.state.phase in ENDS

    @property
    def authors(self) -> tuple[str, ...]:
        """Everybody but the judge, in order."""
        return tuple(item["name"] for item in self.debate.settings["participants"])


def of(debate: Debate) -> Numbers:
    """Compute the numbers of a debate whose record has been verified."""
    read = [(entry, entries.parse(entry)) for entry in in_order(debate)]
    said = [value for _, value in read if isinstance(value, Contribution)]
    history = histories.of_record(debate.record, debate.settings)
    texts = tuple(_text(value) for value in said if value.kind in {PROPOSAL, REFINEMENT})
    by_id = {text.id: text for text in texts}
    names = _names(debate)
    absences = tuple(value for _, value in read if isinstance(value, Absence))
    return Numbers(
        debate=debate,
        framing=debate_file.framing(debate.body),
        names=names,
        transcript=transcripts.transcript(debate),
        requirements=tuple(
            Requirement(str(r["id"]), str(r["level"]), str(r["text"]))
            for r in history.requirements()
        ),
        questions=tuple(_questions(said)),
        texts=texts,
        current=tuple(by_id[i] for i in history.texts(debate.state.exchange).values()),
        critiques=tuple(_critiques(said)),
        summaries=tuple(_summary(value) for value in said if value.kind == SUMMARY),
        assessments=tuple(_assessment(value) for value in said if value.kind == ASSESSMENT),
        synthesis=next((_synthesis(value) for value in said if value.kind == SYNTHESIS), None),
        replaced=tuple(_replaced(debate.settings["participants"])),
        cancelled=cancelled(said),
        absences=tuple(absence for absence in absences if absence.how != PASSED),
        made=made(names, [entry for entry, _ in read]),
        warnings=audit(design, read, debate.settings).warnings,
    )


def _names(debate: Debate) -> dict[str, str]:
    """Return what readers call each participant: its name, and its role if that is another."""
    told = transcripts.names(debate.settings)
    return {name: name if what == name else f"{name} ({what})" for name, what in told.items()}


def _text(value: Contribution) -> Text:
    data = value.data
    return Text(
        id=value.id,
        author=value.participant,
        exchange=value.exchange,
        title=str(data.get("title") or ""),
        solution=value.texts.get(filing.SOLUTION, ""),
        covered=tuple(
            Covered(str(c["requirement"]), str(c["coverage"]), str(c.get("how") or ""))
            for c in data.get("coverage") or ()
        ),
        refines=str(data.get("refines") or ""),
        accepted=int(data.get("accepted") or 0),
        rejected=int(data.get("rejected") or 0),
    )


def _critiques(said: Sequence[Contribution]) -> Iterator[Critique]:
    answers = {
        (str(answer["critique"]), int(answer["point"])): (str(answer["verdict"]), value)
        for value in said
        if value.kind == REFINEMENT
        for answer in value.data.get("answers") or ()
    }
    for value in said:
        if value.kind != CRITIQUE:
            continue
        target = str(value.data["target"])
        yield Critique(
            id=value.id,
            critic=value.participant,
            author=target.partition("_")[0],
            target=target,
            exchange=value.exchange,
            requirements=value.texts.get(filing.COVERAGE, ""),
            points=tuple(_points(value, answers)),
        )


def _points(
    value: Contribution, answers: Mapping[tuple[str, int], tuple[str, Contribution]]
) -> Iterator[Point]:
    for given in value.data.get("points") or ():
        number = int(given["number"])
        text = value.texts.get(filing.point_heading(number), "")
        verdict, by = answers.get((value.id, number), ("", None))
        reason = _reason(by, value.id, number) if by else ""
        yield Point(number, str(given["level"]), text, verdict, reason, by.id if by else "")


def _reason(refinement: Contribution, critique: str, number: int) -> str:
    """Return why a point was accepted or rejected, from the lines of the section `Answers`."""
    for line in refinement.texts.get(filing.ANSWERS, "").split("\n"):
        head, colon, rest = line.partition(": ")
        if colon and head == f"- {critique}, point {number}":
            return rest.partition(". ")[2]
    return ""


def _questions(said: Sequence[Contribution]) -> Iterator[Question]:
    answers = {str(v.data["question"]): v for v in said if v.kind == CLARIFICATION}
    for value in said:
        if value.kind != QUESTION:
            continue
        answer = answers.get(value.id)
        yield Question(
            id=value.id,
            by=value.participant,
            text=value.texts.get(filing.QUESTION_TEXT, ""),
            why=value.texts.get(filing.WHY, ""),
            answer_id=answer.id if answer else "",
            answer=answer.texts.get("Answer", "") if answer else "",
            applies=bool(answer and answer.data.get("applies")),
            answered_by=str(answer.data.get("by", "")) if answer else "",
        )


def _summary(value: Contribution) -> Summary:
    data = value.data
    covers = tuple(map(str, data.get("covers") or ()))
    before, after = int(data.get("before") or 0), int(data.get("after") or 0)
    return Summary(value.id, value.participant, value.exchange, before, after, covers)


def _assessment(value: Contribution) -> Assessment:
    confidence = int(value.data["confidence"])
    return Assessment(value.id, value.exchange, confidence, value.texts.get(filing.REASONS, ""))


def _synthesis(value: Contribution) -> Synthesis:
    data = value.data
    lists = ("unmet", "trade_offs", "recommendations", "open_questions")
    return Synthesis(
        value.id,
        str(data.get("title") or ""),
        value.texts.get(filing.SOLUTION, ""),
        int(data["confidence"]),
        filing.confidence_reasons(value.texts.get(filing.CONFIDENCE, ""), data["confidence"]),
        str(data.get("stopped_by") or ""),
        *(tuple(map(str, data.get(name) or ())) for name in lists),
    )


def _replaced(participants: Sequence[Mapping[str, Any]]) -> Iterator[Replaced]:
    """Yield which built-in texts the user replaced."""
    for item in participants:
        given = {"role text": item.get("description"), **(item.get("prompts") or {})}
        for what, text in given.items():
            if text:
                shown = what if what == "role text" else f"prompt for: {what}"
                file = str(text["file"]) if isinstance(text, dict) else ""
                yield Replaced(item["name"], shown, file)


def tally(critiques: Sequence[Critique]) -> tuple[int, int, int]:
    """Return how many points were accepted, rejected, and not answered."""
    accepted, rejected, open_ = (
        sum(critique.came(verdict) for critique in critiques)
        for verdict in (ACCEPTED, REJECTED, "")
    )
    return accepted, rejected, open_
