"""The pages of a debate: README.md, report.html and charts, from the same Markdown.

What does not say that this program rendered it is moved away, never replaced. A chart that was
drawn from the same numbers is not drawn again: that would take longer than all the rest.
"""

import base64
import hashlib
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from io import BytesIO
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from debate_ops import __version__
from debate_ops.analysis.evidence import CHECKED, list_remarks
from debate_ops.core.errors import (
    BadRecordError,
    DebateError,
    DiskError,
    UsageError,
    catch_error,
    disk_refused,
)
from debate_ops.core.texts import one_line, plain
from debate_ops.core.values import HIDDEN, Entry, Fault
from debate_ops.engine import files, inbox, store
from debate_ops.engine.inbox import Slot
from debate_ops.engine.store import PAGE, Folder
from debate_ops.engine.validate import load_sound
from debate_ops.report import charts, markdown, memo
from debate_ops.report.charts import MARK, PALETTES, Chart, Palette, write_file
from debate_ops.report.panel import write_panel
from debate_ops.report.provenance import find_provenance
from debate_ops.report.reading import Reading, read_debate
from debate_ops.report.record import RELATIONS, list_bonds, list_texts, name_entries
from debate_ops.report.verdict import RULE
from debate_ops.report.words import shorten

README, CHARTS = "README.md", "charts"
INDEX = ("index.md", "index.html")
BEGIN, END = b"<!-- debate-ops:begin", b"<!-- debate-ops:end -->"
_BLOCK = re.compile(rb"(?ms)^%b [^\n]*-->\n.*?\n%b(?:\n|\Z)" % (BEGIN, END))
_DRAWN = re.compile(rb'(<svg data-drawn="([0-9a-f]{32})".*?</svg>)', re.DOTALL)
_MOST_BYTES = 1 << 28
_FOLDED, _PLACES = 40, 40
"""From how many entries on all parts but the last are folded; most parts in the contents."""
_TITLE, _SHORT, _GLANCE = 160, 60, 190
"""Characters at most of a title in a list and in a text, and of what the first screen says."""


class Rendered(NamedTuple):
    """The files of a report, what is worth knowing of it, and whether it was there already.

    `slot` says where the prompt for a memo is, where one was asked for and no current one is there.
    """

    files: tuple[str, ...]
    warnings: tuple[Fault, ...]
    unchanged: bool
    slot: Slot | None = None


def render_report(reading: Reading, *, ask: bool = False) -> Rendered:
    """Render the report, and ask for a memo if one is due; an equal file is left alone.

    Raises:
        BadRecordError: a link, or what is no file, is where a file goes.
        DiskError: a file cannot be written.
    """
    if reading.position.is_secret:
        reading = replace(reading, hidden=HIDDEN)
    folder = reading.folder
    pictures = [f"{CHARTS}/{name}" for name in files.list_names(folder.within(CHARTS))]
    before = {name: _read(folder, name) for name in (PAGE, *pictures)}
    contents = dict(_render(reading, before))
    stale = [n for n in pictures if n not in contents and _is_ours(n, before[n])]
    try:
        with inbox.lock(folder):
            is_same, moved = write_files(folder, contents)
            for name in stale:
                os.unlink(folder.within(*name.split("/")))
    except (OSError, DiskError) as error:
        why = disk_refused(error) if isinstance(error, OSError) else error
        raise DiskError(
            f"the report cannot be written: {why}",
            hint="Nothing of the record changed. 'flow', 'transcript' and 'export --output -' "
            "work without writing.",
        ) from None
    slot = None
    if ask and reading.at.debate.entries and not reading.memo:
        slot = memo.write_memo_prompt(folder, reading.at, reading.verdict)
    names = [README, PAGE, *sorted(n for n in contents if n.startswith(CHARTS))]
    return Rendered(
        tuple(folder.within(*name.split("/")) for name in names),
        (*reading.warnings, *moved),
        is_same and not stale,
        slot,
    )


# Markdown.


def write_part(reading: Reading, template: str) -> str:
    """Return a part of the page in Markdown with `ref:` and `chart:` in the place of addresses.

    `template` is `first` (the memo), `record` (what stands below it), or `readme`, with both.
    """
    at, panel, advice = reading.at, reading.panel, reading.memo
    text = advice.text if advice else ""
    if advice and template == "first":
        shown = [said for _, said in memo.list_highlights(advice, _GLANCE)]
        text = memo.omit_lead(advice, shown)
    return markdown.render(
        f"{template}.md.jinja",
        r=reading,
        v=reading.verdict,
        d=at.debate,
        slug=reading.folder.name,
        memo=advice,
        memo_text=text,
        made=find_provenance(at, panel.d if panel else None),
        panel_text=write_panel(panel, reading.verdict.names) if panel else "",
        rule=markdown.tame(RULE),
    )


