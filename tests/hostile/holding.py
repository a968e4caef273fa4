"""Courses with one text in every place where a participant writes, and what comes out of them."""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.core.replies import Reply, schema_of
from debate_ops.core.values import Act, Turn
from debate_ops.report.exports import EXPORTS
from tests.cli.stage import Said, say
from tests.courses import RICH, Data, list_steps, load_course
from tests.engine.stage import FOLDER, SLUG, create_course, put
from tests.hostile.texts import HOST, PLAIN

NAMES = frozenset(
    {"participant", "phase", "chair", "to", "target", "target_id", "argument_id", "proposal_id"}
    | {"attacker_id", "document", "because", "critique", "critique_id", "requirement", "vote"}
    | {"builds_on", "unmet", "attacks", "supports", "winner", "trigger", "quote"}
)
"""Strings that name something on record, or stand in a speech: another text there is refused."""


@cache
def list_texts(form: type[Reply]) -> frozenset[str]:
    """Return the key of every string in a kind of reply that is its writer's own words."""
    root, found = schema_of(form), set[str]()
    parts = [root, *root.get("$defs", {}).values()]
    while parts:
        for key, value in parts.pop().get("properties", {}).items():
            forms = [value, value.get("items", {}), *value.get("anyOf", ())]
            if any("enum" not in each and "string" in each.get("type", ()) for each in forms):
                found.add(key)
            parts += forms
    return frozenset(found - NAMES)


def misnamed(reply: Data, form: type[Reply], text: str) -> Data:
    """Return a reply that names nothing on record: `text` stands for every name and word of ours.

    It has keys that nobody knows, too.
    """
    own = list_texts(form)
    named: Data = _reword(reply, lambda key, said: said if key in own else text)
    return named | {text: text, f"{text} 2": {text: [text]}}


def filled(reply: Data, form: type[Reply], text: str) -> Data:
    """Return a good reply with `text` as every text of it, but for the addresses in its sources.

    A number follows what stands there before, as two alike in a list would be one. What quotes a
    speech quotes all of it.
    """
    own, seen = list_texts(form), Counter[str]()
    said_in_full = text[:SUMMARY] if "summary" in own else text

    def instead(key: str, before: str) -> str:
        if key not in own:
            return text if key in {"trigger", "quote"} else before
        seen[key] += 1
        said = said_in_full if seen[key] == 1 else f"{said_in_full} {seen[key]}"
        return said.replace(HOST, SOURCE) if key in {"source", "detail"} else said

    changed: Data = _reword(reply, instead)
    return changed


def _reword(value: Any, instead: Callable[[str, str], str], key: str = "") -> Any:
    """Return a part of a reply with another text for each string, by its key."""
    if isinstance(value, dict):
        more = {"backing": "b", "qualifier": "q"} if "warrant" in value else {}  # may be left out
        return {name: _reword(part, instead, name) for name, part in (more | value).items()}
    if isinstance(value, list):
        return [_reword(part, instead, key) for part in value]
    return instead(key, value) if isinstance(value, str) and value else value


SLUGS = {load_course(name)["protocol"]: name for name in RICH}
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
    "flow.json": ("flow", "--json"),
    "transcript.md": ("transcript",),
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
        prompts = finish(protocol, text, answers)  # first: what is rendered is over
        return Debated(_rendered(answers), prompts, answers)


def begin(protocol: str, text: str) -> None:
    """Make the debate of a course; all texts of its framing are this one."""
    context = load_course(SLUGS[protocol])["framing"]["context"]
    documents = tuple((name, text) for name, _ in context or [("notes.md", "")])
    framing = engine.Framing(text, ((text, text),), text, documents)
    create_course(SLUGS[protocol], framing=framing)


def finish(protocol: str, text: str, answers: dict[str, Said]) -> dict[str, str]:
    """Bring a debate to its end; keep what commands answer, and return the prompts of its turns."""
    prompts: dict[str, str] = {}
    for number, step in enumerate(list_steps(SLUGS[protocol])):
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
            put(number, who, filled(reply, position.at.form_of(who), text))
        for who in step["absent"]:
            engine.skip(FOLDER, who, text, step=number)
        if step["replies"]:
            answer = say("submit", SLUG, "--step", number)
            assert answer.code in {0, 8}, answer
            answers[f"submit-{number}.json"] = answer
    return prompts


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


def _read(path: str | os.PathLike[str]) -> str:
    """Read a file to the letter: `open` would turn every `\r` into a line feed."""
    return Path(path).read_bytes().decode("utf-8")
