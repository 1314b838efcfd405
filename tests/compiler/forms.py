"""Code through its text: what is printed after a pass is read back, and compiled on from there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compiler.frontends.ir_text.frontend import read
from compiler.ir.copy import copy_function
from compiler.ir.module import IR_FORMS, Function, Module
from compiler.pass_lists import Step, make_steps
from compiler.pipelines import run_steps
from compiler.targets import target_of
from compiler.text_form import print_module
from machines.description.load import Machine
from machines.program import Program
from sim.runner import Compiled, compile_workload
from sim.workload.schema import read_workload


def as_module(functions: Sequence[Function], source: Module, form: str, machine: Machine) -> Module:
    """Functions of a source in a form that they were brought to."""
    is_ir = form in IR_FORMS
    family = "ir" if is_ir else machine.family
    named = {function.name: function for function in functions}
    return Module(named, source.buffers, form="ir" if is_ir else form, family=family)


def through_text(module: Module, machine: Machine) -> Module:
    """What is read back and verified, which is printed as it was."""
    text = print_module(module)
    again = read(text, "again.sir", machine)
    assert print_module(again) == text
    assert (again.form, again.family) == (module.form, module.family)
    return again


def through_every_text(
    steps: Sequence[Step], functions: Sequence[Function], source: Module, machine: Machine
) -> list[Function]:
    """Run passes over functions of a source, which go through their text after each."""
    form, functions = source.form, list(functions)
    for step in steps:
        for function in functions:
            alone = Module(source.functions, source.buffers, source.source, form=form)
            run_steps([step], function, alone, machine)
        form = step.plugin.forms[form]
        known = source.functions if form in IR_FORMS else {}
        module = as_module([*known.values(), *functions], source, form, machine)
        again = through_text(module, machine)
        functions = [again.functions[function.name] for function in functions]
        for function in functions:
            function.functions = source.functions
    return functions


def again_from_text(compiled: Compiled) -> Program:
    """The program of the machine code of a workload's program, printed and read back."""
    compilation, machine = compiled.compilation, compiled.machine
    form = target_of(machine).last_form
    module = as_module(compilation.functions, compilation.module, form, machine)
    again = through_text(module, machine)
    return _finished(list(again.functions.values()), again, compiled)


def again_through_every_text(compiled: Compiled) -> Program:
    """The program of a workload whose code goes through its text after every pass."""
    machine, source = compiled.machine, compiled.compilation.module
    steps = make_steps(machine.kind, compiled.passes, form=source.form)
    functions = [copy_function(source.functions[f.name]) for f in compiled.compilation.functions]
    return _finished(through_every_text(steps, functions, source, machine), source, compiled)


def _finished(functions: Sequence[Function], source: Module, compiled: Compiled) -> Program:
    target, description = target_of(compiled.machine), compiled.machine.description
    program = target.finish(target.emit(functions, source, description), description)
    program.entry = compiled.compilation.program.entry
    return program


def compiled_for(workload: str, machine: str) -> Compiled:
    return compile_workload(read_workload(Path(workload)), machine)
