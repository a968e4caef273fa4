"""Render the report of a debate folder: pages and charts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import product
from typing import NamedTuple

from markupsafe import Markup

from debate_ops import engine
from debate_ops.errors import BadRecordError, DiskError, Finding
from debate_ops.formats import brief_file
from debate_ops.model.ids import parse_id
from debate_ops.reports import brief, charts, hearing, marks, readme
from debate_ops.reports.blocks import Picture, words
from debate_ops.reports.charts import Chart
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.marks import CHARTS, MAPS, PAGE, PICTURES, README, chart_files
from debate_ops.reports.reading import of_record
from debate_ops.reports.screen import PageData, page_data
from debate_ops.storage import files, inbox, lock
from debate_ops.storage.commit import set_aside
from debate_ops.storage.folder import INBOX, SET_ASIDE, Folder
from debate_ops.storage.inbox import Slot

_MOST_BYTES = 1 << 28
"""A page of some thousand arguments is larger than any file of the record."""

_SET_ASIDE = re.compile(r"[0-9]+-(.+)\.md\Z")

NAMES = (README, PAGE, *PICTURES)
"""The files that a report may have, the pages first."""


class Rendered(NamedTuple):
    """The files of a report, what is worth knowing of it, and whether it was there already.

    `answer` and `sure` are what its first screen says. `slot` says where the prompt for a brief
    is, where that was asked for and no current one is there.
    """

    files: tuple[str, ...]
    warnings: tuple[Finding, ...]
    unchanged: bool
    answer: str = ""
    sure: str = ""
    slot: Slot | None = None


def render(folder: Folder, *, ask: bool = False) -> Rendered:
    """Render the report, and ask for a brief; a file that holds what is rendered is left alone.

    What a folder says of its own texts is not believed, for whoever made the folder wrote that
    too: what is there is compared with what is rendered. A chart that was drawn from the same
    numbers, and is as it was drawn, is not drawn again: that would take longer than all the rest.

    Raises:
        BadRecordError: the folder contradicts itself, or a link is where a file goes.
        DiskError: a file cannot be written.
    """
    position = engine.look(folder)
    debate = position.debate
    refuse_links(folder)
    before = _contents(folder)
    with of_record(debate):
        reported, doubts = hearing.reported(folder, debate)
        data = page_data(
            reported,
            brief_of=partial(brief.of, folder),
            set_aside=_set_aside(folder),
            edits=tuple(engine.edits(debate)),
        )
        around = marks.block(before.get(README, b""))
        contents = _render(data, around, charts.stand_in)
        old = [name for name in PICTURES if name in before and name not in contents]
        stale = [name for name in old if marks.is_ours(before[name])]
        is_unchanged = not stale and all(
            name in before and _is_same(name, before[name], new) for name, new in contents.items()
        )
        if not is_unchanged:
            contents = _render(data, around, charts.svg)
            contents |= dict(_drawn(data, before))
    moved = () if is_unchanged else _write(folder, contents, before, stale)
    warnings = (*position.warnings, *doubts, *data.edits, *data.warnings, *moved)
    warnings += tuple(_restored(before, contents))
    sureness = data.view.sureness
    is_due = bool(data.view.content.items) and (data.brief is None or data.brief.out_of_date)
    return Rendered(
        files=tuple(folder.within(*name.split("/")) for name in NAMES if name in contents),
        warnings=tuple(dict.fromkeys(warnings)),
        unchanged=is_unchanged,
        answer=words(data.screen.answer),
        sure=sureness.level.words if sureness else "",
        slot=brief.write_prompt(folder, data.view) if ask and is_due else None,
    )


def _render(
    data: PageData, around: marks.Block | None, draw: Callable[[Chart], Markup]
) -> dict[str, bytes]:
    """Return the files of a report, README.md at the end: it leads to the others.

    For the picture of a chart it has the digest of what that is drawn from.
    """
    from debate_ops.reports import svg
    from debate_ops.reports.html import page  # brings the parser and the templates in

    contents = {PAGE: marks.marked(page.render(data, draw))}
    shown = (b for section in data.sections for b in section.blocks if isinstance(b, Picture))
    for picture, (theme, palette) in product(shown, PALETTES.items()):
        contents[MAPS[theme]] = marks.marked(svg.file(picture, palette))
    for chart in _charts(data):
        contents |= dict.fromkeys(chart_files(chart.name).values(), charts.digest(chart).encode())
    return {**contents, README: marks.in_block(readme.render(data), around)}


def _charts(data: PageData) -> Iterator[Chart]:
    blocks = (block for section in data.sections for block in section.blocks)
    for block in (data.screen.picture, *blocks):
        if isinstance(block, Chart):
            yield block


def _drawn(data: PageData, before: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the picture of each chart in each theme: drawn, if it is not there yet."""
    for chart, (theme, palette) in product(_charts(data), PALETTES.items()):
        name, digest = chart_files(chart.name)[theme], charts.digest(chart)
        there = before.get(name, b"")
        is_there = marks.drawn_from(there) == digest
        picture = there if is_there else marks.marked_picture(charts.png(chart, palette), digest)
        yield name, picture


