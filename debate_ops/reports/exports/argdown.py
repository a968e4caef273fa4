"""A debate as Argdown: an argument map that its tools lay out, with every part of each argument.

An argument is a node under its id, with its title as text; grounds are the premises, the warrant
names the inference, the claim is the conclusion. Relations stand as arrows only (`->` attacks,
`+>` supports, `_>` undercuts): the plain signs mean the reverse.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.entries import Argument
from debate_ops.model.score import to_number
from debate_ops.model.texts import one_line
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.exports.needed import graph
from debate_ops.reports.items import ARGUED, Bond, Content, Item, Relation

# Whatever could open or end something; a stop or colon only where a short code could begin.
_SPECIAL = re.compile(r"[\\@#*_\[\]<>/{}()]|(?<!\w)-|-(?!\w)|[.:](?=\S)|(?<==)=|=(?==)")
_ARROWS = {Relation.ATTACKS: "->", Relation.SUPPORTS: "+>"}
_UNDERCUT = "_>"
_WARRANT = "warrant_attack"
# The parser ends a data block at its braces, also at those inside of quotes.
_BRACES = {"{": "\\u007b", "}": "\\u007d", "=": "\\u003d"}
_SCOPED = re.compile("[{}=]")


def render(content: Content) -> str:
    """Return the map.

    Raises:
        RefusedError: there is no attack and no support on record.
    """
    items, bonds = graph(content, "argdown", *ARGUED)
    shown = frozenset(bonds)
    parts = [_head(content), *(_item(content, item, shown) for item in items)]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    r"""Return `text` on one line so that Argdown reads it as itself.

    >>> escape("A [b] -- c: d")
    'A \\[b\\] \\-\\- c: d'
    """
    return _SPECIAL.sub(r"\\\g<0>", one_line(text))


def _head(content: Content) -> str:
    """Return the front matter: the title, and the colours of the tags."""
    colours = dict(zip(map(_tag, content.sides), PALETTES["light"].sides, strict=False))
    lines = [
        "===",
        "model:",
        "  removeTagsFromText: true",
        "  transformArgumentRelations: false",
        f"title: {_quoted(one_line(content.framing.motion))}",
        *(["color:", "  tagColors:"] if colours else []),
        *(f"    {tag}: {_quoted(colour)}" for tag, colour in colours.items()),
        "===",
    ]
    return "\n".join(lines)


def _item(content: Content, item: Item, shown: Collection[Bond]) -> str:
    title = escape(item.title) or escape(item.id)
    tag = f" #{_tag(item.participant)}" if item.participant in content.sides else ""
    node = f"<{item.id}>: {title}{tag} {_data(_facts(item))}"
    arrows = (_relation(bond) for bond in item.bonds if bond in shown)
    parts = [node, *dict.fromkeys(arrows)]
    if isinstance(item.value, Argument) and (premises := list(_premises(item.value))):
        parts += ["", *_inference(item.value, premises)]
    return "\n".join(parts)


def _tag(side: str) -> str:
    return {"prop": "proposition", "opp": "opposition"}.get(side, side)


def _relation(bond: Bond) -> str:
    arrow = _UNDERCUT if bond.type == _WARRANT else _ARROWS[bond.relation]
    return f"  {arrow} <{bond.target}>"


def _facts(item: Item) -> dict[str, Any]:
    """Return what the map says of an entry beside its texts; nothing that is not on record."""
    facts: dict[str, Any] = {
        "participant": item.entry.participant,
        "kind": item.entry.kind,
        "exchange": item.entry.exchange,
    }
    if item.score is not None:
        facts["score"] = to_number(item.score)
    links = [
        {"relation": bond.relation.value, "target": bond.target, "type": bond.type}
        for bond in item.bonds
    ]
    return facts | ({"links": links} if links else {})


# ---------------------------------------------------------------- premises and conclusion


def _premises(value: Argument) -> Iterator[str]:
    for ground in value.grounds:
        text = escape(ground.content) or escape(ground.relevance)
        if text:
            source = one_line(ground.source)
            yield f"{text} {_data({'source': source})}" if source else text


def _inference(value: Argument, premises: Iterable[str]) -> Iterator[str]:
    """Yield the reconstruction; none where there is no claim to conclude."""
    claim = escape(value.claim) or escape(value.title)
    if not claim:
        return
    number = 0
    for number, premise in enumerate(premises, 1):
        yield f"({number}) {premise}"
    warrant = escape(value.warrant).replace(",", "\\,")
    yield f"-- {warrant} --" if warrant else "----"
    yield f"({number + 1}) {claim}"


def _data(facts: dict[str, Any]) -> str:
    pairs = (f"{key}: {_quoted(value)}" for key, value in facts.items())
    return "{" + ", ".join(pairs) + "}"


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        return _SCOPED.sub(lambda match: _BRACES[match[0]], canonical(value))
    if isinstance(value, list):
        return "[" + ", ".join(map(_data, value)) + "]"
    return canonical(value)
