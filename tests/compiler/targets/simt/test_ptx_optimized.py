"""What PTX does by hand-computed answers, it does after all passes too."""

from __future__ import annotations

import pytest

from compiler.pass_lists import make_steps
from compiler.pipelines import run_on_all
from compiler.targets.simt import TARGET
from machines.description.load import load_machine
from tests.compiler.frontends import ptx_runs, test_ptx_kernels, test_ptx_semantics


def _runs(module) -> dict[str, tuple]:
    """The tests of a module that need no fixture -> the test, and the arguments of each case."""
    found = {}
    for name, test in vars(module).items():
        if not name.startswith("test_"):
            continue
        marks = [m for m in getattr(test, "pytestmark", ()) if m.name == "parametrize"]
        names = [word for mark in marks for word in mark.args[0].replace(",", " ").split()]
        cases = marks[0].args[1] if marks else [()]
        if len(marks) <= 1 and test.__code__.co_argcount == len(names):
            found[name] = test, [case if len(names) != 1 else (case,) for case in cases]
    return found


RUNS = _runs(test_ptx_kernels) | _runs(test_ptx_semantics)
del RUNS["test_widths_of_accesses"]
"""Its kernel reads by `ld.global.nc` what it has written, which CUDA leaves open."""


@pytest.fixture(scope="module")
def machine():
    return load_machine("h200")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", RUNS)
def test_after_all_passes(name, machine, monkeypatch):
    def optimized(functions, module, description):
        steps = make_steps("simt", form=module.form)
        made, _ = run_on_all(steps, functions[0], module, machine)
        return TARGET.emit(made, module, machine.description)

    monkeypatch.setattr(ptx_runs, "emit_program", optimized)
    test, cases = RUNS[name]
    for case in cases:
        test(*case)
