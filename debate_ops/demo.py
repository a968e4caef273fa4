"""The demo: the real debate that ships with the project, held again by replaying its record."""

import os

from debate_ops import engine
from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.core.texts import one_line
from debate_ops.engine import Position, debate_file, store
from debate_ops.engine.prompts import find_skill_folder
from debate_ops.engine.store import USUAL_PLACE, Folder
from debate_ops.report import memo, provenance
from debate_ops.report.reading import read_debate
from debate_ops.run import runner
from debate_ops.run.cast import EVERYBODY, Replay
from debate_ops.run.progress import Display, Event

EXAMPLE = "outdoor-pool"


def replay_example(slug: str, display: Display) -> Position:
    """Hold the example debate again as `debates/<slug>`; go on where an earlier demo stopped."""
    example = Folder(str(find_skill_folder() / USUAL_PLACE / EXAMPLE))
    if not os.path.lexists(example.debate_file):
        raise ConfigurationError(
            f"no debate to replay came with the program: there is no {example.path}",
            hint="Install debate_ops again, or clone it with its 'debates' folder.",
        )
    recorded = engine.load(example)
    days = sorted(str(entry.header["at"])[:10] for entry in recorded.debate.entries.values())
    held = " – ".join(dict.fromkeys([days[0], days[-1]]))  # noqa: RUF001  (from, to)
    last, position = recorded.at.place.round, _begin(slug, recorded, held)
    makers = dict.fromkeys(made["makers"] for made in provenance.find_provenance(recorded.at))
    who = f"who debated: {', '.join(makers)}. No model runs now."
    motion = one_line(position.debate.motion, 160)
    display.show(Event("label", f'Replay of "{motion}", debated on {held}; {who}'))
    if position.at.place.round >= last:
        text = f"{position.folder.path} exists, and is complete: nothing was held again."
        display.show(Event("exists", text))
        return position
    exchanges = None if position.header.request else last - 1
    position = runner.run(position.folder, exchanges, {EVERYBODY: Replay(example)}, display=display)
    path = example.within(store.MEMO)
    if position.at.place.round >= last and os.path.lexists(path):
        reading, made = read_debate(position), {"replay_of": {"debate": EXAMPLE}}
        memo.take_memo(position.folder, reading.at, reading.verdict, path, made)
    return position


def _begin(slug: str, recorded: Position, held: str) -> Position:
    place = Folder(os.path.join(store.DEBATES, slug))
    if not os.path.lexists(place.debate_file):
        return engine.create(
            slug,
            debate_file.read_framing(recorded.record.body),
            protocol=recorded.protocol.name,
            settings=recorded.debate.settings.model_dump(),
            replay_of={"debate": EXAMPLE, "held": held},
        )
    position = engine.load(place)
    if (position.header.replay_of or {}).get("debate") != EXAMPLE:
        raise UsageError(
            f"{place.path} exists already, and it is a debate of yours",
            hint="Choose another slug, as in 'demo my-demo'; nothing was changed.",
        )
    return position
