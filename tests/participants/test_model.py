"""Models of providers: asked in each provider's own protocol, by a server on loopback."""

import json
import sys
from collections.abc import Iterator
from threading import Event as Flag
from threading import Timer

import pytest

from debate_ops.errors import ConfigurationError, UsageError
from debate_ops.participants import providers
from debate_ops.participants.base import Answer, FailedError, StoppedError, TimedOutError
from debate_ops.participants.model import TRIES, Model
from debate_ops.participants.table import participant
from tests.participants import provider as fake
from tests.participants.provider import CACHED, FRESH, WRITTEN, Act, Provider
from tests.participants.stage import prompt

pytest.importorskip("pydantic_ai")

PROVIDERS = ("openai", "openai-responses", "anthropic", "google")
SECRET = "sk-secret-0123456789"  # noqa: S105  (opens nothing)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("TEST_KEY", SECRET)
    with fake.serving() as running:
        yield running


def model(server: Provider, provider: str = "openai", more: str = "") -> Model:
    made = participant(f"{server.spec(provider)}{more}")
    assert isinstance(made, Model)
    return made


def failure(server: Provider, act: Act, provider: str = "openai") -> FailedError:
    server.acts.append(act)
    with pytest.raises(FailedError) as failed:
        model(server, provider).reply(prompt())
    return failed.value


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_text_comes_with_the_model_and_the_tokens_that_its_provider_counts(
    server: Provider, provider: str
) -> None:
    texts: list[str] = []
    answer = model(server, provider).reply(prompt("What is it?")._replace(hear=texts.append))
    assert isinstance(answer, Answer)
    assert json.loads(answer.raw) == {"fine": True}
    assert answer.made_by["model"] == f"{provider}:{fake.SERVED}"
    assert answer.made_by["tokens"] == {"input": FRESH, "cached": CACHED, "output": WRITTEN}
    assert "cost_usd" not in answer.made_by, "nobody has a price for this model"
    assert "What is it?" in json.dumps(server.requests[0])
    assert texts


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("act", "why", "tries"),
    [
        (Act(status=429, after="7"), "rate of requests", TRIES),
        (Act(status=500), "provider's side", TRIES),
        (Act(status=401, error=f"no such key: {SECRET}"), "refused the key", 1),
        (Act(finish="length"), "end of its tokens", 2),
        (Act(finish="content_filter"), "refused to reply", 2),
        (Act(text=" "), "empty reply", 2),
    ],
)
def test_each_way_of_failing_says_why_and_how_often_to_ask(
    server: Provider, provider: str, act: Act, why: str, tries: int
) -> None:
    if provider.startswith("openai-") and act.finish == "content_filter":
        pytest.skip("this protocol has refusals of another form")
    failed = failure(server, act, provider)
    assert why in failed.sentence
    assert failed.tries == tries
    assert failed.after == (7 if act.after else None)
    assert SECRET not in failed.in_full()
    assert len(server.requests) == 1, "the library does not try again by itself"
    if act.status == fake.OK:
        assert failed.made_by["tokens"]["output"] == WRITTEN, "it cost something all the same"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_that_is_cut_is_no_reply(server: Provider, provider: str) -> None:
    assert failure(server, Act(text="x" * 4000, cut=True), provider).tries > 1


def test_a_model_that_is_too_slow_has_timed_out_and_one_that_is_stopped_ends_at_once(
    server: Provider,
) -> None:
    server.acts += [Act(delay=5), Act(delay=5)]
    with pytest.raises(TimedOutError):
        model(server).reply(prompt(time_limit=0.3))
    stop = Flag()
    Timer(0.3, stop.set).start()
    with pytest.raises(StoppedError):
        model(server).reply(prompt(stop=stop))


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "google"])
def test_the_schema_of_the_reply_is_sent_where_the_model_takes_one(
    server: Provider, provider: str
) -> None:
    model(server, provider).reply(prompt())
    model(server, provider, "&structured=no").reply(prompt())
    with_schema, without = (json.dumps(request) for request in server.requests)
    assert "qualifier" in with_schema
    assert "qualifier" not in without


def test_the_options_of_a_spec_reach_the_provider(server: Provider) -> None:
    model(server, "anthropic", "&temperature=0.5&max_tokens=1234").reply(prompt())
    request = server.requests[0]
    assert (request["temperature"], request["max_tokens"]) == (0.5, 1234)
    thinking = server.spec("openai-responses").replace("some-model", "gpt-5")
    participant(f"{thinking}&effort=low").reply(prompt())
    assert server.requests[1]["reasoning"]["effort"] == "low"


def test_what_repeats_is_cut_into_blocks_and_marked_for_the_cache(server: Provider) -> None:
    text = "rules\n<argument id='a'>\n> x\n</argument>\n<argument id='b'>\n</argument>\nnew\n"
    model(server, "anthropic").reply(prompt(text))
    blocks = server.requests[0]["messages"][0]["content"]
    assert "".join(block["text"] for block in blocks) == text
    assert ["cache_control" in block for block in blocks] == [False, True, False]


@pytest.mark.parametrize(
    "spec", ["openai:", "openai:m?heat=1", "openai:m?temperature=3", "deepseek:m?base_url=http://x"]
)
def test_a_spec_that_cannot_be_meant_is_refused(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with pytest.raises(UsageError):
        participant(spec)


def test_without_a_key_the_choices_are_named_and_none_is_sent_to_another_server(
    monkeypatch: pytest.MonkeyPatch, server: Provider
) -> None:
    for variable in filter(None, providers.KEYS.values()):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GOOGLE_API_KEY", SECRET)
    with pytest.raises(ConfigurationError) as refused:
        participant("openai:some-model")
    assert "OPENAI_API_KEY" in refused.value.message
    assert "google:MODEL" in refused.value.hint
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    participant(f"openai:some-model?base_url={server.address}/v1").reply(prompt())
    assert SECRET not in str(server.headers)


def test_where_the_packages_are_missing_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(ConfigurationError) as refused:
        participant("openai:some-model")
    assert refused.value.exit_code == 4
    assert "models" in refused.value.hint
