"""The kinds of entries of a design debate: what is asked for, and what a reply becomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.design import filing, replies
from debate_ops.protocols.design.course import stopped_by, why_not_due
from debate_ops.protocols.design.history import Header, history_of
from debate_ops.protocols.design.names import (
    ACCEPTED,
    AWAITING_ASSESSMENT,
    AWAITING_CRITIQUES,
    AWAITING_JUDGE_SUMMARY,
    AWAITING_PROPOSALS,
    AWAITING_QUESTIONS,
    AWAITING_REFINEMENTS,
    AWAITING_REQUIREMENTS,
    AWAITING_SUMMARIES,
    AWAITING_SYNTHESIS,
    CLARIFICATION,
    CRITIQUE,
    JUDGE,
    PHASES,
    REJECTED,
    absence_number,
)
from debate_ops.protocols.design.settings import requirement_id, role_of
from debate_ops.protocols.replies import or_empty
from debate_ops.protocols.schedule import (
    EACH_ITS_OWN,
    Data,
    Field,
    Kind,
    Pass,
    Past,
    Replied,
    Slot,
    added,
)


def _items(given: Iterable[Header], *keys: str) -> list[Data]:
    return [{key: item[key] for key in keys} for item in given]


def _kind(phase: str, event: str, **more: Any) -> Kind:
    _, label, name, template, schema = PHASES[phase]

    def why_not(past: Past, slot: Slot) -> str:
        return why_not_due(history_of(past), slot.exchange, phase, slot.participant)

    declared = Kind(name, phase, label, schema, event, template=template, together=True)
    return declared._replace(why_not=why_not, **more)


# ---------------------------------------------------------------- before the first exchange


def _asked(replied: Replied) -> Iterator[tuple[int, Data]]:
    """Yield as many questions as the settings allow, numbered on from those of earlier rounds."""
    history = history_of(replied.past)
    first = len(history.of("question", 0, replied.slot.participant)) + 1
    most = history.settings["clarifying_questions"]
    for number, item in enumerate(replied.value["questions"][:most], start=first):
        yield number, {**item, "number": number}


_QUESTION = _kind(
    AWAITING_QUESTIONS,
    "question_asked",
    part="questions",
    each=_asked,
    fields=(
        added("round", lambda replied: replied.slot.number - absence_number(AWAITING_QUESTIONS)),
        added("asks", lambda replied: replied.value["text"]),
        Field("text", filing.QUESTION_TEXT),
        Field("why", filing.WHY, plain=or_empty),
    ),
    title=lambda replied: f"Question {replied.value['number']} of {replied.slot.participant}",
    words={"questions": {"text": 60, "why": 40}},
    plain=replies.plain_questions,
    warnings=replies.too_many_questions,
    passing=Pass({"questions": []}, usual="no question"),
)


def _requirements(replied: Replied) -> list[Data]:
    return [
        {"id": requirement_id(place), "text": item["text"], "level": item["level"]}
        for place, item in enumerate(replied.value["requirements"], start=1)
    ]


_REQUIREMENTS = _kind(
    AWAITING_REQUIREMENTS,
    "requirements_named",
    fields=(
        Field(
            "requirements",
            of=_requirements,
            back=lambda entry: _items(entry.data["requirements"], "text", "level"),
        ),
        added(
            "lines",
            lambda replied: filing.requirement_lines(_requirements(replied)),
            filing.COVERAGE,
        ),
    ),
    title=lambda _: "Requirements, as the judge names them",
    folder=JUDGMENTS,
    words={"requirements": {"text": 50}},
    faults=replies.of_requirements,
)

# ---------------------------------------------------------------- an exchange


def _covered(replied: Replied) -> list[str]:
    """Return what a summary stands for."""
    history, slot = history_of(replied.past), replied.slot
    if slot.participant == JUDGE:
        return list(history.for_judge(slot.exchange))
    return list(history.before_summary(slot.participant, slot.exchange))


_SUMMARY: Mapping[str, Any] = {
    "fields": (
        added("before", lambda replied: history_of(replied.past).size(_covered(replied))),
        added("after", lambda replied: len(replied.value["summary"])),
        added("covers", _covered),
        added("judges", _covered),
        Field("summary", filing.SUMMARY_TEXT),
    ),
    "title": lambda replied: (
        f"Summary of {replied.slot.participant} before exchange {replied.slot.exchange}"
    ),
    "folder": JUDGMENTS,
    "faults": replies.of_summary,
    "warnings": replies.no_summary,
}


def _coverage_lines(replied: Replied) -> str:
    return filing.lines(
        f"{each['requirement']}: {each['coverage']}. {each['how']}"
        for each in replied.value["coverage"]
    )


def _characters(replied: Replied) -> int:
    answers = filing.verdict_lines(replied.value.get("answers", ()))
    texts = (replied.value["solution"], answers, _coverage_lines(replied))
    return filing.size(dict(enumerate(texts)))


def _text_fields(*more: Field) -> tuple[Field, ...]:
    """Return what the header of a proposal or a refinement says of its text, and `more`."""
    return (
        added("role", lambda each: role_of(each.past.settings, each.slot.participant)),
        Field(
            "coverage",
            of=lambda replied: _items(replied.value["coverage"], *_COVERAGE_KEYS),
            plain=lambda given: [] if given is None else given,
        ),
        added("characters", _characters),
        *more,
    )


_COVERAGE_KEYS = ("requirement", "coverage", "how")
_PROPOSAL = _kind(
    AWAITING_PROPOSALS,
    "proposal_filed",
    fields=(
        Field("title"),
        *_text_fields(),
        Field("solution", filing.SOLUTION),
        added("coverage_lines", _coverage_lines, filing.COVERAGE),
    ),
    words={"title": 12, "solution": 900, "coverage": {"how": 50}},
    faults=replies.of_text,
)


def _by_target(replied: Replied) -> Iterator[tuple[int, Data]]:
    history = history_of(replied.past)
    by_target = {item["target"]: item for item in replied.value["critiques"]}
    for name in history.names:
        if name in by_target:
            yield history.place_of(name), by_target[name]


def _criticised(replied: Replied) -> str:
    history = history_of(replied.past)
    return history.criticised(replied.value["target"], replied.slot.exchange)


def _numbered(replied: Replied) -> list[tuple[int, Data]]:
    return list(enumerate(replied.value["points"], start=1))


def _title_of_critique(replied: Replied) -> str:
    levels = ", ".join(f"point {number} {point['level']}" for number, point in _numbered(replied))
    return f"Critique of {_criticised(replied)}: {levels or 'no points'}"


def _point_texts(replied: Replied) -> dict[str, str]:
    return {filing.point_heading(number): point["text"] for number, point in _numbered(replied)}


def _characters_of_critique(replied: Replied) -> int:
    return filing.size({"": replied.value["requirements"], **_point_texts(replied)})


def _points(replied: Replied) -> list[Data]:
    return [{"number": number, "level": point["level"]} for number, point in _numbered(replied)]


def _points_back(critique: Contribution) -> list[Data]:
    return [
        {"level": point["level"], "text": critique.texts[filing.point_heading(point["number"])]}
        for point in critique.data["points"]
    ]


_CRITIQUE = _kind(
    AWAITING_CRITIQUES,
    "critique_filed",
    part="critiques",
    each=_by_target,
    fields=(
        added("attacks", lambda each: [{"target_id": _criticised(each), "type": CRITIQUE}]),
        Field(
            "target",
            of=_criticised,
            back=lambda entry: entry.data["target"].partition("_")[0],
            plain=replies.participant_of,
            note="a target is a participant's name; it was put in place of the id of its text",
        ),
        Field("points", of=_points, back=_points_back),
        added("characters", _characters_of_critique),
        Field("requirements", filing.COVERAGE, plain=or_empty),
        added("point_texts", _point_texts, EACH_ITS_OWN),
    ),
    title=_title_of_critique,
    words={"critiques": {"requirements": 80, "points": {"text": 90}}},
    plain=replies.plain_critiques,
    faults=replies.of_critiques,
)


def _answers_back(refinement: Contribution) -> list[Data]:
    lines = refinement.texts[filing.ANSWERS].split("\n")
    return [
        dict(answer) | {"reason": line.removeprefix(f"- {filing.verdict(answer)}. ")}
        for answer, line in zip(refinement.data["answers"], lines, strict=True)
    ]


def _refined(replied: Replied) -> str:
    slot = replied.slot
    return history_of(replied.past).criticised(slot.participant, slot.exchange)


def _number_of(verdict: str, replied: Replied) -> int:
    return [each["verdict"] for each in replied.value["answers"]].count(verdict)


def _title_of_refinement(replied: Replied) -> str:
    earlier = replied.past.look(_refined(replied))
    return replied.value["title"] or str(earlier.get("title", ""))


_REFINEMENT = _kind(
    AWAITING_REFINEMENTS,
    "refinement_filed",
    fields=(
        Field("title", of=_title_of_refinement, plain=or_empty),
        *_text_fields(
            added("refines", _refined),
            Field(
                "answers",
                of=lambda each: _items(each.value["answers"], "critique", "point", "verdict"),
                back=_answers_back,
            ),
            added("accepted", partial(_number_of, ACCEPTED)),
            added("rejected", partial(_number_of, REJECTED)),
        ),
        Field("solution", filing.SOLUTION),
        added("verdicts", lambda each: filing.verdict_lines(each.value["answers"]), filing.ANSWERS),
        added("coverage_lines", _coverage_lines, filing.COVERAGE),
    ),
    words={
        "title": 12,
        "solution": 900,
        "coverage": {"how": 50},
        "answers": {"reason": 60},
    },
    faults=replies.of_refinement,
)

# ---------------------------------------------------------------- the judge


def _texts_now(replied: Replied) -> list[str]:
    return list(history_of(replied.past).texts(replied.slot.exchange).values())


_ASSESSMENT = _kind(
    AWAITING_ASSESSMENT,
    "assessment_filed",
    fields=(Field("confidence"), added("judges", _texts_now), Field("reasons", filing.REASONS)),
    title=lambda replied: f"Confidence {filing.of_most(replied.value['confidence'])}",
    folder=JUDGMENTS,
    words={"reasons": 120},
)


def _unmet_lines(replied: Replied) -> str:
    every, named = history_of(replied.past).requirements(), replied.value["unmet"]
    return filing.requirement_lines(each for each in every if each["id"] in named)


def _sure(replied: Replied) -> str:
    return f"{filing.of_most(replied.value['confidence'])}: {replied.value['confidence_reasons']}"


def _listed(key: str, heading: str) -> Field:
    return added(f"{key}_lines", lambda replied: filing.lines(replied.value[key]), heading)


_SYNTHESIS = _kind(
    AWAITING_SYNTHESIS,
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
        Field("solution", filing.SOLUTION),
        _listed("trade_offs", filing.TRADE_OFFS),
        _listed("recommendations", filing.RECOMMENDATIONS),
        added("unmet_lines", _unmet_lines, filing.UNMET),
        _listed("open_questions", filing.OPEN_QUESTIONS),
        Field(
            "confidence_reasons",
            filing.CONFIDENCE,
            of=_sure,
            back=lambda entry: filing.confidence_reasons(
                entry.texts[filing.CONFIDENCE], entry.data["confidence"]
            ),
        ),
    ),
    folder=JUDGMENTS,
    words={
        "title": 12,
        "solution": 1200,
        "trade_offs": 60,
        "recommendations": 60,
        "open_questions": 60,
        "confidence_reasons": 100,
    },
    faults=replies.of_synthesis,
)

KINDS: Mapping[str, Kind] = {
    AWAITING_QUESTIONS: _QUESTION,
    AWAITING_REQUIREMENTS: _REQUIREMENTS,
    AWAITING_SUMMARIES: _kind(AWAITING_SUMMARIES, "summary_filed", **_SUMMARY),
    AWAITING_PROPOSALS: _PROPOSAL,
    AWAITING_CRITIQUES: _CRITIQUE,
    AWAITING_REFINEMENTS: _REFINEMENT,
    AWAITING_ASSESSMENT: _ASSESSMENT,
    AWAITING_JUDGE_SUMMARY: _kind(AWAITING_JUDGE_SUMMARY, "summary_filed", **_SUMMARY),
    AWAITING_SYNTHESIS: _SYNTHESIS,
    CLARIFICATION: Kind(CLARIFICATION, event="question_answered", folder=JUDGMENTS),
    CANCELLATION: Kind(CANCELLATION, event="debate_cancelled", folder=JUDGMENTS),
}
"""Each kind by the phase that waits for it; those that a person makes, by their names."""
