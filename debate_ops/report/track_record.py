"""The track record of who judged a debate: how often they are right where the answer is known."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import UsageError
from debate_ops.core.protocol import Replayed
from debate_ops.core.texts import one_line
from debate_ops.core.values import JUDGMENTS, Fault
from debate_ops.engine import files
from debate_ops.engine.store import Folder
from debate_ops.report.provenance import find_original

CALIBRATIONS, RESULT = "calibration", "result.json"
"""The folder beside the debates in which calibrations are kept, and the file of each."""
NO_RECORD = (OSError, UsageError, ValueError, LookupError, TypeError)
"""What reading a result raises that is none."""
_MOST_BYTES, _LONGEST = 1 << 20, 120


class TrackRecord(NamedTuple):
    """What one calibration showed: of which models, as a panel of how many, and on which set."""

    models: tuple[str, ...]
    members: int
    set: str
    number: int
    accuracy: float
    brier: float

    def describe(self) -> str:
        """Return it for readers: `right in 27 of 30 (90 %), on the set nyu`."""
        right = f"right in {self.accuracy * self.number:g} of {self.number}"
        alone = "" if self.members == 1 else f", as a panel of {self.members}"
        return f"{right} ({100 * self.accuracy:.0f} %), on the set {self.set}{alone}"


class Judged(NamedTuple):
    """Who judged a debate: `who` is its judge or a panel; `model` is empty where it is unknown."""

    who: str
    model: str
    records: tuple[TrackRecord, ...]

    def as_data(self) -> dict[str, Any]:
        """Return it for programs."""
        return self._asdict() | {"records": [record._asdict() for record in self.records]}

    def describe(self) -> str:
        """Return it for readers."""
        name = f"The {self.who} ({self.model or 'model unknown'})"
        known = "; ".join(record.describe() for record in self.records)
        if known:
            return f"{name} on debates with known answers: {known}"
        return f"{name}: never tried on debates with known answers"


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
    return tuple(dict.fromkeys(one_line(str(name))[:_LONGEST] for name in named))


def find_judges(
    folder: Folder, at: Replayed, panel: Replayed | None = None
) -> tuple[list[Judged], list[Fault]]:
    """Return who judged a debate and who sat in its panel, each model once, with what is known.

    That are the calibrations beside the debate; those that cannot be read are warned of. The
    replies of which no model is on record are ignored where others name one.
    """
    above = os.path.join(os.path.dirname(folder.path), CALIBRATIONS)
    records, warnings, judges = list[TrackRecord](), [], []
    for set_ in files.list_names(above):
        for who in files.list_names(os.path.join(above, set_)):
            path = os.path.join(above, set_, who, RESULT)
            if os.path.lexists(path):
                try:
                    records.append(read_record(path))
                except NO_RECORD as error:
                    why = f"is not as 'calibrate' writes a result ({one_line(str(error), 200)})"
                    hint = f"{why}; it is ignored until the same command writes it again"
                    warnings.append(Fault("", hint, file=path, is_warning=True))
    sitting, members = list_models(at, "judge"), list_models(panel) if panel else ()
    for who, models in (("judge", sitting), ("panel", members)):
        for model in [model for model in models if model] or models:
            own = [record for record in records if model in record.models]
            fitting = [record for record in own if (record.members > 1) == (who == "panel")]
            judges.append(Judged(who, model, tuple(fitting or own)))
    return judges, warnings


def read_record(path: str) -> TrackRecord:
    """Return the track record that a calibration's result is.

    It raises one of `NO_RECORD` if it is none.
    """
    data = json.loads(files.read_bytes(path, _MOST_BYTES).decode())
    figures = data["with_debate"]
    return TrackRecord(
        tuple(map(str, data["models"])),
        int(data["panel"]),
        one_line(str(data["set"])),
        int(figures["number"]),
        float(figures["accuracy"]),
        float(figures["brier"]),
    )
