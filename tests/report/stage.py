"""Debates for reports: exchanges by their entries, courses of every protocol, with a reading."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from debate_ops import engine
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Debate, Entry, Turn
from debate_ops.engine.store import Folder, find_folder
from debate_ops.protocols.exchange import Exchange
from debate_ops.report import panel as panels
from debate_ops.report.page import Rendered, render_report
from debate_ops.report.reading import Reading, read_debate
from debate_ops.report.record import list_titles
from debate_ops.report.verdict import find_verdict
from tests.courses import run_course

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = (
    *("agent-secrets", "city-cars", "field-notes", "human-review", "leap-seconds"),
    *("one-repository", "outdoor-pool"),
)
"""The committed debates, at least one of each protocol but speeches; a demo may lie beside them."""
_UNSET = ("language", "cited_folder", "web_search")
OPENING = ("prop_000a", "prop_000b", "prop_000c", "opp_000a", "opp_000b", "opp_000c")


def argument(
    an_id: str, attacks: Iterable[str] = (), defends: Iterable[str] = (), **data: Any
) -> Entry:
    """Return an argument; a link is `ID` or `ID type`."""
    by, _, rest = an_id.partition("_")
    links = {
        key: [{"target_id": x.split()[0], "type": (x.split()[1:] or [usual])[0]} for x in given]
        for key, given, usual in (
            ("attacks", attacks, "claim_attack"),
            ("defends", defends, "reinforce"),
        )
    }
    number, letter = int(rest[:3]), rest[3:]
    ground = {"source": "A report", "content": "It says so.", "relevance": "It matters."}
    said = {"title": f"Title of {an_id}", "claim": f"Claim of {an_id}.", "grounds": [ground]}
    own = said | links | data
    texts = {"Claim": f"Claim of {an_id}.", "Warrant": "Because."}
    return Entry(by, number, "argument", own, texts, is_usual=True, letter=letter, step=2 * number)


def judgment(
    number: int,
    scores: Mapping[str, Any],
    rescores: Mapping[str, Any] | None = None,
    effects: Iterable[tuple[str, str, str, str]] = (),
) -> Entry:
    """Return a judgment; effects are attacker, target, component and what it did."""

    def rate(given: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [
            {"argument_id": i, "score": Decimal(str(s)), "reasoning": f"Why {i}."}
            for i, s in given.items()
        ]

    keys = ("attacker_id", "target_id", "component", "effect")
    did = [dict(zip(keys, each, strict=True)) | {"reasoning": "So."} for each in effects]
    data = {"scores": rate(scores), "rescores": rate(rescores or {}), "effects": did}
    made = Entry("judge", number, "judgment", data, folder="judgments", is_usual=True)
    return replace(made, step=2 * number + 1, header={"made_by": {"model": "m-1"}})


def absence(side: str, number: int) -> Entry:
    data = {"how": "skip", "reason": "Not there.", "by": "user"}
    return Entry(side, number, "absence", data, folder="judgments", step=2 * number)


def exchange(*entries: Entry, place: int | None = None, limit: int = 0) -> Replayed:
    """Return an exchange with these entries, at the arguments of the next one."""
    settings = SimpleNamespace(
        absence_limit=limit, show_preparation="yes", panel=0, **dict.fromkeys(_UNSET, "")
    )
    d = Debate(settings, "Should we move?", scope="This year.")
    last = max((e.round for e in entries), default=-1)
    for e in entries:
        d.step = e.step
        d.add(e)
    d.step = max((e.step for e in entries), default=-1) + 1
    number = last + 1 if place is None else place
    return Replayed(Exchange(), d, Turn(number, "awaiting_arguments", ()))


def scored(*scores: float, **more: Any) -> Replayed:
    """Return an opening judged with these scores, the proposition's three first."""
    given = dict(zip(OPENING, scores, strict=True))
    return exchange(*map(argument, OPENING), judgment(0, given), **more)


def attacked(effects: Iterable[tuple[str, str, str, str]] = ()) -> Replayed:
    """Return two exchanges: the opposition answers one attack, drops one, and attacks too late."""
    scores = dict(zip(OPENING, (0.3, 0.1, 0.1, -0.1, -0.2, -0.2), strict=True))
    return exchange(
        *map(argument, OPENING),
        judgment(0, scores),
        argument("prop_001", ["opp_000a", "opp_000b warrant_attack"]),
        argument("opp_001", ["prop_000a grounds_attack"]),
        judgment(1, {"prop_001": 0.1, "opp_001": -0.1}),
        argument("prop_002", ["opp_001"], ["prop_000a concede_and_pivot"]),
        argument("opp_002", ["prop_000b"], ["opp_000a"]),
        judgment(2, {"prop_002": 0.2, "opp_002": -0.2}, {"prop_000a": 0.2}, effects),
    )


def make_long(exchanges: int) -> Replayed:
    """Return an opening and so many exchanges, whose arguments attack and defend the last ones."""
    entries = [*map(argument, OPENING), judgment(0, dict.fromkeys(OPENING, 0))]
    for n in range(1, exchanges + 1):
        before = "000a" if n == 1 else f"{n - 1:03d}"
        entries += [
            argument(f"prop_{n:03d}", [f"opp_{before}"], [f"prop_{before}"]),
            argument(f"opp_{n:03d}", [f"prop_{before}"], [f"opp_{before}"]),
            judgment(n, {f"prop_{n:03d}": 0.1, f"opp_{n:03d}": -0.1}),
        ]
    return exchange(*entries)


def read_at(at: Replayed) -> Reading:
    """Return a reading of a debate that lies in no folder, with the panel that is part of it."""
    now = "2026-01-01T00:00:00Z"
    header = SimpleNamespace(created=now, completed_at=now, replay_of=None, request=None, words=[])
    position: Any = SimpleNamespace(
        at=at,
        debate=at.debate,
        folder=Folder("debates/x"),
        header=header,
        warnings=[],
        due=at.place,
    )
    verdict, panel = find_verdict(at), None
    if at.protocol.has_panel_within and at.debate.settings.panel:
        titles = list_titles(at.debate.entries.values(), verdict.names)
        panel = panels.read_panel(at.debate, titles=titles)
    return Reading(position, panels.apply_panel(verdict, panel), panel)


def read_course(name: str, steps: int | None = None) -> Reading:
    return read_at(run_course(name, steps))


def copy_example(name: str) -> Folder:
    """Return a copy of a committed debate in the folder to work in, without memo and pages."""
    shutil.copytree(
        ROOT / "debates" / name,
        Path("debates") / name,
        ignore=shutil.ignore_patterns("README.md", "report.html", "memo.md", "charts", "inbox"),
    )
    return find_folder(name)


def read_example(name: str) -> Reading:
    return read_debate(engine.load(Folder(str(ROOT / "debates" / name))))


def render(folder: Folder, *, ask: bool = False) -> Rendered:
    return render_report(read_debate(engine.load(folder)), ask=ask)
