"""Debates of any length, as the engine makes them, with texts of realistic size."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count as count_from
from pathlib import Path
from typing import Any

from debate_ops import engine
from debate_ops.engine import Framing, files, inbox
from debate_ops.engine.position import show_place
from debate_ops.engine.record import write_turn
from debate_ops.engine.store import INBOX, Folder

SIDES = ("prop", "opp")
OTHER = {"prop": "opp", "opp": "prop"}


def words(count: int) -> str:
    """Return a text of so many words, another one each time."""
    start = next(_STARTS)
    return " ".join(f"evidence{start + number}" for number in range(count))


_STARTS = count_from(0)


def argument(side: str, exchange: int) -> dict[str, Any]:
    """Return one full argument, at the limits that the protocol sets."""
    result: dict[str, Any] = {
        "title": words(6),
        "claim": words(24),
        "grounds": [
            {"source": words(8), "content": words(90), "relevance": words(25)} for _ in range(3)
        ],
        "warrant": words(45),
        "backing": words(45),
        "qualifier": words(8),
    }
    if exchange:
        letter = "a" if exchange == 1 else ""
        target = f"_{exchange - 1:03d}{letter}"
        result["attacks"] = [_attack(f"{OTHER[side]}{target}")]
        result["defends"] = [_defence(f"{side}{target}")]
    return result


def _attack(target: str) -> dict[str, str]:
    return {"target_id": target, "attack_type": "warrant_attack", "content": words(70)}


def _defence(target: str) -> dict[str, str]:
    return {"target_id": target, "defense_type": "reinforce", "content": words(70)}


def arguments(side: str, exchange: int) -> dict[str, Any]:
    """Return a side's reply."""
    count = 1 if exchange else 3
    result = [argument(side, exchange) for _ in range(count)]
    return {"participant": side, "exchange": exchange, "arguments": result}


def judgment(exchange: int, *, rescore: bool = False) -> dict[str, Any]:
    """Return a judge's reply; `rescore` changes the score of the first argument of exchange 1."""
    letters = ("",) if exchange else ("a", "b", "c")
    scores = [
        {"argument_id": f"{side}_{exchange:03d}{letter}", "score": score, "reasoning": words(60)}
        for side, score in (("prop", 0.1), ("opp", -0.1))
        for letter in letters
    ]
    rescores = [{"argument_id": "prop_001", "new_score": 0.25, "reasoning": words(40)}]
    result: dict[str, Any] = {"participant": "judge", "exchange": exchange, "scores": scores}
    return result | ({"rescores": rescores} if rescore else {})


def begin(slug: str) -> Folder:
    """Create a debate."""
    framing = Framing("This house would measure before it optimises")
    return engine.create(slug, framing, settings={"attack_effects": "off"}).folder


def grow(folder: Folder, exchanges: range) -> None:
    """Put exchanges on record, the opening being number 0.

    Their files are laid down as commits leave them, because thousands of commits take minutes.
    """
    position = engine.load(folder)
    record, at, digests = position.record, position.at, position.header.digests
    for exchange in exchanges:
        sides = {side: arguments(side, exchange) for side in SIDES}
        for replies in (sides, {"judge": judgment(exchange)}):
            done = at.commit(at.make({by: at.read(by, said)[0] for by, said in replies.items()}))
            known = {"from": "laid down", "at": record.header.created}
            turn = [replace(entry, header=known) for entry in done]
            _, texts, digests = write_turn(record.body, turn, digests)
            for name, text in texts.items():
                Path(folder.within(name)).write_text(text, "utf-8")
    header = show_place(record.header, at).model_copy(update={"digests": digests})
    Path(folder.debate_file).write_text(record.write(header), "utf-8")


def submit(folder: Folder, replies: dict[str, dict[str, Any]]) -> None:
    """Put replies into the inbox and commit them."""
    step = engine.load(folder).debate.step
    files.make_ignored(folder.within(INBOX))
    for name, reply in replies.items():
        inbox.put(inbox.find_slot(folder, step, name), json.dumps(reply).encode(), {})
    engine.submit(folder, step)
