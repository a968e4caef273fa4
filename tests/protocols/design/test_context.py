"""What each participant of a design debate is shown, phase by phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution, Entry
from debate_ops.model.turn import Context
from debate_ops.protocols.design import names, roles
from debate_ops.protocols.design.context import sees
from debate_ops.protocols.design.settings import SETTINGS
from debate_ops.protocols.schedule import Slot
from tests.protocols.memory import MemoryRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

PARTICIPANTS = [
    {"name": "ann", "role": "architect"},
    {"name": "ben", "role": "performance", "prompts": {"critique": "Count the calls."}},
    {"name": "cy", "role": "legal", "description": "You know the law."},
]
AGENTS = ("ann", "ben", "cy")
GIVEN = [{"text": "It is fast.", "level": "major"}, {"text": "It is cheap.", "level": "minor"}]


def settings_of(**chosen: Any) -> dict[str, Any]:
    wanted = {"participants": PARTICIPANTS} | chosen
    return {s.name: s.read(wanted.get(s.name, s.default)) for s in SETTINGS}


def debate(entries: Iterable[Entry], **chosen: Any) -> Debate:
    record = MemoryRecord({entry.id: entry for entry in entries})
    return Debate("x", "design", 9, State(0, "", {}), settings_of(**chosen), record)


def entry(entry_id: str, kind: str, folder: str = ARGUMENTS, **data: Any) -> Entry:
    exchange = int(entry_id.partition("_")[2][:3])
    value = Contribution(entry_id, kind, exchange, folder, data)
    header = {"id": value.id, "kind": kind, "exchange": exchange, "step": 0} | data
    return Entry(entry_id, folder, header, "")


def proposal(name: str, exchange: int = 1) -> Entry:
    return entry(f"{name}_{exchange:03d}-proposal", names.PROPOSAL)


def critique(critic: str, target: str, exchange: int = 1, points: int = 2, of: str = "") -> Entry:
    return entry(
        f"{critic}_{exchange:03d}-critique-{AGENTS.index(target) + 1}",
        names.CRITIQUE,
        target=of or f"{target}_{exchange:03d}-proposal",
        points=[{"number": n, "level": names.MAJOR} for n in range(1, points + 1)],
    )


def refinement(name: str, exchange: int = 1) -> Entry:
    return entry(f"{name}_{exchange:03d}-refinement", names.REFINEMENT, answers=[])


def summary(name: str, exchange: int) -> Entry:
    told = {"before": 7200, "after": 2410}
    return entry(f"{name}_{exchange:03d}-summary", names.SUMMARY, JUDGMENTS, **told)


def question(name: str, number: int, round_: int) -> Entry:
    return entry(f"{name}_000-question-{number}", names.QUESTION, round=round_)


def clarification(number: int, of: str) -> Entry:
    entry_id = f"person_000-clarification-{number}"
    return entry(entry_id, names.CLARIFICATION, JUDGMENTS, question=of, applies=True)


def held(exchange: int = 1) -> list[Entry]:
    """Return everything of an exchange with proposals of its own."""
    pairs = [(critic, target) for critic in AGENTS for target in AGENTS if critic != target]
    return [
        *(proposal(name, exchange) for name in AGENTS),
        *(critique(critic, target, exchange) for critic, target in pairs),
        *(refinement(name, exchange) for name in AGENTS),
    ]


def told(found: Debate, phase: str, participant: str, exchange: int = 1) -> Context:
    return sees(found, Slot(exchange, participant, phase))


def shown_in(given: Context) -> set[str]:
    return {i for ids in given.shown.values() for i in ids}


OF_AGENTS = (
    *(names.AWAITING_QUESTIONS, names.AWAITING_SUMMARIES, names.AWAITING_PROPOSALS),
    *(names.AWAITING_CRITIQUES, names.AWAITING_REFINEMENTS),
)
OF_THE_JUDGE = tuple(phase for phase in names.PHASES if phase not in OF_AGENTS)
EVERY_PHASE = [
    *((phase, "ben") for phase in OF_AGENTS),
    *((phase, names.JUDGE) for phase in OF_THE_JUDGE),
]


# ---------------------------------------------------------------- who it is, and who else


@pytest.mark.parametrize(("phase", "participant"), EVERY_PHASE)
def test_everybody_is_told_who_else_takes_part_and_in_which_role(
    phase: str, participant: str
) -> None:
    given = told(debate(held()), phase, participant)
    ann, cy = "ann (architect)", "cy (legal)"
    everybody = f"{ann}, ben (performance) and {cy}"
    others = f"{ann} and {cy}"
    assert given.values["participants"] == (everybody if participant == "judge" else others)


def test_a_name_that_is_its_role_is_told_once() -> None:
    given = told(debate([], participants="architect,ann:security"), names.AWAITING_PROPOSALS, "ann")
    assert given.values["participants"] == "architect"


@pytest.mark.parametrize("phase", OF_AGENTS)
def test_an_agent_is_told_its_role_and_what_it_looks_for_in_this_task(phase: str) -> None:
    found = debate(held())
    task = names.PHASES[phase].template
    ben, cy = (told(found, phase, name).values for name in ("ben", "cy"))
    usual = getattr(roles.ROLES["performance"], task)
    assert ben["role"] == roles.ROLES["performance"].who
    if task == "critique":
        assert ben["guidance"].splitlines()[-1] == "> Count the calls."
    else:
        assert ben["guidance"] == usual
    assert cy["role"].splitlines()[-1] == "> You know the law."
    assert cy["guidance"] == getattr(roles.ANY_ROLE, task)


# ---------------------------------------------------------------- what binds everybody


@pytest.mark.parametrize(("phase", "participant"), EVERY_PHASE)
def test_every_answer_of_the_person_is_shown_to_everybody_the_judge_too(
    phase: str, participant: str
) -> None:
    asked = [question("cy", 1, 1), question("ann", 1, 1)]
    answers = [clarification(1, "ann_000-question-1"), clarification(2, "cy_000-question-1")]
    given = told(debate([*asked, *answers, *held()]), phase, participant)
    assert given.shown["clarifications"] == tuple(answer.id for answer in answers)
    assert "clarifications" not in given.may_shorten


NAMED_IN = names.AWAITING_REQUIREMENTS
REQUIRED = "- r1 (major): It is fast.\n- r2 (minor): It is cheap."


@pytest.mark.parametrize(
    ("phase", "participant"), [case for case in EVERY_PHASE if case[0] != NAMED_IN]
)
def test_the_requirements_are_those_of_the_settings_or_of_the_judge(
    phase: str, participant: str
) -> None:
    listed = [{"id": f"r{n}", **item} for n, item in enumerate(GIVEN, 1)]
    named = entry("judge_000-requirements", names.REQUIREMENTS, JUDGMENTS, requirements=listed)
    for found in (debate(held(), requirements=GIVEN), debate([named, *held()])):
        assert told(found, phase, participant).values["requirements"] == REQUIRED
    assert told(debate(held()), phase, participant).values["requirements"] == "(none)"


# ---------------------------------------------------------------- questions


def test_questions_are_told_their_round_and_how_many_are_kept() -> None:
    chosen = {"clarifying_questions": 4, "clarifying_rounds": 2}
    first = told(debate([], **chosen), names.AWAITING_QUESTIONS, "ben", 0).values
    assert (first["round"], first["rounds"], first["most_questions"]) == ("1", "2", "4")
    asked = [question("ann", 1, 1), question("cy", 1, 1)]
    second = told(debate(asked, **chosen), names.AWAITING_QUESTIONS, "ben", 0).values
    assert second["round"] == "2"


def test_nobody_is_shown_a_question_without_its_answer() -> None:
    found = debate([question("ann", 1, 1)], clarifying_questions=4)
    for name in AGENTS:
        assert shown_in(told(found, names.AWAITING_QUESTIONS, name, 0)) == set()


# ---------------------------------------------------------------- proposals


def test_a_first_proposal_is_made_without_the_others() -> None:
    found = debate([proposal("ann"), proposal("ben")])
    assert shown_in(told(found, names.AWAITING_PROPOSALS, "cy")) == set()


def test_a_new_proposal_starts_from_ones_own_last_text_and_what_led_to_it() -> None:
    found = debate([*held(), proposal("ann", 2)], proposals="fresh")
    given = told(found, names.AWAITING_PROPOSALS, "ben", 2)
    assert given.shown["own_entries"] == ("ben_001-refinement",)
    assert given.shown["history"] == (
        *("ben_001-proposal", "ann_001-critique-2", "cy_001-critique-2"),
    )
    assert given.may_shorten == ("history",)


# ---------------------------------------------------------------- critiques


@pytest.mark.parametrize(
    ("critic", "order"), [("ann", "ben cy"), ("ben", "cy ann"), ("cy", "ann ben")]
)
def test_a_critic_sees_every_other_text_and_none_is_first_for_all(critic: str, order: str) -> None:
    found = debate([*(proposal(name) for name in AGENTS), critique("ann", "ben")])
    given = told(found, names.AWAITING_CRITIQUES, critic)
    wanted = order.split()
    assert given.shown["proposals"] == tuple(f"{name}_001-proposal" for name in wanted)
    assert given.values["targets"] == " and ".join(wanted)
    assert given.shown["history"] == ()


def test_a_critic_is_not_asked_about_somebody_without_a_text() -> None:
    found = debate([proposal("ann"), proposal("ben")])
    given = told(found, names.AWAITING_CRITIQUES, "ben")
    assert (given.shown["proposals"], given.values["targets"]) == (("ann_001-proposal",), "ann")


def test_a_later_critique_is_of_the_refinements_that_stand_as_proposals() -> None:
    found = debate([*held(), critique("ann", "ben", 2, of="ben_001-refinement")])
    given = told(found, names.AWAITING_CRITIQUES, "cy", 2)
    assert given.shown["proposals"] == ("ann_001-refinement", "ben_001-refinement")
    assert given.shown["history"] == (
        *("cy_001-proposal", "ann_001-critique-3", "ben_001-critique-3", "cy_001-refinement"),
    )


# ---------------------------------------------------------------- refinements


def test_an_author_sees_its_text_its_critiques_and_the_points_to_answer() -> None:
    found = debate(
        [
            *(proposal(name) for name in AGENTS),
            *(critique("ann", "ben", points=1), critique("cy", "ben", points=3)),
            *(critique("ben", "ann"), refinement("ann")),
        ]
    )
    given = told(found, names.AWAITING_REFINEMENTS, "ben")
    assert given.shown["own_entries"] == ("ben_001-proposal",)
    assert given.shown["critiques"] == ("ann_001-critique-2", "cy_001-critique-2")
    assert given.values["points"] == (
        "- ann_001-critique-2: point 1\n- cy_001-critique-2: points 1, 2 and 3"
    )
    assert given.shown["history"] == ()


def test_a_critique_without_a_point_is_shown_and_asks_for_no_answer() -> None:
    found = debate(
        [
            *(proposal(name) for name in AGENTS),
            *(critique("ann", "ben", points=0), critique("cy", "ben")),
        ]
    )
    given = told(found, names.AWAITING_REFINEMENTS, "ben")
    assert given.shown["critiques"] == ("ann_001-critique-2", "cy_001-critique-2")
    assert given.values["points"] == "- cy_001-critique-2: points 1 and 2"


def test_a_text_that_is_shown_already_is_not_in_the_history_too() -> None:
    found = debate([*held(), critique("ann", "ben", 2, of="ben_001-refinement")])
    given = told(found, names.AWAITING_REFINEMENTS, "ben", 2)
    assert given.shown["own_entries"] == ("ben_001-refinement",)
    assert given.shown["critiques"] == ("ann_002-critique-2",)
    assert given.shown["history"] == (
        *("ben_001-proposal", "ann_001-critique-2", "cy_001-critique-2"),
    )


# ---------------------------------------------------------------- summaries


def test_a_summary_is_of_ones_own_texts_and_the_critiques_of_them() -> None:
    given = told(
        debate(held(), summary_characters=900), names.AWAITING_SUMMARIES, "ben", exchange=2
    )
    assert given.shown["history"] == (
        *("ben_001-proposal", "ann_001-critique-2", "cy_001-critique-2", "ben_001-refinement"),
    )
    assert given.may_shorten == ()
    assert given.values["summary_characters"] == "900"
    assert given.values["history_note"] == ""


NOTE = "ben_002-summary is your own summary of what came before it: 7200 characters became 2410."


def test_a_later_summary_takes_up_the_one_before_and_what_came_since() -> None:
    found = debate([*held(), summary("ben", 2), *held(2)])
    given = told(found, names.AWAITING_SUMMARIES, "ben", 3)
    since = ("ann_002-critique-2", "cy_002-critique-2", "ben_002-refinement")
    assert given.shown["history"] == ("ben_002-summary", "ben_002-proposal", *since)
    assert given.values["history_note"] == NOTE


@pytest.mark.parametrize("phase", [names.AWAITING_PROPOSALS, names.AWAITING_CRITIQUES])
def test_a_summary_stands_in_the_place_of_what_came_before_it_and_says_so(phase: str) -> None:
    found = debate([*held(), summary("ben", 2), summary("ann", 2)], proposals="fresh")
    given = told(found, phase, "ben", 2)
    assert given.shown["history"] == ("ben_002-summary",)
    assert given.values["history_note"] == NOTE
    other = told(found, phase, "cy", 2)
    assert "cy_001-proposal" in other.shown["history"]
    assert other.values["history_note"] == ""


# ---------------------------------------------------------------- the judge


def test_an_assessment_is_of_the_texts_as_they_now_read() -> None:
    found = debate([proposal("ann"), proposal("ben"), refinement("ben")], stop_at_confidence=90)
    given = told(found, names.AWAITING_ASSESSMENT, names.JUDGE)
    assert given.shown["refinements"] == ("ann_001-proposal", "ben_001-refinement")
    assert "90" not in " ".join(given.values.values())


def test_the_judge_sums_up_every_exchange_but_the_last() -> None:
    found = debate([*held(), *held(2)], summary_characters=900)
    given = told(found, names.AWAITING_JUDGE_SUMMARY, names.JUDGE, 2)
    assert set(given.shown["history"]) == {entry.id for entry in held()}
    assert given.may_shorten == ("history",), "of many exchanges nobody could read all"
    assert given.values["summary_characters"] == "900"


def test_the_synthesis_sees_the_last_texts_their_critiques_and_the_whole_history() -> None:
    given = told(debate([*held(), *held(2)]), names.AWAITING_SYNTHESIS, names.JUDGE, 2)
    assert given.shown["refinements"] == tuple(f"{name}_002-refinement" for name in AGENTS)
    assert set(given.shown["critiques"]) == {e.id for e in held(2) if e.kind == names.CRITIQUE}
    assert set(given.shown["history"]) == {entry.id for entry in held()}
    assert given.may_shorten == ("history",)


def test_the_synthesis_sees_the_summary_in_place_of_the_history() -> None:
    found = debate([*held(), *held(2), summary("judge", 2)])
    given = told(found, names.AWAITING_SYNTHESIS, names.JUDGE, 2)
    assert given.shown["history"] == ("judge_002-summary",)
    assert given.values["history_note"].startswith("judge_002-summary is your own summary")


def test_a_text_that_stands_from_an_earlier_exchange_is_given_to_the_synthesis_once() -> None:
    critiques = [critique("ann", "ben", 2, of="ben_001-refinement")]
    found = debate([*held(), *critiques, refinement("ben", 2)])
    given = told(found, names.AWAITING_SYNTHESIS, names.JUDGE, 2)
    assert given.shown["refinements"] == (
        *("ann_001-refinement", "ben_002-refinement", "cy_001-refinement"),
    )
    assert not set(given.shown["history"]) & set(given.shown["refinements"])
    assert "ben_001-refinement" in given.shown["history"]


def test_the_synthesis_is_told_the_points_that_nobody_answered() -> None:
    everything = [e for e in held() if e.id != "cy_001-refinement"]
    given = told(debate(everything), names.AWAITING_SYNTHESIS, names.JUDGE)
    assert given.values["unanswered"].splitlines() == [
        f"- {critic}_001-critique-3, point {number}, against cy_001-proposal"
        for critic in ("ann", "ben")
        for number in (1, 2)
    ]
    assert told(debate(held()), names.AWAITING_SYNTHESIS, names.JUDGE).values["unanswered"] == (
        "(none)"
    )


# ---------------------------------------------------------------- in the same phase

PEERS = {
    names.AWAITING_PROPOSALS: [proposal("ann", 2), proposal("cy", 2)],
    names.AWAITING_CRITIQUES: [critique("ann", "ben", 2), critique("cy", "ben", 2)],
    names.AWAITING_REFINEMENTS: [refinement("ann", 2), refinement("cy", 2)],
    names.AWAITING_SUMMARIES: [summary("ann", 2), summary("cy", 2)],
}


@pytest.mark.parametrize("phase", PEERS)
def test_nobody_is_shown_what_a_peer_says_in_the_same_phase(phase: str) -> None:
    found = debate([*held(), proposal("ben", 2), *PEERS[phase]], proposals="fresh")
    given = told(found, phase, "ben", 2)
    assert not shown_in(given) & {entry.id for entry in PEERS[phase]}
