"""The report of a debate of the protocol exchange: scores, attacks, a story."""
