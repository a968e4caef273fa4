"""What goes to other machines: the wheel."""

import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import debate_ops

ROOT = Path(__file__).parent.parent
SKILL = (".claude-plugin", "agents", "debates", "evals", "references", "skills", "templates")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    declared: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return declared


def test_every_package_is_accounted_for_in_the_documentation(project: dict[str, Any]) -> None:
    page = (ROOT / "docs/dependencies.md").read_text()
    for line in (*project["dependencies"], *chain(*project["optional-dependencies"].values())):
        name = re.split(r"[^\w-]", line)[0]
        assert name == "debate-ops" or f"**{name}**" in page, name


def test_an_extra_that_a_message_or_the_readme_names_is_there(project: dict[str, Any]) -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "debate_ops").rglob("*.py"))
    missing = re.findall(r"MissingExtraError\([^)]*, \"(\w+)\"", code)
    table = re.findall(r"^\| `(\w+)` \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert {*missing} <= {*table} == {*project["optional-dependencies"]} - {"dev", "docs"}


@pytest.mark.slow
def test_the_wheel_carries_the_skill_and_runs_alone(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(tmp_path)], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"debate_ops-{debate_ops.__version__}-")
    with ZipFile(wheel) as archive:
        inside = set(archive.namelist())
        archive.extractall(tmp_path)
    code = (
        "import debate_ops.__main__ as m; print(m.__file__); m.sys.argv[1:] = ['demo']; m.start()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert str(tmp_path) in done.stdout
    assert {"debate_ops/_skill/SKILL.md", "debate_ops/py.typed"} <= inside
    kinds = {".json", ".jinja", ".css", ".js"}
    own = [path for path in (ROOT / "debate_ops").rglob("*") if path.suffix in kinds]
    assert {path.suffix for path in own} == kinds
    assert {path.relative_to(ROOT).as_posix() for path in own} <= inside, "what it reads as it runs"
    for name in committed(SKILL):
        assert f"debate_ops/_skill/{name}" in inside
    sent_to = re.findall(r"`BASE/(\w+)/", (ROOT / "SKILL.md").read_text(encoding="utf-8"))
    assert {*sent_to} <= {*SKILL}
    assert not [name for name in inside if "/inbox/" in name or name.startswith("tests/")]


def committed(folders: tuple[str, ...]) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return [name for name in listed.stdout.split("\0") if name]
