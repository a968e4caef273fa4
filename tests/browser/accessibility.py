"""What axe finds: its rules are those of WCAG 2.2, levels A and AA, and its best practices."""

from functools import cache
from importlib.resources import files

from tests.browser.visits import Visit

FINDINGS = """async (options) => (await axe.run(document, options)).violations.map((rule) =>
  `${rule.id}: ${rule.nodes.length} times ${rule.nodes[0].html.slice(0, 160)}`)"""

THINNED = """() => {
  const thin = (within, what, most) => {
    for (const place of document.querySelectorAll(within)) {
      [...place.querySelectorAll(what)].slice(most).forEach((one) => one.remove());
    }
  };
  thin('section.cards', '.group', 3);
  thin('section.cards', 'article.card', 5);
  thin('table', 'tr', 4);
}"""
"""Leaves some of each kind: to look behind every letter takes axe many seconds on a whole page."""


@cache
def axe() -> str:
    """Return axe-core as a script."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(seen: Visit) -> list[str]:
    """Return what axe finds wrong with a page as it is."""
    seen.run(axe())
    rows: list[str] = seen.run(FINDINGS, {"resultTypes": ["violations"]})
    return rows
