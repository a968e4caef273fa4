"""The check of a narrative: what is true of the record passes, what is not is refused."""

from __future__ import annotations

import re
import time
from decimal import Decimal
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops import engine
from debate_ops.errors import Finding
from debate_ops.model.debate import Document, Framing
from debate_ops.model.entries import Ground, Link
from debate_ops.model.score import signed
from debate_ops.reports.exchange import numbers
from debate_ops.reports.exchange.narrative_check import check
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.storage.folder import Folder
from tests.builders import ROOT
from tests.reports.debates import OPENING, argument, debate, judgment, long_debate

UNSURE = re.compile(r"unsure_")


@cache
def record() -> Numbers:
    """Return the opening and two exchanges of a debate in which everything happens once.

    Totals: proposition +0.75, +0.85, +0.725; opposition -0.75, -1.10, -0.975. `prop_000b` fell
    from +0.40 to +0.15. Of 7 attacks 4 were answered, one was dropped (`prop_001` on `opp_000b`),
    2 had no turn left. `opp_000c` and `prop_001` were never attacked.
    """
    opening = (argument(i, claim=f"The claim of {i} is here.") for i in OPENING)
    return numbers.of(
        debate(
            *opening,
            judgment(0, dict(zip(OPENING, (300, 400, 50, -100, 150, -800), strict=True))),
            argument(
                "prop_001",
                attacks=[
                    Link("opp_000a", "warrant_attack", "The doses are not regular."),
                    "opp_000b",
                ],
                grounds=(
                    Ground("Tables", "It took 365 days and three hours.", "Ten months pass."),
                ),
                warrant="The seconds must appear somewhere, as steps or drift.",
            ),
            argument(
                "opp_001",
                attacks=["prop_000a", "prop_000b", "prop_000c"],
                claim="Faults of 1975 fell by 9.3% to 1,234, the debaters' own count.",
            ),
            judgment(1, {"prop_001": 350, "opp_001": -350}, {"prop_000b": (400, 150)}),
            argument("prop_002", attacks=["opp_001"], defends=["prop_000a"]),
            argument(
                "opp_002",
                attacks=["prop_000b"],
                defends=["opp_000a", Link("opp_000c", "concede_and_pivot", "It is gone.")],
            ),
            judgment(2, {"prop_002": -125, "opp_002": 125}),
            framing=Framing(
                "Spend 40 million?", context=(Document("facts", "Twice as many rain."),)
            ),
        )
    )


def faults(text: str) -> list[Finding]:
    return [*check(text, record())[0]]


def codes(text: str) -> list[str]:
    return [fault.code for fault in faults(text)]


def unsure(text: str) -> list[str]:
    return [w.code for w in check(text, record())[1] if UNSURE.match(w.code)]


