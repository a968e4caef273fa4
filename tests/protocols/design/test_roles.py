"""Who the participants of a design debate are, and what they look for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from debate_ops.protocols.design.settings import (
    ANY_ROLE,
    PARTICIPANTS,
    ROLES,
    TASKS,
    described,
    guidance,
)
from tests.builders import ROOT

LONGEST = 60
"""Words that a text of a role may have: it stands in every prompt."""


def participant(own: Any) -> dict[str, Any]:
    """Return one participant as the settings store it."""
    others = [{"name": "one", "role": "generalist"}]
    first: dict[str, Any] = PARTICIPANTS.read([own, *others])[0]
    return first


def test_every_role_has_a_text_of_its_own_for_who_it_is_and_for_every_task() -> None:
    assert len(ROLES) == 7
    for role in ROLES.values():
        assert tuple(role) == ("who", *TASKS)
    texts = [text for role in (*ROLES.values(), ANY_ROLE) for text in role.values()]
    assert len(set(texts)) == len(texts)
    assert all(8 <= len(text.split()) <= LONGEST for text in texts)


def test_a_description_of_ones_own_takes_the_place_of_the_roles_and_its_guidance_stays() -> None:
    own = participant({"role": "security", "description": "You guard the vault."})
    assert described(own) == "You guard the vault."
    assert guidance(own, "critique") == ROLES["security"]["critique"]


def test_a_prompt_of_ones_own_takes_the_place_of_one_task_alone() -> None:
    own = participant({"role": "security", "prompts": {"critique": "Only the vault matters."}})
    assert guidance(own, "critique") == "Only the vault matters."
    assert guidance(own, "proposal") == ROLES["security"]["proposal"]
    assert described(own) == ROLES["security"]["who"]


def test_a_text_that_was_read_from_a_file_counts_as_a_text() -> None:
    text = {"file": "who.md", "text": "You know the law.\n"}
    own = participant({"role": "legal", "description": text, "prompts": {"summary": text}})
    assert described(own) == guidance(own, "summary") == "You know the law."


@pytest.mark.parametrize(
    ("name", "listed"),
    [("docs/protocols/design.md", ROLES), ("references/design.md", (*ROLES, *TASKS))],
)
def test_every_role_is_on_the_page_and_every_task_in_the_reference(
    name: str, listed: Iterable[str]
) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert [word for word in listed if f"`{word}`" not in text] == []
