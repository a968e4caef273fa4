"""The rules of the consensus protocol alone: pure functions over a record in memory."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.audit import audit
from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import entries, front, headers, schema
from debate_ops.model.debate import Debate, Framing, State
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    Absence,
    Contribution,
    Entry,
    Value,
)
from debate_ops.model.ids import order
from debate_ops.model.texts import LINE
from debate_ops.model.turn import Absent, Act, Done, Reply, Task, Turn, Waiting
from debate_ops.prompts import build
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.consensus import cycle as cycles
from debate_ops.protocols.consensus.rules import RULES
from debate_ops.storage.record import step_after
from tests.protocols.memory import MemoryRecord
from tests.strategies import filled, json_values, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from debate_ops.model.turn import Checked
    from debate_ops.protocols.base import Replies

Data = dict[str, Any]

NOW = "2026-01-01T00:00:00Z"
THREE = "ann,ben:expert,cara"
PROPOSALS, STRAW_VOTES = cycles.PROPOSALS, cycles.STRAW_VOTES
CRITIQUES, DEFENCES = cycles.CRITIQUES, cycles.DEFENCES
REVIEWS, VOTES = cycles.REVIEWS, cycles.VOTES
DECISION = cycles.AWAITING_DECISION
STRICT: Data = {"critic_confirms": "yes", "straw_poll": "yes"}


def settings_of(**chosen: Any) -> Data:
    given_ = {"participants": THREE} | chosen
    found = {s.name: s.read(given_.get(s.name, s.default)) for s in RULES.SETTINGS}
    assert list(RULES.clashes(found)) == []
    return found


def begun(**chosen: Any) -> Debate:
    full, empty = settings_of(**chosen), MemoryRecord({})
    return Debate("x", "consensus", 0, RULES.derive(empty, full), full, empty)


def entry_of(value: Value, step: int, debate: Debate) -> Entry:
    """Return the entry that a value becomes, by way of its file."""
    judged = value.data.get("judges", ()) if isinstance(value, Contribution) else ()
    digests = {entry_id: debate.record.digest(entry_id) for entry_id in judged}
    text = entries.render(value, entries.Stamp(step, "", NOW, {}, {}, digests))
    file = front.parse(text, value.id)
    return headers.checked(Entry(value.id, entries.folder(value), file.header, file.body), value.id)


def turn_of(debate: Debate) -> Turn:
    turn = RULES.next_turn(debate, NOW)
    assert isinstance(turn, Turn)
    return turn


def asked(debate: Debate) -> list[str]:
    return [task.participant for task in turn_of(debate).tasks]


def given_to(debate: Debate, replies: Replies) -> Debate:
    """Return the debate after checked replies to its turn."""
    turn = turn_of(debate)
    assert RULES.check(debate, turn, replies).faults == ()
    return after(debate, RULES.record(debate, turn, replies))


def after(debate: Debate, step: Any) -> Debate:
    assert step.entries
    held = dict(entry_map(debate))
    for value in step.entries:
        assert value.id not in held
        held[value.id] = entry_of(value, debate.step, debate)
        assert entries.parse(held[value.id]) == value
    return debate._replace(step=debate.step + 1, state=step.state, record=MemoryRecord(held))


def entry_map(debate: Debate) -> Mapping[str, Entry]:
    assert isinstance(debate.record, MemoryRecord)
    return debate.record.entries


def header(debate: Debate, entry_id: str) -> Mapping[str, Any]:
    return entry_map(debate)[entry_id].header


# ---------------------------------------------------------------- replies


def proposal(**more: Any) -> Data:
    return {"title": "A way", "solution": "Do.", "reasoning": "So.", "confidence": 1} | more


def critique(of: str, severity: str = "minor", text: str = "No.", **more: Any) -> Data:
    return {"proposal_id": of, "severity": severity, "criticism": text} | more


def critiques(*listed: Data, **more: Any) -> Data:
    return {"critiques": list(listed)} | more


def defence(text: str = "Yes.", **more: Any) -> Data:
    return {"defences": [{"text": text}]} | more


def vote(for_: str | None, why: str = "Because.") -> Data:
    return {"vote": for_, "justification": why}


def good(debate: Debate, turn: Turn, task: Task) -> Data:
    """Return the usual reply: all criticise nothing and vote for the first that they can."""
    number, name = turn.exchange, task.participant
    cycle = cycles.of_record(debate.record, number)
    if turn.phase == REVIEWS:
        found = [c.id for c in cycle.to_review(name)]
        return {"reviews": [review(i) for i in found]}
    if turn.phase in {STRAW_VOTES, VOTES}:
        possible = cycle.candidates() if turn.phase == VOTES else cycle.of("proposal")
        return vote(cycles.choices(possible, debate.settings, name)[0])
    return {PROPOSALS: proposal(), CRITIQUES: critiques(), DEFENCES: defence()}[turn.phase]


def review(critique_id: str, verdict: str = "accept") -> Data:
    return {"critique_id": critique_id, "verdict": verdict, "reason": "So."}


def replied(debate: Debate, **changes: Data | None) -> dict[str, Reply | Absent]:
    """Return good replies to the turn that is due, others where given; None is an absence."""
    turn = turn_of(debate)
    found: dict[str, Reply | Absent] = {}
    for task in turn.tasks:
        given_ = changes.get(task.participant, {})
        if given_ is None:
            found[task.participant] = Absent(task.participant, "skip", "why")
            continue
        naming = {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}
        plain, _ = RULES.normalise(task, naming | (given_ or good(debate, turn, task)))
        assert schema.accepts(schema.load(task.schema), plain)
        found[task.participant] = Reply(task.participant, plain)
    return found


def hold(debate: Debate, **changes: Data | None) -> Debate:
    return given_to(debate, replied(debate, **changes))


def at(phase: str, cycle: int = 1, **chosen: Any) -> Debate:
    return going_on(begun(**chosen), phase, cycle)


def going_on(debate: Debate, phase: str, cycle: int = 1) -> Debate:
    while (debate.state.phase, debate.state.exchange) != (phase, cycle):
        debate = hold(debate, **split(debate))
    return debate


def split(debate: Debate) -> dict[str, Data | None]:
    """Return votes that bring no consensus, so that the next cycle follows."""
    if debate.state.phase != VOTES:
        return {}
    return {name: vote(None) for name in asked(debate)}


def criticised(severity: str = "blocking", **chosen: Any) -> Debate:
    """Return a debate in which ben's proposal has one critique by ann, two by cara."""
    of = "ben_001-proposal"
    return hold(
        at(CRITIQUES, **chosen),
        ann=critiques(critique(of, severity)),
        cara=critiques(critique(of, severity), critique(of, "minor")),
    )


def checked(debate: Debate, who: str, reply: Data) -> tuple[list[str], list[str]]:
    """Return the codes of faults and of warnings that one reply brings."""
    found = RULES.check(debate, turn_of(debate), read(debate, who, reply))
    return [fault.code for fault in found.faults], [warning.code for warning in found.warnings]


def messages(debate: Debate, who: str, reply: Data) -> str:
    found = RULES.check(debate, turn_of(debate), read(debate, who, reply))
    assert all(fault.participant == who for fault in found.faults)
    return "\n".join(fault.sentence() for fault in found.faults)


def read(debate: Debate, who: str, reply: Data) -> dict[str, Reply]:
    task = next(task for task in turn_of(debate).tasks if task.participant == who)
    return {who: Reply(who, RULES.normalise(task, reply)[0])}


def audited(debate: Debate) -> list[str]:
    """Return the codes of the faults, then of the warnings, of a record."""
    result = audit_of(debate)
    return [finding.code for finding in (*result.faults, *result.warnings)]


