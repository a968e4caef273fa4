"""The memo: taken in if it fits, named fault by fault if not, and shown only for its record."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.core.errors import ToRepairError
from debate_ops.core.values import ADVICE, PRIVATE, Entry
from debate_ops.engine.prompts import render_repair
from debate_ops.report.memo import (
    Advice,
    Memo,
    Sure,
    digest_record,
    list_highlights,
    make_memo_prompt,
    omit_lead,
    parse_memo,
    take_memo,
)
from debate_ops.report.page import render_all, write_html, write_readme
from debate_ops.report.reading import Reading, read_debate
from debate_ops.report.texts import write_outcome
from tests.courses import RICH, list_steps, run_course
from tests.engine.stage import lay_down
from tests.report.stage import attacked, copy_example, read_at, read_example, render

HEADER = """---
answer: "Yes, move in May. Keep the old office until then."
direction: {direction}
confidence:
  - percent: 80
    of: "the move pays"
---

"""
BODY = "**Yes.** Move in May.\n\n## For\n\n- **It** is cheaper.\n"
GOOD = HEADER.format(direction="prop") + BODY
LEFT = HEADER.format(direction="left")
MISQUOTING, MISQUOTED = f'{BODY}As prop_001: "this was never said here".', "prop_001|stands neither"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (GOOD, ""),
        (f"Here it is:\n\n{GOOD}", ""),
        (f"```markdown\n{GOOD}\n```", ""),
        (GOOD + '\nIt says "It says so." and "no".', ""),
        (BODY, "expected there: answer, direction, confidence"),
        (HEADER.format(direction="prop"), "has no text"),
        (GOOD.replace("percent: 80", "percent: 180"), "confidence #1.percent: is 180"),
        (GOOD.replace("answer:", "advice:"), "answer: is missing"),
        (LEFT + BODY, "is left, expected prop or opp or open"),
        (GOOD.replace(": prop", ": opp"), "direction: The debate itself came out for the motion, "),
        (GOOD + "\nAs prop_001 says.", "names prop_001"),
        (GOOD + '\nIt says "this was never said here".', "stands neither in the context nor"),
        (f"\ufeff{GOOD}", ""),
        (GOOD + '\nSo "this was never\nsaid by anybody".', "stands neither in the context nor"),
        *(
            (f"{GOOD}\nIt says {quotation}.", "stands neither in the context nor")
            for quotation in (
                *("„das hat keiner gesagt“", "»das hat keiner gesagt«", "« rien de tout cela »"),
                *("‘nobody’s word was that’", "“没有人说过这个”", "「没有人说过这个」"),  # noqa: RUF001
            )
        ),
        (GOOD + '\nBoards of 5" and\nof 6" are long enough, and the players’ own.', ""),  # noqa: RUF001
        (GOOD + "因为它值得。" * 500, "expected at most 800"),
        (GOOD + "word " * 850, "warning: has 858 words, expected at most 800"),
        (GOOD + "word " * 1100, "fault: has 1108 words, expected at most 800"),
        (GOOD + "w" * 20_001, "characters, expected at most 20000"),
        (GOOD.replace("Yes, move", "w" * 601), "expected at most 600 characters"),
        (GOOD.replace("the move pays", "w" * 601), "#1.of: is"),
        (GOOD.replace("Yes, move", "值得" * 61 + " move"), "answer: has more than 60"),
        (GOOD + "| - " * 800, ""),  # bars of a table and signs of a list are no words
        (GOOD.replace("Yes, move", "Yes, " + "very " * 60 + "move"), "answer: has more than 60"),
        (LEFT.replace("80", "165") + MISQUOTING, f"direction: is left|{MISQUOTED}"),
        (LEFT.replace("answer:", "advice:") + MISQUOTING, f"direction: is left|{MISQUOTED}"),
        (HEADER.format(direction="[prop") + MISQUOTING, f"header cannot be read|{MISQUOTED}"),
    ],
)
def test_a_memo_is_checked_for_little_and_every_fault_is_named(text: str, faults: str) -> None:
    reading = read_at(attacked())
    found = parse_memo(text, reading.at, reading.verdict)[2]
    said = [f"{'warning' if f.is_warning else 'fault'}: {f.sentence()}" for f in found]
    assert [each for each in faults.split("|") if each not in " ".join(said)] == []
    assert bool(found) == bool(faults)


@pytest.mark.parametrize(
    ("direction", "favoured", "sought", "said"),
    [
        ("prop", "", True, "The debate itself decided neither way; this advice does."),
        ("prop", "", False, ""),
        ("open", "opp", True, "The debate itself came out against the motion, other than"),
        ("open", "", True, ""),
        ("opp", "opp", True, ""),
    ],
)
def test_a_memo_that_decides_what_the_debate_does_not_gets_a_sentence_of_it(
    direction: str, favoured: str, *, sought: bool, said: str
) -> None:
    reading = read_at(attacked())
    verdict = replace(reading.verdict, favoured=favoured, is_sought=sought)
    _, _, found = parse_memo(HEADER.format(direction=direction) + BODY, reading.at, verdict)
    assert [f.message[: len(said)] for f in found] == [said] * bool(said)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("direction", ["open", "neg"])
def test_every_page_says_where_the_memo_advises_other_than_the_debate(direction: str) -> None:
    reading, note = read("human-review"), "The debate itself decided neither way"
    folder = reading.folder
    Path("memo.txt").write_text(HEADER.format(direction=direction) + BODY, encoding="utf-8")
    take_memo(folder, reading.at, reading.verdict, "memo.txt")
    shutil.copytree(folder.path, "debates/other")
    render_all()
    files = {"page": "report.html", "readme": "README.md"}
    shown = {each: Path(folder.within(name)).read_text("utf-8") for each, name in files.items()}
    shown |= {"outcome": write_outcome(read_debate(engine.load(folder)))}
    shown |= {"index": Path("debates/index.md").read_text("utf-8")}
    noting = {name for name, text in shown.items() if note in text}
    assert noting == ({*shown} if direction == "neg" else set())
    assert 'begun from <a href="#what-an-adviser-said-without-the-debate"' in shown["page"]
    assert 'id="what-an-adviser-said-without-the-debate"' in shown["page"]
    assert "\n## What an adviser said without the debate\n" in shown["readme"]


def read(name: str) -> Reading:
    return read_debate(engine.load(copy_example(name)))


def make_memo(text: str) -> Memo:
    advice = Advice(answer="Go.", direction="open", confidence=[Sure(percent=1, of="it")])
    return Memo(advice, text, by="")


TABLE = "| By | Do |\n| - | - |\n| May | Go |\n\nIt is so.\n\n## Next\n\n- Go."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It *is* so.\n\n## Next\n\n- Go.", "## Next\n\n- Go."),
        ("It is so.\n\nAnd so.", "And so."),
        ("Long " + "word " * 170 + "\n\nSo.", "So."),
        ("Long " + "word " * 180 + "\n\nSo.", "Long " + "word " * 180 + "\n\nSo."),
        (TABLE, TABLE),
        ("- One.\n\nTwo.", "- One.\n\nTwo."),
        ("It is so.", "It is so."),
    ],
)
def test_a_first_paragraph_on_the_first_screen_stands_once(text: str, left: str) -> None:
    memo = make_memo(text)
    assert omit_lead(memo, [*dict(list_highlights(memo, 80)).values()]).strip() == left.strip()


LONG = "w " * 38 + "w"
FOR = "## For it\n\n- **Cheap.** It is.\n- Time: it takes an hour. Or two.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"It ends a loss.\n\n{FOR}", {"Why": "It ends a loss."}),
        (f"{FOR}\n## Against it\n\n- It rains.", {}),  # for or against what is advised
        (f"## Why\n\n{FOR[10:]}", {"Why": "Cheap. It is. Time: it takes an hour."}),
        ("## Open: whom to ask\n\n1. Ann? Now.", {"What could change it": "Ann? Now."}),
        ("## Find out\n\n- Who?\n\n## It turns on\n\n- Hail.", {"What could change it": "Hail."}),
        (
            "## What to do next\n\n|By|Who|Do|Mark|\n|-|-|-|-|\n|May|Ann|`<b>`|x|\n|June|Ben|Run.|",
            {"What next": "May · Ann · <b>. June · Ben · Run."},
        ),
        ("## Next\n\n- " + "word " * 99, {"What next": "word " * 15 + "word…"}),
        ("## Next" + f"\n\n- {LONG}" * 3, {"What next": f"{LONG} (and 2 more)"}),
        (
            "## Next\n\n- **Ask them all by May.** Do. So.",
            {"What next": "Ask them all by May. Do."},
        ),
        (f"{LONG * 3}\n\n## Next\n\n- {LONG}", {"Why": LONG * 3, "What next": "w " * 30 + "w…"}),
        (f"{LONG * 9}\n\n## Next\n\n- {LONG}", {"Why": LONG * 9, "What next": "w " * 19 + "w…"}),
        (f"## It turns on\n\nHail. {LONG}. {LONG}.", {"What could change it": "Hail."}),
        ("## Steps\n\n- Walk.", {}),
    ],
)
def test_a_memo_says_why_what_could_change_it_and_what_next(text: str, said: object) -> None:
    assert dict(list_highlights(make_memo(text), 80)) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("outdoor-pool", "The advice: against the motion, "),
        ("outdoor-pool", "The judge: for the motion, by 0.20 points"),
        ("city-cars", "The arbiter: No winner: rob and ida answer from different principles"),
        ("city-cars", "The panel: for “The debate was fair”, 3 of 3, on average 69 % sure"),
    ],
)
def test_the_advice_who_decided_and_the_panel_stand_together(name: str, said: str) -> None:
    reading = read_example(name)
    found = [f"{who}: {', '.join(filter(None, words))}" for who, *words in reading.list_voices()]
    assert [each for each in found if each.startswith(said)]
    assert f"<dt>{said.partition(':')[0]}</dt>" in write_html(reading).decode()
    assert f"\n- {said.partition(':')[0]}: " in write_readme(reading)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("name", RICH)
def test_a_memo_rests_on_the_same_record_in_memory_and_in_files(name: str) -> None:
    kept = engine.load(lay_down(name, len(list_steps(name)))).at
    assert digest_record(run_course(name)) == digest_record(kept)


@pytest.mark.usefixtures("work")
def test_a_memo_is_taken_in_and_shown_first_until_the_record_changes() -> None:
    reading = read("human-review")
    folder = reading.folder
    slot = render(folder, ask=True).slot
    assert slot
    prompt = make_memo_prompt(reading.at, reading.verdict)
    assert Path(slot.prompt).read_text("utf-8") == prompt
    last = max(e.header["at"] for e in reading.at.debate.entries.values() if e.folder != ADVICE)
    assert f"ended on {last[:10]}" in prompt
    Path("memo.txt").write_text(HEADER.format(direction="open") + BODY, encoding="utf-8")
    assert not take_memo(folder, reading.at, reading.verdict, "memo.txt", {"model": "m-1"})
    for maker in ("m-2", "m-2", "m-1"):
        take_memo(folder, reading.at, reading.verdict, "memo.txt", {"model": maker})
    aside = [path.read_text("utf-8") for path in Path(folder.within("set-aside")).glob("*memo.md")]
    assert sorted(re.findall("m-[12]", " ".join(aside))) == ["m-1", "m-2"]
    assert render(folder, ask=True).slot is None
    assert f'answer: "{read_debate(engine.load(folder)).answer}"' in HEADER
    page = Path(folder.within("report.html")).read_text("utf-8")
    readme = Path(folder.within("README.md")).read_text("utf-8")
    assert "- The advice: **leaves it open**, 80 % that the move pays" in readme
    outcome = write_outcome(read_debate(engine.load(folder)))
    for told in (reading.motion, "The judge: **for", "Memo by m-1", "80 % that the move pays"):
        assert told in outcome
    assert "<strong>It</strong> is cheaper." in page
    assert "Memo by m-1" in page
    assert "<strong>Leaves it open</strong>, 80\u00a0% that the move pays" in page
    assert readme.index("Move in May.") < readme.index("How sure is this?")
    memo = Path(folder.within("memo.md"))
    memo.write_text(memo.read_text("utf-8").replace('"rests_on": "', '"rests_on": "0'), "utf-8")
    again = read_debate(engine.load(folder))
    assert not again.memo
    assert again.answer == again.verdict.answer
    assert [w for w in again.warnings if "another record" in w.message]


@pytest.mark.usefixtures("work")
def test_a_prompt_that_is_said_again_is_cut_off_and_its_example_refused() -> None:
    reading = read("human-review")
    prompt = make_memo_prompt(reading.at, reading.verdict)
    example = prompt[prompt.index("---\nanswer:") :].partition("```")[0]
    for said, fault in (
        (prompt, "no header between '---' lines at the top; expected there: answer, direction"),
        (example, "is that of the prompt's example"),
    ):
        Path("memo.txt").write_text(said, encoding="utf-8")
        with pytest.raises(ToRepairError) as refused:
            take_memo(reading.folder, reading.at, reading.verdict, "memo.txt")
        assert any(fault in each for each in refused.value.sentences()), refused.value.sentences()
    again = f"{prompt}\n{HEADER.format(direction='open')}{BODY}"
    Path("memo.txt").write_text(again, encoding="utf-8")
    assert take_memo(reading.folder, reading.at, reading.verdict, "memo.txt") == []


def test_a_long_prompt_of_a_memo_and_a_long_repair_say_where_they_end() -> None:
    reading = read_at(run_course("exchange-long-texts"))
    short, long = (render_repair("reporter", (), said, is_memo=True) for said in ("", BODY * 200))
    for page in (make_memo_prompt(reading.at, reading.verdict), long):
        assert page.startswith("(A long page")
        assert page.endswith("(end of this page)\n")
    assert short.startswith("# Your reply was refused")


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("text", ["nonsense", "---\n{}\n---\n", "---\nanswer: [1]\n---\nx"])
def test_a_memo_that_somebody_spoilt_is_left_out_with_a_warning(text: str) -> None:
    folder = copy_example("human-review")
    Path(folder.within("memo.md")).write_text(text, encoding="utf-8")
    reading = read_debate(engine.load(folder))
    assert reading.memo is None
    assert [w for w in reading.warnings if w.file == "memo.md" and w.is_warning]


def test_a_prompt_has_the_last_answer_of_who_thought_it_over() -> None:
    reading = read_at(run_course("formal-two-pairs-and-a-judge"))
    for number, said in enumerate(("First words.", "Second words.")):
        given = Entry("adviser", number, "advice", {}, {"Answer": said}, folder=ADVICE)
        reading.at.debate.add(given)
    prompt = make_memo_prompt(reading.at, reading.verdict)
    found = [said in prompt for said in ("First words.", "\n> Second words.", "thought over twice")]
    assert found == [False, True, True]
    assert not [e.id for e in reading.entries if e.kind in PRIVATE and f'id="{e.id}"' in prompt]
