"""Random histories of a debate of any protocol: the same state, every entry once, no loss.

What is said comes from the protocol's script; what happens to the debate, and in which order, is
left to chance.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from debate_ops import engine
from debate_ops.model.turn import Turn
from debate_ops.storage import load, pending
from tests.builders import SLUG, Answer, put, run
from tests.conftest import NEW_YEAR_2026
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import begun, replies
from tests.reliability.every_case import typed
from tests.reliability.faults import STOP, STOPPED, Fault, command
from tests.reliability.sweep import GOOD

if TYPE_CHECKING:
    from debate_ops.model.turn import Act

Words = tuple[object, ...]
stops = st.none() | st.integers(1, 80)
"""At which call a command is stopped first, if at any."""


class Histories(RuleBasedStateMachine):
    """The rules: everything that agents, people and power cuts do to a debate."""

    def __init__(self, protocol: str) -> None:
        super().__init__()
        self.protocol = protocol
        self.steps: list[dict[str, bytes]] = []
        self.taken_back: list[bytes] = []
        self.refused: Counter[str] = Counter()
        self.lines = ""
        self.number = 0
        self.last: Words = ()
        self.ending = contextlib.ExitStack()

    @initialize(which=st.integers(0, 9))
    def begin(self, which: int) -> None:
        names = list(ROWS[self.protocol].variants)
        name = names[which % len(names)]
        self.root = Path(self.ending.enter_context(TemporaryDirectory()))
        self.ending.enter_context(contextlib.chdir(self.root))
        patch = self.ending.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("SOURCE_DATE_EPOCH", NEW_YEAR_2026)
        patch.setattr(os, "fsync", lambda _: None)  # no power is cut here
        self.folder = begun(self.protocol, name)
        self.variant = ROWS[self.protocol].variants[name]
        self.position = engine.look(self.folder)

    def teardown(self) -> None:
        self.ending.close()

    @property
    def turn(self) -> Turn | None:
        due = self.position.due
        is_over = self.variant.is_over(self.position.debate)
        return due if isinstance(due, Turn) and not is_over else None

    @property
    def act(self) -> Act | None:
        return self.variant.act(self.position.debate)

    @property
    def said(self) -> dict[str, str]:
        """Good replies to the turn that is due."""
        return replies(self.position, self.variant)

    def words(self) -> str:
        self.number += 1
        return f"Sentence number {self.number} of them all."

    def put(self, said: dict[str, str]) -> None:
        """Leave these replies in the inbox, and nobody else's."""
        step = len(self.steps)
        for item in self.position.tasks:
            Path(item.slot.reply).unlink(missing_ok=True)
        for name, text in said.items():
            put(self.folder, name, text, step)

    def done(self, *words: object, at: int | None = None) -> Answer:
        """Run a command that puts a step on record, stopped at a call first; it counts once."""
        if at:
            first = command(self.root, *words, fault=Fault(STOP, at))
            assert first.code in {*GOOD, STOPPED}, first
        is_on_record = load.load(self.folder).debate.step > len(self.steps)
        result = run(*words)
        assert result.code in GOOD, result
        assert result.result["already_applied"] is is_on_record
        self.steps.append({i: self.stored(i) for i in result.result["committed"]})
        self.last = words
        self.position = engine.look(self.folder)
        return result

    def stored(self, entry_id: str) -> bytes:
        paths = [Path(self.folder.entry(kind, entry_id)) for kind in ("arguments", "judgments")]
        (path,) = [path for path in paths if path.exists()]
        return path.read_bytes()

    @precondition(lambda self: self.turn)
    @rule(at=stops)
    def everybody_replies(self, at: int | None) -> None:
        self.put(self.said)
        self.done("submit", SLUG, "--step", len(self.steps), at=at)

    @precondition(lambda self: self.turn)
    @rule(at=stops, which=st.integers(0, 9))
    def somebody_is_skipped(self, at: int | None, which: int) -> None:
        said = self.said
        name = [*said][which % len(said)]
        self.put({other: text for other, text in said.items() if other != name})
        reason = self.words()
        words = ("skip", SLUG, "--participant", name, "--reason", reason)
        self.done(*words, "--step", len(self.steps), "--json", at=at)
        assert any(reason.encode() in text for text in self.steps[-1].values())

    @precondition(lambda self: self.turn)
    @rule(at=stops, number=st.integers(0, 2))
    def the_turn_is_closed_with_what_is_there(self, at: int | None, number: int) -> None:
        said = self.said
        self.put({name: said[name] for name in [*said][: min(number, len(said) - 1)]})
        words = ("advance", SLUG, "--step", len(self.steps), "--reason", self.words(), "--json")
        self.done(*words, at=at)

    @precondition(lambda self: self.act)
    @rule(at=stops)
    def a_person_acts(self, at: int | None) -> None:
        assert self.act
        self.put({})
        self.done(*typed(self.act), at=at)

    @precondition(lambda self: self.last)
    @rule()
    def the_last_command_is_repeated(self) -> None:
        result = run(*self.last)
        assert (result.code in GOOD, result.result["already_applied"]) == (True, True), result

    @precondition(lambda self: self.turn)
    @rule(which=st.integers(0, 9), bad=st.sampled_from(["empty", "prose", "whose", "when"]))
    def a_reply_is_refused(self, which: int, bad: str) -> None:
        said = self.said
        name = [*said][which % len(said)]
        text = self.spoilt(said[name], bad)
        self.put(said | {name: text})
        self.refused[text] += 1
        result = run("submit", SLUG, "--step", len(self.steps))
        assert (result.code, bool(result.result["faults"])) == (1, True), result
        assert {participant for participant, _ in result.places} == {name}

    def spoilt(self, text: str, bad: str) -> str:
        reply = json.loads(text)
        return {
            "empty": "",
            "prose": f"I will not. {self.words()}",
            "whose": json.dumps(reply | {"participant": "somebody"}),
            "when": json.dumps(reply | {"exchange": reply["exchange"] + 1}),
        }[bad]

    @precondition(lambda self: self.steps)
    @rule(at=stops, back=st.integers(1, 9))
    def some_steps_are_taken_back(self, at: int | None, back: int) -> None:
        step = max(0, len(self.steps) - back)
        words = ("undo", SLUG, "--step", step, "--json")
        if at:
            assert command(self.root, *words, fault=Fault(STOP, at)).code in {*GOOD, STOPPED}
        result = run(*words)
        assert result.code in GOOD, result
        gone = {i: text for entries in self.steps[step:] for i, text in entries.items()}
        assert sorted(result.result["taken_back"]) == sorted(gone)
        self.taken_back += gone.values()
        self.steps, self.last = self.steps[:step], ()
        self.position = engine.look(self.folder)

    @rule()
    def a_person_writes_below_the_motion(self) -> None:
        line = f"{self.words()}\n"
        with Path(self.folder.debate_file).open("a", encoding="utf-8") as file:
            file.write(line)
        self.lines += line

    @invariant()
    def the_debate_is_at_its_step_and_valid(self) -> None:
        status = run("status", SLUG, "--json")
        assert (status.code, status.result["step"]) == (0, len(self.steps)), status
        valid = run("validate", SLUG, "--json")
        assert (valid.code, valid.result["faults"]) == (0, []), valid

    @invariant()
    def every_entry_is_there_once_and_as_it_was_written(self) -> None:
        actual = {
            path.stem: path.read_bytes()
            for kind in ("arguments", "judgments")
            for path in Path(self.folder.within(kind)).glob("*.md")
        }
        assert actual == {i: text for entries in self.steps for i, text in entries.items()}
        assert sum(map(len, self.steps)) == len(actual)
        assert not [path for path in self.root.rglob(".*.tmp") if "inbox" not in path.parts]

    @invariant()
    def nothing_is_lost(self) -> None:
        aside = Counter(path.read_bytes() for path in self.root.rglob("set-aside/*.md"))
        assert not Counter(self.taken_back) - aside
        kept = Path(self.folder.within("inbox")).glob("*/*.reply.json")  # or set aside by undo
        assert not self.refused - Counter(path.read_text(encoding="utf-8") for path in kept)
        assert Path(self.folder.debate_file).read_text(encoding="utf-8").endswith(self.lines)

    @invariant()
    def no_undo_or_skip_is_left_half_done(self) -> None:
        assert pending.undo_begun(self.folder) is None
        assert not list(Path(self.folder.within(".pending")).glob("*.skip.json"))


SIZES = [(5, 12), pytest.param(20, 40, marks=pytest.mark.slow)]
"""How many histories, and of how many commands each at most."""


@pytest.mark.parametrize(("examples", "most"), SIZES)
@pytest.mark.parametrize("protocol", ROWS)
def test_a_debate_holds_whatever_happens_to_it(protocol: str, examples: int, most: int) -> None:
    quick = settings(
        deadline=None,
        suppress_health_check=list(HealthCheck),
        max_examples=examples,
        stateful_step_count=most,
    )
    machine = partial(Histories, protocol)  # all that is done with it is to call it
    run_state_machine_as_test(machine, settings=quick)  # type: ignore[arg-type]
