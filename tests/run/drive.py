"""Run the debate `case` with stubs in a process that can be killed.

Usage: drive.py NOTES EXCHANGES|- TIMEOUT [KILL WHEN COUNT]

KILL is a function of the run (`put`, `submit`, `next`) or the writing of a turn's prompts
(`prompts`), WHEN is `before` or `after`, COUNT the
call at which the process kills itself.
"""

import importlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from debate_ops import engine
from debate_ops.core.errors import DebateError
from debate_ops.engine import inbox
from debate_ops.engine.store import find_folder
from debate_ops.run import runner
from debate_ops.run.endings import exit_code
from debate_ops.run.progress import Display
from debate_ops.run.spending import Limits
from tests.run.stage import stubs

POINTS: dict[str, tuple[Any, str]] = {
    "put": (inbox, "put"),
    "submit": (engine, "submit"),
    "next": (engine, "next_turn"),
    "prompts": (importlib.import_module("debate_ops.engine.steps"), "_write_prompts"),
}


def main() -> int:
    notes, exchanges, timeout = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # whoever started the tests may ignore them
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if len(sys.argv) > 4:
        die_at(sys.argv[4], sys.argv[5], int(sys.argv[6]))
    expected = None if exchanges == "-" else int(exchanges)
    try:
        display, limits = Display(sys.stderr), Limits(timeout=timeout)
        folder = find_folder("case")
        return exit_code(runner.run(folder, expected, stubs(notes), limits=limits, display=display))
    except DebateError as error:
        sys.stderr.write(f"{error.message}\n{error.hint}\n")
        return error.exit_code


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
