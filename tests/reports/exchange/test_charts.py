"""The charts: well-formed, complete, the same bytes each time, whatever a title says."""

from __future__ import annotations

import os
import re
from pathlib import Path
from subprocess import run
from sys import executable
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.model.debate import Debate
from debate_ops.reports import painting
from debate_ops.reports.canvas import Sheet
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.exchange import numbers, words
from debate_ops.reports.exchange.charts import NEWEST, labelled, ticks
from debate_ops.reports.exchange.kind import LEAD, MAP, SCORES
from debate_ops.reports.exchange.report import pictures
from tests.reports.debates import (
    OPENING,
    TITLES,
    argument,
    debate,
    judgment,
    long_debate,
    short_debate,
)
from tests.reports.sheets import check, outlines, said

ID = r"(prop|opp)_\d{3}[abc]?"


def sheet(of: Debate, name: str) -> Sheet:
    return pictures(numbers.of(of))[name].sheet


def texts(of: Debate, name: str) -> list[str]:
    return said(sheet(of, name))


def hollow_marks(of: Debate, name: str) -> int:
    """Count marks that are filled with the ground."""
    drawn = outlines(sheet(of, name))
    return sum(shape.fill == "ground" and bool(shape.stroke) for shape in drawn)


def svg() -> str:
    return painting.svg(pictures(numbers.of(short_debate()))[SCORES])


def test_a_chart_is_well_formed_and_the_same_each_time() -> None:
    assert ET.fromstring(svg()).tag.endswith("svg")  # noqa: S314  (our own picture)
    assert svg() == svg()


@pytest.mark.parametrize("theme", PALETTES)
def test_a_png_is_the_same_each_time(theme: str) -> None:
    picture = pictures(numbers.of(long_debate(2)))[MAP]
    drawn = painting.png(picture, PALETTES[theme])
    assert drawn.startswith(b"\x89PNG")
    assert drawn == painting.png(picture, PALETTES[theme])


def drawn_elsewhere(folder: Path, cache: Path, **changes: str) -> tuple[str, str]:
    """Draw in another process that works in `folder` and keeps its cache in `cache`.

    Returns the chart, and what was said about settings.
    """
    code = (
        "import sys; from debate_ops.reports import painting;"
        "from debate_ops.reports.exchange import numbers, report;"
        "from tests.reports.debates import short_debate;"
        "drawn = report.pictures(numbers.of(short_debate()));"
        "sys.stdout.write(painting.svg(drawn['scores']))"
    )
    root = str(Path(__file__).parents[3])
    environment = {"PYTHONPATH": root, "XDG_CACHE_HOME": str(cache), "PYTHONUTF8": "1"}
    done = run(
        [executable, "-c", code],
        cwd=folder,
        env=environment | changes,
        capture_output=True,
        check=True,
        timeout=60,
    )
    remarks = [line for line in done.stderr.decode("utf-8").splitlines() if "matplotlibrc" in line]
    return done.stdout.decode("utf-8").replace("\r\n", "\n"), "\n".join(remarks)


def test_letters_are_of_the_viewers_own_font() -> None:
    assert "'Helvetica', 'Arial', sans-serif" in svg()
    assert "DejaVu" not in svg()


SETTINGS = "savefig.bbox: tight\nfont.size: 40\nlines.dashed_pattern: 9, 9\nno such key: \x1b[2J\n"


