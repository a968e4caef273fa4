"""The command `show`: the entries of a debate, or one of them with its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.cli.status import headline, motion_of
from debate_ops.core.errors import UsageError
from debate_ops.formats import entries
from debate_ops.model.debate import SIDES, Debate
from debate_ops.model.entries import ABSENCE, ARGUMENTS, JUDGMENT, JUDGMENTS
from debate_ops.model.score import signed, to_number
from debate_ops.core.texts import one_line
from debate_ops.model.views import Judgment, argument_of, judgment_of
from debate_ops.protocols import evidence
from debate_ops.reports.reading import in_order
from debate_ops.storage import folder

MAX_GIST = 90


@command("show")
@debate_argument
@click.argument("entry_id", metavar="[ID]", required=False)
def show(debate: str, entry_id: str | None) -> Answer:
    """Show a debate's arguments with their scores, or one entry with its history."""
    position = engine.look(folder.find(debate))
    answers.warn_of_missing(position.debate)
    if entry_id is None:
        return _overview(position)
    record = position.debate.record
    entry = record.get(entry_id)
    if entry is None:
        known = [*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)]
        raise UsageError(
            f"{position.folder.name} has no entry {entry_id!r}",
            hint=f"There are: {', '.join(known) or 'none yet'}.",
        )
    history = [item for item in _history(position.debate) if item["argument_id"] == entry_id]
    effects = [  # of the attacks by it, and of those on it
        item._asdict() | {"exchange": judgment.exchange, "judgment": judgment.id}
        for judgment in _judgments(position.debate)
        for item in judgment.effects
        if entry_id in item.attack
    ]
    arguments, _ = _rows(position.debate)
    linked = {
        "attacked_by": [row["id"] for row in arguments if entry_id in row["attacks"]],
        "defended_by": [row["id"] for row in arguments if entry_id in row["defends"]],
    }
    result = {"success": True, "id": entry_id, "folder": entry.folder, "history": history}
    argument = argument_of(entries.parse(entry))
    remarks = [*evidence.of(position.debate, argument)] if argument else []
    result |= linked | {"checked": [remark._asdict() for remark in remarks]}
    result |= {"effects": effects, "header": dict(entry.header), "body": entry.body}
    title = str(entry.header.get("title", entry.header.get("kind", "")))
    scores = [
        f"  {_score(item['score'])} in exchange {item['exchange']}: {one_line(item['reasoning'])}"
        for item in history
    ]
    links = [
        f"  {key.replace('_', ' ')} {one_line(', '.join(ids))}"
        for key, ids in linked.items()
        if ids
    ]
    decided = [
        f"  {e['attacker_id']} on the {e['component']} of {e['target_id']}: {e['effect']} "
        f"in exchange {e['exchange']}: {one_line(e['reasoning'])}"
        for e in effects
    ]
    head = f"{entry_id}: {one_line(title)}"
    checked = [f"  checked by the program: {remark.sentence()}" for remark in remarks]
    return Answer(result, [head, *scores, *links, *decided, *checked, entry.body.rstrip("\n")])


def _score(number: Any) -> str:
    return "not scored" if number is None else signed(int(number * 1000))


def _judgments(debate: Debate) -> Iterator[Judgment]:
    for entry in filter(None, map(debate.record.get, debate.record.ids(JUDGMENTS))):
        if judgment := judgment_of(entries.parse(entry)):
            yield judgment


def _history(debate: Debate) -> Iterator[dict[str, Any]]:
    """Yield every score that a judgment gave."""
    for judgment in _judgments(debate):
        for item in judgment.decisions:
            yield {
                "argument_id": item.argument_id,
                "exchange": judgment.exchange,
                "score": to_number(item.score),
                "judgment": judgment.id,
                "reasoning": item.reasoning,
            }


def _rows(debate: Debate) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the arguments, and what else was said, each in the order of the debate."""
    scores = {item["argument_id"]: item["score"] for item in _history(debate)}
    arguments, others = [], []
    for entry in in_order(debate):
        value = entries.parse(entry)
        if argument := argument_of(value):
            arguments.append(
                {
                    "id": value.id,
                    "side": SIDES.get(argument.side, argument.side),
                    "title": argument.title,
                    "claim": argument.claim,
                    "score": scores.get(value.id),
                    "attacks": [link.target_id for link in argument.attacks],
                    "defends": [link.target_id for link in argument.defends],
                }
            )
        elif value.kind not in {JUDGMENT, ABSENCE} and not entry.header.get("older"):
            others.append(
                {
                    "id": value.id,
                    "kind": value.kind,
                    "participant": value.participant,
                    "exchange": value.exchange,
                    "gist": one_line(entries.headline(value), MAX_GIST),
                }
            )
    return arguments, others


def _overview(position: engine.Position) -> Answer:
    debate = position.debate
    arguments, others = _rows(debate)
    absences = [absence._asdict() for absence in engine.absences(debate)]
    motion = motion_of(debate)
    result = answers.state(position) | {
        "motion": motion,
        "arguments": arguments,
        "entries": others,
        "absences": absences,
    }
    lines = [
        one_line(motion),
        headline(position),
        "",
        *map(_argument_line, arguments),
        *(f"{row['id']:<22} {row['gist']}" for row in others),
        *(f"{a['id']}: {one_line(a['how'])}: {one_line(a['reason'])}" for a in absences),
    ]
    return Answer(result, lines)


def _argument_line(row: Mapping[str, Any]) -> str:
    links = [f"{verb} {', '.join(row[verb])}" for verb in ("attacks", "defends") if row[verb]]
    tail = f"  ({one_line('; '.join(links))})" if links else ""
    return f"{row['id']:<10} {_score(row['score']):>10}  {one_line(row['title'])}{tail}"
