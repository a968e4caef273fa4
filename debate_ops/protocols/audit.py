"""How the audits of the protocols tell what is wrong with a record."""

from __future__ import annotations

from typing import Any

from debate_ops.errors import Finding
from debate_ops.model.entries import Entry


def finding(entry: Entry, code: str, message: str, found: Any = "", wanted: str = "") -> Finding:
    """Return what is wrong with an entry, told of its file."""
    return Finding(code, message, file=entry.file, found=str(found), wanted=wanted)
