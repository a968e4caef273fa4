"""The protocol `speeches`: courses and refusals as tables; settings; what a panel reads."""

from typing import Any

import pytest

from debate_ops.core.protocol import Replayed
from debate_ops.protocols.speeches import Reader, Settings, even_percent
from tests.courses import read_exactly
from tests.protocols.stage import Data, Stage, audit


def give(at: Replayed, by: str) -> Data:
    kind = at.turn.template(by)
    return (
        {"text": f"{by} speaks."} if kind == "speech" else decide("ann" if by == "judge" else "A")
    )


def decide(winner: str = "A", **more: Any) -> Data:
    return {"winner": winner, "percent": 70, "reasons": "It was shown."} | more


Place = tuple[Data, list[Data]]
STAGE = Stage("speeches", give, participants="ann:yes,ben")


def make_settings(**chosen: Any) -> Settings:
    return Settings.model_validate(STAGE.usual | chosen)


def with_ann(**more: Any) -> Data:
    """Return settings by which there is more to say of ann."""
    return {"participants": [{"name": "ann", **more}, {"name": "ben"}]}


def begin(place: Place) -> Replayed:
    """Return a debate with these settings, in which this has been said, one reply a turn."""
    at = STAGE.begin(**place[0])
    for reply in place[1]:
        STAGE.hold(at, **{at.tasks[0].by: reply})
    return at


def test_a_round_ends_where_its_order_says_or_somebody_speaks_again() -> None:
    at = STAGE.until(STAGE.begin(order="ann,ben,ann,/,ben"), "completed")
    ids = "ann_001-speech ben_001-speech ann_002-speech ben_003-speech"
    assert " ".join(at.debate.entries) == ids
    assert at.protocol.last_exchange(at.debate.settings) == 3


FILED = "[ann_000a] Yes."
PAST: list[Data] = [{"text": FILED}, {"text": "[ben_000a] No, ann_000a errs."}]
ISSUES = {"panel": 1, "views": "off", "rounds": 1, "issues": ["One?", "Two?"]}
ONE = {"issue": 1, "better": "A", "why": "It was shown."}
TWICE = {"issue": 2, "better": "even", "why": "Nobody said."}
THREE = [{"name": n, "position": n} for n in ("yes", "no", "later")]
NONE_SET = ISSUES | {"issues": []}

# Where a reply is given: by which settings, and after which replies.
FIRST: Place = ({}, [])
SECOND: Place = ({}, [{"text": "One."}])
JUDGE: Place = ({"judge": "one", "rounds": 1}, PAST)
MEMBER: Place = (NONE_SET, PAST)
ON_ISSUES: Place = (ISSUES, PAST)
ON_CHOICES: Place = (NONE_SET | {"choices": THREE}, PAST)
LIMITED: Place = ({"word_limit": 2, "word_limits": "reject"}, [])

OF_NOTHING = "is named, and nothing can be named here"
NO_NAME = "cannot be named here; expected one of these"
TO_COME = ["ann_001-speech", "ann_002-speech"]
REFUSALS: dict[str, tuple[Place, Data, str]] = {
    "an attack on what is to come": (SECOND, {"attacks": TO_COME}, f"attacks.1: {TO_COME[1]}"),
    "support for nobody": (FIRST, {"supports": ["x"]}, f"supports.0: x {OF_NOTHING}"),
    "too many words": (LIMITED, {"text": "1 2 3"}, "text: has 3 words, expected at most 2"),
    "below chance": (JUDGE, decide("ann", percent=49), "percent: of 2 answers, expected 50 to 100"),
    "a ballot for a name": (MEMBER, decide("ann"), f"winner: ann {NO_NAME}, each once: A; B; nob"),
    "below chance of three": (ON_CHOICES, decide("yes", percent=33), "percent: expected 34 to 100"),
    "an issue twice": (
        *(ON_ISSUES, decide(issues=[ONE, TWICE, ONE])),
        "issues.2.issue: 1 is named 2 times",
    ),
    "an issue that is not set": (MEMBER, decide(issues=[ONE]), f"issues.0.issue: 1 {OF_NOTHING}"),
    "an issue for nobody": (
        *(ON_ISSUES, decide(issues=[ONE, TWICE | {"better": "nobody"}])),
        f"issues.1.better: nobody {NO_NAME}: A; B; even",
    ),
    "steered by what is not there": (
        MEMBER,
        decide(steering=["B_001"]),
        "steering.0: B_001 cannot",
    ),
}


@pytest.mark.parametrize(("place", "reply", "expected"), REFUSALS.values(), ids=REFUSALS)
def test_a_reply_is_refused_where_it_is_wrong(place: Place, reply: Data, expected: str) -> None:
    at = begin(place)
    _, (fault,) = at.read(at.tasks[0].by, read_exactly(give(at, at.tasks[0].by) | reply))
    where, _, message = expected.partition(": ")
    assert (fault.where, fault.is_warning) == (where, False)
    assert message in fault.message


