"""The command `show`: the entries of a debate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.cli.status import tell_headline
from debate_ops.core.errors import UsageError
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
    result = {"success": True, "id": entry_id, "folder": entry.folder, "history": history}
    result |= linked | {"header": {**entry.data, **entry.header}}
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
