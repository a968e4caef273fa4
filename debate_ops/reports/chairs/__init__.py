"""The report of a debate of chairs: the closing, how they kept to the rules, every speech."""