LINKED = {"title": "T", "attacks": ["ann_001-speech"], "supports": []}
TAKEN: dict[str, tuple[Place, Data, Data]] = {
    "nulls, and a source alone": (
        FIRST,
        {"text": "One two.", "attacks": None, "title": None, "citations": ["A report"]},
        {"title": "One two.", "words": 2, "citations": [{"source": "A report", "detail": ""}]},
    ),
    "links": (
        *(SECOND, LINKED),
        {"title": "T", "attacks": [{"target_id": "ann_001-speech", "type": "attack"}]},
    ),
    "a long text without a title": (
        *(FIRST, {"text": "One two three four\nfive six seven eight nine."}),
        {"title": "One two three four five six seven eight …", "words": 9},
    ),
    "a verdict by the name that the prompt shows": (
        *((JUDGE[0] | with_ann(called="Ann B."), PAST), decide("ann b.")),
        {"winner": "ann", "title": "Verdict for ann"},
    ),
    "a verdict": (
        *(JUDGE, decide("nobody", percent=50)),
        {"title": "No verdict for anybody", "judges": ["ann_001-speech", "ben_001-speech"]},
    ),
    "what was read in another debate": (
        ON_ISSUES,
        decide("B", issues=[TWICE, ONE], moved_by=["A_000a", "B_001-speech"]),
        {"title": "For ben", "favours": "ben", "moved_by": ["A_000a", "B_001-speech"]},
    ),
    "a choice": (
        *(ON_CHOICES, decide("later", percent=34, steering=["B_000a"])),
        {"favours": "later", "winner": "later", "steering": ["B_000a"], "issues": []},
    ),
    "nobody": (MEMBER, decide("nobody"), {"steering": None}),
}


@pytest.mark.parametrize(("place", "reply", "data"), TAKEN.values(), ids=TAKEN)
def test_a_reply_is_recorded_with_what_the_rules_add(place: Place, reply: Data, data: Data) -> None:
    at = begin(place)
    name = at.tasks[0].by
    STAGE.hold(at, **{name: reply})
    entry = [e for e in at.debate.entries.values() if e.by == name][-1]
    assert {key: entry.data.get(key) for key in data} == data
    assert audit(at) == []


SETTINGS: dict[str, tuple[Data, str, str]] = {
    "one speaker": ({"participants": "ann"}, "participants", 'is "ann", expected at least 2 items'),
    "nobody speaks": ({"participants": "ann,nobody"}, "", "cannot have the name nobody"),
    "one choice": ({"choices": "yes", "panel": 1}, "", "choices has 1 item"),
    "a stranger in the order": ({"order": "ann,zoe"}, "", "order names zoe"),
    "nothing to reject": ({"word_limit": 0, "word_limits": "reject"}, "", "word_limit is 0"),
    "a blank issue": ({"issues": [" "], "panel": 1}, "issues", "expected a text with a letter"),
    "issues for no panel": ({"issues": "x", "question": "y"}, "", "question has no effect where"),
    "panel and judge": ({"panel": 1, "judge": "one"}, "", "judge is one, but a panel decides"),
    "too many rounds": ({"rounds": 21}, "rounds", "20"),
}


@pytest.mark.parametrize(("chosen", "name", "message"), SETTINGS.values(), ids=SETTINGS)
def test_settings_that_fit_no_debate_are_named(chosen: Data, name: str, message: str) -> None:
    where, _, why = STAGE.refuse(**chosen).partition(": ")
    assert where == name
    assert message in why


def test_settings_are_kept_in_their_one_form() -> None:
    s = make_settings(order="ann, ben", issues=" Is it? ", panel=1, choices="yes:It was,no")
    kept = s.model_dump(mode="json")
    assert kept["participants"] == [
        {"name": "ann", "position": "yes"},
        {"name": "ben", "position": ""},
    ]
    assert (kept["order"], kept["issues"]) == (["ann", "ben"], ["Is it?"])
    assert s.answers == {"yes": "It was", "no": ""}
    assert Settings.model_validate(kept) == s


def test_who_is_absent_is_named_to_those_who_speak_later() -> None:
    text = STAGE.prompt(STAGE.hold(STAGE.begin(), ann=None), "ben")
    assert "Not given: the speech of ann in round 1." in text
    assert "after it you have 1 more" in text


# The panel.


def read_prompts(**chosen: Any) -> dict[str, str]:
    said = [{"text": "[prop_000a] Yes."}, {"text": "[opp_000a] No, prop_000a errs."}]
    sides = {"participants": "prop:for it,opp:against it", "rounds": 1, "panel": 3}
    at = begin((sides | chosen, said))
    return {task.by: STAGE.prompt(at, task.by) for task in at.tasks}


