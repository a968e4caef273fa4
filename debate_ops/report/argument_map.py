"""The two-lane map: who answers whom, each side in a lane of its own, time downwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from markupsafe import Markup

from debate_ops.analysis.flow import CONCESSION, OUTCOMES, Attack, State, list_defences
from debate_ops.core.values import Entry
from debate_ops.protocols.exchange_record import SIDES
from debate_ops.report import svg
from debate_ops.report.scoring import EFFECTS, Scoring, name_place
from debate_ops.report.svg import BOLD, INKS, LINE, SIZE, WIDTH, Picture, Point, tag
from debate_ops.report.words import count, signed, wrap

MOST = 40
"""Of more arguments no map can be read; their attacks stand in a table."""
_LEGEND = (
    "On the map, arrows attack. A strong arrow and a thick frame are an attack that {}. Dashed "
    "lines defend; dotted ones concede a part. A number is the judge's score."
)

LANE = 164
LANES = (26.0, WIDTH - 26.0 - LANE)
"""Where the lane of each side begins; beside it is the margin of its defences."""
_PAD, _GAP, _BAND = 8, 10, 28
_TITLE_LINES, _FATE_LINES = 4, 2
_PORT_EDGE, _PORT_APART = 10, 15
_BOW, _LONGEST_BOW, _FLAT = 7, 19, 100
_REACH = 4 / 3
"""A curve of Bézier reaches three quarters of the way to its control points."""
DASHED, DOTTED = "4 3", "1 2"


class Box(NamedTuple):
    """The box of an argument; `fate` says in lines what became of the attacks on it."""

    id: str
    lane: int
    top: float
    title: tuple[str, ...]
    fate: tuple[str, ...]
    is_open: bool
    height: float = 0

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return self.top + self.height / 2

    def edge(self, *, inner: bool) -> float:
        """Return where its edge is: at the gutter between the lanes, or at the margin."""
        return LANES[self.lane] + LANE * (inner != bool(self.lane))


class Link(NamedTuple):
    """Where a link from an argument of a lane begins and ends."""

    lane: int
    tail: Point
    head: Point

    def curve(self, x: float) -> tuple[Point, ...]:
        """Return a curve of Bézier that is pulled towards `x`."""
        return self.tail, (x, self.tail[1]), (x, self.head[1]), self.head


def explain_map(scoring: Scoring) -> str:
    """Return what the lines of the map mean."""
    stands = "landed by the judge's finding, and has not been met"
    return _LEGEND.format(stands if scoring.effects else "was dropped")


def _is_open(attack: Attack) -> bool:
    """Tell whether an attack is one that counts: by the judge's word or, without one, by links."""
    return attack.stands if attack.effect else attack.state is State.DROPPED


def draw_map(scoring: Scoring) -> Picture:
    """Return the map: a box for each argument, and an arrow for each attack and defence."""
    top = float(LINE)
    shapes = []
    for x, colour, (side, name) in zip(LANES, INKS, SIDES.items(), strict=True):
        total = f" {signed(scoring.totals[side])}" if scoring.rounds else ""
        shapes.append(svg.text((x, top), f"{name.capitalize()}{total}", colour, bold=True))
    boxes: dict[str, Box] = {}
    for exchange, group in groupby(scoring.arguments, key=lambda argument: argument.round):
        top += _GAP
        shapes.append(svg.line([(LANES[0], top), (LANES[1] + LANE, top)], "line", 1))
        named = name_place(exchange).capitalize()
        shapes.append(svg.text((LANES[0], top + LINE), named, "muted"))
        own = list(_boxes(scoring, list(group), top + _BAND))
        boxes |= {box.id: box for box in own}
        top = max(box.top + box.height for box in own)
    shapes += (*_defences(scoring, boxes), *_attacks(scoring, boxes))
    shapes += (_shapes(scoring, box) for box in boxes.values())
    of = count(len(scoring.arguments), "argument")
    attacks = count(len(scoring.flow.attacks), "attack")
    return svg.draw(shapes, round(top + _GAP), f"Map of {of} with {attacks}.")


def _boxes(scoring: Scoring, said: Sequence[Entry], y: float) -> Iterator[Box]:
    """Yield the boxes of an exchange."""
    for row in zip_longest(*([a for a in said if a.by == side] for side in SIDES)):
        boxes = [_box(scoring, argument, lane, y) for lane, argument in enumerate(row) if argument]
        height = max(LINE * (1 + len(b.title) + len(b.fate)) for b in boxes) + _PAD
        yield from (box._replace(height=height) for box in boxes)
        y += height + _GAP


