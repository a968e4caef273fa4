"""Damage that a debate may come to: each is refused by name, and nothing hangs or crashes."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.engine import validate as validation
from debate_ops.engine.record import Record, load_record
from debate_ops.engine.store import Folder
from tests.builders import (
    ROOT,
    SLUG,
    attack,
    debate_at,
    defence,
    hold,
    judgment,
    rebuttal,
    rescore,
    run,
    scores_of,
)
from tests.cli.stage import say
from tests.courses import list_steps
from tests.engine.stage import lay_down


def edit(folder: Folder, name: str, old: str, new: str) -> None:
    path = Path(folder.within(name))
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


pytestmark = pytest.mark.usefixtures("work")


LINKED = "arguments/prop_001.md"
JUDGED = "judgments/judge_001.md"


@pytest.mark.parametrize(
    ("name", "old", "new", "key"),
    [
        (LINKED, '"target_id": "opp_000c"', '"target_id": "opp_000b"', "attacks"),
        (LINKED, '"type": "claim_attack"', '"type": "warrant_attack"', "attacks"),
        (LINKED, "[opp_000c](opp_000c.md)", "[opp_000b](opp_000b.md)", "attacks"),
        (LINKED, "**Type:** claim_attack", "**Type:** warrant_attack", "attacks"),
        (LINKED, "### Attacking", "### Attack on", "attacks"),
        (LINKED, "## Attacks\n", "", "attacks"),
        (LINKED, '"type": "reinforce"', '"type": "refute_attack"', "defends"),
        ("arguments/opp_001.md", '"attacks": []', '"attacks": [{}]', "attacks"),
        (JUDGED, "+0.35", "+0.53", "scores"),
        (JUDGED, "from +0.30 to", "from +0.20 to", "rescores"),
        (JUDGED, '"argument_id": "prop_000a"', '"argument_id": "pp_000a"', "rescores"),
    ],
)
def test_header_and_body_that_differ_are_a_fault(name: str, old: str, new: str, key: str) -> None:
    folder = debate_at(1)
    links: Any = {"attacks": [attack("opp_000c")], "defends": [defence("prop_000a")]}
    hold(folder, prop=rebuttal("prop", 1, **links))
    hold(folder, judge=judgment(1, scores_of(1), [rescore("prop_000a", 0.2)]))
    assert validation.validate(folder)[0] == []
    new = new.replace("{}", '{"target_id": "prop_000b", "type": "claim_attack"}')
    edit(folder, name, old, new)
    assert (name, key) in [(fault.file, fault.where) for fault in validation.validate(folder)[0]]
    for command in ("status", "show", "transcript", "flow"):
        assert run(command, SLUG, "--json").code == 0, command


DESIGN, BALLOT = "design-two-all-phases", "formal-two-pairs-and-a-judge"


@pytest.mark.parametrize(
    ("course", "name", "old", "new"),
    [
        (BALLOT, "judgments/judge_006-ballot.md", r'(_points": \{[^}]*"neg": )[\d.]+', r"\1{}"),
        (DESIGN, "arguments/ben_002-refinement.md", r'"critique": "[^"]*",', ""),
        (DESIGN, "arguments/ben_002-critique-1.md", r'"number": \d+', '"number": {}'),
        (DESIGN, "judgments/judge_000-requirements.md", r'"id": "r1",', ""),
    ],
)
def test_a_command_that_fails_over_an_edited_record_says_its_faults_as_validate_does(
    course: str, name: str, old: str, new: str
) -> None:
    folder = lay_down(course, len(list_steps(course)))
    path = Path(folder.within(name))
    text, times = re.subn(old, new, path.read_text(encoding="utf-8"), count=1)
    assert times == 1
    path.write_text(text, encoding="utf-8")
    faults = [fault.sentence() for fault in validation.validate(folder)[0]]
    for command in ("flow", "transcript"):
        answer = say(command, folder.slug, "--json")
        assert (answer.code, json.loads(answer.out)["errors"]) == (5, faults), command


def test_what_follows_from_a_fault_is_said_to_be_unchecked() -> None:
    folder = debate_at(1)
    hold(folder, prop=rebuttal("prop", 1))
    hold(folder, judge=judgment(1, scores_of(1), [rescore("prop_000b", 0.2)]))
    path = Path(folder.within("judgments/judge_000.md"))
    path.write_text(path.read_text(encoding="utf-8").replace("prop_000b", "prop_000z"))
    found = [(fault.file, fault.message) for fault in validation.validate(folder)[0]]
    assert ("judgments/judge_001.md", "not checked until judge_000 is repaired") in found
    assert not [message for _, message in found if "Error" in message]


def test_an_edit_is_a_warning_that_fails_where_validate_is_strict() -> None:
    folder = debate_at(1)
    words = ("validate", folder.slug, "--json")
    assert run(*words, "--strict").code == 0
    edit(folder, "arguments/prop_000a.md", "## Warrant\n\n", "## Warrant\n\nNot: ")
    for more, code in (((), 0), (("--strict",), 5)):
        done = run(*words, *more)
        assert (done.code, done.result["success"]) == (code, not code)
    assert "was edited" in run("check", folder.slug, "--require", "complete", "--json").remarks


@pytest.fixture(scope="module")
def rejudged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A debate with a panel, judged once more."""
    shipped, where = ROOT / "debates/outdoor-pool", tmp_path_factory.mktemp("rejudged")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(where)
        shutil.copytree(shipped, "debates/pool")
        run("rejudge", "pool", "--times", "1", "--judge", "replay:pool", "-q", "--json")
    return where / "debates/pool"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("panel/judgments/member-1_006-ballot.md", '"favours": "opp"', '"favours": "prop"'),
        pytest.param(
            *("panel/judgments/member-1_006-ballot.md", r'"percent": \d+,', ""),
            marks=pytest.mark.slow,
        ),
        ("panel/judgments/member-1_006-ballot.md", r'"percent": \d+', '"percent": 1e300'),
        ("panel/debate.md", r"\{", ""),
        ("rejudged/judge-1/judgments/judge_000.md", r'"score": 0', '"score": 1'),
        pytest.param("rejudged/judge-1/debate.md", r"\{", "", marks=pytest.mark.slow),
    ],
)
def test_a_fault_of_a_part_is_one_of_the_debate(
    rejudged: Path, name: str, old: str, new: str
) -> None:
    folder, part = Folder(str(shutil.copytree(rejudged, "debates/pool"))), Path(name).parts[0]
    path = Path(folder.within(name))
    text, times = re.subn(old, new, path.read_text("utf-8"), count=1)
    assert times == 1
    path.write_text(text, "utf-8")
    for command in ("validate", "check --require complete", part.replace("rejudged", "rejudge")):
        answer = run(*command.split()[:1], folder.slug, *command.split()[1:], "--json")
        assert (answer.code, name in str(answer.result["errors"])) == (5, True), command
    for command in ("status", "outcome", "compare", "report"):
        answer = run(command, *[folder.slug] * (1 + (command == "compare")), "--json")
        assert (answer.code, name in str(answer.result) + answer.remarks) == (0, True), command


