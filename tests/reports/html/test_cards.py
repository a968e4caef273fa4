"""The cards: every entry that readers may see, whole, with links both ways."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.reports.blocks import Line, Ref
from debate_ops.reports.content import content_of
from debate_ops.reports.html.cards import Card, Group, cards
from debate_ops.reports.record import Note
from tests.reports.debates import absence, argument, debate, judgment, short_debate


def groups(of: Debate, **notes: Note) -> tuple[Group, ...]:
    return cards(content_of(of), notes)


def card(of: Debate, entry_id: str, **notes: Note) -> Card:
    return next(c for group in groups(of, **notes) for c in group.cards if c.item.id == entry_id)


def links(of: Card) -> dict[str, list[tuple[str, str]]]:
    """Return what a card says of other entries, with their ids in place of their titles."""
    return {label: list(map(_link, lines)) for label, lines in of.facts.items()}


def _link(spans: Line) -> tuple[str, str]:
    reference, about = spans
    assert isinstance(reference, Ref)
    return reference.id, str(about).strip(" ()")


def test_every_entry_has_a_card_in_reading_order_but_scores_stand_with_what_they_judge() -> None:
    shown = groups(short_debate())
    assert [group.title for group in shown] == ["Opening", "Exchange 1", "Exchange 2"]
    ids = [[c.item.id for c in group.cards] for group in shown]
    assert ids[1:] == [["prop_001", "opp_001"], ["prop_002", "opp_002"]]


def test_a_card_has_every_text_and_its_claim_first_unless_that_is_long() -> None:
    shown = card(short_debate(), "prop_000a")
    assert shown.lede == "One sentence."
    assert [heading for heading, _ in shown.texts] == ["Ground, from A source", "Why", "Warrant"]
    assert (shown.words, shown.who) == (11, "proposition")
    long = debate(argument("prop_000a", claim="word " * 200), argument("opp_000a"))
    assert card(long, "prop_000a").lede == ""
    assert card(long, "prop_000a").texts[0][0] == "Claim"


def test_links_lead_both_ways_with_the_part_that_is_meant() -> None:
    assert links(card(short_debate(), "prop_002")) == {
        "Attacks": [("opp_001", "claim")],
        "Defends": [("prop_000a", "reinforce")],
    }
    assert links(card(short_debate(), "opp_001")) == {
        "Attacks": [(i, "claim") for i in ("prop_000a", "prop_000b", "prop_000c")],
        "Attacked by": [("prop_002", "claim")],
    }


def test_an_absence_stands_where_its_reply_would_and_says_why() -> None:
    silent = debate(
        argument("prop_000a"),
        argument("opp_000a"),
        judgment(0, {"prop_000a": 100, "opp_000a": -100}),
        argument("prop_001"),
        absence("opp_001"),
        absence("judge_001"),
    )
    assert [c.item.id for c in groups(silent)[1].cards] == ["prop_001", "opp_001", "judge_001"]
    absent = card(silent, "opp_001").item.absence
    assert absent is not None
    assert (absent.how, absent.by) == ("skip", "user")
    assert card(silent, "opp_001").texts == (("", "It did not answer."),)
