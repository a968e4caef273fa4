"""What a person does that no task asked for: how it goes on record, in every protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from debate_ops.errors import RefusedError, UsageError
from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import EntryId
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Act, Step

PERSON = "person"
"""Whose entries these are: a name that no participant can have."""

CANCELLATION, CANCELLED = "cancellation", "cancelled"
ENDS = frozenset({"completed", "consensus_reached", "decided", CANCELLED})
"""The phases in which a debate has ended, in any protocol."""
ANSWER, TEXT = "Answer", "Decision"
"""The sections that hold an answer, and a decision in a person's own words."""


def reason_of(act: Act) -> str:
    """Return the reason that was given for an act.

    Raises:
        UsageError: there is none.
    """
    reason = act.values.get("reason", "")
    if is_blank(reason):
        raise UsageError("a reason is required", hint="Say why with --reason; it goes on record.")
    return reason


def step(  # noqa: PLR0913, PLR0917  (what goes on record)
    debate: Debate,
    act: Act,
    kind: str,
    phase: str,
    title: str,
    data: Mapping[str, Any] | None = None,
    texts: Mapping[str, str] | None = None,
) -> Step:
    """Return an act as the one entry that it becomes, and the phase that it leads to.

    Raises:
        UsageError: it has no reason.
    """
    reason = reason_of(act)
    number = debate.state.exchange
    header = {"title": title, "by": act.by, "reason": reason} | dict(data or {})
    sections = {**(texts or {}), "Reason": reason}
    entry_id = str(EntryId(PERSON, number, kind=kind))
    entry = Contribution(entry_id, kind, number, JUDGMENTS, header, sections)
    return Step((entry,), State(number, phase, {}))


def recalled(values: Sequence[Contribution]) -> Act:
    """Return what a person did, by the entries that it became.

    Raises:
        LookupError: they are of no such act.
    """
    name = _ACTS[values[0].kind]
    data, texts = values[0].data, values[0].texts
    if name == "answer":
        words = {
            value.data["question"]: value.texts[ANSWER] if value.data["applies"] else ""
            for value in values
        }
    else:
        words = {"reason": data["reason"], "proposal": data.get("proposal", "")}
        words["text"] = texts.get(TEXT, "")
    return Act(name, words, data["by"])


_ACTS: Mapping[str, str] = {
    CANCELLATION: "cancel",
    "escalation": "escalate",
    "decision": "decide",
    "clarification": "answer",
}
"""Kind of entry to the act that it comes from."""


def refused(debate: Debate, act: Act, hint: str = "") -> RefusedError:
    """Return why an act cannot be done in this phase; `hint` is for a debate that has not ended."""
    phase = debate.state.phase
    if phase in ENDS:
        hint = "It has ended; its record stays as it is."
    return RefusedError(f"{act.name} cannot be done now: this debate is at {phase}", hint=hint)


def cancel(debate: Debate, act: Act) -> Step:
    """End a debate without a result.

    Raises:
        RefusedError: the debate has ended.
        UsageError: there is no reason.
    """
    if debate.state.phase in ENDS:
        raise refused(debate, act)
    return step(debate, act, CANCELLATION, CANCELLED, "Cancelled")
