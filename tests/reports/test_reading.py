"""What a record holds that no reply could have led to is reported as that by every reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.errors import BadRecordError
from debate_ops.reports import exporting, outcome, transcribe
from debate_ops.reports.reading import of_record
from debate_ops.reports.render import render
from debate_ops.storage.folder import Folder
from tests.every_protocol.stage import RICH, aside, history, restore

READERS: Mapping[str, Callable[[Folder], object]] = {
    "transcript": lambda folder: transcribe.text(folder, "md"),
    "export": lambda folder: exporting.text(folder, "json"),
    "report": render,
    "outcome": lambda folder: outcome.text(folder, engine.look(folder).debate),
}
IMPOSSIBLE: dict[str, tuple[str, str, str, Any]] = {
    "numbers for citations": ("formal", "opening", "citations", [7]),
    "a list for a number": ("chairs", "evaluation", "adherence", []),
    "a text for parts": ("chairs", "evaluation", "parts", "none"),
    "texts for points": ("design", "critique", "points", ["one", "two"]),
    "a text for a list": ("design", "refinement", "answers", "all of them"),
    "a point without its number": ("design", "critique", "points", [{"level": "major"}]),
    "a list for a name": ("design", "clarification", "question", []),
    "a text for coverage": ("design", "proposal", "coverage", "all of it"),
}


def changed(protocol: str, kind: str, key: str, value: Any) -> Folder:
    """Return a debate that is over, in which one header says something else."""
    folder = restore(history(protocol, dict(RICH)[protocol])[-1])
    path = next(p for p in sorted(Path(folder.path).rglob("*.md")) if f"-{kind}" in p.name)
    text = path.read_text(encoding="utf-8")
    header, end = json.JSONDecoder().raw_decode(text, 4)
    assert key in header
    path.write_text(f"---\n{json.dumps(header | {key: value})}{text[end:]}", encoding="utf-8")
    return folder


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_a_value_that_no_reply_leads_to_is_a_fault_of_the_record(what: str, reader: str) -> None:
    faults: list[BadRecordError] = []
    with aside():
        folder = changed(*IMPOSSIBLE[what])
        try:
            READERS[reader](folder)
        except BadRecordError as error:
            faults.append(error)
    assert all(error.hint and ".md" in f"{error.message} {error.faults}" for error in faults)


def test_what_fails_on_a_sound_record_is_no_fault_of_the_record() -> None:
    with aside():
        debate = engine.look(restore(history(*RICH[0])[-1])).debate
        with pytest.raises(KeyError), of_record(debate):
            raise KeyError
