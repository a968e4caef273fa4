"""The first answer: what one who sees nothing of the debate would say to its question.

The engine asks for it beside the first turn of a debate of any protocol. It goes on record with
that turn, in a folder of its own, and nothing waits for it: a debate without it lacks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.model.entries import ADVICE, Contribution
from debate_ops.model.ids import EntryId, parse_id
from debate_ops.model.turn import OMIT, Reply, Task, Turn
from debate_ops.protocols.base import Rules, Settings
from debate_ops.protocols.replies import naming

ADVISER = "adviser"
KIND = "advice"
SETTING = "first_answer"

_TASK = Task(ADVISER, "debater", "first-answer", "first-answer", OMIT)
_HEADING = "Answer"


def is_enabled(settings: Settings) -> bool:
    """Tell whether a debate with these settings begins with a first answer beside it."""
    return settings.get(SETTING) == "on"


def beside(debate: Debate, turn: Turn) -> Turn:
    """Return a turn of a debate with the adviser's task beside it, if it is the first one."""
    return turn._replace(beside=(_TASK,)) if not turn.step and is_enabled(debate.settings) else turn


def clashes(rules: Rules, settings: Settings) -> Iterator[str]:
    """Yield a sentence, beginning with a setting's name, if somebody else has the adviser's."""
    if is_enabled(settings) and ADVISER in rules.participants(settings):
        yield (
            f"participants has {ADVISER}, which is who gives the first answer: name it otherwise, "
            f"or set {SETTING} to off"
        )


def entry(turn: Turn, reply: Reply) -> Contribution:
    """Return what a reply of the adviser becomes on record."""
    entry_id = str(EntryId(ADVISER, turn.exchange, kind=KIND))
    texts = {_HEADING: str(reply.value["text"])}
    return Contribution(entry_id, KIND, turn.exchange, ADVICE, {"title": "First answer"}, texts)


def is_its_id(entry_id: str) -> bool:
    """Tell whether an id is that of a first answer."""
    parts = parse_id(entry_id)
    return parts is not None and (parts.participant, parts.kind) == (ADVISER, KIND)


def recall(values: Sequence[Contribution], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that became the first answer among `values`, or None without one."""
    for value in values:
        if value.kind == KIND:
            return naming(turn, task) | {"text": value.texts.get(_HEADING, "")}
    return None


def event_names(rules: Rules) -> Mapping[str, str]:
    """Return the event of each kind of entry, those of a protocol and the first answer's."""
    return {**rules.EVENTS, KIND: "first_answer_filed"}
