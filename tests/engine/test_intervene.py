"""What a person does unasked: nothing is lost, and nothing is taken for what it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops import engine, validation
from debate_ops.errors import BadRecordError, RefusedError, UsageError
from debate_ops.model.debate import Framing
from debate_ops.model.turn import Act
from tests.builders import put, record_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from debate_ops.storage.folder import Folder

NAMES = ("ann", "ben", "cara")
PROPOSALS = "awaiting_proposals"


pytestmark = pytest.mark.usefixtures("work")


@pytest.fixture
def folder() -> Folder:
    value = {"participants": ",".join(NAMES)}
    return engine.create("c", Framing("Q"), protocol="consensus", settings=value).folder


def proposal(name: str) -> dict[str, Any]:
    naming = {"participant": name, "exchange": 1, "phase": PROPOSALS}
    return naming | {"title": "T", "solution": "S", "reasoning": "R", "confidence": 0.5}


def propose(folder: Folder, *names: str) -> None:
    for name in names:
        put(folder, name, proposal(name))


def statuses(folder: Folder) -> dict[str, str]:
    return {item.task.participant: item.status for item in engine.look(folder).tasks}


def test_a_refused_advance_leaves_nobody_skipped(folder: Folder) -> None:
    before = record_of(folder)
    put(folder, "ann", proposal("ann"))
    put(folder, "ben", "no json")

    with pytest.raises(engine.RepliesRefusedError):
        engine.advance(folder, 0, "time to go on")

    assert record_of(folder) == before
    assert statuses(folder) == {"ann": "replied", "ben": "refused", "cara": "waiting"}


def test_a_reply_beside_a_skip_is_told_and_kept(folder: Folder) -> None:
    engine.skip(folder, "ben", "on holiday")
    path = put(folder, "ben", proposal("ben"))
    propose(folder, "ann", "cara")

    outcome = engine.submit(folder, 0)

    assert [w.code for w in outcome.warnings] == ["reply_unused"]
    assert json.loads(path.read_text()) == proposal("ben")


def test_replies_to_the_step_of_an_act_are_refused_by_its_name(folder: Folder) -> None:
    engine.act(folder, Act("escalate", {"reason": "no time"}))

    with pytest.raises(RefusedError, match="an act, person_001-escalation"):
        engine.submit(folder, 0)
    with pytest.raises(RefusedError, match="an act, person_001-escalation"):
        engine.advance(folder, 0, "again")


def test_an_act_that_the_protocol_does_not_know_is_refused() -> None:
    folder = engine.create("x", Framing("M")).folder

    with pytest.raises(RefusedError, match="knows no 'decide'"):
        engine.act(folder, Act("decide", {"reason": "r"}))


def test_settings_that_the_record_has_outgrown_are_refused_by_every_command() -> None:
    settings = {"cross_exam_questions": 2}
    folder = engine.create("f", Framing("M"), protocol="formal", settings=settings).folder
    while engine.look(folder).debate.state.exchange < 4:
        engine.advance(folder, engine.look(folder).debate.step, "a rehearsal")
    engine.advance(folder, engine.look(folder).debate.step, "a rehearsal")
    path = Path(folder.debate_file)
    path.write_text(
        path.read_text().replace('"cross_exam_questions": 2', '"cross_exam_questions": 0')
    )

    for command in (engine.look, engine.next_turn):
        with pytest.raises(BadRecordError, match="settings were changed, or a file"):
            command(folder)


def test_totals_that_no_record_leads_to_are_refused(folder: Folder) -> None:
    path = Path(folder.debate_file)
    made_up = '"cumulative_scores": {"ann": {"total": 1, "count": 1}}'
    path.write_text(path.read_text().replace('"cumulative_scores": {}', made_up))

    with pytest.raises(BadRecordError, match="cumulative_scores of the ann"):
        engine.look(folder)


def test_a_request_for_which_nothing_is_left_is_none(folder: Folder) -> None:
    propose(folder, *NAMES)
    engine.submit(folder, 0)
    while engine.look(folder).debate.state.exchange < 2:
        engine.advance(folder, engine.look(folder).debate.step, "nobody came")
    path = Path(folder.debate_file)
    path.write_text(path.read_text().replace('"max_cycles": 3', '"max_cycles": 1'))

    position = engine.next_turn(folder, 2)

    assert position.debate.request is None
    assert [w.code for w in position.warnings] == ["request_shortened"]


@pytest.mark.parametrize("key", ["title", "builds_on"])
def test_a_damaged_header_is_named(folder: Folder, key: str) -> None:
    propose(folder, *NAMES)
    engine.submit(folder, 0)
    path = Path(folder.entry("arguments", "ann_001-proposal"))
    text = path.read_text().replace('"kind": "proposal",', f'"kind": "proposal", "{key}": 5,')
    path.write_text(text.replace('"title": "T",', "") if key == "title" else text)

    faults, _ = validation.validate(folder)

    assert [f.file for f in faults] == ["arguments/ann_001-proposal.md"]
    assert f"{key} is 5" in faults[0].message


def test_two_who_may_only_vote_for_each_other_with_equal_weights_are_refused() -> None:
    value = {"participants": "ann,ben", "self_votes": "forbidden"}
    with pytest.raises(UsageError, match="neither could ever win"):
        engine.create("two", Framing("Q"), protocol="consensus", settings=value)

    value["participants"] = "ann,ben:architect"  # 2 of 3 reach 2/3
    engine.create("two", Framing("Q"), protocol="consensus", settings=value)


@pytest.mark.parametrize("blank", [" ", "\u200b"], ids=ascii)
def test_nothing_is_done_unasked_without_an_author_and_words(folder: Folder, blank: str) -> None:
    before = record_of(folder)
    calls: tuple[Callable[[], object], ...] = (
        lambda: engine.act(folder, Act("cancel", {"reason": "because"}, blank)),
        lambda: engine.act(folder, Act("cancel", {"reason": blank}, "kim")),
        lambda: engine.skip(folder, "ann", blank),
        lambda: engine.advance(folder, 0, blank),
        lambda: engine.create("blank", Framing(blank)),
    )
    for call in calls:
        with pytest.raises(UsageError):
            call()
    assert record_of(folder) == before
    engine.act(folder, Act("escalate", {"reason": "because"}, "kim"))
    with pytest.raises(RefusedError):
        engine.act(folder, Act("decide", {"reason": "because", "text": blank}, "kim"))
