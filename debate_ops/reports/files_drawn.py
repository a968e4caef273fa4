"""The names of what a report draws into the debate folder."""

from __future__ import annotations

from debate_ops.reports.colours import PALETTES

README = "README.md"
GRAPH = "argument-graph.mmd"
CHARTS = "charts"
TUG_OF_WAR = "tug-of-war"
SCORES = "scores"


def charts(*, png: bool) -> tuple[str, ...]:
    """Return the paths of all charts inside the debate folder."""
    endings = ("svg", "png") if png else ("svg",)
    return tuple(
        f"{CHARTS}/{name}-{theme}.{ending}"
        for ending in endings
        for name in (TUG_OF_WAR, SCORES)
        for theme in PALETTES
    )
