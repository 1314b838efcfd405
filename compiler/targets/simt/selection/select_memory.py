"""Selection of addresses, loads, stores and atomics.

    p = add.ptr tile, i             cvt.u32.u64   %1, %i
    x = load.f32 p          ->      add.s32       %p, 0, %1        (tile stands at 0 in shared)
                                    ld.shared.b32 %x, %p, 0

An access names the space of its address where that is known; see `pointer_spaces`.
"""

from __future__ import annotations

from compiler.ir.module import Instruction, Value
from compiler.targets.simt.selection.pointer_spaces import WINDOWED
from compiler.targets.simt.selection.selector import Selector, rule
from machines.threads.spaces import LOCAL_BASE, SHARED_BASE
from machines.types import F32, F64, I8, I16, I32, I64, PTR, Type

VALUES = (I8, I16, I32, I64, F32, F64, PTR)
BASES = {"shared": SHARED_BASE, "local": LOCAL_BASE}
ROW_SPACES = {"constant": "const"}
"""IR's names of spaces that rows spell otherwise."""


# ── addresses ────────────────────────────────────────────────────────────────────────────────


def _pointer(s: Selector, index: int) -> tuple[str, Value]:
    """Operand `index` as (space, address): 32 bits of shared and local memory, 64 else."""
    value = s.instruction.operands[index]
    return (s.spaces.of(value) if isinstance(value, str) else "generic"), s.value(index)


def generic(s: Selector, index: int) -> Value:
    """Operand `index`, a pointer, as a generic address."""
    space, value = _pointer(s, index)
    if space not in WINDOWED:
        return value
    return s.new("add.s64", s.new("cvt.u64.u32", value), BASES[space])


def _as_result(s: Selector, index: int) -> Value:
    """Operand `index`, a pointer, as the result is held."""
    return s.value(index) if s.spaces.of(s.result_name) in WINDOWED else generic(s, index)


@rule("address.ptr")
def address(s: Selector, i: Instruction) -> None:
    """The result is held generic if other assignments of its variable lead elsewhere."""
    buffer = s.function.buffers[str(i.operands[0])]
    if buffer.space not in (*WINDOWED, "global", "constant"):
        s.refuse(f"it has no {buffer.space}, where '{buffer.name}' stands", "declare it in global")
    if buffer.space not in WINDOWED:
        s.define("mov.address", buffer.name)
        return
    offset = s.layouts[buffer.space].offsets[buffer.name]
    is_offset = s.spaces.of(s.result_name) in WINDOWED
    s.define_value(offset if is_offset else BASES[buffer.space] + offset)


@rule("copy.ptr")
def copy(s: Selector, i: Instruction) -> None:
    s.define_value(_as_result(s, 0))


@rule("select.ptr")
def select(s: Selector, i: Instruction) -> None:
    kind = "b32" if s.spaces.of(s.result_name) in WINDOWED else "b64"
    s.define(f"selp.{kind}", _as_result(s, 1), _as_result(s, 2), s.value(0))


@rule("add.ptr")
def move(s: Selector, i: Instruction) -> None:
    if s.spaces.of(s.result_name) not in WINDOWED:
        s.define("add.s64", generic(s, 0), s.value(1))
        return
    distance = s.value(1)
    if isinstance(distance, str):
        distance = s.new("cvt.u32.u64", distance)
    s.define("add.s32", s.value(0), _low_half(distance))


def _low_half(value: Value) -> Value:
    return value if isinstance(value, str) else value & 0xFFFF_FFFF


@rule("sub.ptr")
def distance(s: Selector, i: Instruction) -> None:
    s.define("sub.s64", generic(s, 0), generic(s, 1))


@rule("int.ptr.i64")
def to_integer(s: Selector, i: Instruction) -> None:
    s.define_value(generic(s, 0))


@rule("ptr.i64.ptr")
def from_integer(s: Selector, i: Instruction) -> None:
    s.define_value(s.value(0))


def _comparison(name: str, row: str) -> None:
    @rule(f"{name}.ptr")
    def compare(s: Selector, i: Instruction) -> None:
        s.define(row, generic(s, 0), generic(s, 1))


for _name in ("eq", "ne"):
    _comparison(_name, f"setp.{_name}.s64")
for _name in ("lt", "le", "gt", "ge"):
    _comparison(f"{_name}_u", f"setp.{_name}.u64")


# ── accesses ─────────────────────────────────────────────────────────────────────────────────


def _space(s: Selector, index: int) -> tuple[str, Value]:
    """The space that the row names, and the address in it."""
    space, value = _pointer(s, index)
    return ROW_SPACES.get(space, space), value


def _memory_type(t: Type, sign: str = "s") -> str:
    return f"b{8 * t.bytes}" if t.bytes >= 4 else f"{sign}{8 * t.bytes}"


@rule("load_volatile", VALUES)
@rule("load", VALUES)
def load(s: Selector, i: Instruction) -> None:
    space, address = _space(s, 0)
    row = f"ld.{space}.{_memory_type(s.result_type)}"
    if s.result_type is not I16:
        s.define(row, address, 0)
        return
    loaded = s.temporary_of(I16)  # of a 16-bit register the upper half is undefined
    s.emit(row, (loaded,), (address, 0), s.guard)
    s.define("cvt.s32.s16", loaded)


@rule("store_volatile", VALUES)
@rule("store", VALUES)
def store(s: Selector, i: Instruction) -> None:
    space, address = _space(s, 0)
    t = s.operand_type(1)
    value = generic(s, 1) if t is PTR else s.value(1)
    s.emit(f"st.{space}.{_memory_type(t, 'u')}", (), (address, 0, value), s.guard)


ATOMICS = {
    "add": ("add", "b"), "and": ("and", "b"), "or": ("or", "b"), "xor": ("xor", "b"),
    "exchange": ("exch", "b"), "cas": ("cas", "b"),
    "min_s": ("min", "s"), "max_s": ("max", "s"), "min_u": ("min", "u"), "max_u": ("max", "u"),
}  # fmt: skip
"""IR operation -> operation and sort of type in the row's name."""


def _atomic(name: str, t: Type) -> None:
    @rule(f"atomic_{name}.{t}")
    def atomic(s: Selector, i: Instruction) -> None:
        row, sort = ATOMICS[name]
        if row == "add":
            sort = "f" if t.is_float else "u"
        space, address = _space(s, 0)
        if space in ("const", "local"):  # no row for one space is of these
            space, address = "generic", generic(s, 0)
        values = [s.value(k) for k in range(1, len(i.operands))]
        s.define(f"atom.{space}.{row}.{sort}{t.bits}", address, 0, *values)


for _name in ATOMICS:
    for _type in (I32, I64):
        _atomic(_name, _type)
for _type in (F32, F64):
    _atomic("add", _type)
