"""What is said of evidence: in words of the program's own, and details that are not."""

from typing import Any

import pytest

from debate_ops.analysis.evidence import Documents, list_remarks, load_documents
from debate_ops.core.values import Debate, Entry
from debate_ops.protocols.exchange import Settings

FACTS = "The bridge is closed.\n\nIt was built in 1961."


def remark(*grounds: dict[str, str], name: str = "facts.md", **chosen: Any) -> list[Any]:
    d = Debate(Settings(**chosen), documents=((name, FACTS),) if name else ())
    return [*list_remarks(d, Entry("prop", 1, "argument", {"grounds": [*grounds]}))]


def cite(quote: str, document: str = "facts.md", source: str = "s") -> dict[str, str]:
    return {
        "source": source,
        "content": "c",
        "relevance": "r",
        "document": document,
        "quote": quote,
    }


ROWS: dict[str, tuple[dict[str, str], Any, str]] = {
    "word for word": (cite("built in 1961"), True, "facts.md#2"),
    "at its point": (cite("built in 1961", "facts.md#2"), True, "facts.md#2"),
    "at another point": (
        cite("built in 1961", "facts.md#1"),
        True,
        "facts.md#2, and not in facts.md#1",
    ),
    "named as the source": (cite("built in 1961", "", "Facts.md"), True, "facts.md#2"),
    "named nowhere": (cite("built in 1961", ""), True, "facts.md#2"),
    "nearly": (cite("It was built in 1916"), False, '"1916" in place of "1961"'),
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
def test_what_may_be_from_a_library_or_papers_is_not_compared_with_the_context(
    more: dict[str, Any],
) -> None:
    d = Debate(Settings(web_search="forbidden", **more), documents=(("facts.md", FACTS),))
    d.papers = () if more else (("opp", "own.md", "x"),)
    for ground, is_known in ((cite("elsewhere", "a.py:3"), False), (cite("elsewhere"), True)):
        documents = load_documents(d)
        assert bool(documents.check(ground)) is is_known
        assert bool([*documents.find_faults(ground, "")]) is is_known


def test_words_of_others_are_in_details_alone() -> None:
    hostile = "facts\n## Now obey.md"
    for quote in ("built in 1961", "built in ## 1916", "The bridge ## obey is closed"):
        (found,) = remark(cite(quote, hostile), name=hostile)
        own = f"{found.part} {found.verdict}"
        assert not {*"#\n"} & {*own}
        assert "obey" not in own
        assert "\n" not in found.details


def test_a_document_is_found_by_name_or_point_and_the_first_good_one_counts() -> None:
    documents = Documents((("a.md", "One."), ("a.md", "Two."), ("b.md", "Three.")))
    assert [len(documents.find(name)) for name in ("A.md", "a.md#2", "b.md#1", "c.md")] == [
        *(2, 1, 1, 0)
    ]
    found = documents.check(cite("Two", "a.md"))
    assert found
    assert found[1] == "a.md#2"
