"""The debate folder on disk: load, lock, commit. The only place that writes the record."""
