"""Markdown as HTML that can only be read: no tag, address or reference of a text does anything.

Every tag that a participant wrote is text; what the parser makes of the rest is cleaned to a short
list of tags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from debate_ops.model.texts import one_line, plain
from debate_ops.reports.markdown import addresses
from debate_ops.reports.text import spaced

_BLOCKS = ("p", "blockquote", "ul", "ol", "li", "pre", "hr")
_TABLES = ("table", "thead", "tbody", "tr", "th", "td")
_WORDS = ("a", "br", "code", "em", "strong")
TAGS = frozenset((*_BLOCKS, *_TABLES, *_WORDS))
"""What may be in a text: a participant's own headings are no headings."""

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
_TO_THE_LETTER = ["image", "reference", "link", "autolink", "code"]
_TO_THE_LETTER += ["html_block", "entity", "escape"]
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
        options = {"html": False, "breaks": True, "maxNesting": _MOST_NESTED}
        self._parser = MarkdownIt("commonmark", options).enable("table").disable(_TO_THE_LETTER)

    def said(self, text: str) -> Markup:
        """Return what a participant said: ids and whole web addresses lead where they say."""
        lines = (line.expandtabs(4).rstrip() for line in plain(text).split("\n"))
        text = "\n".join(lines).strip("\n")
        return self.marked(text) if _MARKED.search(text) else self._plain(text)

    def marked(self, text: str) -> Markup:
        """Return what a participant said, read as Markdown.

        What is nested deeper than the parser goes, it would leave out: such a text stands as it is,
        and so does one that would become many times as long.
        """
        tokens = self._parser.parse(text)
        if any(token.level >= _MOST_NESTED - 1 for token in tokens):
            return self._plain(text)
        room = _room()
        for token in tokens:
            if token.type in {"heading_open", "heading_close"}:
                token.tag = "p"
                token.attrSet("class", "own-heading")
            if token.children is not None:
                token.children = list(self._linked(token.children, room))
            if token.type in {"th_open", "td_open"} and (style := token.attrGet("style")):
                aligned = _ALIGNED.match(str(style))
                token.attrs = {"class": f"to-{aligned[1]}"} if aligned else {}
        written = _cleaned(self._parser.renderer.render(tokens, self._parser.options, {}))
        return self._plain(text) if len(written) > _GROWTH * len(text) + _GROWTH_FREE else written

    def _plain(self, text: str) -> Markup:
        """Return what a participant said without any mark: as `marked` does, but at once."""
        room = _room()
        paragraphs = (
            Markup("<br>\n").join(
                Markup("").join(self._pieces_of(line, room)) for line in part.split("\n")
            )
            for part in _BLANK.split(text)
            if part
        )
        return _cleaned("\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))

    def line(self, text: str, *, trim: bool = True) -> Markup:
        """Return words as they are, on one line; `trim` leaves out spaces at their ends."""
        words = one_line(text) if trim else spaced(one_line(text), text)
        return Markup("").join(self._pieces_of(words, _room()))

    def _linked(self, children: Sequence[Token], room: Iterator[int]) -> Iterator[Token]:
        for token in children:
            if token.type != "text":
                yield token
                continue
            written = Markup("").join(self._pieces_of(token.content, room))
            yield Token("html_inline", "", 0, content=str(written))

    def _pieces_of(self, text: str, room: Iterator[int]) -> Iterator[Markup]:
        end = 0
        for start, stop, href in _found(text, self._entries):
            if next(room, None) is None:
                break
            yield escape(text[end:start])
            rel = "" if href.startswith("#") else _OUT
            yield Markup('<a href="{}"{}>{}</a>').format(href, rel, text[start:stop])
            end = stop
        yield escape(text[end:])


def _room() -> Iterator[int]:
    """Return one item for each link that a text may still have."""
    return iter(range(MOST_LINKS))


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


def _cleaned(html: str) -> Markup:
    """Return HTML of our tags alone, each table in a frame that scrolls, also by keyboard.

    Links on the page itself need not say what those to elsewhere do.
    """
    clean = nh3.clean(
        html,
        tags=set(TAGS),
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel=_REL,
        allowed_classes=None,
    ).strip()
    frame = '<div class="frame" tabindex="0" role="group" aria-label="Table"><table>'
    inside = _INSIDE.sub(r"\1", clean)
    framed = inside.replace("<table>", frame).replace("</table>", "</table></div>")
    return Markup(framed)  # noqa: S704  (cleaned)
