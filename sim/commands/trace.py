"""`simrun trace`: what a few instructions take, without a workload."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sim.commands.parameters import MACHINE, PASSES, PATH, SET, TEXT, pass_list


@click.command()
@click.argument("snippet", type=PATH)
@MACHINE
@SET
@PASSES
@click.option(
    "--iterations", type=int, default=10, show_default=True, metavar="N",
    help="How often the snippet runs, one copy behind the other.",
)  # fmt: skip
@click.option("--out", "-o", type=PATH, metavar="FILE",
              help="Also write the timeline, in the format that the name says.")  # fmt: skip
@click.option("--trace-format", type=TEXT, metavar="NAME",
              help="In this format: one of `simrun list traces`.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print figures as JSON.")
def trace(
    snippet: Path, machine: str | None, overrides: tuple[str, ...], passes: str | None,
    iterations: int, out: Path | None, trace_format: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Run a snippet (a few lines of assembly, PTX, or commands of a chip): the timeline of its
    instructions, cycles per iteration, latency, what limits it, and its longest way."""
    from machines.diagnostics import input_error
    from sim.snippets.running import run_snippet
    from sim.traced import trace_writer

    if trace_format is not None and out is None:
        raise input_error("--trace-format: there is no --out", hint="-o FILE")
    if out is not None:
        trace_writer(out, trace_format)
    done = run_snippet(snippet, machine, overrides, iterations, pass_list(passes))
    if out is not None:
        done.write(out, trace_format)
    text = json.dumps(done.to_dict(), indent=2) if as_json else done.text().rstrip("\n")
    click.echo(text)


PLUGIN = trace
