"""What the program imports when it is started in a folder that a stranger has filled."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import ROOT

BAIT = 'import os; open(os.environ["BAIT_LOG"], "a").write(__name__ + " "); raise SystemExit(9)\n'
NAMES = ("json", "re", "click", "string", "sitecustomize", "usercustomize", "markupsafe", "html")
STARTS = {
    "by path": [sys.executable, str(ROOT / "debate_ops")],
    "as a module, with -P": [sys.executable, "-P", "-m", "debate_ops"],
    "as a module, with PYTHONSAFEPATH": [sys.executable, "-m", "debate_ops"],
    "installed": [str(Path(sys.executable).with_name("debate-ops"))],
}
CALLS = [
    *(pytest.param(start, "list") for start in STARTS),
    pytest.param("by path", "demo", marks=pytest.mark.slow),
]


@pytest.fixture
def hostile(work: Path) -> Path:
    """A working folder with modules that are called as those that the program needs."""
    for name in NAMES:
        (work / f"{name}.py").write_text(BAIT)
    (work / "debate_ops").mkdir()
    for name in ("__init__", "__main__"):
        (work / "debate_ops" / f"{name}.py").write_text(BAIT)
    return work


@pytest.mark.parametrize(("start", "command"), CALLS)
def test_nothing_is_imported_from_the_working_folder(
    hostile: Path, start: str, command: str
) -> None:
    log = hostile / "bait.log"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["BAIT_LOG"] = str(log)
    if "PYTHONSAFEPATH" in start:
        environment["PYTHONSAFEPATH"] = "1"
    if not Path(STARTS[start][0]).exists():
        pytest.skip("it is not installed here")
    done = subprocess.run(
        [*STARTS[start], command], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, log.exists()) == (0, False), done.stderr
