"""The two-lane map: who answers whom, each side in a lane of its own, time downwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from debate_ops.reports.canvas import (
    BOLD,
    DASHED,
    DOTTED,
    INKS,
    LEFT,
    LINE,
    SIZE,
    WIDTH,
    Colour,
    Point,
    Sheet,
)
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.kind import SIDES, place_of
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.text import score, width
from debate_ops.reports.wrapped import wrapped
from debate_ops.semantics.flow import CONCESSION, Answer, Attack, Reception, State

MOST = 40
"""Of more arguments no map can be read; their attacks stand in a table."""
WHAT = "Who attacks whom, from the opening downwards"
LEGEND = (
    "On the map, arrows attack, and their letters say what: claim, grounds, warrant, backing. A "
    "strong arrow and a thick frame are an attack that was dropped. Dashed lines defend; dotted "
    "ones concede a part. A number is the judge's score."
)

LANE = 164
LANES = (26.0, WIDTH - 26.0 - LANE)
"""Where the lane of each side begins; beside it is the margin of its defences."""
PAD = 8
_TITLE_LINES, _FATE_LINES = 4, 2
_GAP, _BAND = 10, 28
_PORT_EDGE, _PORT_APART = 10, 15
_NEAR_TAIL = (0.22, 0.34, 0.46, 0.58, 0.7)
"""How far along an arrow its letters may stand; the first place that is free is taken."""
_BOWS = (7.0, 11.0, 15.0, 19.0)
"""How far arcs reach out of their lane: those that would lie on each other differ."""
_REACH = 4 / 3
"""A curve of Bézier reaches three quarters of the way to its control points."""
_ORDER = (
    *(State.DROPPED, State.NOT_MET, State.OPEN, State.NO_TURN),
    *(Answer.CONCEDED, State.ANSWERED),
)
"""In which order words are shown: what fits is cut at the end."""

Curve = tuple[Point, Point, Point, Point]


class Card(NamedTuple):
    """The box of an argument, or of a reply that did not come, which has no `standing`.

    `place` is that of its side; `fate` says in lines what became of the attacks on it.
    """

    standing: Standing | None
    place: int
    corner: Point
    height: float
    title: tuple[str, ...]
    fate: tuple[str, ...] = ()
    is_dropped: bool = False

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return self.corner[1] + self.height / 2

    def edge(self, *, inner: bool) -> float:
        """Return where its edge is: at the gutter, or at the margin."""
        return self.corner[0] + LANE * (inner != bool(self.place))


class Arrow(NamedTuple):
    """All attacks of one argument on another, which have the same answers; `at` is its letters."""

    attacker: str
    target: str
    letters: str
    is_dropped: bool
    points: Curve
    at: Point

    @property
    def size(self) -> Point:
        """What its letters cover."""
        return width(self.letters) * BOLD * SIZE + 4, 15.0


class Arc(NamedTuple):
    """A defence of an argument by a later one of its own side."""

    defender: str
    target: str
    is_concession: bool
    points: Curve


class Layout(NamedTuple):
    """Where everything stands; `bands` are the exchanges, by where they begin."""

    bands: Mapping[float, str]
    cards: tuple[Card, ...]
    arrows: tuple[Arrow, ...]
    arcs: tuple[Arc, ...]
    bottom: float


def paint(numbers: Numbers) -> Sheet:
    """Draw a box for each argument and an arrow for each attack and defence."""
    sheet = Sheet()
    top = sheet.heading(words.flow_result(numbers), WHAT) + LINE
    if len(numbers.standings) > MOST:
        sheet.text((LEFT, top + LINE), f"No map of more than {MOST} arguments.", "muted")
        sheet.height = round(top + 2 * LINE)
        return sheet
    plan = layout(numbers, top + LINE)
    for place, (side, name) in enumerate(SIDES.items()):
        total = f" {score(numbers.totals[side])}" if numbers.judged else ""
        sheet.text((LANES[place], top + 9), f"{name.capitalize()}{total}", INKS[place], bold=True)
    for y, label in plan.bands.items():
        sheet.path([(LANES[0], y), (LANES[1] + LANE, y)], stroke="line")
        sheet.text((LANES[0], y + LINE), label, "muted")
    places = {c.standing.argument.id: c.place for c in plan.cards if c.standing}
    for arc in plan.arcs:
        dash = DOTTED if arc.is_concession else DASHED
        sheet.path(arc.points, "MCCC", stroke=INKS[places[arc.target]], width=1.4, dash=dash)
    for arrow in sorted(plan.arrows, key=lambda a: a.is_dropped):
        opacity = 1 if arrow.is_dropped else 0.5
        sheet.arrow(arrow.points, INKS[places[arrow.attacker]], 1.8, opacity)
    for arrow in plan.arrows:
        _letters(sheet, arrow, places[arrow.attacker])
    for card in plan.cards:
        _card(sheet, card)
    sheet.height = round(plan.bottom + PAD)
    return sheet


def _letters(sheet: Sheet, arrow: Arrow, place: int) -> None:
    if arrow.letters:
        (x, y), (wide, high) = arrow.at, arrow.size
        colours: tuple[Colour, Colour] = ("ground", INKS[place])
        ground, ink = reversed(colours) if arrow.is_dropped else colours
        sheet.box((x - wide / 2, y - high / 2), (wide, high), fill=ground)
        sheet.text((x, y + 4.5), arrow.letters, ink, bold=True, align="center")


def _card(sheet: Sheet, card: Card) -> None:
    (x, y), size = card.corner, (LANE, card.height)
    left, base = x + PAD, y + LINE
    if card.standing is None:
        sheet.box(card.corner, size, stroke="muted", dash=DASHED)
        for number, text in enumerate(card.title):
            sheet.text((left, base + LINE * number), text, "muted")
        return
    own, colour = card.standing.argument.id, INKS[card.place]
    with sheet.entry(own):
        line = 3.2 if card.is_dropped else 1.2
        sheet.box(card.corner, size, fill="ground", stroke=colour, width=line)
        sheet.text((left, base), own, bold=True)
        if card.standing.history:
            at = (x + LANE - PAD, base)
            sheet.text(at, score(card.standing.score), colour, bold=True, align="right")
        for number, text in enumerate((*card.title, *card.fate), 1):
            is_fate = number > len(card.title)
            ink: Colour = "muted" if is_fate and not card.is_dropped else "text"
            bold = is_fate and card.is_dropped
            sheet.text((left, base + LINE * number), text, ink, bold=bold)


# ---------------------------------------------------------------- where everything stands


def layout(numbers: Numbers, top: float = 0) -> Layout:
    """Return where everything stands; the same debate gives the same positions."""
    bands: dict[float, str] = {}
    cards: list[Card] = []
    y = top
    for exchange, sides in _said(numbers).items():
        bands[y] = place_of(exchange).capitalize()
        y += _BAND
        for row in zip_longest(*sides):
            made = [_sized(numbers, said, place, y) for place, said in enumerate(row) if said]
            height = max(card.height for card in made)
            cards += [card._replace(height=height) for card in made]
            y += height + _GAP
    by_id = {card.standing.argument.id: card for card in cards if card.standing}
    arrows = tuple(_arrows(numbers.attacks, by_id))
    return Layout(bands, tuple(cards), arrows, tuple(_arcs(numbers, by_id)), y)


def _said(numbers: Numbers) -> dict[int, tuple[list[Standing | str], ...]]:
    """Return what each side said in each exchange, or why it did not."""
    said: dict[int, dict[str, list[Standing | str]]] = {}
    for standing in numbers.standings:
        own = standing.argument
        said.setdefault(own.exchange, {}).setdefault(own.side, []).append(standing)
    for absence in numbers.absences:
        row = said.setdefault(absence.exchange, {})
        row.setdefault(absence.participant, []).append(f"No reply ({absence.how})")
    return {
        exchange: tuple(said[exchange].get(side, []) for side in SIDES)
        for exchange in sorted(said)
        if said[exchange].keys() & SIDES.keys()
    }


def _sized(numbers: Numbers, said: Standing | str, place: int, y: float) -> Card:
    room = (LANE - 2 * PAD) / SIZE
    title = said if isinstance(said, str) else said.argument.title
    lines = wrapped(title, room, _TITLE_LINES)
    if isinstance(said, str):
        return Card(None, place, (LANES[place], y), LINE * len(lines) + PAD, lines)
    fate, is_dropped = _fate(numbers, said.argument.id)
    below = wrapped(fate, room / (BOLD if is_dropped else 1), _FATE_LINES)
    height = LINE * (1 + len(lines) + len(below)) + PAD
    return Card(said, place, (LANES[place], y), height, lines, below, is_dropped)


def _fate(numbers: Numbers, own: str) -> tuple[str, bool]:
    """Return what became of the attacks on an argument, and whether one was dropped."""
    states = Counter(attack.outcome for attack in numbers.attacks if attack.target == own)
    fate = ", ".join(f"{states[way]} {way.value}" for way in _ORDER if states[way])
    return fate or Reception(numbers.flow.receptions[own]).value, bool(states[State.DROPPED])


def _ports(pairs: Sequence[tuple[Card, Card]]) -> dict[tuple[int, bool], float]:
    """Return where links meet their boxes, by link and whether it is its tail.

    Those that lead further up meet their box above the others.
    """
    ends: dict[Point, list[tuple[float, bool, int]]] = {}
    cards = {card.corner: card for pair in pairs for card in pair}
    for link, (source, target) in enumerate(pairs):
        ends.setdefault(source.corner, []).append((target.middle, True, link))
        ends.setdefault(target.corner, []).append((source.middle, False, link))
    ports = {}
    for corner, own in ends.items():
        card = cards[corner]
        apart = min(_PORT_APART, (card.height - 2 * _PORT_EDGE) / len(own))
        for number, (_, is_tail, link) in enumerate(sorted(own)):
            ports[link, is_tail] = card.middle + (number - (len(own) - 1) / 2) * apart
    return ports


def _arrows(attacks: Iterable[Attack], cards: Mapping[str, Card]) -> Iterator[Arrow]:
    pairs: dict[tuple[str, str], list[Attack]] = {}
    for attack in attacks:
        pairs.setdefault((attack.attacker, attack.target), []).append(attack)
    ports = _ports([(cards[attacker], cards[target]) for attacker, target in pairs])
    done: list[Arrow] = []
    for link, ((attacker, target), own) in enumerate(pairs.items()):
        tail = (cards[attacker].edge(inner=True), ports[link, True])
        head = (cards[target].edge(inner=True), ports[link, False])
        half = (tail[0] + head[0]) / 2
        points = (tail, (half, tail[1]), (half, head[1]), head)
        letters = "".join(dict.fromkeys(attack.component[:1].upper() for attack in own))
        arrow = Arrow(attacker, target, letters, own[0].state is State.DROPPED, points, tail)
        places = [arrow._replace(at=along(points, part)) for part in _NEAR_TAIL]
        free = (at for at in places if not any(_overlap(at, other) for other in done))
        done.append(next(free, places[0]))
        yield done[-1]


def _overlap(one: Arrow, other: Arrow) -> bool:
    return all(abs(one.at[i] - other.at[i]) < (one.size[i] + other.size[i]) / 2 for i in (0, 1))


def along(points: Curve, part: float) -> Point:
    """Return the point of a curve of Bézier at `part` of its way, from 0 to 1."""
    rest = 1 - part
    weights = (rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3)
    x, y = (sum(w * point[i] for w, point in zip(weights, points, strict=True)) for i in (0, 1))
    return x, y


def _arcs(numbers: Numbers, cards: Mapping[str, Card]) -> Iterator[Arc]:
    found: dict[tuple[str, str], bool] = {}
    for standing in numbers.standings:
        own = standing.argument
        for link in own.defends:
            target = cards.get(link.target_id)
            if target and target.place == cards[own.id].place and link.target_id != own.id:
                pair = (own.id, link.target_id)
                found[pair] = found.get(pair, False) or link.type == CONCESSION
    pairs = [(cards[defender], cards[target]) for defender, target in found]
    ports, bows = _ports(pairs), _bows(pairs)
    for number, (pair, is_concession) in enumerate(found.items()):
        source = pairs[number][0]
        x, tail, head = source.edge(inner=False), ports[number, True], ports[number, False]
        out = x + bows[number] * _REACH * (1 if source.place else -1)
        yield Arc(*pair, is_concession, ((x, tail), (out, tail), (out, head), (x, head)))


def _bows(pairs: Sequence[tuple[Card, Card]]) -> dict[int, float]:
    """Return how far each arc reaches out: the shorter ones lie inside of the longer ones."""
    spans = [(a.place, *sorted((a.middle, b.middle))) for a, b in pairs]
    levels: dict[int, int] = {}
    for link in sorted(range(len(pairs)), key=lambda n: (spans[n][2] - spans[n][1], n)):
        place, top, bottom = spans[link]
        beside = {
            level
            for other, level in levels.items()
            if spans[other][0] == place and top <= spans[other][2] and spans[other][1] <= bottom
        }
        free = (level for level in range(len(_BOWS)) if level not in beside)
        levels[link] = next(free, len(_BOWS) - 1)
    return {link: _BOWS[level] for link, level in levels.items()}
