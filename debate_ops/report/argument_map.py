"""The map of attacks: each side in a lane of its own, time downwards."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from debate_ops.analysis.flow import LANDED, Attack, State
from debate_ops.core.values import Entry
from debate_ops.protocols.exchange import SIDES, name_exchange
from debate_ops.report.charts import LINE, SIZE, WIDTH, Picture
from debate_ops.report.markdown import load_templates
from debate_ops.report.words import count, signed, wrap

MOST = 40
"""Of more arguments no map can be read; their attacks stand in a table."""
LANE, MARGIN = 168, 6
LANES = (MARGIN, WIDTH - MARGIN - LANE)
"""Where the lane of each side begins."""
_PAD, _GAP, _BAND, _COLUMNS = 8, 10, 28, 19


class Box(NamedTuple):
    """The box of an argument; an open one was hit by an attack that nothing met."""

    id: str
    lane: int
    left: int
    top: float
    height: float
    title: tuple[str, ...]
    score: str
    is_open: bool


def draw_map(
    arguments: Sequence[Entry],
    attacks: Sequence[Attack],
    scores: Mapping[str, Decimal],
    totals: Mapping[str, Decimal],
) -> Picture:
    """Return the map: a box for each argument, and an arrow for each attack and defence.

    `totals` are the points of each side; none where nobody judged.
    """
    hit = {a.target for a in attacks if _is_open(a)}
    top, bands, boxes = float(LINE + _GAP), [], dict[str, Box]()
    for exchange, group in groupby(arguments, key=lambda argument: argument.round):
        bands.append((top, name_exchange(exchange).capitalize()))
        tops = [top + _BAND] * 2  # of the next box in each lane
        for a in group:
            lane, title = int(a.by == "opp"), wrap(a.title, _COLUMNS, 4)
            score = signed(scores[a.id]) if a.id in scores else ""
            height = LINE * (1 + len(title)) + _PAD
            place = (lane, LANES[lane], tops[lane], height)
            boxes[a.id] = Box(a.id, *place, title, score, a.id in hit)
            tops[lane] += height + _GAP
        top = max(tops)
    heads = [f"{name} {signed(totals[side])}" if totals else name for side, name in SIDES.items()]
    alt = f"Map of {count(len(arguments), 'argument')} with {count(len(attacks), 'attack')}."
    template = load_templates().get_template("map.svg.jinja")
    svg = template.render(
        alt=alt,
        width=WIDTH,
        height=top,
        size=SIZE,
        line=LINE,
        lane=LANE,
        pad=_PAD,
        inks=("first", "second"),
        heads=[*zip(LANES, map(str.capitalize, heads), strict=True)],
        bands=bands,
        boxes=boxes.values(),
        curves=[*_draw_attacks(attacks, boxes)],
    )
    return Picture(Markup(svg), alt)  # noqa: S704  (escaped by the template)


def _is_open(attack: Attack) -> bool:
    """Tell whether an attack landed whole and stands or, without a judge's word, was dropped."""
    return attack.effect == LANDED if attack.effect else attack.state is State.DROPPED


def _draw_attacks(
    attacks: Sequence[Attack], boxes: Mapping[str, Box]
) -> Iterator[tuple[int, str, float]]:
    """Yield the lane, path and opacity of an arrow for each pair: its attacks fared the same."""
    open_pairs = {(a.entry, a.target) for a in attacks if _is_open(a)}
    for source, target in dict.fromkeys((a.entry, a.target) for a in attacks):
        one, other = boxes[source], boxes[target]
        tail, head = (b.left + LANE * (not b.lane) for b in (one, other))
        start, end = (b.top + b.height / 2 for b in (one, other))
        opacity = 1 if (source, target) in open_pairs else 0.5
        x = WIDTH / 2  # to which the curve of Bézier is pulled
        path = f"M{tail:g} {start:.1f}C{x:g} {start:.1f} {x:g} {end:.1f} {head:g} {end:.1f}"
        yield one.lane, path, opacity
