"""The track record of who judged a debate: how often they are right where the answer is known."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.errors import Finding, UsageError
from debate_ops.formats import bounded_json
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS
from debate_ops.model.texts import one_line
from debate_ops.model.usage import made_by
from debate_ops.storage import files
from debate_ops.storage.folder import Folder

CALIBRATIONS, RESULT = "calibration", "result.json"
"""The folder beside the debates in which calibrations are kept, and the file of each."""
_JUDGE, _PANEL = "judge", "panel"
NO_RECORD = (OSError, UsageError, ValueError, LookupError, TypeError)
_MOST_BYTES, _LONGEST = 1 << 20, 120


class TrackRecord(NamedTuple):
    """What one calibration showed: of which models, as a panel of how many, and on which set."""

    models: tuple[str, ...]
    members: int
    set: str
    number: int
    accuracy: float
    brier: float

    def sentence(self) -> str:
        """Return it for readers.

        >>> TrackRecord(("m-1",), 1, "nyu", 30, 0.9, 0.08).sentence()
        'right in 27 of 30 (90 %), Brier 0.08, on nyu'
        """
        right = f"right in {self.accuracy * self.number:g} of {self.number}"
        alone = "" if self.members == 1 else f", as a panel of {self.members}"
        return (
            f"{right} ({100 * self.accuracy:.0f} %), Brier {self.brier:.2f}, on {self.set}{alone}"
        )


class Judged(NamedTuple):
    """Who judged a debate: `who` is its judge or a panel; `model` is empty where it is unknown."""

    who: str
    model: str
    records: tuple[TrackRecord, ...]

    def as_data(self) -> dict[str, Any]:
        """Return it for programs."""
        return self._asdict() | {"records": [record._asdict() for record in self.records]}


def sentences(judges: Iterable[Judged]) -> Iterator[str]:
    """Yield what is known of who judged, for readers: of one model with one record it is said once.

    >>> list(sentences([Judged("judge", "m-1", ()), Judged("panel", "m-1", ())]))
    ['The judge and the panel (m-1): not calibrated']
    """
    alike: dict[tuple[str, tuple[TrackRecord, ...]], list[str]] = {}
    for judged in judges:
        alike.setdefault((judged.model, judged.records), []).append(f"the {judged.who}")
    for (model, records), who in alike.items():
        name = f"{' and '.join(who).capitalize()} ({model or 'model unknown'})"
        known = "; ".join(record.sentence() for record in records)
        yield (
            f"{name} on debates with known answers: {known}" if known else f"{name}: not calibrated"
        )


def model_of(origin: Mapping[str, Any]) -> str:
    """Return the model that made a reply, or who else is said to have; of a replay the original's.

    >>> model_of({"command": "claude", "model": "m-1"})
    'm-1'
    """
    before = origin.get("replay_of")
    if isinstance(before, dict):
        return model_of(before.get("made_by") or {})
    return one_line(str(origin.get("model") or origin.get("by") or ""))[:_LONGEST]


def models_of(debate: Debate, *participants: str) -> tuple[str, ...]:
    """Return the models that made the judgments of a debate, of these participants or of all."""
    record = debate.record
    judgments = [entry for id_ in record.ids(JUDGMENTS) if (entry := record.get(id_))]
    return tuple(
        dict.fromkeys(
            model_of(made_by(entry))
            for entry in judgments
            if not entry.is_absence and (not participants or entry.participant in participants)
        )
    )


def judges(
    debate: Debate, panel: Debate | None, records: Sequence[TrackRecord]
) -> Iterator[Judged]:
    """Yield who judged a debate and who sat in its panel, each model once.

    The replies of which no model is on record are ignored where others name one.
    """
    sitting, members = models_of(debate, _JUDGE), models_of(panel) if panel else ()
    for who, models in ((_JUDGE, sitting), (_PANEL, members)):
        for model in [model for model in models if model] or models:
            own = [record for record in records if model in record.models]
            fitting = [record for record in own if (record.members > 1) == (who == _PANEL)]
            yield Judged(who, model, tuple(fitting or own))


def kept(folder: Folder) -> tuple[tuple[TrackRecord, ...], tuple[Finding, ...]]:
    """Return what calibrations beside a debate have shown, and which of them cannot be read."""
    above = os.path.join(os.path.dirname(folder.path), CALIBRATIONS)
    records: list[TrackRecord] = []
    warnings: list[Finding] = []
    for set_ in files.names(above):
        for who in files.names(os.path.join(above, set_)):
            path = os.path.join(above, set_, who, RESULT)
            if os.path.lexists(path):
                try:
                    records.append(read(path))
                except NO_RECORD as error:
                    warnings.append(_ignored(path, error))
    return tuple(records), tuple(warnings)


def _ignored(path: str, error: Exception) -> Finding:
    why = f"{path} is not as 'calibrate' writes a result ({type(error).__name__}: {error})"
    message = f"{why}; it is ignored until the same command writes it again"
    return Finding("bad_calibration", one_line(message), file=path)


def read(path: str) -> TrackRecord:
    """Return the track record that a calibration's result is; raises one of `NO_RECORD` if none."""
    data = bounded_json.read_whole(files.read_bytes(path, _MOST_BYTES).decode())
    figures = data["with_debate"]
    return TrackRecord(
        tuple(map(str, data["models"])),
        int(data["panel"]),
        one_line(str(data["set"])),
        int(figures["number"]),
        float(figures["accuracy"]),
        float(figures["brier"]),
    )
