"""`simrun validate`: simulated figures beside those of real hardware."""

from __future__ import annotations

from pathlib import Path

import click

from sim.commands.parameters import MACHINE, PASSES, PATH, SET, TEXT, TRUST, pass_list


@click.command()
@click.argument("folder", type=PATH)
@MACHINE
@SET
@PASSES
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
    folder: Path, machine: str | None, overrides: tuple[str, ...], passes: str | None, trust: bool,
    against: Path | None, only: tuple[str, ...], mechanisms: tuple[str, ...],
    classes: tuple[str, ...], jobs: int, as_json: bool,
) -> int:  # fmt: skip
    """Run benchmarks and compare their figures with those of real hardware."""
    from sim.results.result import to_json
    from sim.validation.benchmarks import read_suite
    from sim.validation.comparison import Comparison
    from sim.validation.measured import read_measured
    from sim.validation.report import as_content, report_lines
    from sim.validation.running import Settings, run_all

    suite = read_suite(folder)
    chosen = suite.chosen(only, mechanisms, classes)
    measured = read_measured(against) if against else {}
    chosen_passes = None if passes is None else tuple(pass_list(passes))
    settings = Settings(machine, overrides, chosen_passes, trust)
    comparison = Comparison(suite, published=not against)
    code = 0
    try:
        for ran in run_all(chosen, measured, settings, jobs):
            comparison.note(ran, measured.get(ran.benchmark.name))
            code = max(code, ran.code)
    except KeyboardInterrupt:  # so much is known
        if not as_json:
            click.echo("\n".join(report_lines(comparison)))
        raise
    if as_json:
        click.echo(to_json(as_content(comparison)), nl=False)
    else:
        for line in report_lines(comparison):
            click.echo(line)
    return code


PLUGIN = validate
