"""Following a debate from a program: every event once, in order, also after a break."""

import asyncio
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.core.errors import UnknownDebateError
from debate_ops.engine.store import Folder
from debate_ops.run import following, runner
from debate_ops.run.base import Answer, Prompt
from tests.run.stage import Actor, Cast, case

LOG = Path("debates/case/events.jsonl")


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(following, "SECONDS_BETWEEN_LOOKS", 0.01)


def all_of(**options: Any) -> list[tuple[int, str]]:
    async def listed() -> list[tuple[int, str]]:
        events = following.follow_events("case", **options)
        return [(number, event["event"]) async for number, event in events]

    return asyncio.run(asyncio.wait_for(listed(), 20))


def test_what_is_there_is_told_in_order_and_from_any_number_on() -> None:
    with pytest.raises(UnknownDebateError):
        all_of()
    engine.pause(case(), "kim")
    engine.resume(Folder("debates/case"), "kim")
    events = all_of()
    assert [number for number, _ in events] == [1, 2, 3, 4]
    assert [name for _, name in events][-2:] == ["debate_paused", "debate_resumed"]
    assert all_of(after=3) == events[3:]
    assert all_of(after=9) == []


class Slow(Actor):
    def reply(self, prompt: Prompt) -> Answer:
        prompt.stop.wait(0.2)
        result = super().reply(prompt)
        assert isinstance(result, Answer)
        return result


def test_a_run_is_followed_to_its_end_without_a_gap() -> None:
    folder = case()
    run = Thread(target=runner.run, args=(folder, 1, {**Cast(), "prop": Slow()}))
    run.start()
    while not all_of(follow=False)[2:]:
        pass
    events = all_of()
    run.join()
    lines = len(LOG.read_text(encoding="utf-8").splitlines())
    assert [number for number, _ in events] == list(range(1, lines + 1))
    assert {"phase_started", "call_ended"} <= set(dict(events).values())


@pytest.mark.parametrize("torn", ['{"event": "x"', "[]", "{}", "\ufeff", "[" * 10_000])
def test_a_torn_line_keeps_its_number_and_is_no_event(torn: str) -> None:
    case()
    before = all_of()
    with LOG.open("a", encoding="utf-8") as file:
        file.write(f'{torn}\n{{"at":"","event":"said"}}\n{{"event":"not yet whole"')
    assert all_of() == [*before, (len(before) + 2, "said")]
