"""The prompt for a brief: everything that a reporter may name, and every foreign word quoted."""

from __future__ import annotations

import pytest

from debate_ops import engine
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.reports import table
from debate_ops.reports.brief import checks
from debate_ops.reports.brief.prompt import prompt
from debate_ops.reports.exchange.report import view as view_of
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.view import View
from tests.every_protocol.stage import RICH, aside, history, restore
from tests.reports.brief.stage import LANGUAGES, POINT, brief_of, view
from tests.reports.debates import long_debate


def completed(protocol: str) -> View:
    """Return a debate that came to the end of its script."""
    with aside():
        folder = restore(history(protocol, dict(RICH)[protocol])[-1])
        return table.view_of(engine.look(folder).debate)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_brief_written_by_the_prompt_of_any_protocol_is_taken(protocol: str) -> None:
    shown = completed(protocol)
    text = prompt(shown)
    assert checks.read(brief_of(shown), shown).faults == ()
    assert all(f"{{{name}}} = " in text for name in shown.data)
    assert all(f'id="{item.id}"' in text for item in shown.content.items)
    assert all(f"> {choice}: " in text for choice in shown.choices)


def test_of_a_long_debate_the_oldest_entries_are_given_by_their_titles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("debate_ops.reports.brief.prompt._CHARACTERS", 500)
    settings = {"history_characters": 1000, "language": ""}
    shown = view_of(Scoreboard(long_debate(20, settings=settings)))
    text = prompt(shown)
    said = [item for item in shown.content.items if item.is_said]
    whole = [item for item in said if f'<entry id="{item.id}"' in text]
    assert whole == said[-len(whole) :] != said
    assert f"> {said[0].id}: " in text
    assert sum(len(words) for item in whole for _, words in item.texts) <= 1000


def test_the_first_answer_and_the_context_are_handed_on_in_quoted_lines() -> None:
    text = prompt(view("English")._replace(first_answer="Probably yes, but second."))
    assert "> Probably yes, but second." in text
    assert f"> {POINT}: {LANGUAGES['English'].point}" in text


def test_the_prompt_says_whom_a_participant_was_asked_to_be() -> None:
    shown = completed("chairs")
    settings = shown.debate.settings
    chair = {**settings["participants"][0], "persona": "A retired ferry captain"}
    others = settings["participants"][1:]
    debate = shown.debate._replace(settings={**settings, "participants": [chair, *others]})
    cast = shown._replace(content=shown.content._replace(debate=debate))
    line = next(line for line in prompt(cast).splitlines() if "A retired ferry captain" in line)
    assert line.startswith(f"> {chair['name']}: ")
