"""The page of a tournament, as HTML and Markdown, with its charts."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from debate_ops.engine import files
from debate_ops.engine.store import PAGE, Folder
from debate_ops.report import charts, markdown
from debate_ops.report.charts import PALETTES, Chart, Row
from debate_ops.report.page import CHARTS, README, write_both
from debate_ops.tournament import figures
from debate_ops.tournament.figures import Ratings
from debate_ops.tournament.plan import Motion, Pairing, TournamentFile
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
    paths = [os.path.join(root, CHARTS, f"{name}.png") for name in drawn]
    for path, chart in zip(paths, drawn.values(), strict=True):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_derived(path, charts.png(chart, PALETTES["light"]))
    write_both(Folder(root), (README, PAGE), text, f"Tournament {os.path.basename(root)}", drawn)
    return [*paths, *(os.path.join(root, name) for name in (README, PAGE))], ratings


def _draw(ratings: Ratings, costs: Mapping[str, float]) -> Iterator[Chart]:
    strengths = ratings.strengths
    rows = tuple(
        Row(n, (i.low, i.high, i.value), i.describe())
        for n, i in strengths.items()
        if i.low is not None and i.high is not None
    )
    if rows:
        unit = "log odds, the weaker to the left; rings are the ends of the 95 % interval"
        title = "How strong each participant is"
        yield Chart("ratings", title, rows, "course", unit)
    if strengths and any(costs.values()):
        rows = tuple(
            Row(n, (costs[n],), f"${costs[n]:.4f}, strength {i.describe()}")
            for n, i in strengths.items()
        )
        unit = "US dollars a debate, the strongest first"
        yield Chart("cost", "What each participant costs", rows, unit=unit)
