"""The cards: every entry that readers may see, whole, with links both ways."""

from __future__ import annotations

from collections.abc import Sequence

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Link
from debate_ops.reports.html.cards import Card, Told, cards
from debate_ops.reports.parts import Aside
from debate_ops.reports.table import report_of
from tests.reports.debates import absence, argument, debate, judgment, short_debate


def told(given: Debate, **asides: Aside) -> Told:
    report = report_of(given.protocol)
    names = {"prop": "proposition", "opp": "opposition", "judge": "judge"}
    return cards(given, report.transcript_of(given), names, asides)


def card(given: Debate, entry_id: str, **asides: Aside) -> Card:
    return next(c for c in told(given, **asides).cards if c.id == entry_id)


def ties(of: Card) -> dict[str, Sequence[tuple[str, str]]]:
    return {kind.label: [(tie.id, tie.what) for tie in kind.ties] for kind in of.ties}


def test_every_entry_has_a_card_in_reading_order_and_judgments_stand_apart() -> None:
    given = short_debate()
    found = told(given)
    said = [[c.id for c in group.cards] for group in found.said]
    decided = [[c.id for c in group.cards] for group in found.decided]
    assert said[1:] == [["prop_001", "opp_001"], ["prop_002", "opp_002"]]
    assert decided == [["judge_000"], ["judge_001"], ["judge_002"]]
    assert [group.title for group in found.said] == ["Opening", "Exchange 1", "Exchange 2"]


def test_a_card_has_every_text_its_claim_first() -> None:
    shown = card(short_debate(), "prop_000a")
    assert shown.lede == "One sentence."
    assert shown.texts == (
        ("Ground, from A source", "What it says."),
        ("Why", "Why it matters."),
        ("Warrant", "So it follows."),
    )
    assert shown.words == 11
    assert (shown.who, shown.kind, shown.title) == (
        "proposition",
        "argument",
        "The title of prop_000a here",
    )


def test_a_long_claim_is_no_lede() -> None:
    given = debate(argument("prop_000a", claim="word " * 200), argument("opp_000a"))
    assert card(given, "prop_000a").lede == ""
    assert card(given, "prop_000a").texts[0][0] == "Claim"


def test_links_lead_both_ways_with_the_part_that_is_meant() -> None:
    given = short_debate()
    assert ties(card(given, "prop_002")) == {
        "Attacks": [("opp_001", "claim")],
        "Defends": [("prop_000a", "reinforce")],
    }
    assert ties(card(given, "opp_001")) == {
        "Attacks": [(i, "claim") for i in ("prop_000a", "prop_000b", "prop_000c")],
        "Attacked by": [("prop_002", "claim")],
    }


def test_several_attacks_on_one_argument_are_one_link() -> None:
    links = [Link("prop_000a", f"{part}_attack", "So.") for part in ("claim", "warrant", "claim")]
    given = debate(argument("prop_000a"), argument("opp_001", attacks=links))
    assert ties(card(given, "prop_000a")) == {"Attacked by": [("opp_001", "claim, warrant")]}


def test_a_link_to_what_is_not_there_stands_with_who_made_it() -> None:
    given = debate(argument("prop_000a"), argument("opp_001", attacks=["prop_777"]))
    assert ties(card(given, "opp_001")) == {"Attacks": [("prop_777", "claim")]}
    assert all(not c.ties for c in told(given).cards if c.id != "opp_001")


def test_what_the_protocol_tells_of_links_stands_in_place_of_them() -> None:
    aside = Aside(facts=(("Attacks", "[opp_001]: dropped"),))
    assert ties(card(short_debate(), "prop_002", prop_002=aside)) == {
        "Defends": [("prop_000a", "reinforce")]
    }


def test_an_absence_stands_where_its_reply_would_and_says_why() -> None:
    given = debate(
        argument("prop_000a"),
        argument("opp_000a"),
        judgment(0, {"prop_000a": 100, "opp_000a": -100}),
        argument("prop_001"),
        absence("opp_001"),
    )
    found = told(given)
    assert [c.id for c in found.said[1].cards] == ["prop_001", "opp_001"]
    assert card(given, "opp_001").absent == "skip, by user"
    assert card(given, "opp_001").texts == (("", "It did not answer."),)


def test_the_absence_of_the_judge_is_among_the_rulings() -> None:
    given = debate(argument("prop_000a"), argument("opp_000a"), absence("judge_000"))
    assert [c.id for group in told(given).decided for c in group.cards] == ["judge_000"]
