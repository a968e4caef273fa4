"""What the program can check of an argument's quotations, and says to whoever reads it.

It is computed from the record whenever somebody reads it, and is never part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.analysis.quotations import Kind
from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.texts import one_line
from debate_ops.model.turn import Own
from debate_ops.model.views import Argument, Ground, argument_of
from debate_ops.protocols import documents
from debate_ops.protocols.documents import Quotation

CHECKED = "Checked by the program"
"""How the program's own remarks begin, wherever they are shown."""
_DETAILS = 400
_VERDICTS = {
    Kind.VERBATIM: "is word for word in the context",
    Kind.NEAR: "is not as in the context, but nearly",
    Kind.NOT_FOUND: "was not found in the context",
    Kind.NO_SOURCE: "could not be checked, no source is at hand",
}


class Remark(NamedTuple):
    """What was found of one part of an argument.

    `verdict` are the program's own words, a clause about `part`; `details` have words of others.
    `is_good` is None where nothing is known.
    """

    part: str
    verdict: str
    details: str
    is_good: bool | None

    def lines(self) -> tuple[str, ...]:
        """Return it as lines of a prompt, the program's own and those to be quoted."""
        own = Own(f"({CHECKED}: {self.part} {self.verdict}.)")
        return (own, self.details) if self.details else (own,)

    def sentence(self) -> str:
        """Return it in one line, for readers."""
        details = f": {self.details}" if self.details else ""
        return f"{self.part[0].upper()}{self.part[1:]} {self.verdict}{details}"


def of(debate: Debate, argument: Argument) -> Iterator[Remark]:
    """Yield what was found of the quotations of an argument."""
    context = documents.of(debate)
    for number, ground in enumerate(argument.grounds, 1):
        quoted = context.quotation(ground._asdict()) if context else None
        if quoted:
            yield _of_quotation(quoted, ground, f"the quotation of ground {number}")


def lines(debate: Debate, entry_id: str) -> tuple[str, ...]:
    """Return what was found of an argument on record, as lines of a prompt."""
    entry = debate.record.get(entry_id)
    argument = argument_of(entries.parse(entry)) if entry else None
    if argument is None:
        return ()
    return tuple(line for remark in of(debate, argument) for line in remark.lines())


def _of_quotation(quoted: Quotation, ground: Ground, part: str) -> Remark:
    kind, passage, difference, _ = quoted.match
    place = quoted.place
    if "#" in ground.document and place and place.casefold() != ground.document.casefold():
        place = f"{place}, and not in {ground.document}"
    shown = "" if kind is Kind.VERBATIM or not passage else f"the nearest words are: {passage}"
    details = "; ".join(filter(None, (place, difference, shown)))
    is_good = {Kind.VERBATIM: True, Kind.NO_SOURCE: None}.get(kind, False)
    return Remark(part, _VERDICTS[kind], one_line(details, _DETAILS), is_good)
