"""Replies in a design debate: their one form, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.ids import parse_id
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Absent, Checked, Task, Turn
from debate_ops.protocols import words
from debate_ops.protocols.base import Replies
from debate_ops.protocols.design.history import History, of_record
from debate_ops.protocols.design.names import (
    AWAITING_ASSESSMENT,
    AWAITING_CRITIQUES,
    AWAITING_JUDGE_SUMMARY,
    AWAITING_PROPOSALS,
    AWAITING_QUESTIONS,
    AWAITING_REFINEMENTS,
    AWAITING_REQUIREMENTS,
    AWAITING_SUMMARIES,
    AWAITING_SYNTHESIS,
    CONFIDENCE_CAP,
    MAJOR,
    PHASES,
)
from debate_ops.protocols.replies import (
    as_object,
    checked,
    items,
    no_blank,
    objects,
    objects_in,
    of_participant,
)

WORDS: Mapping[str, Mapping[str, int]] = {
    "design-questions": {"questions[].text": 60, "questions[].why": 40},
    "design-requirements": {"requirements[].text": 50},
    "design-proposal": {"title": 12, "solution": 900, "coverage[].how": 50},
    "design-critiques": {"critiques[].requirements": 80, "critiques[].points[].text": 90},
    "design-refinement": {
        "title": 12,
        "solution": 900,
        "coverage[].how": 50,
        "answers[].reason": 60,
    },
    "design-assessment": {"reasons": 120},
    "design-synthesis": {
        "title": 12,
        "solution": 1200,
        "trade_offs[]": 60,
        "recommendations[]": 60,
        "open_questions[]": 60,
        "confidence_reasons": 100,
    },
    "design-summary": {},
}
"""How many words each text of a reply may have; a summary is measured in characters."""


# ---------------------------------------------------------------- one form


def normalise(task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply as its schema describes it, from any of the forms in use."""
    plain, notes = as_object(value, _LISTS.get(task.schema, ""))
    change = _PLAIN.get(task.schema)
    return plain, (*notes, *(change(plain) if change else ()))


_LISTS: Mapping[str, str] = {
    "design-questions": "questions",
    "design-requirements": "requirements",
    "design-critiques": "critiques",
}
"""Schema to the key of the list that such a reply is."""


def _plain_questions(plain: dict[str, Any]) -> Iterator[str]:
    if plain.get("questions", ()) is None:
        plain["questions"] = []
    for item in objects_in(plain, "questions"):
        no_blank(item, "why")
    given = plain.get("questions")
    if not isinstance(given, list):
        return
    plain["questions"] = [item for item in given if not _is_blank(item)]
    if dropped := len(given) - len(plain["questions"]):
        yield f"{_counted(dropped, 'blank question')} left out"


def _is_blank(question: Any) -> bool:
    text = question.get("text", "") if isinstance(question, dict) else question
    return text is None or (isinstance(text, str) and is_blank(text))


def _counted(number: int, what: str) -> str:
    return f"{number} {what} was" if number == 1 else f"{number} {what}s were"


def _plain_text(plain: dict[str, Any]) -> Iterator[str]:
    if plain.get("coverage") is None:
        plain["coverage"] = []
    yield from ()


def _plain_refinement(plain: dict[str, Any]) -> Iterator[str]:
    no_blank(plain, "title")
    yield from _plain_text(plain)


def _plain_critiques(plain: dict[str, Any]) -> Iterator[str]:
    renamed = False
    for item in objects_in(plain, "critiques"):
        no_blank(item, "requirements")
        if item.get("points", ()) is None:
            item["points"] = []
        parts = parse_id(item["target"]) if isinstance(item.get("target"), str) else None
        if parts:
            item["target"], renamed = parts.participant, True
    if renamed:
        yield "a target is a participant's name; it was put in place of the id of its text"


