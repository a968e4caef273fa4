"""The report: numbers from the record, then pictures and a page drawn from the numbers."""