def faulty(debate: Debate) -> set[str]:
    """Return the ids of the entries that have a fault."""
    return {Path(fault.file).stem for fault in audit_of(debate).faults}


def audit_of(debate: Debate) -> Checked:
    values = [(entry, entries.parse(entry)) for entry in entry_map(debate).values()]
    return audit(RULES, values, debate.settings)


# ---------------------------------------------------------------- laws, over whole debates

CHOSEN = st.fixed_dictionaries(
    {
        "participants": st.sampled_from([THREE, "ann,ben", "ann,ben:architect,cara:expert,dan"]),
        "threshold": st.sampled_from(["2/3", "0.5", "1", "1/3"]),
        "quorum": st.integers(0, 2),
        "max_cycles": st.integers(1, 3),
        "self_votes": st.sampled_from(["allowed", "forbidden"]),
        "revisions": st.sampled_from(["allowed", "forbidden"]),
        "critic_confirms": st.sampled_from(["yes", "no"]),
        "straw_poll": st.sampled_from(["yes", "no"]),
        "weights": st.sampled_from([{}, {"member": 0, "expert": 1}, {"member": Decimal("0.125")}]),
    }
)


def has_no_clash(chosen: Data) -> bool:
    found = {s.name: s.read(chosen.get(s.name, s.default)) for s in RULES.SETTINGS}
    return not list(RULES.clashes(found))


@st.composite
def any_reply(draw: st.DrawFn, debate: Debate, task: Task) -> Data | None:
    """Return a good reply of any kind, or None for an absence."""
    number, phase, _ = debate.state
    if draw(st.integers(0, 6)) == 0:
        return None
    cycle = cycles.of_record(debate.record, number)
    return draw(_DRAWN[phase](debate, cycle, task.participant))


@st.composite
def any_proposal(draw: st.DrawFn, debate: Debate, _: cycles.Cycle, __: str) -> Data:
    earlier = [
        i
        for i in debate.record.ids(ARGUMENTS)
        if i.endswith("-proposal") and order(i)[0] < debate.state.exchange
    ]
    built = draw(st.lists(st.sampled_from(earlier), max_size=2, unique=True)) if earlier else None
    sure = draw(st.decimals(0, 1, places=3))
    return proposal(title=draw(filled), solution=draw(filled), confidence=sure, builds_on=built)


@st.composite
def any_critiques(draw: st.DrawFn, _: Debate, cycle: cycles.Cycle, me: str) -> Data:
    others = [i for i in cycle.of("proposal") if not i.startswith(f"{me}_")]
    one = st.builds(
        critique,
        st.sampled_from(others),
        st.sampled_from(cycles.SEVERITIES),
        filled,
        suggested_fix=texts | st.none(),
    )
    return critiques(*draw(st.lists(one, max_size=3)), pass_reason=draw(texts | st.none()))


@st.composite
def any_defences(draw: st.DrawFn, debate: Debate, cycle: cycles.Cycle, me: str) -> Data:
    found = [c.id for c in cycle.critiques(cycle.proposal_of(me))]
    chosen = draw(st.lists(st.sampled_from(found), unique=True))
    listed = [{"critique_id": i, "text": draw(filled)} for i in chosen]
    if draw(st.booleans()):
        listed = [{"text": draw(filled)}]
    revision = None
    if debate.settings["revisions"] == "allowed" and draw(st.booleans()):
        revision = {"solution": draw(filled)}
        revision |= draw(st.sampled_from([{}, {"title": "New"}, {"reasoning": "R"}]))
    return {"defences": listed, "revision": revision}


@st.composite
def any_reviews(draw: st.DrawFn, _: Debate, cycle: cycles.Cycle, me: str) -> Data:
    verdicts = st.sampled_from(["accept", "maintain"])
    return {"reviews": [review(c.id, draw(verdicts)) for c in cycle.to_review(me)]}


@st.composite
def any_vote(draw: st.DrawFn, debate: Debate, cycle: cycles.Cycle, me: str) -> Data:
    possible = cycle.candidates() if debate.state.phase == VOTES else cycle.of("proposal")
    allowed = cycles.choices(possible, debate.settings, me)
    return vote(draw(st.sampled_from([*allowed, *allowed, None])), draw(filled))


_DRAWN: Mapping[str, Callable[[Debate, cycles.Cycle, str], st.SearchStrategy[Data]]] = {
    PROPOSALS: any_proposal,
    STRAW_VOTES: any_vote,
    CRITIQUES: any_critiques,
    DEFENCES: any_defences,
    REVIEWS: any_reviews,
    VOTES: any_vote,
}


def hold_the_laws(data: st.DataObject) -> None:
    debate = begun(**data.draw(CHOSEN.filter(has_no_clash)))
    left = RULES.calls_left(debate, None)
    while isinstance(turn := RULES.next_turn(debate, NOW), Turn):
        assert turn.tasks
        assert (turn.step, turn.exchange, turn.phase) == (debate.step, *debate.state[:2])
        assert left >= RULES.calls_left(debate, None) >= len(turn.tasks)
        left = RULES.calls_left(debate, None) - len(turn.tasks)
        values = {task.participant: data.draw(any_reply(debate, task)) for task in turn.tasks}
        debate = one_turn(debate, turn, values)
    assert RULES.calls_left(debate, None) == 0
    assert debate.state.exchange <= RULES.last_exchange(debate.settings)
    assert isinstance(turn, Done) == (debate.state.phase == cycles.CONSENSUS_REACHED)
    assert not [code for code in audited(debate) if code != "word_limit"]


def one_turn(debate: Debate, turn: Turn, values: Mapping[str, Data | None]) -> Debate:
    replies = replied(debate, **values)
    held = given_to(debate, replies)
    assert RULES.derive(held.record, held.settings) == held.state
    assert step_after(held.record) == held.step
    recall_makes_the_same_entries(debate, held, turn, replies)
    nobody_is_shown_this_turn(debate, turn, held)
    return held


def recall_makes_the_same_entries(
    debate: Debate, held: Debate, turn: Turn, replies: Replies
) -> None:
    again: dict[str, Reply | Absent] = {}
    for task in turn.tasks:
        name = task.participant
        own = [e for e in entry_map(held).values() if (e.step, e.participant) == (turn.step, name)]
        recalled = RULES.recall([entries.parse(e) for e in sorted(own, key=place)], turn, task)
        assert (recalled is None) == isinstance(replies[name], Absent)
        if recalled is None:
            again[name] = replies[name]
        else:
            assert schema.accepts(schema.load(task.schema), recalled)
            plain, notes = RULES.normalise(task, recalled)
            assert (plain, notes) == (recalled, ())
            again[name] = Reply(name, plain)
    assert RULES.check(debate, turn, again).faults == ()
    before = RULES.record(debate, turn, replies)
    assert set(map(repr, RULES.record(debate, turn, again).entries)) == set(
        map(repr, before.entries)
    )


def place(entry: Entry) -> Any:
    return order(entry.id)


def nobody_is_shown_this_turn(debate: Debate, turn: Turn, held: Debate) -> None:
    """Ask for the contexts after the turn: what a peer said in it is in none of them."""
    new = {e.id for e in entry_map(held).values() if e.step == turn.step}
    for task in turn.tasks:
        shown = RULES.context(debate, turn, task)
        assert new.isdisjoint(i for ids in shown.shown.values() for i in ids)


@given(st.data())
def test_the_state_follows_every_reply_is_recalled_and_the_audit_agrees(
    data: st.DataObject,
) -> None:
    hold_the_laws(data)


