"""Replies in a formal debate: their one form, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model.debate import Debate
from debate_ops.model.score import to_millis
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Absent, Checked, Reply, Task, Turn
from debate_ops.protocols import citations, words
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.formal.course import (
    BALLOT,
    JUDGE,
    KINDS,
    OTHER,
    PREPARATION,
    QUESTION,
    SIDES,
    slot_of,
)
from debate_ops.protocols.replies import as_object, checked

MOST_POINTS = 30
_TENTH = 100  # in thousandths


def normalise(task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply as its schema describes it, from any of the forms in use."""
    plain, notes = as_object(value)
    side = plain.pop("side", None)
    named = plain.get("participant", side)
    if named is not None:
        plain["participant"] = _short(named)
    if task.schema == KINDS[BALLOT].schema:
        return _plain_ballot(plain), notes
    text = plain.get("text")
    if task.schema == KINDS[PREPARATION].schema and isinstance(text, str) and is_blank(text):
        plain["text"] = ""  # no notes, however many blanks
    if task.schema != KINDS[QUESTION].schema:
        plain["citations"] = citations.plain(plain.get("citations"))
    return plain, notes


def _short(name: Any) -> Any:
    """Return the participant that a side's full name stands for; anything else as it is."""
    by_name = {side_name: side for side, side_name in SIDES.items()}
    return by_name.get(name.strip().lower(), name) if isinstance(name, str) else name


def _plain_ballot(plain: dict[str, Any]) -> dict[str, Any]:
    if "winner" in plain:
        plain["winner"] = _short(plain["winner"])
    points = plain.get("speaker_points")
    if isinstance(points, dict):
        plain["speaker_points"] = {_short(key): number for key, number in points.items()}
    return plain


def check(debate: Debate, turn: Turn, replies: Replies) -> Checked:
    """Return what no schema can state: words, notes that are missing, a ballot's points."""
    faults: list[Finding] = []
    warnings: list[Finding] = []
    over: list[Finding] = []
    for participant, reply in replies.items():
        kind = slot_of(turn, participant).kind
        if kind == PREPARATION:
            warnings += _without_notes(participant, reply)
        if isinstance(reply, Absent):
            continue
        if kind == BALLOT:
            faults += _points_faults(reply)
            warnings += _low_point_win(reply.value)
        elif found := words_finding(reply.value.get("text"), debate.settings):
            over.append(found._replace(participant=participant, where="$.text"))
    return checked(debate.settings, faults, warnings, over)


def words_finding(text: Any, settings: Settings) -> Finding | None:
    """Return the finding that a text has too many words, and what is done about it."""
    limit = settings["word_limit"]
    found = words.over("text", text, limit)
    if found is None or settings["word_limits"] != "cut":
        return found
    kept = words.count(words.cut(text, limit).kept)
    told = f"{found.message}; the first {kept} are kept, the rest is left out"
    return found._replace(message=told)


def _without_notes(participant: str, reply: Reply | Absent) -> Iterator[Finding]:
    text = None if isinstance(reply, Absent) else reply.value.get("text")
    if isinstance(reply, Absent) or (isinstance(text, str) and is_blank(text)):
        message = f"the {SIDES[participant]} goes into the debate without notes"
        yield Finding("no_notes", message, participant)


def points_of(ballot: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a ballot gives each side; nothing where that is no object."""
    points = ballot.get("speaker_points")
    return {side: points.get(side) for side in SIDES} if isinstance(points, dict) else {}


def _points_faults(reply: Reply) -> Iterator[Finding]:
    for side, number in points_of(reply.value).items():
        is_number = isinstance(number, int | Decimal) and not isinstance(number, bool)
        if is_number and not _is_in_tenths(number):
            yield Finding(
                "too_many_decimals",
                f"{number} has more than one decimal",
                JUDGE,
                where=f"$.speaker_points.{side}",
                found=str(number),
                wanted="at most one decimal",
            )


def _is_in_tenths(number: Any) -> bool:
    millis = to_millis(number)
    return millis is not None and millis % _TENTH == 0


def _low_point_win(ballot: Mapping[str, Any]) -> Iterator[Finding]:
    winner = ballot.get("winner")
    points = {side: to_millis(number) for side, number in points_of(ballot).items()}
    if not isinstance(winner, str) or winner not in SIDES:
        return
    own, other = points.get(winner), points.get(OTHER[winner])
    if own is not None and other is not None and own < other:
        message = f"the {SIDES[winner]} wins with fewer speaker points than the other side"
        yield Finding("low_point_win", message, JUDGE, where="$.speaker_points")