def write_readme(reading: Reading) -> str:
    """Return README.md: the whole page, its links to the files of the record, its charts beside."""
    alts = {(c.name, "png"): charts.words(c) for c in reading.charts}
    alts |= {(name, "svg"): draw().alt for name, draw in reading.verdict.pictures.items()}
    figures = {
        name: f"""<picture>
  <source media="(prefers-color-scheme: dark)" srcset="{CHARTS}/{name}-dark.{ending}">
  <img alt="{escape(one_line(alt))}" src="{CHARTS}/{name}-light.{ending}" width="{charts.WIDTH}">
</picture>"""
        for (name, ending), alt in alts.items()
    }
    text = write_part(reading, "readme")
    text = markdown.resolve(text, reading.name_file, lambda name: figures.get(name, ""))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


# HTML.


def make_cards(reading: Reading) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Yield the cards of a debate by the part they belong to, each when it is asked for.

    A card is an entry, its texts as HTML, its sources, and what the record says of it.
    """
    links = {
        e.id: Markup('<a href="#{}">{}</a>').format(e.id, shorten(reading.titles[e.id], _TITLE))
        for e in reading.entries
    }
    facts = {an_id: defaultdict[str, list[Markup]](list) for an_id in links}
    for e in reading.entries:
        for bond in (b for b in list_bonds(e) if b.target in links):
            there, back = RELATIONS[bond.relation]
            how = f" ({one_line(bond.about.replace('_', ' '))})"
            how = how if bond.about not in {"", e.kind} else ""
            facts[e.id][there].append(links[bond.target] + how)
            facts[bond.target][back].append(links[e.id] + how)
    for place, own in reading.places:
        yield place, (_make_card(reading, e, facts[e.id]) for e in own)


def _make_card(reading: Reading, e: Entry, own: Mapping[str, list[Markup]]) -> dict[str, Any]:
    v, link = reading.verdict, partial(_link_entries, reading)
    skipped = {"Attacks", "Defends", "Sources", "Left out"} if e.kind != "argument" else set()
    facts = [(label, link(Markup("; ").join(dict.fromkeys(said)))) for label, said in own.items()]
    remarks = (r for r in list_remarks(reading.at.debate, e) if r.is_good is False)
    facts += [(CHECKED, escape(f"{r.part} {r.verdict}: {r.details}")) for r in remarks]
    if e.kind == "absence":
        facts.insert(0, ("No reply", escape(f"{e.data.get('how', '')}, by {e.data.get('by', '')}")))
    return {
        "e": e,
        "title": shorten(reading.titles[e.id], _TITLE) or e.kind,
        "texts": [
            (link(escape(one_line(h))), link(markdown.show_html(t)))
            for h, t in list_texts(e)
            if h not in skipped
        ],
        "sources": [
            link(markdown.cite(f"{c.get('source', '')}: {c.get('detail', '')}".strip(": ")))
            for c in e.data.get("citations") or ()
            if isinstance(c, dict)
        ],
        "tags": v.tags.get(e.id, ()),
        "facts": facts,
        "side": v.sides.index(e.by) if e.by in v.sides else None,
    }


def frame_charts(
    shown: Iterable[Chart], draw: Callable[[Chart], Markup] = charts.svg
) -> dict[str, str]:
    """Return charts as figures of a page, of the width that their letters are made for."""
    frame = '<figure class="picture chart" id="chart-{}">{}</figure>'
    return {c.name: frame.format(c.name, draw(c)) for c in shown}


def write_html(reading: Reading, draw: Callable[[Chart], Markup] = charts.svg) -> bytes:
    """Return the page: the same debate gives the same bytes. `draw` draws a chart.

    It loads nothing and runs nothing but its own script: its policy names both by their digests.
    """
    v, entries = reading.verdict, reading.entries
    frame = '<figure class="picture" id="chart-{}">{}</figure>'
    figures = {name: frame.format(name, p().svg) for name, p in v.pictures.items()}
    figures |= frame_charts(reading.charts, draw)
    # Ours alone begin a line so: what is foreign is quoted, or stands on one line.
    _, *record = re.split(r"(?m)^## (.*)\n", write_part(reading, "record"))
    sections = [
        (re.sub(r"\W+", "-", title.lower()).strip("-"), title, _to_html(reading, text, figures))
        for title, text in zip(record[::2], record[1::2], strict=True)
    ]
    style, script = f"\n{colour_style()}{read_source('page.css')}", f"\n{read_source('page.js')}"
    template, written = markdown.load_templates().get_template("page.html.jinja"), BytesIO()
    pieces = template.stream(
        r=reading,
        mark=MARK,
        version=__version__,
        v=v,
        highlights=[*memo.list_highlights(reading.memo, _GLANCE)],
        first=_to_html(reading, write_part(reading, "first"), figures),
        sections=sections,
        framing=markdown.show_html(reading.at.debate.motion, top=3),
        documents=[(name, plain(text)) for name, text in reading.at.debate.documents],
        groups=make_cards(reading),
        folds=len(entries) > _FOLDED,
        has_places=1 < len(reading.places) <= _PLACES,
        authors=Counter(e.by for e in entries),
        style=Markup(style),  # noqa: S704  (our own file)
        script=Markup(script),  # noqa: S704  (our own file)
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
    )
    pieces.dump(written, "utf-8")  # each card is there as long as it is written
    return written.getvalue()


def _to_html(reading: Reading, text: str, figures: Mapping[str, str]) -> Markup:
    """Return a part of the page as HTML, with figures in the place of charts."""
    return _link_entries(reading, set_html(text, lambda an_id: f"#{an_id}", figures))


def _link_entries(reading: Reading, html: Markup) -> Markup:
    """Return HTML with links by title in the place of ids, but in links, code and drawings."""
    if not re.search("_[0-9]{3}", html):  # most texts name none
        return html

    def link(an_id: str) -> str:
        return f'<a href="#{an_id}">“{escape(shorten(reading.titles[an_id], _SHORT))}”</a>'

    parts = re.split(r"(?s)(<a\b.*?</a>|<code.*?</code>|<svg.*?</svg>|<[^>]*>)", html)
    parts[::2] = [name_entries(part, reading.titles, link) for part in parts[::2]]
    return Markup("".join(parts))  # noqa: S704  (the links are ours)


def set_html(text: str, refer: Callable[[str], str], figures: Mapping[str, str]) -> Markup:
    """Return Markdown of ours as HTML, with addresses, and figures in the place of charts."""
    text = markdown.resolve(
        text, refer, lambda name: f"\n\n<figure {name}>\n\n" if name in figures else ""
    )
    # What folds stands between tags of ours: in what is foreign, no line begins with one.
    tags = r"(?m)^(<details>\n<summary>.*</summary>|</details>|<figure [a-z]+>)$"
    parts = re.split(tags, text)
    parts[::2] = map(markdown.to_html, parts[::2])
    marks = {f"<figure {name}>": figure for name, figure in figures.items()}
    html = "".join(marks.get(part, part) for part in parts)
    return Markup(html)  # noqa: S704  (cleaned, and pictures of ours)


@cache
def read_source(name: str) -> str:
    """Return a file beside the templates; its line ends are those that browsers hash."""
    return (markdown.TEMPLATES / name).read_text(encoding="utf-8")


def colour_style() -> str:
    """Return the colours of both themes as variables, chosen by the reader's device or by hand."""
    themes = zip(Palette._fields, *PALETTES.values(), strict=True)
    colours = " ".join(f"--{name}: light-dark({light}, {dark});" for name, light, dark in themes)
    by_hand = (f":root[data-theme='{theme}'] {{ color-scheme: {theme}; }}\n" for theme in PALETTES)
    return f":root {{ color-scheme: light dark; {colours} }}\n{''.join(by_hand)}"