KNOWN_KEYS = (
    *("critiques", "defences", "reviews", "vote", "revision", "title", "solution", "confidence"),
    *("proposal_id", "critique_id", "verdict", "severity", "to", "text", "builds_on", "weight"),
    *("participant", "exchange", "phase", "pass_reason", "justification", "suggested_fix"),
)
SHAPED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from(["ben_001-proposal", "ann_001-critique-1", "all", "blocking", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KNOWN_KEYS), inner, max_size=5)
    ),
    max_leaves=20,
)


def every_phase() -> Iterator[Debate]:
    yield begun(**STRICT)
    yield at(STRAW_VOTES, **STRICT)
    yield at(CRITIQUES, **STRICT)
    debate = criticised(**STRICT)
    yield debate
    yield hold(debate)
    yield hold(hold(debate))


EVERY_PHASE = tuple(every_phase())


def test_a_debate_with_everything_goes_through_every_phase() -> None:
    assert [debate.state.phase for debate in EVERY_PHASE] == list(cycles.PHASES)


@given(json_values | SHAPED)
def test_whatever_a_reply_holds_the_check_ends(value: Any) -> None:
    for debate in EVERY_PHASE:
        for task in turn_of(debate).tasks:
            plain, _ = RULES.normalise(task, value)
            assert isinstance(plain, dict)
            RULES.check(debate, turn_of(debate), {task.participant: Reply(task.participant, plain)})
            assert RULES.normalise(task, plain) == (plain, ())


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("given_", "stored"),
    [
        ("ann,ben", [("ann", "member", ""), ("ben", "member", "")]),
        ("ann, ben:expert", [("ann", "member", ""), ("ben", "expert", "")]),
        (["ann", "ben:expert"], [("ann", "member", ""), ("ben", "expert", "")]),
        (["a,b", "c"], [("a", "member", ""), ("b", "member", ""), ("c", "member", "")]),
        (
            [{"name": "ann", "perspective": " Costs. "}, {"name": "b-2", "role": "architect"}],
            [("ann", "member", "Costs."), ("b-2", "architect", "")],
        ),
    ],
)
def test_participants_are_read_from_names_and_from_objects(given_: Any, stored: Any) -> None:
    read_ = settings_of(participants=given_)["participants"]
    assert [tuple(item.values()) for item in read_] == stored
    assert [list(item) for item in read_] == [["name", "role", "perspective"]] * len(stored)
    assert settings_of(participants=read_)["participants"] == read_
    assert dict(RULES.participants({"participants": read_})) == dict.fromkeys(
        [name for name, _, _ in stored], "debater"
    )


