"""What the host does with a SIMT machine: launches of kernels and copies, in streams.

    launch: {grid: [4096], block: [256]}                       # the entry, once
    launches:                                                  # or several steps
      - {kernel: sums, grid: [64], block: [256], arguments: [data, partial, n]}
      - {kernel: level, grid: [8], block: [256], arguments: [graph, depth, step, changed],
         repeat: {most: 64, while: changed}}
      - {copy: data, to: host, stream: 1}

Steps of a stream follow each other; streams run side by side.  A repeated launch is done again
while an array is not all zero after it; the array is cleared before each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from machines.diagnostics import Diagnostic, InputError, nearest
from machines.grid import MOST_BLOCKS, MOST_THREADS, Grid, Triple
from machines.kinds.simt import Simt
from machines.occupancy import occupancy
from machines.schema import Bytes
from machines.strict_yaml import Node
from machines.types import F32, F64, I64, PTR
from machines.warp_program import Kernel, KernelParameter, WarpProgram
from sim.inputs import Form, Wanted, make_input

STEP = "step"
"""An argument that stands for the number of the repetition, from 0."""
_SCALARS = {1: "u8", 2: "i16", 4: "i32", 8: "i64"}


def _extents(written: Any) -> list[int]:
    extents = written if isinstance(written, list) else [written]
    if not 1 <= len(extents) <= 3 or not all(type(e) is int and e >= 1 for e in extents):
        raise ValueError("is one to three positive integers, like [64, 2]")
    return extents


Extents = Annotated[list[int], BeforeValidator(_extents)]


class Repeat(Form):
    """Until when a launch is done again."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    most: int = Field(ge=1, description="Launches at most.")
    flag: str | None = Field(
        None, alias="while", description="An array: again while it is not all zero after a launch."
    )


class StepForm(Form):
    """One launch or copy."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kernel: str | None = Field(None, description="The kernel to launch; the entry if left out.")
    grid: Extents | None = Field(None, description="Blocks along x, y, z.")
    block: Extents | None = Field(None, description="Threads of a block along x, y, z.")
    shared: Bytes = Field(0, ge=0, description="Dynamic shared memory of a block.")
    arguments: list[str | int | float] | None = Field(
        None, description="Names of arguments, or numbers, in the order of the parameters."
    )
    repeat: Repeat | None = Field(None, description="Launch it again.")
    stream: int = Field(0, ge=0, description="Steps of one stream follow each other.")
    transfer: str | None = Field(None, alias="copy", description="An array to copy.")
    to: Literal["device", "host"] | None = Field(None, description="Where the copy goes.")


@dataclass(frozen=True)
class Launch:
    """A kernel on a grid.

    values  its arguments in order: a number, an address, or STEP
    most    launches at most, while the array `flag` (if any) is not all zero after one
    """

    kernel: str
    grid: Grid
    values: tuple[int | float | str, ...]
    stream: int = 0
    most: int = 1
    flag: str | None = None


@dataclass(frozen=True)
class Copy:
    """An array's way over the host link."""

    array: str
    to: str
    stream: int = 0


Step = Launch | Copy


_OF_LAUNCHES = ("kernel", "grid", "block", "shared", "arguments", "repeat")


