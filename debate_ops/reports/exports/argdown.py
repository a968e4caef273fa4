"""A debate as Argdown: an argument map that its tools lay out, with every part of each argument.

An argument is a node under its id, with its title as text; grounds are the premises, the warrant
names the inference, the claim is the conclusion. Relations stand as arrows only (`->` attacks,
`+>` supports, `_>` undercuts): the plain signs mean the reverse.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.score import to_number
from debate_ops.model.texts import one_line
from debate_ops.model.views import Argument
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.items import ARGUED, Bond, Content, Item, Relation

# Whatever could open or end something; a stop or colon only where a short code could begin.
_SPECIAL = re.compile(r"[\\@#*_\[\]<>/{}()]|(?<!\w)-|-(?!\w)|[.:](?=\S)|(?<==)=|=(?==)")
_ARROWS = {Relation.ATTACKS: "->", Relation.SUPPORTS: "+>"}
_UNDERCUT = "_>"
_WARRANT = "warrant_attack"
# The parser ends a data block at its braces, also at those inside of quotes.
_BRACES = re.compile("[{}=]")
_TAGS = {"prop": "proposition", "opp": "opposition"}


def render(content: Content) -> str:
    """Return the map; nothing where there is no attack and no support."""
    items, bonds = content.graph(*ARGUED)
    colours = dict(zip(content.sides, PALETTES["light"].sides, strict=False))
    head = [
        "===",
        "model:",
        "  removeTagsFromText: true",
        "  transformArgumentRelations: false",
        f"title: {_quoted(one_line(content.framing.motion))}",
        *(["color:", "  tagColors:"] if colours else []),
        *(f"    {_TAGS.get(s, s)}: {_quoted(colour)}" for s, colour in colours.items()),
        "===",
    ]
    shown = frozenset(bonds)
    parts = ["\n".join(head), *(_item(content, item, shown) for item in items)]
    return "\n\n".join(parts) + "\n" if bonds else ""


def escape(text: str) -> str:
    r"""Return `text` on one line so that Argdown reads it as itself.

    >>> escape("A [b] -- c: d")
    'A \\[b\\] \\-\\- c: d'
    """
    return _SPECIAL.sub(r"\\\g<0>", one_line(text))


def _item(content: Content, item: Item, shown: Collection[Bond]) -> str:
    """Return an entry: its title with all else on record as data, its arrows, its reasoning."""
    own = item.participant
    tag = f" #{_TAGS.get(own, own)}" if own in content.sides else ""
    links = [{"relation": b.relation.value, "target": b.target, "type": b.type} for b in item.bonds]
    data = {
        "participant": item.entry.participant,
        "kind": item.entry.kind,
        "exchange": item.entry.exchange,
        "score": None if item.score is None else to_number(item.score),
        "links": links or None,
    }
    arrows = dict.fromkeys(_arrow(bond) for bond in item.bonds if bond in shown)
    reasoning = list(_reasoning(item.argument)) if item.argument else []
    return "\n".join(
        [
            f"<{item.id}>: {escape(item.title) or escape(item.id)}{tag} {_data(data)}",
            *(f"  {arrow}" for arrow in arrows),
            *(["", *reasoning] if reasoning else []),
        ]
    )


def _arrow(bond: Bond) -> str:
    return f"{_UNDERCUT if bond.type == _WARRANT else _ARROWS[bond.relation]} <{bond.target}>"


def _reasoning(value: Argument) -> Iterator[str]:
    """Yield premises, inference and conclusion; nothing where one of the ends is missing."""
    texts = ((escape(g.content) or escape(g.relevance), one_line(g.source)) for g in value.grounds)
    premises = [f"{text} {_data({'source': at})}" if at else text for text, at in texts if text]
    claim = escape(value.claim) or escape(value.title)
    if not premises or not claim:
        return
    yield from (f"({number}) {premise}" for number, premise in enumerate(premises, 1))
    warrant = escape(value.warrant).replace(",", "\\,")
    yield f"-- {warrant} --" if warrant else "----"
    yield f"({len(premises) + 1}) {claim}"


def _data(facts: Mapping[str, Any]) -> str:
    """Return facts as a data block, without those that are not on record."""
    pairs = (f"{key}: {_quoted(value)}" for key, value in facts.items() if value is not None)
    return "{" + ", ".join(pairs) + "}"


def _quoted(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_data, value)) + "]"
    text = canonical(value)
    return _BRACES.sub(lambda m: f"\\u{ord(m[0]):04x}", text) if isinstance(value, str) else text
