"""The machine interpreter: threads as Python generators, their blocks, their memory."""
