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


def one_of_each() -> Replayed:
    """Return a debate with one argument for each text, which stands wherever a text can stand."""
    entries = [*map(argument, OPENING), judgment(0, dict.fromkeys(OPENING, 0))]
    for number, text in enumerate(TEXTS, 1):
        mine, other = (f"{side}_{number:03d}" for side in ("prop", "opp"))
        entries += [
            _fill(mine, text, number),
            argument(other, title=f"A plain one of {number}"),
            judgment(number, {mine: "0.1", other: "-0.1"}),
        ]
    return frame(exchange(*entries))


def frame(at: Replayed) -> Replayed:
    """Return a debate with a framing all of whose texts are hostile."""
    d, every = at.debate, texts.TEXTS.values()
    d.motion, d.scope = f"{SCRIPT} {' '.join(every)}", "\n\n".join(every)
    d.definitions = tuple((text.split("\n", 1)[0][:80], text) for text in every)
    d.documents = tuple((f"notes-{number}", text) for number, text in enumerate(texts.LAYOUT))
    return at


def _fill(an_id: str, text: str, number: int) -> Entry:
    before = f"opp_{number - 1:03d}" if number > 1 else "opp_000a"
    own = f"prop_{number - 1:03d}" if number > 1 else "prop_000a"
    grounds = [{"source": text, "content": text, "relevance": text}]
    grounds.append({"source": f"{texts.WEB}/{number}", "content": text, "relevance": text})
    made = argument(
        an_id, [f"{before} warrant_attack"], [own], title=text, claim=text, grounds=grounds
    )
    said = dict.fromkeys(("Warrant", "Backing", "Qualifier"), text)
    return replace(made, texts=said, header={"made_by": MADE_BY})


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


def spoil(name: str) -> Replayed:
    """Return a course with a hostile text wherever somebody's own words stand."""
    at, following = run_course(name), cycle(TEXTS)
    d, at.debate = at.debate, replace(at.debate)
    for e in d.entries.values():
        said = {heading: next(following) for heading in e.texts}
        data = {**e.data, **({"title": next(following)} if "title" in e.data else {})}
        if data.get("citations"):
            data["citations"] = [{"source": next(following), "detail": next(following)}]
        at.debate.step = e.step
        at.debate.add(replace(e, texts=said, data=data, header={"made_by": MADE_BY}))
    at.debate.step = d.step
    return frame(at)


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
    "hostile": one_of_each,
    **{f"hostile {name}": partial(spoil, name) for name in RICH},
    "damaged": damaged,
    "empty": exchange,
}
LONG: Mapping[str, Callable[[], Replayed]] = {
    "50 arguments": partial(make_long, 22),  # an opening has six, an exchange two
    "1000 arguments": partial(make_long, 497),
}
MADE = {**HOSTILE, **LONG}
