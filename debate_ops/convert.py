"""Debates of an older tool made into ours, in a new folder: nothing there is changed or lost.

The older tool wrote a debate in exchanges without steps and without escapes, with all scores in one
file. What it wrote beside the record is kept under `older/`.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from debate_ops.core.errors import BadRecordError, RefusedError
from debate_ops.core.replies import DECIMALS
from debate_ops.core.texts import one_line
from debate_ops.core.values import ARGUMENTS, JUDGMENTS, Entry, parse_id
from debate_ops.engine import Position, files, load
from debate_ops.engine.entry_files import read_entry
from debate_ops.engine.headers import compose_file, digest_text, loads, split_file
from debate_ops.engine.record import SCORES, Record, order_id, read_debate_file, write_turn
from debate_ops.engine.store import DEBATE_FILE, RECORD_FOLDERS, Folder, build_folder, plan_folder
from debate_ops.protocols import load_protocol
from debate_ops.protocols.exchange import SIDES

OLDER = "older"
"""The folder of what the older tool wrote beside the record."""
_Data = dict[str, Any]


def convert(folder: Folder, slug: str, inside: str | None = None) -> Position:
    """Make a debate of the older tool into one of ours, in a new folder.

    Raises:
        RefusedError: it is one of ours already.
        BadRecordError: something in it cannot be read.
        UsageError: `slug` breaks the rule, or that folder exists.
    """
    new, record = plan_folder(slug, inside), read_debate_file(folder)
    header, settings = record.header, load_protocol("exchange").Settings
    entries = [*_read_entries(record)]
    if header.step is not None and not any(e.header.get(OLDER) for e in entries):
        raise RefusedError(
            f"{folder.path} is a debate of this program already",
            hint=f"Go on with 'next {folder.name}'.",
        )
    entries.sort(key=lambda e: (e.step, order_id(e.id)))
    full = settings.model_validate({**settings.OLDER, **(header.settings or {})})
    last = max((e.step for e in entries), default=-1)
    changed = {"debate_id": slug, "step": last + 1, "settings": full.model_dump()}
    header = header.model_copy(update=changed)
    written: dict[str, str] = {}
    before = replace(record, header=header, entries=[]).digest_again(0)
    for step in sorted({e.step for e in entries}):
        turn = [
            replace(e, header={k: v for k, v in e.header.items() if k != OLDER})
            for e in entries
            if e.step == step
        ]
        _, texts, before = write_turn(record.body, turn, before)
        written |= texts
    header.digests = before
    kept = dict(_read_others(folder))
    build_folder(new, compose_file(header.as_data(), record.body), written | kept)
    return load(new)


def _read_entries(record: Record) -> Iterator[Entry]:
    """Yield every entry: those of the older tool have `older` in their header."""
    folder, judged = record.folder, set[str]()
    for kind in RECORD_FOLDERS:
        for name in files.list_names(folder.within(kind)):
            entry_id = name.removesuffix(".md")
            parts = parse_id(entry_id)
            if parts is None or not name.endswith(".md"):
                continue
            text = files.read_text(folder.entry(kind, entry_id))
            front = split_file(text, f"{kind}/{name}")
            judged |= {entry_id} if kind == JUDGMENTS else set()
            if "step" in front.header:
                yield read_entry(text, kind, entry_id)
                continue
            added = {"kind": "argument", "step": 2 * int(parts["round"]), "from": digest_text(text)}
            # It was written without escapes, so that a backslash and an ampersand are themselves.
            body = front.body.replace("\\", "\\\\").replace("&", "\\&")
            entry = read_entry(compose_file(front.header | added, body), kind, entry_id)
            yield replace(entry, header={**entry.header, OLDER: True})
    path = folder.within(SCORES)
    if os.path.lexists(path):
        yield from (e for e in _make_judgments(files.read_text(path)) if e.id not in judged)


def _make_judgments(text: str) -> Iterator[Entry]:
    """Yield the judgments that the scores in a text come from, in order.

    Raises:
        BadRecordError: it is damaged.
    """
    wrong = (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError)
    try:
        decided = _read_decisions(text)
    except wrong as error:
        raise BadRecordError(
            f"{SCORES}:{getattr(error, 'lineno', 1)}: is damaged: {one_line(str(error), 200)}",
            hint=f"Bring back an earlier version of {SCORES} from version control or a backup; it "
            "is the only record of the scores that the older tool gave.",
        ) from None
    total, number_scored = dict.fromkeys(SIDES.values(), Decimal(0)), Counter[str]()
    for number, (scores, rescores, times) in sorted(decided.items()):
        for item in (*scores, *rescores):
            side = SIDES[item["argument_id"].partition("_")[0]]
            total[side] += item["score"] - item.get("previous", 0)
            number_scored[side] += "previous" not in item
        data: dict[str, Any] = {"scores": scores, "rescores": rescores}
        data["cumulative_scores"] = {
            side: {"total": total[side], "count": number_scored[side]} for side in total
        }
        stamp = {"from": digest_text(text), "at": max(times, default=""), OLDER: True}
        step = 2 * number + 1
        made = Entry("judge", number, "judgment", data, folder=JUDGMENTS, step=step, header=stamp)
        yield replace(made, is_usual=True)


def _read_decisions(text: str) -> Mapping[int, tuple[list[_Data], list[_Data], list[str]]]:
    """Return by the exchange whose judgment gave them scores, rescores, and when scores came."""
    decided: Mapping[int, tuple[list[_Data], list[_Data], list[str]]]
    decided = defaultdict(lambda: ([], [], []))
    for name, entry in sorted(loads(text).items(), key=lambda item: order_id(item[0])):
        if name.partition("_")[0] not in SIDES:
            raise ValueError(f"{name!r} is no argument of a side")
        before = None
        for item in entry["history"]:
            score, reasoning = Decimal(item["score"]), str(item.get("reasoning", ""))
            if round(score, DECIMALS) != score:
                raise ValueError(f"{score} of {name} has more than {DECIMALS} decimals")
            decision = {"argument_id": name, "score": score, "reasoning": reasoning}
            if before is None:
                scores, _, times = decided[order_id(name)[0]]
                scores.append(decision)
                times.append(str(item.get("scored_at", "")))
            else:
                _, rescores, _ = decided[order_id(str(item.get("triggered_by", "")))[0]]
                rescores.append({"argument_id": name, "previous": before, **decision})
            before = score
    return decided


def _read_others(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield what lies beside the record, by its new name; the record's own files are entries."""
    for above, names, listed in os.walk(folder.path):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(listed):
            shown = folder.shown(os.path.join(above, name))
            kind = shown.partition("/")[0]
            is_entry = kind in {ARGUMENTS, JUDGMENTS} and parse_id(name.removesuffix(".md"))
            if shown != DEBATE_FILE and not is_entry and not name.startswith("."):
                data = files.read_named(os.path.join(above, name), files.MAX_RECORD_BYTES)
                yield f"{OLDER}/{shown}", data.decode("utf-8", "replace")
