"""A whole record of the protocol `consensus`, held against its rules once more."""

from __future__ import annotations
