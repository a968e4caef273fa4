"""All that was said in a debate, in order: as Markdown, or as plain text of 80 columns."""

from __future__ import annotations

import re

from markupsafe import Markup

from debate_ops.report import markdown
from debate_ops.report.panel import list_member_reasons
from debate_ops.report.provenance import find_provenance
from debate_ops.report.reading import Reading
from debate_ops.report.record import list_bonds, list_texts
from debate_ops.report.words import break_lines

FORMATS = ("md", "text")
COLUMNS = 80
OWN = Markup("<!-- A transcript by debate-ops -->")
"""Begins a transcript in Markdown: a file that has it may be replaced."""
_LINK = re.compile(r"\[((?:\\.|[^\]\\])*)\]\([^)]*\)|<(https?://[^>]*)>")
_MARK = re.compile(r"\\([!-/:-@\[-`{-~])|\*\*|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
_REFERENCES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&zwnj;": ""}


def write_transcript(reading: Reading, form: str = "md") -> str:
    """Return the transcript of a debate; one that is not over says so."""
    v, panel = reading.verdict, reading.panel
    is_other = panel and panel.d is not reading.at.debate  # else its ballots stand above
    text = markdown.render(
        "transcript.md.jinja",
        own=OWN,
        v=v,
        d=reading.at.debate,
        r=reading,
        made=find_provenance(reading.at),
        texts=lambda e: [*list_texts(e)],
        bonds=lambda e: [b for b in list_bonds(e) if not b.content],
        panel=panel,
        reasons=[*list_member_reasons(panel, v.names)] if panel and is_other else [],
    )
    text = markdown.resolve(text, lambda an_id: f"#{an_id}")
    return text if form == "md" else to_plain(text)


def to_plain(text: str, columns: int = COLUMNS) -> str:
    r"""Return Markdown of ours as plain text in lines of so many columns.

    >>> print(to_plain("# A\n\n- **one** [two](#x)"))
    A
    =
    <BLANKLINE>
    - one two
    <BLANKLINE>
    """
    rows: list[str] = []
    for line in text.replace(f"{OWN}\n", "").lstrip("\n").split("\n"):
        if line.startswith(("<a id=", "</", "<details", "<summary")):
            continue
        marks, _, rest = line.partition(" ")
        is_heading = bool(marks) and not marks.strip("#")
        said = _strip(rest if is_heading else line)
        start = re.match(r"(?:> ?|[-*] |\d+\. )*", said)
        lead = start[0] if start else ""
        lines = break_lines(said[len(lead) :], columns - max(len(lead), 2 * is_heading))
        indent = "  " if is_heading else re.sub(r"[^>\s]", " ", lead)
        rows += [f"{lead if n == 0 else indent}{each}".rstrip() for n, each in enumerate(lines)]
        if is_heading:
            rows.append(("=" if len(marks) == 1 else "-") * min(columns, max(map(len, lines))))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)).strip() + "\n"


def _strip(line: str) -> str:
    """Return a line without the marks of Markdown."""
    line = _LINK.sub(lambda m: m[1] if m[1] is not None else m[2], line)
    line = _MARK.sub(lambda m: m[1] or "", line)
    for reference, character in _REFERENCES.items():
        line = line.replace(reference, character)
    return line
