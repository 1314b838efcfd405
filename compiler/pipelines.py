"""The order of the passes for each kind of machine, and what runs them.

A workload's `passes` is 'default' or a list.  In a list, 'default' stands for the default passes;
what follows it changes them: `name: {option: value}` sets options, `-name` leaves a pass out.  A
list without 'default' is the whole order, and has to lead from IR to what the machine runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import compiler.passes
from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.ir.printer import print_function
from compiler.ir.verify import findings_of
from compiler.targets import folders_of_targets, target_of
from compiler.transformation import Changes, Pass, make_options
from machines.description.load import Machine
from machines.diagnostics import Diagnostic, InputError, Location, diagnostic, input_error, nearest
from machines.plugins import discover

DEFAULT: dict[str, tuple[str, ...]] = {
    "epic": (
        "leave_ssa",
        "inline_calls",
        "simplify_control_flow",
        "rotate_loops",
        "construct_ssa",
        "propagate_constants",
        "propagate_copies",
        "number_values",
        "move_invariants",
        "reduce_strength",
        "relate_accesses",
        "count_loops",
        "remove_dead_stores",
        "remove_dead_code",
        "leave_ssa",
        "simplify_control_flow",
        "convert_branches",
        "simplify_control_flow",
        "lay_out_blocks",
        "select",
        "drop_extensions",
        "reuse_values",
        "combine_operations",
        "coalesce_copies",
        "remove_unread_results",
        "modulo_schedule",
        "increment_addresses",
        "form_superblocks",
        "schedule_blocks",
        "allocate_registers",
        "schedule_blocks",
        "bundle",
    ),
    "simt": (
        "leave_ssa",
        "inline_calls",
        "simplify_control_flow",
        "rotate_loops",
        "construct_ssa",
        "propagate_constants",
        "propagate_copies",
        "number_values",
        "move_invariants",
        "remove_dead_stores",
        "remove_dead_code",
        "leave_ssa",
        "simplify_control_flow",
        "select",
        "propagate_lanes",
        "combine_lanes",
        "propagate_lanes",
        "reuse_lanes",
        "propagate_lanes",
        "remove_dead_lanes",
        "guard_branches",
        "join_loads",
        "schedule_lanes",
        "lay_out_blocks",
        "place_convergence",
        "allocate_registers",
        "set_control_bits",
    ),
}
"""Machine kind -> names of its passes in order."""
FIRST_FORM, SELECTED = "ir", "virtual"
IR_FORMS = ("ir", "ssa")
LAST_FORM = {"epic": "bundled", "simt": "scheduled"}

PassList = str | Sequence[str | Mapping[str, Any]]


@dataclass(frozen=True)
class Step:
    """A pass with its options."""

    plugin: Pass
    options: Any


@dataclass
class StepReport:
    """What a step did to a function, how long it took, and the function after it if that was asked
    for."""

    function: str
    name: str
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


def passes() -> dict[str, Pass]:
    """All passes by name, built in and from plugins (entry-point group `simrun.passes`)."""
    return discover("passes", (compiler.passes, *folders_of_targets("passes")), Pass)


def optimizations(kind: str) -> tuple[str, ...]:
    """Names of the default passes that may be left out: those that keep the code in SSA form."""
    known = passes()
    return tuple(dict.fromkeys(n for n in DEFAULT[kind] if known[n].forms == {"ssa": "ssa"}))


def make_steps(
    kind: str,
    wanted: PassList = "default",
    location: Location | None = None,
    form: str = FIRST_FORM,
) -> list[Step]:
    """The steps that a pass list means for a kind of machine and code in a form ('ir', or
    'virtual' where the source was machine code: the default passes are those behind selection).

    Raises InputError for unknown passes and options, and for an order that cannot work.
    """
    default = DEFAULT[kind]
    if form == SELECTED:
        default = default[default.index("select") + 1 :]
    steps = _read_list(wanted, default, location)
    form = _form_after(steps, location, form, default)
    if form != LAST_FORM[kind]:
        raise input_error(
            f"the passes leave the code in form '{form}', but the machine runs '{LAST_FORM[kind]}'",
            location,
            hint="the default order is " + ", ".join(DEFAULT[kind]),
        )
    return steps


def make_neutral_steps(
    wanted: PassList, kind: str | None = None, form: str = FIRST_FORM
) -> list[Step]:
    """The steps of a list of passes that leave IR, which runs nowhere yet; 'default' stands for
    those before selection in the order of a kind of machine, if one is given.

    Raises InputError as `make_steps` does, and for a pass of a machine's code.
    """
    known = passes()
    for name in map(_name_of, [wanted] if isinstance(wanted, str) else wanted):
        if name in known and not _is_neutral(known[name]):
            message = f"pass '{name}' works on a machine's code, and this is IR"
            raise input_error(message, hint="--show asm or --show passes show what it does")
        if name == "default" and kind is None:
            message = "'default' is the order of a kind of machine, and none is named"
            raise input_error(message, hint="--machine itanium2, or write the passes")
    default = [name for name in DEFAULT.get(kind, ()) if _is_neutral(known[name])]
    steps = _read_list(wanted, default, None)
    _form_after(steps, None, form, default)
    return steps


def _is_neutral(plugin: Pass) -> bool:
    return plugin.forms.get("ir", plugin.forms.get("ssa")) in IR_FORMS


def _name_of(entry: str | Mapping[str, Any]) -> str:
    """The pass that an entry of a list is about."""
    return _read_entry(entry, None)[0].removeprefix("-").strip()


def _read_list(wanted: PassList, default: Sequence[str], location: Location | None) -> list[Step]:
    """The steps of a list in which 'default' stands for some passes, whatever their forms."""
    entries = [wanted] if isinstance(wanted, str) else list(wanted)
    names: list[str] = []
    given: dict[str, dict[str, Any]] = {}
    changing_default = False
    for entry in entries:
        if entry == "default":
            names, changing_default = [*names, *default], True
            continue
        name, options = _read_entry(entry, location)
        if name.startswith("-"):
            name = name[1:].strip()
            _must_be_there(name, names, changing_default, location)
            names = [other for other in names if other != name]
            continue
        if changing_default:
            _must_be_there(name, names, changing_default, location)
            if not options:
                hint = f"give it options, '{name}: {{option: value}}', or leave it out of the list"
                raise input_error(f"pass '{name}' is in 'default' already", location, hint=hint)
        else:
            names.append(name)
        if options:
            given.setdefault(name, {}).update(options)
    for name in given:
        if name not in names:
            message = f"pass '{name}' has options, but is left out"
            raise input_error(message, location, hint=f"leave out the options, or '-{name}'")
    known = passes()
    steps = []
    for name in names:
        if name not in known:
            raise input_error(f"there is no pass '{name}'", location, hint=nearest(name, known))
        options = make_options(known[name], given.get(name, {}), location)
        steps.append(Step(known[name], options))
    return steps


def _read_entry(entry: Any, location: Location | None) -> tuple[str, dict[str, Any]]:
    """Name and options of an entry: 'name' or {name: {option: value}}."""
    if isinstance(entry, str) and entry.strip("- "):
        return entry, {}
    if isinstance(entry, Mapping) and len(entry) == 1:
        name, options = next(iter(entry.items()))
        written = options is None or isinstance(options, Mapping)
        if written and not str(name).startswith("-"):
            return str(name), dict(options or {})
    raise input_error(
        f"{entry!r} is not a pass", location, hint="write a name, -name, or name: {option: value}"
    )


def _must_be_there(
    name: str, names: list[str], changing_default: bool, location: Location | None
) -> None:
    if name in names:
        return
    known = passes()
    if not changing_default:
        message, hint = f"'-{name}' takes a pass out, and it is not there", "begin with 'default'"
    else:
        message = f"pass '{name}' is not among the default passes"
        hint = "leave 'default' out and write the whole order to add a pass"
    raise input_error(message, location, hint=hint if name in known else nearest(name, known))


def _form_after(
    steps: list[Step], location: Location | None, form: str, default: Sequence[str]
) -> str:
    """The form of the code after steps; raises InputError if one cannot stand where it does."""
    for step in steps:
        if form not in step.plugin.forms:
            accepted = " or ".join(f"'{f}'" for f in step.plugin.forms)
            raise input_error(
                f"pass '{step.plugin.name}' cannot stand there: it takes form {accepted}, "
                f"and the code is in form '{form}'",
                location,
                hint=_order_hint(step.plugin, form, default),
            )
        form = step.plugin.forms[form]
    return form


def _order_hint(plugin: Pass, form: str, default: Sequence[str]) -> str | None:
    """How code gets into a form that a pass takes."""
    if default:
        return "the default order is " + ", ".join(default)
    before = [name for name, other in passes().items() if other.forms.get(form) in plugin.forms]
    return f"{' or '.join(before)} before it leads there" if before else None


def run_steps(
    steps: Iterable[Step],
    function: Function,
    module: Module,
    machine: Machine | None,
    print_after: Callable[[str], bool] = lambda name: False,
) -> Report:
    """Run passes over a function, verify it after each, and report; neutral ones need no machine.

    Raises InputError if the user's program cannot be compiled, RuntimeError naming the pass if
    one leaves IR that is not well-formed.
    """
    report = Report()
    form = module.form
    for step in steps:
        name = step.plugin.name
        started = time.perf_counter()
        try:
            changes = step.plugin.run(function, machine, step.options)
        except InputError as error:
            raise _with_source(error, module) from None
        seconds = time.perf_counter() - started
        form = step.plugin.forms[form]
        if form in IR_FORMS:
            _verify(name, function, _findings_of_ir(function, module))
        elif form == SELECTED:
            _verify(name, function, target_of(machine).verify(function))
        printed = print_function(function) if print_after(name) else None
        report.steps.append(StepReport(function.name, name, changes, seconds, printed))
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
        report.steps += run_steps(steps, function, module, machine, print_after).steps
        for name in called(function):
            if name not in functions:
                functions[name] = copy_function(entry.functions[name[1:]])
                pending.append(functions[name])
    return list(functions.values()), report


def _findings_of_ir(function: Function, module: Module) -> list[Diagnostic]:
    return findings_of(Module({function.name: function}, module.buffers, module.source))


def _verify(name: str, function: Function, findings: Iterable[Diagnostic]) -> None:
    findings = list(findings)
    if findings:
        listed = "\n".join(map(str, findings))
        raise RuntimeError(
            f"pass '{name}' broke function '{function.name}':\n{listed}\n{print_function(function)}"
        )


def _with_source(error: InputError, module: Module) -> InputError:
    """The same findings, each with the source line it points at."""
    return InputError(
        finding
        if finding.source_line is not None
        else diagnostic(finding.message, finding.location, source=module.source, hint=finding.hint)
        for finding in error.diagnostics
    )
