"""What rows of the table of operators are written in."""
