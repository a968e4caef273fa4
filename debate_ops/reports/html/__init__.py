"""The page in HTML: a whole debate as one file that needs no other and asks nothing of anybody."""
