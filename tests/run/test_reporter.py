"""A participant writes the memo: asked, handed back what is refused, and given up in the end."""

import json
from pathlib import Path
from threading import Thread

import pytest

from debate_ops import engine
from debate_ops.cli import app
from debate_ops.core.errors import ParticipantFailedError
from debate_ops.engine.store import Folder
from debate_ops.report.reading import read_debate
from debate_ops.run import reporter
from debate_ops.run.base import Answer, FailedError
from debate_ops.run.others import Person
from debate_ops.run.running import find_person
from tests.builders import debate_at, hold, record_of
from tests.cli.stage import put, say
from tests.ending import PATIENCE
from tests.run.everyone import MEMO
from tests.run.stage import Act, Actor, Listener, wait_for

pytestmark = pytest.mark.usefixtures("work", "impatient")

GOOD = Answer(MEMO.encode(), {"model": "m-1"})
BAD = Answer(MEMO.replace('"prop"', '"sideways"').encode(), {"model": "m-1"})


def is_there(folder: Folder) -> bool:
    memo = read_debate(engine.load(folder)).memo
    return memo is not None and memo.is_current


def test_nobody_is_asked_for_another_memo_until_the_debate_has_gone_on() -> None:
    folder, result, actor = debate_at(2), Listener(), Actor(GOOD, GOOD)
    for _ in range(2):
        reporter.write_memo(folder, actor, display=result)
    assert is_there(folder)
    assert (len(actor.asked), result.names()) == (1, ["memo"])
    assert '"model": "m-1"' in Path(folder.within("memo.md")).read_text(encoding="utf-8")
    hold(folder)
    hold(folder)
    assert not is_there(folder)
    reporter.write_memo(folder, actor)
    assert is_there(folder)


def test_a_refused_memo_is_handed_back_with_its_faults() -> None:
    folder, result, actor = debate_at(2), Listener(), Actor(BAD, FailedError("gone"), GOOD)
    reporter.write_memo(folder, actor, display=result)
    first, *again = [prompt.text for prompt in actor.asked]
    assert all(text.startswith(first) and "sideways" in text[len(first) :] for text in again)
    assert result.names() == ["refused", "retry", "memo"]
    assert is_there(folder)


@pytest.mark.parametrize(
    ("acts", "asked"), [([BAD] * 3, 3), ([FailedError("gone")] * 2, 2)], ids=["refused", "failed"]
)
def test_one_who_gives_no_usable_memo_leaves_the_debate_as_it_is(
    acts: list[Act], asked: int
) -> None:
    before, actor = record_of(folder := debate_at(2)), Actor(*acts)
    with pytest.raises(ParticipantFailedError, match="no usable memo"):
        reporter.write_memo(folder, actor)
    assert len(actor.asked) == asked
    assert record_of(folder) == before


def test_a_person_writes_the_memo_by_reply_and_is_named_as_in_the_run() -> None:
    folder, result = debate_at(2), Listener()
    put("mine.md", BAD.raw)
    words = ("reply", folder.name, "mine.md", "--as", "reporter")
    more = {"display": result}
    run = Thread(target=reporter.write_memo, args=(folder, Person("kim")), kwargs=more, daemon=True)
    run.start()
    wait_for(lambda: find_person(folder, "reporter") == "kim")
    asked = json.loads(say("status", folder.name, "--json").out)["running"]["calls"]
    assert [(call["participant"], call["by"]) for call in asked] == [("reporter", "person kim")]
    assert "direction: is sideways" in say(*words).err
    put("mine.md", GOOD.raw)
    assert say(*words).code == 0
    run.join(PATIENCE)
    assert (run.is_alive(), result.names()) == (False, ["asked", "memo"])
    assert f"debate-ops reply {folder.name} --as reporter" in result.texts("asked")[0]
    assert '"person": "kim"' in Path(folder.within("memo.md")).read_text(encoding="utf-8")


def test_a_person_who_writes_no_memo_in_time_is_waited_for_no_longer() -> None:
    with pytest.raises(ParticipantFailedError, match="no usable memo") as failed:
        reporter.write_memo(debate_at(2), Person("kim?minutes=0.001"))
    assert "person kim gave no memo in time" in failed.value.faults[0].message


STUB = """
import sys
prompt = sys.stdin.read()
sys.stdout.write(open("bad.md" if "repair it" not in prompt else "good.md").read())
"""


def spec() -> str:
    Path("good.md").write_bytes(GOOD.raw)
    Path("bad.md").write_bytes(BAD.raw)
    Path("stub.py").write_text(STUB, encoding="utf-8")
    return "cmd:python3 stub.py"


def test_a_run_has_the_memo_written_once_the_debate_is_complete(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path(debate_at(3).path).rename("debates/recorded")
    folder = debate_at(2)
    words = ["run", folder.slug, "1", "--all", "replay:recorded"]
    assert app.main([*words, "--reporter", spec(), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["event"] for e in events[-3:]] == ["done", "refused", "memo"]
    assert [e["seq"] for e in events] == list(range(1, len(events) + 1))
    assert is_there(folder)


@pytest.mark.parametrize("others", [[], ["--all", "cmd:false"]], ids=["alone", "with others"])
def test_of_a_complete_debate_a_run_without_a_number_asks_for_the_memo(others: list[str]) -> None:
    folder = debate_at(2)
    engine.next_turn(folder, 1)
    hold(folder), hold(folder)
    assert app.main(["run", folder.slug, *others, "--reporter", spec()]) == 0
    assert is_there(folder)
