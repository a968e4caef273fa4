"""What follows from what was said: the flow of attacks, what survives, quotations."""
