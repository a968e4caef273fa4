"""One cycle of a search for consensus as the rules look at it, and how its votes are counted.

It also tells whether a text says anything new, by its words in runs of four: a lower bound, because
what says the same in other words passes for new.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from debate_ops.core.texts import spell_number
from debate_ops.core.values import ADVICE, JUDGMENTS, Debate, Entry, author
from debate_ops.protocols.shared import choose_advocate

BLOCKING = "blocking"
REASONS = ("proposal", "critique", "defence", "revision", "review")
"""What a ballot may name as its reason, in the order in which it is said."""
NOT_ANSWERED, MAINTAINED = "never answered", "maintained by its critic"
NOT_ACCEPTED = "not accepted by its critic"
PHASES = (
    "awaiting_proposals",
    "awaiting_straw_votes",
    "awaiting_critiques",
    "awaiting_defences",
    "awaiting_reviews",
    "awaiting_votes",
)
CONSENSUS, NEW_CYCLE, ESCALATED = "consensus", "new_cycle", "escalated"


class Cycle:
    """What was said in one cycle, by participant and number."""

    def __init__(self, d: Debate, number: int) -> None:
        self.d, self.number, self.settings = d, number, d.settings

    def find(self, *kinds: str, by: str | None = None) -> list[Entry]:
        return sorted(self.d.find(*kinds, round=self.number, by=by), key=lambda e: (e.by, e.number))

    @property
    def proposals(self) -> list[str]:
        return [e.id for e in self.find("proposal")]

    def proposal(self, name: str) -> str:
        return next((e.id for e in self.find("proposal", by=name)), "")

    def critiques(self, of: str | None = None, by: str | None = None) -> list[Entry]:
        return [e for e in self.find("critique", by=by) if of in {None, find_target(e)}]

    def answers(self, critique: str) -> list[str]:
        return [e.id for e in self.find("defence") if e.data["answers"] == critique]

    def thread(self, critique: Entry) -> list[str]:
        reviews = [e.id for e in self.find("review") if e.data["critique"] == critique.id]
        return [critique.id, *self.answers(critique.id), *reviews]

    def unresolved(self) -> Iterator[tuple[Entry, str]]:
        """Yield the critiques that still stand, each with why; `lifted_by` asks for a review."""
        verdicts = {e.data["critique"]: e.data["verdict"] for e in self.find("review")}
        answered = {e.data["answers"] for e in self.find("defence")}
        for e in self.critiques():
            if e.id not in answered:
                yield e, NOT_ANSWERED
            elif verdicts.get(e.id) == "maintain":
                yield e, MAINTAINED
            elif e.data.get("lifted_by") and e.id not in verdicts:
                yield e, NOT_ACCEPTED

    def barred(self) -> dict[str, list[str]]:
        barred: dict[str, list[str]] = {}
        for e, _ in self.unresolved():
            if e.data["severity"] == BLOCKING:
                barred.setdefault(find_target(e), []).append(e.id)
        return barred

    def candidates(self) -> list[str]:
        barred = self.barred()
        return [p for p in self.proposals if p not in barred]

    def choices(self, name: str, phase: str) -> list[str]:
        """Return the ids of what somebody's reply in a phase may be about; without one, no task."""
        match phase:
            case "awaiting_critiques":
                return [p for p in self.proposals if author(p) != name]
            case "awaiting_defences":
                return [e.id for e in self.critiques(self.proposal(name))]
            case "awaiting_reviews":
                own = self.critiques(by=name)
                return [e.id for e in own if e.data["severity"] == BLOCKING and self.answers(e.id)]
        possible = self.candidates() if phase == "awaiting_votes" else self.proposals
        return [p for p in possible if self.settings.self_votes == "allowed" or author(p) != name]

    def current(self, proposal: str) -> list[str]:
        """Return the ids of a proposal as it now reads: a revision, and itself for kept reasons."""
        for e in self.find("revision", by=author(proposal)):
            return [proposal, e.id] if e.data.get("keeps_reasoning") else [e.id]
        return [proposal]

    def votes(self, kind: str = "ballot") -> dict[str, str]:
        return {e.by: e.data["vote"] for e in self.find(kind)}

    def shares(self) -> list[dict[str, Any]]:
        """Return the votes, weight and exact share of each proposal that can win."""
        ballots, shares = self.find("ballot"), []
        total = Fraction(find_weight(ballots))
        for p in self.candidates():
            own = [e for e in ballots if e.data["vote"] == p]
            weight = find_weight(own)
            share = Fraction(weight) / total if total else Fraction(0)
            shares.append({"proposal": p, "votes": len(own), "weight": weight, "share": share})
        return shares

    def leading(self) -> list[str]:
        """Return the authors of what has the most weight of the votes; nobody without votes."""
        shares = self.shares()
        most = max((x["share"] for x in shares), default=0)
        return [author(x["proposal"]) for x in shares if x["share"] == most > 0]

    @property
    def before(self) -> "Cycle":
        """The cycle that it followed; an empty one before the first."""
        return Cycle(self.d, self.number - 1)

    def advocate(self) -> str:
        s = self.settings
        return choose_advocate(s.devils_advocate, s.names, self.number, self.before.leading())

    def agreement(self, proposal: str, verb: str = "agreed") -> str:
        votes, everybody = [*self.votes().values()], len(self.settings.names)
        agreed = votes.count(proposal)
        rest = [f"{len(votes) - agreed} voted otherwise"] * (len(votes) > agreed)
        rest += [f"{everybody - len(votes)} did not vote"] * (everybody > len(votes))
        return "; ".join(filter(None, (f"{agreed} of {everybody} {verb}", ", ".join(rest))))


