"""One debate of a tournament, held from wherever it stands, and what it comes to."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from debate_ops import engine, panels
from debate_ops.analysis.usage import made_by, read_usage
from debate_ops.core.errors import BadRecordError, DebateError, RefusedError, catch_error
from debate_ops.core.values import Done
from debate_ops.engine import Framing
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import Folder
from debate_ops.protocols.shared import COMMON_SIDES
from debate_ops.report.page import render_report
from debate_ops.report.provenance import collect_replies
from debate_ops.report.reading import read_debate
from debate_ops.report.verdict import Level
from debate_ops.run import runner
from debate_ops.run.cast import make_participant
from debate_ops.run.endings import Stop, is_idle
from debate_ops.run.participants import Participant
from debate_ops.run.spending import Estimate, Limits, Spending, estimate_run
from debate_ops.tournament import cluster
from debate_ops.tournament.cluster import Metered
from debate_ops.tournament.plan import Pairing, Rate, TournamentFile

if TYPE_CHECKING:
    from distributed import Client

SIDES, TIE = ("prop", "opp"), "tie"

Result = dict[str, Any]


def read_results(
    root: str, cup: TournamentFile, pairings: Sequence[Pairing]
) -> tuple[dict[str, Result], float]:
    """Return what debates that are over come to, and what all have cost in US dollars."""
    results, spent = dict[str, Result](), 0.0
    for pairing in pairings:
        folder = Folder(os.path.join(root, pairing.slug))
        if not os.path.lexists(folder.debate_file):
            continue
        try:
            result = read_result(position := engine.load(folder), pairing)
        except BadRecordError as error:
            hint = "Repair it, or move it away: then the same command holds it anew."
            raise BadRecordError(f"{folder.path}: {error.message}", hint=hint) from None
        spent += sum(result["cost"].values())
        is_held = not _choose_exchanges(position, cup) and is_idle(position)
        if is_held and not panels.is_due(position):
            results[pairing.slug] = result
    return results, spent


def hold_debates(  # noqa: PLR0913  (what a tournament is made of)
    client: Client | None,
    cup: TournamentFile,
    root: str,
    pairings: Sequence[Pairing],
    *,
    spent: float,
    most: float | None,
    is_packed: bool,
) -> Iterator[tuple[str, Result | DebateError]]:
    """Hold debates on a cluster; yield by its slug what each comes to, or why it does not.

    With what was `spent` they cost at most so much in US dollars. Without a shared file system
    folders go to workers and back packed. Pages are rendered here, where paths are the user's.
    """
    if client is None:  # nothing is to come
        return
    from distributed import Variable

    ledger = f"debate-ops-{uuid4().hex}" if cup.limits or most is not None else ""
    if ledger:
        Variable(ledger, client).set({"spent": spent, "most": most, "dearest": {}, "free": {}})
    carried = cup.model_copy(update={"motions": []})  # by every task
    given = {"cup": carried, "ledger": ledger, "root": os.path.abspath(root)}
    act: Any = hold_packed if is_packed else hold_debate
    paths = {p: os.path.join(root, p.slug) for p in pairings}
    items = {p.slug: (p, pack(path)) if is_packed else (p,) for p, path in paths.items()}
    for slug, done in cluster.run_tasks(client, act, items, **given):
        result, archive = done if isinstance(done, tuple) else (done, b"")
        unpack(archive, root)
        if not isinstance(result, DebateError):
            reading = read_debate(engine.load(Folder(os.path.join(root, slug))))
            reading.draws = False
            render_report(reading)
        yield slug, result


def hold_debate(
    pairing: Pairing, *, cup: TournamentFile, root: str, ledger: str, stop: Stop
) -> Result:
    """Hold what is left of a debate in the folder `root`; return its result, or raise why not."""

    def cast(spec: str) -> Participant:
        rate = cup.limits.get(spec.partition(":")[0], Rate())
        return Metered(spec, rate, ledger) if ledger else make_participant(spec)

    folder = Folder(os.path.join(root, pairing.slug))
    how: dict[str, Any] = {"spending": Spending(Limits(timeout=cup.timeout)), "listening": stop}
    if not os.path.lexists(folder.debate_file):
        _make_debate(pairing, cup, root)
    position = engine.load(folder)
    exchanges = _choose_exchanges(position, cup)
    if exchanges or not is_idle(position):
        specs = {"prop": cup.participants[pairing.prop], "opp": cup.participants[pairing.opp]}
        replying = {name: cast(spec) for name, spec in (specs | {"judge": cup.judge}).items()}
        position = runner.run(folder, exchanges, replying, **how)
    if panels.is_due(position):
        panels.run_due(position, [*map(cast, cup.panel)], **how)
    if not (isinstance(position.due, Done) or is_idle(position)):
        raise RefusedError("it waits for a person", hint=f"See 'status {folder.name}'.")
    return read_result(engine.load(folder), pairing)


def _make_debate(pairing: Pairing, cup: TournamentFile, root: str) -> engine.Position:
    settings = cup.debate_settings
    if cup.protocol == "exchange":  # in half of them the judge reads either side first
        is_odd = int(digest_text(pairing.slug)[-1], 16) % 2
        settings.setdefault("read_first", "opp" if is_odd else "prop")
    context = (("context", pairing.context),) if pairing.context else ()
    what: dict[str, Any] = {"protocol": cup.protocol, "settings": settings, "inside": root}
    return engine.create(pairing.slug, Framing(pairing.motion, context=context), **what)


def estimate_debates(cup: TournamentFile, pairings: Sequence[Pairing]) -> list[Estimate]:
    """Return what each debate is likely to take from its beginning on, without asking anybody."""
    parts, on_motion = list[Estimate](), dict[tuple[str, str], list[Pairing]]()
    for each in pairings:
        on_motion.setdefault((each.motion, each.context), []).append(each)
    with tempfile.TemporaryDirectory() as place:
        for alike in on_motion.values():
            made = _make_debate(alike[0], cup, place)
            position = engine.preview(made.folder, _choose_exchanges(made, cup))
            sides = ((cup.participants[each.prop], cup.participants[each.opp]) for each in alike)
            casts = ((*both, cup.judge, *cup.panel) for both in sides)
            named = (enumerate(spec.partition("?")[0] for spec in cast) for cast in casts)
            parts += [estimate_run(position, {str(n): name for n, name in each}) for each in named]
    return parts


def _choose_exchanges(position: engine.Position, cup: TournamentFile) -> int | None:
    is_asked = position.header.request or cup.protocol != "exchange"
    return None if is_asked else cup.exchanges


def hold_packed(
    pairing: Pairing, archive: bytes, **given: Any
) -> tuple[Result | DebateError, bytes]:
    """Hold a debate where no file system is shared: its folder comes and goes as an archive."""
    with tempfile.TemporaryDirectory() as place:
        unpack(archive, place)
        result = catch_error(lambda: hold_debate(pairing, **given | {"root": place}))
        return result, pack(os.path.join(place, pairing.slug))


def pack(path: str) -> bytes:
    """Return a folder as an archive; empty where there is none."""
    packed = io.BytesIO()
    if os.path.isdir(path):
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            archive.add(path, os.path.basename(path))
    return packed.getvalue()


def unpack(data: bytes, root: str) -> None:
    """Put an archive's folder into `root`; what would lead out of it is refused."""
    if data:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(root, filter="data")


