"""Operand kinds and the column conventions of the ia64 rows.

What holds for every row of family `ia64`:

* Operands stand in the order of the assembly text, which is also the order of the columns of
  `Program.code`; destinations come first.  `syntax` is GNU form; `{hint}` prints as a name of
  `BRANCH_HINTS`.
* General, branch and application registers are signed 64-bit integers, predicates 0 or 1, floating
  registers the triples of `machines/vocabulary/floating.py`.  r0, f0, f1 and p0 never change: a
  write to p0 is dropped, and no program writes the others.
* A resource without an operand (`implicit_reads`, `implicit_writes`) is a variable of the meaning
  with `_` for `.`: `ar_lc`, `pr` (all 64 predicates, p0 in bit 0, unrotated), `ip` (address of the
  bundle), `qp` (the qualifying predicate, of a row that executes whatever it is), `cfm` (the frame
  marker of `machines/instructions/ia64_frame.py`; a call that is taken also moves the frame up by
  the locals it had, a return down by the locals it has then).
* If the qualifying predicate is false nothing happens, except that a row with the flag
  'unconditional' then clears the predicates it writes.
* A branch assigns `taken` (0 or 1).  Where it goes is its operand `target` (a bundle index in the
  code column), or, if it has none, the code address that it assigns to `target`.  Branch registers
  and `link` (the return point of a call: the bundle after the branch's) hold code addresses:
  CODE_BASE + 16 * bundle.
* A row with the flag 'rotates' assigns `rotate` (0 or 1: whether all rotating registers turn by
  one) and `stage`, which the last rotating predicate gets before that.
* Accesses are naturally aligned, those of 10 bytes (ldfe, stfe) to 16.
* Flags: 'unconditional' as above; 'parallel' for compares several of which may write one predicate
  in a group; 'last_slot' for branches only slot 2 takes; 'first_in_group' and 'last_in_group' for
  what begins or ends one; 'unpredicated' for what takes no predicate; 'rotates' as above; 'nop';
  'break' for rows whose fault is named by `break_fault` of their immediate.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.operations.row import Immediate, Label, Operand, Operation, RegisterKind, Symbol
from machines.types import F64, I1

GR = RegisterKind("gr", "r")
FR = RegisterKind("fr", "f", F64)
PR = RegisterKind("pr", "p", I1)
BR = RegisterKind("br", "b")

REGISTER_PREFIX = {kind.name: kind.prefix for kind in (GR, FR, PR, BR)}
"""How the registers of a file are named: r0, f0, p0, b0."""

CONSTANT_REGISTERS = {"gr": (0,), "fr": (0, 1), "pr": (0,), "br": ()}
"""Registers that never change: r0 is 0, f0 and f1 are 0.0 and 1.0, p0 is true."""
REGISTER_COUNTS = {"gr": 128, "fr": 128, "pr": 64, "br": 8}
"""Registers that instructions can name (IA-64 architecture manual, volume 3)."""

GLOBAL_POINTER, GLOBAL_POINTER_VALUE = 1, 0x1_0000
"""The register that programs find data from, and what it holds when they begin: the address at
which memory begins.  Any value serves, as nothing is linked and distances from it are not short."""

BRANCH_HINTS = ("sptk", "spnt", "dptk", "dpnt")
"""Whether hints by encoding: static or dynamic prediction, taken or not taken."""


@dataclass(frozen=True, slots=True)
class LowGeneralRegister(RegisterKind):
    """A general register that a two-bit field names: r0 to r3."""

    highest: int = 3

    def objection(self, number: int) -> str | None:
        return f"the field takes r0 to r{self.highest}" if number > self.highest else None


@dataclass(frozen=True, slots=True)
class Addend(RegisterKind):
    """A floating register other than f0, which would make a product of a sum of products."""

    def objection(self, number: int) -> str | None:
        return "with f0 as the addend this is a product" if number == 0 else None


@dataclass(frozen=True, slots=True)
class FromGlobalPointer(Symbol):
    """The name of a buffer, of which the distance from the global pointer is meant."""


@dataclass(frozen=True, slots=True)
class Count(Immediate):
    """A field that stands for 1 … 2**bits."""

    signed: bool = False

    @property
    def lowest(self) -> int:
        return 1

    @property
    def highest(self) -> int:
        return 1 << self.bits


@dataclass(frozen=True, slots=True)
class Scaled(Immediate):
    """An immediate whose low bits are not encoded: a multiple of `multiple`."""

    multiple: int = 1

    def objection(self, value: int) -> str | None:
        outside = Immediate.objection(self, value)
        if outside or value % self.multiple == 0:
            return outside
        return f"{value} is not a multiple of {self.multiple}"


@dataclass(frozen=True, slots=True)
class OneOf(Immediate):
    """An immediate that must be one of a few values."""

    values: tuple[int, ...] = ()

    def objection(self, value: int) -> str | None:
        if value in self.values:
            return None
        return f"{value} is not one of {', '.join(map(str, self.values))}"


def read(name: str, kind=GR, use: str = "integer") -> Operand:
    """A register that is read."""
    return Operand(name, kind, "r", use)


def write(name: str, kind=GR, produces: str | None = None) -> Operand:
    """A register that is written."""
    return Operand(name, kind, "w", produces=produces)


def immediate(name: str, bits: int, signed: bool = True) -> Operand:
    """An immediate field."""
    return Operand(name, Immediate(bits, signed))


HINT = Operand("hint", Immediate(2, signed=False))
TARGET = Operand("target", Label(), use="branch")


def row(name, operands, meaning, sentence, syntax, scheduling_class, slot_kind, **fields):
    """A row of family `ia64`; `syntax` is the text after the mnemonic if it starts with a space."""
    return Operation(
        name,
        "ia64",
        tuple(operands),
        meaning,
        sentence,
        syntax=name + syntax if syntax.startswith(" ") else syntax,
        scheduling_class=scheduling_class,
        slot_kind=slot_kind,
        **fields,
    )
