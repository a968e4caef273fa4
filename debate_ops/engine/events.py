"""`events.jsonl`: what happened, one JSON object a line. Best effort, never the truth."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from debate_ops.core import clock
from debate_ops.core.protocol import Protocol, Replayed
from debate_ops.core.texts import one_line
from debate_ops.core.values import ADVICE, ARGUMENTS, PRIVATE, Debate, Done, Entry, Place
from debate_ops.engine.headers import canonical
from debate_ops.engine.store import EVENTS, Folder

MOST = 200
"""Characters of a text of somebody's that an event shows."""
_MOST_OF_THE_END = 256 * 1024
"""Bytes of a log in which its last steps are looked for, however long it is."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Not through a link, and without waiting for the other end of a pipe."""
_OF_RESULTS = ("title", "agreement", "result", "winner", "share", "reason")
_OF_ENTRIES = (
    *(*_OF_RESULTS, "vote", "weight", "severity", "verdict", "confidence", "speech"),
    *("chair", "opener", "adherence", "violation", "answers", "by"),
)
"""What an event has of the header of its entry, and a milestone of the result that led to it."""
_FILED = {
    "absence": "absence_recorded",
    "advice": "first_answer_filed",
    "cancellation": "debate_cancelled",
}
"""The events of kinds of entries that every protocol has."""
_BESIDE = frozenset(
    {
        *("call_started", "call_ended", "debate_paused", "debate_stopped", "debate_resumed"),
        *("said", "error", "participant_failed"),
    }
)
"""What happens while nothing is committed."""
_NO_FAILURES = frozenset({"interrupted", "terminated", "participant_failed"})
"""Codes of errors that are no failure, or whose failures have events of their own."""


def append_events(folder: Folder, happened: Iterable[Mapping[str, Any]]) -> None:
    """Add events, for the record has all that counts; never to a file with another name too."""
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


