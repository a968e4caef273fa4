"""A text that is Markdown itself shows its structure on a page and can do nothing else."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from debate_ops.report.rich import write_rich

VIEWER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HARMLESS = frozenset(
    {"paragraph", "bullet_list", "ordered_list", "list_item", "em", "strong"}
    | {"table", "thead", "tbody", "tr", "th", "td", "inline", "text", "softbreak", "hardbreak"}
    | {"code_inline", "fence", "code_block"}
)
PIECES = (
    *("# ", "## h", "- ", "* ", "1. ", "2) ", "```", "~~~", "````", "`", "``", "\n", "\n\n"),
    *("<b>", "<script>", "<!--", "-->", "<https://e.example>", "[x](http://e.example)", "[r]"),
    *("[r]: http://e.example", "![i](u)", "| a | b |", "|---|---|", "--- | ---", ":-", "|"),
    *("---", "===", "- - -", "* * *", "_ _ _", "-", "*", "_", "**", "+", "=", "1.", ": ", "> "),
    *("\\", "\\|", "&amp;", "    ", "  ", " ", "\t", "text", "a|b", "$", "~~", "| `x|<b>` |"),
)


def tokens(parsed: Sequence[Token]) -> Iterator[Token]:
    for token in parsed:
        yield token
        yield from tokens(token.children or [])


def kinds(text: str) -> set[str]:
    types = (token.type for token in tokens(VIEWER.parse(text)))
    return {name.removesuffix("_open").removesuffix("_close") for name in types}


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("| `<b>|` |\n|---|---|\n| `x` | <i> |")
@example("| a | b |\n|---|---|\n| `x\\|<b>` | c |")
@example("- - -\ntext\n-")
@example("text\n    ~~~\n    <b>\n    ~~~")
def test_no_text_is_a_tag_a_link_a_rule_or_a_heading_or_takes_in_what_follows(text: str) -> None:
    shown = write_rich(text)
    assert kinds(shown) <= HARMLESS
    parsed = VIEWER.parse(f"## Before\n\n{shown}\n\n## After\n\n[r]: http://e.example\n")
    high = [token for token in parsed if token.type == "heading_open" and token.tag in {"h1", "h2"}]
    assert len(high) == 2
    assert parsed[-3] is high[1]
    assert parsed[-2].content == "After"
    assert parsed[-3].level == 0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("- one\n- two", "bullet_list"),
        ("3. one\n   - two", "ordered_list"),
        ("some **strong** words", "strong"),
        ("a `<b>` of code", "code_inline"),
        ("1. so:\n\n   ```sh\n   a <b\n   ```\n2. then", "fence"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "table"),
        ("# Parts", "strong"),
    ],
)
def test_what_shows_the_text_stays(text: str, kind: str) -> None:
    assert kind in kinds(write_rich(text))
    assert "&lt;" not in write_rich(text)


def test_a_heading_is_a_bold_line() -> None:
    assert write_rich("# a *b*\n###### C# ##\n- # d") == "**a \\*b\\***\n\n\n**C#**\n\n- \\# d"


@pytest.mark.parametrize(
    "text",
    [
        "* " * 60 + "# Two",
        "- " * 30 + "x",
        "1. " * 40 + "x",
        "\n".join("  " * depth + "- a" for depth in range(60)),
        "\n".join("   " * depth + "1. a" for depth in range(40)),
    ],
)
def test_no_list_is_so_deep_that_what_comes_after_it_is_lost(text: str) -> None:
    viewer = MarkdownIt("commonmark", {"maxNesting": 20})
    html = viewer.render(f"{write_rich(text)}\n\n## After\n\nWords.\n")
    assert "<h2>After</h2>\n<p>Words.</p>" in html