def write_both(
    folder: Folder, names: tuple[str, str], text: str, title: str, shown: Mapping[str, Chart] = {}
) -> tuple[bool, list[Fault]]:
    """Write Markdown over several debates as a file of it and a page, as `write_files` does.

    Links lead to the page of a debate in the same form.
    """

    def show(name: str) -> str:
        alt = escape(one_line(charts.words(shown[name]))) if name in shown else ""
        return f"![{alt}]({CHARTS}/{name}.png)" if alt else ""

    readme = markdown.resolve(text, lambda slug: f"{slug}/{README}", show)
    html = set_html(text, lambda slug: f"{slug}/{PAGE}", frame_charts(shown.values()))
    return write_files(folder, {names[0]: readme, names[1]: wrap_page(html, title)})


def wrap_page(html: str, title: str) -> bytes:
    """Return HTML as a page that loads nothing, in the style of all pages."""
    style = f"{colour_style()}{read_source('page.css')}"
    page = (
        f"<!DOCTYPE html>\n<!-- {MARK} -->\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f'<body><main class="page first">{html}</main></body></html>\n'
    )
    return page.encode()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


# Files.


def _render(reading: Reading, before: dict[str, bytes]) -> Iterator[tuple[str, bytes | str]]:
    """Yield the files of a report, the page last; charts of the same numbers are kept."""
    for name, picture in reading.verdict.pictures.items():
        for theme, palette in PALETTES.items():
            svg = write_file(picture(), palette, PAGE)
            yield f"{CHARTS}/{name}-{theme}.svg", svg.encode()
    for chart in reading.charts:
        for theme, palette in PALETTES.items():
            name = f"{CHARTS}/{chart.name}-{theme}.png"
            is_there = charts.digest(chart).encode() in before.get(name, b"")
            yield name, before[name] if is_there else charts.png(chart, palette)
    yield README, write_readme(reading)
    drawn = _DRAWN.findall(before[PAGE]) if _is_ours(PAGE, before[PAGE]) else []
    kept = {of.decode(): Markup(svg.decode()) for svg, of in drawn}  # noqa: S704  (drawn by us)
    yield PAGE, write_html(reading, lambda c: kept.get(charts.digest(c)) or charts.svg(c))


