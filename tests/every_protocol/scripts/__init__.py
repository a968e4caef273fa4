"""How debates of each protocol are run by a script, and what else differs: `ROW` of its module."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from debate_ops.protocols.table import PROTOCOLS
from tests.every_protocol.scripts.row import Effect, Row, Variant

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ROWS", "Effect", "Row", "Variant"]

ROWS: Mapping[str, Row] = {
    name: import_module(f"{__name__}.{name.replace('-', '_')}").ROW for name in PROTOCOLS
}
"""Every protocol of the table."""
