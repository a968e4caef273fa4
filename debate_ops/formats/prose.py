r"""Free text inside Markdown: escaped so that it can never read as structure.

`unescape(escape(text)) == text` for every text; so does `unquote(quote(text))`, and `heading` may
stand for `escape` where the text has to stay on one line, and `passage` where lists, emphasis and
inline code may show as what they are. Only CommonMark's own means are used, a
backslash before punctuation and numeric character references, so that viewers show the text.
"""

from __future__ import annotations

import re
import sys

# Everywhere: characters that open an escape, a tag or a reference.
_ACTIVE = re.compile(r"[\\<&]")
# At the start of a line: what would be a heading, quotation, list, rule, table, fence or reference.
_LINE_START = re.compile(r"^(?:[#>\-+*=|~`:_\[]|[0-9]{1,9}(?=[.)]))", re.MULTILINE)
# White space that Markdown or a careful editor would drop, and characters that break lines.
_FRAGILE = re.compile(
    "^[ \t]|[ \t]$|\\A\n|\n\\Z|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]",
    re.MULTILINE,
)
# In a passage, behind spaces: headings, quotations, tables, fences, rules, underlines, references.
_PASSAGE_START = re.compile(
    r"^([ ]*)(?=[#>|:]|```|~~~|\[[^\]\n]*\]:"
    r"|(?:=+|(?:-[ \t]*)+|(?:[*][ \t]*){3,}|(?:_[ \t]*){3,})$)",
    re.MULTILINE,
)
_PASSAGE_FRAGILE = re.compile(
    "^\t|[ \t]$|\\A\n|\n\\Z|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]",
    re.MULTILINE,
)
_SURROGATES = range(0xD800, 0xE000)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&#([0-9]{1,7});")


def escape(text: str) -> str:
    r"""Return `text` as a Markdown paragraph or several.

    >>> print(escape("# no heading\n<b> 1 & 2"))
    \# no heading
    \<b> 1 \& 2
    """
    text = _ACTIVE.sub(r"\\\g<0>", text)
    text = _LINE_START.sub(_guard, text)
    return _FRAGILE.sub(_reference, text)


def passage(text: str) -> str:
    r"""Return `text` so that its lists and its emphasis stay, and nothing that ends its section.

    >>> print(passage("# no heading\n- a **list**\n1. another"))
    \# no heading
    - a **list**
    1. another
    """
    text = _ACTIVE.sub(r"\\\g<0>", text)
    text = _PASSAGE_START.sub(r"\1\\", text)
    return _PASSAGE_FRAGILE.sub(_reference, text)


def heading(text: str) -> str:
    r"""Return `text` on one line.

    >>> heading("two\nlines")
    'two&#10;lines'
    """
    return escape(text).replace("\n", "&#10;")


def quote(text: str) -> str:
    """Return `text` as a block quotation."""
    return "> " + escape(text).replace("\n", "\n> ")


def unescape(markdown: str) -> str:
    """Return the text that `escape` or `heading` was given."""
    return _ESCAPED.sub(lambda match: match[1] or _character(match), markdown)


def unquote(markdown: str) -> str:
    """Return the text that `quote` was given."""
    return unescape(strip_quote(markdown))


def strip_quote(markdown: str) -> str:
    """Return the lines of a block quotation without their marks."""
    return "\n".join(re.sub(r"^> ?", "", line) for line in markdown.split("\n"))


def in_short(text: str, most: int = 100) -> str:
    r"""Return a text on one line, its end left out where it is too long.

    >>> in_short("one\n two  three", 7)
    'one two …'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()} …"


def _guard(match: re.Match[str]) -> str:
    start = match[0]
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def _character(reference: re.Match[str]) -> str:
    """Return what a reference stands for; one that stands for no character is text."""
    number = int(reference[2])
    is_one = number <= sys.maxunicode and number not in _SURROGATES
    return chr(number) if is_one else reference[0]