def write_files(folder: Folder, contents: Mapping[str, bytes | str]) -> tuple[bool, list[Fault]]:
    """Write what was rendered where it differs, Markdown among a person's notes.

    What is there and does not say that this program rendered it is moved away. Tells whether all
    was there already, and what was moved.
    """
    is_same, moved = True, []
    for name, made in contents.items():
        path, old = folder.within(*name.split("/")), _read(folder, name)
        data = wrap_block(made, old) if isinstance(made, str) else made
        if data == old:
            continue
        is_same = False
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if old.strip() and not _is_ours(name, old):
            place = store.set_aside(folder, path)
            message = f"{name} was not rendered by this program; what was there is now {place}"
            moved.append(Fault("", message, file=place, is_warning=True))
        files.write_derived(path, data)
    return is_same, moved


def _read(folder: Folder, name: str) -> bytes:
    try:
        return files.read_bytes(folder.within(*name.split("/")), _MOST_BYTES)
    except FileNotFoundError:
        return b""
    except UsageError as error:
        hint = "Move it away; the report is rendered into its place."
        raise BadRecordError(error.message, hint=hint) from None


def wrap_block(text: str, before: bytes) -> bytes:
    """Return our page in its place among a person's notes above and below it."""
    text = text.replace("<!-- debate-ops:", "&lt;!-- debate-ops:")  # there are no marks within it
    found, hint = _find_block(before), b"notes above or below this block stay"
    above, below = (before[: found.start()], before[found.end() :]) if found else (b"", b"")
    own = b'%b rendered by "debate-ops report"; %b -->\n\n%b\n%b\n'
    return above + own % (BEGIN, hint, text.encode(), END) + below


def _find_block(data: bytes) -> re.Match[bytes] | None:
    return _BLOCK.search(data) if data.count(BEGIN) == data.count(END) == 1 else None


def _is_ours(name: str, data: bytes) -> bool:
    """Tell whether a file says that this program rendered it."""
    return bool(_find_block(data) if name.endswith(".md") else MARK.encode() in data[:4096])


# All debates.


class All(NamedTuple):
    """What was rendered of each debate, or why nothing was, and the index of them all."""

    debates: dict[str, Rendered | DebateError]
    files: tuple[str, ...]
    unchanged: bool
    warnings: list[Fault]


def render_all() -> All:
    """Render every debate, and the index; one that cannot be rendered hides no other.

    Raises:
        DiskError: the index cannot be written.
    """
    made, shown = dict[str, Rendered | DebateError](), list[Reading]()
    for slug in store.list_slugs():
        done = catch_error(partial(_render_one, slug))
        if isinstance(done, DebateError):
            made[slug] = done
        else:
            shown.append(done[0])
            made[slug] = done[1]
    text = markdown.render("index.md.jinja", readings=shown, version=__version__)
    with files.disk_errors("write the index"):
        is_same, moved = write_both(Folder(store.DEBATES), INDEX, text, "Debates")
    is_same = is_same and all(getattr(each, "unchanged", True) for each in made.values())
    paths = tuple(os.path.join(store.DEBATES, name) for name in INDEX)
    return All(made, paths, is_same, moved)


def _render_one(slug: str) -> tuple[Reading, Rendered]:
    reading = read_debate(load_sound(store.find_folder(slug)))
    return reading, render_report(reading)
