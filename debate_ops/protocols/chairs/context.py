"""What each participant of a debate of chairs is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from debate_ops.model.texts import is_blank, one_line, quoted
from debate_ops.model.turn import Context, Own
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import course, frameworks, statistics
from debate_ops.protocols.chairs.frameworks import ENDINGS, PARTS, REASONS, RULES, TONES
from debate_ops.protocols.chairs.names import (
    ARBITER,
    CLOSING,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    INTERJECTION,
    INTERRUPTION,
    INTRODUCTION,
    MODERATOR,
    MOST_WORDS,
    OPENING,
    REPLY,
    SPEECH,
)
from debate_ops.protocols.chairs.settings import (
    chair_of,
    has_interjections,
    has_interruptions,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.schedule import Past, Slot

_Values = Mapping[str, str]
_Ids = Mapping[str, str]
"""The id of what a task is about, by placeholder; empty where there is none."""


def sees(past: Past, slot: Slot) -> Context:
    """Return what a participant sees: nothing that another one says in the same turn."""
    own = _OF_KIND[slot.kind](past, slot)
    words = {"words": Own(MOST_WORDS[slot.kind])} if slot.kind in MOST_WORDS else {}
    may_shorten = tuple(name for name in own.shown if name == "debate")
    return own._replace(values={**own.values, **words}, may_shorten=may_shorten)


def _about(ids: _Ids) -> dict[str, tuple[str, ...]]:
    return {name: (entry_id,) if entry_id else () for name, entry_id in ids.items()}


def _with_the_rest(past: Past, ids: _Ids) -> dict[str, tuple[str, ...]]:
    """Return what a task is about, and all else that was said, the introduction apart."""
    rest = [s.id for s in course.heard(past) if s.kind != INTRODUCTION and s.id not in ids.values()]
    return _about(ids) | {"debate": tuple(rest)}


def _speech_and_answered(past: Past, slot: Slot) -> dict[str, str]:
    speech = course.speech_of(past, slot).id
    return {"speech": speech, "answered": course.answered_by(past, slot)}


def _as_chair(settings: Settings, name: str) -> _Values:
    """Return what a chair reads in every task."""
    others = [each for each in names_of(settings) if each != name]
    return {
        "own_framework": _framework(settings, name),
        "persona": _persona(chair_of(settings, name)),
        "chairs": _chairs(settings, others),
        **_manner(settings),
    }


def _manner(settings: Settings) -> _Values:
    return {
        "tone_rule": Own(TONES[settings["tone"]]),
        "tensions": _tensions(settings["key_tensions"]),
    }


def _at_the_table(past: Past, slot: Slot, values: _Values, ids: _Ids) -> Context:
    """Return what a chair knows that speaks in an exchange: what its words are about, and the rest.

    It has heard all that was said but the introduction.
    """
    known = {
        "obligations": Own(frameworks.obligations(past.settings)),
        "absence_note": _absence_note(past),
        **_as_chair(past.settings, slot.participant),
    }
    return Context({**values, **known}, _with_the_rest(past, ids))


def _for_speech(past: Past, slot: Slot) -> Context:
    answered = course.answered_by(past, slot)
    name = answered.partition("_")[0]
    values = {
        "answered_name": Own(name or "nobody yet: no other chair has spoken"),
        "max_exchanges": Own(past.settings["max_exchanges"]),
        **_ending(SPEECH, has_more=_is_heard_again(past, slot, name)),
    }
    return _at_the_table(past, slot, values, {"answered": answered})


def _is_heard_again(past: Past, slot: Slot, answered: str) -> bool:
    """Tell whether the chair that a speech answers has a speech to come; if none, whoever has."""
    if slot.exchange < past.settings["max_exchanges"]:
        return True
    to_come = names_of(past.settings)[slot.number :]
    return answered in to_come if answered else bool(to_come)


def _ending(kind: str, *, has_more: bool) -> _Values:
    texts = ENDINGS[kind]["more" if has_more else "last"]
    return {name: Own(text) for name, text in texts.items()}


def _for_interruption(past: Past, slot: Slot) -> Context:
    decision = past.look(course.about(slot, MODERATOR, FLOOR).id)
    why = (
        f"Reason: {REASONS[decision['reason']].clause}.\n"
        f"The words that call for it:\n{quoted(str(decision['trigger']))}\n"
        f"A proposed opener:\n{quoted(str(decision['opener']))}"
    )
    values = {"speaker": Own(course.speaker_of(past, slot)), "why": Own(why)}
    return _at_the_table(past, slot, values, {"speech": course.speech_of(past, slot).id})


def _for_reply(past: Past, slot: Slot) -> Context:
    interruption = course.interruption_of(past, slot)
    ids = {"speech": course.speech_of(past, slot).id, "interruption": interruption.id}
    return _at_the_table(past, slot, {"interrupter": Own(interruption.participant)}, ids)


def _for_introduction(past: Past, _: Slot) -> Context:
    values = {
        "chairs": _chairs(past.settings, names_of(past.settings)),
        "rules": Own("\n".join(f"- {line}" for line in _rules(past.settings))),
    }
    return Context({**values, **_manner(past.settings)})


def _for_closing(past: Past, _: Slot) -> Context:
    values = {
        "chairs": _chairs(past.settings, names_of(past.settings)),
        "statistics": statistics.lines(statistics.of_past(past)),
        "absence_note": _absence_note(past),
    }
    debate = tuple(slot.id for slot in course.heard(past))
    return Context({**values, **_manner(past.settings)}, {"debate": debate})


def _for_interjection(past: Past, slot: Slot) -> Context:
    evaluation = course.about(slot, EVALUATOR, EVALUATION).id
    violation = frameworks.VIOLATIONS[past.look(evaluation)["violation"]]
    values = {
        "speaker": Own(course.speaker_of(past, slot)),
        "violation": Own(f"What you step in for: {violation}."),
        "tone_rule": Own(TONES[past.settings["tone"]]),
        **_ending(INTERJECTION, has_more=slot.exchange < past.settings["max_exchanges"]),
    }
    return Context(values, _about({**_speech_and_answered(past, slot), "evaluation": evaluation}))


def _for_evaluation(past: Past, slot: Slot) -> Context:
    chair, settings = course.speaker_of(past, slot), past.settings
    judged = [PARTS[part] for part in frameworks.parts(settings)]
    framework = (_framework(settings, chair), *_position(chair_of(settings, chair)))
    values = {
        "chair": Own(chair),
        "chair_framework": Own("\n\n".join(framework)),
        "obligations": Own(frameworks.obligations(settings)),
        "parts_rule": Own("\n".join(part.rule for part in judged)),
        "example_parts": Own("\n".join(part.example for part in judged)),
        "absence_note": _absence_note(past),
    }
    return Context(values, _with_the_rest(past, _speech_and_answered(past, slot)))


def _for_floor(past: Past, slot: Slot) -> Context:
    values = {
        "speaker": Own(course.speaker_of(past, slot)),
        "eligible": _chairs(past.settings, course.eligible(past, slot)),
        "reasons": Own("\n".join(f"- `{name}`: {each.clause}." for name, each in REASONS.items())),
    }
    return Context(values, _about(_speech_and_answered(past, slot)))


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
    headings = {
        "persona": "Whom you are to be in this debate",
        "position": "Your position on the motion",
        "must_acknowledge": "What you have to grant at some point of the debate",
    }
    return Own(
        "\n\n".join(
            f"{heading}, as its organiser put it:\n\n{quoted(chair[key])}"
            for key, heading in headings.items()
            if not is_blank(chair[key])
        )
    )


def _chairs(settings: Settings, names: Iterable[str]) -> Own:
    """Return each chair: its framework, what that asks, and its position, if it has one.

    What else the organiser said of a chair is for that chair alone.
    """
    chairs = (chair_of(settings, name) for name in names)
    return Own("\n".join(line for chair in chairs for line in (_chair(chair), *_position(chair))))


def _chair(chair: Mapping[str, Any]) -> str:
    name, framework = chair["name"], frameworks.of(chair["framework"])
    if isinstance(chair["framework"], str):
        return f"- {name} ({framework.name}): {framework.question}"
    return f"- {name}. {_ITS_OWN}:\n{quoted(f'{framework.name}: {framework.question}')}"


def _position(chair: Mapping[str, Any]) -> Iterator[str]:
    """Yield the position of a chair, if its organiser gave it one."""
    if not is_blank(chair["position"]):
        yield f"Its position, as the organiser put it:\n{quoted(chair['position'])}"


def _tensions(questions: Iterable[str]) -> Own:
    """Return the questions that the organiser wants faced, a line each; empty if there are none."""
    lines = "\n".join(f"- {one_line(question)}" for question in questions)
    heading = "Questions that the organiser wants this debate to face, where they fit:"
    return Own(f"{heading}\n\n{quoted(lines)}" if lines else "")


def _rules(settings: Settings) -> Iterator[str]:
    """Yield how the debate goes, in sentences for the one who introduces it."""
    number = settings["max_exchanges"]
    applies = {
        "evaluations": is_evaluated(settings),
        "interjections": has_interjections(settings),
        "interruptions": has_interruptions(settings),
    }
    for name, sentence in RULES.items():
        if applies.get(name, True):
            yield sentence.format(
                exchanges="one exchange" if number == 1 else f"{number} exchanges",
                order=", ".join(names_of(settings)),
            )


def _absence_note(past: Past) -> Own:
    """Return which speeches of chairs were skipped; empty if none.

    Nobody misses an interruption that was not made.
    """
    missing = [
        f"the {slot.label}"
        for slot in course.aloud(past)
        if past.is_absent(slot) and slot.participant != ARBITER and slot.kind != INTERRUPTION
    ]
    if not missing:
        return Own()
    return Own(f"Not given: {'; '.join(missing)}. Do not guess at what would have been said.")
