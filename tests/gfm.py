"""What GitHub's own parser, with its extensions, makes of a Markdown file."""

import html
import re

from cmarkgfm.cmark import Options, markdown_to_html_with_extensions

PLAIN = frozenset({"p", "ul", "ol", "li", "em", "strong", "code", "pre"})
"""What a passage of a participant may become: paragraphs, lists, emphasis and code."""

_EXTENSIONS = ["table", "autolink", "strikethrough", "tasklist"]
_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
_NO_CHARACTER = re.compile("[\ufffe\uffff]|&#6553[45];")
"""The parser writes these as bytes that are no UTF-8."""
_TAG = re.compile(r"<(?!/)(!--|[a-z0-9]+)([^>]*)>")
_HREF = re.compile(r"(?:href|src)=\"([^\"]*)\"")


def rendered(markdown: str) -> str:
    """Return the HTML of a text, tags of its own included."""
    return str(
        markdown_to_html_with_extensions(_NO_CHARACTER.sub("?", markdown), _OPTIONS, _EXTENSIONS)
    )


def tags(markdown: str) -> list[str]:
    """Return every tag of a text in order, with the address that it leads to or loads."""
    actual = _TAG.findall(rendered(markdown))
    return [" ".join([name, *_HREF.findall(attributes)]) for name, attributes in actual]


def structure(markdown: str) -> list[str]:
    """Return the tags of a text that are more than `PLAIN`."""
    return [tag for tag in tags(markdown) if tag not in PLAIN]


def words(markdown: str) -> str:
    """Return what a reader sees of a text that has no tags of its own, without white space."""
    return squeezed(html.unescape(re.sub(r"<[^>]*>", "", rendered(markdown))))


def squeezed(text: str) -> str:
    """Return a text without white space and without the mark that keeps addresses apart."""
    shown = _NO_CHARACTER.sub("?", text).replace("\u200c", "").replace("\x00", "\ufffd")
    return "".join(shown.split())
