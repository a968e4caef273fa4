"""`debate.md`: state and settings exact, framing and unknown keys kept whatever they contain."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.errors import BadRecordError
from debate_ops.formats import debate_file
from debate_ops.formats.headers import BARE, FENCED
from debate_ops.model.debate import (
    Debate,
    Definition,
    Document,
    Framing,
    Request,
    State,
    Total,
    Word,
)
from debate_ops.model.score import Millis
from tests.strategies import json_values, keys, texts, totals, words

KNOWN = set(debate_file.FORMS)

states = st.builds(
    State,
    st.integers(0, 99),
    st.sampled_from(["awaiting_arguments", "awaiting_judgment"]),
    st.fixed_dictionaries({"proposition": totals, "opposition": totals}),
)
debates = st.builds(
    Debate,
    slug=st.just("x-debate"),
    protocol=st.just("exchange"),
    step=st.integers(0, 999),
    state=states,
    settings=st.dictionaries(words, json_values, max_size=2),
    record=st.none(),
    request=st.none() | st.builds(Request, st.integers(1, 99), st.integers(1, 99)),
    body=texts,
    extra=st.dictionaries(keys.filter(lambda key: key not in KNOWN), json_values, max_size=3),
    form=st.sampled_from([FENCED, BARE]),
    undone=st.lists(st.sampled_from(["prop_001", "opp_001"]), max_size=2, unique=True).map(tuple),
    created=words | st.just(""),
    replay_of=st.none() | st.dictionaries(words, words, max_size=2),
    words=st.lists(st.builds(Word, texts, words, words, st.integers(0, 99), words), max_size=2).map(
        tuple
    ),
)


@given(debates)
def test_a_debate_is_read_back_with_its_unknown_keys_and_its_body(debate: Debate) -> None:
    file = debate_file.parse(debate_file.render(debate), "debate.md")
    assert (file.exchange, file.phase, file.totals) == debate.state
    for field in set(file._fields) & set(debate._fields):
        assert getattr(file, field) == getattr(debate, field), field


# Documents stand between fences as they are, so the ends of their lines are those of the file.
named = texts.filter(lambda text: text != "")
plain = texts.map(lambda text: text.replace("\r", ""))
framings = st.builds(
    Framing,
    texts.filter(str.strip),
    st.lists(st.builds(Definition, named, texts), max_size=3).map(tuple),
    texts,
    st.lists(st.builds(Document, texts, plain), max_size=3).map(tuple),
)


@given(framings)
def test_a_framing_is_read_back_whatever_it_contains(framing: Framing) -> None:
    body = debate_file.compose_body(framing)
    assert debate_file.framing(body) == framing
    assert debate_file.framing(body.replace("\n", "\r\n")) == framing


@pytest.mark.parametrize(
    ("body", "framing"),
    [
        pytest.param("# Motion\n\nX.\n", Framing("X."), id="motion alone"),
        pytest.param(
            "\n# Motion\nX.\n## Scope\nY.", Framing("X.", scope="Y."), id="no blank lines"
        ),
        pytest.param("no headings at all", Framing(""), id="no motion"),
        pytest.param(
            "# Motion\n\nX.\n\n## Definitions\n\n* **A:** one\n- **B**: two\nand more\n",
            Framing("X.", (Definition("A", "one"), Definition("B", "two\nand more"))),
            id="definitions by hand",
        ),
        pytest.param(
            "# Motion\n\nX.\n\n## Definitions\n\nA is one.\n",
            Framing("X.", (Definition("", "A is one."),)),
            id="definitions in prose",
        ),
        pytest.param(
            "# Motion\n\nX.\n\n## Context\n\nWe met.\n\n## Scope\n\nnot a part\n",
            Framing("X.", context=(Document("", "We met.\n\n## Scope\n\nnot a part"),)),
            id="context by hand runs to the end",
        ),
    ],
)
def test_a_body_written_by_hand_is_read(body: str, framing: Framing) -> None:
    assert debate_file.framing(body) == framing
    assert debate_file.framing(debate_file.compose_body(framing)) == framing


@pytest.mark.parametrize("tildes", ["~", "~~~", "~~~~~"])
def test_a_document_may_hold_fences_like_its_own(tildes: str) -> None:
    text = f"a\n{tildes}\nb\n\n### c\n\n{tildes}text\nd\n{tildes}"
    framing = Framing("X.", context=(Document("one", text), Document("two", tildes)))
    assert debate_file.framing(debate_file.compose_body(framing)) == framing


GOOD: dict[str, Any] = {
    "debate_id": "x",
    "current_exchange": 1,
    "current_phase": "awaiting_arguments",
    "step": 2,
    "cumulative_scores": {"proposition": {"total": 0.5, "count": 3}},
}


def parsed(**changes: Any) -> debate_file.DebateFile:
    header = {key: value for key, value in (GOOD | changes).items() if value is not ...}
    return debate_file.parse(f"---\n{json.dumps(header)}\n---\n", "debate.md")


def test_an_older_debate_is_one_of_exchanges_and_may_have_no_step() -> None:
    assert (parsed().protocol, parsed(step=...).step) == ("exchange", None)
    assert parsed().totals == {"proposition": Total(Millis(500), 3)}


BAD: dict[str, list[Any]] = {
    "current_exchange": [..., None, -1, 1.5, "1", True],
    "current_phase": [..., None, "", 1],
    "step": [None, -1, 1.5, "2", True],
    "cumulative_scores": [None, [], {"proposition": 1}],
    "request": [[], {"exchanges": 1}, {"exchanges": 1, "until": -1}],
    "settings": [[]],
    "undone": ["prop_001", [1]],
    "replay_of": [[]],
    "protocol": [None, 1],
}


@pytest.mark.parametrize(("key", "value"), [(key, bad) for key in BAD for bad in BAD[key]])
def test_a_bad_value_is_refused_by_key_and_file(key: str, value: Any) -> None:
    with pytest.raises(BadRecordError, match=rf"^debate\.md: {key} is ") as caught:
        parsed(**{key: value})
    assert key in caught.value.hint


def test_numbers_of_a_foreign_header_are_exact() -> None:
    text = (
        "---\ncurrent_exchange: 1\ncurrent_phase: awaiting_arguments\n"
        "cumulative_scores: {proposition: {total: 0.1, count: 1}}\nmine: 0.30\n---\n"
    )
    file = debate_file.parse(text, "debate.md")
    assert file.totals["proposition"].total == 100
    assert file.extra == {"mine": Decimal("0.3")}