@pytest.mark.parametrize(
    ("given_", "why"),
    [
        pytest.param("ann", "1 of at least 2", id="P4-02"),
        pytest.param("ann,ann", "ann is named 2 times", id="P4-03"),
        pytest.param(",".join(f"p{k}" for k in range(27)), "27 of at most 26", id="27"),
        pytest.param("ann,Ben", "'Ben' is no name", id="capital"),
        pytest.param("ann,judge", "judge is reserved", id="judge"),
        pytest.param(f"ann,{'b' * 33}", "is no name", id="too long"),
        pytest.param([{"name": "ann", "agentId": 1}, "ben"], "agentId", id="unknown key"),
        pytest.param([{"role": "expert"}, "ben"], "one has no name", id="no name"),
        pytest.param(
            [5, "B", {"name": "c", "role": 1}],
            "5 is no participant, 'B' is no name, 1 is no role",
            id="all at once",
        ),
        pytest.param(
            ["ann", {"name": "ben", "perspective": {"file": "x"}}],
            'perspective of ben is {"file": "x"}',
            id="an object for a text",
        ),
        pytest.param("ann,ben:Big Boss", "'Big Boss' is no role", id="role"),
        pytest.param({"ann": 1}, "", id="an object"),
    ],
)
def test_what_is_wrong_with_participants_is_told(given_: Any, why: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        settings_of(participants=given_)
    assert why in str(caught.value)


@pytest.mark.parametrize("weight", [0, 1, Decimal("1.5"), 1.5, Decimal("0.125"), 10**6])
def test_a_given_weight_replaces_its_role_alone(weight: Any) -> None:
    weights = settings_of(weights={"expert": weight})["weights"]
    assert weights == {"expert": Decimal(str(weight)), "architect": 2, "member": 1}
    assert settings_of(weights=weights)["weights"] == weights


@pytest.mark.parametrize(
    "weight",
    [
        *(-1, Decimal("NaN"), Decimal("Infinity"), float("inf"), float("nan"), True, "1", None),
        *(Decimal("0.0001"), Decimal("-0.001"), 10**12, []),
    ],
)
def test_what_is_no_weight_is_refused(weight: Any) -> None:
    """P4-23."""
    with pytest.raises(ValueError, match="expert has"):
        settings_of(weights={"expert": weight})


@pytest.mark.parametrize(
    ("chosen", "starts"),
    [
        ({"participants": "ann,ben:boss"}, "participants gives ben the role boss"),
        ({"weights": {"member": 0, "expert": 0}}, "weights gives every participant 0"),
        ({"weights": {"boss": 1}}, "weights has boss, a role that no participant has"),
        ({"weights": {"architect": 3}}, "weights has architect, a role that no participant has"),
        ({"quorum": 4}, "quorum is 4, but there are 3 participants"),
    ],
)
def test_settings_without_an_effect_are_told(chosen: Data, starts: str) -> None:
    given_ = {"participants": THREE} | chosen
    found = {s.name: s.read(given_.get(s.name, s.default)) for s in RULES.SETTINGS}
    (told,) = RULES.clashes(found)
    assert told.startswith(starts)
    assert told.split(" ")[0] in found


# ---------------------------------------------------------------- turns


def test_a_debate_begins_with_everybodys_proposal_in_cycle_1() -> None:
    turn = turn_of(begun(phase_seconds=60))
    assert turn[:3] == (0, 1, PROPOSALS)
    assert turn.seconds == 60
    assert turn.tasks == tuple(
        Task(name, "debater", "proposal", "consensus-proposal", "absence", 60)
        for name in ("ann", "ben", "cara")
    )


def phases(debate: Debate, **chosen: Any) -> list[str]:
    found = []
    while debate.state.phase in cycles.PHASES:
        found.append(f"{debate.state.exchange} {debate.state.phase.removeprefix('awaiting_')}")
        debate = hold(debate, **(split(debate) | chosen))
    return [*found, debate.state.phase]


def test_a_phase_without_tasks_is_left_out() -> None:
    assert phases(begun(max_cycles=2, straw_poll="yes", critic_confirms="yes")) == [
        *("1 proposals", "1 straw_votes", "1 critiques", "1 votes"),
        *("2 proposals", "2 critiques", "2 votes", "awaiting_decision"),
    ]


def test_whoever_is_criticised_defends_and_whoever_was_answered_reviews() -> None:
    debate = at(CRITIQUES, critic_confirms="yes")
    debate = hold(
        debate,
        ann=critiques(critique("ben_001-proposal", "blocking")),
        ben=critiques(critique("cara_001-proposal", "minor")),
        cara=critiques(critique("ben_001-proposal", "blocking")),
    )
    assert asked(debate) == ["ben", "cara"]
    answer = {"defences": [{"critique_id": "cara_001-critique-1", "text": "No."}]}
    debate = hold(debate, ben=answer)
    assert (debate.state.phase, asked(debate)) == (REVIEWS, ["cara"])
    assert hold(debate).state.phase == VOTES


def test_a_single_proposal_is_criticised_and_voted_on_by_the_others() -> None:
    debate = hold(begun(self_votes="forbidden"), ben=None, cara=None)
    assert asked(debate) == ["ben", "cara"]
    debate = hold(debate)
    assert (debate.state.phase, asked(debate)) == (VOTES, ["ben", "cara"])
    assert hold(debate).state.phase == cycles.CONSENSUS_REACHED


def test_abstentions_count_neither_for_the_quorum_nor_for_the_total() -> None:
    debate = hold(at(VOTES), ann=vote(None), cara=vote(None))
    assert debate.state == State(2, PROPOSALS, {})
    told = header(debate, "tally_001-outcome")
    assert (told["ballots"], told["quorum"], told["abstained"]) == (1, 2, ["ann", "cara"])


def test_votes_that_changed_since_the_cycle_before_are_told_in_the_outcome() -> None:
    debate = hold(at(VOTES), ann=vote("ann_001-proposal"), ben=vote(None), cara=vote(None))
    debate = going_on(debate, VOTES, 2)
    debate = hold(debate, **dict.fromkeys(("ann", "ben", "cara"), vote("ben_002-proposal")))
    assert header(debate, "tally_002-outcome")["changed_votes"] == [
        {"participant": "ann", "from": "ann_001-proposal", "to": "ben_002-proposal"}
    ]


def test_a_skip_is_never_recalled_as_a_pass_whoever_asked_for_it() -> None:
    turn = turn_of(at(VOTES))
    for how, by, expected in (("skip", "ann", None), ("pass", "user", None), ("pass", "ann", True)):
        recalled = RULES.recall(
            [Absence("ann_001-absence-6", "ann", 1, how, "why", by)], turn, turn.tasks[0]
        )
        assert (recalled and recalled["vote"] is None) is expected


def test_a_lost_outcome_is_counted_again() -> None:
    debate = hold(at(VOTES))
    held = dict(entry_map(debate))
    del held["tally_001-outcome"]
    assert RULES.derive(MemoryRecord(held), debate.settings) == debate.state
    assert audited(debate._replace(record=MemoryRecord(held))) == ["missing"]


@pytest.mark.parametrize(
    ("phase", "until", "calls"),
    [
        (PROPOSALS, None, 3 * 5 + 3 * 4 + 3 * 4),
        (PROPOSALS, 2, 3 * 5),
        (PROPOSALS, 3, 3 * 5 + 3 * 4),
        (CRITIQUES, 2, 3 * 3),
        (VOTES, 2, 3),
        (PROPOSALS, 1, 0),
    ],
)
def test_calls_left_counts_everybody_in_every_phase(
    phase: str, until: int | None, calls: int
) -> None:
    assert RULES.calls_left(at(phase, straw_poll="yes"), until) == calls


def test_calls_left_counts_reviews_where_critics_confirm() -> None:
    assert RULES.calls_left(begun(critic_confirms="yes", max_cycles=1), None) == 15


@pytest.mark.parametrize(
    ("debate", "who", "why"),
    [
        pytest.param(criticised(), "ann", "nobody criticised its proposal", id="P4-19"),
        pytest.param(
            hold(
                hold(begun(), ann=None),
                cara=critiques(critique("ben_001-proposal")),
            ),
            "ann",
            "it has no proposal in this cycle",
            id="P4-19: no proposal",
        ),
        pytest.param(
            hold(begun(), ben=None, cara=None), "ann", "its own is the only proposal", id="critique"
        ),
        pytest.param(
            hold(criticised(critic_confirms="yes")), "ben", "no blocking critique", id="review"
        ),
        pytest.param(
            hold(
                criticised(critic_confirms="yes"),
                ben={"defences": [{"critique_id": "ann_001-critique-1", "text": "No."}]},
            ),
            "cara",
            "nobody answered its blocking critique",
            id="review of nothing",
        ),
        pytest.param(
            hold(hold(begun(self_votes="forbidden"), ben=None, cara=None)),
            "ann",
            "self_votes are forbidden",
            id="own vote",
        ),
    ],
)
def test_whoever_is_not_asked_is_told_why(debate: Debate, who: str, why: str) -> None:
    assert who not in asked(debate)
    assert why in RULES.why_not_asked(debate, turn_of(debate), who)


# ---------------------------------------------------------------- forms of a reply

TASKS = {phase: Task("ann", "debater", "", RULES.kind_of(phase).schema) for phase in cycles.PHASES}
ONE = {"proposal_id": "ben_001-proposal", "severity": "minor", "criticism": "No."}
PLAIN_ONE = ONE | {"suggested_fix": ""}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([ONE], {"critiques": [PLAIN_ONE]}),
        (ONE, {"critiques": [PLAIN_ONE]}),
        ({"critiques": ONE}, {"critiques": [PLAIN_ONE]}),
        ({"critiques": None}, {"critiques": []}),
        ([], {"critiques": []}),
        (
            [ONE | {"participant": "ann", "exchange": 1}],
            {"participant": "ann", "exchange": 1, "critiques": [PLAIN_ONE]},
        ),
        ({"critiques": [], "pass_reason": " "}, {"critiques": []}),
    ],
)
def test_every_usual_form_of_critiques_is_one_form(value: Any, expected: Data) -> None:
    assert RULES.normalise(TASKS[CRITIQUES], value) == (expected | {"pass_reason": ""}, ())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"text": "No."}, [{"critique_id": "all", "text": "No."}]),
        ([{"text": "No."}], [{"critique_id": "all", "text": "No."}]),
        (
            {"defences": {"text": "No.", "critique_id": None}},
            [{"critique_id": "all", "text": "No."}],
        ),
        ([{"critique_id": "x", "text": "No."}], [{"critique_id": "x", "text": "No."}]),
    ],
)
def test_every_usual_form_of_defences_is_one_form(value: Any, expected: Any) -> None:
    plain = {"defences": expected, "revision": None, "pass_reason": ""}
    assert RULES.normalise(TASKS[DEFENCES], value) == (plain, ())


def test_a_revision_beside_a_single_defence_stays_beside_it() -> None:
    plain, _ = RULES.normalise(TASKS[DEFENCES], {"text": "No.", "revision": {"solution": "S"}})
    assert plain["revision"] == {"solution": "S", "title": "", "reasoning": ""}
    assert plain["defences"] == [{"text": "No.", "critique_id": "all"}]


@pytest.mark.parametrize("phase", [PROPOSALS, VOTES])
def test_a_single_reply_is_taken_out_of_its_list_with_a_note(phase: str) -> None:
    whole = proposal() if phase == PROPOSALS else vote("ben_001-proposal")
    plain, (note,) = RULES.normalise(TASKS[phase], [whole])
    assert plain == RULES.normalise(TASKS[phase], whole)[0]
    assert "list" in note


def test_the_id_of_a_revision_stands_for_its_proposal_with_a_note() -> None:
    plain, (note,) = RULES.normalise(TASKS[VOTES], vote("ben_001-revision"))
    assert plain["vote"] == "ben_001-proposal"
    assert "revision" in note
    plain, notes = RULES.normalise(
        TASKS[CRITIQUES], critiques(ONE | {"proposal_id": "ben_001-revision"})
    )
    assert (plain["critiques"], len(notes)) == ([PLAIN_ONE], 1)


@pytest.mark.parametrize("phase", [CRITIQUES, DEFENCES, REVIEWS, VOTES, PROPOSALS])
def test_a_reply_without_its_list_is_not_taken_for_a_pass(phase: str) -> None:
    task = TASKS[phase]
    plain, _ = RULES.normalise(task, {"participant": "ann", "exchange": 1, "phase": phase})
    assert not schema.accepts(schema.load(task.schema), plain)


