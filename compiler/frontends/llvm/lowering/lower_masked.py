"""Loads and stores under a mask: each element on its own, guarded by its bit of the mask.

call <4 x i32> @llvm.masked.load(ptr %p, <4 x i1> %m, <4 x i32> %old)
    ->   @m0 x0 = load.i32 p else 0;  select.i32 m0, x0, old0;  …
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compiler.frontends.llvm.lowering.code import Code, Scalar, Value
from compiler.frontends.llvm.lowering.lower_bits import Lower
from compiler.frontends.llvm.lowering.lower_memory import Place, moved
from compiler.frontends.llvm.lowering.widths import choose
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import Operand, Statement
from compiler.frontends.llvm.reading.types import Vector, is_packed, size_of
from compiler.ir.module import Guard


def _guarded(code: Code, condition: Scalar, access: Callable[[], Value | None]) -> Value | None:
    """What an access gives whose loads and stores happen only under a condition."""
    if isinstance(condition, int):
        return access() if condition else None
    block = code.builder.current
    before = len(block.instructions)
    value = access()
    for instruction in list(block.instructions[before:]):
        if instruction.operation.loads or instruction.operation.stores:
            kinds = [operand.kind for operand in instruction.operation.writes]
            kept = tuple(0.0 if kind.is_float else 0 for kind in kinds)
            code.builder.change(instruction, guard=Guard(condition), otherwise=kept)
    return value


def _places(
    code: Code, address: Operand, kind: Vector, mask: Value, dense: bool
) -> Iterator[Place]:
    """Where each element stands: side by side, or where a vector of pointers says; `dense`: those
    that the mask leaves out take no room."""
    if is_packed(kind):
        raise Refused(f"a {kind} under a mask is not supported", "access elements of whole bytes")
    value, size = code.value(address), size_of(kind.element)
    for k in range(kind.count):
        if isinstance(address.type, Vector):
            yield Place(code, value[k], address.alignment)
        elif not dense:
            known = address.alignment | k * size
            yield Place(code, moved(code, value, k * size), known & -known)
        else:
            yield Place(code, value, address.alignment & -address.alignment)
            step = code.emit("select.i64", mask[k], size, 0)
            value = code.emit("add.ptr", value, step)


def _load(dense: bool) -> Lower:
    def lower(code: Code, statement: Statement) -> Value:
        address, mask, otherwise = statement.operands
        kind, chosen = statement.type, code.value(mask)
        found = []
        places = _places(code, address, kind, chosen, dense)
        for place, here, old in zip(places, chosen, code.value(otherwise), strict=True):
            value = _guarded(code, here, lambda place=place: place.load(kind.element, 0))
            if not isinstance(here, int):
                value = choose(code, kind.element, here, value, old)
            found.append(value if here != 0 else old)
        return tuple(found)

    return lower


def _store(dense: bool) -> Lower:
    def lower(code: Code, statement: Statement) -> None:
        held, address, mask = statement.operands
        kind, chosen = held.type, code.value(mask)
        places = _places(code, address, kind, chosen, dense)
        for place, here, value in zip(places, chosen, code.value(held), strict=True):
            _guarded(
                code, here, lambda place=place, value=value: place.store(kind.element, 0, value)
            )

    return lower


KNOWN: dict[str, Lower] = {
    "llvm.masked.load": _load(False), "llvm.masked.gather": _load(False),
    "llvm.masked.expandload": _load(True),
    "llvm.masked.store": _store(False), "llvm.masked.scatter": _store(False),
    "llvm.masked.compressstore": _store(True),
}  # fmt: skip
