"""Who made a debate's replies, what they took, and how often its judges were right before."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from glob import escape, glob
from typing import Any, NamedTuple

from debate_ops.analysis import usage
from debate_ops.analysis.usage import Usage, made_by, read_usage
from debate_ops.core.errors import UsageError
from debate_ops.core.protocol import ADVISER, Replayed
from debate_ops.core.texts import one_line
from debate_ops.core.values import JUDGMENTS, Debate
from debate_ops.engine import files
from debate_ops.engine.headers import loads
from debate_ops.engine.store import Folder
from debate_ops.report.words import join, shorten

NOT_RECORDED = "not recorded"
_LENGTH = 120

Origin = Mapping[str, Any]
"""How a reply was made: `made_by` of its entries."""


def find_provenance(at: Replayed, panel: Debate | None = None) -> list[dict[str, Any]]:
    """Return how many replies each participant gave, and who made them.

    The adviser and the members of a panel that was held elsewhere, these as one, are participants.
    """
    replies = collect_replies(at)
    if panel and panel is not at.debate:
        members = panel.settings.members
        sat = [e for e in panel.entries.values() if e.by in members and e.kind != "absence"]
        replies[f"panel of {len(members)}"] = [made_by(e) for e in sat]
    return [
        {"participant": name, "replies": len(origins), "makers": describe_makers(origins)}
        for name, origins in replies.items()
    ]


def measure_usage(at: Replayed) -> Usage:
    """Return what all replies on record took."""
    return usage.sum_usage(
        read_usage(o) for origins in collect_replies(at).values() for o in origins
    )


def collect_replies(at: Replayed) -> dict[str, list[Origin]]:
    """Return how each reply was made, by participant; one reply may be several entries."""
    d = at.debate
    names = [*at.protocol.participants(d.settings), *([ADVISER] if d.find("advice") else [])]
    replies: dict[str, dict[int, Origin]] = {name: {} for name in names}
    for e in d.entries.values():
        is_pass = (e.data.get("how"), e.data.get("by")) == ("pass", e.by)
        if e.by in replies and (is_pass or e.kind != "absence"):
            replies[e.by][e.step] = made_by(e)
    return {name: [*made.values()] for name, made in replies.items()}


def find_original(origin: object) -> Origin:
    """Return how a reply was made; of a replay, how the original was."""
    if not isinstance(origin, Mapping):
        return {}
    before = origin.get("replay_of")
    return find_original(before.get("made_by")) if isinstance(before, Mapping) else origin


def describe_maker(origin: object) -> str:
    """Return who made a reply, in the words of the record; of a replay, who made the original."""
    return ", ".join(
        str(value) if key in {"by", "model"} else f"{key} {value}"
        for key, value in find_original(origin).items()
        if key not in {"latency_ms", "tokens", "prices"}
        and isinstance(value, str | int)
        and value != ""
    )


def describe_makers(origins: Iterable[Origin]) -> str:
    """Return who made replies: each maker once, and for how many none is known."""
    origins = [*origins]
    names = [describe_maker(origin) for origin in origins]
    known = dict.fromkeys(shorten(name, _LENGTH) for name in names if name)
    if not known:
        return NOT_RECORDED
    parts = [join(known)]
    if unnamed := names.count(""):
        parts.append(f"{NOT_RECORDED} for {unnamed} of {len(names)}")
    if any("replay_of" in origin for origin in origins):
        parts.append("replayed")
    return "; ".join(parts)


# What is known of those who judge.

CALIBRATIONS, RESULT = "calibration", "result.json"
"""The folder beside the debates in which calibrations are kept, and the file of each."""
NO_RECORD = (OSError, UsageError, ValueError, LookupError, TypeError, RecursionError)
"""What `read_record` raises of a file that is none."""


class TrackRecord(NamedTuple):
    """What one calibration showed: of which models, as a panel of how many, and on which set."""

    models: tuple[str, ...]
    members: int
    set: str
    number: int
    accuracy: float
    brier: float

    def describe(self) -> str:
        """Return it for readers: `right in 27 of 30 (90 %)`, and what the debates were."""
        about = {
            "nyu": "all between people, about stories that it had not read",
            "own": "all between agents, about documents that no model had read",
        }.get(self.set, f"from {self.set}")
        right = f"right in {self.accuracy * self.number:g} of {self.number}"
        return f"{right} ({100 * self.accuracy:.0f} %), {about}"


class Judged(NamedTuple):
    """Who judged a debate, its judge or a panel, and the records of one alone or of such panels."""

    who: str
    model: str
    records: tuple[TrackRecord, ...]

    def as_data(self) -> dict[str, Any]:
        """Return it for programs."""
        return self._asdict() | {"records": [record._asdict() for record in self.records]}

    def describe(self) -> str:
        """Return it for readers; empty where nothing is known."""
        known = "; ".join(record.describe() for record in self.records)
        who = f"The {self.who} ({self.model})"
        return f"{who} on debates with known answers: {known}" if known else ""


def list_models(at: Replayed, *participants: str) -> tuple[str, ...]:
    """Return the models that made the judgments of a debate, of these participants or of all.

    Where a model is not on record, that is who else is said to have made it; a person is none.
    """
    origins = (
        find_original(made_by(e))  # of a replay, how the original was made
        for e in at.debate.entries.values()
        if e.folder == JUDGMENTS and e.kind != "absence"
        if not participants or e.by in participants
    )
    named = (o.get("model") or o.get("by") or "" for o in origins if "person" not in o)
    return tuple(dict.fromkeys(one_line(str(name))[:_LENGTH] for name in named))


def find_judges(folder: Folder, at: Replayed, panel: Replayed | None = None) -> list[Judged]:
    """Return who judged a debate and who sat in its panel, each model once, with what is known.

    That are the calibrations beside the debate that can be read. The replies of which no model is
    on record are ignored where others name one.
    """
    above, records = os.path.join(os.path.dirname(folder.path), CALIBRATIONS), list[TrackRecord]()
    for path in sorted(glob(os.path.join(escape(above), "*", "*", RESULT))):
        with suppress(*NO_RECORD):
            records.append(read_record(path))
    sitting, members = list_models(at, "judge"), list_models(panel) if panel else ()
    seats = len(panel.debate.settings.members) if panel else 0
    return [
        Judged(who, m, tuple(r for r in records if m in r.models and r.members == size))
        for who, models, size in (("judge", sitting, 1), ("panel", members, seats))
        for m in [m for m in models if m] or models
    ]


def read_record(path: str) -> TrackRecord:
    """Return the track record that a calibration's result is."""
    data = loads(files.read_bytes(path, 1 << 20).decode())
    figures = data["with_debate"]
    return TrackRecord(
        tuple(map(str, data["models"])),
        int(data["panel"]),
        one_line(str(data["set"])),
        int(figures["number"]),
        float(figures["accuracy"]),
        float(figures["brier"]),
    )
