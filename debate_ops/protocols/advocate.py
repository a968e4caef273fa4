"""The devil's advocate: who has to make the strongest case against what leads, known to all.

It is a task and no conviction: what the advocate says counts by its reasons, and it votes and
judges as it would without the task. A pass is no answer to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model.turn import Own
from debate_ops.protocols import people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.settings import Setting

NAME = "devils_advocate"
NOBODY, ROTATION = "nobody", "rotation"


def _read(value: Any) -> str:
    if not people.is_name(value):
        raise ValueError
    return str(value)


SETTING = Setting(
    NAME,
    NOBODY,
    "who makes the strongest case against what leads: a participant by name, or by rotation, "
    "which gives each the task in turn",
    _read,
    f"the name of a participant, {ROTATION} or {NOBODY}",
)


def clashes(settings: Settings, names: Collection[str]) -> Iterator[str]:
    """Yield a sentence if the setting means nobody, or two things."""
    chosen = settings[NAME]
    if chosen == ROTATION and ROTATION in names:
        yield f"{NAME} is {ROTATION}, which is a participant's name too: name that one otherwise"
    elif chosen not in {NOBODY, ROTATION, *names}:
        yield f"{NAME} is {chosen}, who takes no part; participants are {', '.join(names)}"


def of(settings: Settings, names: Sequence[str], exchange: int, leading: Collection[str]) -> str:
    """Return the devil's advocate of an exchange, counted from 1; empty where there is none.

    In rotation each exchange begins with the next participant, and whoever is behind what leads is
    passed over: nobody can make the case against its own.
    """
    if settings[NAME] != ROTATION:
        return "" if settings[NAME] == NOBODY else str(settings[NAME])
    first = (exchange - 1) % len(names)
    order = (*names[first:], *names[:first])
    return next((name for name in order if name not in leading), order[0])


def note(advocate: str, reader: str, task: str, leading: str) -> Own:
    """Return what a prompt says of the devil's advocate; empty where there is none."""
    if not advocate:
        return Own("")
    if reader != advocate:
        return Own(_OF_ANOTHER.format(advocate=advocate))
    return Own(f"**You are the devil's advocate.** {_OWN.get(task, _LATER).format(leading)}")


_OF_ANOTHER = (
    "{advocate} is the devil's advocate this time: its task is the strongest case against what "
    "leads. Its points count by their reasons, like any; that it makes them says nothing of what "
    "it holds itself."
)
_LATER = "The task is for your critiques; here you say what you would say without it."
_JUDGING = (
    "The task ended with your critiques: decide by your own conviction, even where that is for "
    "what you spoke against."
)
_OWN: Mapping[str, str] = {
    "critique": "Your task, which all know of, is the strongest case against what leads: {0}. "
    "Do not pass, and begin with that case: which assumption carries it, what nobody has tested, "
    "what it would cost to be wrong, which rival was dropped too soon. Invent nothing, and call "
    "nothing graver than you would without this task.",
    "refinement": "Keep the case against what all share alive in your text: accept what is "
    "right, but do not take up what the others agree on because they do.",
    "vote": _JUDGING,
    "review": _JUDGING,
}


def silent(advocate: str, me: str, where: str, leading: str) -> Iterator[Finding]:
    """Yield the fault that the devil's advocate makes no case against what leads."""
    if me == advocate:
        message = f"{me} is the devil's advocate, and there is no point against {leading}"
        yield Finding(
            "case_missing", message, where=where, expected="the strongest case against it"
        )
