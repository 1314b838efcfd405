"""Registers of a thread: who excludes whom, and who goes to local memory."""
