"""The page: what it says, that its links lead somewhere, and that no text can break it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.model.debate import Debate, Definition, Framing
from debate_ops.model.entries import Absence, Argument, Ground, Judgment, Link, Rescore, Score
from debate_ops.model.score import Millis
from debate_ops.reports.page import MOST_BYTES
from debate_ops.semantics.flow import RULE, THREAD_RULE
from tests.reports.debates import (
    OPENING,
    TITLES,
    absence,
    argument,
    debate,
    judgment,
    long_debate,
    short_debate,
)
from tests.reports.pages import check_form, check_lines, headings, page_of, targets

MINUS = "\N{MINUS SIGN}"
SECTIONS = [
    "## Decision note",
    "## What decided it",
    "## Map of the debate",
    "## Arguments",
    "## Flow",
    "### Attacks and how each was answered",
    "## What stands once everything is counted",
    "## Scores that were changed",
    "## Sources",
    "## How this was made",
]


def verdict(of: Debate) -> str:
    return next(line for line in page_of(of).split("\n") if line.startswith("- **Verdict:**"))


def replay_line(of: Debate) -> str:
    return next(line for line in page_of(of).split("\n") if line.startswith("> **This is"))


# ---------------------------------------------------------------- what it says


def test_the_verdict_is_one_line_with_totals_span_and_judge() -> None:
    assert verdict(short_debate(made_by={"model": "m-1"})) == (
        "- **Verdict:** **The proposition is ahead by 1.70** (Proposition +0.725, opposition "
        f"{MINUS}0.975) after the opening and 2 exchanges, 10 arguments, ahead since the opening. "
        "One judge (m-1), not replicated."
    )


def test_totals_that_do_not_mirror_each_other_are_explained() -> None:
    assert "because a rescore changes one side's total alone" in page_of(short_debate())
    even = debate(*(argument(i) for i in OPENING), judgment(0, dict.fromkeys(OPENING, 0)))
    assert "because a rescore changes" not in page_of(even)


def test_an_unknown_judge_is_said_to_be_unknown() -> None:
    assert "One judge, not replicated; who it was is not recorded." in verdict(short_debate())


def test_a_draw_is_told_as_level() -> None:
    level = debate(*(argument(i) for i in OPENING), judgment(0, dict.fromkeys(OPENING, 0)))
    assert "**The sides are level** (Proposition 0.00, opposition 0.00)" in verdict(level)


def test_without_a_judgment_there_is_no_verdict() -> None:
    waiting = verdict(debate(*(argument(i) for i in OPENING)))
    assert waiting.startswith("- **Verdict:** None yet. The opening is still to be judged")
    assert "0.00" not in page_of(debate(argument("prop_001")))


def test_a_debate_without_arguments_has_a_page() -> None:
    page = page_of(debate())
    assert "The debate has not begun" in page
    assert targets(page) == {
        "debate.md",
        "report.html",
        "charts/tug-of-war-light.svg",
        "charts/tug-of-war-dark.svg",
    }
    check_form(page)


def test_an_exchange_under_way_is_told_apart_from_the_totals() -> None:
    made = debate(
        *(argument(i) for i in OPENING),
        judgment(0, dict.fromkeys(OPENING, 0)),
        argument("prop_001"),
        argument("opp_001"),
    )
    told = verdict(made)
    assert "after the opening, 6 arguments" in told
    waiting = "Exchange 1 is still to be judged: its 2 arguments are not in these totals."
    assert waiting in page_of(made)


def test_a_replay_is_labelled_with_who_debated_and_when() -> None:
    origin = {
        "debate": "first",
        "held": "2026-01-01",
        "by": {"prop": "m-1", "opp": "m-1", "judge": "m-2"},
    }
    assert replay_line(short_debate(replay_of=origin)) == (
        "> **This is a replay of “first”, debated on 2026-01-01 by m-1 (proposition and "
        "opposition); m-2 (judge).** Its replies come from that record; nobody was asked anew."
    )


def test_a_replay_of_unknown_agents_says_so() -> None:
    origin = {"debate": "first", "by": dict.fromkeys(("prop", "opp", "judge"), "not recorded")}
    assert "debated by agents that were not recorded" in replay_line(short_debate(replay_of=origin))


def test_the_page_has_its_parts_in_order() -> None:
    assert headings(page_of(short_debate())) == ["# This house would X", *SECTIONS]


def test_the_swing_the_extremes_and_the_open_attacks_decide() -> None:
    page = page_of(short_debate())
    part = page.partition("## What decided it")[2].partition("\n## ")[0]
    assert (
        "**Largest change of the lead:** [exchange 1][judge_001], by 0.45 towards the proposition "
        f"(proposition +0.10, opposition {MINUS}0.35)."
    ) in part
    assert "**Highest score:** +0.35, [prop_001] The title of prop_001 here. " in part
    assert "[The judge][judge_001]: “Why prop_001 has it.”" in part
    assert "**Rescore:** +0.40 → +0.15 in exchange 1, [prop_000b]." in part
    assert "**Attacks:** 1 of 7 was dropped ([prop_001] on [opp_000b]);" in part


def test_of_an_opening_alone_the_opening_is_the_largest_change() -> None:
    opened = debate(
        *(argument(i) for i in OPENING),
        judgment(0, dict(zip(OPENING, (100, 0, 0, 0, 0, -100), strict=True))),
    )
    assert "of the lead:** [opening][judge_000], by 0.20 towards the prop" in page_of(opened)


def test_every_claim_stands_under_its_side() -> None:
    made = debate(
        argument("prop_001", title="A *title*", claim="It <b>pays</b>."),
        argument("opp_001"),
        judgment(1, {"prop_001": 100, "opp_001": -100}),
    )
    assert (
        "**Proposition** (total +0.10)\n\n"
        "- [prop_001] **A \\*title\\*** (+0.10): It &lt;b&gt;pays&lt;/b&gt;.\n\n"
        f"**Opposition** (total {MINUS}0.10)\n\n"
        f"- [opp_001] **The title of opp_001 here** ({MINUS}0.10): One sentence.\n\n"
    ) in page_of(made)


def test_definitions_and_scope_stand_near_the_top() -> None:
    framing = Framing("This house would X", (Definition("X", "a *thing*"),), "Here.")
    top = page_of(debate(framing=framing)).partition("<picture>")[0]
    assert top.endswith("\n\n- **X:** a \\*thing\\*\n- **Scope:** Here.\n\n")


def test_long_definitions_are_folded_away_and_many_are_counted() -> None:
    framing = Framing("M", tuple(Definition(f"term {i}", "word " * 20) for i in range(20)))
    top = page_of(debate(framing=framing)).partition("<picture>")[0]
    assert "<summary>Definitions</summary>\n\n- **term 0:** word" in top
    assert "- 8 more definitions: see [debate.md](debate.md)\n\n</details>" in top


def test_attacks_that_share_a_row_are_told() -> None:
    twice = (Link("prop_001", "claim_attack", "a"), Link("prop_001", "warrant_attack", "b"))
    page = page_of(debate(argument("prop_001"), argument("opp_002", attacks=twice)))
    assert "several parts of another share a row: 2 attacks in 1 row." in page
    assert "share a row" not in page_of(short_debate())


def replayed(*made_by: dict[str, str]) -> Debate:
    """Return a replay of a debate whose judgments were made so."""
    values = [value for i in range(len(made_by)) for value in _exchange(i + 1)]
    made = debate(*values, replay_of={"debate": "first"})
    for number, inner in enumerate(made_by, 1):
        entry = made.record.get(f"judge_{number:03d}")
        assert entry is not None
        original = {"made_by": inner} if inner else {}
        assert isinstance(entry.header, dict)
        entry.header["made_by"] = {"replay_of": {"debate": "first", **original}}
    return made


def _exchange(number: int) -> tuple[Argument, Argument, Judgment]:
    ids = (f"prop_{number:03d}", f"opp_{number:03d}")
    return argument(ids[0]), argument(ids[1]), judgment(number, dict.fromkeys(ids, 0))


def test_a_replays_maker_is_named_once_and_said_to_be_replayed() -> None:
    page = page_of(replayed({"by": "Somebody"}, {"by": "Somebody"}))
    assert "One judge (Somebody; replayed), not replicated." in page
    assert "| judge | 2 | Somebody; replayed |" in page


def test_replies_without_a_maker_are_counted() -> None:
    page = page_of(replayed({"by": "Somebody"}, {}, {}))
    assert "One judge (Somebody; not recorded for 2 of 3; replayed), not replicated." in page
    nobody = page_of(replayed({}, {}))
    assert "| judge | 2 | not recorded; replayed |" in nobody
    assert "who it was is not recorded." in nobody


def test_the_table_shows_score_history_and_state_of_each_argument() -> None:
    own = page_of(short_debate()).partition("## Arguments")[2].partition("\n## ")[0]
    rows = {line.split(" | ")[0]: line for line in own.split("\n") if " | " in line}
    assert rows["| [prop_000b]"] == (
        "| [prop_000b] | proposition | The title of prop_000b here | [+0.15][judge_001] "
        "| [+0.40][judge_000] | [opp_001], [opp_002] |  | 1 no turn left, 1 answered |"
    )
    assert rows["| [opp_000c]"].endswith("|  |  | never attacked |")


def test_the_rule_stands_where_it_is_used_with_every_count() -> None:
    page = page_of(short_debate())
    assert RULE in page
    assert THREAD_RULE in page
    assert (
        "7 attacks: 4 answered (2 defended, 3 counter-attacked, 2 by a counter-attack alone), "
        "1 dropped, 2 no turn left. Never attacked: [opp_000c], [prop_001]. "
        "Too late to be answered: [prop_002], [opp_002].\n"
    ) in page


def test_an_argument_without_a_score_is_never_shown_as_zero() -> None:
    row = next(
        line
        for line in page_of(debate(argument("prop_001"))).split("\n")
        if line.startswith("| [prop_001]")
    )
    assert "| not scored |" in row


def test_a_changed_score_stands_with_the_judges_reason() -> None:
    part = page_of(short_debate()).partition("## Scores that were changed")[2]
    assert part.startswith("\n\n- [prop_000b] +0.40 → +0.15 (exchange 1)\n\n<details>\n<summary>1 ")
    assert "- [prop_000b] from +0.40 to +0.15 in exchange 1. [The judge][judge_001]: " in part
    assert "“Why prop_000b changed.”" in part


def test_sources_are_said_to_be_unchecked() -> None:
    part = page_of(short_debate()).partition("## Sources")[2]
    assert part.startswith("\n\nAs cited by the debaters, not checked.\n\n- A source ([prop_000a]")


def test_absences_and_settings_and_makers_are_told() -> None:
    made = debate(
        argument("prop_001"),
        absence("opp_001-absence"),
        judgment(1, {"prop_001": 0}),
        made_by={"command": "agent -p", "latency_ms": 2500},
    )
    part = page_of(made).partition("## How this was made")[2]
    assert "| proposition | 1 | command agent -p | 2.5 s | not recorded |" in part
    assert (
        "- [opp_001-absence], opposition, exchange 1 (skip, by user): “It did not answer.”" in part
    )
    assert "Settings: word limits warn; web search allowed; language not set" in part
    assert "judgments/opp_001-absence.md" in targets(page_of(made))


def test_warnings_are_counted_and_listed_in_a_fold() -> None:
    made = debate(argument("prop_001", claim="word " * 30, title="Two words"))
    part = page_of(made).partition("## How this was made")[2]
    assert "<summary>2 warnings: 2 word limit</summary>" in part
    assert "- arguments/prop_001.md: claim: claim has 30 words, wanted at most 25" in part


def test_pictures_have_alternative_texts_that_state_the_result() -> None:
    alts = re.findall(r'<img alt="([^"]*)"', page_of(short_debate()))
    assert len(alts) == 4
    assert f"Proposition +0.725, opposition {MINUS}0.975" in alts[0]
    assert "Rescores moved the totals in exchange 1." in alts[0]
    assert "Map of 10 arguments with 7 attacks: 4 answered, 1 dropped" in alts[1]
    assert "Changed afterwards: prop_000b from +0.40 to +0.15." in alts[2]
    assert "Dropped: prop_001 on opp_000b." in alts[3]


def test_a_motion_of_several_lines_is_titled_by_its_first() -> None:
    page = page_of(debate(motion="What to do?\n\nIt is about:\n- this"))
    assert page.startswith("# What to do?\n\n> What to do?\\\n> It is about:\\\n> \\- this\n")


def test_a_huge_motion_is_shortened_and_says_where_it_stands() -> None:
    page = page_of(debate(motion="word " * 4000))
    assert len(page) < 12_000
    assert "it stands in full in [debate.md](debate.md)" in page


# ---------------------------------------------------------------- how large it is


def test_a_source_that_all_cite_does_not_make_the_page_too_long() -> None:
    one = argument("prop_000a").grounds
    made = (
        argument(f"{side}_{number:03d}", grounds=one)
        for number in range(1, 900)
        for side in ("prop", "opp")
    )
    page = page_of(debate(*made))
    assert len(page.encode("utf-8")) < MOST_BYTES
    assert " earlier ones)" in page


@pytest.mark.parametrize("exchanges", [27, 300])
def test_a_long_debate_stays_below_64_kb_and_says_what_is_left_out(exchanges: int) -> None:
    page = page_of(long_debate(exchanges, motion="This house would go on " * 5))
    assert len(page.encode("utf-8")) < MOST_BYTES
    targets(page)
    check_form(page)
    if exchanges == 300:
        assert "earlier arguments left out here: the page would be too long." in page


def test_a_debate_of_60_arguments_has_them_all() -> None:
    page = page_of(long_debate(27)).partition("## Arguments")[2].partition("\n## ")[0]
    rows = [
        line for line in page.split("\n") if re.match(r"\| \[(prop|opp)_\w+\] \| (prop|opp)", line)
    ]
    assert len(rows) == 60


# ---------------------------------------------------------------- hostile texts

ANY = st.text(max_size=60) | st.text(
    st.sampled_from("<>|`*_[]()#!\\-$&\n ~:/.ahtps\"'@{}"), max_size=60
)
HOSTILE = (
    "<script>alert(1)</script>",
    "a | b || c",
    "<!-- debate-ops:end -->",
    "</details></summary>",
    "```\n# x\n```",
    "[prop_001]: http://evil.example",
    "![x](http://evil.example/x.png)",
    "[click](javascript:alert(1))",
    '" onload="alert(1)',
    "x" * 20_000,
    "\\",
    "*_~`$",
    "https://x.example/|<b>",
    "one\n# x\n- y\n1. z\n===\n---\n> q\n: d\n    code",
    "# x",
    "1. x",
    "- x",
    "x #",
    *TITLES,
)


@given(ANY | st.sampled_from(HOSTILE))
@settings(max_examples=120)
def test_no_text_can_break_the_page(text: str) -> None:
    filled = text if text.strip() else "x"
    page = page_of(everywhere(filled))
    check_form(page)
    check_lines(page)
    assert [h for h in headings(page) if h.startswith("## ")] == [
        s for s in SECTIONS if s.startswith("## ")
    ]
    assert len([h for h in headings(page) if h.startswith("# ")]) == 1
    assert "debate-ops:end" not in page.replace("&lt;!-- debate-ops:end --&gt;", "")
    size = len(page.encode("utf-8"))
    assert size < MOST_BYTES
    local = {target for target in targets(page) if not target.startswith("http")}
    assert all(re.fullmatch(r"[\w./-]+", target) for target in local), local


def everywhere(text: str) -> Debate:
    """Return a debate in which every text is the same."""
    links = (Link("opp_001", "claim_attack", text),)
    return debate(
        argument("opp_001", title=text, claim=text, grounds=(Ground(text, text, text),)),
        argument("prop_002", title=text, warrant=text, backing=text, attacks=links),
        Judgment("judge_001", 1, (Score("opp_001", Millis(0), text),)),
        Judgment(
            "judge_002",
            2,
            (Score("prop_002", Millis(0), text),),
            (Rescore("opp_001", Millis(0), Millis(100), text),),
        ),
        Absence("opp_002-absence", "opp", 2, "skip", text, "user"),
        framing=Framing(text, (Definition(text, text),), text),
        made_by={"model": text},
        replay_of={"debate": text, "held": text, "by": {"prop": text}},
        created=text,
    )
