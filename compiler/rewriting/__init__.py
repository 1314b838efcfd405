"""Helpers of passes that rewrite IR."""