TRUE = {
    "scores": [
        "`prop_001` scored +0.35.",
        "`prop_000b`, on something else, fell from +0.40 to +0.15.",
        "`prop_001` scored +0.35 and `opp_001` -0.35.",
        "`prop_001` and `opp_001` scored +0.35 and -0.35.",
        "`prop_000b` lost 0.25 by the rescore, and `opp_002` ended at +0.125.",
        "In exchange 1 `prop_000b` fell to +0.15.",
        "`prop_000b` began at +0.40 in the opening.",
        "After the attack by `opp_001` it stood at +0.15.",
        "`prop_000b`, attacked by `opp_001`, fell to +0.15.",
        "`prop_000b`, which `opp_001` attacked, fell to +0.15.",
        "`prop_002` defended `prop_000a` and scored -0.125.",
        "The attack of `opp_001` cost `prop_000b` 0.25.",
        "The judge gave +0.35 to `prop_001`.",
        "The highest single gain, +0.35 (`prop_001`), came late.",
        "`opp_001` had minus 0.35.",
        "`opp_001` had \N{MINUS SIGN}0.35.",
        "`opp_001` had **-0.35**.",
        "`prop_001` reports 365 days.",
    ],
    "totals": [
        "The proposition stands at +0.725, the opposition at -0.975.",
        "The proposition ended at +0.725 to -0.975.",
        "The totals were +0.725 and -0.975.",
        "In exchange 1 the proposition gained +0.10.",
        "After exchange 1 the total of the proposition was +0.85.",
        "The proposition's total fell from +0.85 to +0.725.",
        "The best argument of the proposition began at +0.40.",
        "The opposition gained 0.125 in exchange 2.",
        "Both totals: one above, one below zero.",
    ],
    "leads": [
        "The proposition is ahead by 1.70.",
        "The proposition leads.",
        "The proposition won by 1.70.",
        "The opposition is behind, with a gap of 1.70.",
        "The lead narrowed from 1.95 to 1.70.",
        "The lead shrank by 0.25 in exchange 2.",
        "After exchange 1 the proposition was ahead by 1.95.",
        "The lead never changed hands.",
        "Without that score the opposition would be ahead.",
        "The opposition lost ground, and the proposition won the point on cost.",
        "The proposition led with its claim on cost.",
    ],
    "counts": [
        "There were 10 arguments and seven attacks.",
        "One of the seven attacks was dropped, and two had no turn left.",
        "Two of the 7 attacks were answered, two were not met.",
        "Six opening arguments and 4 later ones were scored.",
        "`opp_001` made three attacks.",
        "Three attacks by `opp_001` came in exchange 1.",
        "After two exchanges and one rescore one judge had spoken.",
        "The first issue, the 2nd point and two more questions met.",
        "The third attack came in the second exchange.",
        "No attack in the opening was made on the judge.",
        "Two arguments attacked `prop_000b`, which was rescored once.",
    ],
    "other numbers": [
        "By 9.3 percent, to 1234, in 1975; 40 million, 365 days.",
        "It took almost three hours, and ten months pass.",
        "The three-hour delay was twice as many rain.",
        "One side, two sides, zero sum: the word one says nothing.",
        "In 1975 it began.",
    ],
    "links": [
        "`prop_001` attacked `opp_000a` and `opp_000b`.",
        "`opp_001`, on cures upstream, attacked `prop_000a`.",
        "`prop_000a` was attacked by `opp_001`.",
        "`prop_001`'s attack on `opp_000b` was dropped.",
        "`prop_001` attacked the warrant of `opp_000a`.",
        "`prop_002` answered `opp_001` and defended `prop_000a`.",
        "`opp_002` answered `prop_001` by a defence of `opp_000a`.",
        "`opp_002` gave up `opp_000c`, which was never attacked.",
        "`prop_001` did not attack `opp_000c`.",
        "`opp_001` attacked `prop_000a`, and `prop_002` replied to `opp_001`.",
        "`prop_001` attacked `opp_000a` and `opp_001` attacked `prop_000a`.",
        "`prop_001` could have attacked `opp_000c`.",
        "`prop_001` went unanswered in one of its attacks.",
        "The attack of `prop_002` on `opp_001` went unanswered.",
        "`opp_001` was answered, and `prop_000b` was attacked.",
        "In exchange 1, `prop_001` argued the contrary.",
        "The opposition's `opp_001` and `prop_001` (proposition) met.",
    ],
    "moves": [
        "`prop_000b` was rescored in exchange 1.",
        "`prop_001` was never rescored.",
        "The judge lowered `prop_000b` in exchange 1.",
        "`prop_000b` fell in exchange 1.",
        "`prop_000b` never rose.",
        "`prop_001` rose to the question of cost.",
        "The proposition gained points in exchange 1.",
        "The opposition raised `opp_002` in exchange 2.",
        "`prop_000b` ended lower than it began.",
        "`prop_000b` ended 0.25 below where it began.",
        "`prop_000a` ended where it began.",
        "The proposition's total is positive.",
        "`prop_002` ended below zero.",
        "`prop_002` was outscored by `prop_001`.",
        "`prop_000b` ended lower than at the start.",
        "The opposition was never positive.",
        "Without it `prop_001` would have fallen, and if so the lead grew in exchange 2.",
        "The lead grew in exchange 1.",
        "The lead grew from 1.50 to 1.95 in exchange 1.",
        "Exchange 2 narrowed the gap.",
        "The lead was largest after exchange 1.",
        "The gap was smallest after the opening.",
        "`prop_001` outscored `prop_002`.",
        "All arguments of the proposition stood, and no argument of the opposition did.",
    ],
    "tallies": [
        "`prop_001` was attacked by nobody.",
        "`opp_002` was answered by nobody.",
        "`prop_000b` was attacked twice.",
        "`prop_000b` was attacked by two arguments.",
        "`opp_000a` was defended once.",
        "Each side gave five arguments.",
        "Each side opened with three arguments.",
        "The proposition opened with three arguments.",
        "The proposition opened with one argument on cost.",
        "The proposition made no concessions.",
        "The opposition made a concession.",
        "The opposition left one attack unanswered.",
        "The opposition dropped `prop_001`.",
        "`opp_000c` was conceded by the opposition.",
        "Two attacks were made in the last exchange.",
        "The proposition left two attacks unanswered.",
        "Most attacks were never answered.",
        "Each side made one attack in the last exchange.",
        "`prop_000b` received two attacks.",
        "The proposition conceded nothing.",
    ],
    "ranks": [
        "The highest score went to `prop_001`.",
        "The opposition's highest score was that of `opp_000b`.",
        "`opp_000c` has the lowest score, -0.80.",
        "The strongest argument of the proposition was `prop_001`.",
        "The largest rescore was that of `prop_000b`.",
        "One of the strongest arguments was `prop_002`.",
        "`prop_001` scored higher than `prop_002`.",
    ],
    "quotations": [
        "`prop_001` said the seconds “must appear somewhere”.",
        "`prop_001` said that “The seconds … as steps or drift”.",
        "The opposition spoke of 'the debaters' own count'.",
        "The opposition spoke of \u2018the debaters\u2019 own count\u2019.",
        "The judge wrote: „Why prop_000b changed.“",
        "«must appear somewhere» is how `prop_001` puts it.",
        "The proposition said “regular”.",
        "“must appear somewhere” (`prop_001`) was its case.",
        "Spoken of was 『must appear』.",
        "> The seconds must appear\n> somewhere, as steps or drift.",
        "It *really did not matter much* to them.",
        "`opp_002` answered `prop_001` on its “regular” doses.",
        "`opp_000a` (“The title of opp_000a here”) was first.",
    ],
}

