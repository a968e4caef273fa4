"""The graph of proposals, critiques, answers and revisions as Mermaid text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from debate_ops.reports import mermaid
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Proposal, Round
from debate_ops.reports.mermaid import Edge, Graph, Look, Node, boxed, label
from debate_ops.reports.text import counted

MOST_SHOWN = 90
"""Of more entries than that, nobody could follow the arrows."""

_GRAVEST = ("proposal", "blocking", "major", "minor")


def draw(numbers: Numbers) -> Graph:
    """Return the graph; of a large debate the newest cycles, and then its gravest critiques."""
    light = PALETTES["light"]
    first, second = light.sides
    looks = {
        "proposal": Look("[", "]", first, first),
        "critique": Look("([", "])", second, second),
        "answer": Look("(", ")", light.ground, first, light.text),
    }
    ranked = [(cycle, *found) for cycle in numbers.cycles for found in _nodes(cycle)]
    order = {node.id: (-cycle.number, _GRAVEST.index(rank)) for cycle, rank, node in ranked}
    nodes = [node for _, _, node in ranked]
    edges = [edge for cycle in numbers.cycles for edge in _edges(cycle)]
    title = f"Proposals and critiques. {numbers.content.framing.motion}"
    summary = f"{words.result(numbers)}. Solid arrows criticise, dashed arrows answer or revise."
    return mermaid.graph(
        (title, summary), looks, nodes, edges, order=lambda node: order[node.id], most=MOST_SHOWN
    )


def _nodes(cycle: Round) -> Iterator[tuple[str, Node]]:
    """Yield the entries of a cycle, each with how grave it is."""
    group = f"Cycle {cycle.number}"
    for proposal in cycle.proposals:
        for version in proposal.versions:
            is_last = version is proposal.versions[-1]
            state = f"<br/>{_standing(cycle, proposal)}" if is_last else ""
            title = boxed(str(version.data.get("title") or proposal.title))
            text = f"{label(version.id)}<br/>{title}{state}"
            yield "proposal", Node(version.id, text, "proposal", group)
    for point in cycle.points:
        text = f"{label(point.id)}<br/>{label(point.severity)}, {point.outcome}"
        yield point.severity, Node(point.id, text, "critique", group)
        for answer in point.answers:
            yield point.severity, Node(answer, label(answer), "answer", group)


def _standing(cycle: Round, proposal: Proposal) -> str:
    if proposal.id == cycle.winner:
        return "wins"
    if proposal.barred_by:
        return "barred"
    share = cycle.share(proposal.id)
    has_votes = cycle.ballots and share and share.votes
    return f"{counted(share.votes, 'vote')}" if share and has_votes else "no votes"


def _edges(cycle: Round) -> Iterator[Edge]:
    for proposal in cycle.proposals:
        for before, after in pairwise(proposal.versions):
            yield Edge(after.id, before.id, "revises", is_dashed=True)
        for earlier in proposal.versions[0].data.get("builds_on") or ():
            yield Edge(proposal.id, earlier, "builds on", is_dashed=True)
    for point in cycle.points:
        yield Edge(point.id, point.target, point.severity)
        for answer in point.answers:
            yield Edge(answer, point.id, "answers", is_dashed=True)
