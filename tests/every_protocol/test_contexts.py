"""What a prompt holds: all that its participant may see, and nothing else."""

from __future__ import annotations

import re

from debate_ops import engine
from debate_ops.model import texts
from debate_ops.model.turn import Turn
from debate_ops.storage import load
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    FRAMING,
    Moment,
    all_moments,
    each_protocol,
    restore,
)

MARK = re.compile(r"zq[0-9]+[a-z]+[0-9]+zq")


def marks(moment: Moment) -> dict[str, str]:
    """Return every mark on record, and the entry that bears it."""
    actual: dict[str, str] = {}
    for file, data in moment.record.items():
        if file.startswith(("arguments/", "judgments/")):
            entry_id = file.partition("/")[2].removesuffix(".md")
            actual |= dict.fromkeys(MARK.findall(data.decode()), entry_id)
    return actual


@each_protocol
def test_a_prompt_shows_what_its_participant_may_see_and_nothing_else(protocol: str) -> None:
    """No private entry of another, and no reply of the same turn: told by a mark in each text."""
    tasks = 0
    for moment in all_moments(protocol):
        if not isinstance(moment.due, Turn):
            continue
        bearers = marks(moment)
        debate = load.load(restore(moment)).debate
        debate = debate._replace(settings=moment.position.debate.settings)
        for item in moment.position.tasks:
            who, tasks = item.task.participant, tasks + 1
            seen = {bearers[mark] for mark in MARK.findall(moment.prompts[who])}
            may_see = set(ROWS[protocol].sees(debate, moment.due, item.task))
            short = debate.settings["history_characters"] < 90_000
            assert seen <= may_see if short else seen == may_see, f"{moment.label}, {who}"
    assert tasks


@each_protocol
def test_a_prompt_says_whose_turn_it_is_and_what_for(protocol: str) -> None:
    for moment in all_moments(protocol):
        for who, prompt in moment.prompts.items():
            label = f"{moment.label}, {who}"
            assert FRAMING.motion in prompt, label
            assert f'"participant": "{who}"' in prompt, label
            assert f'"exchange": {moment.position.debate.state.exchange}' in prompt, label
            for text in (FRAMING.definitions[0].text, FRAMING.scope, FRAMING.context[0].text):
                assert text in prompt, label


@each_protocol
def test_a_prompt_has_no_placeholder_left_and_no_line_that_clients_cut(protocol: str) -> None:
    for moment in all_moments(protocol):
        for who, prompt in moment.prompts.items():
            label = f"{moment.label}, {who}"
            assert "{{" not in prompt, label
            assert max(map(len, prompt.split("\n"))) <= texts.LINE, label
            assert "\n\n\n" not in prompt, label


@each_protocol
def test_what_stands_in_the_middle_of_a_line_is_the_programs_own(protocol: str) -> None:
    """A value that is not marked so would be quoted there."""
    for moment in all_moments(protocol):
        for who, prompt in moment.prompts.items():
            own = [line for line in prompt.splitlines() if not line.startswith(">")]
            assert not [line for line in own if " > " in line], f"{moment.label}, {who}"


@each_protocol
def test_every_tag_that_is_opened_is_closed_in_order(protocol: str) -> None:
    tag = re.compile(r"^<(/?)([a-z_]+)\b[^\n]*>$", re.MULTILINE)
    for moment in all_moments(protocol):
        for who, prompt in moment.prompts.items():
            open_now: list[str] = []
            for match in tag.finditer(prompt):
                if match[1]:
                    assert open_now, f"{moment.label}, {who}: {match[0]}"
                    assert open_now.pop() == match[2], f"{moment.label}, {who}: {match[0]}"
                else:
                    open_now.append(match[2])
            assert not open_now, f"{moment.label}, {who}"


@each_protocol
def test_a_prompt_says_what_may_be_shortened(protocol: str) -> None:
    """With the least history an entry is told in a line, or left out with a word about it."""
    settings = {"history_characters": 1000}
    for moment in all_moments(protocol):
        folder = restore(moment)
        file = folder.debate_file
        with open(file, encoding="utf-8") as before:
            text = before.read()
        with open(file, "w", encoding="utf-8") as after:
            after.write(re.sub(r'("history_characters": )[0-9]+', r"\g<1>1000", text))
        position = engine.next_turn(folder)
        assert position.debate.settings["history_characters"] == settings["history_characters"]
        for item in position.tasks:
            with open(item.slot.prompt, encoding="utf-8") as written:
                prompt = written.read()
            whole = moment.prompts[item.task.participant]
            shorter = len(prompt) < len(whole)
            assert ("would be too long" in prompt) or not shorter, moment.label
