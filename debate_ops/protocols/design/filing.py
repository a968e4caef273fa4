"""What a reply in a design debate becomes on record, and the reply that an entry came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Absence, Contribution, Value
from debate_ops.model.ids import entry_id
from debate_ops.model.turn import Absent, Reply, Task, Turn
from debate_ops.protocols.base import Replies
from debate_ops.protocols.design.course import stopped_by
from debate_ops.protocols.design.history import Header, History
from debate_ops.protocols.design.names import (
    ACCEPTED,
    ASSESSMENT,
    AWAITING_ASSESSMENT,
    AWAITING_CRITIQUES,
    AWAITING_JUDGE_SUMMARY,
    AWAITING_PROPOSALS,
    AWAITING_QUESTIONS,
    AWAITING_REFINEMENTS,
    AWAITING_REQUIREMENTS,
    AWAITING_SUMMARIES,
    AWAITING_SYNTHESIS,
    CRITIQUE,
    JUDGE,
    MOST_CONFIDENCE,
    PROPOSAL,
    QUESTION,
    REFINEMENT,
    REJECTED,
    REQUIREMENTS,
    SUMMARY,
    SYNTHESIS,
    absence_id,
)
from debate_ops.protocols.design.settings import requirement_id, role_of
from debate_ops.protocols.filing import PASSED, absence, is_pass, sections
from debate_ops.protocols.replies import naming

QUESTION_TEXT, WHY = "Question", "Why"
SOLUTION, ANSWERS, COVERAGE = "Solution", "Answers", "Requirements"
SUMMARY_TEXT, REASONS, CONFIDENCE = "Summary", "Reasons", "Confidence"
TRADE_OFFS, RECOMMENDATIONS = "Trade-offs", "Recommendations"
UNMET, OPEN_QUESTIONS = "Unmet requirements", "Open questions"
"""The headings of the sections of the entries."""

NO_QUESTION = "no question"
"""Why a participant is absent that had nothing to ask."""


class _At(NamedTuple):
    """A turn, and what is on record before it; `round_` is that of the questions."""

    history: History
    turn: Turn
    round_: int

    @property
    def exchange(self) -> int:
        """The exchange of the turn."""
        return self.turn.exchange


def entries(history: History, turn: Turn, round_: int, replies: Replies) -> tuple[Value, ...]:
    """Return the entries that checked replies to a turn become, in the order of its tasks."""
    at = _At(history, turn, round_)
    found: list[Value] = []
    for task in turn.tasks:
        reply = replies[task.participant]
        if isinstance(reply, Reply):
            found += _ENTRIES[turn.phase](at, reply)
        else:
            found.append(_absence(at, reply))
    return tuple(found)


def _absence(at: _At, absent: Absent) -> Absence:
    identity = absence_id(absent.participant, at.exchange, at.turn.phase, at.round_)
    return absence(identity, at.exchange, absent)


def _entry(  # noqa: PLR0913, PLR0917  (what an entry is)
    at: _At, reply: Reply, kind: str, data: Header, texts: Mapping[str, str], number: int = 0
) -> Contribution:
    identity = entry_id(reply.participant, at.exchange, kind, number)
    folder = ARGUMENTS if kind in SPOKEN else JUDGMENTS
    return Contribution(identity, kind, at.exchange, folder, data, sections(texts))


SPOKEN = (QUESTION, PROPOSAL, CRITIQUE, REFINEMENT)
"""The kinds of entry that stand among the arguments."""


def size(texts: Mapping[str, str]) -> int:
    """Return how many characters the sections of an entry have together."""
    return sum(map(len, sections(texts).values()))


# ---------------------------------------------------------------- before the first exchange


def _questions(at: _At, reply: Reply) -> Iterator[Value]:
    most = at.history.settings["clarifying_questions"]
    given = reply.value["questions"][:most]
    if not given:
        name = reply.participant
        yield _absence(at, Absent(name, PASSED, NO_QUESTION, name))
    first = len(at.history.of(QUESTION, 0, reply.participant)) + 1
    for number, item in enumerate(given, start=first):
        data = {
            "title": f"Question {number} of {reply.participant}",
            "round": at.round_,
            "asks": item["text"],
        }
        texts = {QUESTION_TEXT: item["text"], WHY: item["why"]}
        yield _entry(at, reply, QUESTION, data, texts, number)


def _requirements(at: _At, reply: Reply) -> Iterator[Value]:
    named = [
        {"id": requirement_id(place), "text": item["text"], "level": item["level"]}
        for place, item in enumerate(reply.value["requirements"], start=1)
    ]
    data = {"title": "Requirements, as the judge names them", "requirements": named}
    yield _entry(at, reply, REQUIREMENTS, data, {COVERAGE: requirement_lines(named)})


def requirement_lines(requirements: Iterable[Header]) -> str:
    """Return requirements for readers, a line each."""
    return _lines(f"{each['id']} ({each['level']}): {each['text']}" for each in requirements)


def _lines(items: Iterable[str]) -> str:
    return "\n".join(f"- {' '.join(item.split())}" for item in items)


# ---------------------------------------------------------------- an exchange


def _summary(at: _At, reply: Reply) -> Iterator[Value]:
    name, text = reply.participant, reply.value["summary"]
    if name == JUDGE:
        covered = at.history.for_judge(at.exchange)
    else:
        covered = at.history.before_summary(name, at.exchange)
    data = {
        "title": f"Summary of {name} before exchange {at.exchange}",
        "before": at.history.size(covered),
        "after": len(text),
        "covers": list(covered),
        "judges": list(covered),
    }
    yield _entry(at, reply, SUMMARY, data, {SUMMARY_TEXT: text})


def _proposal(at: _At, reply: Reply) -> Iterator[Value]:
    given = reply.value
    texts = {SOLUTION: given["solution"], COVERAGE: _coverage_lines(given["coverage"])}
    data = _text_data(at, reply, given["title"], texts)
    yield _entry(at, reply, PROPOSAL, data, texts)


def _text_data(at: _At, reply: Reply, title: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return what the header of a proposal or a refinement says of its text."""
    return {
        "title": title,
        "role": role_of(at.history.settings, reply.participant),
        "coverage": _items(reply.value["coverage"], "requirement", "coverage", "how"),
        "characters": size(texts),
    }