FALSE = {
    "wrong_score": [
        "`prop_000b` was never rescored.",
        "`prop_001` was rescored.",
        "`prop_000b` was rescored in exchange 2.",
        "The judge never rescored `prop_000b`.",
        "The judge raised `prop_000b` in exchange 1.",
        "`prop_000b` was raised by the judge.",
        "`prop_001` was lowered in exchange 2.",
        "`prop_000b` rose.",
        "`prop_001`, on silent errors, fell in exchange 2.",
        "`prop_000b` never fell.",
        "The opposition gained points in exchange 1.",
        "`prop_000b` ended higher than it began.",
        "`prop_000b` ended up higher than at the start.",
        "The judge marked up `prop_000b`.",
        "`prop_000b` ended where it began.",
        "`prop_000b` ended 0.35 below where it began.",
        "`prop_000b` ended 0.25 above where it began.",
        "The proposition ended higher than it began.",
        "The proposition's total is negative.",
        "The opposition ended above zero.",
        "The opposition's total is positive.",
        "`prop_002` is positive.",
        "Both totals are negative.",
        "All arguments of the proposition ended above zero.",
        "`prop_001` scored +0.40.",
        "`prop_002` at +0.35.",
        "`prop_001`, on something else, fell to +0.15.",
        "`prop_001` scored -0.35 and `opp_001` -0.35.",
        "`prop_001` and `opp_001` scored -0.35 and +0.35.",
        "`prop_000b` fell from +0.15 to +0.40.",
        "`prop_000b` rose to +0.15.",
        "`prop_000b` gained 0.25.",
        "In exchange 1 `prop_000b` stood at +0.125.",
        "In the opening `prop_000b` stood at +0.15.",
        "`opp_001` stood at 0.35.",
        "`opp_001` had plus 0.35.",
        "The score +0.35 (`prop_002`) stood.",
        "`prop_000b` was rescored from +0.40 to +0.35.",
        "`prop_001` ended at 0.",
        "The proposition stands at -0.975.",
        "After exchange 1 the proposition's total was +0.725.",
        "After exchange 1 the proposition stood at +0.75.",
        "After exchange 1 the proposition stood at +0.10.",
        "The totals were +0.35 and -0.35.",
        "The opposition ended at -0.975 to +0.85.",
        "Both totals are below zero.",
        "Every argument ended below zero.",
        "`prop_000b` ended at +0.40.",
        "`prop_000b` began at +0.15.",
        "In exchange 1 the totals were +0.75 and -1.10.",
        "`prop_001` had **+0.**40.",
        "`prop_001` had +0&#46;40.",
        "`prop_001` had +0\\.40.",
    ],
    "unknown_number": [
        "`prop_000b` was attacked three times.",
        "`prop_000b` was attacked once.",
        "`prop_000b` received three attacks.",
        "`prop_000b` received no attacks.",
        "Each side made two attacks in the last exchange.",
        "`prop_000a` was attacked by two arguments.",
        "`opp_000a` was defended twice.",
        "Each side made seven attacks.",
        "Each side gave ten arguments.",
        "Each side opened with five arguments.",
        "The proposition opened with four arguments.",
        "The proposition gave five opening arguments.",
        "The opposition left three attacks unanswered.",
        "Three attacks were made in the last exchange.",
        "It stood at +0.47.",
        "It was .47 in the end.",
        "A margin was said: zero point four.",
        "There were nine arguments.",
        "There were 5 attacks.",
        "Two of the seven attacks were dropped.",
        "Six of the 8 attacks were answered.",
        "Three attacks had no turn left.",
        "`prop_001` made three attacks.",
        "Two rescores followed.",
        "`prop_000b` was rescored twice.",
        "The judge lowered `prop_001` twice.",
        "Five arguments attacked `prop_000b`.",
        "Three judges agreed.",
        "In exchange 5 it fell.",
        "In exchange five it fell.",
        "In exchange IV it fell.",
        "In the 3rd exchange it fell.",
        "The fourth exchange changed it.",
        "The eighth attack was its best.",
        "In 1984 it began.",
        "It took 11 years.",
        "It took four hours.",
        "It took twelve hours.",
        "It took half of the attacks.",
        "A third of the attacks failed.",
        "It made three times as many attacks.",
        "The cost was tripled.",
        "Dozens of people agreed.",
        "About 70 percent agreed.",
        "About nine percent agreed.",
        "It cost ½ more.",
        "It cost \uff11\uff17 more.",
        "It cost 17k more.",
    ],
    "wrong_lead": [
        "The lead was largest after exchange 2.",
        "The gap was smallest after exchange 1.",
        "The lead grew in exchange 2.",
        "In exchange 2 the lead widened.",
        "The lead shrank in exchange 1.",
        "Exchange 2 widened the lead.",
        "The opposition outscored the proposition.",
        "The proposition is ahead by 1.95.",
        "The opposition is ahead by 1.70.",
        "The opposition leads.",
        "The opposition won.",
        "The proposition lost the debate.",
        "The lead changed hands twice.",
        "The lead changed hands once.",
        "The sides ended level.",
        "After exchange 1 the opposition was ahead.",
        "A gap of 0.35 remained.",
        "The gap shrank from 1.95 to 1.50.",
        "Victory went to the opposition.",
        "The opposition overtook the proposition.",
    ],
    "wrong_link": [
        "`prop_000a` was attacked by nobody.",
        "Nobody challenged `prop_000a`.",
        "`prop_000a` was challenged by no one.",
        "No side conceded.",
        "The opposition conceded no point.",
        "The opposition did not concede anything.",
        "`opp_001` was answered by no one.",
        "The opposition made no concessions.",
        "The opposition conceded nothing.",
        "The opposition never conceded anything.",
        "Neither side made a concession.",
        "The proposition made concessions.",
        "The proposition dropped `opp_001`.",
        "`opp_000c` was conceded by the proposition.",
        "Most attacks were answered.",
        "`opp_001` attacked `prop_001`.",
        "`prop_001`, on some matter, attacked `opp_000c`.",
        "`prop_001` attacked `opp_000a` and `opp_000c`.",
        "`prop_001` was attacked by `opp_001`.",
        "`opp_001` was attacked by `prop_001`.",
        "`opp_001`'s attack on `prop_001` landed.",
        "The attack on `prop_001` by `opp_001` landed.",
        "`prop_001` defended `prop_000a`.",
        "`prop_001` attacked the backing of `opp_000a`.",
        "`prop_001` attacked `opp_000a`'s backing.",
        "`opp_002` rebutted `prop_002`.",
        "`prop_002` answered `opp_002`.",
        "`opp_002` gave up `opp_000a`.",
        "`prop_001` never attacked `opp_000a`.",
        "`opp_001` was never answered.",
        "`opp_001` went unanswered.",
        "`opp_001` was dropped.",
        "`prop_000a` was never attacked.",
        "`opp_000c` was attacked.",
        "`prop_000a` was conceded.",
        "Nobody answered `opp_001`.",
        "`opp_001`'s attack on `prop_000a` went unanswered.",
        "`prop_002`'s attack on `opp_001` was dropped.",
        "`prop_001`'s attack on `opp_000b` was answered.",
        "No attack was dropped.",
        "Every attack was answered.",
    ],
    "wrong_exchange": [
        "In exchange 2, `prop_001` argued the contrary.",
        "In the opening `prop_001` said no.",
        "`prop_001` attacked `opp_000a` in exchange 2.",
        "`prop_001` of exchange 2 met it.",
    ],
    "wrong_side": [
        "The opposition's `prop_001` failed.",
        "`prop_001` (opposition) failed.",
        "The opposition's reply `prop_002` failed.",
        "`prop_001` for the opposition failed.",
    ],
    "unknown_id": [
        "`prop_009` said no.",
        "## The case of `prop_009`",
        "prop 009 said no.",
        "opp3 said no.",
        "`chair-2_003` said no.",
        "`agent_1` said no.",
        "\N{CYRILLIC SMALL LETTER ER}rop_001 said no.",
        "`PROP_001` said no.",
        "`prop_00\\1a` said no.",
    ],
    "markup": ["It had +0.4\u200c0.", "It had \u202e+0.40.", "See https://example.org.", "[a]: x"],
    "wrong_rank": [
        "`prop_002` outscored `prop_001`.",
        "`prop_001` was outscored by `prop_002`.",
        "The highest score went to `prop_002`.",
        "`prop_000a` had the lowest score.",
        "`prop_002` scored higher than `prop_001`.",
        "`prop_002` has the same score as `prop_001`.",
        "The strongest argument was `prop_002`.",
        "The highest score was -0.10.",
        "The largest rescore was that of `prop_000a`.",
    ],
    "unknown_quotation": [
        "It was “never said”.",
        "It was \u2018never said\u2019.",
        "It was \u201anever said\u2018.",
        "It was 'never said'.",
        "It was 『never said』.",
        "It was \u2039never said\u203a.",
        "It was “category”.",
        "It was “econd”.",
        "It was “never said and never closed.",
        "> It was never said by anybody.",
        "It stands so:\n> It was never said by anybody.",
        "`prop_001` said *it was never said so*.",
        "It was “drift … must appear”.",
        "It was “must appear … debaters' own count”.",
        "It was “… …”.",
    ],
    "wrong_speaker": [
        "`opp_001` said the seconds “must appear somewhere”.",
        "`opp_001`: “must appear somewhere”.",
        "`opp_001`'s “must appear somewhere” failed.",
        "“must appear somewhere”, said `opp_001`.",
        "“must appear somewhere” (`opp_001`) failed.",
        "The opposition said the seconds “must appear somewhere”.",
        "The judge wrote “must appear somewhere”.",
        "`prop_000a` (“The title of opp_000a here”) was first.",
    ],
}


