"""Tournaments: every pairing of participants on every motion, with sides mirrored.

A plan is made of a file, each debate of it is an ordinary folder, and Dask does the work.
"""
