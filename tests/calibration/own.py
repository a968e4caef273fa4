"""The set of our own: its questions, their documents, and what is right."""

import json
import re
from typing import Any

from tests.builders import ROOT

SET = ROOT / "debate_ops" / "calibration"
QUESTIONS: dict[str, dict[str, Any]] = {
    item["id"]: item for item in json.loads((SET / "own.json").read_text(encoding="utf-8"))
}


def document(name: str) -> str:
    return (SET / "own" / f"{name}.md").read_text(encoding="utf-8")


def of_kind(kind: str) -> list[str]:
    return [name for name, item in QUESTIONS.items() if item["kind"] == kind]


def answers(name: str) -> tuple[str, str]:
    """Return the right answer and the wrong one."""
    item = QUESTIONS[name]
    right = item["correct"]
    (wrong,) = set(item["answers"]) - {right}
    return item["answers"][right], item["answers"][wrong]


class Figures:
    """The numbers of a document: those of its tables by row, those of its text by a pattern."""

    def __init__(self, name: str) -> None:
        self.text = document(name)
        self.rows: dict[str, list[float]] = {}
        for line in self.text.splitlines():
            label, *cells = [cell.strip() for cell in line.strip("| ").split("|")]
            if cells and all(re.fullmatch(r"-?[\d,]+(\.\d+)?", cell) for cell in cells):
                self.rows[label] = [_value(cell) for cell in cells]

    def column(self, place: int) -> dict[str, float]:
        """Return one column of the tables."""
        return {label: values[place] for label, values in self.rows.items()}

    def number(self, pattern: str) -> float:
        """Return the one figure that stands at a place of the text."""
        (figure,) = re.findall(pattern, self.text)
        return _value(figure)


def _value(figure: str) -> float:
    return float(figure.replace(",", ""))
