"""The record of another debate as a participant: what was said then is said again."""

from __future__ import annotations

from typing import Any

from debate_ops import engine
from debate_ops.core.protocol import ADVISER, FirstAnswer
from debate_ops.core.replies import dump_reply
from debate_ops.core.usage import made_by
from debate_ops.core.values import Absent, Entry
from debate_ops.engine.store import Folder
from debate_ops.run.base import Answer, FailedError, Prompt


class Replay:
    """Every participant of a recorded debate, whose record is read once."""

    recorded = True

    def __init__(self, folder: Folder) -> None:
        """Take the debate in `folder`.

        Raises:
            BadRecordError: it cannot be read.
        """
        at = engine.load(folder)
        self.debate, self._protocol = at.debate, at.protocol
        self._slug = folder.slug
        self._steps: dict[tuple[int, str], list[Entry]] = {}
        for entry in at.debate.entries.values():
            self._steps.setdefault((entry.step, entry.by), []).append(entry)
        self.name = f"replay of {self._slug}"

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return what the record holds for this task: a reply, or an absence."""
        turn, name = prompt.turn, prompt.task.by
        own = [e for e in self._steps.get((prompt.step, name), []) if e.round == turn.round]
        for entry in own:
            if entry.kind == "absence":
                said = entry.data
                return Absent(said["how"], said["reason"] or "no reason on record", said["by"])
        if not own and name == ADVISER:  # whom nothing waits for
            return Absent("omit", "it is not on record", name)
        if not own:
            raise FailedError(
                f"the record of {self._slug} holds no reply of {name} for exchange {turn.round}",
                tries=1,
            )
        form = FirstAnswer if name == ADVISER else self._protocol.replies[turn.template(name)]
        reply = form.recall(own)
        return Answer(dump_reply(reply, turn, name).encode(), self._describe_origin(own))

    def _describe_origin(self, entries: list[Entry]) -> dict[str, Any]:
        made = next(filter(None, map(made_by, entries)), None)
        origin: dict[str, Any] = {"debate": self._slug} | ({"made_by": made} if made else {})
        return {"replay_of": origin}
