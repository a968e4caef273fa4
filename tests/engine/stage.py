"""Debates in folders, made of the courses: built once, and laid down as files wherever needed."""

import contextlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from debate_ops import engine
from debate_ops.core.values import Act
from debate_ops.engine.store import Folder
from debate_ops.protocols import load_protocol
from tests import panel_judges
from tests.builders import put, read_folder
from tests.courses import list_steps, load_course

SLUG = "x-debate"
FOLDER = Folder(f"debates/{SLUG}")


def create_course(
    name: str, slug: str = SLUG, framing: engine.Framing | None = None, **more: Any
) -> engine.Position:
    """Make the debate of a course, with nothing on record; `more` are settings of its own."""
    course, protocol = load_course(name), load_course(name)["protocol"]
    older, given = load_protocol(protocol).Settings.OLDER, course["framing"]
    definitions, context = (tuple(map(tuple, given[key])) for key in ("definitions", "context"))
    framing = framing or engine.Framing(given["motion"], definitions, given["scope"], context)
    settings = {**older, **course["settings"], **more}
    return engine.create(slug, framing, protocol=protocol, settings=settings)


def put_replies(name: str, number: int, folder: Folder = FOLDER) -> None:
    for who, reply in list_steps(name)[number].get("replies", {}).items():
        put(folder, who, reply, number)


def take_step(name: str, number: int, folder: Folder = FOLDER) -> engine.Position:
    """Take a step of a course; the same once more is a repeat of it."""
    step = list_steps(name)[number]
    if "act" in step:
        return engine.act(folder, Act(**step["act"]))
    outcome: Any = None
    for who in step["absent"]:
        outcome = engine.skip(folder, who, "Nothing came in time.", step=number)
    return engine.submit(folder, number) if step["replies"] else outcome


@cache
def _build(name: str, steps: int) -> dict[str, bytes]:
    with TemporaryDirectory() as apart, contextlib.chdir(apart):
        if steps:
            lay_down(name, steps - 1)
            put_replies(name, steps - 1)
            take_step(name, steps - 1)
        else:
            create_course(name)
            engine.next_turn(FOLDER)
        return read_files(everything=True)


def lay_down(name: str, steps: int) -> Folder:
    """Put a debate into the working folder, as it is after so many steps of a course."""
    for path, data in _build(name, steps).items():
        file = Path(FOLDER.path, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return FOLDER


def hold_panel(folder: Folder, rule: str) -> int:
    """Let every member of a panel decide by a rule; return in how many turns."""
    turns = 0
    while (position := engine.next_turn(folder)).tasks:
        for item in position.tasks:
            prompt = Path(item.slot.prompt).read_text("utf-8")
            Path(item.slot.reply).write_text(panel_judges.reply(prompt, rule), "utf-8")
        engine.submit(folder, position.debate.step)
        turns += 1
    return turns


def read_files(folder: Folder = FOLDER, *, everything: bool = False) -> dict[str, bytes]:
    """Return every file that is part of the record, by its name in the folder."""
    beside = () if everything else ("inbox/", ".pending/", "set-aside/", "events.jsonl")
    return {n: data for n, data in read_folder(folder.path).items() if not n.startswith(beside)}
