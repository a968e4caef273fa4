"""A user's own words in a prompt: quoted, in lines that no agent client cuts."""

from __future__ import annotations

_WIDTH = 100


def quoted(text: str) -> str:
    r"""Return a text as a block quotation; its own lines stay, long ones are broken.

    >>> quoted("One.\n\nTwo.")
    '> One.\n>\n> Two.'
    """
    import textwrap  # only where a user has written something

    lines = [
        part
        for line in text.split("\n")
        for part in textwrap.wrap(line, _WIDTH, break_on_hyphens=False) or [""]
    ]
    return "\n".join(f"> {line}".rstrip() for line in lines)
