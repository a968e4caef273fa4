"""Debates of an older tool made into ours, in a new folder: nothing there is changed or lost.

The older tool wrote a debate in exchanges without steps and without escapes, with all scores in one
file. What it wrote beside the record is kept under `older/`.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from debate_ops.core.errors import BadRecordError, RefusedError
from debate_ops.core.replies import DECIMALS
from debate_ops.core.texts import one_line
from debate_ops.core.values import ARGUMENTS, JUDGMENTS, Entry, parse_id
from debate_ops.engine import Position, files, load
from debate_ops.engine.debate_file import NAME
from debate_ops.engine.entry_files import read_entry, write_entry
from debate_ops.engine.headers import compose_file, digest_text, loads, split_file
from debate_ops.engine.record import (
    SCORES,
    Record,
    digest_again,
    digest_turn,
    name_first,
    order_id,
    read_debate_file,
)
from debate_ops.engine.store import RECORD_FOLDERS, Folder, build_folder, plan_folder
from debate_ops.protocols import load_protocol
from debate_ops.protocols.exchange import SIDES

OLDER = "older"
"""The folder of what the older tool wrote beside the record."""
_Histories = Mapping[str, list[dict[str, Any]]]


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
    header = header.model_copy(
        update={
            "debate_id": slug,
            "step": max((e.step for e in entries), default=-1) + 1,
            "settings": full.model_dump(),
        }
    )
    texts: dict[str, dict[str, str]] = {}
    written: dict[str, str] = {}
    before = digest_again(replace(record, header=header, entries=[]), 0)
    for step in sorted({e.step for e in entries}):
        turn = [e for e in entries if e.step == step]
        first = name_first(turn)
        for entry in turn:
            own = {k: v for k, v in entry.header.items() if k != OLDER}
            rests_on = before if entry.id == first else {}
            text = write_entry(replace(entry, header={**own, "rests_on": rests_on}))
            written[entry.file] = text
            texts.setdefault(str(step), {})[entry.id] = text
        before = digest_turn(record.body, texts[str(step)])
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
    try:
        histories = _read_histories(text)
        lists = _sort_decisions(histories)
    except (
        *(ValueError, KeyError, TypeError, AttributeError, ArithmeticError),
        RecursionError,
    ) as error:
        raise BadRecordError(
            f"{SCORES}:{getattr(error, 'lineno', 1)}: is damaged: {one_line(str(error), 200)}",
            hint=f"Bring back an earlier version of {SCORES} from version control or a backup; it "
            "is the only record of the scores that the older tool gave.",
        ) from None
    totals: dict[str, dict[str, Any]] = {
        side: {"total": Decimal(0), "count": 0} for side in SIDES.values()
    }
    for number in sorted(lists):
        scores, rescores = lists[number]["scores"], lists[number]["rescores"]
        for item in (*scores, *rescores):
            total = totals[SIDES[item["argument_id"].partition("_")[0]]]
            total["total"] += item["score"] - item.get("previous", 0)
            total["count"] += "previous" not in item
        data: dict[str, Any] = {"scores": scores, "rescores": rescores}
        data["cumulative_scores"] = {side: dict(total) for side, total in totals.items()}
        firsts = [histories[item["argument_id"]][0] for item in scores]
        at = max((str(item.get("scored_at", "")) for item in firsts), default="")
        stamp = {"from": digest_text(text), "at": at, OLDER: True}
        yield Entry(
            "judge",
            number,
            "judgment",
            data,
            folder=JUDGMENTS,
            step=2 * number + 1,
            is_usual=True,
            header=stamp,
        )


def _read_histories(text: str) -> _Histories:
    """Return by argument the scores that it was given, the first one first."""
    histories = {}
    for name, entry in loads(text).items():
        if name.partition("_")[0] not in SIDES:
            raise ValueError(f"{name!r} is no argument of a side")
        histories[name] = [{**item, "score": Decimal(item["score"])} for item in entry["history"]]
        for item in histories[name]:
            if round(item["score"], DECIMALS) != item["score"]:
                raise ValueError(f"{item['score']} of {name} has more than {DECIMALS} decimals")
    return histories


def _sort_decisions(histories: _Histories) -> dict[int, dict[str, list[dict[str, Any]]]]:
    """Return scores and rescores by the exchange whose judgment gave them."""
    lists: dict[int, dict[str, list[dict[str, Any]]]]
    lists = defaultdict(lambda: {"scores": [], "rescores": []})
    for name, history in sorted(histories.items(), key=lambda item: order_id(item[0])):
        for before, item in zip([None, *history], history, strict=False):
            decision = {"argument_id": name, "score": item["score"]}
            decision["reasoning"] = str(item.get("reasoning", ""))
            if before is None:
                lists[order_id(name)[0]]["scores"].append(decision)
            else:
                changed = {"argument_id": name, "previous": before["score"], **decision}
                lists[order_id(str(item.get("triggered_by", "")))[0]]["rescores"].append(changed)
    return lists


def _read_others(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield what lies beside the record, by its new name; the record's own files are entries."""
    for above, names, listed in os.walk(folder.path):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(listed):
            shown = folder.shown(os.path.join(above, name))
            kind = shown.partition("/")[0]
            is_entry = kind in {ARGUMENTS, JUDGMENTS} and parse_id(name.removesuffix(".md"))
            if shown != NAME and not is_entry and not name.startswith("."):
                data = files.read_named(os.path.join(above, name), files.MAX_RECORD_BYTES)
                yield f"{OLDER}/{shown}", data.decode("utf-8", "replace")
