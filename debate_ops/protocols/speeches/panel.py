"""A panel: several who read the whole debate once, blind, half of them in the other order.

Each is asked for its view before it reads, and then for a ballot: one question, between choices
that are those who spoke or others, and issues with the same choices. Speakers are letters to a
member; `favours` has the name behind the letter on a ballot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from debate_ops.errors import Finding
from debate_ops.formats import entries
from debate_ops.model import messages
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import order
from debate_ops.model.turn import Context, Own, Task
from debate_ops.protocols.base import Settings
from debate_ops.protocols.replies import items, objects
from debate_ops.protocols.schedule import Field, Kind, Past, Replied, Slot, added
from debate_ops.protocols.speeches.settings import (
    NOBODY,
    answers_of,
    choices_of,
    labels_of,
    positions_of,
)

VIEW, BALLOT = "view", "ballot"
EVEN = "even"
_HAS_ID = re.compile(r"\[[a-z][a-z0-9-]*_[0-9]{3}")
"""How a speech begins that is made of entries of another debate, each with its own id."""
_OPENING = " -*_(\"'\N{LEFT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
"""What may stand before the first word of a sentence."""
_LEAST_NAME = 3
"""Letters of a name that is made unreadable in texts: a shorter one may be a word."""


def blinded(text: str, settings: Settings, member: str) -> str:
    """Return a text with the names of participants, alone and in ids, as a member reads them.

    A name that is a word of its own position, in short, stays where it stands alone.

    >>> two = [{"name": "ann", "position": ""}, {"name": "no", "position": ""}]
    >>> blinded("ann_001a against no_001a, says Ann, no less", {"participants": two}, "member-2")
    'B_001a against A_001a, says Side B, no less'
    """
    positions, voice = positions_of(settings), _voice(settings)
    for name, letter in labels_of(settings, member).items():
        word = re.escape(name)
        text = re.sub(rf"(?<![\w-]){word}_(?=[0-9]{{3}})", f"{letter}_", text)
        if len(name) >= _LEAST_NAME and not _stands_in(name, positions[name]):
            pattern = rf"(?<![\w-])(?:{word}|{word.capitalize()})(?![\w-])"
            text = re.sub(pattern, f"{voice} {letter}", text)
    return text


def _stands_in(name: str, position: str) -> bool:
    return name.casefold() in position.partition("\n")[0].casefold()


def _voice(settings: Settings) -> str:
    """Return what somebody who spoke is called, before the letter."""
    return "Speaker" if settings.get("choices") else "Side"


def named(an_id: str, settings: Settings, member: str) -> str:
    """Return the id on record of an entry that a member has read under another one."""
    letter, _, rest = an_id.partition("_")
    names = {label: name for name, label in labels_of(settings, member).items()}
    return f"{names[letter]}_{rest}" if letter in names else an_id


def unblinded(text: str, settings: Settings, member: str, called: Mapping[str, str]) -> str:
    """Return what a member wrote with those who spoke as readers call them, and ids on record.

    Letters that stand alone may be words, so they stay, with a key in front.

    >>> two = [{"name": "ann", "position": ""}, {"name": "ben", "position": ""}]
    >>> unblinded("Side B, in B_001.", {"participants": two}, "member-1", {"ben": "Ben"})
    'Ben, in ben_001.'
    >>> settings, called = {"participants": two}, {"ann": "the one", "ben": "the other"}
    >>> unblinded("Side A beats Side B. The Side B fails.", settings, "member-1", called)
    'The one beats the other. The other fails.'
    >>> unblinded("A point of B fails.", {"participants": two}, "member-1", {"ben": "Ben"})
    '(A: ann, B: Ben) A point of B fails.'
    """
    letters = {
        letter: called.get(name, name) for name, letter in labels_of(settings, member).items()
    }
    for name, letter in labels_of(settings, member).items():
        text = re.sub(rf"\b{letter}_(?=[0-9]{{3}})", f"{name}_", text)
        spoken = rf"\b(?:[Tt]he )?(?:Side|Speaker) {letter}\b"
        text = re.sub(spoken, partial(_placed, letters[letter]), text)
    if any(_stands_alone(letter, text) for letter in letters):
        return f"({', '.join(f'{letter}: {name}' for letter, name in letters.items())}) {text}"
    return text


def _placed(name: str, place: re.Match[str]) -> str:
    """Return a name as it is written at its place: with a capital where a sentence begins."""
    before = place.string[: place.start()].rstrip(_OPENING)
    return f"{name[:1].upper()}{name[1:]}" if before[-1:] in {"", *".!?…\n"} else name


def _stands_alone(letter: str, text: str) -> bool:
    """Tell whether somebody is called by a letter; A and I alone are words of English."""
    end = "(?='s)" if letter in {"A", "I"} else r"(?![\w-])"
    return bool(re.search(rf"(?<![\w-]){letter}{end}", text))


def sees(past: Past, slot: Slot) -> Context:
    """Return what a member of the panel may see: before its ballot no speech at all."""
    settings, member = past.settings, slot.participant
    question = blinded(settings["question"], settings, member)
    labels = answers_of(settings, member).values()
    values = {
        "question": question or Own(_QUESTION),
        "positions": blinded("\n".join(_positions(settings, member)), settings, member),
        "answers": Own(", ".join(f"`{label}`" for label in labels)),
        "even": Own(even_percent(len(labels))),
    }
    if slot.kind == VIEW:
        return Context(values)
    personas = settings["personas"]
    number = int(member.rpartition("-")[2]) - 1
    issues = "\n".join(f"{n}. {text}" for n, text in enumerate(settings["issues"], 1))
    values |= {
        "speeches": "\n\n".join(_speeches(past, member)) or "(none)",
        "issues": blinded(issues, settings, member) or "(none)",
        "issues_rule": Own(_ISSUES if issues else _NO_ISSUES),
        "persona": personas[number % len(personas)] if personas else "",
    }
    return Context(values)


_QUESTION = "Which side is right?"
_ISSUES = "Decide each of these issues, by its number:"
_NO_ISSUES = "No issues are set: leave `issues` an empty list, and go through yours in `reasons`."


def _positions(settings: Settings, member: str) -> Iterator[str]:
    """Yield what each answer says, and then for what those spoke who are no answer themselves."""
    labels, voice, choices = labels_of(settings, member), _voice(settings), choices_of(settings)
    for name, answer in answers_of(settings, member).items():
        called = f"{voice} {answer}" if name in labels else answer
        yield f"{called}: {choices[name] or '(none)'}"
    for name, position in positions_of(settings).items():
        if name not in choices and position:
            yield f"{voice} {labels[name]}: {position}"


def _speeches(past: Past, member: str) -> Iterator[str]:
    """Yield every speech as a member reads it: within a round in the order of its letters."""
    settings = past.settings
    names = list(labels_of(settings, member))
    places = ((order(i), i) for i in past.ids)
    said = ((number, names.index(name), i) for (number, name, *_), i in places if name in names)
    for _, _, entry_id in sorted(said):
        if entry := past.get(entry_id):
            value = entries.parse(entry)
            text = value.texts.get("Speech", "")
            if not _HAS_ID.match(text):
                text = "\n".join((f"[{entry_id}]", *entries.lines(value)))
            yield blinded(text, settings, member)


def task(past: Past, slot: Slot, task: Task) -> Task:  # noqa: ARG001  (as schedules have it)
    """Return a task; where a member of the panel fails, the others decide without it."""
    return task._replace(on_failure="absence") if slot.kind in KINDS else task


def _favours(replied: Replied) -> str:
    answers = answers_of(replied.past.settings, replied.slot.participant)
    said = replied.value["winner"]
    return next((name for name, answer in answers.items() if answer == said), NOBODY)


def _issues(replied: Replied) -> list[dict[str, Any]]:
    return [
        {key: item[key] for key in ("issue", "better", "why")} for item in replied.value["issues"]
    ]


def _steering(replied: Replied) -> list[str] | None:
    """Return who tried to steer the judges: left out of the record where nobody did."""
    return list(replied.value["steering"]) or None


def _steered_by(entry: Contribution) -> list[str]:
    return list(entry.data.get("steering", ()))


def winner_faults(replied: Replied, known: Collection[str]) -> Iterator[Finding]:
    """Yield what is wrong with the choice between `known`, and with how sure it is."""
    winner, percent = (replied.value.get(key) for key in ("winner", "percent"))
    if isinstance(winner, str) and winner not in {*known, NOBODY}:
        expected = f"{', '.join(known)} or {NOBODY}"
        message = f"{messages.name(winner)} is none of the answers"
        yield Finding("unknown_winner", message, where="$.winner", actual=winner, expected=expected)
    least = even_percent(len(known))
    if isinstance(percent, int) and percent < least:
        message = f"{percent} is less than chance gives one of {len(known)} answers"
        expected = f"{least} to 100"
        yield Finding("percent_too_low", message, where="$.percent", expected=expected)


def even_percent(answers: int) -> int:
    """Return how sure, in per cent, somebody is at least of the likeliest of some answers.

    >>> even_percent(2), even_percent(3)
    (50, 34)
    """
    return math.ceil(100 / answers)


def _answer_faults(replied: Replied) -> Iterator[Finding]:
    answers = answers_of(replied.past.settings, replied.slot.participant)
    yield from winner_faults(replied, answers.values())


def _ballot_faults(replied: Replied) -> Iterator[Finding]:
    past, value = replied.past, replied.value
    yield from _answer_faults(replied)
    known = {*answers_of(past.settings, replied.slot.participant).values(), EVEN}
    numbers = list(range(1, len(past.settings["issues"]) + 1))
    decided = []
    for place, item in objects(value.get("issues")):
        decided.append(item.get("issue"))
        better = item.get("better")
        if isinstance(better, str) and better not in known:
            message, where = messages.name(better), f"$.issues[{place}].better"
            message = f"{message} is none of the answers"
            yield Finding("unknown_winner", message, where=where, expected=", ".join(sorted(known)))
    if sorted(n for n in decided if isinstance(n, int)) != numbers:
        message = f"the issues decided are not each of the {len(numbers)} that are set, once"
        expected = ", ".join(map(str, numbers)) or "an empty list"
        yield Finding("issue_missing", message, where="$.issues", expected=expected)
    for key in ("moved_by", "steering"):
        yield from _target_faults(replied, key)


def _target_faults(replied: Replied, key: str) -> Iterator[Finding]:
    """Yield each id of a list that no speech has, and no text in one of them."""
    past = replied.past
    said = [an_id for an_id in past.ids if past.read(an_id)]
    for place, an_id in enumerate(items(replied.value.get(key))):
        if not isinstance(an_id, str):
            continue
        real = named(an_id, past.settings, replied.slot.participant)
        if real not in said and not any(f"[{real}]" in past.read(other) for other in said):
            message = f"{messages.name(an_id)} is no speech or argument of this debate"
            yield Finding("unknown_target", message, where=f"$.{key}[{place}]", actual=an_id)


def _of_slot(replied: Replied) -> str:
    favours = _favours(replied)
    return "For nobody" if favours == NOBODY else f"For {favours}"


def _kind(name: str, faults: Callable[[Replied], Iterator[Finding]], *more: Field) -> Kind:
    return Kind(
        name,
        phase=f"awaiting_{name}s",
        round=f"{name}s",
        schema=f"speeches-{name}",
        event=f"{name}_filed",
        fields=(
            Field("winner"),
            Field("percent"),
            added("favours", _favours),
            *more,
            Field("reasons", "Reasons"),
        ),
        title=_of_slot,
        folder=JUDGMENTS,
        together=True,
        faults=faults,
    )


KINDS: Mapping[str, Kind] = {
    VIEW: _kind(VIEW, _answer_faults),
    BALLOT: _kind(
        BALLOT,
        _ballot_faults,
        Field("issues", of=_issues, plain=lambda v: [] if v is None else v),
        Field("moved_by", plain=lambda v: [] if v is None else v),
        Field("steering", of=_steering, plain=lambda v: [] if v is None else v, back=_steered_by),
    ),
}
