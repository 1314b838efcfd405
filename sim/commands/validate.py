"""`simrun validate`: simulated figures beside those of real hardware."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from machines.diagnostics import input_error, nearest
from sim.commands.parameters import MACHINE, PATH, SET, TEXT, TRUST


@click.command()
@click.argument("folder", type=PATH)
@MACHINE
@SET
@TRUST
@click.option(
    "--against", type=PATH, metavar="FILE.json", help="What was measured (else: what is published)."
)
@click.option("--only", multiple=True, type=TEXT, metavar="NAME", help="Only these benchmarks.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def validate(
    folder: Path, machine: str | None, overrides: tuple[str, ...], trust: bool,
    against: Path | None, only: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """Run benchmarks and compare their figures with those of real hardware."""
    from sim import validation
    from sim.prepared_case import prepare
    from sim.results.result import to_json
    from sim.runner import compile_workload, execute
    from sim.workload.schema import read_workload

    benchmarks = validation.read_benchmarks(folder)
    names = [one.name for one in benchmarks]
    for name in only:
        if name not in names:
            raise input_error(f"there is no benchmark '{name}'", hint=nearest(name, names))
    measured = validation.read_measured(against) if against else {}
    compared, missing = [], {}
    compiled: dict[Path, Any] = {}
    for one in benchmarks:
        if only and one.name not in only:
            continue
        if one.workload not in compiled:
            described = read_workload(one.workload)
            compiled[one.workload] = compile_workload(described, machine, overrides)
        unit = compiled[one.workload]
        result = _whole(execute(prepare(unit, unit.workload.case(one.name), trust)))
        if not result.ok:
            problem = result.fault["message"] if result.fault else "its outputs are wrong"
            raise input_error(f"benchmark '{one.name}' did not run to its end: {problem}")
        figure = one.simulated(result)
        if one.name in measured:
            found = measured[one.name]
            differing = one.differing(result, found.outputs)
            compared.append(validation.Compared(one, figure, found.value, differing))
        elif one.form.published is not None and not against:
            compared.append(validation.Compared(one, figure, one.form.published))
        else:
            missing[one.name] = figure
    if as_json:
        click.echo(to_json(validation.as_content(compared, missing)), nl=False)
    else:
        for line in validation.report_lines(compared, missing):
            click.echo(line)
    return 0


def _whole(result: Any) -> Any:
    """The result, unless Ctrl-C ended the run: a part of it is nothing to judge or to accept."""
    from sim.status import INTERRUPTED

    if result.status == INTERRUPTED:
        raise KeyboardInterrupt
    return result


PLUGIN = validate
