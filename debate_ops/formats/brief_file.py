"""`brief.md`: the brief as data in its header; the text below it is for readers and never read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.errors import BadRecordError
from debate_ops.formats import headers

NAME = "brief.md"


class Kept(NamedTuple):
    """What the header says: the reply, and after which step and for which record it was taken.

    `rests_on` is a digest of that record; `made_by` is what is known of who wrote it.
    """

    reply: Mapping[str, Any]
    step: int
    rests_on: str
    made_by: Mapping[str, Any] = {}


def compose(kept: Kept, body: str) -> str:
    """Return the text of the file."""
    header: dict[str, Any] = {"step": kept.step, "rests_on": kept.rests_on}
    if kept.made_by:
        header["made_by"] = kept.made_by
    return headers.compose(header | {"brief": kept.reply}, f"\n{body.rstrip()}\n")


def parse(text: str) -> Kept:
    """Return what the header of the file says.

    Raises:
        BadRecordError: it cannot be read, or lacks what it has to say.
    """
    header = headers.parse(text, NAME).header
    reply, step, rests_on = (header.get(key) for key in ("brief", "step", "rests_on"))
    made_by = header.get("made_by", {})
    if not isinstance(reply, dict) or type(step) is not int or not isinstance(rests_on, str):
        raise BadRecordError(
            f"{NAME} has a header without a brief; expected 'brief', 'step' and 'rests_on'",
            hint=f"Remove {NAME}, or take a brief in anew with 'report --brief FILE'.",
        )
    return Kept(reply, step, rests_on, made_by if isinstance(made_by, dict) else {})
