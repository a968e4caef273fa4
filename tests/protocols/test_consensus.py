"""The protocol `consensus`, beside what its courses hold: votes, blocks, what is new, decisions."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops import engine
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Replayed
from debate_ops.core.texts import LINE
from debate_ops.core.values import Debate, Entry
from debate_ops.protocols.consensus import Consensus, Settings
from debate_ops.protocols.consensus_tally import PHASES, Cycle, tally
from debate_ops.report.verdict import find_verdict
from tests.builders import events_of
from tests.protocols.stage import Data, Stage, act, audit, list_asked

PROPOSALS, STRAW, CRITIQUES, DEFENCES, _, VOTES = PHASES
DECISION = "awaiting_decision"
REACHED = "consensus_reached"
P, Q, R = (f"{name}_001-proposal" for name in ("ann", "ben", "cara"))


def critique(of: str, severity: str = "minor", text: str = "No.", **more: Any) -> Data:
    return {"proposal_id": of, "severity": severity, "criticism": text} | more


def criticise(*listed: Data, **more: Any) -> Data:
    return {"critiques": list(listed)} | more


def defend(text: str = "Yes.", **more: Any) -> Data:
    return {"defences": [{"text": text}]} | more


def vote(for_: str | None, *because: str) -> Data:
    return {"vote": for_, "justification": "Because."} | ({"because": because} if because else {})


def give(at: Replayed, by: str) -> Data:
    """Return the usual reply: all criticise nothing and vote for the first that they can."""
    c, phase = Cycle(at.debate, at.place.round), at.place.phase
    if phase in {STRAW, VOTES}:
        return vote(c.choices(by, phase)[0])
    usual: dict[str, Data] = {
        PROPOSALS: {"title": "A way", "solution": "Do.", "reasoning": "So.", "confidence": 1},
        CRITIQUES: criticise(),
        DEFENCES: defend(),
    }
    return usual[phase]


OLD: Data = {"critic_confirms": "no", "votes": "plain"}
STAGE = Stage("consensus", give, participants="ann,ben:expert,cara", **OLD)
CITED: Data = {"votes": "cited"}


def go_on(debate: Replayed, phase: str, cycle: int = 1) -> Replayed:
    """Return a debate at a later phase; the votes until then bring no consensus."""
    while (debate.place.round, debate.place.phase) != (cycle, phase):
        is_vote = debate.place.phase == VOTES
        STAGE.hold(debate, **{name: vote(None) for name in list_asked(debate) if is_vote})
    return debate


def at(phase: str, cycle: int = 1, **chosen: Any) -> Replayed:
    return go_on(STAGE.begin(**chosen), phase, cycle)


def criticised(severity: str = "blocking", **chosen: Any) -> Replayed:
    """Return a debate in which ben's proposal has one critique by ann, two by cara."""
    return STAGE.hold(
        at(CRITIQUES, **chosen),
        ann=criticise(critique(Q, severity)),
        cara=criticise(critique(Q, severity), critique(Q, "minor", "Nor that.")),
    )


def outcome(debate: Replayed, cycle: int = 1) -> Mapping[str, Any]:
    return debate.debate.entries[f"tally_{cycle:03d}-outcome"].data


def barred(debate: Replayed) -> dict[str, list[str]]:
    return Cycle(debate.debate, 1).barred()


def header(debate: Replayed, entry_id: str) -> Mapping[str, Any]:
    return debate.debate.entries[entry_id].data


# Courses: by row settings, the votes of each cycle by author, and where it ends.

