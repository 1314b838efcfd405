"""What `sim` needs to know of a kind of machine beside its core: how a workload becomes a request.

A kind's `Binding` is its part `binding` (see `machines.kinds`).  It may have keys of the workload
file to itself (a `Section`); of each case it makes a `Bound`, which knows what the program wants
and, once inputs lie in memory, what the host does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, input_error
from machines.kinds import kind_named, parts
from machines.layout import BLOCK_ALIGNMENT, Memory
from machines.levels import not_callable
from machines.plugins import load_part, not_a
from machines.program import Program
from sim.forms import Form, Wanted
from sim.kinds.printed import Printed, printed, prints

if TYPE_CHECKING:
    import numpy as np

Steps = tuple[tuple[Node, Any], ...]
"""What a section asks of the host: each step's node of the file, and what was read there."""


class Section(Form):
    """Keys of a workload, and of each of its variants, that some kind of machine reads.

    A kind's own is a subclass that declares them as fields; a method asks `super()` for what other
    sections say.
    """

    def steps(self, holder: Node) -> Steps:
        """What the host is to do; `holder` is the mapping in which the keys stand."""
        return ()

    def step_findings(self, holder: Node, arguments: Mapping[str, Node]) -> Iterator[Diagnostic]:
        """What is wrong in them, beyond their types, as far as the workload alone tells."""
        return iter(())


@dataclass
class Bound:
    """A case bound to its program; a kind's own is a subclass that says what it has more of.

    program    what runs
    wanted     the program's parameters, in order
    variables  arguments that fill buffers of the program: their names
    """

    program: Program
    wanted: Mapping[str, Wanted]

    @property
    def variables(self) -> Mapping[str, str]:
        return {}

    def input_findings(self, inputs: Mapping[str, np.ndarray]) -> list[Diagnostic]:
        """What is wrong with the inputs as they were made."""
        return []

    @property
    def made(self) -> Mapping[str, np.ndarray]:
        """Arguments that no maker of inputs makes; they are filled by `place`."""
        return {}

    def place(self, memory: Memory, inputs: Mapping[str, np.ndarray]) -> None:
        """Fill inputs that have addresses in them, before they are written to memory."""

    def write(self, memory: Memory) -> None:
        """Write what memory holds beside inputs and the contents of buffers."""

    def ready(self, memory: Memory, inputs: Mapping[str, np.ndarray]) -> None:
        """Look at what the host will do, now that inputs lie in memory.

        Raises InputError if it cannot be done.
        """

    @property
    def prints(self) -> bool:
        """Whether the program prints."""
        return prints([buffer.name for buffer in self.program.buffers])

    def printed(self, memory: Memory) -> Printed:
        """What was printed so far, of a program that prints."""
        return printed(memory)

    def host(self, memory: Memory) -> Mapping[int, Iterable[Any]]:
        """What the host does in each stream: actions of the kind's core, made anew for each run."""
        return {}


@dataclass(frozen=True)
class Generators:
    """Programs of others that compile for a kind of machine, and how what they made becomes a
    workload.

    listed           those that are known, by name; each has a `sentence`
    expanded         'module:function': function(tree, folder) -> the tree of a workload whose
                     program one of them left on the disk, as one that the kind runs; any other
                     tree as it is.  Raises InputError
    compiles         compiles(function): whether a function of Python is one that they compile
    called           'module:function': function(function, machine, grid, arguments, block,
                     compiled_with) -> the workload of a call; raises InputError
    default_machine  for which a function is compiled if none is named
    """

    listed: Callable[[], Mapping[str, Any]]
    expanded: str
    compiles: Callable[[object], bool]
    called: str
    default_machine: str

    def part(self, name: str) -> Callable[..., Any]:
        """What one of the references names."""
        return load_part("generators", name, getattr(self, name), not_callable)


@dataclass(frozen=True)
class Binding:
    """How a workload runs on one kind of machine.

    bind      bind(compiled, case) -> `Bound`; raises InputError
    section   the keys of the workload file that it reads
    entries   entries(workload) -> functions that steps name, the entry first; none: the entry alone
    nothing   nothing(program) -> what the host does to run a program that does nothing
    values    whether arguments may be structures, tables and null
    alignment of arrays of the caller in memory, in bytes: what the host's allocator gives
    generators of programs that it runs, if it knows any
    """

    bind: Callable[[Any, Any], Bound]
    section: type[Section] = Section
    entries: Callable[[Any], Sequence[str]] = lambda workload: ()
    nothing: Callable[[Any], Mapping[int, Iterable[Any]]] = lambda program: {}
    values: bool = False
    alignment: int = BLOCK_ALIGNMENT
    generators: Generators | None = None


def binding_of(kind: str) -> Binding:
    """The binding of a kind of machine."""
    return kind_named(kind).part("binding", no_binding)


def bindings() -> dict[str, Binding]:
    """Those of all kinds, by kind."""
    return parts("binding", no_binding)


def generators() -> list[Generators]:
    """Those of all kinds."""
    return [one.generators for one in bindings().values() if one.generators is not None]


def that_compile(function: object) -> Generators | None:
    """Those that compile a function of Python; raises InputError for a function of none."""
    for one in generators():
        if one.compiles(function):
            return one
    if not callable(function):
        return None
    kind = type(function).__name__
    message = f"workload: expected a file, a mapping or a generator's function, found a {kind}"
    known = ", ".join(name for one in generators() for name in one.listed())
    raise input_error(message, hint=f"functions of {known}")


def no_binding(part: object) -> str | None:
    """What is wrong with what should be a binding."""
    problem = not_a(Binding)(part)
    if problem is None and not _is_section(part.section):
        return f"its 'section' is {part.section!r}, not a class under Section"
    return problem


def _is_section(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, Section)


def kinds_that_read(key: str) -> list[str]:
    """The kinds of machine to which a key of a workload belongs."""
    return [kind for kind, one in bindings().items() if key in one.section.model_fields]


def sections(common: Iterable[str]) -> list[type[Section]]:
    """The sections of all kinds that have one, beside the keys that every workload has.

    Raises InputError if one of them declares what is declared already.
    """
    owners = dict.fromkeys(common, "every workload")
    found: list[type[Section]] = []
    for kind, binding in bindings().items():
        if binding.section in found:
            continue
        for key in binding.section.model_fields:
            if key in owners:
                message = f"machine kind '{kind}' cannot have '{key}' of a workload to itself"
                hint = f"it belongs to {owners[key]}: uninstall one of the two, or rename the key"
                raise input_error(message, hint=hint)
            owners[key] = f"machine kind '{kind}'"
        found.append(binding.section)
    return [section for section in found if section is not Section]
