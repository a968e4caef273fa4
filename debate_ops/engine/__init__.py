"""Create, next, submit, intervene: load, decide, commit, in one place."""
