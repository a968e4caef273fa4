"""What follows from what was said: the flow of attacks, quotations, the points of the context."""
