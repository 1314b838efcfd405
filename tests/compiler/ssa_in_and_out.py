"""Into SSA form and out of it again: what runs must not notice."""

from __future__ import annotations

from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.passes import construct_ssa, leave_ssa
from compiler.verify.ir import findings_of
from machines.description.load import Machine
from tests.compiler.behaviour import behaviour, random_source
from tests.programs.random_programs import Options


def options(seed: int) -> Options:
    """Some programs may fault, some read unassigned variables, some draw unknown conditions."""
    return Options(
        size=8 + seed % 48,
        variables=2 + seed % 4,
        faults=seed % 3 == 0,
        unassigned=seed % 5 == 0,
        opaque=seed % 2 == 0,
    )


def check(seed: int, machine: Machine) -> None:
    """Fails if a program in SSA form, or out of it again, is ill-formed or does something else."""
    module, function, arguments = random_source(seed, options(seed))
    expected = behaviour(function, module, arguments, seed)
    changed = copy_function(function)
    for plugin in (construct_ssa.PLUGIN, leave_ssa.PLUGIN):
        plugin.run(changed, machine, plugin.options())
        assert findings_of(_module(changed, module)) == []
        assert behaviour(changed, module, arguments, seed) == expected


def _module(function: Function, module: Module) -> Module:
    return Module({function.name: function}, module.buffers, module.source)
