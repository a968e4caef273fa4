"""The commands an agent calls at every step, without the command-line library.

Starting Python and click costs more than the work these commands do. So their plain forms are
read here, with the standard library alone, which also lets them work before any package is
installed. Everything else, every mistake included, is left to click: `parse` then returns None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from debate_ops.cli import answers, steps
from debate_ops.cli.guard import guarded


class Form(NamedTuple):
    """A command's plain form: words in order, then options with a value, then flags."""

    act: Callable[..., tuple[dict[str, Any], int]]
    words: tuple[str, ...]
    options: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()


FORMS = {
    "next": Form(steps.next_, ("debate",), ("exchanges", "wait")),
    "submit": Form(steps.submit, ("debate",), ("step", "made-by"), needed=("step",)),
    "process-exchange": Form(
        steps.process_exchange,
        ("debate", "exchange"),
        ("prop-file", "opp-file"),
        ("keep",),
        ("prop-file", "opp-file"),
    ),
    "process-judge": Form(
        steps.process_judge, ("debate",), ("json-file",), ("keep",), ("json-file",)
    ),
    "status": Form(steps.status, ("debate",), (), (), ("json",)),
}
MAX_DIGITS = 9
WHOLE_NUMBERS = frozenset({"exchange", "exchanges", "step", "wait"})


def parse(argv: Sequence[str]) -> tuple[Form, dict[str, Any]] | None:
    """Return a command and its arguments, or None where click has to look at them."""
    form = FORMS.get(argv[0]) if argv else None
    if form is None or not all(map(is_text, argv)):
        return None
    words: list[str] = []
    given: dict[str, Any] = {}
    rest = iter(argv[1:])
    for word in rest:
        name = word.removeprefix("--")
        if not word.startswith("-"):
            words.append(word)
        elif word == f"--{name}" and name in (*form.flags, "json"):
            given[name] = True
        elif word == f"--{name}" and name in form.options and name not in given:
            given[name] = next(rest, None)
        else:
            return None
    given |= dict(zip(form.words, words, strict=False))
    complete = len(words) == len(form.words) and all(name in given for name in form.needed)
    return (form, _numbers(given)) if complete and _readable(given) else None


def is_text(word: str) -> bool:
    """Tell whether a word of the command line is UTF-8, and not bytes that nothing can write."""
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _readable(given: dict[str, Any]) -> bool:
    return all(
        value is not None and (name not in WHOLE_NUMBERS or _is_count(value))
        for name, value in given.items()
    )


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS


def _numbers(given: dict[str, Any]) -> dict[str, Any]:
    given.pop("json", None)
    return {
        name.replace("-", "_"): int(value) if name in WHOLE_NUMBERS and value else value
        for name, value in given.items()
    }


def main(argv: Sequence[str]) -> int | None:
    """Run a hot command and return its exit code; None where it is not one in its plain form."""
    parsed = parse(argv)
    if parsed is None:
        return None
    form, given = parsed
    return guarded(lambda: answer(form.act, given), as_json=True)


def answer(act: Callable[..., tuple[dict[str, Any], int]], given: dict[str, Any]) -> int:
    """Call a command and print its answer as one JSON object; return its exit code."""
    told, code = act(**given)
    answers.show(told)
    return code
