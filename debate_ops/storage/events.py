"""`events.jsonl`: what happened, one JSON object a line. Best effort, never the truth."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import ABSENCE, JUDGMENT, Contribution
from debate_ops.model.turn import Step
from debate_ops.storage.folder import EVENTS, Folder

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Not through a link, and without waiting for the other end of a pipe."""


_SAID = ("agreement",)
"""What an event has of the header of its entry, and a milestone of the entry that led to it."""


def append(folder: Folder, happened: Iterable[Mapping[str, Any]]) -> None:
    """Add events; a failure is ignored, because the record holds all that counts.

    Nothing is added to a file that has another name too: it may be one of the user's.
    """
    lines = "".join(canonical(dict(event)) + "\n" for event in happened)
    try:
        handle = os.open(folder.within(EVENTS), _FLAGS, 0o666)
        try:
            if os.fstat(handle).st_nlink > 1:
                return
            os.lseek(handle, max(0, os.lseek(handle, 0, os.SEEK_END) - 1), os.SEEK_SET)
            torn = os.read(handle, 1) not in {b"", b"\n"}  # that line is lost; ours are not
            os.write(handle, ("\n" * torn + lines).encode("utf-8"))
        finally:
            os.close(handle)
    except OSError:
        return


def since(folder: Folder, place: int) -> tuple[list[dict[str, Any]], int]:
    """Return the whole lines that are events, from this byte on, and the byte after the last one.

    A negative place is that after what is there now.
    """
    try:
        with open(folder.within(EVENTS), "rb") as file:
            end = file.seek(0, os.SEEK_END)
            if place < 0:
                return [], end
            file.seek(place)
            data = file.read()
    except OSError:
        return [], max(place, 0)
    whole = data[: data.rfind(b"\n") + 1]
    lines = whole.decode("utf-8", "replace").split("\n")
    return [event for line in lines if (event := event_of(line))], place + len(whole)


def event_of(line: str) -> dict[str, Any] | None:
    """Return the event of a line; None where it is none, because a crash tore it."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and "event" in event else None


def of_creation(debate: Debate) -> list[dict[str, Any]]:
    """Return the events of a new debate."""
    made = {"event": "debate_created", "debate": debate.slug, "protocol": debate.protocol}
    return [event | {"at": debate.created} for event in (made, _phase("started", debate.state))]


def of_failure(debate: Debate, participant: str, why: str, at: str) -> dict[str, Any]:
    """Return the event that a participant gave no reply; the debate goes on from where it is."""
    result: dict[str, Any] = {"event": "participant_failed", "debate": debate.slug}
    result |= {"participant": participant, "phase": debate.state.phase}
    result |= {"exchange": debate.state.exchange, "step": debate.step}
    return result | {"why": why, "at": at}


def of_step(
    debate: Debate,
    step: Step,
    at: str,
    names: Mapping[str, str],
    ended: Mapping[str, Any] | None,
) -> list[dict[str, Any]]:
    """Return the events of one commit, in the order of its entries.

    `names` are the protocol's own, by kind of entry or by phase; `ended` is what to tell of a
    debate that has come to its end with this commit.
    """
    happened = [event for value in step.entries for event in _of_entry(value, names)]
    before, after = debate.state, step.state
    is_new_exchange = after.exchange > before.exchange
    if is_new_exchange or before.phase != after.phase:
        happened.append(_phase("completed", before))
    if is_new_exchange or ended is not None:
        happened.append({"event": "exchange_completed", "exchange": before.exchange})
    if is_new_exchange or before.phase != after.phase:
        happened.append(_phase("started", after))
        milestone = names.get(after.phase, "")
        if milestone and all(event["event"] != milestone for event in happened):
            said = {k: event[k] for event in happened for k in _SAID if k in event}
            happened.append({"event": milestone, "exchange": after.exchange, **said})
    if ended is not None and all(event["event"] != "debate_cancelled" for event in happened):
        happened.append({"event": "debate_completed", **ended})
    return [event | {"at": at, "step": debate.step} for event in happened]


def of_call(debate: Debate, participant: str, at: str, **more: Any) -> dict[str, Any]:
    """Return the event that a participant is asked, or with its `outcome`, that this has ended."""
    result: dict[str, Any] = {
        "event": f"call_{'ended' if 'outcome' in more else 'started'}",
        "debate": debate.slug,
    }
    result |= {"participant": participant, "exchange": debate.state.exchange, "step": debate.step}
    return result | {"at": at} | {key: value for key, value in more.items() if value is not None}


def _of_entry(value: Contribution, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    if value.kind == JUDGMENT:
        for key, event in (("scores", "argument_scored"), ("rescores", "argument_rescored")):
            for item in value.data[key]:
                yield {"event": event, "id": item["argument_id"], "score": item["score"]}
    elif value.kind == ABSENCE:
        yield {"event": "absence_recorded", "id": value.id, "how": value.data["how"]}
    else:
        yield {
            "event": names[value.kind],
            "id": value.id,
            "participant": value.participant,
            **{key: value.data[key] for key in _SAID if value.data.get(key)},
        }


def _phase(what: str, state: State) -> dict[str, Any]:
    return {"event": f"phase_{what}", "phase": state.phase, "exchange": state.exchange}
