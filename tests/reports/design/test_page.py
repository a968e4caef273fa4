"""The report of a design debate: the solution first, what it meets, and how it came about."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops import engine
from debate_ops.model.turn import Act
from debate_ops.reports import page as pages
from debate_ops.reports.design import numbers
from debate_ops.reports.design.numbers import Numbers
from debate_ops.reports.draw import draw
from debate_ops.reports.given import Given
from debate_ops.reports.page import MOST_BYTES
from debate_ops.reports.table import report_of
from debate_ops.storage.folder import Folder
from tests.reports.design.debates import (
    USUAL,
    Plan,
    Scripted,
    all_pairs,
    answered,
    debate,
    people,
)
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of, go_on
from tests.reports.pages import check_page, headings, structure

pytestmark = pytest.mark.usefixtures("work")

ASKING = USUAL._replace(asks={("ann", 1): 2, ("ben", 1): 1, ("ann", 2): 1}, unmet=[])
NOTHING_ACCEPTED = USUAL._replace(rejects=["ann", "ben", "cara"])


def page(folder: Folder) -> str:
    draw(folder)
    return check_page(folder)


def told(folder: Folder) -> Numbers:
    return numbers.of(debate_of(folder))


def part(text: str, heading: str) -> str:
    return text.partition(f"{heading}\n")[2].partition("\n## ")[0]


# ---------------------------------------------------------------- the solution


def test_the_solution_is_told_first_with_confidence_and_what_is_unmet() -> None:
    text = page(debate())
    assert (
        "- **Verdict:** **The solution: One outbox, emptied by one worker (confidence 75 of 100)** "
        "([judge_002-synthesis]). The debate ended after 2 exchanges, which is the limit. One "
        "judge (m-1), not replicated.\n"
    ) in text
    solution = part(text, "## The solution")
    assert "**One outbox, emptied by one worker** ([judge_002-synthesis])" in solution
    assert "**Trade-offs**\n\n- Orders show up late in the warehouse" in solution
    assert "**Recommendations**\n\n- Measure the outbox" in solution
    assert "**Open questions**\n\n- Who is called at night?" in solution
    sure = part(text, "## Confidence")
    assert "By the judge who wrote it:\n\nAll texts agree" in sure


@pytest.mark.parametrize(
    ("plan", "settings", "why"),
    [
        (USUAL, {}, "after 2 exchanges, which is the limit."),
        (NOTHING_ACCEPTED, {}, "after 1 exchange: nothing new came, no point was accepted."),
        (
            USUAL,
            {"stop_at_confidence": 60},
            "after 1 exchange: the judge's confidence reached 60.",
        ),
    ],
    ids=["count", "nothing new", "confidence"],
)
def test_what_stopped_the_debate_is_told(plan: Plan, settings: dict[str, Any], why: str) -> None:
    assert f"The debate ended {why}" in page(debate(plan, **settings))


def test_unmet_requirements_are_listed_and_major_ones_stand_out() -> None:
    plan = USUAL._replace(unmet=["r1", "r3"], confidence=40)
    text = page(debate(plan))
    assert "Unmet: r1 and r3, 1 of them major." in text
    assert part(text, "## Unmet requirements").strip() == (
        "- r1 (**major**): No order is lost when the warehouse is offline for a day\n"
        "- r3 (minor): A new colleague understands the flow in an afternoon"
    )
    none = page(debate(USUAL._replace(unmet=[]), slug="none"))
    assert part(none, "## Unmet requirements").strip() == "None, by the judge's word."


def test_without_a_synthesis_no_solution_is_made_up() -> None:
    text = page(debate(USUAL._replace(absent=[("judge", "synthesis")])))
    assert "**Completed, without a solution**. The judge was to write the solution" in text
    assert "## The solution" not in text
    assert "## Unmet requirements" not in text


def test_a_debate_under_way_says_where_it_is() -> None:
    text = page(debate(turns=2))
    assert "- **Verdict:** **Not completed**. It is in exchange 1, refinements." in text
    assert "6 critiques" not in text.partition("## How this was made")[2]


def test_a_debate_that_has_not_begun_has_a_page() -> None:
    text = page(debate(turns=0))
    assert "- **Verdict:** **Not completed**. It is in exchange 1, proposals." in text
    assert "charts/" not in text


def test_a_cancelled_debate_says_why_and_who_cancelled() -> None:
    folder = debate(turns=2)
    engine.act(folder, Act("cancel", {"reason": "no need"}, "boss"))
    assert "- **Verdict:** **Cancelled: no solution**. By boss: no need.\n" in page(folder)


# ---------------------------------------------------------------- requirements, questions


def test_coverage_is_that_of_each_authors_last_text() -> None:
    table = part(page(debate()), "## Requirements, and how far each text says to meet them")
    assert "| Id | Level | Requirement | ann | ben | cara |" in table
    assert "| r2 | major | A customer sees within two seconds that the order is taken | " in table
    rows = [line.split(" | ")[3:] for line in table.split("\n") if line.startswith("| r")]
    assert [" ".join(row) for row in rows] == [
        "full full partial |",
        "partial full full |",
        "full none full |",
    ]
    assert "ann ([ann_002-refinement]):" in table
    assert "- r2, partial: “By the outbox of ann.”" in table


def test_an_author_without_a_text_has_a_dash() -> None:
    plan = USUAL._replace(absent=[("ben", "proposal")], unmet=[])
    table = part(page(debate(plan)), "## Requirements, and how far each text says to meet them")
    assert "| full | \N{EN DASH} | partial |" in table


def test_without_requirements_the_page_says_so() -> None:
    plan = USUAL._replace(absent=[("judge", "requirements")], unmet=[])
    text = page(debate(plan, requirements=[]))
    assert "None are on record." in text


def test_every_question_is_told_with_its_answer_and_by_whom() -> None:
    folder = debate(ASKING, clarifying_questions=2)
    open_ = part(page(folder), "## Clarifications")
    assert open_.count("*not answered*") == 3
    answered(folder, ASKING, ann_000__question__2="")
    answered(folder, ASKING)
    table = part(page(folder), "## Clarifications")
    assert (
        "| [ann_000-question-1] | ann | How many orders an hour, by ann, 1.1? | About 200. "
        "([boss][person_000-clarification-1]) |"
    ) in table
    assert "by ann, 1.2? | *not applicable* ([boss][person_000-clarification-2]) |" in table
    assert "| [ann_000-question-3] | ann |" in table


# ---------------------------------------------------------------- critiques, texts


def test_what_came_of_each_critique_is_counted_by_pair() -> None:
    text = part(page(debate()), "## Who criticised whom, and what came of it")
    assert "14 points: 8 accepted, 6 rejected." in text
    assert "| [ann][ann_001-critique-2] | [ben_001-proposal] | 2 | 1 | 1 | 1 | 0 |" in text
    assert "| [ben][ben_001-critique-3] | [cara_001-proposal] | 0 | 0 | 0 | 0 | 0 |" in text
    assert "| [cara][cara_002-critique-2] | [ben_001-refinement] | 3 | 2 | 2 | 1 | 0 |" in text


def test_each_point_is_told_with_its_verdict_and_the_authors_reason() -> None:
    text = page(debate())
    assert (
        "- [ann_001-critique-2], point 1 (major), of [ben_001-proposal]: “ben does not say who "
        "empties the outbox.” **Accepted** ([ben_001-refinement]): “The worker of the shop empties "
        "it every minute.”"
    ) in text
    assert (
        "- [ann_001-critique-3], point 1 (minor), of [cara_001-proposal]: “cara does not say who "
        "empties the outbox.” **Rejected** ([cara_001-refinement]):"
    ) in text


def test_points_that_nobody_answered_are_counted_as_such() -> None:
    text = page(debate(USUAL._replace(absent=[("ben", "refinement")])))
    assert "14 points: 2 accepted, 2 rejected, 10 not answered." in text
    assert "| [ann][ann_001-critique-2] | [ben_001-proposal] | 2 | 1 | 0 | 0 | 2 |" in text
    assert "“ben does not say who empties the outbox.” **Not answered.**" in text


def test_how_the_texts_changed_is_told_by_author_and_exchange() -> None:
    folder = debate()
    table = part(page(folder), "## How the texts changed")
    first, second, third = [line for line in table.split("\n") if line.startswith("| ben ")]
    sizes = {text.id: f"{len(text.solution):,}" for text in told(folder).texts}
    dash = "\N{EN DASH}"
    assert first == (
        f"| ben | 1 | [ben_001-proposal] | {sizes['ben_001-proposal']} | {dash} | {dash} | 2 of 3 |"
    )
    size = sizes["ben_001-refinement"]
    assert second == f"| ben | 1 | [ben_001-refinement] | {size} | 3 | 2 | 2 of 3 |"
    assert third.startswith("| ben | 2 | [ben_002-refinement] |")
    assert "<summary>The last text of ben</summary>" in table


def test_an_absent_refinement_leaves_the_text_before_it_standing() -> None:
    shown = told(debate(USUAL._replace(absent=[("ben", "refinement")])))
    assert [text.id for text in shown.current] == [
        "ann_002-refinement",
        "ben_001-proposal",
        "cara_002-refinement",
    ]


def test_fresh_proposals_are_texts_of_their_own() -> None:
    table = part(page(debate(proposals="fresh")), "## How the texts changed")
    assert "| ann | 2 | [ann_002-proposal] |" in table
    assert "| ann | 2 | [ann_002-refinement] |" in table


# ---------------------------------------------------------------- the judge, summaries, prompts


def test_the_judges_assessments_are_told_with_the_threshold() -> None:
    text = page(debate(stop_at_confidence=90, max_exchanges=3))
    told_so = part(text, "## How sure the judge was after each exchange").strip().split("\n")
    after = "(the debate ends at 90): “They come closer.”"
    assert told_so == [
        f"- [Exchange 1][judge_001-assessment]: **60 of 100** {after}",
        f"- [Exchange 2][judge_002-assessment]: **80 of 100** {after}",
    ]


def test_summaries_are_told_with_their_sizes_as_on_record() -> None:
    folder = debate(summary_threshold=1000, summary_characters=500)
    table = part(page(folder), "## Summaries")
    entry = debate_of(folder).record.get("ben_002-summary")
    assert entry is not None
    before, after = entry.header["before"], entry.header["after"]
    assert before >= 1000 > after
    covers = len(entry.header["covers"])
    row = f"| [ben_002-summary] | ben | 2 | {before:,} | {after} | {covers} entries |"
    assert row in table
    assert "| [judge_002-summary] | judge | 2 |" in table
    assert "## Summaries" not in page(debate(summary_threshold=0, slug="none"))


def test_texts_of_the_users_own_are_told_with_the_files_they_came_from() -> None:
    own = {
        "name": "ann",
        "role": "architect",
        "description": {"file": "ann.md", "text": "You are ann."},
        "prompts": {"critique": {"file": "look|hard.md", "text": "Look."}, "proposal": "Do."},
    }
    folder = debate(participants=[own, "ben:performance", "cara:simplicity"])
    table = part(page(folder), "## Role texts and prompts of the user's own")
    assert "| ann | role text | the file ann.md |" in table
    assert "| ann | prompt for: critique | the file look\\|hard.md |" in table
    assert "| ann | prompt for: proposal | the settings |" in table
    assert "| ben" not in table


# ---------------------------------------------------------------- robust


def test_the_parts_come_in_order() -> None:
    folder = debate(ASKING, clarifying_questions=2, stop_at_confidence=90)
    answered(answered(folder, ASKING), ASKING)
    assert [h for h in headings(page(folder)) if h.startswith("## ")] == [
        "## Decision note",
        "## The solution",
        "## Confidence",
        "## Unmet requirements",
        "## Requirements, and how far each text says to meet them",
        "## Clarifications",
        "## Who criticised whom, and what came of it",
        "## How the texts changed",
        "## How sure the judge was after each exchange",
        "## Summaries",
        "## How this was made",
    ]


def test_hostile_texts_change_no_structure() -> None:
    def held(text: str, motion: str, slug: str) -> Folder:
        plan = ASKING._replace(texts=text, unmet=["r1"], confidence=30)
        own = {"name": "ann", "role": "artist", "description": {"file": text[:40], "text": text}}
        requirements = [text, {"text": f"{text} too", "level": "minor"}]
        folder = debate(
            plan,
            participants=[own, "ben:performance", "cara:simplicity"],
            requirements=requirements,
            motion=motion,
            slug=slug,
            clarifying_questions=2,
            stop_at_confidence=90,
        )
        answered(folder, plan, by=text.split("\n", maxsplit=1)[0])
        return answered(folder, plan, by=text.split("\n", maxsplit=1)[0])

    first, second = (
        page(held(*each))
        for each in ((HOSTILE, HOSTILE, "evil"), ("One\n\n" + "Two\n" * 30, "Two\nlines", "tame"))
    )
    assert HOSTILE_SOLUTION in first
    first, second = (without_solution(text) for text in (first, second))
    assert [k for k in structure(first) if k != "> "] == [k for k in structure(second) if k != "> "]
    assert headings(first)[1:] == headings(second)[1:]


HOSTILE_SOLUTION = (
    '\n\n**Heading**\n\n\n- list &lt;script>alert("x")&lt;/script> !\\[x]'
    "(http\\://evil.example/a.png)\n\n| a | b |\n| --- | --- |\n"
)


def without_solution(text: str) -> str:
    """Return a page without the one text whose lists and headings are kept."""
    before, _, after = text.partition("## The solution\n")
    return before + "## " + after.partition("\n## ")[2]


def with_solution(text: str) -> str:
    """Return what stands under the solution of a debate whose solution is `text`."""
    shown = told(debate())
    assert shown.synthesis
    shown = shown._replace(synthesis=shown.synthesis._replace(solution=text))
    return part(pages.readme(report_of("design"), Given(shown)), "## The solution")


def test_the_solution_keeps_its_lists_tables_emphasis_and_code() -> None:
    found = with_solution(
        "## Parts\n\n1. a **queue**\n   - `a<b>`\n\n"
        "| x | y |\n|---|:-:|\n| 1 | 2 |\n\n```py\na <b\n```"
    )
    assert "**Parts**\n\n\n1. a **queue**\n   - `a<b>`\n" in found
    assert "| x | y |\n| --- | :-: |\n| 1 | 2 |\n" in found
    assert "\n```\na <b\n```\n" in found


def test_a_solution_that_is_too_long_is_cut_at_a_line_and_says_so() -> None:
    found = with_solution("- a line\n" * 3000)
    assert (
        "\n- a line\n\n*(shortened here; it stands in full in [its file][judge_002-synthesis])*"
    ) in found


def test_a_large_debate_has_a_page_of_bounded_length() -> None:
    names = people(12)
    plan = Plan(points=all_pairs(12))
    text = page(debate(plan, participants=names, requirements=[f"Need {i}" for i in range(30)]))
    assert len(text.encode()) < MOST_BYTES


def test_a_page_that_would_be_too_long_says_what_it_leaves_out() -> None:
    few = told(debate())
    many = few._replace(critiques=few.critiques * 60, texts=few.texts * 40)
    text = pages.readme(report_of("design"), Given(many))
    assert len(text.encode()) < MOST_BYTES
    assert "earlier critiques left out here: the page would be too long." in text


def test_drawing_again_changes_nothing_until_something_is_added() -> None:
    folder = debate(turns=2)
    draw(folder)
    assert draw(folder).unchanged
    go_on(folder, Scripted(USUAL))
    assert not draw(folder).unchanged
    assert "## The solution" in check_page(folder)


def test_a_pass_is_a_reply() -> None:
    shown = told(debate(clarifying_questions=1, max_exchanges=1))
    by_name = {made.participant: made.replies for made in shown.made}
    without = told(debate(max_exchanges=1, slug="y-debate"))
    before = {made.participant: made.replies for made in without.made}
    assert {name: by_name[name] - before[name] for name in ("ann", "ben", "cara")} == {
        "ann": 1,
        "ben": 1,
        "cara": 1,
    }


def test_critiques_and_questions_stand_in_the_order_of_the_settings() -> None:
    given = "cara:simplicity,ann:architect,ben:performance"
    plan = USUAL._replace(asks={("ann", 1): 1, ("cara", 1): 1})
    shown = told(answered(debate(plan, participants=given, clarifying_questions=1), plan))
    assert [each.by for each in shown.questions] == ["cara", "ann"]
    first = [each.critic for each in shown.critiques if each.exchange == 1]
    assert list(dict.fromkeys(first)) == ["cara", "ann", "ben"]
