"""Web pages and PDFs that a user has saved, read as context documents with their title and date.

The packages that read them come with the extra `documents`.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

from debate_ops.errors import UsageError
from debate_ops.model.texts import is_blank, one_line, shown
from debate_ops.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 20 * 1024 * 1024
"""How large a page or a PDF may be; its text is limited as any context is."""
_KINDS = {".html": "web page", ".htm": "web page", ".xhtml": "web page", ".pdf": "PDF"}
_BREAK = "\x1e"
"""Where a paragraph of a page ends, as long as its white space is not yet in order."""
_BLOCKS = ("p", "li", "pre", "blockquote", "tr", "dt", "dd", "figcaption", "div", "section")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ASIDE = ("script", "style", "nav", "aside", "footer", "form", "noscript", "template", "svg")
_DATES = ("article:published_time", "datePublished", "date", "dc.date", "DC.date.issued")


def is_saved(path: str) -> bool:
    """Tell whether a file is one that is read here, by its name."""
    return _suffix(path) in _KINDS


def text(path: str) -> str:
    """Return the text of a page or a PDF, below a heading with its title and date.

    Raises:
        UsageError: it cannot be read, or has no text.
    """
    kind, data = _KINDS[_suffix(path)], files.read_named(path, MAX_BYTES)
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path} is larger than {MAX_BYTES // 1024**2} MiB")
    try:
        title, date, content = _of_pdf(data) if kind == "PDF" else _of_page(data)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{path} is a {kind}; to read it, install debate-ops with its extra 'documents' "
            f"(package {error.name}; from a clone: pip install '.[documents]')"
        ) from None
    except Exception as error:  # noqa: BLE001  (a damaged file fails in many ways)
        raise UsageError(
            f"{path} is no {kind} that can be read: {one_line(str(error), 200)}",
            hint="Save it once more, or its text as a .md file.",
        ) from None
    if is_blank(content):
        raise UsageError(
            f"{path} is a {kind} without text; a scanned page has none",
            hint="Save its text as a .md file.",
        )
    head = one_line(" ".join(filter(None, (title, f"({date})" if date else ""))), 300)
    return shown(f"# {head}\n\n{content}" if head else content)


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _of_pdf(data: bytes) -> tuple[str, str, str]:
    import pypdf

    reader = pypdf.PdfReader(io.BytesIO(data))
    known = reader.metadata
    pages = [page.extract_text().strip() for page in reader.pages]
    numbered = [f"## Page {n}\n\n{page}" for n, page in enumerate(pages, 1) if page]
    made = known.creation_date if known else None
    title = str(known.title or "") if known else ""
    return title, made.date().isoformat() if made else "", "\n\n".join(numbered)


def _of_page(data: bytes) -> tuple[str, str, str]:
    import bs4

    page = bs4.BeautifulSoup(data, "html.parser")
    title = page.title.get_text() if page.title else ""
    dates = (page.find("meta", attrs={key: n}) for n in _DATES for key in ("property", "name"))
    date = next((str(tag.get("content"))[:10] for tag in dates if tag and tag.get("content")), "")
    main = page.find("article") or page.find("main") or page.body or page
    return title, date, "\n\n".join(_paragraphs(main))


def _paragraphs(main: Any) -> Iterator[str]:
    """Yield the paragraphs of the main part of a page, headings and items of lists marked."""
    for tag in main.find_all(_ASIDE):
        tag.decompose()
    for tag in main.find_all("br"):
        tag.replace_with("\n")
    for tag in main.find_all(("td", "th")):
        tag.insert_after(" | ")
    for tag in main.find_all((*_BLOCKS, *_HEADINGS)):
        mark = "## " if tag.name in _HEADINGS else "- " if tag.name == "li" else ""
        tag.insert_before(_BREAK + mark)
        tag.insert_after(_BREAK)
    for part in main.get_text().split(_BREAK):
        paragraph = " ".join(part.split()).removesuffix(" |")
        if paragraph not in {"", "-", "##"}:
            yield paragraph
