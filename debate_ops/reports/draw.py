"""Draw the report of a debate folder: pages, charts and graph."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

from debate_ops import __version__, engine
from debate_ops.errors import BadRecordError, DiskError, Finding, UsageError
from debate_ops.formats import brief_file
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.ids import parse_id
from debate_ops.reports import block, brief, page, remembered
from debate_ops.reports.block import Block
from debate_ops.reports.blocks import words
from debate_ops.reports.colours import PALETTES, recoloured
from debate_ops.reports.files_drawn import CHARTS, GRAPH, PAGE, README, charts
from debate_ops.reports.given import Given, given
from debate_ops.reports.reading import of_record
from debate_ops.reports.report import Report
from debate_ops.reports.table import report_of
from debate_ops.storage import files, inbox, lock
from debate_ops.storage.commit import set_aside
from debate_ops.storage.folder import DEBATE_FILE, INBOX, SCORES, SET_ASIDE, Folder
from debate_ops.storage.inbox import Slot

_DRAWN_BY = b"Drawn by debate-ops from the record; changes here are lost."
_MARKS = (b"<!-- " + _DRAWN_BY + b" -->", b"%% " + _DRAWN_BY)
_MARK_LINES = 5
"""One of these is among the first lines of every text that we draw, and all of its line."""

_PNG_MARK = b"\0\0\0\x13tEXtSoftware\0debate-ops"
_PNG_MARK_BYTES = 1024
"""Within so many bytes, a PNG of ours says which program drew it."""

_FOREIGN = "was not drawn by this program"
_CHANGED = "was changed by hand where the report is drawn"
_DOUBTFUL = "may have been changed by hand since it was drawn"
"""Why a file is set aside before another is drawn in its place."""

_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})

_MOST_BYTES = 1 << 28
"""A page of some thousand arguments is larger than any file of the record."""

_SOURCES = (".py", ".jinja", ".css", ".js")
"""How the names of files end that draw."""
_LIBRARIES = ("matplotlib-", "jinja2-", "markupsafe-", "markdown_it_py-", "nh3-")

_ASIDE = re.compile(r"[0-9]+-(.+)\.md\Z")

Contents = Mapping[str, bytes]
"""Files by their path inside the debate folder."""


class Drawn(NamedTuple):
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


def draw(folder: Folder, *, png: bool = False, ask: bool = False) -> Drawn:
    """Draw the report, and ask for a brief; a file that holds what is drawn is left alone.

    What a folder says of its own files is not believed, for whoever made the folder wrote that
    too: what is there is compared with what is drawn, or with what this program remembers to have
    drawn of the same record. Charts that were once drawn as PNG too are kept up to date.

    Raises:
        BadRecordError: the folder contradicts itself, or a link stands where a file goes.
        DiskError: a file cannot be written.
        ModuleNotFoundError: matplotlib is not installed.
    """
    position = engine.look(folder)
    debate = position.debate
    report = report_of(debate.protocol)
    refuse_links(folder, report)
    png = png or any(os.path.lexists(folder.within(name)) for name in _pngs(report))
    names = _names(report, png=png)
    paths = tuple(folder.within(*name.split("/")) for name in names)
    aside = _set_aside(folder)
    inputs = _inputs(folder, debate, aside, png=png)
    before = _contents(folder, names)
    old = _block(before)
    known, state = remembered.recall(folder), _state(before, old, inputs)
    if state and state.items() <= known.items() and (not ask or _is_asked_for(folder, known)):
        own = (Finding(*finding) for finding in known["warnings"])
        warnings = tuple(dict.fromkeys((*position.warnings, *own)))
        slot = brief.slot(folder) if ask and known["prompt"] else None
        return Drawn(paths, warnings, True, known["answer"], known["sure"], slot)  # noqa: FBT003
    edits = tuple(engine.edits(debate))
    with of_record(debate):
        source = given(
            report,
            report.read(debate),
            brief_of=partial(brief.of, folder),
            set_aside=aside,
            edits=edits,
        )
        drawn = _draw(source, inputs, old, png=png)
    found = (*edits, *source.provenance.warnings)
    warnings = tuple(dict.fromkeys((*position.warnings, *found)))
    is_unchanged = _plain(before) == _plain(drawn)
    if not is_unchanged:
        others = _not_ours(before, drawn, old)
        remarks = tuple(_edited(before, drawn, others)) if old and old.inputs == inputs else ()
        warnings = (*warnings, *remarks, *_write(folder, drawn, others))
    slot = _asked_for(folder, source) if ask else None
    prompt = _prompt(folder) if slot else "" if ask else None
    state = _state(drawn, _block(drawn), inputs)
    sureness = source.view.sureness
    first = {
        "answer": words(source.screen.answer),
        "sure": sureness.level.words if sureness else "",
    }
    remembered.remember(folder, {**state, **first, "prompt": prompt, "warnings": found})
    return Drawn(paths, warnings, is_unchanged, **first, slot=slot)


def _state(contents: Contents, drawn: Block | None, inputs: str) -> dict[str, str]:
    """Return digests of a report and of all that it was drawn from, without a person's notes.

    Of a README.md with more in its block than we write there is none.
    """
    readme = _plain(contents).get(README, b"").decode("utf-8", "replace")
    if drawn is None or _written(drawn, drawn).replace("\r\n", "\n") != readme:
        return {}
    ours = _written(drawn, None).encode("utf-8")
    digests = {"readme": block.digest(ours), "files": _digest(contents)}
    return {"inputs": inputs, "libraries": _libraries(), **digests}


def _written(drawn: Block, around: Block | None) -> str:
    return block.render(drawn.text, drawn.inputs, drawn.files, around)


def _libraries() -> str:
    """Return a digest of the versions of the libraries that draw; they are not loaded for that."""
    spec = find_spec("matplotlib")
    folder = os.path.dirname(os.path.dirname(spec.origin)) if spec and spec.origin else ""
    found = [name for name in files.names(folder) if name.lower().startswith(_LIBRARIES)]
    return block.digest(*(name.encode() for name in found))


def _asked_for(folder: Folder, source: Given) -> Slot | None:
    """Write the prompt for a brief where there is no current one, and something to write of."""
    current, _ = brief.of(folder, source.view)
    if not source.view.content.items or (current and not current.out_of_date):
        return None
    return brief.write_prompt(folder, source.view)


def _is_asked_for(folder: Folder, known: Mapping[str, Any]) -> bool:
    """Tell whether the prompt that is remembered is there, or that none was needed."""
    return known["prompt"] in {"", _prompt(folder)}


def _prompt(folder: Folder) -> str:
    """Return a digest of the prompt for a brief; of a missing one too."""
    data = b"none"
    with suppress(OSError, UsageError):
        data = files.read_bytes(brief.slot(folder).prompt, _MOST_BYTES)
    return block.digest(data)


def _names(report: Report, *, png: bool) -> tuple[str, ...]:
    """Return the files of a report, the page first."""
    graph = (GRAPH,) if report.HAS_GRAPH else ()
    return (README, PAGE, *graph, *charts(report.CHARTS, png=png))


def _pngs(report: Report) -> tuple[str, ...]:
    return tuple(name for name in charts(report.CHARTS, png=True) if name.endswith(".png"))


def refuse_links(folder: Folder, report: Report) -> None:
    """Refuse a folder where something else than a file or folder of its own is in our way.

    Raises:
        BadRecordError: names what it is.
    """
    refuse_link(folder.within(CHARTS), os.path.isdir)
    for name in (brief_file.NAME, *_names(report, png=True)):
        refuse_link(folder.within(*name.split("/")), os.path.isfile)


def refuse_link(path: str, is_right: Callable[[str], bool], drawn: str = "the report") -> None:
    """Refuse a path where something else stands than what is `drawn` there."""
    if os.path.islink(path) or (os.path.lexists(path) and not is_right(path)):
        what = "a symbolic link" if os.path.islink(path) else "not what it should be"
        raise BadRecordError(
            f"{path} is {what}", hint=f"Move it away; {drawn} is drawn into its place."
        )


# ---------------------------------------------------------------- what it is drawn from


def _set_aside(folder: Folder) -> tuple[str, ...]:
    """Return what was taken out of the record, which a reader of the page should know."""
    names = files.names(folder.within(SET_ASIDE))
    entries = [name for name in names if (match := _ASIDE.match(name)) and parse_id(match[1])]
    return tuple(f"{SET_ASIDE}/{name}" for name in entries)


def _inputs(folder: Folder, debate: Debate, aside: Iterable[str], *, png: bool) -> str:
    """Return a digest of everything that the report is drawn from."""
    record = debate.record
    names = [
        DEBATE_FILE,
        *(f"{kind}/{i}.md" for kind in (ARGUMENTS, JUDGMENTS) for i in record.ids(kind)),
        SCORES,
        brief_file.NAME,
    ]
    parts = [f"{__version__} {png} {' '.join(aside)}".encode(), *_program()]
    for name, data in _contents(folder, names).items():
        parts += [name.encode(), data]
    return block.digest(*parts)


def _program() -> Iterator[bytes]:
    """Yield what draws: in a checkout it changes more often than the version does."""
    here = os.path.dirname(os.path.dirname(__file__))
    with suppress(OSError):
        for base, folders, names in os.walk(here):
            folders.sort()
            for name in sorted(names):
                if name.endswith(_SOURCES):
                    source = files.read_bytes(os.path.join(base, name), files.MAX_RECORD_BYTES)
                    yield source.replace(b"\r\n", b"\n")


def _contents(folder: Folder, names: Iterable[str]) -> dict[str, bytes]:
    """Return the files of these names that are there."""
    found = {}
    for name in names:
        with suppress(FileNotFoundError):
            path = folder.within(*name.split("/"))
            found[name] = files.read_bytes(path, _MOST_BYTES)
    return found


def _block(before: Contents) -> Block | None:
    try:
        return block.parse(before.get(README, b"").decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _plain(contents: Contents) -> Contents:
    """Return files without differences of their line ends: git may change them."""
    return {
        name: data if name.endswith(".png") else data.replace(b"\r\n", b"\n")
        for name, data in contents.items()
    }


def _digest(contents: Contents) -> str:
    """Return a digest of all but README.md."""
    parts = []
    for name, data in sorted(_plain(contents).items()):
        if name != README:
            parts += [name.encode(), data]
    return block.digest(*parts)


# ---------------------------------------------------------------- what is drawn


def _draw(source: Given, inputs: str, old: Block | None, *, png: bool) -> Contents:
    from debate_ops.reports import painting  # brings matplotlib in
    from debate_ops.reports.html import render  # brings the parser and the templates in

    pictures = source.report.pictures(source.numbers)
    drawn = {name: painting.svg(picture) for name, picture in pictures.items()}
    contents: dict[str, bytes] = {}
    for theme, palette in PALETTES.items():
        for name, picture in pictures.items():
            path = f"{CHARTS}/{name}-{theme}"
            contents[f"{path}.svg"] = recoloured(drawn[name], palette).encode("utf-8")
            if png:
                contents[f"{path}.png"] = painting.png(picture, palette)
    contents[PAGE] = render.page(source, drawn).encode("utf-8")
    if source.graph is not None:
        contents[GRAPH] = source.graph.text.encode("utf-8")
    text = block.render(page.readme(source), inputs, _digest(contents), old)
    return {**contents, README: text.encode("utf-8")}


def _edited(before: Contents, drawn: Contents, aside: Container[str]) -> Iterator[Finding]:
    """Tell which files are not what is drawn, though nothing they show has changed."""
    here = _plain(before)
    for name, data in _plain(drawn).items():
        if name != README and name not in aside and here.get(name) != data:
            what = "was not what the record gives" if name in here else "was missing"
            yield Finding("redrawn", f"{name} {what} and is drawn again", file=name)


def _not_ours(before: Contents, drawn: Contents, old: Block | None) -> dict[str, str]:
    """Return which files hold what somebody else wrote, and why they are set aside.

    The block of README.md has a digest of all other files as they were drawn. Where it is theirs
    still, all of them are ours, of whatever record and version.
    Where it is not, a file is ours by its mark; a page with it may yet hold changes by hand,
    unless the same is drawn again.
    """
    found = {}
    if README in before and (old is None or not old.untouched):
        found[README] = _FOREIGN if old is None else _CHANGED
    if old is None or old.files != _digest(before):
        for name, data in before.items():
            if name != README and _digest({name: data}) != _digest({name: drawn[name]}):
                if not _has_mark(name, data):
                    found[name] = _FOREIGN
                elif name == PAGE:
                    found[name] = _DOUBTFUL
    return {name: why for name, why in found.items() if before[name].strip()}


def _has_mark(name: str, data: bytes) -> bool:
    if name.endswith(".png"):
        return _PNG_MARK in data[:_PNG_MARK_BYTES]
    first = data.split(b"\n", _MARK_LINES)[:_MARK_LINES]
    return any(line.rstrip(b"\r") in _MARKS for line in first)


def _write(folder: Folder, drawn: Contents, aside: Mapping[str, str]) -> list[Finding]:
    """Write what was drawn, the page last: it says what the rest was drawn from."""
    moved = []
    try:
        for place in {INBOX, *(os.path.dirname(name) or INBOX for name in drawn)}:
            os.makedirs(folder.within(place), exist_ok=True)
        inbox.prepare(folder)
        with lock.held(inbox.write_lock(folder), "is writing in this debate"):
            for name, data in drawn.items():
                if name in aside:
                    moved.append(_move_aside(folder, name, aside[name]))
                files.write_derived(folder.within(*name.split("/")), data)
    except OSError as error:
        raise _refusal(folder, error) from None
    return moved


def _refusal(folder: Folder, error: OSError) -> DiskError:
    """Return what to tell where the disk refuses the report, and what can be done."""
    why = (error.strerror or str(error)).lower()
    hint = "Run the same command again once that is mended; nothing of the record changed."
    if error.errno in _FULL:
        hint = "Free some space, then run the same command again; nothing of the record changed."
    if error.errno in _READ_ONLY:
        hint = "'flow', 'transcript' and 'export --output -' work without writing."
    return DiskError(f"the report cannot be drawn into {folder.path}: {why}", hint=hint)


def _move_aside(folder: Folder, name: str, why: str) -> Finding:
    place = folder.shown(set_aside(folder, folder.within(*name.split("/"))))
    message = f"{name} {why}; what stood there is now {place}"
    return Finding("set_aside", message, file=place)
