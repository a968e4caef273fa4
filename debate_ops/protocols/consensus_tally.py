"""One cycle of a search for consensus as the rules look at it, and how its votes are counted.

It also tells whether a text says anything new, by its words in runs of four: a lower bound, because
what says the same in other words passes for new.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from debate_ops.core.values import ADVICE, JUDGMENTS, Debate, Entry, author
from debate_ops.protocols.shared import choose_advocate

BLOCKING = "blocking"
TALLY = "tally"
"""Whose entries the outcomes are: a name that no participant can have."""
REASONS = ("proposal", "critique", "defence", "revision", "review")
"""What a ballot may name as its reason, in the order in which it is said."""
PHASES = {
    "awaiting_proposals": "proposals",
    "awaiting_straw_votes": "straw votes",
    "awaiting_critiques": "critiques",
    "awaiting_defences": "defences",
    "awaiting_reviews": "reviews",
    "awaiting_votes": "votes",
}
"""Every phase of a cycle, in order, and what it is called."""
CONSENSUS, NEW_CYCLE, ESCALATED = "consensus", "new_cycle", "escalated"
"""What the outcome of a cycle leads to."""


class Cycle:
    """What was said in one cycle."""

    def __init__(self, d: Debate, number: int) -> None:
        self.d, self.number, self.settings = d, number, d.settings

    def find(self, *kinds: str, by: str | None = None) -> list[Entry]:
        """Return entries of some kinds, of one participant if given."""
        return self.d.find(*kinds, round=self.number, by=by)

    @property
    def proposals(self) -> list[str]:
        """The ids of the proposals."""
        return sorted(e.id for e in self.find("proposal"))

    def proposal(self, name: str) -> str:
        """Return the id of somebody's proposal; empty where there is none."""
        return next((e.id for e in self.find("proposal", by=name)), "")

    def critiques(self, of: str | None = None, by: str | None = None) -> list[Entry]:
        """Return the critiques, of one proposal or by one critic if given."""
        listed = sorted(self.find("critique", by=by), key=lambda e: (e.by, e.number))
        return [e for e in listed if of in {None, find_target(e)}]

    def answers(self, critique: str) -> list[str]:
        """Return the ids of the defences that answer a critique."""
        return [e.id for e in self.find("defence") if e.data["answers"] == critique]

    def to_review(self, critic: str) -> list[Entry]:
        """Return the blocking critiques of a critic that were answered."""
        own = self.critiques(by=critic)
        return [e for e in own if e.data["severity"] == BLOCKING and self.answers(e.id)]

    def unresolved(self) -> list[Entry]:
        """Return the critiques that nobody answered, or that their critic maintains.

        One that its critic alone can lift is unresolved until it does.
        """
        verdicts = {e.data["critique"]: e.data["verdict"] for e in self.find("review")}
        answered = {e.data["answers"] for e in self.find("defence")}

        def is_open(e: Entry) -> bool:
            if e.data.get("lifted_by"):
                return verdicts.get(e.id) != "accept"
            return e.id not in answered or verdicts.get(e.id) == "maintain"

        return [e for e in self.critiques() if is_open(e)]

    def barred(self) -> dict[str, list[str]]:
        """Return the proposals that cannot win, each with what bars it."""
        barred: dict[str, list[str]] = {}
        for e in self.unresolved():
            if e.data["severity"] == BLOCKING:
                barred.setdefault(find_target(e), []).append(e.id)
        return barred

    def candidates(self) -> list[str]:
        """Return the ids of the proposals that can win."""
        barred = self.barred()
        return [p for p in self.proposals if p not in barred]

    def choices(self, name: str, phase: str) -> list[str]:
        """Return what somebody may vote for in a phase."""
        possible = self.candidates() if phase == "awaiting_votes" else self.proposals
        return [p for p in possible if self.settings.self_votes == "allowed" or author(p) != name]

    def current(self, proposal: str) -> list[str]:
        """Return the ids of the entries with a proposal's text as it now stands.

        That is the revision where there is one; the proposal too, if it still gives the reasons.
        """
        revision = next((e for e in self.find("revision") if e.data["revises"] == proposal), None)
        if not revision:
            return [proposal]
        return [proposal, revision.id] if revision.data.get("keeps_reasoning") else [revision.id]

    def votes(self, kind: str = "ballot") -> dict[str, str]:
        """Return what each voter's ballot, or straw vote, is for."""
        return {e.by: e.data["vote"] for e in self.find(kind)}

    def leading(self) -> list[str]:
        """Return the authors of what has the most weight of the votes; nobody without votes."""
        weights = Counter[str]()
        for e in self.find("ballot"):
            weights[author(e.data["vote"])] += e.data["weight"]
        most = max(weights.values(), default=0)
        return [name for name, weight in weights.items() if weight == most > 0]

    @property
    def before(self) -> Cycle:
        """The cycle that it followed; an empty one before the first."""
        return Cycle(self.d, self.number - 1)

    def advocate(self) -> str:
        """Return the devil's advocate; empty where there is none."""
        s = self.settings
        return choose_advocate(s.devils_advocate, s.names, self.number, self.before.leading())

    def agreement(self, proposal: str, verb: str = "agreed") -> str:
        """Return how many of all participants are for a proposal, and what of the others."""
        votes, everybody = [*self.votes().values()], len(self.settings.names)
        agreed = votes.count(proposal)
        rest = [f"{len(votes) - agreed} voted otherwise"] * (len(votes) > agreed)
        rest += [f"{everybody - len(votes)} did not vote"] * (everybody > len(votes))
        return "; ".join(filter(None, (f"{agreed} of {everybody} {verb}", ", ".join(rest))))


