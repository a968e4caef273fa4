"""Who is the devil's advocate, what each is told of it, and that a case has to be made."""

from __future__ import annotations

import pytest

from debate_ops.protocols import advocate

NAMES = ("ann", "ben", "cara")


@pytest.mark.parametrize(
    ("exchange", "leading", "expected"),
    [
        (1, (), "ann"),
        (2, (), "ben"),
        (4, (), "ann"),
        (2, ("ben",), "cara"),
        (3, ("cara", "ann"), "ben"),
        (2, NAMES, "ben"),
    ],
)
def test_rotation_gives_each_the_task_in_turn_and_passes_over_who_leads(
    exchange: int, leading: tuple[str, ...], expected: str
) -> None:
    settings = {advocate.NAME: advocate.ROTATION}
    assert advocate.of(settings, NAMES, exchange, leading) == expected


@pytest.mark.parametrize(("chosen", "expected"), [("ben", "ben"), (advocate.NOBODY, "")])
def test_a_named_advocate_is_one_in_every_exchange(chosen: str, expected: str) -> None:
    assert {advocate.of({advocate.NAME: chosen}, NAMES, n, ("ben",)) for n in (1, 2, 3)} == {
        expected
    }


@pytest.mark.parametrize(
    ("chosen", "names", "is_refused"),
    [
        ("zed", NAMES, True),
        ("ann", NAMES, False),
        (advocate.NOBODY, NAMES, False),
        (advocate.ROTATION, NAMES, False),
        (advocate.ROTATION, ("ann", advocate.ROTATION), True),
        (advocate.NOBODY, ("ann", advocate.NOBODY), False),
    ],
)
def test_an_advocate_who_takes_no_part_is_refused(
    chosen: str,
    names: tuple[str, ...],
    is_refused: bool,  # noqa: FBT001
) -> None:
    found = list(advocate.clashes({advocate.NAME: chosen}, names))
    assert bool(found) is is_refused
    assert all(sentence.startswith(advocate.NAME) for sentence in found)


@pytest.mark.parametrize("value", ["", None, 1, "Ann", "a b", ["ann"]])
def test_what_is_no_name_is_no_advocate(value: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (the engine tells it as a setting)
        advocate.SETTING.read(value)


def test_everybody_reads_who_it_is_and_the_advocate_reads_what_to_do() -> None:
    tasks = ("critique", "vote", "proposal")
    own = {advocate.note("ann", "ann", task, "LEADING") for task in tasks}
    others = {advocate.note("ann", "ben", task, "LEADING") for task in tasks}
    assert (len(own), len(others)) == (3, 1)
    assert [text for text in own if "LEADING" in text] == [
        advocate.note("ann", "ann", "critique", "LEADING")
    ]
    assert "ann" in others.pop()
    assert advocate.note("", "ann", "critique", "LEADING") == ""