TWO: Data = {"participants": "ann,ben"}
VOTED: dict[str, tuple[Data, list[str], str, str]] = {
    "P4-24 2/3 reaches 2/3": ({}, ["aba"], P, REACHED),
    "P4-25 2/3 does not reach 0.67": ({"threshold": 0.67}, ["aba"], "", PROPOSALS),
    "P4-26 P4-29 unanimous": ({}, ["aaa"], P, REACHED),
    "P4-27 2.5 of 3.5": ({"participants": "ann:expert,ben,cara"}, ["aba"], P, REACHED),
    "P4-28 split": ({}, ["abc"], "", PROPOSALS),
    "P4-35 nobody votes": ({}, ["---"], "", PROPOSALS),
    "P4-39 two reach a half": (TWO | {"threshold": "0.5"}, ["ab"], "", PROPOSALS),
    "P4-36 one of three is no quorum": ({}, ["a--"], "", PROPOSALS),
    "P4-36 one is enough where quorum says so": ({"quorum": 1}, ["a--"], P, REACHED),
    "P4-23 no weight": (
        *({"weights": {"member": 0, "expert": 1}, "participants": "ann,ben,cara:expert"}, ["ab-"]),
        *("", PROPOSALS),
    ),
    "the second cycle": ({"max_cycles": 2}, ["abc", "aaa"], P.replace("1", "2"), REACHED),
    "P4-34 the last cycle": ({}, ["abc", "abc", "abc"], "", DECISION),
}


def hold_votes(debate: Replayed, votes: str) -> Replayed:
    letters = {name[0]: f"{name}_{debate.place.round:03d}-proposal" for name in list_asked(debate)}
    given_ = dict(zip(list_asked(debate), votes, strict=False))
    return STAGE.hold(debate, **{name: vote(letters.get(to)) for name, to in given_.items()})


@pytest.mark.parametrize(("chosen", "votes", "winner", "end"), VOTED.values(), ids=VOTED)
def test_a_vote_is_resolved(chosen: Data, votes: list[str], winner: str, end: str) -> None:
    """P4-41: and pages show what it was decided by."""
    debate = STAGE.begin(**{"participants": "ann,ben,cara"} | chosen)
    for cycle, cast in enumerate(votes, 1):
        hold_votes(go_on(debate, VOTES, cycle), cast)
    result = outcome(debate, len(votes))
    assert (result["winner"], debate.place.phase) == (winner, end)
    expected = {REACHED: "consensus", PROPOSALS: "new_cycle", DECISION: "escalated"}
    assert result["result"] == expected[end]
    if result["ballots"] and not winner:
        assert any(result["reason"].startswith(r.text) for r in find_verdict(debate).reasons)
    assert audit(debate) == []


A1 = "ann_001-critique-1"


def test_a_revision_alone_answers_nothing() -> None:
    STAGE.hold(debate := criticised(), ben={"defences": [], "revision": {"solution": "NEW"}})
    assert barred(debate) == {Q: [A1, "cara_001-critique-1"]}
    assert audit(debate) == []


# The tally.


NAMES = "abcdefgh"
WEIGHT = st.integers(0, 5_000).map(lambda millis: Decimal(millis) / 1000)
VOTES_BY_NAME = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES), max_size=8)
THRESHOLDS = st.integers(1, 40).flatmap(
    lambda under: st.integers(1, under).map(lambda over: f"{over}/{under}")
)


@given(
    VOTES_BY_NAME,
    st.fixed_dictionaries(dict.fromkeys(NAMES, WEIGHT)),
    THRESHOLDS,
    st.integers(0, 8),
)
def test_the_resolution_agrees_with_its_definition(
    votes: dict[str, str], weights: dict[str, Decimal], threshold: str, quorum: int
) -> None:
    chosen = Settings.model_validate(
        OLD | {"participants": ",".join(NAMES), "threshold": threshold, "quorum": quorum}
    )
    d = Debate(chosen)
    for name in NAMES:
        d.add(Entry(name, 1, "proposal"))
    for name, to in sorted(votes.items()):
        d.add(Entry(name, 1, "ballot", {"vote": f"{to}_001-proposal", "weight": weights[name]}))
    total = sum((Fraction(weights[voter]) for voter in votes), Fraction(0))
    assert sum(share["share"] for share in Cycle(d, 1).shares()) == (1 if total else 0)
    over, under = map(int, threshold.split("/"))
    reaching = [
        author
        for author in NAMES
        if total
        and under * sum(Fraction(weights[v]) for v, to in votes.items() if to == author)
        >= over * total
    ]
    result = tally(Cycle(d, 1)).data
    wins = len(votes) >= (quorum or 5) and len(reaching) == 1
    assert result["winner"][:1] == (reaching[0] if wins else "")
    assert result["result"] == ("consensus" if wins else "new_cycle")


