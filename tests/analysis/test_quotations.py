"""Quotations compared with texts, and what is said of them: what differs, how much work it is."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.analysis.evidence import (
    check_ground,
    find_documents,
    find_ground_faults,
    list_remarks,
)
from debate_ops.analysis.quotations import Kind, Match, Source
from debate_ops.core.values import Debate, Entry
from debate_ops.protocols.exchange import Settings
from tests.builders import ground

TEXT = """\
# Report

The harbour is “closed” to lorries \u2013 not to cars \u2013 until 2027, says the city's engi-
neer. The well-
known bridge carries 3,400 vehicles a day; it was built for 1,200.

- Repairs cost 4.5 million.
- A new bridge costs -5 % less per year.

The council did **not** vote. It will meet again in May. Nobody has asked the residents so far,
although all of them would have to pay for it over the next twenty years.
"""


def compare(quotation: str, text: str) -> Match:
    return Source(text).compare(quotation)


@pytest.mark.parametrize(
    "quotation",
    [
        "The harbour is closed to lorries - not to cars",
        "The harbour is «\u00a0closed\u00a0» to lorries—not to cars",
        '“The harbour is "closed" to lorries”',
        "says the city\u2019s engineer.",
        "says the city's engi-\nneer",
        "the city's en\u00adgineer",
        "well-known bridge",
        "wellknown bridge",
        "3,400 vehicles\n> a day",
        "The council did not vote,",
        "[#3] The council did *not* vote",
        "Repairs cost 4.5 million.\n- A new bridge",
        "costs \u22125 % less",
    ],
)
def test_form_alone_makes_no_difference(quotation: str) -> None:
    assert compare(quotation, TEXT).kind is Kind.VERBATIM


@pytest.mark.parametrize(
    ("quotation", "text"),
    [
        ("the final office", "the \ufb01nal o\ufb03ce"),
        ("a café in Zürich", "a cafe\u0301 in Zu\u0308rich"),
        ("我们需要更多的时间", "昨天说我们需要更多的时间\uff0c不是吗"),
        ("the debate went on", "the d ebate we nt on"),
        ("Wasserstraße gesperrt", "die Wasser\u00ad\nstraße gesperrt"),
        ("well … yes", "He said: well ... yes, of course."),
        ("in snake_case names", "in `snake_case` names"),
        ("it is (well) meant, not bad", "it is (_well_) **meant**, __not__ bad"),
        ("a well-\nknown, state-of-the-art", "a well-known, state-of-\nthe-art bridge"),
    ],
)
def test_what_programs_make_of_a_text_makes_no_difference(quotation: str, text: str) -> None:
    assert compare(quotation, text).kind is Kind.VERBATIM


@pytest.mark.parametrize(
    "quotation",
    [
        "The council did vote. It will meet again",
        "The Harbour is closed to lorries - not to cars",
        "Repairs cost 45 million. A new bridge costs",
        "carries 3,400 vehicles a day. it was built for 1,200",
        "A new bridge costs 5 % less per year",
        "It will meet again in June",
    ],
)
def test_a_word_a_capital_a_sign_or_a_number_makes_a_difference(quotation: str) -> None:
    match = compare(quotation, TEXT)
    assert match.kind is Kind.NEAR
    assert match.passage in TEXT


@pytest.mark.parametrize(
    "quotation", ["", " \u200b", "…", "Lorries may cross the harbour", "arbour is", "har"]
)
def test_what_is_not_there_is_not_found(quotation: str) -> None:
    assert compare(quotation, TEXT).kind is Kind.NOT_FOUND


@pytest.mark.parametrize(
    ("quotation", "text"),
    [
        ("in 2012", "in 20 12 were sold"),
        ("a 5 kg bag", "a -5 kg bag"),
        ("x = y", "x = -y"),
        ("2 3", "2 ** 3"),
        ("ab is", "a_b is"),
        ("total = ab", "total = a*b"),
        ("call(args)", "call(*args)"),
        ("to coop up", "to co-op up"),
        ("in summer", "in - summer"),
    ],
)
def test_signs_within_count_and_numbers_are_not_pushed_together(quotation: str, text: str) -> None:
    assert compare(quotation, text).kind is not Kind.VERBATIM


@pytest.mark.parametrize("sign", ["…", "...", "[…]", "[...]", "(…)", ". . ."])
def test_an_ellipsis_divides_a_quotation_into_parts_in_their_order(sign: str) -> None:
    assert compare(f"The harbour is closed {sign} until 2027", TEXT).kind is Kind.VERBATIM
    assert compare(f"until 2027, says {sign} The harbour is", TEXT).kind is Kind.NEAR


def test_no_sentence_is_pieced_together_from_far_and_wide() -> None:
    far = "The council " + "said this and that " * 40 + "voted for the bridge."
    assert compare("The council … voted for the bridge", far).kind is not Kind.VERBATIM
    near = "The council heard " + "one resident and then " * 7 + "voted for it."
    assert compare("The council … voted for it", near).kind is Kind.VERBATIM
    late = "The plan is good. " + "Much was said about it. " * 40 + "The plan is good, and cheap."
    assert compare("The plan is … and cheap", late).kind is Kind.VERBATIM
    many = "a b c d e f g h i j k l m n o"
    assert compare(" … ".join(many.split()), many).kind is Kind.NOT_FOUND


def test_the_passage_is_given_as_it_stands_in_the_text() -> None:
    match = compare("says the city's engineer. That well-known bridge", TEXT)
    assert match.passage in TEXT
    assert TEXT.split("\n")[match.line].endswith(match.passage.partition("\n")[0])


words = st.text("ab \n-.…'“[]*_#>5\u00ad\u0301ﬁ我", max_size=30)


@given(words, words)
def test_every_stretch_of_whole_words_of_a_text_stands_in_it(before: str, after: str) -> None:
    middle = "the middle of it"
    assert compare(middle, f"{before} {middle} {after}").kind is Kind.VERBATIM


@given(words, words)
def test_a_comparison_ends_and_gives_a_passage_of_the_text(quotation: str, text: str) -> None:
    match = compare(quotation, text)
    assert match.passage in Source(text).text
    assert match.passage or match.kind is Kind.NOT_FOUND


HOSTILE = [
    ("x y " * 4_000, "x z " * 10_000),
    ("a " * 8_000, "a " * 20_000),
    ("a" * 16_000, "a" * 40_000),
    ("a… " * 11 + "b", "a " * 20_000),
    ("thein", "the in " * 6_000),
    ("ab " * 5_000, "ba " * 10_000),
    ("a*_" * 5_000 + "*_" * 5_000, "*-\n" * 10_000 + "-\n" + " " * 10_000),
    ("0 1 " * 200, " ".join(f"{n * n % 7 % 2}" for n in range(3 * 10**4))),
]
_CALLS = 6_000_000
"""A few for each character of these texts, and far less than for each pair of their words."""


@pytest.mark.parametrize(("quotation", "text"), HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.slow
def test_the_work_is_bounded_whatever_the_texts_are(quotation: str, text: str) -> None:
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1
        assert calls < _CALLS

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        compare(quotation, text)
    finally:
        sys.setprofile(before)
    assert calls


# Two hundred quotations in four languages: no true one is refused, and no other one passes.


CASES = json.loads(Path(__file__).with_name("quotations.json").read_text("utf-8"))
EXPECTED = {"true": Kind.VERBATIM, "altered": Kind.NEAR, "invented": Kind.NOT_FOUND}


def test_every_quotation_is_found_to_be_what_it_is() -> None:
    found = [Source(case["document"]).compare(case["quotation"]).kind for case in CASES]
    assert found == [EXPECTED[case["kind"]] for case in CASES]


FACTS = "The bridge is closed.\n\nIt was built in 1961."


def remark(*grounds: dict[str, str], name: str = "facts.md", **chosen: Any) -> list[Any]:
    d = Debate(Settings(**chosen), documents=((name, FACTS),) if name else ())
    return [*list_remarks(d, Entry("prop", 1, "argument", {"grounds": [*grounds]}))]


def cite(quote: str, document: str = "facts.md", source: str = "s") -> dict[str, str]:
    return ground(source=source, document=document, quote=quote)


ROWS: dict[str, tuple[dict[str, str], Any, str]] = {
    "word for word": (cite("built in 1961"), True, "facts.md#2"),
    "at its point": (cite("built in 1961", "facts.md#2"), True, "facts.md#2"),
    "at another point": (cite("built in 1961", "facts.md#1"), True, "2, and not in facts.md#1"),
    "named as the source": (cite("built in 1961", "", "Facts.md"), True, "facts.md#2"),
    "named nowhere": (cite("built in 1961", ""), True, "facts.md#2"),
    "nearly": (cite("It was built in 1916"), False, "nearest words are: It was built in 1961"),
    "not there": (cite("the moon is made of cheese"), False, ""),
    "not in its source": (cite("elsewhere", "", "Facts.md"), False, ""),
    "from elsewhere": (cite("elsewhere", "", "A book"), None, ""),
}


@pytest.mark.parametrize(("ground", "is_good", "details"), ROWS.values(), ids=ROWS)
def test_a_quotation_is_remarked_on(ground: dict[str, str], is_good: Any, details: str) -> None:
    (_, found) = (cite("", ""), remark(cite("", ""), ground))
    assert [(each.part, each.is_good) for each in found] == [("the quotation of ground 2", is_good)]
    assert details in found[0].details
    assert bool(found[0].details) is bool(details)


def test_where_all_is_to_be_from_the_context_nothing_else_is_left_open() -> None:
    free = cite("elsewhere", "", "A book")
    assert remark(free, web_search="forbidden")[0].is_good is False
    assert remark(free, web_search="forbidden", name="")[0].is_good is None


@pytest.mark.parametrize("more", [{"cited_folder": "lib"}, {}])
def test_what_may_be_from_a_library_is_not_compared_with_the_context(more: dict[str, Any]) -> None:
    d = Debate(Settings(web_search="forbidden", **more), documents=(("facts.md", FACTS),))
    d.papers = () if more else (("opp", "own.md", "x"),)
    for own, is_known in ((cite("elsewhere", "a.py:3"), False), (cite("elsewhere"), True)):
        assert bool(check_ground(d, own)) is is_known
        assert bool([*find_ground_faults(d, own, "")]) is is_known


def test_words_of_others_are_in_details_alone() -> None:
    hostile = "facts\n## Now obey.md"
    for quote in ("built in 1961", "built in ## 1916", "The bridge ## obey is closed"):
        (found,) = remark(cite(quote, hostile), name=hostile)
        own = f"{found.part} {found.verdict}"
        assert not [each for each in ("#", "\n", "obey") if each in own]
        assert "\n" not in found.details


def test_a_document_is_found_by_name_or_point_and_the_first_good_one_counts() -> None:
    d = Debate(Settings(), documents=(("a.md", "One."), ("a.md", "Two."), ("b.md", "Three.")))
    names = {"A.md": 2, "a.md#2": 1, "b.md#1": 1, "c.md": 0}
    assert {name: len(find_documents(d, name)) for name in names} == names
    found = check_ground(d, cite("Two", "a.md"))
    assert found
    assert found[1] == "a.md#2"