@pytest.mark.parametrize(
    ("phase", "value"),
    [
        (CRITIQUES, critiques(ONE | {"severity": "fatal"})),
        (CRITIQUES, critiques(ONE | {"criticism": " \n"})),
        (CRITIQUES, critiques(*[ONE] * 76)),
        (DEFENCES, defence("")),
        (DEFENCES, defence(revision={"solution": " "})),
        (REVIEWS, {"reviews": [review("x", "perhaps")]}),
        (VOTES, vote("x", " ")),
        (VOTES, vote("x") | {"vote": 1}),
        (PROPOSALS, proposal(confidence=Decimal("1.01"))),
        (PROPOSALS, proposal(confidence="0.5")),
        (PROPOSALS, {k: v for k, v in proposal().items() if k != "confidence"}),
        (PROPOSALS, proposal(solution=" ")),
    ],
)
def test_what_a_schema_can_tell_it_tells(phase: str, value: Data) -> None:
    """P4-05, P4-12, P4-16."""
    plain, _ = RULES.normalise(TASKS[phase], value)
    assert not schema.accepts(schema.load(TASKS[phase].schema), plain)


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("number", "codes"),
    [
        (0, []),
        (1, []),
        (Decimal("0.85"), []),
        (Decimal("0.8505"), ["too_many_decimals"]),
        (Decimal("NaN"), ["not_finite"]),
        (Decimal("Infinity"), ["not_finite"]),
    ],
)
def test_a_confidence_has_three_decimals_and_is_finite(number: Any, codes: list[str]) -> None:
    assert checked(begun(), "ann", proposal(confidence=number))[0] == codes


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("ann_002-proposal", "is not from an earlier cycle"),
        ("ann_001-critique-1", "is no proposal of this debate"),
        ("zed_001-proposal", "is no proposal of this debate"),
        ("nope", "is no proposal of this debate"),
    ],
)
def test_a_proposal_builds_on_those_of_earlier_cycles(target: str, problem: str) -> None:
    debate = at(PROPOSALS, 2)
    assert problem in messages(debate, "ann", proposal(builds_on=[target]))
    twice = proposal(builds_on=["ben_001-proposal"] * 2)
    assert "named twice" in messages(debate, "ann", twice)
    assert checked(debate, "ann", proposal(builds_on="ben_001-proposal")) == ([], [])


@pytest.mark.parametrize(
    ("item", "told"),
    [
        pytest.param(critique("ann_001-proposal"), "is your own proposal", id="P4-09"),
        pytest.param(critique("nope"), "is no proposal of this debate", id="P4-11"),
        pytest.param(critique("zed_001-proposal"), "is no proposal", id="of nobody"),
        pytest.param(
            critique("ben_001-proposal", to="cara"), "ben_001-proposal is by ben", id="P4-10"
        ),
    ],
)
def test_a_critique_is_of_anothers_proposal(item: Data, told: str) -> None:
    message = messages(at(CRITIQUES), "ann", critiques(critique("cara_001-proposal"), item))
    assert told in message
    assert "critiques[1]" in message


def test_a_critique_may_name_the_author_and_criticise_one_proposal_twice() -> None:
    both = critiques(
        critique("ben_001-proposal", to="ben"), critique("ben_001-proposal", "blocking")
    )
    debate = at(CRITIQUES)
    assert checked(debate, "ann", both) == ([], [])
    debate = hold(debate, ann=both)
    assert [i for i in entry_map(debate) if "critique" in i] == [
        *("ann_001-critique-1", "ann_001-critique-2")
    ]
    first = header(debate, "ann_001-critique-1")
    assert (first["attacks"], first["severity"]) == (
        [{"target_id": "ben_001-proposal", "type": "minor"}],
        "minor",
    )


@pytest.mark.parametrize(("number", "codes"), [(3, []), (4, ["too_many_critiques"])])
def test_one_proposal_has_at_most_three_critiques_of_one_critic(
    number: int, codes: list[str]
) -> None:
    debate = at(CRITIQUES)
    listed = [critique("cara_001-proposal"), *[critique("ben_001-proposal")] * number]
    assert checked(debate, "ann", critiques(*listed))[0] == codes


@pytest.mark.parametrize(
    ("named", "told"),
    [
        pytest.param("ben_001-critique-1", "is not a critique of your proposal", id="P4-18"),
        pytest.param("ann_001-critique-9", "is no critique of this debate", id="unknown"),
        pytest.param("ben_001-proposal", "is no critique of this debate", id="a proposal"),
    ],
)
def test_each_author_answers_for_its_own(named: str, told: str) -> None:
    of_ben = critiques(critique("ben_001-proposal"))
    debate = hold(at(CRITIQUES), ann=of_ben, ben=critiques(critique("ann_001-proposal")))
    assert told in messages(debate, "ben", {"defences": [{"critique_id": named, "text": "No."}]})


def test_each_critique_is_answered_at_most_once() -> None:
    one = {"critique_id": "ann_001-critique-1", "text": "No."}
    assert checked(criticised(), "ben", {"defences": [one, one]})[0] == ["answered_twice"]
    assert checked(criticised(), "ben", {"defences": [one, {"text": "All."}]})[0] == [
        "answered_twice"
    ]
    assert checked(criticised(), "ben", {"defences": [one]})[0] == []


@pytest.mark.parametrize(("given_", "title"), [("New", "New"), ("", "A way"), (None, "A way")])
def test_a_revision_keeps_the_title_unless_it_has_its_own(given_: Any, title: str) -> None:
    debate = hold(criticised(), ben=defence(revision={"solution": "S", "title": given_}))
    assert header(debate, "ben_001-revision")["title"] == title


def test_a_reason_to_pass_beside_an_answer_is_left_out_with_a_warning() -> None:
    reply = critiques(ONE) | {"pass_reason": "None."}
    assert checked(at(CRITIQUES), "ann", reply) == ([], ["pass_reason_unused"])


def test_a_revision_alone_answers_nothing_and_that_is_told() -> None:
    reply = {"defences": [], "revision": {"solution": "NEW"}}
    debate = criticised()
    assert checked(debate, "ben", reply) == ([], ["nothing_answered"])
    debate = hold(debate, ben=reply)
    assert cycles.of_record(debate.record, 1).barred() == {
        "ben_001-proposal": ("ann_001-critique-1", "cara_001-critique-1")
    }


def test_each_blocking_critique_that_was_answered_is_reviewed_once() -> None:
    debate = hold(criticised(critic_confirms="yes"))
    one = review("ann_001-critique-1")
    assert checked(debate, "ann", {"reviews": [one]})[0] == []
    assert checked(debate, "ann", {"reviews": []})[0] == ["review_missing"]
    assert checked(debate, "ann", {"reviews": [one, one]})[0] == ["reviewed_twice"]
    other = review("cara_001-critique-1")
    assert checked(debate, "ann", {"reviews": [other]})[0] == ["bad_target", "review_missing"]


def test_a_maintained_critique_bars_and_an_absent_critic_does_not() -> None:
    debate = hold(criticised(critic_confirms="yes"))
    maintained = {"reviews": [review("ann_001-critique-1", "maintain")]}
    assert cycles.of_record(hold(debate, ann=maintained).record, 1).barred()
    assert not cycles.of_record(hold(debate, ann=None, cara=None).record, 1).barred()


@pytest.mark.parametrize("phase", [STRAW_VOTES, VOTES])
def test_a_vote_for_oneself_may_be_forbidden(phase: str) -> None:
    own = vote("ann_001-proposal")
    free, bound = (
        at(phase, straw_poll="yes", self_votes=word) for word in ("allowed", "forbidden")
    )
    assert checked(free, "ann", own)[0] == []
    assert checked(bound, "ann", own)[0] == ["own_vote"]


