"""A design debate as a transcript: phase by phase, with the numbers that only headers have."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.reports import transcribe
from debate_ops.storage.folder import Folder
from tests.reports.design.debates import USUAL, answered, debate

pytestmark = pytest.mark.usefixtures("work")

ASKING = USUAL._replace(asks={("ann", 1): 1, ("ben", 2): 1}, unmet=[])


def passages(folder: Folder) -> dict[str, dict[str, Any]]:
    told = transcribe.data(folder)
    return {p["id"]: p for part in told["parts"] for p in part["passages"]}


def titles(folder: Folder) -> list[str]:
    return [part["title"] for part in transcribe.data(folder)["parts"]]


def test_the_parts_are_the_phases_in_the_order_of_the_record() -> None:
    folder = debate(ASKING, clarifying_questions=1, requirements=[], stop_at_confidence=100)
    answered(answered(folder, ASKING), ASKING)
    assert titles(folder) == [
        "Clarifying questions",
        "Answers",
        "Clarifying questions",
        "Answers",
        "Clarifying questions",
        "Requirements",
        "Exchange 1: proposals",
        "Exchange 1: critiques",
        "Exchange 1: refinements",
        "Exchange 1: assessment",
        "Exchange 2: critiques",
        "Exchange 2: refinements",
        "Exchange 2: the judge's summary",
        "Exchange 2: synthesis",
    ]
    told = transcribe.data(folder)
    assert told["participants"] == [
        {"id": "ann", "what": "architect"},
        {"id": "ben", "what": "performance"},
        {"id": "cara", "what": "simplicity"},
        {"id": "judge", "what": "judge"},
    ]
    assert told["partial"] is False


def test_absences_stand_in_the_phase_that_they_are_absent_from() -> None:
    absent = [("ben", "refinement"), ("judge", "synthesis"), ("cara", "critique")]
    told = transcribe.data(debate(USUAL._replace(absent=absent)))
    where = {p["id"]: part["title"] for part in told["parts"] for p in part["passages"]}
    assert where["ben_001-absence-60"] == "Exchange 1: refinements"
    assert where["cara_001-absence-50"] == "Exchange 1: critiques"
    assert where["judge_002-absence-90"] == "Exchange 2: synthesis"


def test_what_only_a_header_says_is_told_as_a_text() -> None:
    settings: dict[str, Any] = {
        "summary_threshold": 1000,
        "summary_characters": 500,
        "stop_at_confidence": 100,
    }
    found = passages(debate(**settings))
    levels = [text["heading"] for text in found["ann_001-critique-2"]["texts"]]
    assert levels[:3] == ["Requirements", "Point 1 (major)", "Point 2 (minor)"]
    first = {i: found[i]["texts"][0] for i in ("judge_001-assessment", "judge_002-synthesis")}
    assert first["judge_001-assessment"] == {"heading": "Confidence", "text": "60 of 100"}
    assert first["judge_002-synthesis"]["text"] == "count"
    size = found["ann_002-summary"]["texts"][0]
    assert size["heading"] == "Size"
    assert size["text"].endswith(" after")
    assert " characters before, " in size["text"]


def test_a_debate_that_waits_for_answers_says_so() -> None:
    folder = debate(ASKING, clarifying_questions=1)
    assert transcribe.data(folder)["stops_at"] == "it waits for a person's answers"
