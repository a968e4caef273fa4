"""Looks at decision notes: five lines, short, whose references lead somewhere, once each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from debate_ops.model.debate import Debate
from debate_ops.reports.page import targets
from debate_ops.reports.parts import Aside, Note
from debate_ops.reports.table import report_of
from debate_ops.storage.folder import Folder
from tests.reports.held import debate_of

MOST = 330
"""Characters of a line at worst, its links included; what is usual is two thirds of that."""

_REFERENCE = re.compile(r"(?<!\\)\[[^\[\]]*\]\[([^\[\]]+)\]|(?<![\\\]])\[([^\[\]]+)\](?!\[)")


def note_of(folder: Folder) -> dict[str, str]:
    """Return the note of a debate by its labels; fail where its form is wrong."""
    return checked(debate_of(folder))


def checked(debate: Debate) -> dict[str, str]:
    report = report_of(debate.protocol)
    note: Note = report.note(report.read(debate))
    assert len(note) == 5
    for line in note:
        check_line(line.text, debate)
        assert len(line.text) <= MOST, line
    return {line.label: line.text.replace("\N{NO-BREAK SPACE}", " ") for line in note}


def asides_of(folder: Folder) -> Mapping[str, Aside]:
    """Return what is told of the entries of a debate; fail where a reference leads nowhere."""
    debate = debate_of(folder)
    report = report_of(debate.protocol)
    told = report.asides(report.read(debate))
    shown = {passage.id for passage in report.transcript_of(debate).passages}
    assert set(told) <= shown
    for aside in told.values():
        assert len(set(aside.states)) == len(aside.states)
        for label, text in aside.facts:
            assert label
            check_line(text, debate)
    return told


def fact(aside: Aside, label: str) -> str:
    """Return what is told under a label, of several of them joined."""
    return "; ".join(t for name, t in aside.facts if name == label).replace("\xa0", " ")


def check_line(text: str, debate: Debate) -> None:
    """Fail on a line that is empty, broken, marked up by a text, or leads nowhere."""
    assert text.strip() == text != ""
    assert "\n" not in text
    assert "<" not in text
    assert "  " not in text
    leads = targets(debate.record)
    for pair in _REFERENCE.findall(text):
        assert next(filter(None, pair)) in leads, text
