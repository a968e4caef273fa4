"""The kinds of entries of a debate of chairs: what is asked for, and what it becomes on record."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution
from debate_ops.model.score import to_millis, to_number
from debate_ops.protocols import citations, words
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.chairs import course, evaluations, phrases, replies
from debate_ops.protocols.chairs.names import (
    CLOSING,
    CONSISTENCY,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    HONESTY,
    INTERJECTION,
    INTERRUPTION,
    INTRODUCTION,
    LINKS,
    MODERATOR,
    MOST_WORDS,
    OPENING,
    REPLY,
    SELF_CRITIQUE,
    SPEECH,
    STEEL_MANNING,
)
from debate_ops.protocols.chairs.settings import chair_of, framework_id, heeds_signs
from debate_ops.protocols.schedule import (
    EACH_ITS_OWN,
    Data,
    Field,
    Header,
    Kind,
    Replied,
    Slot,
    added,
    added_keys,
)

QUOTE, WHY = "Quote", "Why"
STEP_IN = "Why the arbiter should step in"
NOTES: Mapping[str, str] = {STEEL_MANNING: "Steel-manning", SELF_CRITIQUE: "Self-critique"}
LISTS: Mapping[str, tuple[str, str]] = {
    CONSISTENCY: ("violations", "Violations of the framework"),
    HONESTY: ("issues", "Issues"),
}
"""Part of an evaluation to the key of its list in a reply, and the section on record."""

_FLOOR_KEYS = ("chair", "reason", "trigger", "urgency", "opener")

# ---------------------------------------------------------------- what follows from a reply


def _speech(replied: Replied) -> str:
    return course.speech_of(replied.past, replied.slot).id


def _speaker(replied: Replied) -> str:
    return course.speaker_of(replied.past, replied.slot)


def _framework(replied: Replied) -> str:
    return framework_id(chair_of(replied.past.settings, replied.slot.participant))


def _answered(replied: Replied) -> str | None:
    return course.answered_by(replied.past, replied.slot) or None


def _sign(replied: Replied) -> str | None:
    return phrases.sign(replied.value["text"]) if heeds_signs(replied.past.settings) else None


def _beside(replied: Replied, participant: str, kind: str) -> Header:
    """Return the header of a reaction to the speech that a reply is about."""
    slot = replied.slot
    return replied.past.look(course.slot_at(slot.exchange, participant, kind, slot.number).id)


def _reason(replied: Replied) -> Data:
    """Return what an interruption is to the speech, and what it was given the floor for."""
    floor = _beside(replied, MODERATOR, FLOOR)
    reason = str(floor.get("reason"))
    link = LINKS.get(reason)
    links = {link: [{"target_id": _speech(replied), "type": reason}]} if link else {}
    return {**links, **{key: floor.get(key) for key in ("reason", "trigger", "opener")}}


def _interruption(replied: Replied) -> Slot:
    return course.interruption_of(replied.past, replied.slot)


# ---------------------------------------------------------------- evaluations


def _judged(replied: Replied) -> Data:
    settings = replied.past.settings
    parts = evaluations.parts_of(replied.value, settings)
    is_required = replied.value["requires_interjection"]
    return evaluations.judged(parts, is_required=is_required, settings=settings)


def _notes(replied: Replied) -> dict[str, str]:
    reply, parts = replied.value, evaluations.parts_of(replied.value, replied.past.settings)
    texts = {NOTES[part]: reply[part]["notes"] for part in NOTES if part in parts}
    texts |= {heading: "\n".join(reply[part][key]) for part, (key, heading) in LISTS.items()}
    reason = reply["interjection_reason"] if reply["requires_interjection"] else ""
    return texts | {STEP_IN: reason or ""}


def _evaluation_back(entry: Contribution) -> Data:
    reply: Data = {
        "requires_interjection": entry.data["requires_interjection"],
        "interjection_reason": entry.texts.get(STEP_IN),
    }
    for part, judged in entry.data["parts"].items():
        reply[part] = {key: item for key, item in judged.items() if key != "attempted"}
        if part in NOTES:
            reply[part]["notes"] = entry.texts.get(NOTES[part], "")
        else:
            key, heading = LISTS[part]
            reply[part][key] = entry.texts.get(heading, "").splitlines()
    return reply


# ---------------------------------------------------------------- the floor


def _floor(replied: Replied) -> Data:
    reply, settings = replied.value, replied.past.settings
    interrupts = reply["interrupt"]
    floor = {key: reply[key] if interrupts else None for key in _FLOOR_KEYS}
    urgency = to_millis(floor["urgency"])
    floor["urgency"] = None if urgency is None else to_number(urgency)
    if interrupts and not floor["opener"]:
        floor["opener"] = evaluations.OPENERS[reply["reason"]]
    granted = evaluations.is_granted(urgency, settings, interrupts=interrupts)
    threshold = to_number(evaluations.threshold(settings))
    return {"interrupts": interrupts, **floor, "threshold": threshold, "granted": granted}


def _title_of_floor(replied: Replied) -> str:
    floor, speech = _floor(replied), _speech(replied)
    if not floor["interrupts"]:
        return f"Nobody cuts in on {speech}"
    return f"{floor['chair']} {'cuts in' if floor['granted'] else 'would cut in'} on {speech}"


def _floor_back(entry: Contribution) -> Data:
    floor = {key: entry.data.get(key) for key in _FLOOR_KEYS}
    return {"interrupt": entry.data["interrupts"], **floor, "why": entry.texts[WHY]}


# ---------------------------------------------------------------- the kinds

_SPEECH = added("speech", _speech)
_WORDS = added("words", lambda replied: words.count(replied.value["text"]))
_FRAMEWORK = added("framework", _framework)


def _text(name: str) -> Field:
    return Field("text", name.capitalize())


def _by_a_chair(
    name: str, phase: str, round_: str, event: str, title: Callable[[Replied], str], *about: Field
) -> Kind:
    """Return a kind of speech: a text that is counted, with its sources."""
    return Kind(
        name,
        phase,
        round_,
        "chairs-speech",
        event,
        (*about, _WORDS, _text(name), *citations.FIELDS),
        title,
        words={"text": MOST_WORDS[name]},
        together=name == OPENING,
    )


def _by_the_arbiter(name: str, phase: str, event: str, folder: str) -> Kind:
    return Kind(
        name,
        phase,
        name,
        "chairs-text",
        event,
        (_text(name),),
        lambda _: name.capitalize(),
        folder=folder,
        words={"text": MOST_WORDS[name]},
    )


_KINDS = (
    _by_the_arbiter(INTRODUCTION, "awaiting_introduction", "debate_introduced", ARGUMENTS),
    _by_a_chair(
        OPENING,
        "awaiting_openings",
        "openings",
        "opening_filed",
        lambda replied: f"Opening of {replied.slot.participant}",
        _FRAMEWORK,
    ),
    _by_a_chair(
        SPEECH,
        "awaiting_speech",
        "speech",
        "speech_filed",
        lambda replied: f"Speech of {replied.slot.participant}, exchange {replied.slot.exchange}",
        _FRAMEWORK,
        added("answers", _answered),
        added("sign", _sign),
    ),
    Kind(
        EVALUATION,
        "awaiting_reactions",
        "reactions to a speech",
        "chairs-evaluation",
        "speech_evaluated",
        (
            _SPEECH,
            added("judges", lambda r: [_speech(r), *filter(None, (_answered(r),))]),
            added_keys(_judged),
            added("notes", _notes, EACH_ITS_OWN),
        ),
        lambda r: f"Evaluation of {_speech(r)}: {_judged(r)['adherence']} of 100",
        folder=JUDGMENTS,
        together=True,
        plain=replies.plain_evaluation,
        faults=replies.evaluation_faults,
        warnings=replies.evaluation_warnings,
        back=_evaluation_back,
    ),
    Kind(
        FLOOR,
        "awaiting_reactions",
        "reactions to a speech",
        "chairs-floor",
        "floor_decided",
        (_SPEECH, added_keys(_floor), Field("why", WHY)),
        _title_of_floor,
        folder=JUDGMENTS,
        together=True,
        plain=replies.plain_floor,
        faults=replies.floor_faults,
        warnings=replies.floor_warnings,
        why_not=course.why_nobody_cuts_in,
        back=_floor_back,
    ),
    Kind(
        INTERJECTION,
        "awaiting_interjection",
        "interjection",
        "chairs-interjection",
        "interjection_filed",
        (
            _SPEECH,
            added("violation", lambda r: _beside(r, EVALUATOR, EVALUATION).get("violation")),
            Field("quote"),
            added("quote", lambda replied: replied.value["quote"], QUOTE),
            _WORDS,
            _text(INTERJECTION),
        ),
        lambda replied: f"The arbiter to {_speaker(replied)}",
        words={"text": MOST_WORDS[INTERJECTION]},
        faults=lambda replied: replies.quotation_faults(replied, "quote"),
    ),
    _by_a_chair(
        INTERRUPTION,
        "awaiting_interruption",
        "interruption",
        "interruption_filed",
        lambda replied: f"{replied.slot.participant} cuts in on {_speaker(replied)}",
        _SPEECH,
        added_keys(_reason),
    ),
    _by_a_chair(
        REPLY,
        "awaiting_reply",
        "reply",
        "reply_filed",
        lambda r: f"{r.slot.participant} replies to {_interruption(r).participant}",
        added("answers", lambda replied: _interruption(replied).id),
        _SPEECH,
    ),
    _by_the_arbiter(CLOSING, "awaiting_closing", "debate_closed", JUDGMENTS),
    Kind(CANCELLATION, event="debate_cancelled", folder=JUDGMENTS),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _KINDS}
"""Every kind of entry, in the order of a debate."""
