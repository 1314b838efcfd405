"""Passes over programs of tensor commands."""
