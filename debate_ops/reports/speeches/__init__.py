"""The report of a debate in speeches: what was said, who answered whom, and the verdict."""
