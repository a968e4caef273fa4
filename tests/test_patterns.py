"""No pattern of the package takes time that grows faster than the text it is run on.

The patterns are collected, not listed: those of every module, those written where they are used,
and those of the schemas. Each is run, as the package runs it, on texts that are made to hurt.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import re
import time
from collections import ChainMap, defaultdict
from functools import cache
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from debate_ops.formats import schema
from debate_ops.formats.entries import Items
from tests.builders import ROOT
from tests.model.test_texts import patterns as patterns_in

if TYPE_CHECKING:
    from collections.abc import Iterator


UNITS = (
    *(" ", "\t", "\n", "\r", "  \n", "\n ", "a", "A", "0", "é", "a ", "a b ", "0 ", "a\n"),
    *("[", "](", "[a]", "[a](b) ", "(", "{", "}", "<", "<  ", "</", ">", "> ", "#", "# ", "&"),
    *("&#1", "*", "**a", "_", "a_", "_a_ ", "`", "``a", "~", "|", "|-", "| - |", "-", "- "),
    *("--", "=", "+", "\u200b"),
    *('"', "'", '\\"', "\\", "\\\\", ".", "a.", "A. ", "1. ", "1,", "…", "。", "?", "!", ":", ";"),
    *("https://", "https://a.b/", "a@", "a@b.", "e\u0301", "\U0001f600", "a_001 ", "a-", "it's "),
)
"""What a bait is made of: one of these, again and again."""
ENDS = ("x", "\x00")
_ANCHORED = {"match", "fullmatch"}
_FUNCTIONS = {"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}


class Run(NamedTuple):
    """A pattern, and whether the package looks for it at one place of a text or at all."""

    pattern: re.Pattern[str]
    is_anchored: bool

    def seconds(self, text: str) -> float:
        """Return how much processor time it takes on a text."""
        begun = time.process_time()
        if self.is_anchored:
            self.pattern.match(text)
        else:
            for _ in self.pattern.finditer(text):
                pass
        return time.process_time() - begun


@cache
def every_pattern() -> dict[str, Run]:
    """Return every pattern of the package by where it stands."""
    package = ROOT / "debate_ops"
    paths = {
        ".".join(path.relative_to(package).with_suffix("").parts): path
        for path in sorted(package.rglob("*.py"))
    }
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    methods = {name: _methods(tree) for name, tree in trees.items()}
    everywhere: defaultdict[str, set[str]] = defaultdict(set)
    for name, used in ((name, used) for own in methods.values() for name, used in own.items()):
        everywhere[name] |= used
    runs: dict[str, Run] = {}
    for name, tree in trees.items():
        if name.endswith("__main__"):
            continue
        module = importlib.import_module(f"debate_ops.{name}".removesuffix(".__init__"))
        for attribute, value in vars(module).items():
            own = methods[name] if attribute.startswith("_") else everywhere
            used = own.get(attribute, set())
            for place, pattern in enumerate(_compiled(value)):
                anchored = bool(used) and used <= _ANCHORED
                runs.setdefault(f"{name}.{attribute}[{place}]", Run(pattern, anchored))
        for line, method, pattern in _written(tree, vars(module)):
            runs[f"{name}:{line}"] = Run(pattern, method in _ANCHORED)
    for name in schema.names():
        for place, text in enumerate(dict.fromkeys(patterns_in(schema.load(name)))):
            runs[f"{name}.json[{place}]"] = Run(re.compile(text), is_anchored=False)
    first: dict[tuple[str, int, bool], str] = {}
    for where, (pattern, anchored) in runs.items():
        first.setdefault((pattern.pattern, pattern.flags, anchored), where)
    return {where: runs[where] for where in first.values()}


def _methods(tree: ast.Module) -> dict[str, set[str]]:
    """Return by which methods a module uses what bears a name."""
    methods: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _FUNCTIONS:
            match node.value:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    methods[name].add(node.attr)
    return methods


def _compiled(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        is_text = isinstance(value.pattern, str)
        yield value if is_text else re.compile(value.pattern.decode("latin-1"), value.flags)
    elif isinstance(value, Items):
        yield re.compile(value.pattern, re.MULTILINE)
    elif isinstance(value, dict):
        yield from (each for part in (*value, *value.values()) for each in _compiled(part))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (each for part in value for each in _compiled(part))


def _written(tree: ast.Module, names: dict[str, Any]) -> Iterator[tuple[int, str, re.Pattern[str]]]:
    """Yield the patterns that functions write where they use them, with the line and the method.

    One that is compiled there and used later is looked for at all places.
    """
    nodes = [node for top in _outermost_functions(tree) for node in ast.walk(top)]
    used = {id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[first, *others]
            ) if method in {*_FUNCTIONS, "compile"} and ast.unparse(first) != "self.pattern":
                place = {"compile": 0, "sub": 2, "subn": 2}.get(method, 1)
                flags = [
                    *others[place:],
                    *(word.value for word in node.keywords if word.arg == "flags"),
                ]
                text, *values = (_value(part, names) for part in (first, *flags))
                called = used.get(id(node), "search") if method == "compile" else method
                if isinstance(text, bytes):
                    text = text.decode("latin-1")
                yield node.lineno, called, re.compile(text, sum(values))


def _outermost_functions(node: ast.AST) -> Iterator[ast.AST]:
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield inner
        else:
            yield from _outermost_functions(inner)


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    """Return what a piece of code is; what it takes from its function is the text `name` here."""
    return eval(ast.unparse(node), {}, _Names(names, vars(builtins)))  # noqa: S307


class _Names(ChainMap[str, Any]):
    def __missing__(self, key: str) -> str:
        return "name"


def own_words(pattern: re.Pattern[str]) -> list[str]:
    """Return the characters and words that a pattern names, and one of each kind it names."""
    words: dict[str, None] = {}

    def walk(node: Any) -> None:
        word = ""
        for operation, argument in node:
            name = str(operation)
            if name == "LITERAL":
                word += chr(argument)
                words[chr(argument)] = None
                continue
            if len(word) > 1:
                words[word] = None
            word = ""
            for part in _parts(name, argument, words):
                walk(part)
        if len(word) > 1:
            words[word] = None

    walk(parser.parse(pattern.pattern, pattern.flags))
    return list(words)


_KINDS = {"CATEGORY_SPACE": " ", "CATEGORY_WORD": "a", "CATEGORY_DIGIT": "0"}


def _parts(name: str, argument: Any, words: dict[str, None]) -> list[Any]:
    match name:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [argument[2]]
        case "SUBPATTERN":
            return [argument[3]]
        case "BRANCH":
            return list(argument[1])
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case "ATOMIC_GROUP":
            return [argument]
        case "IN":
            for kind, each in argument:
                first = each[0] if str(kind) == "RANGE" else each
                words[chr(first) if isinstance(first, int) else _KINDS.get(str(first), "a")] = None
    return []


def baits(pattern: re.Pattern[str], size: int, heads: int) -> Iterator[str]:
    """Yield texts of this size that begin in up to so many ways, then say one thing for ever."""
    own = own_words(pattern)
    units = dict.fromkeys((*UNITS, *own))
    for unit in units:
        for head in ("", *own[:heads]):
            for end in ENDS if not head else ENDS[:1]:
                yield head + (unit * (size // len(unit) + 1))[:size] + end


def slow_on(run: Run, size: int, most: float, heads: int) -> str:
    """Return the beginning of the first bait on which a pattern takes longer than this, if any."""
    for bait in baits(run.pattern, size, heads):
        if run.seconds(bait) > most and min(run.seconds(bait) for _ in range(2)) > most:
            return ascii(bait[:20])
    return ""


def test_the_patterns_are_there() -> None:
    """Without this the tests below could hold because there is nothing to look at."""
    there = {where.partition(".")[0] for where in every_pattern()}
    assert {"model", "formats", "protocols", "reports", "storage", "cli", "engine"} < there
    assert any(where.endswith(".json[0]") for where in every_pattern())


def test_a_slow_pattern_is_seen() -> None:
    run = Run(re.compile(r"a+\s*b"), is_anchored=False)
    assert slow_on(run, 4 * 1024, 0.015, 0)


@pytest.mark.parametrize("heads", [0, pytest.param(8, marks=pytest.mark.slow)])
def test_no_pattern_is_slow_whatever_a_text_begins_with(heads: int) -> None:
    """A linear one takes a millisecond or two; on as many characters, a quadratic one fifty."""
    slow = {
        where: bait
        for where, run in every_pattern().items()
        if (bait := slow_on(run, 4 * 1024, 0.015, heads))
    }
    assert slow == {}
