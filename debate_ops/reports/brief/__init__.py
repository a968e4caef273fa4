"""The brief: what a debate comes to, written by a reporter and held to the record."""

from debate_ops.reports.brief.checks import SCHEMA
from debate_ops.reports.brief.keeping import of, slot, take, write_prompt
from debate_ops.reports.brief.reading import REPORTER
from debate_ops.reports.brief.values import Brief, Content

__all__ = ["REPORTER", "SCHEMA", "Brief", "Content", "of", "slot", "take", "write_prompt"]
