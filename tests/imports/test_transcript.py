"""Transcripts and threads: every way in which a speaker is named, and what is no speaker."""

from __future__ import annotations

import pytest

from debate_ops.core.errors import UsageError
from debate_ops.imports.imported import Speech, names
from debate_ops.imports.transcript import read

SPOKEN = [("Ann", "They cost: too much.\n\nReally."), ("ben", "They do not."), ("Ann", "I see.")]
LISTING = (
    "title:\tTrains?\nstate:\tOPEN\nauthor:\tAnn\nlabels:\t\n--\nThey cost: too much.\n\nReally."
    "\nauthor:\tben\nassociation:\tnone\nedited:\tfalse\n--\nThey do not.\n--\nauthor:\tAnn\n--\n"
    "I see.\n--\n"
)
FORMS = {
    "headings": "# Trains?\n\n## @Ann commented on 2026-01-02\n\nThey cost: too much.\n\nReally.\n"
    "\n## ben\n\nThey do not.\n\n## Ann\nI see.\n",
    "bold": "# Trains?\n\n**Ann:** They cost: too much.\n\nReally.\n\n**ben**: They do not.\n\n"
    "**Ann:** I see.",
    "colons": "Motion: Trains?\n\nAnn: They cost: too much.\n\nReally.\n\nben: They do not.\n\n"
    "Ann: I see.\n",
    "listing": LISTING,
    "lines": "# Trains?\nAnn: They cost: too much.\n\nReally.\nben: They do not.\nAnn: I see.\n"
    "ben: x",
}


@pytest.mark.parametrize("form", FORMS)
def test_speakers_texts_and_motion_are_read_word_for_word(form: str) -> None:
    debate = read(FORMS[form])
    assert debate.motion == "Trains?"
    assert [(speech.speaker, speech.text) for speech in debate.speeches][:3] == SPOKEN
    assert debate.left_out == ()
    assert debate.speeches[0].at == ("2026-01-02" if form == "headings" else "")


def test_only_those_speak_who_are_listed() -> None:
    text = "Ann: One.\n\nNote: this is hers.\n\nBen: Two.\n"
    assert [s.speaker for s in read(text).speeches] == ["Ann", "Note", "Ben"]
    assert read(text, ["ann", "Ben "]).speeches == (
        Speech("Ann", "One.\n\nNote: this is hers."),
        Speech("Ben", "Two."),
    )


def test_what_stands_before_the_first_speaker_is_named_as_left_out() -> None:
    debate = read(
        "# M\n\nA long introduction.\nOf two lines.\n\n## Ann\n\nOne.\n\n## Ben\n\nTwo.\n"
    )
    assert len(debate.left_out) == 1


def test_in_lines_a_word_with_a_colon_speaks_only_if_it_comes_again() -> None:
    text = "A: One.\nNote: mine.\nB: Two.\nA: Three.\nB: Four."
    assert [(s.speaker, s.text) for s in read(text).speeches] == [
        ("A", "One.\nNote: mine."),
        ("B", "Two."),
        ("A", "Three."),
        ("B", "Four."),
    ]


@pytest.mark.parametrize("text", ["", "Only prose.", "# T\n\n## Ann\n\nAlone.", "a\n\nAnn: x"])
def test_a_text_without_two_speakers_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="two speakers"):
        read(text)


def test_every_speaker_gets_a_name_of_its_own() -> None:
    speakers = ["Zoë B.", "Zoe B", "李", "judge", "4th", "x" * 99, "x" * 98]
    result = names(speakers)
    assert len(set(result.values())) == len(speakers)
    assert "judge" not in result.values()
    assert all(name and len(name) <= 32 for name in result.values())
