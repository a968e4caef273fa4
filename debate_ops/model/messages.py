"""Messages about what somebody else has written: a few of its names, and those in short.

A message is read by whoever holds the permissions. So whatever of a reply stands in one goes
through here: `name`, `names` and `value` in a sentence, `few` and `short` for findings as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from debate_ops.errors import Finding
from debate_ops.model.texts import one_line

NAME = 40
"""How many characters of a name are shown."""
VALUE = 80
"""How many characters of a value in a header are shown."""
NAMES = 8
"""How many names are listed; of more, their number is given."""
OF_A_KIND = 20
"""How many findings of one kind about one participant are listed."""
SENTENCE = 600
"""How long a message is at most, and what it wants; the lists in it are of our own ids."""
ANSWER = 10_000
"""How many bytes the findings of one answer have at most, as sentences or as data."""
PLACE = 200
"""How long the place of a finding is at most, and the excerpt of what was there."""


def name(value: object) -> str:
    r"""Return a name, an id or another short value of a reply for a message.

    >>> name("opp_\n000a"), name("a" * 50) == "a" * 40 + " …"
    ('opp_ 000a', True)
    """
    return one_line(str(value)[: 2 * PLACE], NAME)


def value(data: object) -> str:
    """Return a value of a file's header for a message, as Python writes it."""
    return one_line(repr(data), VALUE)


def names(values: Sequence[object]) -> str:
    """Return several of them in a row; of many, the first and the number of the rest.

    >>> names("abc"), names("abcdefghij")
    ('a, b, c', 'a, b, c, d, e, f, g, h and 2 more')
    """
    listed = ", ".join(map(name, values[:NAMES]))
    more = len(values) - NAMES
    return listed if more <= 0 else f"{listed} and {more:,} more"


def few(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, of each kind about each participant a few, and how many more there are."""
    listed: list[Finding] = []
    seen: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        kind = (finding.code, finding.participant)
        seen[kind] += 1
        if seen[kind] <= OF_A_KIND:
            listed.append(finding)
    return listed + [
        Finding(code, f"{number - OF_A_KIND:,} more like this are not listed", participant)
        for (code, participant), number in seen.items()
        if number > OF_A_KIND
    ]


def within(findings: Iterable[Finding], most: int = ANSWER) -> list[Finding]:
    """Return findings in short, as many as an answer has room for, and how many more there are."""
    listed: list[Finding] = []
    left, more = most, 0
    for finding in map(short, findings):
        left -= sum(len(str(part).encode("utf-8", "replace")) for part in finding)
        if left >= 0:
            listed.append(finding)
        else:
            more += 1
    if more:
        listed.append(Finding("more", f"{more:,} more are not listed"))
    return listed


def short(finding: Finding) -> Finding:
    """Return a finding whose parts are each a line that is not too long."""
    return finding._replace(
        message=one_line(finding.message, SENTENCE),
        where=one_line(finding.where, PLACE),
        actual=one_line(finding.actual, PLACE),
        expected=one_line(finding.expected, SENTENCE),
    )
