"""The demo: a recorded debate goes through the engine again, told as the replay it is."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from debate_ops import demo, engine, runner
from debate_ops.errors import ConfigurationError, DebateError, ParticipantFailedError, UsageError
from debate_ops.formats import brief_file, entries
from debate_ops.model.debate import Definition, Document, Framing
from debate_ops.model.entries import Value
from debate_ops.participants.replay import entries_of
from debate_ops.reports import brief
from debate_ops.reports.table import view_of
from debate_ops.storage import inbox, load
from debate_ops.storage.folder import Folder
from tests.builders import written
from tests.participants.stage import Cast, Listener, header
from tests.reports.brief.stage import brief_of

FRAMING = Framing(
    "This house would test.",
    (Definition("test", "to look before one leaps"),),
    "Software only.",
    (Document("facts.md", "# Facts\n\n- One.\n"),),
)
SETTINGS = {"web_search": "forbidden", "history_characters": 5_000}


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a skill folder that holds one finished debate."""
    where = tmp_path_factory.mktemp("skill")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(where)
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        folder = engine.create(demo.EXAMPLE, FRAMING, settings=SETTINGS).folder
        runner.run(folder, 2, Cast(opp=["bad"]))
    return where


@pytest.fixture(autouse=True)
def skill(shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with a copy of the shipped debates elsewhere."""
    place = tmp_path / "skill"
    shutil.copytree(shipped, place)
    monkeypatch.setattr(demo, "skill_folder", lambda: str(place))
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    return place


def replayed(slug: str = "demo") -> Listener:
    result = Listener()
    demo.replay(slug, result)
    return result


def values(folder: Path) -> dict[str, Value]:
    debate = load.load(Folder(str(folder))).debate
    return {entry.id: entries.parse(entry) for entry in entries_of(debate)}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_demo_has_the_framing_settings_arguments_and_scores_of_the_example(
    skill: Path,
) -> None:
    replayed()

    assert values(Path("debates/demo")) == values(skill / f"debates/{demo.EXAMPLE}")
    ours, theirs = (
        load.load(Folder(str(place))).debate
        for place in ("debates/demo", skill / f"debates/{demo.EXAMPLE}")
    )
    assert (ours.body, ours.settings, ours.state) == (theirs.body, theirs.settings, theirs.state)


def test_the_demo_says_in_its_own_file_what_it_replays() -> None:
    replayed()

    assert header(Path("debates/demo/debate.md"))["replay_of"] == {
        "debate": demo.EXAMPLE,
        "held": "2023-11-14",
        "by": {"prop": "prop", "opp": "opp", "judge": "judge"},
    }


def test_the_label_comes_first_and_says_what_when_and_who() -> None:
    result = replayed()

    assert result.names()[:2] == ["label", "launch"]
    assert result.events[0].text == (
        'Replay of "This house would test.", debated on 2023-11-14 by prop (prop), opp (opp), '
        "judge (judge); no model runs now."
    )


def test_the_demo_takes_over_the_examples_brief(skill: Path) -> None:
    example = Folder(str(skill / "debates" / demo.EXAMPLE))
    data = brief_of(view_of(engine.look(example).debate))
    brief.take(example, written("given.json", data))

    replayed()

    kept = brief_file.parse(Path("debates/demo/brief.md").read_text(encoding="utf-8"))
    assert kept.reply == data
    assert kept.made_by["replay_of"]["debate"] == demo.EXAMPLE


def test_a_brief_that_the_replay_contradicts_is_not_taken_over(skill: Path) -> None:
    text = brief_file.compose(brief_file.Kept({"answer": "It ended at +9.99."}, 6, ""), "")
    Path(skill, "debates", demo.EXAMPLE, "brief.md").write_text(text, encoding="utf-8")

    with pytest.raises(ParticipantFailedError):
        replayed()

    assert not Path("debates/demo/brief.md").exists()


def test_the_example_is_left_as_it_is(skill: Path) -> None:
    before = files(skill)

    replayed()

    assert files(skill) == before


def test_the_demo_needs_no_example_that_can_be_written_to(skill: Path) -> None:
    folders = [path for path in skill.rglob("*") if path.is_dir()]
    for path in folders:
        path.chmod(0o555)

    replayed()

    for path in folders:
        path.chmod(0o755)


def test_one_call_does_it_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.demo() == 0

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith('Replay of "This house would test."')
    assert err.endswith("; total +0.575 / -0.625\n")


def test_a_finished_demo_is_left_alone_and_told() -> None:
    replayed()
    before = files(Path("debates"))

    result = replayed()

    assert result.names() == ["label", "exists"]
    assert "debates/demo exists" in result.events[1].text
    assert files(Path("debates")) == before


@pytest.mark.parametrize("stopped_at", [1, 3, 5])
def test_an_unfinished_demo_goes_on(
    skill: Path, monkeypatch: pytest.MonkeyPatch, stopped_at: int
) -> None:
    with monkeypatch.context() as patch:
        break_at(patch, stopped_at)
        with pytest.raises(InterruptedError):
            replayed()

    replayed()

    assert values(Path("debates/demo")) == values(skill / f"debates/{demo.EXAMPLE}")


def break_at(patch: pytest.MonkeyPatch, count: int) -> None:
    put, made = inbox.put, []

    def broken(*value: Any) -> None:
        made.append(value)
        if len(made) == count:
            raise InterruptedError
        put(*value)

    patch.setattr(inbox, "put", broken)


def test_a_demo_that_was_only_made_is_held() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "run", interrupted)
        with pytest.raises(InterruptedError):
            replayed()
    assert header(Path("debates/demo/debate.md"))["step"] == 0

    replayed()

    assert header(Path("debates/demo/debate.md"))["current_exchange"] == 3


def interrupted(*_: Any, **__: Any) -> None:
    raise InterruptedError


def test_a_debate_of_the_users_own_is_never_touched() -> None:
    engine.create("demo", Framing("This house is mine."))
    before = files(Path("debates"))

    with pytest.raises(UsageError, match="a debate of yours") as result:
        replayed()

    assert "demo my-demo" in result.value.hint
    assert files(Path("debates")) == before


def test_a_replay_of_another_debate_is_never_touched() -> None:
    engine.create("demo", Framing("This house."), replay_of={"debate": "another"})

    with pytest.raises(UsageError, match="a replay of another"):
        replayed()


def test_the_demo_can_have_another_slug() -> None:
    replayed("my-demo")
    assert Path("debates/my-demo/debate.md").exists()


@pytest.mark.parametrize("slug", ["../demo", "Demo", "a b"])
def test_a_slug_that_breaks_the_rule_is_refused(slug: str) -> None:
    with pytest.raises(DebateError):
        replayed(slug)


def remake(skill: Path, name: str, **header_changes: str) -> None:
    """Copy the example under another name, with some texts of its debate.md replaced."""
    shutil.copytree(skill / f"debates/{demo.EXAMPLE}", skill / "debates" / name)
    path = skill / "debates" / name / "debate.md"
    text = path.read_text(encoding="utf-8").replace(f'"{demo.EXAMPLE}"', f'"{name}"')
    for old, new in header_changes.items():
        text = text.replace(f'"{old}"', new)
    path.write_text(text, encoding="utf-8")


def test_the_example_goes_before_others(skill: Path) -> None:
    remake(skill, "a-debate")
    assert demo.find_example().slug == demo.EXAMPLE


def test_without_it_the_first_debate_that_will_do_is_taken(skill: Path) -> None:
    remake(skill, "b-debate")
    remake(skill, "c-debate")
    remake(skill, "a-damaged-one", step='"step": -1, "was"')
    remake(skill, "a-demo", created='"replay_of": {"debate": "example"}, "created"')
    shutil.rmtree(skill / f"debates/{demo.EXAMPLE}")

    assert demo.find_example().slug == "b-debate"


def test_no_debates_at_all_are_told_with_what_to_do(skill: Path) -> None:
    shutil.rmtree(skill / "debates")

    with pytest.raises(ConfigurationError) as result:
        replayed()
    assert result.value.exit_code == 4
    assert "Install" in result.value.hint


def test_makers_that_nobody_recorded_are_said_to_be_so(skill: Path) -> None:
    for path in (skill / f"debates/{demo.EXAMPLE}").glob("*/*.md"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"made_by"', '"unknown_key"'), encoding="utf-8")

    result = replayed()

    assert "by agents that were not recorded; no model" in result.events[0].text
    by = header(Path("debates/demo/debate.md"))["replay_of"]["by"]
    assert set(by.values()) == {"not recorded"}


@pytest.mark.parametrize(
    ("made_by", "maker"),
    [
        ('{"model": "m-1", "command": "claude", "by": "x"}', "m-1"),
        ('{"command": "claude", "latency_ms": 5}', "claude"),
        ('{"latency_ms": 5}', "not recorded"),
    ],
)
def test_the_most_telling_word_for_a_maker_is_shown(skill: Path, made_by: str, maker: str) -> None:
    for path in (skill / f"debates/{demo.EXAMPLE}/judgments").iterdir():
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"made_by": {', f'"made_by": {made_by}, "x": {{'))

    replayed()

    by = header(Path("debates/demo/debate.md"))["replay_of"]["by"]
    assert by == {"prop": "prop", "opp": "opp", "judge": maker}


def test_a_debate_of_several_days_shows_the_first_and_the_last(skill: Path) -> None:
    for exchange, day in ((1, "2023-11-20"), (2, "2023-12-01")):
        path = skill / f"debates/{demo.EXAMPLE}/judgments/judge_00{exchange}.md"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("2023-11-14", day), encoding="utf-8")

    assert "debated on 2023-11-14 – 2023-12-01 by" in replayed().events[0].text  # noqa: RUF001


def test_a_debate_that_was_hardly_begun_is_no_example(
    skill: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(skill / f"debates/{demo.EXAMPLE}")
    monkeypatch.chdir(skill)
    engine.create("begun", Framing("This house has just begun."))

    with pytest.raises(ConfigurationError, match="no debate to replay"):
        demo.find_example()
