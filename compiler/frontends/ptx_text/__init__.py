"""PTX as text: lexer, parser, and what its instructions become in rows of the family `ptx`."""
