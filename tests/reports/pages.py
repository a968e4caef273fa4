"""Looks at a drawn page: its links, tables, folds and tags."""

from __future__ import annotations

import re
from pathlib import Path

from debate_ops.model.debate import Debate
from debate_ops.reports import mermaid, numbers, readme
from debate_ops.reports.given import Given, Story

TAG = re.compile(
    r"</?(?:picture|details|summary)>|<source media=\"[^\"<>]*\" srcset=\"[^\"<>]*\">"
    r"|<img alt=\"[^\"<>]*\" src=\"[^\"<>]*\">|<https?://[^<>\s]*>"
)
_OPENS = re.compile(
    r"#{1,6}(?:\s|$)|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|=+\s*$|-+\s*$|>|:|\s|```|~~~"
)
_GRAPH = re.compile(r"^```mermaid\n.*?^```$", re.MULTILINE | re.DOTALL)
_DEFINITION = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)
_REFERENCE = re.compile(r"(?<!\\)\[[^\[\]\n]*\]\[([^\[\]\n]+)\]")
_INLINE = re.compile(r"(?<!\\)\]\(([^)\s]+)\)|src=\"([^\"]+)\"|srcset=\"([^\"]+)\"")
_SHORTCUT = re.compile(r"(?<![\\\]])\[((?:prop|opp|judge)_[^\[\]\n]+)\](?![\[(:])")


def page_of(debate: Debate, story: str = "", turns_since: int = 0) -> str:
    told = numbers.of(debate)
    told_story = Story(story, turns_since) if story else None
    return readme.page(Given(told, mermaid.draw(told), told_story, warnings=told.warnings))


def prose(page: str) -> str:
    """Return a page without its graph, which has rules of its own."""
    return _GRAPH.sub("", page)


def targets(page: str) -> set[str]:
    """Return every file that the page links to or shows; fail on a reference that leads nowhere."""
    defined = dict(_DEFINITION.findall(page))
    used = {*_REFERENCE.findall(prose(page)), *_SHORTCUT.findall(prose(page))}
    assert used <= set(defined), f"no definition of {used - set(defined)}"
    assert set(defined) <= used, f"definitions of nothing: {set(defined) - used}"
    inline = {next(filter(None, found)) for found in _INLINE.findall(prose(page))}
    return {*defined.values(), *inline}


def check_links(page: str, folder: Path) -> None:
    for target in targets(page):
        assert (folder / target).is_file(), target


def check_form(page: str) -> None:
    """Fail on a tag that is not ours, a table with uneven rows, or a fold left open."""
    assert TAG.sub("", prose(page)).count("<") == 0, TAG.sub("", prose(page))
    assert page.count("<details>") == page.count("</details>") == page.count("<summary>")
    assert page.count("```") in {0, 2}
    rows: list[int] = []
    for line in [*prose(page).split("\n"), ""]:
        if line.startswith("|"):
            rows.append(line.replace("\\\\", "").replace("\\|", "").count("|"))
        else:
            assert len(set(rows)) <= 1, rows
            rows = []


def check_lines(page: str) -> None:
    """Fail on a line of ours in whose middle a text opens a heading, list, rule or quotation."""
    for line in prose(page).split("\n"):
        inside = re.fullmatch(r"(?:> |- )+(.*)", line)
        if inside:
            assert not _OPENS.match(inside[1]), line


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ .*$", prose(page), re.MULTILINE)
