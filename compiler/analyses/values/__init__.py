"""What is known of integers: constants, ranges, identities, closed forms in loops."""
