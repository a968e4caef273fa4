"""Measurements; run them with `make bench` or `python -m benchmarks`."""

import argparse


def numbers(about: str | None, *usual: float) -> list[float]:
    """Return the numbers that a measurement is called with, or the `usual` ones.

    With `--help`, what it measures is printed instead, and the program ends.
    """
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=about, formatter_class=form
    )
    parser.add_argument("numbers", nargs="*", type=float)
    given: list[float] = parser.parse_args().numbers
    return given or [*usual]
