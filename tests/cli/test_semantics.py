"""The command `semantics`: of a debate, of a graph in a file, and what it refuses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from debate_ops.semantics.extensions import EXTENSIONS
from debate_ops.semantics.influence import LAST_WORD_RULE, RULE
from debate_ops.semantics.strengths import STRENGTHS
from tests.builders import Answer, debate_at, run
from tests.cli.stage import put, say
from tests.reports.formal.debates import formal

pytestmark = pytest.mark.usefixtures("work")

NIXON = 'arg(a). arg("b c"). arg(d).\natt(a,"b c"). att("b c",a). sup(a,d). weight(d,0.25).\n'
PREFERRED = [["a", "d"], ["b c", "d"]]
STABLE: dict[str, Any] = {
    "semantics": "stable",
    "extensions": [["a", "d"]],
    "complete": False,
    "bound": "There are more extensions; this lists 1.",
}


def ask(name: str, *words: object, graph: str | bytes = NIXON, file: str = "g.apx") -> Answer:
    put(file, graph)
    return run("semantics", file, "--semantics", name, *words, "--json")


@pytest.mark.parametrize(
    ("name", "words", "result"),
    [
        ("preferred", (), {"semantics": "preferred", "extensions": PREFERRED}),
        ("stable", ("--most", 1), STABLE),
        (
            "preferred",
            ("--argument", "b c"),
            {"semantics": "preferred", "argument": "b c", "some": True, "every": False},
        ),
        (
            "dfquad",
            (),
            {
                "semantics": "dfquad",
                "strengths": pytest.approx({"a": 1 / 3, "b c": 1 / 3, "d": 0.5}),
            },
        ),
    ],
)
def test_a_graph_in_a_file_is_answered_with_what_is_asked_alone(
    name: str, words: tuple[object, ...], result: dict[str, Any]
) -> None:
    assert ask(name, *words).result == result


@pytest.mark.parametrize(
    ("graph", "file", "words", "extension"),
    [
        ("arg(a). arg(b). arg(c).\natt(a,b). sup(b,c).", "g.apx", (), ["a", "c"]),
        (
            "arg(a). arg(b). arg(c).\natt(a,b). sup(b,c).",
            "g.apx",
            ("--derived-attacks",),
            ["a"],
        ),
        ("p af 3\n1 2\n2 3\n", "three.af", (), ["1", "3"]),
    ],
)
def test_files_of_facts_and_of_numbers_are_read_with_derived_attacks_if_asked_for(
    graph: str, file: str, words: tuple[str, ...], extension: list[str]
) -> None:
    result = ask("grounded", *words, graph=graph, file=file).result
    assert result["extensions"] == [extension]


def test_numbers_that_are_no_result_are_not_given_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("debate_ops.semantics.strengths.EDGES", 10)
    result = ask("dfquad").result
    assert result["converged"] is False
    assert result["residual"] > 0.01
    assert say("semantics", "g.apx", "--semantics", "dfquad").out.startswith("dfquad did not ")


@pytest.mark.parametrize(
    ("graph", "words", "lines"),
    [
        (
            NIXON,
            ("preferred", "--argument", "d"),
            ["in some preferred extension: yes", "in every preferred extension: yes"],
        ),
        ("arg(a). att(a,a).", ("stable",), ["stable: no extension"]),
        ("arg(a). att(a,a).", ("grounded",), ["grounded: 1 extension", "  {}"]),
        ('arg("a\\nb\x1b[31m").', ("grounded",), ["grounded: 1 extension", "  {a b[31m}"]),
    ],
)
def test_lines_for_people_name_what_there_is_and_steer_no_terminal(
    graph: str, words: tuple[str, ...], lines: list[str]
) -> None:
    put("g.apx", graph)
    assert say("semantics", "g.apx", "--semantics", *words).out.splitlines() == lines


@pytest.mark.parametrize(
    ("argument", "some", "every"), [("d", True, True), ("a", True, None), ("b c", None, False)]
)
def test_of_a_part_of_the_extensions_is_said_what_is_sure(
    argument: str, some: object, every: object
) -> None:
    result = ask("semi-stable", "--argument", argument, "--most", 1).result
    assert (result["some"], result["every"]) == (some, every)
    assert result.get("complete", True) is (None not in {some, every})


@pytest.mark.parametrize("value", ["DFQuAD", "H_Categoriser", "semi stable"])
def test_names_are_known_however_they_are_spelled(value: str) -> None:
    assert ask(value).result["semantics"] in {*EXTENSIONS, *STRENGTHS}


def test_a_debate_is_weighed_strength_first_with_the_rules() -> None:
    debate_at(2)
    result = run("semantics", "x-debate", "--json").result
    values = [row["strength"] for row in result["arguments"]]
    assert values == sorted(values, reverse=True)
    assert set(result["last_word"]) >= {"standing", "standing_before", "lead", "lead_before"}
    said = say("semantics", "x-debate").out
    assert said.index("strength") < said.index("Lead by strength") < said.index("Stand: ")
    assert RULE in said
    assert LAST_WORD_RULE in said


def test_a_debate_and_its_graph_in_a_file_give_the_same() -> None:
    debate_at(2)
    rows = run("semantics", "x-debate", "--json").result["arguments"]
    one = run("semantics", "x-debate", "--semantics", "dfquad", "--json").result
    assert one["strengths"] == {row["id"]: row["strength"] for row in rows}
    ground = run("semantics", "x-debate", "--semantics", "grounded", "--json").result["extensions"]
    standing = {row["id"] for row in rows if row["stands"] or row["conceded"]}
    assert {row["id"] for row in rows if row["stands"]} <= {*ground[0]} <= standing


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--semantics", "prefered"], "'prefered'"),
        (["--semantics", ""], "''"),
        ([], "say by which semantics"),
        (["--semantics", "dfquad", "--most", "3"], "--most"),
        (["--derived-attacks"], "--derived-attacks"),
        (["--semantics", "dfquad", "--argument", "a"], "--argument"),
        (["--semantics", "stable", "--argument", "z"], "'z'"),
    ],
)
def test_words_that_mean_nothing_are_refused(words: list[str], part: str) -> None:
    put("g.apx", NIXON)
    answer = run("semantics", "g.apx", *words, "--json")
    assert answer.code == 2
    assert part in answer.result["error"]


def test_a_hint_for_an_unknown_argument_names_some_of_the_graph() -> None:
    answer = ask("grounded", "--argument", "z")
    assert "a, b c, d" in answer.result["hint"]
    large = "".join(f"arg(n{number:02d})." for number in range(60))
    hint = ask("grounded", "--argument", "z", graph=large).result["hint"]
    assert "n49" in hint
    assert "n50" not in hint


def test_a_faulty_file_is_refused_with_every_line() -> None:
    answer = ask("grounded", graph="arg(a).\natt(a,b).\nweight(a,2).\n")
    assert answer.code == 1
    assert [fault["line"] for fault in answer.result["faults"]] == [2, 3]
    assert ask("grounded", graph=b"arg(\xff).").code == 2


def test_a_debate_without_attack_graph_is_refused() -> None:
    formal(turns=0)
    answer = run("semantics", "x-debate", "--json")
    assert answer.code == 1
    assert "'formal'" in answer.result["error"]
    assert "report x-debate" in answer.result["hint"]


@pytest.mark.parametrize("word", ["nope.apx", "some where.tgf", "graphs.apx", "pipe.apx", "nope"])
def test_a_word_that_is_neither_a_file_nor_a_debate_is_refused_by_its_name(word: str) -> None:
    Path("graphs.apx").mkdir()
    os.mkfifo("pipe.apx")
    answer = run("semantics", word, "--semantics", "grounded", "--json")
    assert answer.code == 2
    assert word in answer.result["error"]


def test_a_debate_without_arguments_and_no_debate_at_all_have_nothing_to_weigh() -> None:
    debate_at(0)
    assert say("semantics", "x-debate") == (0, "x-debate has no arguments yet.\n", "")
    assert run("semantics", "x-debate", "--json").result["arguments"] == []
