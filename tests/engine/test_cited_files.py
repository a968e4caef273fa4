"""Files that are searched and cited: what is one, what is compared, and what goes on record."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pypdf
import pytest

from debate_ops import engine, panels
from debate_ops.analysis.evidence import find_citations
from debate_ops.core.errors import ConfigurationError
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Debate, Task
from debate_ops.engine import Framing, cited_files
from debate_ops.engine.cited_files import Library, open_library
from debate_ops.engine.prompts import render_entries, render_prompt
from debate_ops.engine.store import Folder
from debate_ops.engine.validate import validate
from debate_ops.protocols.exchange import Settings
from debate_ops.report.memo import make_memo_prompt, parse_memo
from debate_ops.report.reading import read_debate
from tests.builders import ROOT, put, run
from tests.cli.test_texts import PDF
from tests.courses import COURSES, RICH, VARIED, begin_course, list_steps, run_course, take_step
from tests.engine.stage import create_course
from tests.engine.stage import take_step as take_on_disk
from tests.protocols.stage import Stage

CODE = "def pay(x):\n    # Never pay twice:\n    # the ledger is checked first.\n    return x\n"
FILES = {"src/app.py": CODE, "notes.md": "Built in 1961.\n", "Annual report.md": "A loss of 3.\n"}


@pytest.fixture
def lib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = Path("lib", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for hidden in ("lib/.env", "lib/.git/config"):
        Path(hidden).parent.mkdir(exist_ok=True)
        Path(hidden).write_text("secret", encoding="utf-8")
    Path("secret.md").write_text("secret", encoding="utf-8")
    Path("lib/link.md").symlink_to(Path("secret.md").absolute())
    Path("lib/linked").symlink_to(Path(".").absolute(), target_is_directory=True)
    Path("lib/picture.md").write_bytes(b"\x89PNG\0secret")
    Path("lib/a\nb.md").write_text("secret", encoding="utf-8")
    Path("lib/own").mkdir()
    Path("lib/own/debate.md").write_text("secret", encoding="utf-8")
    return Library("lib")


def test_what_lies_outside_is_hidden_or_is_no_text_is_never_given(lib: Library) -> None:
    assert sorted(lib.sizes) == ["Annual report.md", "notes.md", "picture.md", "src/app.py"]
    for name in ("../secret.md", "link.md", ".env", "linked/secret.md", "own/debate.md"):
        assert "is no file of the library" in lib.read_part(name)
    assert lib.read_part("picture.md") == "picture.md is no text"
    assert lib.search("secret") == "nothing found"
    assert lib.describe().splitlines() == [f"{name}  1 KiB" for name in lib.sizes]


def test_search_takes_words_and_alternatives_and_is_bounded(lib: Library) -> None:
    assert lib.search("never  PAY") == "src/app.py:2: # Never pay twice:"
    assert lib.search("pay(x)") == lib.search("pay(") == "src/app.py:1: def pay(x):"
    assert lib.search("def.*|(n+)+y|.*.*.*x") == lib.search(" | ") == "nothing found"
    assert lib.search("in|loss", "notes") == "notes.md:1: Built in 1961."
    Path("lib/long.txt").write_text("a hit\n" * 100 + "x" * 9_000, encoding="utf-8")
    found = Library("lib").search("hit | xxxxxxxxx")
    assert len(found.splitlines()) == 61
    assert found.endswith("and more; narrow the search")
    assert len(Library("lib").search("xxxxxxxxx")) < 400
    assert Library("lib").read_part("long.txt", 2, 3) == "2\ta hit\n3\ta hit\n(101 lines in all)"
    assert Library("lib").read_part("long.txt", 900) == "long.txt has 101 lines or pages"


@pytest.mark.usefixtures("lib")
def test_what_is_too_large_is_cut_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cited_files, "MOST_READ", 30)
    cut = "1\tdef pay(x):\n2\t    # Never pa\n(4 lines in all)"
    assert Library("lib").read_part("src/app.py") == cut
    monkeypatch.setattr(cited_files, "MAX_BYTES", 60)
    assert Library("lib").read_part("src/app.py") == "src/app.py is larger than 0 MiB"


@pytest.mark.usefixtures("lib")
def test_of_many_files_the_first_are_listed_and_how_many_there_are_more() -> None:
    for number in range(cited_files.MOST_LISTED):
        Path("lib", "src", f"{number:03}.txt").write_text("x" * 1024, encoding="utf-8")
    *listed, last = Library("lib").describe().splitlines()
    assert (len(listed), listed[3]) == (cited_files.MOST_LISTED, "src/000.txt  1 KiB")
    assert last == "and 4 more files, to be searched"


SAID: dict[str, list[tuple[str, str]]] = {
    '"Never pay twice" (src/app.py:2)': [("src/app.py:2", "Never pay twice")],
    "“Never” [src/app.py:2-3], and": [("src/app.py:2-3", "Never")],
    "`return x` (src/app.py:4).": [("src/app.py:4", "return x")],
    'As src/app.py:4: "return x"': [("src/app.py:4", "return x")],
    'the "free" lunch of src/app.py:4': [("src/app.py:4", "")],
    '"A loss" (Annual report.md:1)': [("Annual report.md:1", "A loss")],
    "See\nAnnual report.md:1": [("Annual report.md:1", "")],
    "see report.pdf#p12.": [("report.pdf#p12", "")],
    "https://x.org/a.py:30": [],
}


@pytest.mark.parametrize("text", SAID)
def test_citations_are_found_in_texts_with_what_they_are_the_source_of(text: str) -> None:
    assert [(c.source, c.quote) for c in find_citations(text, FILES.__contains__)] == SAID[text]


NEAR = "the nearest is src/app.py"
RULES: dict[str, tuple[Any, list[tuple[str, str, bool]]]] = {
    "right": ({"source": "src/app.py:2", "quote": "Never pay twice"}, []),
    "over two lines": ({"source": "src/app.py:2-3", "quote": "Never […] checked"}, []),
    "a whole file": ({"source": "Annual report.md", "quote": "A loss of 3."}, []),
    "changed": (
        {"source": "src/app.py:2", "quote": "Never pay once"},
        [("quote", "not quite stand in src/app.py:2", False)],
    ),
    "elsewhere in the file": (
        {"source": "src/app.py:1", "quote": "Never pay twice"},
        [("quote", "stands in src/app.py:2, not in src/app.py:1", True)],
    ),
    "beyond its end": (
        {"source": "src/app.py:9"},
        [("source", "src/app.py:9: src/app.py has 4 lines", False)],
    ),
    "in another folder": ({"source": "lib/app.py:1"}, [("source", NEAR, False)]),
    "no such file in a text": ({"text": "It is so (src/apps.py:3)."}, [("text", NEAR, False)]),
    "no text": ({"source": "picture.md:1"}, [("source", "picture.md is no text", False)]),
    "the context": ({"document": "facts.md#3", "quote": "What is not compared here"}, []),
    "no such kind of file": ({"source": "app.kt:1"}, [("source", NEAR, False)]),
    "another source": ({"source": "ISO 9001:2015, 3.2", "quote": "Anything"}, []),
    "no document": ({"document": "app.py"}, [("document", NEAR, False)]),
    "no file": ({"source": "Reasoning", "quote": "Anything"}, []),
    "detail": (
        {"citations": [{"source": "notes.md:1", "detail": 'It was "Built in 1962"'}]},
        [("citations.0.detail", "copied exactly: Built in 1961", False)],
    ),
    "a time, an address": ({"text": "At 12:30 on x.org:80, and a.b.c:3."}, []),
}


@pytest.mark.parametrize("name", RULES)
def test_a_citation_that_cannot_be_right_is_a_fault_that_says_why(lib: Library, name: str) -> None:
    value, expected = RULES[name]
    d = Debate(Settings(), documents=(("facts.md", "x"),))
    found = list(lib.find_faults(value, d))
    assert [(f.where, f.is_warning) for f in found] == [(where, w) for where, _, w in expected]
    assert all(part in f.message for f, (_, part, _) in zip(found, expected, strict=True))
    # What only bears a mark where nothing is strict: words that differ, and nothing else.
    d.settings = Settings(quotations="mark")
    assert [f.is_warning for f in lib.find_faults(value, d)] == [
        w or "quite" in part or "exactly" in part for _, part, w in expected
    ]


def test_pages_of_a_pdf_are_cited_by_number(lib: Library) -> None:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(600, 800)
    writer.append(io.BytesIO(PDF))
    writer.write("lib/r.pdf")
    lib, d = Library("lib"), Debate(Settings())
    assert lib.search("not  closed", "r").startswith("r.pdf#p2: The bridge was not closed")
    assert "engi-\nneer of the town" in lib.read_part("r.pdf", 2)
    right = {"source": "r.pdf#p2", "quote": "says the engineer of the town"}
    assert not list(lib.find_faults(right, d))
    for source, said in (
        ("r.pdf#p1", "stands in r.pdf#p2, not in r.pdf#p1"),
        ("r.pdf#p1-2", "does not stand in r.pdf#p1-2"),
        ("r.pdf#p3", "has 2 pages"),
    ):
        wrong = {"source": source} | ({"quote": "No"} if "-" in source else {})
        (fault,) = lib.find_faults(right | wrong, d)
        assert said in fault.message


# A debate with one.


def begin(slug: str = "x", **chosen: Any) -> engine.Position:
    chosen |= {"cited_folder": os.path.abspath("lib"), "first_answer": "off"}
    return engine.create(slug, Framing("M"), protocol="formal", settings=chosen)


def speak(folder: Folder, step: int, who: str, text: str, **more: Any) -> None:
    at = engine.next_turn(folder).at
    said = {"participant": who, "exchange": at.turn.round, "phase": at.turn.phase, "text": text}
    put(folder, who, said | more, step)


RIGHT = 'They say "never pay twice" and "Built in 1961" (notes.md:1), "Never pay" (src/app.py:2).'


def list_prompts(folder: Folder) -> dict[str, str]:
    return {p.name: p.read_text("utf-8") for p in Path(folder.within("inbox")).glob("*.prompt.md")}


@pytest.mark.usefixtures("lib")
def test_whoever_judges_is_shown_what_was_compared() -> None:
    position = begin(judge="one", cross_exam_questions=0)
    folder = position.folder
    assert position.debate.settings.cited_folder == "lib"  # and no path of this machine
    prompt = render_prompt(position.at, Task("aff", "preparation"), "x")
    assert f"> {os.path.abspath('lib')}" in prompt
    assert "> src/app.py  1 KiB" in prompt
    stage = Stage("formal", lambda *_: {"text": RIGHT})
    while (position := engine.next_turn(folder)).tasks[0].task.by != "judge":
        engine.submit(folder, stage.put(folder))
        written = list_prompts(folder)
        engine.next_turn(folder)  # reads the record anew
        assert list_prompts(folder) == written
    prompt = Path(position.tasks[0].slot.prompt).read_text("utf-8")
    noted = "(Checked by the program: a quotation stands word for word in the file that it names.)"
    assert prompt.count(f"{noted}\n> src/app.py:2: “Never pay”") == 6
    assert os.path.abspath("lib") not in prompt
    assert "## Files that you are not given" in prompt
    entry = position.debate.find("opening")[0]
    assert [each["source"] for each in entry.header["checked"]] == ["notes.md:1", "src/app.py:2"]
    assert validate(folder) == ([], [])
    Path("lib").rename("away")
    assert validate(folder) == ([], [])
    assert engine.next_turn(folder).at.tasks[0].by == "judge"  # who needs no library


@pytest.mark.usefixtures("lib")
def test_a_misquotation_is_refused_and_a_library_that_is_gone_stops_the_debate() -> None:
    folder = begin().folder
    speak(folder, 0, "aff", RIGHT)
    speak(folder, 0, "neg", '"Built in 1999" (notes.md:1)', citations=7)  # of form, too
    with pytest.raises(engine.RepliesRefusedError) as refused:
        engine.submit(folder, 0)
    form, fault = refused.value.faults
    assert (form.by, form.where, fault.by, fault.where) == ("neg", "citations", "neg", "text")
    assert "copied exactly: Built in 1961" in fault.message
    Path("lib").rename("away")
    with pytest.raises(ConfigurationError, match="the library lib is not there") as gone:
        engine.next_turn(folder)
    assert gone.value.exit_code == 4
    with pytest.raises(ConfigurationError):
        begin("y")


def cite(value: Any, key: str = "") -> Any:
    """Return a reply with a right citation behind each of its texts."""
    if isinstance(value, dict):
        return {name: cite(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [cite(part, key) for part in value]
    is_text = isinstance(value, str) and " " in value and key not in {"source", "title"}
    return f'{value} "Built in 1961" (notes.md:1).' if is_text else value


@pytest.mark.parametrize("name", RICH[1:])
@pytest.mark.usefixtures("lib")
def test_in_every_protocol_what_debaters_cite_is_compared_and_nothing_of_judges(name: str) -> None:
    folder = create_course(name, cited_folder="lib", word_limits="warn").folder
    for number, step in enumerate(list_steps(name)):
        engine.next_turn(folder)
        for who, reply in step.get("replies", {}).items():
            put(folder, who, cite(reply), number)
        take_on_disk(name, number, folder)
    position = engine.load(folder)
    roles = position.at.protocol.participants(position.debate.settings)
    for entry in position.debate.entries.values():
        found = [each["source"] for each in entry.header.get("checked", ())]
        assert found == ["notes.md:1"] * (roles.get(entry.by) == "debater"), entry.id
    assert validate(folder) == ([], [])


# Papers that one participant alone has.

PAPER = "## Costs\n\nThe repair costs 4,312 pounds.\n"
FIGURE = "4,312"


def give_papers(at: Replayed, owner: str) -> None:
    at.debate.papers = ((owner, "budget.md", PAPER),)


@pytest.mark.parametrize("name", VARIED)
def test_papers_of_one_stand_in_no_prompt_of_another_before_the_end(name: str) -> None:
    at = begin_course(name)
    roles = at.protocol.participants(at.debate.settings)
    owner, seen = next(n for n, role in roles.items() if role == "debater"), set()
    give_papers(at, owner)
    for step in list_steps(name):
        for task in at.tasks:
            prompt = render_prompt(at, task, "x")
            seen |= {task.by} if FIGURE in prompt else set()
            is_given = "No other participant sees these papers" in prompt
            assert is_given is (task.by == owner)
        take_step(at, step)
    assert seen <= {owner}
    assert seen or not any(step.get("replies", {}).get(owner) for step in list_steps(name))


def test_papers_are_compared_with_what_their_owner_quotes_of_them_and_with_nobody_elses() -> None:
    at = begin_course("formal-two-pairs-and-a-judge")
    give_papers(at, "aff")
    own = open_library(at, "aff")
    assert own
    quote = f"repair costs {FIGURE} pounds"
    for said in (
        {"source": "budget.md", "quote": quote},
        {"text": f'It is dear: "{quote}" (budget.md#2).'},
        {"text": f'It is dear: "{quote}" (budget.md:3).'},
    ):
        assert [f.record["found"] for f in own.examine(said, at.debate)] == ["verbatim"]
        assert not list(own.find_faults(said, at.debate))
    (fault,) = own.find_faults({"text": '"costs 4,300" (budget.md:3)'}, at.debate)
    assert "does not stand in budget.md word for word" in fault.message
    assert FIGURE not in fault.message
    at.debate.settings = at.debate.settings.model_copy(update={"cited_folder": str(ROOT / "docs")})
    other = open_library(at, "neg")
    assert other
    assert not list(other.examine(said, at.debate)), "who takes up what the owner has quoted"
    at.debate.settings = at.debate.settings.model_copy(update={"cited_folder": ""})
    assert open_library(at, "neg") is None
    assert open_library(at, "judge") is None


@pytest.mark.usefixtures("lib")
def test_papers_are_kept_in_the_folder_and_shown_nowhere_but_to_the_reporter_at_the_end() -> None:
    Path("budget.md").write_text(PAPER, encoding="utf-8")
    words = ["new", "--json", "--motion", "M", "--protocol", "formal", "--context", "lib/notes.md"]
    words += ["--set", "cross_exam_questions=0", "--set", "first_answer=off", "--context-for"]
    assert run(*words, "affirmative=budget.md", "x").code == 0
    folder, step = Folder("debates/x"), 0
    assert engine.load(folder).debate.papers == (("aff", "budget.md", PAPER.rstrip("\n")),)
    assert engine.load(folder).debate.documents == (("notes.md", "Built in 1961."),)
    while tasks := engine.next_turn(folder).tasks:
        assert FIGURE not in _read_all(folder, "aff")
        for item in tasks:
            is_own = item.task.by == "aff"
            text = 'It shows "The repair costs" (budget.md:3).' if is_own else "A speech."
            speak(folder, step, item.task.by, text)
        engine.submit(folder, step)
        step += 1
    assert FIGURE not in _read_all(folder, "aff")
    reading = read_debate(engine.load(folder))
    prompt = make_memo_prompt(reading.at, reading.verdict)
    assert FIGURE in prompt
    assert "that you are not given" not in prompt
    assert "file that it names.)\n> budget.md: “The repair costs”" in prompt
    memo = '---\n{"answer": "Yes.", "direction": "open", "confidence": []}\n---\nAs “%s” says.'
    for quote, wrong in ((f"repair costs {FIGURE} pounds", 0), ("repair costs nine pounds", 1)):
        found = parse_memo(memo % quote, reading.at, reading.verdict)[2]
        assert len([f for f in found if "neither in the context" in f.message]) == wrong
    assert validate(folder) == ([], [])
    panel = panels.prepare(folder, 3)
    d = engine.load(panel).debate
    shown = render_entries(d, [e.id for e in d.find("speech")])
    assert "file that it names.)\n> budget.md: “The repair costs”" in shown
    assert FIGURE not in _read_all(folder, "aff")
    assert validate(panel) == ([], [])
    assert d.papers == ()
    for given, said in (
        ("judge=budget.md", "there are papers for judge, who does not debate here"),
        ("aff", "--context-for aff names no file"),
        ("aff=lib/notes.md", "notes.md is given to all and to one alone"),
    ):
        refused = run(*words, given, "y")
        assert refused.code == 2
        assert refused.result["errors"] == [said]
    words[words.index("first_answer=off")] = "first_answer=on"
    run(*words, "affirmative=budget.md", "advised")
    items = {item.task.by: item for item in engine.next_turn(Folder("debates/advised")).tasks}
    first = Path(items["adviser"].slot.prompt).read_text("utf-8")
    assert "that you are not given" not in first, "nobody has cited anything yet"


def _read_all(folder: Folder, owner: str) -> str:
    """Return all that is shown of a debate, and the prompts of everybody but the owner."""
    reading = read_debate(engine.load(folder))
    texts = [] if reading.at.is_over else [make_memo_prompt(reading.at, reading.verdict)]
    shown = ("report x", "transcript x", "show x", "status x", "export x --to json")
    texts += [json.dumps(run(*words.split(), "--json").result) for words in shown]
    for path in Path(folder.path).rglob("*"):
        is_others = f"-{owner}." not in path.name and not path.name.startswith("memo.prompt")
        if path.suffix in {".md", ".html", ".json"} and is_others and path.name != "debate.md":
            texts.append(path.read_text("utf-8"))
    return "\n".join(texts)


def test_a_request_that_is_fulfilled_is_an_end_for_the_reporter_too() -> None:
    at = run_course("exchange-two-exchanges")
    assert not at.is_over
    at.debate.last_exchange = at.place.round - 1
    assert at.is_over


@pytest.mark.usefixtures("lib")
def test_what_an_adviser_cites_wrongly_stops_no_debate() -> None:
    folder = engine.create("x", Framing("M"), settings={"cited_folder": "lib"}).folder
    tasks = {item.task.by: item for item in engine.next_turn(folder).tasks}
    assert "`source` of a ground" not in Path(tasks["adviser"].slot.prompt).read_text("utf-8")
    said = {"participant": "adviser", "exchange": 0, "text": "So it is (src/apps.py:3)."}
    raw = engine.RawReply(json.dumps(said).encode(), "x")
    position = engine.load(folder)
    (warning,) = engine.check_task_reply(position, position.find_task("adviser"), raw)
    assert NEAR in warning.message


@pytest.mark.parametrize("name", COURSES)
def test_no_reply_that_cites_no_file_is_refused_for_a_library(name: str) -> None:
    lib, d = Library(str(ROOT / "docs")), begin_course(name).debate
    for step in list_steps(name):
        assert not list(lib.find_faults(step.get("replies", {}), d))