def read_result(position: engine.Position, pairing: Pairing) -> Result:
    """Return what a debate comes to, as data, by its record alone.

    `winner` is a side, `tie`, or None where nobody judged. `judge` and `panel` are whom the judge
    alone and each member favour, and which side they read first, None where that is not known.
    `cost` is in US dollars, as far as it is known. A debate of others is a `BadRecordError`.
    """
    if position.debate.motion.strip() != pairing.motion.strip():
        raise BadRecordError("it is a debate on another motion than the plan's")
    reading, entries = read_debate(position), position.debate.entries.values()
    verdict, panel, winner = reading.verdict, reading.panel, None
    if verdict.level > Level.NOT_JUDGED:
        winner = COMMON_SIDES.get(verdict.favoured, TIE) if verdict.level > Level.TOO_CLOSE else TIE
    judged, first = winner, getattr(position.debate.settings, "read_first", None)
    if panel:
        judged = None if panel.judged is None else COMMON_SIDES.get(panel.judged, TIE)
    made = [(who, o) for who, origins in collect_replies(position.at).items() for o in origins]
    made += [("panel", made_by(e)) for e in (panel.d.entries.values() if panel else ())]
    cost = dict.fromkeys((*SIDES, "judge"), 0.0)
    for who, origin in made:
        cost[COMMON_SIDES.get(who, "judge")] += float(read_usage(origin).cost)
    said = [(COMMON_SIDES.get(e.by), text) for e in entries for text in e.texts.values()]
    ballots = [(COMMON_SIDES.get(m.favours, TIE), m.first) for m in panel.members] if panel else []
    return pairing._asdict() | {
        "winner": winner,
        "sure": verdict.sureness,
        "words": {s: sum(len(t.split()) for by, t in said if by == s) for s in SIDES},
        "judge": [(judged, first)] if judged else [],
        "panel": [(favours, COMMON_SIDES.get(first)) for favours, first in ballots],
        "cost": cost,
    }