# What an agreement rests on.

NOVEL = "The queue keeps names for a week, which the framing of the question rules out."


def test_a_change_of_mind_is_recorded_with_what_was_new_for_it() -> None:
    """Before is the straw vote where there was one, else one's own proposal."""
    debate = go_on(criticised("major", **CITED), VOTES)
    STAGE.hold(debate, ann=vote(Q, "ben_001-defence-1", Q), ben=vote(Q), cara=vote(Q))
    assert outcome(debate)["changed_votes"] == [
        {"participant": "ann", "from": P, "to": Q, "because": ["ben_001-defence-1", Q]},
        {"participant": "cara", "from": R, "to": Q, "because": []},
    ]
    assert audit(debate) == []
    debate = go_on(criticised("major", straw_poll="yes", **CITED), VOTES)
    STAGE.hold(debate, ann=vote(Q, Q), ben=vote(Q), cara=vote(Q, "ben_001-defence-3"))
    changed = {v["participant"]: v["because"] for v in outcome(debate)["changed_votes"]}
    assert changed == {"ann": [], "ben": [], "cara": ["ben_001-defence-3"]}


def argue(second: str, answered: str = NOVEL, **changes: Any) -> Replayed:
    """Return a second cycle with a critique of ben's proposal, and the answer to it."""
    debate = at(CRITIQUES, max_cycles=2, **CITED)
    STAGE.hold(debate, ann=criticise(critique(Q, "major", NOVEL)))
    go_on(debate, CRITIQUES, 2)
    STAGE.hold(debate, ann=criticise(critique("ben_002-proposal", "major", second)))
    return STAGE.hold(STAGE.hold(debate, ben=defend(answered, **changes)))


@pytest.mark.parametrize(
    ("second", "answered", "is_old"),
    [
        (NOVEL, NOVEL, True),
        (NOVEL.upper().replace(",", " -"), NOVEL, True),
        (NOVEL.replace(" for a week", "\nfor a\nweek"), NOVEL, True),
        ("Two systems have to be patched at night, and only one person can do it.", NOVEL, False),
        (NOVEL, "The week is written nowhere; keys alone enter the queue as of now.", False),
        (f"{NOVEL} The second store has no backup and nobody is paid to add one.", NOVEL, False),
    ],
)
def test_an_argument_is_new_unless_its_words_are_on_record(
    second: str,
    answered: str,
    is_old: bool,  # noqa: FBT001
) -> None:
    debate = argue(second, answered)
    assert outcome(debate, 2)["no_new_argument"] is is_old
    marks = [header(debate, i).get("repeats") for i in ("ann_002-critique-1", "ben_002-defence-1")]
    assert (marks == [True, True]) is is_old
    assert audit(debate) == []


@pytest.mark.parametrize(("solution", "is_old"), [("Do.", True), ("Do not.", False)])
def test_a_revision_is_new_if_one_word_is(solution: str, is_old: bool) -> None:  # noqa: FBT001
    debate = argue(NOVEL, revision={"solution": solution, "reasoning": "So."})
    assert outcome(debate, 2)["no_new_argument"] is is_old


def test_who_says_it_at_the_same_time_is_new_and_the_adviser_takes_nothing_away() -> None:
    debate = STAGE.begin(first_answer="on", **CITED)
    replies = {by: debate.read(by, give(debate, by))[0] for by in list_asked(debate)}
    replies["adviser"] = debate.read("adviser", {"text": NOVEL})[0]
    debate.commit(debate.make(replies))
    same = criticise(critique(Q, "major", NOVEL))
    STAGE.hold(debate, ann=same, cara=same, adviser=None)
    assert not any("repeats" in header(debate, f"{n}_001-critique-1") for n in ("ann", "cara"))


