"""What holds for every protocol, over each course of it: no folder, only the rules."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.core.replies import find_long_texts, parse_reply
from debate_ops.core.values import Turn
from debate_ops.engine.prompts import render_prompt
from tests import freeze
from tests.courses import (
    COURSES,
    RICH,
    SKIPPED,
    VARIED,
    begin_course,
    hold_turn,
    list_steps,
    load_course,
    read_exactly,
    run_course,
    take_step,
)
from tests.protocols.stage import audit

FREE = {"title", "reason", "by", "how", "why", "repeats", "words", "opener"}
"""Keys that are somebody's own words, or from which nothing follows."""
OPTIONAL = {"revision", "advice"}
"""Kinds that a reply may lack: only a digest can say that one was there."""
rich_course = pytest.mark.parametrize("name", RICH)


@pytest.mark.parametrize("name", COURSES)
def test_a_record_passes_the_audit_and_leads_to_the_same_place(name: str) -> None:
    assert audit(run_course(name)) == []


@pytest.mark.parametrize("name", COURSES)
def test_rules_do_what_is_frozen(name: str) -> None:
    """Where another behaviour is meant, `python -m tests.freeze write` records it."""
    assert [*freeze.differences(load_course(name), freeze.record(name))][:3] == []


@rich_course
def test_every_changed_key_of_a_header_is_found_in_each_kind_of_entry(name: str) -> None:
    at = run_course(name)
    entries = list(at.debate.entries.values())
    first = {(e.kind, key): e for e in reversed(entries) for key in e.data.keys() - FREE}
    missed = []
    for (_, key), entry in first.items():
        changed = replace(entry, data={**entry.data, key: "zz"})
        if not audit(at, [changed if e is entry else e for e in entries]):
            missed.append((entry.id, key))
    assert missed == []


@rich_course
def test_an_entry_that_is_missing_is_found(name: str) -> None:
    at = run_course(name)
    entries = list(at.debate.entries.values())
    missed = [e.id for e in entries if not audit(at, [o for o in entries if o is not e])]
    last, known = max(e.step for e in entries), at.debate.entries
    assert [i for i in missed if known[i].kind not in OPTIONAL and known[i].step < last] == []


MOST = 40
"""Turns after which a debate has to be over if those who take part have left it."""


def list_replies(name: str, number: int) -> dict[str, list[Any]]:
    """Return what each may reply at a step of a course: as it does, otherwise, or not at all."""
    case = load_course(name)
    given = case["steps"][number].get("replies", {}) if number < len(case["steps"]) else {}
    found = {who: [reply, SKIPPED] for who, reply in given.items()}
    for mutant in case["mutants"]:
        if (mutant["step"], mutant.get("who") in found, mutant["accepted"]) == (number, True, True):
            who = mutant["who"]
            found[who].append(freeze.patched(given[who], mutant["patch"]))
    return found


@rich_course
@given(data=st.data())
def test_whoever_replies_otherwise_or_not_a_debate_ends_and_passes_the_audit(
    name: str, data: Any
) -> None:
    """By any settings that are frozen; who has no reply that fits is absent, too."""
    variants = [each["settings"] for each in load_course(name)["variants"]]
    at = begin_course(name, **data.draw(st.sampled_from([{}, *variants])))
    for number in range(MOST):
        if not isinstance(at.place, Turn):
            break
        assert at.protocol.count_calls(at.debate, at.turn, at.place.round + 1) >= len(at.tasks)
        replies = list_replies(name, number)
        hold_turn(at, {w: data.draw(st.sampled_from(each)) for w, each in replies.items()})
    last = at.protocol.last_exchange(at.debate.settings)
    assert last is None or (at.place.round <= last and not isinstance(at.place, Turn))
    assert audit(at) == []


SHORTENED = {"arguments", "winner"}
"""Parts of examples that show one of several, or stand for a name."""


@pytest.mark.parametrize("name", VARIED)
def test_every_prompt_has_an_example_that_keeps_the_rules_and_names_no_id(name: str) -> None:
    at = begin_course(name)
    for step in list_steps(name):
        for task in at.tasks:
            (block,) = re.findall(r"```json\n(.*?)```", render_prompt(at, task, "x"), re.DOTALL)[
                -1:
            ]
            example = read_exactly(json.loads(block))
            reply, faults = parse_reply(at.form_of(task.by), example)
            assert {fault.where for fault in faults} <= SHORTENED
            long = [] if faults else [*find_long_texts(reply, at.debate.settings.model_dump())]
            assert long == [] or name == "formal-cut"  # a few words are all that fits there
            assert not re.search(r"(prop|opp)_\d", block)
            assert sum(item["score"] for item in example.get("scores", ())) == 0
            assert all(
                abs(item["new_score"] - item["old_score"]) <= 0.5
                for item in example.get("rescores", ())
            )
        take_step(at, step)
