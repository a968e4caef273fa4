"""Texts made to break a writer, and values of the record that hold them."""

from hypothesis import strategies as st

STRUCTURE = (
    *("\n", "\n\n", "\r\n", "\r", " ", "  ", "\t", "\v", "\x00", "\x1f", "\x7f", "\x85", "\xa0"),
    *("\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "\U0001f600", "e\u0301"),
    *("## Claim\n", "## Grounds\n", "### 1. x\n", "### Attacking [a](a.md)\n", "## Rescores\n"),
    *("## Attacks\n", "### [opp_002](x.md) on the claim of [prop_001](x.md): missed\n"),
    *("### [prop_001](x.md) +0.10\n", "**Relevance:** ", "**Type:** x\n", "> ", "> > "),
    *("# Motion\n", "## Scope\n", "## Context\n", "- **a**: ", "* **b:** ", "### doc\n\n~~~text\n"),
    *("---\n", "+++\n", "===\n", "___\n", "~~~", "~~~\n", "~~~~\n", "```\n"),
    *("<b>", "</b>", "<!--", "|"),
    *("1. ", "1) ", "- ", "* ", "+ ", "[a]: b", "[^1]: x", "](", "![", "&", "&#10;", "&amp;"),
    *("\\", "\\\\", "\\1", "\\#", "{", "}", '"', "'", ":", "$&", "%s", "{0}", "{{x}}"),
)

texts = st.lists(st.sampled_from(STRUCTURE) | st.text(max_size=6), max_size=8).map("".join)
