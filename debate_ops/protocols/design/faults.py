"""What may be wrong with replies in a design debate, and no schema states; and their one form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.ids import parse_id
from debate_ops.model.texts import is_blank
from debate_ops.protocols import advocate
from debate_ops.protocols.design.history import history_of
from debate_ops.protocols.design.names import CONFIDENCE_CAP, MAJOR
from debate_ops.protocols.design.settings import advocate_of
from debate_ops.protocols.replies import each_once, items, objects, objects_in
from debate_ops.protocols.schedule import Data, Replied


def plain_questions(plain: Data) -> Iterator[str]:
    """Leave out the questions that ask nothing, and say so."""
    questions = plain.get("questions")
    if not isinstance(questions, list):
        return
    plain["questions"] = [item for item in questions if not _is_blank(item)]
    if dropped := len(questions) - len(plain["questions"]):
        what = "blank question was" if dropped == 1 else "blank questions were"
        yield f"{dropped} {what} left out"


def _is_blank(question: Any) -> bool:
    text = question.get("text", "") if isinstance(question, dict) else question
    return text is None or (isinstance(text, str) and is_blank(text))


def plain_critiques(plain: Data) -> Iterator[str]:
    """Put an empty list where there are no points."""
    for item in objects_in(plain, "critiques"):
        if item.get("points", ()) is None:
            item["points"] = []
    yield from ()


def participant_of(target: Any) -> Any:
    """Return the participant whose text an id is of; anything else as it is."""
    parts = parse_id(target) if isinstance(target, str) else None
    return parts.participant if parts else target


def no_summary(replied: Replied) -> Iterator[Finding]:
    """Yield what follows where a summary does not come."""
    if not replied.value:
        message = "there is no summary: the whole history is shown in its place"
        yield Finding("no_summary", message)


def too_many_questions(replied: Replied) -> Iterator[Finding]:
    """Yield how many questions are left out."""
    number = len(items(replied.value.get("questions")))
    most = replied.past.settings["clarifying_questions"]
    if number > most:
        message = (
            f"{number} questions, at most {most} in a round: the last {number - most} left out"
        )
        where, at_most = "$.questions", f"at most {most}"
        yield Finding(
            "too_many_questions", message, where=where, actual=str(number), expected=at_most
        )


def of_requirements(replied: Replied) -> Iterator[Finding]:
    """Yield which requirements are named twice."""
    seen: set[str] = set()
    for place, item in objects(replied.value.get("requirements")):
        text = item.get("text")
        folded = " ".join(text.split()).casefold() if isinstance(text, str) else ""
        if folded and folded in seen:
            where = f"$.requirements[{place}].text"
            yield Finding("named_twice", "this requirement is named twice", where=where)
        seen.add(folded)


def of_summary(replied: Replied) -> Iterator[Finding]:
    """Yield that a summary is too long."""
    text, most = replied.value.get("summary"), replied.past.settings["summary_characters"]
    if isinstance(text, str) and len(text) > most:
        yield Finding(
            "too_long",
            f"the summary has {len(text)} characters, expected at most {most}; nothing is cut, so "
            "write it shorter",
            where="$.summary",
            actual=f"{len(text)} characters",
            expected=f"at most {most} characters",
        )


def of_text(replied: Replied) -> Iterator[Finding]:
    """Yield what is wrong with what a text says of the requirements."""
    coverage, known = replied.value.get("coverage"), _requirements(replied)
    there = [
        (f"$.coverage[{place}].requirement", item.get("requirement"))
        for place, item in objects(coverage)
    ]
    yield from _known_once(there, known)
    missing = [each for each in known if each not in [name for _, name in there]]
    if missing and isinstance(coverage, list):
        message = f"nothing is said of {', '.join(missing)}"
        expected = f"each of these once: {', '.join(known)}"
        yield Finding("coverage_missing", message, where="$.coverage", expected=expected)


def _requirements(replied: Replied) -> list[str]:
    return [str(each["id"]) for each in history_of(replied.past).requirements()]


def _known_once(there: Sequence[tuple[str, Any]], known: Sequence[str]) -> Iterator[Finding]:
    return each_once(
        [(where, name) for where, name in there if isinstance(name, str)],
        known,
        ("unknown_requirement", "named_twice"),
        lambda name: f"{messages.name(name)} is no requirement of this debate",
    )


def of_critiques(replied: Replied) -> Iterator[Finding]:
    """Yield which texts may not be, or have not been, criticised."""
    history = history_of(replied.past)
    texts = history.texts(replied.slot.exchange)
    others = [name for name in texts if name != replied.slot.participant]
    critiques = replied.value.get("critiques")
    counts = Counter(str(item.get("target")) for _, item in objects(critiques))
    expected = f"each of these once: {', '.join(others)}"
    for place, item in objects(critiques):
        target, where = item.get("target"), f"$.critiques[{place}]"
        if isinstance(target, str) and (problem := _no_target(replied, target, others, counts)):
            yield Finding(
                "bad_target", problem, where=f"{where}.target", actual=target, expected=expected
            )
        if not item.get("requirements") and history.requirements():
            message = "nothing is said of how the text meets the requirements"
            yield Finding("requirements_missing", message, where=f"{where}.requirements")
    name = advocate_of(replied.past.settings, replied.slot.exchange)
    if not any(item.get("points") for _, item in objects(critiques)):
        yield from advocate.silent(name, replied.slot.participant, "$.critiques", "any text")
    missing = [name for name in others if not counts[name]]
    if missing and isinstance(critiques, list):
        message = f"there is no critique of the text of {', '.join(missing)}"
        yield Finding("critique_missing", message, where="$.critiques", expected=expected)


def _no_target(
    replied: Replied, target: str, others: Sequence[str], counts: Mapping[str, int]
) -> str:
    if target == replied.slot.participant:
        return "your own text is for the others to criticise"
    if target not in history_of(replied.past).names:
        return f"{messages.name(target)} takes no part in this debate"
    if target not in others:
        return f"{target} has no text in this exchange"
    return f"{target} is criticised {counts[target]} times" if counts[target] > 1 else ""


def of_refinement(replied: Replied) -> Iterator[Finding]:
    """Yield which points may not be, or have not been, answered."""
    asked = history_of(replied.past).points_against(replied.slot.participant, replied.slot.exchange)
    answers = replied.value.get("answers")
    answered = [
        (f"$.answers[{place}]", (critique, number))
        for place, item in objects(answers)
        if isinstance(critique := item.get("critique"), str)
        and isinstance(number := item.get("point"), int)
    ]

    def problem(point: tuple[str, int]) -> str:
        if point[0] in [critique for critique, _ in asked]:
            return f"{point[0]} has no point {point[1]}"
        return f"{messages.name(point[0])} makes no point against your text in this exchange"

    yield from each_once(answered, asked, ("no_such_point", "answered_twice"), problem, _point)
    missing = [point for point in asked if point not in [each for _, each in answered]]
    if missing and isinstance(answers, list):
        message = f"there is no answer to {'; '.join(map(_point, missing))}"
        yield Finding("answer_missing", message, where="$.answers")
    yield from of_text(replied)


def _point(point: tuple[str, int]) -> str:
    return f"{point[0]}, point {point[1]}"


def of_synthesis(replied: Replied) -> Iterator[Finding]:
    """Yield unknown requirements, and a confidence over its cap."""
    unmet, confidence = items(replied.value.get("unmet")), replied.value.get("confidence")
    named = [(f"$.unmet[{place}]", each) for place, each in enumerate(unmet)]
    yield from _known_once(named, _requirements(replied))
    major = [
        str(each["id"])
        for each in history_of(replied.past).requirements()
        if each["level"] == MAJOR and each["id"] in unmet
    ]
    if major and isinstance(confidence, int) and confidence > CONFIDENCE_CAP:
        yield Finding(
            "confidence_capped",
            f"confidence is {confidence}, but {', '.join(major)} is major and unmet: then it is at "
            f"most {CONFIDENCE_CAP}",
            where="$.confidence",
            actual=str(confidence),
            expected=f"at most {CONFIDENCE_CAP}, or a solution that meets {', '.join(major)}",
        )