_PLAIN: Mapping[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "design-questions": _plain_questions,
    "design-proposal": _plain_text,
    "design-critiques": _plain_critiques,
    "design-refinement": _plain_refinement,
}


# ---------------------------------------------------------------- what is wrong


def check(debate: Debate, turn: Turn, replies: Replies) -> Checked:
    """Return what no schema can state: targets, coverage, answers, the cap, sizes and words."""
    history = of_record(debate.record, debate.settings)
    faults: list[Finding] = []
    warnings: list[Finding] = []
    over: list[Finding] = []
    for name, reply in replies.items():
        if isinstance(reply, Absent):
            warnings += of_participant(name, _remarks_on_absence(turn.phase))
            continue
        own = _Own(history, turn, name, reply.value)
        faults += of_participant(name, _FAULTS[turn.phase](own))
        warnings += of_participant(name, _remarks(own))
        over += of_participant(name, measured(PHASES[turn.phase].schema, reply.value))
    return checked(history.settings, faults, warnings, over)


class _Own(NamedTuple):
    """One reply among what it answers."""

    history: History
    turn: Turn
    participant: str
    value: Mapping[str, Any]


def _remarks_on_absence(phase: str) -> Iterator[Finding]:
    if phase in {AWAITING_SUMMARIES, AWAITING_JUDGE_SUMMARY}:
        message = "there is no summary: the whole history is shown in its place"
        yield Finding("no_summary", message)


def _remarks(own: _Own) -> Iterator[Finding]:
    """Yield what is worth telling, and stops nothing."""
    asked = items(own.value.get("questions")) if own.turn.phase == AWAITING_QUESTIONS else ()
    most = own.history.settings["clarifying_questions"]
    if len(asked) > most:
        dropped = len(asked) - most
        yield Finding(
            "too_many_questions",
            f"{len(asked)} questions, at most {most} in a round: the last {dropped} left out",
            where="$.questions",
            found=str(len(asked)),
            wanted=f"at most {most}",
        )


def _no_faults(_: _Own) -> Iterator[Finding]:
    yield from ()


def _requirement_faults(own: _Own) -> Iterator[Finding]:
    seen: set[str] = set()
    for place, item in objects(own.value.get("requirements")):
        text = _folded(item.get("text"))
        if text and text in seen:
            where = f"$.requirements[{place}].text"
            yield Finding("named_twice", "this requirement is named twice", where=where)
        seen.add(text)


def _folded(text: Any) -> str:
    return " ".join(text.split()).casefold() if isinstance(text, str) else ""


def _summary_faults(own: _Own) -> Iterator[Finding]:
    text, most = own.value.get("summary"), own.history.settings["summary_characters"]
    if isinstance(text, str) and len(text) > most:
        yield Finding(
            "too_long",
            f"the summary has {len(text)} characters, wanted at most {most}; nothing is cut, so "
            "write it shorter",
            where="$.summary",
            found=f"{len(text)} characters",
            wanted=f"at most {most} characters",
        )


def _proposal_faults(own: _Own) -> Iterator[Finding]:
    known = [str(requirement["id"]) for requirement in own.history.requirements()]
    given = objects(own.value.get("coverage"))
    named = [(f"$.coverage[{place}].requirement", item.get("requirement")) for place, item in given]
    yield from _known_once(named, known, "requirement")
    missing = [each for each in known if each not in [name for _, name in named]]
    if missing and isinstance(own.value.get("coverage"), list):
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


def _critique_faults(own: _Own) -> Iterator[Finding]:
    texts = own.history.texts(own.turn.exchange)
    others = [name for name in texts if name != own.participant]
    given = objects(own.value.get("critiques"))
    wanted = f"each of these once: {', '.join(others)}"
    counts = Counter(str(item.get("target")) for _, item in given)
    for place, item in given:
        target, where = item.get("target"), f"$.critiques[{place}]"
        if isinstance(target, str) and (problem := _no_target(own, target, others, counts)):
            yield Finding(
                "bad_target", problem, where=f"{where}.target", found=target, wanted=wanted
            )
        if not item.get("requirements") and own.history.requirements():
            message = "nothing is said of how the text meets the requirements"
            yield Finding("requirements_missing", message, where=f"{where}.requirements")
    missing = [name for name in others if not counts[name]]
    if missing and isinstance(own.value.get("critiques"), list):
        message = f"there is no critique of the text of {', '.join(missing)}"
        yield Finding("critique_missing", message, where="$.critiques", wanted=wanted)


