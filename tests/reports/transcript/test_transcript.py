"""Transcripts of every protocol, in every form: complete, in order, marked where they stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from debate_ops.formats import entries, front
from debate_ops.model.entries import Contribution
from debate_ops.reports import transcribe
from debate_ops.reports.content import content_of
from debate_ops.reports.reading import entries_of
from debate_ops.reports.table import REPORTS
from debate_ops.reports.text import columns
from debate_ops.reports.transcript import as_text
from debate_ops.reports.transcript.duration import duration
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

FORMS = tuple(transcribe.TEXTS)


def agreed() -> Folder:
    return search(AGREED, participants=5)


DEBATES: dict[str, Callable[[], Folder]] = {
    "formal": lambda: formal(cross_exam_questions=1, judge="one"),
    "consensus": agreed,
    "exchange": lambda: debate_at(2),
    "chairs": chairs.debate,
    "design": design.debate,
}
PARTIAL: dict[str, tuple[Callable[[], Folder], str]] = {
    "formal": (lambda: formal(turns=3), "it waits for the rebuttal of the affirmative"),
    "consensus": (lambda: search(turns=1), "it is in cycle 1, critiques"),
    "exchange": (lambda: debate_at(1, "awaiting_judgment"), "exchange 1 is still to be judged"),
    "chairs": (
        lambda: chairs.debate(turns=3),
        "it is in exchange 1, the reactions to a speech",
    ),
    "design": (lambda: design.debate(turns=1), "it is in exchange 1, critiques"),
}


def test_every_protocol_is_tried_here() -> None:
    assert set(DEBATES) == set(PARTIAL) == set(REPORTS)


@pytest.mark.parametrize("protocol", DEBATES)
def test_it_holds_every_entry_once_with_texts_and_times_as_on_record(protocol: str) -> None:
    """P0-22: the same id, motion, rounds, texts, times."""
    folder = DEBATES[protocol]()
    debate = debate_of(folder)
    told = json.loads(json.dumps(transcribe.data(folder), default=float))
    passages = {p["id"]: p for part in told["parts"] for p in part["passages"]}
    read = {entry.id: entry for entry in entries_of(debate)}
    assert set(passages) == set(read)
    assert told["debate"] == debate.slug
    assert told["created"] == debate.created
    assert told["rounds"] == len({entry.exchange for entry in read.values()} - {0})
    for entry_id, entry in read.items():
        assert passages[entry_id]["at"] == entry.header["at"]
        value = entries.parse(entry)
        if isinstance(value, Contribution):
            texts = [text["text"] for text in passages[entry_id]["texts"]]
            shown = [text for name, text in value.texts.items() if name != "Sources"]
            assert [text for text in texts if text in shown] == shown


@pytest.mark.parametrize("protocol", DEBATES)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_names_motion_participants_and_every_id_in_order(
    protocol: str, form: str
) -> None:
    folder = DEBATES[protocol]()
    text = transcribe.text(folder, form)
    data = transcribe.data(folder)
    ids = [p["id"] for part in data["parts"] for p in part["passages"]]
    places = [text.index(f"{mark}{i}") for i in ids for mark in ("`" if form == "md" else "(",)]
    assert places == sorted(places)
    assert data["motion"] in " ".join(text.split())
    assert all(person["id"] in text for person in data["participants"])


@pytest.mark.parametrize("protocol", PARTIAL)
def test_a_debate_that_is_not_over_is_marked_in_all_three_forms(protocol: str) -> None:
    make, where = PARTIAL[protocol]
    folder = make()
    data = transcribe.data(folder)
    assert data["partial"] is True
    assert data["stops_at"].startswith(where)
    assert data["duration_seconds"] == 0
    markdown, text = transcribe.text(folder, "md"), transcribe.text(folder, "text")
    assert "> **Partial transcript.**" in markdown
    assert markdown.count("*Partial: ") == 1
    assert text.startswith("PARTIAL TRANSCRIPT\n")
    assert "THE RECORD ENDS HERE" in text


@pytest.mark.parametrize("protocol", DEBATES)
def test_a_debate_that_is_over_is_not_marked(protocol: str) -> None:
    folder = DEBATES[protocol]()
    assert transcribe.data(folder)["partial"] is False
    for form in FORMS:
        text = transcribe.text(folder, form).casefold()
        assert "partial transcript" not in text
        assert "the record ends here" not in text


def test_a_cancelled_or_decided_debate_is_over_and_an_escalated_one_is_not() -> None:
    folder = search(Plan(votes={"ann": "ann", "ben": "ben", "cara": "cara"}), max_cycles=1)
    assert transcribe.data(folder)["stops_at"] == (
        "it was escalated in cycle 1 and waits for a person's decision"
    )


@pytest.mark.parametrize("protocol", DEBATES)
@pytest.mark.parametrize("form", FORMS)
def test_the_same_record_gives_the_same_text(protocol: str, form: str) -> None:
    folder = DEBATES[protocol]()
    assert transcribe.text(folder, form) == transcribe.text(folder, form)


# ---------------------------------------------------------------- preparation


def test_preparation_is_shown_or_hidden_by_the_setting() -> None:
    """P0-21: show_preparation no: not in the transcript, still in the record."""
    folder = formal(cross_exam_questions=0, show_preparation="no")
    assert Path(folder.path, "arguments/aff_000-preparation.md").is_file()
    assert "aff_000-preparation" not in json.dumps(transcribe.data(folder), default=float)
    for form in FORMS:
        text = transcribe.text(folder, form)
        assert "aff_000-preparation" not in text
        assert "Left out here, but on record: the notes of both sides" in text
    assert transcribe.data(folder)["left_out"] == ["the notes of both sides (preparation)"]


def test_an_option_goes_before_the_setting_in_both_directions() -> None:
    hidden = formal(cross_exam_questions=0, show_preparation="no")
    assert "aff_000-preparation" in transcribe.text(hidden, "md", preparation=True)
    assert "Left out here" not in transcribe.text(hidden, "md", preparation=True)
    assert transcribe.data(hidden, preparation=True)["left_out"] == []


# ---------------------------------------------------------------- what is cut, missing, hostile


def test_a_text_that_was_cut_says_so_and_json_has_the_rest() -> None:
    folder = formal(cross_exam_questions=0, word_limit=200, word_limits="cut")
    passage = transcribe.data(folder)["parts"][1]["passages"][0]
    assert passage["cut"]["words"] > 200 >= passage["cut"]["kept"]
    assert passage["cut"]["text"].strip()
    assert passage["cut"]["text"] not in passage["texts"][0]["text"]
    told = f"Cut at the word limit: {passage['cut']['kept']} of {passage['cut']['words']} words"
    for form in FORMS:
        assert told in " ".join(transcribe.text(folder, form).split())


def test_an_absence_says_by_whom_and_why_and_its_answer_is_not_invented() -> None:
    folder = formal(with_gaps("aff question", "neg closing"), cross_exam_questions=1)
    text = transcribe.text(folder, "md")
    assert text.count("**No reply (skip, by user)**\n\nNobody was there.") == 2
    assert "Answer of the negative" not in text
    assert "Answer of the affirmative" in text


def test_no_text_of_a_participant_is_structure_in_markdown() -> None:
    tame = formal(tamed, motion="Two\nlines", cross_exam_questions=1, slug="tame")
    evil = formal(hostile, motion=HOSTILE, cross_exam_questions=1, slug="evil")
    first, second = (transcribe.text(folder, "md") for folder in (tame, evil))
    assert structure(first) == structure(second)
    assert [h for h in headings(first) if "Transcript" not in h] == headings(second)[1:]
    assert "<script" not in second
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in second


def test_plain_text_keeps_to_80_columns_and_indents_what_was_said() -> None:
    folder = formal(hostile, motion=HOSTILE, cross_exam_questions=1)
    lines = transcribe.text(folder, "text").split("\n")
    assert max(sum(map(columns, line)) for line in lines) <= 80
    assert not any(
        line.startswith(("# ", "- ", "---", "```")) and "Heading" in line for line in lines
    )
    underlines = [above for above, line in pairwise(lines) if set(line) == {"-"}]
    assert [line for line in underlines if line.startswith(" ")] == []
    assert {"OPENINGS", "REBUTTALS", "CLOSINGS", "SOURCES"} <= set(underlines)


def test_no_further_line_begins_where_those_of_the_program_begin() -> None:
    told = as_text.wrapped(f"Ground, from {'word ' * 20}Five: Score: 1")
    first, *further = told.split("\n")
    assert first.startswith("Ground, from word")
    assert further
    assert all(line.startswith("  ") for line in further)


def test_letters_of_double_width_are_wrapped_too() -> None:
    made = debate(argument("prop_000a"), motion="発電所の費用は誰が負担するのか" * 12)
    lines = transcribe.TEXTS["text"](content_of(made)).split("\n")
    assert max(sum(map(columns, line)) for line in lines) <= 80
    assert "".join(line.strip() for line in lines).count("発電所") == 12


@pytest.mark.parametrize(
    ("protocol", "file", "key"),
    [
        ("formal", "arguments/aff_001-opening.md", "citations"),
        ("chairs", "arguments/ann_001-speech.md", "citations"),
        ("chairs", "arguments/ben_001-interruption-1.md", "trigger"),
        ("chairs", "judgments/moderator_001-floor-1.md", "urgency"),
        ("design", "arguments/ann_001-critique-2.md", "points"),
        ("design", "judgments/judge_002-summary.md", "before"),
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
    assert f"`{path.stem}`" in transcribe.text(folder, "md")


# ---------------------------------------------------------------- time


def test_duration_is_from_the_making_to_the_last_entry_and_nothing_while_partial() -> None:
    over = debate_of(formal(cross_exam_questions=0))
    begun = over._replace(created="2025-12-31T22:59:55Z")
    content = content_of(begun)
    assert {item.at for item in content.read} == {"2026-01-01T00:00:00Z"}
    assert duration(content) == 3605
    assert "Duration: 1 h 5 s (3,605 seconds)" in transcribe.TEXTS["text"](content)
    assert duration(content._replace(stops_at="it waits")) == 0
    assert duration(content_of(over._replace(created=""))) == 0


# ---------------------------------------------------------------- a vote


def test_a_search_for_consensus_is_told_by_cycle_and_phase() -> None:
    folder = search(Plan(votes=everybody_for("ann", 3)), participants=3, straw_poll="yes")
    titles = [part["title"] for part in transcribe.data(folder)["parts"]]
    assert titles == [
        "Cycle 1: proposals",
        "Cycle 1: straw votes",
        "Cycle 1: critiques",
        "Cycle 1: votes",
        "Cycle 1: outcome",
    ]


def test_what_comes_before_the_first_exchange_is_no_round() -> None:
    told = transcribe.data(chairs.debate(chairs.Plan()))
    assert told["rounds"] == 3
