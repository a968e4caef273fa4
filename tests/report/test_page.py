"""README.md, report.html and charts: whole, the same each time, and nobody's own file lost."""

import os
import re
import shutil
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from markupsafe import Markup

from debate_ops import engine
from debate_ops.core.errors import DebateError, DiskError
from debate_ops.core.values import PRIVATE
from debate_ops.engine.store import find_folder
from debate_ops.live import server
from debate_ops.report import page
from debate_ops.report.page import write_html, write_readme
from debate_ops.report.reading import read_debate
from debate_ops.report.verdict import Level, Reason
from tests.cli.stage import say
from tests.courses import VARIED, list_steps
from tests.engine.stage import lay_down, put_replies, take_step
from tests.report import stage
from tests.report.stage import (
    EXAMPLES,
    OPENING,
    ROOT,
    attacked,
    copy_example,
    read_at,
    read_course,
    scored,
)

NAME = "human-review"
SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
varied_course = pytest.mark.parametrize("name", VARIED)


@varied_course
def test_every_entry_has_a_card_and_every_link_leads_somewhere(name: str) -> None:
    reading = read_course(name)
    html, readme = write_html(reading, lambda _: Markup()).decode(), write_readme(reading)
    ids = re.findall(r'<article class="card[^"]*" id="([^"]+)"', html)
    assert sorted(ids) == sorted({e.id for e in reading.entries})
    tags = r'(?s)<(style|script|svg)\b.*?</\1>|<a class="id".*?</a>|<[^>]*>'
    assert not {*ids} & {*re.findall(r"[\w-]+_\d{3}[\w-]*", re.sub(tags, "", html))}
    places = set(re.findall(r' id="([^"]+)"', html))
    assert {unescape(i) for i in re.findall(r'href="#([^"]+)"', html)} <= places
    entries = reading.at.debate.entries
    files = {f"{e.folder}/{e.id}.md" for e in entries.values()} | {"report.html"}
    assert set(re.findall(r"\]\(([^)#]+)\)", readme)) - files <= set()
    assert "chart:" not in readme + html
    assert not re.search("<figure (?!class=)", html)
    assert not {e.kind for e in reading.entries} & PRIVATE or "preparation" in html


@varied_course
@pytest.mark.parametrize("part", [0.3, 0.7])
def test_a_debate_under_way_can_be_shown_at_any_time(name: str, part: float) -> None:
    reading = read_course(name, max(1, int(part * len(list_steps(name)))))
    html = write_html(reading, lambda _: Markup()).decode()
    assert ("This debate is not over" in html) == bool(reading.verdict.stops_at)
    assert ('class="glance"' in html) == bool(reading.memo)


@pytest.mark.parametrize(
    ("name", "private"),
    [
        ("formal-two-pairs-and-a-judge", ">preparation<"),
        ("consensus-five-all-phases-two-cycles", "Straw poll 1"),
    ],
)
@pytest.mark.usefixtures("work")
def test_no_page_shows_before_the_end_what_only_some_may_know(name: str, private: str) -> None:
    whole = len(list_steps(name))
    for steps in (whole - 1, whole):
        rendered = page.render_report(read_debate(engine.load(lay_down(name, steps))))
        readme, html = (Path(path).read_text("utf-8") for path in rendered.files[:2])
        assert (private in readme + html) == (steps == whole)