def test_all_faults_of_all_replies_are_told_at_once() -> None:
    debate = at(CRITIQUES)
    bad = critiques(critique("nope"), critique("ben_001-proposal", to="cara"))
    found = RULES.check(
        debate,
        turn_of(debate),
        read(debate, "ann", bad | {"weight": 1}) | read(debate, "cara", critiques(critique("x"))),
    )
    assert [(f.participant, f.code) for f in found.faults] == [
        ("ann", "bad_target"),
        ("ann", "wrong_author"),
        ("ann", "weight_given"),
        ("cara", "bad_target"),
    ]


ANSWERING = {DEFENCES, REVIEWS, VOTES}
WORD_LIMITS = [
    (PROPOSALS, "title", 12, lambda text: proposal(title=text)),
    (PROPOSALS, "solution", 600, lambda text: proposal(solution=text)),
    (PROPOSALS, "reasoning", 200, lambda text: proposal(reasoning=text)),
    (CRITIQUES, "criticism", 150, lambda text: critiques(ONE | {"criticism": text})),
    (CRITIQUES, "suggested_fix", 80, lambda text: critiques(ONE | {"suggested_fix": text})),
    (CRITIQUES, "pass_reason", 50, lambda text: critiques() | {"pass_reason": text}),
    (DEFENCES, "text", 150, defence),
    (DEFENCES, "solution", 600, lambda text: defence(revision={"solution": text})),
    (DEFENCES, "solution", 600, lambda text: defence(revision={"solution": text})),
    (
        REVIEWS,
        "reason",
        80,
        lambda text: {"reviews": [review("ann_001-critique-1") | {"reason": text}]},
    ),
    (VOTES, "justification", 100, lambda text: vote("ben_001-proposal", text)),
]


@pytest.mark.parametrize(("phase", "field", "most", "make"), WORD_LIMITS)
def test_words_are_measured_field_by_field(phase: str, field: str, most: int, make: Any) -> None:
    debate = going_on(criticised(**STRICT), phase) if phase in ANSWERING else at(phase)
    who = "ben" if phase == DEFENCES else "ann"
    assert checked(debate, who, make("word " * most)) == ([], [])
    over = RULES.check(debate, turn_of(debate), read(debate, who, make("word " * (most + 1))))
    (finding,) = over.warnings
    assert (finding.code, over.faults) == ("word_limit", ())
    assert finding.where.endswith(f".{field}")
    assert f"{most + 1} words" in finding.found


def test_too_many_words_are_a_fault_where_they_are_to_be_rejected() -> None:
    debate = begun(word_limits="reject")
    assert checked(debate, "ann", proposal(title="word " * 13)) == (["word_limit"], [])


# ---------------------------------------------------------------- entries


def test_a_pass_is_an_absence_of_ones_own_with_a_number_for_each_phase() -> None:
    debate = hold(at(CRITIQUES), ben=critiques() | {"pass_reason": "All sound."})
    found = [entries.parse(entry_map(debate)[f"{n}_001-absence-3"]) for n in ("ann", "ben")]
    assert found == [
        Absence("ann_001-absence-3", "ann", 1, "pass", "no critique", "ann"),
        Absence("ben_001-absence-3", "ben", 1, "pass", "All sound.", "ben"),
    ]
    debate = hold(debate, ann=vote(None, "I cannot tell."))
    absent = entries.parse(entry_map(debate)["ann_001-absence-6"])
    assert absent == Absence("ann_001-absence-6", "ann", 1, "pass", "I cannot tell.", "ann")


def test_absences_of_one_participant_in_one_cycle_do_not_collide() -> None:
    debate = begun(**STRICT)
    of_ben = critiques(critique("ben_001-proposal", "blocking"))
    debate = hold(debate, ann=None)
    debate = hold(debate, ann=None, ben=None)
    debate = hold(debate, ann=None, ben=None, cara=of_ben)
    debate = hold(debate)
    debate = hold(debate, cara=None)
    debate = hold(debate, ann=None, ben=None)
    assert [i for i in entry_map(debate) if "absence" in i] == [
        *("ann_001-absence-1", "ann_001-absence-2", "ben_001-absence-2"),
        *("ann_001-absence-3", "ben_001-absence-3", "cara_001-absence-5"),
        *("ann_001-absence-6", "ben_001-absence-6"),
    ]


def test_a_ballot_judges_the_text_as_it_last_was() -> None:
    debate = hold(criticised(), ben=defence(revision={"solution": "NEW"}))
    debate = hold(debate, ann=vote("ben_001-proposal"), cara=vote("cara_001-proposal"))
    assert header(debate, "ann_001-ballot")["judges"] == ["ben_001-revision"]
    assert header(debate, "cara_001-ballot")["judges"] == ["cara_001-proposal"]


def test_every_entry_of_a_judgment_has_a_title_that_tells_it() -> None:
    debate = hold(hold(hold(criticised(**STRICT))))
    told = {
        entry.kind: header(debate, entry.id)["title"]
        for entry in entry_map(debate).values()
        if entry.folder == JUDGMENTS and not entry.is_absence
    }
    assert told == {
        "straw": "Votes for ann_001-proposal, weight 1",
        "review": "Accepts the answer to cara_001-critique-1",
        "ballot": "Votes for ann_001-proposal, weight 1",
        "outcome": "Consensus: ann_001-proposal with all of the weight",
    }


def test_every_kind_of_entry_has_an_event() -> None:
    kinds = {kind for phase in cycles.PHASES.values() for kind in phase.kinds}
    kinds |= {"outcome", "escalation", "decision", "cancellation"}
    assert set(RULES.EVENTS) == kinds
    assert len(set(RULES.EVENTS.values())) == len(kinds)


# ---------------------------------------------------------------- contexts


def shown_to(debate: Debate, who: str) -> Mapping[str, tuple[str, ...]]:
    turn = turn_of(debate)
    task = next(task for task in turn.tasks if task.participant == who)
    return RULES.context(debate, turn, task).shown


def values_for(debate: Debate, who: str) -> Mapping[str, str]:
    turn = turn_of(debate)
    task = next(task for task in turn.tasks if task.participant == who)
    return RULES.context(debate, turn, task).values


def test_first_proposals_are_independent() -> None:
    assert shown_to(begun(), "ann") == {}


def test_later_proposals_are_made_in_the_light_of_the_cycle_before() -> None:
    debate = hold(criticised(), ben=defence(revision={"solution": "S", "reasoning": "R"}))
    debate = going_on(
        hold(debate, ann=vote("ann_001-proposal"), ben=vote("ben_001-proposal"), cara=vote(None)),
        PROPOSALS,
        2,
    )
    assert turn_of(debate).tasks[0].template == "proposal-again"
    assert shown_to(debate, "ben") == {
        "outcome": ("tally_001-outcome",),
        "proposals": ("cara_001-proposal", "ann_001-proposal", "ben_001-revision"),
        "critiques": ("ann_001-critique-1", "cara_001-critique-1", "cara_001-critique-2"),
        "entries": ("ann_001-ballot", "ben_001-ballot"),
    }
    assert shown_to(debate, "ann")["critiques"] == ()


def test_the_straw_poll_shows_every_proposal_and_nobody_is_shown_its_votes() -> None:
    debate = at(STRAW_VOTES, **STRICT)
    assert sorted(shown_to(debate, "ann")["proposals"]) == [
        f"{name}_001-proposal" for name in ("ann", "ben", "cara")
    ]
    for later in EVERY_PHASE:
        for name in asked(later):
            given_ = [i for ids in shown_to(later, name).values() for i in ids]
            assert not [i for i in given_ if i.endswith("-straw")]


