"""A panel as a part of a debate: due once the debate is complete, and asked what fits it."""

import pytest

from debate_ops import engine, panels
from debate_ops.core.values import Done
from debate_ops.engine import Position
from debate_ops.report.reading import read_debate
from tests.courses import RICH, list_steps
from tests.engine.stage import create_course, hold_panel, put_replies, take_step

pytestmark = pytest.mark.usefixtures("work")

COURSES = [
    pytest.param(name, marks=() if name.startswith(("chairs", "exchange")) else pytest.mark.slow)
    for name in RICH
    if not name.startswith("speeches")
]


def complete(name: str, panel: int = 3) -> Position:
    """Return a complete debate, which is to have a panel."""
    folder = create_course(name, panel=panel, first_answer="off").folder
    if name.startswith("exchange"):
        engine.next_turn(folder, 2)
    for number in range(len(list_steps(name))):
        if not isinstance(engine.next_turn(folder).due, Done):
            put_replies(name, number, folder)
            take_step(name, number, folder)
    position = engine.load(folder)
    assert isinstance(position.due, Done)
    return position


@pytest.mark.parametrize("name", COURSES)
def test_a_complete_debate_goes_on_to_its_panel(name: str) -> None:
    position = complete(name)
    assert panels.describe_state(position) == {"state": "due", "verdict": ""}
    panel = panels.find_due(position)
    assert panel.folder.path == position.folder.within("panel")
    assert panel.debate.find("speech")
    assert panels.prepare(position.folder) == panel.folder  # once more changes nothing
    assert [item.task.by for item in panel.tasks] == ["member-1", "member-2", "member-3"]
    assert hold_panel(panel.folder, "first") == (1 if name.startswith("chairs") else 2)
    assert isinstance(engine.load(panel.folder).due, Done)
    assert not panels.is_due(position)
    assert panels.find_due(position) is position
    assert panels.describe_state(position)["state"] == "done"
    assert read_debate(position).panel


def test_a_debate_that_is_not_over_waits_with_its_panel() -> None:
    position = complete("formal-two-pairs-and-a-judge")
    engine.undo(position.folder, step=position.debate.step - 1)
    again = engine.load(position.folder)
    assert panels.describe_state(again)["state"] == "later"
    assert panels.find_due(again) is again
    assert not panels.is_due(again)


def test_a_panel_of_another_number_of_members_is_another() -> None:
    position = complete("formal-two-pairs-and-a-judge")
    panel = panels.find_due(position)
    anew = engine.load(panels.prepare(position.folder, 5))
    members = {f"member-{n}": "two" if n % 2 == 0 else "one" for n in range(1, 6)}
    assert panels.assign_members(anew, ["one", "two"]) == {"all": "one", **members}
    assert panel.folder == anew.folder


def test_a_debate_without_a_panel_has_none() -> None:
    position = complete("formal-two-pairs-and-a-judge", panel=0)
    assert panels.describe_state(position) == {}
    assert panels.find_due(position) is position
