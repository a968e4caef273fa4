"""What holds for all formats: every debate is written or refused by name, the same bytes twice."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from debate_ops.errors import RefusedError, UsageError
from debate_ops.reports import exporting
from debate_ops.reports.content import content_of
from debate_ops.reports.exports.table import EXPORTS, export_of
from debate_ops.reports.items import Content
from debate_ops.storage.folder import Folder
from tests.builders import ROOT
from tests.every_protocol.stage import RICH, aside, history, restore
from tests.reports.debates import long_debate
from tests.reports.exports.debates import fuzzed
from tests.tools.shipped import SHIPPED, shipped

EVERYWHERE = ("csv-arguments", "jsonl", "transcript", "aif")
REFUSED = {
    "agent-secrets": {"apx", "apx-plain"},
    "city-cars": {"apx", "apx-plain", "csv-flow"},
    "field-notes": {"apx", "apx-plain"},
    "human-review": {"apx", "apx-plain", "csv-flow", "argdown"},
    "leap-seconds": set[str](),
    "one-repository": set[str](),
}
IN_ALL = [(name, debate) for name in EXPORTS for debate in REFUSED]
WRITTEN = [(name, debate) for name, debate in IN_ALL if name not in REFUSED[debate]]


UNSHOWABLE = "\u202e\u2066\u061c\u200f\ufeff\U000e0041"


@pytest.mark.parametrize("name", EXPORTS)
def test_what_cannot_be_shown_is_left_out_or_spelled_out(name: str) -> None:
    with aside():
        folder = restore(history("exchange", dict(RICH)["exchange"])[-1])
        for path in Path(folder.path, "arguments").glob("*.md"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("zq", f"z{UNSHOWABLE}q"), encoding="utf-8")
        exported = exporting.text(folder, name)
    assert not set(UNSHOWABLE) & set(exported)


@cache
def written(name: str, debate: str) -> str:
    return EXPORTS[name].render(shipped(debate))


@pytest.mark.parametrize(("name", "debate"), WRITTEN)
def test_a_debate_is_written_in_the_formats_that_fit_it(name: str, debate: str) -> None:
    text = written(name, debate)
    assert text.endswith("\n")
    assert text.encode("utf-8")


@pytest.mark.parametrize("debate", REFUSED)
def test_the_other_formats_are_refused_with_what_to_do_instead(debate: str) -> None:
    for name in REFUSED[debate]:
        with pytest.raises(RefusedError) as refused:
            EXPORTS[name].render(shipped(debate))
        assert "'debate-ops transcript'" in refused.value.hint or all(
            instead in refused.value.hint for instead in EVERYWHERE
        )


@pytest.mark.parametrize("debate", SHIPPED)
@pytest.mark.parametrize("name", EVERYWHERE)
def test_every_id_is_in_the_formats_that_hold_everything(name: str, debate: str) -> None:
    text = written(name, debate)
    spoken = {item.id for item in shipped(debate).items if item.entry.folder == "arguments"}
    assert spoken
    assert {entry_id for entry_id in spoken if entry_id not in text} == set()


@cache
def _large() -> Content:
    return content_of(long_debate(100))


@pytest.mark.parametrize("name", sorted(EXPORTS.keys() - {"csv-scores"}))
@pytest.mark.parametrize("seed", range(2))
def test_hostile_texts_are_written_as_utf_8(name: str, seed: int) -> None:
    assert EXPORTS[name].render(content_of(fuzzed(30, seed))).encode("utf-8")


@pytest.mark.parametrize("name", EXPORTS)
def test_a_debate_of_206_arguments_has_every_argument(name: str) -> None:
    text = EXPORTS[name].render(_large())
    assert {item.id for item in _large().items if item.entry.folder == "arguments"} <= {
        item.id for item in _large().items if item.id in text
    }


def test_the_same_record_gives_the_same_bytes_in_another_process() -> None:
    script = (
        "import hashlib; from debate_ops.reports import exporting as e; "
        "from debate_ops.storage.folder import Folder as F; "
        "from debate_ops.reports.exports.table import EXPORTS; "
        "print(*(hashlib.sha256(e.text(F('debates/leap-seconds'), n).encode()).hexdigest() "
        "for n in EXPORTS))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_private_notes_are_left_out_where_the_transcript_leaves_them_out() -> None:
    debate = shipped("human-review").debate
    names = ("aff_000-preparation", "neg_000-preparation")
    for name in EVERYWHERE:
        shown = EXPORTS[name].render(content_of(debate))
        hidden = EXPORTS[name].render(content_of(debate, preparation=False))
        assert all(note in shown for note in names)
        assert not any(note in hidden for note in names)


def test_a_format_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UsageError) as refused:
        export_of("graphml")
    assert all(name in refused.value.hint for name in EXPORTS)


def test_a_folder_is_exported_from_its_verified_record() -> None:
    folder = Folder(str(SHIPPED["one-repository"]))
    assert exporting.text(folder, "apx") == EXPORTS["apx"].render(shipped("one-repository"))


@pytest.mark.parametrize("name", EXPORTS)
def test_every_format_is_documented_with_a_command(name: str) -> None:
    page = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    assert f"| `{name}` |" in page
    assert f"debate-ops export my-decision --to {name} " in page