def find_target(critique: Entry) -> str:
    """Return the id of the proposal that a critique is of."""
    return str(critique.data["attacks"][0]["target_id"])


# Novelty.

_RUN, _ONE_IN = 4, 10
"""A text that has no more new runs than one in so many repeats what is on record."""
_WORD = re.compile(r"\w+")


@lru_cache(maxsize=4096)
def _find_runs(text: str) -> frozenset[tuple[str, ...]]:
    lines = (_WORD.findall(line) for line in text.casefold().splitlines())
    return frozenset(
        tuple(words[start : start + _RUN])
        for words in lines
        for start in range(max(len(words) - _RUN, 0) + 1 if words else 0)
    )


def repeats_record(d: Debate, *texts: str, may_differ: bool = True) -> bool:
    """Tell whether texts say no more than what is on record, except for a tenth if they may."""
    own = frozenset().union(*map(_find_runs, texts))
    new, most = set(own), len(own) // _ONE_IN if may_differ else 0
    for e in d.entries.values():
        if len(new) <= most:
            break
        if e.folder != ADVICE:
            new.difference_update(*map(_find_runs, (e.title, *e.texts.values())))
    return bool(own) and len(new) <= most


# The end of a cycle.


class Share(NamedTuple):
    """What a proposal that can win got, of the weight of all ballots."""

    proposal: str
    votes: int
    weight: Decimal
    share: Fraction


def spell_number(number: Decimal) -> str:
    """Return a number without zeros that say nothing."""
    return f"{number.normalize():f}"


def find_weight(ballots: Iterable[Entry]) -> Decimal:
    """Return the weight of ballots together, exactly."""
    return sum((Decimal(str(e.data["weight"])) for e in ballots), Decimal(0)).normalize() + 0


def count_shares(c: Cycle) -> list[Share]:
    """Return what each proposal that can win got; shares are 0 where the ballots have no weight."""
    ballots = c.find("ballot")
    total, shares = Fraction(find_weight(ballots)), []
    for proposal in c.candidates():
        own = [e for e in ballots if e.data["vote"] == proposal]
        weight = find_weight(own)
        part = Fraction(weight) / total if total else Fraction(0)
        shares.append(Share(proposal, len(own), weight, part))
    return shares


def resolve(c: Cycle, shares: list[Share]) -> tuple[str, str, str]:
    """Return what follows from the ballots of a cycle, why, and what won."""
    s, ballots = c.settings, len(c.find("ballot"))
    if not c.proposals:
        return ESCALATED, f"No proposals were made in cycle {c.number}.", ""
    if not shares:
        each = "; ".join(f"{p} by {', '.join(ids)}" for p, ids in c.barred().items())
        why = f"Every proposal is barred by an unresolved blocking critique: {each}."
        return ESCALATED, why, ""
    is_quorate, needed = ballots >= s.ballots_needed, Fraction(s.threshold)
    passing = [x for x in shares if is_quorate and x.share >= needed]
    if len(passing) == 1:
        why = f"{_describe_part(c, passing[0])}, and {s.threshold} is enough."
        return CONSENSUS, why, passing[0].proposal
    if ballots < s.ballots_needed and s.votes == "cited":
        why = f"{ballots} of {len(s.names)} voted, and a vote needs {s.ballots_needed}."
    elif ballots < s.ballots_needed:
        why = f"{ballots} of the {s.ballots_needed} ballots that a vote needs were cast."
    elif not any(x.weight for x in shares):
        why = "The ballots cast have no weight."
    elif passing:
        each = "; ".join(_describe_part(c, x) for x in passing)
        why = f"{len(passing)} proposals reach {s.threshold}, and one alone must: {each}."
    else:
        nearest = max(shares, key=lambda x: x.weight)
        why = f"No proposal reaches {s.threshold}: {_describe_part(c, nearest)}."
    if c.number < s.max_cycles:
        return NEW_CYCLE, f"{why} Cycle {c.number + 1} follows.", ""
    cycles = f"{s.max_cycles} cycle{'s' if s.max_cycles > 1 else ''}"
    return ESCALATED, f"{why} No consensus in {cycles}, which is the limit.", ""


def _describe_part(c: Cycle, x: Share) -> str:
    cast = f"{spell_number(x.weight)} of {spell_number(find_weight(c.find('ballot')))}"
    if c.settings.votes == "cited":
        cast += f"; {c.agreement(x.proposal, 'voted for it')}"
    return f"{x.proposal} has {x.share} of the weight cast ({cast})"


