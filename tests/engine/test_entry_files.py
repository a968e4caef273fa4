"""Entries and `debate.md` as files: what is written reads back the same, and byte for byte.

Files of older versions lack a headline, or have a key of theirs: they are read, never written.
"""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from debate_ops.core.errors import BadRecordError
from debate_ops.core.values import JUDGMENTS, Entry
from debate_ops.engine.debate_file import Framing, read_framing, read_header, write_body
from debate_ops.engine.entry_files import find_contradictions, read_entry, write_entry
from debate_ops.engine.headers import canonical, compose_file, dumps, split_file
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.store import RECORD_FOLDERS, Folder
from debate_ops.engine.validate import validate
from tests.courses import VARIED, run_course

DEBATES = sorted(path.parent for path in Path(__file__).parents[2].glob("debates/*/debate.md"))
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda text: bool(text.strip()))


@pytest.mark.parametrize("root", DEBATES, ids=lambda root: root.name)
def test_own_debates_are_valid_and_written_byte_for_byte_as_they_are(root: Path) -> None:
    text = (root / "debate.md").read_bytes().decode()
    front = split_file(text, "debate.md")
    assert compose_file(read_header(front.header).as_data(), front.body) == text
    assert write_body(read_framing(front.body)) == front.body
    for path in [p for folder in RECORD_FOLDERS for p in sorted((root / folder).glob("*.md"))]:
        text = path.read_bytes().decode()
        entry = read_entry(text, path.parent.name, path.stem)
        assert entry.id == path.stem
        is_older = "judged" in entry.header or "\n---\n\n## " in text
        assert (write_entry(entry) == text) is not is_older
        assert read_entry(write_entry(entry), entry.folder, entry.id) == entry
    assert validate(Folder(str(root)))[0] == []


@pytest.mark.parametrize("name", VARIED)
def test_every_entry_of_a_course_reads_back_as_it_was(name: str) -> None:
    for entry in run_course(name).debate.entries.values():
        again = read_entry(write_entry(entry), entry.folder, entry.id)
        assert again.compared() == read_entry(write_entry(again), again.folder, again.id).compared()
        assert canonical(_plain(again)) == canonical(_plain(entry))


def _plain(entry: Entry) -> Any:
    return split_file(write_entry(entry), entry.id).header | {
        "texts": {heading: text for heading, text in entry.texts.items() if text}
    }


@pytest.mark.parametrize("below", ["", "\n## Attacks\n"])
def test_an_argument_whose_header_lacks_its_links_has_none(below: str) -> None:
    header = dumps({"id": "ann_000", "kind": "argument", "exchange": 0, "step": 0})
    data = read_entry(f"---\n{header}\n---\n\n# x\n{below}", "arguments", "ann_000").data
    assert (data["attacks"], data["defends"], "concedes" in data) == ([], [], False)


def test_a_heading_of_a_person_is_part_of_the_text_and_a_body_says_what_a_header_lacks() -> None:
    links = [
        {"target_id": f"prop_00{n}", "type": "claim_attack", "content": f"Of {n}."} for n in "12"
    ]
    concedes = [{"target_id": "prop_003", "content": "True."}]
    data = {"title": "A title", "grounds": [], "attacks": links, "defends": []}
    entry = Entry("opp", 4, "argument", data | {"concedes": concedes}, step=3, is_usual=True)
    text = write_entry(entry)
    assert read_entry(text, entry.folder, entry.id).data == entry.data
    noted = text.replace("Of 1.", "Of 1.\n\n### A note of mine\n\nOn it.")
    found = read_entry(noted, entry.folder, entry.id).data["attacks"]
    assert [each["content"] for each in found] == [
        "Of 1.\n\n### A note of mine\n\nOn it.",
        "Of 2.",
    ]
    front = split_file(text, "x")
    bare = {key: said for key, said in front.header.items() if key not in {"attacks", "concedes"}}
    again = read_entry(compose_file(bare, front.body), entry.folder, entry.id)
    assert again.data == entry.data


def test_a_reason_counts_for_the_argument_alone_that_its_heading_names() -> None:
    scores = [
        {"argument_id": an_id, "score": score, "reasoning": f"Of {an_id}."}
        for an_id, score in (("prop_001", 1), ("opp_001", -1))
    ]
    data = {"scores": scores, "cumulative_scores": {}}
    text = write_entry(Entry("judge", 1, "judgment", data, folder=JUDGMENTS, step=3, is_usual=True))
    cut = text[: text.index("### [prop_001]")] + text[text.index("### [opp_001]") :]
    entry = read_entry(cut, JUDGMENTS, "judge_001")
    assert [item["reasoning"] for item in entry.data["scores"]] == ["", ""]
    assert [*find_contradictions(cut, entry)] == [("scores", "Scores")]


@given(TEXTS, TEXTS, st.sampled_from(["argument", "proposal"]))
def test_any_text_comes_back_from_a_file_as_it_was(text: str, title: str, kind: str) -> None:
    item = {"source": text, "content": text, "relevance": text}
    link = {"target_id": "opp_000", "type": "claim_attack", "content": text}
    data: dict[str, Any] = {"title": title}
    if kind == "argument":
        data |= {"claim": text, "grounds": [item], "attacks": [link], "defends": []}
    texts = {"Claim": text, "Warrant": text} if kind == "argument" else {"Solution": text}
    entry = Entry("ann", 1, kind, data, texts, step=3, is_usual=kind == "argument")
    again = read_entry(write_entry(entry), "arguments", entry.id)
    assert (again.data, again.texts) == (entry.data, entry.texts)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_any_framing_comes_back_as_it_was(motion: str, term: str, scope: str, text: str) -> None:
    own = text.replace("\r", "")
    framing = Framing(motion, ((term, text),), scope, ((term, own),), (("a-b", term, own),))
    again = read_framing(write_body(framing))
    assert (again.motion, again.scope) == (motion, scope)
    assert again.definitions == framing.definitions
    assert (again.context, again.papers) == (framing.context, framing.papers)


