"""A debate as one text to read or to process: everything said, in order, without pictures."""
