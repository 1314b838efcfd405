"""The fields of a SIMT machine (kind `simt`): streaming multiprocessors that run warps of threads.

Every field is declared here once: type, unit, bounds, one sentence.  Values come from YAML; nothing
here knows a product.  Quantities are held as plain numbers in base units: cycles of the core clock,
bytes, hertz, nanoseconds, bytes a second.

An SM has `subcores`; a warp lives in one of them, which issues at most one instruction of one of
its warps a cycle.  Latencies are whole: from the cycle in which an instruction issues to the first
in which one that reads its result may issue.  So a load that hits the L1 takes `memory.l1.latency`
and one that goes to DRAM `memory.dram.latency`, not the sum of the levels on the way.

The scheduling classes of instructions are those of `machines.kinds.simt.classes`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from machines.description.schema import (
    MOST_A_CYCLE,
    MOST_CACHE,
    MOST_NAMED,
    MOST_TABLE,
    MOST_TURNS,
    MOST_UNITS,
    Bytes,
    Cycles,
    Description,
    FineCycles,
    Hertz,
    MachineDescription,
    Nanoseconds,
    Rate,
    figure,
)
from machines.kinds.simt.classes import OF_BULK, OF_COPIES, InstructionClass, traits
from machines.kinds.simt.memory import MemorySystem
from machines.threads.spaces import MOST_CLUSTER

MOST_WARPS = 128
"""Of an SM, each with its registers."""
CarveOut = Annotated[Bytes, Field(le=MOST_CACHE)]

_BY_MARKERS = ("policy is markers", lambda at: at.owner.policy == "markers")

Policy = Literal["markers", "ipdom", "min_pc", "barriers"]


class Limits(Description):
    """What an SM has for blocks of threads (CTAs), and in which pieces it gives it out."""

    ctas: int = figure(ge=1, le=64, description="Blocks resident on an SM.")
    warps: int = figure(ge=1, le=MOST_WARPS, description="Warps resident on an SM.")
    threads_per_cta: int = figure(ge=1, le=4096, description="Threads of a block.")
    registers: int = figure(ge=256, le=MOST_TABLE, description="32-bit registers of an SM.")
    registers_per_thread: int = figure(ge=8, le=1024, description="32-bit registers of a thread.")
    register_unit: int = figure(
        ge=1,
        le=MOST_TABLE,
        description="Registers of a warp are given out in multiples of this.",
    )
    warp_unit: int = figure(
        ge=1,
        le=MOST_WARPS,
        description="A block must fit with its warps rounded up to a multiple of this.",
    )
    shared_unit: Bytes = figure(
        ge=1,
        le=MOST_CACHE,
        description="Shared memory of a block is given out in multiples of this.",
    )
    shared_reserved: Bytes = figure(
        ge=0,
        le=MOST_CACHE,
        description="Shared memory that every block takes beside its own.",
    )
    shared_per_cta: Bytes = figure(
        ge=0, le=MOST_CACHE, description="Shared memory a block may ask for."
    )
    carve_outs: tuple[CarveOut, ...] = figure(
        description="How much of the SM's memory may be shared memory; the L1 cache is the rest. "
        "A launch gets the smallest that does not cost it resident blocks."
    )
    barriers: int = figure(ge=1, le=64, description="Named barriers of a block.")
    stack: Bytes = figure(
        default=1024,
        ge=16,
        le=MOST_CACHE,
        description="Local memory of a thread for the calls of functions that recur, as CUDA's "
        "cudaLimitStackSize sets it; its default is 1 KiB.",
    )


class Scheduler(Description):
    """Which of the warps that could issue a sub-core picks."""

    policy: Literal["lrr", "gto", "gty"] = figure(
        description="'lrr': the first behind the last one that issued, in turn; 'gto': the last "
        "one while it can, else the oldest; 'gty': the last one while it can, else the youngest."
    )


class Reconvergence(Description):
    """How threads of a warp that parted come together again."""

    policy: Policy = figure(
        description="'markers': re-select at convergence markers; 'ipdom': a stack of immediate "
        "post-dominators; 'min_pc': re-select whenever a block begins; 'barriers': instructions "
        "of the compiler say who waits for whom."
    )
    selection: Literal["earliest_pc", "largest_group"] = figure(
        description="Which group runs after a re-selection: that earliest in the program, or that "
        "of the most threads (of equal ones the earliest).",
        read_when=("policy is not ipdom", lambda at: at.owner.policy != "ipdom"),
    )
    check_cost: Cycles = figure(
        ge=0, description="Cycles a warp loses to a check of which threads run together."
    )
    rules: Literal["sound", "seed"] = figure(
        description="Where markers are placed: 'seed' by loop exits, merges and queued blocks "
        "only, 'sound' also where a running group could pass a waiting one.",
        read_when=_BY_MARKERS,
    )
    markers: Literal["compiled", "at_load"] = figure(
        description="The compiler places markers, or the loader does, in a program without.",
        read_when=_BY_MARKERS,
    )
    marker_position: Literal["before", "first_in_block", "end_of_predecessors"] = figure(
        description="A marker is a bit of the first instruction of a block, an instruction of its "
        "own there, or one at the end of every block that leads to it.",
        read_when=_BY_MARKERS,
    )
    yield_after: int = figure(
        ge=0,
        le=MOST_TURNS,
        description="Policy 'barriers': backward branches a group takes, while other threads of "
        "its warp are unfinished, before others have their turn and barriers no longer wait for "
        "it, so that a thread that waits for another cannot stop it; 0: never.",
        read_when=("policy is barriers", lambda at: at.owner.policy == "barriers"),
    )


class Dependences(Description):
    """How an instruction is kept back until what it reads is there."""

    kind: Literal["scoreboard", "control_bits"] = figure(
        description="'scoreboard': hardware knows which registers are on their way; "
        "'control_bits': stall counts and counters that the compiler sets."
    )


class RegisterFile(Description):
    """The register file of a sub-core."""

    banks: int = figure(
        ge=0, le=32, description="Banks; register n is in bank n mod banks; 0: no conflicts."
    )
    ports: int = figure(
        ge=1,
        le=8,
        description="Registers a bank reads in a cycle.",
        read_when=("banks is not 0", lambda at: at.owner.banks > 0),
    )
    reuse_cache: bool = figure(
        description="A source that the warp's previous instruction read in the same place needs "
        "no port.",
        read_when=("banks is not 0", lambda at: at.owner.banks > 0),
    )


_CAN_BE_BUSY = (
    "a class of the pipe accesses memory, or occupies it for more than a cycle",
    lambda at: at.machine.can_be_busy(at.path[1]),
)


class Pipe(Description):
    """One execution pipe of a sub-core."""

    lanes: int = figure(
        ge=1,
        le=64,
        description="Threads it takes a cycle; a warp occupies it for warp_width / lanes cycles.",
        read_when=(
            "a class of the pipe has no interval",
            lambda at: any(c.interval is None for c in at.machine.classes_of(at.path[1]).values()),
        ),
    )
    queue: int = figure(
        default=0,
        ge=0,
        le=64,
        description="Instructions that have issued and wait in front of it; 0: one issues only "
        "when the pipe is free.",
        read_when=_CAN_BE_BUSY,
    )
    throttle: Literal["math_pipe", "mio", "lg"] = figure(
        default="math_pipe",
        description="Why a warp waits for it: math_pipe_throttle, mio_throttle or lg_throttle.",
        read_when=_CAN_BE_BUSY,
    )
    extra: dict[str, Cycles] = figure(
        default={},
        description="Pipe of the reader -> cycles more until it may issue, for a result of this "
        "pipe.",
        read_when=(
            "classes of the one pipe write registers that classes of the other can read",
            lambda at: at.machine.passes_results(*at.path[1::2]),
        ),
    )


class Branches(Description):
    """Cost of control flow."""

    latency: Cycles = figure(
        ge=0,
        description="Cycles from a branch that threads take to the next instruction of its warp.",
    )
    not_taken: Cycles = figure(
        ge=0, description="The same of a branch that no thread of the group takes."
    )


class Barriers(Description):
    """Cost of a barrier of a block."""

    latency: Cycles = figure(
        ge=0, description="Cycles from the last arrival to the first instruction behind it."
    )
    arrivals: int = figure(
        ge=1, le=MOST_A_CYCLE, description="Threads of an SM that arrive in a cycle."
    )


class Clusters(Description):
    """Clusters of thread blocks, which have each other's shared memory and barriers of their own.

    All blocks of a cluster are resident at once, each on an SM of its own, in one group of SMs
    (GPC)."""

    blocks: int = figure(ge=1, le=MOST_CLUSTER, description="Blocks of a cluster at most.")
    gpc_sms: int = figure(
        ge=1,
        le=MOST_UNITS,
        description="SMs of a GPC at most; as many GPCs as that takes have the SMs evenly.",
    )
    shared_latency: Cycles = figure(
        ge=1, description="Cycles from issue to use of a load from another block's shared memory."
    )
    shared_bandwidth: Bytes = figure(
        ge=1,
        le=MOST_A_CYCLE,
        description="Bytes a cycle of such accesses that an SM makes, and that it serves.",
    )
    barrier_latency: Cycles = figure(
        ge=1, description="Cycles from the last arrival to the first instruction behind the wait."
    )


class BlockDispatch(Description):
    """What gives blocks of threads to the SMs."""

    latency: Cycles = figure(
        ge=0, description="Cycles from the end of a block to the beginning of one in its place."
    )
    interval: FineCycles = figure(
        ge=0, description="Cycles from the beginning of one block to that of the next, on all SMs."
    )


class Host(Description):
    """What stands between a program on the host and the device."""

    launch_latency: Nanoseconds = figure(
        ge=0, description="Time from the launch of a kernel to its first instruction."
    )
    link_bandwidth: Rate = figure(description="Bytes a second of a copy, each direction.")
    link_latency: Nanoseconds = figure(ge=0, description="Time a copy takes before its first byte.")


class Simt(MachineDescription):
    """A SIMT machine."""

    kind: Literal["simt"] = Field(description="The kind of machine.")
    instructions: str = Field(description="Family of the operation table it executes.")
    compute_capability: float | None = figure(
        default=None,
        ge=1,
        le=99,
        description="Which PTX it runs: code for a `.target` of a later one is refused; left out: "
        "it runs all.",
    )
    clock: Hertz = figure(description="Clock of the SMs and of the L2.")
    sms: int = figure(ge=1, le=MOST_UNITS, description="Streaming multiprocessors.")
    warp_width: int = figure(ge=8, le=64, description="Threads of a warp.")
    subcores: int = figure(ge=1, le=16, description="Sub-cores of an SM.")
    limits: Limits = Field(description="What an SM has for blocks of threads.")
    dispatch: BlockDispatch = Field(description="How blocks come to the SMs.")
    scheduler: Scheduler = Field(description="Which warp issues.")
    reconvergence: Reconvergence = Field(description="How parted threads come together again.")
    dependences: Dependences = Field(description="How instructions wait for what they read.")
    register_file: RegisterFile = Field(description="The register file of a sub-core.")
    pipes: dict[str, Pipe] = Field(
        max_length=MOST_NAMED, description="Execution pipes of a sub-core by name."
    )
    classes: dict[str, InstructionClass] = Field(
        description="Cost of instructions by scheduling class."
    )
    branches: Branches = Field(description="Cost of control flow.")
    barriers: Barriers = Field(description="Cost of a barrier of a block.")
    clusters: Clusters | None = Field(
        None, description="Clusters of blocks; left out: each block is a cluster of its own."
    )
    memory: MemorySystem = Field(description="Caches, shared memory and device memory.")
    host: Host = Field(description="Launches and copies.")

    @property
    def gpcs(self) -> int:
        """Groups of SMs; SM n belongs to group n * gpcs // sms."""
        return -(-self.sms // self.clusters.gpc_sms) if self.clusters else 1

    def interval(self, name: str) -> int:
        """Cycles that an instruction of a class occupies its pipe."""
        described = self.classes[name]
        if described.interval is not None:
            return described.interval
        return -(-self.warp_width // self.pipes[described.pipe].lanes)

    def occupancy(self, name: str) -> int:
        """Cycles that the machine instructions which one of a class stands for occupy its pipe."""
        return self.interval(name) * self.classes[name].slots

    def distance(self, producer: str, consumer: str | None = None, guard: bool = False) -> int:
        """Cycles from an instruction of class `producer` to one of class `consumer` that reads its
        result, or is guarded by it.  A load is taken to hit the L1."""
        described = self.classes[producer]
        latency = described.latency or 0
        known = traits(self.instructions)[producer]
        if known.waits_for_memory:
            latency = known.hit_latency(self.memory)
        if guard:
            return latency + described.guard
        extra = self.pipes[described.pipe].extra
        return latency + (extra.get(self.classes[consumer].pipe, 0) if consumer else 0)

    def issues(self, name: str) -> bool:
        """Whether programs have instructions of a class; those of convergence are the policy's,
        those of copies only some machines'."""
        own = self.reconvergence
        if name in OF_COPIES:
            return self.memory.copies is not None
        if name in OF_BULK:
            return self.memory.bulk is not None
        is_marker = own.policy == "markers" and own.marker_position == "first_in_block"
        if name == "convergence_wait":
            return own.policy == "barriers" or is_marker
        return name != "convergence" or own.policy == "barriers"

    def classes_of(self, pipe: str) -> dict[str, InstructionClass]:
        """The classes that go to a pipe."""
        return {n: c for n, c in self.classes.items() if c.pipe == pipe and self.issues(n)}

    def can_be_busy(self, pipe: str) -> bool:
        """Whether warps may find a pipe occupied: by an instruction of more cycles than one, or one
        that waits for the path to memory."""
        known = traits(self.instructions)
        return any(
            known[name].accesses or self.occupancy(name) > 1 for name in self.classes_of(pipe)
        )

    def passes_results(self, pipe: str, to: str | None = None) -> bool:
        """Whether instructions in a pipe write registers of a file that some in another pipe (or
        in any) read."""
        known = traits(self.instructions)
        readers = self.classes if to is None else self.classes_of(to)
        written = frozenset().union(*(known[name].writes for name in self.classes_of(pipe)))
        return any(known[name].reads & written for name in readers)

    @cached_property
    def dram_bytes_per_cycle(self) -> float:
        """Bytes of all channels in a cycle of the clock."""
        return self.memory.dram.bandwidth / self.clock

    def l1_sets(self, carve_out: int) -> int:
        """Sets of the L1 when `carve_out` bytes of its memory are shared memory (any whole number:
        the set of a line is its number modulo the sets)."""
        l1 = self.memory.l1
        return (l1.size - carve_out) // (l1.line * l1.ways)
