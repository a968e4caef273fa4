"""Courses with one text in every place where a participant writes, and what comes out of them."""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
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
    | {"attacker_id", "document", "because"}
    | {"critique", "critique_id", "requirement", "vote", "builds_on", "unmet"}
    | {"attacks", "supports", "winner", "document", "attacker_id"}
)
"""Strings that name something on record: another text there is refused."""
WORDS_OF_OTHERS = frozenset({"trigger", "quote"})
"""Strings that have to stand in the speech that they are about: another text is refused."""
UNINVITED = frozenset({"pass_reason", "interjection_reason", "opener"})
"""Texts that a reply may have only beside certain others: left out where the script does."""


def texts_of(form: type[Reply]) -> Iterator[str]:
    """Yield the name of every string in a kind of reply that has no list of values."""
    root = schema_of(form)
    parts = [root, *root.get("$defs", {}).values()]
    while parts:
        part = parts.pop()
        for key, value in part.get("properties", {}).items():
            items = value.get("items", {})
            if _is_text(value) or _is_text(items):
                yield key
            parts += [value, items]


def filled(reply: Data, form: type[Reply], text: str) -> Data:
    """Return a good reply with `text` as every text of it, those that may be left out too.

    A number follows the text in lists, where two alike would be one.
    """
    return _changed(
        reply, form, lambda key, part: text if _is_text(part) and _is_free(key) else None
    )


def misnamed(reply: Data, form: type[Reply], text: str) -> Data:
    """Return a reply that names nothing on record: `text` stands for every name and word of ours.

    It has keys that nobody knows, too.
    """

    def instead(key: str, part: Mapping[str, Any]) -> str | None:
        return text if key in NAMES or {"enum", "const"} & part.keys() else None

    unknown = {text: text, f"{text} 2": {text: [text]}}
    return _changed(reply, form, instead) | unknown


_Instead = Callable[[str, Mapping[str, Any]], str | None]


def _changed(reply: Data, form: type[Reply], instead: _Instead) -> Data:
    root = schema_of(form)
    changed: Data = _change(reply, "", root, root.get("$defs", {}), instead)
    return changed


def _change(
    value: Any, key: str, part: Mapping[str, Any], defs: Mapping[str, Any], instead: _Instead
) -> Any:
    """Return a part of a reply with other texts, as its part of the schema has them."""
    part = next((p for p in part.get("anyOf", ()) if p.get("type") != "null"), part)
    part = defs[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    if isinstance(value, dict):
        return {
            name: _change(value.get(name), name, inner, defs, instead)
            for name, inner in part.get("properties", {}).items()
            if name in value or (_is_text(inner) and _is_free(name) and name not in UNINVITED)
        }
    if isinstance(value, list):
        items = [_change(v, key, part.get("items", {}), defs, instead) for v in value]
        return [
            item if item == before else _numbered(item, number)
            for number, (item, before) in enumerate(zip(items, value, strict=True), 1)
        ]
    if isinstance(value, str) or (value is None and _is_text(part) and _is_free(key)):
        other = instead(key, part)
        return value if other is None else other
    return value


def _is_free(key: str) -> bool:
    return key not in NAMES | WORDS_OF_OTHERS


def _numbered(value: Any, number: int) -> Any:
    """Make a text in a list differ from those before it."""
    if isinstance(value, str) and number > 1:
        return f"{value} {number}"
    if not isinstance(value, dict) or number == 1:
        return value
    key = "claim" if "claim" in value else "text"
    is_told_apart = key == "claim" or set(value) in ({"text", "level"}, {"text", "why"})
    return value | {key: f"{value[key]} {number}"} if is_told_apart else value


def _is_text(part: Mapping[str, Any]) -> bool:
    kinds = part.get("type")
    return "enum" not in part and (
        kinds == "string" or (isinstance(kinds, list) and "string" in kinds)
    )


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


def _read(path: str | os.PathLike[str]) -> str:
    """Read a file to the letter: `open` would turn every `\r` into a line feed."""
    return Path(path).read_bytes().decode("utf-8")
