"""Courses: debates as data, which every suite over all protocols runs.

A row is what `tests/corpus` has of a course: protocol, settings, framing, and by step the replies
of the turn or a person's act. It ends where its last step says.
"""

import json
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from debate_ops.core.protocol import ADVISER, Replayed, start
from debate_ops.core.values import Absent, Act, Debate, Entry, Fault
from debate_ops.protocols import load_protocol

Data = dict[str, Any]
FOLDER = Path(__file__).parent / "corpus"
COURSES = sorted(
    path.stem for path in FOLDER.glob("*.json") if not path.stem.startswith("debates-")
)
RICH = (
    "chairs-the-chairs-cut-in-and-are-called-to-order",
    "consensus-five-all-phases-two-cycles",
    "design-two-all-phases",
    "exchange-attacks-decided",
    "formal-two-pairs-and-a-judge",
    "speeches-two-rounds-and-a-judge",
)
"""One course of each protocol with most there can be in it; a new one last: places are known."""
VARIED = tuple(
    name
    for name in COURSES
    if name.endswith(("absences", "cut", "cancelled", "no-judge", "words", "panel"))
    or name in {*RICH, "exchange-long-texts"}
)
"""Courses that have each protocol, kind of entry, phase, act and absence that any course has."""
MARK = "\u00a7"
"""Begins the names of the paragraphs of a long text, in a file."""
SKIPPED = Absent("skip", "Nothing came in time.", "user")


@cache
def load_course(name: str) -> Data:
    """Return a course of the corpus; nobody may change it."""
    data: Data = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    texts = data.pop("texts")
    return {key: _unpack(part, texts) for key, part in data.items()}


def _unpack(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _unpack(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [_unpack(part, texts) for part in value]
    if isinstance(value, str) and value.startswith(MARK):
        return "\n\n".join(texts[name] for name in value[1:].split(" "))
    return value


def begin_course(name: str, **chosen: Any) -> Replayed:
    """Return a debate of a course at its first turn, with no folder and settings of its own."""
    course = load_course(name)
    rules, framing = load_protocol(course["protocol"]), course["framing"]
    given = rules.Settings.OLDER | course["settings"] | chosen
    debate = Debate(
        rules.Settings.model_validate(given),
        framing["motion"],
        tuple(map(tuple, framing["definitions"])),
        framing["scope"],
        tuple(map(tuple, framing["context"])),
        last_exchange=course.get("last_exchange"),
    )
    return start(rules, debate)


def list_steps(name: str) -> list[Data]:
    """Return what is given at each step of a course."""
    return [step for step in load_course(name)["steps"] if "replies" in step or "act" in step]


def read_exactly(value: Any) -> Any:
    """Return a value as a reply's text has it: numbers as `Decimal`."""
    return json.loads(json.dumps(value, default=float), parse_float=Decimal)


def take_step(at: Replayed, step: Data) -> list[Entry]:
    """Put a step of a course on record; return its entries."""
    if "act" in step:
        return at.commit(at.protocol.act(at.debate, at.place, Act(**step["act"])))
    replies: Data = dict.fromkeys(step["absent"], SKIPPED)
    for who, value in step["replies"].items():
        replies[who], faults = at.read(who, read_exactly(value), is_named=True)
        assert not [fault for fault in faults if not fault.is_warning], faults
    return at.commit(at.make(replies))


def hold_turn(at: Replayed, given: Data) -> tuple[list[Entry], list[Fault]]:
    """Put a turn on record in which whoever has no reply that fits is absent.

    Return its entries, and what was found in the replies.
    """
    replies, faults = dict[str, Any](), list[Fault]()
    for who in (task.by for task in at.tasks if task.by != ADVISER or ADVISER in given):
        replies[who] = given.get(who, SKIPPED)
        if replies[who] is not SKIPPED:
            replies[who], found = at.read(who, read_exactly(given[who]), is_named=True)
            faults += found
    misfits = {fault.by for fault in faults if not fault.is_warning}
    return at.commit(at.make(replies | dict.fromkeys(misfits, SKIPPED))), faults


def run_course(name: str, steps: int | None = None) -> Replayed:
    """Return a debate after so many steps of a course, or after all of it."""
    at = begin_course(name)
    for step in list_steps(name)[:steps]:
        take_step(at, step)
    return at
