"""Speeches in any order by two or more, and at the end a verdict if one is wanted.

Every speech is a step of its own, and everybody hears all that was said before. A debate that was
held elsewhere is imported into this protocol, because it asks nothing of a speech but its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.turn import Context, Done, Own
from debate_ops.protocols import citations, words
from debate_ops.protocols.base import Settings
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.replies import items, or_empty
from debate_ops.protocols.schedule import Data, Field, Halt, Kind, Past, Replied, Slot, added
from debate_ops.protocols.speeches import panel
from debate_ops.protocols.speeches.panel import BALLOT, VIEW
from debate_ops.protocols.speeches.settings import (
    NOBODY,
    SETTINGS,
    clashes,
    members_of,
    order_of,
    positions_of,
)

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
    if slot.kind in panel.KINDS:
        return panel.sees(past, slot)
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
        values["even"] = Own(panel.even_percent(len(names)))
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
    yield from panel.winner_faults(replied, positions_of(replied.past.settings))


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
    **panel.KINDS,
}
RULES = DeclaredRules(
    KINDS, SETTINGS, _participants, _schedule, _sees, task=panel.task, clashes=clashes
)