def test_a_setting_that_is_not_as_wanted_is_told_by_validate() -> None:
    folder = debate_at(1)
    edit(folder, "debate.md", '"word_limits": "warn"', '"word_limits": "x"')
    (fault,) = validation.validate(folder)[0]
    assert fault.sentence().startswith("debate.md: word_limits: is \"x\", expected 'warn' or")


def test_what_changes_while_it_is_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_and_undo(folder: Folder) -> Record:
        monkeypatch.setattr(validation, "load_record", load_record)
        record = load_record(folder)
        assert run("undo", folder.slug, "--json").code == 0
        return record

    folder = debate_at(2)
    monkeypatch.setattr(validation, "load_record", load_and_undo)
    assert validation.validate(folder) == ([], [])


def test_a_step_of_many_digits_is_a_wrong_word_and_no_crash() -> None:
    assert run("submit", debate_at(1).slug, "--step", "9" * 5000).code in {1, 2}


def test_where_the_step_before_is_lost_the_last_one_is_not_taken_for_half_a_commit() -> None:
    folder = debate_at(2)
    lost, last = (engine.load(folder).debate.step - n for n in (2, 1))
    for path in Path(folder.path).glob("*/*.md"):
        if f'"step": {lost},' in path.read_text(encoding="utf-8"):
            path.unlink()
    edit(folder, "debate.md", f'"step": {last + 1}', f'"step": {last}')
    before = {path: path.read_bytes() for path in Path(folder.path).glob("*/*.md")}
    assert run("validate", folder.slug, "--fix", "--json").code == 5
    assert {path: path.read_bytes() for path in Path(folder.path).glob("*/*.md")} == before


@pytest.mark.parametrize(
    ("command", "code", "where"),
    [
        (("status", "--json"), 0, "warnings"),
        (("show", "--json"), 0, "standard error"),
        (("show", "opp_001", "--json"), 0, "standard error"),
        (("flow", "--json"), 0, "standard error"),
        (("transcript", "--json"), 0, "standard error"),
        (("export", "--to", "mermaid", "--json"), 5, "errors"),
        (("outcome", "--json"), 5, "errors"),
        (("report", "--json"), 5, "errors"),
    ],
)
def test_every_command_names_a_lost_entry(command: tuple[str, ...], code: int, where: str) -> None:
    folder = debate_at(3)
    assert "warning" not in run(command[0], SLUG, *command[1:]).remarks
    Path(folder.within("arguments", "prop_001.md")).unlink()
    answer = run(command[0], SLUG, *command[1:])
    said = answer.remarks if where == "standard error" else str(answer.result[where])
    assert answer.code == code
    assert "prop_001" in said
