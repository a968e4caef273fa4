"""Two hundred quotations in four languages: no true one is refused, and no other one passes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from debate_ops.analysis.quotations import Kind, Source

TRUE = "true"
Case = dict[str, str]

CASES: list[Case] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
EXPECTED = {TRUE: Kind.VERBATIM, "altered": Kind.NEAR, "invented": Kind.NOT_FOUND}


def kind_of(case: Case) -> Kind:
    return Source(case["document"]).compare(case["quotation"]).kind


def test_the_corpus_has_as_many_of_each_kind_and_language() -> None:
    numbers = Counter((case["language"], case["kind"]) for case in CASES)
    assert {number for (_, kind), number in numbers.items() if kind == TRUE} == {25}
    assert len(CASES) == 200
    assert len({language for language, _ in numbers}) == 4


def test_every_quotation_is_found_to_be_what_it_is() -> None:
    wrong = [case for case in CASES if kind_of(case) is not EXPECTED[case["kind"]]]
    assert wrong == []


def test_documents_have_the_marks_of_a_pdf() -> None:
    """Without this the corpus could be easier than it claims to be."""
    documents = [case["document"] for case in CASES]
    for mark in ("-\n", "\u00ad", "\ufb01", "\u00a0", "\u0301"):
        assert sum(mark in document for document in documents) > 20, ascii(mark)