def _items(given: Iterable[Header], *keys: str) -> list[dict[str, Any]]:
    return [{key: item[key] for key in keys} for item in given]


def _coverage_lines(coverage: Iterable[Header]) -> str:
    return _lines(f"{each['requirement']}: {each['coverage']}. {each['how']}" for each in coverage)


def _critiques(at: _At, reply: Reply) -> Iterator[Value]:
    by_target = {item["target"]: item for item in reply.value["critiques"]}
    for name in at.history.names:
        if name in by_target:
            yield _critique(at, reply, name, by_target[name])


def _critique(at: _At, reply: Reply, name: str, given: Header) -> Contribution:
    target = at.history.criticised(name, at.exchange)
    points = list(enumerate(given["points"], start=1))
    levels = ", ".join(f"point {number} {point['level']}" for number, point in points)
    texts = {COVERAGE: given["requirements"]}
    texts |= {point_heading(number): point["text"] for number, point in points}
    data = {
        "title": f"Critique of {target}: {levels or 'no points'}",
        "attacks": [{"target_id": target, "type": CRITIQUE}],
        "target": target,
        "points": [{"number": number, "level": point["level"]} for number, point in points],
        "characters": size(texts),
    }
    return _entry(at, reply, CRITIQUE, data, texts, at.history.place_of(name))


def point_heading(number: int) -> str:
    """Return the heading of a point of a critique."""
    return f"Point {number}"


def _refinement(at: _At, reply: Reply) -> Iterator[Value]:
    given = reply.value
    refined = at.history.criticised(reply.participant, at.exchange)
    answers = given["answers"]
    texts = {
        SOLUTION: given["solution"],
        ANSWERS: _lines(f"{_verdict(each)}. {each['reason']}" for each in answers),
        COVERAGE: _coverage_lines(given["coverage"]),
    }
    title = given["title"] or str(at.history.look(refined).get("title", ""))
    verdicts = [each["verdict"] for each in answers]
    data = _text_data(at, reply, title, texts) | {
        "refines": refined,
        "answers": _items(answers, "critique", "point", "verdict"),
        "accepted": verdicts.count(ACCEPTED),
        "rejected": verdicts.count(REJECTED),
    }
    yield _entry(at, reply, REFINEMENT, data, texts)


def _verdict(answer: Header) -> str:
    return f"{answer['critique']}, point {answer['point']}: {answer['verdict']}"


# ---------------------------------------------------------------- the judge


def _assessment(at: _At, reply: Reply) -> Iterator[Value]:
    confidence = reply.value["confidence"]
    data = {
        "title": f"Confidence {_of_most(confidence)}",
        "confidence": confidence,
        "judges": list(at.history.texts(at.exchange).values()),
    }
    yield _entry(at, reply, ASSESSMENT, data, {REASONS: reply.value["reasons"]})


def _of_most(confidence: int) -> str:
    return f"{confidence} of {MOST_CONFIDENCE}"


