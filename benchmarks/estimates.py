"""What a run says beforehand that it will take, against what it took: over debates in `debates/`.

Each debate is held once more from its start with the replies that it has on record; prompts and
replies are counted in letters, four to a token, as the estimate does.

    python -m benchmarks.estimates
"""

from __future__ import annotations

import os
import tempfile

from benchmarks import numbers
from debate_ops import engine, runner, spending
from debate_ops.formats import debate_file
from debate_ops.model.turn import Absent
from debate_ops.participants.base import Answer, Prompt
from debate_ops.participants.replay import Replay
from debate_ops.protocols.table import rules_of
from debate_ops.storage import folder
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load

LETTERS = spending.LETTERS_A_TOKEN


class Counting(Replay):
    """Replays a debate and counts what it reads and writes."""

    read = written = replies = 0

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return what is on record, and count it."""
        answer = super().reply(prompt)
        if isinstance(answer, Answer):
            self.replies += 1
            self.read += len(prompt.text)
            self.written += len(answer.raw)
        return answer


def main() -> None:
    """Print a line for each debate: replies and tokens, estimated and actual."""
    numbers(__doc__)
    shelf = os.path.abspath(folder.DEBATES)
    heads = ("replies", "actual", "read", "actual", "written", "actual")
    print(f"{'debate':16}" + "".join(f"{head:>10}" for head in heads))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for name in sorted(os.listdir(shelf)):
            place = Folder(os.path.join(shelf, name))
            if os.path.exists(place.debate_file):
                figures = _held_again(place)
                print(f"{name:16}" + "".join(f"{figure:>10,}" for figure in figures))


def _held_again(recorded: Folder) -> tuple[int, ...]:
    debate = engine.with_settings(load(recorded).debate)
    framing = debate_file.framing(debate.body)
    made = engine.create(
        recorded.slug, framing, protocol=debate.protocol, settings=debate.settings
    ).folder
    ends = rules_of(debate.protocol).last_exchange(debate.settings) is not None
    position = engine.next_turn(made, None if ends else debate.state.exchange - 1)
    before = spending.estimate(position, {})
    replay = Counting(recorded)
    runner.run(made, None, {"all": replay})
    read, written = replay.read // LETTERS, replay.written // LETTERS
    return before.replies, replay.replies, before.input, read, before.output, written


if __name__ == "__main__":
    main()
