"""Replies in a design debate: their one form, and what may be wrong that no schema states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.ids import parse_id
from debate_ops.model.texts import is_blank
from debate_ops.protocols.design.history import history_of
from debate_ops.protocols.design.names import CONFIDENCE_CAP, MAJOR
from debate_ops.protocols.replies import items, objects, objects_in
from debate_ops.protocols.schedule import Data, Replied

# ---------------------------------------------------------------- one form


def plain_questions(plain: Data) -> Iterator[str]:
    """Leave out the questions that ask nothing, and say so."""
    if plain.get("questions", ()) is None:
        plain["questions"] = []
    given = plain.get("questions")
    if not isinstance(given, list):
        return
    plain["questions"] = [item for item in given if not _is_blank(item)]
    if dropped := len(given) - len(plain["questions"]):
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


def participant_of(given: Any) -> Any:
    """Return the participant whose text an id is of; anything else as it is."""
    parts = parse_id(given) if isinstance(given, str) else None
    return parts.participant if parts else given


# ---------------------------------------------------------------- what is wrong


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
        yield Finding(
            "too_many_questions",
            f"{number} questions, at most {most} in a round: the last {number - most} left out",
            where="$.questions",
            found=str(number),
            wanted=f"at most {most}",
        )


def of_requirements(replied: Replied) -> Iterator[Finding]:
    """Yield which requirements are named twice."""
    seen: set[str] = set()
    for place, item in objects(replied.value.get("requirements")):
        text = _folded(item.get("text"))
        if text and text in seen:
            where = f"$.requirements[{place}].text"
            yield Finding("named_twice", "this requirement is named twice", where=where)
        seen.add(text)


def _folded(text: Any) -> str:
    return " ".join(text.split()).casefold() if isinstance(text, str) else ""


def of_summary(replied: Replied) -> Iterator[Finding]:
    """Yield that a summary is too long."""
    text, most = replied.value.get("summary"), replied.past.settings["summary_characters"]
    if isinstance(text, str) and len(text) > most:
        yield Finding(
            "too_long",
            f"the summary has {len(text)} characters, wanted at most {most}; nothing is cut, so "
            "write it shorter",
            where="$.summary",
            found=f"{len(text)} characters",
            wanted=f"at most {most} characters",
        )


def of_text(replied: Replied) -> Iterator[Finding]:
    """Yield what is wrong with what a text says of the requirements."""
    known = [str(requirement["id"]) for requirement in history_of(replied.past).requirements()]
    given = objects(replied.value.get("coverage"))
    named = [(f"$.coverage[{place}].requirement", item.get("requirement")) for place, item in given]
    yield from _known_once(named, known, "requirement")
    missing = [each for each in known if each not in [name for _, name in named]]
    if missing and isinstance(replied.value.get("coverage"), list):
        message = f"nothing is said of {', '.join(missing)}"
        yield Finding("coverage_missing", message, where="$.coverage", wanted=_all_of(known))


def _all_of(known: Sequence[str]) -> str:
    return f"each of these once: {', '.join(known)}" if known else "none: there are none"


def _known_once(
    named: Sequence[tuple[str, Any]], known: Sequence[str], what: str
) -> Iterator[Finding]:
    """Yield a fault for each name that is unknown, or comes again; each has its place."""
    seen: set[str] = set()
    for where, name in named:
        if not isinstance(name, str):
            continue
        if name not in known:
            message = f"{messages.name(name)} is no {what} of this debate"
            yield Finding(
                f"unknown_{what}", message, where=where, found=name, wanted=_all_of(known)
            )
        elif name in seen:
            yield Finding("named_twice", f"{name} is named twice", where=where, found=name)
        seen.add(name)


def of_critiques(replied: Replied) -> Iterator[Finding]:
    """Yield which texts may not be, or have not been, criticised."""
    texts = history_of(replied.past).texts(replied.slot.exchange)
    others = [name for name in texts if name != replied.slot.participant]
    given = objects(replied.value.get("critiques"))
    wanted = f"each of these once: {', '.join(others)}"
    counts = Counter(str(item.get("target")) for _, item in given)
    for place, item in given:
        target, where = item.get("target"), f"$.critiques[{place}]"
        if isinstance(target, str) and (problem := _no_target(replied, target, others, counts)):
            yield Finding(
                "bad_target", problem, where=f"{where}.target", found=target, wanted=wanted
            )
        if not item.get("requirements") and history_of(replied.past).requirements():
            message = "nothing is said of how the text meets the requirements"
            yield Finding("requirements_missing", message, where=f"{where}.requirements")
    missing = [name for name in others if not counts[name]]
    if missing and isinstance(replied.value.get("critiques"), list):
        message = f"there is no critique of the text of {', '.join(missing)}"
        yield Finding("critique_missing", message, where="$.critiques", wanted=wanted)


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
    yield from _answer_faults(replied)
    yield from of_text(replied)


def _answer_faults(replied: Replied) -> Iterator[Finding]:
    asked = history_of(replied.past).points_against(replied.slot.participant, replied.slot.exchange)
    seen: set[tuple[Any, Any]] = set()
    for place, item in objects(replied.value.get("answers")):
        critique, number = item.get("critique"), item.get("point")
        where = f"$.answers[{place}]"
        if not isinstance(critique, str) or not isinstance(number, int):
            continue
        if problem := _not_asked(critique, number, asked):
            wanted = f"each of these once: {_points(asked)}"
            yield Finding("no_such_point", problem, where=where, found=critique, wanted=wanted)
        elif (critique, number) in seen:
            yield Finding(
                "answered_twice", f"{_point(critique, number)} is answered twice", where=where
            )
        seen.add((critique, number))
    missing = [point for point in asked if point not in seen]
    if missing and isinstance(replied.value.get("answers"), list):
        message = f"there is no answer to {_points(missing)}"
        yield Finding("answer_missing", message, where="$.answers")


def _not_asked(critique: str, number: int, asked: Sequence[tuple[str, int]]) -> str:
    if (critique, number) in asked:
        return ""
    if critique in [each for each, _ in asked]:
        return f"{critique} has no point {number}"
    return f"{messages.name(critique)} makes no point against your text in this exchange"


def _points(points: Iterable[tuple[str, int]]) -> str:
    return "; ".join(_point(*point) for point in points)


def _point(critique: str, number: int) -> str:
    return f"{critique}, point {number}"


def of_synthesis(replied: Replied) -> Iterator[Finding]:
    """Yield unknown requirements, and a confidence over its cap."""
    requirements = history_of(replied.past).requirements()
    unmet = [(f"$.unmet[{n}]", each) for n, each in enumerate(items(replied.value.get("unmet")))]
    yield from _known_once(unmet, [str(each["id"]) for each in requirements], "requirement")
    named = [each for _, each in unmet]
    major = [
        str(each["id"])
        for each in requirements
        if each.get("level") == MAJOR and each["id"] in named
    ]
    confidence = replied.value.get("confidence")
    if major and isinstance(confidence, int) and confidence > CONFIDENCE_CAP:
        yield Finding(
            "confidence_capped",
            f"confidence is {confidence}, but {', '.join(major)} is major and unmet: then it is at "
            f"most {CONFIDENCE_CAP}",
            where="$.confidence",
            found=str(confidence),
            wanted=f"at most {CONFIDENCE_CAP}, or a solution that meets {', '.join(major)}",
        )
