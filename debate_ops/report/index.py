"""The index of all debates: what each answers, how sure that is, one line each."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from debate_ops import __version__, engine
from debate_ops.core.errors import DebateError, DiskError, catch_error
from debate_ops.engine import files, store
from debate_ops.engine.store import PAGE, Folder, find_folder, is_example, list_slugs
from debate_ops.report import markdown
from debate_ops.report.page import README, Rendered, render_report, wrap_block, wrap_page
from debate_ops.report.reading import read_debate
from debate_ops.report.words import shorten

INDEX, INDEX_PAGE = "index.md", "index.html"


class Row(NamedTuple):
    """A debate of the index: what was rendered of it, or why nothing was, and what it answers."""

    slug: str
    made: Rendered | DebateError
    data: dict[str, Any] = {}  # noqa: RUF012  (never changed)


class All(NamedTuple):
    """All debates, the files of the index, and whether nothing changed."""

    debates: list[Row]
    files: tuple[str, ...]
    unchanged: bool


def render_all(load: Callable[[Folder], engine.Position]) -> All:
    """Render every debate, and the index; one that cannot be rendered hides no other.

    `load` reads a debate, or refuses it.

    Raises:
        DiskError: the index cannot be written.
    """
    rows = []
    for slug in list_slugs():
        made = catch_error(lambda slug=slug: _render_one(slug, load))  # type: ignore[misc]
        rows.append(Row(slug, made) if isinstance(made, DebateError) else made)
    shown = [row for row in rows if row.data]
    own = [row for row in shown if not is_example(row.slug)]
    examples = [row for row in shown if row not in own]
    parts = {"": own, "Examples": examples} if own else {"": examples}
    text, html = (
        markdown.render("index.md.jinja", parts=parts, files=names, version=__version__)
        for names in ((README, PAGE), (PAGE,))
    )
    paths = tuple(os.path.join(store.DEBATES, name) for name in (INDEX, INDEX_PAGE))
    old = [files.read_bytes(p, 1 << 24) if os.path.lexists(p) else b"" for p in paths]
    contents = (wrap_block(text, old[0]), wrap_page(markdown.to_html(html), "Debates").encode())
    try:
        for path, data in zip(paths, contents, strict=True):
            files.write_derived(path, data)
    except OSError as error:
        raise DiskError(f"cannot write the index: {error.strerror}") from None
    is_same = [*contents] == old and all(getattr(row.made, "unchanged", False) for row in shown)
    return All(rows, paths, is_same)


def _render_one(slug: str, load: Callable[[Folder], engine.Position]) -> Row:
    reading = read_debate(load(find_folder(slug)))
    data = {
        "motion": reading.motion,
        "protocol": reading.at.protocol.name,
        "answer": shorten(reading.answer, 300),
        "sure": ". ".join((reading.verdict.sureness.capitalize(), *reading.notes)),
        "date": reading.position.header.created[:10],
    }
    return Row(slug, render_report(reading), data)
