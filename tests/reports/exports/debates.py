"""Debates whose texts are made to break the formats they are exported to."""

from __future__ import annotations

import random
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Argument, Ground, Link, Value
from debate_ops.reports.content import content_of
from debate_ops.reports.items import Content
from tests.reports import debates
from tests.strategies import STRUCTURE

MARKUP = (
    *("->", "+>", "_>", "<-", "--", "----", "===", "(1)", "[x]", "[x]: y", "<a>", "<a>: b", "@<a>"),
    *("#tag", "#(a tag)", "{a: 1}", "} x", "{", "}", ":smile:", ".~.", "//", "/* */", "<!-- -->"),
    *("a_b", "_a_", "__a__", "**b**", "*", "e.g.", "2.1", "a:b", "a--b", "-x", "x-", "\\n", "\\"),
    *("-->", "-.->", "%%", "end", "subgraph", "click", "#quot;", "&quot;", "&amp;lt;", ";", "|"),
    *("\\N", "\\G", "\\l", "\\", '\\"', "<br/>", "&#10;", "]]", "))", '"]', "fa:fa-x", "$$x$$"),
    *("=1+1", "+1", "-1", "@SUM(A1)", ",", "'", '"', "\t", "\ufb02", "`", "`m`", "arg(a).", "%"),
    *(
        "العدالة",
        "\u202eabc",
        "日本語",
        "👩‍👩‍👧",
        "<script>alert(1)</script>",
        "\ud800",
        "\U0010ffff",
    ),
)
WORDS = ("Costs", "of", "waiting", "fall", "on", "those", "who", "pay")
PLAIN = ("A plain title", "two\nlines", 'say "so"', "[brackets] and (others)", " ", "", "x" * 9000)


def titles(number: int, seed: int = 1) -> list[str]:
    """Return so many titles, the same for the same seed: some known, the others made of markup."""
    chance = random.Random(seed)  # noqa: S311
    pieces = (*MARKUP, *STRUCTURE, *WORDS, *WORDS)
    made = [_made(chance, pieces) for _ in range(number - len(PLAIN))]
    return [*PLAIN, *made]


def _made(chance: random.Random, pieces: tuple[str, ...]) -> str:
    between = chance.choice(("", " ", " "))
    return between.join(chance.choices(pieces, k=chance.randrange(1, 9)))


def fuzzed(number: int, seed: int = 1) -> Debate:
    """Return a debate of so many arguments, all of whose texts are hostile, none of it scored."""
    given = titles(number, seed)
    chance = random.Random(seed + 1)  # noqa: S311
    ids = [f"{side}_{exchange:03d}" for exchange in range(1, number) for side in ("prop", "opp")]
    arguments: list[Argument] = []
    for entry_id, title in zip(ids, given, strict=False):
        text, other, third = chance.choices(given[:5] + given[7:], k=3)
        earlier = [a.id for a in arguments if a.exchange < int(entry_id[-3:])]
        arguments.append(
            debates.argument(
                entry_id,
                title=title,
                claim=text,
                grounds=(Ground(other, third, text), Ground(text, "", other)),
                warrant=other,
                backing=third,
                attacks=_links(chance, earlier, ("claim_attack", "warrant_attack"), third),
                defends=_links(chance, earlier, ("reinforce", "concede_and_pivot"), text),
            )
        )
    return debates.debate(*arguments, motion=given[0] + ' "quoted" = {a} --> b')


def _links(
    chance: random.Random, earlier: list[str], kinds: tuple[str, ...], content: str
) -> list[Link]:
    targets = chance.sample(earlier, min(2, len(earlier)))
    return [Link(target, chance.choice(kinds), content) for target in targets]


def content(*values: Value, **changes: Any) -> Content:
    """Return the content of a debate of these entries."""
    return content_of(debates.debate(*values, **changes))


def crowded() -> Content:
    """Return a debate with 520 links in one exchange: more than a diagram may have."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    first = [debates.argument(f"opp_000{letter}") for letter in letters]
    targets = [item.id for item in first[:20]]
    return content(*first, *(debates.argument(f"prop_001{i}", attacks=targets) for i in letters))
