"""The commands `report` and `outcome` for every protocol: what they draw, ask for, and write."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from debate_ops.report.table import view_of

from debate_ops import engine
from debate_ops.core.values import Act
from debate_ops.engine.store import Folder
from debate_ops.protocols import PROTOCOLS
from tests.builders import debate_at, record_of, run, written
from tests.cli.stage import put, say
from tests.every_protocol.stage import RICH, history, restore
from tests.every_protocol.test_floods import MANY, MOST, SAID, size, swollen
from tests.panel_judges import command
from tests.reports.brief.stage import brief_of
from tests.reports.consensus.debates import SPLIT, Plan, everybody_for, search
from tests.reports.design import debates as design
from tests.reports.formal.debates import formal
from tests.reports.speeches.debates import speeches

pytestmark = pytest.mark.usefixtures("work")

DEBATES: dict[str, Callable[[], Folder]] = {
    "exchange": lambda: debate_at(2),
    "formal": lambda: formal(cross_exam_questions=0, judge="one"),
    "chairs": lambda: restore(history("chairs", dict(RICH)["chairs"])[-1]),
    "design": lambda: design.debate(max_exchanges=1),
    "consensus": lambda: search(Plan(votes=everybody_for("ann", 3))),
    "speeches": speeches,
}


@pytest.mark.parametrize(
    "protocol",
    [pytest.param(p, marks=() if p == "exchange" else pytest.mark.slow) for p in DEBATES],
)
def test_a_report_is_made_once_and_asks_for_a_brief_until_a_current_one_is_there(
    protocol: str,
) -> None:
    folder = DEBATES[protocol]()
    first = run("report", "x-debate", "--json").result
    before = {name: Path(name).read_bytes() for name in first["files"]}
    again = run("report", "x-debate", "--json").result
    assert (first["unchanged"], again["unchanged"]) == (False, True)
    assert {name: Path(name).read_bytes() for name in again["files"]} == before
    assert Path(first["brief_prompt_file"]).is_file()
    put(first["brief_file"], json.dumps(brief_of(view_of(engine.load(folder).debate))))
    taken = run("report", "x-debate", "--brief", first["brief_file"], "--json")
    assert taken.code == 0
    assert "brief_prompt_file" not in taken.result
    assert "brief_prompt_file" not in run("report", "x-debate", "--json").result


@pytest.mark.parametrize("kind", ["unknown keys", "wrong values", "unknown entries", "wrong names"])
def test_whatever_a_brief_holds_is_answered_in_short(kind: str) -> None:
    folder = debate_at(2)
    good = brief_of(view_of(engine.load(folder).debate))
    many = [f"{SAID} {number}" for number in range(MANY)]
    flood = {
        "unknown keys": good | dict.fromkeys(many, 1),
        "wrong values": swollen(good),
        "unknown entries": good | {"unchecked": [{"fact": "One.", "cites": many}]},
        "wrong names": good | {"participant": SAID * 1000, "direction": SAID * 1000},
    }[kind]
    answer = run("report", "x-debate", "--brief", written("flood.json", flood), "--json")
    assert answer.code == (0 if kind == "unknown keys" else 1)
    assert ("repair_prompt_file" in answer.result) is bool(answer.code)
    assert size(answer) < MOST
    assert (json.dumps(answer.result) + answer.remarks).count(SAID) < 200


OUTCOMES = {
    "exchange": ("# The judge leans towards the motion\n", "How sure is this?"),
    "speeches": ("# The judge decides for ann: “Lyon”\n", "Verdict for ann, 70 % sure."),
    "formal": ("# The judge decides for the motion\n", "## Reasons\n\nThe better answers, zq"),
    "chairs": ("# No winner: ", "\nIt is zq"),
    "design": ("# The one way\n", "## Unmet requirements\n\n- r3 (minor): A new colleague"),
    "consensus": ("# The way of ann", "## Reasoning\n\nIt is zq"),
}
"""How the text of an outcome begins, and what else stands in it."""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_outcome_goes_into_a_file(protocol: str) -> None:
    DEBATES[protocol]()
    first, part = OUTCOMES[protocol]
    assert say("outcome", "x-debate", "--output", "out.md") == (0, "Written: out.md\n", "")
    text = Path("out.md").read_text(encoding="utf-8")
    assert text.startswith(first)
    assert text.endswith("\n")
    assert part in text


def first_screens(folder: Folder) -> list[str]:
    """Return what comes before the record in README.md, on the page, and as the outcome."""
    assert run("report", folder.name, "--json").code == 0
    readme, page = (Path(folder.within(n)).read_text("utf-8") for n in ("README.md", "report.html"))
    outcome = run("outcome", folder.name, "--json").result["outcome"]
    return [readme.partition("\n## ")[0], page.partition('<div class="record">')[0], outcome]


def test_every_form_of_the_first_screen_says_what_is_still_to_come() -> None:
    folder, panel = debate_at(1, panel=3), "A panel of 3"
    assert all(panel in text for text in first_screens(folder))
    engine.next_turn(folder, 2)
    stops_at = view_of(engine.load(folder).debate).content.stops_at[1:]
    assert stops_at
    assert all(panel in text and stops_at in text for text in first_screens(folder))


def test_a_debate_that_is_complete_with_its_panel_has_nothing_to_come() -> None:
    folder = debate_at(1, panel=3)
    assert run("panel", folder.name, "--judge", command("for"), "-q", "--json").code == 0
    assert not any("A panel of 3" in text for text in first_screens(folder))
    assert not view_of(engine.load(folder).debate).content.stops_at


def test_the_outcome_is_as_sure_as_the_page_and_for_the_same_reasons() -> None:
    readme, _, outcome = first_screens(debate_at(1))
    why = [text.partition("How sure is this?")[2].partition("###")[0] for text in (readme, outcome)]
    assert why[0].count("\n- ") > 1
    assert why[0] == why[1]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_debate_without_an_outcome_is_refused_with_what_it_waits_for(protocol: str) -> None:
    new = history(protocol, dict(RICH)[protocol])[0]
    restore(new)
    said = say("outcome", "x-debate", "--output", "out.md")
    assert said.code == 1
    assert f" yet: {engine.where(new.position.debate)}: " in said.err
    assert not Path("out.md").exists()


@pytest.mark.parametrize(
    ("make", "is_over"),
    [
        (lambda: formal(cross_exam_questions=0), True),
        (lambda: search(max_cycles=1), False),
        (
            lambda: design.debate(design.USUAL._replace(absent=[("judge", "synthesis")])),
            True,
        ),
    ],
    ids=["nobody judged", "a person decides", "no solution"],
)
def test_a_debate_that_ended_without_one_waits_for_nothing(
    make: Callable[[], Folder], *, is_over: bool
) -> None:
    make()
    said = say("outcome", "x-debate", "--output", "-")
    assert (said.code, said.out) == (1, "")
    assert (" yet: " in said.err) is not is_over


@pytest.mark.parametrize("words", [(), ("--output", "-")], ids=["no file", "a dash"])
def test_without_a_file_the_outcome_is_printed_and_nothing_written(words: tuple[str, ...]) -> None:
    folder = DEBATES["design"]()
    before = record_of(folder)
    said = say("outcome", "x-debate", *words)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("# The one way\n")
    assert run("outcome", "x-debate", *words, "--json").result["outcome"] == said.out
    assert record_of(folder) == before
    assert say("outcome", "x-debate", *words, "--force").code == 2


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (
            {"text": "Paper.", "reason": "Simple."},
            ("# Decision by boss\n\nPaper.\n\nSimple.\n",),
        ),
        (
            {"proposal": "ben_001-proposal", "text": "But cheaper.", "reason": "Cost."},
            ("The way of ben", "\n\nIt is zq", "# Decision by boss\n\nBut cheaper."),
        ),
    ],
    ids=["own words", "a proposal"],
)
def test_a_persons_decision_is_the_outcome(value: dict[str, str], parts: tuple[str, ...]) -> None:
    folder = search(SPLIT, max_cycles=1)
    engine.act(folder, Act("decide", value, "boss"))
    assert say("outcome", "x-debate", "--output", "out.md").code == 0
    text = Path("out.md").read_text(encoding="utf-8")
    assert "ecided by boss: " in text.partition("\n")[0]
    assert all(part in text for part in parts)


COMMANDS: dict[str, tuple[str, ...]] = {
    "outcome": ("outcome", "x-debate", "--output"),
    "transcript": ("transcript", "x-debate", "--output"),
    "export": ("export", "x-debate", "--to", "json", "--output"),
}
"""The commands that write a file of the caller's choice, by what its name may begin with."""
FORCED = (*COMMANDS["export"][:-1], "--force", "--output")
"""One for what is the same with all of them."""

