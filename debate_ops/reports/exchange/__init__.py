"""The report of a debate of the protocol exchange: scores and attacks."""