def _synthesis(at: _At, reply: Reply) -> Iterator[Value]:
    given = reply.value
    unmet = [each for each in at.history.requirements() if each["id"] in given["unmet"]]
    data = {
        "title": given["title"],
        "confidence": given["confidence"],
        "unmet": list(given["unmet"]),
        "stopped_by": stopped_by(at.history, at.exchange),
        "trade_offs": list(given["trade_offs"]),
        "recommendations": list(given["recommendations"]),
        "open_questions": list(given["open_questions"]),
        "judges": list(at.history.texts(at.exchange).values()),
    }
    texts = {
        SOLUTION: given["solution"],
        TRADE_OFFS: _lines(given["trade_offs"]),
        RECOMMENDATIONS: _lines(given["recommendations"]),
        UNMET: requirement_lines(unmet),
        OPEN_QUESTIONS: _lines(given["open_questions"]),
        CONFIDENCE: f"{_of_most(given['confidence'])}: {given['confidence_reasons']}",
    }
    yield _entry(at, reply, SYNTHESIS, data, texts)


_ENTRIES: Mapping[str, Callable[[_At, Reply], Iterator[Value]]] = {
    AWAITING_QUESTIONS: _questions,
    AWAITING_REQUIREMENTS: _requirements,
    AWAITING_SUMMARIES: _summary,
    AWAITING_PROPOSALS: _proposal,
    AWAITING_CRITIQUES: _critiques,
    AWAITING_REFINEMENTS: _refinement,
    AWAITING_ASSESSMENT: _assessment,
    AWAITING_JUDGE_SUMMARY: _summary,
    AWAITING_SYNTHESIS: _synthesis,
}


# ---------------------------------------------------------------- back again


def recall(values: Sequence[Value], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this turn of a recorded debate."""
    told = [value for value in values if isinstance(value, Contribution)]
    asked_nothing = turn.phase == AWAITING_QUESTIONS and any(map(is_pass, values))
    if not told and not asked_nothing:
        return None
    return naming(turn, task) | _RECALLED[turn.phase](told)


def _recalled_questions(told: Sequence[Contribution]) -> dict[str, Any]:
    items = [{"text": each.texts[QUESTION_TEXT], "why": each.texts.get(WHY, "")} for each in told]
    return {"questions": items}


def _recalled_requirements(told: Sequence[Contribution]) -> dict[str, Any]:
    (named,) = told
    return {"requirements": _items(named.data["requirements"], "text", "level")}


def _recalled_summary(told: Sequence[Contribution]) -> dict[str, Any]:
    (summary,) = told
    return {"summary": summary.texts[SUMMARY_TEXT]}


def _recalled_proposal(told: Sequence[Contribution]) -> dict[str, Any]:
    (text,) = told
    return {
        "title": text.data["title"],
        "solution": text.texts[SOLUTION],
        "coverage": _items(text.data["coverage"], "requirement", "coverage", "how"),
    }


def _recalled_critiques(told: Sequence[Contribution]) -> dict[str, Any]:
    return {"critiques": [_recalled_critique(each) for each in told]}


def _recalled_critique(critique: Contribution) -> dict[str, Any]:
    points = [
        {"level": point["level"], "text": critique.texts[point_heading(point["number"])]}
        for point in critique.data["points"]
    ]
    return {
        "target": critique.data["target"].partition("_")[0],
        "requirements": critique.texts.get(COVERAGE, ""),
        "points": points,
    }


def _recalled_refinement(told: Sequence[Contribution]) -> dict[str, Any]:
    (text,) = told
    lines = text.texts[ANSWERS].split("\n")
    answers = [
        dict(answer) | {"reason": line.removeprefix(f"- {_verdict(answer)}. ")}
        for answer, line in zip(text.data["answers"], lines, strict=True)
    ]
    return _recalled_proposal(told) | {"answers": answers}


def _recalled_assessment(told: Sequence[Contribution]) -> dict[str, Any]:
    (assessment,) = told
    return {"confidence": assessment.data["confidence"], "reasons": assessment.texts[REASONS]}


def _recalled_synthesis(told: Sequence[Contribution]) -> dict[str, Any]:
    (written,) = told
    kept = ("title", "confidence", "unmet", "trade_offs", "recommendations", "open_questions")
    return {key: written.data[key] for key in kept} | {
        "solution": written.texts[SOLUTION],
        "confidence_reasons": confidence_reasons(
            written.texts[CONFIDENCE], written.data["confidence"]
        ),
    }


def confidence_reasons(text: str, confidence: int) -> str:
    """Return why the judge is so sure, from the section that begins with how sure it is."""
    return text.removeprefix(f"{_of_most(confidence)}: ")


_RECALLED: Mapping[str, Callable[[Sequence[Contribution]], dict[str, Any]]] = {
    AWAITING_QUESTIONS: _recalled_questions,
    AWAITING_REQUIREMENTS: _recalled_requirements,
    AWAITING_SUMMARIES: _recalled_summary,
    AWAITING_PROPOSALS: _recalled_proposal,
    AWAITING_CRITIQUES: _recalled_critiques,
    AWAITING_REFINEMENTS: _recalled_refinement,
    AWAITING_ASSESSMENT: _recalled_assessment,
    AWAITING_JUDGE_SUMMARY: _recalled_summary,
    AWAITING_SYNTHESIS: _recalled_synthesis,
}
