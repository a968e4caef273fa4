"""Speeches in any order by two or more, and at the end a verdict if one is wanted.

Every speech is a step of its own, and everybody hears all that was said before. A debate that was
held elsewhere is imported into this protocol, because it asks nothing of a speech but its text.

A panel is such a debate: several read a whole debate once, blind, half of them in the other order,
and say what they think before and after. Speakers are letters to a member; `favours` has the name
behind the letter.
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
from debate_ops.model.turn import Context, Done, Own, Task
from debate_ops.protocols import citations, words
from debate_ops.protocols.base import Settings
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.replies import items, objects, or_empty
from debate_ops.protocols.schedule import Data, Field, Halt, Kind, Past, Replied, Slot, added
from debate_ops.protocols.speeches.settings import (
    NOBODY,
    SETTINGS,
    answers_of,
    choices_of,
    clashes,
    labels_of,
    members_of,
    order_of,
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
    return task._replace(on_failure="absence") if slot.kind in PANEL_KINDS else task


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


PANEL_KINDS: Mapping[str, Kind] = {
    VIEW: _kind(VIEW, _answer_faults),
    BALLOT: _kind(
        BALLOT,
        _ballot_faults,
        Field("issues", of=_issues, plain=lambda v: [] if v is None else v),
        Field("moved_by", plain=lambda v: [] if v is None else v),
        Field("steering", of=_steering, plain=lambda v: [] if v is None else v, back=_steered_by),
    ),
}


JUDGE = "judge"
SPEECH, VERDICT = "speech", "verdict"


def _participants(settings: Settings) -> Mapping[str, str]:
    judge = {JUDGE: "judge"} if settings["judge"] == "one" else {}
    members = dict.fromkeys(members_of(settings), "judge")
    return dict.fromkeys(positions_of(settings), "debater") | judge | members


def slots(settings: Settings) -> Iterator[Slot]:
    """Yield the place of every speech, and that of the verdict."""
    last = 1
    for number, name in order_of(settings):
        last = number
        yield Slot(number, name, SPEECH, f"speech of {name} in round {number}")
    if settings["judge"] == "one":
        yield Slot(last + 1, JUDGE, VERDICT, "verdict")
    kinds = (VIEW, BALLOT) if settings["views"] == "on" else (BALLOT,)
    for number, kind in enumerate(kinds, last + 1):
        for member in members_of(settings):
            yield Slot(number, member, kind, f"{kind} of {member}")


def _schedule(past: Past) -> Iterator[Slot | Halt]:
    places = past.once("slots", lambda _: tuple(slots(past.settings)))
    yield from places
    yield Halt(places[-1].exchange, Done(_why_done(past)))


def _why_done(past: Past) -> str:
    every = "every speech is given"
    if members := members_of(past.settings):
        cast = [s for s in slots(past.settings) if s.kind == BALLOT and past.has(s)]
        return f"{every}; {len(cast)} of {len(members)} members of the panel cast a ballot"
    if past.settings["judge"] != "one":
        return every
    verdict = past.look(next(s for s in slots(past.settings) if s.kind == VERDICT).id)
    if not verdict:
        return f"{every}; the judge gave no verdict"
    return f"{every}; the judge decides for {verdict.get('winner')}"


def _sees(past: Past, slot: Slot) -> Context:
    settings = past.settings
    if slot.kind in PANEL_KINDS:
        return sees(past, slot)
    speeches = [s for s in slots(settings) if s.kind == SPEECH]
    names = positions_of(settings)
    listed = "\n".join(f"{name}: {text or 'no position given'}" for name, text in names.items())
    limit = settings["word_limit"]
    length = f"At most {limit} words." if limit else "No length is set: what the matter needs."
    heard = tuple(s.id for s in speeches if past.has(s))
    values = {"positions": listed, "absence_note": Own(past.absence_note(speeches))}
    if slot.kind == SPEECH:
        left = sum(s.participant == slot.participant and not past.has(s) for s in speeches)
        values |= {"length_rule": Own(length), "speeches_left": Own(left - 1)}
    else:
        values["even"] = Own(even_percent(len(names)))
    return Context(values, {"statements": heard}, may_shorten=("statements",))


def _title(replied: Replied) -> str:
    return str(replied.value["title"]) or f"Speech of {replied.slot.participant}"


def _title_given(entry: Contribution) -> str:
    title, name = str(entry.data.get("title")), entry.id.partition("_")[0]
    return "" if title == f"Speech of {name}" else title


def _linked(key: str, type_: str) -> Field:
    """Return the field of a reply that lists the speeches which this one is about."""

    def of(replied: Replied) -> list[Data]:
        return [{"target_id": i, "type": type_} for i in replied.value[key]]

    def back(entry: Contribution) -> list[str]:
        return [link["target_id"] for link in entry.data.get(name, ())]

    name = "attacks" if key == "attacks" else "defends"
    return Field(key, of=of, name=name, back=back, plain=lambda v: [] if v is None else v)


def _link_faults(replied: Replied) -> Iterator[Finding]:
    """Yield each link that leads to no speech given before."""
    given = {s.id for s in slots(replied.past.settings) if replied.past.has(s)}
    for key in ("attacks", "supports"):
        for place, target in enumerate(items(replied.value.get(key))):
            if isinstance(target, str) and target not in given:
                message = f"{messages.name(target)} is no speech that was given before"
                yield Finding("unknown_target", message, where=f"$.{key}[{place}]")


def _verdict_faults(replied: Replied) -> Iterator[Finding]:
    yield from winner_faults(replied, positions_of(replied.past.settings))


def _counted(key: str) -> Callable[[Replied], Any]:
    return lambda replied: words.count(replied.value[key])


def _heard(replied: Replied) -> list[str]:
    past = replied.past
    return [s.id for s in slots(past.settings) if s.kind == SPEECH and past.has(s)]


def verdict_title(winner: str) -> str:
    """Return the title that a verdict has on record."""
    return "No verdict for anybody" if winner == NOBODY else f"Verdict for {winner}"


KINDS: Mapping[str, Kind] = {
    SPEECH: Kind(
        SPEECH,
        phase="awaiting_speeches",
        round="speeches",
        schema="speeches-speech",
        event="speech_filed",
        fields=(
            Field("title", of=_title, plain=or_empty, back=_title_given),
            added("words", _counted("text")),
            _linked("attacks", "attack"),
            _linked("supports", "support"),
            Field("text", "Speech"),
            *citations.FIELDS,
        ),
        words={"title": 12, "text": "word_limit"},
        faults=_link_faults,
    ),
    VERDICT: Kind(
        VERDICT,
        phase="awaiting_verdict",
        round="verdict",
        schema="speeches-verdict",
        event="verdict_filed",
        fields=(
            Field("winner"),
            Field("percent"),
            added("judges", _heard),
            Field("reasons", "Reasons"),
        ),
        title=lambda replied: verdict_title(replied.value["winner"]),
        folder=JUDGMENTS,
        faults=_verdict_faults,
    ),
    **PANEL_KINDS,
}
RULES = DeclaredRules(KINDS, SETTINGS, _participants, _schedule, _sees, task=task, clashes=clashes)
