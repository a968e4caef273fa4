"""Who the participants of a design debate are, and what they look for."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.protocols.design import roles
from debate_ops.protocols.design.settings import PARTICIPANTS
from tests.builders import ROOT

SEVEN = (
    *("architect", "performance", "security", "testing"),
    *("simplicity", "data-modelling", "generalist"),
)
LONGEST = 60
"""Words that a text of a role may have: it stands in every prompt."""


def participant(given: Any) -> dict[str, Any]:
    """Return one participant as the settings store it."""
    others = [{"name": "one", "role": "generalist"}]
    found: dict[str, Any] = PARTICIPANTS.read([given, *others])[0]
    return found


def test_there_are_seven_roles() -> None:
    assert tuple(roles.ROLES) == SEVEN


@pytest.mark.parametrize("name", SEVEN)
def test_every_role_says_who_it_is_and_what_it_looks_for_in_every_task(name: str) -> None:
    own = participant(name)
    told = [roles.described(own), *(roles.guidance(own, task) for task in roles.TASKS)]
    assert all(8 <= len(text.split()) <= LONGEST for text in told)
    assert all(text.endswith(".") for text in told)


def test_no_two_roles_and_no_two_tasks_share_a_text() -> None:
    told = [text for role in (*roles.ROLES.values(), roles.ANY_ROLE) for text in role if text]
    assert len(set(told)) == len(told)


def test_a_description_of_ones_own_takes_the_place_of_the_roles_and_its_guidance_stays() -> None:
    own = participant({"role": "security", "description": "You guard the vault."})
    assert roles.described(own) == "You guard the vault."
    assert roles.guidance(own, "critique") == roles.ROLES["security"].critique


def test_a_prompt_of_ones_own_takes_the_place_of_one_task_alone() -> None:
    own = participant({"role": "security", "prompts": {"critique": "Only the vault matters."}})
    assert roles.guidance(own, "critique") == "Only the vault matters."
    assert roles.guidance(own, "proposal") == roles.ROLES["security"].proposal
    assert roles.described(own) == roles.ROLES["security"].who


@pytest.mark.parametrize("task", roles.TASKS)
def test_a_role_of_ones_own_has_its_description_and_the_guidance_that_fits_every_role(
    task: str,
) -> None:
    own = participant({"role": "legal", "description": "You know the law."})
    assert roles.described(own) == "You know the law."
    assert roles.guidance(own, task) == getattr(roles.ANY_ROLE, task)


def test_a_text_that_was_read_from_a_file_counts_as_a_text() -> None:
    given = {"file": "who.md", "text": "You know the law.\n"}
    own = participant({"role": "legal", "description": given, "prompts": {"summary": given}})
    assert roles.described(own) == roles.guidance(own, "summary") == "You know the law."


def test_every_role_and_every_task_is_on_the_page_for_people_and_in_the_reference() -> None:
    for name in ("docs/protocols/design.md", "references/design.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for word in (*SEVEN, *roles.TASKS):
            assert f"`{word}`" in text, (name, word)
