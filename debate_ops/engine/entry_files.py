"""What an entry says as a Markdown file, and back.

The header has data; the body has every text once, readable. A list whose items have texts is a
section with a heading for each item, as of links and scores (`Items`), whose other parts stand in
the header; grounds stand in the body alone.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
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
_FORMER = frozenset({"steering"})
"""What ballots of older versions have in their headers, too: no rule looks at it."""
_GROUNDS = "Grounds"
_QUOTED = frozenset({"content", "quote"})
_GROUND_PARTS = ("content", "document", "quote", "relevance")
"""What stands below the heading of a ground: the first alone, each other behind its label."""

Item = Mapping[str, Any]


class Items(NamedTuple):
    """A list of the header, by `keys` of its items, the first an id; the body has a text of each.

    `head` stands above the text: a heading, and perhaps a line with a label. `pattern` finds such a
    heading, and in it the first of the `keys`, or all.
    """

    key: str
    section: str
    head: str
    pattern: str
    keys: tuple[str, ...]
    text: str = "content"

    def write(self, listed: Sequence[Item]) -> Iterator[str]:
        """Yield the parts of the section below its heading."""
        for item in listed:
            known = {k: signed(v) if isinstance(v, int | Decimal) else v for k, v in item.items()}
            yield from (f"### {self.head.format(**known)}", escape(item[self.text]))

    def read(self, header: Item, section: str) -> list[dict[str, Any]]:
        """Return the items of the header, each with the text in its place if that names it.

        A list that the header has not is that of the headings, where these say all of it.
        """
        pattern, listed = re.compile(rf"\n### {self.pattern}"), header.get(self.key)
        said = [(match.groups(""), unescape(text)) for match, text in pieces(pattern, section)]
        if listed is None:
            is_whole = pattern.groups == len(self.keys)
            listed = [dict(zip(self.keys, parts, strict=True)) for parts, _ in said if is_whole]
        said += [(("",), "")] * len(listed)  # some may be missing
        return [
            {key: item[key] for key in self.keys}
            | {self.text: text if parts[0] == item[self.keys[0]] else ""}
            for item, (parts, text) in zip(listed, said, strict=False)
        ]


_TO, _TYPED = "[{target_id}]({target_id}.md)", "\n\n**Type:** {type}"
_TARGET = r"\[?([^\]\n]*[^\]\s])[^\n]*+"
_TYPE = r"(?:\n++\*\*Type:\*\* ([a-z_]++) *+(?=\n))?"
_JUDGED = r"\[([^\]\n]++)\][^\n]*+"
_ARGUMENT = "[{argument_id}](../arguments/{argument_id}.md)"
_EFFECT = (
    "[{attacker_id}](../arguments/{attacker_id}.md) on the {component} of "
    "[{target_id}](../arguments/{target_id}.md): {effect}"
)
_LINK, _SCORE = ("target_id", "type"), ("argument_id", "score")
_RESCORE = ("argument_id", "previous", "score")
_DECIDED = ("attacker_id", "target_id", "component", "effect")
_OF_ARGUMENTS = (
    *(
        Items(key, LINKS[key], f"{verb} {_TO}{_TYPED}", f"{verb} {_TARGET}{_TYPE}", _LINK)
        for key, verb in (("attacks", "Attacking"), ("defends", "Defending"))
    ),
    Items("concedes", "Concedes", f"Conceding {_TO}", f"Conceding {_TARGET}", _LINK[:1]),
)
_RESCORED = _ARGUMENT + " from {previous} to {score}"
_OF_JUDGMENTS = (
    Items("scores", "Scores", _ARGUMENT + " {score}", _JUDGED, _SCORE, "reasoning"),
    Items("rescores", "Rescores", _RESCORED, _JUDGED, _RESCORE, "reasoning"),
    Items("effects", "Attacks", _EFFECT, _JUDGED, _DECIDED, "reasoning"),
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
        ("Claim", _GROUNDS, "Warrant", "Backing", "Qualifier", "Attacks", "Defends", "Concedes"),
        _OF_ARGUMENTS,
        escape,
    ),
    "judgment": _Form(("Scores", "Rescores", "Attacks"), _OF_JUDGMENTS),
}


def write_entry(entry: Entry) -> str:
    """Return the text of the file of an entry, with what its header says of the commit."""
    form = _FORMS.get(entry.kind, _USUAL)
    header: dict[str, Any] = {
        "id": entry.id,
        "side" if entry.kind == "argument" else "participant": entry.by,
        "kind": entry.kind,
        "exchange": entry.round,
    }
    header |= {key: part for key, part in entry.data.items() if key != "grounds" or form is _USUAL}
    for key, keys in ((items.key, items.keys) for items in form.lists if items.key in header):
        header[key] = [{k: item[k] for k in keys} for item in header[key]]
    own = {key: part for key, part in entry.header.items() if part}
    body = "\n\n".join(_write_parts(entry, form))
    return compose_file(header | {"step": entry.step} | own, f"\n{body}\n")


def _write_parts(entry: Entry, form: _Form) -> Iterator[str]:
    if entry.kind == "absence":
        yield f"No reply ({entry.data['how']}, by {entry.data['by']})."
        yield escape(entry.data["reason"])
        return
    yield f"# {heading(entry.title)}"
    lists, texts = _write_lists(entry, form), entry.texts
    if entry.kind == "argument":
        lists[_GROUNDS] = "\n\n".join(_write_grounds(entry.data.get("grounds") or ()))
    for name in form.sections or (*texts, *lists):
        if text := lists.get(name) or form.escape(texts.get(name, "")):
            yield f"## {name}\n\n{text}"


def _write_lists(entry: Entry, form: _Form) -> dict[str, str]:
    """Return the sections of an entry that lists of its header have, some of them empty."""
    if form.lists:
        parts = ((i.section, i.write(entry.data.get(i.key) or ())) for i in form.lists)
        return {section: "\n\n".join(each) for section, each in parts}
    place = "" if entry.folder == ARGUMENTS else "../arguments/"
    line = "- [{target_id}](" + place + "{target_id}.md): {type}"
    every = {section: entry.data.get(key) or () for key, section in LINKS.items()}
    return {name: "\n".join(line.format(**x) for x in links) for name, links in every.items()}


def _write_grounds(grounds: Sequence[Item]) -> Iterator[str]:
    for number, ground in enumerate(grounds, 1):
        yield f"### {number}. {heading(ground['source'])}"
        for key in (key for key in _GROUND_PARTS if key in ground):
            label = f"**{key.capitalize()}:**" + ("\n\n" if key in _QUOTED else " ")
            said = quote(ground[key]) if key in _QUOTED else escape(ground[key])
            yield said if key == "content" else label + said


def _read_grounds(section: str) -> Iterator[dict[str, str]]:
    labels = "|".join(map(str.capitalize, _GROUND_PARTS))
    for match, text in pieces(r"\n### [0-9]++\.[ \t]*+([^\n]*+)", section):
        parts = pieces(rf"\n\*\*({labels}):\*\*[ \t]*+", f"**Content:**{text}")
        said = {part[1].lower(): words for part, words in parts}
        yield {"source": unescape(match[1])} | {
            key: unescape(strip_quote(words) if key in _QUOTED else words)
            for key, words in said.items()
        }


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
    data = {key: value for key, value in header.items() if key not in _STAMPED | _FORMER}
    sections = form.split(body)
    if kind == "argument":
        data["grounds"] = [*_read_grounds(sections.pop(_GROUNDS, ""))]
    for items in form.lists:
        listed = items.read(header, sections.pop(items.section, ""))
        if listed or items.key in LINKS:
            data[items.key] = listed
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
        header={key: header[key] for key in (*OWN_KEYS, *_FORMER) if key in header},
    )


def find_contradictions(body: str, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield which lists the header and the body of a file say otherwise: key, and section."""
    form = _FORMS.get(entry.kind, _USUAL)
    said, right = form.split(body), _write_lists(entry, form)
    lists = {items.key: items.section for items in form.lists} or LINKS
    for key, section in lists.items():
        there, text = said.get(section, ""), right[section]
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
