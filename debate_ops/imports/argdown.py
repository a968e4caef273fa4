"""Argdown: statements and arguments as speeches for and against the first statement.

Read are elements (`[title]: text`, `<title>: text`), the relations of lists (`+`, `-`, `_`, `+>`,
`->`, `_>`), titles, comments and data in braces; the steps of a reconstruction stay as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from debate_ops.errors import UsageError
from debate_ops.imports.imported import Imported, Speech

PRO, CON = "pro", "con"
_FRONT = re.compile(r"\A===+\n(?P<data>.*?)\n===+\n", re.DOTALL)
_TITLE = re.compile(r"^(?:title: *(?P<named>.*)|# +(?P<heading>.*))$", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_LINE_COMMENT = re.compile(r"(?<!:)//.*")
_ELEMENT = re.compile(
    r"^(?P<indent>[ \t]*)(?P<sign>(?:<?[-+_]>?|><)[ \t]+)?"
    r"(?P<open>[<\[])(?P<title>[^\]>\n]+)[>\]](?::[ \t]*)?(?P<text>.*)$"
)
_DATA = re.compile(r"(?<!\\)\{[^{}]*\}\s*$")
_ESCAPE = re.compile(r"\\(.)")
_RULE = re.compile(r"[-=_]{2,}")


class _Link(NamedTuple):
    """A relation: from which element to which, and whether it supports."""

    source: str
    target: str
    supports: bool


def read(text: str) -> Imported:
    """Return the map as a debate: each element under the side that it helps, targets first.

    Raises:
        UsageError: nothing in it speaks for or against anything.
    """
    text = text.replace("\r\n", "\n")
    front = _FRONT.match(text)
    named = _TITLE.search(front["data"] if front else text)
    texts, links = _elements(_COMMENT.sub("", text[front.end() :] if front else text))
    if not links:
        raise UsageError(
            "no relation stands in it", hint="Write one as '  - <Argument>: text' below a claim."
        )
    root = next(iter(texts))
    sides = _sides(root, links)
    order = [*(t for t in sides if t != root), *(t for t in texts if t not in sides)]
    place = {title: k for k, title in enumerate(order)}
    speeches = tuple(
        Speech(
            sides.get(title, PRO),
            texts[title] or title,
            title=title if texts[title] else "",
            attacks=_targets(title, links, place, supports=False),
            supports=_targets(title, links, place, supports=True),
        )
        for title in order
    )
    motion = texts[root] or root
    title = (named["named"] or named["heading"] or "").strip(" \"'") if named else ""
    later = (k for k in links if place.get(k.source, -1) < place.get(k.target, -1))
    left_out = tuple(f"the relation from {k.source!r} to {k.target!r}" for k in later)
    positions = {PRO: motion, CON: "the opposite"}
    return Imported(title or motion, speeches, positions, left_out=left_out)


def _targets(
    title: str, links: Sequence[_Link], place: Mapping[str, int], *, supports: bool
) -> tuple[int, ...]:
    """Return the numbers of the earlier speeches that an element attacks, or supports."""
    own = (k.target for k in links if k.source == title and k.supports is supports)
    numbers = (place[target] for target in own if target in place)
    return tuple(dict.fromkeys(number for number in numbers if number < place[title]))


def _elements(body: str) -> tuple[dict[str, str], list[_Link]]:
    """Return the text of each element by its title, in order, and the relations between them."""
    texts: dict[str, str] = {}
    links: list[_Link] = []
    above: list[tuple[int, str]] = []
    for line in _LINE_COMMENT.sub("", body).split("\n"):
        match = _ELEMENT.match(line)
        if match is None:
            if above and not line.lstrip().startswith("#"):
                _add(texts, above[-1][1], line)
            continue
        title = _plain(match["title"])
        texts.setdefault(title, "")
        _add(texts, title, match["text"])
        depth, sign = len(match["indent"].expandtabs(4)), (match["sign"] or "").strip()
        above = [(d, name) for d, name in above if d < depth]
        if sign and above:
            links.append(_link(sign, above[-1][1], title))
        above.append((depth, title))
    return texts, links


def _link(sign: str, parent: str, child: str) -> _Link:
    """Return what a sign says: a child is about its parent, unless the arrow leads to the child."""
    leads_away = sign != "><" and sign.endswith(">")
    source, target = (parent, child) if leads_away else (child, parent)
    return _Link(source, target, "+" in sign)


def _add(texts: dict[str, str], title: str, line: str) -> None:
    more = _plain(_DATA.sub("", line))
    if more and not _RULE.fullmatch(more):
        texts[title] = f"{texts[title]}\n{more}".strip()


def _plain(text: str) -> str:
    return _ESCAPE.sub(r"\1", text).strip()


def _sides(root: str, links: Sequence[_Link]) -> dict[str, str]:
    """Return the side that each element helps, nearest to the root first."""
    other = {PRO: CON, CON: PRO}
    sides = {root: PRO}
    waiting = [root]
    for target in waiting:
        for link in links:
            if link.target == target and link.source not in sides:
                sides[link.source] = sides[target] if link.supports else other[sides[target]]
                waiting.append(link.source)
    return sides