def _box(scoring: Scoring, argument: Entry, lane: int, top: float) -> Box:
    own = scoring.attacks_on.get(argument.id, ())
    states = Counter(EFFECTS.get(attack.effect) or attack.outcome.value for attack in own)
    words = (*EFFECTS.values(), *(way.value for way in reversed(OUTCOMES)))
    each = ", ".join(f"{states[word]} {word}" for word in words if states[word])
    room = (LANE - 2 * _PAD) / SIZE
    return Box(
        id=argument.id,
        lane=lane,
        top=top,
        title=wrap(argument.title, room, _TITLE_LINES),
        fate=wrap(each or scoring.flow.receptions[argument.id].value, room / BOLD, _FATE_LINES),
        is_open=any(map(_is_open, own)),
    )


def _shapes(scoring: Scoring, box: Box) -> Markup:
    left, base = LANES[box.lane] + _PAD, box.top + LINE
    colour, now = INKS[box.lane], scoring.scores.get(box.id)
    size, width = (LANE, box.height), 3.2 if box.is_open else 1.2
    parts = [
        svg.box(box.id, (LANES[box.lane], box.top), size, colour, width),
        svg.text((left, base), box.id, "text", bold=True),
    ]
    if now is not None:
        end = (LANES[box.lane] + LANE - _PAD, base)
        parts.append(svg.text(end, signed(now), colour, bold=True, at_end=True))
    lines = [(title, "text", False) for title in box.title]
    lines += [(fate, "text" if box.is_open else "muted", box.is_open) for fate in box.fate]
    for number, (words, shade, is_bold) in enumerate(lines, 1):
        parts.append(svg.text((left, base + LINE * number), words, shade, bold=is_bold))
    return tag("g", *parts, data_of=box.id)


def _attacks(scoring: Scoring, boxes: Mapping[str, Box]) -> Iterator[Markup]:
    """Yield an arrow through the gutter for each pair: its attacks have the same answers."""
    open_pairs = {(a.attacker, a.target) for a in scoring.flow.attacks if _is_open(a)}
    pairs = dict.fromkeys((a.attacker, a.target) for a in scoring.flow.attacks)
    for pair, link in zip(pairs, _links(pairs, boxes, inner=True), strict=True):
        opacity = 1 if pair in open_pairs else 0.5
        yield svg.arrow(link.curve(WIDTH / 2), INKS[link.lane], 1.8, opacity=opacity)


def _defences(scoring: Scoring, boxes: Mapping[str, Box]) -> Iterator[Markup]:
    """Yield an arc through the margin for each pair; longer ones lie outside of shorter ones."""
    sides = {a.id: a.by for a in scoring.arguments}
    concedes = {
        (a.id, link["target_id"]): link["type"] == CONCESSION
        for a in scoring.arguments
        for link in sorted(list_defences(a), key=lambda link: link["type"] == CONCESSION)
        if sides.get(link["target_id"]) == a.by and link["target_id"] != a.id
    }
    links = _links(concedes, boxes, inner=False)
    for link, is_dotted in zip(links, concedes.values(), strict=True):
        bow = min(_BOW + abs(link.tail[1] - link.head[1]) / _FLAT, _LONGEST_BOW) * _REACH
        curve = link.curve(link.tail[0] + (bow if link.lane else -bow))
        dash = DOTTED if is_dotted else DASHED
        yield svg.line(curve, INKS[link.lane], 1.4, stroke_dasharray=dash)


def _links(
    pairs: Iterable[tuple[str, str]], boxes: Mapping[str, Box], *, inner: bool
) -> list[Link]:
    """Return the links between pairs: they meet a box apart, the higher, the higher they lead."""
    ends = [(boxes[source], boxes[target]) for source, target in pairs]
    meeting: dict[str, list[tuple[float, int, int]]] = {}
    for number, pair in enumerate(ends):
        for end in (0, 1):
            met = (pair[1 - end].middle, number, end)
            meeting.setdefault(pair[end].id, []).append(met)
    ports: dict[tuple[int, int], Point] = {}
    for own in meeting.values():
        for place, (_, number, end) in enumerate(sorted(own)):
            box = ends[number][end]
            apart = min(_PORT_APART, (box.height - 2 * _PORT_EDGE) / len(own))
            y = box.middle + (place - (len(own) - 1) / 2) * apart
            ports[number, end] = (box.edge(inner=inner), y)
    return [Link(pair[0].lane, ports[n, 0], ports[n, 1]) for n, pair in enumerate(ends)]
