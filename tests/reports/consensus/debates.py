"""Searches for consensus run through the engine: small and large, agreed, escalated, half-way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.storage.folder import Folder
from tests.every_protocol.scripts import consensus
from tests.reports.held import Reply, run_debate

MOTION = "Which database does the shop use for its orders?"
NAMES = ("ann", "ben", "cara", "dan", "eve")


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

    def scripted(self) -> consensus.Plan:
        """Return it as the script of the protocol has it."""
        return consensus.Plan(
            {c: tuple(each[1:] for each in self.critiques if each[0] == c) for c in NAMES},
            frozenset(self.silent),
            dict.fromkeys(self.revising, False),
            frozenset(self.maintaining),
            ({"all": "nobody"} | {who: for_ or "nobody" for who, for_ in self.votes.items()},),
        )


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
        reply = consensus.reply_of(debate, turn, task, plan.scripted())
        for critique in reply.get("critiques", ()):
            critique["criticism"] = "It does not say what happens when the store is full."
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
