"""One row per protocol: how its debates are held by a script, and what else differs."""

from collections.abc import Mapping

from tests.every_protocol.scripts.chairs import CHAIRS
from tests.every_protocol.scripts.consensus import CONSENSUS
from tests.every_protocol.scripts.design import DESIGN
from tests.every_protocol.scripts.exchange import EXCHANGE
from tests.every_protocol.scripts.formal import FORMAL
from tests.every_protocol.scripts.row import Effect, Row, Variant

__all__ = ["ROWS", "Effect", "Row", "Variant"]

ROWS: Mapping[str, Row] = {
    "exchange": EXCHANGE,
    "formal": FORMAL,
    "chairs": CHAIRS,
    "consensus": CONSENSUS,
    "design": DESIGN,
}
"""Every protocol of the table."""
