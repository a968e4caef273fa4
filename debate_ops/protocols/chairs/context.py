"""What each participant of a debate of chairs is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from debate_ops.model.texts import is_blank, one_line, quoted
from debate_ops.model.turn import Context, Own
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import course, frameworks, statistics
from debate_ops.protocols.chairs.course import slot_at
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
    MODERATOR,
    MOST_WORDS,
    OPENING,
    REASONS,
    REPLY,
    SELF_CRITIQUE,
    SPEECH,
    STEEL_MANNING,
)
from debate_ops.protocols.chairs.settings import (
    chair_of,
    has_interjections,
    has_interruptions,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.schedule import Past, Slot

Values = dict[str, str]
Shown = Mapping[str, tuple[str, ...]]


def sees(past: Past, slot: Slot) -> Context:
    """Return what a participant sees: nothing that another one says in the same turn."""
    own = _OF_KIND[slot.kind](past, slot)
    words = {"words": Own(MOST_WORDS[slot.kind])} if slot.kind in MOST_WORDS else {}
    return own._replace(values={**own.values, **words})


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


def _for_speech(past: Past, slot: Slot) -> Context:
    settings = past.settings
    answered = course.answered_by(past, slot)
    rule, example_end = _QUESTION[_is_heard_again(past, slot, answered)]
    values = {
        "answered_name": Own(_name_in(answered) or "nobody yet: no other chair has spoken"),
        "question_rule": Own(rule),
        "example_end": Own(example_end),
        "max_exchanges": Own(settings["max_exchanges"]),
    }
    return _at_the_table(past, slot, values, {"answered": _one(answered)})


def _is_heard_again(past: Past, slot: Slot, answered: str) -> bool:
    """Tell whether the chair that a speech answers has a speech to come; if none, whoever has."""
    if slot.exchange < past.settings["max_exchanges"]:
        return True
    to_come = course.chairs_of(past)[slot.number :]
    return _name_in(answered) in to_come if answered else bool(to_come)


def _at_the_table(past: Past, slot: Slot, values: Mapping[str, str], about: Shown) -> Context:
    """Return what a chair knows that speaks in an exchange: what its words are about, and the rest.

    It has heard all that was said but the introduction.
    """
    known = {
        "obligations": Own(frameworks.obligations(past.settings)),
        "absence_note": _absence_note(past),
    } | _as_chair(past.settings, slot.participant)
    return Context({**values, **known}, _with_the_rest(past, about), may_shorten=("debate",))


def _with_the_rest(past: Past, about: Shown) -> Shown:
    """Return what a task is about, and all else that was said, the introduction apart."""
    named = {entry for ids in about.values() for entry in ids}
    said = [each for each in _said(past) if each.kind != INTRODUCTION and each.id not in named]
    return {**about, "debate": _there(past, said)}


def _for_interruption(past: Past, slot: Slot) -> Context:
    floor = past.look(slot_at(slot.exchange, MODERATOR, FLOOR, slot.number).id)
    values = {"speaker": Own(course.speaker_of(past, slot)), "why": _why(floor)}
    return _at_the_table(past, slot, values, _speech(past, slot))


def _why(floor: Mapping[str, Any]) -> Own:
    """Return for what a chair was given the floor."""
    return Own(
        f"Reason: {frameworks.REASONS_TOLD[floor['reason']]}.\n"
        f"The words that call for it:\n{quoted(str(floor['trigger']))}\n"
        f"A proposed opener:\n{quoted(str(floor['opener']))}"
    )


def _for_reply(past: Past, slot: Slot) -> Context:
    interruption = course.interruption_of(past, slot)
    about = {**_speech(past, slot), "interruption": (interruption.id,)}
    interrupter = {"interrupter": Own(interruption.participant)}
    return _at_the_table(past, slot, interrupter, about)


# ---------------------------------------------------------------- those beside the chairs


def _for_introduction(past: Past, _: Slot) -> Context:
    values = {
        "chairs": _chairs(past.settings, course.chairs_of(past)),
        "rules": Own("\n".join(f"- {line}" for line in _rules(past.settings))),
    }
    return Context(values | _manner(past.settings))


def _for_closing(past: Past, _: Slot) -> Context:
    values = {
        "chairs": _chairs(past.settings, course.chairs_of(past)),
        "statistics": Own(statistics.lines(statistics.of_past(past))),
        "absence_note": _absence_note(past),
    }
    shown = {"debate": _there(past, _said(past))}
    return Context(values | _manner(past.settings), shown, may_shorten=("debate",))


def _for_interjection(past: Past, slot: Slot) -> Context:
    evaluation = slot_at(slot.exchange, EVALUATOR, EVALUATION, slot.number).id
    kind = past.look(evaluation)["violation"]
    rule, example_end = _CALL[slot.exchange < past.settings["max_exchanges"]]
    values = {
        "call_rule": Own(rule),
        "example_end": Own(example_end),
        "speaker": Own(course.speaker_of(past, slot)),
        "violation": Own(f"What you step in for: {frameworks.VIOLATIONS_TOLD[kind]}."),
        "tone_rule": Own(frameworks.TONES[past.settings["tone"]]),
    }
    shown = {**_speech_and_answered(past, slot), "evaluation": _one(evaluation)}
    return Context(values, shown)


def _for_evaluation(past: Past, slot: Slot) -> Context:
    chair, settings = course.speaker_of(past, slot), past.settings
    judged = frameworks.parts(settings)
    framework = (_framework(settings, chair), *_position(chair_of(settings, chair)))
    values = {
        "chair": Own(chair),
        "chair_framework": Own("\n\n".join(framework)),
        "obligations": Own(frameworks.obligations(settings)),
        "parts_rule": Own("\n".join(_PARTS_TOLD[part] for part in judged)),
        "example_parts": Own("\n".join(_PARTS_SHOWN[part] for part in judged)),
        "absence_note": _absence_note(past),
    }
    shown = _with_the_rest(past, _speech_and_answered(past, slot))
    return Context(values, shown, may_shorten=("debate",))


def _for_floor(past: Past, slot: Slot) -> Context:
    reasons = (f"- `{reason}`: {frameworks.REASONS_TOLD[reason]}." for reason in REASONS)
    values = {
        "speaker": Own(course.speaker_of(past, slot)),
        "eligible": _chairs(past.settings, course.eligible(past, slot.exchange, slot.number)),
        "reasons": Own("\n".join(reasons)),
    }
    return Context(values, _speech_and_answered(past, slot))


_OF_KIND: Mapping[str, Callable[[Past, Slot], Context]] = {
    INTRODUCTION: _for_introduction,
    OPENING: lambda past, slot: Context(_as_chair(past.settings, slot.participant)),
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


# ---------------------------------------------------------------- frameworks and positions


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
    texts = (
        ("Whom you are to be in this debate", chair["persona"]),
        ("Your position on the motion", chair["position"]),
        ("What you have to grant at some point of the debate", chair["must_acknowledge"]),
    )
    return Own(
        "\n\n".join(
            f"{what}, as its organiser put it:\n\n{quoted(text)}"
            for what, text in texts
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
    if has_interjections(settings):
        yield "Where a speech falls short of that, you say so before the next chair speaks."
    if has_interruptions(settings):
        yield (
            "After a speech another chair may cut in, where a moderator finds it urgent; the "
            "speaker replies, and the debate goes on in its order."
        )
    yield "At the end you sum up. There is no winner: the audience makes up its own mind."


# ---------------------------------------------------------------- what was said


def _said(past: Past) -> Iterator[Slot]:
    """Yield the slot of everything that can be heard, in the order in which it is said."""
    yield slot_at(0, ARBITER, INTRODUCTION)
    yield from (slot_at(0, name, OPENING) for name in course.chairs_of(past))
    for exchange, place in course.places(past.settings):
        speaker = course.chairs_of(past)[place - 1]
        yield (speech := slot_at(exchange, speaker, SPEECH, place))
        yield slot_at(exchange, ARBITER, INTERJECTION, place)
        if course.interrupter_of(past, exchange, place):
            yield course.interruption_of(past, speech)
            yield slot_at(exchange, speaker, REPLY, place)


def _there(past: Past, slots: Iterable[Slot]) -> tuple[str, ...]:
    return tuple(slot.id for slot in slots if past.has(slot))


def _absence_note(past: Past) -> Own:
    """Return which speeches of chairs were skipped; empty if none."""
    missing = [slot for slot in _said(past) if slot.absence_id in past.ids]
    labels = [_label(slot) for slot in missing if slot.participant != ARBITER]
    if not labels:
        return Own()
    return Own(f"Not given: {'; '.join(labels)}. Do not guess at what would have been said.")


def _label(slot: Slot) -> str:
    where = f" in exchange {slot.exchange}" if slot.exchange else ""
    return f"the {slot.kind} of {slot.participant}{where}"


def _speech_and_answered(past: Past, slot: Slot) -> Shown:
    return {**_speech(past, slot), "answered": _one(course.answered_by(past, slot))}


def _speech(past: Past, slot: Slot) -> Shown:
    """Return the speech that a slot is about."""
    return {"speech": (course.speech_of(past, slot).id,)}


def _one(entry_id: str) -> tuple[str, ...]:
    return (entry_id,) if entry_id else ()


def _name_in(entry_id: str) -> str:
    return entry_id.partition("_")[0]
