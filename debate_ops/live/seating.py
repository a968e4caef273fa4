"""Who looks at the live page: each link has a secret of its own, and what it allows."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from hmac import compare_digest
from typing import NamedTuple

from debate_ops.core.errors import DebateError
from debate_ops.engine import files, inbox
from debate_ops.engine.store import Folder

OWNER, VIEWER = "owner", "viewer"
_BYTES = 18


class Seat(NamedTuple):
    """What a link allows: all, only to look on, or to reply as one participant."""

    name: str
    secret: str

    @property
    def is_owner(self) -> bool:
        """Whether it may pause, stop, speak and reply for anybody."""
        return self.name == OWNER

    @property
    def is_viewer(self) -> bool:
        """Whether it may only look on."""
        return self.name == VIEWER

    def may_reply_as(self, participant: str) -> bool:
        """Tell whether it may reply as a participant."""
        return self.is_owner or (not self.is_viewer and self.name == participant)


def assign_seats(folder: Folder, participants: Iterable[str] = ()) -> list[Seat]:
    """Return a seat for who runs the debate, one to look on, and one for each participant.

    The secrets stay the same until the file that has them, which only its owner may read, is
    deleted.

    Raises:
        OSError: they cannot be kept.
    """
    path = inbox.name_links_file(folder)
    before = _read_secrets(path)
    kept = before | {
        name: secrets.token_urlsafe(_BYTES)
        for name in (OWNER, VIEWER, *participants)
        if len(before.get(name, "")) < _BYTES
    }
    if kept != before:
        files.write_private(path, json.dumps(kept) + "\n")
    return [Seat(name, kept[name]) for name in (OWNER, VIEWER, *participants)]


def _read_secrets(path: str) -> dict[str, str]:
    """Return the secrets by seat; none where there is no such file, or it is damaged."""
    try:
        values = json.loads(files.read_text(path))
    except (OSError, ValueError, RecursionError, DebateError):
        return {}
    pairs = values.items() if isinstance(values, dict) else ()
    return {kind: secret for kind, secret in pairs if isinstance(secret, str)}


def find_seat(secret: str, seats: Iterable[Seat]) -> Seat | None:
    """Return the seat that a secret opens; every one is compared, in the same time."""
    word = secret.encode("utf-8", "replace")
    return next(iter([s for s in seats if compare_digest(s.secret.encode(), word)]), None)