def rows(table: dict[str, list[str]]) -> list[object]:
    return [pytest.param(key, text, id=text) for key, texts in table.items() for text in texts]


@pytest.mark.parametrize(("family", "text"), rows(TRUE))
def test_what_is_true_of_the_record_passes(family: str, text: str) -> None:
    assert faults(text) == [], family


@pytest.mark.parametrize(("code", "text"), rows(FALSE))
def test_what_the_record_does_not_say_is_refused(code: str, text: str) -> None:
    assert code in codes(text)


def test_a_finding_has_its_line_and_column() -> None:
    text = "Fine here.\n\nThen `prop_001` had **+0.40**,\nand `opp_001` attacked `prop_001`.\n"
    places = [(f.code, f.line, f.column, f.found) for f in faults(text)]
    assert places == [
        ("wrong_score", 3, 23, "+0.40"),
        ("wrong_link", 4, 6, "opp_001 attacks prop_001"),
    ]


def test_a_fault_says_what_is_wanted() -> None:
    (fault,) = faults("`prop_000b` scored +0.35.")
    assert fault.message == "+0.35 is not a score of prop_000b"
    assert fault.wanted == "prop_000b: +0.40, then +0.15"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("`prop_002` stood. After the attack by `opp_001` it fell to +0.35.", "unsure_score"),
        ("These 365 hours were said.", "unsure_number"),
        ("The name UT7 was said.", "unsure_number"),
        ("`prop_000b` was raised in exchange 1.", "unsure_score"),
        ("The lead was largest in exchange 2.", "unsure_lead"),
        ("The proposition left three attacks unanswered.", "unsure_link"),
        ("It was *really never said by anybody*.", "unsure_quotation"),
        (
            "`prop_001` answered on two counts that “The claim of prop_000c” ends.",
            "unsure_quotation",
        ),
    ],
)
def test_what_the_prose_leaves_open_is_only_warned_of(text: str, code: str) -> None:
    assert (codes(text), unsure(text)) == ([], [code])


