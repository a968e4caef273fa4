"""Everything in a debate folder that leads somewhere leads to something that is there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from debate_ops.reports.draw import draw
from debate_ops.reports.page import MOST_BYTES
from tests.builders import ROOT
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import RICH, begun, finish

MOST_EDGES, MOST_CHARACTERS = 500, 50_000
"""What Mermaid draws at most."""

DEBATES = sorted(path.parent for path in (ROOT / "debates").glob("*/debate.md"))

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(
    r"(?<!\\)\]\((?P<inline>[^)\s]+)\)|^\[[^\]\n]+\]: (?P<defined>\S+)$"
    r"|(?:src|srcset)=\"(?P<shown>[^\"]+)\"",
    re.MULTILINE,
)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_PICTURE = re.compile(
    r'<picture>\n  <source media="\(prefers-color-scheme: dark\)" '
    r'srcset="charts/[a-z-]+-dark\.svg">\n  <img alt="[^"]+" '
    r'src="charts/[a-z-]+-light\.svg">\n</picture>'
)
_REFERENCE = re.compile(r"\[([a-z]+_[0-9]{3}[a-z]?)\]")
_MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EDGE = re.compile(r"--[->.]|-\.->|==>|-\.-")


def texts(folder: Path) -> list[Path]:
    """Return every Markdown file that is part of a debate or drawn from it."""
    found = (path.relative_to(folder) for path in folder.rglob("*.md"))
    return [folder / path for path in sorted(found) if path.parts[0] not in {"inbox", "set-aside"}]


def links(text: str) -> Iterator[str]:
    """Yield where a text leads to inside the repository."""
    plain = _CODE.sub("", _FENCE.sub("", text))
    for match in _LINK.finditer(plain):
        target = next(filter(None, match.groups()))
        if not re.match(r"[a-z][a-z0-9+.-]*:", target):
            yield target


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives the headings of a text."""
    return {_anchor(heading) for heading in _HEADING.findall(_FENCE.sub("", text))}


def _anchor(heading: str) -> str:
    plain = re.sub(r"\\(?=\W)|[*`]", "", heading).lower()
    kept = (c for c in plain if c in " -_" or unicodedata.category(c)[0] in "LNM")
    return "".join(kept).strip().replace(" ", "-")


def check(folder: Path) -> None:
    """Fail where a link of a debate folder leads nowhere, or its page is not as pages are."""
    for path in texts(folder):
        text = path.read_text(encoding="utf-8")
        for target in links(text):
            name, _, anchor = target.partition("#")
            found = (path.parent / name).resolve() if name else path
            assert found.is_file(), f"{path}: {target}"
            if anchor:
                assert anchor in anchors(found.read_text(encoding="utf-8")), f"{path}: {target}"
    check_page(folder / "README.md")


def check_page(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("<picture>") == len(_PICTURE.findall(text))
    assert len(text.encode()) < MOST_BYTES + 1000  # the marks around it are no part of the page
    for graph in _MERMAID.findall(text):
        assert len(graph) <= MOST_CHARACTERS
        assert len(_EDGE.findall(graph)) <= MOST_EDGES


@pytest.mark.parametrize("folder", DEBATES, ids=[path.name for path in DEBATES])
def test_every_link_in_a_debate_of_this_repository_leads_to_a_file(folder: Path) -> None:
    check(folder)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(("protocol", "name"), RICH, ids=[protocol for protocol, _ in RICH])
def test_every_link_in_a_new_debate_leads_to_a_file(protocol: str, name: str) -> None:
    folder = begun(protocol, name)
    finish(folder, ROWS[protocol].variants[name])
    draw(folder)
    check(Path(folder.path))


def test_there_are_debates_to_look_at() -> None:
    assert len(DEBATES) > 4


def test_a_link_that_leads_nowhere_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# One two\n\n[x](#one-two)\n\n[a]: b.md\n")
    with pytest.raises(AssertionError, match=r"b\.md"):
        check(tmp_path)
    (tmp_path / "b.md").write_text("[x](README.md#one-three)\n")
    with pytest.raises(AssertionError, match="one-three"):
        check(tmp_path)
    (tmp_path / "b.md").write_text("[x](README.md#one-two) `[y](z.md)` [w](https://example.org)\n")
    check(tmp_path)
