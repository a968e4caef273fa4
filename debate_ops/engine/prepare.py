"""The prompts of the turn that is due, written into the inbox."""

from __future__ import annotations

from debate_ops.engine import digests
from debate_ops.engine.position import REFUSED, WAITING, Position
from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate, Word
from debate_ops.model.entries import Entry, Record
from debate_ops.model.turn import Context, Turn
from debate_ops.protocols.table import rules_of
from debate_ops.storage import inbox


def prepared(position: Position) -> Position:
    """Write the prompts of the tasks that are still to be done; equal prompts are left alone.

    They show what was said at any time: every entry that is read for them is looked at for edits,
    and so is what is new.
    """
    if not isinstance(position.due, Turn):
        inbox.clear_prompts(position.folder, position.debate.step)
        return position
    from debate_ops.prompts import build  # `status` and `process-*` write no prompts

    turn, watched = position.due, _Watched(position.debate.record)
    debate = position.debate._replace(record=watched)
    framing = debate_file.framing(debate.body)
    rules = rules_of(debate.protocol)
    for item in position.tasks:
        if item.status in {WAITING, REFUSED}:
            is_beside = item.task in turn.beside
            context = Context() if is_beside else rules.context(debate, turn, item.task)
            if not is_beside:
                context = context._replace(words=_said_to(debate, item.task.participant))
            name = position.folder.name
            text = build.prompt(debate, framing, turn, item.task, context, name)
            inbox.write(item.slot.prompt, text)
    inbox.clear_prompts(position.folder, debate.step)
    edits = digests.edits(position.debate, watched.read)
    return position._replace(warnings=tuple(dict.fromkeys((*position.warnings, *edits))))


def _said_to(debate: Debate, participant: str) -> tuple[Word, ...]:
    role = rules_of(debate.protocol).participants(debate.settings).get(participant)
    return tuple(word for word in debate.words if word.to in {"", participant, role})


class _Watched:
    """A record that remembers which of its entries were read."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.ids, self.digest = record.ids, record.digest
        self.read: set[str] = set()

    def get(self, entry_id: str) -> Entry | None:
        self.read.add(entry_id)
        return self._record.get(entry_id)
