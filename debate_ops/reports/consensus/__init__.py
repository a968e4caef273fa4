"""The report of a debate that looks for a consensus: result, votes, critiques, dissent."""
