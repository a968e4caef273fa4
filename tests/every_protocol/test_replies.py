"""Replies of whatever form are brought into one form and checked, and their words are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.turn import Reply, Turn
from debate_ops.protocols.table import rules_of
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import debate_at, history
from tests.every_protocol.test_pages import asked_for, declared
from tests.protocols.stage import exact
from tests.strategies import json_values

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Task
    from tests.builders import Data


def asked(protocol: str) -> Iterator[tuple[Debate, Turn, Task, Data]]:
    """Yield each sort of task that the scripts come to, with the debate and the good reply."""
    seen = set()
    for name in ROWS[protocol].variants:
        for place, moment in enumerate(history(protocol, name)):
            for task in moment.due.tasks if isinstance(moment.due, Turn) else ():
                if task.participant in moment.texts and task.template not in seen:
                    seen.add(task.template)
                    assert isinstance(moment.due, Turn)
                    reply = exact(json.loads(moment.texts[task.participant]))
                    yield debate_at(protocol, name, place), moment.due, task, reply


def keys_of(value: Any) -> set[str]:
    """Return every key of a reply, those of its parts too."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = {*value} if isinstance(value, dict) else set()
    return own.union(*map(keys_of, parts))


@pytest.mark.parametrize("protocol", ROWS)
@given(data=st.data())
def test_whatever_a_reply_holds_the_check_ends_and_its_form_is_one(
    protocol: str, data: st.DataObject
) -> None:
    """A reply, or a key of a good one, may be anything."""
    rules = rules_of(protocol)
    debate, turn, task, good = data.draw(st.sampled_from([*asked(protocol)]))
    ids = (*debate.record.ids("arguments")[-3:], "all", "", None, 0, True)
    leaf = st.sampled_from(ids) | json_values
    shaped = st.recursive(
        leaf,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(sorted(keys_of(good))), inner, max_size=5)
        ),
        max_leaves=12,
    )
    if data.draw(st.booleans()):
        reply = good | {data.draw(st.sampled_from(sorted(good))): data.draw(shaped)}
    else:
        reply = data.draw(shaped.filter(lambda value: isinstance(value, dict | list)))
    plain, _ = rules.normalise(task, reply)
    assert isinstance(plain, dict)
    rules.check(debate, turn, {task.participant: Reply(task.participant, plain)})
    assert rules.normalise(task, plain) == (plain, ())


def odd_forms(value: Any) -> Iterator[Any]:
    """Yield a reply with something else in the place of each of its parts, one at a time."""
    yield from (None, 5, True, "x", [5], {"x": 5})
    parts = value if isinstance(value, dict) else {}
    yield from ({**parts, key: odd} for key, part in parts.items() for odd in odd_forms(part))
    if isinstance(value, list) and value:
        yield from ([odd, *value[1:]] for odd in odd_forms(value[0]))


@pytest.mark.parametrize("protocol", ROWS)
def test_no_part_of_a_reply_is_taken_for_granted(protocol: str) -> None:
    rules = rules_of(protocol)
    for debate, turn, task, good in asked(protocol):
        for reply in odd_forms(good):
            plain, _ = rules.normalise(task, reply)
            rules.check(debate, turn, {task.participant: Reply(task.participant, plain)})


def limits_in(words: Mapping[str, Any], value: Any, path: str = "$") -> Iterator[tuple[Any, ...]]:
    """Yield each text of a reply that has a limit: its place, where it stands, and the limit."""
    for key, limit in words.items():
        part, where = value.get(key), f"{path}.{key}"
        listed = part if isinstance(part, list) else ()
        if isinstance(limit, Mapping):
            inner = [(where, part)] if isinstance(part, dict) else []
            inner += [(f"{where}[{place}]", item) for place, item in enumerate(listed)]
            for at, item in inner:
                yield from limits_in(limit, item, at)
        elif isinstance(part, str):
            yield value, key, where, limit
        else:
            yield from ((listed, n, f"{where}[{n}]", limit) for n in range(len(listed)))


@declared
def test_words_are_counted_part_by_part_and_warned_of_or_refused(protocol: str) -> None:
    for debate, turn, task, good in asked(protocol):
        kinds = (kind for kind in asked_for(protocol) if kind.phase == turn.phase)
        words = next(kind.words for kind in kinds if kind.schema == task.schema)
        plain, _ = rules_of(protocol).normalise(task, good)
        for holder, key, where, limit in limits_in(words, plain):
            most = debate.settings[limit] if isinstance(limit, str) else limit
            before = holder[key]
            for number in (most, most + 1) if most else ():
                holder[key] = " word\n" * number
                warned, refused = (
                    over_at(where, debate, turn, Reply(task.participant, plain), word)
                    for word in ("warn", "reject")
                )
                assert warned == refused[::-1] == ([], [f"{number} words"] * (number > most))
            holder[key] = before


def over_at(
    where: str, debate: Debate, turn: Turn, reply: Reply, word_limits: str
) -> tuple[list[str], ...]:
    """Return how many words are called too many at a place, as faults and as warnings."""
    stricter = debate._replace(settings={**debate.settings, "word_limits": word_limits})
    found = rules_of(debate.protocol).check(stricter, turn, {reply.participant: reply})
    return tuple(
        [f.actual for f in part if (f.code, f.where) == ("word_limit", where)] for part in found
    )
