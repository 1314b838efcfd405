"""Rows of logic as functions of at most three inputs, and the fewest rows of three inputs each.

    %x = and.b32 %b, %c          a cone of %f is rows that end in it; what they read from outside
    %n = not.b32 %b              are its leaves.  {x, y}: x | y          2 leaves
    %y = and.b32 %n, %d                           {b, c, d}: b ? c : d   3 leaves, table 0xca
    %f = or.b32  %x, %y

This is the covering of logic by tables that programmable gate arrays are mapped with: the cones of
a row are those of its operands put together, a row is a root if something else reads it, and each
root takes the cone that costs least.  What a leaf costs is shared by all that read it ("area flow":
Cong, Ding, *FlowMap*, 1994; Manohararajah, Brown, Vranesic, *Heuristics for Area Minimization in
LUT-Based FPGA Technology Mapping*, 2006).  Constants 0 and -1 are part of the table; of any others
a row of hardware holds one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from compiler.ir.module import Instruction, Value
from machines.vocabulary.lanes import look_up_bits

INPUTS = 3
PLACES = (0xF0, 0xCC, 0xAA)
"""What the three inputs of a table are in its eight cases."""
EVERY = 0xFF
CONES = 12
"""How many cones of a row are kept."""
OF_TWO = {"and": 0xC0, "or": 0xFC, "xor": 0x3C}
"""Table of a row by its mnemonic, of its first two operands."""
COMPLEMENT = 0x0F

Leaf = tuple[Value, int]
"""What a register held in its version, or a constant."""


@dataclass(frozen=True, slots=True)
class Cone:
    """A function of at most three leaves: bit a * 4 + b * 2 + c of the table."""

    leaves: tuple[Leaf, ...]
    table: int


@dataclass(slots=True, eq=False)
class LogicRow:
    """A row of logic.

    row      it
    inputs   the leaves that it reads itself, or the rows of logic that made them
    table    its function of these
    cones    all that are kept, that of its own operands first
    readers  rows of logic that read it; read_outside: whether something else does
    cost     rows that its value costs, shared with others that read the same; none if it is made
             anyway
    """

    row: Instruction
    inputs: tuple[Leaf | LogicRow, ...]
    table: int
    leaf: Leaf
    cones: list[Cone] = field(default_factory=list)
    readers: int = 0
    read_outside: bool = False
    cost: float = 1.0


def table_of(row: Instruction) -> tuple[tuple[Value, ...], int] | None:
    """The operands of a row of logic of up to 32 bits, and its table; None of any other row."""
    mnemonic, _, kind = row.operation.name.partition(".")
    if kind not in ("b32", "b16") or row.guard is not None:
        return None
    if mnemonic == "lop3":
        *operands, table = row.operands
        return tuple(operands), table
    if mnemonic == "not":
        return row.operands, COMPLEMENT
    return (row.operands, OF_TWO[mnemonic]) if mnemonic in OF_TWO else None


class LogicOfBlock:
    """The rows of logic of a block, in order.

    uses  register -> how many operands of the function read it
    """

    def __init__(self, code: Sequence[Instruction], uses: Mapping[str, int]):
        self.rows: list[LogicRow] = []
        self._made: dict[Leaf, LogicRow] = {}
        self._versions: Counter[str] = Counter()
        found = [self._seen(instruction) for instruction in code]
        for one in self.rows:
            one.read_outside = one.readers < uses.get(one.row.results[0], 0)
        self._versions.clear()
        for one, instruction in zip(found, code, strict=True):
            if one is not None:
                self._find_cones(one)
            self._versions.update(instruction.results)

    def _seen(self, instruction: Instruction) -> LogicRow | None:
        found, one = table_of(instruction), None
        if found is not None:
            operands, table = found
            (name,) = instruction.results
            leaf = name, self._versions[name] + 1
            one = LogicRow(instruction, tuple(map(self._input, operands)), table, leaf)
            for other in one.inputs:
                if isinstance(other, LogicRow):
                    other.readers += 1
            self._made[leaf] = one
            self.rows.append(one)
        self._versions.update(instruction.results)
        return one

    def _input(self, value: Value) -> Leaf | LogicRow:
        leaf = (value, self._versions[value]) if isinstance(value, str) else (value, 0)
        return self._made.get(leaf, leaf)

    def _is_there(self, leaf: Leaf) -> bool:
        """Whether a register still holds what it held."""
        value, version = leaf
        return not isinstance(value, str) or self._versions[value] == version

    def _find_cones(self, one: LogicRow) -> None:
        ways = [_ways(other) for other in one.inputs]
        found: dict[Cone, None] = {}
        for chosen in product(*ways):
            cone = _joined(chosen, one.table)
            if cone is not None and all(map(self._is_there, cone.leaves)):
                found[cone] = None
        own = next(iter(found), None)
        order = sorted(found, key=lambda c: (self.cost(c), c is not own, len(c.leaves)))
        one.cones = order[:CONES]
        one.cost = 0.0 if one.read_outside else self.cost(order[0]) if order else 1.0

    def cost(self, cone: Cone) -> float:
        """Rows that a cone costs, its leaves included unless they are made anyway."""
        rows = [self._made[leaf] for leaf in cone.leaves if leaf in self._made]
        return 1.0 + sum(one.cost / max(1, one.readers) for one in rows)

    def made(self, leaf: Leaf) -> LogicRow | None:
        return self._made.get(leaf)


def _ways(other: Leaf | LogicRow) -> list[Cone]:
    """A value as a leaf, and as each of its cones."""
    if not isinstance(other, LogicRow):
        return [Cone((other,), PLACES[0])]
    return [Cone((other.leaf,), PLACES[0]), *other.cones]


def _joined(parts: Iterable[Cone], table: int) -> Cone | None:
    """The cone that a table of the values of cones is; None if it has too many leaves."""
    parts = list(parts)
    leaves = dict.fromkeys(leaf for part in parts for leaf in part.leaves if not _is_plain(leaf))
    if len(leaves) > INPUTS or sum(not isinstance(value, str) for value, _ in leaves) > 1:
        return None
    place = dict(zip(leaves, PLACES, strict=False))
    values = [
        _of_table(part.table, [place.get(leaf, _plain(leaf)) for leaf in part.leaves])
        for part in parts
    ]
    return _reduced(tuple(leaves), _of_table(table, values))


def _of_table(table: int, values: Sequence[int]) -> int:
    a, b, c = (*values, 0, 0, 0)[:INPUTS]
    return look_up_bits(a, b, c, table) & EVERY


def _is_plain(leaf: Leaf) -> bool:
    """Whether all bits of a constant are the same."""
    return leaf[0] in (0, -1, (1 << 32) - 1)


def _plain(leaf: Leaf) -> int:
    return EVERY if leaf[0] else 0


def _reduced(leaves: tuple[Leaf, ...], table: int) -> Cone:
    """Without leaves that make no difference."""
    kept = [k for k in range(len(leaves)) if _depends(table, k)]
    values = [0] * INPUTS
    for number, k in enumerate(kept):
        values[k] = PLACES[number]
    return Cone(tuple(leaves[k] for k in kept), _of_table(table, values))


def _depends(table: int, k: int) -> bool:
    shift = 4 >> k
    low = ~PLACES[k] & EVERY
    return (table ^ table >> shift) & low != 0
