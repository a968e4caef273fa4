"""What each kind of output is made of, apart from the words in it: foreign text may not change it.

A reader of another maker takes every output apart: GitHub's Markdown parser, the standard library's
parsers of HTML, XML, CSV and JSON. What it finds is counted in a plain debate and in a hostile one.
What graphs are made of is left to tests/tools, where the programs that draw them read them.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import cmarkgfm
from bs4 import BeautifulSoup
from bs4.element import PreformattedString
from cmarkgfm.cmark import Options

MEANT = (
    *("http://source.example", "https://source.example", "HTTPS://source.example"),
    *("http://www.source.example", "https://www.source.example", "#"),
)
"""How links begin that are meant: to a source's address, and to a place in the same file."""
Parts = Counter[str]

# Paragraphs, lists, emphasis and inline code: what a passage may have.
FLOWING = frozenset({"p", "br", "ul", "ol", "li", "em", "strong", "code", "del"})
# What a quoted text in Markdown may have besides, its headings below every one of ours.
FLOWING_IN_QUOTES = FLOWING | {"table", "thead", "tbody", "tr", "th", "td", "pre"}
FLOWING_IN_QUOTES |= {"blockquote", "hr", "h5", "h6"}
# What else the page lays texts out with, by their length and by their tables, quotations and code.
FLOWING_ON_PAGE = FLOWING | {"blockquote", "pre", "hr", "div", "span", "wbr", "details", "summary"}
FLOWING_ON_PAGE |= {"h5", "h6"}  # headings below every one of the page's own
FLOWING_ON_PAGE |= {"table", "thead", "tbody", "tr", "th", "td", "text", "tspan", "rect", "sup"}
LEADING_OUT = frozenset({"src", "srcset", "xlink:href", "action", "formaction", "poster", "data"})
LIVE = frozenset({"style", "id", "name", "srcdoc", "http-equiv", "background", "target", "form"})
# Headings of the motion are those below its own, as a reader who goes by headings needs them.
_MOTION = re.compile(r'<section id="framing".*?</section>', re.DOTALL)
_BELOW = re.compile(r"</?h[3-6]>")
# What is neither printed nor seen: controls but tabs and line feeds, marks of direction, tags.
UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
# Line breaks that are none where markup or the quotes of a cell decide what a line is.
_BREAKS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_SEPARATORS = "\u2028\u2029"  # which no terminal takes for the end of a line
_ESCAPED_DOLLAR = re.compile(r"(?<!\\)((?:\\\\)*)\\\$")
_MATHEMATICS = re.compile(r"\$\$|(?<!\w)\$(?=[^\s$])[^$]*(?<=[^\s$])\$(?!\w)")
COUNTED_BY_LENGTH = frozenset({"warnings", "words"})
"""Keys of what the program says about texts over their word limits."""


def unseen(text: str, but: str = "") -> Parts:
    """Count what cannot be shown, or turns what comes after it; leave out what is harmless here."""
    signs = (sign for sign in UNSHOWABLE.findall(text) if sign not in but)
    return Counter(f"U+{ord(sign):04X}" for sign in signs)


class _Seen(NamedTuple):
    """What a page or Markdown is made of."""

    parts: Parts
    """Tags and what else is no text, and attributes that could do something."""
    texts: list[str]
    """Texts outside of code."""
    code: list[str]
    """Scripts and styles."""
    links: list[tuple[str, str]]
    """Where each link leads, and what it says."""


def _read_html(html: str, flowing: frozenset[str]) -> _Seen:
    seen = _Seen(Counter(), [], [], [])
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.find_all():
        attributes = {name: str(value) for name, value in tag.attrs.items()}
        if tag.name == "a" and "href" in attributes:
            seen.links.append((attributes["href"], tag.get_text()))
        elif tag.name not in flowing:
            seen.parts[f"<{tag.name}>"] += 1
        seen.parts.update(_live(attributes))
    for text in soup.find_all(string=True):
        within = {tag.name for tag in text.parents}
        if isinstance(text, PreformattedString):
            seen.parts[f"{text.PREFIX}{text[:20]}"] += 1
        elif within & {"script", "style"}:
            seen.code.append(text)
        elif not within & {"code", "pre"}:
            seen.texts.append(text)
    return seen


