"""Texts of the debate to go on working with, under headings that are ours alone."""

from __future__ import annotations

from collections.abc import Iterable

from debate_ops.model.texts import one_line
from debate_ops.reports.rich import rich
from debate_ops.reports.text import inline


def document(title: str, sections: Iterable[tuple[str, str]]) -> str:
    r"""Return texts under their headings; the first may have none, and blank ones are left out.

    Lists, emphasis, code and tables of a text stay, as `rich` has it.

    >>> document("A plan", [("", "Do it.\n"), ("Why", ""), ("When", "Now.")])
    '# A plan\n\nDo it.\n\n## When\n\nNow.\n'
    """
    parts = [f"# {inline(title)}"] if one_line(title) else []
    for heading, text in sections:
        if text.strip():
            parts += [f"## {heading}"] if heading else []
            parts.append(rich(text))
    return "\n\n".join(parts) + "\n" if parts else ""


def listed(items: Iterable[str]) -> str:
    """Return items as a list, a line each."""
    return "\n".join(f"- {one_line(item)}" for item in items)
