"""The commands `run` and `demo`: what they tell at their end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import debate_at, record_of, run
from tests.cli.stage import put, say

pytestmark = pytest.mark.usefixtures("work")


def test_run_that_has_ended_tells_how_to_see_it_unless_it_is_quiet() -> None:
    recorded = debate_at(2)
    ends = []
    for slug, options in (("again", ()), ("quietly", ("--quiet",))):
        run("new", slug, "--motion", "This house would hold it again", "--json")
        said = say("run", slug, "1", "--all", f"replay:{recorded.slug}", *options)
        assert said.code == 0
        ends.append(said.err.splitlines()[-1:])
    [[last], nothing] = ends
    assert last.startswith("Next:  ")
    assert last.endswith(" report again")
    assert nothing == []


@pytest.mark.parametrize(("effects", "is_named"), [("on", True), ("off", False)])
def test_a_replay_into_a_debate_with_other_settings_names_them(
    effects: str, *, is_named: bool
) -> None:
    recorded = debate_at(2)
    text = Path(recorded.debate_file).read_text()
    older = text.replace('    "attack_effects": "off",\n', "")
    assert older != text, "a debate of an earlier version has no such setting"
    Path(recorded.debate_file).write_text(older)
    settings = {"quotations": "mark", "first_answer": "off", "absence_limit": 0}
    settings |= {"attack_effects": effects}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    run("new", "again", "--motion", "This house would hold it again", *words, "--json")
    said = say("run", "again", "1", "--all", f"replay:{recorded.slug}")
    assert ("attack_effects=off" in said.err) == is_named


def test_name_of_nobody_is_told_beside_those_for_whom_nobody_replies() -> None:
    slug = debate_at(2).slug
    words = ("--as", f"jugde=replay:{slug}", "--as", f"debater=replay:{slug}")
    said = say("run", slug, "1", *words)
    assert said.code == 2
    assert "'jugde' is nobody in this debate; nobody replies for judge" in said.err


def test_demo_ends_with_the_page_to_open_and_the_page_is_there() -> None:
    lines = say("demo").out.splitlines()
    [opened] = [line.split()[1] for line in lines[-5:] if line.startswith("Open:  ")]
    assert os.path.isfile(opened)
    assert opened.endswith("report.html")


def models(text: str) -> str:
    put("team.toml", text)
    return "team.toml"


def test_participants_and_presets_of_a_file_reply_unless_an_option_says_otherwise() -> None:
    slug = debate_at(2).slug
    run("new", "again", "--motion", "This house would hold it again", "--json")
    file = models(
        f'[participants]\ndebater = "old"\njudge = "nonsense"\n'
        f'[presets.old]\nparticipant = "replay:{slug}"\n'
    )
    assert say("run", "again", "1", "--models", file).code == 2, "the judge is no SPEC"
    assert say("run", "again", "1", "--models", file, "--judge", "old").code == 0


def test_options_of_a_preset_are_those_of_its_model() -> None:
    run("new", "again", "--motion", "This house would hold it again", "--json")
    file = models('[presets.hot]\nparticipant = "openai:m"\ntemperature = 9\n')
    said = say("run", "again", "1", "--models", file, "--all", "hot")
    assert said.code == 2
    assert "temperature=9" in said.err


@pytest.mark.parametrize(
    "text",
    [
        "participants = 1",
        "[participants]\nprop = 1",
        "[presets]\nfast = 'openai:m'",
        "[presets.fast]\neffort = 'low'",
        "[judges]\na = 'b'",
    ],
)
def test_a_file_of_another_form_is_refused(text: str) -> None:
    run("new", "again", "--motion", "This house would hold it again", "--json")
    said = say("run", "again", "1", "--models", models(text), "--all", "person")
    assert said.code == 2
    assert "team.toml" in said.err


def test_a_dry_run_leaves_the_record_as_it_is() -> None:
    folder = debate_at(2)
    before = record_of(folder)
    said = say("run", folder.slug, "3", "--all", "person", "--dry-run", "--json")
    assert json.loads(said.out)["replies"] > 0
    assert record_of(folder) == before
