"""Structured debates between AI agents: every step on disk, readable, replayable, checked."""

__version__ = "0.1.0"
