"""What is ours in a debate folder: the names of its files, a mark in each, a block in README.md."""

from __future__ import annotations

import hashlib
import re
import zlib
from typing import NamedTuple

from debate_ops.reports.colours import PALETTES

README = "README.md"
PAGE = "report.html"
CHARTS = "charts"
MAPS = {theme: f"{CHARTS}/map-{theme}.svg" for theme in PALETTES}
"""The map in the colours of each theme."""


def chart_files(name: str) -> dict[str, str]:
    """Return the files of a chart, by theme."""
    return {theme: f"{CHARTS}/{name}-{theme}.png" for theme in PALETTES}


CHART_NAMES = (
    "lead",
    "issues",
    "scores",
    "points",
    "fairness",
    "critiques",
    "votes",
    "cycles",
    "panel",
)
PICTURES = (*MAPS.values(), *(file for n in CHART_NAMES for file in chart_files(n).values()))
"""All that may be in the folder of charts."""

MARK = "Rendered by debate-ops from the record; changes here are lost."
"""Each text that we render has this in a comment near its beginning, on a line of its own."""

BEGIN, END = "<!-- debate-ops:begin", "<!-- debate-ops:end -->"
_OPENING = "<!-- debate-ops:"
_HINT = 'rendered by "debate-ops report"; notes above or below this block stay -->'

_NEAR = 1024
_MARKED = re.compile(  # older versions drew, without a digest
    r"^<!-- (?:Rendered|Drawn) by debate-ops from the record; changes here are lost\."
    r"(?: ([0-9a-f]{32}))? -->$",
    re.MULTILINE,
)

_BLOCK = re.compile(  # older versions drew, and had digests of all that they drew from
    r"^<!-- debate-ops:begin (?:inputs=[0-9a-f]+ )?page=(?P<page>[0-9a-f]+) "
    r'(?:files=[0-9a-f]+ )?(?:rendered|drawn) by "debate-ops report"; '
    r"notes above or below this block stay -->\r?\n\r?\n"
    r"(?P<text>.*?)\r?\n<!-- debate-ops:end -->(?:\r?\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


def digest(data: bytes) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(len(data).to_bytes(8, "big") + data).hexdigest()[:32]


def marked(text: str) -> bytes:
    """Return a rendered text as a file: its mark holds a digest of the rest."""
    return text.replace(MARK, f"{MARK} {digest(text.encode('utf-8'))}", 1).encode("utf-8")


_PNG = 33
"""Where a comment may stand in a PNG: behind the signature and the header."""
_COMMENT = re.compile(
    rb"....tEXtComment\x00" + MARK.encode() + rb" ([0-9a-f]{32}) ([0-9a-f]{32})....", re.DOTALL
)


def marked_picture(png: bytes, drawn_from: str) -> bytes:
    """Return a picture as a file: its comment has digests of it, and of what it is drawn from."""
    text = f"tEXtComment\0{MARK} {drawn_from} {digest(png)}".encode("latin-1")
    length, check = (n.to_bytes(4, "big") for n in (len(text) - 4, zlib.crc32(text)))
    return png[:_PNG] + length + text + check + png[_PNG:]


def drawn_from(data: bytes) -> str:
    """Return the digest of what a picture was drawn from; nothing if it is not as we drew it."""
    comment = _COMMENT.match(data, _PNG)
    if comment is None:
        return ""
    picture = data[:_PNG] + data[comment.end() :]
    return comment[1].decode() if digest(picture) == comment[2].decode() else ""


def is_ours(data: bytes) -> bool:
    """Tell whether a file is as we rendered it, by its mark; of line ends, git may have others."""
    if data.startswith(b"\x89PNG"):
        return bool(drawn_from(data))
    data = data.replace(b"\r\n", b"\n")
    mark = _MARKED.search(data[:_NEAR].decode("latin-1"))
    if mark is None:
        return False
    return not mark[1] or digest(data.replace(f" {mark[1]}".encode(), b"", 1)) == mark[1]


def unmarked(data: bytes) -> bytes:
    """Return a marked text without the digest in its mark, its line ends as we write them."""
    return re.sub(
        rf"({re.escape(MARK)}) [0-9a-f]{{32}}".encode(),
        rb"\1",
        data.replace(b"\r\n", b"\n"),
        count=1,
    )


class Block(NamedTuple):
    """Our page in a README.md with its digest, and a person's notes above and below it."""

    above: str
    page: str
    text: str
    below: str

    @property
    def is_ours(self) -> bool:
        """Whether the page is as we rendered it."""
        return digest(self.text.encode("utf-8")) == self.page


def block(readme: bytes) -> Block | None:
    """Return the one block of a README.md, or None where there is none, or not just one."""
    text = readme.decode("utf-8", "surrogateescape")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        return None
    match = _BLOCK.search(text)
    if match is None:
        return None
    page = match["text"].replace("\r\n", "\n").encode("utf-8", "replace").decode("utf-8")
    return Block(text[: match.start()], match["page"], page, text[match.end() :])


def part(name: str, data: bytes) -> bytes:
    """Return what of a file is ours: not line ends, which git may change, and no person's notes."""
    own = block(data) if name.endswith(".md") else None
    return own.text.encode("utf-8") if own and own.is_ours else data.replace(b"\r\n", b"\n")


def is_foreign(name: str, before: bytes, after: bytes) -> bool:
    """Tell whether a file holds what this program did not render, and not what it renders now."""
    if not before.strip() or part(name, before) == part(name, after):
        return False
    if name.endswith(".md"):
        own = block(before)
        return own is None or not own.is_ours
    return not is_ours(before)


def in_block(text: str, around: Block | None) -> bytes:
    """Return a README.md with our page in its place among a person's notes.

    Code keeps its letters on the page: none of it may pass for the lines around the page.
    """
    text = text.replace(_OPENING, f"&lt;{_OPENING[1:]}")
    begin = f"{BEGIN} page={digest(text.encode('utf-8'))} {_HINT}"
    above, below = (around.above, around.below) if around else ("", "")
    return f"{above}{begin}\n\n{text}\n{END}\n{below}".encode("utf-8", "surrogateescape")