def test_critics_are_shown_the_others_proposals_alone() -> None:
    assert shown_to(at(CRITIQUES), "ben") == {
        "proposals": ("cara_001-proposal", "ann_001-proposal")
    }


def test_authors_are_shown_their_proposal_and_its_critiques() -> None:
    turn = turn_of(criticised())
    told = RULES.context(criticised(), turn, turn.tasks[0])
    assert told.shown == {
        "own_entries": ("ben_001-proposal",),
        "critiques": ("ann_001-critique-1", "cara_001-critique-1"),
        "others": ("cara_001-critique-2",),
    }
    assert told.may_shorten == ("others",)


def test_critics_review_the_answers_and_the_proposal_as_it_now_reads() -> None:
    debate = criticised(critic_confirms="yes")
    kept = hold(debate, ben=defence(revision={"solution": "S"}))
    assert shown_to(kept, "cara") == {
        "critiques": ("cara_001-critique-1",),
        "entries": ("ben_001-defence-2",),
        "proposals": ("ben_001-proposal", "ben_001-revision"),
    }
    whole = hold(debate, ben=defence(revision={"solution": "S", "reasoning": "R"}))
    assert shown_to(whole, "cara")["proposals"] == ("ben_001-revision",)


def test_voters_are_shown_what_can_win_and_blocking_critiques_are_never_shortened() -> None:
    debate = hold(hold(criticised(critic_confirms="yes")))
    turn = turn_of(debate)
    told = RULES.context(debate, turn, turn.tasks[0])
    assert told.shown == {
        "proposals": ("ben_001-proposal", "cara_001-proposal", "ann_001-proposal"),
        "critiques": (
            *("ann_001-critique-1", "ben_001-defence-1", "ann_001-review-1"),
            *("cara_001-critique-1", "ben_001-defence-2", "cara_001-review-1"),
        ),
        "others": ("cara_001-critique-2", "ben_001-defence-3"),
    }
    assert told.may_shorten == ("others",)
    barred = hold(criticised(), ben=None)
    assert "ben_001-proposal" not in shown_to(barred, "ann")["proposals"]
    assert (shown_to(barred, "ann")["critiques"], shown_to(barred, "ann")["others"]) == ((), ())
    assert "ben_001-proposal: ann_001-critique-1" in values_for(barred, "ann")["barred_note"]


def test_no_proposal_is_always_read_first() -> None:
    firsts = [shown_to(at(VOTES), name)["proposals"][0] for name in ("ann", "ben", "cara")]
    assert sorted(firsts) == [f"{name}_001-proposal" for name in ("ann", "ben", "cara")]


def test_each_participant_is_given_its_perspective_and_nobody_elses() -> None:
    people = [{"name": "ann", "perspective": f"Costs. {'word ' * 200}"}, {"name": "ben"}]
    debate = begun(participants=people)
    told = values_for(debate, "ann")["perspective"]
    assert "> Costs." in told
    assert max(map(len, told.splitlines())) <= LINE
    assert values_for(debate, "ben")["perspective"] == ""


def test_a_prompt_has_no_line_that_clients_cut_however_many_take_part() -> None:
    names = [f"{chr(97 + k)}{'x' * 31}" for k in range(26)]
    debate = at(CRITIQUES, participants=names)
    target = f"{names[0]}_001-proposal"
    others = {name: critiques(*[critique(target, "blocking")] * 3) for name in names[1:]}
    debate = hold(debate, **others)
    for held in (debate, hold(debate, **{names[0]: None})):
        task = turn_of(held).tasks[0]
        prompt = build.prompt(
            held, Framing("M"), turn_of(held), task, RULES.context(held, turn_of(held), task)
        )
        assert max(map(len, prompt.splitlines())) <= 900
        assert "{{" not in prompt


def test_voters_are_told_the_rules_of_the_vote() -> None:
    told = values_for(at(VOTES, self_votes="forbidden", threshold="0.6"), "ben")
    assert told["vote_ids"] == "ann_001-proposal, cara_001-proposal"
    assert (told["threshold"], told["quorum"], told["weight"]) == ("0.6", "2", "1.5")
    allowed = values_for(at(VOTES), "ben")
    assert told["own_vote_rule"] != allowed["own_vote_rule"]


# ---------------------------------------------------------------- acts


def acted(debate: Debate, name: str, by: str = "the chair", **given_: str) -> Debate:
    debate = after(debate, RULES.ACTS[name](debate, Act(name, {"reason": "So."} | given_, by)))
    assert RULES.derive(debate.record, debate.settings) == debate.state
    return debate


def escalated() -> Debate:
    return going_on(begun(max_cycles=1), DECISION)


STATES: Mapping[str, Callable[[], Debate]] = {
    **dict(
        zip(cycles.PHASES, [partial(EVERY_PHASE.__getitem__, k) for k in range(6)], strict=True)
    ),
    DECISION: escalated,
    cycles.CONSENSUS_REACHED: lambda: hold(at(VOTES)),
    cycles.DECIDED: lambda: acted(escalated(), "decide", text="Neither."),
    CANCELLED: lambda: acted(begun(), "cancel"),
}
ALLOWED = {
    "escalate": {*cycles.PHASES},
    "cancel": {*cycles.PHASES, DECISION},
    "decide": {DECISION},
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", ALLOWED)
def test_an_act_is_refused_where_it_has_no_place(name: str, state: str) -> None:
    """P4-32, P4-38: what has ended stays as it is."""
    debate = STATES[state]()
    assert debate.state.phase == state
    if state in ALLOWED[name]:
        assert (
            acted(debate, name, text="Neither.").state.phase
            == {
                "escalate": DECISION,
                "cancel": CANCELLED,
                "decide": cycles.DECIDED,
            }[name]
        )
        return
    with pytest.raises(RefusedError, match=f"{name} cannot be done now: this debate is at {state}"):
        acted(debate, name, text="Neither.")


@pytest.mark.parametrize("name", ALLOWED)
def test_an_act_wants_a_reason(name: str) -> None:
    debate = escalated() if name == "decide" else begun()
    with pytest.raises(UsageError, match="a reason is required"):
        acted(debate, name, text="Neither.", reason=" \n")


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({}, "names a proposal, or says something"),
        ({"text": " "}, "names a proposal, or says something"),
        ({"proposal": "zed_001-proposal"}, "zed_001-proposal is no proposal"),
        ({"proposal": "ann_001-absence-6"}, "is no proposal of this debate"),
    ],
)
def test_a_decision_names_a_proposal_or_has_words_of_its_own(given_: Data, told: str) -> None:
    with pytest.raises(RefusedError, match=told):
        acted(escalated(), "decide", **given_)


def test_a_decision_may_be_for_a_proposal_of_any_cycle_and_says_whose_it_is() -> None:
    debate = going_on(begun(max_cycles=2), DECISION, 2)
    debate = acted(debate, "decide", proposal="ben_001-proposal", text="With care.")
    told = header(debate, "person_002-decision")
    assert (told["proposal"], told["by"], told["reason"]) == (
        "ben_001-proposal",
        "the chair",
        "So.",
    )
    value = entries.parse(entry_map(debate)["person_002-decision"])
    assert isinstance(value, Contribution)
    assert value.texts == {"Decision": "With care.", "Reason": "So."}
    done = RULES.next_turn(debate, NOW)
    assert isinstance(done, Done)
    assert "ben_001-proposal by the chair: So." in done.reason
    assert audited(debate) == []