def _live(attributes: Mapping[str, str]) -> Iterator[str]:
    for name, value in attributes.items():
        if name in LEADING_OUT:
            yield f"{name} to {_scheme(value)}"
        elif name.startswith("on") or name in LIVE:
            yield f"attribute {name}"


def _scheme(address: str) -> str:
    match = re.match(r"\s*([A-Za-z][\w+.-]*:|//|#)?", address)
    return match[1] if match and match[1] else "a file"


def markdown(
    text: str,
    flowing: frozenset[str] = FLOWING,
    is_meant: Callable[[str, str], bool] = lambda *_: False,
) -> Parts:
    """Count what GitHub makes of a Markdown file: tags, links by where they lead, formulas."""
    head, body = _apart(text)
    html = cmarkgfm.github_flavored_markdown_to_html(
        _ESCAPED_DOLLAR.sub(r"\1", body),
        options=Options.CMARK_OPT_FOOTNOTES | Options.CMARK_OPT_UNSAFE,
    )
    seen = _read_html(html, flowing)
    parts = seen.parts + (places(head) if head else Counter())
    links = (link for link in seen.links if not link[0].startswith(MEANT) and not is_meant(*link))
    parts.update(f"link to {_scheme(href)}" for href, _ in links)
    parts["$formula$"] += sum(len(_MATHEMATICS.findall(text)) for text in seen.texts)
    return +parts


def record(text: str) -> Parts:
    """Count what GitHub makes of a file of the record, where no address is meant as a link.

    Every sign of a text is kept there, those of direction included.
    """
    return markdown(text.replace("source.example", "elsewhere.example"))


def outcome(text: str) -> Parts:
    """Count it of a file that quotes texts, where an address that is shown is a link."""
    return markdown(text, FLOWING_IN_QUOTES, _is_open) + unseen(text, _BREAKS)


def _apart(text: str) -> tuple[str, str]:
    """Return the JSON header of a file of ours and what comes after it."""
    if not text.startswith("---\n{"):
        return "", text
    value, end = json.JSONDecoder().raw_decode(text, 4)
    assert isinstance(value, dict)
    assert text.startswith("\n---\n", end)
    return text[4:end], text[end + 5 :]


def page(text: str) -> Parts:
    """Count the tags, attributes and links of a page; its scripts and styles stand as they are.

    An address in a text is a link on the page; what says anything else than where it leads is not
    meant.
    """
    seen = _read_html(_MOTION.sub(lambda found: _BELOW.sub("", found[0]), text), FLOWING_ON_PAGE)
    parts = seen.parts + unseen(text, _BREAKS)
    parts.update(f"code {hash(code)}" for code in seen.code)
    parts.update(f"link to {href}: {said}" for href, said in seen.links if not _is_open(href, said))
    return parts


def _is_open(href: str, said: str) -> bool:
    """Tell whether a link leads to a place on the page, or to the web address that it shows."""
    return href.startswith("#") or (href == said and _scheme(href).lower() in {"http:", "https:"})


def picture(text: str) -> Parts:
    """Count the same of an SVG, which is XML."""
    ET.fromstring(text)  # noqa: S314  (entities are what it refuses)
    return page(text[text.index("<svg") :])


def data(text: str) -> Parts:
    """Count the places of a JSON value, and what cannot be shown in it."""
    return places(text) + unseen(text)


def places(text: str) -> Parts:
    """Count the places of a JSON value by their kind; keys are as they are, texts are texts."""
    return Counter(_places(json.loads(text), "$"))


