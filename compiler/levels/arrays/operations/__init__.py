"""The operations that nodes of graphs are."""
