"""A service that compiles and runs what its store has: `simrun serve`, and `simrun remote` as its
client.

    messages       what a request asks, and how diagnostics are written
    work           what a worker does: compile, run
    pool           the workers, how many may wait for one, how long one may take
    application    HTTP: who may ask, how much, how slowly
    client         how it is asked
"""
