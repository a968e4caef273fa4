"""Debates and settings from elsewhere: transcripts, data, an older program's settings file."""
