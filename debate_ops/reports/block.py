"""Our part of README.md, between two markers; what stands around them is a person's own."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

BEGIN = "<!-- debate-ops:begin"
END = "<!-- debate-ops:end -->"
_OPENING = "<!-- debate-ops:"
_HINT = 'drawn by "debate-ops report"; notes above or below this block stay'

_BLOCK = re.compile(
    r"^<!-- debate-ops:begin inputs=(?P<inputs>[0-9a-f]+) page=(?P<page>[0-9a-f]+) "
    r"files=(?P<files>[0-9a-f]+) [^\n]*-->\r?\n\r?\n"
    r"(?P<text>.*?)\r?\n<!-- debate-ops:end -->(?:\r?\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """What a README.md holds: a person's notes, and our page with what it was made from.

    `inputs`, `page` and `files` are digests: of what the page was drawn from, of the page and of
    the pictures as they were drawn.
    """

    above: str
    inputs: str
    page: str
    files: str
    text: str
    below: str

    @property
    def untouched(self) -> bool:
        """Whether the page is as it was drawn."""
        return digest(self.text.encode("utf-8")) == self.page


def digest(*parts: bytes) -> str:
    """Return a short digest of several texts; where each ends makes a difference."""
    added = hashlib.sha256()
    for part in parts:
        added.update(len(part).to_bytes(8, "big") + part)
    return added.hexdigest()[:32]


def parse(readme: str) -> Block | None:
    """Return the one block of a README.md, or None where there is none, or not just one."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        return None
    match = _BLOCK.search(readme)
    if match is None:
        return None
    above, below = readme[: match.start()], readme[match.end() :]
    text = match["text"].replace("\r\n", "\n")  # git may have changed line ends
    return Block(above, match["inputs"], match["page"], match["files"], text, below)


def render(text: str, inputs: str, files: str, around: Block | None) -> str:
    """Return a README.md with our page in its place among a person's notes.

    Code keeps its letters on the page: none of it may pass for the lines around the page.
    """
    text = text.replace(_OPENING, f"&lt;{_OPENING[1:]}")
    page = digest(text.encode("utf-8"))
    begin = f"{BEGIN} inputs={inputs} page={page} files={files} {_HINT} -->"
    above, below = (around.above, around.below) if around else ("", "")
    return f"{above}{begin}\n\n{text}\n{END}\n{below}"
