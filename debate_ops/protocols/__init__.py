"""The rules of each debate protocol: pure functions, one file each, one row each in the table."""
