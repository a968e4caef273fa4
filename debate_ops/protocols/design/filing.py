"""How the entries of a design debate read: their headings, and what stands under some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from debate_ops.protocols.design.names import MOST_CONFIDENCE
from debate_ops.protocols.filing import sections
from debate_ops.protocols.schedule import Header

QUESTION_TEXT, WHY = "Question", "Why"
SOLUTION, ANSWERS, COVERAGE = "Solution", "Answers", "Requirements"
SUMMARY_TEXT, REASONS, CONFIDENCE = "Summary", "Reasons", "Confidence"
TRADE_OFFS, RECOMMENDATIONS = "Trade-offs", "Recommendations"
UNMET, OPEN_QUESTIONS = "Unmet requirements", "Open questions"
"""The headings of the sections of the entries."""


def size(texts: Mapping[Any, str]) -> int:
    """Return how many characters the sections of an entry have together."""
    return sum(map(len, sections(texts).values()))


def lines(items: Iterable[str]) -> str:
    """Return items for readers, each on a line of its own."""
    return "\n".join(f"- {' '.join(item.split())}" for item in items)


def requirement_lines(requirements: Iterable[Header]) -> str:
    """Return requirements for readers, a line each."""
    return lines(f"{each['id']} ({each['level']}): {each['text']}" for each in requirements)


def point_heading(number: int) -> str:
    """Return the heading of a point of a critique."""
    return f"Point {number}"


def verdict(answer: Header) -> str:
    """Return what an author says of a point, without the reason."""
    return f"{answer['critique']}, point {answer['point']}: {answer['verdict']}"


def verdict_lines(answers: Iterable[Header]) -> str:
    """Return answers to points for readers, a line each."""
    return lines(f"{verdict(each)}. {each['reason']}" for each in answers)


def of_most(confidence: int) -> str:
    """Return how sure the judge is, out of how sure it may be."""
    return f"{confidence} of {MOST_CONFIDENCE}"


def confidence_reasons(text: str, confidence: int) -> str:
    """Return why the judge is so sure, from the section that begins with how sure it is."""
    return text.removeprefix(f"{of_most(confidence)}: ")
