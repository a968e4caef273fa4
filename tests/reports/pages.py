"""Looks at a Markdown page of a debate with GitHub's own parser: its links, and its tags."""

from __future__ import annotations

import re
from pathlib import Path

from tests import gfm

OURS = gfm.PLAIN | {
    *("h1", "h2", "h3", "blockquote", "hr", "br", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary", "picture", "source", "img"),
}
"""What a page is made of, besides the comments around it."""
_COMMENT = re.compile(r"^<!-- debate-ops:.*$", re.MULTILINE)
_CODE = re.compile(r"<pre.*?</pre>|<code>.*?</code>", re.DOTALL)
_LINK = re.compile(r'(?:href|src|srcset)="([^"]*)"')
_WITHOUT_DEFINITION = re.compile(r"\[[a-z][a-z0-9-]*_[0-9]{3,6}[a-z0-9-]*\]")


def targets(page: str) -> set[str]:
    """Return every file that a page links to or shows."""
    shown = _CODE.sub("", gfm.rendered(page))
    assert not _WITHOUT_DEFINITION.search(shown)
    links = {link.partition("#")[0] for link in _LINK.findall(shown)}
    return {link for link in links if link and ":" not in link}


def check(page: str, folder: Path) -> None:
    """Fail where a link of a page leads to no file, or a text in it is a tag of its own."""
    names = {tag.split()[0] for tag in gfm.tags(_COMMENT.sub("", page))}
    assert names <= OURS
    for target in targets(page):
        assert (folder / target).is_file(), target
