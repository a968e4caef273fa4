"""A panel: what it reads, what its ballots come to, and whether a verdict stands."""

import re
from dataclasses import replace
from itertools import starmap
from typing import Any

import pytest

from debate_ops.analysis.evidence import CHECKED
from debate_ops.core.values import Debate, Entry
from debate_ops.protocols.speeches import Settings
from debate_ops.report.page import write_readme
from debate_ops.report.panel import (
    Member,
    Panel,
    apply_panel,
    ask_panel,
    list_speeches,
    rate_answers,
    write_panel,
)
from debate_ops.report.verdict import Level, Reason, Verdict, find_verdict
from tests.report.stage import EXAMPLES, argument, exchange, read_example

CHOICES = {"prop": "for the motion", "opp": "against the motion"}
PEOPLE = [{"name": n, "position": text} for n, text in CHOICES.items()]
ALONE = Reason("One judge", Level.MODERATE, is_alone=True)


def make_member(number: int, favours: str, percent: int, issues: str = "") -> Member:
    better = [{"issue": n, "better": b, "why": ""} for n, b in enumerate(issues, 1)]
    data = {"favours": favours, "percent": percent, "issues": better, "moved_by": []}
    ballot = Entry(f"member-{number}", 4, "ballot", data, {"Reasons": "So."}, "judgments")
    courses = {name: [share] for name, share in rate_answers(ballot, CHOICES).items()}
    return Member(f"member-{number}", ("opp", "prop")[number % 2], ballot, favours, courses)


def make_panel(*members: Member, judged: str | None = None) -> Panel:
    given = {"participants": PEOPLE, "panel": 3, "issues": ["One?", "Two?"]}
    return Panel(Debate(Settings.model_validate(given)), CHOICES, 3, members, judged)


AGREED = [make_member(1, "prop", 80), make_member(2, "prop", 70), make_member(3, "prop", 75)]


@pytest.mark.parametrize(
    ("members", "judged", "doubts"),
    [
        (AGREED, "prop", []),
        (AGREED, None, []),
        (AGREED, "opp", ["The judge of the debate decides against the motion"]),
        (AGREED, "", ["The judge of the debate decides for nobody"]),
        (AGREED[:1], "prop", ["Only 1 of 3 members replied"]),
        (AGREED[:2], "prop", []),
        ([*starmap(make_member, [(1, "nobody", 50), (2, "nobody", 50), (3, "prop", 60)])],
         None, ["The panel has no majority"]),
    ],
)  # fmt: skip
def test_a_panel_is_decisive_unless_something_speaks_against_it(
    members: list[Member], judged: str | None, doubts: list[str]
) -> None:
    panel = make_panel(*members, judged=judged)
    found = panel.doubts.split(". ") if panel.doubts else []
    assert all(f.startswith(d) for f, d in zip(found, doubts, strict=True)), found
    assert panel.verdict.endswith(", so the panel is not decisive") == bool(doubts)
    assert panel.verdict.startswith("A blind panel decides") == bool(panel.favours and panel.is_one)


def make_verdict(favoured: str, *reasons: Reason, **more: Any) -> Verdict:
    return Verdict("x", "An answer", reasons, favoured=favoured, choices=CHOICES, **more)


@pytest.mark.parametrize(
    ("verdict", "panel", "favoured", "level"),
    [
        (make_verdict("prop"), None, "prop", Level.MODERATE),
        (make_verdict("prop", ALONE), make_panel(*AGREED, judged="prop"), "prop", Level.HIGH),
        (make_verdict("opp", ALONE), make_panel(*AGREED, judged="opp"), "", Level.TOO_CLOSE),
        (make_verdict("prop", ALONE), make_panel(AGREED[0]), "prop", Level.MODERATE),
        (
            make_verdict("", Reason("Nobody", Level.NOT_JUDGED, is_alone=True)),
            make_panel(*AGREED), "prop", Level.HIGH,
        ),
        (
            make_verdict("prop", Reason("Close", Level.LOW)),
            make_panel(*AGREED, judged="prop"), "prop", Level.LOW,
        ),
        (make_verdict("", is_sought=False), make_panel(*AGREED), "", Level.HIGH),
    ],
)  # fmt: skip
def test_a_panel_lifts_what_one_alone_said_or_takes_the_direction_away(
    verdict: Verdict, panel: Panel | None, favoured: str, level: Level
) -> None:
    shown = apply_panel(verdict, panel)
    assert (shown.favoured, shown.level) == (favoured, level)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_panels_of_the_example_debates_have_read_what_is_on_record(name: str) -> None:
    reading = read_example(name)
    assert reading.panel
    assert not [w for w in reading.warnings if "another record" in w.message]
    text = write_panel(reading.panel, reading.verdict.names)
    assert reading.panel.verdict in text.replace("\\", "")
    assert all(m.name in text for m in reading.panel.members)
    assert reading.charts[-1].name == "panel"
    said = re.sub(r"\]\([^)]*\)", "", text).replace("\\", "")
    assert not [an_id for an_id in reading.titles if an_id in said]
    assert "\n| panel of 3 | " in write_readme(reading)


def test_whom_older_ballots_found_to_steer_is_said_once_with_how_many() -> None:
    own: list[dict[str, Any]] = [
        {"steering": ["A_001-speech"]},
        {"steering": ["B_001-speech"]},
        {"steering": 5},
    ]
    members = [
        m._replace(ballot=replace(m.ballot, header=header))
        for m, header in zip(AGREED, own, strict=True)
    ]
    named = {"prop_001-speech": "One", "opp_001-speech": "Two"}
    text = write_panel(replace(make_panel(*members), titles=named))
    said = re.findall(r"(?m)^- (.*) say that this tries to steer the judges: \[(.*)\]", text)
    assert said == [("2 of 3 members", "One")]


def test_nobody_but_the_program_says_that_it_was_checked() -> None:
    lie = f"{CHECKED}: all of it is true."
    at = exchange(argument("prop_000a", claim=lie), argument("opp_000a"))
    said = [*list_speeches(at, ask_panel(find_verdict(at)))]
    assert [s.by for s in said] == ["prop", "opp"]
    assert f"said to be {CHECKED}" in said[0].text
    assert not [row for s in said for row in s.text.split("\n") if row.startswith(CHECKED)]
