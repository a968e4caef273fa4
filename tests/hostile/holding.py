"""Courses in which every text of every reply is the same one, and all that comes out of them."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.core.replies import Reply
from debate_ops.core.values import Act, Turn
from debate_ops.protocols import load_protocol
from debate_ops.report.exports import EXPORTS
from tests.cli.stage import Said, say
from tests.courses import RICH, Data, list_steps, load_course
from tests.engine.stage import FOLDER, SLUG, put
from tests.hostile.filling import filled
from tests.hostile.texts import HOST, PLAIN

NAMES = {load_course(name)["protocol"]: name for name in RICH}
"""The course that is run, by protocol."""
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
    "transcript.md": ("transcript",),
    "transcript.txt": ("transcript", "--format", "text"),
    "validate.txt": ("validate",),
    "validate.json": ("validate", "--json"),
    "check.txt": ("check", "--require", "complete"),
    "outcome.md": ("outcome",),
    **{f"export.{name}": ("export", "--to", name) for name in EXPORTS},
}
"""What is asked of a debate that is over, by the name of its output."""
MEMO = "inbox/memo.prompt.md"
"""What `report` asks for."""


class Debated(NamedTuple):
    """A debate that was run: its files, the prompts of its turns, and what commands printed."""

    files: Mapping[str, str]
    prompts: Mapping[str, str]
    printed: Mapping[str, Said]


def plain(protocol: str, instead_of: str = "") -> Debated:
    """Return the same debate with nothing hostile in it: as long, where the text is a long one.

    How many entries fit into a prompt, and what a page folds in, is a matter of length.
    """
    times = 1 if len(instead_of) < LONG else len(instead_of) // len(PLAIN)
    return debated(protocol, " ".join([PLAIN] * times))


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Work in an empty folder."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


@lru_cache(12)  # the plain ones, and the one that is looked at
def debated(protocol: str, text: str) -> Debated:
    """Run a course with one text wherever a reply or the framing has one; ask for all outputs."""
    with aside():
        begin(protocol, text)
        answers = {"next.json": say("next", SLUG)}
        prompts = finish(protocol, text, answers)
        return Debated(_rendered(answers), prompts, answers)


def begin(protocol: str, text: str = "") -> None:
    """Make the debate of a course; all texts of its framing are this one, or its own for none."""
    course = load_course(NAMES[protocol])
    given, older = course["framing"], load_protocol(protocol).Settings.OLDER
    framing = engine.Framing(
        text or given["motion"],
        ((text, text),) if text else tuple(map(tuple, given["definitions"])),
        text or given["scope"],
        tuple((name, text or own) for name, own in given["context"] or [("notes.md", "Notes.")]),
    )
    settings = {**older, **course["settings"]}
    engine.create(SLUG, framing, protocol=protocol, settings=settings)


def finish(protocol: str, text: str, answers: dict[str, Said]) -> dict[str, str]:
    """Bring a debate to its end; keep what commands answer, and return the prompts of its turns."""
    prompts: dict[str, str] = {}
    for number, step in enumerate(list_steps(NAMES[protocol])):
        position = engine.next_turn(FOLDER)
        prompts |= {
            f"{number}-{item.task.by}.prompt.md": _read(item.slot.prompt) for item in position.tasks
        }
        if "act" in step:
            answers[f"waiting-{number}.json"] = say("status", SLUG, "--json")
            engine.act(FOLDER, Act(step["act"]["name"], step["act"]["values"], step["act"]["by"]))
            continue
        assert isinstance(position.due, Turn)
        for who, reply in step["replies"].items():
            put(number, who, of_text(reply, position.at.form_of(who), text))
        for who in step["absent"]:
            engine.skip(FOLDER, who, text, step=number)
        if step["replies"]:
            answer = say("submit", SLUG, "--step", number)
            assert answer.code in {0, 8}, answer
            answers[f"submit-{number}.json"] = answer
    return prompts


def of_text(reply: Data, form: type[Reply], text: str) -> Data:
    """Return a reply that consists of a text, its addresses in sources apart from all others."""
    full = filled(reply, form, text[:SUMMARY] if "summary" in form.model_fields else text)
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


def _rendered(answers: dict[str, Said]) -> dict[str, str]:
    """Ask for every output of a debate that is over, and return its files."""
    answers["report.json"] = say("report", SLUG, "--json")
    answers["list.txt"] = say("list")
    answers["list.json"] = say("list", "--json")
    say("report", "--all")
    for name, (command, *options) in COMMANDS.items():
        answers[name] = say(command, SLUG, *options)
    for entry in sorted(Path(FOLDER.path).glob("arguments/*.md"))[-1:]:
        answers["show-entry.txt"] = say("show", SLUG, entry.stem)
    return dict(_files())


def _files() -> Iterator[tuple[str, str]]:
    root = Path(FOLDER.path)
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        is_text = path.is_file() and path.suffix != ".png"
        if is_text and (name == MEMO or not name.startswith("inbox/")):
            yield name, _read(path)
    yield "index.md", _read("debates/index.md")
    with contextlib.suppress(FileNotFoundError):
        yield "record.json", _read("record.json")


def _read(path: str | os.PathLike[str]) -> str:
    """Read a file to the letter: `open` would turn every `\r` into a line feed."""
    return Path(path).read_bytes().decode("utf-8")
