"""The names of the files of a report, inside the debate folder."""

from __future__ import annotations

from debate_ops.reports.colours import PALETTES

README = "README.md"
PAGE = "report.html"
GRAPH = "argument-graph.mmd"
CHARTS = "charts"


def map_of(theme: str, ending: str = "svg") -> str:
    """Return the path of the map in the colours of a theme."""
    return f"{CHARTS}/map-{theme}.{ending}"


def maps(*, png: bool) -> tuple[str, ...]:
    """Return the paths of the map in every theme."""
    endings = ("svg", "png") if png else ("svg",)
    return tuple(map_of(theme, ending) for ending in endings for theme in PALETTES)
