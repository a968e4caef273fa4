"""Everything in a debate folder that leads somewhere leads to something that is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from debate_ops.reports.readme import MOST_BYTES
from debate_ops.reports.render import render
from tests.builders import ROOT
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import RICH, begun, finish

MOST_EDGES, MOST_CHARACTERS = 500, 50_000
"""What Mermaid takes at most."""

DEBATES = sorted(path.parent for path in (ROOT / "debates").glob("*/debate.md"))

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(
    r"(?<!\\)\]\((?P<inline>[^)\s]+)\)|^\[[^\]\n]+\]: (?P<defined>\S+)$"
    r"|(?:src|srcset)=\"(?P<shown>[^\"]+)\"",
    re.MULTILINE,
)
_MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EDGE = re.compile(r"--[->.]|-\.->|==>|-\.-")


def texts(folder: Path) -> list[Path]:
    """Return every Markdown file that is part of a debate or rendered from it."""
    found = (path.relative_to(folder) for path in folder.rglob("*.md"))
    return [folder / path for path in sorted(found) if path.parts[0] not in {"inbox", "set-aside"}]


def links(text: str) -> Iterator[str]:
    """Yield where a text leads to inside the repository."""
    for match in _LINK.finditer(_CODE.sub("", text)):
        target = next(filter(None, match.groups()))
        if not re.match(r"[a-z][a-z0-9+.-]*:", target):
            yield target


def check(folder: Path) -> None:
    """Fail where a link of a debate folder leads nowhere, or its page is not as pages are."""
    for path in texts(folder):
        for target in links(path.read_text(encoding="utf-8")):
            name = target.partition("#")[0]
            assert not name or (path.parent / name).is_file(), f"{path}: {target}"
    text = (folder / "README.md").read_text(encoding="utf-8")
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
    render(folder)
    check(Path(folder.path))


def test_a_link_that_leads_nowhere_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("`[y](z.md)` [w](https://example.org)\n\n[a]: b.md\n")
    with pytest.raises(AssertionError, match=r"b\.md"):
        check(tmp_path)
    (tmp_path / "b.md").write_text("[x](README.md)")
    check(tmp_path)
