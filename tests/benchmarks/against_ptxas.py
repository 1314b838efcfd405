"""Rows and registers of the workloads' kernels beside what ptxas makes of the same PTX.

    python -m tests.benchmarks.against_ptxas            needs ptxas of a CUDA toolkit

Both for sm_90: our default passes for `h200`, whose convergence barriers are rows as they are
instructions of the hardware; parameters, which are operands of the hardware's instructions, are
rows of ours.  Padding behind a kernel's last instruction is not counted.
"""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler import compile
from machines.description.load import load_machine
from tests.benchmarks._command import command_line

WORKLOADS = Path(__file__).parents[2] / "workloads" / "gpu"
NOP, BRANCH = 0x918, 0x947
"""Low 12 bits of an instruction of 16 bytes: padding, and the branch to itself before it."""


def main(words: Sequence[str]) -> None:
    """Print a row for each kernel, then the mean deviation."""
    shortest = command_line(__doc__).parse_args(words).shortest
    machine = load_machine("h200")
    print("| kernel | rows | instructions | registers | of ptxas |")
    print("| --- | ---: | ---: | ---: | ---: |")
    off_rows, off_registers = [], []
    for path in sorted(WORKLOADS.glob("*/*.ptx"))[: 1 if shortest else None]:
        theirs = of_ptxas(path)
        for name, kernel in compile(path, machine=machine).program.kernels.items():
            instructions, registers = theirs[name]
            rows = kernel.end - kernel.first
            print(f"| {name} | {rows} | {instructions} | {kernel.registers} | {registers} |")
            off_rows.append(abs(rows - instructions) / instructions)
            off_registers.append(abs(kernel.registers - registers) / registers)
    for what, off in (("rows", off_rows), ("registers", off_registers)):
        middle = sorted(off)[len(off) // 2]
        print(f"{what}: off by {sum(off) / len(off):.1%} on average, median {middle:.1%}")


def of_ptxas(path: Path) -> dict[str, tuple[int, int]]:
    """Kernel -> its instructions and registers."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "kernels.cubin"
        command = ["ptxas", "-arch=sm_90", "-v", str(path), "-o", str(binary)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        found = re.findall(r"entry function '(\w+)'[^\0]*?Used (\d+) registers", said)
        registers = {name: int(count) for name, count in found}
        code = dict(_sections(binary.read_bytes()))
    return {name: (_instructions(code[f".text.{name}"]), registers[name]) for name in registers}


def _instructions(code: bytes) -> int:
    words = [struct.unpack_from("<Q", code, at)[0] & 0xFFF for at in range(0, len(code), 16)]
    while words and words[-1] == NOP:
        words.pop()
    return len(words) - (words[-1] == BRANCH)


def _sections(binary: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and contents of each section of an ELF file of 64 bits."""
    start = struct.unpack_from("<Q", binary, 0x28)[0]
    size, count, names = struct.unpack_from("<HHH", binary, 0x3A)
    heads = [struct.unpack_from("<IIQQQQ", binary, start + k * size) for k in range(count)]
    for name, _, _, _, offset, length in heads:
        text = binary[heads[names][4] + name :].split(b"\0", 1)[0].decode()
        yield text, binary[offset : offset + length]


if __name__ == "__main__":
    main(sys.argv[1:])
