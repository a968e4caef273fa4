"""An edit afterwards is found, whatever was edited, in whichever protocol; and nothing else is."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml  # type: ignore[import-untyped]

from debate_ops import engine, repair, validation
from debate_ops.engine import digests
from debate_ops.errors import BadRecordError
from debate_ops.protocols.exchange import drops
from debate_ops.reports.readme import CHANGED
from debate_ops.reports.render import render
from debate_ops.storage import files
from tests.builders import Data, debate_at, edit_header, header_of, record_of
from tests.every_protocol.stage import (
    RICH,
    every_moment,
    every_protocol,
    every_step,
    finish,
    go,
    history,
    restore,
    swept,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from debate_ops.errors import Finding
    from debate_ops.storage.folder import Folder

CODES = {"edited_since", "entry_lost", "digests_removed"}
FRAMING = {
    "motion": ("This house would X", "This house would Y"),
    "definition": ("what this house would do", "what nobody would do"),
    "scope": ("Only this house.", "Every house."),
    "context": ("that everybody is given", "that nobody is given"),
}

SAVED: dict[str, Callable[[str], str]] = {
    "as YAML": lambda header: str(
        yaml.safe_dump(json.loads(header), sort_keys=False, allow_unicode=True)
    ),
    "with a comma before the brace": lambda header: header.replace("\n}", ",\n}"),
    "in one line": lambda header: f"{json.dumps(json.loads(header))}\n",
}
KEYS = ("rests_on", "digests")
EDITS: dict[str, Callable[[Data], Any]] = {
    "removed": lambda header: [header.pop(key, None) for key in KEYS],
    "emptied": lambda header: header.update({key: {} for key in KEYS if key in header}),
}


RESULTS: dict[tuple[str, str], Data] = {
    ("exchange", "judgment"): {"scores": []},
    ("formal", "ballot"): {"winner": "neg"},
    ("chairs", "evaluation"): {"adherence": 99},
    ("consensus", "ballot"): {"vote": "ben_001-proposal"},
    ("consensus", "review"): {"verdict": "maintain"},
    ("speeches", "verdict"): {"winner": "ben"},
    ("design", "assessment"): {"confidence": 99},
    ("design", "synthesis"): {"confidence": 100, "unmet": []},
}
"""What decides a debate, by the kind of the entry that holds it, and another value for it."""


def told(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    return {(f.code, f.file) for f in findings if f.code in CODES}


def found(folder: Folder) -> set[tuple[str, str]]:
    """Return what `validate` says of edits: the code and the file of each warning."""
    faults, warnings = validation.validate(folder)
    assert not CODES & {fault.code for fault in faults}
    return told(warnings)


def seen(folder: Folder) -> set[tuple[str, str]]:
    """Return what `next` and `status` say of edits."""
    return told(engine.look(folder).warnings)


def change(folder: Folder, file: str, old: str, new: str) -> None:
    path = Path(folder.path, file)
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new).encode())


def entries_of(folder: Folder) -> list[str]:
    return [n for n in record_of(folder) if n.startswith(("arguments/", "judgments/"))]


def one_of_each_kind(folder: Folder) -> list[str]:
    return list({header_of(folder, n).get("kind"): n for n in entries_of(folder)}.values())


def without_digests(folder: Folder) -> None:
    """Make a debate what an older version would have written."""
    for file in entries_of(folder):
        edit_header(folder, file, lambda header: header.pop("rests_on", None))
    edit_header(folder, "debate.md", lambda header: header.pop("digests", None))


@swept
def test_nothing_is_reported_of_a_debate_that_nobody_edited(protocol: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        assert (found(folder), seen(folder)) == (set(), set()), moment.label


@every_protocol
def test_an_edit_of_any_entry_is_found_by_its_file_alone(protocol: str, name: str) -> None:
    last = history(protocol, name)[-1]
    for file in one_of_each_kind(restore(last)):
        folder = restore(last)
        with Path(folder.path, file).open("a", encoding="utf-8") as text:
            text.write("\nNo.\n")
        assert found(folder) == {("edited_since", file)}


@pytest.mark.parametrize("save", SAVED)
@every_protocol
def test_an_entry_that_an_editor_saved_differs_in_form_alone(
    protocol: str, name: str, save: str
) -> None:
    folder = restore(history(protocol, name)[-1])
    files_saved = set(one_of_each_kind(folder))
    for file in files_saved:
        path = Path(folder.path, file)
        _, header, body = path.read_text(encoding="utf-8").split("---\n", 2)
        path.write_text(f"---\n{SAVED[save](header)}---\n{body}", encoding="utf-8")
    faults, warnings = validation.validate(folder)
    assert (faults, seen(folder)) == ((), set())
    assert {(w.code, w.file) for w in warnings} == {("form_differs", file) for file in files_saved}


@swept
def test_an_edit_of_the_newest_turn_shows_at_once(protocol: str) -> None:
    for _, moment, _ in every_step(protocol):
        folder = restore(moment)
        [file, *_] = [
            n for n in entries_of(folder) if header_of(folder, n)["step"] == moment.step - 1
        ]
        with Path(folder.path, file).open("a", encoding="utf-8") as text:
            text.write("\nNo.\n")
        assert seen(folder) == found(folder) == {("edited_since", file)}, moment.label
        assert told(engine.next_turn(folder).warnings) == {("edited_since", file)}


@pytest.mark.parametrize(("row", "other"), RESULTS.items(), ids=" ".join)
@pytest.mark.slow
def test_another_result_in_the_newest_entry_is_found_wherever_somebody_looks(
    row: tuple[str, str], other: Data
) -> None:
    """Nothing rests on the newest turn yet but `debate.md`; `status` may refuse the record."""
    protocol, kind = row
    for moment in history(*next(case for case in RICH if case[0] == protocol)):
        folder = restore(moment)
        for file in newest_of(folder, moment.step - 1, kind):
            assert {key: header_of(folder, file)[key] for key in other} != other
            edit_header(folder, file, lambda header: header.update(other))
            break
        else:
            continue
        edit = ("edited_since", file)
        assert edit in found(folder)
        with suppress(BadRecordError):
            assert edit in seen(folder)
            assert edit in told(render(folder).warnings)
            assert_banner(folder, Path(file).stem)
        return
    raise AssertionError("nothing of that kind came on record")


def newest_of(folder: Folder, step: int, kind: str) -> list[str]:
    headers = {file: header_of(folder, file) for file in entries_of(folder)}
    return [f for f, h in headers.items() if (h["step"], h["kind"]) == (step, kind)]


def assert_banner(folder: Folder, entry_id: str) -> None:
    """Fail unless both pages begin with what was changed by hand."""
    readme, page = (
        Path(folder.path, name).read_text(encoding="utf-8") for name in ("README.md", "report.html")
    )
    assert f"- [{entry_id}]: " in readme.partition("**Motion:**")[0]
    banner = page.partition('<div class="banner"')[2].partition("</div>")[0]
    assert entry_id in banner
    assert page.index('class="banner"') < page.index("<h1")


@every_protocol
def test_pages_of_an_edited_record_say_so_at_their_top(protocol: str, name: str) -> None:
    last = history(protocol, name)[-1]
    [file, *_] = entries_of(restore(last))
    folder = restore(last)
    render(folder)
    assert CHANGED not in Path(folder.path, "README.md").read_text(encoding="utf-8")
    with Path(folder.path, file).open("a", encoding="utf-8") as text:
        text.write("\n")
    render(folder)
    assert_banner(folder, Path(file).stem)


@every_protocol
def test_an_edit_of_any_entry_is_told_where_prompts_are_written(protocol: str, name: str) -> None:
    """A prompt shows what was said long before the newest turn."""
    *moments, _ = history(protocol, name)
    moment = [m for m in moments if m.names and m.act is None][-1]
    folder = restore(moment)
    [file, *_] = entries_of(folder)
    with Path(folder.path, file).open("a", encoding="utf-8") as text:
        text.write("\n")
    assert told(engine.next_turn(folder).warnings) == {("edited_since", file)}


@pytest.mark.parametrize("part", FRAMING)
@every_protocol
def test_an_edit_of_the_framing_is_found_and_stays_on_record(
    protocol: str, name: str, part: str
) -> None:
    _, moment, *_ = history(protocol, name)
    folder = restore(moment)
    change(folder, "debate.md", *FRAMING[part])
    assert seen(folder) == found(folder) == {("edited_since", "debate.md")}
    outcome = go(folder, moment)
    assert told(outcome.warnings) == {("edited_since", "debate.md")}
    assert seen(folder) == set()
    assert found(folder) == {("edited_since", "debate.md")}
    if part == "motion":
        finish(folder, moment.variant)
    [warning] = [w for w in validation.validate(folder)[1] if w.code in CODES]
    assert "after 1 turn" in warning.message


@swept
def test_an_edit_stays_found_when_the_debate_goes_on(protocol: str) -> None:
    """The next turn vouches for what was committed, not for what somebody made of it."""
    for moment, _, _ in every_step(protocol):
        if not moment.step:
            continue
        folder = restore(moment)
        edited = [n for n in entries_of(folder) if header_of(folder, n)["step"] == moment.step - 1]
        with Path(folder.path, edited[0]).open("a", encoding="utf-8") as text:
            text.write("\n")
        outcome = go(folder, moment)
        assert told(outcome.warnings) == {("edited_since", edited[0])}
        assert found(folder) == {("edited_since", edited[0])}, moment.label


@pytest.mark.parametrize("edit", EDITS)
@every_protocol
def test_to_remove_a_list_of_digests_silences_nothing(protocol: str, name: str, edit: str) -> None:
    last = history(protocol, name)[-1]
    folder = restore(last)
    names = (*one_of_each_kind(folder), "debate.md")
    lists = [n for n in names if {*KEYS} & {*header_of(folder, n)}]
    assert "debate.md" in lists
    for file in lists:
        folder = restore(last)
        edit_header(folder, file, EDITS[edit])
        assert file in {where for _, where in found(folder)}
        if file == "debate.md":
            assert found(folder) == seen(folder) == {("digests_removed", "debate.md")}


@every_protocol
def test_a_removed_list_stays_missed_when_the_debate_goes_on(protocol: str, name: str) -> None:
    moment = history(protocol, name)[1]
    folder = restore(moment)
    edit_header(folder, "debate.md", lambda header: header.pop("digests"))
    assert told(go(folder, moment).warnings) == {("digests_removed", "debate.md")}
    assert seen(folder) == set()
    [(code, file)] = found(folder)
    assert (code, header_of(folder, file)["step"]) == ("digests_removed", moment.step)


@every_protocol
def test_every_turn_names_the_framing_and_all_of_the_turn_before(protocol: str, name: str) -> None:
    folder = restore(history(protocol, name)[-1])
    turns: dict[int, set[str]] = {}
    named: dict[int, list[set[str]]] = {}
    for file in entries_of(folder):
        header = header_of(folder, file)
        turns.setdefault(header["step"], set()).add(header["id"])
        if "rests_on" in header:
            named.setdefault(header["step"], []).append(set(header["rests_on"]))
    assert named == {k: [{"framing"} | turns.get(k - 1, set())] for k in turns}
    newest = turns[max(turns)]
    assert set(header_of(folder, "debate.md")["digests"]) == {"framing"} | newest


@swept
def test_after_an_undo_nothing_is_reported_and_edits_still_are(protocol: str) -> None:
    for moment, _, last in every_step(protocol):
        if not moment.step:
            continue
        folder = restore(last)
        engine.undo(folder, step=moment.step)
        assert (found(folder), seen(folder)) == (set(), set()), moment.label
        folder = restore(last)
        edited = [n for n in entries_of(folder) if header_of(folder, n)["step"] == moment.step - 1]
        with Path(folder.path, edited[0]).open("a", encoding="utf-8") as text:
            text.write("\n")
        engine.undo(folder, step=moment.step)
        assert seen(folder) == found(folder) == {("edited_since", edited[0])}, moment.label


@every_protocol
def test_other_line_ends_are_no_edit(protocol: str, name: str) -> None:
    *_, moment, last = history(protocol, name)
    for each in (last, moment):
        folder = restore(each)
        for file in (*entries_of(folder), "debate.md"):
            path = Path(folder.path, file)
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert (found(folder), seen(folder)) == (set(), set())
    go(folder, moment)
    assert (found(folder), seen(folder)) == (set(), set())


@swept
def test_a_debate_without_digests_goes_on_and_has_them_from_there(protocol: str) -> None:
    for moment, _, _ in every_step(protocol):
        if not moment.step:
            continue
        folder = restore(moment)
        without_digests(folder)
        before = {n: Path(folder.path, n).read_bytes() for n in entries_of(folder)}
        assert (found(folder), seen(folder)) == (set(), set()), moment.label
        go(folder, moment)
        assert (found(folder), seen(folder)) == (set(), set()), moment.label
        assert {n: Path(folder.path, n).read_bytes() for n in before} == before
        steps = {file: header_of(folder, file)["step"] for file in before}
        one_of_each_step = {step: file for file, step in steps.items()}
        for step, file in one_of_each_step.items():
            data, is_covered = before[file], step == moment.step - 1
            Path(folder.path, file).write_bytes(data + b"\n")
            assert found(folder) == ({("edited_since", file)} if is_covered else set())
            Path(folder.path, file).write_bytes(data)


@every_protocol
def test_an_entry_that_is_gone_is_named_by_what_rests_on_it(protocol: str, name: str) -> None:
    last = history(protocol, name)[-1]
    for file in one_of_each_kind(restore(last)):
        folder = restore(last)
        Path(folder.path, file).unlink()
        faults, warnings = validation.validate(folder)
        assert faults or any(
            w.code == "entry_lost" and Path(file).stem in w.message for w in warnings
        )


@pytest.mark.parametrize("value", [None, [], "x", {"framing": 1}, 7])
@every_protocol
def test_digests_of_another_form_are_refused_and_repaired(
    protocol: str, name: str, value: Any
) -> None:
    folder = restore(history(protocol, name)[1])
    edit_header(folder, "debate.md", lambda header: header.update(digests=value))
    with pytest.raises(BadRecordError, match="digests"):
        engine.look(folder)
    repair.fix(folder)
    assert seen(folder) == {("digests_removed", "debate.md")}


def test_older_digests_of_what_was_judged_are_still_compared() -> None:
    folder = debate_at(2)
    judged = {"id": "prop_001", "digest": engine.look(folder).debate.record.digest("prop_001")}
    without_digests(folder)
    edit_header(folder, "judgments/judge_001.md", lambda header: header.update(judged=[judged]))
    assert found(folder) == set()
    change(folder, "arguments/prop_001.md", "One sentence.", "Two.")
    assert found(folder) == {("edited_since", "arguments/prop_001.md")}


def files_opened(monkeypatch: pytest.MonkeyPatch, act: Callable[[Folder], object], at: int) -> int:
    """Return how many files are opened to do something with a debate at this exchange."""
    opened: set[str] = set()
    read = files.read_bytes

    def counted(path: str, limit: int) -> bytes:
        opened.add(path)
        return read(path, limit)

    folder = debate_at(at, history_characters=1000)
    with monkeypatch.context() as patch:
        patch.setattr(files, "read_bytes", counted)
        act(folder)
    return len(opened)


@pytest.mark.parametrize("act", [engine.look, engine.next_turn])
def test_no_more_files_are_opened_in_a_long_debate(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[Folder], object]
) -> None:
    monkeypatch.setattr(digests, "RECENT", 2)
    monkeypatch.setattr(drops, "LOOK_BACK", 2)
    before, later = (files_opened(monkeypatch, act, at) for at in (12, 15))
    assert later <= before


def test_an_old_edit_is_told_where_a_prompt_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "RECENT", 1)
    folder = debate_at(4)
    change(folder, "arguments/prop_001.md", "One sentence.", "Another sentence.")
    assert seen(folder) == set()
    assert told(engine.next_turn(folder).warnings) == {("edited_since", "arguments/prop_001.md")}


def test_a_flood_of_unknown_names_is_counted_and_not_repeated() -> None:
    folder = debate_at(1)
    flood = {f"x\n{number}" * 99: "0" for number in range(10_000)}
    edit_header(folder, "debate.md", lambda header: header["digests"].update(flood))
    [warning] = [w for w in engine.look(folder).warnings if w.code in CODES]
    assert warning.code == "entry_lost"
    assert len(warning.message) < 1000
    assert "\n" not in warning.message
