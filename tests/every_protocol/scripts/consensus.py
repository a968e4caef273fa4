"""The protocol `consensus`, held by a script."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.turn import Act
from debate_ops.protocols.consensus import cycle as consensus
from tests.every_protocol.scripts.row import LONG, Effect, Row, Variant, entries, mark, named

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.entries import Entry
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data


class Plan(NamedTuple):
    """What the participants of a consensus have in mind.

    `critiques` gives each critic's (author, severity); `silent` authors answer nobody, `revise`
    tells whose revision gives its reasons anew, or does not; `maintain` are critics whom no answer
    contents; `votes` are the authors voted for by cycle, of whom the last list goes on for ever.
    """

    critiques: Mapping[str, tuple[tuple[str, str], ...]] = {}
    silent: frozenset[str] = frozenset()
    revise: Mapping[str, bool] = {}
    maintain: frozenset[str] = frozenset()
    votes: tuple[Mapping[str, str], ...] = ({},)
    more: str = ""


class _At(NamedTuple):
    """A task of a consensus, and the cycle it is in."""

    plan: Plan
    cycle: consensus.Cycle
    turn: Turn
    task: Task
    settings: Mapping[str, Any]
    earlier: str
    """The id of the participant's own proposal of the cycle before, if it made one."""

    @property
    def me(self) -> str:
        return self.task.participant

    def text(self, place: int = 0) -> str:
        return f"It is {mark(self.turn, self.task, place)}.{self.plan.more}"


def reply_of(debate: Debate, turn: Turn, task: Task, plan: Plan) -> Data:
    cycle = consensus.of_record(debate.record, turn.exchange)
    last = consensus.of_record(debate.record, turn.exchange - 1)
    earlier = last.proposal_of(task.participant)
    at = _At(plan, cycle, turn, task, debate.settings, earlier)
    return named(turn, task) | _CONSENSUS_REPLIES[turn.phase](at)


def _proposal(at: _At) -> Data:
    reply = {
        "title": f"The way of {at.me}",
        "solution": at.text(0),
        "reasoning": at.text(1),
        "confidence": 0.75,
    }
    return reply | ({"builds_on": [at.earlier]} if at.earlier else {})


def _critiques(at: _At) -> Data:
    value = at.plan.critiques.get(at.me, ())
    there = [(at.cycle.proposal_of(author), severity) for author, severity in value]
    listed = [
        {"proposal_id": proposal, "severity": severity, "criticism": at.text(place)}
        | ({"suggested_fix": "Mend it."} if severity == "major" else {})
        for place, (proposal, severity) in enumerate(there)
        if proposal
    ]
    return {"critiques": listed} | ({} if listed else {"pass_reason": at.text(8)})


def _defences(at: _At) -> Data:
    if at.me in at.plan.silent:
        return {"defences": [], "revision": None, "pass_reason": at.text(8)}
    asked = at.cycle.critiques(at.cycle.proposal_of(at.me))
    defences = [
        {"critique_id": critique.id, "text": at.text(place)} for place, critique in enumerate(asked)
    ]
    if at.me not in at.plan.revise or at.settings["revisions"] == "forbidden":
        return {"defences": defences, "revision": None}
    reasons = {"reasoning": at.text(7)} if at.plan.revise[at.me] else {}
    return {"defences": defences, "revision": {"solution": at.text(9)} | reasons}


def _reviews(at: _At) -> Data:
    verdict = "maintain" if at.me in at.plan.maintain else "accept"
    asked = at.cycle.to_review(at.me)
    return {
        "reviews": [
            {"critique_id": critique.id, "verdict": verdict, "reason": at.text(place)}
            for place, critique in enumerate(asked)
        ]
    }


def _vote(at: _At) -> Data:
    if at.turn.phase == consensus.STRAW_VOTES:
        possible, expected = at.cycle.of(consensus.PROPOSAL), at.me
    else:
        votes = at.plan.votes[min(at.turn.exchange, len(at.plan.votes)) - 1]
        possible, expected = at.cycle.candidates(), votes.get(at.me, votes.get("all", "ann"))
    if expected == "nobody":
        return {"vote": None, "justification": at.text(5)}
    allowed = consensus.choices(possible, at.settings, at.me)
    own = at.cycle.proposal_of(expected)
    return {"vote": own if own in allowed else allowed[0], "justification": at.text(5)}


_CONSENSUS_REPLIES: Mapping[str, Callable[[_At], Data]] = {
    consensus.PROPOSALS: _proposal,
    consensus.STRAW_VOTES: _vote,
    consensus.CRITIQUES: _critiques,
    consensus.DEFENCES: _defences,
    consensus.REVIEWS: _reviews,
    consensus.VOTES: _vote,
}