def find_target(critique: Entry) -> str:
    """Return the id of the proposal that a critique is of."""
    return str(critique.data["attacks"][0]["target_id"])


_RUN, _ONE_IN = 4, 10
"""A text that has no more new runs than one in so many repeats what is on record."""


@lru_cache(maxsize=4096)
def _find_runs(text: str) -> frozenset[tuple[str, ...]]:
    words = tuple(re.findall(r"\w+", text.casefold()))
    starts = range(max(len(words) - _RUN, 0) + 1) if words else ()
    return frozenset(words[start : start + _RUN] for start in starts)


def repeats_record(d: Debate, *texts: str, may_differ: bool = True) -> bool:
    """Tell whether texts say no more than the record, but for a tenth if they may."""
    if d.settings.votes == "plain":
        return False
    own = frozenset[tuple[str, ...]]().union(*map(_find_runs, texts))
    said = ((e.title, *e.texts.values()) for e in d.entries.values() if e.folder != ADVICE)
    new = own.difference(*(_find_runs(text) for listed in said for text in listed))
    return len(new) <= (len(own) // _ONE_IN if may_differ else 0)


def find_weight(ballots: Iterable[Entry]) -> Decimal:
    """Return the weight of ballots together, exactly."""
    return sum((Decimal(str(e.data["weight"])) for e in ballots), Decimal(0)).normalize() + 0


def resolve(c: Cycle) -> tuple[str, str, str]:
    """Return what follows from the ballots of a cycle, why, and what won."""
    s, shares, ballots = c.settings, c.shares(), len(c.find("ballot"))
    if not c.proposals:
        return ESCALATED, f"No proposals were made in cycle {c.number}.", ""
    if not shares:
        each = "; ".join(f"{p} by {', '.join(ids)}" for p, ids in c.barred().items())
        why = f"Every proposal is barred by an unresolved blocking critique: {each}."
        return ESCALATED, why, ""
    passing = [x for x in shares if x["share"] >= Fraction(s.threshold)]
    if ballots < s.ballots_needed and s.votes == "cited":
        why = f"{ballots} of {len(s.names)} voted, and a vote needs {s.ballots_needed}."
    elif ballots < s.ballots_needed:
        why = f"{ballots} of the {s.ballots_needed} ballots that a vote needs were cast."
    elif len(passing) == 1:
        why = f"{_describe_share(c, passing[0])}, and {s.threshold} is enough."
        return CONSENSUS, why, passing[0]["proposal"]
    elif passing:
        each = "; ".join(_describe_share(c, x) for x in passing)
        why = f"{len(passing)} proposals reach {s.threshold}, and one alone must: {each}."
    elif not any(x["weight"] for x in shares):
        why = "The ballots cast have no weight."
    else:
        nearest = max(shares, key=lambda x: x["weight"])
        why = f"No proposal reaches {s.threshold}: {_describe_share(c, nearest)}."
    if c.number < s.max_cycles:
        return NEW_CYCLE, f"{why} Cycle {c.number + 1} follows.", ""
    cycles = f"{s.max_cycles} cycle{'s' * (s.max_cycles > 1)}"
    return ESCALATED, f"{why} No consensus in {cycles}, which is the limit.", ""


def _describe_share(c: Cycle, x: Mapping[str, Any]) -> str:
    cast = f"{spell_number(x['weight'])} of {spell_number(find_weight(c.find('ballot')))}"
    if c.settings.votes == "cited":
        cast += f"; {c.agreement(x['proposal'], 'voted for it')}"
    return f"{x['proposal']} has {x['share']} of the weight cast ({cast})"


def tally(c: Cycle) -> Entry:
    """Return the outcome of a cycle: exact shares of the weight cast, and what speaks against it.

    Where votes are plain, as in older debates, it says less.
    """
    s, ballots, shares = c.settings, c.find("ballot"), c.shares()
    result, reason, winner = resolve(c)
    is_cited = s.votes == "cited"
    agreement = c.agreement(winner) if winner else ""
    follows = "another one follows" if result == NEW_CYCLE else "a person decides"
    title = f"No consensus in cycle {c.number}: {follows}"
    if winner and is_cited:
        title = f"Consensus: {winner}; {agreement}"
    elif winner:
        share = next(x["share"] for x in shares if x["proposal"] == winner)
        title = f"Consensus: {winner} with {'all' if share == 1 else share} of the weight"
    unresolved, absences = [*c.unresolved()], c.find("absence")
    missing = [e for e in absences if e.data["how"] != "pass"]
    passed = [e for e in absences if e.data["how"] == "pass" and e.number == len(PHASES)]
    dissent = [e for e in ballots if winner and e.data["vote"] != winner]
    changes = list(_find_changes(c, ballots))
    is_old = all(e.data.get("repeats") for e in c.find("critique", "defence", "revision"))
    data = {
        "title": title,
        "result": result,
        "reason": reason,
        "threshold": s.threshold,
        "quorum": s.ballots_needed,
        "ballots": len(ballots),
        "total_weight": find_weight(ballots),
        "shares": [x | {"share": str(x["share"])} for x in shares],
        "winner": winner,
        "dissent": [e.id for e in dissent],
        "unresolved": [e.id for e, _ in unresolved],
        "absent": [name for name in s.names if name in {e.by for e in missing}],
        "abstained": [e.by for e in passed],
        "no_new_argument": is_old,
        "changed_votes": [change for change, _ in changes],
    }
    if is_cited:
        data |= {"agreement": agreement, "not_voted": [n for n in s.names if n not in c.votes()]}
        data |= {"devils_advocate": c.advocate()} if c.advocate() else {}
    nothing_new = "Nobody made a critique in this cycle: no vote rests on an argument."
    if c.critiques():
        what = "No critique, answer or revision of this cycle"
        nothing_new = f"{what} says anything that was not on record before."
    labels = [phase.removeprefix("awaiting_").replace("_", " ") for phase in PHASES]
    lines = {
        "Reason": [reason],
        "Shares": [
            f"{x['proposal']}: {x['share']} ({x['votes']} vote{'s' * (x['votes'] != 1)}, weight "
            f"{spell_number(x['weight'])})"
            for x in shares
        ],
        "Dissent": [f"{e.id}, for {e.data['vote']}" for e in dissent],
        "Unresolved critiques": [
            f"{e.id} ({e.data['severity']}, of {find_target(e)}): {why}" for e, why in unresolved
        ],
        "Absent": [
            *(f"{e.by}: no reply in the {labels[e.number - 1]}" for e in missing),
            *(f"{e.by}: abstained in the votes" for e in passed),
        ],
        "Changed votes": [line for _, line in changes],
        "New arguments": [nothing_new] * is_old,
    }
    texts = {heading: "\n".join(listed) for heading, listed in lines.items()}
    return Entry("tally", c.number, "outcome", data, texts, JUDGMENTS)


def _find_changes(c: Cycle, ballots: list[Entry]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield who votes for another's proposal than before, with a line for readers.

    Before is its straw vote, its last ballot or, where votes are cited, its own proposal.
    """
    is_cited, earlier = c.settings.votes == "cited", c.votes("straw") or c.before.votes()
    if not earlier and is_cited and c.number == 1:
        earlier = {author(p): p for p in c.proposals}
    new = {e.id for e in c.find(*(REASONS[1:] if c.find("straw") else REASONS))}
    for e in ballots:
        was, vote = earlier.get(e.by, ""), str(e.data["vote"])
        if was and author(was) != author(vote):
            because = [i for i in e.data.get("because") or () if i in new]
            change: dict[str, Any] = {"participant": e.by, "from": was, "to": vote}
            line = f"{e.by}: from {was} to {vote}"
            if is_cited:
                change["because"] = because
                nothing = ", without naming anything new"
                line += f", because of {', '.join(because)}" if because else nothing
            yield change, line
