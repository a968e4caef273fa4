"""A record in memory, for the rules alone."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from debate_ops.model.entries import Entry
from debate_ops.model.ids import order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class MemoryRecord(NamedTuple):
    """A record that was never on a disk."""

    entries: Mapping[str, Entry]

    def ids(self, folder: str) -> Sequence[str]:
        return sorted((e.id for e in self.entries.values() if e.folder == folder), key=order)

    def get(self, entry_id: str) -> Entry | None:
        return self.entries.get(entry_id)

    def digest(self, entry_id: str) -> str:
        return hashlib.sha256(repr(self.entries[entry_id]).encode()).hexdigest()
