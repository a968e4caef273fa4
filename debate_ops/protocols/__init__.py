"""The rules of each debate protocol: pure functions, a package and a row in the table each."""
