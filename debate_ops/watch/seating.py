"""Who looks at the live page: each link has a secret of its own, and what it allows."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hmac import compare_digest
from typing import NamedTuple

OWNER, VIEWER = "owner", "viewer"
_BYTES = 18


class Seat(NamedTuple):
    """What a link allows: all, only to look on, or to reply as one participant."""

    name: str
    kind: str
    secret: str

    @property
    def is_owner(self) -> bool:
        """Whether it may pause, stop, speak and reply for anybody."""
        return self.kind == OWNER

    def may_reply_as(self, participant: str) -> bool:
        """Tell whether it may reply as a participant."""
        return self.is_owner or (self.kind not in {OWNER, VIEWER} and self.kind == participant)


def new(participants: Iterable[str]) -> list[Seat]:
    """Return a seat for who runs the debate, one to look on, and one for each participant."""
    kinds = (OWNER, VIEWER, *participants)
    return [Seat(kind, kind, secrets.token_urlsafe(_BYTES)) for kind in kinds]


def of(secret: str, seats: Iterable[Seat]) -> Seat | None:
    """Return the seat that a secret opens; every one is compared, in the same time."""
    word = secret.encode("utf-8", "replace")
    right = [seat for seat in seats if compare_digest(seat.secret.encode(), word)]
    return right[0] if right else None
