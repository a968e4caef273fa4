"""A brief cannot flood whoever reads what `report --brief` answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.reports import views
from tests.builders import run, written
from tests.every_protocol.test_floods import MANY, MOST, SAID, size, swollen
from tests.reports.brief.stage import brief_of
from tests.reports.brief.test_keeping import debate_at


def flooded(kind: str, good: dict[str, Any]) -> Any:
    """Return a brief that is wrong in thousands of places."""
    if kind == "unknown keys":
        return good | {f"{SAID} {number}": number for number in range(MANY)}
    if kind == "wrong values":
        return swollen(good)
    if kind == "unknown entries":
        return good | {
            "unchecked": [{"fact": "One.", "cites": [f"{SAID} {n}" for n in range(MANY)]}]
        }
    if kind == "numbers and quotations":
        return good | {"why": [f"“{SAID} {number}” " * 20 for number in range(3)]}
    return good | {"participant": SAID * 1000, "direction": SAID * 1000}


KINDS = ("unknown keys", "wrong values", "unknown entries", "numbers and quotations", "wrong names")


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_a_brief_holds_is_answered_in_short(kind: str) -> None:
    folder = debate_at(2)
    good = brief_of(views.of(engine.look(folder).debate))
    answer = run(
        "report", folder.slug, "--brief", written("flood.json", flooded(kind, good)), "--json"
    )
    assert answer.code == (0 if kind == "unknown keys" else 1)
    assert size(answer) < MOST
    assert (json.dumps(answer.told) + answer.remarks).count(SAID) < 200
