"""Markdown for readers: what is foreign is made plain text by default, and HTML is made of it.

Templates in this folder are Markdown. Whatever they show is escaped unless it is `Markup`, which is
Markdown of ours. A link to an entry leads to `ref:ID`, a chart is `chart:NAME`: each page puts its
own address in their place. What a participant wrote is shown by `show_text` or `tame`, which leave
marks of Markdown and nothing that could act.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import nh3
from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    pass_eval_context,
    select_autoescape,
)
from jinja2.nodes import EvalContext
from markdown_it import MarkdownIt
from markdown_it.rules_block import table
from markdown_it.token import Token
from markupsafe import Markup, escape

from debate_ops.core.markdown import BARE_ADDRESS, inert, still
from debate_ops.core.markdown import escape as escape_text
from debate_ops.core.texts import one_line, plain
from debate_ops.report import words

TEMPLATES = Path(__file__).with_name("templates")
_CLOSING = re.compile(r"\]|(?<!\S)#")
_ENTITIES = {"\\&": "&amp;", "\\<": "&lt;", ">": "&gt;"}
"""How three escapes are written, so that they hold inside tags of ours too."""
_LINK = re.compile(r"(!?)\[((?:\\.|[^\]\\\n])*)\]\((ref|chart):([A-Za-z0-9_.-]+)\)")
_ADDRESS = re.compile(r"(?i)https?://[^\s<>\"'`|\\^{}\[\]]+")
_WEB = r"https?://(?!\S*xn--)[!-;=?-~]+"
"""An address that looks like what it is: none with letters that may look like others."""
_REFERENCE = r"&(?=#?[0-9A-Za-z]+;)"
_KEPT = rf"(\\[^@]|<{_WEB}>|(`+)(?!`).*?(?<!`)\2(?!`))"
"""A mark that is text, an address with marks, and code."""
_ALIVE = re.compile(
    rf"{_KEPT}|{BARE_ADDRESS}|(?<=\\)@|(?<=\]):|[`<$]|{_REFERENCE}|!(?=\[)|(?<=\])\(", re.DOTALL
)
"""What a parser takes for a tag, link, code or formula, without marks; a colon defines a link."""
_LIKE_OURS = re.compile(r"(?<=\])\((?=(?:ref|chart):)")
"""What in code would be read as a link or a chart of ours."""
_RULE = re.compile(r"(?m)(?<![^\s>])[-=:|](?=[-=:| ]*$)")
"""The start of a line that some parser takes for a rule below the line above."""
_ACTIVE = re.compile(r"[\\`*_\[\]<>#|~&]|://|\n(?:    |[ \t]*(?:[-+=]|\d{1,9}[.)]))|  \n")
"""What a parser of Markdown could make anything but text of, before a text the start of a line."""


@lru_cache(maxsize=10_000)
def inline(text: str) -> Markup:
    r"""Return a text so that it reads as itself inside a Markdown line, link or table cell.

    >>> print(inline("<b> *a|b* [x](https://y)"))
    &lt;b&gt; \*a\|b\* \[x\](https\://y)
    """
    line = _CLOSING.sub(r"\\\g<0>", inert(one_line(text)))
    for mark, entity in _ENTITIES.items():
        line = line.replace(mark, entity)
    return Markup(line)  # noqa: S704  (nothing in it is more than text)


def link(an_id: str, title: str = "") -> Markup:
    """Return a link to an entry, by its title or its id."""
    return Markup(f"[{inline(title or an_id)}](ref:{an_id})")  # noqa: S704  (an id has no marks)


def tame(text: str, deepest: int = 0, *, is_page: bool = False) -> Markup:
    """Return Markdown that somebody else wrote with all that could act made plain text.

    Its headings, lists, tables, emphasis and code stay; tags, pictures and definitions of links
    do not, and a link is as it was written. With `deepest` its first level of headings is that.
    It can stand in another file: nothing of it is a bare link or, even in code, one of ours, and
    its last code has an end. A page of its own, which nobody searches for these, keeps them.
    """
    lines, tokens = _spell(text).split("\n"), parse(text)
    if any(token.level > _DEEPEST for token in tokens):
        return Markup(escape_text("\n".join(lines)))  # noqa: S704  (escaped)
    levels, calm = _find_levels(tokens, deepest), partial(_calm, is_page=is_page)
    for before, token in reversed([*pairwise([Token("", "", 0), *tokens])]):
        first, last = token.map or (0, 0)
        if before.type == "heading_open":
            _set_heading(lines, before, token, levels.pop())
        if token.type == "tr_open":
            lines[first] = "|".join(map(calm, re.split(r"(?<!\\)\|", lines[first])))
        elif token.type in {"fence", "code_block"}:
            lines[first:last] = _spell_code(lines[first:last], token)
        elif token.type == "inline" and before.type not in {"th_open", "td_open"}:
            lines[first:last] = calm("\n".join(lines[first:last])).split("\n")
    text = "\n".join(lines)
    return Markup(text if is_page else _LIKE_OURS.sub(r"\(", text))  # noqa: S704  (what could act is escaped)


def _spell(text: str) -> str:
    """Return a text such that each parser sees the same lines in it."""
    return plain(text).replace("\t", "    ")


_DEEPEST = 16
"""Lists and quotations in each other, a list counted twice; the parser leaves out what is deeper
than 20, so a text that has more than this is shown as it was written."""


def _spell_code(lines: list[str], token: Token) -> list[str]:
    """Return the lines of a block of code: a fence has an end, and none begins with a tag."""
    if token.type == "fence" and not token.level:
        fenced = [f"{token.markup}{token.info}", *token.content.splitlines(), token.markup]
        lines = [f" {line}".rstrip(" ") for line in fenced]  # no other space ends a fence
    return lines


def _find_levels(tokens: list[Token], top: int) -> list[int]:
    """Return the levels of headings: with `top` the highest is that, and none is skipped."""
    given = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    if not top:
        return given
    more, levels = top - min(given, default=0), [top - 1]
    for level in given:
        levels.append(min(level + more, levels[-1] + 1, 6))
    return levels[1:]


def _set_heading(lines: list[str], opening: Token, inner: Token, level: int) -> None:
    """Give a heading among lines another level; an underlined one is no longer underlined."""
    (first, last), marks = opening.map or (0, 0), "#" * level
    if opening.markup.startswith("#"):
        lines[first] = lines[first].replace(opening.markup, marks, 1)
    else:
        before = lines[first].rindex(inner.content.split("\n")[0])
        heading = f"{lines[first][:before]}{marks} {one_line(inner.content)} {marks}"
        lines[first:last] = [heading, *[""] * (last - first - 1)]


def _calm(text: str, *, is_page: bool) -> str:
    """Return lines of a block such that nothing acts in them, and no address without marks."""

    def put(match: re.Match[str]) -> str:
        if match[2]:  # at the beginning of a line, a tag in code would be one
            return re.sub(r"\n[ >]*", " ", match[0])
        if match[1]:
            return re.sub(_REFERENCE, "&amp;", match[1])
        if is_page and match[0] == "@":  # not parted: a page has no links but those with marks
            return "@"
        return _ENTITIES.get(still(match), still(match))

    return _RULE.sub(r"\\\g<0>", _ALIVE.sub(put, text))


def show_text(text: str) -> Markup:
    """Return what somebody wrote as a quotation, tamed, its headings far below ours."""
    lines = tame(text.strip("\n"), deepest=5).split("\n")
    return Markup("\n".join(f"> {line}".rstrip() for line in lines))  # noqa: S704  (tamed)


def cite(source: str) -> Markup:
    """Return a source in HTML, its web addresses as links."""
    source, shown, end = words.shorten(source, 400), Markup(), 0
    for match in _ADDRESS.finditer(source):
        address = match[0].rstrip(".,;:!?)*_'\"")
        if address.isascii() and not address.endswith("…"):
            form = Markup('{}<a href="{}" rel="noopener noreferrer nofollow">{}</a>')
            shown += form.format(source[end : match.start()], address, address)
            end = match.start() + len(address)
    return shown + escape(source[end:])


@pass_eval_context
def _escape(context: EvalContext, value: object) -> object:
    """Return a value as a template shows it: escaped unless it is `Markup`, or HTML does so."""
    is_safe = context.autoescape or isinstance(value, Markup | int)
    return value if is_safe else value and inline(str(value))


@cache
def load_templates() -> Environment:
    """Return the templates of this folder, which escape what they show."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=select_autoescape(("html.jinja", "svg.jinja")),
        finalize=_escape,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"said": show_text, "tame": tame, "line": one_line, "count": words.count}
    made.filters |= {"capitalise": words.capitalise, "percent": words.percent, "size": words.size}
    made.globals |= {"ref": link, "count": words.count}
    return made


