"""Operand kinds and conventions of the ptx rows.

    add.cc.u32  (d u32, carry pred; a u32, b u32)   d = a + b
                                                    carry = shift_right(a + b, 32)

What holds for every row of family `ptx`, named and meant as in the PTX ISA (version 9.0):

* Written operands come first.  A `Lane` that is read may be a register or a constant; a literal is
  an integer (the bits) for integer kinds, a number for f32 and f64.
* A register read as s16, s32 is a sign-extended integer, as u16, b16, u32, b32 a zero-extended one,
  with 64 bits a signed one; as f32, f64 a float; a predicate is 0 or 1.
* Of an integer that a meaning assigns, the register's low bits stay (16-bit kinds: in the low half
  of a 32-bit register, of which the rest is undefined).  A float it assigns fits the kind exactly;
  NaN becomes `lanes.NAN_F32` or `NAN_F64`, as on the hardware.
* All operands are read before one is written; a meaning reads none that it has written.
* A row under a guard that is false does nothing.
* Sign-agnostic arithmetic stands under s16, s32, s64 only, eq and ne too; `ld`, `st` and `mov` know
  b32 and b64 only.  `set`, `setp` with two results, and vectors in `mov` are several rows; a
  combination of `setp` is one for 32 and 64 bits without `.ftz` only.  The carry flag of `.cc` is
  an operand, and for subtractions the borrow.
* Loads and stores have no meaning (see `machines.operations.row.Access`); an atomic assigns
  `stored` from `loaded` and its operands, and its result is what was there.  An address of shared,
  local or constant space is u32 or, in generic and global space, u64; address + offset wraps in
  its width.
* `implicit_reads` names what the row reads beside operands, with `_` for `.` in the meaning:
  the special registers, and of rows that a warp executes together ('convergent'):
  `members` (the lanes of the mask that have not exited, as a set of bits), `ballot` (those of them
  whose predicate is 1), `equal` (those whose value equals this lane's), `gathered` (redux: what
  has been combined so far, of the members in order; the first one's value to begin with), `source`
  of a shuffle is assigned: the lane whose value `d` gets, this one's own if it is not a member.
  A mask is 32 bits, sign-extended to the width of the warp: all ones are all lanes of any warp.
* Flags: 'convergent' and 'orders_memory' as in `machines.operations.row`; 'software': a sequence
  of machine instructions on hardware, counted by the `slots` of its class; 'machine_code': one
  instruction of hardware that PTX has no name for, so that only passes write it.
"""

from __future__ import annotations

from machines.operations.row import Immediate, Label, Lane, Operand, Operation, Symbol
from machines.types import F16, F32, F64

ROUNDINGS = {"rn": 0, "rz": 1, "rm": 2, "rp": 3}
"""Rounding modes by PTX suffix, as the vocabulary of `machines.vocabulary.lanes` numbers them: to
nearest even, towards zero, down, up."""
DIGITS = {t.name: t.format.digits for t in (F16, F32, F64)}
"""Bits of the significand."""
INTEGERS = ("s16", "u16", "s32", "u32", "s64", "u64")
SIGNED = ("s16", "s32", "s64")
BITS = ("b16", "b32", "b64")
CONVERGENT = frozenset({"convergent"})
MEETING = frozenset({"convergent", "orders_memory"})
ORDERS = frozenset({"orders_memory"})
SOFTWARE = frozenset({"software"})
MACHINE_CODE = frozenset({"machine_code"})
CLOCKS = ("clock64", "globaltimer")
"""`implicit_reads` that depend on the cycle in which a row issues."""


def width(kind: str) -> int:
    """Bits of a lane type: 32 of 's32'."""
    return int(kind[1:])


def write(name: str, kind: str) -> Operand:
    """A register that is written."""
    return Operand(name, Lane(kind), "w")


def read(name: str, kind: str, use: str = "integer") -> Operand:
    """A register or constant that is read."""
    return Operand(name, Lane(kind), "r", use)


def immediate(name: str, bits: int, signed: bool = True) -> Operand:
    """A number in the instruction."""
    return Operand(name, Immediate(bits, signed))


def lanes(kind: str, *names: str) -> tuple[Operand, ...]:
    """`d` of a kind and the operands read of the same: lanes('s32', 'a', 'b')."""
    return (write("d", kind), *(read(name, kind) for name in names))


def row(name, operands, meaning, sentence, scheduling_class, **fields) -> Operation:
    """A row of family `ptx`; its text is the name and the operands unless `syntax` says else."""
    texts = ", ".join(f"{{{operand.name}}}" for operand in operands)
    fields.setdefault("syntax", f"{name} {texts}".rstrip())
    return Operation(
        name, "ptx", tuple(operands), meaning, sentence, scheduling_class=scheduling_class, **fields
    )


def computed(name, operands, value, sentence, scheduling_class, **fields) -> Operation:
    """A row whose one result `d` is an expression."""
    return row(name, operands, f"d = {value}", sentence, scheduling_class, **fields)


def by_width(kind: str, narrow: str, wide: str) -> str:
    """The scheduling class for a kind of up to 32 bits, or of 64."""
    return wide if kind.endswith("64") else narrow


def less(kind: str, a: str, b: str) -> str:
    """The test a < b: values of 64 bits are held signed."""
    return f"below({a}, {b})" if kind == "u64" else f"{a} < {b}"


LABEL = Label()
SYMBOL = Symbol()