def step_findings(
    node: Node, form: StepForm, arguments: Mapping[str, Node]
) -> Iterator[Diagnostic]:
    """What is wrong in a step beyond its keys' types; `arguments` are the workload's."""
    if form.transfer is not None:
        for key in (key for key in _OF_LAUNCHES if key in node.value):
            yield node.value[key].finding(f"a copy has no '{key}'", "leave it out")
        if form.to is None:
            yield node.finding("a copy says where it goes", "to: device, or to: host", key="copy")
        yield from _no_array(node.value["copy"], form.transfer, arguments)
        return
    if form.to is not None:
        yield node.value["to"].finding("only a copy goes somewhere", "leave 'to' out")
    for key, example, most in (("grid", "[4096]", MOST_BLOCKS), ("block", "[256]", MOST_THREADS)):
        extents = getattr(form, key)
        if extents is None:
            yield node.finding(f"a launch needs '{key}'", f"{key}: {example}")
        elif any(one > limit for one, limit in zip(extents, most, strict=False)):
            hint = f"at most {', '.join(map(str, most))} along x, y, z"
            yield node.value[key].finding(f"'{key}' is too large", hint)
    if form.arguments is not None:
        written = node.value["arguments"].value
        for place, value in zip(written, form.arguments, strict=True):
            if isinstance(value, str) and value not in (*arguments, STEP):
                yield place.finding(f"there is no argument '{value}'", nearest(value, arguments))
    if form.repeat is not None and form.repeat.flag is not None:
        yield from _no_array(node.value["repeat"].value["while"], form.repeat.flag, arguments)


def _no_array(place: Node, name: str, arguments: Mapping[str, Node]) -> Iterator[Diagnostic]:
    """What is wrong where an array must be named."""
    if name not in arguments:
        yield place.finding(f"there is no argument '{name}'", nearest(name, arguments))
    elif not _is_array(arguments[name]):
        yield place.finding(f"'{name}' is a number", "name an array")


def _is_array(argument: Node) -> bool:
    return isinstance(argument.value, list | dict)


def _triple(extents: Extents) -> Triple:
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z


@dataclass(frozen=True)
class Planned:
    """A step of a workload with the parameters that its arguments go to.

    `bound` has, for each parameter of the kernel, an argument's name, a number, or STEP.
    """

    node: Node
    form: StepForm
    kernel: Kernel | None
    bound: tuple[str | int | float, ...] = ()

    def step(self, arguments: Mapping[str, int | float]) -> Step:
        """What is to be done, with the arguments' values and addresses."""
        form = self.form
        if self.kernel is None:
            return Copy(form.transfer, form.to, form.stream)
        values = tuple(
            arguments[v] if isinstance(v, str) and v in arguments else v for v in self.bound
        )
        repeat = form.repeat or Repeat(most=1)
        grid = Grid(_triple(form.grid), _triple(form.block), form.shared)
        return Launch(self.kernel.name, grid, values, form.stream, repeat.most, repeat.flag)


def plan(
    steps: Sequence[tuple[Node, StepForm]],
    program: WarpProgram,
    machine: Simt,
    names: Sequence[str],
) -> list[Planned]:
    """The steps with their kernels' parameters bound: to what a launch lists, else to the arguments
    of their names, else to all arguments in order.

    Raises InputError if a launch names no kernel of the program, its arguments do not fit, or a
    block fits no SM.
    """
    planned, findings = [], []
    for node, form in steps:
        if form.transfer is not None:
            planned.append(Planned(node, form, None))
            continue
        name = form.kernel or program.entry
        if name not in program.kernels:
            place = node.value.get("kernel", node)
            message = (
                f"the program has no kernel '{name}'" if name else "which kernel runs is not said"
            )
            findings.append(place.finding(message, nearest(name or "", program.kernels)))
            continue
        kernel = program.kernels[name]
        try:
            planned.append(Planned(node, form, kernel, _bind(node, form, kernel, names)))
            _check_block(node, form, kernel, machine)
        except InputError as error:
            findings += error.diagnostics
    if findings:
        raise InputError(findings)
    return planned


def _check_block(node: Node, form: StepForm, kernel: Kernel, machine: Simt) -> None:
    """Raise InputError, at the launch, if a block of it fits no SM."""
    shared = kernel.frame.shared_bytes(form.shared)
    try:
        occupancy(machine, prod(_triple(form.block)), kernel.registers, shared)
    except InputError as error:
        place = node.value["block"]
        raise InputError([place.finding(d.message, d.hint) for d in error.diagnostics]) from None


