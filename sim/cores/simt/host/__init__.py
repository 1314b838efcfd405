"""How the host is made fast: nothing here changes a cycle or a value."""
