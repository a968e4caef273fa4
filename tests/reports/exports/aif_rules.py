"""What an AIF nodeset has to keep to, checked without any of our own code.

The rules are those of the core ontology (Chesñevar et al. 2006) and of its extension to dialogue
(Reed et al. 2008), in the strict reading of the AIFdb corpora.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

KEYS = {
    "nodes",
    "edges",
    "schemefulfillments",
    "descriptorfulfillments",
    "participants",
    "locutions",
}
PLAIN = {"nodeID", "text", "type", "timestamp"}
SCHEMES = {"RA", "CA", "MA", "TA", "YA"}
# From which type of node an edge may lead to which.
EDGES = {
    "I": {"RA", "CA", "MA"},
    "L": {"TA", "YA"},
    "TA": {"L", "YA"},
    "YA": {"I", "RA", "CA", "MA"},
    "RA": {"I"},
    "CA": {"I", "RA"},
    "MA": {"I"},
}


def problems(nodeset: dict[str, Any]) -> list[str]:
    """Return every rule that a nodeset breaks, with where."""
    return [*_forms(nodeset), *_graph(nodeset), *_dialogue(nodeset)]


def _forms(nodeset: dict[str, Any]) -> Iterator[str]:
    if set(nodeset) != KEYS:
        yield f"keys {sorted(nodeset)}"
    for node in nodeset["nodes"]:
        keys = PLAIN | ({"scheme", "schemeID"} if node["type"] in SCHEMES else set())
        if set(node) != keys or not all(isinstance(text, str) for text in node.values()):
            yield f"form of {node}"
        if not node["text"].strip():
            yield f"no text in {node['nodeID']}"
    for edge in nodeset["edges"]:
        if set(edge) != {"edgeID", "fromID", "toID"}:
            yield f"form of {edge}"
    for kind, key in (("nodes", "nodeID"), ("edges", "edgeID"), ("participants", "participantID")):
        twice = [i for i, n in Counter(item[key] for item in nodeset[kind]).items() if n > 1]
        yield from (f"{key} {one} twice" for one in twice)


def _graph(nodeset: dict[str, Any]) -> Iterator[str]:
    types = {node["nodeID"]: node["type"] for node in nodeset["nodes"]}
    out: Counter[str] = Counter()
    into: Counter[str] = Counter()
    for edge in nodeset["edges"]:
        start, end = types.get(edge["fromID"]), types.get(edge["toID"])
        if start is None or end is None or end not in EDGES[start]:
            yield f"edge {edge['fromID']} ({start}) to {edge['toID']} ({end})"
            continue
        is_content = start != "TA" or end == "L"
        out[edge["fromID"]] += is_content
        into[edge["toID"]] += start in {"I", "L", "TA"} if end != "I" else 1
    for node, kind in types.items():
        if kind in SCHEMES and out[node] != 1:
            yield f"{node} ({kind}) leads to {out[node]} nodes"
        if kind in SCHEMES and into[node] < 1:
            yield f"nothing leads to {node} ({kind})"
        if kind == "I" and into[node] < 1:
            yield f"nobody said {node}"


def _dialogue(nodeset: dict[str, Any]) -> Iterator[str]:
    people = {person["participantID"] for person in nodeset["participants"]}
    spoken = Counter(item["nodeID"] for item in nodeset["locutions"])
    utterances = {node["nodeID"] for node in nodeset["nodes"] if node["type"] == "L"}
    if set(spoken) != utterances or set(spoken.values()) > {1}:
        yield f"utterances without one speaker: {set(spoken) ^ utterances}"
    yield from (
        f"{item['nodeID']} said by nobody that is named"
        for item in nodeset["locutions"]
        if item["personID"] not in people
    )
