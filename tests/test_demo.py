"""The demo: a recorded debate goes through the engine again, told as the replay it is."""

import itertools
import shutil
from pathlib import Path
from typing import Any

import pytest

from debate_ops import demo, engine
from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.engine import Framing, inbox
from debate_ops.engine.store import Folder
from debate_ops.report.reading import read_debate
from debate_ops.run import runner
from tests.builders import header_of, read_folder
from tests.run.stage import Cast, Listener

FRAMING = Framing(
    "This house would test.",
    (("test", "to look before one leaps"),),
    "Software only.",
    (("facts.md", "# Facts\n\n- One.\n"),),
)
SETTINGS = {"web_search": "forbidden", "history_characters": 5_000, "first_answer": "off"}


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
    monkeypatch.setattr(demo, "find_skill_folder", lambda: place)
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    return place


@pytest.fixture
def example(skill: Path) -> Path:
    return skill / "debates" / demo.EXAMPLE


def replayed() -> Listener:
    result = Listener()
    demo.replay_example("demo", result)
    return result


def values(folder: Path) -> dict[str, Any]:
    found = engine.load(Folder(str(folder))).debate
    return {entry.id: entry.compared() for entry in found.entries.values()}


def test_the_demo_replays_the_example_says_so_and_is_left_alone_then(example: Path) -> None:
    before, folders = read_folder(example), [p for p in example.rglob("*") if p.is_dir()]
    for path in folders:
        path.chmod(0o555)
    result = replayed()
    for path in folders:
        path.chmod(0o755)
    assert read_folder(example) == before
    assert values(Path("debates/demo")) == values(example)
    ours, theirs = (engine.load(Folder(str(p))) for p in (Path("debates/demo"), example))
    assert (ours.record.body, ours.debate.settings) == (theirs.record.body, theirs.debate.settings)
    assert ours.header.cumulative_scores == theirs.header.cumulative_scores
    origin = header_of(Folder("debates/demo"), "debate.md")["replay_of"]
    assert origin == {"debate": demo.EXAMPLE, "held": "2023-11-14"}
    assert result.names()[:2] == ["label", "launch"]
    assert "debated on 2023-11-14; who debated: prop, opp, " in result.events[0].text
    before = read_folder("debates")
    assert replayed().names() == ["label", "exists"]
    assert read_folder("debates") == before


def test_the_demo_takes_over_the_examples_memo(example: Path) -> None:
    header = 'answer: "Yes."\ndirection: "prop"\nconfidence: [{percent: 70, of: "it"}]'
    Path(example, "memo.md").write_text(f"---\n{header}\n---\n\nYes.\n", encoding="utf-8")
    replayed()
    kept = Path("debates/demo/memo.md").read_text(encoding="utf-8")
    assert "\nYes.\n" in kept
    assert f'"debate": "{demo.EXAMPLE}"' in kept
    shown = read_debate(engine.load(Folder("debates/demo")))
    assert shown.memo, shown.warnings


@pytest.mark.parametrize("stopped_at", [0, 3])
def test_a_demo_goes_on(example: Path, monkeypatch: pytest.MonkeyPatch, stopped_at: int) -> None:
    """Also one that was only made."""
    calls = itertools.count(0 if stopped_at == 0 else 1)
    put = inbox.put

    def broken(*value: Any, **options: Any) -> None:
        if next(calls) == stopped_at:
            raise InterruptedError
        put(*value, **options)

    with monkeypatch.context() as patch:
        patch.setattr(*((inbox, "put") if stopped_at else (runner, "run")), broken)
        with pytest.raises(InterruptedError):
            replayed()
    replayed()
    assert values(Path("debates/demo")) == values(example)


@pytest.mark.parametrize("origin", [None, {"debate": "another"}])
def test_a_debate_that_replays_no_example_is_never_touched(origin: dict[str, str] | None) -> None:
    engine.create("demo", Framing("This house is mine."), replay_of=origin)
    before = read_folder("debates")
    with pytest.raises(UsageError) as caught:
        replayed()
    assert "demo my-demo" in caught.value.hint
    assert read_folder("debates") == before


def test_a_program_without_its_example_says_what_to_do(example: Path) -> None:
    shutil.rmtree(example)
    with pytest.raises(ConfigurationError) as result:
        replayed()
    assert result.value.exit_code == 4
    assert "Install" in result.value.hint
