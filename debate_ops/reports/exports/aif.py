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

from debate_ops.formats.entries import LINKS
from debate_ops.formats.json_text import dumps
from debate_ops.model.texts import is_blank, one_line, plain
from debate_ops.model.views import Argument
from debate_ops.reports.items import Bond, Content, Item, Relation


class Scheme(NamedTuple):
    """A scheme of AIFdb: the type of its nodes, its name and its number there."""

    type: str
    name: str
    number: str

    @property
    def word(self) -> str:
        """What the ids of its nodes end with."""
        return self.name.split()[-1].lower()


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
    """A text or an utterance; or a step of a scheme, from all its sources to its target."""

    id: str
    type: str
    text: str
    scheme: Scheme | None = None
    ends: tuple[tuple[str, str], ...] = ()


def render(content: Content) -> str:
    """Return all that was said as AIF JSON, not what was decided; nothing where nothing was."""
    items = {item.id: item for item in content.items if item.is_said}
    names = {
        i.participant: one_line(content.participants.get(i.participant, "")) for i in items.values()
    }
    people = {name: str(place) for place, name in enumerate(names, 1)}
    nodes = [
        (item, node)
        for item in items.values()
        for node in _entry(items, item, names[item.participant] or item.participant)
    ]
    ends = [end for _, node in nodes for end in node.ends]
    data = {
        "nodes": [_as_data(item, node) for item, node in nodes],
        "edges": [
            {"edgeID": str(number), "fromID": source, "toID": target}
            for number, (source, target) in enumerate(ends, 1)
        ],
        "schemefulfillments": [],
        "descriptorfulfillments": [],
        "participants": [
            {"participantID": number, "firstname": name, "surname": names[name]}
            for name, number in people.items()
        ],
        "locutions": [
            {"nodeID": node.id, "personID": people[item.participant]}
            for item, node in nodes
            if node.type == "L"
        ],
    }
    return dumps(data) + "\n" if items else ""


def _as_data(item: Item, node: Node) -> dict[str, str]:
    at = item.at.replace("T", " ").removesuffix("Z")  # as AIFdb writes it
    data = {"nodeID": node.id, "text": plain(node.text), "type": node.type, "timestamp": at}
    if node.scheme:
        data |= {"scheme": node.scheme.name, "schemeID": node.scheme.number}
    return data


def _step(scheme: Scheme, node: str, sources: Iterable[str], target: str) -> Node:
    ends = (*((source, node) for source in sources), (node, target))
    return Node(node, scheme.type, scheme.name, scheme, ends)


def _does(verb: Scheme, source: str, target: str) -> Node:
    """Return what an utterance, or an answer, does with a text or a step."""
    return _step(verb, f"{target}.{verb.word}", [source], target)


def _entry(items: Mapping[str, Item], item: Item, speaker: str) -> Iterator[Node]:
    """Yield the utterance of an entry, what it says, and what each of its links does."""
    yield Node(item.id, "L", f"{speaker} : {_first(item.title, item.id)}")
    if item.argument:
        yield from _argument(item.argument)
    else:
        texts = [text for heading, text in item.texts if heading not in LINKS.values()]
        verb = QUESTIONING if item.kind == _QUESTION else ASSERTING
        text = _first("\n\n".join(texts), item.title, item.id)
        yield from _says(item.id, _main(item), text, verb)
    for number, bond in enumerate(item.bonds, 1):
        node = f"{item.id}.{bond.relation.value.replace(' ', '-')}-{number}"
        has_words = bool(_first(bond.content)) and item.argument is not None
        if has_words:
            yield Node(node, "L", f"{speaker} : {bond.content}")
        if bond.target in items:
            speech = node if has_words else item.id
            yield from _link(items[bond.target], item, bond, node, speech)


def _says(speech: str, node: str, text: str, verb: Scheme = ASSERTING) -> Iterator[Node]:
    yield Node(node, "I", text)
    yield _does(verb, speech, node)


def _argument(value: Argument) -> Iterator[Node]:
    name = value.id
    claim, warrant, backing = f"{name}.claim", f"{name}.warrant", f"{name}.backing"
    yield from _says(name, claim, _first(value.claim, value.title, name))
    premises = {
        node: _first(ground.content, ground.relevance, ground.source, name)
        for node, ground in zip(_grounds(value), value.grounds, strict=True)
    }
    if _first(value.warrant):
        premises[warrant] = value.warrant
    for node, text in premises.items():
        yield from _says(name, node, text)
    if premises:
        yield from _infers(name, f"{name}.inference", premises, claim)
    if _first(value.backing) and warrant in premises:
        yield from _says(name, backing, value.backing)
        yield from _infers(name, f"{backing}.inference", [backing], warrant)


def _infers(speech: str, node: str, sources: Iterable[str], target: str) -> Iterator[Node]:
    yield _step(INFERENCE, node, sources, target)
    yield _does(ARGUING, speech, node)


def _link(target: Item, item: Item, bond: Bond, node: str, speech: str) -> Iterator[Node]:
    """Yield that an utterance answers an entry, and what joins the texts of both."""
    answer = f"{node}.answer"
    yield _step(TRANSITION, answer, [target.id], speech)
    if bond.relation in _STEPS:
        scheme, verb = _STEPS[bond.relation]
        for number, hit in enumerate(_hit(target, bond), 1):
            step = f"{node}.{scheme.word}-{number}"
            yield _step(scheme, step, [_main(item)], hit)
            yield _does(verb, answer, step)


def _main(item: Item) -> str:
    return f"{item.id}.claim" if item.argument else f"{item.id}.text"


def _grounds(value: Argument) -> list[str]:
    return [f"{value.id}.ground-{number}" for number, _ in enumerate(value.grounds, 1)]


def _first(*texts: str) -> str:
    """Return the first text that says anything; an empty one where none does."""
    return next((text for text in texts if not is_blank(plain(text))), "")


def _hit(target: Item, bond: Bond) -> list[str]:
    """Return the nodes that a link is about: all grounds, where it is about the grounds.

    What the target does not have cannot be hit: an attack on it hits the next larger part.
    """
    value = target.argument
    if value is None:
        return [_main(target)]
    has_warrant = bool(_first(value.warrant))
    inference = [f"{value.id}.inference"] if value.grounds or has_warrant else []
    backing = [f"{value.id}.backing"] if _first(value.backing) and has_warrant else []
    parts = {
        "grounds_attack": _grounds(value),
        "warrant_attack": inference,
        "backing_attack": backing or inference,
    }
    return parts.get(bond.type) or [_main(target)]
