"""The record of another debate as a participant: what was said then is said again."""

from __future__ import annotations

from typing import Any

from debate_ops.formats import entries, json_text
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Absence, Entry
from debate_ops.model.turn import Absent
from debate_ops.participants.base import Answer, FailedError, Prompt
from debate_ops.protocols.table import rules_of
from debate_ops.storage import load
from debate_ops.storage.folder import Folder


class Replay:
    """Every participant of a recorded debate, whose record is read once."""

    recorded = True

    def __init__(self, folder: Folder) -> None:
        """Take the debate in `folder`.

        Raises:
            BadRecordError: it cannot be read.
        """
        debate = load.load(folder).debate
        self._slug = debate.slug
        self._rules = rules_of(debate.protocol)
        self._entries = entries_of(debate)
        self._values = {entry.id: entries.parse(entry) for entry in self._entries}
        self.name = f"replay of {debate.slug}"

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return what the record holds for this task: a reply, or an absence."""
        value = self._rules.recall(self._values, prompt.turn, prompt.task)
        if value is not None:
            return Answer(json_text.dumps(value).encode("utf-8"), self._made_by(prompt))
        absence = self._absence(prompt)
        if absence is not None:
            reason = absence.reason or "no reason on record"
            return Absent(absence.participant, absence.how, reason, absence.by)
        raise FailedError(
            f"the record of {self._slug} holds no reply of {prompt.task.participant} for exchange "
            f"{prompt.turn.exchange}",
            once_more=False,
        )

    def _absence(self, prompt: Prompt) -> Absence | None:
        for value in self._values.values():
            if isinstance(value, Absence) and _matches(value.id, value.exchange, prompt):
                return value
        return None

    def _made_by(self, prompt: Prompt) -> dict[str, Any]:
        for entry in self._entries:
            made = entry.header.get("made_by")
            if made and _matches(entry.id, entry.exchange, prompt):
                return {"replay_of": {"debate": self._slug, "made_by": made}}
        return {"replay_of": {"debate": self._slug}}


def entries_of(debate: Debate) -> list[Entry]:
    """Return every entry on a debate's record."""
    ids = [*debate.record.ids(ARGUMENTS), *debate.record.ids(JUDGMENTS)]
    return [entry for entry_id in ids if (entry := debate.record.get(entry_id)) is not None]


def _matches(entry_id: str, exchange: int, prompt: Prompt) -> bool:
    participant = entry_id.partition("_")[0]
    return participant == prompt.task.participant and exchange == prompt.turn.exchange