def _bind(
    node: Node, form: StepForm, kernel: Kernel, names: Sequence[str]
) -> tuple[str | int | float, ...]:
    parameters = kernel.frame.parameters
    wanted = ", ".join(p.name for p in parameters) or "none"
    if form.arguments is not None:
        given = tuple(form.arguments)
    elif all(parameter.name in names for parameter in parameters):
        return tuple(parameter.name for parameter in parameters)
    else:
        given = tuple(names)
    if len(given) != len(parameters):
        raise InputError(
            node.value.get("arguments", node).finding(
                f"kernel '{kernel.name}' takes {len(parameters)} arguments, not {len(given)}",
                f"its parameters: {wanted}; list them: arguments: [x, y, n]",
            )
        )
    if form.arguments is not None:
        written = node.value["arguments"].value
        _check_numbers(zip(written, given, parameters, strict=True))
    return given


def _check_numbers(
    arguments: Iterable[tuple[Node, str | int | float, KernelParameter]],
) -> None:
    """Raise InputError if a launch lists a number that its parameter cannot hold."""
    for place, value, parameter in arguments:
        if parameter.type is PTR and (value == STEP or not isinstance(value, str)):
            message = f"'{parameter.name}' is an array, not a number"
            raise InputError(place.finding(message, "name an argument"))
        if not isinstance(value, str):
            make_input(place, _wanted(parameter.name, parameter, None, None), Path())


def wanted_arguments(
    planned: Sequence[Planned],
    given: Mapping[str, Node],
    signatures: Mapping[str, Mapping[str, Any]],
) -> dict[str, Wanted]:
    """What kernels want of the workload's arguments, by name; `signatures` is what the source
    language knows of each kernel's.  A 64-bit integer may be an address: the argument `given`
    decides.

    Raises InputError if two kernels want one argument in ways that exclude each other.
    """
    found: dict[str, Wanted] = {}
    for step in planned:
        if step.kernel is None:
            found.setdefault(step.form.transfer, Wanted(step.form.transfer, None, ()))
            continue
        signature, parameters = signatures.get(step.kernel.name, {}), step.kernel.frame.parameters
        is_bound_by_name = step.bound == tuple(parameter.name for parameter in parameters)
        for parameter, value in zip(parameters, step.bound, strict=True):
            if isinstance(value, str) and value != STEP:
                argument = given.get(value)
                wanted = _wanted(value, parameter, argument, signature.get(parameter.name))
                if wanted.is_array and not is_bound_by_name:  # extents name other parameters
                    extents = (one if isinstance(one, int) else None for one in wanted.extents)
                    wanted = replace(wanted, extents=tuple(extents))
                before = found.setdefault(value, wanted)
                if before.dtype is None:
                    found[value] = wanted
                elif argument is not None and wanted.dtype not in (None, before.dtype):
                    _check_both(step, argument, before, wanted)
        flag = step.form.repeat.flag if step.form.repeat else None
        if flag is not None:
            found.setdefault(flag, Wanted(flag, None, ()))
    return found


def _check_both(step: Planned, argument: Node, before: Wanted, wanted: Wanted) -> None:
    """Raise InputError unless an argument can be what one kernel wants, and what another does."""
    if wanted.is_array or before.is_array:
        message = f"'{wanted.name}' is {wanted} here, and {before} in an earlier launch"
        raise InputError(step.node.finding(message, "give the kernels arguments of their own"))
    make_input(argument, wanted, Path())


def _wanted(name: str, parameter: KernelParameter, given: Node | None, argument: Any) -> Wanted:
    if argument is not None:
        return Wanted(name, argument.dtype, argument.shape)
    is_array = given is not None and _is_array(given)
    if parameter.type in (PTR, None) or (parameter.type is I64 and is_array):
        return Wanted(name, None, ())
    if parameter.type in (F32, F64):
        return Wanted(name, parameter.type.name)
    return Wanted(name, _SCALARS[parameter.bytes])
