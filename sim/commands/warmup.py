"""`simrun warmup`: the cores compiled before anybody waits for them."""

from __future__ import annotations

import click

from machines.diagnostics import input_error


@click.command()
def warmup() -> None:
    """Compile the simulator's cores into the cache, so that the first run need not."""
    from sim.runner import kinds_of_machines, warm_up
    from sim.workers import Died, results_in_order

    kinds = kinds_of_machines()
    for kind, seconds in zip(kinds, results_in_order(warm_up, kinds, len(kinds)), strict=True):
        if isinstance(seconds, Died):
            message = f"the {kind} core could not be compiled: {seconds}"
            raise input_error(message, hint="is there enough memory?")
        click.echo(f"the {kind} core is ready ({seconds:.1f} s)")


PLUGIN = warmup
