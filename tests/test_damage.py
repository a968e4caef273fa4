"""Damage that a debate may come to: each is refused by name, and nothing hangs or crashes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine
from tests.builders import debate_at, run

if TYPE_CHECKING:
    from debate_ops.storage.folder import Folder


def edit(folder: Folder, name: str, old: str, new: str) -> None:
    path = Path(folder.within(name))
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


pytestmark = pytest.mark.usefixtures("work")


def test_an_absurd_number_in_a_header_is_never_written_out() -> None:
    folder = debate_at(1)
    edit(folder, "debate.md", '"debate_id"', '"foo": 1e999999999, "debate_id"')
    engine.next_turn(folder, 5)
    assert Path(folder.debate_file).stat().st_size < 10_000
    assert run("status", folder.slug, "--json").code == 0


LINK = '"attacks": [{"target_id": "opp_000c", "type": "claim_attack"}]'
DAMAGE = [
    ("judgments/judge_000.md", '"kind": "judgment"', '"kind": "x"'),
    ("arguments/prop_001.md", '"attacks": []', LINK),
    ("judgments/judge_000.md", '"score": ', '"score": 5, "was": '),
    ("debate.md", '"word_limits": "warn"', '"word_limits": "x"'),
    ("debate.md", '"total": ', '"total": 1e30, "was": '),
]


@pytest.mark.parametrize(("name", "old", "new"), DAMAGE)
def test_damage_is_a_fault_and_no_crash(name: str, old: str, new: str) -> None:
    folder = debate_at(2)
    edit(folder, name, old, new)
    assert run("next", folder.slug).code in {0, 5}
    answer = run("validate", folder.slug, "--json")
    assert (answer.code in {1, 5}, "Traceback" in answer.remarks) == (True, False)


def test_a_step_of_many_digits_is_a_wrong_word_and_no_crash() -> None:
    assert run("submit", debate_at(1).slug, "--step", "9" * 5000).code in {1, 2}


def test_status_of_a_debate_by_an_older_tool_tells_its_faults() -> None:
    folder = debate_at(1)
    edit(folder, "debate.md", '"step": 2,', "")
    long = "word " * 30
    edit(folder, "arguments/prop_000a.md", '"claim": "', f'"claim": "{long}')
    result = run("status", folder.slug, "--json")
    assert "word_limit" in {warning["code"] for warning in result.result["warnings"]}