@pytest.mark.parametrize(
    "variable", ["", "MATPLOTLIBRC", "MPLCONFIGDIR", "XDG_CONFIG_HOME", "HOME"]
)
def test_another_process_with_settings_of_its_own_gives_the_same_bytes(
    tmp_path: Path, variable: str
) -> None:
    """Settings in the working folder, or wherever a user may keep some."""
    folder = {"XDG_CONFIG_HOME": "matplotlib", "HOME": ".config/matplotlib"}.get(variable, "")
    settings = tmp_path / folder / "matplotlibrc"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(SETTINGS, encoding="utf-8")
    here = svg()
    elsewhere = tmp_path / "working"
    elsewhere.mkdir()
    changes = {variable: str(tmp_path)} if variable else {}
    folder_of_work = elsewhere if variable else tmp_path
    assert drawn_elsewhere(folder_of_work, tmp_path / "cache", **changes) == (here, "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_in_the_place_of_settings_stops_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "matplotlibrc")
    here = svg()
    assert drawn_elsewhere(tmp_path, tmp_path / "cache") == (here, "")


def test_the_list_of_fonts_is_kept_in_the_cache_folder(tmp_path: Path) -> None:
    drawn_elsewhere(tmp_path, tmp_path / "cache")
    assert (tmp_path / "cache" / "debate-ops" / "matplotlib").is_dir()


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder", encoding="utf-8")
    here = svg()
    assert drawn_elsewhere(tmp_path, tmp_path / "cache")[0] == here


def test_a_relative_cache_folder_is_not_used(tmp_path: Path) -> None:
    drawn_elsewhere(tmp_path, Path("cache"), HOME=str(tmp_path / "home"))
    assert not (tmp_path / "cache").exists()
    assert (tmp_path / "home/.cache/debate-ops/matplotlib").is_dir()


def test_a_chart_says_in_words_what_it_shows() -> None:
    shown = texts(short_debate(), LEAD)
    assert "The proposition is ahead by 1.70" in shown
    assert {"opening", "1", "2", "proposition ahead", "opposition ahead"} <= set(shown)
    alt = words.scores_alt(numbers.of(short_debate()))
    assert f"<title>{alt}</title>" in svg()


def test_rescores_are_marked() -> None:
    assert hollow_marks(short_debate(), SCORES) == 1
    assert "+0.40 → +0.15" in texts(short_debate(), SCORES)


def test_a_score_that_came_back_shows_that_it_moved() -> None:
    made = debate(
        argument("prop_001"),
        judgment(1, {"prop_001": -100}),
        argument("prop_002"),
        judgment(2, {"prop_002": 0}, {"prop_001": (-100, -150)}),
        argument("prop_003"),
        judgment(3, {"prop_003": 0}, {"prop_001": (-150, -100)}),
    )
    now = "\N{MINUS SIGN}0.10"
    assert f"… → {now}" in texts(made, SCORES)
    assert f"prop_001 from {now} to {now} in 2 steps." in words.scores_alt(numbers.of(made))


@pytest.mark.parametrize("number", [2, 9, 400])
def test_the_head_of_the_scores_is_short_however_many_tie(number: int) -> None:
    ids = [f"prop_{i:03d}" for i in range(1, number + 1)]
    made = debate(*(value for i in ids for value in (argument(i), judgment(int(i[5:]), {i: 200}))))
    head = " ".join(texts(made, SCORES)[:2])
    assert head.startswith(f"Highest: +0.20 ({number} arguments). Lowest: +0.20 ({number}")


def test_without_rescores_no_mark_is_hollow_and_none_is_explained() -> None:
    plain = debate(*(argument(i) for i in OPENING), judgment(0, dict.fromkeys(OPENING, 0)))
    assert hollow_marks(plain, SCORES) == 0
    assert not any("Hollow" in text for text in texts(plain, SCORES))


def test_every_argument_has_a_row_and_an_unscored_one_says_so() -> None:
    made = debate(*(argument(i) for i in OPENING))
    shown = texts(made, SCORES)
    assert set(OPENING) <= set(shown)
    assert shown.count("not scored") == 6


def test_of_a_long_debate_the_newest_arguments_are_shown_and_it_says_so() -> None:
    shown = texts(long_debate(40), SCORES)
    rows = [text for text in shown if re.fullmatch(ID, text)]
    assert len(rows) == NEWEST
    assert "Score of each argument: the 60 newest of 86" in shown


@pytest.mark.parametrize("exchanges", [0, 1, 17, 120])
@pytest.mark.parametrize("name", [LEAD, SCORES])
def test_letters_can_be_read_on_a_phone_and_lie_on_no_others(name: str, exchanges: int) -> None:
    check(sheet(long_debate(exchanges), name))


def test_arguments_are_sorted_by_their_score() -> None:
    rows = [text for text in texts(short_debate(), SCORES) if re.fullmatch(ID, text)]
    own = {s.argument.id: s.score or 0 for s in numbers.of(short_debate()).standings}
    assert sorted(own) == sorted(rows)
    assert [own[row] for row in rows] == sorted(own.values(), reverse=True)


@pytest.mark.parametrize(
    ("scores", "ends"),
    [
        ((-600, 200), ("-0.75", "+0.25")),
        ((0, 0), ("-0.25", "+0.25")),
        ((-1000, 1000), ("-1.00", "+1.00")),
    ],
)
def test_scores_are_drawn_as_large_as_they_go(
    scores: tuple[int, int], ends: tuple[str, str]
) -> None:
    made = debate(
        argument("prop_001"),
        argument("opp_001"),
        judgment(1, dict(zip(("prop_001", "opp_001"), scores, strict=True))),
    )
    shown = [text.replace("\N{MINUS SIGN}", "-") for text in texts(made, SCORES)]
    assert {*ends, "0.00"} <= set(shown)


def test_a_debate_without_a_judgment_is_drawn_and_says_so() -> None:
    assert "No exchange has been judged yet" in texts(debate(), LEAD)


@given(title=st.text(max_size=80) | st.sampled_from(TITLES), motion=st.text(max_size=200))
@settings(max_examples=15)
def test_no_title_or_motion_breaks_a_chart(title: str, motion: str) -> None:
    made = debate(argument("prop_001", title=title), judgment(1, {"prop_001": 0}), motion=motion)
    for picture in pictures(numbers.of(made)).values():
        drawn = painting.svg(picture)
        assert "<script" not in drawn
        assert ET.fromstring(drawn).tag.endswith("svg")  # noqa: S314  (our own picture)


def test_dollar_signs_are_letters_and_no_formula() -> None:
    made = debate(argument("prop_001", title="From $5 to $6_x"))
    assert "From $5 to $6_x" in texts(made, SCORES)


@given(st.integers(-60_000, 60_000), st.integers(1, 60_000))
def test_a_scale_has_few_round_ticks_and_zero_among_them(low: int, high: int) -> None:
    shown = ticks(min(low, 0) - 100, high + 100)
    assert 0 in shown
    assert 2 <= len(shown) <= 8


@given(st.integers(1, 2000))
def test_exchanges_are_named_by_whole_numbers_as_far_as_there_is_room(rounds: int) -> None:
    shown = labelled(rounds)
    assert shown[-1] == rounds - 1
    assert len(shown) <= 12
    assert shown == sorted(set(shown))
