"""What is made of a debate for readers: its page, transcript, outcome, memo and exports.

`reading.read_debate` reads an engine's position once; all else is made of that.
"""