def _consensus_sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    """Tell who sees what, from the headers alone."""
    every = [*entries(debate, ARGUMENTS), *entries(debate, JUDGMENTS)]
    now = [entry for entry in every if entry.exchange == turn.exchange]
    last = [entry for entry in every if entry.exchange == turn.exchange - 1]
    return _CONSENSUS_SEES[turn.phase](now, last, task.participant)


def _of(actual: list[Entry], *kinds: str) -> list[Entry]:
    return [entry for entry in actual if entry.kind in kinds]


def _target(critique: Entry) -> str:
    return str(critique.header["attacks"][0]["target_id"])


def _texts(actual: list[Entry]) -> set[str]:
    """Return what is shown of proposals: a revision in place of what it says anew."""
    whole = {
        e.header["revises"] for e in _of(actual, "revision") if "keeps_reasoning" not in e.header
    }
    return {e.id for e in _of(actual, "proposal", "revision")} - whole


def _sees_last_cycle(_: list[Entry], last: list[Entry], me: str) -> set[str]:
    own = {e.id for e in _of(last, "critique") if _target(e).startswith(f"{me}_")}
    return _texts(last) | own | {e.id for e in _of(last, "ballot")}


def _sees_proposals(now: list[Entry], _: list[Entry], me: str) -> set[str]:  # noqa: ARG001
    return {e.id for e in _of(now, "proposal")}


def _sees_others(now: list[Entry], _: list[Entry], me: str) -> set[str]:
    return {e.id for e in _of(now, "proposal") if e.participant != me}


def _sees_own(now: list[Entry], _: list[Entry], me: str) -> set[str]:
    own = f"{me}_{now[0].exchange:03d}-proposal"
    return {own} | {e.id for e in _of(now, "critique") if _target(e) == own}


def _sees_answers(now: list[Entry], _: list[Entry], me: str) -> set[str]:
    answers = {e.header["answers"]: e.id for e in _of(now, "defence")}
    mine = [e for e in _of(now, "critique") if e.participant == me and e.id in answers]
    mine = [e for e in mine if e.header["severity"] == "blocking"]
    texts = {e.id for e in _of(now, "proposal", "revision") if e.id in _texts(now)}
    about = {_target(e).partition("_")[0] for e in mine}
    shown = {i for i in texts if i.partition("_")[0] in about}
    return {e.id for e in mine} | {answers[e.id] for e in mine} | shown


def _sees_candidates(now: list[Entry], _: list[Entry], me: str) -> set[str]:  # noqa: ARG001
    answered = {e.header["answers"] for e in _of(now, "defence")}
    maintained = {
        e.header["critique"] for e in _of(now, "review") if e.header["verdict"] == "maintain"
    }
    blocking = [e for e in _of(now, "critique") if e.header["severity"] == "blocking"]
    barred = {_target(e) for e in blocking if e.id not in answered or e.id in maintained}
    out = {i.partition("_")[0] for i in barred}
    critiques = {e.id for e in _of(now, "critique") if _target(e) not in barred}
    answers = {e.id for e in _of(now, "defence") if e.header["answers"] in critiques}
    reviews = {e.id for e in _of(now, "review") if e.header["critique"] in critiques}
    texts = {i for i in _texts(now) if i.partition("_")[0] not in out}
    return texts | critiques | answers | reviews


_CONSENSUS_SEES: Mapping[str, Callable[[list[Entry], list[Entry], str], set[str]]] = {
    "awaiting_proposals": _sees_last_cycle,
    "awaiting_straw_votes": _sees_proposals,
    "awaiting_critiques": _sees_others,
    "awaiting_defences": _sees_own,
    "awaiting_reviews": _sees_answers,
    "awaiting_votes": _sees_candidates,
}


def _consensus_broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    me, cycle = task.participant, consensus.of_record(debate.record, turn.exchange)
    own = {"proposal_id": cycle.proposal_of(me), "severity": "minor", "criticism": "Mine."}
    changes: Mapping[str, Data] = {
        consensus.PROPOSALS: {"confidence": 0.12345},
        consensus.STRAW_VOTES: {"vote": "nobody_001-proposal"},
        consensus.CRITIQUES: {"critiques": [own]},
        consensus.DEFENCES: {"defences": [{"critique_id": f"{me}_777-critique-1", "text": "No."}]},
        consensus.REVIEWS: {"reviews": []},
        consensus.VOTES: {"vote": "nobody_001-proposal"},
    }
    return reply_of(debate, turn, task, Plan()) | changes[turn.phase]


def _nothing(_: Debate) -> Act | None:
    return None


_Acting = Callable[["Debate"], "Act | None"]


def _consensus(settings: Mapping[str, Any], plan: Plan, **acts: _Acting) -> Variant:
    """Return a variant with what a person does, by the phase in which it is done."""
    return Variant(
        settings,
        lambda debate, turn, task: reply_of(debate, turn, task, plan),
        lambda debate: acts.get(debate.state.phase, _nothing)(debate),
    )


