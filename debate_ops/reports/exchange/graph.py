"""The graph of attacks and defences as Mermaid text."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence

from debate_ops.model.entries import Argument
from debate_ops.reports import mermaid
from debate_ops.reports.colours import ON_SIDE, PALETTES
from debate_ops.reports.exchange.numbers import Numbers, Standing, component
from debate_ops.reports.exchange.words import result
from debate_ops.reports.mermaid import MARK, Graph, boxed, label
from debate_ops.reports.text import counted, score, shorten

_TITLE = 90
_COMPONENT = 40
_NODE = 45
"""Characters that an argument takes at least."""
_SHAPES = (('["', '"]'), ('(["', '"])'))


def draw(numbers: Numbers) -> Graph:
    """Return the graph; of a long debate as many of the newest arguments as Mermaid takes."""
    standings = numbers.standings
    total = len(standings)

    def text(newest: int) -> str:
        return _text(numbers, standings[total - newest :])

    at_most = range(2, min(total, mermaid.MOST_CHARACTERS // _NODE) + 1)
    shown = min(total, 1 + bisect(at_most, x=False, key=lambda n: not mermaid.fits(text(n))))
    return Graph(text(shown), shown, total, _note(shown, total))


def _note(shown: int, of: int) -> str:
    if shown == of:
        return ""
    return f"The graph shows the {shown} newest of {counted(of, 'argument')}."


def _text(numbers: Numbers, standings: Sequence[Standing]) -> str:
    left_out = len(numbers.standings) - len(standings)
    ids = {standing.argument.id for standing in standings}
    title = f"Argument graph. {numbers.framing.motion}"
    lines = [
        "flowchart RL",  # an arrow points left, at what was said before
        f"    accTitle: {mermaid.words(title)}",
        f"    accDescr: {mermaid.words(_description(numbers, len(standings), left_out))}",
        *(_class(place, side) for place, side in enumerate(numbers.kind.sides)),
        *(_node(standing, list(numbers.kind.sides)) for standing in standings),
        *_edges([standing.argument for standing in standings], ids),
    ]
    return "\n".join([MARK, *lines]) + "\n"


def _description(numbers: Numbers, shown: int, left_out: int) -> str:
    window = f"the {shown} newest of {shown + left_out}" if left_out else f"all {shown}"
    return (
        f"{result(numbers)}. Solid arrows attack, dashed arrows defend, each pointing left at an "
        f"earlier argument. Shown are {window} arguments."
    )


def _class(place: int, side: str) -> str:
    colour = PALETTES["light"].sides[place]
    return f"    classDef {side} fill:{colour},stroke:{colour},color:{ON_SIDE}"


def _node(standing: Standing, sides: Sequence[str]) -> str:
    argument = standing.argument
    opening, closing = _SHAPES[sides.index(argument.side)]
    text = f"{argument.id}<br/>{boxed(argument.title, _TITLE)}<br/>{score(standing.score)}"
    return f"    {argument.id}{opening}{text}{closing}:::{argument.side}"


def _edges(arguments: Iterable[Argument], ids: set[str]) -> Iterable[str]:
    for argument in arguments:
        for arrow, verb, links in (
            ("-->", "attacks", argument.attacks),
            ("-.->", "defends", argument.defends),
        ):
            for link in links:
                if link.target_id in ids:
                    text = label(shorten(component(link), _COMPONENT)) or verb
                    yield f'    {argument.id} {arrow}|"{text}"| {link.target_id}'
