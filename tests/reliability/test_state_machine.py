"""Random histories of a debate against a small model: the same state, every entry once, no loss."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from debate_ops.storage import load
from debate_ops.storage.folder import Folder
from tests.builders import (
    ARGUING,
    JUDGING,
    MOTION,
    SLUG,
    Answer,
    Data,
    argument,
    attack,
    judgment,
    put,
    rebuttal,
    rescore,
    run,
    written,
)
from tests.conftest import NEW_YEAR_2026
from tests.reliability.faults import STOP, STOPPED, Fault, command

SIDES = {"prop": "proposition", "opp": "opposition"}
OTHER = {"prop": "opp", "opp": "prop"}

sides = st.sampled_from(["prop", "opp"])
tenths = st.integers(-5, 5)
ways = st.sampled_from(["inbox", "files"])
calls = st.integers(1, 60)


class Turn(NamedTuple):
    """A turn on record: its exchange and phase, its entries, and what each entry must contain."""

    exchange: int
    phase: str
    entries: dict[str, str]
    scores: dict[str, Decimal]


class Model:
    """A debate as a list of turns: all the rest follows from it."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.request: tuple[int, int] | None = None
        self.lines = ""
        self.refused: Counter[str] = Counter()
        self.taken_back: list[str] = []
        self.strangers: dict[str, str] = {}

    @property
    def step(self) -> int:
        return len(self.turns)

    @property
    def place(self) -> tuple[int, str]:
        if not self.turns:
            return 0, ARGUING
        last = self.turns[-1]
        argued = any("-absence" not in i for i in last.entries)
        if last.phase == ARGUING and argued:
            return last.exchange, JUDGING
        return last.exchange + 1, ARGUING

    @property
    def entries(self) -> dict[str, str]:
        return {i: text for turn in self.turns for i, text in turn.entries.items()}

    @property
    def arguments(self) -> list[str]:
        return [i for i in self.entries if i.startswith(("prop", "opp")) and "-" not in i]

    @property
    def scores(self) -> dict[str, Decimal]:
        return {i: score for turn in self.turns for i, score in turn.scores.items()}

    def totals(self) -> dict[str, dict[str, Any]]:
        told = {}
        for side, name in SIDES.items():
            own = [score for i, score in self.scores.items() if i.startswith(side)]
            total = float(sum(own, Decimal(0)))
            told[name] = {"total": int(total) if total == int(total) else total, "count": len(own)}
        return told


