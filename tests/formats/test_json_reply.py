"""One JSON value is found in whatever a client or a model hands back, or the refusal says why."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.errors import Finding, RefusedError
from debate_ops.formats import json_text
from debate_ops.formats.bounded_json import MAX_DEPTH
from debate_ops.formats.json_places import MAX_FAULTS, json_path
from debate_ops.formats.json_reply import (
    MAX_BYTES,
    JsonReply,
    find_json,
    locate,
)

ANSWER = '{"title": "Fewer cars, more buses", "scores": [0.50, -1], "note": "see [1] and {2}"}'
VALUE = {
    "title": "Fewer cars, more buses",
    "scores": [Decimal("0.50"), -1],
    "note": "see [1] and {2}",
}

TRAILER = (
    "\nagentId: a77 (write to it [again] to go on)\n"
    "<usage>subagent_tokens: 12\ntool_uses: 0\nduration_ms: 9</usage>"
)
WRAPPERS: dict[str, Callable[[str], str]] = {
    "trailer": lambda answer: answer + TRAILER,
    "preface and indentation": lambda answer: (
        "[Subagent hand-back] Here is [all of] what it said:\n  "
        + answer.replace("\n", "\n  ")
        + TRAILER
    ),
    "notification": lambda answer: (
        "[SYSTEM NOTIFICATION - NOT USER INPUT]\nAn agent is done.\n\n<task-notification>\n"
        f"<task-id>a77</task-id>\n<summary>Agent [a77] ended</summary>\n<result>{answer}</result>\n"
        "<usage><tool_uses>0</tool_uses></usage>\n</task-notification>"
    ),
    "tags": lambda answer: (
        f'<task id="ses_9" state="completed">\n<task_result>\n{answer}\n</task_result>\n</task>'
    ),
    "status in JSON": lambda answer: json.dumps(
        {"status": {"agent-9": {"completed": answer}}, "timed_out": False}
    ),
    "response in JSON": lambda answer: (
        "Subagent 'generalist' finished.\nTermination Reason: GOAL\nResult:\n"
        + json.dumps({"response": answer}, indent=2)
    ),
}

CONTROLS = "".join(chr(code) for code in range(32) if chr(code) not in "\t\n\r")
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters=CONTROLS), max_size=12)
NUMBERS = st.integers(-(10**20), 10**20) | st.decimals(-2, 2, places=3)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=5)


def one_line(value: object) -> str:
    return json_text.canonical(value)


RENDERERS = st.sampled_from([json_text.dumps, one_line])


def read(text: str) -> JsonReply:
    return find_json(text.encode())


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


def refused(raw: bytes | str) -> tuple[Finding, ...]:
    with pytest.raises(RefusedError) as caught:
        find_json(raw if isinstance(raw, bytes) else raw.encode())
    return caught.value.faults


@pytest.mark.parametrize("around", ["{}", "\n {}", "{}\n\n", "\t{}\r\n"])
def test_json_alone_is_read_without_a_warning(around: str) -> None:
    text = around.replace("{}", ANSWER)
    assert read(text) == (VALUE, text, around.index("{"), ())


def test_numbers_keep_every_digit_as_written() -> None:
    value = read("[0.10, -0.3333333333333333333333, 12345678901234567890123, 5e-3]").value
    written = ["0.10", "-0.3333333333333333333333", "12345678901234567890123", "0.005"]
    assert list(map(str, value)) == written
    assert [type(number) for number in value] == [Decimal, Decimal, int, Decimal]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("\ufeff" + ANSWER, ["byte_order_mark"], id="byte order mark"),
        pytest.param(f"```json\n{ANSWER}\n```", ["code_fence"], id="json fence"),
        pytest.param(f"  ```json\n  {ANSWER}\n  ```", ["code_fence"], id="indented fence"),
        pytest.param(f"Here it is: {ANSWER}", ["text_around"], id="text before"),
        pytest.param(f"In {{braces}} and []: {ANSWER}", ["text_around"], id="braces in prose"),
        pytest.param(f"{ANSWER}\n{ANSWER}", ["text_around", "repeated"], id="said twice"),
        pytest.param(
            f'I answer as {{"title": ..., "scores": [...]}}:\n{ANSWER}',
            ["text_around"],
            id="talk about the form before",
        ),
        pytest.param(
            f'{ANSWER}\nTo go on: send({{"to": agent}})', ["text_around"], id="code after"
        ),
        pytest.param(json.dumps({"result": ANSWER}), ["wrapped"], id="a result in JSON"),
    ],
)
def test_what_stands_around_is_ignored_with_a_warning(text: str, expected: list[str]) -> None:
    result = read(text)
    assert result.value == VALUE
    assert codes(result.warnings) == expected


@pytest.mark.parametrize("form", WRAPPERS)
def test_every_wrapper_of_a_client_is_removed(form: str) -> None:
    for answer in (ANSWER, f"```json\n{ANSWER}\n```", f"[1] Thanks!\n{ANSWER}\nBye."):
        result = read(WRAPPERS[form](answer))
        assert result.value == VALUE
        assert "wrapped" in codes(result.warnings)


@given(st.sampled_from(sorted(WRAPPERS)), OBJECTS, RENDERERS)
def test_any_object_comes_out_of_any_wrapper_unchanged(
    form: str, value: dict[str, Any], render: Callable[[Any], str]
) -> None:
    assert read(WRAPPERS[form](render(value))).value == value


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_reply_is_read_by_its_byte_order_mark(encoding: str) -> None:
    assert find_json('\ufeff{"a": "ö"}'.encode(encoding)).value == {"a": "ö"}


def test_text_is_the_answer_and_not_its_wrapper() -> None:
    result = read(json.dumps({"response": f"Well:\n  {ANSWER}"}))
    assert result.text == f"Well:\n  {ANSWER}"
    assert locate(result, ()) == (2, 3)


@pytest.mark.parametrize(
    ("raw", "code", "place"),
    [
        ("", "empty", (0, 0)),
        (b'{"a":\n "\xff"}', "not_utf8", (2, 3)),
        ('{"a": 1}'.encode("utf-16-le"), "not_utf8", (1, 2)),  # without a mark
        ('{"a": 1}'.encode("utf-16") + b"x", "not_utf8", (1, 9)),
        (b" " * (MAX_BYTES + 1), "too_large", (0, 0)),
        ('{"a":' * MAX_DEPTH + "[]" + "}" * MAX_DEPTH, "too_deep", (1, 161)),
        ("[" * 100_000, "too_deep", (1, 33)),
        ('{"a": [1, 2', "cut_off", (1, 12)),
        ('{"a": "x\\u00', "cut_off", (1, 7)),
        ('So:\n{"a": [{"b": 1},', "cut_off", (2, 17)),
        ('```\n{"a": [1, 2\n```', "cut_off", (3, 1)),
        (f'{{"a": "mid{TRAILER}', "cut_off", (1, 7)),
        ('{"a": 1}\n{"a": 2}', "two_values", (2, 1)),
        ('{"a": 1} [{"a": 1}]', "two_values", (1, 10)),
        ("See [1] and {this}.", "not_json", (0, 0)),
        ("{'a': 1}", "not_json", (1, 2)),
        ("Well:\n{a: 1}", "not_json", (2, 2)),
        ('{"a": "b "c" d"}', "not_json", (1, 11)),
        ('{"a": "b\nc"}', "not_json", (1, 9)),
        ('{"a": 01}', "not_json", (1, 8)),
        ('{"a": 1]', "not_json", (1, 8)),
        ('[{"a": NaN}]', "not_a_number", (1, 8)),
        ('{"a": 1,\n"a": 1}', "duplicate_key", (2, 1)),
        ('{"a": 1, "\\u0061": 2}', "duplicate_key", (1, 10)),
        (f'{{"a": 0.{"9" * 40}}}', "number_too_long", (1, 7)),
        ('{"a": 1e-0099999999999999999999}', "number_too_long", (1, 7)),
        ('{"\\udc00": 1}', "lone_surrogate", (1, 2)),
        ('{"a": "\\u0000"}', "control_character", (1, 7)),
    ],
)
def test_a_refusal_says_what_is_wrong_and_where(
    raw: bytes | str, code: str, place: tuple[int, int]
) -> None:
    (fault,) = refused(raw)
    assert (fault.code, fault.line, fault.column) == (code, *place)


@pytest.mark.parametrize("number", ["-" + "9" * 40, "0." + "9" * 39, "1E-39"])
def test_forty_digits_and_as_many_levels_as_the_bound_are_not_too_many(number: str) -> None:
    assert read(f"[{number}]").value == [Decimal(number)]
    assert read("[" * MAX_DEPTH + "]" * MAX_DEPTH).text


def test_all_faults_are_listed_together_but_for_a_flood() -> None:
    (fault,) = refused('{"arguments": [{"a title": "\\u0007"}]}')
    assert fault.where == '$.arguments[0]["a title"]'
    faults = refused('{"a": 1, "a": NaN, "b": {"c": "\\u0001", "c": 1e99}, "d": "\\ud800"}')
    assert [(fault.code, fault.where) for fault in faults] == [
        ("duplicate_key", "$.a"),
        ("not_a_number", "$.a"),
        ("control_character", "$.b.c"),
        ("duplicate_key", "$.b.c"),
        ("number_too_long", "$.b.c"),
        ("lone_surrogate", "$.d"),
    ]
    assert len(refused("{" + ",".join(['"a": NaN'] * 3 * MAX_FAULTS) + "}")) == MAX_FAULTS


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param('{"a": "b "c" d", "e": [{"f": 1}]}', "not_json", id="broken before it"),
        pytest.param('{"a": [{"f": 1}, {"f": 2', "cut_off", id="cut off after it"),
        pytest.param(ANSWER + '\nOr:\n{"title": "x" oops}', "not_json", id="a second version"),
        pytest.param('[{"f": 1}, {"f": 2', "cut_off", id="a list cut off after it"),
        pytest.param(
            f'<result>{{"a": [{{"f": 1}}, {{"f": 2</result>{TRAILER}', "cut_off", id="wrapped"
        ),
    ],
)
def test_no_part_of_a_broken_answer_is_taken_for_the_whole(text: str, code: str) -> None:
    assert [fault.code for fault in refused(text)] == [code]


def test_what_is_inside_a_wrapper_counts_alone_and_once() -> None:
    (fault,) = refused(json.dumps({"response": '{"a":\n NaN}'}))
    assert (fault.code, fault.line, fault.column) == ("not_a_number", 2, 2)
    same = {"a": {"completed": ANSWER}, "b": {"completed": f"Well: {ANSWER}"}, "c": {}}
    assert "repeated" in codes(read(json.dumps({"status": same})).warnings)
    two = {"a": {"completed": '{"x": 1}'}, "b": {"completed": '{"x": 2}'}}
    assert codes(refused(json.dumps({"status": two}))) == ["two_values"]


def paths(
    value: object, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], object]]:
    yield path, value
    if isinstance(value, dict | list):
        for part, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(item, (*path, part))


@given(OBJECTS, RENDERERS, st.sampled_from(["{}", "\n\n {}", "Ready.\n{} ok"]))
def test_locate_gives_the_place_of_every_value(
    value: dict[str, Any], render: Callable[[Any], str], around: str
) -> None:
    result = read(around.replace("{}", render(value)))
    for path, item in paths(value):
        line, column = locate(result, path)
        rest = "\n".join(result.text.split("\n")[line - 1 :])[column - 1 :]
        expected, _ = json.JSONDecoder(parse_float=Decimal).raw_decode(rest)
        assert expected == item


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (1, 1)),
        (("b",), (2, 7)),
        (("b", 0, "x", 3), (2, 8)),
        (("y",), (1, 1)),
    ],
)
def test_locate_falls_back_to_the_nearest_parent(
    path: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    assert locate(read('{"a": 1,\n "b": [{"c": 2}]}'), path) == place


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), "$"),
        (("arguments", 0, "title"), "$.arguments[0].title"),
        (("titre_é", "a b", ""), '$.titre_é["a b"][""]'),
        (('"', "1", "é x"), '$["\\""]["1"]["é x"]'),
        (("\x1b", "\ud800"), '$["\\u001b"]["\\ud800"]'),
    ],
)
def test_json_path_reads_like_json(path: tuple[str | int, ...], expected: str) -> None:
    assert json_path(path) == expected


def is_strict_json(text: str) -> bool:
    """Return whether plain `json` reads an object or a list, without what we refuse besides."""
    try:
        value = json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, RecursionError, ZeroDivisionError):
        return False
    return isinstance(value, dict | list)


PARTS = [
    *'{}[]":, \\',
    '{"a":',
    '"b"',
    "1",
    "-0.5e1",
    "true",
    "null",
    "NaN",
    "\n",
    "```",
    "\\u0041",
]
ALMOST_JSON = st.lists(st.sampled_from(PARTS), max_size=14).map("".join)


def outcome(raw: bytes) -> JsonReply | RefusedError:
    try:
        return find_json(raw)
    except RefusedError as error:
        return error


@given(st.binary(max_size=60) | ALMOST_JSON.map(str.encode))
def test_nothing_but_a_refusal_is_ever_raised(raw: bytes) -> None:
    result = outcome(raw)
    if isinstance(result, RefusedError):
        assert result.faults
        assert all(fault.code and fault.message for fault in result.faults)
    else:
        assert isinstance(result.value, dict | list)
        assert locate(result, ("a", 0)) >= (1, 1)


@given(ALMOST_JSON)
def test_json_alone_is_accepted_exactly_when_json_accepts_it(text: str) -> None:
    result = outcome(text.encode())
    if isinstance(result, RefusedError):
        assert not is_strict_json(text) or codes(result.faults) == ["duplicate_key"]
    else:
        assert is_strict_json(text) or result.warnings


UNITS = (
    *("[", "[]", "{}", '{"a":', '{"a":1}', '{"a":x}', '{"a":1,', "{x", '{"', '["', '["a[",', '[",'),
    *('"', "`", "\\", "[{}", "[ \n", '{"a":"', '{"a":"\\"', "\n{ "),
    *("agentId: ", "Subagent '", "<result>"),
)


@pytest.mark.parametrize("size", [MAX_BYTES // 64, pytest.param(MAX_BYTES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", UNITS)
def test_a_hostile_reply_takes_seconds_at_most(unit: str, size: int) -> None:
    started = time.process_time()
    for around in (b"", b' {"a": 1} '):
        raw = (unit * size).encode()[: size - len(around)]
        assert outcome(raw + around)
    assert time.process_time() - started < 20
