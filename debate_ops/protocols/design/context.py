"""What each participant of a design debate is shown: nothing that a peer says in the same phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count

from debate_ops.model.ids import parse_id
from debate_ops.model.texts import quoted
from debate_ops.model.turn import Context, Own
from debate_ops.protocols import advocate
from debate_ops.protocols.design import names
from debate_ops.protocols.design.history import JUDGE_SUMMARY, History, history_of
from debate_ops.protocols.design.kinds import KINDS, requirement_lines
from debate_ops.protocols.design.settings import advocate_of, described, guidance
from debate_ops.protocols.schedule import Past, Slot

NONE = Own("(none)")
"""What stands where there is nothing to show."""


def sees(past: Past, slot: Slot) -> Context:
    """Return what a participant sees: its own part of the record, by what it is asked for."""
    history = history_of(past)
    context = _OF_KIND[slot.kind](history, slot) if slot.kind in _OF_KIND else Context()
    values: dict[str, str] = {"participants": _others(history, slot.participant)}
    if slot.kind in _ARGUED:
        name = advocate_of(past.settings, slot.exchange)
        values["advocate_note"] = advocate.note(name, slot.participant, slot.kind, _LEADING)
    if slot.kind != names.REQUIREMENTS:
        values["requirements"] = requirement_lines(history.requirements()) or NONE
    if slot.participant != names.JUDGE:
        values |= _role(history, slot)
    shown = {"clarifications": history.clarifications(), **context.shown}
    return context._replace(values=values | {**context.values}, shown=shown)


_ARGUED = (names.PROPOSAL, names.CRITIQUE, names.REFINEMENT, names.ASSESSMENT, names.SYNTHESIS)
_LEADING = "what the texts have in common, and the solution is heading for"


def _others(history: History, reader: str) -> Own:
    return _joined(
        each["name"] if each["role"] == each["name"] else f"{each['name']} ({each['role']})"
        for each in history.settings["participants"]
        if each["name"] != reader
    )


def _role(history: History, slot: Slot) -> dict[str, str]:
    """Return who a participant is and what it looks for: quoted, where its organiser said so."""
    people = history.settings["participants"]
    own = next(each for each in people if each["name"] == slot.participant)
    task = KINDS[slot.kind].template or slot.kind
    return {
        "role": _from_organiser("Who you are", described(own)),
        "guidance": _from_organiser("What you look for", guidance(own, task)),
    }


def _from_organiser(what: str, text: str) -> Own:
    if isinstance(text, Own):
        return text
    return Own(f"{what}, as your organiser put it:\n\n{quoted(text)}")


def _for_questions(history: History, _: Slot) -> Context:
    round_ = next(number for number in count(1) if not history.questions(number))
    values = {
        "round": Own(round_),
        "rounds": Own(history.settings["clarifying_rounds"]),
        "most_questions": Own(history.settings["clarifying_questions"]),
    }
    return Context(values)


def _for_summary(history: History, slot: Slot) -> Context:
    shown = {"history": history.own(slot.participant, slot.exchange)}
    values = {"summary_characters": Own(history.settings["summary_characters"])}
    if slot.participant == names.JUDGE:
        return Context(values, shown, may_shorten=("history",))
    return Context(values | _note(history, shown["history"]), shown)


def _for_proposal(history: History, slot: Slot) -> Context:
    """Return nothing of the others, so that proposals are independent."""
    own = history.text_of(slot.participant, slot.exchange)
    return _with_history(history, slot, {}, {"own_entries": (own,)}) if own else Context()


def _for_critique(history: History, slot: Slot) -> Context:
    """Return the others' texts from the one after the reader on: none is read first by all."""
    texts, place = history.texts(slot.exchange), history.place_of(slot.participant)
    others = (*history.names[place:], *history.names[: place - 1])
    targets = [name for name in others if name in texts]
    shown = {"proposals": tuple(texts[name] for name in targets)}
    return _with_history(history, slot, {"targets": _joined(targets)}, shown)


def _for_refinement(history: History, slot: Slot) -> Context:
    critiques = history.received(slot.participant, slot.exchange)
    points = {critique: [*map(str, history.points(critique))] for critique in critiques}
    lines = (
        f"- {critique}: point{'' if len(numbers) == 1 else 's'} {_joined(numbers)}"
        for critique, numbers in points.items()
        if numbers
    )
    own = history.text_of(slot.participant, slot.exchange)
    shown = {"own_entries": (own,), "critiques": critiques}
    return _with_history(history, slot, {"points": Own("\n".join(lines))}, shown)


def _for_assessment(history: History, slot: Slot) -> Context:
    return Context({}, {"refinements": tuple(history.texts(slot.exchange).values())})


def _for_synthesis(history: History, slot: Slot) -> Context:
    texts = tuple(history.texts(slot.exchange).values())
    shown = {"refinements": texts, "critiques": history.of(names.CRITIQUE, slot.exchange)}
    values = {"unanswered": Own("\n".join(_unanswered(history, slot.exchange))) or NONE}
    return _with_history(history, slot, values, shown)


def _unanswered(history: History, exchange: int) -> Iterator[str]:
    """Yield a line for each point that no refinement answers."""
    for critique, number in history.unanswered(exchange):
        target = parse_id(str(history.look(critique).get("target")))
        yield f"- {critique}, point {number}, against {target}"


_OF_KIND: Mapping[str, Callable[[History, Slot], Context]] = {
    names.QUESTION: _for_questions,
    names.SUMMARY: _for_summary,
    names.PROPOSAL: _for_proposal,
    names.CRITIQUE: _for_critique,
    names.REFINEMENT: _for_refinement,
    names.ASSESSMENT: _for_assessment,
    JUDGE_SUMMARY: _for_summary,
    names.SYNTHESIS: _for_synthesis,
}


def _with_history(
    history: History,
    slot: Slot,
    values: Mapping[str, str],
    shown: Mapping[str, tuple[str, ...]],
) -> Context:
    """Return a context with one's own history, without what it shows already."""
    seen = {i for ids in shown.values() for i in ids}
    own = tuple(i for i in history.own(slot.participant, slot.exchange) if i not in seen)
    values = {**values, **_note(history, own)}
    return Context(values, {**shown, "history": own}, may_shorten=("history",))


def _note(history: History, ids: Iterable[str]) -> dict[str, str]:
    """Return which of these entries is a summary, and what it stands for."""
    for summary in (i for i in ids if i in history.of(names.SUMMARY)):
        before, after = (history.number(summary, key) for key in ("before", "after"))
        note = f"what came before it: {before} characters became {after}."
        return {"history_note": Own(f"{summary} is your own summary of {note}")}
    return {"history_note": Own()}


def _joined(words: Iterable[str]) -> Own:
    """Return words as a list in a sentence.

    >>> _joined(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = [*words] or [NONE]
    return Own(f"{', '.join(first)} and {last}" if first else last)
