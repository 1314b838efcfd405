"""A program with its arguments and data as one assembly file that Linux on IA-64 runs by itself.

    _start:  alloc, ar.fpsr, stack pointer; arguments from .data and constants
             br.call to the program
             every array argument to standard output, in the order of the parameters,
             then eight bytes of the returned value, if there is one
             exit(0), or exit(1) if the output cannot be written

    ia64-linux-gnu-as -x --fatal-warnings program.s -o program.o
    ia64-linux-gnu-ld -static program.o -o program

System calls: number in r15, arguments in out0 …, `break 0x100000`; r10 is -1 on an error, r8 the
result (Linux for IA-64, arch/ia64/include/asm/unistd.h and break.h).  The code of `_start` leaves
its bundles to the assembler.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from compiler.targets.epic.assembly import bundle_labels, data_lines, symbol_name, text_lines
from machines.diagnostics import input_error
from machines.instructions.ia64_control import FPSR
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BundleProgram
from machines.program import Parameter, ProgramBuffer
from machines.types import I64

INSTRUCTIONS = "ia64"
START, RETURNED, HERE = "_start", "returned$", ".Lhere$"
STACK, STACK_RESERVE = "stack", 16
EXIT, WRITE, SYSTEM_CALL = 1025, 1027, 0x100000
STANDARD_OUTPUT = 1
MOST_ARGUMENTS = 8


def standalone(
    program: BundleProgram,
    description: Epic,
    arrays: Sequence[ProgramBuffer],
    scalars: Mapping[str, int | float],
) -> str:
    """The file; `arrays` are the initial array arguments, `scalars` the others by name.

    Raises InputError if the machine has other instructions, or the program a name that the file
    needs.
    """
    if description.instructions != INSTRUCTIONS:
        message = f"the file is IA-64 assembly, and the machine runs '{description.instructions}'"
        raise input_error(message, hint="choose another with --machine")
    labels = bundle_labels(program)
    buffers = [*arrays, *program.buffers]
    if program.result:
        buffers.append(ProgramBuffer(RETURNED, I64, 1))
    taken = {symbol_name(buffer.name) for buffer in buffers}
    if START in taken | set(labels.values()):
        raise input_error(f"the program has a name '{START}'", hint="rename it: --emit needs it")
    labels = {bundle: _free(name, taken) for bundle, name in labels.items()}
    code = [line.text for line in text_lines(program, description, labels)]
    lines = [
        *_prologue(program, description),
        *_arguments(program.parameters, {array.name for array in arrays}, scalars),
        f"\tbr.call.sptk.many b0 = {labels[program.entry]} ;;",
        *_keep_result(program),
        *(line for k, buffer in enumerate(_outputs(buffers, arrays)) for line in _write(k, buffer)),
        *_exit(),
        f"\t.endp {START}",
        *code,
        *data_lines(buffers, program.addresses),
    ]
    return "\n".join(lines) + "\n"


def usage(path: Path, program: BundleProgram, arrays: Sequence[ProgramBuffer]) -> str:
    """What the file writes when it runs, and how to make it run."""
    outputs = [f"{array.name} ({array.size} bytes)" for array in arrays]
    outputs += ["the returned value (8 bytes)"] if program.result else []
    stem = path.with_suffix("")
    return (
        f"{path} writes {', '.join(outputs) or 'nothing'} to standard output; to assemble and link "
        f"it:\n"
        f"  ia64-linux-gnu-as -x --fatal-warnings {path} -o {stem}.o\n"
        f"  ia64-linux-gnu-ld -static {stem}.o -o {stem}"
    )


def _free(name: str, taken: set[str]) -> str:
    """A label that no buffer has."""
    while name in taken:
        name += "$"
    return name


def _outputs(
    buffers: Sequence[ProgramBuffer], arrays: Sequence[ProgramBuffer]
) -> list[ProgramBuffer]:
    return [*arrays, *(buffer for buffer in buffers if buffer.name == RETURNED)]


def _prologue(program: BundleProgram, description: Epic) -> Iterator[str]:
    yield from ("\t.explicit", "\t.text", "\t.align 32", f"\t.global {START}", f"\t.proc {START}")
    yield f"{START}:"
    yield f"\talloc r2 = ar.pfs, 0, 0, {MOST_ARGUMENTS}, 0"
    yield f"\tmovl r3 = {FPSR:#x} ;;"
    yield "\tmov ar.fpsr = r3 ;;"
    pointer = description.registers["general"].stack_pointer
    for buffer in program.buffers:
        if buffer.name == STACK and pointer is not None:
            yield f"\tmovl r{pointer} = {STACK}"
            yield f"\tmovl r3 = {buffer.size - STACK_RESERVE} ;;"
            yield f"\tadd r{pointer} = r{pointer}, r3 ;;"
    if "addl.gprel" in program.operations:  # the linker says how far from here it has put gp
        yield f"\tmovl r3 = @gprel({HERE}) ;;"
        yield f"{HERE}:\tmov r2 = ip ;;"
        yield "\tsub gp = r2, r3 ;;"


def _arguments(
    parameters: Sequence[Parameter], arrays: set[str], scalars: Mapping[str, int | float]
) -> Iterator[str]:
    """Addresses and integers into the registers that the call renames, floats through r3."""
    for parameter in parameters:
        if parameter.name in arrays:
            yield f"\tmovl {parameter.register} = {symbol_name(parameter.name)} ;;"
        elif parameter.register.startswith("f"):
            bits = int.from_bytes(struct.pack("<d", scalars[parameter.name]), "little")
            yield f"\tmovl r3 = {bits:#x} ;;"
            yield f"\tsetf.d {parameter.register} = r3 ;;"
        else:
            yield f"\tmovl {parameter.register} = {int(scalars[parameter.name])} ;;"


def _keep_result(program: BundleProgram) -> Iterator[str]:
    if program.result:
        register, _ = program.result
        store = "stfd" if register.startswith("f") else "st8"
        yield f"\tmovl r3 = {RETURNED} ;;"
        yield f"\t{store} [r3] = {register} ;;"


def _write(number: int, buffer: ProgramBuffer) -> Iterator[str]:
    """write(1, buffer, size), again for what a pipe has not taken; r4 to r7 outlast the call."""
    if not buffer.size:
        return
    yield f"\tmovl r4 = {symbol_name(buffer.name)}"
    yield f"\tmovl r5 = {buffer.size} ;;"
    yield f".Lwrite{number}:"
    yield f"\tmov out0 = {STANDARD_OUTPUT}"
    yield "\tmov out1 = r4"
    yield "\tmov out2 = r5"
    yield f"\tmov r15 = {WRITE} ;;"
    yield f"\tbreak.m {SYSTEM_CALL:#x} ;;"
    yield "\tcmp.eq p6, p0 = -1, r10"
    yield "\tadd r4 = r4, r8"
    yield "\tsub r5 = r5, r8 ;;"
    yield "\tcmp.ne p7, p0 = 0, r5"
    yield "(p6)\tbr.cond.spnt .Lfailed"
    yield f"(p7)\tbr.cond.spnt .Lwrite{number} ;;"


def _exit() -> Iterator[str]:
    yield "\tmov out0 = 0"
    yield f"\tmov r15 = {EXIT} ;;"
    yield f"\tbreak.m {SYSTEM_CALL:#x} ;;"
    yield ".Lfailed:"
    yield "\tmov out0 = 1"
    yield f"\tmov r15 = {EXIT} ;;"
    yield f"\tbreak.m {SYSTEM_CALL:#x} ;;"
