"""Tensor operations: as the scalar rows say, and what happens before, between and around them."""

from __future__ import annotations

import math
import struct
from random import Random

import numpy as np
import pytest

from compiler.interpret.functions import OpaqueStream, interpret, memory_for
from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.effects import is_pure, is_removable, keeps_order, may_fault
from compiler.ir.module import Buffer, Descriptor, Module
from compiler.text_form import parse
from compiler.verify.ir import verify
from machines.instructions.tensor_operands import INTEGERS
from machines.types import F32, F64, IN_MEMORY, PTR, Type

COUNT = 24  # elements of the buffer that the tests below work on


# Against the scalar rows ----------------------------------------------------------------------


def contents(type: Type, random: Random) -> bytes:
    """Elements of all sorts; of floats also NaNs with payloads, infinities and subnormals."""
    if not type.is_float:
        return random.randbytes(COUNT * type.bytes)
    special = [0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 3e38, 1e-40]
    letter = "f" if type is F32 else "d"
    elements = [
        random.choice(
            (
                random.randbytes(type.bytes),
                struct.pack(f"<{letter}", random.choice(special)),
                struct.pack(f"<{letter}", random.uniform(-9, 9)),
                struct.pack(f"<{letter}", -math.nan),
            )
        )
        for _ in range(COUNT)
    ]
    return b"".join(elements)


class Scalars:
    """Writes the loads, scalar operations and stores that one tensor instruction stands for."""

    def __init__(self, builder: Builder, type: Type):
        self.builder, self.type = builder, type
        self.base = builder.emit("address.ptr", "a")

    def address(self, element: int) -> str:
        return self.builder.emit("add.ptr", self.base, element * self.type.bytes)

    def loads(self, low: int, count: int) -> list:
        places = [self.address(low + k) for k in range(count)]
        return [self.builder.emit(f"load.{self.type}", place) for place in places]

    def stores(self, low: int, values: list) -> None:
        for k, value in enumerate(values):
            self.builder.emit(f"store.{self.type}", self.address(low + k), value)

    def do(self, name: str, *values):
        signed = name == "max" and not self.type.is_float
        return self.builder.emit(f"{name}{'_s' if signed else ''}.{self.type}", *values)

    def sum(self, values: list):
        total = 0.0 if self.type.is_float else 0
        for value in values:
            total = self.do("add", total, value)
        return total

    def maximum(self, values: list):
        largest = -math.inf if self.type.is_float else -(1 << (self.type.bits - 1))
        for value in values:
            largest = self.do("max", largest, value)
        return largest


def tensor_and_scalars(name: str, tensor: Builder, s: Scalars, random: Random) -> None:
    """Emit `name` on random intervals, which overlap, and the same in scalars."""
    n = random.randrange(1, 7)
    zero = 0.0 if s.type.is_float else 0

    def somewhere(count: int) -> tuple[Descriptor, int]:
        low = random.randrange(COUNT - count + 1)
        return Descriptor("a", low, low + count), low

    full = f"tensor.{name}.{s.type}"
    if name in ("add", "mul", "max"):
        (d, to), (a, one), (b, two) = somewhere(n), somewhere(n), somewhere(n)
        tensor.emit(full, d, a, b)
        pairs = zip(s.loads(one, n), s.loads(two, n), strict=True)
        s.stores(to, [s.do(name, *pair) for pair in pairs])
    elif name in ("copy", "relu"):
        (d, to), (a, one) = somewhere(n), somewhere(n)
        tensor.emit(full, d, a)
        found = s.loads(one, n)
        s.stores(to, found if name == "copy" else [s.do("max", value, zero) for value in found])
    elif name == "fill":
        d, to = somewhere(n)
        tensor.emit(full, d, "v")
        s.stores(to, ["v"] * n)
    elif name == "matmul":
        m, k, n = (random.randrange(1, 5) for _ in range(3))
        (d, to), (a, one), (b, two) = somewhere(m * n), somewhere(m * k), somewhere(k * n)
        tensor.emit(full, d, a, b, m, k, n)
        left, right = s.loads(one, m * k), s.loads(two, k * n)
        s.stores(
            to,
            [
                s.sum([s.do("mul", left[i * k + x], right[x * n + j]) for x in range(k)])
                for i in range(m)
                for j in range(n)
            ],
        )
    elif name == "transpose":
        rows, columns = random.randrange(1, 5), random.randrange(1, 5)
        (d, to), (a, one) = somewhere(rows * columns), somewhere(rows * columns)
        tensor.emit(full, d, a, rows, columns)
        found = s.loads(one, rows * columns)
        s.stores(to, [found[i * columns + j] for j in range(columns) for i in range(rows)])
    else:
        a, one = somewhere(n)
        tensor.emit(f"store.{s.type}", "p", tensor.emit(full, a))
        s.builder.emit(f"store.{s.type}", "p", getattr(s, name)(s.loads(one, n)))


