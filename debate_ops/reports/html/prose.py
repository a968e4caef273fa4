"""Markdown as HTML that can only be read: no tag, address or reference of a text does anything.

Every tag that a participant wrote is text; what the parser makes of the rest is cleaned to a short
list of tags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.token import Token
from markupsafe import Markup, escape

from debate_ops.model.texts import one_line, plain
from debate_ops.reports.markdown import addresses

_BLOCKS = ("p", "blockquote", "ul", "ol", "li", "pre", "hr", "details", "summary")
_TABLES = ("table", "thead", "tbody", "tr", "th", "td")
_WORDS = ("a", "br", "code", "em", "strong")
TAGS = frozenset((*_BLOCKS, *_TABLES, *_WORDS, "h3", "h4", "h5", "h6"))
"""What may be in a text; `h3` and below are ours, a participant's own headings are no headings."""

_ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    "th": {"class"},
    "td": {"class"},
    "p": {"class"},
}
_REL = "noopener noreferrer nofollow"
_OUT = Markup(f' rel="{_REL}"')  # noqa: S704  (our own words)
_INSIDE = re.compile(rf'(<a href="#[^"]*") rel="{_REL}"')
_ID = re.compile(r"(?<![\w-])[A-Za-z][a-z0-9-]*_[0-9]{3,6}(?:[a-z0-9-]*[a-z0-9])?(?![\w-])")
_ALIGNED = re.compile(r"text-align:(left|right|center)")
_MOST_NESTED = 20
MOST_LINKS = 100
"""How many ids and addresses of one text are links; those after them are text."""
_GROWTH, _GROWTH_FREE = 8, 10_000
"""HTML of a text has at most so many times its length, and so many characters besides."""
_TO_THE_LETTER = ["link", "autolink", "code", "html_block", "entity", "escape"]
"""What would hide a part of a participant's text, or show something else in its place."""

_BLANK = re.compile(r"\n{2,}")
_MARKED = re.compile(
    r"[\\`*\[\]<>#|~]|(?<![^\W_])_|_(?![^\W_])"  # in a line
    r"|^(?:[-+=:]|[0-9]{1,9}[.)])|^[ ]",  # at its ends
    re.MULTILINE,
)
"""What may be more than itself to Markdown: a text without any is the same without a parser."""


class Prose:
    """Writes the texts of one debate; `entries` are the ids that links may lead to, with titles."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._entries = entries
        references = {normalizeReference(i): {"href": f"#{i}", "title": ""} for i in entries}
        self._env: dict[str, Any] = {"references": references}
        self._said = _parser().disable(_TO_THE_LETTER)

    def said(self, text: str) -> Markup:
        """Return what a participant said: ids and whole web addresses lead where they say."""
        lines = (line.expandtabs(4).rstrip() for line in plain(text).split("\n"))
        text = "\n".join(lines).strip("\n")
        if _MARKED.search(text) is None:
            return Markup(_framed(_clean(self._plain(text))))  # noqa: S704  (cleaned)
        return self.marked(text)

    def marked(self, text: str) -> Markup:
        """Return what a participant said, read as Markdown.

        What is nested deeper than the parser goes, it would leave out: such a text stands as it is,
        and so does one that would become many times as long.
        """
        tokens = self._said.parse(text, self._env)
        if any(token.level >= _MOST_NESTED - 1 for token in tokens):
            return Markup(_framed(_clean(self._plain(text))))  # noqa: S704  (cleaned)
        room = _Room()
        for token in tokens:
            if token.type in {"heading_open", "heading_close"}:
                token.tag = "p"
                token.attrSet("class", "own-heading")
            if token.children is not None:
                token.children = list(self._linked(token.children, room))
        written = self._written(self._said, tokens)
        if len(written) > _GROWTH * len(text) + _GROWTH_FREE:
            written = _framed(_clean(self._plain(text)))
        return Markup(written)  # noqa: S704  (cleaned)

    def _plain(self, text: str) -> str:
        """Return what a participant said without any mark: as `marked` does, but at once."""
        paragraphs = (part.split("\n") for part in _BLANK.split(text) if part)
        room = _Room()
        return "\n".join(
            "<p>{}</p>".format(
                "<br>\n".join(str(Markup("").join(self._pieces_of(line, room))) for line in lines)
            )
            for lines in paragraphs
        )

    def line(self, text: str, *, trim: bool = True) -> Markup:
        """Return words as they are, on one line; `trim` leaves out spaces at their ends."""
        words = one_line(text) if trim else spaced(text)
        return Markup("").join(self._pieces_of(words, _Room()))

    def _written(self, parser: MarkdownIt, tokens: Sequence[Token]) -> str:
        for token in tokens:
            if token.type in {"th_open", "td_open"} and (style := token.attrGet("style")):
                aligned = _ALIGNED.match(str(style))
                token.attrs = {"class": f"to-{aligned[1]}"} if aligned else {}
        html = parser.renderer.render(tokens, parser.options, self._env)
        return _framed(_clean(html))

    def _linked(self, children: Sequence[Token], room: _Room) -> Iterator[Token]:
        for token in children:
            if token.type != "text":
                yield token
                continue
            written = Markup("").join(self._pieces_of(token.content, room))
            yield Token("html_inline", "", 0, content=str(written))

    def _pieces_of(self, text: str, room: _Room) -> Iterator[Markup]:
        end = 0
        for start, stop, href in _found(text, self._entries):
            if not room.take():
                break
            yield escape(text[end:start])
            rel = "" if href.startswith("#") else _OUT
            yield Markup('<a href="{}"{}>{}</a>').format(href, rel, text[start:stop])
            end = stop
        yield escape(text[end:])


def _parser() -> MarkdownIt:
    options = {"html": False, "breaks": True, "maxNesting": _MOST_NESTED}
    return MarkdownIt("commonmark", options).enable("table").disable(["image", "reference"])


def spaced(text: str) -> str:
    """Return a text on one line, with a space where it begins or ends with one."""
    words = one_line(text)
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and words else ""
    return f"{before}{words}{after}"


class _Room:
    """How many links a text may still have."""

    def __init__(self) -> None:
        self._left = MOST_LINKS

    def take(self) -> bool:
        """Tell whether there is room for another link, which takes it."""
        self._left -= 1
        return self._left >= 0


def _found(text: str, ids: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where a text names entries or web addresses, and where each leads."""
    end = 0
    for start, stop in addresses(text):
        yield from _named(text, end, start, ids)
        yield start, stop, text[start:stop]
        end = stop
    yield from _named(text, end, len(text), ids)


def _named(
    text: str, start: int, stop: int, ids: Collection[str]
) -> Iterator[tuple[int, int, str]]:
    """Yield where a part of a text names entries."""
    for match in _ID.finditer(text, start, stop):
        if match[0].lower() in ids:
            yield (*match.span(), f"#{match[0].lower()}")


def _clean(html: str) -> str:
    return nh3.clean(
        html,
        tags=set(TAGS),
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel=_REL,
        allowed_classes=None,
    ).strip()


def _framed(html: str) -> str:
    """Return cleaned HTML with each table in a frame that scrolls, also by keyboard.

    Links on the page itself need not say what those to elsewhere do.
    """
    frame = '<div class="frame" tabindex="0" role="group" aria-label="Table"><table>'
    inside = _INSIDE.sub(r"\1", html)
    return inside.replace("<table>", frame).replace("</table>", "</table></div>")
