"""How copies move: engines, links and how they are shared, DRAM and its banks."""
