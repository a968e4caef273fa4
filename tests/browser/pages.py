"""The pages that are looked at: those of the example debates, of hostile ones, of long ones."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import cycle
from typing import NamedTuple

from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Entry
from debate_ops.report.page import write_html
from debate_ops.report.record import list_texts
from tests.courses import RICH, run_course
from tests.hostile import texts
from tests.report.stage import (
    EXAMPLES,
    OPENING,
    argument,
    exchange,
    judgment,
    make_long,
    read_at,
    read_example,
)

TEXTS = (*texts.TEXTS.values(), *texts.CONTROLS.values(), *texts.LAYOUT)
SCRIPT = texts.TEXTS["script"]
LOADING = texts.TEXTS["html that loads"]
MADE_BY = {"model": SCRIPT, "client": LOADING, "latency_ms": SCRIPT}
WORDS = frozenset({"source", "detail", "content", "relevance"})
"""What is its writer's own words in a ground or a citation."""
OPTIONAL = ("Backing", "Qualifier")
"""Texts of an argument that may be left out."""


def spoil(make: Callable[[], Replayed]) -> Replayed:
    """Return a debate with hostile texts wherever own words can stand: one for each entry."""
    at, following, every = make(), cycle(TEXTS), texts.TEXTS.values()
    d, at.debate = at.debate, replace(at.debate)
    for e in d.entries.values():
        text = next(following) if e.texts else SCRIPT
        said = dict.fromkeys((*e.texts, *(OPTIONAL if e.kind == "argument" else ())), text)
        data = {**e.data, **dict.fromkeys({"title", "claim"} & e.data.keys(), text)}
        for key in {"citations", "grounds"} & e.data.keys():
            data[key] = [part | dict.fromkeys(WORDS & part.keys(), text) for part in e.data[key]]
        at.debate.step = e.step
        at.debate.add(replace(e, texts=said, data=data, header={"made_by": MADE_BY}))
    d = at.debate
    d.motion, d.scope = f"{SCRIPT} {' '.join(every)}", "\n\n".join(every)
    d.definitions = tuple((text.split("\n", 1)[0][:80], text) for text in every)
    d.documents = tuple((f"notes-{number}", text) for number, text in enumerate(texts.LAYOUT))
    return at


def damaged() -> Replayed:
    """Return a debate with scores missing and links to arguments that there are not."""
    return exchange(
        *map(argument, OPENING),
        judgment(0, {"prop_000a": 0.3, "opp_000b": -0.3}),
        argument("prop_001", ["opp_999", "opp_000a"], ["prop_777"]),
        argument("opp_001", ["prop_001", "judge_000"], title="", claim=""),
        judgment(1, {}),
        argument("prop_002", ["prop_002"], grounds=[]),
    )


WITHOUT_MEMO = " without its memo"
"""What follows the name of an example whose page is to begin with what the rules say."""


class Shown(NamedTuple):
    """A page as a file's text, the entries that have a card on it, and how these are called."""

    html: str
    items: tuple[Entry, ...]
    titles: Mapping[str, str]

    @property
    def ids(self) -> list[str]:
        return [item.id for item in self.items]


@cache
def page_of(name: str) -> Shown:
    """Return the page of this name: an example's, or one of the debates made for the tests."""
    example = name.removesuffix(WITHOUT_MEMO)
    reading = read_example(example) if example in EXAMPLES else read_at(MADE[name]())
    if name != example:
        reading.memo = None
    return Shown(write_html(reading).decode(), tuple(reading.entries), reading.titles)


def spell(item: Entry) -> list[tuple[str, str]]:
    """Return the texts of an entry that stand on its card."""
    return [(h, t) for h, t in list_texts(item) if h not in {"Attacks", "Defends", "Sources"}]


HOSTILE: Mapping[str, Callable[[], Replayed]] = {
    "hostile": partial(spoil, partial(make_long, len(TEXTS) // 2)),  # each exchange has two
    **{f"hostile {name}": partial(spoil, partial(run_course, name)) for name in RICH},
    "damaged": damaged,
    "empty": exchange,
}
LONG: Mapping[str, Callable[[], Replayed]] = {
    "50 arguments": partial(make_long, 22),  # an opening has six, an exchange two
    "1000 arguments": partial(make_long, 497),
}
MADE = {**HOSTILE, **LONG}
