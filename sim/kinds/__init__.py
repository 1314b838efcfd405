"""What `sim` needs to know of each kind of machine beside its core."""
