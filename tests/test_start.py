"""Setting up where packages are missing, and what is imported in a folder of a stranger."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from debate_ops import __main__ as main
from debate_ops import start
from tests.builders import ROOT

PACKAGE = ROOT / "debate_ops"
WORLD = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
FAKE_UV = f"""#!/bin/sh
cat > /dev/null  # what was typed is not for uv
echo "$1 retries=$UV_HTTP_RETRIES" >> "$HOME/uv.log"
if [ "$1" = venv ]; then
  for folder; do :; done
  mkdir -p "$folder/bin"
  printf '%s\\n' '#!/bin/sh' 'exec {sys.executable} -c "{{}}" "$@"' > "$folder/bin/python"
  chmod +x "$folder/bin/python"
elif [ "$1 $2 $4 $5" = "pip install --only-binary :all:" ]; then
  echo "$FAKE_UV_SAYS"
  exit ${{FAKE_UV_ENDS:-0}}
elif [ "$1" != --version ]; then
  exit 1
fi
""".replace("{}", "import sys; print(sys.argv[2:], sys.stdin.read()); sys.exit(7)")


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """The first stage alone, so that nothing but a set-up can make the command work."""
    folder = tmp_path / "a skill" / "debate_ops"
    folder.mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "start.py"):
        shutil.copy(PACKAGE / name, folder)
    shutil.copy(ROOT / "pyproject.toml", folder.parent)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/uv").write_text(FAKE_UV)
    (tmp_path / "bin/uv").chmod(0o755)
    return folder


def run(skill: Path, *words: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    home = skill.parent.parent
    return subprocess.run(
        [sys.executable, "-S", str(skill), *words],  # -S: no packages
        env={"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin"} | changes,
        cwd=home,
        input="typed",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def problem(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == 4
    assert (answer["success"], answer["errors"]) == (False, [answer["error"]])
    assert answer["error"] in done.stderr
    assert answer["fix"] in done.stderr
    return answer


def test_packages_are_set_up_once_and_the_command_goes_on_there(skill: Path) -> None:
    home = skill.parent.parent
    for _ in range(2):
        done = run(skill, "next", "x")
        assert (done.returncode, done.stdout) == (7, "['next', 'x'] typed\n")
    steps = [f"{word} retries=0" for word in ("--version", "venv", "pip")]
    assert (home / "uv.log").read_text().splitlines() == steps
    assert [path.name for path in (home / ".cache").iterdir()] == ["debate-ops"]
    assert {path.name for path in home.iterdir()} == {"a skill", "bin", "uv.log", ".cache"}


@pytest.mark.parametrize(
    ("changes", "says", "fix"),
    [
        ({"FAKE_UV_ENDS": "2", "FAKE_UV_SAYS": "no network"}, "failed: no network", "--version"),
        ({"DEBATE_OPS_NO_SETUP": "1"}, "forbids", "env -u DEBATE_OPS_NO_SETUP"),
        ({"XDG_CACHE_HOME": "/dev/null"}, "failed: .*Errno", "env XDG_CACHE_HOME=/dev/null "),
        ({"XDG_CACHE_HOME": "here", "DEBATE_OPS_NO_SETUP": "1"}, "forbids", "/.cache "),
    ],
)
def test_what_cannot_be_set_up_is_one_sentence_and_one_command(
    skill: Path, changes: dict[str, str], says: str, fix: str
) -> None:
    answer = problem(run(skill, "status", **changes))
    assert re.search(says, answer["error"])
    assert fix in answer["fix"]
    assert f"'{skill}' --version" in answer["fix"]
    assert not list(skill.parent.parent.glob(".cache/debate-ops/*"))


def test_a_home_folder_without_a_full_path_is_named(skill: Path) -> None:
    assert "(HOME: here)" in problem(run(skill, "status", HOME="here"))["error"]


@pytest.mark.slow
def test_without_a_network_pip_fails_with_the_same_sentence(skill: Path) -> None:
    (skill.parent.parent / "bin/uv").unlink()
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull}
    assert "click" in problem(run(skill, "status", **nowhere))["error"]


def test_a_bare_environment_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(start, "install", lambda new, _: (Path(new) / "bin").mkdir(parents=True))
    with pytest.raises(FileNotFoundError):
        os.stat(start.prepare_environment())
    (home,) = (tmp_path / "debate-ops").iterdir()
    monkeypatch.setattr(sys, "prefix", str(home))
    with pytest.raises(start.StartError, match="lacks packages") as refused:
        start.prepare_environment()
    assert refused.value.args[1] == f"rm -r {home}"


def test_an_old_python_can_read_the_first_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "IS_OLD", True)
    monkeypatch.setattr(shutil, "which", lambda _: "uv")
    with pytest.raises(start.StartError, match=r"Python 3\.11 or newer is needed"):
        start.install("", [])
    for name in ("__init__.py", "__main__.py", "start.py"):
        ast.parse((PACKAGE / name).read_text(), feature_version=(3, 6))


def test_start_asks_for_declared_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {re.split(r"[^\w-]", line)[0] for line in declared}
    modules = metadata.packages_distributions()
    assert {modules[name][0].lower() for name in main.PACKAGES.split()} == names
    seen: list[list[str]] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(start, "install", lambda _, packages: seen.append(packages))
    with pytest.raises(start.StartError):
        start.prepare_environment()
    assert seen == [declared]


@pytest.mark.slow
def test_a_fresh_clone_works_with_pip_and_then_without_a_network(tmp_path: Path) -> None:
    world = WORLD | {
        "XDG_CACHE_HOME": str(tmp_path),
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
    }
    command = [sys.executable, "-S", str(PACKAGE), "list", "--json"]
    for more in ({}, {"PIP_INDEX_URL": "http://127.0.0.1:9/"}):
        done = subprocess.run(
            command, env=world | more, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert json.loads(done.stdout)["success"]


BAIT = 'import os; open(os.environ["BAIT_LOG"], "a").write(__name__ + " "); raise SystemExit(9)\n'
NAMES = ("json", "re", "click", "string", "sitecustomize", "usercustomize", "markupsafe", "html")
slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.fixture
def hostile(work: Path) -> Path:
    """A working folder with modules that are called as those that the program needs."""
    for name in NAMES:
        (work / f"{name}.py").write_text(BAIT)
    (work / "debate_ops").mkdir()
    for name in ("__init__", "__main__"):
        (work / "debate_ops" / f"{name}.py").write_text(BAIT)
    return work


@pytest.mark.parametrize(
    ("start", "safe", "command"),
    [
        (f"PYTHON {PACKAGE}", "", "list"),
        slow(f"PYTHON {PACKAGE}", "", "demo"),
        slow("PYTHON -P -m debate_ops", "", "list"),
        slow("PYTHON -m debate_ops", "1", "list"),
        (str(Path(sys.executable).with_name("debate-ops")), "", "list"),
    ],
)
def test_nothing_is_imported_from_where_one_works(
    hostile: Path, start: str, safe: str, command: str
) -> None:
    log = hostile / "bait.log"
    words = start.replace("PYTHON", sys.executable).split()
    world = WORLD | {"BAIT_LOG": str(log)} | ({"PYTHONSAFEPATH": safe} if safe else {})
    done = subprocess.run([*words, command], env=world, capture_output=True, text=True, check=False)
    assert (done.returncode, log.exists()) == (0, False), done.stderr
