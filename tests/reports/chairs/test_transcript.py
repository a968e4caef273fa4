"""A debate of chairs as a transcript: in order, with the numbers that only headers have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from debate_ops.errors import BadRecordError
from debate_ops.reports import transcribe
from debate_ops.storage.folder import Folder
from tests.reports.chairs.debates import Plan, debate

pytestmark = pytest.mark.usefixtures("work")


def passages(folder: Folder) -> dict[str, dict[str, object]]:
    told = transcribe.data(folder)
    return {p["id"]: p for part in told["parts"] for p in part["passages"]}


def test_the_parts_are_those_of_the_course() -> None:
    told = transcribe.data(debate())
    assert [part["title"] for part in told["parts"]] == [
        "Introduction",
        "Openings",
        "Exchange 1",
        "Exchange 2",
        "Exchange 3",
        "Closing",
    ]
    assert told["partial"] is False
    assert told["participants"][0] == {"id": "ann", "what": "Utilitarianism"}
    assert told["participants"][-1] == {"id": "moderator", "what": "moderator"}


def test_absences_stand_in_the_part_of_what_they_are_absent_from() -> None:
    absent = [("arbiter", "introduction"), ("ben", "opening"), ("arbiter", "closing")]
    told = transcribe.data(debate(Plan(absent=absent)))
    where = {p["id"]: part["title"] for part in told["parts"] for p in part["passages"]}
    assert where["arbiter_000-absence-10"] == "Introduction"
    assert where["ben_000-absence-20"] == "Openings"
    assert where["arbiter_003-absence-90"] == "Closing"


def test_what_only_a_header_says_is_told_as_a_text() -> None:
    found = passages(debate(cooldown=1))
    assert found["evaluator_001-evaluation-1"]["texts"][0] == {  # type: ignore[index]
        "heading": "Adherence",
        "text": "60 of 100: steel-manning 15 of 25 (adequate), self-critique 15 of 25 (adequate), "
        "framework consistency 15 of 25 (consistent) and intellectual honesty 15 of 25 (medium). "
        "No violation.",
    }
    assert found["moderator_002-floor-2"]["texts"][0]["text"] == (  # type: ignore[index]
        "ann would cut in (pivotal point; urgency 0.4, 0.7 is needed): not granted."
    )
    assert found["ben_001-interruption-1"]["texts"][0] == {  # type: ignore[index]
        "heading": "Cuts in",
        "text": "ann_001-speech: straw man detected, at “nobody here has counted the children”",
    }


def test_a_source_has_one_number_throughout_and_is_listed_once() -> None:
    told = transcribe.data(debate(Plan()))
    assert [source["number"] for source in told["sources"]] == [1, 2]
    found = passages(debate(Plan(), slug="again"))
    assert [c["number"] for c in found["ben_000-opening"]["citations"]] == [2]  # type: ignore[attr-defined]
    headings = [t["heading"] for t in found["ben_000-opening"]["texts"]]  # type: ignore[attr-defined]
    assert headings == [""]


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([], "parts is []"),
        ({}, "parts are {}"),
        ({"steel_manning": {"points": None, "quality": "strong"}}, "points of steel_manning"),
        ({"steel_manning": {"points": 20, "q": "strong"}}, "quality of steel_manning is None"),
        ({"steel_manning": []}, "wanted the judged parts"),
    ],
    ids=str,
)
def test_an_evaluation_edited_so_that_it_cannot_be_told_is_refused_by_name(
    parts: Any, told: str
) -> None:
    folder = debate()
    path = Path(folder.within("judgments", "evaluator_001-evaluation-1.md"))
    text = path.read_text(encoding="utf-8").removeprefix("---\n")
    header, end = json.JSONDecoder().raw_decode(text)
    header["parts"] = {**header["parts"], **parts} if parts else parts
    path.write_text(f"---\n{json.dumps(header)}{text[end:]}", encoding="utf-8")
    with pytest.raises(BadRecordError) as refused:
        transcribe.text(folder, "md")
    assert "judgments/evaluator_001-evaluation-1.md: " in refused.value.message
    assert told in refused.value.message
