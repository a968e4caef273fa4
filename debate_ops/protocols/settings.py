"""The options of a protocol: what each may be, and how a given value is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.texts import is_blank


class Setting(NamedTuple):
    """One option of a protocol: its default, what it does, and how a given value is read.

    `read` returns the value as it is stored, JSON data, and raises `ValueError` where it cannot
    be one; `expected` says what it can be. A default of None must be given by whoever makes a
    debate. Where it `draws`, the bare word `random` is given a seed then, as `random:SEED`.
    `usual` is what the command `new` gives it, where that is another value than the default, which
    a debate has that was made before there was this setting.
    """

    name: str
    default: Any
    help: str
    read: Callable[[Any], Any]
    expected: str
    draws: bool = False
    usual: Any = None


_SWITCHES = (("on", "off"), ("yes", "no"), ("allowed", "forbidden"), ("required", "optional"))
_ON, _OFF = {"true", "1", "on", "yes"}, {"false", "0", "off", "no"}


def choice(name: str, default: str, help_: str, *words: str) -> Setting:
    """Return a setting that is one of some words; a switch is one in whatever words it is said.

    >>> setting = choice("first_answer", "off", "...", "on", "off")
    >>> setting.read("yes"), setting.read(False)
    ('on', 'off')
    """
    switch = next((pair for pair in _SWITCHES if {*pair} <= {*words}), None)

    def read(value: Any) -> str:
        said = str(value).lower()
        if switch and value not in words and said in _ON | _OFF:
            value = switch[said in _OFF]
        if value not in words:
            raise ValueError
        return str(value)

    return Setting(name, default, help_, read, " or ".join(words))


def line(name: str, help_: str, most: int) -> Setting:
    """Return a setting that is a line of text: an empty one, or one that says something."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError  # noqa: TRY004  (one error for whatever cannot be a value)
        if value and is_blank(value):
            raise ValueError("it is blank")
        if len(value) > most:
            raise ValueError(f"it has {len(value)} characters")
        if len(value.splitlines()) > 1:
            raise ValueError("it has more than one line")
        return value

    return Setting(name, "", help_, read, f"one line of at most {most} characters")


_MOST = 1_000_000_000


def whole(name: str, default: int, help_: str, least: int = 0, most: int = _MOST) -> Setting:
    """Return a setting that is a whole number in a range; digits in a text are one too."""

    def read(value: Any) -> int:
        if isinstance(value, str) and value.isascii() and value.isdigit():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError
        return value

    range_ = f"from {least}" if most == _MOST else f"from {least} to {most}"
    return Setting(name, default, help_, read, f"a whole number {range_}")


MOST_MEMBERS = 25


def _read_panel(value: Any) -> int:
    number = int(_MEMBERS.read(value))
    if number and number % 2 == 0:
        raise ValueError("an even number can be split in two halves")
    return number


_MEMBERS = whole(
    "panel",
    0,
    "how many members a panel has, which reads the debate once it is complete; 0 is no panel",
    most=MOST_MEMBERS,
)
PANEL = _MEMBERS._replace(read=_read_panel, expected=f"0 or an odd number up to {MOST_MEMBERS}")

SPEECHES = "speeches"
"""The protocol in which a panel reads a debate: its own panel is a part of the debate."""


def panel_of(debate: Debate) -> int:
    """Return how many members the panel has that is to read a debate once it is complete."""
    return 0 if debate.protocol == SPEECHES else int(debate.settings.get("panel", 0))


WEEK = 7 * 24 * 3600
"""The longest time that anybody may be waited for, in seconds."""


WORD_LIMITS = choice(
    "word_limits",
    "warn",
    "what a text over its word limit does: warn, or reject the reply",
    "warn",
    "reject",
)
LANGUAGE = line("language", "the language of the debate; empty: the motion's own", 60)
WEB_SEARCH = choice(
    "web_search",
    "allowed",
    "whether debaters may search the web for evidence, or use the given context alone",
    "allowed",
    "forbidden",
)
HISTORY_CHARACTERS = whole(
    "history_characters",
    90_000,
    "how much of what was said before a participant is given in full; older entries beyond it "
    "are given on one line each",
    least=1_000,
)
FIRST_ANSWER = choice(
    "first_answer",
    "off",
    "whether an adviser who sees nothing of the debate answers its question too, beside the first "
    "turn, for whoever reports on the debate",
    "on",
    "off",
)._replace(usual="on")
COMMON = (WEB_SEARCH, LANGUAGE, FIRST_ANSWER, PANEL)
"""What debates of most protocols have, in this order."""
QUOTATIONS = choice(
    "quotations",
    "mark",
    "what a quotation does that does not stand in the context document that it is said to be from: "
    "reject the reply, or only bear a mark that readers and participants see",
    "strict",
    "mark",
)._replace(usual="strict")
