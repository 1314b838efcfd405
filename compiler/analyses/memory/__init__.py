"""What memory accesses touch, and what records of memory dependence are made of."""
