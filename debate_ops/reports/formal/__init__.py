"""The report of a formal debate: its transcript, its ballot, the length of its speeches."""
