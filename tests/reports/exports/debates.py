"""Debates whose texts are made to break the formats they are exported to."""

from __future__ import annotations

import random
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.model.views import Argument, Ground, Link
from debate_ops.reports.content import content_of
from debate_ops.reports.items import Content
from tests.reports import debates
from tests.strategies import STRUCTURE
from tests.views import View

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
        "\U0010ffff",
    ),
)
WORDS = ("Costs", "of", "waiting", "fall", "on", "those", "who", "pay")
PLAIN = ("A plain title", "two\nlines", 'say "so"', "[brackets] and (others)", " ", "", "x" * 9000)


def fuzzed(number: int, seed: int = 1) -> Debate:
    """Return a debate of so many arguments, all of whose texts are hostile, none of it scored.

    It is the same for the same seed.
    """
    chance = random.Random(seed)  # noqa: S311
    pieces = (*MARKUP, *STRUCTURE, *WORDS, *WORDS)

    def text() -> str:
        return chance.choice(("", " ", " ")).join(chance.choices(pieces, k=chance.randrange(1, 9)))

    arguments: list[Argument] = []
    for place in range(number):
        exchange = place // 2 + 1
        earlier = [a.id for a in arguments if a.exchange < exchange]
        attacked, defended = (chance.sample(earlier, min(2, len(earlier))) for _ in range(2))
        attack = chance.choice(("claim_attack", "warrant_attack"))
        defence = chance.choice(("reinforce", "concede_and_pivot"))
        said = text()
        arguments.append(
            debates.argument(
                f"{('prop', 'opp')[place % 2]}_{exchange:03d}",
                title=PLAIN[place] if place < len(PLAIN) else text(),
                claim=said,
                grounds=(Ground(text(), text(), said), Ground(said, "", text())),
                warrant=text(),
                backing=text(),
                attacks=[Link(target, attack, text()) for target in attacked],
                defends=[Link(target, defence, said) for target in defended],
            )
        )
    return debates.debate(*arguments, motion=PLAIN[0] + ' "quoted" = {a} --> b')


def content(*values: View, **changes: Any) -> Content:
    """Return the content of a debate of these entries."""
    return content_of(debates.debate(*values, **changes))
