"""`simrun compare`: two results, two machines or two workloads beside each other.

What A and B are, their content says: see `sort_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from machines.diagnostics import input_error, nearest
from sim.commands.parameters import MACHINE, MACHINE_NAME, PATH, SET, TEXT, TRUST

if TYPE_CHECKING:
    from sim.prepared_case import PreparedCase
    from sim.results.compared import Comparison
    from sim.results.moved import Content

T = TypeVar("T")
A_RESULT, A_MACHINE, A_WORKLOAD = "a result", "a machine", "a workload"
KEYS = {"provenance": A_RESULT, "program": A_WORKLOAD, "extends": A_MACHINE, "kind": A_MACHINE}
"""Keys that tell what a file of mappings is."""


@click.command("compare")
@click.argument("a", type=MACHINE_NAME)
@click.argument("b", type=MACHINE_NAME)
@MACHINE
@SET
@click.option(
    "--variant", "variants", multiple=True, type=TEXT, metavar="NAME", help="Only this variant."
)
@TRUST
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option("--page", type=PATH, metavar="FILE",
              help="Also write a page for the eye: one HTML file with charts.")  # fmt: skip
def compare(
    a: str, b: str, machine: str | None, overrides: tuple[str, ...], variants: tuple[str, ...],
    trust: bool, as_json: bool, page: Path | None,
) -> None:  # fmt: skip
    """Compare B with A: two results (files of --json or --out), two machines, or two workloads.

    Workloads are run, both with --machine, --set and --trust.  The exit code is 0 when they were
    compared, whatever differs.
    """
    sort, other = sort_of(a), sort_of(b)
    if sort != other:
        hint = "two results, two machines or two workloads can be compared"
        if {sort, other} == {A_RESULT, A_WORKLOAD}:
            hint = "simrun run WORKLOAD --versus RESULT runs the one and compares"
        raise input_error(f"{a} is {sort}, and {b} is {other}", hint=hint)
    if page is not None:
        from machines.cache.files import check_writable
        from sim.pages.library import check_library

        if sort == A_MACHINE:
            raise input_error("--page is of results or workloads", hint="leave it out")
        check_library()
        check_writable(page)
    if sort == A_WORKLOAD:
        _print(_of_workloads(a, b, machine, overrides, variants, trust), as_json, page)
        return
    unused = {"machine": machine, "set": overrides, "trust": trust}
    unused |= {"variant": variants} if sort == A_MACHINE else {}
    for name, given in unused.items():
        if given:
            message = f"--{name} has no effect: {a} and {b} are {sort.removeprefix('a ')}s"
            raise input_error(message, hint="leave it out")
    if sort == A_MACHINE:
        from sim.commands.machines import print_differences

        print_differences(a, b, (), as_json)
    else:
        _print(_of_results(a, b, variants), as_json, page)


def sort_of(word: str) -> str:
    """What a word of the command line names: a file or folder by what it holds, or a machine.

    A word that could be both is a machine, as it is for --machine: './NAME' is the folder.
    """
    from machines.description.load import REPLACE, machine_names
    from machines.description.strict_yaml import read_yaml_file
    from sim.baselines.checking import WORKLOAD_FILE
    from sim.workload.schema import SUFFIXES

    path = Path(word)
    if word in machine_names():
        return A_MACHINE
    if path.is_dir():
        if not (path / WORKLOAD_FILE).exists() and any(path.glob("*.json")):
            raise input_error(f"{path} is a folder of results", hint="name two of its files")
        return A_WORKLOAD
    if not path.exists():
        message = f"there is no file, folder or machine '{word}'"
        raise input_error(message, hint=nearest(word, machine_names()))
    if path.suffix not in SUFFIXES:
        return A_RESULT  # else reading it says what is wrong
    held = read_yaml_file(path, tags=(REPLACE,)).value
    for key, sort in KEYS.items():
        if isinstance(held, dict) and key in held:
            return sort
    hint = "a machine has 'kind' or 'extends', a workload 'program'"
    if isinstance(held, dict) and "cases" in held:
        hint = "it is a baseline: simrun run WORKLOAD --versus baseline compares with one"
    raise input_error(f"{path} is no result, no machine and no workload", hint=hint)


def _print(comparisons: Sequence[Comparison], as_json: bool, page: Path | None) -> None:
    """One, or those of several variants: as JSON one value."""
    from sim.results.result import to_json

    if page is not None:
        from machines.cache.files import write_atomically
        from sim.pages.making import page_of_comparisons

        write_atomically(page, page_of_comparisons([one.to_dict() for one in comparisons]))
    if as_json:
        contents = [one.to_dict() for one in comparisons]
        click.echo(to_json(contents if len(contents) > 1 else contents[0]), nl=False)
    else:
        click.echo("\n\n".join(map(str, comparisons)))


def _of_results(a: str, b: str, variants: Sequence[str]) -> list[Comparison]:
    from sim.results.beside import beside
    from sim.results.recorded import read_results

    def chosen(word: str) -> dict[str, Content]:
        found = read_results(Path(word))
        for variant in variants:
            if variant not in found:
                message = f"{word} holds no result of variant '{variant}'"
                raise input_error(message, hint=nearest(variant, found))
        return {variant: found[variant] for variant in variants or found}

    return _in_pairs(a, b, chosen(a), chosen(b), beside)


def _of_workloads(
    a: str, b: str, machine: str | None, overrides: Sequence[str], variants: Sequence[str],
    trust: bool,
) -> list[Comparison]:  # fmt: skip
    """Run both, variant by variant; all are prepared before the first one runs."""
    from sim.prepared_case import prepare
    from sim.runner import compile_workload
    from sim.workload.schema import read_workload

    def prepared(word: str) -> dict[str, PreparedCase]:
        described = read_workload(word)
        cases = [described.case(name) for name in variants] or described.cases()
        compiled = compile_workload(described, machine, overrides)
        return {case.name: prepare(compiled, case, trust) for case in cases}

    return _in_pairs(a, b, prepared(a), prepared(b), _compare_runs)


def _compare_runs(a: PreparedCase, b: PreparedCase) -> Comparison:
    """Run two cases and compare them."""
    from sim.progress import Progress
    from sim.runner import execute
    from sim.status import INTERRUPTED

    results = []
    for prepared in (a, b):
        with Progress(prepared.compiled.workload.name, None) as shown:
            results.append(execute(prepared, on_progress=shown.update))
        if results[-1].status == INTERRUPTED:
            raise KeyboardInterrupt
    return results[0].compare(results[1])


def _in_pairs(
    a: str, b: str, of_a: Mapping[str, T], of_b: Mapping[str, T],
    compare: Callable[[T, T], Comparison],
) -> list[Comparison]:  # fmt: skip
    """Compare what both have of each variant; where each has one alone, these two.

    Raises InputError if they have no variant in common.
    """
    if len(of_a) == len(of_b) == 1:
        return [compare(*of_a.values(), *of_b.values())]
    common = [name for name in of_a if name in of_b]
    if not common:
        hint = f"{a} has {', '.join(of_a)}; {b} has {', '.join(of_b)}"
        raise input_error(f"{a} and {b} have no variant in common", hint=hint)
    alone = ", ".join(sorted({*of_a} ^ {*of_b}))
    said = [f"variants of one alone, compared with nothing: {alone}"] if alone else []
    comparisons = [compare(of_a[name], of_b[name]) for name in common]
    return [replace(one, warnings=[*one.warnings, *said]) for one in comparisons]


PLUGIN = compare
