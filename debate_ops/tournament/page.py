"""The page of a tournament, as HTML and Markdown, with its charts."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import escape

from debate_ops.core.texts import one_line
from debate_ops.engine import files
from debate_ops.engine.store import PAGE
from debate_ops.report import charts, markdown
from debate_ops.report.charts import PALETTES, Chart, Row
from debate_ops.report.page import CHARTS, README, frame, wrap_block, wrap_page
from debate_ops.tournament import figures
from debate_ops.tournament.figures import Ratings
from debate_ops.tournament.plan import MOST_BYTES, Motion, Pairing, TournamentFile
from debate_ops.tournament.work import TIE, Result


def render_tournament(
    root: str,
    cup: TournamentFile,
    motions: Sequence[Motion],
    plan: Sequence[Pairing],
    results: Mapping[str, Result],
) -> tuple[list[str], Ratings]:
    """Write both pages, whose links to a debate lead to its own in the same form, and pictures.

    Returns their paths, and the ratings on them.
    """
    own = [results[p.slug] for p in plan if p.slug in results]
    ratings, costs = figures.rate(own, cup.seed), figures.find_costs(own)
    drawn = {chart.name: chart for chart in _draw(ratings, costs)}
    on_motion: dict[str, list[Pairing]] = {each.motion: [] for each in motions}
    for pairing in sorted(plan):
        on_motion[pairing.motion].append(pairing)
    text = markdown.render(
        "tournament.md.jinja",
        name=os.path.basename(root),
        cup=cup,
        motions=motions,
        done=sum(r["winner"] is not None for r in own),
        planned=len(plan),
        ratings=ratings,
        names=[*dict.fromkeys([*ratings.strengths, *cup.participants])],
        points=defaultdict(lambda: (0, 0), figures.count_points(own)),
        costs=costs,
        charts=drawn,
        for_motion=figures.share_of(own),
        biases=figures.list_biases(own),
        on_motion=on_motion,
        balance={
            m: figures.share_of(results[p.slug] for p in debates if p.slug in results)
            for m, debates in on_motion.items()
        },
        results=results,
        tie=TIE,
    )

    def show(name: str) -> str:
        return f"![{escape(one_line(charts.words(drawn[name])))}]({CHARTS}/{name}.png)"

    readme = os.path.join(root, README)
    before = files.read_bytes(readme, MOST_BYTES) if os.path.lexists(readme) else b""
    shown = markdown.resolve(text, lambda slug: f"{slug}/{README}", show)
    linked = markdown.resolve(text, lambda slug: f"{slug}/{PAGE}", lambda name: f"PUTCHART{name}")
    framed = {name: frame(name, charts.svg(chart)) for name, chart in drawn.items()}
    html = re.sub("<p>PUTCHART([a-z]+)</p>", lambda m: framed[m[1]], markdown.to_html(linked))
    contents = {f"{CHARTS}/{n}.png": charts.png(c, PALETTES["light"]) for n, c in drawn.items()}
    contents[README] = wrap_block(shown, before)
    contents[PAGE] = wrap_page(html, f"Tournament {os.path.basename(root)}").encode()
    os.makedirs(os.path.join(root, CHARTS), exist_ok=True)
    for name, data in contents.items():
        files.write_derived(os.path.join(root, *name.split("/")), data)
    return [os.path.join(root, name) for name in contents], ratings


def _draw(ratings: Ratings, costs: Mapping[str, float]) -> Iterator[Chart]:
    strengths = ratings.strengths
    rows = tuple(
        Row(n, (i.low, i.high, i.value), i.describe())
        for n, i in strengths.items()
        if i.low is not None and i.high is not None
    )
    if rows and not ratings.is_level:
        unit = "log odds; rings are the ends of the 95 % interval"
        ends = ("weaker", "stronger")
        title = "How strong each participant is"
        yield Chart("ratings", title, rows, "course", unit, ends)
    if strengths and any(costs.values()):
        say = "${:.4f}" if ratings.is_level else "${:.4f}, strength {:+.2f}"
        rows = tuple(
            Row(n, (costs[n],), say.format(costs[n], i.value)) for n, i in strengths.items()
        )
        unit = "US dollars a debate, the strongest first"
        yield Chart("cost", "What each participant costs", rows, unit=unit)
