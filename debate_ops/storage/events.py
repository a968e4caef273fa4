"""`events.jsonl`: what happened, one JSON object a line. Best effort, never the truth."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import ABSENCE, ARGUMENTS, JUDGMENT, Contribution
from debate_ops.model.ids import order
from debate_ops.model.texts import one_line
from debate_ops.model.turn import Step
from debate_ops.storage.folder import EVENTS, Folder

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Not through a link, and without waiting for the other end of a pipe."""


MOST = 200
"""Characters of a text of somebody's that an event shows."""
_OF_RESULTS = ("agreement", "result", "winner", "share", "reason")
_OF_ENTRIES = (
    *("title", *_OF_RESULTS, "vote", "weight", "severity", "verdict", "confidence", "speech"),
    *("chair", "opener", "adherence", "violation", "answers", "by"),
)
"""What an event has of the header of its entry, and a milestone of the result that led to it."""
_PRIVATE = "preparation"
_BESIDE = frozenset(
    (
        "call_started",
        "call_ended",
        "debate_paused",
        "debate_stopped",
        "debate_resumed",
        "said",
        "error",
    )
)
"""What happens while nothing is committed."""
_NO_FAILURES = frozenset({"interrupted", "terminated", "participant_failed"})
"""Codes of errors that are no failure, or whose failures have events of their own."""


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


def of_run(debate: Debate, name: str, at: str, **more: Any) -> dict[str, Any]:
    """Return an event of a run, which changes nothing on record, with what is known of it."""
    result: dict[str, Any] = {"event": name, "debate": debate.slug}
    state = debate.state
    result |= {"phase": state.phase, "exchange": state.exchange, "step": debate.step, "at": at}
    return result | _known(more)


def failures(folder: Folder) -> list[dict[str, Any]]:
    """Return what failed since the last commit, the newest of each participant, and of the run.

    An interruption by a person is no failure.
    """
    failed: dict[str, dict[str, Any]] = {}
    for event in since(folder, 0)[0]:
        name = event["event"]
        is_of_run = name == "error" and event.get("code") not in _NO_FAILURES
        if name == "participant_failed" or is_of_run:
            failed[str(event.get("participant", ""))] = event
        elif name not in _BESIDE:
            failed = {}
        elif event.get("outcome") == "replied":
            failed.pop(str(event.get("participant")), None)
    return list(failed.values())


def of_step(  # noqa: PLR0913, PLR0917  (what an event can tell comes from so many places)
    debate: Debate,
    step: Step,
    at: str,
    names: Mapping[str, str],
    of: int | None,
    ended: Mapping[str, Any] | None,
) -> list[dict[str, Any]]:
    """Return the events of one commit, in the order of its entries.

    `names` are the protocol's own, by kind of entry or by phase; `of` is the last exchange, where
    it is known; `ended` is what to tell of a debate that has come to its end with this commit.
    """
    happened = [event for value in step.entries for event in _of_entry(value, names)]
    is_cancelled = any(event["event"] == "debate_cancelled" for event in happened)
    before, after = debate.state, step.state
    is_new_exchange = after.exchange > before.exchange
    if is_new_exchange or before.phase != after.phase:
        happened.append(_phase("completed", before))
    if is_new_exchange or (ended is not None and not is_cancelled and _has_speech(debate, step)):
        last = {} if of is None else {"of": of}
        happened.append({"event": "exchange_completed", "exchange": before.exchange, **last})
    if is_new_exchange or before.phase != after.phase:
        happened.append(_phase("started", after))
        milestone = names.get(after.phase, "")
        if milestone and all(event["event"] != milestone for event in happened):
            results = [event for event in happened if "result" in event]
            said = {k: event[k] for event in results for k in _OF_RESULTS if k in event}
            happened.append({"event": milestone, "exchange": after.exchange, **said})
    if ended is not None and not is_cancelled:
        happened.append({"event": "debate_completed", **ended})
    return [event | {"at": at, "step": debate.step} for event in happened]


def _has_speech(debate: Debate, step: Step) -> bool:
    """Tell whether anything was said in the exchange that a step ends."""
    exchange = debate.state.exchange
    now = (value.exchange for value in step.entries if value.folder == ARGUMENTS)
    before = (order(entry_id)[0] for entry_id in debate.record.ids(ARGUMENTS))
    return exchange in {*now, *before}


def _of_entry(value: Contribution, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    if value.kind == JUDGMENT:
        for key, event in (("scores", "argument_scored"), ("rescores", "argument_rescored")):
            for item in value.data[key]:
                yield {"event": event, "id": item["argument_id"], "score": item["score"]}
        return
    name = "absence_recorded" if value.kind == ABSENCE else names[value.kind]
    about = {"event": name, "id": value.id, "participant": value.participant}
    shares = {item["proposal"]: item["share"] for item in value.data.get("shares", ())}
    data = {**value.data, "share": shares.get(value.data.get("winner"))}
    keys = (*_OF_ENTRIES, "how") if value.kind == ABSENCE else _OF_ENTRIES
    about |= _known({key: _short(data.get(key)) for key in keys})
    is_speech = value.folder == ARGUMENTS and value.kind != _PRIVATE
    text = next(iter(value.texts.values()), "") if is_speech else ""
    yield about | _known({"text": _short(text)})


def _known(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None and value != ""}


def _short(value: object) -> object:
    return one_line(value, MOST) if isinstance(value, str) else value


def _phase(what: str, state: State) -> dict[str, Any]:
    return {"event": f"phase_{what}", "phase": state.phase, "exchange": state.exchange}