def render(template: str, **values: Any) -> str:
    """Return a Markdown template with its values; several blank lines become one."""
    text = load_templates().get_template(template).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


def resolve(
    markdown: str, ref: Callable[[str], str], chart: Callable[[str], str] = lambda _: ""
) -> str:
    """Return Markdown with the addresses of a page: of entries, and of charts."""

    def put(match: re.Match[str]) -> str:
        if match[3] == "chart":
            return chart(match[4])
        return f"[{match[2]}]({ref(match[4])})"

    return _LINK.sub(put, markdown)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").disable("reference")
    # As on GitHub, what may begin a list, code or a heading is no first line of a table.
    parser.block.ruler.before("lheading", "table_of_text", table, {"alt": ["paragraph"]})
    parser.add_render_rule("table_open", lambda *_: f"{_FRAME}<table>\n")
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


_FRAME = '<div class="frame" tabindex="0" role="group" aria-label="Table">'
"""Written before all is cleaned: in HTML that is finished, foreign words may look like a tag."""


def parse(text: str) -> list[Token]:
    """Return the tokens of Markdown that somebody else wrote."""
    return _parser().parse(_spell(text))


_TAGS = {*nh3.ALLOWED_TAGS} - {"img", "map", "area", "input"}
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "td": {"data-head"}}
_ATTRIBUTES |= {"code": {"class"}, "p": {"class"}}
_ATTRIBUTES |= {"div": {"class", "tabindex", "role", "aria-label"}}


