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

from collections.abc import Iterable
from typing import Any, NamedTuple

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


def render(content: Content) -> str:
    """Return all that was said in a debate as AIF JSON; not what was decided of it.

    Raises:
        RefusedError: nothing was said yet.
    """
    graph = _Graph(content)
    if not graph.items:
        raise RefusedError(
            f"nothing was said in {content.debate.slug} yet", hint="Export it when it has entries."
        )
    for item in graph.items.values():
        _Utterance(graph, item).add()
    return dumps(graph.data()) + "\n"


class _Graph:
    """The nodes and edges of a debate as they are written; `items` is what was said in it."""

    def __init__(self, content: Content) -> None:
        self.items = {item.id: item for item in content.items if item.is_said}
        speakers = dict.fromkeys(item.participant for item in self.items.values())
        self.names = {name: one_line(content.participants.get(name, "")) for name in speakers}
        self._numbers = {name: str(place) for place, name in enumerate(speakers, 1)}
        self._nodes: list[dict[str, str]] = []
        self._edges: list[dict[str, str]] = []
        self._locutions: list[dict[str, str]] = []

    def data(self) -> dict[str, Any]:
        """Return the whole graph."""
        return {
            "nodes": self._nodes,
            "edges": self._edges,
            "schemefulfillments": [],
            "descriptorfulfillments": [],
            "participants": [
                {"participantID": number, "firstname": name, "surname": self.names[name]}
                for name, number in self._numbers.items()
            ],
            "locutions": self._locutions,
        }

    def text(self, node: str, kind: str, text: str, at: str) -> None:
        """Add a text, or an utterance."""
        self._nodes.append({"nodeID": node, "text": text, "type": kind, "timestamp": at})

    def spoken(self, node: str, participant: str) -> None:
        """Add who made an utterance."""
        self._locutions.append({"nodeID": node, "personID": self._numbers[participant]})

    def step(self, scheme: Scheme, node: str, sources: Iterable[str], target: str, at: str) -> None:
        """Add a step of a scheme, from all its sources to its target."""
        self.text(node, scheme.type, scheme.name, at)
        self._nodes[-1] |= {"scheme": scheme.name, "schemeID": scheme.number}
        for source, end in (*((source, node) for source in sources), (node, target)):
            number = str(len(self._edges) + 1)
            self._edges.append({"edgeID": number, "fromID": source, "toID": end})


class _Utterance:
    """Adds one entry to a graph: its utterance, what it says, and what each of its links does."""

    def __init__(self, graph: _Graph, item: Item) -> None:
        self.graph = graph
        self.item = item
        self.at = item.at.replace("T", " ").removesuffix("Z")  # as AIFdb writes it

    def add(self) -> None:
        """Add the entry."""
        item = self.item
        self._speak(item.id, item.title)
        if isinstance(item.value, Argument):
            self._argument(item.value)
        else:
            texts = [text for heading, text in item.texts if heading not in LINKS.values()]
            verb = QUESTIONING if item.kind == _QUESTION else ASSERTING
            self._say(_main(item), _first("\n\n".join(texts), item.title, item.id), verb)
        for number, bond in enumerate(item.bonds, 1):
            self._link(bond, f"{item.id}.{bond.relation.value.replace(' ', '-')}-{number}")

    def _speak(self, node: str, text: str) -> None:
        name = self.graph.names[self.item.participant] or self.item.participant
        self.graph.text(node, "L", f"{name} : {plain(_first(text, self.item.id))}", self.at)
        self.graph.spoken(node, self.item.participant)

    def _say(self, node: str, text: str, verb: Scheme = ASSERTING) -> None:
        self.graph.text(node, "I", plain(text), self.at)
        self._do(verb, self.item.id, node)

    def _do(self, verb: Scheme, source: str, target: str) -> None:
        """Add what an utterance, or an answer, does with a text or a step."""
        self._step(verb, f"{target}.{verb.name.split()[-1].lower()}", [source], target)

    def _step(self, scheme: Scheme, node: str, sources: Iterable[str], target: str) -> None:
        self.graph.step(scheme, node, sources, target, self.at)

    def _infer(self, node: str, sources: Iterable[str], target: str) -> None:
        self._step(INFERENCE, node, sources, target)
        self._do(ARGUING, self.item.id, node)

    def _argument(self, value: Argument) -> None:
        name = value.id
        claim, warrant, backing = f"{name}.claim", f"{name}.warrant", f"{name}.backing"
        self._say(claim, _first(value.claim, value.title, name))
        premises = {
            node: _first(ground.content, ground.relevance, ground.source, name)
            for node, ground in zip(_grounds(value), value.grounds, strict=True)
        }
        if _first(value.warrant):
            premises[warrant] = value.warrant
        for node, text in premises.items():
            self._say(node, text)
        if premises:
            self._infer(f"{name}.inference", premises, claim)
        if _first(value.backing) and warrant in premises:
            self._say(backing, value.backing)
            self._infer(f"{backing}.inference", [backing], warrant)

    def _link(self, bond: Bond, node: str) -> None:
        """Add the words of a link, if it has some, and what it does to an entry that is there."""
        speech = self.item.id
        if _first(bond.content) and isinstance(self.item.value, Argument):
            speech = node
            self._speak(speech, bond.content)
        target = self.graph.items.get(bond.target)
        if target is None:
            return
        answer = f"{node}.answer"
        self._step(TRANSITION, answer, [target.id], speech)
        if bond.relation not in _STEPS:
            return
        scheme, verb = _STEPS[bond.relation]
        for number, hit in enumerate(_hit(target, bond), 1):
            step = f"{node}.{scheme.name.split()[-1].lower()}-{number}"
            self._step(scheme, step, [_main(self.item)], hit)
            self._do(verb, answer, step)


def _main(item: Item) -> str:
    return f"{item.id}.claim" if isinstance(item.value, Argument) else f"{item.id}.text"


def _grounds(value: Argument) -> list[str]:
    return [f"{value.id}.ground-{number}" for number, _ in enumerate(value.grounds, 1)]


def _first(*texts: str) -> str:
    """Return the first text that says anything; an empty one where none does."""
    return next((text for text in texts if not is_blank(plain(text))), "")


def _hit(target: Item, bond: Bond) -> list[str]:
    """Return the nodes that a link is about: all grounds, where it is about the grounds.

    What the target does not have cannot be hit: an attack on it hits the next larger part.
    """
    value = target.value
    if not isinstance(value, Argument):
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
