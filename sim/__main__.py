"""`python -m sim` is `simrun`."""

from sim.cli import main

main()
