"""The kinds of entries of a design debate: what is asked for, and what a reply becomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.protocols.design import faults, names
from debate_ops.protocols.design.history import (
    JUDGE_SUMMARY,
    ORDER,
    absence_number,
    history_of,
    stopped_by,
    why_not,
)
from debate_ops.protocols.design.settings import requirement_id, role_of
from debate_ops.protocols.replies import or_empty
from debate_ops.protocols.schedule import (
    CANCELLING,
    EACH_ITS_OWN,
    Data,
    Field,
    Header,
    Kind,
    Pass,
    Replied,
    added,
)

SOLUTION, ANSWERS, COVERAGE, CONFIDENCE = "Solution", "Answers", "Requirements", "Confidence"
TRADE_OFFS, RECOMMENDATIONS = "Trade-offs", "Recommendations"
UNMET, OPEN_QUESTIONS = "Unmet requirements", "Open questions"


def lines(items: Iterable[str]) -> str:
    """Return items for readers, each on a line of its own."""
    return "\n".join(f"- {' '.join(item.split())}" for item in items)


def requirement_lines(requirements: Iterable[Header]) -> str:
    """Return requirements for readers, a line each."""
    return lines(f"{each['id']} ({each['level']}): {each['text']}" for each in requirements)


def point_heading(number: int) -> str:
    """Return the heading of a point of a critique."""
    return f"Point {number}"


def why_so_sure(synthesis: Contribution) -> str:
    """Return why the judge is as sure of its solution as it says."""
    sure = of_most(synthesis.data["confidence"])
    return synthesis.texts.get(CONFIDENCE, "").removeprefix(f"{sure}: ")


def of_most(confidence: int) -> str:
    """Return how sure the judge is, out of how sure it may be."""
    return f"{confidence} of {names.MOST_CONFIDENCE}"


def _picked(items: Iterable[Header], *keys: str) -> list[Data]:
    return [{key: item[key] for key in keys} for item in items]


def _asked(replied: Replied) -> Iterator[tuple[int, Data]]:
    """Yield as many questions as the settings allow, numbered on from those of earlier rounds."""
    earlier = history_of(replied.past).of(names.QUESTION, 0, replied.slot.participant)
    most = replied.past.settings["clarifying_questions"]
    for number, item in enumerate(replied.value["questions"][:most], start=len(earlier) + 1):
        yield number, {**item, "number": number}


_QUESTION = Kind(
    names.QUESTION,
    names.AWAITING_QUESTIONS,
    "clarifying questions",
    "design-questions",
    "question_asked",
    template="questions",
    part="questions",
    each=_asked,
    fields=(
        added("round", lambda each: each.slot.number - absence_number(names.QUESTION)),
        added("asks", lambda each: each.value["text"]),
        Field("text", "Question"),
        Field("why", "Why", plain=or_empty),
    ),
    title=lambda each: f"Question {each.value['number']} of {each.slot.participant}",
    words={"questions": {"text": 60, "why": 40}},
    plain=faults.plain_questions,
    warnings=faults.too_many_questions,
    passing=Pass({"questions": []}, usual="no question"),
)


def _requirements(replied: Replied) -> list[Data]:
    numbered = enumerate(replied.value["requirements"], start=1)
    return [
        {"id": requirement_id(place), "text": item["text"], "level": item["level"]}
        for place, item in numbered
    ]


_REQUIREMENTS = Kind(
    names.REQUIREMENTS,
    names.AWAITING_REQUIREMENTS,
    "requirements",
    "design-requirements",
    "requirements_named",
    fields=(
        Field(
            "requirements",
            of=_requirements,
            back=lambda entry: _picked(entry.data["requirements"], "text", "level"),
        ),
        added("lines", lambda replied: requirement_lines(_requirements(replied)), COVERAGE),
    ),
    listed="requirements",
    title=lambda _: "Requirements, as the judge names them",
    folder=JUDGMENTS,
    words={"requirements": {"text": 50}},
    faults=faults.of_requirements,
)


def _covered(replied: Replied) -> list[str]:
    """Return what a summary stands for."""
    slot = replied.slot
    return list(history_of(replied.past).to_summarise(slot.participant, slot.exchange))


_SUMMARY = Kind(
    names.SUMMARY,
    names.AWAITING_SUMMARIES,
    "summaries",
    "design-summary",
    "summary_filed",
    fields=(
        added("before", lambda replied: history_of(replied.past).size(_covered(replied))),
        added("after", lambda replied: len(replied.value["summary"])),
        added("covers", _covered),
        added("judges", _covered),
        Field("summary", "Summary"),
    ),
    title=lambda each: f"Summary of {each.slot.participant} before exchange {each.slot.exchange}",
    folder=JUDGMENTS,
    faults=faults.of_summary,
    warnings=faults.no_summary,
)


def _coverage_lines(replied: Replied) -> str:
    coverage = replied.value["coverage"]
    return lines(f"{each['requirement']}: {each['coverage']}. {each['how']}" for each in coverage)


def _verdict(answer: Header) -> str:
    return f"{answer['critique']}, point {answer['point']}: {answer['verdict']}"


def _verdict_lines(replied: Replied) -> str:
    answers = replied.value.get("answers", ())
    return lines(f"{_verdict(each)}. {each['reason']}" for each in answers)


def _characters(replied: Replied) -> int:
    texts = (replied.value["solution"], _verdict_lines(replied), _coverage_lines(replied))
    return sum(map(len, texts))


_OF_A_TEXT = (
    added("role", lambda each: role_of(each.past.settings, each.slot.participant)),
    Field(
        "coverage",
        of=lambda each: _picked(each.value["coverage"], "requirement", "coverage", "how"),
        plain=lambda coverage: [] if coverage is None else coverage,
    ),
    added("characters", _characters),
)
_COVERAGE_LINES = added("coverage_lines", _coverage_lines, COVERAGE)
_WORDS_OF_A_TEXT = {"title": 12, "solution": 900, "coverage": {"how": 50}}

_PROPOSAL = Kind(
    names.PROPOSAL,
    names.AWAITING_PROPOSALS,
    "proposals",
    "design-proposal",
    "proposal_filed",
    fields=(Field("title"), *_OF_A_TEXT, Field("solution", SOLUTION), _COVERAGE_LINES),
    words=_WORDS_OF_A_TEXT,
    faults=faults.of_text,
)


def _by_target(replied: Replied) -> Iterator[tuple[int, Data]]:
    history = history_of(replied.past)
    by_target = {item["target"]: item for item in replied.value["critiques"]}
    for place, name in enumerate(history.names, start=1):
        if name in by_target:
            yield place, by_target[name]


def _criticised(replied: Replied) -> str:
    target = replied.value["target"]
    return history_of(replied.past).criticised(target, replied.slot.exchange)


def _points(replied: Replied) -> list[Data]:
    numbered = enumerate(replied.value["points"], start=1)
    return [{"number": number, "level": point["level"]} for number, point in numbered]


def _point_texts(replied: Replied) -> dict[str, str]:
    numbered = enumerate(replied.value["points"], start=1)
    return {point_heading(number): point["text"] for number, point in numbered}


def _title_of_critique(replied: Replied) -> str:
    levels = ", ".join(f"point {each['number']} {each['level']}" for each in _points(replied))
    return f"Critique of {_criticised(replied)}: {levels or 'no points'}"


def _characters_of_critique(replied: Replied) -> int:
    return sum(map(len, (replied.value["requirements"], *_point_texts(replied).values())))


def _points_back(critique: Contribution) -> list[Data]:
    return [
        {"level": point["level"], "text": critique.texts[point_heading(point["number"])]}
        for point in critique.data["points"]
    ]


_CRITIQUE = Kind(
    names.CRITIQUE,
    names.AWAITING_CRITIQUES,
    "critiques",
    "design-critiques",
    "critique_filed",
    part="critiques",
    each=_by_target,
    fields=(
        added("attacks", lambda each: [{"target_id": _criticised(each), "type": names.CRITIQUE}]),
        Field(
            "target",
            of=_criticised,
            back=lambda entry: entry.data["target"].partition("_")[0],
            plain=faults.participant_of,
            note="a target is a participant's name; it was put in place of the id of its text",
        ),
        Field("points", of=_points, back=_points_back),
        added("characters", _characters_of_critique),
        Field("requirements", COVERAGE, plain=or_empty),
        added("point_texts", _point_texts, EACH_ITS_OWN),
    ),
    title=_title_of_critique,
    words={"critiques": {"requirements": 80, "points": {"text": 90}}},
    plain=faults.plain_critiques,
    faults=faults.of_critiques,
)


def answers_of(refinement: Contribution) -> list[Data]:
    """Return what an author says of each point, with the reason: `- ID, point N: verdict. Why.`."""
    reasons = refinement.texts.get(ANSWERS, "").split("\n")
    return [
        dict(answer) | {"reason": line.removeprefix(f"- {_verdict(answer)}. ")}
        for answer, line in zip(refinement.data.get("answers") or (), reasons, strict=False)
    ]


def _refined(replied: Replied) -> str:
    slot = replied.slot
    return history_of(replied.past).criticised(slot.participant, slot.exchange)


def _number_of(verdict: str) -> Field:
    def count(replied: Replied) -> int:
        return [each["verdict"] for each in replied.value["answers"]].count(verdict)

    return added(verdict, count)


def _title_of_refinement(replied: Replied) -> str:
    earlier = replied.past.look(_refined(replied))
    return replied.value["title"] or str(earlier.get("title", ""))


_REFINEMENT = Kind(
    names.REFINEMENT,
    names.AWAITING_REFINEMENTS,
    "refinements",
    "design-refinement",
    "refinement_filed",
    fields=(
        Field("title", of=_title_of_refinement, plain=or_empty),
        *_OF_A_TEXT,
        added("refines", _refined),
        Field(
            "answers",
            of=lambda each: _picked(each.value["answers"], "critique", "point", "verdict"),
            back=answers_of,
        ),
        _number_of(names.ACCEPTED),
        _number_of(names.REJECTED),
        Field("solution", SOLUTION),
        added("verdicts", _verdict_lines, ANSWERS),
        _COVERAGE_LINES,
    ),
    words=_WORDS_OF_A_TEXT | {"answers": {"reason": 60}},
    faults=faults.of_refinement,
)


def _texts_now(replied: Replied) -> list[str]:
    return list(history_of(replied.past).texts(replied.slot.exchange).values())


_ASSESSMENT = Kind(
    names.ASSESSMENT,
    names.AWAITING_ASSESSMENT,
    "assessment",
    "design-assessment",
    "assessment_filed",
    fields=(Field("confidence"), added("judges", _texts_now), Field("reasons", "Reasons")),
    title=lambda replied: f"Confidence {of_most(replied.value['confidence'])}",
    folder=JUDGMENTS,
    words={"reasons": 120},
)


def _unmet_lines(replied: Replied) -> str:
    requirements = history_of(replied.past).requirements()
    return requirement_lines(r for r in requirements if r["id"] in replied.value["unmet"])


def _sure(replied: Replied) -> str:
    return f"{of_most(replied.value['confidence'])}: {replied.value['confidence_reasons']}"


def _listed(key: str, heading: str) -> Field:
    return added(f"{key}_lines", lambda replied: lines(replied.value[key]), heading)


_SYNTHESIS = Kind(
    names.SYNTHESIS,
    names.AWAITING_SYNTHESIS,
    "synthesis",
    "design-synthesis",
    "solution_filed",
    fields=(
        Field("title"),
        Field("confidence"),
        Field("unmet"),
        added("stopped_by", lambda r: stopped_by(history_of(r.past), r.slot.exchange)),
        Field("trade_offs"),
        Field("recommendations"),
        Field("open_questions"),
        added("judges", _texts_now),
        Field("solution", SOLUTION),
        _listed("trade_offs", TRADE_OFFS),
        _listed("recommendations", RECOMMENDATIONS),
        added("unmet_lines", _unmet_lines, UNMET),
        _listed("open_questions", OPEN_QUESTIONS),
        Field("confidence_reasons", CONFIDENCE, of=_sure, back=why_so_sure),
    ),
    folder=JUDGMENTS,
    words={
        "title": 12,
        "solution": 1200,
        **dict.fromkeys(("trade_offs", "recommendations", "open_questions"), 60),
        "confidence_reasons": 100,
    },
    faults=faults.of_synthesis,
)
_JUDGE_SUMMARY = _SUMMARY._replace(
    phase=names.AWAITING_JUDGE_SUMMARY, round="the judge's summary", template=JUDGE_SUMMARY
)
_ASKED_FOR = (
    *(_QUESTION, _REQUIREMENTS, _SUMMARY, _PROPOSAL, _CRITIQUE, _REFINEMENT),
    *(_ASSESSMENT, _JUDGE_SUMMARY, _SYNTHESIS),
)
KINDS: Mapping[str, Kind] = {
    **{
        key: kind._replace(together=True, why_not=why_not)
        for key, kind in zip(ORDER, _ASKED_FOR, strict=True)
    },
    names.CLARIFICATION: Kind(
        names.CLARIFICATION,
        names.AWAITING_ANSWERS,
        "answers",
        "",
        "question_answered",
        folder=JUDGMENTS,
    ),
    CANCELLING.name: CANCELLING,
}
"""What is asked for, by its place in the schedule; and what a person makes, by its name."""