NAMES = (
    "add", "copy", "fill", "matmul", "max", "maximum", "mul", "relu", "sum", "transpose",
)  # fmt: skip
"""Operations that a few scalar rows are the same as."""


@pytest.mark.parametrize("type", [t for t in (*INTEGERS, F32, F64) if t not in IN_MEMORY], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_same_as_scalars(name, type):
    for seed in range(8):
        random = Random(seed)
        module = Module()
        add_buffer(module, Buffer("a", type, COUNT, data=contents(type, random)))
        parameters = [("v", type), ("p", PTR)]
        tensor, scalar = (add_function(module, f, parameters) for f in ("tensor", "scalar"))
        for builder in (tensor, scalar):
            builder.block("entry")
        tensor_and_scalars(name, tensor, Scalars(scalar, type), random)
        for builder in (tensor, scalar):
            builder.return_()
        verify(module)
        assert memory_after(module, "tensor", type) == memory_after(module, "scalar", type)


def memory_after(module: Module, function: str, type: Type) -> bytes:
    arguments = {"v": math.nan if type.is_float else 77, "p": np.zeros(1, "i8")}
    memory = memory_for(module, arguments)
    assert interpret(module.functions[function], arguments, memory).status == "done"
    return memory.bytes.tobytes()


# By hand --------------------------------------------------------------------------------------


def run(lines: str, buffers: str = "a: i8[8] in global = [1, 2, 3, 4, 5, 6, 7, 8]", **options):
    """The outcome of `lines` and the elements of every buffer.

    The variables are x, y, z: i64 and p: i1, zero if not given.
    """
    head = "func @f(x: i64, y: i64, z: i64, p: i1) -> {} {{".format(options.pop("result", "i8"))
    module = parse("\n".join([buffers, head, "entry:", lines, "}"]))
    function = module.functions["f"]
    arguments = {name: options.pop(name, 0) for name in "xyzp"}
    memory = memory_for(module, {})
    seed = options.pop("seed", 0)
    outcome = interpret(function, arguments, memory, opaque_seed=seed, **options)
    values = {
        name: memory.view(name, f"{'f' if b.dtype.is_float else 'i'}{b.dtype.bytes}").tolist()
        for name, b in module.buffers.items()
    }
    return outcome, values


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tensor.copy.i8 a[1:5], a[0:4]", [1, 1, 2, 3, 4, 6, 7, 8]),
        ("tensor.copy.i8 a[0:4], a[1:5]", [2, 3, 4, 5, 5, 6, 7, 8]),
        ("tensor.add.i8 a[1:4], a[0:3], a[2:5]", [1, 4, 6, 8, 5, 6, 7, 8]),
        ("tensor.mul.i8 a[0:8], a[0:8], a[0:8]", [1, 4, 9, 16, 25, 36, 49, 64]),
        ("tensor.fill.i8 a[2:4], 255", [1, 2, -1, -1, 5, 6, 7, 8]),
        ("tensor.transpose.i8 a[0:6], a[0:6], 2, 3", [1, 4, 2, 5, 3, 6, 7, 8]),
        # [1 2; 3 4] [5 6; 7 8]
        ("tensor.matmul.i8 a[0:4], a[0:4], a[4:8], 2, 2, 2", [19, 22, 43, 50, 5, 6, 7, 8]),
        # k = 0: a product of nothing is 0
        ("tensor.matmul.i8 a[0:4], a[x:0], a[x:0], 2, 0, 2", [0, 0, 0, 0, 5, 6, 7, 8]),
        ("@p tensor.fill.i8 a[0:8], 0", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("@!p tensor.fill.i8 a[0:8], 9", [9] * 8),
        ("tensor.fill.i8 a[x:y], 9", [1, 2, 3, 4, 5, 6, 7, 8]),
        # strided: 0 1, 4 5
        ("tensor.fill.i8 a[0:2, 2 by 4], 9", [9, 9, 3, 4, 9, 9, 7, 8]),
        # 1, 3, then 4, 6
        ("tensor.copy.i8 a[1:2, 2 by 2, 2 by 3], a[0:4]", [1, 1, 3, 2, 3, 6, 4, 8]),
        # 0, 4, 1, 5 is a transposition of 2 x 4 read by columns
        ("tensor.copy.i8 a[0:4], a[0:1, 2 by 4, 2 by 1]", [1, 5, 2, 6, 5, 6, 7, 8]),
        # backwards, and the same element again and again
        ("tensor.copy.i8 a[0:8], a[7:8, 8 by -1]", [8, 7, 6, 5, 4, 3, 2, 1]),
        ("tensor.copy.i8 a[0:4], a[6:7, 4 by 0]", [7, 7, 7, 7, 5, 6, 7, 8]),
        # windows that overlap are read
        ("tensor.copy.i8 a[0:6], a[2:5, 2 by 1]", [3, 4, 5, 4, 5, 6, 7, 8]),
        # without an element it is empty wherever it is
        ("tensor.fill.i8 a[0:4, x by 99], 9", [1, 2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_by_hand(line, expected):
    outcome, values = run(f"{line}\nreturn 0")
    assert (outcome.status, outcome.steps) == ("done", 2)
    assert values["a"] == expected


@pytest.mark.parametrize(
    ("line", "type", "value"),
    [
        ("s = tensor.sum.i8 a[0:8]", "i8", 36),
        ("s = tensor.maximum.i8 a[0:8]", "i8", 8),
        ("s = tensor.sum.i8 a[x:0]", "i8", 0),
        ("s = tensor.maximum.i8 a[x:0]", "i8", -128),
        ("s = tensor.sum.f32 f[0:2]", "f32", 16777216.0),
        ("s = tensor.sum.f32 f[0:3]", "f32", 16777216.0),  # from the left: both ties go down
        ("s = tensor.sum.f32 f[x:0]", "f32", 0.0),
        ("s = tensor.maximum.f32 f[x:0]", "f32", -math.inf),
        ("s = tensor.maximum.f32 f[3:4]", "f32", -math.inf),  # NaN is passed over
    ],
)
def test_reductions(line, type, value):
    buffers = """a: i8[8] in global = [1, 2, 3, 4, 5, 6, 7, 8]
f: f32[4] in global = [16777216.0, 1.0, 1.0, nan]"""
    assert run(f"{line}\nreturn s", buffers, result=type)[0].value == value


def test_a_guarded_reduction_keeps_its_variable():
    lines = "s = const.i8 5\n@p s = tensor.sum.i8 a[0:2]\nreturn s"
    assert [run(lines, p=p)[0].value for p in (0, 1)] == [5, 3]
    tied = "s = const.i8 5\n@p t = tensor.sum.i8 a[0:2] else s\nreturn t"
    assert [run(tied, p=p)[0].value for p in (0, 1)] == [5, 3]


A = 0x10000
OUT, SIZES = "out of bounds", "size mismatch"


@pytest.mark.parametrize(
    ("line", "bounds", "kind", "address"),
    [
        ("tensor.fill.i8 a[x:4], 9", {"x": -1}, OUT, A - 1),
        ("tensor.fill.i8 a[2:x], 9", {"x": 9}, OUT, A + 8),
        ("tensor.fill.i8 a[x:y], 9", {"x": 10, "y": 12}, OUT, A + 10),
        ("tensor.fill.i8 a[x:y], 9", {"x": -3, "y": 99}, OUT, A - 3),
        ("tensor.fill.i8 a[x:y], 9", {"x": 5, "y": 4}, OUT, A + 5),
        ("tensor.fill.i8 a[x:y], 9", {"x": -(1 << 63), "y": 4}, OUT, A - (1 << 63)),
        ("tensor.fill.i8 a[x:y], 9", {"x": 10, "y": 10}, None, None),
        ("tensor.fill.i32 w[1:x], 9", {"x": 4}, OUT, A + 32 + 12),
        ("tensor.copy.i8 a[0:4], a[x:8]", {"x": 5}, SIZES, None),
        ("tensor.copy.i8 a[0:4], a[x:y]", {"x": 5, "y": 12}, OUT, A + 8),
        ("tensor.copy.i8 a[x:y], a[y:x]", {"x": 2, "y": 5}, OUT, A + 5),
        ("tensor.matmul.i8 a[0:4], a[0:4], a[4:8], 2, x, 2", {"x": 3}, SIZES, None),
        ("tensor.matmul.i8 a[0:4], a[0:4], a[4:8], x, x, x", {"x": -2}, SIZES, None),
        ("tensor.matmul.i8 a[0:4], a[0:4], a[4:8], x, x, x", {"x": 2}, None, None),
        ("tensor.transpose.i8 a[0:4], a[0:4], x, x", {"x": -2}, SIZES, None),
        ("tensor.transpose.i8 a[z:0], a[z:0], x, y", {"x": 1 << 62, "y": 0}, None, None),
        ("tensor.transpose.i8 a[z:0], a[z:0], x, x", {"x": 1 << 32}, SIZES, None),
        ("@p tensor.fill.i8 a[0:x], 9", {"x": 99}, None, None),
        # the first segment with an element outside, and that element
        ("tensor.fill.i8 a[0:2, x by 3], 9", {"x": 3}, None, None),
        ("tensor.fill.i8 a[0:3, x by 3], 9", {"x": 3}, OUT, A + 8),
        ("tensor.fill.i8 a[0:2, x by 9], 9", {"x": 3}, OUT, A + 9),
        ("tensor.fill.i8 a[6:8, x by -4], 9", {"x": 3}, OUT, A - 2),
        ("tensor.fill.i8 a[0:1, 2 by 2, x by 4], 9", {"x": 3}, OUT, A + 8),
        ("tensor.fill.i8 a[0:1, x by 3, 2 by 2], 9", {"x": 1 << 40}, OUT, A + 9),
        ("s = tensor.sum.i8 a[0:1, x by 0, 9 by 1]", {"x": 1 << 60}, OUT, A + 8),
        ("s = tensor.sum.i8 a[0:1, x by 0]", {"x": 1 << 60}, SIZES, None),
        ("tensor.fill.i8 a[0:2, x by 4], 9", {"x": -1}, SIZES, None),
        ("tensor.fill.i8 a[0:2, 2 by x], 9", {"x": 1}, "overlapping segments", None),
        ("tensor.fill.i8 a[0:2, 1 by x], 9", {"x": 1}, None, None),
        ("tensor.copy.i8 a[0:4], a[0:2, 2 by x]", {"x": 1}, None, None),
    ],
)
def test_faults(line, bounds, kind, address):
    """A fault leaves memory as it was; what comes before it has happened."""
    buffers = "a: i8[8] in global = [1, 2, 3, 4, 5, 6, 7, 8]\nw: i32[3] in global"
    outcome, values = run(f"tensor.fill.i8 a[7:8], 0\n{line}\nreturn 0", buffers, **bounds)
    if kind is None:
        assert outcome.status == "done"
        return
    fault = outcome.fault
    assert (fault.kind, fault.address, fault.block, fault.index) == (kind, address, "entry", 1)
    assert (fault.location.line, outcome.steps) == (6, 2)
    assert values["a"] == [1, 2, 3, 4, 5, 6, 7, 0]


def test_bounds_that_nothing_has_assigned_are_reported():
    text = "tensor.fill.i8 a[x:u], 9\n@p u = const.i64 3\n@p w = const.i64 3\n"
    outcome, values = run(f"{text}@p tensor.fill.i8 a[w:1], 9\nreturn 0")
    assert (outcome.status, outcome.unassigned) == ("done", ("u",))
    assert values["a"] == [1, 2, 3, 4, 5, 6, 7, 8]


# Unknown intervals ----------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_any_draws_from_the_stream(count):
    """ceil(log2(n)) bits, the first is the lowest; what is drawn later follows them."""
    some = ", ".join(f"a[{k}:{k + 1}]" for k in range(count))
    lines = f"s = tensor.sum.i8 any({some})\nq = opaque.i1\nt = zext.i1.i8 q\nt = shl.i8 t, 7\n"
    for seed in range(20):
        stream = OpaqueStream(seed)
        bits = {1: 0, 2: 1, 3: 2, 5: 3, 8: 3}[count]
        drawn = [stream.draw() for _ in range(bits)]
        chosen = sum(bit << place for place, bit in enumerate(drawn)) % count
        outcome, _ = run(f"{lines}s = or.i8 s, t\nreturn s", seed=seed)
        assert outcome.value & 127 == chosen + 1
        assert outcome.value < 0 if stream.draw() else outcome.value > 0


def test_what_is_guarded_off_draws_nothing():
    lines = "@p tensor.fill.i8 any(a[0:1], a[1:2]), 0\nq = opaque.i1\ns = zext.i1.i8 q\nreturn s"
    for seed in range(8):
        assert run(lines, seed=seed)[0].value == OpaqueStream(seed).draw()


def test_operands_draw_in_order():
    line = "tensor.copy.i8 any(a[0:1], a[1:2]), any(a[6:7], a[7:8])\nreturn 0"
    for seed in range(8):
        stream = OpaqueStream(seed)
        target, source = stream.draw(), stream.draw()
        expected = [1, 2, 3, 4, 5, 6, 7, 8]
        expected[target] = 7 + source
        assert run(line, seed=seed)[1]["a"] == expected


def test_only_the_chosen_interval_can_fault():
    line = "tensor.fill.i8 any(a[0:1], a[0:x]), 0\nreturn 0"
    kinds = {run(line, seed=seed, x=9)[0].status for seed in range(8)}
    assert kinds == {"done", "fault"}


# Observation ----------------------------------------------------------------------------------


def test_observed_accesses():
    lines = """    q = address.ptr w
    q = add.ptr q, 4
    v = load.i32 q
    store.i32 q, v
    @p tensor.fill.i8 a[0:4], 1
    tensor.add.i8 a[x:6], a[0:2], any(a[3:5])
    tensor.copy.i8 a[x:x], a[x:x]
    s = tensor.sum.i8 a[2:x]
    tensor.fill.i8 a[0:y], 1
    return s"""
    seen = []

    def observe(*access) -> None:
        seen.append(access)

    buffers = "a: i8[8] in global\nw: i32[4] in global"
    outcome, _ = run(lines, buffers, x=4, y=9000, observe=observe)
    assert outcome.fault.kind == OUT
    w = A + 32
    assert seen == [
        ("entry", 2, 0, "load", w + 4, 4),
        ("entry", 3, 0, "store", w + 4, 4),
        ("entry", 5, 1, "load", A, 2),
        ("entry", 5, 2, "load", A + 3, 2),
        ("entry", 5, 0, "store", A + 4, 2),
        ("entry", 7, 0, "load", A + 2, 2),
    ]


def test_every_segment_is_observed():
    line = "tensor.copy.i8 a[0:2, 2 by 6], a[2:3, 2 by 1, 2 by x]\nreturn 0"
    seen = []
    run(line, x=3, observe=lambda *access: seen.append(access[2:]))
    loads = [(1, "load", A + place, 1) for place in (2, 3, 5, 6)]
    assert seen == [*loads, (0, "store", A, 2), (0, "store", A + 6, 2)]


def test_an_access_is_observed_before_its_address_is_overwritten():
    text = """
    w: i64[2] in global = [5, 6]
    func @f(q: ptr) -> ptr {
    entry:
        q = load.ptr q
        return q
    }
    """
    module = parse(text)
    memory = memory_for(module, {})
    seen = []
    arguments = {"q": "w"}
    outcome = interpret(
        module.functions["f"], arguments, memory, observe=lambda *access: seen.append(access)
    )
    assert (outcome.value, seen) == (5, [("entry", 0, 0, "load", A, 8)])


# Effects --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "faults", "draws", "removable"),
    [
        ("tensor.fill.i8 a[0:4], 1", False, False, False),
        ("tensor.fill.i8 a[0:x], 1", True, False, False),
        ("tensor.fill.i8 any(a[0:4]), 1", True, True, False),
        ("s = tensor.sum.i8 a[0:4]", False, False, True),
        ("s = tensor.sum.i8 a[0:x]", True, False, False),
        ("tensor.matmul.i8 a[0:4], a[0:4], a[4:8], 2, 2, 2", False, False, False),
        ("tensor.matmul.i8 a[0:4], a[0:4], a[4:8], 2, x, 2", True, False, False),
    ],
)
def test_effects(line, faults, draws, removable):
    module = parse(f"a: i8[8] in global\nfunc @f(x: i64) {{\nentry:\n{line}\nreturn\n}}")
    instruction = module.functions["f"].entry.instructions[0]
    assert may_fault(instruction) == faults
    assert keeps_order(instruction) == draws
    assert is_removable(instruction) == removable
    assert not is_pure(instruction)
