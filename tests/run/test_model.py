"""Models of providers, asked in their own protocols on loopback; what is used, and may be used."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from threading import Event as Flag
from threading import Timer

import pytest

from debate_ops import engine
from debate_ops.analysis.usage import Usage, made_by, read_usage, sum_usage
from debate_ops.core.errors import ConfigurationError, LimitReachedError, UsageError
from debate_ops.core.replies import Reply, schema_of
from debate_ops.engine.cited_files import Library
from debate_ops.engine.store import Folder
from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.run import runner
from debate_ops.run.cast import make_participant as participant
from debate_ops.run.model import KEYS, MOST_SEARCHES, TRIES, Model
from debate_ops.run.participants import Answer, FailedError, StoppedError, TimedOutError
from debate_ops.run.spending import Limits, Spending, estimate_run
from tests.ending import PATIENCE
from tests.run import provider as fake
from tests.run import stub
from tests.run.provider import CACHED, FRESH, WRITTEN, Act, Provider
from tests.run.stage import EVERYBODY, Cast, Listener, case, prompt

pytestmark = pytest.mark.usefixtures("impatient")

PROVIDERS = ("openai", "openai-responses", "anthropic", "google")
SECRET = "sk-secret-0123456789"  # noqa: S105  (opens nothing)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("TEST_KEY", SECRET)
    # Certificates take longer than all else, and a server on loopback has none.
    monkeypatch.setattr("ssl.SSLContext.load_verify_locations", lambda *_, **__: None)
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
def test_the_text_comes_with_model_and_tokens_as_counted(server: Provider, provider: str) -> None:
    texts: list[str] = []
    answer = model(server, provider).reply(prompt("What is it?")._replace(note_text=texts.append))
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
    assert SECRET not in failed.describe()
    words = (act.error or "refused").replace(SECRET, "…")
    assert act.status == fake.OK or failed.said == words, "the provider's own, and no more"
    assert len(server.requests) == 1, "the library does not try again by itself"
    if act.status == fake.OK:
        assert failed.made_by["tokens"]["output"] == WRITTEN, "it cost something all the same"


@pytest.mark.parametrize(
    ("act", "sentence", "said"),
    [
        (Act(refusal="I would rather not."), "refused to reply", "I would rather not."),
        (Act(tool="search", finish="tool_calls"), "called a tool in place of a reply", "search"),
        (Act(body='{"error": {"message": "Out of cheese"}}'), "answered with an error", "cheese"),
        (Act(body='{"error": "Out of cheese"}'), "answered with an error", "cheese"),
        (Act(body="<h1>Log in</h1>"), "answered with an error", "Log in"),
        (Act(status=400, error="'response_format' is unknown"), "structured=no", "unknown"),
        (Act(status=400, error="Unsupported value: 'temperature'"), "refused the request", "value"),
    ],
)
def test_what_compatible_servers_do_otherwise_is_named_in_their_words(
    server: Provider, act: Act, sentence: str, said: str
) -> None:
    failed = failure(server, act)
    assert sentence in failed.sentence
    assert said in failed.said
    assert "status_code" not in failed.said, "the library's words"
    assert failed.tries == (2 if act.status == fake.OK else 1)


@pytest.mark.parametrize("act", [Act(endless=True), Act(body="<h1>Log in</h1>", endless=True)])
def test_an_answer_without_an_end_is_read_up_to_a_bound(
    server: Provider, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("debate_ops.run.model.MOST_BYTES", 100_000)
    assert "sent 100000 bytes and no end" in failure(server, act).sentence


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_tools_search_until_a_reply_is_due(server: Provider, provider: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("One.\nThe pump leaks.\n", encoding="utf-8")
    asked = prompt()._replace(files=Library(str(tmp_path)))
    calls = [
        ("search_library", '{"pattern": "pump"}', "notes.md:2: The pump leaks."),
        ("read_library", '{"name": "notes.md", "first": 2}', "2\\tThe pump leaks."),
        ("read_library", '{"name": "../x"}', "is no file of the library"),
        ("read_library", '{"name": "notes.md", "first": "b"}', "this cannot be asked"),
        ("remove", "{}", "this cannot be asked"),
    ]
    server.acts = [Act(tool=tool, arguments=a, finish="tool_calls") for tool, a, _ in calls]
    answer = model(server, provider).reply(asked)
    assert isinstance(answer, Answer)
    assert json.loads(answer.raw) == {"fine": True}
    assert answer.made_by["tokens"]["output"] == WRITTEN * 6
    assert "search_library" in json.dumps(server.requests[0])
    for (*_, said), request in zip(calls, server.requests[1:], strict=True):
        assert said in json.dumps(request)
    server.acts = [Act(tool="search_library", arguments='{"pattern": "x"}')] * (MOST_SEARCHES + 2)
    server.requests.clear()
    with pytest.raises(FailedError, match="called a tool in place of a reply"):
        model(server, provider).reply(asked)
    assert len(server.requests) == MOST_SEARCHES + 2
    assert "give your reply now" in json.dumps(server.requests[-1])


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
@pytest.mark.parametrize("finish", ["eos", "end_turn", None])
def test_whole_replies_end_on_any_word(server: Provider, provider: str, finish: str | None) -> None:
    server.acts += [Act(finish=finish), Act(finish=finish, text="{}")]
    for expected in ({"fine": True}, {}):
        assert json.loads(model(server, provider).reply(prompt()).raw) == expected


@pytest.mark.parametrize("provider", ["ollama", "openai", "openai-responses"])
def test_a_server_of_ones_own_that_is_down_is_named_and_asked_once_more(provider: str) -> None:
    with pytest.raises(FailedError) as failed:
        participant(f"{provider}:m?base_url=http://me:pass@127.0.0.1:9/v1#part").reply(prompt())
    assert "cannot be reached at http://127.0.0.1:9/v1 " in f"{failed.value.sentence} "
    assert failed.value.tries == 2


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_that_is_cut_is_no_reply(server: Provider, provider: str) -> None:
    act = Act(text='{"a": [{"b": 1}, {"' + "x" * 4000, cut=True)
    assert failure(server, act, provider).tries > 1


def test_a_slow_model_has_timed_out_and_a_stopped_one_ends_at_once(server: Provider) -> None:
    server.acts += [Act(delay=PATIENCE)] * 2
    with pytest.raises(TimedOutError):
        model(server).reply(prompt(time_limit=0.3))
    stop = Flag()
    Timer(0.3, stop.set).start()
    with pytest.raises(StoppedError):
        model(server).reply(prompt(stop=stop))


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "google"])
def test_the_schema_is_sent_where_the_model_takes_one(server: Provider, provider: str) -> None:
    model(server, provider).reply(prompt())
    model(server, provider, "&structured=no").reply(prompt())
    with_schema, without = (json.dumps(request) for request in server.requests)
    assert "qualifier" in with_schema
    assert "qualifier" not in without


@pytest.mark.parametrize(
    "form",
    [form for name in PROTOCOLS for form in dict.fromkeys(load_protocol(name).replies.values())],
)
def test_the_strictest_library_takes_every_schema(server: Provider, form: type[Reply]) -> None:
    schema = schema_of(form)
    asked = prompt()._replace(schema=schema)
    participant(server.spec("anthropic", "claude-opus-4-8")).reply(asked)
    sent = json.dumps(server.requests[0])
    assert all(f'"{key}"' in sent for key in schema["properties"])


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


SPECS = """
openai: openai:?effort=low openai:m?heat=1 openai:m?temperature=3 openai:m?base_url=x openai:m?key=1
openai:m?base_url=http://x:99999 openai:m?base_url=http://[::1 deepseek:m?base_url=http://x
"""
SECRETIVE = f"""
openai:m?base_url=http://me:{SECRET}@x:99999 openai:m?base_url=http://me:{SECRET}@x:y/v1
openai:m?base_url=http://me:{SECRET}@/v1 openai:m?key={SECRET} openay:m?base_url=http://me:{SECRET}@x
cmd:curl'{SECRET}
"""
"""What is wrong in these is not repeated: it has a secret."""


@pytest.mark.parametrize("spec", (SPECS + SECRETIVE).split())
def test_a_spec_that_cannot_be_meant_is_refused(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with pytest.raises(UsageError) as refused:
        participant(spec)
    assert "pattern" not in refused.value.message
    assert SECRET not in refused.value.message
    assert spec.partition(":")[0] in refused.value.message


def test_without_a_key_the_choices_are_named_and_none_is_sent_to_another_server(
    monkeypatch: pytest.MonkeyPatch, server: Provider
) -> None:
    for variable in filter(None, KEYS.values()):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigurationError) as refused:
        participant("openai:some-model")
    assert "OPENAI_API_KEY" in refused.value.message
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    participant(f"openai:some-model?base_url={server.address}/v1").reply(prompt())
    assert SECRET not in str(server.headers)


def test_where_the_packages_are_missing_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(ConfigurationError) as refused:
        participant("openai:some-model")
    assert refused.value.exit_code == 4
    assert "models" in refused.value.hint


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    return case()


def test_a_busy_provider_is_asked_again_when_it_wants_and_what_each_reply_took_is_on_record(
    server: Provider, folder: Folder
) -> None:
    def reply(me: str) -> str:
        number = engine.load(folder).at.place.round
        return json.dumps(stub.reply(me, number, Path(folder.path), "ok"))

    server.reply = reply
    server.acts += [Act(status=429, after="0.2"), Act(status=503), Act(status=500)]
    everybody = {me: participant(server.spec("openai", me)) for me in EVERYBODY}
    runner.run(folder, 1, everybody, display=(heard := Listener()))
    assert heard.names().count("retry") == 3
    debate = engine.load(folder).debate
    replies = {(entry.step, entry.by): entry for entry in debate.entries.values()}
    used = sum_usage(read_usage(made_by(entry)) for entry in replies.values())
    assert (used.replies, len(server.requests)) == (6, 6 + 3)
    assert used.tokens == 6 * (FRESH + CACHED + WRITTEN)
    assert used.unpriced == 6, "nobody has a price for this model"
    assert all(SECRET not in str(entry.header) for entry in replies.values())


def test_no_turn_is_begun_that_is_likely_to_go_over_a_limit(folder: Folder) -> None:
    actors = Cast()
    run = partial(runner.run, folder, 1, actors)
    position = engine.next_turn(folder, 1)
    opening = estimate_run(replace(position, calls_left=2), {}).tokens
    for tokens, replies in ((opening - 1, 0), (opening, 2)):
        with pytest.raises(LimitReachedError) as reached:
            run(spending=Spending(Limits(tokens=tokens)))
        assert reached.value.exit_code == 6
        assert sum(actors.calls().values()) == replies
    run(spending=Spending(Limits(tokens=100 * opening)))
    assert sum(actors.calls().values()) == 6


def test_failed_and_refused_replies_count_as_well_by_their_letters_if_need_be() -> None:
    spending, cost = Spending(Limits(), {}), Decimal("0.75")
    for made in (
        {"tokens": {"input": 1, "output": 2}, "cost_usd": 0.5},
        {"tokens": {"cached": 4}, "cost_usd": 0.25},
        {},
    ):
        spending.add(made, 400)
    assert spending.used == Usage(replies=3, tokens=107, cost=cost, uncounted=1, unpriced=1)


def test_an_estimate_reads_the_prompts_due_and_lets_later_ones_grow(folder: Folder) -> None:
    first = estimate_run(engine.next_turn(folder, 1), {"all": "anthropic:claude-sonnet-4-5"})
    more = estimate_run(engine.next_turn(folder, 3), {"all": "anthropic:claude-sonnet-4-5"})
    assert (first.replies, more.replies) == (6, 12)
    assert more.tokens > 2 * first.tokens
    assert first.cost is not None
    assert more.cost is not None
    assert 0 < first.cost < more.cost
    assert estimate_run(engine.load(folder), {"all": "cat"}).cost is None