def _is_same(name: str, before: bytes, new: bytes) -> bool:
    """Tell whether a file is what was rendered, its charts as stand-ins."""
    if name.endswith(".png"):
        return marks.drawn_from(before) == new.decode()
    if name != PAGE:
        return marks.part(name, before) == marks.part(name, new)
    if not marks.is_ours(before):
        return False
    pages = (marks.unmarked(page).decode("utf-8", "replace") for page in (before, new))
    there, rendered = map(charts.undrawn, pages)
    return there == rendered


def _restored(before: Mapping[str, bytes], contents: Mapping[str, bytes]) -> Iterator[Finding]:
    """Yield which files had been removed that the README.md of before leads to."""
    page = before.get(README, b"")
    for name in contents:
        if name not in before and marks.block(page) and name.encode() in page:
            yield Finding("restored", f"{name} was missing and is rendered again", file=name)


def refuse_links(folder: Folder) -> None:
    """Refuse a folder where something else than a file or folder of its own is in our way.

    Raises:
        BadRecordError: names what it is.
    """
    refuse_link(folder.within(CHARTS), os.path.isdir)
    for name in (brief_file.NAME, *NAMES):
        refuse_link(folder.within(*name.split("/")), os.path.isfile)


def refuse_link(path: str, is_right: Callable[[str], bool], what: str = "the report") -> None:
    """Refuse a path where something else is than `what` is rendered there."""
    if os.path.islink(path) or (os.path.lexists(path) and not is_right(path)):
        kind = "a symbolic link" if os.path.islink(path) else "not what it should be"
        raise BadRecordError(
            f"{path} is {kind}", hint=f"Move it away; {what} is rendered into its place."
        )


def _set_aside(folder: Folder) -> tuple[str, ...]:
    """Return what was taken out of the record, which a reader of the page should know."""
    names = files.names(folder.within(SET_ASIDE))
    entries = [n for n in names if (match := _SET_ASIDE.match(n)) and parse_id(match[1])]
    return tuple(f"{SET_ASIDE}/{name}" for name in entries)


def _contents(folder: Folder) -> dict[str, bytes]:
    """Return the files of an earlier report that are there."""
    contents = {}
    for name in NAMES:
        with suppress(FileNotFoundError):
            path = folder.within(*name.split("/"))
            contents[name] = files.read_bytes(path, _MOST_BYTES)
    return contents


def _write(
    folder: Folder, contents: Mapping[str, bytes], before: Mapping[str, bytes], stale: Iterable[str]
) -> tuple[Finding, ...]:
    """Write what was rendered, remove stale pictures of ours.

    What others wrote is moved away; where to is returned.
    """
    moved = []
    try:
        for place in {INBOX, *(os.path.dirname(name) or INBOX for name in contents)}:
            os.makedirs(folder.within(place), exist_ok=True)
        inbox.prepare(folder)
        with lock.held(inbox.write_lock(folder), "is writing in this debate"):
            for name, data in contents.items():
                path = folder.within(*name.split("/"))
                if marks.is_foreign(name, before.get(name, b""), data):
                    moved.append(moved_aside(name, folder.shown(set_aside(folder, path))))
                files.write_derived(path, data)
            for name in stale:
                os.unlink(folder.within(*name.split("/")))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise DiskError(
            f"the report cannot be written into {folder.path}: {why}",
            hint="Nothing of the record changed. 'flow', 'transcript' and 'export --output -' "
            "work without writing.",
        ) from None
    return tuple(moved)


def moved_aside(name: str, place: str) -> Finding:
    """Return that a file was moved away, and where to."""
    message = f"{name} is not as this program rendered it; what was there is now {place}"
    return Finding("set_aside", message, file=place)
