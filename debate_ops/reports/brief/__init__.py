"""The brief: what a debate comes to, written by a reporter and held to the record."""

from debate_ops.reports.brief.checks import SCHEMA
from debate_ops.reports.brief.keeping import of, slot, take, write_prompt
from debate_ops.reports.brief.reading import REPORTER
from debate_ops.reports.brief.values import Brief

__all__ = ["REPORTER", "SCHEMA", "Brief", "of", "slot", "take", "write_prompt"]
