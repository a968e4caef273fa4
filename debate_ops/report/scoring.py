"""An exchange of two sides as its readers look at it: scores, totals and attacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from debate_ops.analysis.flow import Attack, AttackKey, find_attacks, list_turns
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import author
from debate_ops.protocols.exchange import SIDES

UNATTACKED = "not attacked"


class Round(NamedTuple):
    """A judged exchange, and each side's total and the lead after it."""

    exchange: int
    totals: Mapping[str, Decimal]
    lead: Decimal


class Scoring:
    """A debate of two sides, with what its scores and links come to.

    `marks` are all scores of an argument, the last one counts; `effects` what
    the judge said last of each attack, with the reason. `absences` are those from an exchange:
    that a side gave no closing is none.
    """

    def __init__(self, at: Replayed) -> None:
        self.d = d = at.debate
        self.at = at
        self.arguments = sorted(
            d.find("argument"), key=lambda e: (e.round, e.by != "prop", e.letter)
        )
        self.absences = [e for e in d.find("absence") if e.by in SIDES and not e.number]
        self.judgments = sorted(d.find("judgment"), key=lambda e: e.round)
        self.marks: dict[str, list[Decimal]] = {}
        self.effects: dict[AttackKey, tuple[str, str]] = {}
        self.scores: dict[str, Decimal] = {}
        self.totals, self.lead = dict.fromkeys(SIDES, Decimal(0)), Decimal(0)
        self.rounds: list[Round] = []
        for e in self.judgments:
            for item in (*(e.data.get("scores") or ()), *(e.data.get("rescores") or ())):
                an_id, score = str(item["argument_id"]), Decimal(str(item["score"]))
                if author(an_id) not in SIDES:  # edited by hand, which is warned of
                    continue
                self.marks.setdefault(an_id, []).append(score)
                self.totals[author(an_id)] += score - self.scores.get(an_id, 0)
                self.scores[an_id] = score
            for item in e.data.get("effects") or ():
                attack = (item["attacker_id"], item["target_id"], item["component"])
                self.effects[attack] = (str(item["effect"]), str(item.get("reasoning") or ""))
            self.lead = self.totals["prop"] - self.totals["opp"]
            self.rounds.append(Round(e.round, {**self.totals}, self.lead))

    def set_flow(self, *, is_over: bool) -> None:
        """Find what became of each attack; until a debate is over both sides have turns to come."""
        turns = list_turns([*self.arguments, *self.absences])
        self.attacks = find_attacks(self.arguments, turns, is_over=is_over, effects=self.effects)
        self.attacks_on: dict[str, list[Attack]] = {}
        for attack in self.attacks:
            self.attacks_on.setdefault(attack.target, []).append(attack)

    def describe_fate(self, an_id: str) -> str:
        """Return how many attacks on an argument came to what.

        That is what the judge found or, where none did, how they were answered.
        """
        own = Counter(attack.found or attack.word for attack in self.attacks_on.get(an_id, ()))
        return ", ".join(f"{number} {word}" for word, number in own.most_common()) or UNATTACKED

    @cached_property
    def ahead(self) -> str:
        """The side that is ahead; empty where neither is."""
        return ("prop" if self.lead > 0 else "opp") if self.lead else ""

    @cached_property
    def exchanges(self) -> int:
        """How many exchanges there were, the opening not counted."""
        return max((e.round for e in self.d.entries.values()), default=0)
