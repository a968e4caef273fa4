"""What is made of a debate for readers: its page, transcript, outcome, memo and exports.

`reading.read_debate` reads an engine's position once; all else is made of that. `page` renders
README.md, report.html and charts, `index` those of all debates; `memo` asks for the reporter's
advice and takes it in; `texts` and `exports` return texts; `panel`, `comparison` and `provenance`
say how far a verdict can be relied on.
"""
