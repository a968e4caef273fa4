"""The protocol `chairs`, beside what its courses hold: fairness, the floor, time."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops import engine
from debate_ops.core.errors import BusyError
from debate_ops.core.markdown import escape
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Entry, Turn, parse_id
from debate_ops.engine import files, inbox, store
from debate_ops.engine.validate import validate
from debate_ops.protocols import chairs_fairness as fairness
from debate_ops.protocols.chairs import Chairs
from debate_ops.run import runner
from tests.builders import events_of
from tests.hostile.texts import texts
from tests.protocols.stage import Stage, audit
from tests.run.stage import Actor

Data = dict[str, Any]
TWO = "ann:utilitarian,ben:virtue_ethics"
THREE = f"{TWO},cara:deontological"
RELAXED = {"accountability": "relaxed"}
FIRST, SECOND, THIRD, FOURTH = fairness.PARTS


def evaluate(total: int = 80, quality: str = "strong", *, flag: bool = False) -> Data:
    """Return an evaluation with an adherence, and with a steel-man of this quality."""
    first, second, third, fourth = (total // 4 + (place < total % 4) for place in range(4))
    return {
        FIRST: {"points": first, "quality": quality, "notes": "It is there."},
        SECOND: {"points": second, "quality": "strong", "notes": "It is there."},
        THIRD: {"points": third, "consistent": True, "violations": []},
        FOURTH: {"points": fourth, "level": "high", "issues": []},
        "requires_interjection": flag,
        "interjection_reason": "Because." if flag else None,
    }


def cut_in(chair: str, urgency: float = 0.9) -> Data:
    """Return the moderator's word that a chair cuts in; every good speech has the trigger."""
    return {
        "interrupt": True,
        "chair": chair,
        "reason": "direct_challenge",
        "trigger": "to be heard",
        "urgency": urgency,
        "opener": "Wait a moment.",
        "why": "Now.",
    }


def kinds(at: Replayed) -> dict[str, str]:
    """Return the kinds of replies that are asked for now, by participant."""
    return {task.by: task.template for task in at.tasks}


def reply_of(at: Replayed, by: str) -> Data:
    """Return a good reply: nobody steps in, and nobody cuts in."""
    kind, turn = kinds(at)[by], at.turn
    named = {"participant": by, "exchange": turn.round, "phase": turn.phase}
    said: Data = {"text": f"{kind.upper()} of {by} in {turn.round}, to be heard."}
    if kind == "interjection":
        said["quote"] = "to be heard"
    waits = {"interrupt": False, "why": "It can wait."}
    return named | {"evaluation": evaluate(), "floor": waits}.get(kind, said)


STAGE = Stage("chairs", reply_of, participants=TWO)
begin, list_places = STAGE.begin, STAGE.list_places


def go_on(at: Replayed, **changes: Data) -> list[Entry]:
    """Take the turn that is due with good replies, some of them changed; return its entries."""
    before = {*at.debate.entries}
    STAGE.hold(at, **changes)
    return [entry for name, entry in at.debate.entries.items() if name not in before]


def until(at: Replayed, kind: str) -> Replayed:
    while kind not in kinds(at).values():
        go_on(at)
    return at


# Evaluations.


@pytest.mark.parametrize(
    ("accountability", "adherence", "flag", "steps_in"),
    [
        ("strict", 59, False, True),
        ("strict", 60, False, False),
        ("strict", 60, True, True),
        ("moderate", 39, True, True),
        ("moderate", 40, True, False),
        ("moderate", 39, False, False),
    ],
)
def test_p1_14_the_arbiter_steps_in_below_the_limit_of_the_level(
    accountability: str, adherence: int, flag: Any, steps_in: Any
) -> None:
    at = until(begin(accountability=accountability), "evaluation")
    data = go_on(at, evaluator=evaluate(adherence, "weak", flag=flag))[0].data
    assert (data["adherence"], data["interjection"]) == (adherence, steps_in)
    assert [*kinds(at).values()] == ["interjection" if steps_in else "speech"]