def _no_target(own: _Own, target: str, others: Sequence[str], counts: Mapping[str, int]) -> str:
    if target == own.participant:
        return "your own text is for the others to criticise"
    if target not in own.history.names:
        return f"{messages.name(target)} takes no part in this debate"
    if target not in others:
        return f"{target} has no text in this exchange"
    return f"{target} is criticised {counts[target]} times" if counts[target] > 1 else ""


def _refinement_faults(own: _Own) -> Iterator[Finding]:
    yield from _answer_faults(own)
    yield from _proposal_faults(own)


def _answer_faults(own: _Own) -> Iterator[Finding]:
    asked = own.history.points_against(own.participant, own.turn.exchange)
    seen: set[tuple[Any, Any]] = set()
    for place, item in objects(own.value.get("answers")):
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
    if missing and isinstance(own.value.get("answers"), list):
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


def _synthesis_faults(own: _Own) -> Iterator[Finding]:
    requirements = own.history.requirements()
    unmet = [(f"$.unmet[{n}]", each) for n, each in enumerate(items(own.value.get("unmet")))]
    yield from _known_once(unmet, [str(each["id"]) for each in requirements], "requirement")
    named = [each for _, each in unmet]
    major = [
        str(each["id"])
        for each in requirements
        if each.get("level") == MAJOR and each["id"] in named
    ]
    confidence = own.value.get("confidence")
    if major and isinstance(confidence, int) and confidence > CONFIDENCE_CAP:
        yield Finding(
            "confidence_capped",
            f"confidence is {confidence}, but {', '.join(major)} is major and unmet: then it is at "
            f"most {CONFIDENCE_CAP}",
            where="$.confidence",
            found=str(confidence),
            wanted=f"at most {CONFIDENCE_CAP}, or a solution that meets {', '.join(major)}",
        )


_FAULTS: Mapping[str, Callable[[_Own], Iterator[Finding]]] = {
    AWAITING_QUESTIONS: _no_faults,
    AWAITING_REQUIREMENTS: _requirement_faults,
    AWAITING_SUMMARIES: _summary_faults,
    AWAITING_PROPOSALS: _proposal_faults,
    AWAITING_CRITIQUES: _critique_faults,
    AWAITING_REFINEMENTS: _refinement_faults,
    AWAITING_ASSESSMENT: _no_faults,
    AWAITING_JUDGE_SUMMARY: _summary_faults,
    AWAITING_SYNTHESIS: _synthesis_faults,
}


# ---------------------------------------------------------------- words


def measured(schema: str, value: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a finding for each text of a reply that is over its limit."""
    for path, most in WORDS[schema].items():
        for where, text in _texts_at(value, path, "$"):
            if found := words.over(where.rpartition(".")[2], text, most):
                yield found._replace(where=where)


def _texts_at(value: Any, path: str, where: str) -> Iterator[tuple[str, str]]:
    """Yield the texts at a path such as `critiques[].points[].text`, each with its own place."""
    part, _, rest = path.partition(".")
    key, is_list = part.removesuffix("[]"), part.endswith("[]")
    found = value.get(key) if isinstance(value, dict) else None
    there = [(f"{where}.{key}", found)]
    if is_list:
        there = [(f"{where}.{key}[{place}]", item) for place, item in enumerate(items(found))]
    for place, item in there:
        if rest:
            yield from _texts_at(item, rest, place)
        elif isinstance(item, str):
            yield place, item
