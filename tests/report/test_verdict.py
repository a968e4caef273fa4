"""What debates come to: an answer only where the record gives one, and sureness by the rule."""

from dataclasses import replace

import pytest

from debate_ops.analysis.evidence import CHECKED
from debate_ops.analysis.flow import Attack, State
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Debate, Entry
from debate_ops.report.page import make_cards
from debate_ops.report.texts import write_transcript
from debate_ops.report.verdict import (
    RULE,
    Flow,
    Level,
    Reason,
    Verdict,
    find_verdict,
    name_decision,
)
from tests.builders import ROOT
from tests.courses import run_course
from tests.report.stage import (
    OPENING,
    absence,
    argument,
    attacked,
    exchange,
    judgment,
    read_at,
    scored,
)

ESCALATED = "consensus-escalated-decided"
AHEAD = (0.5, 0.3, 0.2, -0.3, -0.3, -0.4)
IDLE = ("prop_002", "opp_001", "claim")
OPENED = [argument(an_id) for an_id in OPENING]
JUDGED = [*OPENED, judgment(0, dict(zip(OPENING, AHEAD, strict=True)))]
NO_PROP = [*JUDGED, argument("opp_001"), absence("prop", 1)]
NO_OPP = [*JUDGED, argument("prop_001"), absence("opp", 1)]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("against the motion", "against the motion"),
        ("that the solution does what was asked", "that the solution does what was asked"),
        ("that the town pays", "for “that the town pays”"),
        ("against the town", "for “against the town”"),
    ],
)
def test_a_choice_in_words_of_others_stands_in_quotation_marks(choice: str, said: str) -> None:
    assert name_decision(choice) == said


@pytest.mark.parametrize(
    ("scores", "favoured", "level"),
    [
        ((0, 0, 0, 0, 0, 0), "", Level.TOO_CLOSE),
        ((0.05, 0, 0, 0, 0, 0), "", Level.TOO_CLOSE),
        ((0, 0, 0, 0, 0, 0.05), "", Level.TOO_CLOSE),
        ((0.02, 0, 0, 0, 0, -0.01), "prop", Level.MODERATE),
        ((0.04, 0, 0, 0, 0, 0), "", Level.TOO_CLOSE),
        ((0.1, 0.1, 0.1, -0.1, -0.1, -0.1), "prop", Level.MODERATE),
        ((-0.1, -0.1, -0.1, 0.1, 0.1, 0.1), "opp", Level.MODERATE),
        ((0.5, -0.2, -0.2, 0, 0, 0), "prop", Level.LOW),
    ],
)
def test_a_side_is_favoured_only_by_more_than_the_smallest_step(
    scores: tuple[float, ...], favoured: str, level: Level
) -> None:
    verdict = find_verdict(scored(*scores))
    assert (verdict.favoured, verdict.level) == (favoured, level)


@pytest.mark.parametrize(
    ("at", "answer", "level", "reason"),
    [
        (exchange(), "yet: nothing has been judged", Level.NOT_FINISHED, "No exchange"),
        (exchange(*OPENED, place=1), "nothing has been judged", Level.NOT_JUDGED, "judged"),
        (scored(*AHEAD), "leans towards the motion", Level.MODERATE, "One judge, one run (m-1)"),
        (scored(*(-s for s in AHEAD)), "leans against", Level.MODERATE, "Nobody checked"),
        (scored(0.5, -0.2, -0.2, 0, 0, 0), "leans towards", Level.LOW, "(1 of 6 would do it)"),
        (exchange(*NO_OPP), "leans towards", Level.MODERATE, "gave no argument in 1 of 2"),
        (exchange(*NO_PROP), "leans towards", Level.LOW, "which is ahead, gave no argument"),
        (exchange(*NO_PROP, limit=1), "Too close", Level.TOO_CLOSE, "; the debate ended"),
        (
            exchange(*JUDGED, argument("prop_001"), argument("opp_001"), absence("judge", 1)),
            "leans towards", Level.LOW, "never scored 2 of 8 arguments",
        ),
        (attacked(), "leans towards", Level.MODERATE, "2 of 5 attacks came too late"),
        (attacked([(*IDLE, "missed")]), "leans towards", Level.MODERATE, "2 of 5 attacks came"),
        (attacked([(*IDLE, "granted")]), "leans towards", Level.MODERATE, "2 of 5 attacks came"),
    ],
)  # fmt: skip
def test_an_exchange_answers_by_score(at: Replayed, answer: str, level: Level, reason: str) -> None:
    verdict = find_verdict(at)
    assert answer in verdict.answer
    assert verdict.level == level
    assert [r for r in verdict.reasons if reason in r.text], verdict.reasons


def test_what_nobody_checked_is_said_beside_the_quotations_that_were_compared() -> None:
    at = scored(*AHEAD)
    at.debate.documents = (("facts.md", "It rains."),)
    quotes = ({"document": "facts.md", "quote": quote} for quote in ("It rains.", "It snows."))
    at.debate.add(argument("prop_000a", grounds=[*quotes]))
    said = "1 of 2 quotations stand word for word in their sources; nobody checked whether those"
    reading = read_at(at)
    assert [r for r in reading.verdict.reasons if r.text.startswith(said)]
    facts = [fact for _, own in make_cards(reading) for card in own for fact in card["facts"]]
    (marked,) = [text for label, text in facts if label == CHECKED]
    assert marked.startswith("the quotation of ground 2 was not found in the context")


