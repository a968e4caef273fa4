"""A debate of each protocol from `new` to its report, by the commands that a person types.

The program is started anew for every command, and every participant is a program of its own.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from debate_ops import engine
from debate_ops.formats import entries
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.turn import Done, Turn, Waiting
from debate_ops.protocols.table import rules_of
from debate_ops.storage.folder import Folder
from tests.builders import ROOT
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    FRAMING,
    Moment,
    history,
    restore,
)
from tests.every_protocol.test_running import number_for
from tests.reliability.every_case import typed

if TYPE_CHECKING:
    from debate_ops.model.turn import Act

HELD = {
    "exchange": "two exchanges",
    "formal": "two pairs and a judge",
    "chairs": next(iter(ROWS["chairs"].variants)),
    "consensus": "escalated, decided",
    "design": next(iter(ROWS["design"].variants)),
    "speeches": "two rounds and a judge",
}
"""Each protocol's debate: its first, or one in which a person is awaited."""

A_PERSON_IS_AWAITED = {"consensus", "design"}
SLUG = "held"
REPLYING = Path(__file__).with_name("replying.py")


class Ended(NamedTuple):
    """How a command ended, and the JSON objects that it printed, one a line or one in all."""

    code: int
    result: list[dict[str, Any]]
    remarks: str


def typed_in(*words: object) -> Ended:
    """Run a command in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "debate_ops", *map(str, words)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = done.stdout.splitlines()
    result = (
        [json.loads(line) for line in lines] if words[0] == "run" else [json.loads(done.stdout)]
    )
    return Ended(done.returncode, result, done.stderr)


def made(protocol: str, name: str) -> None:
    settings = Path("settings.json")
    scripted = {s.name: s.default for s in rules_of(protocol).SETTINGS if s.usual is not None}
    scripted |= {"first_answer": "on", **ROWS[protocol].variants[name].settings}
    settings.write_text(json.dumps(scripted), encoding="utf-8")
    for document in FRAMING.context:
        Path(f"{document.name}.md").write_text(document.text, encoding="utf-8")
    documents = [word for d in FRAMING.context for word in ("--context", f"{d.name}.md")]
    terms = [word for d in FRAMING.definitions for word in ("--definition", f"{d.term}={d.text}")]
    framing = ("--motion", FRAMING.motion, "--scope", FRAMING.scope, *terms, *documents)
    ended = typed_in(
        *("new", SLUG, "--protocol", protocol, *framing, "--settings", settings, "--json")
    )
    assert ended.code == 0, ended


def what_is_said(moments: tuple[Moment, ...]) -> Path:
    """Write down every reply of a script for the program that gives it."""
    said = Path("said").absolute()
    said.mkdir()
    for moment in moments:
        for who, text in moment.texts.items():
            (said / f"{moment.step}-{who}.json").write_text(text, encoding="utf-8")
    return said


def run_until_it_waits_or_ends(protocol: str, name: str) -> Iterator[Ended]:
    """Run, and do what the script has a person do where one is awaited; yield how each ended."""
    moments = history(protocol, name)
    program = [sys.executable, "-I", "-S", str(REPLYING), "{prompt_file}", what_is_said(moments)]
    folder = Folder(f"debates/{SLUG}")
    while True:
        number = number_for(engine.look(folder).debate, moments[-1].position.debate)
        more = () if number is None else (number,)
        yield typed_in(
            *("run", SLUG, *more, "--all", f"cmd:{shlex.join(map(str, program))}", "--json")
        )
        position = engine.look(folder)
        if not isinstance(position.due, Waiting):
            return
        act: Act | None = moments[position.debate.step].act
        assert act is not None
        yield typed_in(*typed(act, SLUG))
        if not isinstance(engine.look(folder).due, Turn):
            return


def test_every_protocol_is_held_here() -> None:
    assert HELD.keys() == ROWS.keys()
    awaited = {
        protocol
        for protocol, name in HELD.items()
        if any(isinstance(moment.due, Waiting) for moment in history(protocol, name))
    }
    assert awaited == A_PERSON_IS_AWAITED


@pytest.mark.parametrize(
    "protocol",
    [pytest.param(p, marks=() if p == "consensus" else pytest.mark.slow) for p in HELD],
)
def test_a_debate_is_held_by_commands_from_new_to_its_report(protocol: str) -> None:
    name = HELD[protocol]
    moments = history(protocol, name)
    made(protocol, name)

    ended = list(run_until_it_waits_or_ends(protocol, name))

    runs, acts = ended[::2], ended[1::2]
    assert [act.code for act in acts] == [0] * len(acts), acts
    assert bool(acts) == (protocol in A_PERSON_IS_AWAITED)
    assert [run.code for run in runs] == [8] * (len(runs) - 1) + [
        8 if len(acts) == len(runs) else 0
    ]
    for run in runs:
        events = [event["event"] for event in run.result]
        assert (events[0], events[-1]) == ("launch", "done"), run
        assert run.result[-1]["exit"] == run.code
        assert not {"failed", "refused", "retry"} & {*events}
    asked = Path("said/asked").read_text(encoding="utf-8").split()
    expected = [f"{moment.step}-{who}" for moment in moments for who in moment.texts]
    assert sorted(asked) == sorted(expected), "everybody is asked once"
    assert_it_is_the_scripts(protocol, name)
    assert_it_is_drawn()


def assert_it_is_the_scripts(protocol: str, name: str) -> None:
    """Hold the record against that of the same debate in single steps."""
    debate = Folder(f"debates/{SLUG}")
    last = history(protocol, name)[-1]
    assert on_record(debate) == on_record(restore(last))
    assert isinstance(engine.look(debate).due, Done)
    valid = typed_in("validate", SLUG, "--json")
    assert (valid.code, valid.result[0]["faults"]) == (0, [])
    status = typed_in("status", SLUG, "--json")
    assert (status.code, status.result[0]["step"]) == (0, last.step)


def on_record(folder: Folder) -> dict[str, object]:
    """Return where a debate stands, and every entry by its id, but for how it was made."""
    debate = engine.look(folder).debate
    actual: dict[str, object] = {"state": debate.state}
    for kind in (ARGUMENTS, JUDGMENTS):
        for entry in filter(None, map(debate.record.get, debate.record.ids(kind))):
            actual[entry.id] = (entries.parse(entry), entry.body)
    return actual


def assert_it_is_drawn() -> None:
    report = typed_in("report", SLUG, "--json")
    assert report.code == 0, report
    assert report.result[0]["files"][0] == f"debates/{SLUG}/README.md"
    assert all(Path(file).stat().st_size for file in report.result[0]["files"])
    page = Path(f"debates/{SLUG}/README.md").read_text(encoding="utf-8")
    assert FRAMING.motion in page
    assert "zq" in page, "what was said is on the page"
    transcript = typed_in("transcript", SLUG, "--json")
    assert transcript.code == 0
    assert json.dumps(transcript.result[0]).count("zq") > 2
