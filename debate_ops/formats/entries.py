"""Any value of the record as a Markdown file, and back: one row for each type of value.

The header holds data; the body holds every text once, readable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from debate_ops.formats import front, headers, prose
from debate_ops.model.debate import Total
from debate_ops.model.entries import (
    ADVICE,
    ARGUMENTS,
    JUDGMENTS,
    LEFT_OUT,
    Absence,
    Argument,
    Contribution,
    Effect,
    Entry,
    Ground,
    Judgment,
    Link,
    Record,
    Rescore,
    Score,
    Value,
)
from debate_ops.model.score import signed, to_number
from debate_ops.startup import NamedTuple, pattern

SIDE_NAMES = {"prop": "proposition", "opp": "opposition"}
LINKS = {"attacks": "Attacks", "defends": "Defends"}
"""Keys of the header that hold links to other entries, and the section that shows each."""

_STAMPED = frozenset(
    {"id", "participant", "kind", "exchange", "step", "from", "at", "rests_on", "made_by"}
    | {"judged", "older"}
)
# Sections that only say what another is about, where that one is there: it has the entry's words.
_ABOUT = {"Question": "Answer", "Requirements": "Point 1"}

_ARGUMENT_SECTIONS = ("Claim", "Grounds", "Warrant", "Backing", "Qualifier", *LINKS.values())

_SECTION = pattern(r"^## ([^\n]+)\n", re.MULTILINE)
_ARGUMENT_SECTION = pattern(rf"^## ({'|'.join(_ARGUMENT_SECTIONS)})\n", re.MULTILINE)
_GROUND = pattern(r"^### [0-9]++\.[ \t]*+(.*+)\n", re.MULTILINE)
_RELEVANCE = pattern(r"^\*\*Relevance:\*\*[ \t]*", re.MULTILINE)
_DOCUMENT = pattern(r"^\*\*Document:\*\*[ \t]*", re.MULTILINE)
_QUOTE = pattern(r"^\*\*Quote:\*\*[ \t]*", re.MULTILINE)
_LINK = pattern(r"^### (?:Attacking|Defending) \[?([^\]\n]+?)(?:\]\([^)\n]*\))?\n", re.MULTILINE)
_TYPE = pattern(r"\n*+\*\*Type:\*\* ([a-z_]++)[ ]*+\n*+")
_REASON = pattern(r"^### \[([^\]\n]+)\][^\n]*\n", re.MULTILINE)
_EFFECT = pattern(
    r"^### \[([^\]\n]+)\]\([^)\n]*\) on the ([a-z]+) of \[([^\]\n]+)\][^\n]*\n", re.MULTILINE
)
_LATER = pattern(r"^## (Rescores|Attacks)\n", re.MULTILINE)


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
    totals: Mapping[str, Total]
    rests_on: Mapping[str, str]


def kind(value: Value) -> str:
    """Return the kind of a value, as it stands in its header."""
    return value.kind if isinstance(value, Contribution) else type(value).__name__.lower()


def folder(value: Value) -> str:
    """Return the record folder that a value is stored in."""
    if isinstance(value, Contribution):
        return value.folder
    return ARGUMENTS if isinstance(value, Argument) else JUDGMENTS


def header(value: Value) -> dict[str, Any]:
    """Return what the header of the file says of the value itself."""
    whose = {"participant": value.id.partition("_")[0]}
    if isinstance(value, Argument):
        whose = {"side": value.side}
    elif isinstance(value, Absence):
        whose = {"participant": value.participant}
    common = {"id": value.id, **whose, "kind": kind(value), "exchange": value.exchange}
    return common | _row(value).data(value)


def body(value: Value) -> str:
    """Return the body of the file: every text of the value, once, readable."""
    return "\n" + "\n\n".join(_row(value).parts(value)) + "\n"


def lines(value: Value) -> list[str]:
    """Return a value as plain lines that say what each text is: for prompts."""
    return _row(value).lines(value)


def headline(value: Value) -> str:
    """Return a value in one line."""
    return _row(value).headline(value)


def title(contribution: Contribution) -> str:
    """Return what stands above a contribution: its title, or its kind and whose it is."""
    own = str(contribution.data.get("title") or "")
    return own or f"{contribution.kind.capitalize()} of {contribution.participant}"


def render(value: Value, stamp: Stamp) -> str:
    """Return the text of the file that holds `value`."""
    data = header(value)
    if isinstance(value, Judgment):
        data["cumulative_scores"] = headers.totals_as_data(stamp.totals)
    data |= {"step": stamp.step, "from": stamp.source, "at": stamp.at}
    if stamp.rests_on:
        data["rests_on"] = dict(stamp.rests_on)
    if stamp.made_by:
        data["made_by"] = dict(stamp.made_by)
    return front.compose(data, body(value))


def parse(entry: Entry) -> Value:
    """Return the value that an entry holds."""
    return _ROWS[_TYPES.get(entry.kind, Contribution)].parse(entry)


def first_answer(record: Record) -> str | None:
    """Return what the adviser wrote who saw nothing of the debate; None where nobody did."""
    for entry in filter(None, map(record.get, record.ids(ADVICE))):
        return "\n\n".join(_parse_contribution(entry).texts.values())
    return None


def _section(name: str, text: str) -> str:
    return f"## {name}\n\n{text}"


def _argument_data(value: Argument) -> dict[str, Any]:
    return {"title": value.title, "claim": value.claim} | {
        key: [{"target_id": link.target_id, "type": link.type} for link in getattr(value, key)]
        for key in LINKS
    }


def _argument_parts(value: Argument) -> list[str]:
    texts = {
        "Grounds": "\n\n".join(
            f"### {number}. {prose.heading(ground.source)}\n\n{prose.quote(ground.content)}\n\n"
            f"{_quoted(ground)}**Relevance:** {prose.escape(ground.relevance)}"
            for number, ground in enumerate(value.grounds, 1)
        ),
        "Attacks": _links("Attacking", value.attacks),
        "Defends": _links("Defending", value.defends),
    }
    parts = [f"# {prose.heading(value.title)}"]
    for name in _ARGUMENT_SECTIONS:
        text = texts[name] if name in texts else prose.escape(getattr(value, name.lower()))
        parts += [_section(name, text)] if text else []
    return parts


def _quoted(ground: Ground) -> str:
    document = f"**Document:** {prose.heading(ground.document)}\n\n" if ground.document else ""
    return document + (f"**Quote:**\n\n{prose.quote(ground.quote)}\n\n" if ground.quote else "")


def _links(verb: str, links: Sequence[Link]) -> str:
    return "\n\n".join(
        f"### {verb} [{link.target_id}]({link.target_id}.md)\n\n**Type:** {link.type}\n\n"
        f"{prose.escape(link.content)}"
        for link in links
    )


def _argument_lines(value: Argument) -> list[str]:
    lines = [f"Title: {value.title}", f"Claim: {value.claim}"]
    for number, ground in enumerate(value.grounds, 1):
        texts = ground._asdict()
        named = [key for key in texts if texts[key] or key not in Ground._field_defaults]
        lines += [f"Ground {number}, {key}: {texts[key]}" for key in named]
    texts = {name: getattr(value, name.lower()) for name in ("Warrant", "Backing", "Qualifier")}
    lines += [f"{name}: {text}" for name, text in texts.items() if text]
    for key, name in LINKS.items():
        lines += [f"{name} {to} ({kind}): {text}" for to, kind, text in getattr(value, key)]
    return lines


def _parse_argument(entry: Entry) -> Argument:
    """Return the argument that a file holds.

    Bodies of older debates (written without escapes, marked by `older` in the header that the
    loader supplies) are taken as they stand.
    """
    unescape: Callable[[str], str] = str if entry.header.get("older") else prose.unescape
    pieces = {match[1]: text for match, text in prose.pieces(_ARGUMENT_SECTION, entry.body)}
    texts = {name: unescape(pieces.get(name, "")) for name in _ARGUMENT_SECTIONS}
    grounds = prose.pieces(_GROUND, pieces.get("Grounds", ""))
    links = {key: prose.pieces(_LINK, pieces.get(name, "")) for key, name in LINKS.items()}
    return Argument(
        id=entry.id,
        side=str(entry.header.get("side", entry.participant)),
        exchange=entry.exchange,
        title=str(entry.header.get("title", "")),
        claim=str(entry.header.get("claim") or texts["Claim"]),
        grounds=tuple(_ground(unescape(match[1]), text, unescape) for match, text in grounds),
        warrant=texts["Warrant"],
        backing=texts["Backing"],
        qualifier=texts["Qualifier"],
        **{
            key: tuple(_link(match[1], text, unescape) for match, text in listed)
            for key, listed in links.items()
        },
    )


def _ground(source: str, text: str, unescape: Callable[[str], str]) -> Ground:
    before, *relevance = _RELEVANCE.split(text, maxsplit=1)
    before, *quote = _QUOTE.split(before, maxsplit=1)
    before, *document = _DOCUMENT.split(before, maxsplit=1)
    content, quoted = (prose.strip_quote(t.strip("\n")) for t in (before, "".join(quote)))
    named = "".join(document).strip("\n")
    return Ground(source, *map(unescape, (content, "".join(relevance), named, quoted)))


def _link(target: str, text: str, unescape: Callable[[str], str]) -> Link:
    kind = _TYPE.match(text)
    return Link(target, kind[1] if kind else "", unescape(text[kind.end() :] if kind else text))


def _judgment_data(value: Judgment) -> dict[str, Any]:
    """Return the decision as data; scores are numbers of at most three decimals."""
    effects = [
        {key: text for key, text in each._asdict().items() if key != "reasoning"}
        for each in value.effects
    ]
    return {
        "scores": list(map(_decision, value.scores)),
        "rescores": list(map(_decision, value.rescores)),
        **({"effects": effects} if effects else {}),
    }


def _decision(item: Score | Rescore) -> dict[str, Any]:
    previous = {"previous": to_number(item.previous)} if isinstance(item, Rescore) else {}
    return {"argument_id": item.argument_id, **previous, "score": to_number(item.score)}


def _judgment_parts(value: Judgment) -> list[str]:
    rescores = ["## Rescores", *map(_reason, value.rescores)] if value.rescores else []
    effects = ["## Attacks", *map(_effect, value.effects)] if value.effects else []
    title = f"# Judgment of exchange {value.exchange}"
    return [title, "## Scores", *map(_reason, value.scores), *rescores, *effects]


def _effect(item: Effect) -> str:
    """Return what an attack did, under links to it and to its target."""
    attacker, target = (f"[{i}](../arguments/{i}.md)" for i in item[:2])
    attack = f"{attacker} on the {item.component} of {target}"
    return f"### {attack}: {item.effect}\n\n{prose.escape(item.reasoning)}"


def _reason(item: Score | Rescore) -> str:
    """Return why an argument has its score, under a link to it."""
    change = f"from {signed(item.previous)} to " if isinstance(item, Rescore) else ""
    link = f"[{item.argument_id}](../arguments/{item.argument_id}.md)"
    return f"### {link} {change}{signed(item.score)}\n\n{prose.escape(item.reasoning)}"


def _judgment_lines(value: Judgment) -> list[str]:
    lines = [f"{d.argument_id} {signed(d.score)}: {d.reasoning}" for d in value.decisions]
    return lines + [
        f"{e.attacker_id} on the {e.component} of {e.target_id} {e.effect}: {e.reasoning}"
        for e in value.effects
    ]


def _judgment_headline(value: Judgment) -> str:
    new = [f"{s.argument_id} {signed(s.score)}" for s in value.scores]
    old = [f"{r.argument_id} {signed(r.previous)} to {signed(r.score)}" for r in value.rescores]
    return ", ".join([*new, *old])


def _parse_judgment(entry: Entry) -> Judgment:
    first, *later = _LATER.split(entry.body.replace("\r\n", "\n"))
    texts = {"Rescores": "", "Attacks": ""} | dict(zip(later[::2], later[1::2], strict=True))
    new, changed = (
        {m[1]: prose.unescape(t) for m, t in prose.pieces(_REASON, part)}
        for part in (first, texts["Rescores"])
    )
    why = {
        (m[1], m[3], m[2]): prose.unescape(t) for m, t in prose.pieces(_EFFECT, texts["Attacks"])
    }
    return Judgment(
        entry.id,
        entry.exchange,
        tuple(Score(*item, new.get(item[0], "")) for item in headers.scores(entry.header)),
        tuple(Rescore(*item, changed.get(item[0], "")) for item in headers.rescores(entry.header)),
        tuple(Effect(*item, why.get(item[:3], "")) for item in headers.effects(entry.header)),
    )


def _absence_headline(value: Absence) -> str:
    return f"{value.participant} gave no reply ({value.how}, by {value.by})"


def _parse_absence(entry: Entry) -> Absence:
    keys = ("participant", "how", "reason", "by")
    texts = {key: str(entry.header.get(key, "")) for key in keys}
    return Absence(id=entry.id, exchange=entry.exchange, **texts)


def _contribution_parts(value: Contribution) -> list[str]:
    """Return a headline, every text under its heading, then the links."""
    parts = [f"# {prose.heading(title(value))}"]
    parts += [_section(name, prose.passage(text)) for name, text in value.texts.items()]
    place = "" if value.folder == ARGUMENTS else "../arguments/"
    for key, name in LINKS.items():
        links = headers.links(value.data, key)
        listed = "\n".join(f"- [{to}]({place}{to}.md): {kind}" for to, kind in links)
        parts += [_section(name, listed)] if listed else []
    return parts


def _contribution_headline(value: Contribution) -> str:
    """Return a contribution in one line: its title if it has one, and its first own text."""
    texts = value.texts
    own = [text for name, text in texts.items() if _ABOUT.get(name) not in texts]
    first = next(iter([*own, *texts.values()]), "")
    return ": ".join(filter(None, (str(value.data.get("title") or ""), first))) or title(value)


def _contribution_lines(value: Contribution) -> list[str]:
    listed = [f"Title: {value.data['title']}"] if value.data.get("title") else []
    listed += [f"{name}: {text}" for name, text in value.texts.items() if name != LEFT_OUT]
    for key, name in LINKS.items():
        listed += [f"{name} {to} ({kind})" for to, kind in headers.links(value.data, key)]
    return listed


def _parse_contribution(entry: Entry) -> Contribution:
    texts = {
        match[1]: prose.unescape(text)
        for match, text in prose.pieces(_SECTION, entry.body)
        if match[1] not in LINKS.values()
    }
    data = {key: value for key, value in entry.header.items() if key not in _STAMPED}
    return Contribution(entry.id, entry.kind, entry.exchange, entry.folder, data, texts)


class _Row(NamedTuple):
    """How a type of value is written, read and put into lines."""

    data: Callable[[Any], dict[str, Any]]
    parts: Callable[[Any], list[str]]
    parse: Callable[[Entry], Value]
    lines: Callable[[Any], list[str]]
    headline: Callable[[Any], str]


_ROWS: Mapping[type, _Row] = {
    Argument: _Row(
        _argument_data,
        _argument_parts,
        _parse_argument,
        _argument_lines,
        lambda value: f"{value.title}: {value.claim}",
    ),
    Judgment: _Row(
        _judgment_data,
        _judgment_parts,
        _parse_judgment,
        _judgment_lines,
        _judgment_headline,
    ),
    Absence: _Row(
        lambda value: {"how": value.how, "reason": value.reason, "by": value.by},
        lambda value: [f"No reply ({value.how}, by {value.by}).", prose.escape(value.reason)],
        _parse_absence,
        lambda value: [f"{_absence_headline(value)}: {value.reason}"],
        _absence_headline,
    ),
    Contribution: _Row(
        lambda value: dict(value.data),
        _contribution_parts,
        _parse_contribution,
        _contribution_lines,
        _contribution_headline,
    ),
}
_TYPES = {"argument": Argument, "judgment": Judgment, "absence": Absence}
"""Kind of entry to the type of its value; every other kind is a contribution."""


def _row(value: Value) -> _Row:
    return _ROWS[type(value)]
