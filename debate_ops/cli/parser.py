"""Reads the words of the command line by what help says of a command: see `commands.txt`.

There a section begins with `== NAME: MODULE.FUNCTION, WORD, ...` and goes on with the help. A word
in brackets may be left out, one with dots may be many; `key=WORD` says how the function calls it,
if that is not the word itself. `as_json` stands for a function that wants to know whether JSON is
printed, `no_json` for a command that has none.

With the standard library alone and little of it: an agent calls a command at every step, and
importing a library for this would cost more than the work that most of them do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from debate_ops.errors import UsageError
from debate_ops.startup import NamedTuple, pattern

WIDTH = 100
_MARGIN = 20
_NOTES = pattern(r" \(((?:(?:required|repeatable|at least [\d.]+|default: [\w.]+)(?:; )?)+)\)\.$")
_RESERVED = frozenset({"all", "as", "format", "set"})
"""Names of options that are words of Python: their keys end in an underscore."""


class Word(NamedTuple):
    """A word that a command takes in its place: `name` in brackets is optional, with dots many."""

    key: str
    name: str
    least: int | None = None
    default: Any = None

    @property
    def kind(self) -> Callable[[str], Any]:
        """What makes a value of a word: one with a lower bound is a number."""
        return str if self.least is None else int


class Option(NamedTuple):
    """An option, as a line of help declares it.

    As in `--size N: How large it is (at least 1).` Without a word for its value it is a flag; a
    flag with two names, one the `opposite` of the other, is true, false or not given. One that is
    `repeatable` by its notes collects its values.
    """

    names: tuple[str, ...]
    opposite: str
    value: str
    help: str
    is_required: bool
    kind: Callable[[str], Any]
    least: float | None
    default: Any

    @property
    def key(self) -> str:
        """The name under which the function of its command takes it."""
        key = max(self.names, key=len).lstrip("-").replace("-", "_")
        return f"{key}_" if key in _RESERVED else key

    @property
    def label(self) -> str:
        """The longest name, as messages say it."""
        longest = max(self.names, key=len)
        return f"{longest}/{self.opposite}" if self.opposite else longest


class Command(NamedTuple):
    """A command: `act` is the function that does it, as `module.function` of this package.

    `text` is its help, options included. One that `knows_json` is called with `as_json`.
    """

    act: str
    text: str
    words: tuple[Word, ...] = ()
    knows_json: bool = False

    @property
    def options(self) -> tuple[Option, ...]:
        """Its options, in the order of help."""
        return _options(self.text)


@cache
def _options(declared: str) -> tuple[Option, ...]:
    return tuple(map(_option, re.split(r"\n(?=-)", declared)[1:]))


def _option(declared: str) -> Option:
    names_and_value, _, text = " ".join(declared.split()).partition(": ")
    names, _, value = names_and_value.replace(", ", ",").partition(" ")
    first, _, opposite = names.partition("/")
    match = _NOTES.search(text)
    notes = match[1] if match else ""
    bound = re.search(r"at least ([\d.]+)", notes)
    is_whole = value == "N" or (bound and "." not in bound[1])
    kind: Callable[[str], Any] = int if is_whole else float if bound else str
    stated = re.search(r"default: ([\w.]+)", notes)
    default: Any = kind(stated[1]) if stated else None if value or opposite else False
    return Option(
        tuple(first.split(",")),
        opposite,
        value,
        text,
        "required" in notes,
        kind,
        float(bound[1]) if bound else None,
        () if "repeatable" in notes else default,
    )


HELP = _option("-h, --help: Show this message and exit.")
JSON = "--json: Print one JSON object."


def read(command: Command, argv: Sequence[str], *, mixed: bool = True) -> dict[str, Any]:
    """Return the words and options of a command by their keys.

    Words and options may be `mixed`; where they may not, all behind the first word are words.

    Raises:
        UsageError: what is there does not fit what the command takes.
    """
    words, values = taken_apart(command, argv, mixed=mixed)
    if values.get("help") or values.get("version"):
        return values
    missing = [e.label for e in command.options if e.is_required and values[e.key] is None]
    if missing:
        raise UsageError(f"{' and '.join(missing)} must be given")
    return values | _placed(command.words, words)


def taken_apart(
    command: Command, argv: Sequence[str], *, mixed: bool = True
) -> tuple[list[str], dict[str, Any]]:
    """Tell words and options apart, and return the value of every option by its key."""
    options = command.options
    values = {each.key: each.default for each in options}
    known = {name: each for each in (*options, HELP) for name in (*each.names, each.opposite)}
    words: list[str] = []
    seen = set()
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*words, *rest], values
        if word == "-" or not word.startswith("-"):
            words.append(word)
            if mixed:
                continue
            return [*words, *rest], values
        name, value = _split(word)
        if name not in known:
            raise UsageError(f"there is no option {name}", hint=similar(name, known))
        each = known[name]
        if each.label in seen and each.default not in {(), False}:  # which lose nothing
            raise UsageError(f"{each.label} is given twice; give it once")
        seen.add(each.label)
        result = _value_of(each, name, value, rest)
        values[each.key] = (*values[each.key], result) if each.default == () else result
    return words, values


def _split(word: str) -> tuple[str, str | None]:
    if not word.startswith("--"):
        return word[:2], word[2:] or None
    name, equals, value = word.partition("=")
    return name, value if equals else None


def _value_of(each: Option, name: str, value: str | None, rest: list[str]) -> Any:
    if not each.value:
        if value is not None:
            raise UsageError(f"{name} takes no value")
        return name != each.opposite
    if value is None and not rest:
        raise UsageError(f"{name} must be followed by a value")
    text = rest.pop(0) if value is None else value
    if "|" in each.value and text not in each.value.split("|"):
        raise UsageError(f"{name} is {text!r}, expected one of {each.value.replace('|', ', ')}")
    return _converted(each, name, text)


def _converted(each: Option | Word, name: str, text: str) -> Any:
    try:
        value = each.kind(text)
    except ValueError:
        value = None
    if value is None or (each.least is not None and not value >= each.least):
        noun = "a whole number" if each.kind is int else "a number"
        least = "" if each.least is None else f" of at least {each.least:g}"
        raise UsageError(f"{name} is {text!r}, expected {noun}{least}")
    return value


def _placed(expected: Sequence[Word], words: Sequence[str]) -> dict[str, Any]:
    """Return the words by the keys of their places."""
    values: dict[str, Any] = {}
    rest = list(words)
    for each in expected:
        if each.name.endswith("..."):
            values[each.key], rest = tuple(rest), []
        elif rest:
            values[each.key] = _converted(each, each.name, rest.pop(0))
        elif each.name.startswith("["):
            values[each.key] = each.default
        else:
            raise UsageError(f"{each.name} is missing")
    if rest:
        raise UsageError(f"unexpected: {' '.join(rest)}")
    return values


def similar(name: str, known: Mapping[str, object]) -> str:
    """Return a hint that names what somebody may have meant; empty where nothing is like it."""
    import difflib  # only where somebody has mistyped

    close = difflib.get_close_matches(name, known, n=3)
    return f"Did you mean {' or '.join(close)}?" if close else ""


def usage(name: str, command: Command) -> str:
    """Return in one line how a command is called."""
    return " ".join([name, "[OPTIONS]", *(word.name for word in command.words)])


def help_lines(name: str, command: Command, commands: Mapping[str, Command]) -> list[str]:
    """Return the help of a command as it is declared, with a list of `commands` if it has any."""
    import textwrap  # only for help

    lines = [f"Usage: {usage(name, command)}", "", *command.text.split("\n")]
    lines += [f"-h, --help: {HELP.help}"]
    lines += ["", "Commands:"] if commands else []
    for other, row in commands.items():
        first, _, _ = row.text.partition("\n\n")
        lines += textwrap.wrap(
            f"  {other:<{_MARGIN - 2}}{' '.join(first.split())}",
            WIDTH,
            subsequent_indent=" " * _MARGIN,
            break_on_hyphens=False,
        )
    return lines


_FILE = os.path.join(os.path.dirname(__file__), "commands.txt")
_WORD = re.compile(r"(?:(\w+)=)?(\S+)(?: \((?:at least (\d+)|default: (\w+))\))?")


def _declared() -> Iterator[tuple[str, Command]]:
    with open(_FILE, encoding="utf-8") as file:
        _, *sections = re.split("^== ", file.read(), flags=re.MULTILINE)
    for section in sections:
        head, _, text = section.strip().partition("\n")
        name, _, parts = head.partition(": ")
        act, *words = parts.split(", ")
        has_json = "no_json" not in words and "\n--json: " not in text
        gap = "" if "\n\n-" in text else "\n"
        yield (
            name,
            Command(
                act,
                f"{text}\n{gap}{JSON}" if has_json else f"{text}{gap}",
                tuple(_word(word) for word in words if not word.endswith("_json")),
                knows_json="as_json" in words,
            ),
        )


def _word(declared: str) -> Word:
    match = _WORD.fullmatch(declared)
    key, shown, least, default = match.groups() if match else (None, declared, None, None)
    return Word(
        key or shown.strip("[]").lower(), shown, None if least is None else int(least), default
    )


COMMANDS = dict(_declared())
PROGRAM = COMMANDS.pop("debate-ops")
