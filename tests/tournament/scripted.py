"""Participants in this process whose strength their SPEC says: `scripted:STRENGTH`.

A debater writes its strength into what it says; the judge scores what it reads, with some chance
that is the same at each call. `THINKS` in the environment is how long each thinks. As a preload of
a Dask worker this registers them there.
"""

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ops.core.values import Absent
from debate_ops.run import cast
from debate_ops.run.participants import Answer, Prompt
from tests import panel_judges
from tests.builders import Data, argument, judgment, opening, rebuttal


class Scripted:
    """One of them; the judge's SPEC is `scripted:judge`, a panel member's has its rule."""

    recorded = False

    def __init__(self, rest: str) -> None:
        self.name, self._rest = f"scripted:{rest}", rest
        self._seconds = float(os.environ.get("THINKS", "0"))

    def reply(self, prompt: Prompt) -> Answer | Absent:
        prompt.stop.wait(self._seconds)
        name, number = prompt.task.by, prompt.turn.round
        folder = Path(prompt.file).parent.parent
        if (rule := self._rest.partition("-")[0]) in {"first", "longest"}:
            return Answer(panel_judges.reply(prompt.text, rule).encode())
        if name == "judge":
            said = judgment(number, dict(_score(folder, number)))
        elif number:
            said = rebuttal(name, number, claim=f"Strength {self._rest}.")
        else:
            said = opening(name, *(self._argue(word) for word in ("one", "two", "three")))
        return Answer(json.dumps(said).encode(), {"model": self.name, "cost_usd": 0.01})

    def _argue(self, word: str) -> Data:
        return argument(
            title=f"Argument {word} of this side", claim=f"Strength {self._rest}. {word}"
        )


def _score(folder: Path, number: int) -> Iterator[tuple[str, float]]:
    """Yield a score for each argument of an exchange; they add up to 0."""
    paths = sorted((folder / "arguments").glob(f"*_{number:03}*.md"))
    raw = [
        float(re.findall(r"Strength (-?[\d.]+\d)", path.read_text())[0])
        + random.Random(f"{folder.name} {path.name}").gauss(0, 0.3)  # noqa: S311  (a game)
        for path in paths
    ]
    mean = sum(raw) / len(raw)
    scores = [max(-400, min(400, round(1000 * (each - mean)))) for each in raw]
    scores[0] -= sum(scores)
    yield from ((path.stem, n / 1000) for path, n in zip(paths, scores, strict=True))


def dask_setup(_: Any = None) -> None:
    """Register them in this process; a Dask worker calls it."""
    cast.KINDS["scripted"] = Scripted  # type: ignore[index]
