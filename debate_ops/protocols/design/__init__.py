"""Agents by role solve a design problem; a judge writes the solution."""
