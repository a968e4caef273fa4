"""Who replies: the words that name participants, a person, a recorded debate."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Event as Flag
from urllib.parse import quote

import pytest

from debate_ops import engine
from debate_ops.core.errors import RefusedError, UnknownDebateError, UsageError
from debate_ops.core.values import Absent, Done, Task, Turn, Waiting
from debate_ops.engine import inbox
from debate_ops.report import provenance
from debate_ops.run import runner
from debate_ops.run.cast import Person, Replay, find_cast, find_usual, hide_password
from debate_ops.run.cast import make_participant as participant
from debate_ops.run.command import Command
from debate_ops.run.participants import Participant, StoppedError, TimedOutError
from debate_ops.run.progress import Event
from debate_ops.run.spending import Limits, Spending
from tests.builders import header_of
from tests.cli.stage import say
from tests.engine.stage import lay_down
from tests.run.stage import Cast, Listener, case, prompt, reply_of

pytestmark = pytest.mark.usefixtures("work", "impatient")


def test_a_command_is_named_by_its_program_alone_and_a_replay_by_its_debate() -> None:
    case("other-case")
    command = participant("cmd:sh -c 'exit 3' --key=s3cret")
    replay = participant("replay:other-case")
    assert (type(command), command.name) == (Command, "sh")
    assert (type(replay), replay.name) == (Replay, "replay of other-case")
    with pytest.raises(UnknownDebateError, match="nowhere"):
        participant("replay:nowhere")


@pytest.mark.parametrize(
    "spec",
    [
        *("", "sh", "http://example.org", "CMD:sh", "cmd:", "cmd: ", "person:", "person:k?x=1"),
        *("http://me:s3cret@host/v1", "http://me:a?s3cret@host"),
    ],
)
def test_an_unknown_kind_is_refused_with_what_there_is(spec: str) -> None:
    with pytest.raises(UsageError, match="does not say who replies") as result:
        participant(spec)
    assert "s3cret" not in result.value.message
    for kind in ("cmd:", "replay:", "person:", "PROVIDER:MODEL", "anthropic"):
        assert kind in result.value.hint


@pytest.mark.parametrize("password", ["s3cret", "a/s3cret", "a@s3cret", "s3cret?a", "a%40s3cret"])
def test_a_password_is_not_shown(password: str) -> None:
    address = f"http://me:{password}@host/v1"
    for written in (address, quote(address, safe=""), address.replace("//", ""), address[5:]):
        shown = hide_password(f"openai:m?base_url={written}&key=K")
        assert ("s3cret" in shown, "host" in shown) == (False, True), shown


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("Proposition=1 all=2", "prop=1 opp=2 judge=2"),
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


@pytest.mark.parametrize(("step", "code"), [(3, 2), (4, 3)])
def test_who_has_spoken_for_the_last_time_needs_nobody_who_replies(step: int, code: int) -> None:
    lay_down("speeches-two-rounds-and-a-judge", step)
    said = say("run", "x-debate", "--judge", "cmd:false")
    assert (said.code, "nobody replies for" in said.err) == (code, code == 2), said.err


def test_who_is_usual_has_a_name_or_role() -> None:
    folder = case("formal-case", "formal", judge="one")
    for usual, expected in (
        ({"opp": 1}, {"neg": 1}),
        ({"negative": 1, "judge": 2}, {"neg": 1, "judge": 2}),
        ({"debater": 1, "aff": 2}, {"aff": 2, "neg": 1}),
        ({"panel": 1, "all": 2, "reporter": 3}, dict[str, int]()),
    ):
        assert find_usual(engine.load(folder), usual) == expected
    folder = case("p", "speeches", participants=["ann", "ben"], panel=3, judge="none")
    assert [*find_usual(engine.load(folder), {"panel": 1, "judge": 2}).values()] == [1, 1, 1]


KIM = {"person": "kim"}


class Watching(Listener):
    """A display that does something once a person is asked."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__()
        self.act = act

    def show(self, event: Event, /) -> None:
        super().show(event)
        if event.name == "asked":
            self.act()


