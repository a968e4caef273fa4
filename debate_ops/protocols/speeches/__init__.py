"""Speeches in any order by two or more, and a verdict if wanted; imported debates are such."""
