"""Chairs argue from their frameworks before an arbiter, who holds them to fairness."""
