"""Tournaments: a plan made of a file, each debate an ordinary folder, the work done by Dask."""