def _decided(debate: Debate) -> Act:
    """Decide for the last proposal, or in words where there is none."""
    proposals = [i for i in debate.record.ids(ARGUMENTS) if i.endswith("-proposal")]
    value = {"proposal": proposals[-1], "text": ""} if proposals else _IN_WORDS.values
    return Act("decide", {**value, "reason": "The cheapest."})


_FIVE = [
    {"name": "ann", "role": "architect"},
    {"name": "ben", "role": "expert", "perspective": "Keeps the costs low."},
    {"name": "cara-lee"},
    {"name": "dan"},
    {"name": "eve2"},
]
_MINDED = Plan(
    critiques={
        "ann": (("ben", "blocking"), ("cara-lee", "minor")),
        "ben": (("ann", "major"),),
        "cara-lee": (("dan", "blocking"),),
        "eve2": (("eve", "minor"), ("ann", "minor"), ("ben", "major")),
    },
    revise={"ann": True, "cara-lee": False},
    maintain=frozenset({"cara-lee"}),
    votes=(
        {"ann": "ann", "ben": "ben", "cara-lee": "cara-lee", "dan": "ben", "eve2": "eve2"},
        {"all": "ann", "dan": "eve2", "eve2": "nobody"},
    ),
)
_SPLIT = Plan(votes=({"ann": "ann", "ben": "ben", "cara": "cara"},))
_BLOCKED = Plan(
    critiques={
        "ann": (("ben", "blocking"),),
        "ben": (("cara", "blocking"),),
        "cara": (("ann", "blocking"),),
    },
    silent=frozenset({"ann", "ben", "cara"}),
)
_THREE = "ann,ben,cara"
_IN_WORDS = Act("decide", {"proposal": "", "text": "Neither.", "reason": "All are blocked."})
_ESCALATED = Act("escalate", {"reason": "It is urgent."}, "the chair")
_CANCELLED = Act("cancel", {"reason": "The question is gone."})

ROW = Row(
    {
        "five, all phases, two cycles": _consensus(
            {"participants": _FIVE, "straw_poll": "yes", "critic_confirms": "yes"}, _MINDED
        ),
        "three, at once": _consensus({"participants": _THREE}, Plan()),
        "escalated, decided": _consensus(
            {"participants": _THREE, "max_cycles": 1}, _SPLIT, awaiting_decision=_decided
        ),
        "all blocked, decided in words": _consensus(
            {"participants": _THREE}, _BLOCKED, awaiting_decision=lambda _: _IN_WORDS
        ),
        "escalated by a person, cancelled": _consensus(
            {"participants": _THREE},
            _SPLIT,
            awaiting_critiques=lambda _: _ESCALATED,
            awaiting_decision=lambda _: _CANCELLED,
        ),
        "strict": _consensus(
            {"participants": _THREE, "self_votes": "forbidden", "revisions": "forbidden"}
            | {"word_limits": "reject", "threshold": "0.67", "quorum": 3, "phase_seconds": 600}
            | {"straw_poll": "yes", "max_cycles": 2},
            _BLOCKED._replace(silent=frozenset(), revise={"ann": True}),
        ),
        "long texts": _consensus(
            {"participants": _THREE, "max_cycles": 2, "critic_confirms": "yes"},
            _BLOCKED._replace(silent=frozenset({"cara"}), revise={"ann": False}, more=f" {LONG}"),
        ),
    },
    _consensus_sees,
    _consensus_broken,
    {
        "participants": Effect("ann,ben,cara,dan", "turns", "three, at once"),
        "weights": Effect({"member": 3}, "entries", "three, at once"),
        "threshold": Effect("1", "states", "five, all phases, two cycles"),
        "quorum": Effect(5, "states", "five, all phases, two cycles"),
        "max_cycles": Effect(1, "states", "five, all phases, two cycles"),
        "self_votes": Effect("forbidden", "entries", "three, at once"),
        "revisions": Effect("forbidden", "entries", "five, all phases, two cycles"),
        "critic_confirms": Effect("yes", "turns", "long texts", {"critic_confirms": "no"}),
        "devils_advocate": Effect("rotation", "prompts", "three, at once"),
        "votes": Effect("cited", "entries", "five, all phases, two cycles"),
        "straw_poll": Effect("yes", "turns", "three, at once"),
        "phase_seconds": Effect(60, "turns", "three, at once"),
        "word_limits": Effect("reject", "checks", "long texts"),
        "web_search": Effect("forbidden", "prompts", "three, at once"),
        "language": Effect("French", "prompts", "three, at once"),
        "first_answer": Effect("on", "entries", "three, at once"),
        "panel": Effect(3, "calls", "three, at once"),
        "history_characters": Effect(1000, "prompts", "five, all phases, two cycles"),
    },
    frozenset({"outcome", "escalation", "decision", "cancellation"}),
)
