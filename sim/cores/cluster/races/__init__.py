"""Races by order: who touched which bytes, and what happened before what."""