def test_a_view_is_asked_for_before_a_word_of_the_debate_is_shown() -> None:
    for text in read_prompts().values():
        assert "for it" in text
        assert "Which side is right?" in text
        assert "Yes." not in text


def test_a_member_reads_letters_and_every_second_one_the_other_side_first() -> None:
    texts = read_prompts(views="off", personas=["As a treasurer."])
    assert not any("prop_" in text or "opp_" in text for text in texts.values())
    first, second = texts["member-1"], texts["member-2"]
    assert "-speech" not in first  # what was said in another debate bears its own ids
    assert "Side A: for it" in first
    assert "Side A: against it" in second
    assert first.index("[A_000a] Yes.") < first.index("[B_000a] No, A_000a errs.")
    assert second.index("[A_000a] No, B_000a errs.") < second.index("[B_000a] Yes.")
    assert texts["member-3"].replace("member-3", "member-1") == first
    assert "> As a treasurer." in first
    assert "leave `issues` an empty list" in first


def test_question_choices_and_issues_are_shown_blind() -> None:
    prompts = read_prompts(question="Is prop right?", issues="Did opp err?", choices="a:Yes,b:No")
    text = prompts["member-2"]
    assert "> Is Speaker B right?" in text
    text = read_prompts(views="off", issues="Did opp err?", choices="a:Yes,b:No")["member-2"]
    assert "> 1. Did Speaker A err?" in text
    own = read_prompts(choices="prop:It was,no:No")["member-1"]
    assert "> Speaker A: It was\n> no: No\n> Speaker B: against it" in own
    assert "> b: No\n> a: Yes\n> Speaker A: against it\n> Speaker B: for it" in text


PEOPLE = [{"name": n, "position": ""} for n in ("ann", "ben")]
YES_NO = [{"name": n, "position": ""} for n in ("yes", "no")]


@pytest.mark.parametrize(
    ("people", "text", "blind"),
    [
        (
            [{"name": "ann", "position": ""}, {"name": "no", "position": ""}],
            "ann_001a against no_001a, says Ann, no less",
            "B_001a against A_001a, says Side B, no less",
        ),
        ([{"name": "mayor", "position": "for the mayor"}, *PEOPLE], "the mayor", "the mayor"),
        (
            [{"name": "ann-b", "position": "", "called": "Ann B."}, *PEOPLE],
            "Ann B. says so",
            "Side C says so",
        ),
        ([{"name": "side", "position": ""}, *PEOPLE], "side to Ann", "Side C to Side B"),
    ],
)
def test_names_are_letters_to_a_member(people: list[Data], text: str, blind: str) -> None:
    assert Reader(make_settings(participants=people, panel=3), "member-2").blind(text) == blind


@pytest.mark.parametrize(
    ("text", "called", "expected"),
    [
        ("Side B, in B_001.", {"ben": "Ben"}, "Ben, in ben_001."),
        (
            "Side A beats Side B. The Side B fails.",
            {"ann": "the one", "ben": "the other"},
            "The one beats the other. The other fails.",
        ),
        ("A point of some kind fails.", {}, "A point of some kind fails."),
        ("A point of B fails.", {"ben": "Ben"}, "(A: ann, B: Ben) A point of B fails."),
    ],
)
def test_letters_are_names_to_a_reader(text: str, called: Data, expected: str) -> None:
    s = make_settings(participants=PEOPLE, panel=3)
    assert Reader(s, "member-1").unblind(text, called) == expected
    assert Reader(s, "member-1").unblind("B_001-speech") == "ben_001-speech"
    assert Reader(s, "member-1").unblind("zoe_001") == "zoe_001"


def test_labels_follow_the_order_of_a_member() -> None:
    s = make_settings(participants=PEOPLE, panel=3, choices=YES_NO)
    assert Reader(s, "member-1").letters == {"ann": "A", "ben": "B"}
    assert Reader(s, "member-2").letters == {"ben": "A", "ann": "B"}
    assert list(Reader(s, "member-2").answers.items()) == [("no", "no"), ("yes", "yes")]
    assert Reader(make_settings(participants="a,b"), "member-2").letters == {"b": "B", "a": "A"}
    many = Reader(make_settings(participants=[f"x{n}" for n in range(28)]), "member-1").letters
    assert many["x27"] == "AB"
    assert (even_percent(2), even_percent(3)) == (50, 34)


def test_how_a_speaker_stood_elsewhere_is_shown() -> None:
    people = [{"name": "speaker-2", "called": "Speaker 2"}, {"name": "ben"}]
    at = STAGE.begin(participants=people)
    assert "> speaker-2 (Speaker 2): no position given" in STAGE.prompt(at, "speaker-2")
    assert "called" not in at.debate.settings.model_dump(mode="json")["participants"][1]
