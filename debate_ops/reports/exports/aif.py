"""A debate in the Argument Interchange Format (AIF), as JSON.

The core ontology is that of Chesñevar et al., "Towards an Argument Interchange Format" (2006);
utterances and their transitions follow Reed et al., "AIF+" (2008), and the JSON is that of the
AIFdb corpora. No claim is joined to a claim directly: between them stands the step that was made.

    I    a claim, a ground, a warrant, a backing; of other entries all that they say
    L    an utterance: an entry, and each of its attacks and defences
    RA   an inference: from grounds and warrant to a claim, or from one claim in support of another
    CA   a conflict; one about a warrant hits the inference that the warrant licenses
    MA   a later version of an earlier text
    TA   an utterance that answers an earlier one
    YA   what an utterance or an answer does: it asserts, argues, questions, disagrees or agrees
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from debate_ops.errors import RefusedError
from debate_ops.formats.contribution import LINKS
from debate_ops.formats.json_text import dumps
from debate_ops.model.entries import Argument
from debate_ops.model.texts import is_blank, one_line, plain
from debate_ops.reports.items import Bond, Content, Item, Relation


class Scheme(NamedTuple):
    """A scheme of AIFdb: the type of its nodes, its name and its number there."""

    type: str
    name: str
    number: str = ""


INFERENCE = Scheme("RA", "Default Inference", "72")
CONFLICT = Scheme("CA", "Default Conflict", "71")
REPHRASE = Scheme("MA", "Default Rephrase", "144")
TRANSITION = Scheme("TA", "Default Transition", "82")
ASSERTING = Scheme("YA", "Asserting", "74")
DISAGREEING = Scheme("YA", "Disagreeing", "78")
ARGUING = Scheme("YA", "Arguing", "80")
RESTATING = Scheme("YA", "Restating", "101")
QUESTIONING = Scheme("YA", "Pure Questioning", "0")  # has no number that could be verified

_STEPS = {
    Relation.ATTACKS: (CONFLICT, DISAGREEING),
    Relation.SUPPORTS: (INFERENCE, ARGUING),
    Relation.REVISES: (REPHRASE, RESTATING),
}
"""What joins two texts by relation, and what its utterance does; the others join nothing."""

_QUESTION = "question"


class Node(NamedTuple):
    """A node: a text, or a step of a scheme."""

    id: str
    type: str
    text: str
    at: str = ""
    scheme: Scheme | None = None


class Edge(NamedTuple):
    """From which node to which."""

    source: str
    target: str


class Uttered(NamedTuple):
    """Which participant made an utterance."""

    node: str
    participant: str


Part = Node | Edge | Uttered


def render(content: Content) -> str:
    """Return all that was said in a debate as AIF JSON; not what was decided of it.

    Raises:
        RefusedError: nothing was said yet.
    """
    items = {item.id: item for item in content.items if item.is_said}
    if not items:
        raise RefusedError(
            f"nothing was said in {content.debate.slug} yet", hint="Export it when it has entries."
        )
    parts = [part for item in items.values() for part in _parts(content, items, item)]
    uttered = [part for part in parts if isinstance(part, Uttered)]
    speakers = dict.fromkeys(item.participant for item in uttered)
    numbers = {name: str(place) for place, name in enumerate(speakers, 1)}
    whole = {
        "nodes": [_node(part) for part in parts if isinstance(part, Node)],
        "edges": _edges(part for part in parts if isinstance(part, Edge)),
        "schemefulfillments": [],
        "descriptorfulfillments": [],
        "participants": [
            {
                "participantID": number,
                "firstname": name,
                "surname": one_line(content.participants.get(name, "")),
            }
            for name, number in numbers.items()
        ],
        "locutions": [{"nodeID": u.node, "personID": numbers[u.participant]} for u in uttered],
    }
    return dumps(whole) + "\n"


def _node(node: Node) -> dict[str, str]:
    plainly = {"nodeID": node.id, "text": node.text, "type": node.type, "timestamp": node.at}
    if node.scheme is None:
        return plainly
    return plainly | {"scheme": node.scheme.name, "schemeID": node.scheme.number}


def _edges(edges: Iterable[Edge]) -> list[dict[str, str]]:
    return [
        {"edgeID": str(number), "fromID": edge.source, "toID": edge.target}
        for number, edge in enumerate(edges, 1)
    ]


# ---------------------------------------------------------------- one entry


def _parts(content: Content, items: Mapping[str, Item], item: Item) -> Iterator[Part]:
    """Yield an entry: its utterance, what it says, and what each of its links does."""
    at = _time(item)
    yield from _utterance(content, item, item.id, item.title)
    value = item.value
    if isinstance(value, Argument):
        yield from _argument(item.id, value, at)
    else:
        verb = QUESTIONING if item.entry.kind == _QUESTION else ASSERTING
        yield from _said(item.id, _main(item), _whole(item), verb, at)
    for number, bond in enumerate(item.bonds, 1):
        yield from _bond(content, items, item, bond, f"{item.id}.{_word(bond)}-{number}")


def _utterance(content: Content, item: Item, node: str, text: str) -> Iterator[Part]:
    name = one_line(content.participants.get(item.participant, "")) or item.participant
    yield Node(node, "L", f"{name} : {plain(_first(text, item.id))}", _time(item))
    yield Uttered(node, item.participant)


def _argument(name: str, value: Argument, at: str) -> Iterator[Part]:
    claim = f"{name}.claim"
    yield from _said(name, claim, _first(value.claim, value.title, name), ASSERTING, at)
    premises = [
        (_ground(name, number), _first(ground.content, ground.relevance, ground.source, name))
        for number, ground in enumerate(value.grounds, 1)
    ]
    warrant = f"{name}.warrant"
    licences = [(warrant, value.warrant)] if _first(value.warrant) else []
    for node, text in (*premises, *licences):
        yield from _said(name, node, text, ASSERTING, at)
    if premises or licences:
        sources = [node for node, _ in (*premises, *licences)]
        yield from _step(INFERENCE, _inference(name), sources, claim, at)
        yield from _does(ARGUING, name, _inference(name), at)
    if _first(value.backing) and licences:
        backing = f"{name}.backing"
        yield from _said(name, backing, value.backing, ASSERTING, at)
        yield from _step(INFERENCE, f"{backing}.inference", [backing], warrant, at)
        yield from _does(ARGUING, name, f"{backing}.inference", at)


def _said(speech: str, node: str, text: str, verb: Scheme, at: str) -> Iterator[Part]:
    yield Node(node, "I", plain(text), at)
    yield from _does(verb, speech, node, at)


def _does(verb: Scheme, source: str, target: str, at: str) -> Iterator[Part]:
    """Yield what an utterance, or an answer, does with a text or a step."""
    yield from _step(verb, f"{target}.{verb.name.split()[-1].lower()}", [source], target, at)


def _step(
    scheme: Scheme, node: str, sources: Iterable[str], target: str, at: str
) -> Iterator[Part]:
    yield Node(node, scheme.type, scheme.name, at, scheme)
    yield from (Edge(source, node) for source in sources)
    yield Edge(node, target)


def _main(item: Item) -> str:
    return f"{item.id}.claim" if isinstance(item.value, Argument) else f"{item.id}.text"


def _ground(name: str, number: int) -> str:
    return f"{name}.ground-{number}"


def _inference(name: str) -> str:
    return f"{name}.inference"


def _whole(item: Item) -> str:
    texts = [text for heading, text in item.texts if heading not in LINKS.values()]
    return _first("\n\n".join(texts), item.title, item.id)


def _first(*given: str) -> str:
    """Return the first text that says anything; an empty one where none does."""
    return next((text for text in given if not is_blank(plain(text))), "")


def _time(item: Item) -> str:
    """Return when an entry came on record, as AIFdb writes it; empty where that is not known."""
    return str(item.entry.header.get("at") or "").replace("T", " ").removesuffix("Z")


# ---------------------------------------------------------------- one link


def _bond(
    content: Content, items: Mapping[str, Item], item: Item, bond: Bond, node: str
) -> Iterator[Part]:
    """Yield the words of a link, if it has some, and what it does to an entry that is there."""
    speech = item.id
    if _first(bond.content) and isinstance(item.value, Argument):
        speech = node
        yield from _utterance(content, item, speech, bond.content)
    target = items.get(bond.target)
    if target is None:
        return
    at = _time(item)
    answer = f"{node}.answer"
    yield from _step(TRANSITION, answer, [target.id], speech, at)
    if bond.relation not in _STEPS:
        return
    scheme, verb = _STEPS[bond.relation]
    for number, hit in enumerate(_hit(target, bond), 1):
        step = f"{node}.{scheme.name.split()[-1].lower()}-{number}"
        yield from _step(scheme, step, [_main(item)], hit, at)
        yield from _does(verb, answer, step, at)


def _hit(target: Item, bond: Bond) -> list[str]:
    """Return the nodes that a link is about: all grounds, where it is about the grounds.

    What the target does not have cannot be hit: an attack on it hits the next larger part.
    """
    value = target.value
    if not isinstance(value, Argument):
        return [_main(target)]
    has_warrant = bool(_first(value.warrant))
    inference = [_inference(value.id)] if value.grounds or has_warrant else []
    backing = [f"{value.id}.backing"] if _first(value.backing) and has_warrant else []
    parts = {
        "grounds_attack": [_ground(value.id, n) for n, _ in enumerate(value.grounds, 1)],
        "warrant_attack": inference,
        "backing_attack": backing or inference,
    }
    return parts.get(bond.type) or [_main(target)]


def _word(bond: Bond) -> str:
    return bond.relation.value.replace(" ", "-")
