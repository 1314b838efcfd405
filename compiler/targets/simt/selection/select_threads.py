"""Selection of what a thread is, and of what threads do together.

    t = tid.x                        mov.tid.x          %t
    barrier                    ->    bar.sync           0, 0
    y = shuffle_down.f32 x, 4        shfl.sync.down.b32 %y, %1, %x, 4, 31, -1

All lanes that have not ended take part in an operation of a warp.  A shuffle of 64 bits is two of
32.  The rows look at the low five bits of a lane number only, the IR at all of it.
"""

from __future__ import annotations

from compiler.ir.module import Instruction, Value
from compiler.targets.simt.selection.selector import Selector, rule
from machines.instructions.ir_parallel import BUILT_INS
from machines.types import F32, F64, I1, I32, I64, Type

EVERYONE = -1
"""The mask of all lanes."""

for _built_in in BUILT_INS:
    for _axis in "xyz":

        @rule(f"{_built_in}.{_axis}")
        def built_in(s: Selector, i: Instruction) -> None:
            s.define(f"mov.{i.operation}")


@rule("laneid")
def lane(s: Selector, i: Instruction) -> None:
    s.define("mov.laneid")


@rule("warpsize")
def warp_size(s: Selector, i: Instruction) -> None:
    s.define_value(s.warp_width)


@rule("barrier")
def barrier(s: Selector, i: Instruction) -> None:
    s.emit("bar.sync", (), (0, 0), s.guard)


@rule("fence")
def fence(s: Selector, i: Instruction) -> None:
    s.emit("membar.gl", (), (), s.guard)


# ── votes and shuffles ───────────────────────────────────────────────────────────────────────


@rule("vote_any")
def vote_any(s: Selector, i: Instruction) -> None:
    s.define("vote.sync.any.pred", s.value(0), EVERYONE)


@rule("vote_all")
def vote_all(s: Selector, i: Instruction) -> None:
    s.define("vote.sync.all.pred", s.value(0), EVERYONE)


@rule("ballot")
def ballot(s: Selector, i: Instruction) -> None:
    _must_tell_lanes_apart(s)
    s.define("cvt.u64.u32", s.new("vote.sync.ballot.b32", s.value(0), EVERYONE))


SHUFFLES = {"index": "idx", "up": "up", "down": "down", "xor": "bfly"}
LANES = 32
"""Lane numbers that a shuffle row tells apart."""


def _shuffle(name: str, t: Type) -> None:
    @rule(f"shuffle_{name}.{t}")
    def shuffle(s: Selector, i: Instruction) -> None:
        value, k = s.value(0), s.value(1)
        if t.bits == 32:
            s.define("mov.b32", _other_lane(s, name, value, k))
            return
        low, high = s.temporary_of(I32), s.temporary_of(I32)
        s.emit("mov.unpack.b64", (low, high), (value,))
        s.define("mov.pack.b64", *(_other_lane(s, name, half, k) for half in (low, high)))


def _other_lane(s: Selector, name: str, value: Value, k: Value) -> Value:
    """32 bits of the lane that `k` leads to, this lane's own if there is none."""
    _must_tell_lanes_apart(s)
    last = 0 if name == "up" else LANES - 1
    there, found = s.temporary_of(I32), s.temporary_of(I1)
    s.emit(f"shfl.sync.{SHUFFLES[name]}.b32", (there, found), (value, k, last, EVERYONE), s.guard)
    if not isinstance(k, str):
        return there if 0 <= k < LANES else value
    return s.new("selp.b32", there, value, s.new("setp.lt.u32", k, LANES))


def _must_tell_lanes_apart(s: Selector) -> None:
    if s.warp_width > LANES:
        s.refuse(f"its rows tell {LANES} lanes apart, and a warp has {s.warp_width}")


for _name in SHUFFLES:
    for _type in (I32, I64, F32, F64):
        _shuffle(_name, _type)
