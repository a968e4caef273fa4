"""The names of what a report draws into the debate folder."""

from __future__ import annotations

from collections.abc import Sequence

from debate_ops.reports.colours import PALETTES

README = "README.md"
PAGE = "report.html"
GRAPH = "argument-graph.mmd"
CHARTS = "charts"


def charts(names: Sequence[str], *, png: bool) -> tuple[str, ...]:
    """Return the paths inside the debate folder of the charts of these names."""
    endings = ("svg", "png") if png else ("svg",)
    return tuple(
        f"{CHARTS}/{name}-{theme}.{ending}"
        for ending in endings
        for name in names
        for theme in PALETTES
    )
