"""Text to values and back: one module per kind of file, and the JSON schemas."""
