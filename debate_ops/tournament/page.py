"""The page of a tournament."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from debate_ops.engine import files
from debate_ops.engine.store import PAGE, Folder
from debate_ops.report import charts, markdown
from debate_ops.report.charts import PALETTES, Chart, Row
from debate_ops.report.page import CHARTS, README, write_both
from debate_ops.run.cast import hide_password
from debate_ops.tournament.plan import Pairing, TournamentFile
from debate_ops.tournament.ratings import (
    Ratings,
    count_points,
    find_costs,
    list_biases,
    rate,
    share_of,
)
from debate_ops.tournament.work import TIE, Result


def render_tournament(
    root: str,
    cup: TournamentFile,
    plan: Sequence[Pairing],
    results: Mapping[str, Result],
) -> tuple[list[str], Ratings]:
    """Write both pages and their pictures; return their paths, and the ratings on them."""
    own = [results[p.slug] for p in plan if p.slug in results]
    ratings, costs, name = rate(own, cup.seed), find_costs(own), os.path.basename(root)
    drawn = {chart.name: chart for chart in _draw(ratings, costs)}
    on_motion = defaultdict[str, list[Pairing]](list)
    for pairing in sorted(plan):
        on_motion[pairing.motion].append(pairing)
    text = markdown.render(
        "tournament.md.jinja",
        name=name,
        cup=cup,
        show_spec=hide_password,
        done=sum(r["winner"] is not None for r in own),
        planned=len(plan),
        ratings=ratings,
        names=[*dict.fromkeys([*ratings.strengths, *cup.participants])],
        points=count_points(own),
        costs=costs,
        charts=drawn,
        for_motion=share_of(own),
        biases=list_biases(own),
        on_motion=on_motion,
        balance={
            m: share_of(results[p.slug] for p in debates if p.slug in results)
            for m, debates in on_motion.items()
        },
        results=results,
        tie=TIE,
    )
    paths = [os.path.join(root, CHARTS, f"{chart}.png") for chart in drawn]
    for path, chart in zip(paths, drawn.values(), strict=True):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_derived(path, charts.png(chart, PALETTES["light"]))
    write_both(Folder(root), (README, PAGE), text, f"Tournament {name}", drawn)
    return [*paths, *(os.path.join(root, each) for each in (README, PAGE))], ratings


def _draw(ratings: Ratings, costs: Mapping[str, float]) -> Iterator[Chart]:
    strengths = ratings.strengths
    if strengths:
        rows = tuple(Row(name, (i.low, i.high, i.value), str(i)) for name, i in strengths.items())
        unit = "log odds, the weaker to the left; rings are the ends of the 95 % interval"
        yield Chart("ratings", "How strong each participant is", rows, "course", unit)
    if any(costs.values()):
        said = {name: f", strength {i}" for name, i in strengths.items()}
        names = said or sorted(costs)  # the strongest first
        rows = tuple(Row(n, (costs[n],), f"${costs[n]:.4f}{said.get(n, '')}") for n in names)
        yield Chart("cost", "What each participant costs", rows, unit="US dollars a debate")