@pytest.mark.usefixtures("work")
def test_the_page_of_a_debate_that_waits_for_a_person_has_first_answer_and_polls() -> None:
    rendered = stage.render(copy_example("agent-secrets"))
    readme, html = (Path(path).read_text("utf-8") for path in rendered.files[:2])
    for page_ in (readme, html):
        assert "This debate is not over" in page_
        assert "What an adviser said without the debate" in page_
        assert "Straw poll 1" in page_


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_of_each_example_is_what_the_program_renders(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    committed = Path("debates", name, "README.md").read_bytes()
    rendered = write_readme(read_debate(engine.load(find_folder(name))))
    assert page.wrap_block(rendered, committed) == committed


@pytest.mark.parametrize(
    ("steps", "asked", "taken", "is_shown"),
    [
        (1, None, 0, False),
        (2, None, 0, True),  # nobody has said how many exchanges there are
        (2, 0, 0, False),  # but the next is begun
        (2, 1, 0, False),
        (2, 1, 2, True),
        (2, 2, 2, False),
    ],
)
@pytest.mark.usefixtures("work")
def test_words_to_one_side_are_shown_once_that_side_may_not_reply(
    steps: int, asked: int | None, taken: int, *, is_shown: bool
) -> None:
    folder = lay_down(course := "exchange-attacks-decided", steps)
    engine.say(folder, "Be brief.", by="kim", to="opp")
    shutil.rmtree(folder.within("inbox"), ignore_errors=True)
    if asked is not None:
        engine.next_turn(folder, asked)
    for number in range(steps, steps + taken):
        put_replies(course, number)
        take_step(course, number)
    for text in (write_readme(read_debate(engine.load(folder))), server.describe_debate(folder)):
        assert ("Be brief." in text) == is_shown


def test_the_pages_of_an_exchange_show_lead_flow_and_map_and_no_judgment_twice() -> None:
    reading = read_at(attacked())
    html, readme = write_html(reading).decode(), write_readme(reading)
    for title in ("How the judge scored it", "What became of the attacks", "The map of attacks"):
        assert f">{title}</h2>" in html
        assert f"## {title}" in readme
    assert html.count("<svg") == 2
    for fold, head in (
        ("The numbers", "After"),
        ("Each of them, and what the words mean", "Attacks"),
    ):
        for written in (html, readme):
            folded = written.partition(f"<details>\n<summary>{fold}</summary>")[2]
            assert head in folded.partition("</details>")[0]
    assert 'data-of="prop_002"' in html
    assert 'class="card side-0" id="prop_001"' in html
    assert 'Why <a href="#prop_000a">“Title of proposition&#39;s argument”</a>.' in html


def test_the_policy_of_the_page_names_its_own_style_and_script_alone() -> None:
    html = write_html(read_at(scored(0, 0, 0, 0, 0, 0))).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    assert "default-src 'none'" in unescape(policy[1])
    assert unescape(policy[1]).count("sha256-") == 2
    assert " style=" not in html
    assert not re.search(r'(?:src|href)="(?!#|https?:)', html)
    assert read_at(scored(0, 0, 0, 0, 0, 0)).verdict.sureness.capitalize() in html
    assert len(OPENING) == html.count("<article") - 1


@pytest.mark.parametrize("number", [2, 3, 4])
def test_three_reasons_are_open_those_that_raise_trust_last(number: int) -> None:
    reading = read_at(scored(0, 0, 0, 0, 0, 0))
    lower = [Reason(f"reason {n}", Level.LOW) for n in range(1, number)]
    reasons = (Reason("a panel agrees", raises=True), *lower)
    reading.verdict = replace(reading.verdict, reasons=reasons)
    card = write_html(reading).decode().partition('id="sure.title"')[2].partition("</section>")[0]
    said = re.findall(r'<li class="(\w+)">(.*?)</li>', card)
    expected = [("lowers", f"Reason {n}.") for n in range(1, number)]
    assert said == [*expected, ("raises", "A panel agrees.")]
    assert ("<details><summary>1 more reason</summary>" in card) == (number > 3)


def test_the_first_screen_leads_to_the_facts() -> None:
    at = scored(0, 0, 0, 0, 0, 0)
    assert 'href="#facts"' not in write_html(read_at(at)).decode()
    at.debate.documents = (("facts.md", "- It rains.\n- It pours.\n"),)
    html = write_html(read_at(at)).decode()
    assert '<a class="quiet top" href="#facts">The&nbsp;facts&nbsp;given</a>' in html
    assert '<pre id="facts" dir="auto">- It rains.' in html


@pytest.fixture
def folder(work: Path) -> Path:  # noqa: ARG001
    return Path(copy_example(NAME).path)


def render() -> page.Rendered:
    return stage.render(find_folder(NAME))


def test_a_report_is_rendered_once_and_again_only_where_something_changed(folder: Path) -> None:
    first = render()
    assert not first.unchanged
    assert not first.warnings
    assert {Path(f).name for f in first.files} >= {"README.md", "report.html", "panel-dark.png"}
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert render().unchanged
    assert all(path.read_bytes() == data for path, data in before.items())
    (folder / "charts" / "panel-dark.png").unlink()
    assert not render().unchanged
    assert {path: path.read_bytes() for path in before} == before


def test_notes_around_the_page_stay(folder: Path) -> None:
    render()
    readme = folder / "README.md"
    readme.write_text(f"# Mine\n\n{readme.read_text('utf-8')}\nBelow.\n", encoding="utf-8")
    page_file = folder / "report.html"
    page_file.unlink()
    assert not render().warnings
    text = readme.read_text("utf-8")
    assert text.startswith("# Mine\n\n<!-- debate-ops:begin")
    assert text.endswith("\nBelow.\n")
    assert text.count("<!-- debate-ops:begin") == 1


@pytest.mark.parametrize("name", ["README.md", "report.html", "charts/panel-light.png"])
def test_what_somebody_else_wrote_is_moved_away(folder: Path, name: str) -> None:
    path, own = folder / name, b"My own words."
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(own)
    (warning,) = render().warnings
    assert (folder / warning.file).read_bytes() == own
    assert render().unchanged


def test_pictures_of_ours_that_are_no_longer_shown_go(folder: Path) -> None:
    render()
    old = folder / "charts" / "issues-light.png"
    old.write_bytes((folder / "charts" / "panel-light.png").read_bytes())
    (folder / "charts" / "mine.png").write_bytes(b"mine")
    render()
    assert not old.exists()
    assert (folder / "charts" / "mine.png").read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("name", "where", "why"),
    [
        ("README.md", "/nowhere", "README.md is a symbolic link"),
        ("report.html", "/nowhere", "report.html is a symbolic link"),
        ("charts", "/nowhere", "charts: File exists"),
        ("charts", "../../elsewhere", "charts is a symbolic link"),
    ],
)
def test_a_link_in_the_way_is_refused(folder: Path, name: str, where: str, why: str) -> None:
    Path("elsewhere").mkdir()
    os.symlink(where, folder / name)
    with pytest.raises(DebateError, match=why) as caught:
        render()
    assert "Name the file" not in caught.value.hint


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(folder: Path) -> None:
    folder.chmod(0o500)
    with pytest.raises(DiskError, match="cannot be written"):
        render()


def test_what_was_edited_is_said_on_the_page(folder: Path) -> None:
    opening = folder / "arguments" / "aff_001-opening.md"
    opening.write_text(opening.read_text("utf-8").replace("Every", "No"), encoding="utf-8")
    assert [f.file for f in read_debate(engine.load(find_folder(NAME))).edits]
    render()
    html = (folder / "report.html").read_text("utf-8")
    assert 'class="banner"' in html
    readme = (folder / "README.md").read_text("utf-8")
    assert readme.index("> **arguments/aff") < readme.index("\n# ")
    assert "warning: arguments/aff_001-opening.md: it was edited" in say("status", NAME).err
