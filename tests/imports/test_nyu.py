"""The two forms of the NYU debates: speeches, and quotations from tokens."""

from typing import Any

import pytest

from debate_ops.core.errors import UsageError
from debate_ops.imports.nyu import joined, read

SHORT: dict[str, Any] = {
    "id": "one",
    "question": "Who?",
    "answers": {"A": "He", "B": "She"},
    "speeches": [{"debater": "A", "text": "One."}, {"debater": "B", "text": "Two."}],
}
TOKENS = ["She", "did", "n't", "go", ",", "``", "no", "''", "."]


def said(name: str, *content: Any) -> dict[str, Any]:
    return {"speaker": name, "timestamp": 1680278388618, "content": list(content)}


def feedback(*shares: float) -> dict[str, Any]:
    words = said("J", {"Text": {"text": "So."}})
    return {"JudgeFeedback": {"distribution": list(shares), "feedback": words, "endDebate": True}}


RELEASED = {
    "setup": {
        "question": "Who?",
        "answers": ["He", "She"],
        "sourceMaterial": {"QuALITYSourceMaterial": {"contents": TOKENS}},
    },
    "rounds": [
        feedback(0.5, 0.5),
        {
            "SimultaneousSpeeches": {
                "speeches": {
                    "1": said("Bo", {"Text": {"text": "See "}}, {"Quote": {"span": [0, 4]}}),
                    "0": said("Al", {"Text": {"text": "One."}}),
                }
            }
        },
        feedback(0.1, 0.9),
    ],
}


def test_the_short_form_is_read() -> None:
    debate = read(SHORT)
    assert (debate.motion, debate.positions) == ("Who?", SHORT["answers"])
    assert [(s.speaker, s.text) for s in debate.speeches] == [("A", "One."), ("B", "Two.")]


def test_the_released_form_is_read_with_quotations_and_times() -> None:
    assert joined(TOKENS) == 'She didn\'t go, "no".'
    debate = read(RELEASED)
    assert [(s.speaker, s.text) for s in debate.speeches] == [
        ("Al", "One."),
        ("Bo", "See <quote>She didn't go</quote>"),
    ]
    assert debate.speeches[0].at == "2023-03-31T15:59:48Z"
    assert debate.positions == {"Al": "He", "Bo": "She"}
    assert debate.left_out


@pytest.mark.parametrize(
    ("data", "pick", "message"),
    [
        ([SHORT, SHORT | {"id": "two"}], "", "2 debates"),
        ([SHORT, SHORT | {"id": "two"}], "three", "'three'"),
        ([1], "", "another form"),
        ([{"type": "message", "text": "Hi", "ts": "1.0"}], "", "a Slack export"),
        ({"question": "Who?"}, "", "KeyError"),
        ({"setup": []}, "", "NYU"),
    ],
)
def test_what_is_no_such_debate_or_one_of_many_is_refused(
    data: Any, pick: str, message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        read(data, pick)
    assert message in refused.value.message


def test_one_of_several_is_picked_by_id_or_number() -> None:
    other = SHORT | {"id": "two", "question": "What?"}
    assert read([SHORT, other], "two").motion == "What?"
    assert read([{k: v for k, v in SHORT.items() if k != "id"}, other], "1").motion == "Who?"
