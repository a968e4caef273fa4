"""Debates in memory: values become entries as on disk, and a debate that holds them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from debate_ops.formats import debate_file, entries, headers
from debate_ops.formats.entries import Stamp
from debate_ops.model.debate import Debate, Framing, totals_after
from debate_ops.model.entries import JUDGMENT, Entry
from debate_ops.model.score import Millis
from debate_ops.model.views import Absence, Argument, Effect, Ground, Judgment, Link, Rescore, Score
from debate_ops.protocols.exchange import rules as exchange
from tests.protocols.memory import MemoryRecord
from tests.views import View, entry_of

MOTION = "This house would X"


def argument(entry_id: str, **changes: Any) -> Argument:
    """Return an argument of the side and exchange that its id names; links by target id."""
    side, _, number = entry_id.partition("_")
    for key, kind in (("attacks", "claim_attack"), ("defends", "reinforce")):
        links = changes.get(key, ())
        changes[key] = tuple(i if isinstance(i, Link) else Link(i, kind, "Because.") for i in links)
    plain: dict[str, Any] = {
        "title": f"The title of {entry_id} here",
        "claim": "One sentence.",
        "grounds": (Ground("A source", "What it says.", "Why it matters."),),
        "warrant": "So it follows.",
    }
    return Argument(id=entry_id, side=side, exchange=int(number[:3]), **plain | changes)


def judgment(
    number: int,
    scores: Mapping[str, int],
    rescores: Mapping[str, tuple[int, int]] | None = None,
    effects: Sequence[Effect] = (),
) -> Judgment:
    """Return the judgment of an exchange; scores in thousandths, rescores from and to."""
    return Judgment(
        f"judge_{number:03d}",
        number,
        tuple(Score(i, Millis(s), f"Why {i} has it.") for i, s in scores.items()),
        tuple(
            Rescore(i, Millis(a), Millis(b), f"Why {i} changed.")
            for i, (a, b) in (rescores or {}).items()
        ),
        tuple(effects),
    )


def decided_debate() -> Debate:
    """Return a debate whose judge says what attacks did: one landed, and is met later; one missed.

    A third one came in the last exchange, and landed.
    """
    hits = ["prop_000a", Link("prop_000a", "warrant_attack")]
    first = ("opp_001", "prop_000a")
    return debate(
        *(argument(i) for i in OPENING),
        judgment(0, dict.fromkeys(OPENING, 0)),
        *(argument("prop_001"), argument("opp_001", attacks=hits)),
        judgment(
            1,
            {"prop_001": 0, "opp_001": 0},
            {"prop_000a": (0, -200)},
            [
                Effect(*first, "claim", "landed", "The claim does not hold."),
                Effect(*first, "warrant", "missed", "It hits a side remark."),
            ],
        ),
        *(argument("prop_002", defends=["prop_000a"]), argument("opp_002", attacks=["prop_001"])),
        judgment(
            2,
            {"prop_002": 0, "opp_002": 0},
            {"prop_000a": (-200, 100)},
            [
                Effect("opp_002", "prop_001", "claim", "partly", "It is right about a part."),
                Effect(*first, "claim", "met", "It holds again."),
            ],
        ),
        settings={setting.name: setting.default for setting in exchange.SETTINGS}
        | {"attack_effects": "on"},
    )


def absence(entry_id: str) -> Absence:
    participant, _, rest = entry_id.partition("_")
    return Absence(entry_id, participant, int(rest[:3]), "skip", "It did not answer.", "user")


def debate(
    *views: View,
    motion: str = MOTION,
    made_by: Mapping[str, Any] | None = None,
    framing: Framing | None = None,
    **changes: Any,
) -> Debate:
    """Return the debate that has these values on record, in the state that they lead to."""
    totals = exchange.NO_TOTALS
    kept: dict[str, Entry] = {}
    for view in sorted(views, key=lambda v: (v.exchange, not isinstance(v, Argument), v.id)):
        value = entry_of(view)
        if value.kind == JUDGMENT:
            totals = totals_after(totals, value)
            value = entry_of(view, totals)
        step = 2 * value.exchange + (value.id.startswith("judge"))
        stamp = Stamp(step, "f" * 64, "2026-01-01T00:00:00Z", made_by or {}, {})
        header, body, _ = headers.parse(entries.render(value, stamp), value.id)
        kept[value.id] = Entry(value.id, value.folder, header, body)
    record = MemoryRecord(kept)
    state = exchange.derive(record, {})
    plain: dict[str, Any] = {
        "slug": "x-debate",
        "protocol": "exchange",
        "step": 2 * state.exchange + (state.phase == exchange.AWAITING_JUDGMENT),
        "state": state,
        "settings": {setting.name: setting.default for setting in exchange.SETTINGS},
        "record": record,
        "body": debate_file.compose_body(framing or Framing(motion)),
    }
    return Debate(**plain | changes)


OPENING = tuple(f"{side}_000{letter}" for side in ("prop", "opp") for letter in "abc")


def short_debate(**changes: Any) -> Debate:
    """Return an opening and two exchanges: a rescore, and attacks answered in every way."""
    return debate(
        *(argument(i) for i in OPENING),
        judgment(0, dict(zip(OPENING, (300, 400, 50, -100, 150, -800), strict=True))),
        argument("prop_001", attacks=["opp_000a", "opp_000b"]),
        argument("opp_001", attacks=["prop_000a", "prop_000b", "prop_000c"]),
        judgment(1, {"prop_001": 350, "opp_001": -350}, {"prop_000b": (400, 150)}),
        argument("prop_002", attacks=["opp_001"], defends=["prop_000a"]),
        argument("opp_002", defends=["opp_000a"], attacks=["prop_000b"]),
        judgment(2, {"prop_002": -125, "opp_002": 125}),
        **changes,
    )


TITLES = (
    "Prices that follow use punish growth",
    "発電所の費用は誰が負担するのか",
    "Costs of $5 and $6, under_scored *stars* & <b>tags</b>",
    "A" * 90,
    "Emoji 🚀 families 👩‍👩‍👧 and flags 🇫🇷 too",
    "العدالة تتطلب أن يدفع الجميع",
    "Binding Enforcement Mechanisms Are Multiplying Despite Diplomatic Fragmentation",
    'Quote "this" and [that] {or} (these); end %% # x',
)


def long_debate(exchanges: int, seed: int = 1, **changes: Any) -> Debate:
    """Return a debate of an opening and so many exchanges, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311
    values: list[View] = []
    now: dict[str, int] = {}
    for number in range(exchanges + 1):
        new = list(OPENING) if number == 0 else [f"prop_{number:03d}", f"opp_{number:03d}"]
        for entry_id in new:
            other = [i for i in now if i[:3] != entry_id[:3]]
            own = [i for i in now if i[:3] == entry_id[:3]]
            values.append(
                argument(
                    entry_id,
                    title=chance.choice(TITLES),
                    attacks=chance.sample(other[-6:], min(3, len(other))),
                    defends=chance.sample(own[-4:], min(2, len(own))),
                )
            )
        parts = [chance.randrange(-12, 13) * 50 for _ in new[1:]]
        if abs(sum(parts)) > 1000:
            parts = [0] * len(parts)
        scores = dict(zip(new, [*parts, -sum(parts)], strict=True))
        again = chance.sample(list(now), min(len(now), chance.choice((0, 0, 1, 2))))
        rescores = {
            i: (now[i], max(-1000, min(1000, now[i] + chance.choice((-300, -150, 200)))))
            for i in again
        }
        rescores = {i: pair for i, pair in rescores.items() if pair[0] != pair[1]}
        values.append(judgment(number, scores, rescores))
        now |= scores | {i: new_score for i, (_, new_score) in rescores.items()}
    return debate(*values, **changes)
