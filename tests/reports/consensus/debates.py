"""Searches for consensus held through the engine: small and large, agreed, escalated, half-way."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.protocols.consensus.cycle import of_record
from debate_ops.storage.folder import Folder
from tests.builders import record_of
from tests.reports.held import Reply, held

MOTION = "Which database does the shop use for its orders?"
NAMES: tuple[str, ...] = (
    *("ann", "ben", "cara", "dan", "eve", "finn", "gail", "hugo", "ida", "jon", "kim", "leo"),
    *("mia", "ned", "ola", "pia", "quin", "rob", "sue", "tom", "uma", "vic", "wes", "xena"),
    *("yan", "zoe"),
)
TITLES = ("One Postgres for everything", "Postgres with a read replica", "A queue and two stores")
SEVERITIES = ("minor", "major", "blocking")


class Plan(NamedTuple):
    """What everybody does, by cycle: who votes for whom, who criticises whom and how gravely.

    `votes` and `straw` name an author for each voter, or nobody for an abstention; `critiques` are
    (critic, author, severity); `silent` are authors that answer nothing, `revising` those that
    change their proposal, `maintaining` critics that are not content with an answer; `absent` are
    (participant, template) that are skipped. `texts` replaces every text.
    """

    votes: Mapping[str, str] = {}
    straw: Mapping[str, str] = {}
    critiques: Sequence[tuple[str, str, str]] = ()
    silent: Sequence[str] = ()
    revising: Sequence[str] = ()
    maintaining: Sequence[str] = ()
    absent: Sequence[tuple[str, str]] = ()
    texts: str = ""


class Scripted:
    """Replies as the plans of the cycles say; the last plan also holds for every later cycle."""

    def __init__(self, *plans: Plan) -> None:
        self._plans = plans

    def __call__(self, debate: Debate, turn: Turn, task: Task) -> Reply:
        plan = self._plans[min(turn.exchange, len(self._plans)) - 1]
        if (task.participant, task.template) in plan.absent:
            return None
        write = getattr(self, f"_{task.template.replace('-', '_')}")
        reply: dict[str, Any] = write(debate, turn, task, plan)
        told: dict[str, Any] = _with_text(reply, plan.texts) if plan.texts else reply
        return told

    def _proposal(self, _: Debate, turn: Turn, task: Task, __: Plan) -> dict[str, Any]:
        place = NAMES.index(task.participant) if task.participant in NAMES else 0
        return {
            "title": f"{TITLES[place % len(TITLES)]} ({task.participant})",
            "solution": f"{task.participant} would keep orders in one place.\n\nIn cycle "
            f"{turn.exchange}, that is the simplest thing that works.",
            "reasoning": "One store has one backup, one failure and one bill.",
            "confidence": 0.7,
        }

    def _proposal_again(self, debate: Debate, turn: Turn, task: Task, plan: Plan) -> dict[str, Any]:
        before = f"{task.participant}_{turn.exchange - 1:03d}-proposal"
        built = [before] if debate.record.get(before) else []
        return self._proposal(debate, turn, task, plan) | {"builds_on": built}

    def _critique(self, debate: Debate, turn: Turn, task: Task, plan: Plan) -> dict[str, Any]:
        own = [c for c in plan.critiques if c[0] == task.participant]
        return {
            "critiques": [
                {
                    "proposal_id": f"{author}_{turn.exchange:03d}-proposal",
                    "severity": severity,
                    "criticism": f"{author} does not say what happens when the store is full.",
                    "suggested_fix": "Say it." if severity != "minor" else "",
                }
                for _, author, severity in own
                if debate.record.get(f"{author}_{turn.exchange:03d}-proposal")
            ]
        }

    def _defence(self, _: Debate, __: Turn, task: Task, plan: Plan) -> dict[str, Any]:
        if task.participant in plan.silent:
            return {"defences": [], "pass_reason": "I have nothing to add."}
        told: dict[str, Any] = {"defences": [{"text": "It is never full: old orders move out."}]}
        if task.participant in plan.revising:
            told["revision"] = {"solution": "As before, and old orders move out every night."}
        return told

    def _review(self, debate: Debate, turn: Turn, task: Task, plan: Plan) -> dict[str, Any]:
        cycle = of_record(debate.record, turn.exchange)
        own = [c for c in cycle.critiques(critic=task.participant) if c.severity == "blocking"]
        verdict = "maintain" if task.participant in plan.maintaining else "accept"
        answered = cycle.answered()
        return {
            "reviews": [
                {"critique_id": c.id, "verdict": verdict, "reason": "That is what I think."}
                for c in own
                if c.id in answered
            ]
        }

    def _straw_vote(self, debate: Debate, turn: Turn, task: Task, plan: Plan) -> dict[str, Any]:
        return _voted(debate, turn, task, plan.straw)

    def _vote(self, debate: Debate, turn: Turn, task: Task, plan: Plan) -> dict[str, Any]:
        return _voted(debate, turn, task, plan.votes)


def _voted(_: Debate, turn: Turn, task: Task, votes: Mapping[str, str]) -> dict[str, Any]:
    author = votes.get(task.participant, "")
    vote = f"{author}_{turn.exchange:03d}-proposal" if author else None
    return {"vote": vote, "justification": f"{task.participant} found it the best supported."}


def _with_text(reply: Any, text: str) -> Any:
    """Return a reply all of whose free texts are replaced."""
    free = {"title", "solution", "reasoning", "criticism", "suggested_fix", "text"}
    free |= {"justification", "reason", "pass_reason"}
    if isinstance(reply, dict):
        return {
            key: text if key in free and isinstance(item, str) else _with_text(item, text)
            for key, item in reply.items()
        }
    return [_with_text(item, text) for item in reply] if isinstance(reply, list) else reply


def everybody_for(author: str, number: int, *others: tuple[str, str]) -> dict[str, str]:
    """Return votes of so many participants for one author, some of them changed."""
    return dict.fromkeys(NAMES[:number], author) | dict(others)


def pairs(number: int, every: int = 1) -> list[tuple[str, str, str]]:
    """Return a critique of everybody by everybody else, or of some, of all severities."""
    names = NAMES[:number]
    return [
        (critic, author, SEVERITIES[(i * 7 + j * 3) % 11 % 3])
        for i, critic in enumerate(names)
        for j, author in enumerate(names)
        if critic != author and (i + 2 * j) % every == 0
    ]


def search(
    *plans: Plan, participants: int | str = 3, turns: int | None = None, **settings: Any
) -> Folder:
    """Return a search for consensus held to its end, or until a person is awaited."""
    who = ",".join(NAMES[:participants]) if isinstance(participants, int) else participants
    return held(
        "consensus",
        Scripted(*(plans or (Plan(),))),
        slug=settings.pop("slug", "x-debate"),
        framing=Framing(settings.pop("motion", MOTION)),
        settings={"participants": who} | settings,
        turns=turns,
    )


def large(number: int) -> Folder:
    """Return a search with some 130 critiques at most; held once, then copied."""
    folder = Folder("debates/x-debate")
    for name, data in _large(number).items():
        path = Path(folder.path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@cache
def _large(number: int) -> dict[str, bytes]:
    critiques = pairs(number, 5 if number > 12 else 1)
    plan = Plan(everybody_for("ann", number), critiques=critiques, silent=("ben",))
    with TemporaryDirectory() as apart, contextlib.chdir(apart):
        return record_of(search(plan, participants=number, max_cycles=1))


AGREED = Plan(
    votes=everybody_for("ben", 5, ("eve", "cara"), ("dan", "")),
    straw=everybody_for("ann", 5, ("eve", "cara")),
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
