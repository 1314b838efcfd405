"""What the IR says of threads on a grid, on whatever machine: extents, and spaces of memory."""
