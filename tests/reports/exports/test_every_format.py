"""What holds for all formats: every debate is written or refused by name, the same bytes twice."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from debate_ops.errors import RefusedError
from debate_ops.reports import exporting
from debate_ops.reports.content import content_of
from debate_ops.reports.exporting import EXPORTS
from debate_ops.reports.items import Relation
from tests.builders import ROOT
from tests.every_protocol.stage import RICH, aside, history, restore
from tests.reports.debates import argument
from tests.reports.exports.debates import content
from tests.tools.shipped import shipped

EVERYWHERE = ("csv-arguments", "json")
REFUSED = {
    "agent-secrets": set[str](),
    "city-cars": {"csv-flow"},
    "human-review": {"csv-flow", "argdown"},
}
UNSHOWABLE = "\u202e\u2066\u061c\u200f\ufeff\U000e0041"


@pytest.mark.parametrize("debate", REFUSED)
def test_a_debate_is_written_in_the_formats_that_fit_it_and_refused_in_the_others(
    debate: str,
) -> None:
    for name in EXPORTS.keys() - REFUSED[debate]:
        text = exporting.of(shipped(debate), name)
        assert text.endswith("\n")
        if name in EVERYWHERE:
            spoken = [i.id for i in shipped(debate).items if i.entry.folder == "arguments"]
            assert all(entry_id in text for entry_id in spoken)
    for name in REFUSED[debate]:
        with pytest.raises(RefusedError) as refused:
            exporting.of(shipped(debate), name)
        assert "debate-ops" in refused.value.hint or "--to" in refused.value.hint


@pytest.mark.parametrize("name", EXPORTS)
def test_what_cannot_be_shown_is_left_out_or_spelled_out(name: str) -> None:
    with aside():
        folder = restore(history("exchange", dict(RICH)["exchange"])[-1])
        for path in Path(folder.path, "arguments").glob("*.md"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("zq", f"z{UNSHOWABLE}q"), encoding="utf-8")
        exported = exporting.text(folder, name)
    assert not set(UNSHOWABLE) & set(exported)


def test_the_same_record_gives_the_same_bytes_in_another_process() -> None:
    script = (
        "import hashlib; from debate_ops.reports import exporting as e; "
        "from debate_ops.storage.folder import Folder as F; "
        "print(*(hashlib.sha256(e.text(F('debates/leap-seconds'), n).encode()).hexdigest() "
        "for n in e.EXPORTS))"
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


@pytest.mark.parametrize("name", EVERYWHERE)
def test_private_notes_are_left_out_where_the_transcript_leaves_them_out(name: str) -> None:
    debate = shipped("human-review").debate
    for shows in (True, False):
        text = exporting.of(content_of(debate, preparation=shows), name)
        for note in ("aff_000-preparation", "neg_000-preparation"):
            assert (note in text) == shows


@pytest.mark.parametrize("name", EXPORTS)
def test_every_format_is_documented_with_a_command(name: str) -> None:
    page = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    assert f"| `{name}` |" in page
    assert f"debate-ops export my-decision --to {name} " in page


ATTACKS, SUPPORTS, CONCEDES = Relation.ATTACKS, Relation.SUPPORTS, Relation.CONCEDES
ANSWERS, REVISES, BUILDS_ON = Relation.ANSWERS, Relation.REVISES, Relation.BUILDS_ON


@pytest.mark.parametrize(
    ("name", "links"),
    [
        ("leap-seconds", {ATTACKS: 24, SUPPORTS: 1, CONCEDES: 15}),
        ("human-review", {ANSWERS: 4}),
        ("city-cars", {ATTACKS: 2, ANSWERS: 7}),
        ("field-notes", {ATTACKS: 12, ANSWERS: 24, REVISES: 6}),
        ("agent-secrets", {ATTACKS: 90, SUPPORTS: 90, ANSWERS: 90, REVISES: 12, BUILDS_ON: 32}),
    ],
)
def test_the_links_of_a_debate_are_those_counted_in_its_files(
    name: str, links: dict[Relation, int]
) -> None:
    assert Counter(b.relation for item in shipped(name).items for b in item.bonds) == links


def test_a_refinement_says_how_it_answered_each_point_of_a_critique() -> None:
    items = {item.id: item for item in shipped("field-notes").items}
    answers = [b for b in items["architect_001-refinement"].bonds if b.relation is ANSWERS]
    assert [b.target for b in answers] == ["security_001-critique-1", "testing_001-critique-1"]
    assert answers[0].content.startswith("point 1 accepted; point 2 accepted")


def test_a_graph_has_unlinked_arguments_and_no_link_to_what_is_not_there() -> None:
    items, bonds = content(argument("prop_001", attacks=["opp_000z"]), argument("opp_001")).graph()
    assert ([item.id for item in items], bonds) == (["prop_001", "opp_001"], ())
