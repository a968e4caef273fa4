"""Reads the words of the command line by a table of commands, and writes their help.

With the standard library alone and little of it: an agent calls a command at every step, and
importing a library for this would cost more than the work that most of them do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.errors import UsageError

WIDTH = 100
_MARGIN = 28


class Word(NamedTuple):
    """A word that a command takes in its place: `shown` in brackets is optional, with dots many."""

    key: str
    shown: str = ""
    kind: Callable[[str], Any] = str
    least: float | None = None
    default: Any = None

    @property
    def name(self) -> str:
        """How help shows it."""
        return self.shown or self.key.upper()


class Option(NamedTuple):
    """An option: its names, and what stands for its value; one without is a flag.

    A flag with two names, one the `opposite` of the other, is true, false or not given.
    """

    names: tuple[str, ...]
    value: str
    help: str
    key: str
    kind: Callable[[str], Any] = str
    least: float | None = None
    default: Any = None
    required: bool = False
    many: bool = False
    opposite: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that there are, where there are but a few."""
        return tuple(self.value.split("|")) if "|" in self.value else ()

    @property
    def label(self) -> str:
        """The longest name, as messages say it."""
        longest = max(self.names, key=len)
        return f"{longest}/{self.opposite}" if self.opposite else longest


class Command(NamedTuple):
    """A command: `act` is the function that does it, as `module.function` of this package."""

    act: str
    help: str
    words: tuple[Word, ...] = ()
    options: tuple[Option, ...] = ()


def option(spec: str, text: str, *, key: str = "", **more: Any) -> Option:
    """Return an option from what help shows of it.

    >>> option("-C, --directory DIR", "Where.").names
    ('-C', '--directory')
    """
    names, _, value = spec.replace(", ", ",").partition(" ")
    first, _, opposite = names.partition("/")
    parts = tuple(first.split(","))
    key = key or max(parts, key=len).lstrip("-").replace("-", "_")
    empty: Any = () if more.get("many") else None if value or opposite else False
    return Option(parts, value, text, key, **{"default": empty, "opposite": opposite, **more})


HELP = option("-h, --help", "Show this message and exit.")
VERSION = option("--version", "Show the version and exit.")


def read(command: Command, argv: Sequence[str], *, mixed: bool = True) -> dict[str, Any]:
    """Return the words and options of a command by their keys.

    Words and options may be `mixed`; where they may not, all behind the first word are words.

    Raises:
        UsageError: what is there does not fit what the command takes.
    """
    words, given = taken_apart(command, list(argv), mixed=mixed)
    for each, _ in given:
        if each is HELP or each is VERSION:
            return {each.key: True}
    _refuse_repeats([each for each, _ in given])
    values = {each.key: each.default for each in command.options}
    for each, value in given:
        values[each.key] = (*values[each.key], value) if each.many else value
    missing = [each.label for each in command.options if each.required and values[each.key] is None]
    if missing:
        raise UsageError(f"{' and '.join(missing)} must be given")
    return values | _placed(command.words, words)


def taken_apart(
    command: Command, rest: list[str], *, mixed: bool
) -> tuple[list[str], list[tuple[Option, Any]]]:
    """Tell words and options apart, and read the values of the options."""
    known = {name: each for each in (*command.options, HELP) for name in each.names}
    opposites = {each.opposite: each for each in command.options if each.opposite}
    words: list[str] = []
    given: list[tuple[Option, Any]] = []
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            words += [word] if mixed else [word, *rest]
            rest = rest if mixed else []
        elif word == "--":
            return [*words, *rest], given
        elif word in opposites:
            given.append((opposites[word], False))
        else:
            name, value = _split(word)
            if name not in known:
                raise UsageError(f"there is no option {name}", hint=_similar(name, known))
            given.append((known[name], _value_of(known[name], name, value, rest)))
    return words, given


def _split(word: str) -> tuple[str, str | None]:
    if not word.startswith("--"):
        return word[:2], word[2:] or None
    name, equals, value = word.partition("=")
    return name, value if equals else None


def _value_of(each: Option, name: str, value: str | None, rest: list[str]) -> Any:
    if not each.value:
        if value is not None:
            raise UsageError(f"{name} takes no value")
        return True
    if value is None and not rest:
        raise UsageError(f"{name} must be followed by a value")
    return _converted(each, name, rest.pop(0) if value is None else value)


