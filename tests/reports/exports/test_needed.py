"""What has no link on record is no graph, whatever arguments there are."""

from __future__ import annotations

import pytest

from debate_ops.errors import RefusedError
from debate_ops.reports.exports.table import EXPORTS
from tests.reports.debates import argument
from tests.reports.exports.debates import content


@pytest.mark.parametrize("name", ["argdown", "mermaid", "dot", "apx", "apx-plain"])
def test_arguments_without_a_link_are_no_graph(name: str) -> None:
    with pytest.raises(RefusedError, match="has nothing for") as refused:
        EXPORTS[name].render(content(argument("prop_000a"), argument("opp_000a")))
    assert "csv-arguments" in str(refused.value.hint)


@pytest.mark.parametrize("name", ["apx", "apx-plain"])
def test_facts_want_an_attack(name: str) -> None:
    with pytest.raises(RefusedError, match="no attack on record"):
        EXPORTS[name].render(content(argument("prop_000a"), argument("opp_000a")))
