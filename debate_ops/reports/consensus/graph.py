"""The graph of proposals, critiques, answers and revisions as Mermaid text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from debate_ops.reports import mermaid
from debate_ops.reports.colours import ON_SIDE, PALETTES
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Proposal, Round
from debate_ops.reports.critiques import Point
from debate_ops.reports.mermaid import MARK, Graph, boxed, label
from debate_ops.reports.text import counted

MOST_SHOWN = 90
"""Of more entries than that, nobody could follow the arrows."""

_TITLE = 90

Wanted = Callable[[Point], bool]
"""Which critiques a graph shows."""


def draw(numbers: Numbers) -> Graph:
    """Return the graph; of a large debate the newest cycles, and then its gravest critiques."""
    total = sum(map(_size, numbers.cycles))
    text, shown, note = "", 0, ""
    for cycles, wanted, note in _windows(numbers):
        text = _text(numbers, cycles, wanted, note)
        shown = sum(_size(cycle, wanted) for cycle in cycles)
        if mermaid.fits(text) and shown <= MOST_SHOWN:
            break
    return Graph(text, shown, total, note if shown < total else "")


def _all(_: Point) -> bool:
    return True


def _serious(point: Point) -> bool:
    return point.severity != "minor"


def _blocking(point: Point) -> bool:
    return point.severity == "blocking"


def _none(_: Point) -> bool:
    return False


def _windows(numbers: Numbers) -> Iterator[tuple[Sequence[Round], Wanted, str]]:
    """Yield what could be shown, the most first, and what is said of the rest."""
    cycles = numbers.cycles
    yield cycles, _all, ""
    for number in range(len(cycles) - 1, 0, -1):
        newest = f"The graph shows the {counted(number, 'newest cycle')} of {len(cycles)}."
        yield cycles[len(cycles) - number :], _all, newest
    last = cycles[-1:]
    shown = f"cycle {last[0].number} alone" if len(cycles) > 1 else "the debate"
    for wanted, without in (
        (_serious, "minor critiques"),
        (_blocking, "critiques that are not blocking"),
        (_none, "critiques and answers"),
    ):
        yield (
            last,
            wanted,
            f"The graph shows {shown} without {without}, to be no larger than it is.",
        )


def _size(cycle: Round, wanted: Wanted = _all) -> int:
    """Return how many entries of a cycle are shown."""
    points = [point for point in cycle.points if wanted(point)]
    versions = sum(len(proposal.versions) for proposal in cycle.proposals)
    return versions + len(points) + len(_answers(points))


def _text(numbers: Numbers, cycles: Sequence[Round], wanted: Wanted, note: str) -> str:
    light = PALETTES["light"]
    title = f"Proposals and critiques. {numbers.content.framing.motion}"
    told = (
        f"{words.result(numbers)}. Solid arrows criticise, dashed arrows answer or revise. {note}"
    )
    lines = [
        "flowchart RL",  # an arrow points left, at what was said before
        f"    accTitle: {mermaid.words(title)}",
        f"    accDescr: {mermaid.words(told)}",
        f"    classDef proposal fill:{light.sides[0]},stroke:{light.sides[0]},color:{ON_SIDE}",
        f"    classDef critique fill:{light.sides[1]},stroke:{light.sides[1]},color:{ON_SIDE}",
        f"    classDef answer fill:{light.ground},stroke:{light.sides[0]},color:{light.text}",
        f"    classDef cycle fill:none,stroke:{light.muted}",
        *(line for cycle in cycles for line in _cycle(cycle, wanted)),
        *_built_on(cycles),
    ]
    return "\n".join([MARK, *lines]) + "\n"


def _node(entry_id: str) -> str:
    """Return the name of a node: no word of Mermaid's own can begin with that."""
    return f"n_{entry_id.replace('-', '_')}"


def _edge(start: str, arrow: str, verb: str, end: str) -> str:
    return f'    {_node(start)} {arrow}|"{verb}"| {_node(end)}'


def _cycle(cycle: Round, wanted: Wanted) -> Iterator[str]:
    points = [point for point in cycle.points if wanted(point)]
    yield f'    subgraph cycle_{cycle.number}["Cycle {cycle.number}"]'
    yield "    direction RL"
    for proposal in cycle.proposals:
        yield from _proposal(cycle, proposal)
    for point in points:
        told = f"{label(point.id)}<br/>{label(point.severity)}, {point.outcome}"
        yield f'    {_node(point.id)}(["{told}"]):::critique'
    for answer in _answers(points):
        yield f'    {_node(answer)}("{label(answer)}"):::answer'
    yield "    end"
    yield f"    class cycle_{cycle.number} cycle"
    for proposal in cycle.proposals:
        for before, after in pairwise(proposal.versions):
            yield _edge(after.id, "-.->", "revises", before.id)
    for point in points:
        yield _edge(point.id, "-->", label(point.severity), point.target)
        for answer in point.answers:
            yield _edge(answer, "-.->", "answers", point.id)


def _answers(points: Sequence[Point]) -> list[str]:
    return list(dict.fromkeys(answer for point in points for answer in point.answers))


def _proposal(cycle: Round, proposal: Proposal) -> Iterator[str]:
    for version in proposal.versions:
        is_last = version is proposal.versions[-1]
        stands = f"<br/>{_standing(cycle, proposal)}" if is_last else ""
        title = boxed(str(version.data.get("title") or proposal.title), _TITLE)
        told = f"{label(version.id)}<br/>{title}{stands}"
        yield f'    {_node(version.id)}["{told}"]:::proposal'


def _standing(cycle: Round, proposal: Proposal) -> str:
    if proposal.id == cycle.winner:
        return "wins"
    if proposal.barred_by:
        return "barred"
    share = cycle.share(proposal.id)
    has_votes = cycle.ballots and share and share.votes
    return f"{counted(share.votes, 'vote')}" if share and has_votes else "no votes"


def _built_on(cycles: Sequence[Round]) -> Iterator[str]:
    shown = {v.id for c in cycles for p in c.proposals for v in p.versions}
    for cycle in cycles:
        for proposal in cycle.proposals:
            for earlier in proposal.versions[0].data.get("builds_on") or ():
                if earlier in shown:
                    yield _edge(proposal.id, "-.->", "builds on", earlier)
