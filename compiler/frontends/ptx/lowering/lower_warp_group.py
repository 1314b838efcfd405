"""Products of matrices by groups of warps.

wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%f1, …}, %rd1, %rd2, %p1, 1, 1, 0, 1;
    ->  wgmma.mma_async.m64n64.f32.shared: the registers as results and as sums, descriptors, %p1,
        the number of the types, 1, 1, 0, 1
"""

from __future__ import annotations

import re

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_matrix import (
    ALL_LANES,
    check_had,
    elements,
    needs_a_warp,
    read_element,
    written,
)
from compiler.frontends.ptx.lowering.operands import Context, take
from compiler.frontends.ptx.reading.tree import Constant, Operand, Operation, Vector
from compiler.frontends.ptx.types import PRED, TYPES
from compiler.ir.module import Value
from machines.instructions.ptx_warp_group import types_of

SHAPE = re.compile(r"m64n(\d+)k(\d+)")
HALVES, SMALL, BYTES = ("f16", "bf16"), ("e4m3", "e5m2"), ("s8", "u8")
DEPTH = {"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32, "b1": 256}
"""k of an instruction, by the type of the left matrix."""


def lower(context: Context, operation: Operation) -> None:
    """`wgmma`: mma_async, fence, commit_group, wait_group."""
    needs_a_warp(context, operation)
    what, *parts = operation.parts or ("",)
    if parts[:2] != ["sync", "aligned"]:
        if parts[:1] == ["sp"]:
            raise unsupported(f"'{operation.text}' is not supported: its left matrix is sparse")
        raise Refused(f"there is no '{operation.text}'", f"wgmma.{what}.sync.aligned")
    if what == "mma_async":
        _multiply(context, operation, parts[2:])
    elif what in ("fence", "commit_group") and not parts[2:]:
        take(operation, 0)
        context.code.emit(f"wgmma.{what}")
    elif what == "wait_group" and not parts[2:]:
        context.code.emit("wgmma.wait_group", (), (_number(operation, take(operation, 1)[0]),))
    else:
        raise Refused(f"there is no '{operation.text}'")
    if what != "mma_async":
        check_had(context, operation, context.code.rows[f"wgmma.{what}"])


def _multiply(context: Context, operation: Operation, parts: list[str]) -> None:
    shape, result, a, b, limit = _form(operation, parts)
    columns = int(SHAPE.fullmatch(shape)[1])
    count = columns // (4 if result == "f16" else 2)
    target, left, right, scale, *numbers = take(operation, 4, 8)
    place = "registers" if isinstance(left, Vector) else "shared"
    kind = "f16" if result == "f16" else "f32"
    row = context.code.rows[f"wgmma.mma_async.m64n{columns}.{kind}.{place}"]
    check_had(context, operation, row)
    scales, turns = _numbers(operation, numbers, a, place)
    items = elements(operation, target, count)
    is_fresh = isinstance(scale, Constant) and not scale.value
    sums = [0 if is_fresh else read_element(context, item, result) for item in items]
    values: list[Value] = [*sums]
    if place == "registers":
        values += [read_element(context, item, a) for item in elements(operation, left, 4)]
    else:
        values.append(context.read(left, TYPES["b64"]))
    values.append(context.read(right, TYPES["b64"]))
    values.append(context.read(scale, PRED))
    values += [types_of(a, b, f"{result}{limit}"), *scales, *turns, ALL_LANES]
    context.code.emit(row, written(context, items, result), values)


def _form(operation: Operation, parts: list[str]) -> tuple[str, str, str, str, str]:
    """(shape, types of the result and both matrices, '.satfinite' or nothing), if there is one."""
    shape, result, a, b, *rest = [*parts, "", "", "", ""]
    rest = [part for part in rest if part]
    known = SHAPE.fullmatch(shape)
    columns, depth = (int(known[1]), int(known[2])) if known else (0, 0)
    right_types = {
        **{("f32", one): (one,) for one in (*HALVES, "tf32")},
        ("f16", "f16"): ("f16",),
        **{(kind, one): SMALL for kind in ("f16", "f32") for one in SMALL},
        **{("s32", one): BYTES for one in BYTES},
        ("s32", "b1"): ("b1",),
    }
    is_right = b in right_types.get((result, a), ()) and depth == DEPTH[a]
    wanted = ["and", "popc"] if a == "b1" else []
    if is_right and result == "s32" and a != "b1" and rest == ["satfinite"]:
        wanted = rest
    step = 8 if result != "s32" or columns <= 32 else 16
    if not is_right or rest != wanted or columns % step or not 8 <= columns <= 256:
        hint = "shapes are m64n8k16 to m64n256k16 of f16; k is 32 bytes"
        raise Refused(f"there is no '{operation.text}'", hint)
    return shape, result, a, b, ".satfinite" if rest == ["satfinite"] else ""


def _numbers(
    operation: Operation, given: list[Operand], a: str, place: str
) -> tuple[list[int], list[int]]:
    """1 or -1 for each matrix; which of them are transposed."""
    of_floats = a not in (*BYTES, "b1")
    turned = (0 if place == "registers" else 1) + 1 if a in HALVES else 0
    wanted = (2 if of_floats else 0) + turned
    if len(given) != wanted:
        count = len(operation.operands) - len(given) + wanted
        raise Refused(f"'{operation.text}' takes {count} operands, not {len(operation.operands)}")
    found = [_number(operation, operand) for operand in given]
    scales, turns = (found[:2], found[2:]) if of_floats else ([1, 1], [])
    for operand, value in zip(given, found, strict=True):
        allowed = (1, -1) if operand in given[:2] and of_floats else (0, 1)
        if value not in allowed:
            raise Refused(f"{value} is neither {allowed[0]} nor {allowed[1]}", at=operand.at)
    return scales, [0] * (2 - len(turns)) + turns


def _number(operation: Operation, operand: Operand) -> int:
    if not isinstance(operand, Constant) or not isinstance(operand.value, int):
        raise Refused(f"'{operation.text}' takes a number there", at=operand.at)
    return operand.value


HANDLERS = {"wgmma": lower}
