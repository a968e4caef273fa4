"""Context as a user gives it: files, and folders of files below which every text is one."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from debate_ops.cli import texts
from debate_ops.engine import look
from debate_ops.errors import UsageError
from debate_ops.formats import debate_file
from debate_ops.storage.folder import Folder
from tests.builders import Answer, run

pytestmark = pytest.mark.usefixtures("work")


def made(*paths: str) -> Answer:
    words = [word for path in paths for word in ("--context", path)]
    return run("new", "x", "--motion", "M", *words, "--json")


def documents() -> dict[str, str]:
    """Return the context documents on record, by name, in their order."""
    actual = debate_file.framing(look(Folder("debates/x")).debate.body).context
    return {document.name: document.text for document in actual}


def put(path: str, content: str | bytes = "text\n") -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def faults(answer: Answer) -> dict[str, str]:
    assert answer.code == 2
    assert not Path("debates/x").exists()
    return {fault["file"]: fault["message"] for fault in answer.result["faults"]}


def test_every_text_below_a_folder_is_a_document_by_its_path_in_order() -> None:
    for name in ("b.md", "a/z.txt", "a.md", "a/b/c.py"):
        put(f"case/{name}", f"text of {name}\r\nmore\n\n")
    assert made("case").result["warnings"] == []
    assert documents() == {
        name: f"text of {name}\nmore" for name in ("a.md", "a/b/c.py", "a/z.txt", "b.md")
    }
    assert list(documents()) == sorted(documents())


def test_hidden_files_and_folders_are_left_out_and_told() -> None:
    for name in ("a.md", ".git/config", ".env", "sub/.secret/key", "sub/b.md"):
        put(f"case/{name}")
    result = made("case").result["warnings"]
    assert list(documents()) == ["a.md", "sub/b.md"]
    assert result == ["case: left out, hidden: .env, .git, sub/.secret"]


def test_blank_files_are_left_out_and_told() -> None:
    for name, text in {"a.md": "a", "empty": "", "sub/white": " \n\t\n"}.items():
        put(f"case/{name}", text)
    assert made("case").result["warnings"] == ["case: left out, blank: empty, sub/white"]
    assert list(documents()) == ["a.md"]


def test_link_within_the_folder_is_left_out_because_its_text_is_there_already() -> None:
    put("case/sub/a.md")
    Path("case/file").symlink_to("sub/a.md")
    Path("case/folder").symlink_to("sub", target_is_directory=True)
    assert made("case").result["warnings"] == ["case: left out, links within it: file, folder"]
    assert list(documents()) == ["sub/a.md"]


def test_link_that_leads_outside_is_refused_whether_to_a_file_or_a_folder() -> None:
    put("case/a.md")
    put("elsewhere/secret.md")
    put("case-of-another/secret.md")
    Path("case/file").symlink_to("../elsewhere/secret.md")
    Path("case/folder").symlink_to("../elsewhere", target_is_directory=True)
    Path("case/beside").symlink_to("../case-of-another/secret.md")
    Path("case/nowhere").symlink_to("no-such-file")
    result = faults(made("case"))
    assert set(result) == {"case/file", "case/folder", "case/beside", "case/nowhere"}
    assert {result[f"case/{name}"] for name in ("file", "folder", "beside")} == {
        "is a link that leads outside of the folder"
    }
    assert result["case/nowhere"] == "is a link that leads nowhere"


def test_folder_that_is_a_link_itself_is_refused() -> None:
    put("elsewhere/a.md")
    Path("case").symlink_to("elsewhere", target_is_directory=True)
    for name in ("case", "case/"):
        answer = made(name)
        assert answer.code == 2
        assert "is a symbolic link" in answer.result["error"]


def test_pictures_and_other_files_that_are_no_text_are_left_out_and_told() -> None:
    put("case/a.md")
    put("case/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"x" * 400_000)
    put("case/sub/zero", b"a\0b")
    assert made("case").result["warnings"] == ["case: left out, no text: logo.png, sub/zero"]
    assert list(documents()) == ["a.md"]


def test_name_that_is_not_utf_8_is_refused() -> None:
    put("case/a.md")
    Path(os.fsdecode(b"case/\xff.md")).write_text("text")
    assert faults(made("case")) == {"case/\ufffd.md": "has a name that is not UTF-8"}


@pytest.mark.parametrize("size", [1, 3])
def test_texts_that_are_too_large_together_are_refused_with_the_largest(size: int) -> None:
    """Those far beyond the limit are not even read."""
    for number in range(10 * size):
        put(f"case/{number:02d}.md", "x" * (1024 * (200 + number)))
    answer = made("case")
    assert answer.code == 2
    assert "larger than 1024 KiB together" in answer.result["error"]
    last = 10 * size - 1
    assert f"largest: case/{last:02d}.md ({200 + last} KiB), " in answer.result["error"]
    assert answer.result["error"].count("KiB)") == texts.LARGEST


def test_limit_counts_characters_in_folders_and_files_together() -> None:
    for name in ("case/a.md", "case/b.md"):
        put(name, "é" * 100 * 1024)  # two bytes each
    files = ("c.md", "d.md", "e.md", "f.md")
    for name in files:
        put(name, "x" * 206 * 1024)
    assert made("case", *files).code == 0
    put("f.md", "x" * (206 * 1024 + 1))
    words = [word for path in ("case", *files) for word in ("--context", path)]
    assert run("new", "y", "--motion", "M", *words, "--json").code == 2


def test_two_documents_of_one_name_have_their_paths_for_names() -> None:
    for name in ("one/a.md", "two/a.md", "one/b.md", "c.md"):
        put(name)
    made("one", "two", "c.md")
    assert list(documents()) == ["one/a.md", "b.md", "two/a.md", "c.md"]


@pytest.mark.parametrize("again", ["case/a.md", "./case//a.md", "case"])
def test_text_given_twice_is_refused(again: str) -> None:
    put("case/a.md")
    answer = made("case", again)
    assert answer.code == 2
    assert answer.result["error"] == "--context is given twice for case/a.md"


def test_text_is_as_it_stands_but_for_the_mark_at_its_beginning() -> None:
    put("a.md", b"\xef\xbb\xbfone\r\ntwo\n")
    assert texts.text("a.md") == "one\r\ntwo\n"
    assert texts.filled("a.md") == "one\ntwo"
    with pytest.raises(UsageError, match="cannot read b"):
        texts.text("b.md")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"x" * (texts.MAX_TEXT_BYTES + 1), "standard input is larger than 256 KiB"),
        (b"A \xff motion", "standard input is not UTF-8"),
    ],
)
def test_motion_on_standard_input_is_taken_whole_or_refused(
    data: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    refused = run("new", "x", "--motion", "-", "--json")
    assert refused.code == 2
    assert why in refused.result["error"]
    assert not Path("debates/x").exists()


def test_every_path_that_cannot_be_context_is_told_at_once() -> None:
    put("bin", b"a\xff")
    put("good")
    put("empty", "\n")
    put("case/latin", b"caf\xe9")
    put("case/large", "x" * (texts.MAX_TEXT_BYTES + 1))
    os.mkfifo("case/pipe")
    put("bare/.hidden")
    answer = made("missing", "bin", "good", "missing2", "empty", "case", "bare", "")
    assert faults(answer) == {
        "missing": "No such file or directory",
        "bin": "is not UTF-8 at byte 1",
        "missing2": "No such file or directory",
        "empty": "is blank",
        "case/latin": "is not UTF-8 at byte 3",
        "case/large": "is larger than 256 KiB",
        "case/pipe": "is not a regular file",
        "bare": "has no text below it",
        "": "a file is required, and its path is empty",
    }
    assert answer.result["error"] == "9 files cannot be context"


def test_standard_input_is_not_read_for_two_things() -> None:
    refused = run("new", "x", "--motion", "-", "--settings", "-", "--json")
    assert refused.code == 2
    assert (
        "--motion and --settings cannot both be read from standard input" in refused.result["error"]
    )
    assert not Path("debates/x").exists()


def test_motion_that_is_the_path_of_a_file_is_kept_as_it_is_and_told() -> None:
    put("motion.md")
    result = run("new", "x", "--motion", "motion.md", "--json").result
    assert result["motion"] == "motion.md"
    (warning,) = result["warnings"]
    assert "--motion-file" in warning
    assert "'motion.md'" in warning


def test_folder_far_beyond_the_limit_is_refused_before_it_is_read() -> None:
    for number in range(17):
        put(f"case/{number}", b"\xff" * 250 * 1024)
    answer = made("case")
    assert answer.code == 2
    assert "1024 KiB" in answer.result["error"]
