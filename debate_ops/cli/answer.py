"""The command `answer`: what a person says to open questions, as one act."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence

import click

from debate_ops import engine
from debate_ops.cli import answers, intervene, settings_file, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import by_option, command, debate_argument
from debate_ops.core.errors import INTERRUPTED, DebateError, Finding, UsageError
from debate_ops.model.turn import Waiting
from debate_ops.storage import folder
from debate_ops.storage.record import of_step

ACT = "answer"
NOT_APPLICABLE = ""
"""What is filed for a question that does not apply."""


class InterruptedAnswersError(DebateError):
    """Somebody broke off while being asked; nothing is on record."""

    exit_code = INTERRUPTED
    code = "interrupted"


@command("answer")
@debate_argument
@click.argument("words", metavar="[ID=TEXT]...", nargs=-1)
@click.option(
    "--file",
    metavar="FILE",
    help="Answers from a file, TOML or JSON: each ID and its text; '-' is standard input.",
)
@click.option("--rest-not-applicable", is_flag=True, help="No other open question is applicable.")
@by_option
def answer(  # noqa: PLR0913  (what the command line gives)
    debate: str,
    words: Sequence[str],
    file: str | None,
    *,
    rest_not_applicable: bool,
    by: str,
    as_json: bool,
) -> Answer:
    """Answer questions that agents have put to you; without words, each is asked for in turn.

    All answers are filed as one step. An empty TEXT says that a question is not applicable.

    \b
    debate-ops answer caching security_000-question-1="Only staff may see drafts." \\
        security_000-question-2= --by kim
    """
    if not words and file is None and not rest_not_applicable:
        return _ask(debate, by, is_terminal=sys.stdin.isatty() and not as_json)
    typed = _typed(words, file)
    if rest_not_applicable:
        open_questions = _questions(engine.look(folder.find(debate)))
        typed = dict.fromkeys(open_questions, NOT_APPLICABLE) | typed
    return intervene.act(debate, ACT, by, typed)


def _typed(words: Sequence[str], file: str | None) -> dict[str, str]:
    """Return the answers that words and a file give."""
    typed = texts.pairs(words, "", 'ID="…"')
    values, places = settings_file.load(file) if file is not None else ({}, {})
    faults = [
        Finding("bad_answer", why, file=places[name], where=name)
        for name, value in values.items()
        for why in _why_none(value, is_typed=name in typed)
    ]
    if faults:
        text = faults[0].sentence() if len(faults) == 1 else f"{len(faults)} answers are not right"
        raise UsageError(text, hint="Answer each question once, in a text.", faults=tuple(faults))
    return typed | values


def _why_none(value: object, *, is_typed: bool) -> Iterator[str]:
    if is_typed:
        yield "is answered twice"
    if not isinstance(value, str):
        yield f"is {engine.shown(value)}, expected a text"


def _questions(position: engine.Position) -> list[str]:
    """Return the questions that are open; if none is, those that the last step answered.

    So the same command again is the same act.
    """
    due, debate = position.due, position.debate
    if isinstance(due, Waiting) and ACT in due.acts:
        return list(due.about)
    questions = (entry.header.get("question") for entry in of_step(debate.record, debate.step - 1))
    return [name for name in questions if isinstance(name, str)]


def _ask(debate: str, by: str, *, is_terminal: bool) -> Answer:
    """Ask for every open question, then file all answers at once."""
    waiting = answers.waiting(engine.look(folder.find(debate)))
    questions = waiting["about"] if ACT in waiting.get("acts", ()) else []
    if questions and not is_terminal:
        raise _unanswered(debate, questions)
    typed: dict[str, str] = {}
    try:
        for number, item in enumerate(questions, 1):
            question = f"[{number}/{len(questions)}] {item['id']}: {item['text']}"
            text = answers.asked(f"{question}\n  answer, or Enter alone if it does not apply")
            typed[item["id"]] = text.strip()
    except KeyboardInterrupt:
        raise InterruptedAnswersError(
            "interrupted; no answer is on record", hint=_again(debate, typed)
        ) from None
    try:
        return intervene.act(debate, ACT, by, typed)
    except DebateError as error:
        error.hint = f"{error.hint} {_again(debate, typed)}".strip()
        raise


def _unanswered(debate: str, questions: Sequence[Mapping[str, str]]) -> UsageError:
    ids = ", ".join(item["id"] for item in questions)
    return UsageError(
        f"answers are required to {ids}",
        hint=f"Write '{ACT} {debate} ID=\"…\"' with each ID, and nothing behind the = if it does "
        "not apply; in a terminal you are asked for one after the other.",
        faults=tuple(Finding("open_question", q["text"], where=q["id"]) for q in questions),
    )


def _again(debate: str, texts: Mapping[str, str]) -> str:
    """Return the answers as the words that give them again; empty where nothing was typed."""
    words = " ".join(shlex.quote(f"{name}={text}") for name, text in texts.items())
    return f"You had typed, as words of '{ACT} {debate}': {words}" if any(texts.values()) else ""
