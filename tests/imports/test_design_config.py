"""The settings file of an older program for design debates, read as ours."""

import re
from typing import Any

import pytest

from debate_ops.core.errors import UsageError
from debate_ops.imports.design_config import read_design_config
from debate_ops.protocols.design import DesignSettings

Data = dict[str, Any]
MODEL = {"model": "m-1", "provider": "openai", "temperature": 0.5}
NOT_HERE = "is left out: it has no counterpart here"
WHOLE: Data = {
    "agents": [
        {
            "id": "agent-architect",
            "name": "System Architect",
            "role": "architect",
            **MODEL,
            "systemPromptPath": "prompts/architect.md",
            "summarization": {"enabled": True, "threshold": 1000, "maxLength": 1500},
        },
        {"id": "Keep It Plain", "role": "kiss", "enabled": True, "toolCallLimit": 5},
        {"id": "off", "role": "security", "enabled": False},
        {"id": "who", "role": "wizard", "summarization": {"enabled": False}},
    ],
    "judge": {"id": "judge-main", "role": "generalist", **MODEL, "systemPromptPath": "judge.md"},
    "debate": {
        "rounds": 2,
        "terminationCondition": {"type": "convergence", "threshold": 0.9},
        "interactiveClarifications": True,
        "clarificationsMaxIterations": 2,
        "summarization": {"enabled": True, "threshold": 6000, "maxLength": 2000},
        "synthesisMethod": "judge",
        "includeFullHistory": True,
        "timeoutPerRound": 300000,
    },
}


def test_every_part_that_has_a_counterpart_is_a_setting_and_the_rest_is_noted() -> None:
    settings, models, notes = read_design_config(WHOLE)
    own = {"description": {"file": "prompts/architect.md"}, "summary_characters": 1500}
    assert settings == {
        "max_exchanges": 2,
        "stop_when_nothing_new": "no",
        "stop_at_confidence": 90,
        "clarifying_questions": 5,
        "clarifying_rounds": 2,
        "summary_threshold": 6000,
        "summary_characters": 2000,
        "participants": [
            {"name": "agent-architect", "role": "architect", "summary_threshold": 1000, **own},
            {"name": "keep-it-plain", "role": "simplicity"},
            {"name": "who", "role": "architect", "summary_threshold": 0},
        ],
        "judge": {"description": {"file": "judge.md"}},
    }
    assert models == dict.fromkeys(("agent-architect", "judge"), "openai:m-1?temperature=0.5")
    assert notes == [
        f"debate: timeoutPerRound {NOT_HERE}",
        f"agents.1: toolCallLimit {NOT_HERE}",
        "agents.1: 'Keep It Plain' is called keep-it-plain here",
        "agents.3: there is no role 'wizard' here: it is an architect",
    ]
    for voice in (settings["judge"], settings["participants"][0]):
        voice["description"]["text"] = "Be stern."  # as whoever reads the settings fills them in
    made = DesignSettings.model_validate(settings)
    assert made.summary_limits("agent-architect") == (1000, 1500)
    assert (made.summary_limits("who"), made.judge.say("who")) == ((0, 2000), "Be stern.")


ONCE: Data = {"max_exchanges": 1}
GOES_ON: Data = {"stop_when_nothing_new": "no"}
PROMPTS = {"summary": {"file": "s.md"}, "questions": {"file": "q.md"}}
TESTER = {"name": "a", "role": "testing", "prompts": PROMPTS}
ONE_ROUND = {"rounds": 1, "summarization": {"promptPath": "s.md"}}
OLD_TESTER = {"id": "a", "role": "testing", "clarificationPromptPath": "q.md"}


def called(ours: str, **spelled: str) -> tuple[Data, Data]:
    """Return two agents, the second spelled so, and the settings in which it is called so."""
    first, role = {"name": "first", "role": "testing"}, {"role": "security"}
    return {"agents": [first, role | spelled]}, GOES_ON | {
        "participants": [first, role | {"name": ours}]
    }


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"debate": {"rounds": 1, "terminationCondition": {"type": "fixed"}}}, ONCE),
        ({"debate": {"summarization": {"enabled": False}}}, GOES_ON | {"summary_threshold": 0}),
        (
            {"debate": {"terminationCondition": {"type": "quality", "threshold": 85}}},
            GOES_ON | {"stop_at_confidence": 85},
        ),
        ({"agents": [OLD_TESTER], "debate": ONE_ROUND}, ONCE | {"participants": [TESTER]}),
        *(called("agent-1", id=taken) for taken in ("judge", "first", "42")),
        *(called("ann-lee", name="Ann Lee"), called("security")),
        ({"agents": {}}, "agents is {}, expected a list"),
        ({"agents": ["ann"]}, "agents.0 is ann, expected an object"),
        ({"judge": "kim"}, "judge is kim, expected an object"),
        ({"debate": {"terminationCondition": "fixed"}}, "debate.terminationCondition is fixed"),
        ({"agents": [{"id": "a", "summarization": 5}]}, "agents.0.summarization is 5"),
    ],
)
def test_what_is_not_said_stays_as_it_is_and_what_cannot_be_is_named(
    values: Data, expected: Data | str
) -> None:
    if isinstance(expected, str):
        with pytest.raises(UsageError, match=re.escape(expected)):
            read_design_config(values)
    else:
        assert read_design_config(values)[0] == expected
