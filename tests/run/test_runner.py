"""Holding a debate headless: every promise that a run makes to who pays for its replies."""

import contextlib
import json
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.cli.show import status
from debate_ops.core.errors import LimitReachedError, ParticipantFailedError
from debate_ops.core.values import Absent, Entry, Task, Turn
from debate_ops.engine.store import Folder
from debate_ops.protocols import exchange
from debate_ops.protocols.formal import Formal
from debate_ops.report import provenance
from debate_ops.run import runner
from debate_ops.run.cast import Replay
from debate_ops.run.command import Command
from debate_ops.run.participants import Answer, FailedError, Participant, Prompt, TimedOutError
from debate_ops.run.spending import Limits, Spending
from tests.builders import Data, events_of, header_of
from tests.ending import PATIENCE
from tests.run import stage
from tests.run.stage import (
    EVERYBODY,
    STUB,
    Actor,
    Cast,
    Listener,
    calls,
    case,
    is_running,
    list_hanging,
)

CASE, FOLDER = Path("debates/case"), Folder("debates/case")


@pytest.fixture(autouse=True)
def running_clock(work: Path, impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    monkeypatch.delenv("SOURCE_DATE_EPOCH")


@pytest.fixture
def folder() -> Folder:
    return case()


def hold(
    folder: Folder, cast: Mapping[str, Participant], exchanges: int | None = 1, **value: Any
) -> Listener:
    result = Listener()
    runner.run(folder, exchanges, cast, display=result, **value)
    return result


def hold_stubs(folder: Folder) -> Listener:
    return hold(folder, dict.fromkeys(EVERYBODY, Command(STUB)))


def test_both_sides_write_at_the_same_time(folder: Folder) -> None:
    stage.plan(prop="meet", opp="meet")
    hold_stubs(folder)
    assert calls() == dict.fromkeys(EVERYBODY, 2)


def test_a_time_out_is_tried_once_more_with_half_as_much_time_again(folder: Folder) -> None:
    cast = Cast(prop=[TimedOutError("too slow")], opp=["fail"])
    result = hold(folder, cast, spending=Spending(Limits(timeout=10.0)))
    limits = {me: [prompt.time_limit for prompt in cast[me].asked] for me in ("prop", "opp")}
    assert limits == {"prop": [10.0, 15.0, 10.0], "opp": [10.0, 10.0, 10.0]}
    assert len(result.texts("retry")) == 2


@pytest.mark.parametrize(
    ("acts", "message", "calls", "kept"),
    [
        ({"prop": ["fail", TimedOutError("slow")]}, "prop gave no", {"prop": 4}, "0-opp.reply"),
        ({"prop": [FailedError("none", tries=1)]}, "prop gave no", {"prop": 3}, "0-opp.reply"),
        ({"opp": ["bad"] * 3}, "refused 3 times", {"opp": 5}, "refused/0-opp-3.reply"),
        ({"judge": ["fail"] * 2}, "judge gave no", {"judge": 4}, "1-judge.prompt"),
    ],
)
def test_a_run_that_fails_keeps_all_that_came_and_the_next_one_asks_who_is_missing(
    folder: Folder, acts: Any, message: str, calls: dict[str, int], kept: str
) -> None:
    cast = Cast(**acts)
    with pytest.raises(ParticipantFailedError, match=message) as result:
        hold(folder, cast)
    assert result.value.exit_code == 3
    assert {fault.by for fault in result.value.faults} == acts.keys()
    assert list((CASE / "inbox").glob(f"{kept}.*"))
    hold(folder, cast, None)
    assert cast.calls() == dict.fromkeys(EVERYBODY, 2) | calls


def test_a_limit_holds_before_a_refused_reply_goes_back_and_status_names_it(
    folder: Folder,
) -> None:
    costly = Actor("bad", tokens={"input": 60_000})
    with pytest.raises(LimitReachedError):
        hold(folder, Cast() | {"opp": costly}, spending=Spending(Limits(tokens=50_000)))
    assert len(costly.asked) == 1
    assert "failed: the run at " in "\n".join(status("case").lines)
    cast = Cast()
    hold(folder, cast, None)
    assert cast.calls() == {"prop": 1, "opp": 2, "judge": 2}, "what was good is kept"


def test_who_only_repeats_a_record_is_asked_once(folder: Folder) -> None:
    recorded = Actor("bad", recorded=True)
    with pytest.raises(ParticipantFailedError, match="refused 1 time,") as result:
        runner.run(folder, 1, Cast() | {"prop": recorded})
    assert len(recorded.asked) == 1
    assert any("arguments" in fault.sentence() for fault in result.value.faults)


def test_a_reply_under_way_when_another_fails_is_waited_for(folder: Folder) -> None:
    stage.plan(prop="fail, fail", opp="sleep 0.4")
    with pytest.raises(ParticipantFailedError):
        hold_stubs(folder)
    assert (CASE / "inbox/0-opp.reply.json").exists()


def test_a_refused_reply_goes_back_with_its_faults_and_counts_when_mended(folder: Folder) -> None:
    def read(prompt: Prompt) -> str:
        written.append(Path(prompt.file).read_text(encoding="utf-8"))
        return "ok" if len(written) > 2 else "bad"

    written, cast = list[str](), Cast(opp=[read] * 4)
    result = hold(folder, cast)
    assert cast.calls() == {"prop": 2, "opp": 4, "judge": 2}, "good replies are not asked for again"
    first, second, *_ = cast["opp"].asked
    assert written == [prompt.text for prompt in cast["opp"].asked]
    assert first.schema["required"][:2] == ["participant", "exchange"]
    assert first.file != second.file, "the prompt itself is left as it was"
    assert second.text.startswith(first.text), "a command that has forgotten it gets it again"
    assert "arguments" in second.text[len(first.text) :]
    assert all("arguments: is missing" in text for text in result.texts("refused"))
    assert len(result.texts("refused")) == 2
    left = {path.name for path in (CASE / "inbox").iterdir() if not path.name.startswith(".")}
    assert left == {"refused"}


@pytest.mark.parametrize(("noted_by", "replies"), [("", 5), ("run", 3)])
def test_a_recorded_absence_goes_on_record_as_it_was(
    folder: Folder, noted_by: str, replies: int
) -> None:
    who = ("prop", "opp")
    absent = {me: Absent("pass", "Nothing to add.", noted_by or me) for me in who}
    acts: dict[str, Any] = {me: ["ok", said] for me, said in absent.items()}
    result = hold(folder, Cast(**acts))
    for me in who:
        absence = header_of(FOLDER, f"judgments/{me}_001-absence.md")
        assert (absence["how"], absence["by"]) == ("pass", noted_by or me)
        assert not (CASE / f"arguments/{me}_001.md").exists()
    assert len(result.texts("absence")) == len(who)
    at, shown = engine.load(folder).at, status("case").data
    assert shown
    assert (
        shown["used"]["replies"]
        == sum(own["replies"] for own in provenance.find_provenance(at))
        == replies
    )


@pytest.mark.parametrize("touched", ["", "\n"])
def test_replies_that_are_here_already_are_not_paid_for_again(folder: Folder, touched: str) -> None:
    cast, reply = Cast(opp=["fail", "fail"]), CASE / "inbox/0-prop.reply.json"
    with pytest.raises(ParticipantFailedError):
        hold(folder, cast)
    reply.write_text(reply.read_text(encoding="utf-8") + touched, encoding="utf-8")
    result = hold(folder, cast, 1)
    assert cast.calls()["prop"] == 2
    assert "the opening and 1 exchange: 5 agent calls" in result.texts("launch")[0]
    made = header_of(FOLDER, "arguments/prop_000a.md").get("made_by", {})
    assert made == ({} if touched else {"by": "prop"}), "known after the first run, of its own hand"


RUN = ("run", "case", "1", "--all", f"cmd:{STUB}", "--no-memo")
FIXED_CLOCK = "1700000000"


def run_killed_at(*points: str) -> dict[str, bytes]:
    """Run the same command until it was killed at each of these points; return the record."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", FIXED_CLOCK)
        folder = case()
        for point in (*points, ""):
            process = stage.start(*RUN, KILL_AT=point)
            _, complaints = process.communicate(timeout=PATIENCE)
            assert process.returncode == (-signal.SIGKILL if point else 0), complaints
    said = (Path(folder.debate_file), *CASE.glob("arguments/*"), *CASE.glob("judgments/*"))
    return {str(path): path.read_bytes() for path in said}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    with contextlib.chdir(tmp_path_factory.mktemp("unbroken")):
        return run_killed_at()


MOMENTS = [
    *(f"put {when} {count}" for when in ("before", "after") for count in (1, 2, 3, 6)),
    *(f"next {when} 1" for when in ("before", "after")),
    *(f"prompts {when} {count}" for when in ("before", "after") for count in (1, 3)),
    *("submit before 1", "submit before 2", "submit before 4", "submit after 1", "submit after 3"),
]
"""Replies, prompts and commits of the first turn and of the last, and those between that differ."""


@pytest.mark.slow
@pytest.mark.parametrize("kill", MOMENTS)
def test_killed_at_any_moment_the_same_command_finishes_the_same_record(
    unbroken: dict[str, bytes], kill: str
) -> None:
    assert run_killed_at(kill) == unbroken
    assert calls().total() <= 6 + 2  # what was under way, or just about to be kept


def hanging() -> "subprocess.Popen[str]":
    """Start a run in which opp has replied and prop hangs, deaf to being asked to end."""
    case()
    stage.plan(prop="hang")
    process = stage.start(*RUN)
    stage.wait_for(lambda: list_hanging() and (CASE / "inbox/0-opp.reply.json").exists())
    return process


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, 143, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_the_run_and_all_it_started_and_the_next_run_asks_nobody_again(
    number: signal.Signals, code: int
) -> None:
    process = hanging()
    process.send_signal(number)
    _, remarks = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "the same command goes on" in remarks) == (code, True), remarks
    assert not [pid for pid in list_hanging() if is_running(pid)]
    begun, ended = logged("call_started"), logged("call_ended")
    assert Counter(c["participant"] for c in begun) == Counter(c["participant"] for c in ended)
    assert {c["participant"]: c["outcome"] for c in ended} == {"prop": "stopped", "opp": "replied"}
    second = stage.start("run", *RUN[3:])
    second.communicate(timeout=PATIENCE)
    assert (second.returncode, calls()["opp"]) == (0, 2)


def test_two_signals_in_a_row_still_leave_nothing_running() -> None:
    process = hanging()
    for pause in (0.2, 0.03, 0.03, 0):  # the second comes while what was started is ended
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert not [pid for pid in list_hanging() if is_running(pid)]


def test_progress_says_what_came_and_where_the_debate_is_and_counts_what_was_refused_once(
    folder: Folder,
) -> None:
    result = hold(folder, Cast(prop=["bad", "bad"], judge=["bad"]))
    assert (result.names()[0], result.names()[-1]) == ("launch", "done")
    replied = result.texts("replied")
    counted = [text.partition(",")[0] for text in replied]
    assert counted == [f"reply {number} of 6" for number in (1, 2, 2, 2, 3, 3, 4, 5, 6)]
    first = r"reply 1 of 6, opening, less than a minute left: (prop|opp) replied \([\d.]+ s\)"
    assert re.fullmatch(first, replied[0])
    assert replied[-1].startswith("reply 6 of 6, exchange 1 of 1: judge")
    assert result.texts("argument")[-1].startswith("exchange 1: opp_001 ")


def test_progress_says_who_is_awaited_while_nothing_comes(folder: Folder) -> None:
    stage.plan(judge="ok, sleep 0.4")
    result = hold_stubs(folder)
    assert any(
        re.fullmatch(r"reply 6 of 6, exchange 1 of 1, .* left: waiting for judge \d:\d\d", text)
        for text in result.waited
    )


def logged(name: str) -> list[Data]:
    return [event for event in events_of(FOLDER) if event["event"] == name]


def test_status_says_what_failed_until_a_step_succeeds(folder: Folder) -> None:
    def failed() -> list[Data]:
        answer = status("case")
        assert answer.data
        shown = [line for line in answer.lines if line.startswith("failed: ")]
        assert len(shown) == len(answer.data["failed"])
        events: list[Data] = answer.data["failed"]
        assert all(event["why"] in line for event, line in zip(events, shown, strict=True))
        return events

    assert failed() == []
    cast = Cast(prop=["fail", TimedOutError("too slow", "no route to host")])
    for _ in range(2):
        with pytest.raises(ParticipantFailedError):
            hold(folder, cast, 1)
        cast["prop"].acts = ["fail", FailedError("fell silent", made_by={"model": "m-1"})]
    (event,) = failed()
    about: Data = {"participant": "prop", "by": "actor", "model": "m-1", "why": "fell silent"}
    about |= {"debate": "case", "phase": "awaiting_arguments", "exchange": 0, "step": 0}
    assert event.items() >= about.items()
    assert [e.get("said") for e in logged("participant_failed")] == ["no route to host", None]
    engine.pause(folder, "kim")
    engine.resume(folder, "kim")
    assert failed() == [event]
    cast["prop"].acts, cast["judge"].acts = ["ok"], ["fail", "fail"]
    with pytest.raises(ParticipantFailedError):
        hold(folder, cast, 1)
    assert [event["participant"] for event in failed()] == ["judge"]
    hold(folder, cast, 1)
    assert failed() == []


def test_every_call_has_a_beginning_and_an_end_with_what_is_known_of_it(folder: Folder) -> None:
    made_by = {"model": "m", "tokens": {"input": 5, "output": 2}, "cost_usd": 0.5}
    cast = Cast(prop=["fail", TimedOutError("too slow")], opp=[FailedError("no", made_by=made_by)])
    with pytest.raises(ParticipantFailedError):
        runner.run(folder, 1, cast)
    begun, ended = logged("call_started"), logged("call_ended")
    assert Counter(call["participant"] for call in begun) == {"prop": 2, "opp": 2}
    outcomes = Counter((call["participant"], call["outcome"]) for call in ended)
    assert outcomes == {
        ("prop", "failed"): 1,
        ("prop", "timed_out"): 1,
        ("opp", "failed"): 1,
        ("opp", "replied"): 1,
    }
    assert [call for call in ended if "model" in call] == [
        call for call in ended if (call["participant"], call["outcome"]) == ("opp", "failed")
    ]
    assert [event["code"] for event in logged("error")] == ["participant_failed"]


def clocked(seconds: float) -> Actor:
    """Return one who takes its time."""

    def reply(prompt: Prompt) -> Exception:
        if prompt.stop.wait(min(seconds, prompt.time_limit)) or prompt.time_limit < 60:
            return TimedOutError("took too long")
        return FailedError("no", tries=1)

    return Actor(*[reply] * 20)


def test_a_limit_of_the_task_goes_before_the_limit_of_the_run() -> None:
    folder, slow = case(protocol="formal", time_limit=1), clocked(0.01)
    with pytest.raises(ParticipantFailedError):
        runner.run(folder, None, {"all": slow}, spending=Spending(Limits(timeout=500.0)))
    assert sorted({round(prompt.time_limit, 1) for prompt in slow.asked}) == [1.0, 1.5]


def test_a_turn_with_a_limit_is_closed_with_absences_and_nobody_is_asked_beyond_it() -> None:
    folder, slow = case(protocol="formal", preparation_time=1, first_answer="on"), clocked(0.6)
    with pytest.raises(ParticipantFailedError):
        runner.run(folder, None, {"all": slow})
    absent = absences(folder)
    assert [(a.by, a.data["how"]) for a in absent] == [("aff", "time-out"), ("neg", "time-out")]
    limited = [prompt for prompt in slow.asked if prompt.turn.phase == "awaiting_preparation"]
    assert limited
    assert all(prompt.time_limit <= 1 for prompt in limited)


def test_a_limit_of_the_tasks_alone_is_closed_with_absences_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = Formal.list_turns

    def list_turns(rules: Formal, settings: Any) -> Iterator[Turn]:
        yield from (replace(turn, seconds=0) for turn in turns(rules, settings))

    monkeypatch.setattr(Formal, "list_turns", list_turns)
    folder = case(protocol="formal", preparation_time=1)
    with pytest.raises(ParticipantFailedError):
        runner.run(folder, None, {"all": clocked(0.1)})
    assert [(a.by, a.data["how"]) for a in absences(folder)] == [
        (side, "time-out") for side in ("aff", "neg")
    ]


def absences(folder: Folder) -> list[Entry]:
    return engine.load(folder).debate.find("absence")


def consensus(slug: str = "case", **more: Any) -> Folder:
    return case(slug, "consensus", participants="ann,ben,cara", **more)


WHY = {"fail": "not logged in", "late": "too slow", "bad": "refused 3 times: "}


def consult(
    folder: Folder, display: Listener | None = None, /, **acts: str
) -> tuple[Counter[str], ParticipantFailedError]:
    """Run a consensus until it fails: in its proposals, or after them, where nobody replies.

    What each does at its calls is given: `ok`, `bad`, `fail` or `late`; the last goes on for ever,
    `ok` is what the rest do. Return how often each was asked, and how it ended.
    """
    asked = Counter[str]()

    def reply(prompt: Prompt) -> Answer | Exception:
        name = prompt.task.by
        if prompt.turn.phase != "awaiting_proposals":
            return FailedError("it has said all it had to say", tries=1)
        words = acts.get(name, "ok").split()
        act = words[min(asked[name], len(words) - 1)]
        asked[name] += 1
        if act in {"fail", "late"}:
            kind = FailedError if act == "fail" else TimedOutError
            return kind(WHY[act], "key s3cret expired", tries=1)
        result = {"participant": name, "exchange": 1, "phase": prompt.turn.phase, "title": "T"}
        result |= {"solution": "S", "reasoning": "R", "confidence": 2 if act == "bad" else 0.5}
        return Answer(json.dumps(result).encode())

    with pytest.raises(ParticipantFailedError) as ended:
        runner.run(folder, None, {"all": Actor(*[reply] * 30)}, display=display)
    return asked, ended.value


def absent_in(folder: Folder) -> dict[str, tuple[str, str, str]]:
    """Return how, by whom and why each of the absent is absent; the debate has moved on."""
    assert engine.load(folder).debate.step == 1
    return {a.by: (a.data["how"], a.data["by"], a.data["reason"]) for a in absences(folder)}


@pytest.mark.slow
def test_where_nobody_replies_in_the_time_of_the_run_nothing_is_recorded_either() -> None:
    """Only a limit of the debate itself makes absences of everybody: the program may be down."""
    with pytest.raises(ParticipantFailedError, match="ann and ben and cara"):
        runner.run(consensus(), None, {"all": clocked(5)}, spending=Spending(Limits(timeout=0.1)))
    assert engine.load(FOLDER).debate.step == 0
    limited = consensus("limited", phase_seconds=1, max_cycles=1)
    runner.run(limited, None, {"all": clocked(5)})
    absent = [(a.by, a.data["how"]) for a in absences(limited)]
    assert absent[:3] == [(name, "time-out") for name in ("ann", "ben", "cara")]


@pytest.mark.parametrize(
    ("acts", "absent"),
    [
        ({"cara": "bad"}, ["cara"]),
        ({"ann": "fail", "cara": "bad bad ok"}, ["ann"]),
        ({"ann": "fail", "cara": "bad"}, ["ann", "cara"]),
        ({"ann": "late", "cara": "bad"}, ["ann", "cara"]),
    ],
    ids=["refused", "mended in time", "two of three", "one of them late"],
)
def test_who_gives_no_usable_reply_is_absent_for_a_reason_of_its_own(
    acts: dict[str, str], absent: list[str]
) -> None:
    folder, listener = consensus(), Listener()
    asked, _ = consult(folder, listener, **acts)
    actual = absent_in(folder)
    assert [*actual] == absent
    for name, (how, by, why) in actual.items():
        assert (how, by) == ("time-out" if acts[name] == "late" else "skip", "run")
        assert (why.startswith(WHY[acts[name]]), "s3cret" in why) == (True, False)
    assert ("s3cret" in " ".join(listener.texts("failed"))) == ("ann" in acts), "shown all the same"
    texts = listener.texts("absence")
    assert [f"'undo {folder.name} --step 0'" in text for text in texts] == [True] * len(absent)
    assert asked == {"ann": 1, "ben": 1, "cara": 3}


@pytest.mark.parametrize(
    "acts",
    [
        {"ann": "fail", "ben": "bad", "cara": "bad"},
        dict.fromkeys(("ann", "ben", "cara"), "bad"),
        dict.fromkeys(("ann", "ben", "cara"), "fail"),
        {"ben": "fail", "cara": "bad"},
        {"ben": "fail"},
    ],
)
def test_where_all_fail_who_were_not_skipped_by_hand_none_is_absent_and_all_are_asked_again(
    acts: dict[str, str],
) -> None:
    folder = consensus()
    skipped = sorted({"ann", "ben", "cara"} - {*acts})
    for name in skipped:
        engine.skip(folder, name, "on holiday")
    for _ in range(2):
        asked, ended = consult(folder, **acts)
        assert asked == {name: 3 if act == "bad" else 1 for name, act in acts.items()}
        assert {fault.by for fault in ended.faults} == acts.keys()
        assert (engine.load(folder).debate.step, absences(folder)) == (0, [])
    assert consult(folder)[0] == dict.fromkeys(acts, 1)
    assert absent_in(folder) == dict.fromkeys(skipped, ("skip", "user", "on holiday"))


def test_an_absence_waits_for_who_stops_the_debate_and_goes_with_it(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_task(by: str, template: str, _: str) -> Task:
        return Task(by, template, "absence" if by == "opp" else "stop")

    monkeypatch.setattr(exchange, "Task", make_task)
    first = Cast(opp=["fail", "fail"], prop=["bad", "bad", "bad"])
    with pytest.raises(ParticipantFailedError, match="prop gave no usable reply: refused 3 times"):
        hold(folder, first)
    second = Cast()
    hold(folder, second, None)
    assert second.calls() == {"prop": 2, "opp": 2, "judge": 2}
    assert absences(folder) == []


ADVICE = ["adviser_000-advice", "adviser_000-advice-2"]


@pytest.mark.parametrize(
    ("adviser", "answers", "calls"),
    [
        ({"adviser": Actor()}, 2, 8),
        ({}, 0, 6),
        ({"all": Actor()}, 2, 8),
        ({"adviser": Actor(*["fail"] * 8)}, 0, 8),
        ({"adviser": Actor(*["bad"] * 12)}, 0, 8),
    ],
    ids=["named", "nobody", "all", "silent", "refused"],
)
def test_a_first_answer_and_a_second_look_are_taken_of_who_is_named_or_for_all_and_stop_nothing(
    adviser: dict[str, Any], answers: int, calls: int
) -> None:
    advised = case(first_answer="on")
    result = hold(advised, {**Cast(), **adviser})
    assert {path.stem for path in CASE.glob("advice/*.md")} == {*ADVICE[:answers]}
    shown = [text.partition("-advice")[2] for text in result.texts("advice")]
    assert shown == [" First answer: Yes: it pays.", "-2 Second look: Yes: it pays."][:answers]
    assert f"{calls} agent calls" in result.texts("launch")[0]
    assert ("omitted" in result.names()) == (calls == 8 and not answers)
    hold(advised, {**Cast(), **adviser})
    assert len([*CASE.glob("advice/*.md")]) == answers
    assert engine.load(advised).at.place.round == 3


def test_a_first_answer_is_replayed() -> None:
    advised, again = case(first_answer="on"), case("again", first_answer="on")
    hold(advised, Cast() | {"adviser": Actor()})
    hold(again, dict.fromkeys((*EVERYBODY, "adviser"), Replay(advised)))
    (answer, _) = engine.load(again).debate.find("advice")
    assert answer.texts["Answer"].endswith("**Yes:** it pays.")