def to_html(markdown: str) -> Markup:
    """Return Markdown of ours as HTML that does nothing: no tag in its text is one.

    What somebody else wrote in it is tame; headings of theirs in lists and quotations are text. A
    table has a frame that scrolls, and each cell its head, for narrow screens.
    """
    parser, heads, left = _parser(), list[str](), iter([""])
    tokens = parser.parse(markdown)
    for opening, inner, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "heading_open" and opening.level:
            opening.attrSet("class", "own-heading")
            opening.tag = closing.tag = "p"
        elif opening.type == "thead_open":
            heads = []
        elif opening.type == "th_open":
            heads.append("".join(part.content for part in inner.children or ()))
            if not inner.content:  # of nothing it is no head
                opening.tag = closing.tag = "td"
        elif opening.type == "tr_open":
            left = iter(heads)
        elif opening.type == "td_open":
            opening.attrSet("data-head", next(left, ""))
    html = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(html)  # noqa: S704  (cleaned)


def show_html(text: str, top: int = 5) -> Markup:
    """Return what somebody wrote as HTML, its highest headings of the level `top`.

    A text without marks of Markdown takes no parser.
    """
    if not _ACTIVE.search(f"\n{text}"):
        parts = re.split(r"\n\s*\n", plain(text).strip())
        return Markup("\n".join(f"<p>{escape(part)}</p>" for part in parts if part.strip()))  # noqa: S704  (escaped)
    return to_html(tame(text, top, is_page=True))
