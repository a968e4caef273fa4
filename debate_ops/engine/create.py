"""Making a new debate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from debate_ops import clock
from debate_ops.engine.digests import after_turn
from debate_ops.engine.position import Position, look
from debate_ops.engine.settings import checked_settings
from debate_ops.errors import UsageError
from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.texts import is_blank
from debate_ops.protocols.base import Rules
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events, new
from debate_ops.storage.folder import DEBATES, for_new
from debate_ops.storage.record import FolderRecord


def create(  # noqa: PLR0913  (what a debate is made of)
    slug: str,
    framing: Framing,
    *,
    protocol: str = "exchange",
    settings: Mapping[str, Any] | None = None,
    replay_of: Mapping[str, Any] | None = None,
    inside: str = DEBATES,
) -> Position:
    """Make a new debate folder: built aside, then renamed, so that it is there whole or not.

    The motion is kept to the letter, white space around it included. `inside` is the folder in
    which the debate gets its own.

    Raises:
        UsageError: the slug, the motion or a setting is not right.
        DiskError: it cannot be written.
    """
    rules = rules_of(protocol)
    folder = for_new(slug, inside)
    if is_blank(framing.motion):
        raise UsageError("the motion is blank", hint="Say what is to be debated.")
    in_full = checked_settings(rules, _drawn(rules, settings or {}))
    nothing = FolderRecord(folder, step=0, exchange=0)
    body = debate_file.compose_body(framing)
    debate = Debate(
        slug=slug,
        protocol=protocol,
        step=0,
        state=rules.derive(nothing, in_full),
        settings=in_full,
        record=nothing,
        body=body,
        created=clock.now(),
        replay_of=replay_of,
        digests=after_turn(body, {}),
    )
    new.build(folder, debate_file.render(debate))
    events.append(folder, events.of_creation(debate))
    return look(folder)


def _drawn(rules: Rules, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with a seed for each that is to be random: chance is on record, too."""
    import secrets  # takes its time, and most commands draw nothing

    draws = {setting.name for setting in rules.SETTINGS if setting.draws}
    return {
        name: f"random:{secrets.randbelow(_SEEDS)}"
        if value == "random" and name in draws
        else value
        for name, value in settings.items()
    }


_SEEDS = 1_000_000
