"""What `simrun explain` shows: from what is asked to the view that shows it, with what it needs.

The command line and the service ask alike; `sim.views` says what a view is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machines.blame import BrokenByPlugin
from machines.diagnostics import InputError, input_error, nearest

if TYPE_CHECKING:
    from machines.description.load import Machine
    from sim.views import Document, Shown, View
    from sim.workload.schema import Workload


@dataclass(frozen=True)
class Asked:
    """What every view is asked with."""

    show: str
    path: Path
    machine: str | None
    overrides: tuple[str, ...]
    entry: str | None
    passes: list[str] | None
    dimensions: Mapping[str, int] = field(default_factory=dict)


def shown_of(asked: Asked, form: str, given: Mapping[str, Any]) -> Shown:
    """What a view shows, with the options that are given, by their keywords; raises InputError."""
    from sim.views import BODY, COMPILED, RUNNABLE, SOURCE, several

    fitting = _of_input(asked)
    _check(fitting, form, given)  # before anything is compiled
    needs = fitting[0].needs
    if needs == BODY:
        subject, loaded = _body(asked, fitting[0], given), None
    elif needs == COMPILED:
        loaded = _machine(asked)
        _of_machine(fitting, loaded)  # another kind's program may not even compile
        subject = _compiled(asked, loaded)
    elif needs == RUNNABLE:
        _must_be_a_workload(asked)
        loaded = _machine(asked)
        _of_machine(fitting, loaded)
        subject = _runnable(asked, loaded)
    elif needs == SOURCE:
        functions, loaded = _source(asked)
        view = _of_machine(fitting, loaded)
        view.check(form, given)
        return several({f.name: _made(view, f, given) for f in functions})
    else:
        subject, loaded = _described(needs, asked)
    view = _of_machine(fitting, loaded)
    view.check(form, given)
    return _made(view, subject, given)


def _made(view: View, subject: Any, given: Mapping[str, Any]) -> Shown:
    from sim.views import Shown

    shown = view.make(subject, **given)
    if not isinstance(shown, Shown):
        raise BrokenByPlugin(f"it gave {shown!r}, where a view gives a Shown", view)
    return shown


def _of_input(asked: Asked) -> list[View]:
    """The views of a name that show such a file; several only if they are for other kinds of
    machine.  Raises InputError if there are none."""
    from sim.views import SOURCE, Document, views

    show = asked.show
    named = [view for view in views() if view.name == show]
    if not named:
        known = dict.fromkeys(view.name for view in views())
        raise input_error(f"there is no view '{show}'", hint=nearest(show, known))
    document = _document(asked.path)
    if document is not None:
        found = [view for view in named if view.needs == document]
        if not found:
            of_it = dict.fromkeys(view.name for view in views() if view.needs == document)
            hint = f"it has {', '.join(of_it)}"
            raise input_error(f"{document.what} has no view '{show}'", hint=hint)
        return found
    programs = [view for view in named if not isinstance(view.needs, Document)]
    if not programs:
        message = f"--show {show} shows {named[0].needs.what}, and {asked.path} is a program"
        raise input_error(message, hint=f"such a file is YAML and has '{named[0].needs.key}'")
    source = [view for view in programs if view.needs == SOURCE]
    compiled = [view for view in programs if view.needs != SOURCE]
    return compiled if compiled and (asked.machine or asked.passes or not source) else source


def _document(path: Path) -> Document | None:
    """What a file is if it is neither a program nor a workload."""
    from machines.description.strict_yaml import read_yaml_file
    from sim.views import Document, views

    if not _is_workload(path) or path.is_dir():
        return None
    tree = read_yaml_file(path).value
    documents = [view.needs for view in views() if isinstance(view.needs, Document)]
    keys = tree if isinstance(tree, dict) else {}
    return next((document for document in documents if document.key in keys), None)


def _is_workload(path: Path) -> bool:
    from sim.workload.schema import SUFFIXES

    return path.suffix in SUFFIXES or path.is_dir()


def _check(fitting: Sequence[View], form: str, given: Mapping[str, Any]) -> None:
    """Raises InputError if none of the views takes these options in this format."""
    from sim.views import Document, views

    errors = []
    for view in fitting:
        try:
            return view.check(form, given)
        except InputError as error:
            errors.append(error)
    named = [view for view in views() if view.name == fitting[0].name and view not in fitting]
    for document in (view for view in named if isinstance(view.needs, Document)):
        for option in document.options:
            if option.keyword in given:
                message = f"--show {document.name} takes no --{option.name} of a program"
                raise input_error(message, hint=f"only of {document.needs.what}: leave it out")
    raise errors[0]


def _source(asked: Asked) -> tuple[list[Any], Machine | None]:
    """The IR of the function that `--entry` names in a file, or in a workload's program, after
    neutral passes, which know of no machine unless one is given; of all that the file is for, where
    none is named."""
    from compiler import front_end_of, read_functions
    from compiler.pass_lists import lowering
    from machines.description.load import load_machine
    from sim.levels import passes_with, said_in

    for name, given in {"machine": asked.machine, "set": asked.overrides}.items():
        if given and not asked.passes:
            hint = "it shows the source as it is, for no machine, unless --passes are run"
            raise input_error(f"--show {asked.show} takes no --{name}", hint=hint)
    if asked.overrides and not asked.machine:
        raise input_error("--set changes a machine, and none is named", hint="--machine NAME")
    path, entry, passes = asked.path, asked.entry, asked.passes
    workload = _written(asked)
    if workload is not None:
        form, tree = workload.form, workload.tree
        path, entry = workload.program, entry or form.entry
        for level in said_in(form, tree):
            own = passes or list(lowering(None, level))
            passes = passes_with(own, form, tree, workload.folder)
    known = load_machine(asked.machine, asked.overrides) if asked.machine else None
    reader = known or load_machine(front_end_of(path).default_machine)
    words = {"machine": reader, "entry": entry, "passes": passes, "passes_know": known}
    return read_functions(path, **words), known


def _machine(asked: Asked) -> Machine:
    """The machine for which a file or a workload is compiled."""
    from compiler import front_end_of
    from machines.description.load import load_machine
    from sim.runner import machine_of
    from sim.workload.schema import read_workload

    if _is_workload(asked.path):
        return machine_of(read_workload(asked.path), asked.machine, asked.overrides)
    name = asked.machine or front_end_of(asked.path).default_machine
    return load_machine(name, asked.overrides)


def _compiled(asked: Asked, machine: Machine) -> Any:
    """The program of a file or a workload, with the code after every pass."""
    from compiler import compile
    from sim.runner import compile_workload

    workload = _written(asked)
    if workload is not None:
        overrides, passes, entry = asked.overrides, asked.passes, asked.entry
        options = {"entry": entry, "print_after": _always, "alone": entry is not None}
        return compile_workload(workload, machine, overrides, passes, **options).compilation
    return compile(
        asked.path, machine=machine, entry=asked.entry, passes=asked.passes, print_after=_always
    )


def _written(asked: Asked) -> Workload | None:
    """The workload that a file is, or that says the dimensions of a program."""
    from sim.without_workload import workload_alone
    from sim.workload.schema import read_workload

    if _is_workload(asked.path):
        if asked.dimensions:
            hint = "a workload says 'dimensions: {NAME: N}'"
            raise input_error("--dimension is for models without a workload", hint=hint)
        return read_workload(asked.path)
    return workload_alone(asked.path, asked.dimensions) if asked.dimensions else None


def _must_be_a_workload(asked: Asked) -> None:
    from sim.levels import runs_alone

    if not _is_workload(asked.path) and not runs_alone(asked.path):
        message = f"--show {asked.show} runs a workload, and {asked.path} is a program"
        raise input_error(message, hint="a workload's file says with which arrays it runs")


def _runnable(asked: Asked, machine: Machine) -> Any:
    """A workload whose program is compiled, or a program that needs none."""
    from sim.runner import compile_workload
    from sim.without_workload import compile_alone
    from sim.workload.schema import read_workload

    if not _is_workload(asked.path):
        return compile_alone(asked.path, machine, (), asked.passes, asked.dimensions)
    workload = read_workload(asked.path)
    return compile_workload(workload, machine, asked.overrides, asked.passes, asked.entry)


def _always(name: str) -> bool:
    return True


def _body(asked: Asked, view: View, options: Mapping[str, Any]) -> Any:
    """A function of the view's level, which is for no machine; reading it may want the view's
    options."""
    from compiler.levels import read_function
    from machines.levels import level_of

    given = {"machine": asked.machine, "set": asked.overrides, "passes": asked.passes}
    for name in (name for name, value in given.items() if value):
        message = f"--show {asked.show} takes no --{name}"
        raise input_error(message, hint="it shows a function, which is for no machine")
    return read_function(level_of(view.level), asked.path, asked.entry, options)


def _described(document: Document, asked: Asked) -> tuple[Any, Machine]:
    """A document, with the machine for which it is."""
    from machines.description.load import load_machine
    from sim.views import Described

    for name, given in {"entry": asked.entry, "passes": asked.passes}.items():
        if given:
            message = f"{document.what} takes no --{name}"
            raise input_error(message, hint="it is no program: leave it out")
    machine = load_machine(asked.machine or document.machine, asked.overrides)
    return Described(asked.path, machine), machine


def _of_machine(fitting: Sequence[View], machine: Machine | None) -> View:
    """The view for a machine's kind, or for none; raises InputError if there is none."""
    from machines.description.load import machine_names

    for view in fitting:
        if machine is None or not view.kinds or machine.kind in view.kinds:
            return view
    others = [name for view in fitting for kind in view.kinds for name in machine_names(kind)]
    raise input_error(
        f"--show {fitting[0].name} shows nothing of {machine.name}, a machine of kind "
        f"'{machine.kind}'",
        hint=f"choose another by --machine: {', '.join(others)}",
    )
