"""The command line in a process of its own, which hears signals and kills itself where it is told.

`KILL_AT` in the environment is `FUNCTION WHEN COUNT`: a function of a run (`put`, `submit`, `next`)
or the writing of a turn's prompts (`prompts`), `before` or `after` it, and at which call. `PRELOAD`
is a module with participants, as for a Dask worker.
"""

import importlib
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from debate_ops import engine
from debate_ops.cli import app
from debate_ops.engine import inbox

POINTS: dict[str, tuple[Any, str]] = {
    "put": (inbox, "put"),
    "submit": (engine, "submit"),
    "next": (engine, "next_turn"),
    "prompts": (importlib.import_module("debate_ops.engine.steps"), "_write_prompts"),
}


def main() -> int:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # whoever started the tests may ignore them
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if point := os.environ.get("KILL_AT"):
        name, when, count = point.split()
        die_at(name, when, int(count))
    if module := os.environ.get("PRELOAD"):
        importlib.import_module(module).dask_setup()
    return app.main(sys.argv[1:])


def die_at(name: str, when: str, count: int) -> None:
    module, function = POINTS[name]
    original: Callable[..., Any] = getattr(module, function)
    made = 0

    def wrapped(*value: Any, **named: Any) -> Any:
        nonlocal made
        made += 1
        if made == count and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = original(*value, **named)
        if made == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(module, function, wrapped)


if __name__ == "__main__":
    sys.exit(main())
