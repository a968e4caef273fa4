"""What each participant of a design debate is shown: nothing that a peer says in the same phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.ids import parse_id
from debate_ops.model.texts import quoted
from debate_ops.model.turn import Context, Own
from debate_ops.protocols.base import Settings
from debate_ops.protocols.design import roles
from debate_ops.protocols.design.filing import requirement_lines
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
    CRITIQUE,
    JUDGE,
    SUMMARY,
)
from debate_ops.protocols.schedule import Slot

NONE = Own("(none)")
"""What stands where there is nothing to show."""


class _Asked(NamedTuple):
    """Whom a prompt is for, and the debate it is to know of."""

    settings: Settings
    history: History
    participant: str
    exchange: int


def sees(debate: Debate, slot: Slot) -> Context:
    """Return what a participant sees: its own part of the record, by the phase that is due."""
    history, phase = of_record(debate.record, debate.settings), slot.kind
    asked = _Asked(debate.settings, history, slot.participant, slot.exchange)
    values: dict[str, str] = {"participants": _others(asked)}
    if phase != AWAITING_REQUIREMENTS:
        values["requirements"] = _requirements(history)
    if phase in _TASKS:
        values |= _role(asked, _TASKS[phase])
    given = _GIVEN[phase](asked)
    shown = {"clarifications": history.clarifications(), **given.shown}
    return given._replace(values={**values, **given.values}, shown=shown)


_TASKS: Mapping[str, str] = dict(
    zip(
        (
            *(AWAITING_QUESTIONS, AWAITING_PROPOSALS, AWAITING_CRITIQUES),
            *(AWAITING_REFINEMENTS, AWAITING_SUMMARIES),
        ),
        roles.TASKS,
        strict=True,
    )
)
"""Phase to the task that roles have guidance for."""


def _for_questions(asked: _Asked) -> Context:
    history, settings = asked.history, asked.settings
    round_ = next(number for number in count(1) if not history.questions(number))
    values = {
        "round": Own(round_),
        "rounds": Own(settings["clarifying_rounds"]),
        "most_questions": Own(settings["clarifying_questions"]),
    }
    return Context(values)


def _for_requirements(_: _Asked) -> Context:
    return Context()


def _for_summary(asked: _Asked) -> Context:
    ids = asked.history.own(asked.participant, asked.exchange)
    values = {
        "history_note": _history_note(asked.history, ids),
        "summary_characters": Own(asked.settings["summary_characters"]),
    }
    return Context(values, {"history": ids})


def _for_proposal(asked: _Asked) -> Context:
    """Return nothing of the others, so that proposals are independent."""
    own = asked.history.text_of(asked.participant, asked.exchange)
    return _with_history(asked, {}, {"own_entries": (own,)}) if own else Context()


def _for_critique(asked: _Asked) -> Context:
    current = asked.history.texts(asked.exchange)
    texts = {name: current[name] for name in _in_turn(asked) if name in current}
    shown = {"proposals": tuple(texts.values())}
    return _with_history(asked, {"targets": _listed(texts)}, shown)


def _for_refinement(asked: _Asked) -> Context:
    history = asked.history
    critiques = history.received(asked.participant, asked.exchange)
    points = {critique: [*map(str, history.points(critique))] for critique in critiques}
    lines = [
        f"- {critique}: point{'' if len(numbers) == 1 else 's'} {_listed(numbers)}"
        for critique, numbers in points.items()
        if numbers
    ]
    own = history.text_of(asked.participant, asked.exchange)
    shown = {"own_entries": (own,), "critiques": critiques}
    return _with_history(asked, {"points": Own("\n".join(lines))}, shown)


def _for_assessment(asked: _Asked) -> Context:
    return Context({}, {"refinements": tuple(asked.history.texts(asked.exchange).values())})


def _for_judge_summary(asked: _Asked) -> Context:
    values = {"summary_characters": Own(asked.settings["summary_characters"])}
    shown = {"history": asked.history.for_judge(asked.exchange)}
    return Context(values, shown, may_shorten=("history",))


def _for_synthesis(asked: _Asked) -> Context:
    history, number = asked.history, asked.exchange
    texts = tuple(history.texts(number).values())
    earlier = history.of(SUMMARY, number, JUDGE) or history.for_judge(number)
    shown = {
        "refinements": texts,
        "critiques": history.of(CRITIQUE, number),
        "history": tuple(i for i in earlier if i not in texts),
    }
    values = {
        "history_note": _history_note(history, shown["history"]),
        "unanswered": Own("\n".join(_unanswered(history, number))) or NONE,
    }
    return Context(values, shown, may_shorten=("history",))


_GIVEN: Mapping[str, Callable[[_Asked], Context]] = {
    AWAITING_QUESTIONS: _for_questions,
    AWAITING_REQUIREMENTS: _for_requirements,
    AWAITING_SUMMARIES: _for_summary,
    AWAITING_PROPOSALS: _for_proposal,
    AWAITING_CRITIQUES: _for_critique,
    AWAITING_REFINEMENTS: _for_refinement,
    AWAITING_ASSESSMENT: _for_assessment,
    AWAITING_JUDGE_SUMMARY: _for_judge_summary,
    AWAITING_SYNTHESIS: _for_synthesis,
}


# ---------------------------------------------------------------- who takes part


def _role(asked: _Asked, task: str) -> dict[str, str]:
    """Return who a participant is and what it looks for: quoted, where its organiser said so."""
    own = next(p for p in asked.settings["participants"] if p["name"] == asked.participant)
    return {
        "role": _from_organiser("Who you are", roles.described(own)),
        "guidance": _from_organiser("What you look for", roles.guidance(own, task)),
    }


def _from_organiser(what: str, text: str) -> Own:
    if isinstance(text, Own):
        return text
    return Own(f"{what}, as your organiser put it:\n\n{quoted(text)}")


def _others(asked: _Asked) -> Own:
    return _listed(
        each["name"] if each["role"] == each["name"] else f"{each['name']} ({each['role']})"
        for each in asked.settings["participants"]
        if each["name"] != asked.participant
    )


def _in_turn(asked: _Asked) -> tuple[str, ...]:
    """Return the others, from the one after the reader on: none is read first by all."""
    names = [each["name"] for each in asked.settings["participants"]]
    place = names.index(asked.participant)
    return (*names[place + 1 :], *names[:place])


# ---------------------------------------------------------------- what was said


def _requirements(history: History) -> str:
    return requirement_lines(history.requirements()) or NONE


def _with_history(
    asked: _Asked, values: Mapping[str, str], shown: Mapping[str, tuple[str, ...]]
) -> Context:
    """Return a context with one's own history, without what it shows already."""
    seen = {i for ids in shown.values() for i in ids}
    own = asked.history.own(asked.participant, asked.exchange)
    history = tuple(i for i in own if i not in seen)
    note = {"history_note": _history_note(asked.history, history)}
    return Context({**values, **note}, {**shown, "history": history}, may_shorten=("history",))


def _history_note(history: History, ids: Iterable[str]) -> Own:
    """Return which of these entries is a summary, and what it stands for."""
    for entry_id in ids:
        if entry_id in history.of(SUMMARY):
            summary = history.look(entry_id)
            before, after = (_number(summary.get(key)) for key in ("before", "after"))
            return Own(
                f"{entry_id} is your own summary of what came before it: {before} characters "
                f"became {after}."
            )
    return Own()


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _unanswered(history: History, exchange: int) -> Iterator[str]:
    """Yield a line for each point that no refinement answers."""
    for critique, number in history.unanswered(exchange):
        target = parse_id(str(history.look(critique).get("target")))
        yield f"- {critique}, point {number}, against {target}"


def _listed(words: Iterable[str]) -> Own:
    """Return words as a list in a sentence.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = [*words] or [NONE]
    return Own(f"{', '.join(first)} and {last}" if first else last)
