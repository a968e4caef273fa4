"""One debate of a tournament, held from wherever it stands, and what it comes to."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext
from decimal import Decimal
from typing import Any

from debate_ops import engine, panels
from debate_ops.core.errors import BadRecordError, DebateError, ParticipantFailedError
from debate_ops.core.usage import made_by, read_usage
from debate_ops.core.values import Done
from debate_ops.engine import Framing
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import Folder
from debate_ops.report.reading import Reading, read_debate
from debate_ops.report.verdict import Level
from debate_ops.run import runner
from debate_ops.run.base import Participant
from debate_ops.run.cast import EVERYBODY, make_participant
from debate_ops.run.endings import is_idle
from debate_ops.run.spending import Limits
from debate_ops.tournament import cluster
from debate_ops.tournament.plan import Cup, Pairing, Rate

SIDES = {"prop": "prop", "aff": "prop", "opp": "opp", "neg": "opp"}
"""What protocols call the two sides, and what a tournament does."""
TIE = "tie"

Result = dict[str, Any]


def check_specs(cup: Cup) -> dict[str, str]:
    """Return what keeps somebody from replying on this machine, by who it is."""
    faults = {}
    for name, spec in cup.specs.items():
        try:
            make_participant(spec)
        except DebateError as error:
            faults[name] = " ".join(filter(None, (f"{error.message}.", error.hint)))
    return faults


def hold_debate(cup: Cup, pairing: Pairing, root: str, *, is_paid: bool = False) -> Result:
    """Hold what is left of a debate in the folder `root`; return its result.

    Raises:
        ParticipantFailedError: somebody gave no usable reply.
        LimitReachedError: there is no money left.
        InterruptedRunError: a signal came.
    """
    stop = cluster.find_stop()
    if stop.is_asked():
        raise stop.make_error("It was not begun.")
    folder = Folder(os.path.join(root, pairing.slug))
    if not os.path.lexists(folder.debate_file):
        context = (("context", pairing.context),) if pairing.context else ()
        framing = Framing(pairing.motion, context=context)
        settings = _choose_settings(cup, pairing)
        engine.create(pairing.slug, framing, protocol=cup.protocol, settings=settings, inside=root)

    def cast(spec: str) -> Participant:
        who, rate = make_participant(spec), cup.limits.get(spec.partition(":")[0])
        if rate or is_paid:
            return cluster.Metered(who, spec, rate or Rate(), is_paid=is_paid)
        return who

    limits = Limits(timeout=cup.timeout)
    position = engine.load(folder)
    is_asked = position.header.request or cup.protocol != "exchange"
    exchanges = None if is_asked else cup.exchanges
    if exchanges or not is_idle(position):
        specs = {"prop": cup.participants[pairing.prop], "opp": cup.participants[pairing.opp]}
        specs["judge"] = cup.judge
        replying = {name: cast(spec) for name, spec in specs.items()}
        position = runner.run(folder, exchanges, replying, limits=limits, listening=stop)
    if panels.is_due(position):
        with panels.hold_alone(folder):
            panel = panels.find_due(position)
            sitting = [cast(spec) for spec in cup.panel]
            members = {**panels.assign_members(panel, sitting), EVERYBODY: sitting[0]}
            runner.run(panel.folder, None, members, limits=limits, listening=stop)
    return read_result(folder, pairing)


def run_task(
    pairing: Pairing, archive: bytes | None, *, cup: Cup, root: str, is_paid: bool
) -> tuple[Result | DebateError, bytes]:
    """Hold a debate as a task: only what may go better at the next try is raised.

    With an `archive`, no file system is shared: the folder comes and goes in one.
    """
    with nullcontext(root) if archive is None else tempfile.TemporaryDirectory() as place:
        unpack(archive or b"", place)
        try:
            result: Result | DebateError = hold_debate(cup, pairing, place, is_paid=is_paid)
        except DebateError as error:
            result = error
        if isinstance(result, ParticipantFailedError) and archive is None:
            # Made anew: with the whole traceback it is too long for the cluster to bring back.
            raise ParticipantFailedError(result.message, hint=result.hint)
        return result, b"" if archive is None else pack(os.path.join(place, pairing.slug))


def pack(path: str) -> bytes:
    """Return a folder as an archive; empty where there is none."""
    held = io.BytesIO()
    if os.path.isdir(path):
        with tarfile.open(fileobj=held, mode="w:gz") as archive:
            archive.add(path, os.path.basename(path))
    return held.getvalue()


def unpack(data: bytes, root: str) -> None:
    """Put an archive's folder into `root`; what would lead out of it is refused."""
    if data:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(root, filter="data")


def _choose_settings(cup: Cup, pairing: Pairing) -> dict[str, Any]:
    """Return the settings of a debate: the judge reads either side first in half of them."""
    settings: dict[str, Any] = {"first_answer": "off", "panel": len(cup.panel)} | cup.settings
    if cup.protocol == "exchange":
        is_odd = int(digest_text(pairing.slug)[-1], 16) % 2
        settings.setdefault("read_first", "opp" if is_odd else "prop")
    return settings


def read_result(folder: Folder, pairing: Pairing) -> Result:
    """Return what a complete debate comes to, as data, by its record alone.

    `winner` is a side, `tie`, or None where nobody judged; `judge` whom the judge alone favours,
    where a panel decided. `cost` is in US dollars, as far as it is known.

    Raises:
        BadRecordError: it is a debate of others.
    """
    position = engine.load(folder)
    if position.debate.motion.strip() != pairing.motion.strip():
        raise BadRecordError(
            f"{folder.path} is a debate on another motion than the plan's",
            hint="Move it away; then the same command goes on.",
        )
    reading = read_debate(position)
    panel = reading.panel
    costs: dict[tuple[str, str, int], Decimal] = {}  # of each reply, which may be several entries
    words = {"prop": 0, "opp": 0}
    for d in (position.debate, panel.d) if panel else (position.debate,):
        for e in d.entries.values():
            side = SIDES.get(e.by, "judge") if d is position.debate else "judge"
            costs[side, e.by, e.step] = read_usage(made_by(e)).cost
            if side in words:
                words[side] += sum(len(text.split()) for text in e.texts.values())
    cost = dict.fromkeys(("prop", "opp", "judge"), Decimal(0))
    for (side, *_), each in costs.items():
        cost[side] += each
    is_over = isinstance(position.due, Done) or is_idle(position)
    return pairing._asdict() | {
        "is_over": is_over,
        "winner": _name_winner(reading) if is_over else None,
        "sure": reading.verdict.sureness,
        "first": getattr(position.debate.settings, "read_first", None),
        "words": words,
        "judge": SIDES.get(panel.judged, TIE) if panel and panel.judged is not None else None,
        "ballots": [
            {"favours": SIDES.get(m.favours, TIE), "first": SIDES.get(m.first, "")}
            for m in (panel.members if panel else ())
        ],
        "cost": {side: float(dollars) for side, dollars in cost.items()},
    }


def _name_winner(reading: Reading) -> str | None:
    verdict = reading.verdict
    if verdict.level <= Level.NOT_JUDGED:
        return None
    return SIDES.get(verdict.favoured, TIE) if verdict.level > Level.TOO_CLOSE else TIE


def sum_costs(results: Mapping[str, Result]) -> Decimal:
    """Return what debates cost in US dollars, as far as that is on record."""
    return sum((Decimal(str(c)) for r in results.values() for c in r["cost"].values()), Decimal(0))
