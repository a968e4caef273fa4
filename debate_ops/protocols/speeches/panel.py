"""A panel: several who read the whole debate once, blind, half of them in the other order.

Each is asked for its view by motion and context alone, and then, after reading, for a ballot.
Both name sides by the letters that this member reads; `favours` has the name behind the letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from debate_ops.errors import Finding
from debate_ops.formats import entries
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.ids import order, parse_id
from debate_ops.model.turn import Context, Own, Task
from debate_ops.protocols.base import Settings
from debate_ops.protocols.replies import items, objects
from debate_ops.protocols.schedule import Field, Kind, Past, Replied, Slot, added
from debate_ops.protocols.speeches.settings import NOBODY, labels_of, positions_of

VIEW, BALLOT = "view", "ballot"
EVEN = "even"
_LEAST_NAME = 3
"""Letters of a name that is made unreadable in texts: a shorter one may be a word."""


def blinded(text: str, settings: Settings, member: str) -> str:
    """Return a text with the names of participants, alone and in ids, as a member reads them.

    A name that is a word of somebody's position stays where it stands alone.

    >>> two = [{"name": "ann", "position": ""}, {"name": "no", "position": ""}]
    >>> blinded("ann_001a against no_001a, says ann, no less", {"participants": two}, "member-2")
    'B_001a against A_001a, says Side B, no less'
    """
    labels = labels_of(settings, member)
    stated = " ".join(positions_of(settings).values()).casefold()
    for name, letter in labels.items():
        word = re.escape(name)
        text = re.sub(rf"(?<![\w-]){word}_(?=[0-9]{{3}})", f"{letter}_", text)
        if len(name) >= _LEAST_NAME and name.casefold() not in stated:
            text = re.sub(rf"(?<![\w-]){word}(?![\w-])", f"Side {letter}", text)
    return text


def named(an_id: str, settings: Settings, member: str) -> str:
    """Return the id on record of an entry that a member has read under another one."""
    letter, _, rest = an_id.partition("_")
    names = {label: name for name, label in labels_of(settings, member).items()}
    return f"{names[letter]}_{rest}" if letter in names else an_id


def sees(debate: Debate, slot: Slot) -> Context:
    """Return what a member of the panel may see: before its ballot no speech at all."""
    settings, member = debate.settings, slot.participant
    labels = labels_of(settings, member)
    positions = positions_of(settings)
    listed = (f"Side {label}: {positions[name] or '(none)'}" for name, label in labels.items())
    values = {"positions": blinded("\n".join(listed), settings, member)}
    if slot.kind == VIEW:
        return Context(values)
    personas = settings["personas"]
    number = int(member.rpartition("-")[2]) - 1
    issues = "\n".join(f"{n}. {text}" for n, text in enumerate(settings["issues"], 1))
    values |= {
        "speeches": "\n\n".join(_speeches(debate, member)) or "(none)",
        "issues": blinded(issues, settings, member) or "(none)",
        "issues_rule": Own(_ISSUES if issues else _NO_ISSUES),
        "persona": personas[number % len(personas)] if personas else "",
    }
    return Context(values)


_ISSUES = "Decide each of these issues, by its number:"
_NO_ISSUES = "No issues are set: leave `issues` an empty list, and go through yours in `reasons`."


def _speeches(debate: Debate, member: str) -> Iterator[str]:
    """Yield every speech as a member reads it: within a round in the order of its letters."""
    settings, record = debate.settings, debate.record
    names = list(labels_of(settings, member))
    given = [(parts, i) for i in record.ids(ARGUMENTS) if (parts := parse_id(i))]
    gone = [(parts, i) for i in record.ids(JUDGMENTS) if (parts := parse_id(i))]
    every = [*given, *(each for each in gone if each[0].participant in names)]
    for _, entry_id in sorted(every, key=lambda e: (order(e[1])[0], names.index(e[0].participant))):
        if entry := record.get(entry_id):
            lines = "\n".join(entries.lines(entries.parse(entry)))
            yield blinded(f"[{entry_id}]\n{lines}", settings, member)


def task(past: Past, slot: Slot, task: Task) -> Task:  # noqa: ARG001  (as schedules have it)
    """Return a task; where a member of the panel fails, the others decide without it."""
    return task._replace(on_failure="absence") if slot.kind in KINDS else task


def _favours(replied: Replied) -> str:
    labels = labels_of(replied.past.settings, replied.slot.participant)
    letter = replied.value["winner"]
    return next((name for name, label in labels.items() if label == letter), NOBODY)


def _issues(replied: Replied) -> list[dict[str, Any]]:
    return [
        {key: item[key] for key in ("issue", "better", "why")} for item in replied.value["issues"]
    ]


def _winner_faults(replied: Replied) -> Iterator[Finding]:
    known = labels_of(replied.past.settings, replied.slot.participant).values()
    winner = replied.value.get("winner")
    if isinstance(winner, str) and winner not in {*known, NOBODY}:
        expected = f"{', '.join(known)} or {NOBODY}"
        message = f"{messages.name(winner)} is no side"
        yield Finding("unknown_winner", message, where="$.winner", actual=winner, expected=expected)


def _ballot_faults(replied: Replied) -> Iterator[Finding]:
    past, value = replied.past, replied.value
    yield from _winner_faults(replied)
    known = {*labels_of(past.settings, replied.slot.participant).values(), EVEN}
    numbers = list(range(1, len(past.settings["issues"]) + 1))
    decided = []
    for place, item in objects(value.get("issues")):
        decided.append(item.get("issue"))
        better = item.get("better")
        if isinstance(better, str) and better not in known:
            message, where = f"{messages.name(better)} is no side", f"$.issues[{place}].better"
            yield Finding("unknown_winner", message, where=where, expected=", ".join(sorted(known)))
    if sorted(n for n in decided if isinstance(n, int)) != numbers:
        message = f"the issues decided are not each of the {len(numbers)} that are set, once"
        expected = ", ".join(map(str, numbers)) or "an empty list"
        yield Finding("issue_missing", message, where="$.issues", expected=expected)
    said = [an_id for an_id in past.ids if past.read(an_id)]
    for place, an_id in enumerate(items(value.get("moved_by"))):
        if not isinstance(an_id, str):
            continue
        real = named(an_id, past.settings, replied.slot.participant)
        if real not in said and not any(f"[{real}]" in past.read(other) for other in said):
            message = f"{messages.name(an_id)} is no speech or argument of this debate"
            yield Finding("unknown_target", message, where=f"$.moved_by[{place}]", actual=an_id)


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
    VIEW: _kind(VIEW, _winner_faults),
    BALLOT: _kind(
        BALLOT,
        _ballot_faults,
        Field("issues", of=_issues, plain=lambda v: [] if v is None else v),
        Field("moved_by", plain=lambda v: [] if v is None else v),
    ),
}
