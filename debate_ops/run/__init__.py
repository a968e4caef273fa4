"""A debate without an agent client: who replies, how it is run, and what it costs."""
