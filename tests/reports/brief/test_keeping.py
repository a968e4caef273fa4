"""A brief in the folder of its debate: taken in, read back, outgrown, or laid there by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.errors import ToRepairError
from debate_ops.formats import brief_file
from debate_ops.formats.brief_file import Kept
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.reports import brief, table
from debate_ops.reports.blocks import Anchor, Listing
from debate_ops.reports.brief import Brief, body, checks
from debate_ops.reports.brief.keeping import prompt
from debate_ops.reports.exchange import report
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.render import render
from debate_ops.reports.view import View
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder
from tests.builders import debate_at, hold, record_of, written
from tests.every_protocol.stage import RICH, aside, history, restore
from tests.gfm import rendered
from tests.reports.brief import stage
from tests.reports.brief.stage import LANGUAGES, POINT, Data, brief_of, view
from tests.reports.debates import long_debate
from tests.reports.pages import check

PAGES = ("README.md", "report.html")
pytestmark = pytest.mark.usefixtures("work")


def view_of(folder: Folder) -> View:
    return table.view_of(engine.look(folder).debate)


def taken(folder: Folder) -> Data:
    data = brief_of(view_of(folder))
    brief.take(folder, written("given.json", data))
    return data


def now(folder: Folder) -> tuple[Brief | None, list[str]]:
    """Return the brief as it is read back, and the codes of what is warned of."""
    kept, warnings = brief.of(folder, view_of(folder))
    return kept, [warning.code for warning in warnings]


def test_what_was_taken_in_is_read_back_and_stands_on_both_pages() -> None:
    folder = debate_at(2)
    data = taken(folder)
    text = Path(folder.path, "brief.md").read_text(encoding="utf-8")
    check(text.split("\n---\n", 1)[1], Path(folder.path))
    kept, warnings = now(folder)
    assert kept is not None
    assert (kept.data["answer"], kept.out_of_date, warnings) == ((data["answer"],), False, [])
    view = view_of(folder)
    sums = body.sums(kept.data, view)
    assert sum(total for _, total in sums) == view.lead
    assert [issue["arguments"] for issue, _ in sums] == [
        tuple(item["arguments"]) for item in data["issues"]
    ]
    render(folder)
    assert all(data["answer"] in text for text in pages(folder))
    assert render(folder).unchanged


def test_a_step_says_what_it_rests_on() -> None:
    shown = view("English")
    content = checks.read(stage.brief("English"), shown).content
    assert content
    (details,) = [s for s in body.sections(content, shown) if s.key == "details"]
    (listed,) = details.blocks
    assert isinstance(listed, Listing)
    assert [span for span in listed.lines[0] if isinstance(span, Anchor)]


def test_who_made_it_is_kept_where_it_is_known() -> None:
    folder = debate_at(2)
    place = brief.write_prompt(folder, view_of(folder))
    inbox.put(place, json.dumps(brief_of(view_of(folder))).encode(), {"model": "m-1"})
    brief.take(folder, place.reply)
    kept = brief_file.parse(Path(folder.path, "brief.md").read_text(encoding="utf-8"))
    assert kept.made_by == {"model": "m-1"}


OUTGROW: dict[str, Callable[[Folder], object]] = {
    "another exchange": lambda folder: (hold(folder), hold(folder)),
    "an undo": engine.undo,
    "an edit of an entry": lambda folder: edit(folder, "judgments/judge_001.md"),
    "an edit of the motion": lambda folder: edit(folder, "debate.md"),
}


def edit(folder: Folder, name: str) -> None:
    with Path(folder.path, name).open("a", encoding="utf-8") as file:
        file.write("\nMore.\n")


@pytest.mark.parametrize("name", OUTGROW)
def test_a_brief_of_another_record_is_out_of_date_and_no_longer_shown(name: str) -> None:
    folder = debate_at(2)
    taken(folder)
    OUTGROW[name](folder)
    kept, codes = now(folder)
    assert kept is not None
    assert (kept.out_of_date, kept.step, codes) == (True, 4, ["brief_out_of_date"])
    assert "brief_out_of_date" in {warning.code for warning in render(folder).warnings}
    assert brief_of(view_of(folder))["answer"] not in "".join(pages(folder))


def pages(folder: Folder) -> list[str]:
    return [Path(folder.path, name).read_text(encoding="utf-8") for name in PAGES]


def laid(folder: Folder, **changes: object) -> None:
    """Lay a brief into the folder by hand that claims to be of its record."""
    debate = engine.look(folder).debate
    reply = brief_of(view_of(folder)) | changes
    kept = Kept(reply, debate.step, engine.of_whole_record(debate))
    text = brief_file.compose(kept, "What the body says is never read.")
    Path(folder.path, "brief.md").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "changes",
    [
        {"answer": "It won by 77 points."},
        {"direction": "opp"},
        {"story": {}},
        {"sections": [1]},
        {"why": "word " * 300_000},
    ],
    ids=["a number", "a direction", "a part missing", "a wrong form", "a flood"],
)
def test_a_brief_laid_there_by_hand_is_held_to_the_record_too(changes: Data) -> None:
    folder = debate_at(2)
    laid(folder, **changes)
    kept, codes = now(folder)
    assert kept is None
    assert codes[0] == "brief_left_out"
    assert 2 <= len(codes) <= 6
    assert "brief_left_out" in {warning.code for warning in render(folder).warnings}
    assert "77 points" not in "".join(pages(folder))


@pytest.mark.parametrize("text", ["", "# A brief", "---\n{}\n---\n", "---\n[", "\ud7ff" * 9])
def test_a_file_without_a_brief_is_left_out_and_read_without_failing(text: str) -> None:
    folder = debate_at(1)
    Path(folder.path, "brief.md").write_text(text, encoding="utf-8")
    assert now(folder) == (None, ["brief_left_out"])


def test_no_mark_in_a_brief_is_more_than_text_on_any_page() -> None:
    folder = debate_at(2)
    evil = "<script>x</script> ![a](//e.example/x.png) [b](//e.example) # c | `d` [[prop_000a]]"
    laid(folder, why=[evil], confidence=f"# {evil}")
    render(folder)
    readme, html = pages(folder)
    for shown in (rendered(readme), html):
        assert "<script>x" not in shown
        assert "e.example" not in "".join(re.findall(r'(?:href|src)="[^"]*"', shown))
        assert "&lt;script&gt;x" in shown


def test_a_refused_brief_changes_nothing_and_leaves_a_repair_prompt() -> None:
    folder = debate_at(2)
    taken(folder)
    before = record_of(folder)
    false = written("false.json", brief_of(view_of(folder)) | {"answer": "By 77.", "why": []})
    with pytest.raises(ToRepairError) as refused:
        brief.take(folder, false)
    assert {fault.code for fault in refused.value.faults} == {"loose_number", "too_few"}
    assert all(fault.line and fault.file == false for fault in refused.value.faults)
    assert "77: " in Path(refused.value.repair_prompt).read_text(encoding="utf-8")
    assert record_of(folder) == before


def test_a_reply_to_another_prompt_cannot_pass_for_a_new_one() -> None:
    folder = debate_at(2)
    place = brief.write_prompt(folder, view_of(folder))
    Path(place.reply).write_text("{}", encoding="utf-8")
    brief.write_prompt(folder, view_of(folder))
    assert Path(place.reply).exists()
    hold(folder)
    hold(folder)
    brief.write_prompt(folder, view_of(folder))
    assert not Path(place.reply).exists()


def completed(protocol: str) -> View:
    """Return a debate that came to the end of its script."""
    with aside():
        folder = restore(history(protocol, dict(RICH)[protocol])[-1])
        return table.view_of(engine.look(folder).debate)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_brief_written_by_the_prompt_of_any_protocol_is_taken(protocol: str) -> None:
    shown = completed(protocol)
    text = prompt(shown)
    assert checks.read(brief_of(shown), shown).faults == ()
    assert all(f"{{{name}}} = " in text for name in shown.data)
    assert all(f'id="{item.id}"' in text for item in shown.content.items)
    assert all(f"> {choice}: " in text for choice in shown.choices)


def test_of_a_long_debate_the_oldest_entries_are_given_by_their_titles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("debate_ops.reports.brief.keeping._CHARACTERS", 500)
    settings = {"history_characters": 1000, "language": ""}
    shown = report.view(Scoreboard(long_debate(20, settings=settings)))
    text = prompt(shown)
    said = [item for item in shown.content.items if item.is_said]
    whole = [item for item in said if f'<entry id="{item.id}"' in text]
    assert whole == said[-len(whole) :] != said
    assert f"> {said[0].id}: " in text
    assert sum(len(words) for item in whole for _, words in item.texts) <= 1000


def test_the_first_answer_and_the_context_are_handed_on_in_quoted_lines() -> None:
    text = prompt(view("English")._replace(first_answer="Probably yes, but second."))
    assert "> Probably yes, but second." in text
    assert f"> {POINT}: {LANGUAGES['English'].point}" in text


def test_the_prompt_says_whom_a_participant_was_asked_to_be() -> None:
    shown = completed("chairs")
    settings = shown.debate.settings
    chair = {**settings["participants"][0], "persona": "A retired ferry captain"}
    others = settings["participants"][1:]
    debate = shown.debate._replace(settings={**settings, "participants": [chair, *others]})
    cast = shown._replace(content=shown.content._replace(debate=debate))
    line = next(line for line in prompt(cast).splitlines() if "A retired ferry captain" in line)
    assert line.startswith(f"> {chair['name']}: ")
