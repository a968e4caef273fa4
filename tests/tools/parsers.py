"""The parsers of other tools: many documents through one process, and what they were read as."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
HOW = "run 'make test-tools', which sets it up"


def argdown(documents: Mapping[str, str]) -> dict[str, Any]:
    return _node("argdown.mjs", documents)


def mermaid(documents: Mapping[str, str]) -> dict[str, Any]:
    return _node("mermaid.mjs", documents)


def graphviz(document: str, *options: str) -> str:
    """Return what `dot` prints; a document that it complains of is a failure."""
    if shutil.which("dot") is None:
        pytest.fail(f"graphviz is not there: {HOW}")
    done = subprocess.run(
        ["dot", *options], input=document.encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def _node(script: str, documents: Mapping[str, str]) -> dict[str, Any]:
    """Return by name what each document was read as."""
    if shutil.which("node") is None or not (HERE / "node_modules").is_dir():
        pytest.fail(f"node or its packages are not there: {HOW}")
    payload = json.dumps([{"name": name, "text": text} for name, text in documents.items()])
    done = subprocess.run(
        ["node", str(HERE / script)], input=payload.encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return {item["name"]: item for item in json.loads(done.stdout)}
