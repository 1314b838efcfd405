"""Reads the text form of the IR, a file for each of its parts."""
