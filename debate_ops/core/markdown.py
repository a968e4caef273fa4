r"""Free text inside Markdown: escaped so that it can never read as structure.

`unescape(escape(text)) == text` for every text; `heading` is for one line, `quote` for quotations
(`strip_quote` comes first then), and `passage` shows lists, emphasis and inline code as what they
are. Only CommonMark's own means are used, so that viewers show the text, and no address in it leads
anywhere, in GitHub's Markdown either.
"""

import re
import sys

# What begins an escape, code, emphasis, link, picture, tag, reference, table, strikethrough or
# formula; an underscore inside a word begins nothing.
_MARK = r"[\\`*\[<&|~$]|(?<![^\W_])_"
BARE_ADDRESS = r":(?=//)|(?<=[Ww]{3})\.|(?<=[\w.+:/-])@(?=[\w.-])"
"""Where GitHub finds addresses that no mark surrounds: `https://`, `www.` and `name@`."""
_ACTIVE = rf"{_MARK}|{BARE_ADDRESS}"
# Without one of these, or `www.`, there is none of them: to look for those takes ten times as long.
_HINT = re.compile(r"[\\`*\[<&|~$_@:]")
# At the start of a line: what would be a heading, quotation, list, underline or table.
_LINE_START = re.compile(r"^(?:[#>\-+=:]|[0-9]{1,9}(?=[.)]))", re.MULTILINE)
# White space that Markdown or a careful editor would drop, and characters that break lines.
_EDGES = "[ \t]$|\\A\n|\n\\Z|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"
_FRAGILE = rf"(?m)^[ \t]|{_EDGES}"
# In a passage: code on one line that shows the same whether it is escaped or not; else all of the
# above but the marks of emphasis.
_CODE = "(?<!`)`[^`\\\\&\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]+`(?!`)"
_PASSAGE_ACTIVE = rf"({_CODE})|[\\`\[<&|~$]|{BARE_ADDRESS}"
# In a passage, behind the marks of lists: headings, quotations, tables, underlines, rules.
_RULE = r"([-*_])(?:[ \t]*+\{0})*+[ \t]*$"
_LISTS = r"(?:[ \t]*(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*+[ \t]*+"
_PASSAGE_START = rf"(?m)^([ \t]*+(?={_RULE.format(2)})|{_LISTS}(?=[#>=:]|-+:|{_RULE.format(3)}))(.)"
_PASSAGE_FRAGILE = rf"(?m)^\t|{_EDGES}"
_NOTHING = "&zwnj;"
"""Keeps the parts of an address apart; a text that has these letters has them escaped."""
_SURROGATES = range(0xD800, 0xE000)
_ESCAPED = re.compile(rf"\\([!-/:-@\[-`{{-~])|&#([0-9]{{1,7}});|{_NOTHING}")


def escape(text: str) -> str:
    """Return `text` as a Markdown paragraph or several."""
    text = _LINE_START.sub(_guard, inert(text))
    return re.sub(_FRAGILE, _reference, text)


def inert(text: str) -> str:
    """Return `text` so that nothing in the middle of its lines is more than text."""
    if not _HINT.search(text) and "www." not in text.lower():
        return text
    return re.sub(_ACTIVE, still, text)


def passage(text: str) -> str:
    r"""Return `text` so that its lists, its emphasis and its code stay, and nothing else.

    >>> print(passage("# no heading\n- a **list**\n1. `another`\n- > [x](y)"))
    \# no heading
    - a **list**
    1. `another`
    - \> \[x](y)
    """
    text = re.sub(_PASSAGE_ACTIVE, lambda match: match[1] or still(match), text)
    text = re.sub(_PASSAGE_START, r"\1\\\4", text)
    return re.sub(_PASSAGE_FRAGILE, _reference, text)


def heading(text: str) -> str:
    """Return `text` on one line."""
    return escape(text).replace("\n", "&#10;")


def quote(text: str) -> str:
    """Return `text` as a block quotation."""
    return "> " + escape(text).replace("\n", "\n> ")


def unescape(markdown: str) -> str:
    """Return the text that `escape`, `heading` or `passage` was given."""
    if "\\" not in markdown and "&" not in markdown:
        return markdown
    return _ESCAPED.sub(lambda match: match[1] or _character(match), markdown)


def strip_quote(markdown: str) -> str:
    """Return the lines of a block quotation without their marks."""
    return re.sub("(?m)^> ?", "", markdown)


def pieces(pattern: str | re.Pattern[str], text: str) -> list[tuple[re.Match[str], str]]:
    r"""Return each match of a pattern with what stands between it and the next one.

    A pattern that is to begin a line begins with its break, by which a search is fastest.

    >>> [(match[1], text) for match, text in pieces("\n# (.)(?=\n)", "# A\na\n\n# B\nb")]
    [('A', 'a'), ('B', 'b')]
    """
    text = f"\n{text}\n"
    matches = list(re.finditer(pattern, text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    return [
        (match, text[match.end() : end].strip("\n"))
        for match, end in zip(matches, ends, strict=False)
    ]


def _guard(match: re.Match[str]) -> str:
    start = match[0]
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def still(match: re.Match[str]) -> str:
    """Return a mark such that it is text: of those in `BARE_ADDRESS`, and of CommonMark's."""
    return f"@{_NOTHING}" if match[0] == "@" else f"\\{match[0]}"


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def _character(reference: re.Match[str]) -> str:
    """Return what a reference stands for; one that stands for no character is text."""
    if reference[0] == _NOTHING:
        return ""
    number = int(reference[2])
    is_one = number <= sys.maxunicode and number not in _SURROGATES
    return chr(number) if is_one else reference[0]
