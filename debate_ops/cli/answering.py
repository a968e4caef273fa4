"""The command `answer`: what a person says to open questions, as one act."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from debate_ops import engine
from debate_ops.cli import answers, given_settings, steps
from debate_ops.cli.answers import Answer
from debate_ops.errors import INTERRUPTED, DebateError, Finding, UsageError
from debate_ops.model.turn import Waiting
from debate_ops.storage import folder
from debate_ops.storage.record import of_step

ACT = "answer"
NOT_APPLICABLE = ""
"""What is filed for a question that does not apply."""

Ask = Callable[[str], str]
"""Asks a person; a `KeyboardInterrupt` says that no more will be typed."""


class InterruptedAnswersError(DebateError):
    """Somebody broke off while being asked; nothing is on record."""

    exit_code = INTERRUPTED
    code = "interrupted"


def command(debate: str, *, as_json: bool, **given: Any) -> Answer:
    """File what the command line gives; on a terminal, ask for what it does not."""
    ask = answers.asked if sys.stdin.isatty() and not as_json else None
    return answer(debate, ask=ask, **given)


def answer(  # noqa: PLR0913  (what the command line gives)
    debate: str,
    words: Sequence[str],
    path: str | None,
    *,
    rest: bool,
    by: str,
    ask: Ask | None,
) -> Answer:
    """File answers by question: from words and a file; `rest` says that no other applies.

    Without any of these, `ask` is called once for each open question.

    Raises:
        UsageError: a word or the file is not of its form, or nobody can be asked.
        RefusedError: a question is not open.
    """
    given = _given(words, path)
    if rest:
        given = dict.fromkeys(_rest(engine.look(folder.find(debate))), NOT_APPLICABLE) | given
    elif not words and path is None:
        return _asked(debate, by, ask)
    return steps.act(debate, ACT, by, given)


def _given(words: Sequence[str], path: str | None) -> dict[str, str]:
    """Return the answers that words and a file give.

    Raises:
        UsageError: one is not of its form, or a question is answered twice.
    """
    pairs = [word.partition("=") for word in words]
    faults = [
        Finding("bad_answer", f"{word!r} is no answer")
        for word, (name, equals, _) in zip(words, pairs, strict=True)
        if not equals or not name.strip()
    ]
    values, file_faults = _from_file(path) if path is not None else ({}, [])
    faults += file_faults
    names = [name.strip() for name, _, _ in pairs] + list(values)
    faults += [
        Finding("bad_answer", "is answered twice", where=name)
        for name in dict.fromkeys(names)
        if name and names.count(name) > 1
    ]
    if faults:
        text = faults[0].sentence() if len(faults) == 1 else f"{len(faults)} answers are not right"
        raise UsageError(text, hint='Write ID="…", once for each question.', faults=tuple(faults))
    return {name.strip(): text for name, _, text in pairs} | dict(values)


def _from_file(path: str) -> tuple[Mapping[str, Any], list[Finding]]:
    """Return the values in a file by question, and what is wrong with those that are no text."""
    values, places, unread = given_settings.read(path)
    known = {fault.where for fault in unread}
    return values, [
        *unread,
        *(
            Finding("bad_answer", f"is {engine.shown(v)}, expected a text", file=places[n], where=n)
            for n, v in values.items()
            if not isinstance(v, str) and n not in known
        ),
    ]


def _rest(position: engine.Position) -> list[str]:
    """Return the questions that are open; if none is, those that the last step answered.

    So the same command again is the same act.
    """
    due, debate = position.due, position.debate
    if isinstance(due, Waiting) and ACT in due.acts:
        return list(due.about)
    questions = (entry.header.get("question") for entry in of_step(debate.record, debate.step - 1))
    return [name for name in questions if isinstance(name, str)]


def _asked(debate: str, by: str, ask: Ask | None) -> Answer:
    """Ask for every open question, then file all answers at once.

    Raises:
        UsageError: nobody can be asked; it lists the questions.
    """
    position = engine.look(folder.find(debate))
    is_open = isinstance(position.due, Waiting) and ACT in position.due.acts
    questions = answers.about(position) if is_open else []
    if questions and ask is None:
        raise _unanswered(debate, questions)
    return _filed(debate, by, _answers(debate, questions, ask) if ask else {})


def _unanswered(debate: str, questions: Sequence[Mapping[str, str]]) -> UsageError:
    ids = ", ".join(item["id"] for item in questions)
    return UsageError(
        f"answers are required to {ids}",
        hint=f"Write '{ACT} {debate} ID=\"…\"' with each ID, and nothing behind the = if it does "
        "not apply; in a terminal you are asked for one after the other.",
        faults=tuple(Finding("open_question", q["text"], where=q["id"]) for q in questions),
    )


def _answers(debate: str, questions: Sequence[Mapping[str, str]], ask: Ask) -> dict[str, str]:
    """Return what was typed for each question.

    Raises:
        InterruptedAnswersError: the typing was broken off; its hint has the answers as words.
    """
    given: dict[str, str] = {}
    try:
        for number, item in enumerate(questions, 1):
            text = f"[{number}/{len(questions)}] {item['id']}: {item['text']}"
            typed = ask(f"{text}\n  answer, or Enter alone if it does not apply")
            given[item["id"]] = typed.strip()
    except KeyboardInterrupt:
        raise InterruptedAnswersError(
            "interrupted; no answer is on record", hint=_typed(debate, given)
        ) from None
    return given


def _filed(debate: str, by: str, given: Mapping[str, str]) -> Answer:
    """File what was typed; where that is refused, hand it back, so that nothing has to be retyped.

    Raises:
        DebateError: its hint has the answers as words.
    """
    try:
        return steps.act(debate, ACT, by, given)
    except DebateError as error:
        error.hint = f"{error.hint} {_typed(debate, given)}".strip()
        raise


def _typed(debate: str, given: Mapping[str, str]) -> str:
    """Return the answers as the words that give them again; empty where nothing was typed."""
    words = " ".join(shlex.quote(f"{name}={text}") for name, text in given.items())
    return f"You had typed, as words of '{ACT} {debate}': {words}" if any(given.values()) else ""
