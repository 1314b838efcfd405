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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ConfigDict, Field

from machines.diagnostics import Diagnostic, InputError, nearest
from machines.grid import Grid, Triple
from machines.schema import Bytes
from machines.strict_yaml import Node
from machines.types import F32, F64, I64, PTR
from machines.warp_program import Kernel, KernelParameter, WarpProgram
from sim.inputs import Form, Wanted

STEP = "step"
"""An argument that stands for the number of the repetition, from 0."""
_SCALARS = {1: "u8", 2: "i16", 4: "i32", 8: "i64"}

Extents = int | list[int]


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
    shared: Bytes = Field(0, description="Dynamic shared memory of a block.")
    arguments: list[str | int | float] | None = Field(
        None, description="Names of arguments, or numbers, in the order of the parameters."
    )
    repeat: Repeat | None = Field(None, description="Launch it again.")
    stream: int = Field(0, ge=0, description="Steps of one stream follow each other.")
    transfer: str | None = Field(None, alias="copy", description="An array to copy.")
    to: Literal["device", "host"] | None = Field(None, description="Where the copy goes.")


class LaunchForm(StepForm):
    """The only launch of a workload."""


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


def step_findings(node: Node, form: StepForm, names: Sequence[str]) -> Iterator[Diagnostic]:
    """What is wrong in a step beyond its keys' types; `names` are the workload's arguments."""
    if form.transfer is not None:
        given = [
            key for key in ("kernel", "grid", "block", "arguments", "repeat") if key in node.value
        ]
        for key in given:
            yield node.value[key].finding(f"a copy has no '{key}'", "leave it out")
        if form.to is None:
            yield node.finding("a copy says where it goes", "to: device, or to: host", key="copy")
        if form.transfer not in names:
            yield node.value["copy"].finding(
                f"there is no argument '{form.transfer}'", nearest(form.transfer, names)
            )
        return
    if form.to is not None:
        yield node.value["to"].finding("only a copy goes somewhere", "leave 'to' out")
    for key in ("grid", "block"):
        extents = getattr(form, key)
        if extents is None:
            example = "[4096]" if key == "grid" else "[256]"
            yield node.finding(f"a launch needs '{key}'", f"{key}: {example}")
        elif not 1 <= len(_listed(extents)) <= 3 or min(_listed(extents)) < 1:
            yield node.value[key].finding(
                f"'{key}' is one to three positive numbers", f"{key}: [64, 2]"
            )
    if form.arguments is not None:
        written = node.value["arguments"].value
        for place, value in zip(written, form.arguments, strict=True):
            if isinstance(value, str) and value not in (*names, STEP):
                yield place.finding(f"there is no argument '{value}'", nearest(value, names))
    flag = form.repeat.flag if form.repeat else None
    if flag is not None and flag not in names:
        place = node.value["repeat"].value["while"]
        yield place.finding(f"there is no argument '{flag}'", nearest(flag, names))


def _listed(extents: Extents) -> list[int]:
    return extents if isinstance(extents, list) else [extents]


def _triple(extents: Extents) -> Triple:
    x, y, z = (*_listed(extents), 1, 1)[:3]
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
    steps: Sequence[tuple[Node, StepForm]], program: WarpProgram, names: Sequence[str]
) -> list[Planned]:
    """The steps with their kernels' parameters bound: to what a launch lists, else to the arguments
    of their names, else to all arguments in order.

    Raises InputError if a launch names no kernel of the program, or its arguments do not fit.
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
        except InputError as error:
            findings += error.diagnostics
    if findings:
        raise InputError(findings)
    return planned


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
    return given


def wanted_arguments(
    planned: Sequence[Planned], given: Mapping[str, Node], signature: Mapping | None
) -> dict[str, Wanted]:
    """What kernels want of the workload's arguments, by name; `signature` is what the source
    language knows of them.  A 64-bit integer may be an address: the argument `given` decides."""
    found: dict[str, Wanted] = {}
    for step in planned:
        if step.kernel is None:
            continue
        for parameter, value in zip(step.kernel.frame.parameters, step.bound, strict=True):
            if isinstance(value, str) and value != STEP and value not in found:
                found[value] = _wanted(
                    value, parameter, given.get(value), (signature or {}).get(parameter.name)
                )
        flag = step.form.repeat.flag if step.form.repeat else None
        if flag is not None and flag not in found:
            found[flag] = Wanted(flag, None, ())
    return found


def _wanted(name: str, parameter: KernelParameter, given: Node | None, argument: Any) -> Wanted:
    if argument is not None:
        return Wanted(name, argument.dtype, argument.shape)
    is_array = given is not None and isinstance(given.value, list | dict)
    if parameter.type in (PTR, None) or (parameter.type is I64 and is_array):
        return Wanted(name, None, ())
    if parameter.type in (F32, F64):
        return Wanted(name, parameter.type.name)
    return Wanted(name, _SCALARS[parameter.bytes])
