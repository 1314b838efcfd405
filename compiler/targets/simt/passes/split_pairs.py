"""Logic and shifts of 64 bits become rows of their halves, so that halves are known by themselves.

    %h = shr.u64 %x, 33               %l = shr.u32 %x.2, 1
    %y = xor.b64 %x, %h       ->      %y.1 = xor.b32 %x.1, %l       (the high half of %y is %x.2)

    %l = shl.b64 %x, 27               %a = shf.l.wrap.b32 …         two rows, with `join_sums`
    %r = shr.u64 %x, 37
    %y = add.s64 %l, %r

The hardware has no logic, shifts and sums of 64 bits, and ptxas works on halves from the beginning:
halves that are zero, that another half is, or that nothing reads cost nothing.  What is split are
the registers that logic and shifts by constants name, those that moves join to them, and what is
written once and summed with them; sums, differences and choices of such are two rows each.  For all
other rows a pair is put together, or taken apart, by moves that the allocator makes disappear
(`registers.halves`, `write_halves`).  A sum of two words whose bits are apart, as nvcc writes
rotations, is their union.  What is no longer read is left for `remove_dead_lanes`.
For machines that have a compute capability, unless another wish is told:
`--passes default,-split_pairs`, or `{split_pairs: {always: true}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction, Value
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.values import Values, values_of, write_row
from compiler.targets.simt.registers.halves import EXTENDED, LOW_OF, PACK, UNPACK
from compiler.transformation import Changes, Pass
from machines.description.load import Machine
from machines.operations.row import Lane
from machines.types import I1, I32

Halves = tuple[Value, Value]
WORD, ALL = 32, 0xFFFF_FFFF
LOGIC = ("and.b64", "or.b64", "xor.b64", "not.b64")
SHIFTS = ("shl.b64", "shr.u64", "shr.s64")
SUMS = ("add.s64", "sub.s64", "selp.b64")


def split(function: Function) -> Changes:
    values = values_of(function)
    names = _chosen(function, values)
    changes = Changes()
    if names:
        _Splitting(function, values, names).run()
        changes.count("registers split", len(names))
    return changes


def _chosen(function: Function, values: Values) -> dict[str, None]:
    """The registers to split, in order of appearance."""
    code = [i for _, i in function.instructions()]
    found: dict[str, None] = {}
    for i in code:
        is_known = i.operation.name in SHIFTS and not isinstance(i.operands[1], str)
        if i.operation.name in LOGIC or is_known or _is_union(i, values):
            found.update(dict.fromkeys(_pairs_of(i)))
    moves = [set(_pairs_of(i)) for i in code if i.operation.name == "mov.b64"]
    while joined := [pair for pair in moves if pair & found.keys() and not pair <= found.keys()]:
        found.update(dict.fromkeys(name for pair in joined for name in sorted(pair)))
    sums = [list(_pairs_of(i)) for i in code if i.operation.name in SUMS]
    read = [name for pairs in sums if found.keys() & set(pairs) for name in pairs]
    return found | dict.fromkeys(name for name in read if name in values.origins)


def _pairs_of(i: Instruction) -> Iterable[str]:
    """The registers of 64 bits that a row names."""
    for operand, value in (*zip(i.operation.writes, i.results, strict=True),
                           *zip(i.operation.reads, i.operands, strict=True)):  # fmt: skip
        is_pair = isinstance(operand.kind, Lane) and operand.kind.file == "b64"
        if is_pair and isinstance(value, str):
            yield value


def _is_union(i: Instruction, values: Values) -> bool:
    """Whether a row adds what is shifted left to what is shifted right as far as bits are apart."""
    if i.operation.name != "add.s64":
        return False
    made = [values.origin(value) for value in i.operands]
    found = {one.operation.name: one.operands[-1] for one in made if one is not None}
    left, right = found.get("shl.b64"), found.get("shr.u64")
    known = isinstance(left, int) and isinstance(right, int)
    return known and 0 < left < 2 * WORD and left + right >= 2 * WORD


class _Splitting:
    """What is known of halves while the blocks are gone through.

    halves  of each register that is split; taken: of others, as far as the block has them
    pairs   of those that a row makes as a pair, once
    code    rows written so far; at: the row that they are written for
    _made   words that are written once
    """

    def __init__(self, function: Function, values: Values, names: Iterable[str]):
        self.function, self.values, self.builder = function, values, Builder(function)
        self.names = dict.fromkeys(names)
        self.halves: dict[str, Halves] = {}
        self.taken: dict[str, Halves] = {}
        self.pairs: dict[str, str] = {}
        self._made: set[Value] = set()
        self.code: list[Instruction] = []
        self.at: Instruction | None = None

    def run(self) -> None:
        function = self.function
        for name in self.names:
            if name not in self.values.origins:
                self.halves[name] = self._fresh(name), self._fresh(name)
                if name in function.valueless:
                    function.valueless += self.halves[name]
        for name in control_flow(function).reverse_postorder:
            self.code, self.taken = [], {}
            for i in function.blocks[name].instructions:
                self.at = i
                self._row(i)
                for written in i.results:
                    self.taken.pop(written, None)
            self.builder.set_instructions(function.blocks[name], self.code)

    # ── rows ─────────────────────────────────────────────────────────────────────────────────

    def _row(self, i: Instruction) -> None:
        name = i.operation.name
        if name not in MADE or self.names.keys().isdisjoint(_pairs_of(i)):
            self._whole(i)
        elif name == UNPACK or name in LOW_OF:
            for result, half in zip(i.results, self.of(i.operands[0]), strict=False):
                self._emit("mov.b32", (result,), half, guard=True)
        elif name in SHIFTS and isinstance(i.operands[1], str):
            self._whole(i)
        else:
            made = _union if _is_union(i, self.values) else MADE[name]
            self._define(i.results[0], made(self, *i.operands))

    def _whole(self, i: Instruction) -> None:
        """A row that takes and gives pairs."""
        operands = tuple(
            self._packed(value) if isinstance(value, str) and value in self.names else value
            for value in i.operands
        )
        results = tuple(self._like(name) if name in self.names else name for name in i.results)
        self.code.append(replace(i, results=results, operands=operands))
        for name, pair in zip(i.results, results, strict=True):
            if name != pair:
                self._unpack_into(name, pair)

    def _packed(self, name: str) -> str:
        if name in self.pairs:
            return self.pairs[name]
        pair = self._like(name)
        self._emit(PACK, (pair,), *self.halves[name])
        return pair

    def _unpack_into(self, name: str, pair: str) -> None:
        if name in self.values.origins:
            self.halves[name] = self._once(name), self._once(name)
            self.pairs[name] = pair
        self._emit(UNPACK, tuple(map(str, self.halves[name])), pair, guard=True)

    def _define(self, name: str, made: Halves) -> None:
        """Give a result its halves."""
        if name not in self.names:
            self._emit(PACK, (name,), *made, guard=True)
        elif name in self.values.origins:
            self.halves[name] = tuple(map(self._kept, made))
        else:
            kept = tuple(map(self._kept, made)) if self._is_read_by_itself(name, made) else made
            for register, value in zip(self.halves[name], kept, strict=True):
                self._emit("mov.b32", (str(register),), value, guard=True)

    def _is_read_by_itself(self, name: str, made: Halves) -> bool:
        low, _ = self.halves[name]
        return low in made[1:]

    def _kept(self, value: Value) -> Value:
        """A value that stays what it is: a copy of a register that is written again."""
        is_stable = value in self._made or self.values.is_stable(value)
        return value if is_stable else self.new("mov.b32", value)

    # ── halves ───────────────────────────────────────────────────────────────────────────────

    def of(self, value: Value) -> Halves:
        """The halves of an operand."""
        if not isinstance(value, str):
            return value & ALL, value >> WORD & ALL
        if value in self.names:
            return self.halves[value]
        if value not in self.taken:
            halves = self._once(value), self._once(value)
            self._emit(UNPACK, halves, value)
            self.taken[value] = halves
        return self.taken[value]

    # ── writing ──────────────────────────────────────────────────────────────────────────────

    def _fresh(self, hint: str) -> str:
        """The name of a new word."""
        return self.builder.fresh(hint, I32)

    def _once(self, hint: str) -> str:
        """The same of a word that is written once."""
        name = self._fresh(hint)
        self._made.add(name)
        return name

    def _like(self, name: str) -> str:
        return self.builder.fresh(name, self.function.types[name])

    def _emit(
        self, name: str, results: tuple[str, ...], *operands: Value, guard: bool = False
    ) -> None:
        own = self.at.guard if guard else None
        self.code.append(write_row(name, results, operands, own, self.at.location))

    def new(self, name: str, *operands: Value) -> str:
        """A row that makes a new word."""
        result = self._once("%h")
        self._emit(name, (result,), *operands)
        return result

    def with_carry(self, name: str, *operands: Value) -> Halves:
        """A row that makes a new word and a carry."""
        result, carry = self._once("%h"), self.builder.fresh("%h", I1)
        self._emit(name, (result, carry), *operands)
        return result, carry


# ── the halves of results ────────────────────────────────────────────────────────────────────


def _logic(name: str) -> Callable[..., Halves]:
    def make(s: _Splitting, a: Value, b: Value) -> Halves:
        low, high = (_bitwise(s, name, *pair) for pair in zip(s.of(a), s.of(b), strict=True))
        return low, high

    return make


def _bitwise(s: _Splitting, name: str, a: Value, b: Value) -> Value:
    """A row of logic, unless a constant says what it gives."""
    if not isinstance(a, str):
        a, b = b, a
    if not isinstance(b, str) and b & ALL in (0, ALL):
        is_zero = b & ALL == 0
        if name == "and":
            return 0 if is_zero else a
        if is_zero:
            return a
        if name == "or":
            return ALL
    return s.new(f"{name}.b32", a, b)


def _union(s: _Splitting, a: Value, b: Value) -> Halves:
    return _logic("or")(s, a, b)


def _complement(s: _Splitting, a: Value) -> Halves:
    low, high = (s.new("not.b32", half) for half in s.of(a))
    return low, high


def _left(s: _Splitting, a: Value, count: Value) -> Halves:
    low, high = s.of(a)
    if count == 0:
        return low, high
    if count < WORD:
        return s.new("shl.b32", low, count), _funnel(s, "l", low, high, count)
    return 0, _word(s, "shl.b32", low, count - WORD)


def _right(s: _Splitting, a: Value, count: Value) -> Halves:
    low, high = s.of(a)
    if count == 0:
        return low, high
    if count < WORD:
        return _funnel(s, "r", low, high, count), _word(s, "shr.u32", high, count)
    return _word(s, "shr.u32", high, count - WORD), 0


def _right_with_sign(s: _Splitting, a: Value, count: Value) -> Halves:
    low, high = s.of(a)
    if count == 0:
        return low, high
    if count < WORD:
        return _funnel(s, "r", low, high, count), s.new("shr.s32", high, count)
    sign = s.new("shr.s32", high, WORD - 1)
    return (_word(s, "shr.s32", high, count - WORD) if count < 2 * WORD else sign), sign


def _word(s: _Splitting, name: str, value: Value, count: int) -> Value:
    """A word shifted."""
    if value == 0 or count == 0:
        return value
    if count >= WORD and name != "shr.s32":
        return 0
    return s.new(name, value, count)


def _funnel(s: _Splitting, side: str, low: Value, high: Value, count: int) -> Value:
    """The word of a pair shifted into which bits of the other one come."""
    if side == "l" and low == 0:
        return _word(s, "shl.b32", high, count)
    if side == "l" and high == 0:
        return _word(s, "shr.u32", low, WORD - count)
    if side == "r" and high == 0:
        return _word(s, "shr.u32", low, count)
    if side == "r" and low == 0:
        return _word(s, "shl.b32", high, WORD - count)
    return s.new(f"shf.{side}.wrap.b32", low, high, count)


def _sum(s: _Splitting, a: Value, b: Value) -> Halves:
    first, second = s.of(a), s.of(b)
    if first[0] == 0:
        first, second = second, first
    if second[0] == 0:
        return first[0], s.new("add.s32", first[1], second[1])
    low, carry = s.with_carry("add.cc.u32", first[0], second[0])
    return low, s.new("addc.u32", first[1], second[1], carry)


def _difference(s: _Splitting, a: Value, b: Value) -> Halves:
    first, second = s.of(a), s.of(b)
    if second[0] == 0:
        return first[0], s.new("sub.s32", first[1], second[1])
    low, borrow = s.with_carry("sub.cc.u32", first[0], second[0])
    return low, s.new("subc.u32", first[1], second[1], borrow)


def _choice(s: _Splitting, a: Value, b: Value, p: Value) -> Halves:
    low, high = (s.new("selp.b32", *pair, p) for pair in zip(s.of(a), s.of(b), strict=True))
    return low, high


def _with_zeros(s: _Splitting, a: Value) -> Halves:
    return a, 0


def _with_sign(s: _Splitting, a: Value) -> Halves:
    return a, s.new("shr.s32", a, WORD - 1)


MADE: dict[str, Callable[..., Halves]] = {
    **{f"{name}.b64": _logic(name) for name in ("and", "or", "xor")},
    **{name: (_with_sign if signed else _with_zeros) for name, signed in EXTENDED.items()},
    **dict.fromkeys((UNPACK, *LOW_OF), lambda s, a: s.of(a)),
    "not.b64": _complement,
    "shl.b64": _left,
    "shr.u64": _right,
    "shr.s64": _right_with_sign,
    "add.s64": _sum,
    "sub.s64": _difference,
    "selp.b64": _choice,
    "mov.b64": lambda s, a: s.of(a),
    PACK: lambda s, low, high: (low, high),
}
"""What rows that are split make."""


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    return split(function) if is_wanted(machine, options) else Changes()


PLUGIN = Pass(
    "split_pairs",
    "Logic and shifts of 64 bits as rows of their halves.",
    run,
    forms={"virtual": "virtual"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
