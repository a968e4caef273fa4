"""Render the report of a debate folder: pages, charts and graph."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import product

from debate_ops import engine
from debate_ops.errors import BadRecordError, DiskError, Finding
from debate_ops.formats import brief_file
from debate_ops.model.ids import parse_id
from debate_ops.reports import brief, hearing, marks, readme, svg, track_record
from debate_ops.reports.blocks import Picture, words
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.file_names import CHARTS, GRAPH, PAGE, README, map_of, maps
from debate_ops.reports.page_data import PageData, page_data
from debate_ops.reports.reading import of_record
from debate_ops.reports.table import Report, read, report_of
from debate_ops.startup import NamedTuple
from debate_ops.storage import files, inbox, lock
from debate_ops.storage.commit import set_aside
from debate_ops.storage.folder import INBOX, SET_ASIDE, Folder
from debate_ops.storage.inbox import Slot

_MOST_BYTES = 1 << 28
"""A page of some thousand arguments is larger than any file of the record."""

_SET_ASIDE = re.compile(r"[0-9]+-(.+)\.md\Z")

Contents = Mapping[str, bytes]
"""Files by their path inside the debate folder."""


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


def render(folder: Folder, *, png: bool = False, ask: bool = False) -> Rendered:
    """Render the report, and ask for a brief; a file that holds what is rendered is left alone.

    What a folder says of its own files is not believed, for whoever made the folder wrote that
    too: what is there is compared with what is rendered. Charts that were once rendered as PNG too
    are kept up to date.

    Raises:
        BadRecordError: the folder contradicts itself, or a link is where a file goes.
        DiskError: a file cannot be written.
        ModuleNotFoundError: a PNG is asked for, and matplotlib is not installed.
    """
    position = engine.look(folder)
    debate = position.debate
    report = report_of(debate.protocol)
    refuse_links(folder, report)
    png = png or any(
        os.path.lexists(folder.within(*name.split("/")))
        for name in _names(report, png=True)
        if name.endswith(".png")
    )
    names = _names(report, png=png)
    before = _contents(folder, names)
    with of_record(debate):
        panel, doubts = hearing.of(folder, debate)
        records, unreadable = track_record.kept(folder)
        judges = track_record.judges(debate, panel, records)
        data = page_data(
            read(debate, panel).noting(judge.sentence() for judge in judges),
            brief_of=partial(brief.of, folder),
            set_aside=_set_aside(folder),
            edits=tuple(engine.edits(debate)),
        )
        contents = _render(data, marks.block(before.get(README, b"")), png=png)
    before = {name: data for name, data in before.items() if name in contents}
    is_unchanged = _ours(before) == _ours(contents)
    moved = () if is_unchanged else _write(folder, contents, _foreign(before, contents))
    restored = tuple(_restored(before, contents))
    sureness = data.view.sureness
    is_due = bool(data.view.content.items) and (data.brief is None or data.brief.out_of_date)
    return Rendered(
        files=tuple(folder.within(*name.split("/")) for name in names if name in contents),
        warnings=tuple(
            dict.fromkeys(
                (
                    *position.warnings,
                    *doubts,
                    *unreadable,
                    *data.edits,
                    *data.warnings,
                    *moved,
                    *restored,
                )
            )
        ),
        unchanged=is_unchanged,
        answer=words(data.screen.answer),
        sure=sureness.level.words if sureness else "",
        slot=brief.write_prompt(folder, data.view) if ask and is_due else None,
    )


def _render(data: PageData, around: marks.Block | None, *, png: bool) -> Contents:
    """Return the files of a report, README.md at the end: it leads to the others."""
    from debate_ops.reports.html import page  # brings the parser and the templates in

    contents = {PAGE: marks.marked(page.render(data))}
    shown = (b for section in data.sections for b in section.blocks if isinstance(b, Picture))
    for picture, (theme, palette) in product(shown, PALETTES.items()):
        contents[map_of(theme)] = marks.marked(svg.file(picture, palette))
        if png:
            from debate_ops.reports import png as painter  # brings matplotlib in

            contents[map_of(theme, "png")] = painter.png(picture, palette)
    if data.graph is not None:
        contents[GRAPH] = marks.marked(data.graph.text)
    return {**contents, README: marks.in_block(readme.render(data), around)}


def _names(report: Report, *, png: bool) -> tuple[str, ...]:
    """Return the files that a report may have, the pages first."""
    graph = (GRAPH,) if report.HAS_GRAPH else ()
    return (README, PAGE, *graph, *maps(png=png))


def refuse_links(folder: Folder, report: Report) -> None:
    """Refuse a folder where something else than a file or folder of its own is in our way.

    Raises:
        BadRecordError: names what it is.
    """
    refuse_link(folder.within(CHARTS), os.path.isdir)
    for name in (brief_file.NAME, *_names(report, png=True)):
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


def _contents(folder: Folder, names: Iterable[str]) -> dict[str, bytes]:
    """Return the files of these names that are there."""
    contents = {}
    for name in names:
        with suppress(FileNotFoundError):
            path = folder.within(*name.split("/"))
            contents[name] = files.read_bytes(path, _MOST_BYTES)
    return contents


def _ours(contents: Contents) -> Contents:
    """Return what of files is ours: not line ends, which git may change, and no person's notes."""
    return {name: _part(name, data) for name, data in contents.items()}


def _part(name: str, data: bytes) -> bytes:
    if name.endswith(".png"):
        return data
    own = marks.block(data) if name == README else None
    return own.text.encode("utf-8") if own and own.is_ours else data.replace(b"\r\n", b"\n")


def _foreign(before: Contents, contents: Contents) -> list[str]:
    """Return which files hold what this program did not render, or not as it rendered it."""
    return [
        name
        for name, data in before.items()
        if data.strip() and _part(name, data) != _part(name, contents[name])
        if not (marks.has_block(data) if name == README else marks.is_ours(data))
    ]


def _restored(before: Contents, contents: Contents) -> Iterator[Finding]:
    """Yield which files had been removed that README.md leads to."""
    page = before.get(README, b"")
    for name in contents:
        if name not in before and marks.has_block(page) and name.encode() in page:
            yield Finding("restored", f"{name} was missing and is rendered again", file=name)


def _write(folder: Folder, contents: Contents, foreign: Container[str]) -> tuple[Finding, ...]:
    """Write what was rendered; move away what others wrote, and return where to."""
    moved = []
    try:
        for place in {INBOX, *(os.path.dirname(name) or INBOX for name in contents)}:
            os.makedirs(folder.within(place), exist_ok=True)
        inbox.prepare(folder)
        with lock.held(inbox.write_lock(folder), "is writing in this debate"):
            for name, data in contents.items():
                path = folder.within(*name.split("/"))
                if name in foreign:
                    moved.append(moved_aside(name, folder.shown(set_aside(folder, path))))
                files.write_derived(path, data)
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
