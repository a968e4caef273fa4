"""The scripts of the pages, read by a linter."""

import subprocess
from pathlib import Path

import pytest

from tests.builders import ROOT

pytestmark = pytest.mark.tools
HERE = Path(__file__).parent
SCRIPTS = sorted((ROOT / "debate_ops").rglob("*.js"))


def linted(script: str) -> subprocess.CompletedProcess[str]:
    """Lint a script as if it lay beside the configuration, where the linter looks for one."""
    command = ["node_modules/.bin/eslint", "--stdin", "--stdin-filename", "script.js"]
    return subprocess.run(
        command, cwd=HERE, input=script, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_of_a_page_is_without_fault(script: Path) -> None:
    result = linted(script.read_text(encoding="utf-8"))
    assert result.returncode == 0, result.stdout + result.stderr
