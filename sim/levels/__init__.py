"""What `sim` needs to know of a level of code: its keys of a workload, and how its functions are
called.

A level's `Binding` is its part `binding` (see `machines.levels`).  How a function is called is said
by what lowered it: of what it left as the function's body, `call` makes a `Call` of a case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, input_error
from machines.layout import Memory
from machines.levels import not_callable, parts
from machines.plugins import load_part, not_a
from sim.forms import Form

if TYPE_CHECKING:
    import numpy as np

    from machines.diagnostics import Location

Passes = str | list[Any]


class Keys(Form):
    """Keys of a workload that a level reads; a level's own is a subclass with them as fields."""


class Call(Protocol):
    """A case of a function of a level, as the machine is given it, and what comes out of it.

    case          the case as its kind of machine sees it
    inputs        what expectations are told of
    arrays        what lies in memory beside the case's arguments
    write         write(memory): what else the machine is given
    fault         fault(memory) -> what ended the run that the memory is left of: kind, place, and
                  what can be done, '' if nothing; None if nothing did
    results       the outputs: element type and shape, () of a number; None of an array of one axis
                  of which the run tells how long it is
    gives_number  whether the result is a single number, which results of a run have as `returned`
    outputs       outputs(memory) -> the result of the run that the memory is left of
    """

    case: Any
    inputs: Mapping[str, np.ndarray]
    arrays: Mapping[str, np.ndarray]
    results: Mapping[str, tuple[str, tuple[int, ...] | None]]
    gives_number: bool

    def write(self, memory: Memory) -> None: ...

    def fault(self, memory: Memory) -> tuple[str, Location | None, str] | None: ...

    def outputs(self, memory: Memory) -> dict[str, np.ndarray]: ...


@dataclass(frozen=True)
class Binding:
    """What a level reads of a workload.

    section            its keys: a class under `Keys`
    passes             passes(passes, form, tree, folder) -> the passes with what the keys say.
                       Without a folder files are called as the workload does.  It raises InputError
                       where passes that the keys need are left out
    findings           findings(form, tree, folder): what is wrong with the keys, beyond their types
    function_findings  function_findings(tree, function): what is wrong with them for a function of
                       the level that is not lowered; None: the program is none of the level's
    inputs             inputs(form) -> what of the keys belongs to a run's inputs
    names_outputs      suffixes of programs whose outputs have names that only the program says:
                       a workload may expect something of any name
    seeded             seeded(body) -> arguments, as in a workload, of a function that was lowered,
                       where there is no workload to say any; None: it needs one
    judges             programs that compute the same: name -> 'module:function', of which
                       function(prepared case) gives a `sim.workload.comparison.Expected` of each
                       output, and raises InputError where it cannot
    """

    section: type[Keys]
    passes: Callable[..., Passes] = lambda passes, form, tree, folder=None: passes
    findings: Callable[[Any, Node, Path], list[Diagnostic]] = lambda form, tree, folder: []
    function_findings: Callable[[Node, Any], list[Diagnostic]] = lambda tree, function: []
    inputs: Callable[[Any], Any] = lambda form: None
    names_outputs: tuple[str, ...] = ()
    seeded: Callable[[Any], dict[str, Any]] | None = None
    judges: Mapping[str, str] = field(default_factory=dict)


def bindings() -> dict[str, Binding]:
    """Those of all levels that have one, by level."""
    return parts("binding", no_binding)


def no_binding(part: object) -> str | None:
    """What is wrong with what should be a binding."""
    problem = not_a(Binding)(part)
    is_form = problem is None and isinstance(part.section, type) and issubclass(part.section, Keys)
    if problem is None and not is_form:
        return f"its 'section' is {part.section!r}, not a class under Keys"
    return problem


def sections(taken: Mapping[str, str]) -> list[type[Keys]]:
    """Those of all levels; raises InputError if one of them has a key that is `taken`, by whom."""
    owners, found = dict(taken), []
    for level, binding in bindings().items():
        for key in binding.section.model_fields:
            if key in owners:
                message = f"level '{level}' cannot have '{key}' of a workload to itself"
                hint = f"it belongs to {owners[key]}: uninstall one of the two, or rename the key"
                raise input_error(message, hint=hint)
            owners[key] = f"level '{level}'"
        found.append(binding.section)
    return found


def keys_of(form: Form, tree: Node) -> list[str]:
    """The keys of a workload that are levels'."""
    return [key for binding in said_in(form, tree).values() for key in _keys(binding, tree)]


def passes_with(passes: Passes, form: Form, tree: Node, folder: Path | None = None) -> Passes:
    """Passes with the options that a workload's keys give; raises InputError if one that takes them
    is left out."""
    for binding in said_in(form, tree).values():
        passes = binding.passes(passes, form, tree, folder)
    return passes


def findings_in(form: Form, tree: Node, folder: Path) -> Iterator[Diagnostic]:
    """What is wrong with the keys of a workload that are levels'."""
    for binding in said_in(form, tree).values():
        yield from binding.findings(form, tree, folder)


def function_findings(form: Form, tree: Node, unit: Any, entry: str | None) -> Iterator[Diagnostic]:
    """What is wrong with them for what a front end made of the program (see `compiler.compile`)."""
    found = getattr(unit, "form", None)
    for level, binding in said_in(form, tree).items():
        function = unit.functions.get(entry or unit.entry) if found == level else None
        if found != level or function is not None:  # else the compiler says what there is
            yield from binding.function_findings(tree, function)


def inputs_of(form: Form, tree: Node) -> Any:
    """What of these keys belongs to a run's inputs, None if there is nothing."""
    return next((b.inputs(form) for b in said_in(form, tree).values()), None)


def binding_of_program(program: str) -> Binding | None:
    """That of the level to which a program belongs, by its file's name, and whose outputs have
    names that only the program says; None if there is none."""
    suffix = Path(program).suffix
    return next((one for one in bindings().values() if suffix in one.names_outputs), None)


def runs_alone(path: Path) -> bool:
    """Whether a file is a program that needs no workload, as its level makes inputs up."""
    binding = binding_of_program(path.name)
    return binding is not None and binding.seeded is not None


def call_of(compiled: Any, case: Any) -> Call | None:
    """The call that a case of a level's function makes, None of any other program; raises
    InputError."""
    body = compiled.declared.body if compiled.declared else None
    if body is None:
        return None
    call = load_part(f"function '{compiled.made.entry}'", "call", body.call, not_callable)
    return call(compiled, case, body)


def said_in(form: Form, tree: Node) -> dict[str, Binding]:
    """The bindings of levels of which a workload has keys."""
    if not isinstance(form, Keys):
        return {}
    return {level: binding for level, binding in bindings().items() if _keys(binding, tree)}


def _keys(binding: Binding, tree: Node) -> list[str]:
    return [key for key in binding.section.model_fields if key in tree.value]
