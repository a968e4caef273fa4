"""Commands of a debate of exchanges, with what they are run on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from debate_ops import engine
from debate_ops.errors import USAGE
from debate_ops.storage.folder import Folder
from tests.builders import (
    JUDGING,
    MOTION,
    SLUG,
    attack,
    debate_at,
    defence,
    judgment,
    opening,
    put,
    rebuttal,
    rescore,
    run,
    written,
)
from tests.reliability.faults import STOP, STOPPED, Fault, command
from tests.reliability.sweep import Case, trace

if TYPE_CHECKING:
    pass

PROP = rebuttal("prop", 1, attacks=[attack("opp_000b")], defends=[defence("prop_000a")])
OPP = rebuttal("opp", 1, attacks=[attack("prop_000a", "warrant_attack")])
JUDGE = judgment(1, {"prop_001": 0.25, "opp_001": -0.25}, [rescore("prop_000a", 0.1, 0.3)])
REBUTTALS = {"prop": PROP, "opp": OPP}
ADVICE = {"participant": "adviser", "exchange": 0, "text": "## Recommendation\n\nYes."}

EXCHANGE_FILES = ("--prop-file", "prop.json", "--opp-file", "opp.json")


def _named() -> None:
    debate_at(1)
    for name, reply in REBUTTALS.items():
        written(f"{name}.json", reply)


def _named_judge() -> None:
    _at(1, JUDGING)
    written("judge.json", JUDGE)


def _at(exchange: int, phase: str) -> Folder:
    """Return a debate whose first rebuttals attack and defend."""
    folder = debate_at(1)
    for name, reply in REBUTTALS.items():
        put(folder, name, reply)
    run("submit", SLUG, "--step", 2)
    if exchange > 1:
        put(folder, "judge", JUDGE)
        run("submit", SLUG, "--step", 3)
    assert engine.look(folder).debate.state[:2] == (exchange, phase)
    return folder


def _advised() -> Folder:
    folder = debate_at(0, first_answer="on")
    run("next", SLUG)
    for name, reply in {"prop": opening("prop"), "opp": opening("opp"), "adviser": ADVICE}.items():
        put(folder, name, reply)
    return folder


def _stopped(words: tuple[object, ...], call: str, which: int = -1) -> None:
    """Stop a command at a call of this name: the last one, or another."""
    here = Path.cwd()
    at = [n for n, made in enumerate(trace(here, words).calls, 1) if made.name == call][which]
    assert command(here, *words, fault=Fault(STOP, at)).code == STOPPED


def _left_over() -> None:
    _named()
    # The last one is that of the note of used files, which comes after the commit.
    _stopped(("process-exchange", SLUG, 1, *EXCHANGE_FILES), "replace", -2)


def half_undone() -> None:
    folder = _at(2, "awaiting_arguments")
    put(folder, "prop", rebuttal("prop", 2))
    _stopped(("undo", SLUG, "--exchange", 1, "--json"), "link")


def _after_an_undo() -> None:
    folder = _at(2, "awaiting_arguments")
    run("undo", SLUG, "--json")
    for name, reply in REBUTTALS.items():
        put(folder, name, reply)


CASES = {
    "new": Case(
        lambda: None,
        ("new", SLUG, "--motion", MOTION, "--json"),
        code_again=USAGE,
    ),
    "next --exchanges": Case(lambda: debate_at(1), ("next", SLUG, "--exchanges", 2)),
    "process-exchange, rebuttal": Case(_named, ("process-exchange", SLUG, 1, *EXCHANGE_FILES)),
    "process-judge, rescore": Case(
        _named_judge, ("process-judge", SLUG, "--json-file", "judge.json")
    ),
    "submit, opening and first answer": Case(_advised, ("submit", SLUG, "--step", 0)),
    "undo of opening and first answer": Case(
        lambda: engine.submit(_advised(), 0), ("undo", SLUG, "--step", 0, "--json")
    ),
    "undo": Case(
        lambda: _at(2, "awaiting_arguments"),
        ("undo", SLUG, "--exchange", 1, "--json"),
    ),
    "submit, after an undo": Case(_after_an_undo, ("submit", SLUG, "--step", 2)),
    "undo, half done": Case(half_undone, ("undo", SLUG, "--exchange", 1, "--json")),
    "process-exchange, left over": Case(_left_over, ("process-exchange", SLUG, 1, *EXCHANGE_FILES)),
    "status, left over": Case(_left_over, ("status", SLUG, "--json")),
}
"""Commands that only a debate of exchanges knows, and states that no script comes to."""
