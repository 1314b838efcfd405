"""What runs passes: over a function, or over all functions that a program needs.

Which passes, in which order, is said by `compiler.pass_lists`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field

from compiler.ir.copy import copy_function
from compiler.ir.module import IR_FORMS, Function, Module
from compiler.ir.printer import print_function
from compiler.levels import findings_in, text_in
from compiler.pass_lists import Step
from compiler.targets import target_of
from compiler.transformation import Changes
from compiler.verify.ir import findings_of
from machines.blame import BrokenByPlugin
from machines.description.load import Machine
from machines.diagnostics import InputError, diagnostic
from machines.levels import level_of

SHOWN = 5
"""Findings in what a pass left that a message has."""

EVERY_PASS: ContextVar[bool] = ContextVar("EVERY_PASS", default=False)
"""Whether code is verified after every pass that changes it, as the tests want it."""


@dataclass
class StepReport:
    """What a step did to a function, in which form that is then, how many seconds of the processor
    it took, and the function after it if that was asked for."""

    function: str
    name: str
    form: str
    changes: Changes
    seconds: float
    printed: str | None = None


@dataclass
class Report:
    """The steps of one compilation: those of the entry first, then those of what it calls."""

    steps: list[StepReport] = field(default_factory=list)

    def printed(self, name: str) -> str | None:
        """The entry after the last step of this name, if it was printed."""
        own = [step for step in self.steps if step.function == self.steps[0].function]
        found = [step.printed for step in own if step.name == name and step.printed]
        return found[-1] if found else None


def run_steps(
    steps: Iterable[Step],
    function: Function,
    module: Module,
    machine: Machine | None,
    print_after: Callable[[str], bool] = lambda name: False,
    form: str | None = None,
) -> Report:
    """Run passes over a function and report; neutral ones need no machine.

    form  of the function, where it is not its module's
    What a pass of a plugin leaves is verified: what those here leave, the tests verify.

    Raises InputError if the user's program cannot be compiled, BrokenByPlugin if code is left that
    is not well-formed.
    """
    report, steps = Report(), list(steps)
    form, every = form or module.form, EVERY_PASS.get()
    verified: tuple[str, int] | None = None  # form and version of the code that was verified last
    for step in steps:
        name = step.plugin.name
        started = time.process_time()
        try:
            changes = step.plugin.run(function, machine, step.options)
        except InputError as error:
            raise _with_source(error, module) from None
        seconds = time.process_time() - started
        if not isinstance(changes, Changes):
            message = f"it gave {changes!r}, where a pass gives its Changes"
            raise BrokenByPlugin(message, step.plugin)
        form = step.plugin.forms[form]
        left = form, function.version
        is_new = changes or left != verified or level_of(form) is not None  # has no version
        if not _is_ours(step) or (every and is_new):
            _verify(step, function, form, module, machine)
            verified = left
        printed = _printed(function, form) if print_after(name) else None
        report.steps.append(StepReport(function.name, name, form, changes, seconds, printed))
    return report


def run_on_all(
    steps: Sequence[Step],
    entry: Function,
    module: Module,
    machine: Machine,
    print_after: Callable[[str], bool] = lambda name: False,
    others: Sequence[Function] = (),
) -> tuple[list[Function], Report]:
    """Run passes that lead to machine code over copies of a function, of `others` that are to be
    in the program, and of all that they still call then; the entry comes first."""
    functions = {f"@{function.name}": copy_function(function) for function in (entry, *others)}
    report, called = Report(), target_of(machine).called
    pending = list(functions.values())
    while pending:
        function = pending.pop(0)
        own, form = steps, module.form
        if function.name not in module.functions:  # a pass that lowered another one made it
            own, form = _behind_lowering(steps, form)
        report.steps += run_steps(own, function, module, machine, print_after, form).steps
        for name in called(function):
            if name not in functions:
                functions[name] = copy_function(function.functions[name[1:]])
                pending.append(functions[name])
    return list(functions.values()), report


def _behind_lowering(steps: Sequence[Step], form: str) -> tuple[Sequence[Step], str]:
    """The steps behind those that leave the level of a form, and the form that these leave."""
    for number, step in enumerate(steps):
        if level_of(form) is None:
            return steps[number:], form
        form = step.plugin.forms[form]
    return (), form


def _printed(function: Function, form: str) -> str:
    """The code as text: blocks, or what its level writes."""
    level = level_of(form)
    return print_function(function) if level is None else text_in(level, function)


def _is_ours(step: Step) -> bool:
    return step.plugin.run.__module__.partition(".")[0] == "compiler"


def _verify(
    step: Step, function: Function, form: str, module: Module, machine: Machine | None
) -> None:
    """Raises BrokenByPlugin for what is wrong with the code that a pass left; the whole code is
    for the report of the mistake."""
    if (level := level_of(form)) is not None:
        findings = findings_in(level, function)
    elif form in IR_FORMS:
        buffers = {**module.buffers, **function.buffers}  # a pass may have made some
        alone = Module({function.name: function}, buffers, module.source)
        findings = findings_of(alone)
    else:
        findings = list(target_of(machine).verify(function, form, machine.description))
    if findings:
        listed = list(dict.fromkeys(map(str, findings)))
        more = [f"and {len(listed) - SHOWN} more"] if len(listed) > SHOWN else []
        shown = "\n".join(f"    {line}" for line in "\n".join(listed[:SHOWN] + more).splitlines())
        message = f"pass '{step.plugin.name}' broke function '{function.name}', which is in form"
        detail = "\n".join([*listed, _printed(function, form)])
        raise BrokenByPlugin(f"{message} '{form}':\n{shown}", step.plugin, detail)


def _with_source(error: InputError, module: Module) -> InputError:
    """The same findings, each with the source line it points at."""
    return InputError(
        f
        if f.source_line is not None
        else diagnostic(f.message, f.location, source=module.source, hint=f.hint, code=f.code)
        for f in error.diagnostics
    )