GOOD: dict[str, Data] = {
    FIRST: {"points": 20, "quality": "strong", "attempted": True},
    SECOND: {"points": 20, "quality": "strong", "attempted": True},
    THIRD: {"points": 20, "consistent": True},
    FOURTH: {"points": 20, "level": "high"},
}


@pytest.mark.parametrize(
    ("judged", "kind"),
    [
        ({}, None),
        ({FIRST: "weak"}, "straw_manning"),
        ({FIRST: "absent"}, "straw_manning"),
        ({FIRST: "adequate"}, None),
        ({SECOND: "absent"}, "missing_self_critique"),
        ({THIRD: False}, "framework_inconsistency"),
        ({FOURTH: "low"}, "rhetorical_evasion"),
        ({THIRD: False, FOURTH: "low"}, "framework_inconsistency"),
        ({FIRST: "adequate", SECOND: "absent", THIRD: False}, "missing_self_critique"),
        ({FIRST: "weak", SECOND: "absent"}, "straw_manning"),
    ],
)
def test_p1_16_of_several_violations_the_first_counts(judged: Data, kind: str | None) -> None:
    keys = {part: fairness.PARTS[part].key for part in judged}
    assert fairness.find_violation(GOOD | {p: {keys[p]: judged[p]} for p in judged}) == kind
    assert fairness.find_violation({p: GOOD[p] for p in (THIRD,)}) is None


def test_adherence_is_the_sum_of_what_is_judged_in_per_cent() -> None:
    for points, adherence in (
        *(([25, 25, 25, 25], 100), ([0, 0, 0, 0], 0), ([20, 19, 18, 3], 60), ([25, 25, 25], 100)),
        *(([1, 0, 0], 1), ([10, 10, 11], 41), ([3, 0], 6)),
    ):
        parts = {str(place): {"points": each} for place, each in enumerate(points)}
        assert fairness.add_up(parts) == adherence


# The floor.


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("below", [0, 0.001, 0.4])
def test_p1_21_p1_22_an_urgency_equal_to_the_threshold_is_enough(level: int, below: float) -> None:
    urgency = round(1 - level / 10 - below, 3)
    at = until(begin(aggressiveness=level, **RELAXED), "speech")
    go_on(at, ann={"text": "No reasonable person would refuse to be heard."})
    data = go_on(at, moderator=cut_in("ben", urgency))[0].data
    assert (data["threshold"], data["urgency"]) == (Decimal(10 - level) / 10, Decimal(str(urgency)))
    assert data["granted"] is not bool(below)
    assert [*kinds(at).values()] == ["speech" if below else "interruption"]


LONG_CRITICISM = (
    "Their argument fails. It rests on a promise that nobody has made, and it tells us nothing of "
    "those who would have to keep it in the end."
)
INVITING = {
    LONG_CRITICISM: "straw_man_detected",
    f"I understand their worry about harm. {LONG_CRITICISM}": "",
    "Their argument fails.": "",
    "The weather is fine. " * 10: "",
    "They only want to look good.": "straw_man_detected",
    "Utilitarians never care about fairness.": "factual_correction",
    "The core question is who pays.": "pivotal_point",
    "It all comes down to consent.": "pivotal_point",
    "No reasonable person could accept this.": "direct_challenge",
    "That is beyond all doubt.": "direct_challenge",
    "You've identified something new.": "strong_agreement",
    "I completely agree.": "strong_agreement",
    "Let us look at several views.": "",
    "No reasonable person thinks so, and they only want votes.": "straw_man_detected",
    "THEY\n  ONLY WANT votes.": "straw_man_detected",
}


@pytest.mark.parametrize("said", INVITING)
def test_p1_20_p1_24_a_phrase_invites_an_interruption_or_nobody_is_asked(said: str) -> None:
    at = until(begin(aggressiveness=2), "speech")
    assert go_on(at, ann={"text": said})[0].data["sign"] == INVITING[said]
    assert ("moderator" in kinds(at)) is bool(INVITING[said])


