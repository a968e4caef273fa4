"""The words by which users name participants."""

from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.errors import ConfigurationError, UnknownDebateError, UsageError
from debate_ops.model.debate import Framing
from debate_ops.participants.command import Command
from debate_ops.participants.person import Person
from debate_ops.participants.replay import Replay
from debate_ops.participants.table import KINDS, cast, participant
from tests.participants.stage import case


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_command_is_named_by_its_program_alone() -> None:
    made = participant("cmd:sh -c 'exit 3' --key=s3cret")

    assert isinstance(made, Command)
    assert made.name == "sh"


def test_a_replay_is_named_by_its_debate() -> None:
    case("other-case")

    made = participant("replay:other-case")

    assert isinstance(made, Replay)
    assert made.name == "replay of other-case"


@pytest.mark.parametrize("spec", ["", "sh", "human", "http://example.org", "CMD:sh", ":sh"])
def test_an_unknown_kind_is_told_with_what_there_is(spec: str) -> None:
    with pytest.raises(UsageError, match="does not say who replies") as result:
        participant(spec)
    for kind in KINDS:
        assert kind in result.value.hint


def test_a_missing_program_is_a_matter_of_configuration() -> None:
    with pytest.raises(ConfigurationError):
        participant("cmd:no-such-program-here")


def test_a_missing_debate_is_told_by_name() -> None:
    with pytest.raises(UnknownDebateError, match="nowhere"):
        participant("replay:nowhere")


def test_the_sides_of_a_motion_can_be_named_alike_in_every_protocol() -> None:
    folder = engine.create("formal-case", Framing("Q"), protocol="formal").folder
    who = {name: Person(name) for name in ("prop", "opp")}

    replying = cast(engine.look(folder).debate, who)

    assert replying == {"aff": who["prop"], "neg": who["opp"]}
    with pytest.raises(UsageError):
        cast(engine.look(case()).debate, {"aff": who["prop"], "all": who["opp"]})
