"""Where everything of the two-lane map stands, in pixels: boxes, arrows, arcs, letters, bands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from debate_ops.reports.canvas import Point
from debate_ops.reports.exchange.map_facts import Edge, Fate, Support, edges, fates, supports
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.text import width
from debate_ops.reports.wrapped import wrapped
from debate_ops.semantics.flow import State

WIDTH = 960
LANE = 320
"""How wide a lane is: that of its boxes."""
LANES = (56.0, WIDTH - 56.0 - LANE)
"""Where the lane of each side begins; beside it is the margin of its defences."""
TOP = 134
"""Where the first band begins."""
PAD = 11
"""What is free inside a box on its left and right."""
LINE = 16
"""From one line of a box to the next."""
SIZE, SMALL = 13, 12

_BAND_HEAD, _BAND_FOOT = 24, 12
_ROW_GAP = 10
_BOX = 62
"""The height of a box with one line of title."""
_TITLE_LINES = 2
_PORT_EDGE = 10
_PORT_APART = 15
_NEAR_TAIL = (0.09, 0.18, 0.27, 0.36, 0.45)
"""How far along an arrow its letters may stand; the first place that is free is taken."""
_TAG_HEIGHT, _TAG_PAD = 15, 6
_BOWS = (13.0, 19.0, 25.0, 31.0, 37.0, 43.0, 49.0)
"""How far arcs reach out of their lane: those that would lie on each other differ."""
_REACH = 4 / 3
"""A curve of Bézier reaches three quarters of the way to its control points."""

BezierPoints = tuple[Point, Point, Point, Point]


class Card(NamedTuple):
    """The box of an argument; `place` is that of its side, `title` its lines."""

    standing: Standing
    place: int
    corner: Point
    size: Point
    title: tuple[str, ...]
    fate: Fate

    @property
    def inner(self) -> float:
        """Where its edge at the gutter is."""
        return self.corner[0] if self.place else self.corner[0] + self.size[0]

    @property
    def outer(self) -> float:
        """Where its edge at the margin is."""
        return self.corner[0] + self.size[0] if self.place else self.corner[0]

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return self.corner[1] + self.size[1] / 2


class Missing(NamedTuple):
    """A box for what was not said: a turn that ended without a reply."""

    corner: Point
    size: Point
    words: str


class Band(NamedTuple):
    """An exchange: its name, and from where to where it reaches."""

    label: str
    top: float
    bottom: float


class Arrow(NamedTuple):
    """An attack through the gutter: a curve with letters near its tail, `at` in their middle."""

    edge: Edge
    place: int
    points: BezierPoints
    at: Point
    size: Point

    @property
    def is_dropped(self) -> bool:
        """Whether the attack was dropped."""
        return self.edge.state is State.DROPPED


class Arc(NamedTuple):
    """A defence along the margin; `at` is the middle of the curve."""

    support: Support
    place: int
    points: BezierPoints
    at: Point


class Layout(NamedTuple):
    """The whole map; `bottom` is where its last band ends."""

    bands: tuple[Band, ...]
    cards: tuple[Card, ...]
    missing: tuple[Missing, ...]
    arrows: tuple[Arrow, ...]
    arcs: tuple[Arc, ...]
    bottom: float


def layout(numbers: Numbers) -> Layout:
    """Return where everything stands; the same debate gives the same positions."""
    bands, cards, missing = _boxes(numbers)
    by_id = {card.standing.argument.id: card for card in cards}
    return Layout(
        bands=tuple(bands),
        cards=tuple(cards),
        missing=tuple(missing),
        arrows=tuple(_arrows(edges(numbers.attacks), by_id)),
        arcs=tuple(_arcs(supports(numbers), by_id)),
        bottom=bands[-1].bottom if bands else TOP,
    )


# ---------------------------------------------------------------- boxes

Said = Standing | str
"""An argument, or in words why there is none."""


def lanes(numbers: Numbers) -> dict[int, tuple[list[Said], ...]]:
    """Return what each side said in each exchange, or why it did not."""
    found: dict[int, dict[str, list[Said]]] = {}
    for standing in numbers.standings:
        own = standing.argument
        found.setdefault(own.exchange, {}).setdefault(own.side, []).append(standing)
    for absence in numbers.absences:
        if absence.participant in numbers.kind.sides:
            row = found.setdefault(absence.exchange, {})
            row.setdefault(absence.participant, []).append(f"No reply ({absence.how})")
    return {
        exchange: tuple(found[exchange].get(side, []) for side in numbers.kind.sides)
        for exchange in sorted(found)
    }


def _boxes(numbers: Numbers) -> tuple[list[Band], list[Card], list[Missing]]:
    had = fates(numbers)
    bands: list[Band] = []
    cards: list[Card] = []
    missing: list[Missing] = []
    y = float(TOP)
    for exchange, sides in lanes(numbers).items():
        top, y = y, y + _BAND_HEAD
        for row in zip_longest(*sides):
            titles = [_title(said) for said in row]
            height = _BOX + LINE * (max(map(len, titles)) - 1)
            for place, said in enumerate(row):
                corner, size = (LANES[place], y), (float(LANE), float(height))
                if isinstance(said, Standing):
                    fate = had[said.argument.id]
                    cards.append(Card(said, place, corner, size, titles[place], fate))
                elif said:
                    missing.append(Missing(corner, size, said))
            y += height + _ROW_GAP
        y += _BAND_FOOT - _ROW_GAP
        bands.append(Band(numbers.kind.place(exchange).capitalize(), top, y))
    return bands, cards, missing


def _title(said: Said | None) -> tuple[str, ...]:
    """Return the lines of a title, one at least, so that boxes have a height."""
    if not isinstance(said, Standing):
        return ("",)
    return wrapped(said.argument.title, (LANE - 2 * PAD) / SIZE, _TITLE_LINES) or ("",)


# ---------------------------------------------------------------- arrows and arcs


class _End(NamedTuple):
    """One end of a link at a box: which link, whether its tail, and where the other end is."""

    link: int
    is_tail: bool
    other: float


Ports = Mapping[tuple[int, bool], float]
"""Where ends of links meet their boxes, downwards, by link and whether it is the tail."""


def _ports(pairs: Sequence[tuple[Card, Card]]) -> Ports:
    """Return where links meet their boxes, so that those to boxes above lie above the others."""
    ends: dict[str, list[_End]] = {}
    cards: dict[str, Card] = {}
    for link, (source, target) in enumerate(pairs):
        for card, other, is_tail in ((source, target, True), (target, source, False)):
            key = card.standing.argument.id
            cards[key] = card
            ends.setdefault(key, []).append(_End(link, is_tail, other.middle))
    found = {}
    for key, own in ends.items():
        card = cards[key]
        apart = min(_PORT_APART, (card.size[1] - 2 * _PORT_EDGE) / len(own))
        for number, end in enumerate(sorted(own, key=lambda e: (e.other, e.is_tail, e.link))):
            y = card.middle + (number - (len(own) - 1) / 2) * apart
            found[end.link, end.is_tail] = y
    return found


def _arrows(found: Iterable[Edge], cards: Mapping[str, Card]) -> Iterator[Arrow]:
    made = list(found)
    pairs = [(cards[edge.attacker], cards[edge.target]) for edge in made]
    ports = _ports(pairs)
    taken: list[tuple[Point, Point]] = []
    for link, edge in enumerate(made):
        source, target = pairs[link]
        tail, head = (source.inner, ports[link, True]), (target.inner, ports[link, False])
        half = (tail[0] + head[0]) / 2
        points = (tail, (half, tail[1]), (half, head[1]), head)
        size = (width(edge.letters) * SMALL + _TAG_PAD, float(_TAG_HEIGHT))
        at = _free(points, size, taken)
        taken.append((at, size))
        yield Arrow(edge, source.place, points, at, size)


def _free(points: BezierPoints, size: Point, taken: Sequence[tuple[Point, Point]]) -> Point:
    """Return the first place near the tail where letters lie on no others, else the first."""
    places = [along(points, part) for part in _NEAR_TAIL]
    free = (at for at in places if not any(_overlap(at, size, *other) for other in taken))
    return next(free, places[0])


def _overlap(at: Point, size: Point, other: Point, other_size: Point) -> bool:
    return all(abs(at[i] - other[i]) < (size[i] + other_size[i]) / 2 for i in (0, 1))


def along(points: BezierPoints, part: float) -> Point:
    """Return the point of a curve of Bézier at `part` of its way, from 0 to 1."""
    rest = 1 - part
    weights = (rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3)
    x, y = (sum(w * point[i] for w, point in zip(weights, points, strict=True)) for i in (0, 1))
    return x, y


def _arcs(found: Iterable[Support], cards: Mapping[str, Card]) -> Iterator[Arc]:
    made = list(found)
    pairs = [(cards[support.defender], cards[support.target]) for support in made]
    ports = _ports(pairs)
    bows = _bows(pairs)
    for link, support in enumerate(made):
        source, _ = pairs[link]
        x, tail, head = source.outer, ports[link, True], ports[link, False]
        out = x + bows[link] * _REACH * (1 if source.place else -1)
        points = ((x, tail), (out, tail), (out, head), (x, head))
        yield Arc(support, source.place, points, along(points, 0.5))


def _bows(pairs: Sequence[tuple[Card, Card]]) -> list[float]:
    """Return how far each arc reaches out: the shorter ones lie inside of the longer ones."""
    spans = [sorted((a.middle, b.middle)) for a, b in pairs]
    levels: dict[int, int] = {}
    for link in sorted(range(len(pairs)), key=lambda n: (spans[n][1] - spans[n][0], n)):
        place, (top, bottom) = pairs[link][0].place, spans[link]
        beside = {
            level
            for other, level in levels.items()
            if pairs[other][0].place == place
            and top <= spans[other][1]
            and spans[other][0] <= bottom
        }
        free = (level for level in range(len(_BOWS)) if level not in beside)
        levels[link] = next(free, len(_BOWS) - 1)
    return [_BOWS[levels[link]] for link in range(len(pairs))]