def _places(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in COUNTED_BY_LENGTH:
                continue
            yield from _places(inner, f"{path}.{key}")
    elif isinstance(value, list):
        yield f"{path}[]"
        for inner in value:
            yield from _places(inner, f"{path}[]")
    else:
        yield f"{path}: {type(value).__name__.replace('float', 'int')}"


def lines_of_data(text: str) -> Parts:
    """Count the places of JSON values, one to a line."""
    return sum((data(line) for line in text.split("\n") if line), Counter()) + unseen(text)


def sheet(text: str) -> Parts:
    """Count rows and cells; tests/report looks for formulas in them."""
    rows = csv.reader(text.splitlines(keepends=True), strict=True)
    return unseen(text, _BREAKS) + Counter(f"row of {len(row)}" for row in rows)


def terminal(text: str) -> Parts:
    """Count lines, but those that go on with a long one, and what would steer a terminal."""
    return unseen(text, _SEPARATORS) + Counter({"lines": len(re.findall(r"\n(?! {6})", text))})


def prompt(text: str) -> Parts:
    """Count the program's own lines: those that no `>` begins, and that no length brings."""
    text = LONG_PAGE.sub("", text)
    own = Counter(line for line in text.splitlines() if not line.startswith(">"))
    own["too long"] = sum(len(line) > 900 for line in text.split("\n"))
    return unseen(text) + +own


def prompt_in_part(text: str) -> Parts:
    """Count the lines of a prompt but those around entries, of which length leaves out some."""
    return Counter({n: times for n, times in prompt(text).items() if not _OF_ENTRIES.match(n)})


LONG_PAGE = re.compile(r"\A\(A long page, [^\n]*\n\n|\n\(end of this page\)\n\Z")
_TOO_LONG = "\nThe whole debate would be too long: "
_OF_ENTRIES = re.compile(rf"</?(?:argument|entry)\b|{_TOO_LONG.strip()}|\Z")


Law = Callable[[str], Parts]
entry_in_terminal: Law = partial(unseen, but=_SEPARATORS)  # what would steer a terminal

BY_NAME: Mapping[str, Law] = {
    "validate.txt": entry_in_terminal,  # a line for each text over its word limit
    "flow.txt": entry_in_terminal,  # a table, whose lines are as many as the words need
    "show-entry.txt": entry_in_terminal,
    **dict.fromkeys(("export.mermaid", "export.dot", "export.argdown"), unseen),
    "export.csv-flow": sheet,
    "export.csv-arguments": sheet,
    "export.json": data,
    "debate.md": record,
    "outcome.md": outcome,
    "transcript.md": outcome,
    "README.md": outcome,
}
BY_END: Mapping[str, Law] = {
    ".prompt.md": prompt,
    ".md": lambda text: markdown(text) + unseen(text, _BREAKS),
    ".html": page,
    ".svg": picture,
    ".csv": sheet,
    ".json": data,
    ".jsonl": lines_of_data,
    ".txt": terminal,
}


def law_of(name: str) -> Law:
    if name.startswith(("arguments/", "judgments/")):
        return record
    ends = (law for end, law in BY_END.items() if name.endswith(end))
    return BY_NAME.get(name) or next(ends)


def differences(name: str, hostile: str, plain: str) -> list[str]:
    """Return what a hostile output is made of and the plain one is not, and the reverse."""
    if hostile == plain:
        return []
    law = law_of(name)
    if law is prompt and any(_TOO_LONG in text for text in (hostile, plain)):
        law = prompt_in_part
    try:
        now, before = law(hostile), law(plain)
    except (ValueError, csv.Error, ET.ParseError, AssertionError) as error:
        return [f"cannot be read: {error!r}"[:120]]
    more = [f"{n} more: {part[:60]}" for part, n in sorted((now - before).items())]
    return more + [f"{n} fewer: {part[:60]}" for part, n in sorted((before - now).items())]
