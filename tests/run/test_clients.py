"""What agent clients print in their JSON modes, in the forms that they document."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from debate_ops.run.base import FailedError
from debate_ops.run.clients import open_output
from debate_ops.run.command import Command
from tests.run.stage import prompt

REPLY = '{"arguments": []}'
CLAUDE: dict[str, Any] = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "duration_ms": 4500,
    "result": REPLY,
    "total_cost_usd": 0.0123,
    "usage": {
        "input_tokens": 10,
        "cache_creation_input_tokens": 5,
        "cache_read_input_tokens": 100,
        "output_tokens": 20,
    },
    "modelUsage": {"claude-x": {"costUSD": 0.0123}},
}
USED = {"input_tokens": 115, "cached_input_tokens": 100, "output_tokens": 20}
CODEX: list[dict[str, Any]] = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"type": "reasoning", "text": "First this."}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": REPLY}},
    {"type": "turn.completed", "usage": USED},
]
TOKENS = {"input": 15, "cached": 100, "output": 20}


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\r", "\f"])
def test_lines_end_at_line_feeds_alone(character: str) -> None:
    reply = json.dumps({"text": f"a{character}b"}, ensure_ascii=False)
    lines = [{"type": "system"}, CLAUDE | {"result": reply}]
    raw = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    result = open_output(raw)
    assert result is not None
    assert result.reply == reply


def text_of(output: object) -> bytes:
    if isinstance(output, list):
        return "\n".join(map(json.dumps, output)).encode()
    return json.dumps(output, indent=1).encode()


@pytest.mark.parametrize(
    ("output", "made"),
    [
        (CLAUDE, {"model": "claude-x", "cost_usd": 0.0123, "prices": "the client"}),
        (CODEX, {}),
    ],
)
def test_reply_and_usage_are_taken_out_of_a_clients_output(output: Any, made: Any) -> None:
    result = open_output(text_of(output))
    assert result is not None
    assert (result.reply, result.error) == (REPLY, "")
    assert result.made_by["tokens"] == TOKENS
    assert result.made_by.items() >= made.items()


@pytest.mark.parametrize(
    "output",
    [
        CLAUDE | {"is_error": True, "result": "Credit balance is too low"},
        [CODEX[0], {"type": "turn.failed", "error": {"message": "quota"}}],
    ],
)
def test_an_error_that_a_client_reports_is_none_of_its_replies(output: Any) -> None:
    result = open_output(text_of(output))
    assert result is not None
    assert result.error


REPLIES: list[Any] = [
    {"participant": "prop", "arguments": []},
    *({"type": "result", "result": "x"}, [1], {"error": {}}),
]


@pytest.mark.parametrize("raw", [*map(text_of, REPLIES), b"", b"[" * 100_000, b"\xff{}", b"{}\n{"])
def test_neither_a_reply_nor_what_is_no_json_is_taken_for_a_clients_output(raw: bytes) -> None:
    assert open_output(raw) is None


def printing(output: object, where: Path) -> Command:
    file = where / "out.txt"
    file.write_bytes(text_of(output))
    code = f"import sys; sys.stdout.write(open({str(file)!r}).read())"
    return Command(shlex.join([sys.executable, "-c", code]))


def test_a_program_that_wraps_a_client_leaves_its_usage_on_record(tmp_path: Path) -> None:
    answer = printing(CLAUDE, tmp_path).reply(prompt())
    assert answer.raw.decode() == REPLY
    assert answer.made_by["tokens"] == TOKENS
    assert answer.made_by["command"]


def test_what_a_failed_call_cost_is_known(tmp_path: Path) -> None:
    output = CLAUDE | {"is_error": True, "result": "overloaded \x1b[31m"}
    with pytest.raises(FailedError) as result:
        printing(output, tmp_path).reply(prompt())
    assert result.value.said == "overloaded  [31m"
    assert result.value.made_by["cost_usd"] == 0.0123


@pytest.mark.parametrize(
    "more",
    [
        {"total_cost_usd": float("nan")},
        {"total_cost_usd": 10**400},
        {"total_cost_usd": -1},
        {"result": "\ud800"},
        {"modelUsage": {"\ud800\n": {}}},
    ],
    ids=repr,
)
def test_what_a_client_says_can_be_put_on_record(tmp_path: Path, more: dict[str, Any]) -> None:
    made_by = printing(CLAUDE | more, tmp_path).reply(prompt()).made_by
    json.dumps(made_by, ensure_ascii=False, allow_nan=False).encode()
    assert made_by.get("cost_usd") == (None if "total_cost_usd" in more else 0.0123)
