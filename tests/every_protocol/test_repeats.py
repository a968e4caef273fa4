"""What was done already is answered again and not done again (PX-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from debate_ops import engine
from debate_ops.errors import RefusedError
from debate_ops.model.turn import Act
from tests.builders import header_of, put
from tests.every_protocol.stage import (
    Moment,
    all_files,
    every_moment,
    every_protocol,
    every_step,
    go,
    history,
    restore,
    swept,
)

if TYPE_CHECKING:
    from debate_ops.storage.folder import Folder


def entries_of(last: Moment, step: int, folder: Folder) -> set[str]:
    """Return the ids that the record has of one step."""
    files = [n for n in last.record if n.startswith(("arguments/", "judgments/"))]
    ids = {n.partition("/")[2].removesuffix(".md"): header_of(folder, n)["step"] for n in files}
    return {entry_id for entry_id, at in ids.items() if at == step}


@every_protocol
def test_a_step_submitted_again_is_answered_and_nothing_changes(protocol: str, name: str) -> None:
    """At any time after it, with its replies in the inbox once more or without them."""
    *moments, last = history(protocol, name)
    folder = restore(last)
    for moment in moments:
        if moment.act:
            continue
        for again in ({}, moment.texts):
            for who, text in again.items():
                put(folder, who, text, moment.step)
            outcome = engine.submit(folder, moment.step)
            assert outcome.already_applied, moment.label
            assert set(outcome.committed) == entries_of(last, moment.step, folder), moment.label
            assert outcome.position.due == last.due
            assert all_files(folder) == last.files, moment.label


@swept
def test_other_replies_to_a_step_that_is_over_are_refused_and_kept(protocol: str) -> None:
    for moment, _, last in every_step(protocol):
        marked = {who: text for who, text in moment.texts.items() if "zq" in text}
        for who, text in marked.items():
            folder = restore(last)
            other = text.replace("zq", "other")
            put(folder, who, other, moment.step)
            with pytest.raises(RefusedError, match="on record with other replies"):
                engine.submit(folder, moment.step)
            kept = {f"inbox/{moment.step}-{who}.reply.json": other.encode()}
            assert all_files(folder) == {**last.files, **kept}, moment.label


@swept
def test_a_step_that_is_not_due_yet_is_refused(protocol: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        for step in (moment.step + 1, moment.step + 7):
            with pytest.raises(RefusedError, match="is not due"):
                engine.submit(folder, step)
            with pytest.raises(RefusedError, match=r"is not due|no reply is due"):
                engine.advance(folder, step, "too early")
        assert all_files(folder) == moment.files, moment.label


@swept
def test_an_act_repeated_is_answered_and_another_one_refused(protocol: str) -> None:
    """An act is repeated if it says the same; what says something else is another act."""
    for moment, after, _ in every_step(protocol):
        act = moment.act
        if act is None:
            continue
        folder = restore(moment)
        first = go(folder, moment)
        again = engine.act(folder, act)
        assert (first.already_applied, again.already_applied) == (False, True)
        assert again.committed == first.committed
        assert all_files(folder) == after.files, moment.label
        other = Act(act.name, {**act.values, "reason": "another reason"}, act.by)
        with pytest.raises(RefusedError):
            engine.act(folder, other)
        assert all_files(folder) == after.files, moment.label


@swept
def test_a_skip_repeated_is_answered(protocol: str) -> None:
    """While it waits for the others, and with the step also when the turn is over."""
    for moment in every_moment(protocol):
        for who in moment.texts:
            folder = restore(moment)
            for other in moment.texts.keys() - {who}:
                put(folder, other, moment.texts[other], moment.step)
            outcome = engine.skip(folder, who, "no answer", step=moment.step)
            assert isinstance(outcome, engine.Outcome)
            done = all_files(folder)
            again = engine.skip(folder, who, "no answer", step=moment.step)
            assert isinstance(again, engine.Outcome)
            assert again.already_applied, moment.label
            assert set(again.committed) == set(outcome.committed)
            assert all_files(folder) == done, moment.label


@swept
def test_an_advance_repeated_is_answered(protocol: str) -> None:
    for moment in every_moment(protocol):
        if not moment.texts:
            continue
        folder = restore(moment)
        outcome = engine.advance(folder, moment.step, "time is over")
        done = all_files(folder)
        again = engine.advance(folder, moment.step, "time is over")
        assert (outcome.already_applied, again.already_applied) == (False, True)
        assert set(again.committed) == set(outcome.committed), moment.label
        assert all_files(folder) == done, moment.label
