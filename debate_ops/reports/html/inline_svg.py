"""A chart as a part of the page: its colours are the page's, its entries are links."""

from __future__ import annotations

import re
from collections.abc import Container
from html import escape

from markupsafe import Markup

from debate_ops.reports.blocks import Picture
from debate_ops.reports.colours import VARIABLES, recoloured

_SIZE = re.compile(r'viewBox="0 0 [0-9. ]+"')
_STYLE = re.compile(r'<([a-z]+) ([^>]*)style="([^"]*)"')
_LINK = re.compile(r'<a xlink:href="[^"#]*#([^"]*)" target="_blank">(\s*)<path')
_ENTRY = re.compile(r'<g id="entry-([^"]*)">')


def figure(svg: str, picture: Picture, entries: Container[str]) -> Markup:
    """Return what matplotlib drew without what a page's policy forbids, in the page's colours.

    `entries` are what links may lead to.
    """

    def link(found: re.Match[str]) -> str:
        target = f' href="#{found[1]}"' if found[1] in entries else ""
        return f'<a{target} aria-label="{found[1]}">{found[2]}<path class="hit"'

    key = f"chart-{picture.name}"
    size, drawn = _SIZE.search(svg), svg.partition("</defs>")[2]
    drawn = _STYLE.sub(lambda tag: f"<{tag[1]} {tag[2]}{_attributes(tag[3])}", drawn)
    drawn = _ENTRY.sub(r'<g data-of="\1">', _LINK.sub(link, recoloured(drawn, VARIABLES)))
    role = "group" if "<a href" in drawn else "img"
    return Markup(  # noqa: S704  (matplotlib escapes texts)
        f'<div class="picture" id="{key}"><svg role="{role}" aria-labelledby="{key}-alt" '
        f'{size[0] if size else ""}><title id="{key}-alt">{escape(picture.alt)}</title>'
        f"{drawn}</div>"
    )


def _attributes(style: str) -> str:
    """Return a style as attributes of SVG, of the same names.

    >>> _attributes("fill: none; stroke: #1f2328")
    'fill="none" stroke="#1f2328"'
    """
    pairs = (pair.split(": ", 1) for pair in style.split("; "))
    return " ".join(f'{name}="{value}"' for name, value in pairs if name != "font-family")
