"""Looks at a rendered page: its links, tables, folds and tags."""

from __future__ import annotations

import re
from pathlib import Path

from debate_ops.reports import marks
from debate_ops.storage.folder import Folder

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
_ALT = re.compile(r'alt="[^"]*"')
_INLINE = re.compile(
    r"(?<!\\)\[(?:[^\[\]\\]|\\.)*\]\(([^)\s]+)\)|src=\"([^\"]+)\"|srcset=\"([^\"]+)\""
)
_SHORTCUT = re.compile(r"(?<![\\\]])\[([a-z][a-z0-9-]*_[0-9]{3,6}[^\[\]\n]*)\](?![\[(])")


def prose(page: str) -> str:
    """Return a page without its graph, which has rules of its own."""
    return _GRAPH.sub("", page)


def targets(page: str) -> set[str]:
    """Return every file that the page links to or shows; fail on a reference that leads nowhere."""
    defined = dict(_DEFINITION.findall(page))
    text = _DEFINITION.sub("", prose(page))
    used = {*_REFERENCE.findall(text), *_SHORTCUT.findall(text)}
    assert used <= set(defined), f"no definition of {used - set(defined)}"
    assert set(defined) <= used, f"definitions of nothing: {set(defined) - used}"
    shown = _ALT.sub("", prose(page))
    inline = {next(filter(None, groups)) for groups in _INLINE.findall(shown)}
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


def read(folder: Folder) -> str:
    """Return our part of the page of a folder."""
    parsed = marks.block(Path(folder.path, "README.md").read_bytes())
    assert parsed is not None
    return parsed.text


def structure(page: str) -> list[str]:
    """Return what of a page is structure: headings by depth, lists, tables, folds, pictures."""
    kinds = re.findall(
        r"^(#+ |- |> |\| ---|<details>|</details>|<summary>|<picture>|</picture>|```|\[[^\]]+\]: )",
        prose(page),
        re.MULTILINE,
    )
    return ["definition" if kind.startswith("[") else kind for kind in kinds]


def check_lines(page: str) -> None:
    """Fail on a line of ours in whose middle a text opens a heading, list, rule or quotation."""
    for line in prose(page).split("\n"):
        inside = re.fullmatch(r"(?:> |- )+(.*)", line)
        if inside:
            assert not _OPENS.match(inside[1]), line


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ .*$", prose(page), re.MULTILINE)
