"""Rules that make one row of two, and what they ask about values."""
