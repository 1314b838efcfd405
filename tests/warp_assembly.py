"""Programs of ptx rows from text, for tests.

    program = assemble('''
        loop:  add.s32 r1, r1, 1
               setp.lt.s32 p0, r1, 10
               @p0 bra loop
               exit
    ''', parameters=[("n", I32)])

Registers are r0, p0 and pairs d2; numbers are constants; `@p0` and `@!p0` guard.
"""

from __future__ import annotations

import re

import numpy as np

from machines.instructions import operations
from machines.kinds.simt.program import (
    COLUMNS,
    CONTROL_COLUMNS,
    FIRST_OPERAND,
    Kernel,
    KernelFrame,
    KernelParameter,
    WarpProgram,
)
from machines.operations.row import Label, Lane, Symbol
from machines.types import Type
from machines.vocabulary.lanes import lane_bits

_LINE = re.compile(r"(?:(?P<label>\w+):)?\s*(?:@(?P<not>!?)p(?P<guard>\d+)\s+)?(?P<row>.*)")


def frame_of(parameters: list[tuple[str, Type]], **fields) -> KernelFrame:
    """A frame with parameters one behind the other, each aligned to its size."""
    placed, offset = [], 0
    for name, kind in parameters:
        offset = -(-offset // kind.bytes) * kind.bytes
        placed.append(KernelParameter(name, kind, offset, kind.bytes))
        offset += kind.bytes
    return KernelFrame(parameters=placed, **fields)


def assemble(text: str, parameters: list[tuple[str, Type]] = (), **fields) -> WarpProgram:
    """The program of one kernel 'kernel'; `fields` are those of its frame."""
    lines = [_LINE.fullmatch(line.strip()) for line in text.splitlines() if line.strip()]
    labels, count = {}, 0
    for line in lines:
        if line["label"]:
            labels[line["label"]] = count
        count += bool(line["row"])
    table, names, constants, symbols = operations().family("ptx"), {}, {}, {}
    code = np.zeros((count, COLUMNS), dtype=np.int64)
    most = {"r": 0, "p": 0}

    def register(text: str) -> int:
        number, size = int(text[1:]), 2 if text[0] == "d" else 1
        file = "p" if text[0] == "p" else "r"
        most[file] = max(most[file], number + size)
        return number

    def number(text: str, kind) -> int:
        if isinstance(kind, Label):
            return labels[text]
        if isinstance(kind, Symbol):
            return symbols.setdefault(text, len(symbols))
        if not isinstance(kind, Lane):
            return int(text, 0)
        if re.fullmatch(r"[rdp]\d+", text):
            return register(text)
        value = float(text) if kind.type in ("f32", "f64") else int(text, 0)
        return -1 - constants.setdefault(lane_bits(value, kind.type), len(constants))

    for place, line in enumerate(line for line in lines if line["row"]):
        name, _, rest = line["row"].partition(" ")
        row = table[name]
        texts = [part.strip() for part in rest.split(",")] if rest.strip() else []
        operands = row.operands
        if row.control:
            operands = tuple(o for o in operands if isinstance(o.kind, Label))[:1]
        assert len(texts) == len(operands), line["row"]
        code[place, 0] = names.setdefault(name, len(names))
        if line["guard"]:
            guard = register(f"p{line['guard']}") + 1
            code[place, 1] = -guard if line["not"] else guard
        for column, (text, operand) in enumerate(zip(texts, operands, strict=True), FIRST_OPERAND):
            code[place, column] = number(text, operand.kind)
    blocks = np.zeros(count, dtype=np.uint8)
    blocks[[0, *(at for at in labels.values() if at < count)]] = 1
    kernel = Kernel("kernel", 0, count, most["r"], most["p"], frame_of(list(parameters), **fields))
    return WarpProgram(
        name="kernel",
        operations=list(names),
        code=code,
        constants=np.array(list(constants), dtype=np.int64),
        kernels={"kernel": kernel},
        entry="kernel",
        markers=np.zeros(count, dtype=np.uint8),
        reconverge=np.full(count, -1, dtype=np.int32),
        blocks=blocks,
        control=np.zeros((count, CONTROL_COLUMNS), dtype=np.int16),
        symbols=list(symbols),
        locations=[None] * count,
        labels={place: name for name, place in labels.items()},
    )