def read_events(folder: Folder, most: int | None = None) -> list[dict[str, Any]]:
    """Return the events; those in the last `most` bytes of the log alone, if that is said."""
    try:
        with open(folder.within(EVENTS), "rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(0 if most is None else max(0, end - most))
            data = file.read()
    except OSError:
        return []
    found = list[dict[str, Any]]()
    for line in data[: data.rfind(b"\n") + 1].decode("utf-8", "replace").split("\n"):
        with suppress(ValueError, RecursionError):  # a crash tore it
            event = json.loads(line)
            found += [event] if isinstance(event, dict) and "event" in event else []
    return found


def find_failures(folder: Folder) -> list[dict[str, Any]]:
    """Return what failed since the last commit, the newest of each participant, and of the run."""
    failed: dict[str, dict[str, Any]] = {}
    for event in read_events(folder, _MOST_OF_THE_END):
        name = event["event"]
        is_of_run = name == "error" and event.get("code") not in _NO_FAILURES
        if name == "participant_failed" or is_of_run:
            failed[str(event.get("participant", ""))] = event
        elif name not in _BESIDE:
            failed = {}
        elif event.get("outcome") == "replied":
            failed.pop(str(event.get("participant")), None)
    return list(failed.values())


def find_time(folder: Folder, sought: Mapping[str, Any]) -> str:
    """Return when the last event with these values was; empty where the log says nothing of it."""
    happened = reversed(read_events(folder, _MOST_OF_THE_END))
    return next((str(e.get("at", "")) for e in happened if sought.items() <= e.items()), "")


def find_undo(folder: Folder) -> str:
    """Return when the last undo was, as the events say."""
    return find_time(folder, {"event": "exchange_undone"})


def describe_creation(at: Replayed, slug: str, created: str) -> list[dict[str, Any]]:
    """Return the events of a new debate."""
    made = {"event": "debate_created", "debate": slug, "protocol": at.protocol.name}
    segment = _describe_segment(at.protocol, "started", at.place)
    return [e | {"at": created} for e in (made, describe_phase("started", at.place), *segment)]


def describe_run(at: Replayed, slug: str, name: str, moment: str, **more: Any) -> dict[str, Any]:
    """Return an event of a run, which changes nothing on record, with what is known of it."""
    place = {"phase": at.place.phase, "exchange": at.place.round, "step": at.debate.step}
    return {"event": name, "debate": slug, **place, "at": moment, **_drop_unknown(more)}


def describe_step(  # noqa: PLR0913  (what is known before and after a commit)
    before: Place, at: Replayed, entries: list[Entry], moment: str, created: str, *, begun: str = ""
) -> list[dict[str, Any]]:
    """Return the events of a commit; `at` is the debate after it, `begun` when its phase began."""
    d, rules, after = at.debate, at.protocol, at.place
    happened = [event for entry in entries for event in _describe_entry(d, entry, rules)]
    is_cancelled = any(event["event"] == "debate_cancelled" for event in happened)
    is_end = isinstance(after, Done) and not is_cancelled
    is_new, is_other = after.round > before.round, after.phase != before.phase
    if is_new or is_other:
        took = {"seconds": clock.count_seconds(begun, moment)} if begun else {}
        happened.append(describe_phase("completed", before) | took)
    own = (e for e in reversed(d.entries.values()) if e.round == before.round)
    if is_new or (is_end and any(e.folder == ARGUMENTS for e in own)):
        of = d.last_exchange or rules.last_exchange(d.settings)
        last = {} if of is None else {"of": of}
        happened.append({"event": "exchange_completed", "exchange": before.round, **last})
    if rules.segments.get(before.phase) != rules.segments.get(after.phase):
        happened += _describe_segment(rules, "completed", before)
        happened += _describe_segment(rules, "started", after)
    if is_new or is_other:
        happened.append(describe_phase("started", after))
        milestone = rules.milestones.get(after.phase, "")
        if milestone and all(event["event"] != milestone for event in happened):
            results = [event for event in happened if "result" in event]
            said = {k: event[k] for event in results for k in _OF_RESULTS if k in event}
            happened.append({"event": milestone, "exchange": after.round, **said})
    if is_end:
        public = [e for e in d.entries.values() if e.folder != ADVICE]
        ended = {
            "entries": len(public),
            "spoken": Counter(e.by for e in public if e.folder == ARGUMENTS),
            "seconds": clock.count_seconds(created, moment),
        }
        happened.append({"event": "debate_completed", **ended, **rules.statistics(d)})
    return [event | {"at": moment, "step": d.step - 1} for event in happened]


def _describe_entry(d: Debate, entry: Entry, rules: Protocol) -> Iterator[dict[str, Any]]:
    if entry.kind == "judgment":
        for key, event in (("scores", "argument_scored"), ("rescores", "argument_rescored")):
            for item in entry.data.get(key) or ():
                yield {"event": event, "id": item["argument_id"], "score": item["score"]}
        return
    about: dict[str, Any] = {"id": entry.id, "participant": entry.by}
    about["event"] = {**_FILED, **rules.filed}.get(entry.kind, f"{entry.kind}_filed")
    shares = {item["proposal"]: item["share"] for item in entry.data.get("shares") or ()}
    data = {**entry.data, "share": shares.get(entry.data.get("winner"))}
    keys = (*_OF_ENTRIES, "how") if entry.kind == "absence" else _OF_ENTRIES
    said = {key: data.get(key) for key in keys}
    if entry.folder == ARGUMENTS and entry.kind not in PRIVATE:
        said["text"] = next(iter(entry.texts.values()), "")
    said = _drop_unknown(said) | dict(rules.payload(d, entry))
    yield about | {k: one_line(v, MOST) if isinstance(v, str) else v for k, v in said.items()}


def _describe_segment(rules: Protocol, what: str, place: Place) -> list[dict[str, Any]]:
    name = rules.segments.get(place.phase)
    return [{"event": f"segment_{what}", "segment": name, "exchange": place.round}] if name else []


def describe_phase(what: str, place: Place) -> dict[str, Any]:
    """Return that a phase is `started` or `completed`."""
    return {"event": f"phase_{what}", "phase": place.phase, "exchange": place.round}


def _drop_unknown(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None and value != ""}
