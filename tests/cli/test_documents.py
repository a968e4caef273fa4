"""Web pages and PDFs as context."""

import sys
from pathlib import Path

import pytest

from debate_ops.analysis import context_points
from debate_ops.analysis.quotations import Kind, Source
from debate_ops.cli import texts
from debate_ops.core.errors import MissingExtraError, UsageError

pytestmark = pytest.mark.usefixtures("work")

PAGE = """<!doctype html><html><head><title>Bridges &amp; ferries</title>
<meta property="article:published_time" content="2024-05-03T10:00"><style>p {}</style></head><body>
<nav>Home</nav><article><h1>Bridges</h1><p>The bridge was <b>not</b>
closed in <a href="/x">1961</a>.</p><ul><li>One point.<li>Another.</ul>
<table><tr><td>1961</td><td>3,400</td></tr></table><div>Loose text.</div></article>
<footer>Cookies</footer><script>steal()</script></body></html>"""
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


def document(name: str, data: bytes | str) -> str:
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    found, _ = texts.read_context([name])
    return found[name]


def test_a_page_is_read_in_paragraphs_with_title_and_date() -> None:
    pytest.importorskip("bs4")
    assert document("page.html", PAGE).split("\n\n") == [
        "# Bridges & ferries (2024-05-03)",
        "## Bridges",
        "The bridge was not closed in 1961.",
        "- One point.",
        "- Another.",
        "1961 | 3,400",
        "Loose text.",
    ]


def test_paragraphs_of_a_page_are_points_unless_it_has_its_tags() -> None:
    pytest.importorskip("bs4")
    text = document("page.html", PAGE)
    for said, points in ((text, 5), (PAGE, 1)):
        (named,) = context_points.name_documents([("page.html", said)])
        assert len(named.points) == points


def test_a_pdf_is_read_with_title_and_date_and_can_be_quoted() -> None:
    pytest.importorskip("pypdf")
    text = document("report.pdf", PDF)
    assert text.startswith("# Bridges (2024-05-03)\n\n## Page 1\n\n")
    assert Source(text).compare("not closed in 1961, says the engineer of").kind is Kind.VERBATIM


def test_pages_and_pdfs_below_a_folder_are_read_too() -> None:
    pytest.importorskip("bs4")
    Path("all").mkdir()
    Path("all/page.htm").write_text(PAGE)
    Path("all/notes.md").write_text("Notes.")
    documents, left_out = texts.read_context(["all"])
    assert [*documents] == ["notes.md", "page.htm"]
    assert left_out == ()


@pytest.mark.parametrize("name", ["page.html", "report.pdf"])
def test_what_has_no_text_or_is_damaged_is_a_fault(name: str) -> None:
    pytest.importorskip("bs4")
    pytest.importorskip("pypdf")
    for data in (b"", b"<html></html>", b"%PDF-1.4 damaged"):
        Path(name).write_bytes(
            data if name == "report.pdf" else data.replace(b"%PDF-1.4 damaged", b"")
        )
        with pytest.raises(UsageError) as refused:
            texts.read_context([name])
        assert [fault.file for fault in refused.value.faults] == [name]


@pytest.mark.parametrize(("name", "package"), [("page.html", "bs4"), ("report.pdf", "pypdf")])
def test_without_its_package_a_document_names_the_extra(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    Path(name).write_bytes(PDF)
    with pytest.raises(MissingExtraError, match=f"{name} .*'documents'") as missing:
        texts.read_context([name])
    assert "'.[documents]'" in missing.value.hint
