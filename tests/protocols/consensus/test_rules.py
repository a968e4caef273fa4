"""The rules of the consensus protocol alone: pure functions over a record in memory."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import schema
from debate_ops.model.debate import State
from debate_ops.model.entries import ARGUMENTS
from debate_ops.model.ids import order
from debate_ops.model.texts import LINE
from debate_ops.model.turn import Absent, Done, Task, Waiting
from debate_ops.protocols import filing
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.consensus import cycle as cycles
from debate_ops.protocols.consensus.rules import RULES
from tests.protocols.consensus.stage import (
    CRITIQUES,
    DECISION,
    DEFENCES,
    PROPOSALS,
    REVIEWS,
    STAGE,
    STRAW_VOTES,
    STRICT,
    THREE,
    VOTES,
    allowed,
    at,
    criticised,
    critique,
    critiques,
    defence,
    going_on,
    proposal,
    review,
    vote,
)
from tests.protocols.stage import (
    NOW,
    Data,
    edited,
    entry_map,
    header,
    value_of,
    without,
)
from tests.strategies import filled, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from debate_ops.model.debate import Debate

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


@st.composite
def any_reply(draw: st.DrawFn, debate: Debate, task: Task) -> Data | None:
    """Return a good reply of any kind, or None for an absence."""
    if draw(st.integers(0, 6)) == 0:
        return None
    cycle = cycles.of_record(debate.record, debate.state.exchange)
    return draw(_DRAWN[debate.state.phase](debate, cycle, task.participant))


@st.composite
def any_proposal(draw: st.DrawFn, debate: Debate, _: cycles.Cycle, __: str) -> Data:
    proposals = [i for i in debate.record.ids(ARGUMENTS) if i.endswith("-proposal")]
    earlier = [i for i in proposals if order(i)[0] < debate.state.exchange]
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
    own = [c.id for c in cycle.critiques(cycle.proposal_of(me))]
    chosen = draw(st.lists(st.sampled_from(own), unique=True))
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
    possible = allowed(debate, cycle, me)
    return vote(draw(st.sampled_from([*possible, *possible, None])), draw(filled))


_DRAWN: Mapping[str, Callable[[Debate, cycles.Cycle, str], st.SearchStrategy[Data]]] = {
    PROPOSALS: any_proposal,
    STRAW_VOTES: any_vote,
    CRITIQUES: any_critiques,
    DEFENCES: any_defences,
    REVIEWS: any_reviews,
    VOTES: any_vote,
}


@settings(max_examples=10)
@given(CHOSEN.filter(lambda chosen: not list(RULES.clashes(STAGE.read(**chosen)))), st.data())
def test_the_state_follows_every_reply_and_the_record_is_sound(
    chosen: Data, data: st.DataObject
) -> None:
    last = STAGE.follow_the_rules(
        STAGE.begun(**chosen), lambda debate, task: data.draw(any_reply(debate, task))
    )
    assert last.state.exchange <= RULES.last_exchange(last.settings)
    is_done = isinstance(RULES.next_turn(last, NOW), Done)
    assert is_done == (last.state.phase == cycles.CONSENSUS_REACHED)


EVERY_PHASE = (
    *(at(phase, **STRICT) for phase in (PROPOSALS, STRAW_VOTES, CRITIQUES)),
    criticised(**STRICT),
    *(going_on(criticised(**STRICT), phase) for phase in (REVIEWS, VOTES)),
)


def test_a_debate_with_everything_goes_through_every_phase() -> None:
    assert [debate.state.phase for debate in EVERY_PHASE] == list(cycles.PHASES)


@pytest.mark.parametrize(
    ("participants", "stored"),
    [
        ("ann, ben:expert", [("ann", "member", ""), ("ben", "expert", "")]),
        (["a,b", "c"], [("a", "member", ""), ("b", "member", ""), ("c", "member", "")]),
        (
            [{"name": "ann", "perspective": " Costs. "}, {"name": "b-2", "role": "architect"}],
            [("ann", "member", "Costs."), ("b-2", "architect", "")],
        ),
    ],
)
def test_participants_are_read_from_names_and_from_objects(participants: Any, stored: Any) -> None:
    read = STAGE.settings(participants=participants)["participants"]
    assert [tuple(item.values()) for item in read] == stored
    assert [list(item) for item in read] == [["name", "role", "perspective"]] * len(stored)
    assert STAGE.settings(participants=read)["participants"] == read
    assert list(RULES.participants({"participants": read})) == [name for name, _, _ in stored]


@pytest.mark.parametrize(
    ("participants", "parts"),
    [
        pytest.param("ann", ["1", "2"], id="P4-02"),
        pytest.param("ann,ann", ["ann"], id="P4-03"),
        pytest.param(",".join(f"p{k}" for k in range(27)), ["27", "26"], id="27"),
        pytest.param("ann,Ben", ["Ben"], id="capital"),
        pytest.param("ann,judge", ["judge"], id="reserved"),
        pytest.param(f"ann,{'b' * 33}", ["bbb"], id="too long"),
        pytest.param([{"name": "ann", "agentId": 1}, "ben"], ["agentId"], id="unknown key"),
        pytest.param([{"role": "expert"}, "ben"], ["name"], id="no name"),
        pytest.param([5, "B", {"name": "c", "role": 1}], ["5", "B", "1"], id="all at once"),
        pytest.param(
            ["ann", {"name": "ben", "perspective": {"file": "x"}}],
            ["perspective", "ben"],
            id="an object for a text",
        ),
        pytest.param("ann,ben:Big Boss", ["Big Boss"], id="role"),
        pytest.param({"ann": 1}, ["^$"], id="an object"),
    ],
)
def test_what_is_wrong_with_participants_is_told(participants: Any, parts: list[str]) -> None:
    with pytest.raises(ValueError, match=".*".join(parts)):
        STAGE.read(participants=participants)


@pytest.mark.parametrize("weight", [0, Decimal("1.5"), 1.5, Decimal("0.125"), 10**6])
def test_a_given_weight_replaces_its_role_alone(weight: Any) -> None:
    weights = STAGE.settings(weights={"expert": weight})["weights"]
    assert weights == {"expert": Decimal(str(weight)), "architect": 2, "member": 1}
    assert STAGE.settings(weights=weights)["weights"] == weights


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ({"participants": "ann,ben:boss"}, "participants gives ben the role boss"),
        ({"weights": {"member": 0, "expert": 0}}, "weights"),
        ({"weights": {"boss": 1}}, "weights has boss"),
        ({"weights": {"architect": 3}}, "weights has architect"),
        ({"quorum": 4}, "quorum is 4"),
    ],
)
def test_settings_without_an_effect_are_told(chosen: Data, names: str) -> None:
    (clash,) = RULES.clashes(STAGE.read(**chosen))
    assert clash.startswith(f"{names}")


def test_whoever_is_criticised_defends_and_whoever_was_answered_reviews() -> None:
    debate = STAGE.hold(
        at(CRITIQUES, critic_confirms="yes"),
        ann=critiques(critique("ben_001-proposal", "blocking")),
        ben=critiques(critique("cara_001-proposal", "minor")),
        cara=critiques(critique("ben_001-proposal", "blocking")),
    )
    assert STAGE.asked(debate) == ["ben", "cara"]
    answer = {"defences": [{"critique_id": "cara_001-critique-1", "text": "No."}]}
    debate = STAGE.hold(debate, ben=answer)
    assert (debate.state.phase, STAGE.asked(debate)) == (REVIEWS, ["cara"])
    assert STAGE.hold(debate).state.phase == VOTES


def test_a_single_proposal_is_criticised_and_voted_on_by_the_others() -> None:
    debate = STAGE.hold(STAGE.begun(self_votes="forbidden"), ben=None, cara=None)
    assert STAGE.asked(debate) == ["ben", "cara"]
    debate = STAGE.hold(debate)
    assert (debate.state.phase, STAGE.asked(debate)) == (VOTES, ["ben", "cara"])
    assert STAGE.hold(debate).state.phase == cycles.CONSENSUS_REACHED


def test_a_skip_is_never_recalled_as_a_pass_whoever_asked_for_it() -> None:
    turn = STAGE.turn(at(VOTES))
    for how, by, is_pass in (
        ("skip", "ann", False),
        ("pass", "user", False),
        ("pass", "ann", True),
    ):
        absence = filing.absence("ann_001-absence-6", 1, Absent("ann", how, "why", by))
        reply = RULES.recall([absence], turn, turn.tasks[0])
        assert (reply is not None) is is_pass


def test_a_lost_outcome_is_counted_again_and_its_own_file_is_named() -> None:
    debate = STAGE.hold(at(VOTES))
    lost = without(debate, "tally_001-outcome")
    assert RULES.derive(lost.record, debate.settings) == debate.state
    assert STAGE.audit_codes(lost) == ["missing"]
    assert STAGE.faulty(lost) == {"tally_001-outcome"}


TASKS = {phase: Task("ann", "debater", "", RULES.kind_of(phase).schema) for phase in cycles.PHASES}
ONE = {"proposal_id": "ben_001-proposal", "severity": "minor", "criticism": "No."}
PLAIN_ONE = ONE | {"suggested_fix": ""}
ALL = {"critique_id": "all", "text": "No."}


@pytest.mark.parametrize(
    ("phase", "value", "expected"),
    [
        (CRITIQUES, [ONE], {"critiques": [PLAIN_ONE]}),
        (CRITIQUES, ONE, {"critiques": [PLAIN_ONE]}),
        (CRITIQUES, {"critiques": ONE}, {"critiques": [PLAIN_ONE]}),
        (CRITIQUES, {"critiques": None}, {"critiques": []}),
        (CRITIQUES, [], {"critiques": []}),
        (
            *(CRITIQUES, [ONE | {"participant": "ann", "exchange": 1}]),
            {"participant": "ann", "exchange": 1, "critiques": [PLAIN_ONE]},
        ),
        (CRITIQUES, {"critiques": [], "pass_reason": " "}, {"critiques": []}),
        (DEFENCES, {"text": "No."}, {"defences": [ALL], "revision": None}),
        (DEFENCES, [{"text": "No."}], {"defences": [ALL], "revision": None}),
        (
            *(DEFENCES, {"defences": {"text": "No.", "critique_id": None}}),
            {"defences": [ALL], "revision": None},
        ),
        (
            *(DEFENCES, {"text": "No.", "revision": {"solution": "S"}}),
            {
                "defences": [ALL],
                "revision": {"solution": "S", "title": "", "reasoning": ""},
            },
        ),
    ],
)
def test_every_usual_form_of_a_reply_is_one_form(phase: str, value: Any, expected: Data) -> None:
    assert RULES.normalise(TASKS[phase], value) == (expected | {"pass_reason": ""}, ())


def test_the_id_of_a_revision_stands_for_its_proposal_with_a_note() -> None:
    plain, notes = RULES.normalise(TASKS[VOTES], vote("ben_001-revision"))
    assert (plain["vote"], len(notes)) == ("ben_001-proposal", 1)
    named = critiques(ONE | {"proposal_id": "ben_001-revision"})
    plain, notes = RULES.normalise(TASKS[CRITIQUES], named)
    assert (plain["critiques"], len(notes)) == ([PLAIN_ONE], 1)


@pytest.mark.parametrize(
    ("phase", "value"),
    [
        *((phase, {}) for phase in (CRITIQUES, DEFENCES, REVIEWS, VOTES, PROPOSALS)),
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
        (PROPOSALS, proposal(solution=" ")),
    ],
)
def test_what_a_schema_can_tell_it_tells(phase: str, value: Data) -> None:
    """P4-05, P4-12, P4-16; and a reply without its list is not taken for a pass."""
    naming = {"participant": "ann", "exchange": 1, "phase": phase}
    plain, _ = RULES.normalise(TASKS[phase], naming | value)
    assert not schema.accepts(schema.load(TASKS[phase].schema), plain)


@pytest.mark.parametrize(
    ("number", "codes"),
    [(0, []), (Decimal("0.85"), []), (Decimal("0.8505"), ["too_many_decimals"])],
)
def test_a_confidence_has_three_decimals(number: Any, codes: list[str]) -> None:
    assert STAGE.codes(STAGE.begun(), ann=proposal(confidence=number))[0] == codes
    revised = {"revision": {"solution": "S", "confidence": number}}
    assert STAGE.codes(criticised(), ben=revised)[0] == codes


@pytest.mark.parametrize(
    ("targets", "codes"),
    [
        (["ann_002-proposal"], ["bad_target"]),
        (["ann_001-critique-1"], ["bad_target"]),
        (["zed_001-proposal"], ["bad_target"]),
        (["nope"], ["bad_target"]),
        (["ben_001-proposal"] * 2, ["bad_target"]),
        ("ben_001-proposal", []),
    ],
)
def test_a_proposal_builds_on_those_of_earlier_cycles(targets: Any, codes: list[str]) -> None:
    change = {"builds_on": targets}
    assert STAGE.codes(at(PROPOSALS, 2), ann=change) == (codes, [])


def test_a_critique_may_name_the_author_and_criticise_one_proposal_twice() -> None:
    both = critiques(
        critique("ben_001-proposal", to="ben"), critique("ben_001-proposal", "blocking")
    )
    assert STAGE.codes(at(CRITIQUES), ann=both) == ([], [])
    debate = STAGE.hold(at(CRITIQUES), ann=both)
    first, _ = (header(debate, f"ann_001-critique-{number}") for number in (1, 2))
    assert first["attacks"] == [{"target_id": "ben_001-proposal", "type": "minor"}]
    assert first["severity"] == "minor"


@pytest.mark.parametrize(("number", "codes"), [(3, []), (4, ["too_many_critiques"])])
def test_one_proposal_has_at_most_three_critiques_of_one_critic(
    number: int, codes: list[str]
) -> None:
    listed = [critique("cara_001-proposal"), *[critique("ben_001-proposal")] * number]
    assert STAGE.codes(at(CRITIQUES), ann=critiques(*listed))[0] == codes


@pytest.mark.parametrize(("more", "codes"), [([], []), (["same"], 1), (["all"], 1)])
def test_each_critique_is_answered_at_most_once(more: list[str], codes: Any) -> None:
    one: Data = {"critique_id": "ann_001-critique-1", "text": "No."}
    others = [one if word == "same" else {"text": "All."} for word in more]
    expected = ["answered_twice"] if codes else []
    assert STAGE.codes(criticised(), ben={"defences": [one, *others]})[0] == expected


@pytest.mark.parametrize(("title", "kept"), [("New", "New"), ("", "A way"), (None, "A way")])
def test_a_revision_keeps_the_title_unless_it_has_its_own(title: Any, kept: str) -> None:
    revised = defence(revision={"solution": "S", "title": title})
    assert header(STAGE.hold(criticised(), ben=revised), "ben_001-revision")["title"] == kept


def test_a_reason_to_pass_beside_an_answer_is_left_out_with_a_warning() -> None:
    change = critiques(ONE) | {"pass_reason": "None."}
    assert STAGE.codes(at(CRITIQUES), ann=change) == ([], ["pass_reason_unused"])


def test_a_revision_alone_answers_nothing_and_that_is_told() -> None:
    change = {"defences": [], "revision": {"solution": "NEW"}}
    assert STAGE.codes(criticised(), ben=change) == ([], ["nothing_answered"])
    debate = STAGE.hold(criticised(), ben=change)
    assert cycles.of_record(debate.record, 1).barred() == {
        "ben_001-proposal": ("ann_001-critique-1", "cara_001-critique-1")
    }


@pytest.mark.parametrize(
    ("reviewed", "codes"),
    [
        (["ann_001-critique-1"], []),
        ([], ["review_missing"]),
        (["ann_001-critique-1"] * 2, ["reviewed_twice"]),
        (["cara_001-critique-1"], ["bad_target", "review_missing"]),
    ],
)
def test_each_blocking_critique_that_was_answered_is_reviewed_once(
    reviewed: list[str], codes: list[str]
) -> None:
    change = {"reviews": [review(each) for each in reviewed]}
    assert STAGE.codes(going_on(criticised(**STRICT), REVIEWS), ann=change)[0] == codes


def test_a_maintained_critique_bars_and_an_absent_critic_does_not() -> None:
    debate = STAGE.hold(criticised(critic_confirms="yes"))
    maintained = {"reviews": [review("ann_001-critique-1", "maintain")]}
    assert cycles.of_record(STAGE.hold(debate, ann=maintained).record, 1).barred()
    assert not cycles.of_record(STAGE.hold(debate, ann=None, cara=None).record, 1).barred()


@pytest.mark.parametrize("phase", [STRAW_VOTES, VOTES])
def test_a_vote_for_oneself_may_be_forbidden(phase: str) -> None:
    for word, codes in (("allowed", []), ("forbidden", ["own_vote"])):
        debate = at(phase, straw_poll="yes", self_votes=word)
        assert STAGE.codes(debate, ann=vote("ann_001-proposal"))[0] == codes


def test_all_faults_of_all_replies_are_told_at_once() -> None:
    bad = critiques(critique("nope"), critique("ben_001-proposal", to="cara"), weight=2)
    faults = STAGE.findings(at(CRITIQUES), ann=bad, cara=critiques(critique("x"))).faults
    assert [(fault.participant, fault.code) for fault in faults] == [
        ("ann", "bad_target"),
        ("ann", "wrong_author"),
        ("ann", "weight_given"),
        ("cara", "bad_target"),
    ]


def test_a_reply_may_repeat_the_weight_that_its_participant_has() -> None:
    assert STAGE.codes(at(VOTES), ann=vote("ben_001-proposal") | {"weight": 1})[0] == []


def test_a_pass_is_an_absence_of_ones_own_with_a_number_for_each_phase() -> None:
    debate = STAGE.hold(at(CRITIQUES), ben=critiques() | {"pass_reason": "All sound."})
    debate = STAGE.hold(debate, ann=vote(None, "I cannot tell."))
    for entry_id, reason in (
        ("ann_001-absence-3", "no critique"),
        ("ben_001-absence-3", "All sound."),
        ("ann_001-absence-6", "I cannot tell."),
    ):
        name = entry_id[:3]
        assert value_of(debate, entry_id) == filing.absence(
            entry_id, 1, Absent(name, "pass", reason, name)
        )


def test_absences_of_one_participant_in_one_cycle_do_not_collide() -> None:
    of_ben = critiques(critique("ben_001-proposal", "blocking"))
    debate = STAGE.hold(STAGE.begun(**STRICT), ann=None)
    debate = STAGE.hold(debate, ann=None, ben=None)
    debate = STAGE.hold(debate, ann=None, ben=None, cara=of_ben)
    debate = STAGE.hold(STAGE.hold(debate), cara=None)
    debate = STAGE.hold(debate, ann=None, ben=None)
    assert [i for i in entry_map(debate) if "absence" in i] == [
        *("ann_001-absence-1", "ann_001-absence-2", "ben_001-absence-2"),
        *("ann_001-absence-3", "ben_001-absence-3", "cara_001-absence-5"),
        *("ann_001-absence-6", "ben_001-absence-6"),
    ]


def test_a_ballot_judges_the_text_as_it_last_was() -> None:
    debate = STAGE.hold(criticised(), ben=defence(revision={"solution": "NEW"}))
    debate = STAGE.hold(debate, ann=vote("ben_001-proposal"), cara=vote("cara_001-proposal"))
    assert header(debate, "ann_001-ballot")["judges"] == ["ben_001-revision"]
    assert header(debate, "cara_001-ballot")["judges"] == ["cara_001-proposal"]


def full() -> Debate:
    """Return a debate with an entry of every kind that no person makes."""
    debate = criticised(**STRICT)
    debate = STAGE.hold(debate, ben=defence(revision={"solution": "S"}))
    return STAGE.hold(STAGE.hold(debate))


def test_voters_are_shown_what_can_win_and_blocking_critiques_are_never_shortened() -> None:
    context = STAGE.context(going_on(criticised(critic_confirms="yes"), VOTES))
    assert context.shown == {
        "proposals": ("ben_001-proposal", "cara_001-proposal", "ann_001-proposal"),
        "critiques": (
            *("ann_001-critique-1", "ben_001-defence-1", "ann_001-review-1"),
            *("cara_001-critique-1", "ben_001-defence-2", "cara_001-review-1"),
        ),
        "others": ("cara_001-critique-2", "ben_001-defence-3"),
    }
    assert context.may_shorten == ("others",)
    barred = STAGE.context(STAGE.hold(criticised(), ben=None))
    assert barred.shown == {
        "proposals": ("cara_001-proposal", "ann_001-proposal"),
        "critiques": (),
        "others": (),
    }
    assert "ben_001-proposal: ann_001-critique-1" in barred.values["barred_note"]


def test_each_participant_is_given_its_perspective_and_nobody_elses() -> None:
    people = [{"name": "ann", "perspective": f"Costs. {'word ' * 200}"}, {"name": "ben"}]
    debate = STAGE.begun(participants=people)
    perspective = STAGE.context(debate, "ann").values["perspective"]
    assert "> Costs." in perspective
    assert max(map(len, perspective.splitlines())) <= LINE
    assert STAGE.context(debate, "ben").values["perspective"] == ""


def test_a_prompt_has_no_line_that_clients_cut_however_many_take_part() -> None:
    names = [f"{chr(97 + k)}{'x' * 31}" for k in range(26)]
    blocking = critiques(*[critique(f"{names[0]}_001-proposal", "blocking")] * 3)
    debate = at(CRITIQUES, participants=names)
    debate = STAGE.hold(debate, **dict.fromkeys(names[1:], blocking))
    for asked in (debate, STAGE.hold(debate, **{names[0]: None})):
        for value in STAGE.context(asked).values.values():
            assert max(map(len, value.splitlines()), default=0) <= LINE


def test_voters_are_told_the_rules_of_the_vote() -> None:
    values = STAGE.context(at(VOTES, self_votes="forbidden", threshold="0.6"), "ben").values
    assert values["vote_ids"] == "ann_001-proposal, cara_001-proposal"
    assert (values["threshold"], values["quorum"], values["weight"]) == ("0.6", "2", "1.5")
    assert values["own_vote_rule"] != STAGE.context(at(VOTES), "ben").values["own_vote_rule"]


def escalated() -> Debate:
    return going_on(STAGE.begun(max_cycles=1), DECISION)


STATES: Mapping[str, Callable[[], Debate]] = {
    **{phase: partial(EVERY_PHASE.__getitem__, k) for k, phase in enumerate(cycles.PHASES)},
    DECISION: escalated,
    cycles.CONSENSUS_REACHED: lambda: STAGE.hold(at(VOTES)),
    cycles.DECIDED: lambda: STAGE.act(escalated(), "decide", text="Neither."),
    CANCELLED: lambda: STAGE.act(STAGE.begun(), "cancel"),
}
ACTS = {
    "escalate": ({*cycles.PHASES}, DECISION),
    "cancel": ({*cycles.PHASES, DECISION}, CANCELLED),
    "decide": ({DECISION}, cycles.DECIDED),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_refused_where_it_has_no_place(name: str) -> None:
    """P4-32, P4-38: what has ended stays as it is."""
    places, leads_to = ACTS[name]
    for state, make in STATES.items():
        debate = make()
        assert debate.state.phase == state
        if state in places:
            assert STAGE.act(debate, name, text="Neither.").state.phase == leads_to
            continue
        with pytest.raises(RefusedError, match=f"{name} .* {state}"):
            STAGE.act(debate, name, text="Neither.")


@pytest.mark.parametrize("name", ACTS)
def test_an_act_wants_a_reason(name: str) -> None:
    debate = escalated() if name == "decide" else STAGE.begun()
    with pytest.raises(UsageError):
        STAGE.act(debate, name, text="Neither.", reason=" \n")


@pytest.mark.parametrize(
    "words",
    [{}, {"text": " "}, {"proposal": "zed_001-proposal"}, {"proposal": "ann_001-absence-6"}],
)
def test_a_decision_names_a_proposal_or_has_words_of_its_own(words: dict[str, str]) -> None:
    with pytest.raises(RefusedError, match=words.get("proposal", "decision names")):
        STAGE.act(escalated(), "decide", **words)


def test_a_decision_may_be_for_a_proposal_of_any_cycle_and_says_whose_it_is() -> None:
    debate = going_on(STAGE.begun(max_cycles=2), DECISION, 2)
    debate = STAGE.act(debate, "decide", proposal="ben_001-proposal", text="With care.")
    decision = value_of(debate, "person_002-decision")
    assert (decision.data["proposal"], decision.data["by"]) == ("ben_001-proposal", "the chair")
    assert decision.texts == {"Decision": "With care.", "Reason": "So."}
    done = RULES.next_turn(debate, NOW)
    assert isinstance(done, Done)
    assert "ben_001-proposal by the chair: So." in done.reason
    assert STAGE.audit_codes(debate) == []


def test_an_escalation_by_a_person_says_why_and_by_whom() -> None:
    debate = STAGE.act(at(CRITIQUES, 2), "escalate")
    assert debate.state == State(2, DECISION, {})
    due = RULES.next_turn(debate, NOW)
    assert isinstance(due, Waiting)
    assert due.reason.endswith("by the chair: So.")
    assert STAGE.audit_codes(STAGE.act(debate, "cancel")) == []


def is_met(debate: Debate, name: str) -> bool:
    return RULES.REQUIREMENTS[name](debate).is_met


def test_consensus_is_required_and_met_only_where_it_is_reached() -> None:
    for state, make in STATES.items():
        met = RULES.REQUIREMENTS["consensus"](make())
        assert met.is_met == (state == cycles.CONSENSUS_REACHED)
        assert met.is_met or state in met.why


def test_no_blocking_looks_at_the_cycle_before_an_end_and_at_the_choice_after_it() -> None:
    barred = STAGE.hold(criticised(max_cycles=1), ben=None)
    met = RULES.REQUIREMENTS["no-blocking"](barred)
    assert not met.is_met
    assert "ann_001-critique-1, cara_001-critique-1 of ben_001-proposal" in met.why
    assert is_met(STAGE.hold(criticised()), "no-blocking")
    assert is_met(STAGE.hold(barred), "no-blocking")
    later = going_on(STAGE.hold(criticised(max_cycles=2), ben=None), DECISION, 2)
    waiting = going_on(barred, DECISION)
    for debate, proposal_id, expected in (
        (later, "ben_001-proposal", False),
        (later, "ben_002-proposal", True),
        (waiting, "ben_001-proposal", False),
        (waiting, "ann_001-proposal", True),
        (waiting, "", True),
    ):
        decided = STAGE.act(debate, "decide", proposal=proposal_id, text="Neither.")
        assert is_met(decided, "no-blocking") is expected


def test_an_outcome_that_differs_is_told_with_both_values() -> None:
    (fault,) = STAGE.audited(edited(full(), "tally_001-outcome", winner="ben_001-proposal")).faults
    assert fault.file == "judgments/tally_001-outcome.md"
    assert (fault.actual, fault.expected) == ("ben_001-proposal", "ann_001-proposal")


def test_other_settings_than_the_debate_was_held_with_are_found() -> None:
    for chosen in ({"revisions": "forbidden"}, {"self_votes": "forbidden"}, {"threshold": "1"}):
        stricter = STAGE.settings(**STRICT, **chosen)
        assert STAGE.audit_codes(full()._replace(settings=stricter))
    two = going_on(STAGE.begun(max_cycles=2), DECISION, 2)
    one = two._replace(settings=STAGE.settings(max_cycles=1))
    assert "out_of_place" in STAGE.audit_codes(one)


def test_texts_over_their_limit_are_warnings_about_their_own_files() -> None:
    revision = {"title": "w " * 13, "solution": "S"}
    (warning,) = STAGE.audited(STAGE.hold(criticised(), ben=defence(revision=revision))).warnings
    assert (warning.file, warning.where) == ("arguments/ben_001-revision.md", "$.title")
    long = proposal(title="w " * 13, solution="w " * 601, reasoning="w " * 201)
    debate = STAGE.hold(STAGE.begun(), ann=long)
    of_ben = critiques(critique("ben_001-proposal", "major", "w " * 151, suggested_fix="w " * 81))
    debate = STAGE.hold(STAGE.hold(debate, ann=of_ben), ben=defence("w " * 151))
    debate = STAGE.hold(debate, ann=vote("ben_001-proposal", "w " * 101))
    assert STAGE.audit_codes(debate) == ["word_limit"] * 7