def test_a_person_judges_with_a_form_and_is_named_on_record() -> None:
    def judge() -> None:
        position = engine.next_turn(folder)
        draft = engine.RawReply(reply_of(folder, "judge"), "draft")
        engine.take_reply(position, position.find_task("judge"), draft, KIM)

    folder, shown = case(), Watching(judge)
    spending = Spending(Limits(tokens=10_000_000))
    cast: dict[str, Participant] = {**Cast(), "judge": Person("kim")}
    position = runner.run(folder, 1, cast, spending=spending, display=shown)
    assert isinstance(position.due, Done)
    assert header_of(folder, "judgments/judge_000.md")["made_by"] == {"person": "kim"}
    assert provenance.find_judges(folder, engine.load(folder).at) == [], "no model"
    assert "debate-ops reply case --as judge" in shown.texts("asked")[0]


def test_a_run_that_is_stopped_waits_for_people_no_longer() -> None:
    folder = case()
    cast: dict[str, Participant] = {**Cast(), "judge": Person("kim")}
    stopping = Watching(lambda: engine.stop(folder, "kim"))
    position = runner.run(folder, 1, cast, display=stopping)
    assert isinstance(position.due, Waiting)
    assert (getattr(position.hold, "by", ""), position.debate.step) == ("kim", 1)


def test_a_person_is_asked_once_and_not_awaited_once_the_turn_is_over(tmp_path: Path) -> None:
    asked = prompt(file=str(tmp_path / "inbox/0-prop.prompt.md"))
    with pytest.raises(TimedOutError) as result:
        Person("kim").reply(asked._replace(closes=0))
    assert result.value.tries == 1
    asked.stop.set()
    with pytest.raises(StoppedError):
        Person("kim").reply(asked)


def test_a_file_that_is_still_written_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "inbox/0-prop.reply.json"
    place.parent.mkdir()
    texts = iter(["{", '{"a', '{"a"', '{"a": 1}'])

    class Writing(Flag):
        """Between two looks at the file, a little more of it is written."""

        def wait(self, _: float | None = None) -> bool:
            place.write_text(next(texts, '{"a": 1}'))
            return False

    asked = prompt(file=str(tmp_path / "inbox/0-prop.prompt.md"), stop=Writing())
    answer = Person("kim").reply(asked)
    assert answer.raw == b'{"a": 1}'
    assert answer.made_by == {"person": "kim"}


def test_the_name_that_a_person_gave_goes_before_that_of_the_run() -> None:
    item = engine.next_turn(case(), 1).find_task("prop")
    for said, recorded in (("ann", "ann"), (inbox.SOMEBODY, "kim")):
        inbox.put(item.slot, b"{}", {"person": said})
        assert Person("kim").reply(prompt(file=item.slot.prompt)).made_by == {"person": recorded}


def test_a_refused_reply_is_not_filed_and_a_good_one_once() -> None:
    folder = case()
    position = engine.next_turn(folder, 1)
    item = position.find_task("prop")
    with pytest.raises(engine.RepliesRefusedError):
        engine.take_reply(position, item, engine.RawReply(b'{"arguments": []}', "draft"), KIM)
    assert not Path(item.slot.reply).exists()
    reply = engine.RawReply(reply_of(folder, "prop"), "draft")
    engine.take_reply(position, item, reply, KIM)
    assert json.loads(Path(item.slot.made).read_text())["made_by"] == {"person": "kim"}
    over = "part of this turn is over: "
    with pytest.raises(RefusedError, match=f"{over}replied"):  # as another saw it at the same time
        engine.take_reply(position, item, reply, KIM)
    engine.close_turn(folder, 0, "Late.")
    with pytest.raises(RefusedError, match=f"{over}it is on record"):
        engine.take_reply(position, position.find_task("opp"), reply, KIM)


def test_each_entry_says_what_it_replays_and_who_made_that_if_it_is_known() -> None:
    original, replayed = case("original"), case("again")
    runner.run(original, 2, Cast())
    runner.run(replayed, 2, {"all": Replay(original)})
    for name, maker in (("arguments/opp_001", "opp"), ("judgments/judge_002", "judge")):
        origin = {"debate": "original", "made_by": {"by": maker}}
        assert header_of(replayed, f"{name}.md")["made_by"] == {"replay_of": origin}
    for path in Path(original.path, "arguments").iterdir():
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"made_by"', '"unknown_key"'), encoding="utf-8")
    turn = Turn(0, "phase", (Task("prop", "debater-opening"),))
    said = Replay(original).reply(prompt(participant="prop")._replace(turn=turn))
    assert not isinstance(said, Absent)
    assert said.made_by == {"replay_of": {"debate": "original"}}
