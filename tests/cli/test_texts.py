"""Context as a user gives it: files, folders of files, web pages and PDFs."""

import os
import sys
from pathlib import Path

import pytest

from debate_ops.analysis.quotations import Kind, Source
from debate_ops.cli import texts
from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.engine import load
from debate_ops.engine.store import Folder
from tests.builders import Answer, run, written
from tests.cli.stage import feed

pytestmark = pytest.mark.usefixtures("work")


def made(*paths: str) -> Answer:
    words = [word for path in paths for word in ("--context", path)]
    return run("new", "x", "--motion", "M", *words, "--json")


def faults(*paths: str) -> dict[str, str]:
    refused = made(*paths)
    assert (refused.code, Path("debates/x").exists()) == (2, False)
    return {fault["file"]: fault["message"] for fault in refused.result["faults"]}


def documents() -> dict[str, str]:
    """Return the context documents on record, by name, in their order."""
    return dict(load(Folder("debates/x")).debate.documents)


def test_what_no_participant_could_use_and_every_link_is_left_out_and_named() -> None:
    for name, data in {
        "a.md": b"a",
        **dict.fromkeys((".git/config", ".env", "sub/.secret/key"), b"x"),
        "empty": b"",
        "sub/white": b" \n\t\n",
        "z": b"a\0b",
        "logo.png": b"\x89PNG\0" + b"x" * 400_000,
        "../elsewhere/secret.md": b"secret",
    }.items():
        written(f"case/{name}", data)
    links = {"file": "a.md", "folder": "sub", "out": "../elsewhere", "nowhere": "no-such-file"}
    for name, target in links.items():
        Path("case", name).symlink_to(target)
    (warning,) = made("case").result["warnings"]
    names = ".env .git empty file folder logo.png nowhere out sub/.secret sub/white z"
    assert warning.endswith(f": {', '.join(names.split())}")
    assert list(documents()) == ["a.md"]


def test_limit_counts_characters_in_folders_and_files_together() -> None:
    for name in ("case/a.md", "case/b.md"):
        written(name, "é" * 100 * 1024)  # two bytes each
    files = ("c.md", "d.md", "e.md", "f.md")
    for name in files[1:]:
        written(name, "x" * 206 * 1024)
    written("c.md", "x" * (206 * 1024 + 1))
    assert "larger than 1024 KiB together" in made("case", *files).result["error"]
    written("c.md", "x" * 206 * 1024)
    assert made("case", *files).code == 0


def test_two_documents_of_one_name_have_their_paths_for_names() -> None:
    for name in ("one/a.md", "two/a.md", "one/b.md", "c.md"):
        written(name)
    made("one", "two", "c.md", "./one//a.md")
    assert list(documents()) == ["one/a.md", "b.md", "two/a.md", "c.md"]


def test_text_is_as_it_stands_but_for_the_mark_at_its_beginning() -> None:
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        written("a.md", "\ufeffone\r\ntwö\n".encode(encoding))
        assert texts.read_text("a.md") == "one\r\ntwö\n"
        assert texts.read_filled("a.md") == "one\ntwö"
    with pytest.raises(UsageError, match="cannot read b"):
        texts.read_text("b.md")


@pytest.mark.parametrize(
    ("words", "data", "part"),
    [
        ((), b"x" * (texts.MAX_TEXT_BYTES + 1), "larger than 256 KiB"),
        ((), b"A \xff motion", "not UTF-8"),
        ((), "A motion".encode("utf-16-le"), "UTF-16 without a byte-order mark"),
        (("--settings", "-"), b"", "input is empty"),
        (("--question", "-"), b"", "input is empty"),
    ],
)
def test_motion_on_standard_input_is_taken_whole_and_alone_or_refused(
    words: tuple[str, ...], data: bytes, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, data)
    answer = run("new", "x", "--motion", "-", *words, "--json")
    assert answer.code == 2
    assert part in answer.result["error"]
    assert not Path("debates/x").exists()


def test_every_path_that_cannot_be_context_is_told_at_once() -> None:
    for name in ("good", "bare/.hidden"):
        written(name)
    written("bin", b"a\xff")
    written("empty", "\n")
    written("case/latin", b"caf\xe9")
    written("case/large", "x" * (texts.MAX_TEXT_BYTES + 1))
    os.mkfifo("case/pipe")
    Path(os.fsdecode(b"case/\xff.md")).write_text("text")
    assert faults("missing", "bin", "good", "missing2", "empty", "case", "bare", "") == {
        "missing": "No such file or directory",
        "bin": "is not UTF-8 at byte 1 (invalid start byte)",
        "missing2": "No such file or directory",
        "empty": "is blank",
        "case/latin": "is not UTF-8 at byte 3 (unexpected end of data)",
        "case/large": "is larger than 256 KiB",
        "case/pipe": "is not a regular file",
        "case/\ufffd.md": "has a name that is not UTF-8",
        "bare": "has no text below it",
        "": "a file is required, and its path is empty",
    }


PAGE = """<html><head><title>Bridges &amp; ferries</title><style>p {}</style></head><body>
<nav>Home</nav><article><h1>Bridges</h1><p>The bridge was <b>not</b>
closed in <a href="/x">1961</a>.</p><table><tr><td>1961<td>3,400</table>Loose.<div>Text.</div>
<script>steal()</script><form>Subscribe</form></article><footer>Cookies</footer></body></html>"""
STREAM = b"BT /F 12 Tf 20 700 Td (The bridge was not closed in 1961, says the engi-) Tj"
STREAM += b" 0 -14 Td (neer of the town.) Tj ET"
PDF = b"""%%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R
/Resources<</Font<</F 5 0 R>>>>>> endobj
4 0 obj <</Length %d>> stream
%s
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
6 0 obj <</Title(Bridges)/CreationDate(D:20240503100000Z)>> endobj
trailer <</Size 7/Root 1 0 R/Info 6 0 R>>
startxref
0
%%%%EOF
""" % (len(STREAM), STREAM)


def test_a_pdf_is_read_by_pages_and_can_be_quoted() -> None:
    for name in ("report.pdf", "below/report.pdf"):
        written(name, PDF)
    found, left_out = texts.read_context(["report.pdf", "below"])
    assert left_out == ()
    for text in found.values():
        assert text.startswith("## Page 1\n\n")
        said = Source(text).compare("not closed in 1961, says the engineer of")
        assert said.kind is Kind.VERBATIM


def test_a_saved_page_is_read_in_paragraphs_below_its_title() -> None:
    written("case/page.HTM", PAGE)
    read, _ = texts.read_context(["case"])
    assert read["page.HTM"].split("\n\n") == [
        *("# Bridges & ferries", "Bridges", "The bridge was not closed in 1961."),
        *("1961", "3,400", "Loose.", "Text."),
    ]
    written("empty.html", "<html><title>Nothing</title><script>x</script></html>")
    assert "without text" in faults("empty.html")["empty.html"]


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4 damaged", PDF.replace(b"Tj", b"T*")])
def test_a_pdf_without_text_or_damaged_is_a_fault(data: bytes) -> None:
    written("report.pdf", data)
    assert [*faults("report.pdf")] == ["report.pdf"]


@pytest.mark.parametrize(("name", "package"), [("page.html", "bs4"), ("report.pdf", "pypdf")])
def test_without_its_package_a_document_names_the_extra(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    written(name, PDF)
    with pytest.raises(MissingExtraError, match=rf"{name} .*'documents'") as missing:
        texts.read_context([name])
    assert "'.[documents]'" in missing.value.hint
