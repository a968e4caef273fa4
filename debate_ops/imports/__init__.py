"""Debates held elsewhere, read from text: one module for each form, all pure."""
