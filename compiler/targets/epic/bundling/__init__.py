"""Bundles: which instructions issue together, and the templates they are written with."""