each_command = pytest.mark.parametrize("own", COMMANDS)


@each_command
def test_a_file_that_is_there_stays_unless_force_is_given(own: str) -> None:
    debate_at(2)
    put("out.md", "mine")
    assert say(*COMMANDS[own], "out.md").code == 1
    assert Path("out.md").read_text(encoding="utf-8") == "mine"
    assert say(*COMMANDS[own], "out.md", "--force").code == 0
    assert Path("out.md").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize("path", ["missing/out.md", "", "debates", "link.md"])
def test_no_file_goes_through_a_link_or_where_none_can_be(path: str) -> None:
    debate_at(2)
    put("mine.md", "mine")
    os.symlink("mine.md", "link.md")
    assert say(*FORCED, path).code == 2
    assert Path("mine.md").read_text(encoding="utf-8") == "mine"


@each_command
def test_no_file_goes_among_those_of_any_debate(own: str) -> None:
    debate_at(1)
    for place in ("debates/other", "elsewhere/third"):
        shutil.copytree("debates/x-debate", place)
    for inner in ("other/deep/down", "x-debate/inbox"):
        Path("debates", inner).mkdir(parents=True, exist_ok=True)
    os.symlink("debates/other/arguments", "link")
    before = record_of(Folder("."))
    for path in (
        "debates/other/debate.md",
        f"debates/other/{own}.md",
        f"debates/other/arguments/{own}_001.md",
        f"debates/other/deep/down/{own}.md",
        "elsewhere/third/debate.md",
        "link/new.md",
        f"debates/x-debate/arguments/{own}_001.md",
        f"debates/x-debate/inbox/{own}.md",
        f"debates/x-debate/my-{own}.md",
    ):
        for target in (path, str(Path(path).absolute())):
            assert say(*COMMANDS[own], target, "--force").code == 2, target
    assert record_of(Folder(".")) == before


