"""The page of a tournament, as HTML and Markdown, with its charts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from debate_ops.calibration.figures import Measured
from debate_ops.core.texts import one_line
from debate_ops.engine import files
from debate_ops.report import charts, markdown
from debate_ops.report.charts import Chart, Grid, Row, Rows
from debate_ops.report.index import wrap_page
from debate_ops.report.page import CHARTS, PAGE, README, wrap_block
from debate_ops.report.svg import PALETTES
from debate_ops.tournament import figures
from debate_ops.tournament.figures import Ratings
from debate_ops.tournament.plan import Cup, Motion, Pairing
from debate_ops.tournament.work import TIE, Result

_MOST_BYTES = 1 << 28
_MOST_IN_MATRIX = 12
"""Participants that a matrix is drawn for; a table has the others."""


def describe_share(found: Measured) -> str:
    """Return how often something was so, for people."""
    low, high = 100 * found.low, 100 * found.high
    return f"{100 * found.accuracy:.0f} % of {found.number} ({low:.0f} to {high:.0f} %)"


def render_tournament(
    root: str,
    cup: Cup,
    motions: Sequence[Motion],
    plan: Sequence[Pairing],
    results: Mapping[str, Result],
) -> tuple[tuple[str, ...], Ratings]:
    """Write the page; return its files and the ratings on it."""
    own = [results[p.slug] for p in plan if p.slug in results]
    ratings = figures.rate(own, cup.seed)
    ranked = [*ratings.strengths] or [*cup.participants]
    ranked += [name for name in cup.participants if name not in ranked]
    costs = figures.find_costs(own)
    is_priced = any(cost for cost, _ in costs.values())
    pairs = {
        (a, b): figures.score((r for r in own if {r["prop"], r["opp"]} == {a, b}), a)
        for a in ranked
        for b in ranked
        if a != b
    }
    drawn = [*_draw(ratings, ranked, pairs, costs if is_priced else {})]
    prop = figures.share_of(own)
    points = {name: figures.score(own, name) for name in ranked}
    done = sum(r["winner"] is not None for r in own)
    text = markdown.render(
        "tournament.md.jinja",
        name=os.path.basename(root),
        cup=cup,
        motions=motions,
        done=done,
        planned=len(plan),
        left=len(plan) - done,
        own=cup.own_judges,
        ratings=ratings,
        rows=[
            {
                "name": name,
                "strength": strength.describe(),
                "points": f"{points[name][0]:g}",
                "number": points[name][1],
                "cost": f"{costs[name][0] / costs[name][1]:.4f}" if is_priced else "not known",
            }
            for name, strength in ratings.strengths.items()
        ],
        prop=prop and describe_share(prop),
        names=ranked,
        matrix=[
            (a, ["" if a == b else "{:g} of {}".format(*pairs[a, b]) for b in ranked])
            for a in ranked
        ],
        biases=[(what, describe_share(found)) for what, found in figures.list_biases(own)],
        by_motion=[*_list_motions(motions, plan, results)],
    )
    return _write(root, text, drawn), ratings


def _draw(
    ratings: Ratings,
    ranked: Sequence[str],
    pairs: Mapping[tuple[str, str], tuple[float, int]],
    costs: Mapping[str, tuple[float, int]],
) -> Iterator[Chart]:
    strengths = ratings.strengths
    if strengths:
        rows = tuple(Row(n, (i.low, i.high, i.value), i.describe()) for n, i in strengths.items())
        unit = "log odds; rings are the ends of the 95 % interval"
        ends = ("weaker", "stronger")
        yield Rows("ratings", "How strong each participant is", rows, unit, "course", ends=ends)
    if strengths and costs:
        each = {n: costs[n][0] / costs[n][1] for n in strengths}
        rows = tuple(
            Row(n, (cost,), f"${cost:.4f}, strength {strengths[n].value:+.2f}")
            for n, cost in each.items()
        )
        unit = "US dollars a debate, the strongest first"
        yield Rows("cost", "What each participant costs", rows, unit)
    if len(ranked) <= _MOST_IN_MATRIX and any(number for _, number in pairs.values()):
        cells = {
            p: round(100 * points / number) if number else None
            for p, (points, number) in pairs.items()
        }
        heads = tuple(str(number) for number, _ in enumerate(ranked, 1))
        listed = tuple(
            (f"{n} {a}", tuple(cells.get((a, b)) for b in ranked)) for n, a in enumerate(ranked, 1)
        )
        yield Grid("matrix", "Who wins against whom", heads, listed, "per cent of the points")


def _list_motions(
    motions: Sequence[Motion], plan: Sequence[Pairing], results: Mapping[str, Result]
) -> Iterator[dict[str, Any]]:
    by_motion: dict[str, list[Pairing]] = {}
    for pairing in plan:
        by_motion.setdefault(pairing.motion, []).append(pairing)
    for each in motions:
        listed = sorted(by_motion[each.motion])
        found = figures.share_of(results[p.slug] for p in listed if p.slug in results)
        debates = [{**p._asdict(), "said": _say(results.get(p.slug))} for p in listed]
        shown = {"motion": each.motion, "field": each.field, "debates": debates}
        yield shown | {"found": found and describe_share(found)}


def _say(result: Result | None) -> str:
    if result is None:
        return "not held to its end"
    winner = result["winner"]
    if winner is None:
        return "not judged"
    return "too close to call" if winner == TIE else f"{result[winner]} ({result['sure']})"


def _write(root: str, text: str, drawn: Sequence[Chart]) -> tuple[str, ...]:
    """Write both pages and the pictures of the one in Markdown; return their paths."""
    by_name = {chart.name: chart for chart in drawn}
    contents: dict[str, bytes] = {}
    for chart in drawn:
        for theme, palette in PALETTES.items():
            contents[f"{CHARTS}/{chart.name}-{theme}.png"] = charts.png(chart, palette)

    def show(name: str) -> str:
        if name not in by_name:
            return ""
        return f"![{escape(one_line(charts.words(by_name[name])))}]({CHARTS}/{name}-light.png)"

    readme = os.path.join(root, README)
    before = files.read_bytes(readme, _MOST_BYTES) if os.path.lexists(readme) else b""
    shown = re.sub(r"\n{3,}", "\n\n", markdown.resolve(text, lambda _: PAGE, show))
    contents[README] = wrap_block(shown.strip() + "\n", before)
    parts = re.split(r"\[\]\(chart:([a-z]+)\)", text)
    html = Markup().join(
        (charts.svg(by_name[part]) if part in by_name else Markup())
        if n % 2
        else markdown.to_html(part)
        for n, part in enumerate(parts)
    )
    contents[PAGE] = wrap_page(html, f"Tournament {os.path.basename(root)}").encode()
    os.makedirs(os.path.join(root, CHARTS), exist_ok=True)
    for name, data in contents.items():
        files.write_derived(os.path.join(root, *name.split("/")), data)
    return tuple(os.path.join(root, name) for name in contents)
