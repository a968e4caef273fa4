"""Transcripts and threads: every way in which a speaker is named, and what is no speaker."""

import sys
import tomllib
from pathlib import Path

import pytest

from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.imports.transcript import names, read

TRANSCRIPTS = tomllib.loads(Path(__file__).with_name("transcripts.toml").read_text("utf-8"))
SPOKEN = [("Ann", "They cost: too much.\n\nReally."), ("ben", "They do not."), ("Ann", "I see.")]
USUAL = [
    ["Ann", "Keep the bridge."],
    ["Ben", "Too dear: it leaks."],
    ["Ann", "A ford floods. Note: the bus stops."],
]
FORMS = {
    "headings": "# Trains?\n\n## @Ann\n\nThey cost: too much.\n\nReally.\n"
    "\n## ben\n\nThey do not.\n\n## Ann\nI see.\n",
    "bold": "Motion: Trains?\n\n**Ann:** They cost: too much.\n\nReally.\n"
    "\n**ben**: They do not.\n\n**Ann:** I see.",
}


@pytest.mark.parametrize("form", FORMS)
def test_speakers_texts_and_motion_are_read_word_for_word(form: str) -> None:
    debate = read(FORMS[form])
    assert debate.motion == "Trains?"
    assert [(speech.speaker, speech.text) for speech in debate.speeches] == SPOKEN
    assert debate.left_out == ()


@pytest.mark.parametrize("form", TRANSCRIPTS)
def test_every_form_gives_its_speakers_and_their_words(form: str) -> None:
    row = TRANSCRIPTS[form]
    for breaks in ("\n", "\r\n"):
        text = row["text"].replace("\n", breaks).replace("{LRM}", "\u200e")
        debate = read(text, row.get("speakers", ()))
        speeches = [[speech.speaker, speech.text] for speech in debate.speeches]
        assert speeches == row.get("speeches", USUAL)
        assert [*debate.left_out] == row.get("left_out", [])
        assert debate.motion == row.get("motion", debate.motion)
        assert "times" not in row or [speech.at for speech in debate.speeches] == row["times"]


def test_only_those_speak_who_are_listed() -> None:
    text = "Ann: One.\n\nNote: this is hers.\n\nBen: Two.\n"
    assert [s.speaker for s in read(text, ["note", "Ben "]).speeches] == ["Note", "Ben"]
    for listed in (["Ann", "Cara"], ["Ann", "Ben", "Cara"]):
        with pytest.raises(UsageError, match=r"nobody called Cara speaks in it.*: Ann, Ben"):
            read(text, listed)


def test_headings_of_rounds_stand_between_speeches_and_are_counted() -> None:
    rounds = read("## 1\n\n### Ann\n\na\n\n### Ben\n\nb\n\n## 2\n\n### Ann\n\nc\n\n### Ben\n\nd")
    assert [speech.text for speech in rounds.speeches] == ["a", "b", "c", "d"]
    assert rounds.left_out == ("lines before the first speaker: 1", "headings between speeches: 1")


def test_long_runs_are_read_in_one_pass() -> None:
    blanks = " " * 200_000
    runs = [">" * 100_000, "note:\tb\n" * 30_000, f"A{blanks}", "Ann: x", f"# A{blanks}\nx"]
    assert len(read("\n".join([*runs, "\n" * 50_000, "x\nBen: y"])).speeches) == 2
    for text in ("1" + "\n" * 200_000 + "x", "WEBVTT\n\n0:01.000 --> 0:02.000\n<v" + ".a" * 99):
        with pytest.raises(UsageError):
            read(text)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('[{"type": "message", "text": "Hi: you"}]', "JSON"),
        ("<!DOCTYPE html>\n<p>Ann: hi</p>", "HTML"),
        ('<?xml version="1.0"?><tt/>', "XML"),
        ("{\\rtf1 Ann: hi", "Rich Text"),
        ("From: Ann <a@b.c>\nTo: Ben\nSubject: x\n\nAnn: hi\nBen: ho", "mail"),
        ("Ann 9:01\nx\nBen 9:02\ny\nAnn Gestern um 9:03\nz", "'Ann Gestern um'"),
    ],
)
def test_a_form_that_is_not_known_is_refused_by_its_name(text: str, form: str) -> None:
    with pytest.raises(UsageError, match=form) as caught:
        read(text)
    assert "WebVTT" in caught.value.hint


def test_captions_without_their_package_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "webvtt", None)
    with pytest.raises(MissingExtraError) as caught:
        read("WEBVTT\n")
    assert "documents" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Only prose.",
        "WEBVTT",
        "WEBVTT\n\n00:01.000 --> 00:02.000\nNo names.\n",
        "# T\n\n## Ann\n\nAlone.",
        "a\n\nAnn: x",
        "10:01 <@Ann> x\n10:02 < Ben> y\n10:03 <@Ann> z",
        "9:01:05 From Ann to Everyone:\n x\n9:01:40 From Ben to Ann:\n y",
        "Ann\n  9:01 AM\nx\nBen\n  9:05 AM\nToo dear: y",
        "[03/12/2024 9:01 AM] Ann\nx\n[03/12/2024 9:02 AM] Ben\nToo dear: y",
        "Ann — Today at 9:01 AM\nx\nBen — Yesterday at 9:01 AM\nToo dear: y",
        "You said: Keep it?\n\nKeep it?\nClaude responded: No.\nNo.",
        "[12.03.24, 10:01:22] Trip: \u200eAnn joined\n[12.03.24, 10:01:23] Ann: z",
        "[12.03.24, 10:01:22] Trip: \u200eAnn joined\n[12.03.24, 10:01:23] Ann: \u200eGIF",
    ],
)
def test_a_text_without_two_speakers_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="two speakers"):
        read(text)


def test_every_speaker_gets_a_name_of_its_own() -> None:
    speakers = ["Zoë B.", "Zoe B", "李", "judge", "4th", "Llama 3", "Llama 2", "x" * 99, "x" * 98]
    result = names(speakers)
    assert len(set(result.values())) == len(speakers)
    assert "judge" not in result.values()
    assert (result["Llama 3"], result["Llama 2"]) == ("llama-3", "llama-2")
    assert all(name and len(name) <= 32 for name in result.values())
