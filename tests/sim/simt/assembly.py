"""Warp programs from text with registers already chosen, one row a line.

loop:                              a label; a line with a label begins a block
! @p0 add.s32 r1, r2, #5           a marker before the row, a guard, a constant
ld.global.b32 r4, r2, 16           an address register (of a pair: its even half) and an offset
@!p1 bra loop -> after             a branch, and the row where its threads meet again
"""

from __future__ import annotations

import re

import numpy as np

from machines.instructions import operations
from machines.kinds.simt.program import (
    COLUMNS,
    CONTROL_COLUMNS,
    FIRST_OPERAND,
    GUARD,
    NO_COUNTER,
    NOWHERE,
    OPERATION,
    READ_COUNTER,
    STALL,
    WRITE_COUNTER,
    Kernel,
    KernelFrame,
    WarpProgram,
)
from machines.operations.row import Immediate, Label, Lane, Symbol
from machines.vocabulary.numbers import bits_from_f32, bits_from_f64

LINE = re.compile(
    r"(?P<marker>!)?\s*(?:@(?P<guard>!?p\d+)\s+)?(?P<name>[\w.]+)\s*(?P<rest>[^>]*?)"
    r"(?:\s*->\s*(?P<meet>\w+))?$"
)


def assemble(text: str, frame: KernelFrame | None = None, registers: int = 0) -> WarpProgram:
    """The program of one kernel, 'k'; `registers`: at least so many of a thread."""
    table = operations().family("ptx")
    lines, labels, begins = [], {}, set()
    for line in text.splitlines():
        line = line.split("//")[0].strip()
        while match := re.match(r"(\w+):\s*(.*)", line):
            labels[match[1]] = len(lines)
            begins.add(len(lines))
            line = match[2]
        if line:
            lines.append(line)
    names, constants, symbols = {}, {}, {}
    code = np.zeros((len(lines), COLUMNS), dtype=np.int64)
    markers = np.zeros(len(lines), dtype=np.uint8)
    meet = np.full(len(lines), NOWHERE, dtype=np.int32)
    counts = {"b32": registers, "pred": 0}

    def use(file: str, number: int) -> int:
        kind = "pred" if file == "pred" else "b32"
        counts[kind] = max(counts[kind], number + (2 if file == "b64" else 1))
        return number

    def encode(kind, word: str) -> int:
        if isinstance(kind, Lane):
            if word[0] in "rp" and word[1:].isdigit():
                return use(kind.file, int(word[1:]))
            value = word.lstrip("#")
            if kind.type == "f32":
                bits = bits_from_f32(float(value))
            elif kind.type == "f64":
                bits = bits_from_f64(float(value))
            else:
                bits = int(value, 0)
                bits &= (1 << 64) - 1 if kind.file == "b64" else (1 << 32) - 1
                bits -= (bits >> 63) << 64
            return -1 - constants.setdefault(bits, len(constants))
        if isinstance(kind, Label):
            return labels[word]
        if isinstance(kind, Symbol):
            return symbols.setdefault(word, len(symbols))
        assert isinstance(kind, Immediate)
        return int(word, 0)

    for number, line in enumerate(lines):
        match = LINE.match(line)
        row = table[match["name"]]
        words = [word for word in re.split(r"[,\s]+", match["rest"]) if word]
        code[number, OPERATION] = names.setdefault(row.name, len(names))
        markers[number] = 1 if match["marker"] else 0
        if match["guard"]:
            predicate = use("pred", int(match["guard"].lstrip("!p")))
            sign = -1 if match["guard"][0] == "!" else 1
            code[number, GUARD] = sign * (predicate + 1)
        if row.control in ("branch", "jump"):
            code[number, FIRST_OPERAND] = labels[words[0]]
            begins.add(number + 1)
            meet[number] = labels[match["meet"]] if match["meet"] else NOWHERE
            continue
        if len(words) != len(row.operands):
            raise ValueError(f"{line}: {row.name} takes {[o.name for o in row.operands]}")
        for column, (operand, word) in enumerate(zip(row.operands, words, strict=True)):
            code[number, FIRST_OPERAND + column] = encode(operand.kind, word)
    control = np.zeros((len(lines), CONTROL_COLUMNS), dtype=np.int16)
    control[:, STALL] = 1
    control[:, [WRITE_COUNTER, READ_COUNTER]] = NO_COUNTER
    blocks = np.array([number in begins for number in range(len(lines))], dtype=np.uint8)
    kernel = Kernel("k", 0, len(lines), counts["b32"], counts["pred"], frame or KernelFrame(), None)
    return WarpProgram(
        name="k",
        operations=list(names),
        code=code,
        constants=np.array(list(constants) or [0], dtype=np.int64),
        kernels={"k": kernel},
        entry="k",
        markers=markers,
        reconverge=meet,
        blocks=blocks,
        control=control,
        symbols=list(symbols),
        labels={row: name for name, row in labels.items()},
    )
