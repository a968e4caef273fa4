"""Markdown as HTML that can only be read: no tag, address or reference of a text does anything.

Every tag that a participant wrote is text; what the parser makes of the rest is cleaned to a short
list of tags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from debate_ops.model.texts import one_line, plain
from debate_ops.reports.html.tags import html
from debate_ops.reports.text import addresses, spaced

_BLOCKS = ("p", "blockquote", "ul", "ol", "li", "pre", "hr")
_TABLES = ("table", "thead", "tbody", "tr", "th", "td")
_WORDS = ("a", "br", "code", "em", "strong")
TAGS = frozenset((*_BLOCKS, *_TABLES, *_WORDS))
"""What may be in a text: a participant's own headings are no headings."""

_ATTRIBUTES = {"a": {"href", "rel"}, "ol": {"start"}, **{t: {"class"} for t in ("th", "td", "p")}}
_FRAME = '<div class="frame" tabindex="0" role="group" aria-label="Table"><table>'
_OUT = ' rel="noopener noreferrer nofollow"'
_ID = re.compile(r"(?<![\w-])[A-Za-z][a-z0-9-]*_[0-9]{3,6}(?:[a-z0-9-]*[a-z0-9])?(?![\w-])")
_MOST_NESTED = 20
MOST_LINKS = 100
"""How many ids and addresses of one text are links; those after them are text."""
_GROWTH, _GROWTH_FREE = 8, 10_000
"""HTML of a text has at most so many times its length, and so many characters besides."""
_TO_THE_LETTER = ["image", "reference", "link", "autolink", "code"]
_TO_THE_LETTER += ["html_block", "entity", "escape"]
"""What would hide a part of a participant's text, or show something else in its place."""

_BLANK = re.compile(r"\n{2,}")
_MARK = re.compile(r"[\\`*\[\]<>#|~]")
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_START = re.compile(r"^(?:[-+=: ]|[0-9]{1,9}[.)])", re.MULTILINE)
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
        is_marked = any(pattern.search(text) for pattern in (_MARK, _START, _UNDERSCORE))
        return self.marked(text) if is_marked else self._plain(text)

    def marked(self, text: str) -> Markup:
        """Return what a participant said, read as Markdown.

        What is nested deeper than the parser goes, it would leave out: such a text stays as it is,
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
            if token.type in {"th_open", "td_open"} and token.attrs:
                token.attrs = {"class": f"to-{str(token.attrs['style']).partition(':')[2]}"}
            for child in token.children or ():
                if child.type == "text":
                    child.type, child.content = "html_inline", self._linked(child.content, room)
        # Our tags alone are left, and each table is in a frame that scrolls, also by keyboard.
        clean = nh3.clean(
            self._parser.renderer.render(tokens, self._parser.options, {}),
            tags=set(TAGS),
            attributes=_ATTRIBUTES,
            url_schemes={"http", "https"},
            link_rel=None,
            allowed_classes=None,
        ).strip()
        written = html(clean.replace("<table>", _FRAME).replace("</table>", "</table></div>"))
        return self._plain(text) if len(written) > _GROWTH * len(text) + _GROWTH_FREE else written

    def _plain(self, text: str) -> Markup:
        """Return what a participant said without any mark: as `marked` does, but at once."""
        parts = filter(None, _BLANK.split(self._linked(text, _room())))
        return html("\n".join("<p>{}</p>".format(p.replace("\n", "<br>\n")) for p in parts))

    def line(self, text: str, *, trim: bool = True) -> Markup:
        """Return words as they are, on one line; `trim` leaves out spaces at their ends."""
        words = one_line(text) if trim else spaced(one_line(text), text)
        return html(self._linked(words, _room()))

    def _linked(self, text: str, room: Iterator[int]) -> str:
        """Return a text as HTML, in which so many ids and addresses are links as there is room."""
        if "_" not in text and "://" not in text:
            return escape(text)
        pieces: list[str] = []
        end = 0
        for start, stop, href in _targets(text, self._entries):
            if next(room, None) is None:
                break
            rel = "" if href.startswith("#") else _OUT
            link = f'<a href="{escape(href)}"{rel}>{escape(text[start:stop])}</a>'
            pieces += [escape(text[end:start]), link]
            end = stop
        return "".join([*pieces, escape(text[end:])])


def _room() -> Iterator[int]:
    """Return one item for each link that a text may still have."""
    return iter(range(MOST_LINKS))


def _targets(text: str, ids: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where a text names entries or web addresses, and where each leads."""
    end = 0
    for start, stop in (*addresses(text), (len(text), len(text))):
        for match in _ID.finditer(text, end, start):
            if match[0].lower() in ids:
                yield (*match.span(), f"#{match[0].lower()}")
        if start < stop:
            yield start, stop, text[start:stop]
        end = stop
