"""What Claude Code prints in its JSON mode, in the form that it documents."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from debate_ops.run.base import FailedError
from debate_ops.run.command import Command, open_output
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
TOKENS = {"input": 15, "cached": 100, "output": 20}


def test_reply_and_usage_are_taken_out_of_a_clients_output() -> None:
    result = open_output(text_of(CLAUDE))
    assert result is not None
    assert (result.reply, result.error) == (REPLY, "")
    made = {"model": "claude-x", "cost_usd": 0.0123, "prices": "the client", "tokens": TOKENS}
    assert result.made_by == made


def text_of(output: object) -> bytes:
    return json.dumps(output, indent=1).encode()


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