@each_command
def test_a_file_may_stand_beside_a_debate_and_in_it_by_its_own_name(own: str) -> None:
    debate_at(1)
    for folder in ("debates/x-debate", "debates", ".") * 2:
        assert say(*COMMANDS[own], f"{folder}/{own}.md", "--force").code == 0
    assert run("validate", "x-debate", "--json").result["faults"] == []


def test_a_debate_above_the_working_folder_is_no_reason_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put("debate.md", "")
    Path("inner").mkdir()
    monkeypatch.chdir("inner")
    debate_at(1)
    assert say(*FORCED, "out.md").code == 0


@pytest.mark.parametrize(
    ("working", "target"),
    [("arguments", "debate.md"), ("deep/down", "arguments/prop_000a.md"), (".", "new.md")],
)
def test_a_command_in_the_folder_of_a_debate_replaces_none_of_its_files(
    working: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    debate_at(1)
    outer = Path("debates/x-debate").absolute()
    before = record_of(Folder(str(outer)))
    (outer / working).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(outer / working)
    shutil.copytree(outer, "debates/x-debate", ignore=lambda *_: ["deep", "debates"])
    for path in (os.path.relpath(outer / target), str(outer / target)):
        assert say(*FORCED, path).code == 2, path
    now = record_of(Folder(str(outer)))
    assert {name: now[name] for name in before} == before
    assert not (outer / "new.md").exists()


def test_verbose_tells_each_entry_and_the_totals_on_standard_error() -> None:
    folder = DEBATES["design"]()
    entries = len(list(Path(folder.path).glob("[aj]*/*.md")))
    said = say("report", "x-debate", "--verbose")
    lines = said.err.splitlines()
    assert len(lines) == entries + 1
    assert lines[0].startswith("ann_001-proposal: ")
    assert said.out.startswith("Rendered: ")


def test_a_report_ends_with_the_page_and_opens_it_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    debate_at(1)
    for words in ((), ("--open",)):
        last = say("report", *words).out.splitlines()[-1]
        assert last.startswith("Open:  debates/x-debate/report.html ")
    assert opened == [Path("debates/x-debate/report.html").resolve().as_uri()]
