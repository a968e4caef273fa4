"""The commands an agent calls at every step, and to begin, without the command-line library.

Starting Python and click costs more than the work these commands do. So their plain forms are
read here, with the standard library alone, which also lets them work before any package is
installed, as in a sandbox where none can be. Everything else, every mistake included, is left to
click: `parse` then returns None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from debate_ops.cli import answers, steps
from debate_ops.cli.guard import guarded
from debate_ops.errors import DONE, RUN_AGAIN, UnprintedError


class Form(NamedTuple):
    """A command's plain form: words in order, options with a value once or `many` times, flags."""

    act: Callable[..., tuple[dict[str, Any], int]]
    words: tuple[str, ...]
    options: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    many: tuple[str, ...] = ()


def _new(slug: str, **options: Any) -> tuple[dict[str, Any], int]:
    from debate_ops.cli import look  # not needed at every step

    return look.new(slug, **options), DONE


def _list(*, active: bool = False) -> tuple[dict[str, Any], int]:
    from debate_ops.cli import look

    return look.list_debates(active=active)[0], DONE


_NEW = (
    *("motion", "motion-file", "scope", "protocol", "participants", "agents", "web-search"),
    *("word-limits", "language", "history-characters", "settings"),
)
_NEW_MANY = ("definition", "context", "set")
FORMS = {
    "next": Form(steps.next_, ("debate",), ("exchanges",)),
    "submit": Form(steps.submit, ("debate",), ("step", "made-by", "wait"), needed=("step",)),
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
    "list": Form(_list, (), (), ("active",), ("json",)),
    "new": Form(_new, ("slug",), _NEW, ("allow-files-outside",), ("json",), _NEW_MANY),
}
MAX_DIGITS = 9
WHOLE_NUMBERS = frozenset({"exchange", "exchanges", "step", "wait", "history-characters"})


def parse(argv: Sequence[str]) -> tuple[Form, dict[str, Any]] | None:
    """Return a command and its arguments, or None where click has to look at them."""
    form = FORMS.get(argv[0]) if argv else None
    if form is None or not all(map(is_text, argv)):
        return None
    words: list[str] = []
    given: dict[str, Any] = {}
    rest = iter(argv[1:])
    for word in rest:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("-"):
            words.append(word)
        elif not word.startswith("--"):
            return None
        elif name in (*form.flags, "json") and not equals:
            given[name] = True
        elif name in form.options and name not in given:
            given[name] = value if equals else next(rest, None)
        elif name in form.many:
            given[name] = (*given.get(name, ()), value if equals else next(rest, None))
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
        value is not None
        and (name not in WHOLE_NUMBERS or _is_count(value))
        and not (isinstance(value, tuple) and None in value)
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
    """Call a command and print its answer as one JSON object; return its exit code.

    Each of them can be repeated: what is on record is not done twice.

    Raises:
        UnprintedError: the answer cannot be printed; another call gives it again.
    """
    result, code = act(**given)
    try:
        answers.show(result)
    except UnprintedError as error:
        error.exit_code = RUN_AGAIN
        error.hint = "Make room there, then run the same command again: nothing is done twice."
        raise
    return code
