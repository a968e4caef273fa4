"""What is set for options that are not given: where from, what goes before what, and for whom."""

import json
from pathlib import Path
from unittest.mock import Mock

import pytest

from debate_ops.cli import config
from debate_ops.cli.config import FOLDER_FILE, KEYS
from debate_ops.run import cast, clients
from tests.builders import run, written
from tests.cli.stage import say, serving
from tests.cli.test_ask import EVERYONE
from tests.ending import PATIENCE
from tests.run.stage import calls

pytestmark = pytest.mark.usefixtures("work", "impatient")

OWN = ".config/debate-ops/config.toml"
SAFE = {"protocol": "formal", "language": "Welsh", "word-limits": "reject", "debates": "talks"}


def test_options_precede_variables_the_folder_and_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*words: str) -> str:
        slug = f"x{len([*Path('debates').glob('*')])}"
        result = run("new", slug, "--motion", "M", *words, "--json").result
        return str(result["settings"]["language"])

    assert made() == ""
    say("config", "set", "language", "Welsh")
    assert made() == "Welsh"
    written(FOLDER_FILE, 'language = "Dutch"\n')
    assert made() == "Dutch"
    monkeypatch.setenv("DEBATE_OPS_LANGUAGE", "Greek")
    assert made() == "Greek"
    assert run("config", "--json").result["values"]["language"]["source"] == "DEBATE_OPS_LANGUAGE"
    assert made("--set", "language=Irish") == "Irish"


