"""The scheduling classes of a SIMT machine's instructions, and what one may cost.

load_global: {pipe: lg, result: long, read: 11 cycles}      # the memory says how long it takes
divide_integer: {pipe: fma, slots: 25, latency: 66 cycles}  # a sequence of machine instructions
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from machines.description.schema import Cycles, Description, FieldContext, figure
from machines.instructions import operations
from machines.kinds.simt.memory import MemorySystem
from machines.operations.row import Lane, Operation

TENSOR = {
    "tensor_half": "mma of f16 and bf16, m16n8k16",
    "tensor_half_short": "the same, m16n8k8",
    "tensor_tf32": "mma of tf32, m16n8k8",
    "tensor_tf32_short": "the same, m16n8k4",
    "tensor_fp8": "mma of e4m3 and e5m2",
    "tensor_integer": "mma of integers: m16n8k32 of 8 bits, m16n8k64 of 4, m16n8k256 of 1",
    "tensor_integer_short": "the same, m16n8 with half as many k",
    "tensor_integer_small": "the same, m8n8",
    "tensor_double": "mma of f64, m8n8k4",
    "tensor_double_tall": "the same, m16n8k4",
    "tensor_double_8": "the same, m16n8k8",
    "tensor_double_16": "the same, m16n8k16",
    "tensor_group": "wgmma.mma_async: the interval is that of eight columns, and a result is there "
    "its latency and half of all columns' intervals later",
    "fence_group": "wgmma.fence, commit_group, wait_group",
    "load_matrix": "ldmatrix",
    "store_matrix": "stmatrix",
    "move_matrix": "movmatrix",
}
"""Of what not all machines have; one that does not describe such a class has none of its
instructions."""
CLASSES = {
    "alu": "integer logic, shift, min, max, neg and the like, and f32 min, max, abs, neg",
    "integer_sum": "add and sub of up to 32 bits",
    "integer_wide": "the same of 64 bits, two instructions",
    "integer_multiply": "mul, mad of up to 32 bits but for the next, dp4a, dp2a",
    "integer_multiply_wide": "mul.wide, mad.wide, mul.hi and mad.hi of 32 bits",
    "integer_multiply64": "mul and mad of 64 bits",
    "bit_count": "popc, clz, brev, bfind, fns",
    "bit_field": "bfe, bfi",
    "fma": "add, sub, mul, fma of f32",
    "fma64": "add, sub, mul, fma, min, max of f64",
    "half": "arithmetic and comparisons of f16 and bf16, alone or in pairs",
    "special": "ex2, lg2, tanh, and rcp, rsqrt, sqrt where they are approximate",
    "special_pair": "ex2 and tanh of pairs of f16 and bf16, two instructions",
    "special_turns": "sin and cos of f32, a product and one of these",
    "division_check": "fchk, of a division of f32 that is written out",
    "double_check": "the same of f64, two rows of high words",
    "convert": "cvt among types of up to 32 bits, but for the next two",
    "half_convert": "cvt of f32 to f16, bf16, tf32, e4m3, e5m2, to nearest or towards zero; of f16 "
    "and bf16 to f32; among f16 and 8-bit floats",
    "integer_to_float": "cvt from an integer of up to 32 bits to f32",
    "convert64": "cvt from or to a type of 64 bits",
    "predicate_compare": "setp and set of integers of up to 32 bits, logic of predicates",
    "wide_compare": "setp and set of 64-bit integers",
    "float_compare": "setp, set and testp of f32",
    "double_compare": "setp, set and testp of f64",
    "divide_integer": "div and rem of up to 32 bits",
    "divide_integer64": "div and rem of 64 bits",
    "divide_float": "div of f32, rounded (where it is written out: the way around, as of the next "
    "five)",
    "divide_approx": "div.approx and div.full of f32",
    "divide_double": "div of f64",
    "reciprocal_float": "rcp of f32, rounded",
    "reciprocal_double": "rcp and rsqrt of f64",
    "sqrt_float": "sqrt of f32, rounded",
    "sqrt_double": "sqrt of f64",
    "move": "mov, selp, pack, unpack",
    "special_register": "reads of %tid, %laneid, %clock and their like, but of %ntid and %nctaid",
    "load_param": "ld.param, and reads of %ntid and %nctaid",
    "load_const": "ld.const",
    "load_global": "ld.global",
    "load_shared": "ld.shared",
    "load_local": "ld.local",
    "load_generic": "ld of a generic address",
    "store_global": "st.global",
    "store_shared": "st.shared",
    "store_local": "st.local",
    "store_generic": "st to a generic address",
    "atomic_global": "atom and red in global memory",
    "atomic_shared": "atom and red in shared memory",
    "atomic_generic": "atom and red at a generic address",
    "copy_async": "cp.async",
    "copy_group": "cp.async.commit_group, wait_group and wait_all",
    "copy_bulk": "cp.async.bulk",
    "mbarrier": "mbarrier, cp.async.mbarrier.arrive",
    "shuffle": "shfl",
    "shuffle_pair": "both halves of 64 bits, two of these",
    "vote": "vote, elect, activemask",
    "match": "match",
    "reduce": "redux",
    "barrier": "bar",
    "warp_barrier": "bar.warp.sync",
    "fence": "membar.gl, membar.sys",
    "fence_block": "membar.cta",
    "fence_proxy": "fence.proxy.async",
    "sleep": "nanosleep",
    "branch": "bra",
    "exit": "exit and trap",
    "convergence": "bssy and break",
    "convergence_wait": "bsync and the marker",
    **TENSOR,
}
"""The classes that rows of family `ptx` have, and what is in them; a package's rows may have
others."""

PREDICATES = "pred"
"""The file of predicates."""
OF_COPIES = ("copy_async", "copy_group", "mbarrier")
"""Classes of machines that have copies which go on meanwhile."""
OF_BULK = ("copy_bulk",)
"""Those of machines that have copies of many bytes."""
UNGUARDED = ("convergence", "convergence_wait")
"""Classes whose instructions only the compiler writes, for all lanes that come there."""


def comes_as_guard(row: Operation, lane: Lane) -> bool:
    """Whether what a row reads comes as late as a guard would: a predicate that all lanes of a
    meeting are asked for (ptxas has ISETP thirteen cycles ahead of VOTE, as of a branch)."""
    return row.meets is not None and lane.file == PREDICATES


@dataclass(frozen=True)
class Traits:
    """What rows of a class do.

    writes, reads  the files whose registers some row writes and reads
    guarded        whether a guard may stand before some
    accesses       (kind, space) of their accesses, but for those of parameters
    goes_by_itself  `branches.latency` or an operand says when the warp goes on
    """

    writes: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    guarded: bool = False
    accesses: frozenset[tuple[str, str]] = frozenset()
    goes_by_itself: bool = False

    @property
    def waits_for_memory(self) -> bool:
        """Whether the memory system says when a result is there."""
        return any(kind != "store" for kind, _ in self.accesses)

    @property
    def has_latency(self) -> bool:
        """Whether somebody waits for a latency that the class says."""
        return not self.accesses and not self.goes_by_itself

    def hit_latency(self, memory: MemorySystem) -> int:
        """Cycles at the nearest memory, alone."""
        spaces = {space for _, space in self.accesses}
        if "const" in spaces:
            return memory.constant.latency
        if ("load_store", "shared") not in self.accesses and "load_store" in dict(self.accesses):
            return memory.l2.near_latency
        return memory.shared.latency if spaces == {"shared"} else memory.l1.latency


@cache
def traits(instructions: str) -> dict[str, Traits]:
    """By class, what rows of a family of the operation table do."""
    found: dict[str, Traits] = {}
    for row in operations().family(instructions).values():
        known = found.get(row.scheduling_class, Traits())
        found[row.scheduling_class] = Traits(
            known.writes.union(o.kind.file for o in row.writes if isinstance(o.kind, Lane)),
            known.reads.union(o.kind.file for o in row.reads if isinstance(o.kind, Lane)),
            known.guarded or row.scheduling_class not in UNGUARDED,
            known.accesses.union((a.kind, a.space) for a in row.accesses if a.space != "param"),
            known.goes_by_itself or row.control in ("jump", "branch") or row.sleeps is not None,
        )
    return found


def _issued(
    words: str = "", holds: Callable[[FieldContext], bool] = lambda at: True
) -> tuple[str, Callable[[FieldContext], bool]]:
    """As `read_when`: the machine has instructions of the class, and what else is given."""
    every = "the policy has instructions of the class"
    return (
        f"{words}, and {every}" if words else every,
        lambda at: at.machine.issues(at.path[1]) and holds(at),
    )


def _traits_of(at: FieldContext) -> Traits:
    return traits(at.machine.instructions).get(at.path[1], Traits())


def _reads_by_control_bits(at: FieldContext) -> bool:
    known = _traits_of(at)
    return at.machine.dependences.kind == "control_bits" and bool(known.guarded or known.reads)


class InstructionClass(Description):
    """What the instructions of one scheduling class cost."""

    pipe: str = figure(description="The pipe that takes them.", read_when=_issued())
    latency: Cycles | None = figure(
        default=None,
        ge=0,
        description="Cycles from issue until a reader of the result may issue; of a class without "
        "results until its warp goes on, arrives (barrier) or leaves (exit). What loads and "
        "atomics bring has none: the memory says it.",
        read_when=_issued(),
    )
    result: Literal["fixed", "short", "long"] = figure(
        default="fixed",
        description="Why a reader waits for it, and who overwrites its sources: wait (a fixed "
        "latency), short_scoreboard or long_scoreboard.",
        read_when=_issued(
            "the class writes registers, or by control bits reads them late",
            lambda at: (
                bool(_traits_of(at).writes) or (at.owner.read > 0 and _reads_by_control_bits(at))
            ),
        ),
    )
    slots: int = figure(
        default=1,
        ge=1,
        le=1024,
        description="Issue slots that one PTX instruction stands for: 1, or the length of the "
        "sequence of machine instructions it becomes.",
        read_when=_issued(),
    )
    interval: Cycles | None = figure(
        default=None,
        ge=1,
        description="Cycles an instruction occupies the pipe, where warp_width / lanes is wrong.",
        read_when=_issued(),
    )
    guard: Cycles = figure(
        default=0,
        ge=0,
        description="Cycles more until the predicate it writes may guard an instruction or decide "
        "a branch.",
        read_when=_issued(
            "the class writes predicates", lambda at: PREDICATES in _traits_of(at).writes
        ),
    )
    read: Cycles = figure(
        default=0,
        ge=0,
        description="Cycles from issue until its sources have been read and may be overwritten, "
        "where dependences are kept by control bits.",
        read_when=_issued(
            "dependences.kind is control_bits and the class reads registers or predicates",
            _reads_by_control_bits,
        ),
    )
