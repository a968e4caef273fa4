"""Transcripts of every protocol, in every form: complete, in order, marked where they stop."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.formats import entries
from debate_ops.model.entries import ARGUMENT
from debate_ops.reports import exporting, transcribe, transcript
from debate_ops.reports.items import Citation, Part
from debate_ops.reports.reading import entries_of
from debate_ops.storage.folder import Folder
from tests.every_protocol.stage import RICH, each_protocol, history, restore
from tests.reports.debates import argument
from tests.reports.design import debates as design
from tests.reports.exports.debates import content
from tests.reports.formal.debates import formal, with_gaps
from tests.tools.shipped import SHIPPED, shipped

pytestmark = pytest.mark.usefixtures("work")

ASKING = design.USUAL._replace(asks={("ann", 1): 1}, unmet=[], absent=[("cara", "critique")])


def data_of(folder: Folder, *, preparation: bool | None = None) -> dict[str, Any]:
    return json.loads(exporting.text(folder, "json", preparation=preparation))  # type: ignore[no-any-return]


def entries_in(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["id"]: entry for entry in data["entries"]}


def parts_of(folder: Folder) -> tuple[Part, ...]:
    return transcribe.rendered(folder, lambda content: content.parts, preparation=None)


def part_of(folder: Folder, entry_id: str) -> str:
    (title,) = (p.title for p in parts_of(folder) if entry_id in {item.id for item in p.items})
    return title


@pytest.mark.parametrize("name", SHIPPED)
def test_it_holds_every_entry_once_in_order_with_texts_and_times_as_on_record(name: str) -> None:
    """P0-22: the same id, motion, rounds, texts, times."""
    content = shipped(name)
    data = data_of(Folder(str(SHIPPED[name])))
    read = {entry.id: entry for entry in entries_of(content.debate)}
    shown = entries_in(data)
    assert set(shown) == set(read)
    assert data["debate"] == content.debate.slug
    assert data["rounds"] == len({entry.exchange for entry in read.values()} - {0})
    assert data["partial"] == bool(data["stops_at"]) == (data["phase"] == "awaiting_decision")
    for entry_id, entry in read.items():
        assert shown[entry_id].get("at", "") == entry.header.get("at", "")
        value = entries.parse(entry)
        if value.texts and value.kind != ARGUMENT:
            texts = [text["text"] for text in shown[entry_id]["texts"]]
            recorded = [text for name, text in value.texts.items() if name != "Sources"]
            assert [text for text in texts if text in recorded] == recorded
    for form, mark in (("md", ""), ("text", "(")):
        text = transcribe.TEXTS[form](content)
        headed = re.compile(rf"^{re.escape(mark)}({'|'.join(shown)})(?=[,)\n])", re.MULTILINE)
        assert list(dict.fromkeys(headed.findall(text))) == list(shown)
        assert all(person["id"] in text for person in data["participants"])
        assert ("partial transcript" in text.casefold()) == data["partial"]


@each_protocol
def test_a_debate_that_is_not_over_is_marked_in_every_form(protocol: str) -> None:
    moment = history(protocol, dict(RICH)[protocol])[1]
    folder, where = restore(moment), engine.where(moment.position.debate)
    data = data_of(folder)
    assert data["partial"] is True
    assert where in data["stops_at"]
    assert data["duration_seconds"] == 0
    for form in transcribe.TEXTS:
        text = transcribe.text(folder, form)
        assert "partial transcript" in text.split("\n")[0].casefold()
        assert where in " ".join(text.split())


def test_absences_and_answers_stand_in_the_part_that_they_belong_to() -> None:
    asked: dict[str, Any] = {"clarifying_questions": 1, "requirements": []}
    folder = design.answered(design.debate(ASKING, **asked), ASKING)
    assert [part.title for part in parts_of(folder)][:5] == [
        *("Clarifying questions", "Answers", "Clarifying questions", "Requirements"),
        "Exchange 1: proposals",
    ]
    assert part_of(folder, "cara_001-absence-50") == "Exchange 1: critiques"
    chaired = restore(history("chairs", dict(RICH)["chairs"])[0])
    for name in ("arbiter", "ann", "ben"):
        engine.skip(chaired, name, "Nobody was there.")
    assert part_of(chaired, "arbiter_000-absence-10") == "Introduction"
    assert part_of(chaired, "ann_000-absence-20") == "Openings"


def test_what_only_a_header_says_is_read_with_the_texts() -> None:
    parts = parts_of(restore(history("chairs", dict(RICH)["chairs"])[-1]))
    texts = {item.id: dict(item.texts) for part in parts for item in part.items}
    assert "self critique (points " in texts["evaluator_001-evaluation-1"]["Parts"]
    assert {"Urgency", "Threshold"} <= set(texts["moderator_001-floor-2"])
    assert list(texts["ben_000-opening"]) == [""]


def test_preparation_is_shown_or_hidden_by_the_setting_and_by_an_option_before_it() -> None:
    """P0-21: show_preparation no: not in the transcript, still in the record."""
    folder = formal(cross_exam_questions=0, show_preparation="no")
    assert Path(folder.path, "arguments/aff_000-preparation.md").is_file()
    (hidden,) = data_of(folder)["left_out"]
    for form in transcribe.TEXTS:
        text = transcribe.text(folder, form)
        assert "aff_000-preparation" not in text
        assert hidden in text
        assert "aff_000-preparation" in transcribe.text(folder, form, preparation=True)
    assert data_of(folder, preparation=True)["left_out"] == []


def test_a_text_that_was_cut_says_so_and_json_has_the_rest() -> None:
    folder = formal(cross_exam_questions=0, word_limit=200, word_limits="cut")
    passage = entries_in(data_of(folder))["aff_001-opening"]
    cut = passage["cut"]
    assert cut["words"] > 200 >= cut["kept"]
    assert cut["text"].strip()
    assert cut["text"] not in passage["texts"][0]["text"]
    for form in transcribe.TEXTS:
        text = " ".join(transcribe.text(folder, form).split())
        assert f"{cut['kept']} of {cut['words']} words" in text


def test_an_absence_says_by_whom_and_why_and_its_answer_is_not_invented() -> None:
    folder = formal(with_gaps("aff question", "neg closing"), cross_exam_questions=1)
    shown = entries_in(data_of(folder))
    absent = [p for p in shown.values() if "absence" in p]
    assert [(p["absence"], p["texts"][0]["text"]) for p in absent] == [
        ({"how": "skip", "by": "user"}, "Nobody was there.")
    ] * 2
    assert "neg_003-answer" not in shown


def test_duration_is_from_the_making_to_the_last_entry_and_nothing_while_partial() -> None:
    content = shipped("human-review")
    debated = content.debate._replace(created="2000-01-01T00:00:00Z")
    for changed, lasts in (
        (content._replace(debate=debated), True),
        (content._replace(debate=debated, stops_at="it waits"), False),
        (content._replace(debate=debated._replace(created="")), False),
    ):
        seconds = transcript.duration(changed)
        assert bool(seconds) == lasts
        spelled = f"{seconds // 3600} h {seconds // 60 % 60} min {seconds % 60} s"
        assert (spelled in transcribe.TEXTS["text"](changed)) == lasts


def test_the_same_source_given_twice_stands_once_with_every_detail() -> None:
    one, two = (content(argument(i)).items[0] for i in ("prop_001", "opp_001"))
    first = Citation(1, "A survey", "p. 1"), Citation(2, "B", "")
    second = (Citation(1, " a  Survey", "p. 2"),)
    items = one._replace(citations=first), two._replace(citations=second)
    assert transcript.bibliography(items) == [
        {
            "source": "A survey",
            "details": ["p. 1", "p. 2"],
            "cited_by": ["prop_001", "opp_001"],
        },
        {"source": "B", "details": [], "cited_by": ["prop_001"]},
    ]


@pytest.mark.parametrize("protocol", ["formal", "chairs"])
def test_sources_are_numbered_as_the_marks_in_their_text_have_them(protocol: str) -> None:
    shown = entries_in(data_of(restore(history(protocol, dict(RICH)[protocol])[-1])))
    numbers = {i: [c["number"] for c in p.get("citations", ())] for i, p in shown.items()}
    assert max(map(len, numbers.values())) > 0
    assert all(own == list(range(1, len(own) + 1)) for own in numbers.values())
