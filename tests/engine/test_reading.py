"""Replies as agents really write them: what is read, with which warnings, and what is refused."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.core.protocol import FirstAnswer, spell
from debate_ops.core.replies import Item, Reply, Said
from debate_ops.core.values import Fault
from debate_ops.engine.prompts import render_prompt
from debate_ops.engine.reading import MAX_BYTES, MAX_DEPTH, MAX_FAULTS, read_reply
from tests.courses import RICH, begin_course, list_steps, read_exactly, take_step
from tests.ending import must_end


class Point(Item):
    """One point."""

    claim: Said
    score: Decimal | None = None


class Points(Reply):
    """Points, which may be given alone."""

    LIST = "points"
    points: list[Point] = []
    note: str = ""


ANSWER = '{"points": [{"claim": "Fewer cars, more buses", "score": 0.50}], "note": "see [1], {2}"}'
VALUE = {
    "points": [{"claim": "Fewer cars, more buses", "score": Decimal("0.50")}],
    "note": "see [1], {2}",
}
DRAFT = '{"points": [{"claim": "Not this"}]}'
EXAMPLE = '{"participant": "ann", "points": [{"claim": "The evenings are full, as visits show"}]}'
PROMPT = f"# A task\n\nWrite what follows.\n\n```json\n{EXAMPLE}\n```\n\nNothing else.\n"

ALOUD = "thinks aloud"
AROUND = "has text around"
TRAILER = (
    "\nagentId: a77 (write to it [again] to go on)\n"
    "<usage>subagent_tokens: 12\ntool_uses: 0\nduration_ms: 9</usage>"
)
NOTIFIED = (
    "[SYSTEM NOTIFICATION - NOT USER INPUT]\nAn agent is done.\n\n<task-notification>\n<summary>"
    f"Agent [a77] ended</summary>\n<result>{ANSWER}</result>\n</task-notification>"
)


def read(raw: str | bytes, prompt: str = PROMPT) -> tuple[Any, list[Fault]]:
    data = raw if isinstance(raw, bytes) else raw.encode()
    return read_reply(data, Points, prompt, by="ann")


READ = {
    "alone": (ANSWER, []),
    "white space around": (f"\n\t {ANSWER}\r\n", []),
    "the trailer of a client": (f"```json\n{ANSWER}\n```{TRAILER}", [AROUND]),
    "a notification": (NOTIFIED, [AROUND]),
    "byte order mark": (b"\xef\xbb\xbf" + ANSWER.encode(), []),
    "UTF-16 with a mark": (ANSWER.encode("utf-16"), []),
    "fence": (f"```json\n{ANSWER}\n```", [AROUND]),
    "prose before": (f"Here it is: {ANSWER}", [AROUND]),
    "said twice": (f"{ANSWER}\n{ANSWER}", ["gives the same JSON value more than once"]),
    "talk of the form before": (f'As {{"points": ..., "b": [...]}}:\n{ANSWER}', [AROUND]),
    "code after": (f'{ANSWER}\nTo go on: send({{"to": agent}})', [AROUND]),
    "a note with a value after": (f'{ANSWER}\n\nNote: {{"document": null}} is left out.', [AROUND]),
    "think": (f"<think>\nDraft: {DRAFT} no.\n</think>\n{ANSWER}", [ALOUD, AROUND]),
    "a name before the colon": (f"<x:thinking>{DRAFT}</x:thinking>{ANSWER}", [ALOUD, AROUND]),
    "square brackets": (f"[THINK]{DRAFT}[/THINK]{ANSWER}", [ALOUD, AROUND]),
    "ollama": (f"Thinking...\n{DRAFT}\n...done thinking.\n\n{ANSWER}", [ALOUD, AROUND]),
    "an end of thinking alone": (f"So {DRAFT} no.\n</think>\n{ANSWER}", [ALOUD, AROUND]),
    "thinking after the answer": (f"{ANSWER}\n<think>Good.</think>", [ALOUD, AROUND]),
    "its prompt first": (f"{PROMPT}{ANSWER}", ["begins with its own prompt"]),
    "the example of the prompt first": (f"{EXAMPLE}\n{ANSWER}", []),
}


@pytest.mark.parametrize(("raw", "warnings"), READ.values(), ids=READ)
def test_what_is_around_it_is_left_out_and_said(raw: str | bytes, warnings: list[str]) -> None:
    value, faults = read(raw)
    assert value == VALUE
    assert all(fault.is_warning and fault.by == "ann" for fault in faults)
    assert len(faults) == len(warnings)
    for fault, expected in zip(faults, warnings, strict=True):
        assert expected in fault.message


VALUES: dict[str, tuple[str, Any]] = {
    "raw line breaks": ('{"note": "a\n\tb"}', {"note": "a\n\tb"}),
    "a tag inside of a text": ('{"note": "the <think> tag"}', {"note": "the <think> tag"}),
    "a list alone": ('[{"claim": "Yes"}]', [{"claim": "Yes"}]),
    "a list in prose": ('Here: [{"claim": "Yes"}]', [{"claim": "Yes"}]),
    "whole numbers": ('{"note": [20.0, 2e1, -0.0]}', {"note": [20, 20, 0]}),
    "numbers as written": (
        '{"note": [0.10, -1, 5e-3, 12345678901234567890123]}',
        {"note": [Decimal("0.10"), -1, Decimal("0.005"), 12345678901234567890123]},
    ),
    "as deep as the bound": (
        '{"a":' * MAX_DEPTH + "0" + "}" * MAX_DEPTH,
        json.loads('{"a":' * MAX_DEPTH + "0" + "}" * MAX_DEPTH),
    ),
}


@pytest.mark.parametrize(("raw", "expected"), VALUES.values(), ids=VALUES)
def test_values_come_out_as_they_were_written(raw: str, expected: Any) -> None:
    value, faults = read(raw)
    assert spell(value) == spell(expected)
    assert not [fault for fault in faults if not fault.is_warning]


def test_raw_line_breaks_are_read_with_a_warning() -> None:
    _, (warning,) = read('{"note": "a\nb"}')
    assert (warning.is_warning, "raw line breaks" in warning.message) == (True, True)
    other_value = '{"other": "a\nb"}\n'
    assert not read(other_value + '{"claim": "Yes", "note": "ab"}')[1]


REFUSED: dict[str, tuple[str | bytes, list[tuple[str, str]]]] = {
    "nothing": ("", [("", "is empty")]),
    "its prompt alone": (PROMPT, [("", "is its own prompt and nothing else")]),
    "the example": (EXAMPLE, [("points.0.claim", "is the text of the example")]),
    "the example, spaced otherwise": (
        EXAMPLE.replace("as visits", "as\\n  visits").replace("ann", "ben"),
        [("points.0.claim", "is the text of the example")],
    ),
    "not UTF-8": (b'{"a":\n "\xff"}', [("", "invalid start byte at line 2, column 3")]),
    "UTF-16 without a mark": (ANSWER.encode("utf-16-le"), [("", "UTF-16 without")]),
    "too large": (b" " * (MAX_BYTES + 1), [("", "is too large: 1048577 bytes")]),
    "too deep": (
        '{"a":' * (MAX_DEPTH + 1) + "0" + "}" * (MAX_DEPTH + 1),
        [("", "is nested too deeply")],
    ),
    "far too deep": ("[" * 100_000, [("", "is nested too deeply")]),
    "cut off": ('{"a": [1, 2', [("", "is cut off: its JSON begins at line 1, column 1")]),
    "cut off in a text": ('{"a": "x\\u00', [("", "is cut off")]),
    "cut off, with a trailer": (f'{{"a": "mid{TRAILER}', [("", "is cut off")]),
    "cut off list of objects": ('[{"claim": 1}, {"claim": 2', [("", "is cut off")]),
    "thinking without an end": (f"<think>\n{ANSWER}", [("", "cut off: the thinking from line 1")]),
    "two that differ": (
        '{"note": "a"}\n{"note": "b"}',
        [("", "differ: at line 1, column 1 and at line 2, column 1")],
    ),
    "prose": ("See [1] and {this}.", [("", "holds no JSON object: it begins See [1]")]),
    "single quotes": ("{'a': 1}", [("", "is not JSON at line 1, column 2")]),
    "a quotation mark inside": ('{"a": "b "c" d"}', [("", 'inside a text is \\"')]),
    "broken, with a whole part": ('{"a": "b "c" d", "e": [{"claim": 1}]}', [("", "column 11")]),
    "a second version": (f'{ANSWER}\nOr:\n{{"note": "x" oops}}', [("", "line 3, column 14")]),
    "a first key that is none": ('{"a\\x": 1}', [("", "is not JSON at line 1, column 4")]),
    "no number": ('[{"a": NaN}]', [("", "NaN is no number")]),
    "a long number": (f'{{"a": {"9" * 41}}}', [("", "is no number of a debate")]),
    "a key twice": ('{"a": 1,\n"\\u0061": 1}', [("", "the key 'a' is given twice")]),
    "half a character": ('{"\\udc00": 1}', [("", "half of a surrogate pair, U+DC00")]),
    "a control character": ('{"a": "\\u0000"}', [("a", "the control character U+0000")]),
    "the same item twice": (
        '{"points": [{"claim": "The first is this one"}, {"claim": "The first is this one"}]}',
        [("points.1", "says the same as item 1")],
    ),
    "all at once": (
        '{"b": {"c": "\\u0001"}, "d": "\\ud800"}',
        [("b.c", "U+0001"), ("d", "U+D800")],
    ),
}


@pytest.mark.parametrize(("raw", "expected"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_what_and_where(raw: str | bytes, expected: list[tuple[str, str]]) -> None:
    _, faults = read(raw)
    found = [fault for fault in faults if not fault.is_warning]
    assert [fault.where for fault in found] == [where for where, _ in expected]
    for fault, (_, message) in zip(found, expected, strict=True):
        assert message in fault.message


def test_a_value_is_looked_at_further_where_its_texts_alone_have_faults() -> None:
    value, faults = read('{"points": [], "a": "b\\u0000"}')
    assert (value, len(faults)) == ({"points": [], "a": "b\x00"}, 1)
    assert read('{"points": 1, "points": 2}')[0] is None
    assert read('{"points": ' + "[" * 40 + "]" * 40 + "}")[0] is None


def test_a_flood_of_faults_is_bounded() -> None:
    _, faults = read("{" + ",".join(f'"a{n}": "\\u0000"' for n in range(3 * MAX_FAULTS)) + "}")
    assert len(faults) == MAX_FAULTS


def test_the_answer_of_a_form_without_a_list_is_found_by_its_keys() -> None:
    raw = b'{"plan": [1]} Then: {"text": "Yes, by all means."}'
    value, _ = read_reply(raw, FirstAnswer, "", by="adviser")
    assert value == {"text": "Yes, by all means."}


@pytest.mark.parametrize("name", RICH)
def test_no_prompt_is_an_answer_to_itself_and_each_good_reply_is(name: str) -> None:
    at = begin_course(name)
    for step in list_steps(name):
        for task in at.tasks:
            prompt, form = render_prompt(at, task, "x"), at.form_of(task.by)
            example = re.findall(r"```json\n(.*?)```", prompt, re.DOTALL)[-1]
            for raw in (prompt, prompt.partition("\n")[2], example, f"Here:\n{example}"):
                value, faults = read_reply(raw.encode(), form, prompt, by=task.by)
                assert not all(fault.is_warning for fault in faults), raw
            if reply := step.get("replies", {}).get(task.by):
                raw = f"{prompt}\n{json.dumps(reply, indent=1)}"
                value, faults = read_reply(raw.encode(), form, prompt, by=task.by)
                assert value == read_exactly(reply)
                assert [fault.is_warning for fault in faults] == [True]
        take_step(at, step)


ALMOST = [*'{}[]":, \\', '{"a":', '"b"', "1", "-0.5e1", "true", "null", "NaN", "\n", "```"]
ALMOST += ["<think>"]


@given(st.binary(max_size=60) | st.lists(st.sampled_from(ALMOST), max_size=14).map("".join))
def test_whatever_comes_a_value_or_a_fault_goes_out(raw: str | bytes) -> None:
    value, faults = read(raw)
    assert isinstance(value, dict | list) is not any(not fault.is_warning for fault in faults)


UNITS = (
    *("[", "[]", "{}", '{"a":', '{"a":1}', '{"a":x}', '{"a":1,', "{x", '{"', '["', '["a[",', '[",'),
    *('"', "`", "\\", "[{}", "[ \n", '{"a":"', '{"a":"\\"', "\n{ ", "\n", "[1,"),
    *("Thinking...\n", "<think>", "</think>", "<think></think>"),
)


@pytest.mark.parametrize("size", [MAX_BYTES // 64, pytest.param(MAX_BYTES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", UNITS)
def test_reading_a_hostile_reply_ends(unit: str, size: int) -> None:
    with must_end():
        for around in (b"", b' {"a": 1} '):
            read((unit * size).encode()[: size - len(around)] + around)
