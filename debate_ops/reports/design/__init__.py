"""The report of a design debate: the solution, what it meets, who criticised whom."""
