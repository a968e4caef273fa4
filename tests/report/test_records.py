"""What stands beside a verdict: who made it, how they did before, judged anew, and the index."""

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from debate_ops.report.comparison import compare_judgments, write_comparison
from debate_ops.report.memo import list_highlights
from debate_ops.report.page import Rendered, render_all
from debate_ops.report.provenance import (
    describe_makers,
    find_judges,
    find_provenance,
    measure_usage,
)
from tests.report.stage import (
    OPENING,
    argument,
    copy_example,
    exchange,
    judgment,
    read_example,
    scored,
)


@pytest.mark.parametrize(
    ("origins", "said"),
    [
        ([], "not recorded"),
        ([{}], "not recorded"),
        ([{"model": "m-1"}] * 3, "m-1"),
        ([{"model": "m-1", "client": "x"}, {"person": "Ann"}], "m-1, client x and person Ann"),
        ([{"model": "m-1"}, {}], "m-1; not recorded for 1 of 2"),
        ([{"replay_of": {"made_by": {"model": "m-1"}}}], "m-1; replayed"),
    ],
)
def test_makers_are_named_once_and_what_is_not_known_is_counted(
    origins: list[dict[str, object]], said: str
) -> None:
    assert describe_makers(origins) == said


def test_costs_are_of_replies_and_not_of_entries() -> None:
    made = {"model": "m-1", "tokens": {"input": 100, "output": 20}, "latency_ms": 1500}
    made |= {"cost_usd": 0.25}
    entries = [replace(argument(i), header={"made_by": made}) for i in OPENING]
    at = exchange(*entries, judgment(0, dict.fromkeys(OPENING, 0)))
    assert measure_usage(at).tokens == 240
    prop, _, judge = find_provenance(at)
    assert (prop["replies"], prop["makers"], judge["makers"]) == (1, "m-1", "m-1")


def test_a_page_compares_answers_by_what_the_first_screen_of_each_says() -> None:
    readings = [read_example(name) for name in ("outdoor-pool", "leap-seconds")]
    page = write_comparison("Should we?", readings, ["cmd:one", "cmd:two"]).decode()
    for reading in readings:
        assert reading.memo
        highlights = [said for _, said in list_highlights(reading.memo, 100) if said]
        beginnings = {s.partition(" (")[0].partition("'")[0].rpartition(" ")[0] for s in highlights}
        parts = (reading.verdict.sureness, f'href="{reading.folder.slug}/report.html"')
        assert {each for each in (*beginnings, *parts) if each not in page} == set()
    readings[0].verdict = replace(readings[0].verdict, favoured="prop")
    opposed = write_comparison("Should we?", readings, ["cmd:one", "cmd:two"]).decode()
    assert "<strong>the debate itself came out the other way</strong>" in opposed


def test_judgments_of_one_record_are_put_beside_each_other() -> None:
    first, second = scored(0.5, 0, 0, 0, 0, -0.5), scored(0.1, 0, 0, 0, 0, -0.1)
    third = scored(-0.2, 0, 0, 0, 0, 0.2)
    assert compare_judgments([("a", first), ("b", exchange(argument("prop_000a")))]) == ({}, [])
    data, _ = compare_judgments([("a", first), ("b", second)])
    assert data["lead"]["scores"] == [Decimal("1.0"), Decimal("0.2")]
    assert data["agreement"] == "All judges agree: 2 for the proposition."
    assert data["arguments"][0]["scores"] == [Decimal("0.5"), Decimal("0.1")]
    _, lines = compare_judgments([("a", first), ("c", third)])
    assert lines[-1] == "The judges differ: 1 for the proposition and 1 for the opposition."
    assert "+0.50  −0.20, 0.70 apart" in lines[0]  # noqa: RUF001


RESULT = {
    "models": ["m-1"],
    "panel": 1,
    "set": "nyu",
    "with_debate": {"number": 30, "accuracy": 0.9, "brier": 0.08},
}


@pytest.mark.usefixtures("work")
def test_a_judge_is_known_by_its_calibrations_beside_the_debate() -> None:
    folder = copy_example("human-review")
    place = Path("debates/calibration/nyu/m-1")
    place.mkdir(parents=True)
    (place / "result.json").write_text(json.dumps(RESULT), encoding="utf-8")
    at = scored(0, 0, 0, 0, 0, 0)
    (known,) = find_judges(folder, at)
    assert known.describe() == (
        "The judge (m-1) on debates with known answers: right in 27 of 30 (90 %), "
        "all between people, about stories that it had not read"
    )
    (place / "result.json").write_text(json.dumps(RESULT | {"panel": 3}), encoding="utf-8")
    assert find_judges(folder, at)[0].records == (), "a panel's record is no judge's"
    for damaged in ("{}", json.dumps(RESULT).replace("30", "1e400")):
        (place / "result.json").write_text(damaged, encoding="utf-8")
        assert find_judges(folder, at)[0].describe() == ""


@pytest.mark.usefixtures("work")
def test_the_index_has_a_line_for_each_debate_and_one_that_fails_hides_no_other() -> None:
    copy_example("human-review")
    copy_example("city-cars")
    assert all(isinstance(made, Rendered) for made in render_all().debates.values())
    text = Path("debates/index.md").read_text("utf-8")
    assert "(human-review/README.md)" in text
    assert "| No verdict is sought |" in text
    html = Path("debates/index.html").read_text("utf-8")
    assert 'href="city-cars/report.html"' in html
    assert "<script" not in html
    assert render_all().unchanged
    Path("debates/index.html").write_text("My own", encoding="utf-8")
    (moved,) = render_all().warnings
    assert Path("debates", moved.file).read_text(encoding="utf-8") == "My own"
    assert (render_all().unchanged, render_all().warnings) == (True, [])

    Path("debates/city-cars/debate.md").write_text("spoilt", "utf-8")
    made = render_all().debates
    assert [slug for slug in made if not isinstance(made[slug], Rendered)] == ["city-cars"]
    assert "human-review" in Path("debates/index.md").read_text("utf-8")