def test_the_words_of_another_language_are_left_alone_and_its_numbers_are_not() -> None:
    assert codes("`prop_001` griff `opp_000c` an und kam auf +0,35.") == []
    assert codes("`prop_001` griff an und kam auf +0,47.") == ["wrong_score"]


def test_the_facts_pass_the_check() -> None:
    from debate_ops.reports.exchange import facts

    for made in (record(), numbers.of(long_debate(6))):
        text = "\n\n".join(facts.facts(made))
        assert [f for f in check(text, made)[0] if f.code != "markup"] == []


@cache
def long_record() -> Numbers:
    return numbers.of(long_debate(8))


def told(made: Numbers) -> list[str]:
    """Return true sentences, one for each score, total and lead on record."""
    found = []
    for standing in made.standings:
        for mark in standing.history:
            name, score = standing.argument.id, signed(mark.score)
            found.append(f"After exchange {mark.exchange} `{name}` stood at {score}.")
    for r in made.judged:
        for side, total in r.totals.items():
            name = made.kind.sides[side]
            found.append(f"After exchange {r.exchange} the {name} stood at {signed(total)}.")
    return found


@pytest.mark.parametrize("text", told(long_record()))
def test_every_score_on_record_may_be_told(text: str) -> None:
    assert check(text, long_record())[0] == ()


