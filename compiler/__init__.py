"""Source in, `Program` out; knows no clock and no SimPy.  `compile` is the only door."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from compiler.analyses.cache import collector_paused
from compiler.frontends import Frontend, frontends
from compiler.ir.copy import copy_function
from compiler.ir.facts import companions
from compiler.ir.module import IR_FORMS, Function, Module
from compiler.levels import findings_in, uncalled
from compiler.pass_lists import (
    PassList,
    check_lowered,
    lowering,
    make_neutral_steps,
    make_steps,
    options_of_levels,
)
from compiler.pipelines import Report, run_on_all, run_steps
from compiler.targets import Target, target_of
from compiler.verify.ir import verify as verify_ir
from machines.changed_code import watch
from machines.cxx_names import named, several
from machines.description.load import Machine
from machines.diagnostics import InputError, Location, diagnostic, input_error, nearest
from machines.levels import NO_OPTIONS, level_of
from machines.program import Program
from machines.reading import MOST_SOURCE, read_bytes, read_text

watch(__name__)


@dataclass(repr=False)
class Compilation:
    """What became of a source.

    program    what the simulator runs, in the form of the machine's kind
    module     the IR as the front end delivered it, None for assembly
    entry      name of the compiled function
    machine    what it was compiled for
    report     what each pass did, its time, and the code after it where that was asked for
    functions  the machine code that the passes left, the entry's first; none for assembly
    """

    program: Program
    module: Module | None
    entry: str
    machine: Machine
    report: Report = field(default_factory=Report)
    functions: list[Function] = field(default_factory=list)

    def __repr__(self) -> str:
        """One line; the parts are there to be asked for."""
        return f"<Compilation of {self.entry} for {self.machine.name}>"

    @property
    def function(self) -> Function | None:
        """The machine code of the entry."""
        return self.functions[0] if self.functions else None

    @cached_property
    def listing(self) -> str:
        """The program as an assembly listing."""
        lines = target_of(self.machine).listing(self.program, self.machine.description)
        return "".join(f"{line.text}\n" for line in lines)


_CLANG = (
    "-S -emit-llvm -O1 -g -fno-discard-value-names -fno-vectorize -fno-slp-vectorize "
    "-fno-unroll-loops -fno-math-errno"
)
_COMPILERS = {
    ".c": (f"clang {_CLANG}", ".ll"),
    ".cc": (f"clang++ -fno-exceptions {_CLANG}", ".ll"),
    ".cpp": (f"clang++ -fno-exceptions {_CLANG}", ".ll"),
    ".cu": ("nvcc -arch=sm_90 -ptx -lineinfo", ".ptx"),
}
"""Of source that other compilers read: the command, and the suffix of what it makes."""


def _how_to_compile(path: Path) -> str | None:
    """The line to type for a file that another compiler reads."""
    if path.suffix not in _COMPILERS:
        return None
    command, suffix = _COMPILERS[path.suffix]
    made = path.with_suffix(suffix)
    line = f"{command} {shlex.quote(str(path))} -o {shlex.quote(str(made))}"
    return f"compile it, and name {made.name} instead: {line}"


def front_end_of(path: Path) -> Frontend:
    """The front end that reads a file, by its suffix; raises InputError if there is none."""
    by_suffix = {s: front_end for front_end in frontends().values() for s in front_end.suffixes}
    if path.suffix not in by_suffix:
        raise input_error(
            f"no front end reads '{path.suffix}' files: {path}",
            hint=_how_to_compile(path) or "known suffixes: " + ", ".join(sorted(by_suffix)),
        )
    return by_suffix[path.suffix]


def read_source(
    path: str | Path,
    *,
    machine: Machine,
    source: str | bytes | None = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
):
    """What a front end makes of a file: a Module, or a finished program for assembly.

    The front end is chosen by the file's suffix; `source` is the text (bytes of those that are in
    its `binary_suffixes`) if it is not to be read.  A front end may leave out what `entries` do not
    reach.  `options` are those that passes of levels are given.
    Raises InputError if the file cannot be read or no front end takes it.
    """
    path = Path(path)
    front_end = front_end_of(path)
    binary = path.suffix in front_end.binary_suffixes
    if source is None and not front_end.opens_files:
        source = (read_bytes if binary else read_text)(path, MOST_SOURCE)
    elif source is not None and binary != isinstance(source, bytes):
        raise input_error(f"'{path.suffix}' files are {'no text' if binary else 'text'}: {path}")
    return front_end.read(source, str(path), machine, entries, options)


def read_functions(
    path: str | Path,
    *,
    machine: Machine,
    entry: str | None = None,
    source: str | None = None,
    passes: PassList | None = None,
    passes_know: Machine | None = None,
) -> list[Function]:
    """The IR of the function of a file that `compile` would compile, which need not be possible;
    of those that it could, where none is named.

    machine      for which the front end reads
    passes       neutral ones, to be run over it (see `pass_lists.make_neutral_steps`); none: those
                 that lead from its level to IR
    passes_know  the machine that these may ask about, and whose order 'default' is
    Raises InputError as `compile` does, and for assembly, which has no IR.
    """
    entries = [entry] if entry is not None else []
    options = options_of_levels(passes)
    if passes_know is not None and passes:
        check_lowered(front_end_of(Path(path)).level, str(path), passes_know, passes)
    unit = read_source(path, machine=machine, source=source, entries=entries, options=options)
    if not isinstance(unit, Module):
        raise input_error("an assembly program has no IR", hint="--show asm prints it")
    if unit.form in IR_FORMS:
        verify_ir(unit)
    target = target_of(machine)
    names = [f.name for f in _uncalled(unit, target)] if entry is None and not unit.entry else []
    functions = [_entry(unit, name, str(path), target) for name in names or (entry,)]
    _check_bodies(unit, functions)
    passes = passes or lowering(None, unit.form)
    if not passes:
        return functions
    kind = passes_know.kind if passes_know else None
    steps = make_neutral_steps(passes, kind, unit.form)
    changed = [copy_function(function) for function in functions]
    for function, written in zip(changed, functions, strict=True):
        if passes_know is not None:
            _check_lowered(written, unit, passes_know, passes)
        run_steps(steps, function, unit, passes_know)
    return changed


@collector_paused()
def compile(
    path: str | Path,
    *,
    machine: Machine,
    entry: str | None = None,
    kernels: Sequence[str] = (),
    passes: PassList | None = None,
    source: str | None = None,
    print_after: Callable[[str], bool] = lambda name: False,
    passes_location: Location | None = None,
    when_read: Callable[[Any], None] = lambda unit: None,
) -> Compilation:
    """Compile a file for a machine.

    entry         the function to run; may be left out if there is only one, or if all the others
                  are called by it, or if the target has programs of several (all that are not
                  called)
    kernels       if the target has programs of several functions: those that are to be in it, by
                  their names, or as `machines.cxx_names` says; names that the source
                  does not have, or several of, are left for who asks for them to refuse
    passes        'default' or a list (see `compiler.pass_lists`); assembly takes none
    source        the file's text, if it is not to be read
    print_after   for which passes to keep the code they leave
    when_read     is given what the front end made of the file, and may refuse it
    Raises InputError with every finding.
    """
    entries = [entry] if entry is not None else kernels
    options = options_of_levels(passes)
    wanted = "default" if passes is None else passes
    check_lowered(front_end_of(Path(path)).level, str(path), machine, wanted)
    unit = read_source(path, machine=machine, source=source, entries=entries, options=options)
    when_read(unit)
    target = target_of(machine)
    if not isinstance(unit, Module):
        if passes not in (None, "default"):
            raise input_error(
                f"{path} is assembly and runs as it is written: there is nothing for passes to do",
                passes_location,
                hint="leave 'passes' out",
            )
        if entry is not None:
            message = f"{path} is assembly and begins where it says, not at '{entry}'"
            raise input_error(message, hint="leave 'entry' out")
        program = target.finish(unit, machine.description)
        return Compilation(program, None, unit.name, machine)
    if unit.form in IR_FORMS:
        verify_ir(unit)
    known = (*unit.functions, *unit.refused)
    kernels = list(dict.fromkeys(match for name in kernels for match in named(name, known)))
    if target.several and entry is None and not kernels:
        kernels = [function.name for function in _uncalled(unit, target)]
    function, *others = [_entry(unit, name, str(path), target) for name in kernels or (entry,)]
    _check_bodies(unit, [function, *others])
    _check_lowered(function, unit, machine, wanted)
    steps = make_steps(machine.kind, wanted, passes_location, unit.form)
    functions, report = run_on_all(steps, function, unit, machine, print_after, others)
    program = target.emit(functions, unit, machine.description)
    program = target.finish(program, machine.description)
    if others and entry is None:
        program = replace(program, entry=None)
    return Compilation(program, unit, function.name, machine, report, functions)


def _check_lowered(function: Function, module: Module, machine: Machine, wanted: PassList) -> None:
    of = f"'{function.name}'"
    check_lowered(module.form, of, machine, wanted, function.location, module.source)


def _check_bodies(module: Module, functions: Sequence[Function]) -> None:
    """Raises InputError for what is wrong in the bodies of a level's functions."""
    if (level := level_of(module.form)) is not None:
        findings = [
            diagnostic(f"@{function.name}: {found}", function.location, source=module.source)
            for function in functions
            for found in findings_in(level, function)
        ]
        if findings:
            raise InputError(findings)