def _converted(each: Option | Word, name: str, text: str) -> Any:
    if isinstance(each, Option) and each.choices and text not in each.choices:
        raise UsageError(f"{name} is {text!r}, expected one of {', '.join(each.choices)}")
    try:
        value = each.kind(text)
    except ValueError:
        value = None
    if value is None or (each.least is not None and not value >= each.least):
        noun = "a whole number" if each.kind is int else "a number"
        least = "" if each.least is None else f" of at least {each.least:g}"
        raise UsageError(f"{name} is {text!r}, expected {noun}{least}")
    return value


def _refuse_repeats(given: Sequence[Option]) -> None:
    """Refuse an option that is given twice where one of two values would be lost unseen."""
    single = [each for each in given if (each.value or each.opposite) and not each.many]
    if twice := dict.fromkeys(each.label for each in single if single.count(each) > 1):
        end = (
            "is given twice; give it once" if len(twice) == 1 else "are given twice; give each once"
        )
        raise UsageError(f"{' and '.join(twice)} {end}")


def _placed(expected: Sequence[Word], words: Sequence[str]) -> dict[str, Any]:
    """Return the words by the keys of their places."""
    values: dict[str, Any] = {}
    rest = list(words)
    for each in expected:
        if each.name.endswith("..."):
            values[each.key], rest = tuple(rest), []
        elif rest:
            values[each.key] = _converted(each, each.name, rest.pop(0))
        elif each.name.startswith("[") or each.default is not None:
            values[each.key] = each.default
        else:
            raise UsageError(f"{each.name} is missing")
    if rest:
        raise UsageError(f"unexpected: {' '.join(rest)}")
    return values


def _similar(name: str, known: Mapping[str, object]) -> str:
    import difflib  # only where somebody has mistyped

    close = difflib.get_close_matches(name, known, n=3)
    return f"Did you mean {' or '.join(close)}?" if close else ""


def find(commands: Mapping[str, Command], name: str) -> Command:
    """Return the command of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in commands:
        hint = _similar(name, commands) or "'--help' lists the commands."
        raise UsageError(f"there is no command {name!r}", hint=hint)
    return commands[name]


# ---------------------------------------------------------------- help


def usage(name: str, command: Command) -> str:
    """Return in one line how a command is called."""
    return " ".join([name, "[OPTIONS]", *(word.name for word in command.words)])


def paragraphs(command: Command) -> Iterator[tuple[str, bool]]:
    """Yield each paragraph of the help of a command, and whether it keeps its line breaks."""
    for text in command.help.strip("\n").split("\n\n"):
        if text.startswith("    "):
            yield "\n".join(line[4:] for line in text.split("\n")), True
        else:
            yield " ".join(text.split()), False


def names_of(each: Option) -> str:
    """Return an option as help shows it."""
    names = ", ".join(each.names) + (f"/{each.opposite}" if each.opposite else "")
    return f"{names} {each.value}".rstrip()


def notes_on(each: Option) -> str:
    """Return what holds of an option beside its help, in parentheses."""
    notes = ["required"] if each.required else []
    notes += [f"at least {each.least:g}"] if each.least is not None else []
    notes += (
        [f"default: {each.default}"] if each.value and each.default not in {None, "", ()} else []
    )
    return f" ({'; '.join(notes)})" if notes else ""


def help_lines(name: str, command: Command, commands: Mapping[str, Command]) -> list[str]:
    """Return the help of a command, with a list of `commands` where it has some."""
    lines = [f"Usage: {usage(name, command)}"]
    for text, is_literal in paragraphs(command):
        lines += ["", *(f"  {line}" for line in (text.split("\n") if is_literal else _wrap(text)))]
    lines += ["", "Options:"]
    for each in (*command.options, HELP):
        lines += _row(names_of(each), each.help + notes_on(each))
    lines += ["", "Commands:"] if commands else []
    for other, row in commands.items():
        lines += _row(other, next(paragraphs(row))[0])
    return lines


def _wrap(text: str, width: int = WIDTH - 2) -> list[str]:
    import textwrap  # only for help

    return textwrap.wrap(text, width, break_on_hyphens=False)


def _row(left: str, text: str) -> list[str]:
    first, *others = _wrap(text, WIDTH - _MARGIN)
    head = [f"  {left:<{_MARGIN - 2}}{first}"]
    if len(left) > _MARGIN - 4:
        head = [f"  {left}", " " * _MARGIN + first]
    return [*head, *(" " * _MARGIN + line for line in others)]
