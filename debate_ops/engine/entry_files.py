"""What an entry says as a Markdown file, and back.

The header has data; the body has every text once, readable. A list whose items have texts is a
section with a heading for each item (`Items`); the other parts of an item stand in the header.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, repeat
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field, ValidationError, create_model

from debate_ops.analysis.quotations import Kind
from debate_ops.core.errors import BadRecordError
from debate_ops.core.markdown import escape, heading, passage, pieces, quote, strip_quote, unescape
from debate_ops.core.replies import read_exact
from debate_ops.core.settings import explain_errors, fits, show_value
from debate_ops.core.texts import signed, spell_place
from debate_ops.core.values import ADVICE, ARGUMENTS, ENTRY_ID, JUDGMENTS, PERSON, Entry, parse_id
from debate_ops.engine.debate_file import Count
from debate_ops.engine.headers import compose_file, split_file

LINKS = {"attacks": "Attacks", "defends": "Defends"}
"""Keys of the header that have links to other entries, and the section that shows each."""
OWN_KEYS = ("from", "at", "rests_on", "made_by", "checked", "judged")
"""What the commit adds to an entry; no rule looks at it."""
_STAMPED = frozenset({"id", "participant", "side", "kind", "exchange", "step", *OWN_KEYS})
_LABEL = re.compile(r"\n\*\*([A-Z][a-z]++):\*\*[ \t]*+")

Item = Mapping[str, Any]


class Items(NamedTuple):
    """A list whose items have texts: a section with a heading for each item.

    `pattern` finds in a heading the parts of an item by their keys. Below it stands the item's
    `text` and, each behind its key as a label, those `labelled` that it has. The keys `in_header`
    stand in the header too; where the heading has less than these, the header is what counts.
    """

    key: str
    section: str
    head: str
    pattern: str
    in_header: tuple[str, ...] = ()
    text: str = "content"
    labelled: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()

    def write(self, listed: Sequence[Item]) -> Iterator[str]:
        """Yield the section; nothing where the list is empty."""
        if listed:
            yield f"## {self.section}"
        for number, item in enumerate(listed, 1):
            known = {k: signed(v) if isinstance(v, int | Decimal) else v for k, v in item.items()}
            if "source" in known:  # the one part of a heading that is a text
                known["source"] = heading(known["source"])
            yield "### " + self.head.format(number=number, **known)
            for key in (key for key in (self.text, *self.labelled) if key in item):
                said = quote(item[key]) if key in self.quoted else escape(item[key])
                label = f"**{key.capitalize()}:**" + ("\n\n" if key in self.quoted else " ")
                yield (label if key in self.labelled else "") + said

    def read(self, header: Item, section: str) -> list[dict[str, Any]] | None:
        """Return the items of the header with the texts that the section has, or those of that.

        None where the header counts, and has no such list, or where nobody has one.
        """
        pattern, listed = re.compile(self.pattern), header.get(self.key)
        named = pattern.groupindex
        written = [self._read_item(*piece) for piece in pieces(pattern, section)]
        if not self.in_header:
            return written
        if self.key not in header:
            is_no_list = named.keys() < {*self.in_header} or (
                self.key == "concedes" and not written
            )
            return None if is_no_list else written
        return listed and [
            {key: item[key] for key in self.in_header}
            | {self.text: said[self.text] if all(said.get(k) == item[k] for k in named) else ""}
            for item, said in zip(listed, chain(written, repeat({})))  # noqa: B905  (endless)
        ]

    def _read_item(self, match: re.Match[str], text: str) -> dict[str, str]:
        known = {key: unescape(part or "") for key, part in match.groupdict().items()}
        if not self.labelled:
            return {**known, self.text: unescape(text)}
        text = f"\n{text}"
        labels = [m for m in _LABEL.finditer(text) if m[1].lower() in self.labelled]
        ends = [*(label.start() for label in labels), len(text)]
        parts = {self.text: text[: ends[0]]}
        for label, end in zip(labels, ends[1:], strict=True):
            parts[label[1].lower()] = text[label.end() : end]
        for key, part in parts.items():
            words = part.strip("\n")
            known[key] = unescape(strip_quote(words) if key in self.quoted else words)
        return known


_TARGET = r"\[?(?P<target_id>[^\]\n]+?)(?:\]\([^)\n]*\))?(?=\n)"
_TYPE = r"(?:\n++\*\*Type:\*\* (?P<type>[a-z_]++)[ ]*+(?=\n))?"
_TO = "[{target_id}]({target_id}.md)"
_LINK, _TYPED = ("target_id", "type"), "\n\n**Type:** {type}"
_DECIDED = r"\n### \[(?P<argument_id>[^\]\n]+)\][^\n]*"
_ARGUMENT = "[{argument_id}](../arguments/{argument_id}.md)"
_OF_ARGUMENTS = (
    Items(
        "grounds",
        "Grounds",
        "{number}. {source}",
        r"\n### [0-9]++\.[ \t]*+(?P<source>[^\n]*+)",
        labelled=("document", "quote", "relevance"),
        quoted=("content", "quote"),
    ),
    *(
        Items(key, LINKS[key], f"{verb} {_TO}{_TYPED}", rf"\n### {verb} {_TARGET}{_TYPE}", _LINK)
        for key, verb in (("attacks", "Attacking"), ("defends", "Defending"))
    ),
    Items("concedes", "Concedes", f"Conceding {_TO}", rf"\n### Conceding {_TARGET}", _LINK[:1]),
)
_OF_JUDGMENTS = (
    Items(
        "scores", "Scores", _ARGUMENT + " {score}", _DECIDED, ("argument_id", "score"), "reasoning"
    ),
    Items(
        "rescores",
        "Rescores",
        _ARGUMENT + " from {previous} to {score}",
        _DECIDED,
        ("argument_id", "previous", "score"),
        "reasoning",
    ),
    Items(
        "effects",
        "Attacks",
        "[{attacker_id}](../arguments/{attacker_id}.md) on the {component} of "
        "[{target_id}](../arguments/{target_id}.md): {effect}",
        r"\n### \[(?P<attacker_id>[^\]\n]+)\]\([^)\n]*\) on the (?P<component>[a-z]+) of "
        r"\[(?P<target_id>[^\]\n]+)\][^\n]*",
        ("attacker_id", "target_id", "component", "effect"),
        "reasoning",
    ),
)


class _Form(NamedTuple):
    """How entries of a kind are written and read; without `sections` there may be any."""

    sections: tuple[str, ...] = ()
    lists: tuple[Items, ...] = ()
    escape: Callable[[str], str] = passage

    def split(self, body: str) -> dict[str, str]:
        """Return the sections of a body by their headings."""
        names = "|".join(self.sections) or r"[^\n]+"
        return {
            m[1]: part for m, part in pieces(rf"\n## ({names})(?=\n)", body.replace("\r\n", "\n"))
        }


_USUAL = _Form()
_FORMS: Mapping[str, _Form] = {
    "argument": _Form(
        ("Claim", "Grounds", "Warrant", "Backing", "Qualifier", "Attacks", "Defends", "Concedes"),
        _OF_ARGUMENTS,
        escape,
    ),
    "judgment": _Form(("Scores", "Rescores", "Attacks"), _OF_JUDGMENTS),
}


def write_entry(entry: Entry) -> str:
    """Return the text of the file of an entry, with what its header says of the commit."""
    form = _FORMS.get(entry.kind, _USUAL)
    keys = {items.key: items.in_header for items in form.lists}
    header = {
        "id": entry.id,
        "side" if entry.kind == "argument" else "participant": entry.by,
        "kind": entry.kind,
        "exchange": entry.round,
    }
    header |= {
        key: [{k: item[k] for k in keys[key]} for item in part] if key in keys else part
        for key, part in entry.data.items()
        if keys.get(key, (key,))
    }
    own = {key: part for key, part in entry.header.items() if part}
    body = "\n\n".join(_write_parts(entry, form))
    return compose_file(header | {"step": entry.step} | own, f"\n{body}\n")


def _write_parts(entry: Entry, form: _Form) -> Iterator[str]:
    if entry.kind == "absence":
        yield f"No reply ({entry.data['how']}, by {entry.data['by']})."
        yield escape(entry.data["reason"])
        return
    lists = {items.section: items for items in form.lists}
    yield f"# {heading(entry.title)}"
    for name in form.sections or entry.texts:
        if name in lists:
            yield from lists[name].write(entry.data.get(lists[name].key) or ())
        elif text := entry.texts.get(name, ""):
            yield f"## {name}\n\n{form.escape(text)}"
    for (_, name), lines in {} if lists else _write_links(entry).items():
        if lines:
            yield from [f"## {name}", lines]


def _write_links(entry: Entry) -> dict[tuple[str, str], str]:
    place = "" if entry.folder == ARGUMENTS else "../arguments/"
    line = "- [{target_id}](" + place + "{target_id}.md): {type}"
    every = {pair: entry.data.get(pair[0]) or () for pair in LINKS.items()}
    return {pair: "\n".join(line.format(**x) for x in links) for pair, links in every.items()}


def read_entry(text: str, folder: str, entry_id: str) -> Entry:
    """Return what the file of an entry says, if its header agrees with its name."""
    name = f"{folder}/{entry_id}.md"
    header, body = split_file(text, name)
    kind = header.get("kind")
    form = _FORMS.get(kind if isinstance(kind, str) else "", _USUAL)
    parts = parse_id(entry_id) or {}
    if faults := [*_find_header_faults(header, folder, entry_id, parts)]:
        hint = "Bring back the file as it was written; entries are never changed."
        raise BadRecordError(f"{name}: {'; '.join(faults)}", hint=hint)
    data = {key: value for key, value in header.items() if key not in _STAMPED}
    sections = form.split(body)
    for items in form.lists:
        listed = items.read(header, sections.pop(items.section, ""))
        data |= {} if listed is None else {items.key: listed}
    said = {name: unescape(part) for name, part in sections.items() if name not in LINKS.values()}
    return Entry(
        by=parts["by"],
        round=int(parts["round"]),
        kind=str(kind),
        data=data,
        texts={name: text for name, text in said.items() if text.strip()},
        folder=folder,
        number=int(parts["number"] or 0),
        letter=parts["letter"],
        step=header["step"],
        is_usual=not parts["kind"],
        header={key: header[key] for key in OWN_KEYS if key in header},
    )


def find_contradictions(body: str, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield which lists the header and the body of a file say otherwise: key, and section."""
    form = _FORMS.get(entry.kind, _USUAL)
    said, data = form.split(body), entry.data
    lists = [items for items in form.lists if items.in_header]
    right = {(i.key, i.section): "\n\n".join([*i.write(data.get(i.key) or ())][1:]) for i in lists}
    for (key, section), text in (right or _write_links(entry)).items():
        there = said.get(section, "")
        if there != text and _find_words(there) != _find_words(text):
            yield key, section


