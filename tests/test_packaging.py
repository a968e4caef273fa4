"""What goes to other machines: the wheel, and the pinned packages."""

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import debate_ops
from debate_ops import bootstrap

ROOT = Path(__file__).parent.parent
SKILL = (".claude-plugin", "agents", "debates", "evals", "references", "skills", "templates")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    declared: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return declared


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", line)[0] for line in requirements}


def pinned() -> list[str]:
    lines = bootstrap.REQUIREMENTS.read_text().splitlines()
    return [line for line in lines if line and line[0] not in " #"]


def test_every_package_we_need_is_pinned(project: dict[str, Any]) -> None:
    assert names(project["dependencies"]) <= names(pinned())
    assert not [line for line in project["dependencies"] if "[" in line]  # no slow extras


def test_every_pin_is_exact_and_has_hashes_and_no_index_is_named() -> None:
    text = bootstrap.REQUIREMENTS.read_text()
    assert not re.search(r"://|--(extra-)?index|--find-links", text)
    for line in pinned():
        after = text.split(line, 1)[1].lstrip()
        assert re.match(r"[\w-]+==[\w.]+ ", line)
        assert after.startswith("--hash=sha256:"), line


def test_the_first_stage_takes_every_module_of_the_pins_for_one_of_theirs() -> None:
    for name in names([line for line in pinned() if "sys_platform" not in line]):
        files = metadata.files(name) or []
        tops = {file.parts[0] for file in files if file.suffix == ".py" and ".." not in file.parts}
        modules = {top.removesuffix(".py") for top in tops if not top.startswith("_")}
        assert all(map(bootstrap.provides, modules)), name


def test_every_package_is_accounted_for_in_the_documentation(project: dict[str, Any]) -> None:
    page = (ROOT / "docs/dependencies.md").read_text()
    extras = project["optional-dependencies"].values()
    for name in names([*project["dependencies"], *chain(*extras)]) - {"debate-ops"}:
        assert f"**{name}**" in page, name


@pytest.mark.slow
def test_the_wheel_carries_the_skill(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(tmp_path)], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"debate_ops-{debate_ops.__version__}-")
    with ZipFile(wheel) as archive:
        inside = set(archive.namelist())

    assert {"debate_ops/_skill/SKILL.md", "debate_ops/py.typed"} <= inside
    assert {"debate_ops/requirements.txt", *beside_the_code()} <= inside
    for name in committed(SKILL):
        assert f"debate_ops/_skill/{name}" in inside
    assert not [name for name in inside if "/inbox/" in name or name.startswith("tests/")]


def test_every_folder_of_the_skill_goes_into_the_wheel() -> None:
    """Clients that get the skill from the wheel need all that SKILL.md sends them to."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = declared["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {f"/{name}" for name in SKILL} <= set(wheel["include"])
    assert {name: f"debate_ops/_skill/{name}" for name in SKILL} == wheel["sources"]
    sent_to = re.findall(r"`BASE/(\w+)/", (ROOT / "SKILL.md").read_text(encoding="utf-8"))
    assert sent_to
    assert set(sent_to) <= set(SKILL)


def beside_the_code() -> set[str]:
    """Return what the package reads at run time: schemas, page templates, styles, scripts."""
    names = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "debate_ops").rglob("*")
        if path.suffix in {".json", ".jinja", ".css", ".js"}
    }
    assert {Path(name).suffix for name in names} == {".json", ".jinja", ".css", ".js"}
    return names


def committed(folders: tuple[str, ...]) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return [name for name in listed.stdout.split("\0") if name]
