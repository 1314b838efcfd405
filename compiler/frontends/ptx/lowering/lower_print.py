"""CUDA's printf: a call of `vprintf` becomes a record in a buffer that the host reads.

call.uni (retval0), vprintf, (param0, param1);    ->    mov.address %t, vprintf_fifo
                                                        atom.global.add.u64 %at, %t, 0, 64
                                                        setp.le.u64 %fits, …
                                                        @%fits st.global.v2.b32 … …

`machines/kinds/simt/printing.py` has the form of a record.  How many bytes of arguments there are
is known from the format, which therefore has to be a text of the file.
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import unsupported
from compiler.frontends.ptx.lowering.known_arguments import calls_of, string
from compiler.frontends.ptx.lowering.operands import Context
from compiler.frontends.ptx.lowering.parameters import Passed
from compiler.frontends.ptx.reading.tree import Call, Name, Operand, Tree
from compiler.frontends.ptx.types import TYPES
from compiler.ir.module import Buffer, Guard
from machines import printf
from machines.kinds.simt import printing
from machines.types import I1, I8, I32, I64

PRINTS = "vprintf"
"""What the code of `printf` calls: the format, and the address of its arguments."""


def formats_printed(tree: Tree) -> dict[int, bytes | None]:
    """The format of each call, by the call's identity; None where it is not known."""
    routine = tree.routines.get(PRINTS)
    if routine is None or routine.body is not None:
        return {}
    calls = calls_of(tree, PRINTS)
    return {id(call): string((*values, None)[0], tree) for call, values in calls}


def print_buffer() -> Buffer:
    """Where records go."""
    size = printing.RECORDS + printing.ROOM
    return Buffer(printing.BUFFER, I8, size, alignment=printing.UNIT)


def print_record(context: Context, call: Call, format: bytes) -> None:
    """Take room for a record, and write it if there is some; the result is the number of arguments
    as CUDA gives it."""
    code = context.code
    given = [_piece(context, operand) for operand in call.arguments]
    if len(given) != 2:
        raise unsupported(f"'{PRINTS}' takes a format and the address of its arguments")
    arguments = printf.arguments(printf.parts(format))
    end = max((offset + size for offset, size in arguments), default=0)
    loaded = _loaded(context, given[1], end)
    size = printing.record_bytes(end)
    fifo = code.compute("mov.address", I64, printing.BUFFER)
    at = code.temporary(I64)
    code.emit("atom.global.add.u64", (at,), (fifo, 0, size))
    fits = code.compute("setp.le.u64", I1, at, printing.ROOM - size)
    record = code.compute("add.s64", I64, fifo, at)
    launch = code.compute("cvt.u32.u64", I32, code.compute("mov.gridid", I64))
    block = [code.compute(f"mov.ctaid.{axis}", I32) for axis in "xyz"]
    thread = [code.compute(f"mov.tid.{axis}", I32) for axis in "xyz"]
    code.guard = Guard(fits)
    for place, row, values in (
        (printing.SIZE, "v2.b32", (size, launch)),
        (printing.FORMAT, "b64", (given[0],)),
        (printing.BLOCK, "v4.b32", (*block, thread[0])),
        (printing.THREAD, "v2.b32", thread[1:]),
        *((printing.ARGUMENTS + offset, row, (value,)) for offset, row, value in loaded),
    ):
        code.emit(f"st.global.{row}", (), (record, printing.RECORDS + place, *values))
    code.guard = None
    for operand in call.results:
        code.emit("mov.b32", (_piece(context, operand, "b32"),), (len(arguments),))


def _loaded(context: Context, address: str, size: int) -> list[tuple[int, str, str]]:
    """The arguments, eight bytes at a time: (offset, type, value)."""
    found = []
    for offset in range(0, size, 8):
        type = "b64" if size - offset >= 8 else "b32"
        value = context.code.temporary(I64 if type == "b64" else I32)
        context.code.emit(f"ld.generic.{type}", (value,), (address, offset))
        found.append((offset, type, value))
    return found


def _piece(context: Context, operand: Operand, type: str = "b64") -> str:
    """The variable that holds a parameter or result of the call."""
    meaning = context.meaning(operand) if isinstance(operand, Name) else None
    if not isinstance(meaning, Passed):
        message = f"'{PRINTS}' takes '.param' variables"
        raise unsupported(message, "store what is given with st.param", at=operand.at)
    return context.piece(meaning, 0, TYPES[type], operand.at)