@given(st.sampled_from(told(long_record())), st.data())
def test_a_score_with_one_digit_changed_is_refused_or_is_another_one_on_record(
    text: str, data: st.DataObject
) -> None:
    start = text.rindex(" ") + 1
    digits = [place for place in range(start, len(text)) if text[place].isdigit()]
    place = data.draw(st.sampled_from(digits))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != text[place]]))
    changed = text[:place] + digit + text[place + 1 :]
    found = [f.code for f in check(changed, long_record())[0]]
    assert found == ["wrong_score"] or is_true(changed)


def is_true(text: str) -> bool:
    """Tell whether the one told of stood at the score told after that exchange."""
    said = re.fullmatch(r"After exchange (\d+) (?:the )?`?(\w+)`? stood at (\S+)\.", text)
    assert said
    exchange, name, score = int(said[1]), said[2], Decimal(said[3])
    standing = long_record().standing(name)
    if standing:
        stood = [m.score for m in standing.history if m.exchange <= exchange][-1]
    else:
        sides = {word: side for side, word in long_record().kind.sides.items()}
        stood = long_record().rounds[exchange].totals[sides[name]]
    return stood == score * 1000


def test_the_narrative_of_every_debate_here_passes() -> None:
    held = sorted(path.parent for path in ROOT.glob("debates/*/narrative.md"))
    assert held
    for path in held:
        made = numbers.of(engine.look(Folder(str(path))).debate)
        text = (path / "narrative.md").read_text(encoding="utf-8").split("---\n", 2)[2]
        assert check(text, made) == ((), ())


@pytest.mark.parametrize(
    "piece",
    [
        "'a ",
        "“",
        "prop_001, ",
        "prop_001 and ",
        "*a",
        "+0.35 ",
        "0.0.0",
        "twenty ",
        "lead of ",
        "> a\n",
        "a. ",
        "attack on ",
        "prop_001 attacked ",
        "the highest score ",
        "\\_",
        "1,",
    ],
)
def test_a_hostile_text_is_checked_within_seconds(piece: str) -> None:
    text = piece * (10_000 // len(piece))
    started = time.perf_counter()
    check(text, record())
    assert time.perf_counter() - started < 10


WORDS = """
    prop_001 opp_001 prop_999 +0.35 -0.35 0.47 3 three twice attacked answered by the proposition
    opposition lead of highest score exchange 1 “ ” ' said dropped never , . ; : * > # ½ [ ]
"""


@given(st.lists(st.sampled_from([*WORDS.split(), "\n\n"]), max_size=25))
def test_any_words_are_checked_without_breaking(words: list[str]) -> None:
    text = " ".join(words)
    for finding in (*check(text, record())[0], *check(text, record())[1]):
        assert finding.code
        assert 0 <= finding.line <= text.count("\n") + 1
