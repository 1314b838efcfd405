"""The words that meanings of operations are written in, and what each computes."""
