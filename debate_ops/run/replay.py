"""The record of another debate as a participant: what was said then is said again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from debate_ops.core.errors import BadRecordError
from debate_ops.formats import brief_file, entries, json_text
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ADVICE, ARGUMENTS, JUDGMENTS, Entry
from debate_ops.model.turn import Absent
from debate_ops.model.views import absence_of
from debate_ops.run.base import Answer, FailedError, Prompt
from debate_ops.protocols import first_answer
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files, load
from debate_ops.storage.folder import Folder

_BRIEF = "brief"
"""The schema of what a reporter is asked for: it is no part of a turn."""


class Replay:
    """Every participant of a recorded debate, whose record is read once."""

    recorded = True

    def __init__(self, folder: Folder) -> None:
        """Take the debate in `folder`.

        Raises:
            BadRecordError: it cannot be read.
        """
        debate = load.load(folder).debate
        self._folder = folder
        self._slug = debate.slug
        self.settings = debate.settings
        self._rules = rules_of(debate.protocol)
        self._steps: dict[tuple[int, str], list[Entry]] = {}
        beside = filter(None, map(debate.record.get, debate.record.ids(ADVICE)))
        for entry in (*entries_of(debate), *beside):
            self._steps.setdefault((entry.step, entry.participant), []).append(entry)
        self.name = f"replay of {debate.slug}"

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return what the record holds for this task: a reply, or an absence."""
        turn, task = prompt.turn, prompt.task
        if task.schema == _BRIEF:
            return self._brief()
        recorded = self._steps.get((turn.step, task.participant), [])
        values = [entries.parse(entry) for entry in recorded if entry.exchange == turn.exchange]
        recall = first_answer.recall if task in turn.beside else self._rules.recall
        value = recall(values, turn, task)
        if value is not None:
            return Answer(json_text.dumps(value).encode("utf-8"), self._made_by(recorded))
        for absence in filter(None, map(absence_of, values)):
            reason = absence.reason or "no reason on record"
            return Absent(absence.participant, absence.how, reason, absence.by)
        raise FailedError(
            f"the record of {self._slug} holds no reply of {task.participant} for exchange "
            f"{turn.exchange}",
            tries=1,
        )

    def _brief(self) -> Answer:
        try:
            kept = brief_file.parse(files.read_text(self._folder.within(brief_file.NAME)))
        except BadRecordError as error:
            raise FailedError(error.message, tries=1) from None
        raw = json_text.dumps(kept.reply).encode("utf-8")
        return Answer(raw, self._replay_of(kept.made_by))

    def _made_by(self, recorded: list[Entry]) -> dict[str, Any]:
        made = (made for entry in recorded if (made := entry.header.get("made_by")))
        return self._replay_of(next(made, None))

    def _replay_of(self, made: Mapping[str, Any] | None) -> dict[str, Any]:
        result: dict[str, Any] = {"debate": self._slug}
        return {"replay_of": result | ({"made_by": made} if made else {})}


def entries_of(debate: Debate) -> list[Entry]:
    """Return every entry of a debate, without what was said beside it."""
    ids = [*debate.record.ids(ARGUMENTS), *debate.record.ids(JUDGMENTS)]
    return [entry for entry_id in ids if (entry := debate.record.get(entry_id)) is not None]
