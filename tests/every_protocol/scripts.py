"""One row per protocol: how its debates are held by a script, and what else differs by protocol.

A script is deterministic: it writes a good reply for any task from the debate, the turn and the
task alone. Every text it writes bears a mark of its own, so that a test can tell who was shown
what.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.turn import Act
from debate_ops.protocols import consensus_cycle as consensus
from debate_ops.protocols.exchange import scores_on_record
from tests.builders import argument, attack, defence, ground, rescore, score

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.entries import Entry
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data


class Variant(NamedTuple):
    """One course of a debate: its settings, its replies, what a person does, and where it ends.

    `act` gives what a person does at a moment instead of a reply; `is_over` tells where the
    script of a protocol without an end of its own ends.
    """

    settings: Mapping[str, Any]
    reply: Callable[[Debate, Turn, Task], Data]
    act: Callable[[Debate], Act | None] = lambda _: None
    is_over: Callable[[Debate], bool] = lambda _: False


class Effect(NamedTuple):
    """A setting's other value, and where it is seen in a script: `prompts`, `turns`, ...

    `name` is the variant; `beside` are settings without which this one has nothing to do.
    """

    value: Any
    seen_in: str
    name: str
    beside: Mapping[str, Any] = {}


class Row(NamedTuple):
    """What the common suite has to know of a protocol, and cannot read from its rules.

    `sees` gives the ids of the entries whose texts a task's prompt holds: all these, and no other.
    `broken` gives a reply that fits its schema and breaks a rule, where there is one. `effects`
    has every setting. `added` are kinds of entries that the rules write by themselves.
    """

    variants: Mapping[str, Variant]
    sees: Callable[[Debate, Turn, Task], Collection[str]]
    broken: Callable[[Debate, Turn, Task], Data | None]
    effects: Mapping[str, Effect]
    added: frozenset[str] = frozenset()


LONG = f"{'many words and no line break ' * 60}{'x' * 1900}"
"""A line that agent clients would cut, and in it a word that is longer than a line."""


def mark(turn: Turn, task: Task, place: int = 0) -> str:
    """Return a word that stands in one text of one reply and nowhere else."""
    return f"zq{turn.step}{task.participant.replace('-', '')}{place}zq"


def named(turn: Turn, task: Task) -> Data:
    """Return whose a reply is and what it answers."""
    return {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}


def entries(debate: Debate, folder: str) -> list[Entry]:
    """Return the entries of a folder of the record, oldest exchange first."""
    found = (debate.record.get(entry_id) for entry_id in debate.record.ids(folder))
    return [entry for entry in found if entry is not None]


# ---------------------------------------------------------------- exchange


def _exchange_reply(debate: Debate, turn: Turn, task: Task, more: str = "") -> Data:
    if task.participant == "judge":
        return _judgment(debate, turn, task)
    naming = {"participant": task.participant, "exchange": turn.exchange}
    if turn.exchange == 0:
        return naming | {"arguments": [_argument(turn, task, n, more) for n in range(3)]}
    other = "opp" if task.participant == "prop" else "prop"
    letter = "a" if turn.exchange == 1 else ""
    last = f"{turn.exchange - 1:03d}{letter}"
    links: Data = {}
    if debate.record.get(f"{other}_{last}"):
        links["attacks"] = [attack(f"{other}_{last}")]
    if debate.record.get(f"{task.participant}_{last}"):
        links["defends"] = [defence(f"{task.participant}_{last}")]
    return naming | {"arguments": [_argument(turn, task, 0, more) | links]}


def _argument(turn: Turn, task: Task, place: int, more: str) -> Data:
    word = mark(turn, task, place)
    return argument(
        title=f"Five words make a {word}",
        claim=f"It is {word}.",
        grounds=[ground(content=word + more)],
    )


def _judgment(debate: Debate, turn: Turn, task: Task) -> Data:
    new = [e.id for e in entries(debate, ARGUMENTS) if e.exchange == turn.exchange]
    both = {i.partition("_")[0] for i in new} == {"prop", "opp"}
    numbers = dict.fromkeys(new, 0.0)
    if both:
        numbers[new[0]], numbers[new[-1]] = 0.25, -0.25
    earlier = scores_on_record(debate.record)
    rescores = [rescore(i, 0.125 + turn.exchange / 10) for i in list(earlier)[:1]]
    why = {"reasoning": mark(turn, task)}
    return {
        "participant": task.participant,
        "exchange": turn.exchange,
        "scores": [score(i, number) | why for i, number in numbers.items()],
        "rescores": rescores,
    }


def _exchange_sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    """Tell that debaters see earlier exchanges, the judge this one too, nobody the judgments."""
    up_to = turn.exchange + (task.participant == "judge")
    return [entry.id for entry in entries(debate, ARGUMENTS) if entry.exchange < up_to]


def _exchange_broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    good = _exchange_reply(debate, turn, task)
    if task.participant == "judge":
        first, *rest = good["scores"]
        return good | {"scores": [first | {"score": 0.001}, *rest]}  # no sum of zero
    if turn.exchange == 0:
        return None
    return good | {"arguments": [good["arguments"][0] | {"attacks": [attack("opp_777")]}]}


def _until_exchange(number: int) -> Callable[[Debate], bool]:
    return lambda debate: debate.state.exchange >= number


EXCHANGE = Row(
    {
        "two exchanges": Variant({}, _exchange_reply, is_over=_until_exchange(3)),
        "long texts": Variant(
            {"history_characters": 3000},
            lambda d, t, k: _exchange_reply(d, t, k, f" {LONG}"),
            is_over=_until_exchange(2),
        ),
    },
    _exchange_sees,
    _exchange_broken,
    {
        "word_limits": Effect("reject", "checks", "long texts", {"history_characters": 90_000}),
        "web_search": Effect("forbidden", "prompts", "two exchanges"),
        "language": Effect("French", "prompts", "two exchanges"),
        "history_characters": Effect(1000, "prompts", "two exchanges"),
    },
)

# ---------------------------------------------------------------- formal


def _formal_reply(_: Debate, turn: Turn, task: Task, more: str = "") -> Data:
    word = mark(turn, task)
    if task.participant == "judge":
        points = {"aff": 27.5, "neg": 26}
        why = f"The better answers, {word}.{more}"
        return named(turn, task) | {"winner": "aff", "reasons": why, "speaker_points": points}
    reply = named(turn, task) | {"text": f"One speech, {word}.{more}"}
    if task.schema == "formal-question":
        return reply
    return reply | {"citations": [{"source": "A report", "detail": f"page {turn.step}"}]}


_FORMAL_SEES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "awaiting_preparation": ((), ()),
    "awaiting_openings": (("preparation",), ()),
    "awaiting_rebuttals": (("preparation",), ("opening",)),
    "awaiting_questions": (("preparation", "question"), ("opening", "rebuttal", "answer")),
    "awaiting_answers": (("preparation",), ("opening", "rebuttal")),
    "awaiting_closings": (
        ("preparation", "opening", "rebuttal", "question", "answer"),
        ("opening", "rebuttal", "question", "answer"),
    ),
    "awaiting_ballot": ((), ("opening", "rebuttal", "question", "answer", "closing")),
}
"""Phase to the kinds of entries that one sees: of its own, and of the others."""


def _formal_sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    own, others = _FORMAL_SEES[turn.phase]
    seen = []
    for entry in entries(debate, ARGUMENTS):
        kinds = own if entry.participant == task.participant else others
        now = entry.exchange == turn.exchange
        asked = turn.phase == "awaiting_answers" and now and entry.kind == "question"
        if (entry.kind in kinds and not now) or (asked and entry.participant != task.participant):
            seen.append(entry.id)
    return seen


def _formal_broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    if task.participant != "judge":
        return None
    good = _formal_reply(debate, turn, task)
    return good | {"speaker_points": {"aff": 27.25, "neg": 26}}


_SATIRE = {
    "civility": 1,
    "manner": 9,
    "research_depth": 5,
    "rhetoric": 9,
    "tactics": ["red_herring"],
}

FORMAL = Row(
    {
        "two pairs and a judge": Variant(
            {"cross_exam_questions": 2, "judge": "one"}, _formal_reply
        ),
        "no questions, no judge": Variant(
            {"cross_exam_questions": 0, "preparation_time": 60, "time_limit": 30}, _formal_reply
        ),
        "cut": Variant(
            {"cross_exam_questions": 1, "word_limit": 8, "word_limits": "cut", "judge": "one"},
            lambda d, t, k: _formal_reply(d, t, k, f" And {'more ' * 20}."),
        ),
        "long texts": Variant(
            {"cross_exam_questions": 1, "judge": "one", "negative": _SATIRE},
            lambda d, t, k: _formal_reply(d, t, k, f"\n\n{LONG}"),
        ),
    },
    _formal_sees,
    _formal_broken,
    {
        "cross_exam_questions": Effect(1, "turns", "two pairs and a judge"),
        "word_limit": Effect(20, "checks", "long texts"),
        "word_limits": Effect("reject", "checks", "cut"),
        "time_limit": Effect(30, "turns", "two pairs and a judge"),
        "preparation_time": Effect(60, "turns", "two pairs and a judge"),
        "show_preparation": Effect("no", "transcript", "two pairs and a judge"),
        "judge": Effect("one", "turns", "no questions, no judge"),
        "affirmative": Effect(_SATIRE, "prompts", "two pairs and a judge"),
        "negative": Effect("random:7", "prompts", "two pairs and a judge"),
        "web_search": Effect("forbidden", "prompts", "two pairs and a judge"),
        "language": Effect("French", "prompts", "two pairs and a judge"),
        "history_characters": Effect(1000, "prompts", "long texts"),
    },
)

# ---------------------------------------------------------------- consensus


class _Plan(NamedTuple):
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

    plan: _Plan
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


def _consensus_reply(debate: Debate, turn: Turn, task: Task, plan: _Plan) -> Data:
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
    given = at.plan.critiques.get(at.me, ())
    there = [(at.cycle.proposal_of(author), severity) for author, severity in given]
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
    asked = consensus.to_review(at.cycle, at.me)
    return {
        "reviews": [
            {"critique_id": critique.id, "verdict": verdict, "reason": at.text(place)}
            for place, critique in enumerate(asked)
        ]
    }


def _vote(at: _At) -> Data:
    if at.turn.phase == consensus.STRAW_VOTES:
        possible, wanted = at.cycle.of(consensus.PROPOSAL), at.me
    else:
        votes = at.plan.votes[min(at.turn.exchange, len(at.plan.votes)) - 1]
        possible, wanted = at.cycle.candidates(), votes.get(at.me, votes.get("all", "ann"))
    if wanted == "nobody":
        return {"vote": None, "justification": at.text(5)}
    allowed = consensus.choices(possible, at.settings, at.me)
    own = at.cycle.proposal_of(wanted)
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


def _of(found: list[Entry], *kinds: str) -> list[Entry]:
    return [entry for entry in found if entry.kind in kinds]


def _target(critique: Entry) -> str:
    return str(critique.header["attacks"][0]["target_id"])


def _texts(found: list[Entry]) -> set[str]:
    """Return what is shown of proposals: a revision in place of what it says anew."""
    whole = {
        e.header["revises"] for e in _of(found, "revision") if "keeps_reasoning" not in e.header
    }
    return {e.id for e in _of(found, "proposal", "revision")} - whole


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
    return _consensus_reply(debate, turn, task, _Plan()) | changes[turn.phase]


def _nothing(_: Debate) -> Act | None:
    return None


_Acting = Callable[["Debate"], "Act | None"]


def _consensus(settings: Mapping[str, Any], plan: _Plan, **acts: _Acting) -> Variant:
    """Return a variant with what a person does, by the phase in which it is done."""
    return Variant(
        settings,
        lambda debate, turn, task: _consensus_reply(debate, turn, task, plan),
        lambda debate: acts.get(debate.state.phase, _nothing)(debate),
    )


def _decided(debate: Debate) -> Act:
    """Decide for the last proposal, or in words where there is none."""
    proposals = [i for i in debate.record.ids(ARGUMENTS) if i.endswith("-proposal")]
    given = {"proposal": proposals[-1], "text": ""} if proposals else _IN_WORDS.given
    return Act("decide", {**given, "reason": "The cheapest."})


_FIVE = [
    {"name": "ann", "role": "architect"},
    {"name": "ben", "role": "expert", "perspective": "Keeps the costs low."},
    {"name": "cara-lee"},
    {"name": "dan"},
    {"name": "eve2"},
]
_MINDED = _Plan(
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
_SPLIT = _Plan(votes=({"ann": "ann", "ben": "ben", "cara": "cara"},))
_BLOCKED = _Plan(
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

CONSENSUS = Row(
    {
        "five, all phases, two cycles": _consensus(
            {"participants": _FIVE, "straw_poll": "yes", "critic_confirms": "yes"}, _MINDED
        ),
        "three, at once": _consensus({"participants": _THREE}, _Plan()),
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
        "straw_poll": Effect("yes", "turns", "three, at once"),
        "phase_seconds": Effect(60, "turns", "three, at once"),
        "word_limits": Effect("reject", "checks", "long texts"),
        "web_search": Effect("forbidden", "prompts", "three, at once"),
        "language": Effect("French", "prompts", "three, at once"),
        "history_characters": Effect(1000, "prompts", "five, all phases, two cycles"),
    },
    frozenset({"outcome", "escalation", "decision", "cancellation"}),
)

ROWS: Mapping[str, Row] = {"exchange": EXCHANGE, "formal": FORMAL, "consensus": CONSENSUS}
"""Every protocol of the table."""
