"""Runs programs on chips of clusters: a file a component."""
