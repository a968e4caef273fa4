"""The digest that names a submission, and that tells whether a file was edited: SHA-256."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` in hex."""
    return str(_sha256()(data).hexdigest())


@cache
def _sha256() -> Callable[[bytes], Any]:
    """Return the function that needs no OpenSSL, which takes longer to load than to use."""
    for library in ("_sha2", "_sha256", "hashlib"):  # of Python 3.12, of 3.11, of any
        with suppress(ImportError):
            return import_module(library).sha256  # type: ignore[no-any-return]
    raise AssertionError


def of_text(text: str) -> str:
    r"""Return the digest of a text of the record; git may change its line ends.

    >>> of_text("one\r\ntwo\r\n") == of_text("one\ntwo\n") == sha256(b"one\ntwo\n")
    True
    """
    return sha256(text.replace("\r\n", "\n").encode("utf-8"))


def are_digests(value: Any) -> bool:
    """Tell whether a value of a header is an object of digests by name."""
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
