"""The command `reply`: a person's turn from a file or from standard input."""

import json
from pathlib import Path

import pytest

from debate_ops.engine import inbox, store
from debate_ops.engine.store import find_folder
from debate_ops.run.progress import Notes
from tests.builders import ROOT, opening
from tests.cli.stage import feed, put, say

FORM = json.dumps(opening("prop"))
REPLY = Path("debates/case/inbox/0-prop.reply.json")


@pytest.fixture(autouse=True)
def debate(work: Path) -> Path:
    assert say("new", "case", "--motion", "Q").code == 0
    assert say("next", "case", "--exchanges", "1").code == 0
    return work


@pytest.mark.parametrize(
    ("option", "made"),
    [((), {"person": "somebody"})]
    + [(("--made-by", maker), {"by": maker}) for maker in ("m in c", "m" * 70_000)],
)
def test_standard_input_is_a_file_too_of_a_person_or_an_agent(
    option: tuple[str, ...], made: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, FORM.encode())
    said = say("reply", "case", "-", "--as", "prop", *option, "--json")
    assert (said.code, json.loads(said.out)["reply_file"]) == (0, str(REPLY))
    slot = inbox.find_slot(find_folder("case"), 0, "prop")
    assert inbox.read_made_by(slot, REPLY.read_bytes()) == made
    assert REPLY.read_text() == FORM


def test_the_example_of_the_page_is_filed_as_it_stands() -> None:
    page = (ROOT / "docs/live.md").read_text(encoding="utf-8")
    put("mine.json", page.partition("```json\n")[2].partition("```")[0])
    said = say("reply", "case", "mine.json", "--as", "prop")
    assert said.code == 0, said.err


def test_outside_of_a_terminal_there_is_another_way() -> None:
    said = say("reply", "case", "--as", "prop")
    assert said.code == 4
    assert "inbox/0-prop.prompt.md" in said.err


def test_a_reply_is_that_of_whom_a_run_asks() -> None:
    put("mine.json", FORM)
    assert "several replies are due" in say("reply", "case", "mine.json").err
    place = find_folder("case")
    with store.hold_lock(place.within(inbox.RUN_LOCK), "is running this debate"):
        Notes(place, {"prop": "person kim", "opp": "cat"}).begin(["prop", "opp"])
        said = say("status", "case", terminal=True).out
        first, *others = said.partition("Next:  ")[2].split("\n")
        assert first == "debate-ops reply case --as prop", others
        assert say("reply", "case", "mine.json").code == 0
    made = json.loads(REPLY.with_name("0-prop.made.json").read_text())["made_by"]
    assert made == {"person": "kim"}, "as the run names who is asked"
