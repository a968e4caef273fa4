"""Debates that were held with an older tool are read, continued and never rewritten."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine
from debate_ops.formats import headers as entry_headers
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load
from tests.builders import (
    ARGUING,
    JUDGING,
    attack,
    header_of,
    hold,
    hold_until,
    judgment,
    older_debate,
    rebuttal,
    record_of,
    rescore,
    run,
    where,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("work")


def totals(folder: Folder) -> dict[str, tuple[float, int]]:
    shown = header_of(folder, "debate.md")["cumulative_scores"]
    return {side: (item["total"], item["count"]) for side, item in shown.items()}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"prop_000a": {}}', '{"prop_000a": 5}'])
def test_a_damaged_score_file_is_named_and_a_way_out_offered(content: str) -> None:
    older_debate()
    Path("debates/older/scores.json").write_text(content)
    for command in (["status", "older", "--json"], ["next", "older"]):
        answer = run(*command)
        assert answer.code == 5
        assert "scores.json" in answer.told["error"]
        assert "earlier version" in answer.told["hint"]


def test_an_older_debate_with_its_score_file_goes_on() -> None:
    folder = older_debate()
    before = Path(folder.path, "scores.json").read_bytes()
    hold(folder)
    hold(folder)
    assert Path(folder.path, "scores.json").read_bytes() == before
    assert totals(folder) == {"proposition": (1.1, 4), "opposition": (-1.1, 4)}
    assert where(folder) == (2, ARGUING)


def test_rescores_that_an_older_tool_kept_count_in_the_exchange_that_caused_them() -> None:
    folder = older_debate()
    hold_until(folder, 2)
    path = Path(folder.path, "scores.json")
    histories = json.loads(path.read_text())
    for side, number in (("prop_001", 0.35), ("opp_001", -0.35)):
        history = {"current_score": number, "history": [{"score": number, "reasoning": "r"}]}
        histories[side] = history
    change = {"score": 0.1, "reasoning": "r", "triggered_by": "prop_001", "previous_score": 0.3}
    histories["prop_000a"]["history"].append(change)
    path.write_text(json.dumps(histories))
    Path(folder.entry("judgments", "judge_001")).unlink()
    judged = load(folder).debate.record.get("judge_001")
    assert judged
    (rescored,) = judged.header["rescores"]
    assert {key: float(value) for key, value in rescored.items() if key != "argument_id"} == {
        "previous": 0.3,
        "score": 0.1,
    }
    told = judged.header["cumulative_scores"]["proposition"]
    assert (float(told["total"]), told["count"]) == (0.9, 4)


@pytest.fixture
def halt() -> Folder:
    """Return a copy of a real debate, held with an older tool."""
    kept = os.environ.get("DEBATE_OPS_REAL_DEBATES")
    if not kept:
        pytest.skip("DEBATE_OPS_REAL_DEBATES does not say where the real debates are")
    folder = Folder("debates/halt-ai-development")
    shutil.copytree(Path(kept, folder.slug), folder.path)
    for path in (Path(folder.path), *Path(folder.path).rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def test_a_real_debate_of_an_older_tool_is_read_as_it_stands(halt: Folder) -> None:
    debate = engine.look(halt).debate
    assert where(halt) == (5, ARGUING)
    assert debate.step == 10
    assert len(debate.record.ids("arguments")) == 14
    assert {side: tuple(total) for side, total in debate.state.totals.items()} == {
        "proposition": (2050, 7),
        "opposition": (-2050, 7),
    }
    judgments = [debate.record.get(judgment_id) for judgment_id in debate.record.ids("judgments")]
    assert len(judgments) == 5
    for entry in judgments:
        assert entry
        assert sum(item["score"] for item in entry.header["scores"]) == 0
        assert entry.header["rescores"] == []


def test_the_texts_of_a_real_debate_over_their_limits_are_14(halt: Folder) -> None:
    answer = run("validate", halt.slug, "--json")
    assert (answer.code, answer.told["faults"]) == (0, [])
    found = [w for w in answer.told["warnings"] if w["code"] == "word_limit"]
    fields = [w["message"].partition(" ")[0] for w in found]
    counted = {field: fields.count(field) for field in fields}
    assert counted == {"title": 1, "claim": 3, "warrant": 6, "content": 2, "reasoning": 2}
    assert {w["file"] for w in found if w["message"].startswith("title")} == {
        "arguments/prop_003.md"
    }


def test_a_real_debate_goes_on_where_it_stands(halt: Folder) -> None:
    run("next", halt.slug, "--exchanges", 1)
    prompt = Path(inbox.slot(halt, 10, "prop").prompt).read_text(encoding="utf-8")
    assert prompt.count('\n<argument id="') == 14
    hit = rebuttal("prop", 5, attacks=[attack("opp_004"), attack("opp_000b", "backing_attack")])
    hold(halt, prop=hit)
    reply = judgment(5, {"prop_005": 0.2, "opp_005": -0.2}, [rescore("opp_000b", 0.05, 0.15)])
    hold(halt, judge=reply)
    assert where(halt) == (6, ARGUING)
    assert totals(halt) == {"proposition": (2.25, 8), "opposition": (-2.35, 8)}


def tree(folder: Folder) -> dict[str, bytes]:
    root = Path(folder.path)
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def test_reading_a_real_debate_changes_no_byte(halt: Folder) -> None:
    before = tree(halt)
    assert run("status", halt.slug, "--json").code == 0
    engine.look(halt)
    assert tree(halt) == before
    assert run("next", halt.slug).code == 0
    assert record_of(halt) == before


def test_going_on_keeps_every_old_file_and_the_form_of_the_header(halt: Folder) -> None:
    before = record_of(halt)
    old = before["debate.md"].decode()
    assert not before["arguments/prop_000a.md"].endswith(b"\n")
    hold_until(halt, 6)
    after = record_of(halt)
    assert {name: after[name] for name in before if name != "debate.md"} == {
        name: data for name, data in before.items() if name != "debate.md"
    }
    new = after["debate.md"].decode()
    assert new.startswith('{\n  "debate_id": "halt-ai-development",')
    assert new.partition("\n}\n")[2] == old.partition("\n}\n")[2]
    keys = list(header_of(halt, "debate.md"))
    old_keys = [key for key in keys if key in json.JSONDecoder().raw_decode(old)[0]]
    assert old_keys == list(json.JSONDecoder().raw_decode(old)[0])


def test_the_links_of_a_real_debate_are_all_read(halt: Folder) -> None:
    record = engine.look(halt).debate.record
    headers = [entry.header for i in record.ids("arguments") if (entry := record.get(i))]
    links = [
        link
        for header in headers
        for key in ("attacks", "defends")
        for link in entry_headers.links(header, key)
    ]
    assert (len(headers), len(links)) == (14, 38)


BREAKS: dict[str, tuple[str, Callable[[str], str], str]] = {
    "phase": ("debate.md", lambda t: t.replace(ARGUING, JUDGING), "current_phase"),
    "unknown phase": ("debate.md", lambda t: t.replace(ARGUING, "resting"), "current_phase"),
    "exchange": ("debate.md", lambda t: t.replace("change: 5", "").replace(": 5", ": 4"), "2.05"),
    "totals": ("debate.md", lambda t: t.replace(" 2.05", " 2.15"), "cumulative_scores"),
    "count": ("debate.md", lambda t: t.replace('"count": 7', '"count": 8'), "cumulative_scores"),
    "no totals": ("debate.md", lambda t: t.replace(" 2.05", ' "much"'), "cumulative_scores"),
    "no exchange": ("debate.md", lambda t: t.replace("current_exchange", "x"), "current_exchange"),
    "negative exchange": ("debate.md", lambda t: t.replace(": 5", ": -5"), "current_exchange"),
    "cut": ("debate.md", lambda t: t[:150], "debate.md"),
    "empty": ("debate.md", lambda _: "", "debate.md"),
    "argument cut": ("arguments/prop_004.md", lambda t: t[:200], "prop_004"),
    "argument empty": ("arguments/opp_004.md", lambda _: "", "opp_004"),
    "wrong id": ("arguments/prop_004.md", lambda t: t.replace("prop_004", "prop_003"), "prop_004"),
    "wrong exchange": ("arguments/prop_004.md", lambda t: t.replace(": 4", ": 3"), "prop_004"),
    "score changed": ("scores.json", lambda t: t.replace('"score": 0.4', '"score": 0.5'), "2.15"),
    "scores cut": ("scores.json", lambda t: t[:999], "scores.json"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_copy_is_refused_by_name_and_left_alone(halt: Folder, name: str) -> None:
    file, damage, said = BREAKS[name]
    path = Path(halt.path, file)
    text = path.read_text(encoding="utf-8")
    broken = damage(text)
    assert broken != text
    path.write_text(broken, encoding="utf-8")
    before = tree(halt)
    for words_given in (["status", halt.slug, "--json"], ["next", halt.slug]):
        answer = run(*words_given)
        assert answer.code == 5, answer.told
        assert said in answer.told["error"] + answer.told["hint"]
        assert answer.told["hint"]
    assert {n: data for n, data in tree(halt).items() if not n.startswith("inbox")} == before


def test_scores_of_an_exchange_not_judged_yet_are_ignored(halt: Folder) -> None:
    path = Path(halt.path, "scores.json")
    histories = json.loads(path.read_text(encoding="utf-8"))
    history = {"current_score": 0.5, "history": [{"score": 0.5, "reasoning": "r"}]}
    path.write_text(json.dumps(histories | {"prop_005": history}), encoding="utf-8")
    assert engine.look(halt).debate.state.totals["proposition"].total == 2050
