"""Chairs argue from moral frameworks; an arbiter leads, an evaluator judges, others may cut in.

The arbiter introduces the debate; each chair gives an opening; in each exchange every chair speaks
once. After a speech it is judged by what it owes, and the moderator says whether another chair cuts
in; the arbiter steps in after a violation. At the end the arbiter sums up. Nobody wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.turn import Done, Task, Turn, Waiting
from debate_ops.protocols import acts, citations, words
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import (
    context,
    course,
    evaluations,
    floor,
    names,
    phrases,
    statistics,
)
from debate_ops.protocols.chairs.course import SPEECH_FIELD, quotation_faults, speech_id
from debate_ops.protocols.chairs.frameworks import REASONS
from debate_ops.protocols.chairs.settings import (
    SETTINGS,
    chair_of,
    clashes,
    framework_id,
    has_interruptions,
    heeds_signs,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.schedule import (
    CANCELLING,
    COMPLETED,
    Data,
    Field,
    Header,
    Kind,
    Past,
    Replied,
    Slot,
    added,
    added_keys,
)


def _speaker(replied: Replied) -> str:
    return course.speaker_of(replied.past, replied.slot)


def _framework_of(replied: Replied) -> str:
    return framework_id(chair_of(replied.past.settings, replied.slot.participant))


def _sign(replied: Replied) -> str | None:
    return phrases.sign(replied.value["text"]) if heeds_signs(replied.past.settings) else None


def _reaction(replied: Replied, participant: str, kind: str) -> Header:
    """Return the header of a reaction to the speech that a reply is about."""
    return replied.past.look(course.about(replied.slot, participant, kind).id)


def _reason(replied: Replied) -> Data:
    """Return what an interruption is to the speech, and what it was given the floor for."""
    decision = _reaction(replied, names.MODERATOR, names.FLOOR)
    reason = str(decision.get("reason"))
    link = REASONS[reason].link if reason in REASONS else ""
    links = {link: [{"target_id": speech_id(replied), "type": reason}]} if link else {}
    return {**links, **{key: decision.get(key) for key in ("reason", "trigger", "opener")}}


_WORDS = added("words", lambda replied: words.count(replied.value["text"]))
_FRAMEWORK = added("framework", _framework_of)


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
        words={"text": names.MOST_WORDS[name]},
        together=name == names.OPENING,
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
        words={"text": names.MOST_WORDS[name]},
    )


_KINDS = (
    _by_the_arbiter(names.INTRODUCTION, "awaiting_introduction", "debate_introduced", ARGUMENTS),
    _by_a_chair(
        names.OPENING,
        "awaiting_openings",
        "openings",
        "opening_filed",
        lambda r: f"Opening of {r.slot.participant}",
        _FRAMEWORK,
    ),
    _by_a_chair(
        names.SPEECH,
        "awaiting_speech",
        "speech",
        "speech_filed",
        lambda r: f"Speech of {r.slot.participant}, exchange {r.slot.exchange}",
        _FRAMEWORK,
        added("answers", lambda r: course.answered_by(r.past, r.slot) or None),
        added("sign", _sign),
    ),
    evaluations.KIND,
    floor.KIND,
    Kind(
        names.INTERJECTION,
        "awaiting_interjection",
        "interjection",
        "chairs-interjection",
        "interjection_filed",
        (
            SPEECH_FIELD,
            added(
                "violation",
                lambda r: _reaction(r, names.EVALUATOR, names.EVALUATION).get("violation"),
            ),
            Field("quote"),
            added("quote", lambda r: r.value["quote"], "Quote"),
            _WORDS,
            _text(names.INTERJECTION),
        ),
        lambda r: f"The arbiter to {_speaker(r)}",
        words={"text": names.MOST_WORDS[names.INTERJECTION]},
        faults=lambda r: quotation_faults(r, "quote"),
    ),
    _by_a_chair(
        names.INTERRUPTION,
        "awaiting_interruption",
        "interruption",
        "interruption_filed",
        lambda r: f"{r.slot.participant} cuts in on {_speaker(r)}",
        SPEECH_FIELD,
        added_keys(_reason),
    ),
    _by_a_chair(
        names.REPLY,
        "awaiting_reply",
        "reply",
        "reply_filed",
        lambda r: (
            f"{r.slot.participant} replies to {course.interruption_of(r.past, r.slot).participant}"
        ),
        added("answers", lambda r: course.interruption_of(r.past, r.slot).id),
        SPEECH_FIELD,
    ),
    _by_the_arbiter(names.CLOSING, "awaiting_closing", "debate_closed", JUDGMENTS),
    CANCELLING,
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _KINDS}
"""Every kind of entry, in the order of a debate."""


def _participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant: the chairs, then the offices."""
    named = dict.fromkeys(names_of(settings), "debater") | {names.ARBITER: "judge"}
    if is_evaluated(settings):
        named[names.EVALUATOR] = "judge"
    if has_interruptions(settings):
        named[names.MODERATOR] = "judge"
    return named


def _task(_: Past, slot: Slot, task: Task) -> Task:
    is_reaction = slot.kind in {names.EVALUATION, names.FLOOR}
    return task._replace(on_failure="absence") if is_reaction else task


class _Chairs(DeclaredRules):
    """The rules of the protocol."""

    __slots__ = ()

    def next_turn(self, debate: Debate, now: str) -> Turn | Waiting | Done:
        """Return what is due; of a debate that has come to its end, the numbers are counted."""
        due = super().next_turn(debate, now)
        if not isinstance(due, Done) or debate.state.phase != COMPLETED:
            return due
        return Done(f"{due.reason}: {statistics.counts(statistics.of_past(self.past_of(debate)))}")


RULES: DeclaredRules = _Chairs(
    KINDS=KINDS,
    SETTINGS=SETTINGS,
    participants=_participants,
    schedule=course.schedule,
    sees=context.sees,
    task=_task,
    header=evaluations.header_of,
    clashes=clashes,
    CYCLE="exchange",
    ACTS={"cancel": acts.cancel},
)