@pytest.mark.parametrize("key", KEYS)
def test_a_folder_may_set_what_costs_nothing_and_never_who_replies(key: str) -> None:
    value = SAFE.get(key, "3" if key == "exchanges" else "cmd:cat")
    written(FOLDER_FILE, f'{key} = "{value}"\n')
    for words in (("config",), ("list",), ("ask", "Why?", "--all", "cmd:cat", "--yes")):
        said = say(*words)
        assert (said.code == 4) == (key not in SAFE), said.err
        assert (FOLDER_FILE in said.err and "stranger" in said.err) == (key not in SAFE)
    assert say("config", "set", key, value).code == (0 if key in SAFE else 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("langauge = 'x'", "langauge: there is no such key"),
        ("exchanges = 0", "exchanges"),
        ("all = 'nobody:x'", "'nobody:x' does not say who replies"),
        ("all = 'person:a?b'", "'person:a' does not say who replies; a person's name has no '?'"),
        ("all = 'cmd:", "not valid TOML"),
        ("protocol = 'duel'", "'duel' is not one of"),
        ("judge = ['cmd:a']", "judge: is ['cmd:a'], expected a text"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_what_was_expected(text: str, said: str) -> None:
    written(OWN, text)
    answer = say("list")
    assert (answer.code, OWN in answer.err, said in answer.err) == (4, True, True), answer.err


@pytest.mark.parametrize("place", ["/elsewhere", "../elsewhere", "a/../../b"])
def test_a_folder_keeps_its_debates_below_itself(place: str) -> None:
    written(FOLDER_FILE, f'debates = "{place}"\n')
    assert say("list").code == 4
    Path("away").mkdir()
    Path("link").symlink_to("away")
    written(FOLDER_FILE, 'debates = "link/in"\n')
    assert say("new", "x", "--motion", "M").code == 5
    assert not any(Path("away").iterdir())


def test_debates_lie_where_they_are_set_to(monkeypatch: pytest.MonkeyPatch, work: Path) -> None:
    for place in ("talks", str(work / "far" / "off")):
        monkeypatch.setenv("DEBATE_OPS_DEBATES", place)
        said = say("ask", "Should we move?", "--all", EVERYONE, "--exchanges", "1", "--yes")
        assert said.code == 0
        assert (Path(place) / "move" / "report.html").is_file()
        for words in (("status",), ("show", "move"), ("report", "--all"), ("validate",)):
            assert say(*words).code == 0
    assert not Path("debates").exists()


@pytest.mark.parametrize("keys", [("debaters",), ("prop", "opp")])
def test_who_is_set_replies_where_neither_name_nor_all_is_given(keys: tuple[str, ...]) -> None:
    for key, value in (*((key, EVERYONE) for key in keys), ("judge", "cmd:false")):
        assert say("config", "set", key, value).code == 0
    assert say("ask", "Why?", "--dry-run").code == 0
    say("new", "x", "--motion", "M", "--set", "first_answer=off")
    failed = say("run", "x", "1")
    assert (failed.code, "judge" in failed.err) == (3, True)
    assert say("run", "x", "--judge", EVERYONE, "--reporter", EVERYONE).code == 0
    assert calls() == {"prop": 2, "opp": 2, "judge": 2, "reporter": 1}
    say("config", "set", "panel", "cmd:false")
    assert say("panel", "x").code == 3
    assert say("run", "x", "1", "--all", EVERYONE).code == 0


def test_a_change_leaves_the_rest_of_the_file_as_it_is() -> None:
    written(OWN, "# mine\nlanguage = 'Welsh'  # for now\n")
    assert "'warn', 'reject'" in say("config", "set", "word-limits", "cut").err
    wrong = say("config", "set", "exchanges", "two").err
    assert "config set: exchanges: 'two' is not a whole number" in wrong
    assert say("config", "set", "exchanges", "2").code == 0
    assert Path(OWN).read_text() == "# mine\nlanguage = 'Welsh'  # for now\nexchanges = 2\n"
    assert say("config", "unset", "language").code == 0
    assert "language = " not in say("config").out
    for words in (("set", "language"), ("unset",), ("show", "language"), ("unset", "judge", "x")):
        said = say("config", *words)
        assert (said.code, "expected 'config" in said.err, "word-limits" in said.err) == (2, 1, 1)
    assert config.find_user_file().endswith(OWN)


@pytest.mark.parametrize(("spec", "warnings"), [("cmd:nosuchprog", 1), ("cmd:cat", 0)])
def test_who_cannot_reply_here_may_be_set_and_is_warned_of(
    spec: str, warnings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("config", "set", "judge", "cmd:neither")
    make = Mock(wraps=cast.make_participant)
    monkeypatch.setattr(cast, "make_participant", make)
    said = say("config", "set", "all", spec)
    assert (said.code, said.err.count("\n")) == (0, warnings)
    assert ("warning: all: there is no program 'nosuchprog'" in said.err) == bool(warnings)
    assert f"all = {spec} " in said.out
    assert not say("config", "set", "language", "Welsh").err
    make.assert_called_once_with(spec)  # another may need a key


def test_doctor_and_bare_command_say_who_replies_not_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("claude", "llm"):
        written(f"bin/{name}", "#!/bin/sh\n")
        Path(f"bin/{name}").chmod(0o755)
    monkeypatch.setenv("PATH", str(Path("bin").resolve()))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    say("config", "set", "judge", "cmd:claude -p")
    monkeypatch.setattr(clients, "LM_STUDIO", "http://127.0.0.1:9/v1")
    monkeypatch.setattr(clients, "_LONGEST", PATIENCE)
    say("config", "set", "opp", "cmd:nope x")
    with serving(lambda _: {"data": [{"id": "embed-1"}, {"id": "small"}]}) as url:
        monkeypatch.setattr(clients, "SERVERS", {"ollama": url})
        checked, bare, said = run("doctor", "--json"), say(), say("doctor")
    found = {each["what"]: each["spec"] for each in checked.result["found"]}
    assert found == {
        "the client claude": "cmd:claude -p --output-format json",
        "the client llm": "cmd:llm",
        "the key OPENAI_API_KEY": f"openai:{clients.MODELS['openai']}",
        "ollama on this machine": "ollama:small",
        "people, with 'reply'": "person:me",
    }
    assert all("people, with 'reply'" in each.out for each in (bare, said))
    assert "--all 'cmd:claude -p --output-format json'" in said.out
    assert "FAIL opp: there is no program 'nope'" in said.out
    failed = [each["name"] for each in checked.result["checks"] if not each["good"]]
    assert (said.code, checked.code, checked.result["success"], failed) == (4, 4, False, ["opp"])
    assert all(each in bare.out for each in ("the client llm", " ask ", " demo "))
    assert "hidden" not in said.out + bare.out + json.dumps(checked.result)


def test_the_proposed_models_are_known_to_the_installed_packages() -> None:
    from typing import get_args

    from pydantic_ai.models import KnownModelName

    known = {*get_args(KnownModelName.__value__)}
    for provider in ("anthropic", "google", "openai", "deepseek"):
        assert f"{provider}:{clients.MODELS[provider]}" in known