def _find_words(text: str) -> list[str]:
    return re.findall(r"[+-]?\w[\w.-]*", unescape(text))


_STRICT = ConfigDict(strict=True)
_Id = Annotated[str, fits(ENTRY_ID.pattern, "an id such as prop_001")]
_Found = Annotated[Kind, Field(strict=False)]
_Score = Annotated[Decimal, read_exact()]


def _object(**keys: Any) -> Any:
    required: Any = {key: (form, ...) for key, form in keys.items()}
    return create_model("Object", __config__=_STRICT, **required)


def _list_of(**keys: Any) -> Any:
    return list[_object(**keys)]  # type: ignore[misc]


_KNOWN: Mapping[str, Any] = {
    **dict.fromkeys(("from", "at", "title", "claim", "how", "reason", "by", "question"), str),
    **dict.fromkeys(("critique", "vote", "revises", "refines", "target", "proposal"), str),
    **dict.fromkeys(("winner", "result", "chair"), str),
    **dict.fromkeys(("attacks", "defends"), _list_of(target_id=str, type=str)),
    "concedes": _list_of(target_id=str),
    "scores": _list_of(argument_id=_Id, score=_Score),
    "rescores": _list_of(argument_id=_Id, previous=_Score, score=_Score),
    "effects": _list_of(attacker_id=_Id, target_id=_Id, component=str, effect=str),
    "judged": _list_of(id=_Id, digest=str),
    "checked": _list_of(source=str, quote=str, found=_Found, digest=str),
    **dict.fromkeys(("builds_on", "judges"), list[str]),
    "answers": str | list[Any],
    "made_by": dict[str, Any],
    "rests_on": dict[str, str],
    "cumulative_scores": dict[str, _object(total=_Score, count=_Score)],  # type: ignore[misc]
}
_OPTIONAL: Any = {key: (form | None, None) for key, form in _KNOWN.items()}
_Header = create_model("Header", __config__=_STRICT, step=Count, kind=str, **_OPTIONAL)
"""Of entries of any kind: what a file says of its kind is as foreign as the rest of it."""


def _find_header_faults(
    header: Item, folder: str, entry_id: str, parts: Mapping[str, str]
) -> Iterator[str]:
    kind = header.get("kind")
    expected = {"id": entry_id, "exchange": int(parts["round"])}
    expected |= {key: parts["by"] for key in ("side", "participant") if key in header}
    expected |= {"kind": parts["kind"]} if parts["kind"] else {}
    for key, right in expected.items():
        if header.get(key) != right or isinstance(header.get(key), bool):
            yield f"{key} is {show_value(header.get(key))}, its name says {right}"
    folders = {"argument": ARGUMENTS, "judgment": JUDGMENTS, "absence": JUDGMENTS, "advice": ADVICE}
    right_folder = folders.get(str(kind), JUDGMENTS if parts["by"] == PERSON else folder)
    if folder != right_folder or (folder == ADVICE) != (kind == "advice"):
        yield f"it lies in the wrong folder: {entry_id} belongs in {right_folder}/"
    try:
        _Header.model_validate(header)
    except ValidationError as error:
        yield from (f"{spell_place(where)} {why}" for where, why in explain_errors(error))
    if kind == "judgment" and header.get("cumulative_scores") is None:
        yield "cumulative_scores is missing"
