"""Transcripts of every protocol, in every form: complete, in order, marked where they stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from debate_ops.formats import entries, front
from debate_ops.model.entries import Contribution
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.reports import transcribe
from debate_ops.reports.content import content_of
from debate_ops.reports.reading import entries_of
from debate_ops.reports.text import columns
from debate_ops.reports.transcript.as_data import duration
from debate_ops.storage.folder import Folder
from tests.builders import debate_at
from tests.reports.chairs import debates as chairs
from tests.reports.consensus.debates import AGREED, Plan, everybody_for, search
from tests.reports.debates import argument, debate
from tests.reports.design import debates as design
from tests.reports.formal.debates import HOSTILE, formal, hostile, tamed, with_gaps
from tests.reports.held import debate_of
from tests.reports.pages import headings, structure

pytestmark = pytest.mark.usefixtures("work")

ABSENT = [("arbiter", "introduction"), ("ben", "opening"), ("arbiter", "closing")]
ASKING = design.USUAL._replace(asks={("ann", 1): 1}, unmet=[], absent=[("cara", "critique")])
ASKED: dict[str, Any] = {"clarifying_questions": 1, "requirements": [], "stop_at_confidence": 100}
SPLIT = {"ann": "ann", "ben": "ben", "cara": "cara"}

FORMS = tuple(transcribe.TEXTS)
DEBATES: dict[str, Callable[[], Folder]] = {
    "formal": lambda: formal(cross_exam_questions=1, judge="one"),
    "consensus": lambda: search(AGREED, participants=5),
    "exchange": lambda: debate_at(2),
    "chairs": chairs.debate,
    "design": design.debate,
}
PARTIAL: dict[str, tuple[Callable[[], Folder], str]] = {
    "formal": (lambda: formal(turns=3), "rebuttals"),
    "consensus": (lambda: search(turns=1), "cycle 1, critiques"),
    "exchange": (lambda: debate_at(1, "awaiting_judgment"), "exchange 1"),
    "chairs": (lambda: chairs.debate(turns=3), "exchange 1, the reactions to a speech"),
    "design": (lambda: design.debate(turns=1), "exchange 1, critiques"),
    "escalated": (lambda: search(Plan(votes=SPLIT), max_cycles=1), "waits for a person"),
    "asking": (lambda: design.debate(ASKING, **ASKED), "waits for a person"),
}


def passages(folder: Folder) -> dict[str, dict[str, Any]]:
    parts = transcribe.data(folder)["parts"]
    return {p["id"]: p | {"part": part["title"]} for part in parts for p in part["passages"]}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_holds_every_entry_once_with_texts_and_times_as_on_record(protocol: str) -> None:
    """P0-22: the same id, motion, rounds, texts, times."""
    folder = DEBATES[protocol]()
    debate = debate_of(folder)
    data = json.loads(json.dumps(transcribe.data(folder), default=float))
    read = {entry.id: entry for entry in entries_of(debate)}
    shown = passages(folder)
    assert set(shown) == set(read)
    assert (data["debate"], data["created"]) == (debate.slug, debate.created)
    assert data["rounds"] == len({entry.exchange for entry in read.values()} - {0})
    assert (data["partial"], data["stops_at"]) == (False, "")
    for entry_id, entry in read.items():
        assert shown[entry_id]["at"] == entry.header["at"]
        value = entries.parse(entry)
        if isinstance(value, Contribution):
            texts = [text["text"] for text in shown[entry_id]["texts"]]
            recorded = [text for name, text in value.texts.items() if name != "Sources"]
            assert [text for text in texts if text in recorded] == recorded


@pytest.mark.parametrize("protocol", DEBATES)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_names_motion_participants_and_every_id_in_order(
    protocol: str, form: str
) -> None:
    folder = DEBATES[protocol]()
    text, data = transcribe.text(folder, form), transcribe.data(folder)
    mark = "\n" if form == "md" else "\n("
    places = [text.index(f"{mark}{entry_id}, ") for entry_id in passages(folder)]
    assert places == sorted(places)
    assert data["motion"] in " ".join(text.split())
    assert all(person["id"] in text for person in data["participants"])
    assert "partial transcript" not in text.casefold()


@pytest.mark.parametrize("case", PARTIAL)
def test_a_debate_that_is_not_over_is_marked_in_every_form(case: str) -> None:
    make, where = PARTIAL[case]
    folder = make()
    data = transcribe.data(folder)
    assert data["partial"] is True
    assert where in data["stops_at"]
    assert data["duration_seconds"] == 0
    for form in FORMS:
        text = transcribe.text(folder, form)
        assert "partial transcript" in text.split("\n")[0].casefold()
        assert where in " ".join(text.split())


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize(
    ("make", "titles"),
    [
        (
            lambda: search(Plan(votes=everybody_for("ann", 3)), participants=3, straw_poll="yes"),
            [
                f"Cycle 1: {n}"
                for n in ("proposals", "straw votes", "critiques", "votes", "outcome")
            ],
        ),
        (
            lambda: chairs.debate(chairs.Plan(absent=ABSENT), max_exchanges=2),
            ["Introduction", "Openings", "Exchange 1", "Exchange 2", "Closing"],
        ),
        (
            lambda: design.answered(design.debate(ASKING, **ASKED), ASKING),
            [
                *("Clarifying questions", "Answers", "Clarifying questions", "Requirements"),
                *(f"Exchange 1: {n}" for n in ("proposals", "critiques", "refinements")),
                *("Exchange 1: assessment", "Exchange 2: critiques", "Exchange 2: refinements"),
                *("Exchange 2: the judge's summary", "Exchange 2: synthesis"),
            ],
        ),
    ],
    ids=["consensus", "chairs", "design"],
)
def test_the_parts_are_those_of_the_course(make: Callable[[], Folder], titles: list[str]) -> None:
    assert [part["title"] for part in transcribe.data(make())["parts"]] == titles


def test_absences_stand_in_the_part_of_what_they_are_absent_from() -> None:
    held = passages(chairs.debate(chairs.Plan(absent=ABSENT)))
    assert held["arbiter_000-absence-10"]["part"] == "Introduction"
    assert held["ben_000-absence-20"]["part"] == "Openings"
    assert held["arbiter_003-absence-90"]["part"] == "Closing"
    silent = design.USUAL._replace(absent=[("cara", "critique")])
    designed = passages(design.debate(silent, slug="designed"))
    assert designed["cara_001-absence-50"]["part"] == "Exchange 1: critiques"


def test_what_only_a_header_says_is_read_with_the_texts() -> None:
    found = passages(chairs.debate(cooldown=1))
    texts = {i: {t["heading"]: t["text"] for t in p["texts"]} for i, p in found.items()}
    assert "self critique (points 18" in texts["evaluator_001-evaluation-1"]["Parts"]
    assert texts["moderator_002-floor-2"]["Urgency"] == "0.4"
    assert texts["ben_001-interruption-1"]["Reason"] == "straw man detected"
    assert texts["ben_001-interruption-1"]["Trigger"] == chairs.TRIGGER
    assert list(texts["ben_000-opening"]) == [""]


# ---------------------------------------------------------------- preparation


def test_preparation_is_shown_or_hidden_by_the_setting_and_by_an_option_before_it() -> None:
    """P0-21: show_preparation no: not in the transcript, still in the record."""
    folder = formal(cross_exam_questions=0, show_preparation="no")
    assert Path(folder.path, "arguments/aff_000-preparation.md").is_file()
    (left_out,) = transcribe.data(folder)["left_out"]
    assert "aff_000-preparation" not in passages(folder)
    for form in FORMS:
        text = transcribe.text(folder, form)
        assert "aff_000-preparation" not in text
        assert left_out in text
        assert "aff_000-preparation" in transcribe.text(folder, form, preparation=True)
    assert transcribe.data(folder, preparation=True)["left_out"] == []


# ---------------------------------------------------------------- what is cut, missing, hostile


def test_a_text_that_was_cut_says_so_and_json_has_the_rest() -> None:
    folder = formal(cross_exam_questions=0, word_limit=200, word_limits="cut")
    passage = transcribe.data(folder)["parts"][1]["passages"][0]
    cut = passage["cut"]
    assert cut["words"] > 200 >= cut["kept"]
    assert cut["text"].strip()
    assert cut["text"] not in passage["texts"][0]["text"]
    for form in FORMS:
        assert f"{cut['kept']} of {cut['words']} words" in " ".join(
            transcribe.text(folder, form).split()
        )


def test_an_absence_says_by_whom_and_why_and_its_answer_is_not_invented() -> None:
    folder = formal(with_gaps("aff question", "neg closing"), cross_exam_questions=1)
    absent = [p for p in passages(folder).values() if "how" in p]
    assert [(p["how"], p["by"], p["texts"][0]["text"]) for p in absent] == [
        ("skip", "user", "Nobody was there.")
    ] * 2
    assert "neg_003-answer" not in transcribe.text(folder, "md")


def test_no_text_of_a_participant_is_structure_in_markdown() -> None:
    tame = formal(tamed, motion="Two\nlines", cross_exam_questions=1, slug="tame")
    evil = formal(hostile, motion=HOSTILE, cross_exam_questions=1, slug="evil")
    first, second = (transcribe.text(folder, "md") for folder in (tame, evil))
    assert structure(first) == structure(second)
    assert headings(first) == headings(second)
    assert "<script" not in second
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in second


def test_plain_text_keeps_to_80_columns_and_indents_what_was_said() -> None:
    folder = formal(hostile, motion=HOSTILE, cross_exam_questions=1)
    lines = transcribe.text(folder, "text").split("\n")
    assert max(sum(map(columns, line)) for line in lines) <= 80
    assert not any(line.startswith(("#", "- ", "|", "```", "> ", "<")) for line in lines)
    parts = {part["title"].upper() for part in transcribe.data(folder)["parts"]}
    underlined = {above for above, line in pairwise(lines) if set(line) == {"-"}}
    assert underlined == {*parts, "SOURCES"}


def test_letters_of_double_width_are_wrapped_too() -> None:
    made = debate(argument("prop_000a"), motion="発電所の費用は誰が負担するのか" * 12)
    lines = transcribe.TEXTS["text"](content_of(made)).split("\n")
    assert max(sum(map(columns, line)) for line in lines) <= 80
    assert "".join(line.strip() for line in lines).count("発電所") == 12


@pytest.mark.parametrize(
    ("protocol", "file", "key"),
    [
        ("formal", "arguments/aff_001-opening.md", "citations"),
        ("chairs", "arguments/ben_001-interruption-1.md", "trigger"),
        ("design", "judgments/judge_002-synthesis.md", "stopped_by"),
    ],
)
def test_a_header_that_was_changed_by_hand_hides_no_text(
    protocol: str, file: str, key: str
) -> None:
    folder = DEBATES[protocol]()
    path = Path(folder.path, file)
    header, body, form = front.parse(path.read_text(encoding="utf-8"), file)
    assert key in header
    path.write_text(front.compose(header | {key: [7]}, body, form), encoding="utf-8")
    assert path.stem in transcribe.text(folder, "md")


def test_duration_is_from_the_making_to_the_last_entry_and_nothing_while_partial() -> None:
    over = debate_of(formal(cross_exam_questions=0))
    content = content_of(over._replace(created="2025-12-31T22:59:55Z"))
    assert {item.at for item in content.read} == {"2026-01-01T00:00:00Z"}
    assert duration(content) == 3605
    assert "1 h 0 min 5 s" in transcribe.TEXTS["text"](content)
    assert duration(content._replace(stops_at="it waits")) == 0
    assert duration(content_of(over._replace(created=""))) == 0
