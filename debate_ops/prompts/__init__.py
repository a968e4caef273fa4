"""Templates and contexts become prompt texts."""
