"""What an entry says as a Markdown file, and back.

The header holds data; the body holds every text once, readable. A list whose items have texts is a
section with a heading for each item (`Items`); the other parts of an item stand in the header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.formats import headers, prose
from debate_ops.model.entries import (
    ABSENCE,
    ADVICE,
    ARGUMENT,
    ARGUMENTS,
    JUDGMENT,
    LEFT_OUT,
    Contribution,
    Entry,
    Record,
)
from debate_ops.model.score import as_millis, signed
from debate_ops.model.views import Ground

LINKS = {"attacks": "Attacks", "defends": "Defends"}
"""Keys of the header that hold links to other entries, and the section that shows each."""

_STAMPED = frozenset(
    {"id", "participant", "side", "kind", "exchange", "step", "from", "at", "rests_on", "made_by"}
    | {"judged", "older"}
)
# Sections that only say what another is about, where that one is there: it has the entry's words.
_ABOUT = {"Question": "Answer", "Requirements": "Point 1"}

_LABEL = r"(?m)^\*\*([A-Z][a-z]++):\*\*[ \t]*+"

Item = Mapping[str, Any]


class Stamp(NamedTuple):
    """What the commit adds to each entry.

    `source` is the digest of the submission that it came from; `at` its time; `made_by` what is
    known of how it was made; `rests_on` the digests of what the turn rests on, in one of its
    entries.
    """

    step: int
    source: str
    at: str
    made_by: Mapping[str, Any]
    rests_on: Mapping[str, str]


def render(value: Contribution, stamp: Stamp) -> str:
    """Return the text of the file that holds `value`."""
    data = header(value) | {"step": stamp.step, "from": stamp.source, "at": stamp.at}
    if stamp.rests_on:
        data["rests_on"] = dict(stamp.rests_on)
    if stamp.made_by:
        data["made_by"] = dict(stamp.made_by)
    return headers.compose(data, body(value))


def header(value: Contribution) -> dict[str, Any]:
    """Return what the header of the file says of the value itself."""
    whose = {"side" if value.kind == ARGUMENT else "participant": value.participant}
    common = {"id": value.id, **whose, "kind": value.kind, "exchange": value.exchange}
    return common | header_data(value)


def header_data(value: Contribution) -> dict[str, Any]:
    """Return the data of a value as they stand in the header."""
    keys = {items.key: items.in_header for items in _form(value).lists}
    return {
        key: [{k: item[k] for k in keys[key]} for item in part] if key in keys else part
        for key, part in value.data.items()
        if keys.get(key, (key,))
    }


def body(value: Contribution) -> str:
    """Return the body of the file: every text of the value, once, readable."""
    return "\n" + "\n\n".join(_form(value).parts(value)) + "\n"


def lines(value: Contribution) -> list[str]:
    """Return a value as plain lines that say what each text is: for prompts."""
    return list(_form(value).lines(value))


def headline(value: Contribution) -> str:
    """Return a value in one line."""
    return _form(value).headline(value)


def title(value: Contribution) -> str:
    """Return what stands above an entry: its title, or its kind and whose it is."""
    own = str(value.data.get("title") or "")
    return own or f"{value.kind.capitalize()} of {value.participant}"


def parse(entry: Entry) -> Contribution:
    """Return what an entry says.

    Bodies of older debates (written without escapes, marked by `older` in the header that the
    loader supplies) are taken as they stand.
    """
    form = _FORMS.get(entry.kind, _USUAL)
    is_raw = entry.folder == ARGUMENTS and entry.header.get("older")
    unescape: Callable[[str], str] = str if is_raw else prose.unescape
    sections = {match[1]: text for match, text in prose.pieces(form.heading, entry.body)}
    data = {key: value for key, value in entry.header.items() if key not in _STAMPED}
    for items in form.lists:
        listed = items.read(entry.header, sections.pop(items.section, ""), unescape)
        data |= {} if listed is None else {items.key: listed}
    texts = {name: unescape(text) for name, text in sections.items() if name not in LINKS.values()}
    return Contribution(entry.id, entry.kind, entry.exchange, entry.folder, data, texts)


def first_answer(record: Record) -> str | None:
    """Return what the adviser wrote who saw nothing of the debate; None where nobody did."""
    for entry in filter(None, map(record.get, record.ids(ADVICE))):
        return "\n\n".join(parse(entry).texts.values())
    return None


class Items(NamedTuple):
    """A list whose items have texts: a section with a heading for each item.

    `head` gives the heading, and `pattern` finds in it the parts of an item by their keys. Below it
    stands the item's `text` and, each behind its key as a label, those `labelled` that it has; what
    is `quoted` is a block quotation. The keys `in_header` stand in the header too; where the
    heading has less than these, the header is what counts. `lines` give an item for prompts.
    """

    key: str
    section: str
    head: Callable[[int, Item], str]
    pattern: str
    text: str
    lines: Callable[[int, Item], Iterator[str]]
    in_header: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()

    def render(self, listed: Sequence[Item]) -> Iterator[str]:
        """Yield the section; nothing where the list is empty."""
        if listed:
            yield f"## {self.section}"
        for number, item in enumerate(listed, 1):
            text = item[self.text]
            yield f"### {self.head(number, item)}"
            yield prose.quote(text) if self.text in self.quoted else prose.escape(text)
            for key in self.labelled:
                if key in self.quoted and key in item:
                    yield f"**{key.capitalize()}:**\n\n{prose.quote(item[key])}"
                elif key in item:
                    yield f"**{key.capitalize()}:** {prose.escape(item[key])}"

    def read(
        self, header: Item, section: str, unescape: Callable[[str], str]
    ) -> list[dict[str, Any]] | None:
        """Return the items that the section holds, or those of the header with their texts.

        None where the header counts, and has no such list.
        """
        pattern = re.compile(self.pattern, re.MULTILINE)
        pieces = prose.pieces(pattern, f"{section}\n") if section else ()
        written = [self._item(match, text, unescape) for match, text in pieces]
        named = (*pattern.groupindex,)
        if {*named}.issuperset(self.in_header):
            return written
        texts = {tuple(item[key] for key in named): item[self.text] for item in written}
        return header.get(self.key) and [
            {key: item[key] for key in self.in_header}
            | {self.text: texts.get(tuple(item[key] for key in named), "")}
            for item in header[self.key]
        ]

    def _item(
        self, match: re.Match[str], text: str, unescape: Callable[[str], str]
    ) -> dict[str, str]:
        known = {key: unescape(part or "") for key, part in match.groupdict().items()}
        if not self.labelled:
            return {**known, self.text: unescape(text)}
        labels = [m for m in re.finditer(_LABEL, text) if m[1].lower() in self.labelled]
        ends = [*(label.start() for label in labels), len(text)]
        parts = {self.text: text[: ends[0]]}
        for label, end in zip(labels, ends[1:], strict=True):
            parts[label[1].lower()] = text[label.end() : end]
        for key, part in parts.items():
            words = part.strip("\n")
            known[key] = unescape(prose.strip_quote(words) if key in self.quoted else words)
        return known


def _ground_lines(number: int, item: Item) -> Iterator[str]:
    return (f"Ground {number}, {key}: {item[key]}" for key in Ground._fields if key in item)


def _links(key: str, verb: str) -> Items:
    return Items(
        key,
        LINKS[key],
        lambda _, item: "{} [{target_id}]({target_id}.md)\n\n**Type:** {type}".format(verb, **item),
        rf"^### {verb} \[?(?P<target_id>[^\]\n]+?)(?:\]\([^)\n]*\))?\n"
        r"(?:\n*+\*\*Type:\*\* (?P<type>[a-z_]++)[ ]*+\n*+)?",
        "content",
        lambda _, i: iter([f"{LINKS[key]} {i['target_id']} ({i['type']}): {i['content']}"]),
        in_header=("target_id", "type"),
    )


def _decisions(key: str, section: str, *numbers: str) -> Items:
    def changed(item: Item) -> str:
        return " to ".join(signed(as_millis(item[number])) for number in numbers)

    def head(_: int, item: Item) -> str:
        link = f"[{item['argument_id']}](../arguments/{item['argument_id']}.md)"
        return f"{link} {'from ' * (len(numbers) > 1)}{changed(item)}"

    def lines(_: int, item: Item) -> Iterator[str]:
        yield f"{item['argument_id']} {signed(as_millis(item['score']))}: {item['reasoning']}"

    return Items(
        key,
        section,
        head,
        r"^### \[(?P<argument_id>[^\]\n]+)\][^\n]*\n",
        "reasoning",
        lines,
        in_header=("argument_id", *numbers),
    )


def _effect_head(_: int, item: Item) -> str:
    attacker, target = (
        f"[{item[key]}](../arguments/{item[key]}.md)" for key in ("attacker_id", "target_id")
    )
    return f"{attacker} on the {item['component']} of {target}: {item['effect']}"


def _effect_lines(_: int, item: Item) -> Iterator[str]:
    yield "{attacker_id} on the {component} of {target_id} {effect}: {reasoning}".format(**item)


_EFFECTS = Items(
    "effects",
    "Attacks",
    _effect_head,
    r"^### \[(?P<attacker_id>[^\]\n]+)\]\([^)\n]*\) on the (?P<component>[a-z]+) of "
    r"\[(?P<target_id>[^\]\n]+)\][^\n]*\n",
    "reasoning",
    _effect_lines,
    in_header=("attacker_id", "target_id", "component", "effect"),
)
_GROUNDS = Items(
    "grounds",
    "Grounds",
    lambda number, item: f"{number}. {prose.heading(item['source'])}",
    r"^### [0-9]++\.[ \t]*+(?P<source>.*+)\n",
    "content",
    _ground_lines,
    labelled=("document", "quote", "relevance"),
    quoted=("content", "quote"),
)


def _parts(value: Contribution) -> Iterator[str]:
    """Yield a headline and every text under its heading; at the end the links."""
    form = _form(value)
    lists = {items.section: items for items in form.lists}
    yield f"# {prose.heading(form.title(value))}"
    for name in form.sections or value.texts:
        if name in lists:
            yield from lists[name].render(value.data.get(lists[name].key, ()))
        elif text := value.texts.get(name, ""):
            yield f"## {name}\n\n{form.escape(text)}"
    place = "" if value.folder == ARGUMENTS else "../arguments/"
    for key, name in LINKS.items():
        links = headers.links(value.data, key) if name not in lists else ()
        if links:
            yield f"## {name}"
            yield "\n".join(f"- [{to}]({place}{to}.md): {kind}" for to, kind in links)


def _lines(value: Contribution) -> Iterator[str]:
    form = _form(value)
    lists = {items.section: items for items in form.lists}
    if value.data.get("title"):
        yield f"Title: {value.data['title']}"
    for name in form.sections or value.texts:
        if name in lists:
            for number, item in enumerate(value.data.get(lists[name].key, ()), 1):
                yield from lists[name].lines(number, item)
        elif name != LEFT_OUT and name in value.texts:
            yield f"{name}: {value.texts[name]}"
    for key, name in LINKS.items():
        if name not in lists:
            yield from (f"{name} {to} ({kind})" for to, kind in headers.links(value.data, key))


def _headline(value: Contribution) -> str:
    """Return an entry in one line: its title if it has one, and its first own text."""
    texts = value.texts
    own = [text for name, text in texts.items() if _ABOUT.get(name) not in texts]
    first = next(iter([*own, *texts.values()]), "")
    return ": ".join(filter(None, (str(value.data.get("title") or ""), first))) or title(value)


def _judgment_headline(value: Contribution) -> str:
    return ", ".join(
        " ".join((item["argument_id"], " to ".join(signed(as_millis(item[n])) for n in numbers)))
        for key, *numbers in (("scores", "score"), ("rescores", "previous", "score"))
        for item in value.data.get(key, ())
    )


def _absence_headline(value: Contribution) -> str:
    data = value.data
    return f"{value.participant} gave no reply ({data.get('how', '')}, by {data.get('by', '')})"


def _absence_parts(value: Contribution) -> Iterator[str]:
    yield f"No reply ({value.data['how']}, by {value.data['by']})."
    yield prose.escape(value.data["reason"])


def _absence_lines(value: Contribution) -> Iterator[str]:
    yield f"{_absence_headline(value)}: {value.data.get('reason', '')}"


class _Form(NamedTuple):
    """How the entries of a kind are written, read and put into lines.

    `sections` are the only ones that there are, in order; where none are named, whatever there is.
    """

    sections: tuple[str, ...] = ()
    lists: tuple[Items, ...] = ()
    escape: Callable[[str], str] = prose.passage
    title: Callable[[Contribution], str] = title
    parts: Callable[[Contribution], Iterator[str]] = _parts
    lines: Callable[[Contribution], Iterator[str]] = _lines
    headline: Callable[[Contribution], str] = _headline
    heading: str = r"(?m)^## ([^\n]+)\n"


def _of_sections(*sections: str) -> str:
    return rf"(?m)^## ({'|'.join(sections)})\n"


_ARGUMENT = ("Claim", "Grounds", "Warrant", "Backing", "Qualifier", "Attacks", "Defends")
_JUDGMENT = ("Scores", "Rescores", "Attacks")
_USUAL = _Form()
_FORMS: Mapping[str, _Form] = {
    ARGUMENT: _Form(
        _ARGUMENT,
        (_GROUNDS, _links("attacks", "Attacking"), _links("defends", "Defending")),
        prose.escape,
        heading=_of_sections(*_ARGUMENT),
    ),
    JUDGMENT: _Form(
        _JUDGMENT,
        (
            _decisions("scores", "Scores", "score"),
            _decisions("rescores", "Rescores", "previous", "score"),
            _EFFECTS,
        ),
        title=lambda value: f"Judgment of exchange {value.exchange}",
        headline=_judgment_headline,
        heading=_of_sections(*_JUDGMENT),
    ),
    ABSENCE: _Form(parts=_absence_parts, lines=_absence_lines, headline=_absence_headline),
}
"""How the kinds of entries are written that are not written in the usual way."""


def _form(value: Contribution) -> _Form:
    return _FORMS.get(value.kind, _USUAL)
