"""What each participant of a debate of chairs is shown: a row for each kind of task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.texts import is_blank, one_line, quoted
from debate_ops.model.turn import Context, Own
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import course, frameworks, names, statistics
from debate_ops.protocols.chairs.settings import (
    chair_of,
    has_interjections,
    has_interruptions,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.schedule import Past, Slot


class _Task(NamedTuple):
    """What a task shows, by placeholder: texts of `_TEXTS`, entries of `_ENTRIES`, and the rest."""

    texts: tuple[str, ...]
    entries: tuple[str, ...] = ()
    debate: bool = False


_MANNER = ("tone_rule", "tensions")
_AS_CHAIR = ("own_framework", "persona", "chairs", *_MANNER)
_IN_AN_EXCHANGE = (*_AS_CHAIR, "obligations", "absence_note")
_JUDGED = ("parts_rule", "example_parts")
_TASKS: Mapping[str, _Task] = {
    names.INTRODUCTION: _Task(("chairs", "rules", *_MANNER)),
    names.OPENING: _Task(_AS_CHAIR),
    names.SPEECH: _Task(
        ("answered_name", "max_exchanges", "question_rule", "example_end", *_IN_AN_EXCHANGE),
        ("answered",),
        debate=True,
    ),
    names.EVALUATION: _Task(
        ("speaker", "chair_framework", "obligations", "absence_note", *_JUDGED),
        ("speech", "answered"),
        debate=True,
    ),
    names.FLOOR: _Task(("speaker", "eligible", "reasons"), ("speech", "answered")),
    names.INTERJECTION: _Task(
        ("speaker", "violation", "tone_rule", "call_rule", "example_end"),
        ("speech", "answered", "evaluation"),
    ),
    names.INTERRUPTION: _Task(("speaker", "why", *_IN_AN_EXCHANGE), ("speech",), debate=True),
    names.REPLY: _Task(("interrupter", *_IN_AN_EXCHANGE), ("speech", "interruption"), debate=True),
    names.CLOSING: _Task(("chairs", "statistics", "absence_note", *_MANNER), debate=True),
}


def sees(past: Past, slot: Slot) -> Context:
    """Return what a participant sees: nothing that another one says in the same turn."""
    task = _TASKS[slot.kind]
    texts = {name: Own(_TEXTS[name](past, slot)) for name in task.texts}
    if slot.kind in names.MOST_WORDS:
        texts["words"] = Own(names.MOST_WORDS[slot.kind])
    about = {name: _ENTRIES[name](past, slot) for name in task.entries}
    shown = {name: (entry_id,) if entry_id else () for name, entry_id in about.items()}
    if not task.debate:
        return Context(texts, shown)
    heard = [s for s in course.heard(past) if _is_of_the_debate(s, slot)]
    rest = tuple(s.id for s in heard if s.id not in about.values())
    return Context(texts, shown | {"debate": rest}, may_shorten=("debate",))


def _is_of_the_debate(heard: Slot, slot: Slot) -> bool:
    """Tell whether something is shown of the rest: the introduction is only to who closes."""
    return heard.kind != names.INTRODUCTION or slot.kind == names.CLOSING


_ENTRIES: Mapping[str, Callable[[Past, Slot], str]] = {
    "speech": lambda past, slot: course.speech_of(past, slot).id,
    "answered": course.answered_by,
    "evaluation": lambda _, slot: course.about(slot, names.EVALUATOR, names.EVALUATION).id,
    "interruption": lambda past, slot: course.interruption_of(past, slot).id,
}
"""The id of what a task is about, by placeholder; empty where there is none."""


def _answered_name(past: Past, slot: Slot) -> str:
    return course.answered_by(past, slot).partition("_")[0]


def _ending(name: str) -> Callable[[Past, Slot], str]:
    """Return what gives the end of a speech or interjection: by whether who is asked can answer."""

    def text(past: Past, slot: Slot) -> str:
        which = "more" if _is_heard_again(past, slot) else "last"
        return frameworks.ENDINGS[slot.kind][which][name]

    return text


def _is_heard_again(past: Past, slot: Slot) -> bool:
    """Tell whether the chair that is spoken to has a speech to come; if none is, any chair."""
    if slot.exchange < past.settings["max_exchanges"]:
        return True
    is_to_speaker = slot.kind == names.INTERJECTION
    chair = course.speaker_of(past, slot) if is_to_speaker else _answered_name(past, slot)
    to_come = names_of(past.settings)[slot.number :]
    return chair in to_come if chair else bool(to_come)


def _why(past: Past, slot: Slot) -> str:
    decision = past.look(course.about(slot, names.MODERATOR, names.FLOOR).id)
    return (
        f"Reason: {frameworks.REASONS[decision['reason']].clause}.\n"
        f"The words that call for it:\n{quoted(str(decision['trigger']))}\n"
        f"A proposed opener:\n{quoted(str(decision['opener']))}"
    )


def _violation(past: Past, slot: Slot) -> str:
    evaluation = past.look(course.about(slot, names.EVALUATOR, names.EVALUATION).id)
    return f"What you step in for: {frameworks.VIOLATIONS[evaluation['violation']]}."


def _framework(chair: Mapping[str, Any]) -> str:
    """Return the framework of a chair, in full; quoted if its organiser wrote it."""
    framework = frameworks.of(chair["framework"])
    parts = [
        f"**{framework.name}**. {framework.description}".strip(),
        f"It asks: {framework.question}",
        _list("Where it is strong:", framework.strengths),
        _list("Where it is weak:", framework.weaknesses),
    ]
    text = "\n\n".join(filter(None, parts))
    return text if isinstance(chair["framework"], str) else f"{_ITS_OWN}:\n\n{quoted(text)}"


_ITS_OWN = "A framework of this debate's own, as its organiser put it"


def _list(heading: str, items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join((heading, "", *lines)) if lines else ""


def _chair_framework(past: Past, slot: Slot) -> str:
    chair = chair_of(past.settings, course.speaker_of(past, slot))
    return "\n\n".join((_framework(chair), *_position(chair)))


_ABOUT_A_CHAIR = {
    "persona": "Whom you are to be in this debate",
    "position": "Your position on the motion",
    "must_acknowledge": "What you have to grant at some point of the debate",
}


def _persona(chair: Mapping[str, Any]) -> str:
    """Return what the organiser said of a chair, quoted; empty if nothing."""
    return "\n\n".join(
        f"{heading}, as its organiser put it:\n\n{quoted(chair[key])}"
        for key, heading in _ABOUT_A_CHAIR.items()
        if not is_blank(chair[key])
    )


def _chairs(settings: Settings, chairs: Iterable[str]) -> str:
    """Return each chair: its framework, what that asks, and its position, if it has one.

    What else the organiser said of a chair is for that chair alone.
    """
    listed = (chair_of(settings, name) for name in chairs)
    return "\n".join(line for chair in listed for line in (_chair(chair), *_position(chair)))


def _chair(chair: Mapping[str, Any]) -> str:
    name, framework = chair["name"], frameworks.of(chair["framework"])
    if isinstance(chair["framework"], str):
        return f"- {name} ({framework.name}): {framework.question}"
    return f"- {name}. {_ITS_OWN}:\n{quoted(f'{framework.name}: {framework.question}')}"


def _position(chair: Mapping[str, Any]) -> Iterator[str]:
    """Yield the position of a chair, if its organiser gave it one."""
    if not is_blank(chair["position"]):
        yield f"Its position, as the organiser put it:\n{quoted(chair['position'])}"


def _other_chairs(past: Past, slot: Slot) -> str:
    """Return all chairs but the one that is asked; the arbiter is none."""
    others = (name for name in names_of(past.settings) if name != slot.participant)
    return _chairs(past.settings, others)


def _tensions(questions: Iterable[str]) -> str:
    """Return the questions that the organiser wants faced, a line each; empty if there are none."""
    lines = "\n".join(f"- {one_line(question)}" for question in questions)
    heading = "Questions that the organiser wants this debate to face, where they fit:"
    return f"{heading}\n\n{quoted(lines)}" if lines else ""


def _rules(settings: Settings) -> str:
    """Return how the debate goes, in sentences for the one who introduces it."""
    number = settings["max_exchanges"]
    applies = {
        "evaluations": is_evaluated(settings),
        "interjections": has_interjections(settings),
        "interruptions": has_interruptions(settings),
    }
    sentences = "\n".join(
        f"- {each}" for name, each in frameworks.RULES.items() if applies.get(name, True)
    )
    exchanges = "one exchange" if number == 1 else f"{number} exchanges"
    return sentences.format(exchanges=exchanges, order=", ".join(names_of(settings)))


def _absence_note(past: Past, _: Slot) -> str:
    """Return which speeches of chairs were skipped; nobody misses an interruption not made."""
    slots = (slot for slot in course.aloud(past) if slot.kind != names.INTERRUPTION)
    return past.absence_note(slot for slot in slots if slot.participant != names.ARBITER)


def _judged(key: str) -> Callable[[Past, Slot], str]:
    """Return what gives a text of every part that is judged."""
    return lambda past, _: "\n".join(
        str(getattr(frameworks.PARTS[part], key)) for part in frameworks.parts(past.settings)
    )


_TEXTS: Mapping[str, Callable[[Past, Slot], str]] = {
    "absence_note": _absence_note,
    "answered_name": lambda past, slot: (
        _answered_name(past, slot) or "nobody yet: no other chair has spoken"
    ),
    "call_rule": _ending("call_rule"),
    "chair_framework": _chair_framework,
    "chairs": _other_chairs,
    "eligible": lambda past, slot: _chairs(past.settings, course.eligible(past, slot)),
    "example_end": _ending("example_end"),
    "example_parts": _judged("example"),
    "interrupter": lambda past, slot: course.interruption_of(past, slot).participant,
    "max_exchanges": lambda past, _: past.settings["max_exchanges"],
    "obligations": lambda past, _: frameworks.obligations(past.settings),
    "own_framework": lambda past, slot: _framework(chair_of(past.settings, slot.participant)),
    "parts_rule": _judged("rule"),
    "persona": lambda past, slot: _persona(chair_of(past.settings, slot.participant)),
    "question_rule": _ending("question_rule"),
    "reasons": lambda *_: "\n".join(
        f"- `{name}`: {reason.clause}." for name, reason in frameworks.REASONS.items()
    ),
    "rules": lambda past, _: _rules(past.settings),
    "speaker": course.speaker_of,
    "statistics": lambda past, _: statistics.lines(statistics.of_past(past)),
    "tensions": lambda past, _: _tensions(past.settings["key_tensions"]),
    "tone_rule": lambda past, _: frameworks.TONES[past.settings["tone"]],
    "violation": _violation,
    "why": _why,
}
"""What the program itself says in a prompt, by placeholder."""
