"""Functions in the language of graphs: read as text when a file calls them, never imported."""
