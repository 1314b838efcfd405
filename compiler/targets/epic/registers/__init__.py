"""Registers of a function: which there are, who needs how many, and who goes to memory."""
