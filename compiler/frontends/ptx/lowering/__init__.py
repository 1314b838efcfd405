"""From a tree of PTX to rows over virtual registers, a file for each kind of instruction."""
