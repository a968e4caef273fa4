"""Searches for consensus run through the engine: small and large, agreed, escalated, half-way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.protocols.consensus.cycle import of_record
from debate_ops.storage.folder import Folder
from tests.reports.held import Reply, run_debate

MOTION = "Which database does the shop use for its orders?"
NAMES = ("ann", "ben", "cara", "dan", "eve")
TITLES = ("One Postgres for everything", "Postgres with a read replica", "A queue and two stores")


class Plan(NamedTuple):
    """What everybody does, by cycle: who votes for whom, who criticises whom and how gravely.

    `votes` name an author for each voter, or nobody for an abstention, also in a straw poll;
    `critiques` are (critic, author, severity); `silent` are authors that answer nothing,
    `revising` those that change their proposal, `maintaining` critics that are not content with
    an answer.
    """

    votes: Mapping[str, str] = {}
    critiques: Sequence[tuple[str, str, str]] = ()
    silent: Sequence[str] = ()
    revising: Sequence[str] = ()
    maintaining: Sequence[str] = ()


def _reply(debate: Debate, turn: Turn, task: Task, plan: Plan) -> dict[str, Any]:
    me, proposal = task.participant, f"_{turn.exchange:03d}-proposal"
    if task.template in {"proposal", "proposal-again"}:
        place = NAMES.index(me) if me in NAMES else 0
        before = f"{me}_{turn.exchange - 1:03d}-proposal"
        return {
            "title": f"{TITLES[place % len(TITLES)]} ({me})",
            "solution": f"{me} would keep orders in one place.\n\n"
            f"In cycle {turn.exchange}, that is the simplest thing that works.",
            "reasoning": "One store has one backup, one failure and one bill.",
            "confidence": 0.7,
        } | ({"builds_on": [before]} if debate.record.get(before) else {})
    if task.template == "critique":
        critiques = [
            {
                "proposal_id": f"{author}{proposal}",
                "severity": severity,
                "criticism": f"{author} does not say what happens when the store is full.",
                "suggested_fix": "Say it." if severity != "minor" else "",
            }
            for critic, author, severity in plan.critiques
            if critic == me and debate.record.get(f"{author}{proposal}")
        ]
        return {"critiques": critiques}
    if task.template == "defence":
        if me in plan.silent:
            return {"defences": [], "pass_reason": "I have nothing to add."}
        revision = {"solution": "As before, and old orders move out every night."}
        defences = [{"text": "It is never full: old orders move out."}]
        return {"defences": defences} | ({"revision": revision} if me in plan.revising else {})
    if task.template == "review":
        cycle = of_record(debate.record, turn.exchange)
        answered = cycle.answered()
        own = (c.id for c in cycle.critiques(critic=me) if c.severity == "blocking")
        verdict = {"verdict": "maintain" if me in plan.maintaining else "accept"}
        verdict["reason"] = "That is what I think."
        return {"reviews": [{"critique_id": i} | verdict for i in own if i in answered]}
    vote = f"{plan.votes[me]}{proposal}" if plan.votes.get(me) else None
    return {"vote": vote, "justification": f"{me} found it the best supported."}


def everybody_for(author: str, number: int, *others: tuple[str, str]) -> dict[str, str]:
    """Return votes of so many participants for one author, some of them changed."""
    return dict.fromkeys(NAMES[:number], author) | dict(others)


def search(
    *plans: Plan, participants: int | str = 3, turns: int | None = None, **settings: Any
) -> Folder:
    """Return a search for consensus that ran to its end, or until a person has to act.

    The last plan also holds for every later cycle.
    """

    def script(debate: Debate, turn: Turn, task: Task) -> Reply:
        plan = plans[min(turn.exchange, len(plans)) - 1] if plans else Plan()
        reply: Reply = _reply(debate, turn, task, plan)
        return reply

    who = ",".join(NAMES[:participants]) if isinstance(participants, int) else participants
    return run_debate(
        "consensus",
        script,
        slug=settings.pop("slug", "x-debate"),
        framing=Framing(settings.pop("motion", MOTION)),
        settings={"participants": who} | settings,
        turns=turns,
    )


AGREED = Plan(
    votes=everybody_for("ben", 5, ("eve", "cara"), ("dan", "")),
    critiques=(
        ("ann", "ben", "blocking"),
        ("ann", "cara", "minor"),
        ("cara", "ben", "major"),
        ("cara", "ann", "major"),
        ("dan", "ann", "minor"),
        ("dan", "ann", "blocking"),
    ),
    revising=("ben",),
    silent=("ann",),
)
"""Five participants agree on ben's revised proposal; eve dissents, dan abstains, ann is barred."""

SPLIT = Plan(
    votes={"ann": "ann", "ben": "ben", "cara": "cara"},
    critiques=(("ann", "ben", "major"), ("cara", "ben", "minor")),
)
"""Three participants vote for three proposals."""