def test_an_escalation_by_a_person_says_why_and_by_whom() -> None:
    debate = acted(at(CRITIQUES, 2), "escalate")
    assert debate.state == State(2, DECISION, {})
    due = RULES.next_turn(debate, NOW)
    assert isinstance(due, Waiting)
    assert due.reason == "escalated by the chair: So."
    assert audited(debate) == []
    assert audited(acted(debate, "cancel")) == []


# ---------------------------------------------------------------- requirements


def met(debate: Debate, name: str) -> tuple[bool, str]:
    found = RULES.REQUIREMENTS[name](debate)
    return found.is_met, found.why


def test_consensus_is_required_and_met_only_where_it_is_reached() -> None:
    assert met(hold(at(VOTES)), "consensus") == (True, "consensus on ann_001-proposal in cycle 1")
    for state, make in STATES.items():
        is_met, why = met(make(), "consensus")
        assert is_met == (state == cycles.CONSENSUS_REACHED)
        assert is_met or state in why


def test_no_blocking_looks_at_the_cycle_before_an_end_and_at_the_choice_after_it() -> None:
    barred = hold(criticised(max_cycles=1), ben=None)
    is_met, why = met(barred, "no-blocking")
    assert not is_met
    assert "ann_001-critique-1, cara_001-critique-1 of ben_001-proposal" in why
    assert met(hold(criticised()), "no-blocking")[0]
    assert met(hold(barred), "no-blocking") == (
        *(True, "no unresolved blocking critique of ann_001-proposal"),
    )
    later = going_on(hold(criticised(max_cycles=2), ben=None), DECISION, 2)
    assert not met(acted(later, "decide", proposal="ben_001-proposal"), "no-blocking")[0]
    assert met(acted(later, "decide", proposal="ben_002-proposal"), "no-blocking")[0]
    waiting = going_on(barred, DECISION)
    assert not met(acted(waiting, "decide", proposal="ben_001-proposal"), "no-blocking")[0]
    assert met(acted(waiting, "decide", proposal="ann_001-proposal"), "no-blocking")[0]
    assert met(acted(waiting, "decide", text="Neither."), "no-blocking")[0]


# ---------------------------------------------------------------- audit


def planted(debate: Debate, entry_id: str, **changes: Any) -> set[str]:
    """Return which entries have a fault where the header of one says something else."""
    held = dict(entry_map(debate))
    held[entry_id] = held[entry_id]._replace(header=dict(held[entry_id].header) | changes)
    return faulty(debate._replace(record=MemoryRecord(held)))


def renamed(debate: Debate, entry_id: str, other: str) -> set[str]:
    held = dict(entry_map(debate))
    entry = held[entry_id]
    held[other] = entry._replace(id=other, header=dict(entry.header) | {"id": other})
    return faulty(debate._replace(record=MemoryRecord(held)))


def full() -> Debate:
    return hold(hold(hold(criticised(**STRICT), ben=defence(revision={"solution": "S"}))))


def test_a_sound_record_has_no_faults() -> None:
    assert full().state.phase == cycles.CONSENSUS_REACHED
    assert audited(full()) == []


LINK = {"target_id": "ben_001-proposal", "type": "minor"}


@pytest.mark.parametrize(
    ("entry_id", "changes"),
    [
        ("ann_001-ballot", {"weight": 5}),
        ("ann_001-ballot", {"vote": "zed_001-proposal"}),
        ("ann_001-critique-1", {"attacks": []}),
        ("ann_001-critique-1", {"attacks": [LINK | {"target_id": "ann_001-proposal"}]}),
        ("ann_001-critique-1", {"attacks": [LINK]}),
        ("ben_001-defence-1", {"answers": "nope"}),
        ("ben_001-defence-1", {"defends": [LINK | {"target_id": "ann_001-proposal"}]}),
        ("ben_001-revision", {"revises": "ann_001-proposal"}),
        ("ann_001-review-1", {"critique": "cara_001-critique-1"}),
        ("ann_001-review-1", {"critique": "ann_001-critique-9"}),
        ("ann_001-proposal", {"builds_on": ["ben_001-proposal"]}),
        ("tally_001-outcome", {"winner": "ben_001-proposal"}),
        ("tally_001-outcome", {"dissent": ["ann_001-ballot"]}),
        ("ann_001-ballot", {"kind": "nonsense"}),
        ("ann_001-ballot", {"kind": "straw"}),
    ],
)
def test_a_planted_fault_is_found(entry_id: str, changes: Data) -> None:
    assert entry_id in planted(full(), entry_id, **changes)


@pytest.mark.parametrize(
    ("entry_id", "other"),
    [
        ("ann_001-ballot", "zed_001-ballot"),
        ("ann_001-ballot", "ann_001-ballot-2"),
        ("ann_001-proposal", "ann_001-absence-1"),
        ("tally_001-outcome", "ann_001-outcome"),
    ],
)
def test_an_entry_too_many_is_found(entry_id: str, other: str) -> None:
    assert renamed(full(), entry_id, other)


def test_an_outcome_that_differs_is_told_with_both_values() -> None:
    held = dict(entry_map(full()))
    entry = held["tally_001-outcome"]
    held["tally_001-outcome"] = entry._replace(
        header=dict(entry.header) | {"winner": "ben_001-proposal"}
    )
    (fault,) = audit_of(full()._replace(record=MemoryRecord(held))).faults
    assert fault.file == "judgments/tally_001-outcome.md"
    assert (fault.found, fault.wanted) == ("ben_001-proposal", "ann_001-proposal")


def test_a_ballot_that_was_removed_is_missing() -> None:
    held = dict(entry_map(full()))
    del held["cara_001-ballot"]
    assert audited(full()._replace(record=MemoryRecord(held))) == ["missing"]


def test_other_settings_than_the_debate_was_held_with_are_found() -> None:
    debate = full()
    for chosen in ({"revisions": "forbidden"}, {"self_votes": "forbidden"}, {"threshold": "1"}):
        stricter = settings_of(**STRICT, **chosen)
        assert audited(debate._replace(settings=stricter))
    assert "out_of_place" in audited(
        going_on(begun(max_cycles=2), DECISION, 2)._replace(settings=settings_of(max_cycles=1))
    )


def test_an_entry_beside_its_absence_is_found() -> None:
    debate = full()
    held = dict(entry_map(debate))
    absence = Absence("ann_001-absence-6", "ann", 1, "skip", "why", "user")
    held[absence.id] = entry_of(absence, held["ann_001-ballot"].step, debate)
    assert faulty(debate._replace(record=MemoryRecord(held))) == {absence.id}


def test_an_absence_of_another_kind_is_found() -> None:
    absent = hold(criticised(), ben=None)
    assert "ben_001-absence-4" in planted(absent, "ben_001-absence-4", kind="blocking")


def test_a_long_title_of_a_revision_is_a_warning_about_its_own_file() -> None:
    revision = {"title": "w " * 13, "solution": "S"}
    (warning,) = audit_of(hold(criticised(), ben=defence(revision=revision))).warnings
    assert (warning.file, warning.where) == ("arguments/ben_001-revision.md", "$.title")


def test_texts_over_their_limit_are_warnings_on_record() -> None:
    debate = begun()
    long = proposal(title="w " * 13, solution="w " * 601, reasoning="w " * 201)
    debate = hold(debate, ann=long)
    of_ben = critiques(critique("ben_001-proposal", "major", "w " * 151, suggested_fix="w " * 81))
    debate = hold(debate, ann=of_ben)
    debate = hold(debate, ben=defence("w " * 151))
    debate = hold(debate, ann=vote("ben_001-proposal", "w " * 101))
    assert audited(debate) == ["word_limit"] * 7
