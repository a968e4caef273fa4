"""Who a participant of a design debate is, and what it looks for in each task.

The texts of the seven roles are in `roles.json`; a user's own description and prompts take their
place, and a role of the user's own has a description and the guidance that fits every role.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from debate_ops.model.texts import trimmed
from debate_ops.model.turn import Own

with open(os.path.dirname(__file__) + "/roles.json", encoding="utf-8") as _file:
    _TEXTS = json.load(_file)
ROLES: Mapping[str, Mapping[str, str]] = _TEXTS["roles"]
"""Each role by name: `who` somebody of it is, and what it looks for in each task."""
ANY_ROLE: Mapping[str, str] = _TEXTS["any"]
"""What a role of the user's own looks for; who it is, its description says."""
TASKS = tuple(ANY_ROLE)
"""The tasks that have guidance of their own, which are the keys of a participant's `prompts`."""


def described(participant: Mapping[str, Any]) -> str:
    """Return who a participant is: the user's description, or else that of its role, as `Own`.

    `participant` is one object of the setting `participants`, as it is stored.
    """
    own = text_of(participant.get("description"))
    return own or Own(ROLES.get(participant["role"], {}).get("who", ""))


def guidance(participant: Mapping[str, Any], task: str) -> str:
    """Return what a participant looks for in one of `TASKS`: the user's prompt, or its role's.

    That of its role is `Own`.
    """
    own = text_of((participant.get("prompts") or {}).get(task))
    return own or Own(ROLES.get(participant["role"], ANY_ROLE)[task])


def text_of(value: Any) -> str:
    """Return a text that is given as itself, or with the file it was read from; else nothing.

    >>> text_of({"file": "calm.md", "text": "Stay calm."})
    'Stay calm.'
    """
    text = value.get("text") if isinstance(value, Mapping) else value
    return trimmed(text) if isinstance(text, str) else ""
