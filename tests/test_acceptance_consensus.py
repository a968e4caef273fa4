"""The acceptance cases of the consensus protocol, one test or parameter for each row."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops import engine
from debate_ops.engine import RepliesRefusedError
from debate_ops.core.errors import UsageError
from debate_ops.model.turn import Task, Turn, Waiting
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.consensus import cycle as cycles
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load
from tests.acceptance import Speaker, Stage, due
from tests.builders import (
    MOTION,
    SLUG,
    Answer,
    Data,
    events_of,
    header_of,
    put,
    record_of,
    run,
    where,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

pytestmark = pytest.mark.usefixtures("work")

ABC = "a,b,c"
P, Q, R = (f"{name}_001-proposal" for name in "abc")
PROPOSALS, CRITIQUES = cycles.PROPOSALS, cycles.CRITIQUES
DEFENCES, VOTES = cycles.DEFENCES, cycles.VOTES
REACHED, WAITS = cycles.CONSENSUS_REACHED, cycles.AWAITING_DECISION

OUTCOME = "judgments/tally_001-outcome.md"


def proposal(**more: Any) -> Data:
    return {"title": "A way", "solution": "Do.", "reasoning": "So.", "confidence": 0.85} | more


def critique(of: str, severity: str = "blocking", **more: Any) -> Data:
    return {"proposal_id": of, "severity": severity, "criticism": "No."} | more


def critiques(*listed: Data) -> Data:
    return {"critiques": list(listed)}


def defence(text: str = "Yes.", **more: Any) -> Data:
    return {"defences": [{"text": text}]} | more


def vote(for_: str | None, **more: Any) -> Data:
    return {"vote": for_, "justification": "Because."} | more


USUAL: Mapping[str, Data] = {
    PROPOSALS: proposal(),
    CRITIQUES: critiques(),
    DEFENCES: defence(),
    VOTES: vote(None),
}


def usual_reply(_: Folder, turn: Turn, task: Task) -> Data:
    naming = {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}
    return naming | USUAL[turn.phase]


STAGE = Stage("consensus", usual_reply, participants=ABC)
new_debate, give, hold, until, at, refused = (
    *(STAGE.new, STAGE.give, STAGE.hold, STAGE.until, STAGE.at, STAGE.refused),
)


def events(folder: Folder) -> list[str]:
    return [event["event"] for event in events_of(folder)]


def voted(votes: Mapping[str, str] | None = None, **settings: Any) -> Folder:
    """Return a debate after its first vote; whoever is not named in `votes` abstains."""
    folder = at(VOTES, **settings)
    hold(folder, **{name: vote(f"{of}_001-proposal") for name, of in (votes or {}).items()})
    return folder


def outcome(folder: Folder, cycle: int = 1) -> Data:
    return header_of(folder, f"judgments/tally_{cycle:03d}-outcome.md")


def made(settings: Mapping[str, Any]) -> Answer:
    """Make a debate with the command, from a file of settings."""
    Path("settings.json").write_text(json.dumps(settings), encoding="utf-8")
    words = ("--motion", MOTION, "--protocol", "consensus", "--settings", "settings.json")
    return run("new", SLUG, *words, "--json")


def test_p4_01_a_debate_begins_with_proposals() -> None:
    answer = run(
        *("new", SLUG, "--motion", MOTION, "--protocol", "consensus"),
        *("--participants", ABC, "--json"),
    )
    assert answer.code == 0, answer.result
    folder = Folder(f"debates/{SLUG}")
    assert where(folder) == (1, PROPOSALS)
    assert [task.participant for task in due(folder).tasks] == ["a", "b", "c"]
    assert events(folder) == ["debate_created", "phase_started"]


@pytest.mark.parametrize("names", [["a"], ["a", "a"]])
def test_p4_02_p4_03_one_participant_is_too_few_and_nobody_takes_part_twice(names: Any) -> None:
    assert made({"participants": names}).code == 2
    assert not Path("debates", SLUG).exists()


@pytest.mark.parametrize(("fewest", "phase"), [(2, REACHED), (3, PROPOSALS)])
def test_p4_02_with_fewer_votes_than_the_quorum_a_cycle_does_not_count(
    fewest: int, phase: str
) -> None:
    """Decided differently: a debate says how many must vote, not how many must be named."""
    folder = voted(votes={"a": "a", "b": "a"}, quorum=fewest)
    assert where(folder)[1] == phase


def test_p4_04_a_proposal_is_stored_without_votes_and_can_be_voted_for() -> None:
    folder = new_debate()
    hold(folder)
    header = header_of(folder, f"arguments/{P}.md")
    assert (header["title"], header["confidence"]) == ("A way", 0.85)
    assert not {"votes", "score", "weight"} & header.keys()
    assert cycles.of_record(load(folder).debate.record, 1).candidates() == (P, Q, R)


@pytest.mark.parametrize("confidence", [0, 1])
def test_p4_05_a_confidence_is_from_0_to_1(confidence: int) -> None:
    folder = new_debate()
    hold(folder, a=proposal(confidence=confidence))
    assert header_of(folder, f"arguments/{P}.md")["confidence"] == confidence


@pytest.mark.parametrize("confidence", [-0.1, 1.01, float("nan"), ...])
def test_p4_05_another_confidence_is_refused(confidence: Any) -> None:
    folder = new_debate()
    reply = usual_reply(folder, due(folder), due(folder).tasks[0]) | {"confidence": confidence}
    text = json.dumps({key: value for key, value in reply.items() if value is not ...})
    ((place, _),) = refused(folder, a=text)
    assert place == "$.confidence"


@pytest.mark.parametrize("phase", [PROPOSALS, CRITIQUES, VOTES])
def test_p4_06_whoever_takes_no_part_is_refused(phase: str) -> None:
    folder = at(phase)
    assert refused(folder, a={"participant": "z"}) == [("$.participant", "wrong_participant")]
    answer = run("skip", SLUG, "--participant", "z", "--reason", "why", "--json")
    assert answer.code in {1, 2}


@pytest.mark.parametrize(
    ("reply", "phase", "now"),
    [
        pytest.param(vote(Q), VOTES, PROPOSALS, id="vote in propose"),
        pytest.param(proposal(), PROPOSALS, VOTES, id="proposal in vote"),
    ],
)
def test_p4_07_what_another_phase_asks_for_is_refused_and_this_one_is_named(
    reply: Data, phase: str, now: str
) -> None:
    assert ("$.phase", "wrong_phase") in refused(at(now), a=reply | {"phase": phase})


def test_p4_08_a_second_proposal_is_not_taken() -> None:
    folder = new_debate()
    give(folder)
    step = due(folder).step
    engine.submit(folder, step)
    before = record_of(folder)
    again = proposal(title="Another") | {"participant": "a", "exchange": 1, "phase": PROPOSALS}
    put(folder, "a", again, step)
    answer = run("submit", SLUG, "--step", step, "--json")
    assert answer.code == 1
    assert record_of(folder) == before
    put(folder, "a", again)
    with pytest.raises(RepliesRefusedError) as caught:
        engine.submit(folder, due(folder).step)
    assert "wrong_phase" in {fault.code for fault in caught.value.faults}


@pytest.mark.parametrize("severity", ["minor", "major", "blocking"])
def test_p4_12_each_severity_is_taken(severity: str) -> None:
    folder = at(CRITIQUES)
    hold(folder, a=critiques(critique(Q, severity)))
    assert header_of(folder, "arguments/a_001-critique-1.md")["severity"] == severity


def blocked(*critics: str, **settings: Any) -> Folder:
    """Return a debate in which each critic blocks a's proposal, before a's defence."""
    folder = at(CRITIQUES, **settings)
    hold(folder, **{name: critiques(critique(P)) for name in critics})
    return folder


def criticising() -> Folder:
    return at(CRITIQUES)


def defending() -> Folder:
    folder = at(CRITIQUES, revisions="forbidden")
    hold(folder, a=critiques(critique(Q)), b=critiques(critique(P)))
    return folder


def voting(cycle: int = 1) -> Folder:
    return at(VOTES, cycle)


def unanswered() -> Folder:
    folder = blocked("b", "c")
    hold(folder, a={"defences": [{"critique_id": "b_001-critique-1", "text": "Yes."}]})
    return folder


def answered(critique_id: str) -> Data:
    return {"defences": [{"critique_id": critique_id, "text": "Yes."}]}


REFUSED: dict[str, tuple[Callable[[], Folder], Data, str, str]] = {
    "p4_09 own": (criticising, critiques(critique(P)), "critiques[0].proposal_id", "bad_target"),
    "p4_10": (criticising, critiques(critique(Q, to="c")), "critiques[0].to", "wrong_author"),
    "p4_11": (criticising, critiques(critique("x")), "critiques[0].proposal_id", "bad_target"),
    "p4_11 vote": (voting, vote("nope"), "vote", "bad_target"),
    "p4_12": (criticising, critiques(critique(Q, "fatal")), "critiques[0].severity", "not_allowed"),
    "p4_13 p4_15": (unanswered, vote(P), "vote", "barred"),
    "p4_16": (defending, defence(" \n"), "defences[0].text", "blank"),
    "p4_18": (defending, answered("a_001-critique-1"), "defences[0].critique_id", "bad_target"),
    "p4_21": (defending, defence(revision={"solution": "N"}), "revision", "revision_forbidden"),
    "p4_23": (voting, vote(P, weight=10**9), "weight", "weight_given"),
    "p4_37 of cycle 1": (partial(voting, 2), vote(P), "vote", "bad_target"),
}
"""By row: a debate, a reply of a that is refused there, where its fault is, and the code."""


@pytest.mark.parametrize("row", REFUSED)
def test_what_is_refused_is_refused_by_place_and_code(row: str) -> None:
    make, reply, place, code = REFUSED[row]
    assert refused(make(), a=reply) == [(f"$.{place}", code)]


def test_p4_14_a_blocking_critique_that_was_answered_blocks_no_more() -> None:
    folder = blocked("b")
    hold(folder)
    hold(folder, a=vote(P), c=vote(P))
    assert (where(folder), outcome(folder)["winner"]) == ((1, REACHED), P)


def test_p4_17_one_answer_may_be_to_all_critiques() -> None:
    folder = blocked("b", "c")
    hold(folder, a=defence("The same."))
    for number, critic in ((1, "b"), (2, "c")):
        name = f"arguments/a_001-defence-{number}.md"
        assert header_of(folder, name)["answers"] == f"{critic}_001-critique-1"
        assert "## Defence\n\nThe same." in Path(folder.path, name).read_text(encoding="utf-8")
    assert cycles.of_record(load(folder).debate.record, 1).barred() == {}


def test_p4_19_who_has_nothing_to_defend_is_told_why() -> None:
    folder = new_debate(participants="a,b,c,d")
    give(folder, d=None)
    engine.skip(folder, "d", "why")
    hold(folder, b=critiques(critique(R)))
    assert [task.participant for task in due(folder).tasks] == ["c"]
    reply = defence() | {"exchange": 1, "phase": DEFENCES}
    for name in "ad":
        put(folder, name, reply | {"participant": name})
    result = {w.participant: w.message for w in engine.look(folder).warnings}
    assert result.keys() == {"a", "d"}
    assert result["a"] != result["d"]


def test_p4_20_a_revision_leaves_the_first_text_on_record() -> None:
    folder = blocked("b")
    first = Path(folder.path, "arguments", f"{P}.md").read_bytes()
    hold(folder, a=defence(revision={"solution": "NEW"}))
    assert Path(folder.path, "arguments", f"{P}.md").read_bytes() == first
    revision = Path(folder.path, "arguments/a_001-revision.md").read_text(encoding="utf-8")
    assert "## Solution\n\nNEW" in revision
    assert header_of(folder, "arguments/a_001-revision.md")["revises"] == P
    prompt = next(t.slot.prompt for t in engine.next_turn(folder).tasks)
    assert "Solution: NEW" in Path(prompt).read_text(encoding="utf-8")


def test_p4_23_a_weight_of_0_is_allowed_and_counts_nothing() -> None:
    folder = voted(
        {"a": "a", "b": "b", "c": "b"}, participants="a:expert,b,c", weights={"expert": 0}
    )
    assert outcome(folder)["total_weight"] == 2
    assert outcome(folder)["winner"] == Q


@pytest.mark.parametrize(
    "weight",
    [
        *(-1, Decimal("NaN"), Decimal("Infinity"), float("nan"), True, "1", None, []),
        *(Decimal("0.0001"), 10**12),
    ],
)
def test_p4_23_what_is_no_weight_is_refused(weight: Any) -> None:
    with pytest.raises(UsageError, match="weights"):
        new_debate(participants="a:expert,b,c", weights={"expert": weight})
    assert not Path("debates", SLUG).exists()


@pytest.mark.parametrize(
    ("votes", "settings", "winner"),
    [
        pytest.param("aba", {}, P, id="p4_24 2/3 reaches 2/3"),
        pytest.param("aba", {"threshold": 0.67}, "", id="p4_25 2/3 does not reach 0.67"),
        pytest.param("aaa", {}, P, id="p4_26 unanimous"),
        pytest.param("aba", {"participants": "a:expert,b,c"}, P, id="p4_27 2.5 of 3.5"),
        pytest.param("abc", {}, "", id="p4_28 split"),
        pytest.param("", {}, "", id="p4_35 nobody votes"),
        pytest.param(
            "ab", {"participants": "a,b", "threshold": "0.5"}, "", id="p4_39 two reach a half"
        ),
    ],
)
def test_a_vote_is_resolved(votes: str, settings: Data, winner: str) -> None:
    folder = voted(votes=dict(zip("abc", votes, strict=False)), **settings)
    assert where(folder) == ((1, REACHED) if winner else (2, PROPOSALS))
    assert outcome(folder)["winner"] == winner
    assert outcome(folder)["result"] == ("consensus" if winner else "new_cycle")
    assert not run("validate", SLUG, "--json").result["faults"]
    shares = {item["proposal"]: item["share"] for item in outcome(folder)["shares"]}
    if settings.get("participants") == "a:expert,b,c":
        assert shares == {P: "5/7", Q: "2/7", R: "0"}


def test_p4_29_the_last_vote_resolves_the_cycle() -> None:
    folder = at(VOTES)
    done = hold(folder, a=vote(P), b=vote(P), c=vote(P))
    assert done.committed == ("a_001-ballot", "b_001-ballot", "c_001-ballot", "tally_001-outcome")
    assert where(folder) == (1, REACHED)
    assert events(folder)[-7:] == [
        *("vote_cast", "cycle_resolved"),
        *("phase_completed", "exchange_completed", "phase_started"),
        *("consensus_reached", "debate_completed"),
    ]


def test_the_events_of_a_consensus_say_how_many_agreed_and_how_many_did_not_vote() -> None:
    folder = at(VOTES, votes="cited")
    hold(folder, a=vote(P), b=vote(P))
    lines = Path(folder.path, "events.jsonl").read_text("utf-8").splitlines()
    happened = {event["event"]: event for event in map(json.loads, lines)}
    expected = {"agreement": "2 of 3 agreed; 1 did not vote", "winner": P, "share": "1"}
    for name in ("cycle_resolved", "consensus_reached"):
        assert happened[name].items() >= expected.items()
    assert happened["vote_cast"].items() >= {"vote": P, "weight": 1}.items()
    assert happened["proposal_filed"]["text"]


def test_p4_30_nothing_is_resolved_before_all_votes_are_in() -> None:
    folder = at(VOTES)
    step = give(folder, a=vote(P), b=vote(P), c=None)
    with pytest.raises(RepliesRefusedError) as caught:
        engine.submit(folder, step)
    assert [fault.participant for fault in caught.value.faults] == ["c"]
    assert not Path(folder.path, OUTCOME).exists()


def test_p4_31_votes_that_are_in_when_the_time_is_over_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = at(VOTES, phase_seconds=60)
    step = due(folder).step
    give(folder, a=vote(P), b=vote(P), c=None)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1767225600 + 60))
    answer = run("advance", SLUG, "--step", step, "--reason", "the time is over", "--json")
    assert answer.code == 0, answer.result
    assert (where(folder), outcome(folder)["winner"]) == ((1, REACHED), P)
    assert outcome(folder)["absent"] == ["c"]
    assert header_of(folder, "judgments/c_001-absence-6.md")["how"] == "time-out"


def test_p4_32_a_consensus_stays() -> None:
    folder = voted(votes={"a": "a", "b": "a", "c": "b"})
    assert where(folder) == (1, REACHED)
    decision = ("decide", "--proposal", Q)
    takes_no_more(folder, ("advance", "--step", 3), ("cancel",), ("escalate",), decision)
    assert outcome(folder)["winner"] == P


def takes_no_more(folder: Folder, *commands: tuple[Any, ...]) -> None:
    before = record_of(folder)
    for command, *options in commands:
        reason = () if command == "submit" else ("--reason", "why")
        assert run(command, SLUG, *options, *reason, "--json").code == 1, command
    assert record_of(folder) == before


def test_p4_33_without_proposals_or_with_all_of_them_blocked_a_person_decides() -> None:
    folder = at(CRITIQUES)
    hold(folder, a=critiques(critique(Q), critique(R)), b=critiques(critique(P)))
    hold(folder, a={"defences": []}, b={"defences": []}, c={"defences": []})
    assert where(folder) == (1, WAITS)
    assert "a_001-critique-2" in reason(folder)
    nobody = new_debate("nobody")
    engine.advance(nobody, 0, "why")
    assert where(nobody) == (1, WAITS)
    assert reason(nobody) != reason(folder)


def reason(folder: Folder) -> str:
    actual = engine.look(folder).due
    assert isinstance(actual, Waiting)
    assert events(folder)[-1] == "debate_escalated"
    assert actual.acts == ("decide", "cancel")
    return actual.reason


def test_p4_34_after_the_last_cycle_a_person_decides() -> None:
    folder = until(new_debate(), WAITS, exchange=3)
    assert "No consensus in 3 cycles" in reason(folder)
    due = engine.look(folder).due
    assert isinstance(due, Waiting)
    assert {P.replace("001", "003"), Q.replace("001", "003")} <= set(due.about)
    assert [outcome(folder, cycle)["result"] for cycle in (1, 2, 3)] == [
        *("new_cycle", "new_cycle", "escalated")
    ]
    answer = run("next", SLUG)
    assert answer.code == 8
    answer = run("decide", SLUG, "--proposal", Q, "--reason", "It will do.", "--by", "d", "--json")
    assert answer.code == 0, answer.result
    assert where(folder) == (3, cycles.DECIDED)
    assert header_of(folder, "judgments/person_003-decision.md")["by"] == "d"


@pytest.mark.parametrize(("quorum", "winner"), [(0, ""), (1, "p1_001-proposal")])
def test_p4_36_one_vote_of_ten_is_no_majority(quorum: int, winner: str) -> None:
    names = [f"p{k}" for k in range(1, 11)]
    folder = voted({"p1": "p1"}, participants=names, quorum=quorum)
    assert outcome(folder)["winner"] == winner
    assert outcome(folder)["quorum"] == (quorum or 6)


def test_p4_38_a_cancelled_debate_takes_nothing_more() -> None:
    folder = at(VOTES)
    step = due(folder).step
    give(folder, a=vote(P), b=vote(P))
    assert run("cancel", SLUG, "--reason", "The question is gone.", "--json").code == 0
    assert "exchange_completed" not in events(folder)
    ahead = ("--step", step + 1)
    acts = (("skip", "--participant", "a"), ("escalate",))
    takes_no_more(folder, ("submit", *ahead), ("advance", *ahead), *acts)
    assert where(folder) == (1, CANCELLED)


def test_p4_40_a_debate_goes_on_from_its_folder_with_its_deadline() -> None:
    folder = blocked("b", phase_seconds=90)
    after = run("next", SLUG).result
    assert (after["current_phase"], after["deadline"]) == (DEFENCES, "2026-01-01T00:01:30Z")
    author = Speaker(usual_reply)
    STAGE.run(folder, a=author)
    assert author.asked[0].turn.phase == DEFENCES
    assert not cycles.of_record(load(folder).debate.record, 1).unresolved()


def test_p4_41_what_is_shown_is_what_was_decided_by() -> None:
    folder = voted(votes={"a": "a", "b": "a", "c": "b"})
    result = outcome(folder)
    text = Path(folder.path, OUTCOME).read_text(encoding="utf-8")
    assert result["title"] == f"Consensus: {P} with 2/3 of the weight"
    assert f"# {result['title']}" in text
    assert not run("validate", SLUG, "--json").result["faults"]
    path = Path(folder.path, OUTCOME)
    path.write_text(text.replace('"share": "2/3"', '"share": "1/3"', 1), encoding="utf-8")
    answer = run("validate", SLUG, "--json")
    assert "differs" in answer.codes
