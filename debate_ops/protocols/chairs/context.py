"""What each participant of a debate of chairs is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Record
from debate_ops.model.texts import is_blank, one_line, quoted
from debate_ops.model.turn import Context, Own, Task, Turn
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import course, frameworks, statistics
from debate_ops.protocols.chairs.course import Course, Slot
from debate_ops.protocols.chairs.names import (
    ARBITER,
    CLOSING,
    CONSISTENCY,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    HONESTY,
    INTERJECTION,
    INTERRUPTION,
    INTRODUCTION,
    KINDS,
    MODERATOR,
    OPENING,
    REASONS,
    REPLY,
    SELF_CRITIQUE,
    SPEECH,
    STEEL_MANNING,
)
from debate_ops.protocols.chairs.settings import (
    chair_of,
    has_interruptions,
    is_evaluated,
    names_of,
)

Values = dict[str, str]
Shown = Mapping[str, tuple[str, ...]]


def context(debate: Debate, turn: Turn, task: Task) -> Context:
    """Return what a participant sees: nothing that another one says in the same turn."""
    held = course.of_record(debate.record, debate.settings)
    slot = course.slot_of(turn, task.participant, held)
    given = _GIVEN[slot.kind](debate, held, slot)
    words = {"words": Own(KINDS[slot.kind].words)} if KINDS[slot.kind].words else {}
    return given._replace(values={**given.values, **words})


# ---------------------------------------------------------------- chairs


def _as_chair(settings: Settings, name: str) -> Values:
    """Return what a chair is told in every task."""
    others = [each for each in names_of(settings) if each != name]
    return {
        "own_framework": _framework(settings, name),
        "persona": _persona(chair_of(settings, name)),
        "chairs": _chairs(settings, others),
    } | _manner(settings)


def _manner(settings: Settings) -> Values:
    return {
        "tone_rule": Own(frameworks.TONES[settings["tone"]]),
        "tensions": _tensions(settings["key_tensions"]),
    }


def _for_opening(debate: Debate, _: Course, slot: Slot) -> Context:
    return Context(_as_chair(debate.settings, slot.participant))


def _for_speech(debate: Debate, held: Course, slot: Slot) -> Context:
    settings = debate.settings
    answered = course.answered_by(held, slot.exchange, slot.place)
    rule, example_end = _QUESTION[_is_heard_again(held, slot, answered)]
    values = {
        "answered_name": Own(_name_in(answered) or "nobody yet: no other chair has spoken"),
        "question_rule": Own(rule),
        "example_end": Own(example_end),
        "max_exchanges": Own(settings["max_exchanges"]),
    }
    return _at_the_table(debate, held, slot, values, {"answered": _one(answered)})


def _is_heard_again(held: Course, slot: Slot, answered: str) -> bool:
    """Tell whether the chair that a speech answers has a speech to come; if none, whoever has."""
    if slot.exchange < held.settings["max_exchanges"]:
        return True
    to_come = held.chairs[slot.place :]
    return _name_in(answered) in to_come if answered else bool(to_come)


def _at_the_table(
    debate: Debate, held: Course, slot: Slot, values: Mapping[str, str], about: Shown
) -> Context:
    """Return what a chair knows that speaks in an exchange: what its words are about, and the rest.

    It has heard all that was said but the introduction.
    """
    known = {
        "obligations": Own(frameworks.obligations(debate.settings)),
        "absence_note": _absence_note(held),
    } | _as_chair(debate.settings, slot.participant)
    return Context({**values, **known}, _with_the_rest(held, about), may_shorten=("debate",))


def _with_the_rest(held: Course, about: Shown) -> Shown:
    """Return what a task is about, and all else that was said, the introduction apart."""
    named = {entry for ids in about.values() for entry in ids}
    said = [each for each in _said(held) if each.kind != INTRODUCTION and each.id not in named]
    return {**about, "debate": _there(held, said)}


def _for_interruption(debate: Debate, held: Course, slot: Slot) -> Context:
    floor = held.look(Slot(slot.exchange, MODERATOR, FLOOR, slot.place).id)
    values = {"speaker": Own(held.chairs[slot.place - 1]), "why": _why(floor)}
    return _at_the_table(debate, held, slot, values, {"speech": _one(_speech(held, slot))})


def _why(floor: Mapping[str, Any]) -> Own:
    """Return for what a chair was given the floor."""
    return Own(
        f"Reason: {frameworks.REASONS_TOLD[floor['reason']]}.\n"
        f"The words that call for it:\n{quoted(str(floor['trigger']))}\n"
        f"A proposed opener:\n{quoted(str(floor['opener']))}"
    )


def _for_reply(debate: Debate, held: Course, slot: Slot) -> Context:
    interrupter = held.cut_in[slot.exchange, slot.place]
    interruption = Slot(slot.exchange, interrupter, INTERRUPTION, slot.place)
    about = {"speech": _one(_speech(held, slot)), "interruption": _one(interruption.id)}
    return _at_the_table(debate, held, slot, {"interrupter": Own(interrupter)}, about)


# ---------------------------------------------------------------- those beside the chairs


def _for_introduction(debate: Debate, held: Course, _: Slot) -> Context:
    values = {
        "chairs": _chairs(debate.settings, held.chairs),
        "rules": Own("\n".join(f"- {line}" for line in _rules(debate.settings))),
    }
    return Context(values | _manner(debate.settings))


def _for_closing(debate: Debate, held: Course, _: Slot) -> Context:
    values = {
        "chairs": _chairs(debate.settings, held.chairs),
        "statistics": _statistics(debate.record, debate.settings),
        "absence_note": _absence_note(held),
    }
    shown = {"debate": _there(held, _said(held))}
    return Context(values | _manner(debate.settings), shown, may_shorten=("debate",))


def _for_interjection(debate: Debate, held: Course, slot: Slot) -> Context:
    evaluation = Slot(slot.exchange, EVALUATOR, EVALUATION, slot.place).id
    kind = held.look(evaluation)["violation"]
    rule, example_end = _CALL[slot.exchange < held.settings["max_exchanges"]]
    values = {
        "call_rule": Own(rule),
        "example_end": Own(example_end),
        "speaker": Own(held.chairs[slot.place - 1]),
        "violation": Own(f"What you step in for: {frameworks.VIOLATIONS_TOLD[kind]}."),
        "tone_rule": Own(frameworks.TONES[debate.settings["tone"]]),
    }
    shown = {**_speech_and_answered(held, slot), "evaluation": _one(evaluation)}
    return Context(values, shown)


def _for_evaluation(debate: Debate, held: Course, slot: Slot) -> Context:
    chair = held.chairs[slot.place - 1]
    judged = frameworks.parts(debate.settings)
    values = {
        "chair": Own(chair),
        "chair_framework": Own(
            "\n\n".join(
                (_framework(debate.settings, chair), *_position(chair_of(debate.settings, chair)))
            )
        ),
        "obligations": Own(frameworks.obligations(debate.settings)),
        "parts_rule": Own("\n".join(_PARTS_TOLD[part] for part in judged)),
        "example_parts": Own("\n".join(_PARTS_SHOWN[part] for part in judged)),
    }
    shown = _with_the_rest(held, _speech_and_answered(held, slot))
    return Context(values | {"absence_note": _absence_note(held)}, shown, may_shorten=("debate",))


def _for_floor(debate: Debate, held: Course, slot: Slot) -> Context:
    eligible = course.eligible(held, slot.exchange, slot.place)
    values = {
        "speaker": Own(held.chairs[slot.place - 1]),
        "eligible": _chairs(debate.settings, eligible),
        "reasons": Own(
            "\n".join(f"- `{reason}`: {frameworks.REASONS_TOLD[reason]}." for reason in REASONS)
        ),
    }
    return Context(values, _speech_and_answered(held, slot))


_GIVEN: Mapping[str, Callable[[Debate, Course, Slot], Context]] = {
    INTRODUCTION: _for_introduction,
    OPENING: _for_opening,
    SPEECH: _for_speech,
    EVALUATION: _for_evaluation,
    FLOOR: _for_floor,
    INTERJECTION: _for_interjection,
    INTERRUPTION: _for_interruption,
    REPLY: _for_reply,
    CLOSING: _for_closing,
}

_QUESTION: Mapping[bool, tuple[str, str]] = {
    True: (
        "Ask it a question that it must answer next.",
        "So tell me: would you close the swimming pool as well?",
    ),
    False: (
        "It gives no further speech: leave it no question, and bring your point to an end.",
        "So I would open the door, and pay the clerk for it as I would want to be paid.",
    ),
}
"""How a speech treats the chair it answers, and how its example ends: by whether that chair speaks
again."""

_CALL: Mapping[bool, tuple[str, str]] = {
    True: (
        "Say what you ask for in its next speech.",
        "Please put it as Duty put it, and then tell us why you are not convinced.",
    ),
    False: (
        "This was its last speech: ask nothing of it, and tell the listeners what to keep in mind.",
        "Whoever listens should weigh it as Duty put it: did the clerk ever have a choice?",
    ),
}
"""How an interjection ends, and its example: by whether the chair speaks again."""

_PARTS_TOLD: Mapping[str, str] = {
    STEEL_MANNING: "  - `steel_manning`: `points`, `quality` (`strong`, `adequate`, `weak` or "
    "`absent`), and `notes`: one\n    or two sentences that name what decides it.",
    SELF_CRITIQUE: "  - `self_critique`: the same.",
    CONSISTENCY: "  - `framework_consistency`: `points`, `consistent` (true or false), and "
    "`violations`: what breaks with the\n    framework, a sentence each, at most three; an empty "
    "list if `consistent` is true, and never if it is false.",
    HONESTY: "  - `intellectual_honesty`: `points`, `level` (`high`, `medium` or `low`), and "
    "`issues`: what is wrong, a sentence\n    each, at most three; an empty list if nothing is.",
}
_PARTS_SHOWN: Mapping[str, str] = {
    STEEL_MANNING: ' "steel_manning": {"points": 17, "quality": "adequate",\n'
    '  "notes": "Puts the worry about the clerk fairly, but leaves out that three asked for it."},',
    SELF_CRITIQUE: ' "self_critique": {"points": 22, "quality": "strong",\n'
    '  "notes": "Names that adding up lets many small gains outweigh one person\'s Sunday."},',
    CONSISTENCY: ' "framework_consistency": {"points": 11, "consistent": false,\n'
    '  "violations": ["Rests its last reason on a promise, whatever follows from keeping it."]},',
    HONESTY: ' "intellectual_honesty": {"points": 21, "level": "high", "issues": []},',
}


# ---------------------------------------------------------------- what is told


def _framework(settings: Settings, name: str) -> Own:
    """Return the framework of a chair, in full; quoted if its organiser wrote it."""
    stored = chair_of(settings, name)["framework"]
    framework = frameworks.of(stored)
    parts = [
        f"**{framework.name}**. {framework.description}".strip(),
        f"It asks: {framework.question}",
        _list("Where it is strong:", framework.strengths),
        _list("Where it is weak:", framework.weaknesses),
    ]
    text = "\n\n".join(filter(None, parts))
    return Own(text if isinstance(stored, str) else f"{_ITS_OWN}:\n\n{quoted(text)}")


_ITS_OWN = "A framework of this debate's own, as its organiser put it"


def _list(heading: str, items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join((heading, "", *lines)) if lines else ""


def _persona(chair: Mapping[str, Any]) -> Own:
    """Return what the organiser said of a chair, quoted; empty if nothing."""
    told = (
        ("Whom you are to be in this debate", chair["persona"]),
        ("Your position on the motion", chair["position"]),
        ("What you have to grant at some point of the debate", chair["must_acknowledge"]),
    )
    return Own(
        "\n\n".join(
            f"{what}, as its organiser put it:\n\n{quoted(text)}"
            for what, text in told
            if not is_blank(text)
        )
    )


def _chairs(settings: Settings, names: Iterable[str]) -> Own:
    """Return each chair: its framework, what that asks, and its position, if it has one.

    What else the organiser said of a chair is for that chair alone.
    """
    return Own("\n".join(_chair(chair_of(settings, name)) for name in names))


def _chair(chair: Mapping[str, Any]) -> str:
    name, stored = chair["name"], chair["framework"]
    framework = frameworks.of(stored)
    known = (
        f"- {name} ({framework.name}): {framework.question}"
        if isinstance(stored, str)
        else f"- {name}. {_ITS_OWN}:\n{quoted(f'{framework.name}: {framework.question}')}"
    )
    return "\n".join((known, *_position(chair)))


def _position(chair: Mapping[str, Any]) -> Iterator[str]:
    """Yield the position of a chair, if its organiser gave it one."""
    if not is_blank(chair["position"]):
        yield f"Its position, as the organiser put it:\n{quoted(chair['position'])}"


def _tensions(questions: Iterable[str]) -> Own:
    """Return the questions that the organiser wants faced, a line each; empty if there are none."""
    lines = "\n".join(f"- {one_line(question)}" for question in questions)
    return Own(f"{_TENSIONS}\n\n{quoted(lines)}" if lines else "")


_TENSIONS = "Questions that the organiser wants this debate to face, where they fit:"


def _rules(settings: Settings) -> Iterator[str]:
    """Yield how the debate goes, in sentences for the one who introduces it."""
    order, number = ", ".join(names_of(settings)), settings["max_exchanges"]
    exchanges = "one exchange" if number == 1 else f"{number} exchanges"
    yield "First each chair gives an opening, without having heard the others'."
    yield (
        f"Then there are {exchanges}. In each, every chair speaks once, in this order: {order}; it "
        "answers the one before it."
    )
    if is_evaluated(settings):
        yield "After each speech an evaluator judges it by what it owes to the other side."
    if is_evaluated(settings) and settings["interjections"] == "allowed":
        yield "Where a speech falls short of that, you say so before the next chair speaks."
    if has_interruptions(settings):
        yield (
            "After a speech another chair may cut in, where a moderator finds it urgent; the "
            "speaker replies, and the debate goes on in its order."
        )
    yield "At the end you sum up. There is no winner: the audience makes up its own mind."


def _statistics(record: Record, settings: Settings) -> Own:
    return Own(statistics.lines(statistics.of_record(record, settings)))


# ---------------------------------------------------------------- what was said


def _said(held: Course) -> Iterator[Slot]:
    """Yield the slot of everything that can be heard, in the order in which it is said."""
    yield Slot(0, ARBITER, INTRODUCTION)
    yield from (Slot(0, name, OPENING) for name in held.chairs)
    for exchange, place in course.places(held.settings):
        speaker = held.chairs[place - 1]
        yield course.speech_slot(held, exchange, place)
        yield Slot(exchange, ARBITER, INTERJECTION, place)
        if interrupter := held.cut_in.get((exchange, place)):
            yield Slot(exchange, interrupter, INTERRUPTION, place)
            yield Slot(exchange, speaker, REPLY, place)


def _there(held: Course, slots: Iterable[Slot]) -> tuple[str, ...]:
    return tuple(slot.id for slot in slots if held.has(slot))


def _absence_note(held: Course) -> Own:
    """Return which speeches of chairs were skipped; empty if none."""
    missing = [slot for slot in _said(held) if slot.absence_id in held.ids]
    labels = [_label(slot) for slot in missing if slot.participant != ARBITER]
    if not labels:
        return Own()
    return Own(f"Not given: {'; '.join(labels)}. Do not guess at what would have been said.")


def _label(slot: Slot) -> str:
    where = f" in exchange {slot.exchange}" if slot.exchange else ""
    return f"the {slot.kind} of {slot.participant}{where}"


def _speech_and_answered(held: Course, slot: Slot) -> Shown:
    answered = course.answered_by(held, slot.exchange, slot.place)
    return {"speech": _one(_speech(held, slot)), "answered": _one(answered)}


def _speech(held: Course, slot: Slot) -> str:
    """Return the id of the speech that a slot is about."""
    return course.speech_id(held, slot.exchange, slot.place)


def _one(entry_id: str) -> tuple[str, ...]:
    return (entry_id,) if entry_id else ()


def _name_in(entry_id: str) -> str:
    return entry_id.partition("_")[0]
