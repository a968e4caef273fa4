"""The first answer: asked for beside the first turn, on record with it, and seen by nobody."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine, repair, validation
from debate_ops.engine import RepliesRefusedError
from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import entries
from debate_ops.model.entries import ADVICE
from debate_ops.model.texts import quoted
from debate_ops.model.turn import OMIT, Turn
from debate_ops.protocols.table import rules_of
from debate_ops.reports.brief import keeping
from debate_ops.storage.load import load
from tests import builders
from tests.builders import put, record_of, run
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    ADVICE_TEXT,
    FRAMING,
    Moment,
    every_protocol,
    first_answer,
    go,
    held,
    history,
    restore,
    with_answer,
)

if TYPE_CHECKING:
    from debate_ops.storage.folder import Folder

pytestmark = pytest.mark.usefixtures("work")

SEALED = "a lease that nobody else has heard of"


def at_its_beginning(protocol: str, name: str) -> tuple[Folder, Moment, Turn]:
    """Return a debate in the working folder whose first turn has been asked for."""
    first = with_answer(protocol, name)[0]
    assert isinstance(first.due, Turn)
    return restore(first), first, first.due


def without_adviser(moment: Moment) -> Moment:
    return moment._replace(texts={n: t for n, t in moment.texts.items() if n != "adviser"})


def answer_of(folder: Folder) -> str | None:
    return entries.first_answer(load(folder).debate.record)


def ruled(moment: Moment) -> dict[str, bytes]:
    """Return the arguments and judgments on record, without the digests of what they rest on."""
    files = {n: d for n, d in moment.record.items() if n.startswith(("arguments/", "judgments/"))}
    return {
        n: re.sub(rb'"rests_on": \{.*?\},?\n', b"", d, flags=re.DOTALL) for n, d in files.items()
    }


@every_protocol
def test_it_is_asked_for_beside_the_first_turn_alone(protocol: str, name: str) -> None:
    first, *later = with_answer(protocol, name)
    (asked,) = [item for item in first.position.tasks if item.task.participant == "adviser"]
    assert asked.task.on_failure == OMIT
    assert not any("adviser" in moment.names for moment in later)


@every_protocol
def test_nobody_but_reporter_and_readers_of_the_folder_ever_sees_it(
    protocol: str, name: str
) -> None:
    folder, first, turn = at_its_beginning(protocol, name)
    put(folder, "adviser", json.dumps(first_answer(turn, text=SEALED)))
    variant = ROWS[protocol].variants[name]
    go(folder, without_adviser(first))
    prompts = [moment.prompts for moment in held(folder, variant)]
    assert SEALED not in str(prompts)
    for words in (("report",), ("transcript",), ("outcome",), ("export", "--to", "json")):
        assert SEALED not in str(run(words[0], folder.slug, *words[1:], "--json"))
    files = [p for p in Path(folder.path).rglob("*") if p.is_file()]
    holding = [p for p in files if SEALED.encode() in p.read_bytes()]
    by_reporter = keeping.slot(folder).prompt
    assert {path.parent.name for path in holding if str(path) != by_reporter} == {ADVICE}
    assert Path(by_reporter) in holding
    assert answer_of(folder) == SEALED
    assert validation.validate(folder) == ((), ())


@every_protocol
def test_it_changes_nothing_of_the_debate_itself(protocol: str, name: str) -> None:
    last, other = with_answer(protocol, name)[-1], history(protocol, name)[-1]
    assert last.position.debate.state == other.position.debate.state
    assert ruled(last) == ruled(other)


@every_protocol
def test_its_prompt_holds_the_question_and_the_framing(protocol: str, name: str) -> None:
    prompt = with_answer(protocol, name)[0].prompts["adviser"]
    for text in (FRAMING.motion, FRAMING.scope, *(d.text for d in FRAMING.context)):
        assert quoted(text) in prompt


@every_protocol
def test_a_turn_is_committed_without_it(protocol: str, name: str) -> None:
    folder, first, _ = at_its_beginning(protocol, name)
    outcome = go(folder, without_adviser(first))
    assert not any(entry_id.startswith("adviser_") for entry_id in outcome.committed)
    assert outcome.warnings == ()
    assert answer_of(folder) is None
    assert validation.validate(folder) == ((), ())


@every_protocol
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"text": " \n"}, "blank"),
        ({"text": "x" * 10_001}, "too_long"),
        ({"exchange": 9}, "wrong_exchange"),
    ],
)
def test_one_of_another_form_is_handed_back_and_then_left_out(
    protocol: str, name: str, changes: dict[str, object], code: str
) -> None:
    folder, first, turn = at_its_beginning(protocol, name)
    bad = json.dumps(first_answer(turn) | changes)
    with pytest.raises(RepliesRefusedError) as refused:
        go(folder, first._replace(texts={**first.texts, "adviser": bad}))
    assert [(fault.participant, fault.code) for fault in refused.value.faults] == [
        ("adviser", code)
    ]
    (again,) = [i for i in engine.next_turn(folder).tasks if i.status == engine.REFUSED]
    assert Path(again.slot.repair).is_file()
    assert engine.submit(folder, 0).committed
    assert answer_of(folder) is None


def test_replies_in_named_files_are_committed_without_it() -> None:
    folder = builders.new_debate(first_answer="on")
    reply = put(folder, "adviser", "no answer at all", 0)
    result = builders.process_exchange(0, builders.opening("prop"), builders.opening("opp"))
    assert (result.code, answer_of(folder), reply.exists()) == (0, None, True)


@every_protocol
def test_a_repeat_is_answered_whatever_became_of_its_reply(protocol: str, name: str) -> None:
    folder, first, turn = at_its_beginning(protocol, name)
    go(folder, first)
    before = record_of(folder)
    same = put(folder, "adviser", first.texts["adviser"], 0)
    assert engine.submit(folder, 0).already_applied
    assert not same.exists()
    late = put(folder, "adviser", json.dumps(first_answer(turn, text="Too late.")), 0)
    assert engine.submit(folder, 0).already_applied
    assert late.exists()
    assert record_of(folder) == before


@every_protocol
def test_undo_of_the_first_turn_takes_it_back(protocol: str, name: str) -> None:
    folder, first, _ = at_its_beginning(protocol, name)
    go(folder, first)
    _, taken_back = engine.undo(folder, step=0)
    assert [entry_id for entry_id in taken_back if entry_id.startswith("adviser_")]
    assert answer_of(folder) is None
    assert engine.next_turn(folder).tasks[-1].status == engine.WAITING
    go(folder, first)
    assert answer_of(folder) == ADVICE_TEXT


@every_protocol
def test_debate_md_is_made_anew_beside_it(protocol: str, name: str) -> None:
    folder, first, _ = at_its_beginning(protocol, name)
    before = Path(folder.debate_file).read_bytes()
    go(folder, first)
    after = Path(folder.debate_file).read_bytes()
    Path(folder.debate_file).write_bytes(after.replace(b'"step": 1', b'"step": 7', 1))
    repair.fix(folder)
    assert Path(folder.debate_file).read_bytes() == after
    Path(folder.debate_file).write_bytes(before.replace(b'  "step": 0,\n', b"", 1))
    for kind in ("arguments", "judgments"):
        for path in Path(folder.within(kind)).iterdir():
            path.unlink()
    repair.fix(folder)  # the answer alone is a commit that did not happen
    assert engine.look(folder).debate.step == 0
    assert answer_of(folder) is None


@every_protocol
def test_an_edit_of_it_and_its_loss_are_told(protocol: str, name: str) -> None:
    folder = restore(with_answer(protocol, name)[-1])
    (path,) = Path(folder.within(ADVICE)).iterdir()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Yes", "No"), encoding="utf-8")
    assert [w.code for w in validation.validate(folder)[1]] == ["edited_since"]
    path.unlink()
    assert [w.code for w in validation.validate(folder)[1]] == ["entry_lost"]


def test_a_header_that_was_made_to_name_it_shows_it_to_no_judge() -> None:
    folder = builders.new_debate(first_answer="on")
    builders.hold(folder, adviser={"participant": "adviser", "exchange": 0, "text": SEALED})
    builders.hold_until(folder, 1, builders.ARGUING)
    attacking = builders.rebuttal("prop", 1, attacks=[builders.attack("opp_000a")])
    builders.hold(folder, prop=attacking)
    path = Path(folder.entry("arguments", "prop_001"))
    path.write_bytes(path.read_bytes().replace(b"opp_000a", b"adviser_000-advice"))
    (judge,) = engine.next_turn(folder).tasks
    assert answer_of(folder) == SEALED
    assert SEALED not in Path(judge.slot.prompt).read_text(encoding="utf-8")


@every_protocol
def test_it_lies_in_its_own_folder_and_nothing_else_does(protocol: str, name: str) -> None:
    folder = restore(with_answer(protocol, name)[-1])
    (path,) = Path(folder.within(ADVICE)).iterdir()
    other = Path(folder.within("judgments"), path.name)
    other.write_bytes(path.read_bytes())
    assert [f.code for f in validation.validate(folder)[0]] == ["wrong_folder"]
    other.unlink()
    stranger = Path(folder.within(ADVICE), "ann_001-nonsense.md")
    stranger.write_bytes(path.read_bytes())
    assert [f.code for f in validation.validate(folder)[0]] == ["wrong_folder"]


@every_protocol
def test_it_cannot_be_skipped_and_advance_does_not_need_it(protocol: str, name: str) -> None:
    folder, first, _ = at_its_beginning(protocol, name)
    with pytest.raises(RefusedError, match="adviser"):
        engine.skip(folder, "adviser", "declined")
    for participant, text in without_adviser(first).texts.items():
        put(folder, participant, text, 0)
    assert engine.advance(folder, 0, "enough").committed
    assert engine.absences(engine.look(folder).debate) == []


def test_nobody_else_may_be_called_adviser_beside_it() -> None:
    value = {"participants": "ann,adviser,cara", "first_answer": "on"}
    with pytest.raises(UsageError) as refused:
        engine.checked_settings(rules_of("consensus"), value)
    assert [fault.where for fault in refused.value.faults] == ["participants"]
    assert engine.checked_settings(rules_of("consensus"), value | {"first_answer": "off"})


def test_new_asks_for_it_and_a_debate_that_does_not_say_so_has_none() -> None:
    made = run("new", "made", "--motion", "M", "--json").result
    assert made["settings"]["first_answer"] == "on"
    assert (
        engine.create("bare", engine.create.__globals__["Framing"]("M")).debate.settings[
            "first_answer"
        ]
        == "off"
    )
