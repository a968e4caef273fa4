"""Texts made to break a writer, and values of the record that hold them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from debate_ops.analysis.flow import COMPONENTS
from debate_ops.model.debate import Total
from debate_ops.model.score import Millis
from debate_ops.model.texts import is_blank
from debate_ops.model.views import Absence, Argument, Effect, Ground, Judgment, Link, Rescore, Score

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
filled = texts.filter(lambda text: not is_blank(text))
words = st.text("abc é\U0001f600", min_size=1, max_size=12)

numbers = st.integers(-(10**20), 10**20) | st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=6
)
scalars = st.none() | st.booleans() | numbers | texts
keys = st.text(max_size=12)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)

millis = st.integers(-1000, 1000).map(Millis)
totals = st.builds(Total, st.integers(-99_999, 99_999).map(Millis), st.integers(0, 99))
exchanges = st.integers(0, 1200)
kinds = st.sampled_from(["claim_attack", "grounds_attack", "reinforce", "concede_and_pivot"])


def ids(side: str) -> st.SearchStrategy[str]:
    return exchanges.map(lambda number: f"{side}_{number:03d}" if number else f"{side}_000a")


effects = st.sampled_from(["landed", "partly", "missed", "met"])
links = st.builds(Link, ids("opp"), kinds, texts)
grounds = st.builds(Ground, texts, texts, texts, texts, texts)


@st.composite
def arguments(draw: st.DrawFn) -> Argument:
    argument_id = draw(ids("prop"))
    return Argument(
        id=argument_id,
        side="prop",
        exchange=int(argument_id[5:8] if argument_id[8:].isalpha() else argument_id[5:]),
        title=draw(texts),
        claim=draw(texts),
        grounds=tuple(draw(st.lists(grounds, min_size=1, max_size=3))),
        warrant=draw(texts),
        backing=draw(texts),
        qualifier=draw(texts),
        attacks=tuple(draw(st.lists(links, max_size=3))),
        defends=tuple(draw(st.lists(links, max_size=2))),
    )


@st.composite
def judgments(draw: st.DrawFn) -> Judgment:
    exchange = draw(exchanges)
    new = draw(st.lists(ids("opp"), min_size=1, max_size=6, unique=True))
    earlier = draw(st.lists(ids("prop"), max_size=3, unique=True))
    attacks = st.tuples(ids("opp"), ids("prop"), st.sampled_from(COMPONENTS))
    decided = draw(st.lists(attacks, max_size=3, unique=True))
    return Judgment(
        id=f"judge_{exchange:03d}",
        exchange=exchange,
        scores=tuple(Score(i, draw(millis), draw(texts)) for i in new),
        rescores=tuple(Rescore(i, draw(millis), draw(millis), draw(texts)) for i in earlier),
        effects=tuple(Effect(*attack, draw(effects), draw(texts)) for attack in decided),
    )


absences = st.builds(
    lambda exchange, how, reason, by: Absence(
        f"opp_{exchange:03d}-absence", "opp", exchange, how, reason, by
    ),
    exchanges,
    st.sampled_from(["pass", "skip", "time-out"]),
    texts,
    words,
)


def as_floats(value: Any) -> Any:
    """Return JSON data as readers see it that know no `Decimal`."""
    if isinstance(value, dict):
        return {key: as_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_floats(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value
