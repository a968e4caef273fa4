"""The map of attacks: each side in a lane of its own, time downwards."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from debate_ops.analysis.flow import (
    LANDED,
    Attack,
    State,
)
from debate_ops.core.values import Entry
from debate_ops.protocols.exchange import SIDES, name_exchange
from debate_ops.report.charts import LINE, SIZE, WIDTH, Picture
from debate_ops.report.markdown import load_templates
from debate_ops.report.words import count, signed, wrap

if TYPE_CHECKING:
    from debate_ops.report.exchange import Scoring

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


def _is_open(attack: Attack) -> bool:
    """Tell whether an attack landed whole and stands or, without a judge's word, was dropped."""
    return attack.effect == LANDED if attack.effect else attack.state is State.DROPPED


def draw_map(scoring: "Scoring") -> Picture:
    """Return the map: a box for each argument, and an arrow for each attack and defence."""
    top, bands, boxes = float(LINE + _GAP), [], dict[str, Box]()
    for exchange, group in groupby(scoring.arguments, key=lambda argument: argument.round):
        bands.append((top, name_exchange(exchange).capitalize()))
        tops = [top + _BAND] * 2  # of the next box in each lane
        for a in group:
            lane = a.by == "opp"
            boxes[a.id] = box = _make_box(scoring, a, lane, tops[lane])
            tops[lane] += box.height + _GAP
        top = max(tops)
    totals = (f" {signed(scoring.totals[side])}" if scoring.rounds else "" for side in SIDES)
    of = count(len(scoring.arguments), "argument")
    alt = f"Map of {of} with {count(len(scoring.attacks), 'attack')}."
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
        heads=[
            (x, f"{name.capitalize()}{total}")
            for x, name, total in zip(LANES, SIDES.values(), totals, strict=True)
        ],
        bands=bands,
        boxes=boxes.values(),
        curves=[*_draw_attacks(scoring, boxes)],
    )
    return Picture(Markup(svg), alt)  # noqa: S704  (escaped by the template)


def _make_box(scoring: "Scoring", a: Entry, lane: int, top: float) -> Box:
    title, is_open = (
        wrap(a.title, _COLUMNS, 4),
        any(map(_is_open, scoring.attacks_on.get(a.id, ()))),
    )
    score = signed(scoring.scores[a.id]) if a.id in scoring.scores else ""
    height = LINE * (1 + len(title)) + _PAD
    return Box(a.id, lane, LANES[lane], top, height, title, score, is_open)


def _draw_attacks(scoring: "Scoring", boxes: Mapping[str, Box]) -> Iterator[tuple[int, str, float]]:
    """Yield the lane, path and opacity of an arrow for each pair: its attacks fared the same."""
    open_pairs = {(a.entry, a.target) for a in scoring.attacks if _is_open(a)}
    for source, target in dict.fromkeys((a.entry, a.target) for a in scoring.attacks):
        one, other = boxes[source], boxes[target]
        tail, head = (b.left + LANE * (not b.lane) for b in (one, other))
        start, end = (b.top + b.height / 2 for b in (one, other))
        opacity = 1 if (source, target) in open_pairs else 0.5
        x = WIDTH / 2  # to which the curve of Bézier is pulled
        path = f"M{tail:g} {start:.1f}C{x:g} {start:.1f} {x:g} {end:.1f} {head:g} {end:.1f}"
        yield one.lane, path, opacity
