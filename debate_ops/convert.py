"""Debates of an older tool made into ours, in a new folder: nothing there is changed or lost.

The older tool wrote a debate in exchanges without steps and without escapes, with all scores in one
file. What it wrote is kept as it was under `older/`.
"""

import os
import shutil
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
from debate_ops.engine.record import SCORES, order_id, read_debate_file, write_turn
from debate_ops.engine.store import Folder, build_folder, plan_folder
from debate_ops.protocols import load_protocol
from debate_ops.protocols.exchange import SIDES

OLDER = "older"
"""The folder in which the older tool's own is kept as it was."""
_Data = dict[str, Any]


def convert(folder: Folder, slug: str, inside: str | None = None) -> Position:
    """Make a debate of the older tool into one of ours, in a new folder."""
    new, record = plan_folder(slug, inside), read_debate_file(folder)
    if record.header.step is not None:
        raise RefusedError(
            f"{folder.path} is a debate of this program already",
            hint=f"Go on with 'next {folder.name}'.",
        )
    turns: dict[int, list[Entry]] = defaultdict(list)
    for entry in (*_read_arguments(folder), *_make_judgments(folder)):
        turns[entry.step].append(entry)
    settings = load_protocol("exchange").Settings
    changed = {"debate_id": slug, "step": max(turns, default=-1) + 1}
    changed["settings"] = settings.model_validate(settings.OLDER).model_dump()
    header, texts = record.header.model_copy(update=changed), dict[str, str]()
    header.digests = replace(record, header=header).digest_again(0)
    for _, turn in sorted(turns.items()):
        _, more, header.digests = write_turn(record.body, turn, header.digests)
        texts |= more
    build_folder(new, compose_file(header.as_data(), record.body), texts)
    hidden = shutil.ignore_patterns(".*")
    shutil.copytree(folder.path, new.within(OLDER), symlinks=True, ignore=hidden)
    return load(new)


def _read_arguments(folder: Folder) -> Iterator[Entry]:
    for name in files.list_names(folder.within(ARGUMENTS)):
        entry_id = name.removesuffix(".md")
        parts = parse_id(entry_id)
        if parts and name.endswith(".md"):
            text = files.read_text(folder.within(ARGUMENTS, name))
            front = split_file(text, f"{ARGUMENTS}/{name}")
            added = {"kind": "argument", "step": 2 * int(parts["round"]), "from": digest_text(text)}
            # It was written without escapes, so that a backslash and an ampersand are themselves.
            body = front.body.replace("\\", "\\\\").replace("&", "\\&")
            yield read_entry(compose_file(front.header | added, body), ARGUMENTS, entry_id)


def _make_judgments(folder: Folder) -> Iterator[Entry]:
    """Yield the judgments that the scores of a debate come from, in order."""
    if not os.path.lexists(path := folder.within(SCORES)):
        return
    text = files.read_text(path)
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
    for number, data in sorted(decided.items()):
        for item in (*data["scores"], *data["rescores"]):
            side = SIDES[item["argument_id"].partition("_")[0]]
            total[side] += item["score"] - item.get("previous", 0)
            number_scored[side] += "previous" not in item
        stamp = {"from": digest_text(text), "at": max(data.pop("at"))}
        data["cumulative_scores"] = {
            side: {"total": total[side], "count": number_scored[side]} for side in total
        }
        step = 2 * number + 1
        made = Entry("judge", number, "judgment", data, folder=JUDGMENTS, step=step, header=stamp)
        yield replace(made, is_usual=True)


def _read_decisions(text: str) -> Mapping[int, _Data]:
    """Return scores, rescores and their times by the exchange whose judgment gave them."""
    decided: dict[int, _Data] = defaultdict(lambda: {"scores": [], "rescores": [], "at": []})
    for name, entry in sorted(loads(text).items(), key=lambda item: order_id(item[0])):
        if name.partition("_")[0] not in SIDES:
            raise ValueError(f"{name!r} is no argument of a side")
        before: _Data = {}
        for item in entry["history"]:
            score, reasoning = Decimal(item["score"]), str(item.get("reasoning", ""))
            if round(score, DECIMALS) != score:
                raise ValueError(f"{score} of {name} has more than {DECIMALS} decimals")
            number = order_id(str(item.get("triggered_by", "")) if before else name)[0]
            decision = {"argument_id": name, "score": score, "reasoning": reasoning}
            decided[number]["rescores" if before else "scores"].append({**before, **decision})
            decided[number]["at"].append(str(item.get("scored_at", "")))
            before = {"previous": score}
    return decided
