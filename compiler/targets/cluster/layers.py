"""Which layer of a program each instruction belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from compiler.ir.module import Function, Instruction
from machines.diagnostics import Diagnostic
from machines.kinds.cluster.code import LAYER, LAYERS, LEAST_BYTES
from machines.kinds.cluster.program import Layer

MOST_LAYERS = 1 << 16
"""Of a function."""

Kernel = Sequence[Function]
"""An entry, and what runs beside it."""


def layers_of(kernels: Sequence[Kernel]) -> tuple[Layer, ...]:
    """Those of all kernels.  Where one has some, a kernel without any is one of its name."""
    found = [(kernel[0], list(_names(kernel))) for kernel in kernels]
    if not any(names for _, names in found):
        return ()
    return tuple(
        Layer(entry.name, name, least)
        for entry, names in found
        for name, least in zip_longest(names or [entry.name], LEAST_BYTES.of(entry))
    )


def _names(kernel: Kernel) -> Iterator[str]:
    """What the entry calls them, and numbers of those to which it gives no name."""
    named = LAYERS.of(kernel[0])
    yield from named
    for number in range(len(named), _count(kernel)):
        yield f"layer {number}"


def _count(kernel: Kernel) -> int:
    """How many there are as far as instructions know."""
    said = [_said_of(i) for function in kernel for _, i in function.instructions()]
    return max((number + 1 for number in said if number is not None), default=0)


def _said_of(instruction: Instruction) -> int | None:
    return instruction.attributes.get(LAYER)  # type: ignore[return-value]


def numbered(kernel: Kernel, layers: Sequence[Layer]) -> list[list[int | None]]:
    """Of each function of a kernel for its instructions, in layout order, the places of their
    layers among those of the program."""
    own = [number for number, layer in enumerate(layers) if layer.kernel == kernel[0].name]
    if not _count(kernel):
        number = own[0] if own else None
        return [[number for _ in function.instructions()] for function in kernel]
    return [[None if k is None else own[k] for k in _of(function)] for function in kernel]


def _of(function: Function) -> list[int | None]:
    """The layers of a function's instructions.  What is no command, and says none, has that of the
    next instruction of its block which says one, or else of the last one before it."""
    found: list[int | None] = []
    before = None
    for block in function.blocks.values():
        following: list[int | None] = []
        near = None
        for instruction in reversed(block.instructions):
            said = _said_of(instruction)
            near = near if said is None else said
            following.append(said if instruction.operation.walk is not None else near)
        for instruction, layer in zip(block.instructions, reversed(following), strict=True):
            is_open = layer is None and instruction.operation.walk is None
            found.append(before if is_open else layer)
            before = before if layer is None else layer
    return found


def layer_findings(function: Function, entry: Function) -> Iterator[Diagnostic]:
    """Numbers that are none, in an entry or what runs beside it."""
    names, least = LAYERS.of(entry), LEAST_BYTES.of(entry)
    if function is entry and least and len(least) != len(names):
        message = (
            f"'{LEAST_BYTES.name}' is of {len(least)} layers: @{entry.name} names {len(names)}"
        )
        yield Diagnostic(message, entry.location)
    elif function is entry and any(size < 0 for size in least):
        message = f"'{LEAST_BYTES.name}' are numbers from 0 on, not {min(least)}"
        yield Diagnostic(message, entry.location)
    for _, instruction in function.instructions():
        number = instruction.attributes.get(LAYER)
        if number is None:
            continue
        if type(number) is not int or not 0 <= number < MOST_LAYERS:
            message = f"'{LAYER}' is a number from 0 to {MOST_LAYERS - 1}, not {number!r}"
            yield Diagnostic(message, instruction.location)
        elif names and number >= len(names):
            message = f"layer {number} has no name: @{entry.name} names {len(names)}"
            yield Diagnostic(message, instruction.location)
