"""The command `semantics`: of a debate, of a graph in a file, and what it refuses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from debate_ops.semantics.extensions import EXTENSIONS
from debate_ops.semantics.influence import LAST_WORD_RULE, RULE
from debate_ops.semantics.strengths import STRENGTHS
from tests.builders import debate_at, run
from tests.cli.stage import say
from tests.reports.consensus.debates import search
from tests.reports.formal.debates import formal

pytestmark = pytest.mark.usefixtures("work")


@pytest.fixture
def nixon() -> str:
    Path("nixon.apx").write_text(
        'arg(a). arg("b c"). arg(d).\natt(a,"b c"). att("b c",a). sup(a,d). weight(d,0.25).\n',
        encoding="utf-8",
    )
    return "nixon.apx"


def test_extensions_are_printed_with_the_two_keys_alone(nixon: str) -> None:
    result = run("semantics", nixon, "--semantics", "preferred", "--json").result
    assert result == {"semantics": "preferred", "extensions": [["a", "d"], ["b c", "d"]]}


def test_strengths_are_printed_with_the_two_keys_alone(nixon: str) -> None:
    result = run("semantics", nixon, "--semantics", "dfquad", "--json").result
    assert result["strengths"] == pytest.approx({"a": 1 / 3, "b c": 1 / 3, "d": 0.5})
    assert set(result) == {"semantics", "strengths"}


def test_what_a_bound_stopped_says_so(nixon: str) -> None:
    result = run("semantics", nixon, "--semantics", "stable", "--most", 1, "--json").result
    assert result["extensions"] == [["a", "d"]]
    assert result["complete"] is False
    assert result["bound"] == "There are at least 2 extensions; this lists 1."


def test_numbers_that_are_no_result_are_not_given_as_one(
    nixon: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("debate_ops.semantics.strengths.EDGES", 10)
    result = run("semantics", nixon, "--semantics", "dfquad", "--json").result
    assert result["converged"] is False
    assert result["residual"] > 0.01
    said = say("semantics", nixon, "--semantics", "dfquad").out
    assert said.startswith("dfquad did not converge on the cycles of this graph")
    assert "not its strengths" in said


def test_one_argument_is_told_in_some_and_in_every(nixon: str) -> None:
    result = run(
        "semantics", nixon, "--semantics", "preferred", "--argument", "b c", "--json"
    ).result
    assert result == {"semantics": "preferred", "argument": "b c", "some": True, "every": False}
    said = say("semantics", nixon, "--semantics", "preferred", "--argument", "d").out
    assert said == "in some preferred extension: yes\nin every preferred extension: yes\n"


def test_derived_attacks_are_counted_where_that_is_asked_for() -> None:
    Path("bipolar.apx").write_text("arg(a). arg(b). arg(c).\natt(a,b). sup(b,c).", "utf-8")
    words = ["semantics", "bipolar.apx", "--semantics", "grounded", "--json"]
    assert run(*words).result["extensions"] == [["a", "c"]]
    assert run(*words, "--derived-attacks").result["extensions"] == [["a"]]


def test_files_of_numbers_are_read() -> None:
    Path("three.af").write_text("p af 3\n1 2\n2 3\n", encoding="utf-8")
    result = run("semantics", "three.af", "--semantics", "grounded", "--json").result
    assert result["extensions"] == [["1", "3"]]


def test_lines_for_people_name_each_extension_and_the_empty_one() -> None:
    Path("odd.apx").write_text("arg(a). att(a,a).", encoding="utf-8")
    assert say("semantics", "odd.apx", "--semantics", "stable").out == "stable: no extension\n"
    assert say("semantics", "odd.apx", "--semantics", "grounded").out == (
        "grounded: 1 extension\n  {}\n"
    )


@pytest.mark.parametrize("value", ["DF-QuAD", "df_quad", "H-Categorizer", "semi stable", "card"])
def test_names_are_known_however_they_are_spelled(value: str, nixon: str) -> None:
    result = run("semantics", nixon, "--semantics", value, "--json").result
    assert result["semantics"] in {*EXTENSIONS, *STRENGTHS}


def test_help_lists_every_semantics_with_a_line() -> None:
    said = say("semantics", "--semantics", "help").out
    assert [line.split()[0] for line in said.splitlines()] == [*EXTENSIONS, *STRENGTHS]


def test_all_but_the_list_of_semantics_wants_a_debate_or_a_file() -> None:
    said = say("semantics")
    assert (said.code, said.out) == (2, "")
    assert "name a DEBATE or a FILE" in said.err


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
    assert {row["id"] for row in rows if row["stands"]} <= {*ground[0]}
    assert {*ground[0]} <= standing


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (["--semantics", "prefered"], "there is no semantics 'prefered'"),
        (["--semantics", ""], "there is no semantics ''"),
        ([], "nixon.apx is a graph: say by which semantics"),
        (["--semantics", "dfquad", "--most", "3"], "--most would change nothing"),
        (["--semantics", "dfquad", "--argument", "a"], "--argument would change nothing"),
        (["--argument", "a"], "--argument would change nothing"),
        (["--semantics", "stable", "--most", "3", "--argument", "a"], "--most would change"),
        (["--derived-attacks"], "--derived-attacks would change nothing"),
        (["--semantics", "stable", "--argument", "z"], "there is no argument 'z'"),
    ],
)
def test_words_that_mean_nothing_are_refused(words: list[str], result: str, nixon: str) -> None:
    answer = run("semantics", nixon, *words, "--json")
    assert answer.code == 2
    assert answer.result["error"].startswith(result)
    assert answer.result["hint"] or "would change" in result or "argument" in result


def test_a_faulty_file_is_refused_with_every_line() -> None:
    Path("bad.apx").write_text("arg(a).\natt(a,b).\nweight(a,2).\n", encoding="utf-8")
    answer = run("semantics", "bad.apx", "--semantics", "grounded", "--json")
    assert answer.code == 1
    assert [fault["line"] for fault in answer.result["faults"]] == [2, 3]


def test_a_file_that_is_no_text_is_refused() -> None:
    Path("bad.apx").write_bytes(b"arg(\xff).")
    answer = run("semantics", "bad.apx", "--semantics", "grounded", "--json")
    assert (answer.code, answer.result["error"]) == (2, "bad.apx is not UTF-8 at byte 4")


@pytest.mark.parametrize(("make", "protocol"), [(formal, "formal"), (search, "consensus")])
def test_a_debate_without_attack_graph_is_refused(
    make: Callable[[], object], protocol: str
) -> None:
    make()
    answer = run("semantics", "x-debate", "--json")
    assert answer.code == 1
    assert f"a debate of the protocol {protocol!r} has no attack graph" in answer.result["error"]
    assert "report x-debate" in answer.result["hint"]


def test_names_that_would_steer_a_terminal_are_shown_on_one_line_without_that() -> None:
    Path("odd.apx").write_text('arg("a\\nb\x1b[31m").', encoding="utf-8")
    said = say("semantics", "odd.apx", "--semantics", "grounded").out
    assert said == "grounded: 1 extension\n  {a b[31m}\n"


@pytest.mark.parametrize("word", ["nope.apx", "nope.AF", "some where.tgf", "a.txt"])
def test_a_file_that_is_not_there_is_called_a_file(word: str) -> None:
    answer = run("semantics", word, "--semantics", "grounded", "--json")
    assert answer.code == 2
    assert answer.result["error"] == f"{word} is no file that can be read, and no debate"


def test_a_word_that_could_be_a_debate_is_missed_as_one() -> None:
    assert "file" not in run("semantics", "nope", "--json").result["error"]


def test_a_folder_and_a_pipe_are_no_graph() -> None:
    Path("graphs.apx").mkdir()
    os.mkfifo("pipe.apx")
    words = ("--semantics", "grounded", "--json")
    for name in ("graphs.apx", "pipe.apx", "-"):
        assert "is no file that can be read" in run("semantics", name, *words).result["error"]


def test_a_debate_without_arguments_has_nothing_to_weigh() -> None:
    debate_at(0)
    said = say("semantics", "x-debate")
    assert (said.code, said.out) == (0, "x-debate has no arguments yet.\n")
    assert run("semantics", "x-debate", "--json").result["arguments"] == []