# What can be required.


def require(debate: Replayed, name: str) -> tuple[bool, str]:
    return Consensus().requirements(debate)[name]


def test_no_blocking_looks_at_the_cycle_before_an_end_and_at_the_choice_after_it() -> None:
    blocked = STAGE.hold(criticised(max_cycles=1), ben=None)
    is_met, why = require(blocked, "no-blocking")
    assert (is_met, f"{A1}, cara_001-critique-1 of {Q}" in why) == (False, True)
    assert not require(STAGE.begin(), "no-blocking")[0]
    assert require(STAGE.hold(criticised()), "no-blocking")[0]
    assert require(STAGE.hold(blocked), "no-blocking")[0]
    for cycles, proposal, expected in (
        *((2, Q, False), (2, "ben_002-proposal", True)),
        *((1, Q, False), (1, P, True), (1, "", True)),
    ):
        debate = go_on(STAGE.hold(criticised(max_cycles=cycles), ben=None), DECISION, cycles)
        act(debate, "decide", proposal=proposal, text="Neither.")
        assert require(debate, "no-blocking")[0] is expected


def test_no_line_is_cut_by_clients_however_many_take_part() -> None:
    names = [f"{chr(97 + k)}{'x' * 31}" for k in range(26)]
    blocking = criticise(*[critique(f"{names[0]}_001-proposal", "blocking")] * 3)
    debate = at(CRITIQUES, participants=",".join(names))
    STAGE.hold(debate, **dict.fromkeys(names[1:], blocking))
    for by in (names[0], names[1]):
        lines = STAGE.prompt(debate, by).splitlines()
        assert max(len(line) for line in lines if not line.startswith(">")) <= LINE
        STAGE.hold(debate, **{names[0]: None})


# In a folder.

pytestmark = pytest.mark.usefixtures("work")


def test_nothing_is_resolved_before_all_votes_or_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """P4-30, P4-31: then the votes that are in are counted."""
    folder = STAGE.create(phase_seconds=60)
    while engine.load(folder).at.place.phase != VOTES:
        STAGE.submit(folder)
    step = STAGE.put(folder, ann=vote(P), ben=vote(P), cara=None)
    with pytest.raises(RefusedError):
        engine.submit(folder, step)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1767225600 + 60))
    engine.close_turn(folder, step, "the time is over")
    position = engine.load(folder)
    assert position.at.place.phase == REACHED
    assert position.debate.entries["tally_001-outcome"].data["absent"] == ["cara"]
    assert position.debate.entries["cara_001-absence-6"].data["how"] == "time-out"


def test_a_search_that_takes_too_long_is_escalated(monkeypatch: pytest.MonkeyPatch) -> None:
    """P4-40: and its deadlines are computed anew whenever its folder is read."""
    folder = STAGE.create(deadline_minutes=2)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1767225600 + 119))
    STAGE.submit(folder)
    position = engine.next_turn(folder)
    assert position.at.place.phase == CRITIQUES
    assert position.find_deadline() == "2026-01-01T00:02:00Z"
    (over,) = (e for e in events_of(folder) if e["event"] == "phase_completed")
    assert (over["phase"], over["seconds"]) == ("awaiting_proposals", 119)
    step = STAGE.put(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1767225600 + 120))
    assert engine.submit(folder, step).at.place.phase == DECISION
    (escalation,) = engine.load(folder).debate.find("escalation")
    assert escalation.data["reason"] == "The time for the debate is over (deadline_minutes is 2)."
    assert escalation.data["by"] == "deadline"
    step = engine.load(folder).debate.step
    assert engine.next_turn(folder).debate.step == step