class Histories(RuleBasedStateMachine):
    """The rules: everything that agents, people and power cuts do to a debate."""

    @initialize()
    def begin(self) -> None:
        self.model = Model()
        self.number = 0
        self.last: tuple[tuple[object, ...], dict[str, str]] | None = None
        self.ending = contextlib.ExitStack()
        self.root = Path(self.ending.enter_context(TemporaryDirectory()))
        self.ending.enter_context(contextlib.chdir(self.root))
        patch = self.ending.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("SOURCE_DATE_EPOCH", NEW_YEAR_2026)
        patch.setattr(os, "fsync", lambda _: None)  # no power is cut here
        assert run("new", SLUG, "--motion", MOTION, "--json").code == 0
        self.folder = Folder(f"debates/{SLUG}")

    def teardown(self) -> None:
        if hasattr(self, "ending"):
            self.ending.close()

    # ------------------------------------------------------------ replies

    def words(self) -> str:
        self.number += 1
        return f"Claim number {self.number} of them all."

    def argued(self, side: str, whom: int) -> tuple[Data, dict[str, str]]:
        exchange, claim = self.model.place[0], self.words()
        if exchange == 0:
            three = [argument(claim=f"{letter}: {claim}") for letter in "abc"]
            reply = {"participant": side, "exchange": 0, "arguments": three}
            return reply, {f"{side}_000{letter}": f"{letter}: {claim}" for letter in "abc"}
        theirs = [i for i in self.model.arguments if i.startswith(OTHER[side])]
        attacks = [attack(theirs[whom % len(theirs)])] if theirs else []
        reply = rebuttal(side, exchange, claim=claim, attacks=attacks)
        return reply, {f"{side}_{exchange:03d}": claim}

    def judged(self, tenth: int, whom: int) -> tuple[Data, Turn]:
        exchange = self.model.place[0]
        new = [i for i in self.model.turns[-1].entries if "-" not in i]
        scores = dict.fromkeys(new, Decimal(0))
        if {i.partition("_")[0] for i in new} == {"prop", "opp"}:
            scores[new[0]], scores[new[-1]] = Decimal(tenth) / 10, -Decimal(tenth) / 10
        earlier = [i for i in self.model.scores if i not in new]
        rescored = {}
        if earlier and whom % 2:
            which = earlier[whom % len(earlier)]
            old = self.model.scores[which]
            changed = max(Decimal(-1), min(Decimal(1), old + Decimal(tenth) / 10))
            rescored = {which: changed} if changed != old else {}
        why = self.words()
        reply = judgment(
            exchange,
            {i: float(score) for i, score in scores.items()},
            [rescore(i, float(score)) for i, score in rescored.items()],
        )
        reply["scores"][0]["reasoning"] = why
        turn = Turn(exchange, JUDGING, {f"judge_{exchange:03d}": why}, scores | rescored)
        return reply, turn

    def submission(
        self, way: str, replies: dict[str, Data]
    ) -> tuple[tuple[object, ...], dict[str, str]]:
        """Put replies in their places; return the command for them, and the files it consumes."""
        texts = {name: json.dumps(reply) for name, reply in replies.items()}
        if way == "inbox":
            for name, text in texts.items():
                put(self.folder, name, text, self.model.step)
            return ("submit", SLUG, "--step", self.model.step), {}
        files = {f"{name}.json": text for name, text in texts.items()}
        for name, text in files.items():
            written(name, text)
        if "judge" in replies:
            return ("process-judge", SLUG, "--json-file", "judge.json"), files
        options = ("--prop-file", "prop.json", "--opp-file", "opp.json")
        return ("process-exchange", SLUG, self.model.place[0], *options), files

    def due(self, tenth: int, whom: int) -> tuple[dict[str, Data], Turn]:
        """Return good replies to the turn that is due, and the turn they make."""
        exchange, phase = self.model.place
        if phase == JUDGING:
            reply, turn = self.judged(tenth, whom)
            return {"judge": reply}, turn
        told = {side: self.argued(side, whom) for side in SIDES}
        entries = {i: text for _, own in told.values() for i, text in own.items()}
        return {s: reply for s, (reply, _) in told.items()}, Turn(exchange, phase, entries, {})

    def committed(self, words: tuple[object, ...], files: dict[str, str], turn: Turn) -> None:
        self.model.turns.append(turn)
        self.last = words, files
        assert not any(Path(name).exists() for name in files)

    # ------------------------------------------------------------ rules

    @rule(way=ways, tenth=tenths, whom=st.integers(0, 9))
    def turn(self, way: str, tenth: int, whom: int) -> None:
        replies, turn = self.due(tenth, whom)
        words, files = self.submission(way, replies)
        told = run(*words)
        assert (told.code, told.told["already_applied"]) == (0, False), told
        self.committed(words, files, turn)

    @rule(way=ways, tenth=tenths, whom=st.integers(0, 9), at=calls)
    def turn_that_is_stopped(self, way: str, tenth: int, whom: int, at: int) -> None:
        replies, turn = self.due(tenth, whom)
        words, files = self.submission(way, replies)
        first = command(self.root, *words, fault=Fault(STOP, at))
        assert first.code in {0, STOPPED}
        step = load.load(self.folder).debate.step
        told = run(*words)
        assert told.code == 0, told
        assert told.told["already_applied"] is (step > self.model.step)
        self.committed(words, files, turn)

    @precondition(lambda self: self.last is not None)
    @rule()
    def last_turn_again(self) -> None:
        assert self.last is not None
        words, files = self.last
        for name, text in files.items():
            written(name, text)
        told = run(*words)
        assert (told.code, told.told["already_applied"]) == (0, True), told
        assert not any(Path(name).exists() for name in files)

    @rule(
        way=ways, side=sides, bad=st.sampled_from(["empty", "prose", "shape", "mixed up", "past"])
    )
    def turn_with_a_bad_reply(self, way: str, side: str, bad: str) -> None:
        replies, _ = self.due(1, 0)
        name = "judge" if "judge" in replies else side
        text = self.spoilt(replies[name], bad)
        words, files = self.submission(way, replies)
        if way == "inbox":
            put(self.folder, name, text, self.model.step)
            self.model.refused[text] += 1
        else:
            written(f"{name}.json", text)
        told = run(*words)
        assert told.code == 1, told
        assert told.told["faults"]
        if way == "files":
            assert Path(f"{name}.json").read_text(encoding="utf-8") == text
            assert all(Path(other).exists() for other in files)
        for path in self.root.glob("*.json"):
            path.unlink()

    def spoilt(self, reply: Data, bad: str) -> str:
        other = {"prop": "opp", "opp": "prop", "judge": "prop"}[reply["participant"]]
        return {
            "empty": "",
            "prose": f"I will not. {self.words()}",
            "shape": json.dumps({k: [] if isinstance(v, list) else v for k, v in reply.items()}),
            "mixed up": json.dumps(reply | {"participant": other}),
            "past": json.dumps(reply | {"exchange": reply["exchange"] + 1}),
        }[bad]

    @rule(who=sides, tenth=tenths)
    def skip(self, who: str, tenth: int) -> None:
        """Leave one side, or the judge, without a reply."""
        replies, turn = self.due(tenth, 0)
        name = "judge" if "judge" in replies else who
        step = self.model.step
        if name != "judge":
            put(self.folder, OTHER[name], json.dumps(replies[OTHER[name]]), step)
        self.clear_reply(name)
        reason = self.words()
        words = ("skip", SLUG, "--participant", name, "--reason", reason, "--step", step, "--json")
        told = run(*words)
        assert (told.code, told.told["already_applied"]) == (0, False), told
        kept = {i: text for i, text in turn.entries.items() if not i.startswith(name)}
        absent = {f"{name}_{turn.exchange:03d}-absence": reason}
        self.committed(words, {}, turn._replace(entries=kept | absent, scores={}))

    def clear_reply(self, name: str) -> None:
        """Take away what an earlier rule left in this participant's place."""
        Path(self.folder.within("inbox", f"{self.model.step}-{name}.reply.json")).unlink(
            missing_ok=True
        )

    @precondition(lambda self: self.model.turns)
    @rule(at=st.none() | calls, numbered=st.booleans())
    def undo(self, at: int | None, *, numbered: bool) -> None:
        last = self.model.turns[-1].exchange
        words: tuple[object, ...] = ("undo", SLUG, "--json")
        if numbered or at:
            words += ("--exchange", last)
        if at:
            assert command(self.root, *words, fault=Fault(STOP, at)).code in {0, STOPPED}
        told = run(*words)
        gone = [turn for turn in self.model.turns if turn.exchange == last]
        assert told.code == 0, told
        assert set(told.told["taken_back"]) == {i for turn in gone for i in turn.entries}
        self.model.turns = [turn for turn in self.model.turns if turn.exchange != last]
        if self.model.request:
            asked, until = self.model.request
            self.model.request = (asked, min(until, max(self.model.place[0], 1) + asked))
        self.model.taken_back += [text for turn in gone for text in turn.entries.values()]
        self.last = None
        for path in Path(self.folder.within("inbox")).glob("*.reply.json"):
            path.unlink()

    @rule(number=st.integers(0, 3), at=st.none() | calls)
    def request(self, number: int, at: int | None) -> None:
        words = ("next", SLUG, "--exchanges", number)
        if at:
            assert command(self.root, *words, fault=Fault(STOP, at)).code in {0, STOPPED}
        assert run(*words).code == 0
        held = max(self.model.place[0], 1)
        asked, until = self.model.request or (0, 0)
        if number == 0:
            self.model.request = None
        elif until <= held or asked != number:
            self.model.request = (number, held + number)

    @rule()
    def a_person_writes_below_the_motion(self) -> None:
        line = f"{self.words()}\n"
        with Path(self.folder.debate_file).open("a", encoding="utf-8") as file:
            file.write(line)
        self.model.lines += line

    @rule(key=st.sampled_from(["current_exchange", "step", "count", "total"]))
    def a_person_changes_the_state(self, key: str) -> None:
        path = Path(self.folder.debate_file)
        text = path.read_text(encoding="utf-8")
        found = re.search(rf'"{key}": (-?[0-9.]+)', text)
        assert found
        path.write_text(text[: found.start(1)] + "77" + text[found.end(1) :], encoding="utf-8")
        for words in (("status", SLUG, "--json"), ("next", SLUG), ("undo", SLUG, "--json")):
            told = run(*words)
            assert told.code == 5, told
            assert "77" in told.told["error"]
        path.write_text(text, encoding="utf-8")

    @rule(ahead=st.integers(1, 3), header=st.booleans())
    def a_stranger_leaves_a_file(self, ahead: int, *, header: bool) -> None:
        exchange = self.model.place[0] + ahead
        name = f"arguments/alice_{exchange:03d}.md"
        text = f'---\n{{"exchange": {exchange}}}\n---\n' if header else "notes\n"
        Path(self.folder.within("arguments")).mkdir(exist_ok=True)
        Path(self.folder.path, name).write_text(text, encoding="utf-8")
        assert name in self.warned()
        Path(self.folder.path, name).unlink()

    def warned(self) -> set[str]:
        told = run("status", SLUG, "--json")
        assert told.code == 0
        return {warning["file"] for warning in told.told["warnings"]}

    # ------------------------------------------------------------ invariants

    @invariant()
    def state_is_the_models(self) -> None:
        told = run("status", SLUG, "--json")
        assert told.code == 0, told
        exchange, phase = self.model.place
        state = told.told
        assert (state["current_exchange"], state["current_phase"]) == (exchange, phase)
        assert state["step"] == self.model.step
        assert state["cumulative_scores"] == self.model.totals()
        assert _requested(told) == self.model.request

    @invariant()
    def every_entry_is_there_once(self) -> None:
        found = Counter(
            path.stem
            for kind in ("arguments", "judgments")
            for path in Path(self.folder.within(kind)).glob("*.md")
        )
        assert found == Counter(self.model.entries.keys())
        for entry_id, text in self.model.entries.items():
            kind = "arguments" if entry_id in self.model.arguments else "judgments"
            stored = Path(self.folder.entry(kind, entry_id)).read_text(encoding="utf-8")
            assert text in stored
        hidden = [path for path in self.root.rglob(".*.tmp") if "inbox" not in path.parts]
        assert not hidden

    @invariant()
    def nothing_is_lost(self) -> None:
        aside = "".join(p.read_text(encoding="utf-8") for p in self.root.rglob("set-aside/*"))
        assert all(text in aside for text in self.model.taken_back)
        refused = Path(self.folder.within("inbox")).glob("*/*.reply.json")  # or set aside by undo
        kept = Counter(path.read_text(encoding="utf-8") for path in refused)
        assert not self.model.refused - kept
        text = Path(self.folder.debate_file).read_text(encoding="utf-8")
        assert text.endswith(f"{MOTION}\n{self.model.lines}")


def _requested(told: Answer) -> tuple[int, int] | None:
    request = told.told["request"]
    return (request["exchanges"], request["until"]) if request else None


class LongHistories(Histories):
    """The same, for longer."""


QUICK = settings(deadline=None, suppress_health_check=list(HealthCheck))

TestHistories = Histories.TestCase
TestHistories.settings = settings(QUICK, max_examples=15, stateful_step_count=15)

TestLongHistories = pytest.mark.slow(LongHistories.TestCase)
TestLongHistories.settings = settings(QUICK, max_examples=200, stateful_step_count=40)
