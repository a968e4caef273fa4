"""Starts the program, as `python -m debate_ops` or, uninstalled, as `python3 PATH/debate_ops`.

Every command pays for what is imported here, so that is next to nothing. Python 3.6 can read it:
a Python that is too old looks for a newer one instead of dying of a SyntaxError.
"""

import os
import sys


def main() -> int:
    """Run the command line; set up what is missing first, if anything is."""
    if sys.version_info < (3, 11):
        from debate_ops import bootstrap

        return bootstrap.run_elsewhere()
    try:
        from debate_ops.cli import app

        code = app.main(sys.argv[1:])
    except ImportError as error:
        from debate_ops import bootstrap

        if not bootstrap.provides(error.name):
            raise
        return bootstrap.run_with_packages(str(error))
    return code


def find_the_package() -> None:
    """Started by path, Python looks for modules inside the package: let it look beside it."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    sys.path.insert(0, os.path.dirname(here))


def start() -> None:
    """Run the command line as a program: whole streams before, and an exit code after."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # motions and names are in any script
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (until the very end)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    try:
        code = main()
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    if not __package__:
        find_the_package()
    start()
