"""The brief: what a debate comes to, written by a reporter and held to the record."""

from debate_ops.reports.brief.body import Brief
from debate_ops.reports.brief.checks import REPORTER, SCHEMA
from debate_ops.reports.brief.keeping import of, slot, take, write_prompt

__all__ = ["REPORTER", "SCHEMA", "Brief", "of", "slot", "take", "write_prompt"]
