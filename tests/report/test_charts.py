"""Charts say their numbers, the same bytes each time, with nothing cut, over another or alive."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from matplotlib.textpath import TextPath
from PIL import Image

from debate_ops.report import charts
from debate_ops.report.charts import PALETTES, SIZE, Chart, Row, words
from debate_ops.report.verdict import find_verdict
from tests.hostile.texts import TEXTS
from tests.report.stage import OPENING, argument, attacked, exchange, judgment, read_at

NAME = "A name of exactly forty characters long!"
ENDS = ("keep it open in winter, if possible with a night cover", "close it from November to March")


def lead(*values: float) -> Chart:
    steps = tuple(Row(f"exchange {n}", (v,), f"{abs(v):.2f}") for n, v in enumerate(values))
    return Chart("lead", "The lead", steps, "steps", "in points", ENDS)


MANY = [((n * 37) % 23 - 11) / 20 for n in range(120)]
VOTES = tuple(Row(NAME, (n % 7 / 10,), f"{n} votes", n % 2) for n in range(35))
COURSE = tuple(Row(NAME, (-0.4, n / 20, 0.1), "-0.40 → +0.05 → +0.10", 1) for n in range(3))
CHARTS: dict[str, Chart] = {
    "two exchanges": lead(0.05, -0.3),
    "a valley": lead(0.4, 0.5, 0.45, 0.15, 0.45),
    "never ahead": lead(-0.1, -0.5, -0.2),
    "level": lead(0, 0, 0),
    "120 exchanges": lead(*MANY),
    "35 proposals": Chart("a", NAME, VOTES, limit=(0.8, "80 % needed")),
    "nothing but 0": Chart("a", NAME, (Row(NAME, (0,), "even"),) * 2),
    "courses": Chart("a", NAME, COURSE, "course", limit=(0.5, "even"), most=1),
    "courses of two ways": Chart("a", NAME, COURSE, "course"),
}
every_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)


def texts(svg: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter("text"))  # noqa: S314


def place(text: ET.Element) -> tuple[float, float, float, float]:
    """Return what a text covers, in a wide font: left, top, right, bottom."""
    wide = TextPath((0, 0), text.text or "", SIZE).get_extents().width
    x, y = float(text.get("x", "")), float(text.get("y", ""))
    left = x - {"end": 1.0, "middle": 0.5}.get(text.get("text-anchor", ""), 0) * wide
    return left, y - 0.7 * SIZE, left + wide, y + 0.15 * SIZE


def test_letters_are_large_enough_on_a_phone() -> None:
    assert SIZE * 343 / charts.WIDTH >= 11


WORDY = [argument(an_id, title=f"{NAME} {NAME}") for an_id in OPENING]
ATTACKING = [argument("prop_001", ["opp_000a"], title=NAME), argument("opp_001", ["prop_001"])]
MAPS = {
    "a map": attacked(),
    "a map of long titles": exchange(*WORDY, judgment(0, dict.fromkeys(OPENING, 0)), *ATTACKING),
}
PICTURES = {
    **{name: partial(charts.svg, chart) for name, chart in CHARTS.items()},
    **{name: lambda at=at: find_verdict(at).pictures["map"]().svg for name, at in MAPS.items()},
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_texts_and_boxes_are_inside_and_not_over_one_another(draw: Callable[[], str]) -> None:
    root = ET.fromstring(draw())  # noqa: S314
    high = float(root.get("viewBox", "").split()[3])
    said = {(text.text, place(text)) for text in root.iter("text") if text.text}
    boxes = [frame(rect) for rect in root.iter("rect") if rect.get("class") == "hit"]
    for text, (left, top, right, bottom) in said:
        assert -1 <= left <= right <= charts.WIDTH + 1, text
        assert 0 <= top <= bottom <= high, text
        for box in boxes:
            is_inside = box[0] <= left <= right <= box[2] and box[1] <= top <= bottom <= box[3]
            assert is_inside or are_apart((left, top, right, bottom), box), text
    assert [pair for pair in combinations(said, 2) if not are_apart(pair[0][1], pair[1][1])] == []
    assert [pair for pair in combinations(boxes, 2) if not are_apart(*pair)] == []


def frame(rect: ET.Element) -> tuple[float, float, float, float]:
    x, y, wide, high = (float(rect.get(key, "")) for key in ("x", "y", "width", "height"))
    return x, y, x + wide, y + high


def are_apart(a: Sequence[float], b: Sequence[float]) -> bool:
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return across <= 1 or down <= 1


@every_chart
@pytest.mark.slow
def test_a_chart_is_the_same_bytes_each_time_in_the_colours_of_a_theme(chart: Chart) -> None:
    first = charts.svg(chart), charts.png(chart, PALETTES["dark"])
    charts.svg.cache_clear()
    charts.png.cache_clear()
    assert (charts.svg(chart), charts.png(chart, PALETTES["dark"])) == first
    with Image.open(BytesIO(first[1])) as image:
        ground = image.convert("RGB").tobytes()[:3]
    assert ground == bytes.fromhex(PALETTES["dark"].ground[1:])
    dots = sum(len(row.values) for row in chart.rows) if chart.form != "bars" else 0
    assert first[0].count("<circle ") == dots
    assert "#" not in first[0].partition(">")[2]
    assert " id=" not in first[0]
    assert " style=" not in first[0]


@pytest.mark.parametrize(
    "text", [*TEXTS.values(), "$x^2$", "$\\frac{$", "<script>alert(1)</script>"]
)
@pytest.mark.slow
def test_a_hostile_label_is_shown_and_does_nothing(text: str) -> None:
    chart = Chart("a", "t", (Row(text, (1,), text), Row("b", (2,), "2")), limit=(1, text))
    svg = charts.svg(chart)
    tags = {part.tag for part in ET.fromstring(svg).iter()}  # noqa: S314
    assert tags == {"svg", "path", "text"}
    assert "$x^2$" not in text or "$x^2$" in "".join(t.text or "" for t in texts(svg))
    assert charts.png(chart, PALETTES["light"])


@pytest.mark.parametrize(
    ("chart", "said"),
    [
        (lead(0.05, -0.3), "The lead: exchange 0: B, by 0.05; exchange 1: A, by 0.30"),
        (Chart("a", "Points", COURSE[:1]), "Points: X: -0.40 → +0.05 → +0.10"),
        (Chart("a", "V", VOTES[1:2], limit=(1, "all")), "V: X: 1 votes; dashed line: all"),
    ],
)
def test_a_chart_is_said_to_those_who_do_not_see_it(chart: Chart, said: str) -> None:
    plain = words(chart).replace(NAME, "X").replace(ENDS[0], "A").replace(ENDS[1], "B")
    assert plain == said


def test_a_single_number_is_not_drawn_and_the_first_and_last_scores_of_one_argument_are() -> None:
    one, course = Chart("a", "t", (Row("b", (1,), "1"),)), Chart("a", "t", COURSE[:1], "course")
    reading = read_at(exchange())
    reading.verdict = replace(reading.verdict, charts=(one, lead(1), course))
    assert reading.charts == (course,)


def test_matplotlib_is_imported_for_drawing_alone() -> None:
    asked = "import sys, debate_ops.report.page; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
