"""A `WarpProgram` as text to read: kernels, blocks, rows with what they mean for a warp.

    .kernel count  2 registers, 1 predicates
        .param n at 0: i32
    loop:                           // marker
        3   setp.lt.s32 p0, r0, 5   // count.cu:7
        4   @p0 bra loop            // meet at done · count.cu:7

Behind a row stand, as far as there are any: its marker, the row at which the threads of a branch
meet, its control bits (`stall 4 yield wait 0,2 sets 1 read 3`), and its location in the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.targets import Listed
from machines.instructions import operations
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import (
    FIRST_OPERAND,
    GUARD,
    NO_COUNTER,
    NOWHERE,
    OPERATION,
    READ_COUNTER,
    STALL,
    WAIT_MASK,
    WRITE_COUNTER,
    YIELD,
    Kernel,
    WarpProgram,
)
from machines.operations.row import Immediate, Label, Lane, OperandKind, Operation
from machines.vocabulary.lanes import read_lane

PREFIX = {"b32": "r", "b64": "d", "pred": "p"}
COUNTERS = 6
REMARKS = 44
"""Column at which what is said of a row begins."""


def listing(program: WarpProgram, description: Simt) -> Iterator[Listed]:
    """The program's lines; control bits only where the machine goes by them."""
    with_control = description.dependences.kind == "control_bits"
    for buffer in program.buffers:
        yield Listed(f".buffer {buffer.name}: {buffer.dtype}[{buffer.count}]")
    starts = {kernel.first: kernel for kernel in program.kernels.values()}
    for row in range(len(program.code)):
        if row in starts:
            yield from map(Listed, _head(starts[row]))
        if row in program.labels:
            yield Listed(f"{program.labels[row]}:")
        text = f"{row:6}   {row_text(program, row)}"
        remarks = " · ".join(_remarks(program, row, with_control))
        yield Listed(f"{text:{REMARKS}}  // {remarks}" if remarks else text, row)


def _head(kernel: Kernel) -> Iterator[str]:
    frame = kernel.frame
    needs = [f"{kernel.registers} registers", f"{kernel.predicates} predicates"]
    if frame.shared or frame.dynamic_alignment:
        more = " and what the launch says" if frame.dynamic_alignment else ""
        needs.append(f"{frame.shared} bytes of shared memory{more}")
    if frame.local:
        needs.append(f"{frame.local} bytes of local memory")
    yield f".kernel {kernel.name}  {', '.join(needs)}"
    for parameter in frame.parameters:
        shown = parameter.type or f"{parameter.bytes} bytes"
        yield f"    .param {parameter.name} at {parameter.offset}: {shown}"
    for name, offset, size in frame.shared_names:
        yield f"    .shared {name} at {offset}: {size} bytes"


def row_text(program: WarpProgram, row: int) -> str:
    """A row in the spelling of PTX, with register numbers."""
    code = program.code[row]
    operation = operations()["ptx", program.operations[code[OPERATION]]]
    guard = int(code[GUARD])
    shown = f"@{'!' if guard < 0 else ''}p{abs(guard) - 1} " if guard else ""
    if operation.control in ("branch", "jump"):
        return f"{shown}{operation} {_label(program, int(code[FIRST_OPERAND]))}"
    texts = {
        operand.name: _operand(program, int(number), operand.kind)
        for operand, number in zip(operation.operands, code[FIRST_OPERAND:], strict=False)
    }
    return shown + (operation.syntax or _plain(operation)).format(**texts)


def _plain(operation: Operation) -> str:
    return " ".join((operation.name, ", ".join(f"{{{o.name}}}" for o in operation.operands)))


def _operand(program: WarpProgram, number: int, kind: OperandKind) -> str:
    if isinstance(kind, Lane):
        if number >= 0:
            return f"{PREFIX[kind.file]}{number}"
        return _constant(int(program.constants[-1 - number]), kind)
    if isinstance(kind, Immediate):
        return str(number)
    if isinstance(kind, Label):
        return _label(program, number)
    return program.symbols[number]


def _constant(bits: int, lane: Lane) -> str:
    value = read_lane(bits, lane.type)
    return hex(value) if isinstance(value, int) and abs(value) >= 1 << 20 else repr(value)


def _label(program: WarpProgram, row: int) -> str:
    return program.labels.get(row, str(row))


def _remarks(program: WarpProgram, row: int, with_control: bool) -> Iterator[str]:
    if program.markers[row]:
        yield "marker"
    if program.reconverge[row] != NOWHERE:
        yield f"meet at {_label(program, int(program.reconverge[row]))}"
    if with_control:
        yield _control(program.control[row])
    if program.locations[row] is not None:
        location = program.locations[row]
        yield f"{location.file.rpartition('/')[2]}:{location.line}"


def _control(bits) -> str:
    words = [f"stall {bits[STALL]}"]
    if bits[YIELD]:
        words.append("yield")
    waits = [str(k) for k in range(COUNTERS) if bits[WAIT_MASK] >> k & 1]
    if waits:
        words.append(f"wait {','.join(waits)}")
    if bits[WRITE_COUNTER] != NO_COUNTER:
        words.append(f"sets {bits[WRITE_COUNTER]}")
    if bits[READ_COUNTER] != NO_COUNTER:
        words.append(f"read {bits[READ_COUNTER]}")
    return " ".join(words)
