"""The flow sheet: every attack or critique by its target, and how it was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from debate_ops.analysis.flow import Reception
from debate_ops.core.errors import RefusedError
from debate_ops.protocols.exchange_record import SIDES
from debate_ops.report import markdown
from debate_ops.report.reading import Reading
from debate_ops.report.transcript import to_plain
from debate_ops.report.verdict import refer
from debate_ops.report.words import capitalise, count, join

HEADS = (
    *("id", "exchange", "attacker", "side", "target", "component", "state", "how"),
    *("answered_by", "defended_by", "countered_by", "conceded_by", "later_turns"),
    *("effect", "reasoning"),
)
POINTS = (
    *("id", "point", "exchange", "critic", "target", "severity", "state", "how"),
    "answered_by",
)


class FlowSheet(NamedTuple):
    """Attacks or critiques as rows under `heads`, how many came to what, and a page in Markdown.

    `rule` says what the states mean; `figures` are what else programs are given.
    """

    what: str
    heads: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    tally: dict[str, int]
    page: str
    rule: str
    figures: Mapping[str, Any]

    def as_data(self) -> dict[str, Any]:
        """Return it for programs."""
        listed = [dict(zip(self.heads, row, strict=True)) for row in self.rows]
        return {"tally": self.tally, **self.figures, self.what: listed, "rule": self.rule}

    def list_lines(self, columns: int) -> list[str]:
        """Return it as lines for a terminal of so many columns."""
        return to_plain(self.page, columns).rstrip("\n").split("\n")


def make_flow_sheet(reading: Reading) -> FlowSheet:
    """Return the flow sheet of a debate.

    Raises:
        RefusedError: nothing is attacked or criticised in its protocol.
    """
    about = reading.verdict.about
    if "scoring" in about:
        return _of_attacks(reading)
    if "points" in about:
        return _of_points(reading)
    raise RefusedError(
        f"debates of the protocol {reading.at.protocol.name} have no attacks to follow",
        hint="'flow' is for exchange, design and consensus; 'transcript' shows all that was said.",
    )


def _of_attacks(reading: Reading) -> FlowSheet:
    scoring, targets = reading.verdict.about["scoring"], dict[str, list[dict[str, Any]]]()
    flow = scoring.flow
    for row in reading.verdict.about["flow"]:
        targets.setdefault(row["target"], []).append(row)
    numbers: Counter[str] = Counter()
    rows = []
    for a in flow.attacks:
        numbers[a.attacker] += 1
        answers = (a.answered_by, a.defended_by, a.countered_by, a.conceded_by)
        rows.append(
            (
                *(f"{a.attacker}-attack-{numbers[a.attacker]}", a.exchange, a.attacker),
                *(SIDES[a.side], a.target, a.component, a.state.code),
                *([way.code for way in a.answers], *map(list, answers), a.turns, a.effect),
                scoring.effects.get(a.key, ("", ""))[1],
            )
        )
    arguments = [
        {"id": a.id, "side": SIDES[a.by], "exchange": a.round, "title": a.title}
        | {"state": flow.receptions[a.id].code}
        for a in scoring.arguments
    ]
    states = flow.tally()
    each = ", ".join(f"{number} {state.value}" for state, number in states.items())
    made = count(len(flow.attacks), "attack")
    return _make(
        reading,
        ("attacks", HEADS, rows, {state.code: number for state, number in states.items()}),
        figures={
            "effects": flow.effects(),
            "answers": {way.code: number for way, number in flow.answers().items()},
            "arguments": arguments,
        },
        tally=f"{made}: {each}" if each else made,
        targets=[(scoring.refer(target), own) for target, own in targets.items()],
        refer=scoring.refer,
        unattacked=[
            (reception.value, [scoring.refer(i) for i in ids])
            for reception in Reception
            if reception is not Reception.ATTACKED and (ids := flow.received(reception))
        ],
    )


def _of_points(reading: Reading) -> FlowSheet:
    points, entries = reading.verdict.about["points"], reading.at.debate.entries
    rows, targets = [], dict[str, list[dict[str, Any]]]()
    for p in points:
        what = (p.id, p.number, p.exchange, p.critic, p.target, p.severity)
        rows.append((*what, p.state.code, p.outcome, [*p.replies]))
        number = f", point {p.number}" if p.number else ""
        replies = Markup(join(refer(entries[i], i) for i in p.replies))  # noqa: S704  (links of ours)
        outcome = markdown.compose("{word}", word=p.outcome or p.state.value.upper())
        targets.setdefault(p.target, []).append(
            {
                "attacker": p.id,
                "component": f"{p.severity}{number}",
                "exchange": p.exchange,
                "effect": "",
                "outcome": outcome + Markup(" by ") + replies if p.replies else outcome,
            }
        )
    return _make(
        reading,
        ("critiques", POINTS, rows, dict(Counter(p.state.code for p in points))),
        tally=capitalise(reading.verdict.about["tally"]),
        targets=[(refer(entries[t]), own) for t, own in targets.items() if t in entries],
        refer=lambda i: refer(entries[i], i),
    )


Table = tuple[str, tuple[str, ...], list[tuple[Any, ...]], dict[str, int]]
"""The first fields of a sheet: what its rows are, their heads, the rows, and the tally."""


def _make(
    reading: Reading, table: Table, *, figures: Mapping[str, Any] = {}, **shown: Any
) -> FlowSheet:
    """Return a sheet with its page, by what that shows."""
    rule: str = reading.verdict.about["rule"]
    shown |= {"title": f"What became of the {table[0]}", "rule": markdown.tame(rule)}
    page = markdown.resolve(markdown.render("flow.md.jinja", **shown), reading.name_file)
    return FlowSheet(*table, page, rule.replace("*", ""), figures)
