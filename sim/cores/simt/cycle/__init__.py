"""What the units of a streaming multiprocessor do in a cycle, jitted."""
