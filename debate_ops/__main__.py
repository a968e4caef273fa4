"""Starts the program, as `python -m debate_ops` or, uninstalled, as `python3 PATH/debate_ops`.

Python 3.6 can read this file: one that is too old gets a sentence and not a SyntaxError.
"""

import atexit
import gc
import importlib.util
import os
import sys

PACKAGES = (
    "click frontmatter jinja2 jsonschema markdown_it markupsafe matplotlib nh3 pydantic rich "
    "tomlkit"
)


def start() -> int:
    """Run the command line, in another Python where this one is too old or lacks packages."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # motions and names are in any script
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (until the very end)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    try:
        if sys.version_info < (3, 11) or not all(map(importlib.util.find_spec, PACKAGES.split())):
            from debate_ops.start import run_elsewhere

            return run_elsewhere()
        from debate_ops.cli import app

        atexit.register(gc.freeze)  # or Python searches all values for garbage at its end
        return app.main(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    if not __package__:  # started by path: look for modules beside the package, not inside
        here = os.path.dirname(os.path.abspath(__file__))
        sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
        sys.path.insert(0, os.path.dirname(here))
    sys.exit(start())
