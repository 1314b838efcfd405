"""The units of a streaming multiprocessor, a file each."""
