"""The digest that names a submission, and that tells whether a file was edited: SHA-256."""

from __future__ import annotations

import hashlib
from typing import Any


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` in hex."""
    return hashlib.sha256(data).hexdigest()


def of_text(text: str) -> str:
    r"""Return the digest of a text of the record; git may change its line ends.

    >>> of_text("one\r\ntwo\r\n") == of_text("one\ntwo\n") == sha256(b"one\ntwo\n")
    True
    """
    return sha256(text.replace("\r\n", "\n").encode("utf-8"))


def are_digests(value: Any) -> bool:
    """Tell whether a value of a header is an object of digests by name."""
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
