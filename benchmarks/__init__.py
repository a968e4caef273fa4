"""Measurements; run them with `make bench` or `python -m benchmarks`."""