def tally(c: Cycle) -> Entry:
    """Return the outcome of a cycle: exact shares of the weight cast, and what speaks against it.

    Where votes are plain it is as it always was; where they are cited it says who did not vote,
    and what is new for whoever changed its mind.
    """
    s, ballots, shares = c.settings, sorted(c.find("ballot"), key=lambda e: e.by), count_shares(c)
    result, reason, winner = resolve(c, shares)
    is_cited, away = s.votes == "cited", c.find("absence")
    missing = {e.by for e in away if e.data["how"] != "pass"}
    voting = [*PHASES].index("awaiting_votes") + 1
    passed = (e.by for e in away if e.data["how"] == "pass" and e.number == voting)
    said, agreement = c.find("critique", "defence", "revision"), ""
    follows = "another one follows" if result == NEW_CYCLE else "a person decides"
    title = f"No consensus in cycle {c.number}: {follows}"
    if winner:
        agreement = c.agreement(winner)
        share = next(x.share for x in shares if x.proposal == winner)
        part = f" with {'all' if share == 1 else share} of the weight"
        title = f"Consensus: {winner}{f'; {agreement}' if is_cited else part}"
    data = {
        "title": title,
        "result": result,
        "reason": reason,
        "threshold": s.threshold,
        "quorum": s.ballots_needed,
        "ballots": len(ballots),
        "total_weight": find_weight(ballots),
        "shares": [{**x._asdict(), "share": str(x.share)} for x in shares],
        "winner": winner,
        "dissent": [e.id for e in ballots if winner and e.data["vote"] != winner],
        "unresolved": [e.id for e in c.unresolved()],
        "absent": [name for name in s.names if name in missing],
        "abstained": sorted(passed),
        "no_new_argument": all(e.data.get("repeats") for e in said)
        if is_cited
        else not c.find("critique"),
        "changed_votes": list(_find_changes(c, ballots)),
    }
    if is_cited:
        votes = c.votes()
        data |= {"agreement": agreement, "not_voted": [n for n in s.names if n not in votes]}
        data |= {"devils_advocate": c.advocate()} if c.advocate() else {}
    return Entry(TALLY, c.number, "outcome", data, _describe_outcome(c, data), JUDGMENTS)


def _find_changes(c: Cycle, ballots: list[Entry]) -> Iterator[dict[str, Any]]:
    """Yield who votes for another's proposal than before, and what new entries it names for it.

    Before is its straw vote, or else its last ballot; where votes are cited, its own proposal
    before any of these.
    """
    is_cited, earlier = c.settings.votes == "cited", c.votes("straw") or c.before.votes()
    if not earlier and is_cited and c.number == 1:
        earlier = {author(p): p for p in c.proposals}
    new = {e.id for e in c.find(*(REASONS[1:] if c.find("straw") else REASONS))}
    for e in ballots:
        was, vote = earlier.get(e.by, ""), str(e.data["vote"])
        if was and author(was) != author(vote):
            because = [i for i in e.data.get("because") or () if i in new]
            change = {"participant": e.by, "from": was, "to": vote}
            yield change | ({"because": because} if is_cited else {})


def _describe_outcome(c: Cycle, data: Mapping[str, Any]) -> dict[str, str]:
    """Return for readers what the header has for programs."""
    maintained = {e.data["critique"] for e in c.find("review") if e.data["verdict"] == "maintain"}
    labels = [*PHASES.values()]

    def why_open(e: Entry) -> str:
        if e.id in maintained:
            return "maintained by its critic"
        return "not accepted by its critic" if c.answers(e.id) else "never answered"

    def because(change: Mapping[str, Any]) -> str:
        named = ", ".join(change.get("because", ()))
        nothing = ", without naming anything new" if "because" in change else ""
        return f", because of {named}" if named else nothing

    away = sorted((e for e in c.find("absence") if e.data["how"] != "pass"), key=lambda e: e.id)
    nothing_new = "Nobody made a critique in this cycle: no vote rests on an argument."
    if c.find("critique"):
        said = "No critique, answer or revision of this cycle says anything"
        nothing_new = f"{said} that was not on record before."
    lines: dict[str, list[str]] = {
        "Reason": [data["reason"]],
        "Shares": [
            f"{x['proposal']}: {x['share']} ({x['votes']} vote{'s' * (x['votes'] != 1)}, weight "
            f"{spell_number(x['weight'])})"
            for x in data["shares"]
        ],
        "Dissent": [f"{i}, for {c.d.entries[i].data['vote']}" for i in data["dissent"]],
        "Unresolved critiques": [
            f"{e.id} ({e.data['severity']}, of {find_target(e)}): {why_open(e)}"
            for e in c.unresolved()
        ],
        "Absent": [f"{e.by}: no reply in the {labels[e.number - 1]}" for e in away]
        + [f"{name}: abstained in the votes" for name in data["abstained"]],
        "Changed votes": [
            f"{v['participant']}: from {v['from']} to {v['to']}{because(v)}"
            for v in data["changed_votes"]
        ],
        "New arguments": [nothing_new] * data["no_new_argument"],
    }
    return {heading: "\n".join(listed) for heading, listed in lines.items() if listed}
