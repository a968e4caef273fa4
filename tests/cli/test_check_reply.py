"""The command `check-reply`: a draft is checked as `submit` would, and nothing changes."""

import pytest

from debate_ops.core.replies import NAMING
from tests import builders
from tests.builders import (
    JUDGING,
    SLUG,
    Answer,
    Data,
    debate_at,
    good_reply,
    opening,
    put,
    record_of,
    run,
    written,
)

pytestmark = pytest.mark.usefixtures("work")


def check(reply: Data | str, *words: str) -> Answer:
    return run("check-reply", SLUG, written("draft", reply), *words, "--json")


@pytest.mark.parametrize("exchange", [0, 1])
def test_it_finds_what_submit_finds_and_changes_nothing(exchange: int) -> None:
    folder = debate_at(exchange)
    run("next", SLUG, "--exchanges", 3)
    before = record_of(folder)
    bad = opening("prop") | {"exchange": 7}
    checked = check(bad, "--as", "prop")
    assert record_of(folder) == before
    for name, reply in {"prop": bad, "opp": good_reply("opp", exchange)}.items():
        put(folder, name, reply)
    submitted = run("submit", SLUG, "--step", 2 * exchange)
    assert (checked.code, checked.messages, checked.places) == (
        1,
        submitted.messages,
        submitted.places,
    )


@pytest.mark.parametrize(
    ("reply", "words", "code"),
    [
        (good_reply("opp", 0), (), 2),
        (good_reply("opp", 0), ("--as", "opp"), 0),
        (good_reply("opp", 0), ("--as", "prop"), 1),
        ("no reply", ("--as", "opp"), 1),
        ({k: v for k, v in good_reply("opp", 0).items() if k not in NAMING}, ("--as", "opp"), 1),
    ],
)
def test_where_several_are_due_somebody_is_named(
    reply: Data | str, words: tuple[str, ...], code: int
) -> None:
    builders.new_debate()
    assert check(reply, *words).code == code


def test_the_reply_of_the_only_one_who_is_due_needs_no_name() -> None:
    debate_at(0, JUDGING)
    judge = good_reply("judge", 0)
    del judge["participant"]
    assert check(judge).messages == ["is missing: a reply says whose it is; expected judge"]


def test_where_no_reply_is_due_none_is_checked() -> None:
    folder = debate_at(1)
    run("next", SLUG, "--exchanges", 1)
    builders.hold_until(folder, 2)
    answer = check(good_reply("prop", 2))
    assert (answer.code, answer.messages) == (1, [])
