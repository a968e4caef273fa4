"""The panel of a debate: making it, going on to it when the debate is complete, and its state.

A panel is a debate in the protocol `speeches`, in a folder inside of the debate that it reads.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from debate_ops import engine
from debate_ops.engine import Position, inbox
from debate_ops.engine.debate_file import read_framing
from debate_ops.engine.store import PANEL, Folder, list_temporaries, set_aside
from debate_ops.engine.validate import list_parts, load_part
from debate_ops.report.panel import ask_panel, is_current, list_speeches, make_settings
from debate_ops.report.reading import find_own_verdict, read_debate
from debate_ops.run import runner
from debate_ops.run.cast import EVERYBODY
from debate_ops.run.participants import Participant

USUAL = 3
"""How many members a panel has where nobody says otherwise."""


def find_due(position: Position) -> Position:
    """Return where the panel stands that is due on a complete debate, or else the debate itself."""
    return engine.next_turn(prepare(position.folder)) if is_due(position) else position


def is_due(position: Position, *, always: bool = False) -> bool:
    """Tell whether a debate is complete but for the panel that it is to have, or `always` has."""
    has_one = position.at.panel_outside or (always and not position.protocol.has_panel_within)
    return bool(has_one) and read_debate(position).panel_state in {"due", "begun"}


def describe_state(position: Position) -> dict[str, str]:
    """Return how far the panel of a debate is, and its verdict; empty where it is to have none."""
    if not (position.at.panel_outside or PANEL in list_parts(position.folder)):
        return {}
    reading = read_debate(position)
    panel = reading.panel if reading.panel_state == "done" else None
    return {"state": reading.panel_state, "verdict": panel.verdict if panel else ""}


def run_due(position: Position, judges: Sequence[Participant], **how: Any) -> None:
    """Have the panel that is due on a complete debate decide; its judges take turns."""
    with inbox.lock_run(position.folder):
        panel = find_due(position)
        runner.run(panel.folder, None, assign_members(panel, judges), **how)


def assign_members(panel: Position, judges: Sequence[Any]) -> Mapping[str, Any]:
    """Return who replies for each member, if it has any: the judges in turn; else the first."""
    members = enumerate(getattr(panel.debate.settings, "members", ()))
    return {EVERYBODY: judges[0], **{name: judges[k % len(judges)] for k, name in members}}


def prepare(source: Folder, judges: int | None = None, *, anew: bool = False) -> Folder:
    """Return where the panel of a debate is: made with all it reads, if it is not there yet.

    One that has read another record, or has not as many `judges`, is set aside, as any is where it
    is asked `anew`. Where there is nothing to decide, that is refused.
    """
    position, panel = engine.load(source), Folder(source.within(PANEL))
    verdict = find_own_verdict(position)
    question = ask_panel(verdict)
    if PANEL in list_parts(source) and not anew:
        held = load_part(position, PANEL).debate
        is_as_asked = judges in {None, held.settings.panel}
        if is_as_asked and is_current(held, position.at, question):
            return panel
    members = judges or position.at.panel_outside or USUAL
    settings = make_settings(position.at, verdict, members)
    if os.path.lexists(panel.path):
        set_aside(source, panel.path)
    of = {"replay_of": {"debate": source.name}}
    for left in list_temporaries(source):  # of a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    turns = (
        {s.by: engine.RawReply(json.dumps({"text": s.text}).encode(), source.name, of, s.checked)}
        for s in list_speeches(position.at, question)
    )
    framing = read_framing(position.record.body)._replace(papers=())
    what: dict[str, Any] = {"protocol": "speeches", "settings": settings}
    engine.create(panel.slug, framing, **what, inside=source.path, turns=turns)
    return panel