def test_a_closing_is_shown_and_one_that_is_missing_is_no_absence() -> None:
    away = replace(absence("opp", 0), number=1)
    said = Entry("prop", 0, "closing", {"title": "The end"}, {"Statement": "We *say* so."})
    reading = read_at(exchange(*JUDGED, said, away))
    assert not [r for r in reading.verdict.reasons if "gave no argument" in r.text]
    assert "## Closing statements\n\n### Proposition: The end" in write_transcript(reading)


def test_a_concession_is_shown_with_what_is_given_up() -> None:
    given = [{"target_id": "prop_000b", "content": "It costs more."}]
    reading = read_at(exchange(*OPENED, argument("prop_001", concedes=given)))
    assert "**Concedes prop_000b**\n\n> It costs more." in write_transcript(reading)
    cards = {card["e"].id: card for _, own in make_cards(reading) for card in own}
    heading, said = cards["prop_001"]["texts"][-1]
    assert ('Concedes <a href="#prop_000b"' in heading, said) == (True, "<p>It costs more.</p>")
    assert dict(cards["prop_000b"]["facts"]).keys() >= {"Conceded in part by"}


def test_an_agent_or_a_person_decides_where_no_vote_did() -> None:
    at = run_course(ESCALATED)
    (by_person,) = at.debate.find("decision")
    assert f"Person ({by_person.data['by']})" in write_transcript(read_at(at))
    before = at.debate
    at.debate = Debate(before.settings.model_copy(update={"decider": "chief"}), before.motion)
    data = dict(by_person.data) | {"by": "chief", "reason": "It holds."}
    by_chief = replace(by_person, by="chief", data=data, texts={"Reason": "It holds."})
    for e in before.entries.values():
        at.debate.add(by_chief if e is by_person else e)
    verdict = find_verdict(at)
    assert "ecided by chief" in verdict.answer
    assert verdict.level == Level.LOW
    assert [r.text for r in verdict.reasons if r.text.startswith("One decider, one run")]
    assert "> It holds." in write_transcript(read_at(at))


def test_a_debate_that_is_asked_for_more_is_not_over() -> None:
    assert not find_verdict(scored(*AHEAD)).stops_at
    verdict = find_verdict(scored(*AHEAD), until=3)
    assert verdict.stops_at == "it stops here: exchange 1"
    assert verdict.answer.startswith("So far")
    assert verdict.level == Level.LOW
    assert find_verdict(scored(*AHEAD)).level == Level.MODERATE
    undecided = find_verdict(scored(0, 0, 0, 0, 0, 0), until=3)
    assert undecided.level == Level.NOT_FINISHED
    assert undecided.answer == "Not finished: no side has a clear lead so far"


@pytest.mark.parametrize(
    ("effect", "thick"), [("", 1), ("landed", 1), ("partly", 0), ("met", 0), ("granted", 0)]
)
def test_the_map_marks_what_landed_whole_and_stands_or_was_dropped(effect: str, thick: int) -> None:
    effects = [("prop_001", "opp_000b", "warrant", effect)] if effect else []
    svg = find_verdict(attacked(effects)).pictures["map"]().svg
    assert svg.count('stroke-width="3.2"') == thick


def test_cards_map_and_list_say_the_same_of_attacks_and_judgments_have_the_scores() -> None:
    judged = find_verdict(attacked([("prop_001", "opp_000b", "warrant", "landed")]))
    assert judged.tags["opp_000b"] == ("attack landed", "attack dropped")
    assert str(judged.flow and judged.flow.tally).endswith("; by the judge: 1 landed")
    cards = {card["e"].id: card for _, own in make_cards(read_at(attacked())) for card in own}
    headings = [heading for heading, _ in cards["judge_000"]["texts"]]
    assert any('href="#prop_000a"' in each and "+0.30" in each for each in headings)
    assert cards["prop_000a"]["tags"] == ("attack partly conceded",)
    assert cards["opp_000b"]["tags"] == ("attack dropped",)
    assert dict(cards["opp_000b"]["facts"])["Attacked by"].endswith("</a> (warrant attack)")


def test_a_critique_is_tagged_by_its_gravest_point() -> None:
    levels = ("minor, point 1", "major, point 2", "minor, point 3")
    rows = (Attack("a_001-critique", 1, "a", "b", on, State.ANSWERED, on[:5]) for on in levels)
    assert Flow("critiques", (*rows,), "").tags == {"a_001-critique": ("major", "major")}


def test_sureness_is_the_least_that_a_reason_leaves() -> None:
    verdict = Verdict("a debate", "Yes")
    assert verdict.level == Level.HIGH
    reasons = (Reason("a", Level.MODERATE), Reason("b", Level.LOW), Reason("c"))
    shown = replace(verdict, reasons=reasons)
    assert (shown.level, [r.text for r in shown.ordered_reasons]) == (Level.LOW, ["b", "a", "c"])
    assert replace(shown, is_sought=False).sureness == "no verdict is sought"
    assert all(f"*{level.words.capitalize()}*" in RULE for level in Level if level < Level.HIGH)
    assert RULE in (ROOT / "docs/report.md").read_text("utf-8")
