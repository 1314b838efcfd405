"""What `simrun explain` shows of a program, as facts; `sim` prints them."""
