"""The index of all debates: what each answers, how sure that is, one line each."""

from __future__ import annotations

import os
from functools import partial
from typing import Any, NamedTuple

from debate_ops import __version__
from debate_ops.core.errors import DebateError, DiskError, catch_error
from debate_ops.core.values import Fault
from debate_ops.engine import store
from debate_ops.engine.store import Folder, find_folder, list_slugs
from debate_ops.engine.validate import load_sound
from debate_ops.report import markdown
from debate_ops.report.page import Rendered, render_report, write_both
from debate_ops.report.reading import read_debate
from debate_ops.report.words import capitalise, shorten

INDEX, INDEX_PAGE = "index.md", "index.html"


class Row(NamedTuple):
    """A debate of the index: what was rendered of it, or why nothing was, and what it answers."""

    slug: str
    made: Rendered | DebateError
    data: dict[str, Any] = {}  # noqa: RUF012  (never changed)


class All(NamedTuple):
    """All debates, the files of the index, whether nothing changed, and what was moved away."""

    debates: list[Row]
    files: tuple[str, ...]
    unchanged: bool
    warnings: list[Fault]


def render_all() -> All:
    """Render every debate, and the index; one that cannot be rendered hides no other.

    Raises:
        DiskError: the index cannot be written.
    """
    rows = []
    for slug in list_slugs():
        made = catch_error(partial(_render_one, slug))
        rows.append(Row(slug, made) if isinstance(made, DebateError) else made)
    shown = [row for row in rows if row.data]
    text = markdown.render("index.md.jinja", rows=shown, version=__version__)
    try:
        is_same, moved = write_both(Folder(store.DEBATES), (INDEX, INDEX_PAGE), text, "Debates")
    except OSError as error:
        raise DiskError(f"cannot write the index: {error.strerror}") from None
    is_same = is_same and all(getattr(row.made, "unchanged", False) for row in shown)
    paths = tuple(os.path.join(store.DEBATES, name) for name in (INDEX, INDEX_PAGE))
    return All(rows, paths, is_same, moved)


def _render_one(slug: str) -> Row:
    reading = read_debate(load_sound(find_folder(slug)))
    data = {
        "motion": reading.motion,
        "protocol": reading.at.protocol.name,
        "answer": shorten(reading.answer, 300),
        "sure": capitalise(reading.sureness),
        "notes": reading.notes,
        "date": reading.position.header.created[:10],
    }
    return Row(slug, render_report(reading), data)
