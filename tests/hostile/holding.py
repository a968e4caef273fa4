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
from debate_ops.core.values import Act
from debate_ops.report.exports import EXPORTS
from tests.builders import put
from tests.cli.stage import say
from tests.courses import Data, list_steps, load_course
from tests.engine.stage import FOLDER, SLUG, create_course
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


SOURCE = "source.example"
"""The host of addresses in sources: these are meant to become links."""
LONG = 500
"""Characters of a text that is compared with one of its own length."""
SUMMARY = 90
"""Characters of a text that fit into a summary, by the settings of the script."""
SHOWING = ("show", "status", "flow", "validate")
COMMANDS: Mapping[str, str] = {
    "report.json": f"report {SLUG} --json",
    "list.txt": "list",
    "list.json": "list --json",
    "all.txt": "report --all",
    **{f"{name}.txt": f"{name} {SLUG}" for name in SHOWING},
    **{f"{name}.json": f"{name} {SLUG} --json" for name in SHOWING},
    **{f"{name}.md": f"{name} {SLUG}" for name in ("transcript", "outcome")},
    "check.txt": f"check {SLUG} --require complete",
    **{f"export.{name}": f"export {SLUG} --to {name}" for name in EXPORTS},
}
"""What is asked of a debate that is over, by the name of its output."""
MEMO = "inbox/memo.prompt.md"
"""What `report` asks for."""


class Outputs(NamedTuple):
    """What comes out of a debate: its files, the prompts of its turns, what commands print."""

    texts: dict[str, str]
    codes: dict[str, int]
    """What each command ends with."""

    def ask(self, name: str, *words: object) -> int:
        """Note what a command prints below a name, and return what it ends with."""
        said = say(*words)
        self.texts[name], self.codes[name] = said.out, said.code
        return said.code


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Work in an empty folder."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


def list_outputs_of_plain(course: str, instead_of: str) -> Outputs:
    """Return the same with nothing hostile in it: as long, where the text is a long one.

    How many entries fit into a prompt, and what a page folds in, is a matter of length.
    """
    times = 1 if len(instead_of) < LONG else len(instead_of) // len(PLAIN)
    return list_outputs(course, " ".join([PLAIN] * times))


@lru_cache(12)  # the plain ones, and the one that is looked at
def list_outputs(course: str, text: str) -> Outputs:
    """Run a course with one text wherever a reply or the framing has one; ask for all outputs."""
    found = Outputs({}, {})
    names = [name for name, _ in load_course(course)["framing"]["context"]] or ["notes.md"]
    documents = tuple((name, text) for name in names)
    with aside():
        create_course(course, framing=engine.Framing(text, ((text, text),), text, documents))
        found.ask("next.json", "next", SLUG)
        _finish(course, text, found)
        for name, words in COMMANDS.items():
            found.ask(name, *words.split())
        for entry in sorted(Path(FOLDER.path).glob("arguments/*.md"))[-1:]:
            found.ask("show-entry.txt", "show", SLUG, entry.stem)
        found.texts.update(_read_files())
    return found


def _finish(course: str, text: str, found: Outputs) -> None:
    """Bring a debate to its end; keep the prompts of its turns and what commands answer."""
    for number, step in enumerate(list_steps(course)):
        position = engine.next_turn(FOLDER)
        for item in position.tasks:
            found.texts[f"{number}-{item.task.by}.prompt.md"] = _read(item.slot.prompt)
        if "act" in step:
            found.ask(f"waiting-{number}.json", "status", SLUG, "--json")
            engine.act(FOLDER, Act(**step["act"]))
            continue
        for who, reply in step["replies"].items():
            put(FOLDER, who, filled(reply, position.at.form_of(who), text), number)
        for who in step["absent"]:
            engine.skip(FOLDER, who, text, step=number)
        if step["replies"]:
            code = found.ask(f"submit-{number}.json", "submit", SLUG, "--step", number)
            assert code in {0, 8}, found.texts[f"submit-{number}.json"]


def _read_files() -> Iterator[tuple[str, str]]:
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
