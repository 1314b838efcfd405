"""Reads a PTX file into a tree."""
