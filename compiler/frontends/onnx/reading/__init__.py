"""Models as they stand in files."""
