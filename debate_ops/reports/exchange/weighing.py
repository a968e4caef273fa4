"""What the semantics make of a debate: a second opinion beside the judge's scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from debate_ops.model.entries import Argument
from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.score import Millis
from debate_ops.semantics.extensions import grounded
from debate_ops.semantics.influence import (
    Disagreement,
    Influence,
    LastWord,
    disagreements,
    flipping_attacks,
    last_word,
)
from debate_ops.semantics.of_debate import graph_of
from debate_ops.semantics.strengths import DFQUAD, Strengths, strengths


class Weighing(NamedTuple):
    """A debate as a graph, and what follows from it; the judge's scores stay beside it.

    `sides` names the side of each argument, the proposition's first, so that a lead above 0 is
    the proposition's. `standing` is what stands: the grounded extension.
    """

    graph: ArgumentGraph
    sides: Mapping[str, str]
    scores: Mapping[str, Millis | None]
    strengths: Strengths
    standing: frozenset[str]
    last_word: LastWord
    disagreements: tuple[Disagreement, ...]
    influence: Influence

    def strength(self, argument_id: str) -> float:
        """Return an argument's strength, from 0 to 1."""
        return self.strengths.strengths[argument_id]

    def stands(self, argument_id: str) -> bool:
        """Tell whether an argument stands."""
        return argument_id in self.standing


def of(
    arguments: Sequence[Argument], scores: Mapping[str, Millis | None], sides: Sequence[str]
) -> Weighing:
    """Return what the semantics make of arguments; a lead is that of the first of `sides`."""
    in_order = sorted(arguments, key=lambda argument: sides.index(argument.side))
    side_of = {argument.id: argument.side for argument in in_order}
    exchanges = {argument.id: argument.exchange for argument in arguments}
    graph = graph_of(arguments, scores)
    return Weighing(
        graph,
        side_of,
        scores,
        strengths(graph, DFQUAD),
        frozenset(grounded(graph)),
        last_word(graph, exchanges, side_of, DFQUAD),
        disagreements(graph, side_of, scores),
        flipping_attacks(graph, side_of, DFQUAD),
    )
