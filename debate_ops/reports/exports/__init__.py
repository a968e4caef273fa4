"""Debates as files of other tools: argument maps, graphs, tables, data; pure texts from values."""