PHRASES = {
    ("steel_man", True): """I understand their worry about harm
        I fully appreciate the strong intuition behind it.
        To put their case at its best: harm matters.
        Their strongest reason is consent.
        You are right that some suffer.
        My opponent makes a serious point here.""",
    ("steel_man", False): """They have it wrong
        I see no value in this
        I understand nothing of this argument.
        I don't see the force of that.
        My view is the strongest.""",
    ("self_critique", True): """I must concede that my approach fails in this case
        A weakness of my framework is that it cannot measure this.
        My own framework has a real blind spot here.
        I grant that our tradition has silenced people.
        I may be wrong here.""",
    ("self_critique", False): """My view is the strongest
        I concede nothing.
        They must admit that my view is right.
        My framework cannot fail.
        Your framework has a blind spot.""",
}


@pytest.mark.parametrize(("kind", "is_one"), PHRASES)
def test_p1_17_p1_18_p1_19_phrases_tell_of_steel_man_and_critique(kind: Any, is_one: Any) -> None:
    for said in PHRASES[kind, is_one].splitlines():
        assert fairness.has_phrase(kind, said) is is_one, said


@pytest.mark.parametrize(
    ("cooldown", "after"),
    [(0, "b1 c1 b2 c2 b3 c3"), (1, "b1 b2 b3"), (2, "b1 b2 b3"), (3, "b1 c2"), (50, "b1")],
)
def test_p1_23_who_has_cut_in_lately_cannot_do_so_again(cooldown: int, after: str) -> None:
    at = begin(participants=THREE, cooldown=cooldown, max_exchanges=3)
    while isinstance(at.place, Turn):
        can = "moderator" in kinds(at) and list_places(at, "moderator", cut_in("ann")) == []
        go_on(at, moderator=cut_in("ann") if can else {})
    cuts = [parse_id(e.data["speech"]) or {} for e in at.debate.find("interruption")]
    assert " ".join(f"{cut['by'][0]}{int(cut['round'])}" for cut in cuts) == after
    assert audit(at) == []
    at.debate.settings = at.debate.settings.model_copy(update={"cooldown": 2})
    found = " ".join(audit(at, at.debate.entries.values()))
    assert ("moderator_001-floor-3" in found) is (cooldown == 0)


# Texts and quotations.


@given(texts, st.data())
def test_what_a_speech_says_can_be_quoted_from_its_file(said: str, data: st.DataObject) -> None:
    said = f"Words before. {said} Words behind."
    begun = data.draw(st.integers(0, len(said) - 1))
    quote = said[begun : data.draw(st.integers(begun + 1, len(said)))]
    assert fairness.is_quoted(quote, said) == fairness.is_quoted(escape(quote), said)
    assert fairness.is_quoted(quote, said) or not quote.split()


# The audit.


def test_a_sign_is_looked_for_again_where_it_decides() -> None:
    at = until(begin(aggressiveness=2), "evaluation")
    (speech,) = at.debate.find("speech")
    forged = replace(speech, data={**speech.data, "sign": "pivotal_point"})
    entries = at.debate.entries.values()
    assert speech.id in " ".join(audit(at, [forged if e is speech else e for e in entries]))


# In a folder.


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(("seconds", "asked"), [(160, 4), (161, 3)])
def test_p1_23_a_cooldown_in_seconds_is_the_same_when_read_again(
    seconds: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a step each 40 seconds, a chair speaks again 160 seconds after it has cut in."""
    folder = STAGE.create(max_exchanges=2, cooldown=0, cooldown_seconds=seconds, **RELAXED)
    while isinstance((position := engine.load(folder)).due, Turn):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_767_225_600 + 40 * position.debate.step))
        is_first = len(position.debate.find("speech")) == 1
        STAGE.submit(folder, moderator=cut_in("ben") if is_first else {})
        assert validate(folder) == ([], [])
    assert [e["event"] for e in events_of(folder)].count("floor_decided") == asked


@pytest.mark.usefixtures("work")
def test_p1_06_a_second_run_of_the_same_debate_is_refused() -> None:
    folder, settings = STAGE.create(), begin().debate.settings
    files.make_ignored(folder.within(store.INBOX))
    with (
        store.hold_lock(folder.within(inbox.RUN_LOCK), "runs or judges this debate"),
        pytest.raises(BusyError, match="runs or judges"),
    ):
        runner.run(folder, None, dict.fromkeys(Chairs().participants(settings), Actor()))
