"""Programs that ask a machine for as much of one thing as it has, and nothing else.

A program runs twice, longer the second time; what it reaches is what it did more over the cycles
that this took more, so that beginnings and ends count nothing.
"""
