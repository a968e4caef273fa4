"""Debates in which every text of every reply is the same one, and all that comes out of them."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.model.debate import Definition, Document, Framing
from debate_ops.reports import exporting

from debate_ops import engine
from debate_ops.cli import app
from debate_ops.core.values import Turn
from debate_ops.engine.store import Folder
from tests.builders import SLUG, put
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import MOST_STEPS, RICH, aside
from tests.hostile.filling import filled
from tests.hostile.texts import HOST, PLAIN

if TYPE_CHECKING:
    from debate_ops.engine import Position
    from tests.builders import Data

NAMES = MappingProxyType(dict(RICH))
"""The variant that is run, by protocol."""
SOURCE = "source.example"
"""The host of addresses in sources: these are meant to become links."""
LONG = 500
"""Characters of a text that is compared with one of its own length."""
SUMMARY = 90
"""Characters of a text that fit into a summary, by the settings of the script."""
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "show.txt": ("show",),
    "show.json": ("show", "--json"),
    "status.txt": ("status",),
    "status.json": ("status", "--json"),
    "flow.txt": ("flow",),
    "flow.md": ("flow", "--format", "md"),
    "flow.json": ("flow", "--json"),
    "semantics.txt": ("semantics",),
    "semantics.json": ("semantics", "--json"),
    "transcript.md": ("transcript",),
    "transcript.txt": ("transcript", "--format", "text"),
    "validate.txt": ("validate",),
    "validate.json": ("validate", "--json"),
    "check.txt": ("check", "--require", "complete"),
    "outcome.md": ("outcome",),
    **{f"export.{name}": ("export", "--to", name) for name in exporting.EXPORTS},
}
"""What is asked of a debate that is over, by the name of its output."""
BRIEF = "inbox/brief.prompt.md"
"""What `report` asks for."""


class Printed(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    remarks: str


class Debated(NamedTuple):
    """A debate that was run: its files, the prompts of its turns, and what commands printed."""

    files: Mapping[str, str]
    prompts: Mapping[str, str]
    printed: Mapping[str, Printed]


def printed(*words: object) -> Printed:
    """Run a command in this process, in the current folder."""
    argv, out, err = [str(word) for word in words], io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = app.main(argv)
    return Printed(code, out.getvalue(), err.getvalue())


def plain(protocol: str, instead_of: str = "") -> Debated:
    """Return the same debate with nothing hostile in it: as long, where the text is a long one.

    How many entries fit into a prompt, and what a page folds in, is a matter of length.
    """
    times = 1 if len(instead_of) < LONG else len(instead_of) // len(PLAIN)
    return debated(protocol, " ".join([PLAIN] * times))


@lru_cache(12)  # the plain ones, and the one that is looked at
def debated(protocol: str, text: str) -> Debated:
    """Run a debate with one text wherever a reply or the framing has one; ask for all outputs."""
    with aside():
        return _debated(protocol, text, framing(text))


def framing(text: str) -> Framing:
    """Return a framing all of whose texts are this one."""
    return Framing(text, (Definition(text, text),), text, (Document("notes.md", text),))


def _debated(protocol: str, text: str, about: Framing) -> Debated:
    folder = begin(protocol, about)
    answers = {"next.json": printed("next", SLUG)}
    prompts = finish(folder, protocol, text, answers)
    return Debated(_rendered(folder, answers), prompts, answers)


def begin(protocol: str, about: Framing) -> Folder:
    """Return a new debate with the settings of its script."""
    variant = ROWS[protocol].variants[NAMES[protocol]]
    return engine.create(SLUG, about, protocol=protocol, settings=variant.settings).folder


def finish(folder: Folder, protocol: str, text: str, answers: dict[str, Printed]) -> dict[str, str]:
    """Bring a debate to its end; keep what commands answer, and return the prompts of its turns."""
    variant = ROWS[protocol].variants[NAMES[protocol]]
    prompts: dict[str, str] = {}
    for _ in range(MOST_STEPS):
        position = engine.next_turn(folder)
        prompts |= _prompts(position)
        act = variant.act(position.debate)
        if act is None and (not position.tasks or variant.is_over(position.debate)):
            return prompts
        if act is not None:
            answers[f"waiting-{position.debate.step}.json"] = printed("status", SLUG, "--json")
            engine.act(folder, act)
            continue
        for name, reply in replies(position, protocol, text).items():
            put(folder, name, reply, position.debate.step)
        answers[f"submit-{position.debate.step}.json"] = printed(
            "submit", SLUG, "--step", position.debate.step
        )
        assert answers[f"submit-{position.debate.step}.json"].code in {0, 8}, answers
    raise AssertionError("the debate comes to no end")


def replies(position: Position, protocol: str, text: str) -> dict[str, str]:
    """Return the script's reply to each task of a turn, with this text wherever it has one."""
    assert isinstance(position.due, Turn)
    variant = ROWS[protocol].variants[NAMES[protocol]]
    texts = {}
    for item in position.tasks:
        reply = variant.reply(position.debate, position.due, item.task)
        texts[item.task.participant] = json.dumps(of_text(reply, item.task.schema, text))
    return texts


def of_text(reply: Data, schema: str, text: str) -> Data:
    """Return a reply that consists of a text, its addresses in sources apart from all others."""
    full = filled(reply, schema, text[:SUMMARY] if schema == "design-summary" else text)
    return _quoting(_sourced(full), text)


def _sourced(value: Any) -> Any:
    if isinstance(value, list):
        return [_sourced(item) for item in value]
    if isinstance(value, dict):
        return {
            k: _to_source(v) if k in {"source", "detail"} else _sourced(v) for k, v in value.items()
        }
    return value


def _to_source(text: Any) -> Any:
    return text.replace(HOST, SOURCE) if isinstance(text, str) else text


def _quoting(reply: Data, text: str) -> Data:
    """Let what quotes a speech quote all of it."""
    return reply | {key: text for key in ("trigger", "quote") if reply.get(key)}


def _prompts(position: Position) -> dict[str, str]:
    step = position.debate.step
    return {
        f"{step}-{item.task.participant}.prompt.md": _read(item.slot.prompt)
        for item in position.tasks
    }


def _rendered(folder: Folder, answers: dict[str, Printed]) -> dict[str, str]:
    """Ask for every output of a debate that is over, and return its files."""
    answers["report.json"] = printed("report", SLUG, "--json")
    answers["list.txt"] = printed("list")
    answers["list.json"] = printed("list", "--json")
    printed("report", "--all")
    for name, (command, *options) in COMMANDS.items():
        answers[name] = printed(command, SLUG, *options)
    for entry in sorted(Path(folder.path).glob("arguments/*.md"))[-1:]:
        answers["show-entry.txt"] = printed("show", SLUG, entry.stem)
    return dict(_files(folder))


def _files(folder: Folder) -> Iterator[tuple[str, str]]:
    root = Path(folder.path)
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        is_text = path.is_file() and path.suffix != ".png"
        if is_text and (name == BRIEF or not name.startswith("inbox/")):
            yield name, _read(path)
    yield "index.md", _read("debates/index.md")
    with contextlib.suppress(FileNotFoundError):
        yield "record.json", _read("record.json")


def _read(path: str | os.PathLike[str]) -> str:
    """Read a file to the letter: `open` would turn every `\r` into a line feed."""
    return Path(path).read_bytes().decode("utf-8")
