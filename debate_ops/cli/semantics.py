"""The command `semantics`: how strong each argument of a debate is, and which survive."""

from __future__ import annotations

from typing import Any

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.core.errors import RefusedError
from debate_ops.model.score import to_number
from debate_ops.core.texts import one_line
from debate_ops.reports.exchange.scoreboard import SIDES, Scoreboard, ahead
from debate_ops.reports.text import score
from debate_ops.storage import folder

PROTOCOL = "exchange"


@command("semantics")
@debate_argument
def semantics(debate: str) -> Answer:
    """Show how strong each argument of a debate is, and which survive: the strongest first.

    \b
    debate-ops semantics my-decision
    debate-ops semantics my-decision --json
    """
    found = engine.look(folder.find(debate)).debate
    if found.protocol != PROTOCOL:
        raise RefusedError(
            f"a debate of the protocol {found.protocol!r} has no attack graph; "
            f"only those of {PROTOCOL!r} have one",
            hint=f"Its report gives the result: '{answers.invocation()} report {debate}'.",
        )
    board = Scoreboard(found)
    rows: list[dict[str, Any]] = []
    for argument in sorted(board.arguments, key=lambda a: -board.standings[a.id].strength):
        points, standing = board.scores[argument.id], board.standings[argument.id]
        rows.append(
            {
                "id": argument.id,
                "side": SIDES[argument.side],
                "score": None if points is None else to_number(points),
                "strength": standing.strength,
                "survives": standing.survives,
                "conceded": argument.id in board.conceded,
                "title": argument.title,
            }
        )
    result = {"arguments": rows, "lead": to_number(board.lead_by_strength)}
    if not rows:
        return Answer(result, [f"{debate} has no arguments yet."])
    lines = [f"{'argument':<10} {'strength':>8} {'score':>10}  survives"]
    for row in rows:
        own, survives = score(board.scores[row["id"]]), "yes" if row["survives"] else "no"
        part = " (a part conceded)" if row["conceded"] else ""
        head = f"{row['id']:<10} {row['strength']:>8.3f} {own:>10}"
        lines.append(f"{head}  {survives:<8} {one_line(row['title'])}{part}")
    by_strength, by_score = ahead(board.lead_by_strength), ahead(board.lead)
    return Answer(result, [*lines, "", f"By strength {by_strength}; by the judge {by_score}."])
