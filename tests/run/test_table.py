"""The words by which users name participants."""

import pytest

from debate_ops import engine
from debate_ops.core.errors import UnknownDebateError, UsageError
from debate_ops.engine import Framing
from debate_ops.run.cast import find_cast, find_usual
from debate_ops.run.cast import make_participant as participant
from debate_ops.run.command import Command
from debate_ops.run.person import Person
from debate_ops.run.replay import Replay
from tests.run.stage import case

pytestmark = pytest.mark.usefixtures("work")


def test_a_command_is_named_by_its_program_alone_and_a_replay_by_its_debate() -> None:
    case("other-case")
    command = participant("cmd:sh -c 'exit 3' --key=s3cret")
    replay = participant("replay:other-case")
    assert (type(command), command.name) == (Command, "sh")
    assert (type(replay), replay.name) == (Replay, "replay of other-case")
    with pytest.raises(UnknownDebateError, match="nowhere"):
        participant("replay:nowhere")


@pytest.mark.parametrize("spec", ["", "sh", "http://example.org", "CMD:sh", "cmd:", "cmd: "])
def test_an_unknown_kind_is_told_with_what_there_is(spec: str) -> None:
    with pytest.raises(UsageError, match="does not say who replies") as result:
        participant(spec)
    for kind in ("cmd:", "replay:", "person:", "PROVIDER:MODEL", "anthropic"):
        assert kind in result.value.hint


def test_an_unclear_time_limit_of_a_person_is_refused() -> None:
    for spec in ("person:a?minutes=-1", "person:?a=1"):
        with pytest.raises(UsageError):
            participant(spec)


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("prop=1 all=2", "prop=1 opp=2 judge=2"),
        ("opp=1 debater=2 all=3", "prop=2 opp=1 judge=3"),
        ("negative=1 all=2", "negative would never be asked"),
        ("", "nobody replies for prop and opp and judge"),
        ("all=1 debater=2 judge=3", "all would never be asked"),
        ("prop=1 debater=2 chair=3", "nobody replies for judge; chair would never be asked"),
    ],
)
def test_the_nearest_name_replies_and_nobody_for_a_role_or_a_role_for_nobody_is_refused(
    named: str, expected: str
) -> None:
    who = {name: Person(number) for name, number in (word.split("=") for word in named.split())}
    try:
        cast = find_cast(engine.load(case()), who)
        found = " ".join(f"{name}={each.name.split()[1]}" for name, each in cast.items())
    except UsageError as error:
        found = error.message
    assert found == expected


def test_the_sides_of_a_motion_can_be_named_alike_in_every_protocol() -> None:
    folder = engine.create("formal-case", Framing("Q"), protocol="formal").folder
    who = {name: Person(name) for name in ("prop", "opp")}
    replying = find_cast(engine.load(folder), who)
    assert replying.items() >= {"aff": who["prop"], "neg": who["opp"]}.items()
    with pytest.raises(UsageError):
        find_cast(engine.load(case()), {"aff": who["prop"], "all": who["opp"]})


@pytest.mark.parametrize(
    ("usual", "expected"),
    [
        ({"opp": 1}, {"neg": 1}),
        ({"negative": 1, "judge": 2}, {"neg": 1, "judge": 2}),
        ({"debater": 1, "aff": 2}, {"aff": 2, "neg": 1}),
        ({"panel": 1, "all": 2, "reporter": 3}, {}),
    ],
)
def test_who_is_usual_is_found_by_name_side_or_role(
    usual: dict[str, int], expected: dict[str, int]
) -> None:
    settings = {"judge": "one"}
    folder = engine.create("formal-case", Framing("Q"), protocol="formal", settings=settings).folder
    assert find_usual(engine.load(folder), usual) == expected
    panel = {"participants": ["ann", "ben"], "panel": 3, "judge": "none"}
    folder = engine.create("p", Framing("Q"), protocol="speeches", settings=panel).folder
    members = find_usual(engine.load(folder), {"panel": 1, "judge": 2})
    assert [*members.values()] == [1, 1, 1]
