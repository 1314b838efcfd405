"""`simrun validate`: simulated figures beside those of real hardware."""

from __future__ import annotations

from pathlib import Path

import click

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
@click.option(
    "--mechanism",
    "mechanisms",
    multiple=True,
    type=TEXT,
    metavar="NAME",
    help="Only benchmarks that show this.",
)
@click.option(
    "--class",
    "classes",
    multiple=True,
    type=TEXT,
    metavar="NAME",
    help="Only benchmarks that were chosen_by, held_out or never_looked_at.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Run so many at a time."
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def validate(
    folder: Path, machine: str | None, overrides: tuple[str, ...], trust: bool,
    against: Path | None, only: tuple[str, ...], mechanisms: tuple[str, ...],
    classes: tuple[str, ...], jobs: int, as_json: bool,
) -> int:  # fmt: skip
    """Run benchmarks and compare their figures with those of real hardware."""
    from sim.results.result import to_json
    from sim.validation.benchmarks import read_suite
    from sim.validation.judging import Compared
    from sim.validation.measured import read_measured
    from sim.validation.report import Comparison, as_content, report_lines
    from sim.validation.running import Settings, run_all

    suite = read_suite(folder)
    chosen = suite.chosen(only, mechanisms, classes)
    measured = read_measured(against) if against else {}
    compared: list[Compared] = []
    missing: dict[str, float] = {}
    broken: dict[str, str] = {}
    code = 0
    for ran in run_all(chosen, measured, Settings(machine, overrides, trust), jobs):
        one, name, published = ran.benchmark, ran.benchmark.name, ran.benchmark.form.published
        code = max(code, ran.code)
        if ran.figure is None:
            broken[name] = ran.broken
        elif name in measured:
            it = measured[name]
            compared.append(Compared(one, ran.figure, it.value, it.low, it.high, ran.differing))
        elif published is not None and not against:
            compared.append(Compared(one, ran.figure, published, published, published))
        else:
            missing[name] = ran.figure
    comparison = Comparison(suite, compared, missing, broken)
    if as_json:
        click.echo(to_json(as_content(comparison)), nl=False)
    else:
        for line in report_lines(comparison):
            click.echo(line)
    return code


PLUGIN = validate