JSON = '---\n{"a": 1, "b": {"c": [true, 0.3]}}\n---\nBody\n'
YAML = "---\na: 1\nb:\n  c: [true, 0.3]\n---\nBody\n"
TOML = "+++\na = 1\nb.c = [true, 0.3]\n+++\nBody\n"


LEFT = [JSON, YAML, TOML, JSON.replace("]}", "],}"), JSON.replace("\n", "\r\n"), "\ufeff" + JSON]


@pytest.mark.parametrize("text", LEFT)
def test_headers_are_read_in_the_forms_that_people_leave(text: str) -> None:
    header, body = split_file(text, "x.md")
    assert canonical(header) == '{"a":1,"b":{"c":[true,0.3]}}'
    assert body.strip() == "Body"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.md:1: no header"),
        ('---\n{"a": 1}\nBody', "it has no end"),
        ('---\n{"a": 1, "a": 2}\n---\n', "'a' is given twice"),
        ('---\n{"a": [1}\n---\n', "x.md:2: the header cannot be read"),
        ("---\n- 1\n---\n", "empty, or no object"),
        ("---\na: !<json> [1]\n---\n", "or a tag .!., expected plain values"),
        ("+++\na = 1\nb =\n+++\n", "x.md:3: the header cannot be read"),
        ("+++\na = [2026-01-31]\n+++\n", "2026-01-31 is a date or a time, expected a text in"),
    ],
)
def test_a_header_that_cannot_be_read_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadRecordError, match=message):
        split_file(text, "x.md")


_ANY_TEXT = st.text(st.characters(exclude_categories=()))
_PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | _ANY_TEXT


@given(_PLAIN | st.dictionaries(st.text(), _PLAIN))
@example(10**40)
@example(1e308)
@example("\ud800")
def test_what_could_not_be_read_again_is_not_written(value: object) -> None:
    try:
        text = compose_file({"a": value}, "")
    except BadRecordError:
        return
    assert split_file(text.encode().decode(), "x.md").header.keys() == {"a"}


GOOD: dict[str, Any] = {"id": "ann_001", "participant": "ann", "kind": "judgment", "exchange": 1}
GOOD |= {"step": 2, "cumulative_scores": {}}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("id", "ann_002", 'id is "ann_002", its name says ann_001'),
        ("exchange", 2, "exchange is 2, its name says 1"),
        ("participant", "ben", 'participant is "ben", its name says ann'),
        ("kind", None, "kind is null, expected a valid string"),
        ("kind", "argument", "belongs in arguments/"),
        ("step", "2", 'step is "2", expected a valid integer'),
        ("step", 10**9, "expected less than 1000000"),
        ("scores", [{"argument_id": "prop_001", "score": "x"}], "scores #1.score is no number"),
        ("rescores", 5, "rescores is 5, expected a valid list"),
        ("cumulative_scores", {"proposition": 1}, "cumulative_scores.proposition is 1"),
        ("made_by", "me", 'made_by is "me", expected a valid object'),
        ("judged", [{"id": "x", "digest": ""}], 'judged #1.id is "x", expected an id such as'),
        ("checked", [{"found": "somewhere"}], "expected 'verbatim', 'near', 'not found'"),
    ],
)
def test_a_header_of_another_form_is_refused_by_its_key(key: str, value: Any, message: str) -> None:
    text = f"---\n{dumps({**GOOD, key: value})}\n---\n\n# x\n"
    with pytest.raises(BadRecordError, match=message):
        read_entry(text, "judgments", "ann_001")
    read_entry(f"---\n{dumps(GOOD)}\n---\n\n# x\n", "judgments", "ann_001")


def test_what_ballots_of_older_versions_say_more_is_no_data_of_theirs() -> None:
    older = GOOD | {"steering": ["A_001-speech"]}
    entry = read_entry(f"---\n{dumps(older)}\n---\n\n# x\n", "judgments", "ann_001")
    assert ("steering" in entry.data, entry.header["steering"]) == (False, ["A_001-speech"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"current_exchange": -1}, "current_exchange is -1, expected"),
        ({"current_phase": ""}, "current_phase"),
        ({"cumulative_scores": {"proposition": 1}}, "cumulative_scores"),
        ({"request": {"exchanges": 1}}, "request.until"),
        ({"digests": {"a": 1}}, "digests.a"),
        ({"debate_id": 5, "created": 7}, "debate_id .*; created"),
    ],
)
def test_a_debate_file_of_another_form_is_refused_with_every_key(change: Any, message: str) -> None:
    good = {"current_exchange": 0, "current_phase": "awaiting_arguments", "mine": {"x": [1, None]}}
    assert read_header(good).as_data()["mine"] == {"x": [1, None]}
    with pytest.raises(BadRecordError, match=message):
        read_header({**good, **change})


def test_a_score_is_given_with_all_of_its_decimals() -> None:
    scores = [
        {"argument_id": "prop_001", "score": Decimal("0.125"), "reasoning": "Why."},
        {"argument_id": "opp_001", "score": Decimal("-0.1"), "reasoning": "Why not."},
    ]
    entry = Entry("judge", 1, "judgment", {"scores": scores}, folder=JUDGMENTS, is_usual=True)
    assert describe_entry(entry) == ["prop_001 +0.125: Why.", "opp_001 -0.10: Why not."]
    assert summarise_entry(entry) == "prop_001 +0.125, opp_001 -0.10"