def _entry(module: Module, name: str | None, path: str, target: Target) -> Function:
    name = module.entry if name is None else _meant(module, name)
    if name in module.refused:
        raise module.refused[name]
    if name is not None:
        if name not in module.functions:
            raise input_error(
                f"{path} has no function '{name}'", hint=nearest(name, module.functions)
            )
        return module.functions[name]
    if not module.functions:
        raise input_error(
            "the file has no function",
            Location(path, 1),
            source=module.source,
            hint="write 'func @name(a: i32) -> i32 {', blocks and '}'",
        )
    first, *others = _uncalled(module, target) or module.functions.values()
    if others:
        raise input_error(
            f"which function runs is not said: {', '.join(module.functions)}",
            others[0].location,
            source=module.source,
            hint="name it: 'entry' of a workload, or 'simrun explain … --entry NAME'",
        )
    return first


def _meant(module: Module, name: str) -> str:
    """The function that a name means; of a GPU program its kernels' names in C++ are enough."""
    if module.form in IR_FORMS:
        return name
    found = named(name, (*module.functions, *module.refused))
    if len(found) > 1:
        raise input_error("which kernel is meant is not clear", hint=several(name, found))
    return found[0] if found else name


def _uncalled(module: Module, target: Target) -> list[Function]:
    """The functions that no other one calls."""

    if level_of(module.form) is not None:
        return [module.functions[name] for name in uncalled(module)]

    def callees(function: Function) -> Sequence[str]:
        if module.form in IR_FORMS:
            return [*function.callees, *companions(function)]
        return [name.removeprefix("@") for name in target.called(function)]

    called = {
        callee
        for function in module.functions.values()
        for callee in callees(function)
        if callee != function.name
    }
    return [function for name, function in module.functions.items() if name not in called]
