"""Rules about a single instruction, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.frontends.ia64.instructions import Decoded
from compiler.frontends.ia64.registers import STACKED
from machines.instructions.ia64_operands import REGISTER_PREFIX
from machines.operations.row import RegisterKind


def broken_rules(decoded: Decoded) -> Iterator[tuple[str, str | None]]:
    """(message, hint) of every rule that the instruction breaks."""
    row = decoded.row
    if "unpredicated" in row.flags and decoded.guard:
        yield f"'{row.name}' takes no predicate", None
    written = [
        (operand.kind.name, value)
        for operand, value in zip(row.operands, decoded.values, strict=True)
        if isinstance(operand.kind, RegisterKind) and operand.is_written
    ]
    for file, number in written:
        if (file == "gr" and number == 0) or (file == "fr" and number < 2):
            yield f"{REGISTER_PREFIX[file]}{number} never changes and cannot be written", None
    writable = [register for register in written if register != ("pr", 0)]
    if len(set(writable)) < len(writable):
        yield "one register is written twice by the instruction", None
    floating = [number for file, number in written if file == "fr"]
    if len(floating) == 2 and sum(floating) % 2 == 0:
        yield "a pair load takes one odd and one even register", None
    if row.name == "alloc":
        yield from _frame({o.name: v for o, v in zip(row.operands, decoded.values, strict=True)})


def _frame(sizes: dict[str, int]) -> Iterator[tuple[str, str]]:
    size = sizes["inputs"] + sizes["locals"] + sizes["outputs"]
    if size > STACKED or sizes["rotating"] > size:
        yield (
            f"a frame of {size} registers, {sizes['rotating']} of them rotating",
            f"at most {STACKED}, and no more rotating than there are",
        )
