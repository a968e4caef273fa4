"""Several judgments of one record side by side: the spread of each score, and of the lead."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.formats import entries
from debate_ops.model.debate import SIDES, Debate
from debate_ops.model.entries import ARGUMENTS
from debate_ops.model.score import Millis, signed
from debate_ops.model.views import Argument, argument_of
from debate_ops.protocols.exchange.past import PROP, participant_of, scores_on_record
from debate_ops.reports.text import counted

EXCHANGE = "exchange"


class Row(NamedTuple):
    """What several judgments say of one argument, or of the lead; None where one has no score."""

    about: str
    scores: tuple[Millis | None, ...]

    @property
    def known(self) -> list[Millis]:
        """The scores that there are."""
        return [score for score in self.scores if score is not None]

    @property
    def spread(self) -> float:
        """Their standard deviation, in thousandths; 0 for a single one."""
        return statistics.stdev(self.known) if len(self.known) > 1 else 0.0

    @property
    def flips(self) -> bool:
        """Tell whether some are above and some below zero."""
        return any(s > 0 for s in self.known) and any(s < 0 for s in self.known)


class Comparison(NamedTuple):
    """Judgments of one record: of each argument, and of the lead of the proposition."""

    names: tuple[str, ...]
    arguments: tuple[Row, ...]
    lead: Row

    def as_data(self) -> dict[str, object]:
        """Return all of it for programs, scores as numbers."""
        return {
            "debates": list(self.names),
            "lead": _as_data(self.lead),
            "arguments": [_as_data(row) for row in self.arguments],
        }

    def lines(self) -> list[str]:
        """Return all of it for people."""
        flipped = [row for row in self.arguments if row.flips]
        heads = [name.rpartition("/")[2] for name in self.names]
        width = max(len("+0.00"), *map(len, heads)) + 2
        rows = [_line(row, width) for row in (*self.arguments, self.lead)]
        lead = "changes too" if self.lead.flips else "does not"
        of = counted(len(self.arguments), "score")
        return [
            f"{'':<12}{''.join(f'{head:>{width}}' for head in heads)}      spread",
            *rows,
            f"The sign of {len(flipped)} of {of} changes; that of the lead {lead}.",
        ]


def _line(row: Row, width: int) -> str:
    scores = "".join(f"{'-' if s is None else signed(s):>{width}}" for s in row.scores)
    return (
        f"{row.about:<12}{scores}{row.spread / 1000:>12.3f}{'  changes sign' if row.flips else ''}"
    )


def _as_data(row: Row) -> dict[str, object]:
    scores = [None if score is None else score / 1000 for score in row.scores]
    spread = round(row.spread / 1000, 4)
    return {"about": row.about, "scores": scores, "spread": spread, "flips": row.flips}


def is_one_record(debates: Sequence[Debate]) -> bool:
    """Tell whether the same arguments were scored in all of these debates."""
    first, *others = debates
    if any(debate.protocol != EXCHANGE for debate in debates):
        return False
    said = _said(first)
    return all(_said(debate) == said for debate in others)


def _said(debate: Debate) -> list[Argument | None]:
    """Return the arguments as they read, in whichever form a version wrote them."""
    own = filter(None, map(debate.record.get, debate.record.ids(ARGUMENTS)))
    return [argument_of(entries.parse(entry)) for entry in own]


def of(debates: Sequence[tuple[str, Debate]]) -> Comparison:
    """Return what is to be compared of debates in exchanges, by the names they are called."""
    scores = [scores_on_record(debate.record) for _, debate in debates]
    ids = dict.fromkeys(name for own in scores for name in own)
    rows = tuple(Row(i, tuple(own.get(i) for own in scores)) for i in ids)
    leads = (Millis(sum(_share(i, s) for i, s in own.items())) for own in scores)
    return Comparison(tuple(name for name, _ in debates), rows, Row("lead", tuple(leads)))


def _share(argument: str, score: Millis) -> int:
    return score if SIDES[participant_of(argument)] == SIDES[PROP] else -score
