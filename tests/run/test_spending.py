"""What a run uses, what it may use, and what it is likely to take."""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.core.errors import ConfigurationError, LimitReachedError
from debate_ops.core.usage import Usage, made_by, read_usage, sum_usage
from debate_ops.engine.store import Folder
from debate_ops.run import runner
from debate_ops.run.cast import make_participant as participant
from debate_ops.run.spending import Limits, Spending, estimate_run
from tests.run import provider as fake
from tests.run import stub
from tests.run.provider import CACHED, FRESH, WRITTEN, Act, Provider
from tests.run.stage import EVERYBODY, Cast, Listener, case

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return case()


@pytest.fixture
def server(folder: Folder) -> Iterator[Provider]:
    """A provider whose models reply as the participants do whose names they have."""
    pytest.importorskip("pydantic_ai")
    with fake.serving() as running:

        def reply(me: str) -> str:
            number = engine.load(folder).at.place.round
            return json.dumps(stub.reply(me, number, Path(folder.path), "ok"))

        running.reply = reply
        yield running


def took(cost: float | None = None, **tokens: int) -> dict[str, object]:
    return {"tokens": tokens} | ({"cost_usd": cost} if cost is not None else {})


def test_models_hold_an_exchange_and_what_each_reply_took_is_on_record(
    server: Provider, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_KEY", "secret")
    everybody = {me: participant(server.spec("openai", me)) for me in EVERYBODY}
    runner.run(folder, 1, everybody)
    debate = engine.load(folder).debate
    replies = {(entry.step, entry.by): entry for entry in debate.entries.values()}
    used = sum_usage(read_usage(made_by(entry)) for entry in replies.values())
    assert used.replies == len(server.requests) == 6
    assert (used.input, used.cached, used.output) == (6 * FRESH, 6 * CACHED, 6 * WRITTEN)
    assert used.unpriced == 6, "nobody has a price for this model"
    assert all("secret" not in str(entry.header) for entry in replies.values())


def test_a_busy_provider_is_asked_again_when_it_wants_to_be(
    server: Provider, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_KEY", "secret")
    server.acts += [Act(status=429, after="0.2"), Act(status=503), Act(status=500)]
    heard = Listener()
    everybody = {me: participant(server.spec("openai", me)) for me in EVERYBODY}
    runner.run(folder, 1, everybody, display=heard, limits=Limits(at_once=1))
    assert heard.names().count("retry") == 3
    assert engine.load(folder).at.place.round == 2


def test_no_turn_is_begun_that_is_likely_to_go_over_a_limit(folder: Folder) -> None:
    actors = Cast()
    run = partial(runner.run, folder, 1, actors)
    position = engine.next_turn(folder, 1)
    opening = estimate_run(replace(position, calls_left=2), {}).tokens
    for tokens, replies in ((opening - 1, 0), (opening, 2)):
        with pytest.raises(LimitReachedError) as reached:
            run(limits=Limits(tokens=tokens))
        assert reached.value.exit_code == 6
        assert sum(actors.calls().values()) == replies
    run(limits=Limits(tokens=100 * opening))
    assert sum(actors.calls().values()) == 6


def test_failed_and_refused_replies_count_as_well_by_their_letters_if_need_be() -> None:
    spending = Spending(Limits(), {})
    for made in (took(0.5, input=1, output=2), took(0.25, cached=4), {}):
        spending.add(made, 400)
    assert spending.used == Usage(
        replies=3,
        input=1,
        cached=4,
        output=2,
        other=100,
        cost=Decimal("0.75"),
        uncounted=1,
        unpriced=1,
    )


def test_cost_cannot_be_limited_where_a_price_is_unknown() -> None:
    with pytest.raises(ConfigurationError) as refused:
        Spending(Limits(cost=Decimal(1)), {"prop": "cat", "opp": "anthropic:claude-sonnet-4-5"})
    assert "cat" in refused.value.message
    assert "claude" not in refused.value.message


def test_an_estimate_reads_the_prompts_that_are_due_and_lets_the_later_ones_grow(
    folder: Folder,
) -> None:
    first = estimate_run(engine.next_turn(folder, 1), {"all": "anthropic:claude-sonnet-4-5"})
    more = estimate_run(engine.next_turn(folder, 3), {"all": "anthropic:claude-sonnet-4-5"})
    assert (first.replies, more.replies) == (6, 12)
    assert more.input > 2 * first.input
    assert first.cost is not None
    assert more.cost is not None
    assert 0 < first.cost < more.cost
    assert estimate_run(engine.load(folder), {"all": "cat"}).cost is None
