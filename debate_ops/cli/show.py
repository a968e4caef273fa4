"""The commands `show` and `semantics`: the entries of a debate, and which arguments survive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from debate_ops import engine
from debate_ops.analysis.evidence import list_remarks
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.cli.status import tell_headline
from debate_ops.core.errors import RefusedError, UsageError
from debate_ops.core.texts import one_line, signed
from debate_ops.core.values import Debate, Entry
from debate_ops.engine import store
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.protocols.exchange_record import SIDES

MAX_GIST = 90


@command("show")
@debate_argument
@click.argument("entry_id", metavar="[ID]", required=False)
def show(debate: str, entry_id: str | None) -> Answer:
    """Show a debate's arguments with their scores, or one entry with its history."""
    position = engine.load(store.find_folder(debate))
    answers.remark_warnings(position)
    if entry_id is None:
        return _show_all(position)
    d = position.debate
    entry = d.get(entry_id)
    if entry is None:
        raise UsageError(
            f"{position.folder.name} has no entry {entry_id!r}",
            hint=f"There are: {', '.join(d.entries) or 'none yet'}.",
        )
    history = [item for item in _list_scores(d) if item["argument_id"] == entry_id]
    effects = [  # of the attacks by it, and of those on it
        {**item, "exchange": judgment.round, "judgment": judgment.id}
        for judgment in d.find("judgment")
        for item in judgment.data.get("effects") or ()
        if entry_id in {item["attacker_id"], item["target_id"]}
    ]
    linked = {
        name: [e.id for e in d.find("argument") if entry_id in _list_targets(e, key)]
        for name, key in (("attacked_by", "attacks"), ("defended_by", "defends"))
    }
    lines = [f"{entry_id}: {one_line(entry.title)}"]
    lines += [
        f"  {signed(item['score'])} in exchange {item['exchange']}: {one_line(item['reasoning'])}"
        for item in history
    ]
    lines += [
        f"  {name.replace('_', ' ')} {one_line(', '.join(ids))}"
        for name, ids in linked.items()
        if ids
    ]
    lines += [
        f"  {e['attacker_id']} on the {e['component']} of {e['target_id']}: {e['effect']} "
        f"in exchange {e['exchange']}: {one_line(e['reasoning'])}"
        for e in effects
    ]
    checked = [*list_remarks(d, entry)]
    lines += [f"  checked by the program: {found.part} {found.verdict}" for found in checked]
    result = {"success": True, "id": entry_id, "folder": entry.folder, "history": history}
    result |= linked | {"effects": effects, "checked": [found._asdict() for found in checked]}
    result |= {"header": {**entry.data, **entry.header}}
    result["body"] = "\n\n".join(f"## {name}\n\n{said}" for name, said in entry.texts.items())
    return Answer(result, [*lines, *describe_entry(entry)])


def _list_scores(d: Debate) -> Iterator[dict[str, Any]]:
    """Yield every score that a judgment gave."""
    for judgment in d.find("judgment"):
        for item in (*judgment.data.get("scores", ()), *(judgment.data.get("rescores") or ())):
            yield {
                "argument_id": item["argument_id"],
                "exchange": judgment.round,
                "score": item["score"],
                "judgment": judgment.id,
                "reasoning": item["reasoning"],
            }


def _list_targets(entry: Entry, key: str) -> list[str]:
    return [link["target_id"] for link in entry.data.get(key) or ()]


def _show_all(position: engine.Position) -> Answer:
    d, motion = position.debate, position.debate.motion
    scores = {item["argument_id"]: item["score"] for item in _list_scores(d)}
    arguments = [
        {
            "id": entry.id,
            "side": SIDES.get(entry.by, entry.by),
            "title": entry.title,
            "claim": entry.data.get("claim", ""),
            "score": scores.get(entry.id),
            "attacks": _list_targets(entry, "attacks"),
            "defends": _list_targets(entry, "defends"),
        }
        for entry in d.find("argument")
    ]
    others = [
        {
            "id": entry.id,
            "kind": entry.kind,
            "participant": entry.by,
            "exchange": entry.round,
            "gist": one_line(summarise_entry(entry), MAX_GIST),
        }
        for entry in d.entries.values()
        if entry.kind not in {"argument", "judgment", "absence"}
    ]
    absences = answers.list_absences(position)
    result = answers.describe_state(position) | {
        "motion": motion,
        "arguments": arguments,
        "entries": others,
        "absences": absences,
    }
    lines = [
        one_line(motion),
        tell_headline(position),
        "",
        *map(_tell_argument, arguments),
        *(f"{row['id']:<22} {row['gist']}" for row in others),
        *(f"{a['id']}: {one_line(a['how'])}: {one_line(a['reason'])}" for a in absences),
    ]
    return Answer(result, lines)


def _tell_argument(row: Mapping[str, Any]) -> str:
    links = [f"{verb} {', '.join(row[verb])}" for verb in ("attacks", "defends") if row[verb]]
    tail = f"  ({one_line('; '.join(links))})" if links else ""
    return f"{row['id']:<10} {signed(row['score']):>10}  {one_line(row['title'])}{tail}"


@command("semantics")
@debate_argument
def semantics(debate: str) -> Answer:
    """Show how strong each argument of a debate is, and which survive: the strongest first.

    \b
    debate-ops semantics my-decision
    debate-ops semantics my-decision --json
    """
    position = engine.load(store.find_folder(debate))
    if position.protocol.name != "exchange":
        raise RefusedError(
            f"a debate of the protocol {position.protocol.name!r} has no attack graph; "
            "only those of 'exchange' have one",
            hint=f"Its report gives the result: '{answers.name_invocation()} report {debate}'.",
        )
    from debate_ops.report.board import Board  # more than `show` needs

    board = Board(position.at)
    board.set_flow(is_over=True)
    conceded = {
        link["target_id"]
        for entry in board.arguments
        for link in entry.data.get("defends") or ()
        if link.get("type") == "concede_and_pivot"
    }
    strengths = {entry.id: board.standings[entry.id].strength for entry in board.arguments}
    rows: list[dict[str, Any]] = [
        {
            "id": entry.id,
            "side": SIDES.get(entry.by, entry.by),
            "score": board.scores.get(entry.id),
            "strength": strengths[entry.id],
            "survives": board.standings[entry.id].survives,
            "conceded": entry.id in conceded,
            "title": entry.title,
        }
        for entry in sorted(board.arguments, key=lambda e: -strengths[e.id])
    ]
    lead = sum(s if i.startswith("prop_") else -s for i, s in strengths.items())
    result = {"arguments": rows, "lead": round(lead, 3)}
    if not rows:
        return Answer(result, [f"{debate} has no arguments yet."])
    lines = [f"{'argument':<10} {'strength':>8} {'score':>10}  survives"]
    for row in rows:
        survives = "yes" if row["survives"] else "no"
        part = " (a part conceded)" if row["conceded"] else ""
        head = f"{row['id']:<10} {row['strength']:>8.3f} {signed(row['score']):>10}"
        lines.append(f"{head}  {survives:<8} {one_line(row['title'])}{part}")
    by_both = f"by strength {signed(round(lead, 2))}, by the judge {signed(board.lead)}"
    return Answer(result, [*lines, "", f"The proposition's lead: {by_both}."])
