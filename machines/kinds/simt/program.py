"""What the compiler hands to the simulator for a `simt` machine: kernels of PTX rows.

Every thread of a launch runs a kernel's rows from its entry on.  A row's operands are registers of
the thread, constants of the program, or numbers in the instruction:

    0: setp.lt.s32  %p0, %r0, #1          code[0] = [setp.lt.s32, 0, 0, 0, -2, 0, …]
    1: @!%p0 bra    3                     code[1] = [bra, -1, 3, 0, …]

A thread's registers are 32 bits wide; one of 64 bits is a pair, named by its even first half.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from machines.diagnostics import Location, input_error
from machines.elements import as_elements, in_memory
from machines.later import Later
from machines.program import Parameter, ProgramBuffer
from machines.types import Type

np = Later("numpy")

OPERATION, GUARD, FIRST_OPERAND = 0, 1, 2
"""Columns of `WarpProgram.code`."""
COLUMNS = FIRST_OPERAND + 8
"""At least; a program has more if a row that it uses has more operands."""
NOWHERE = -1
"""Of `reconverge`: the threads of a branch meet again only at the kernel's end."""

STALL, YIELD, WRITE_COUNTER, READ_COUNTER, WAIT_MASK = range(5)
"""Columns of `WarpProgram.control`."""
CONTROL_COLUMNS = 5
NO_COUNTER = 7


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A parameter of a kernel in its parameter space: `bytes` at `offset`.

    type       PTR for what is an address (an I64 may be one, too); None for a structure
    alignment  of a structure
    signed     whether the source says that an integer is; else it may be either
    room       of a pointer into shared memory, for whose target the launch makes room (OpenCL's
               `__local`): the target's alignment; else 0
    """

    name: str
    type: Type | None
    offset: int
    bytes: int
    alignment: int = 1
    signed: bool = False
    room: int = field(default=0, repr=False)


@dataclass(slots=True)
class KernelFrame:
    """What a kernel needs beside its code, known from the front end or selection on.

    shared         bytes of static shared memory; dynamic shared memory begins behind it, at a
                   multiple of `dynamic_alignment` (0: the kernel uses none)
    shared_names   (name, offset, bytes) of its shared arrays, for messages
    local          bytes of local memory of a thread
    meets          whether the blocks of its grid may wait for each other: all have to be resident
    recurs         whether a stack of calls stands behind these, as large as the machine says
    most_threads   of a block, as the source promises (0: no promise)
    exact_block    threads of a block along x, y and z, if the source says them (`.reqntid`)
    exact_cluster  blocks of a cluster along x, y and z, if the source says them
                   (`.reqnctapercluster`)
    most_cluster   blocks of a cluster at most, as the source promises (0: no promise)
    shares         whether blocks of a cluster may access each other's shared memory
    wants_cluster  whether a launch has to say how large its clusters are (`.explicitcluster`)
    traps          (file, line, column, text) of its traps of which a reason is known, for messages
    """

    parameters: list[KernelParameter] = field(default_factory=list)
    shared: int = 0
    shared_names: list[tuple[str, int, int]] = field(default_factory=list)
    dynamic_alignment: int = 0
    local: int = 0
    meets: bool = False
    recurs: bool = False
    most_threads: int = 0
    exact_block: tuple[int, ...] = ()
    exact_cluster: tuple[int, ...] = ()
    most_cluster: int = 0
    wants_cluster: bool = False
    shares: bool = False
    traps: list[tuple[str, int, int, str]] = field(default_factory=list)

    def objection(self, threads: Sequence[int]) -> tuple[str, str] | None:
        """Why blocks of so many threads along x, y, z cannot be launched: (message, hint)."""
        if self.exact_block and tuple(threads) != tuple(self.exact_block):
            message = (
                f"blocks of {extents_text(threads)} threads, and the kernel says that its blocks "
            )
            return (
                f"{message}have {extents_text(self.exact_block)}",
                f"block: {list(self.exact_block)}",
            )
        if self.most_threads and prod(threads) > self.most_threads:
            message = f"blocks of {prod(threads)} threads, and the kernel says that its blocks "
            return f"{message}have {self.most_threads} at most", "launch smaller blocks"
        return None

    def shared_bytes(self, dynamic: int) -> int:
        """Bytes of shared memory of a block that is launched with `dynamic` bytes of it."""
        unit = max(self.dynamic_alignment, 1)
        return -(-self.shared // unit) * unit + dynamic if dynamic else self.shared


def extents_text(extents: Sequence[int]) -> str:
    """'128', '16 by 8'."""
    used = max((axis for axis, n in enumerate(extents) if n != 1), default=0) + 1
    return " by ".join(map(str, extents[:used]))


def parameter_bytes(frame: KernelFrame, values: Sequence[int | float | bytes]) -> bytes:
    """The parameter space of a launch: a value for each parameter, an address for a pointer, bytes
    for a struct.

    Raises InputError if there are more or fewer values than parameters, or bytes of another size.
    """
    parameters = frame.parameters
    if len(values) != len(parameters):
        raise input_error(f"the kernel takes {len(parameters)} arguments, not {len(values)}")
    space = bytearray(max((p.offset + p.bytes for p in parameters), default=0))
    for parameter, value in zip(parameters, values, strict=True):
        space[parameter.offset : parameter.offset + parameter.bytes] = _encoded(parameter, value)
    return bytes(space)


def _encoded(parameter: KernelParameter, value: int | float | bytes) -> bytes:
    if isinstance(value, bytes):
        if len(value) != parameter.bytes:
            found = f"{len(value)} bytes for '{parameter.name}', which has {parameter.bytes}"
            raise input_error(f"there are {found}")
        return value
    if parameter.type is not None and parameter.type.is_float:
        return in_memory(as_elements([value], parameter.type)).tobytes()
    return (int(value) & (1 << 8 * parameter.bytes) - 1).to_bytes(parameter.bytes, "little")


@dataclass(frozen=True, slots=True)
class Kernel:
    """An entry of a program.

    first, end  its pcs [first, end)
    registers   32-bit registers of a thread; `predicates` likewise
    """

    name: str
    first: int
    end: int
    registers: int
    predicates: int
    frame: KernelFrame
    location: Location | None = None


@dataclass
class WarpProgram:
    """Code for warps, ready to run.

    operations  names of the rows used (family `ptx`); column OPERATION indexes it
    code        int64[pcs, COLUMNS or more]: operation, guard (0: none; p + 1: if predicate p;
                -(p + 1): if not), then the operands in declared order, written ones first.  A Lane
                operand: a register number, or -(1 + k) for constant k.  An Immediate: its value.
                A Label: a pc.  A Symbol: an index into `symbols`, whose address it stands for.
                A branch has its guard for a condition, one label, and runs on into the next pc
    constants   int64[n]: the bits of the constants, each in the form that registers hold (a 32-bit
                one zero-extended)
    kernels     by name; `entry` is the one that runs if a launch names none
    symbols     names of buffers or arguments whose addresses the code uses, resolved at launch
    buffers     buffers the program brings (global and constant memory), in layout order
    markers     uint8[pcs]: bit 1 where a convergence marker stands before the pc, bit 2 where
                control checks when it goes on from there
    reconverge  int32[pcs]: for a branch the pc of its immediate post-dominator, else NOWHERE
    blocks      uint8[pcs]: 1 where a block begins
    control     int16[pcs, CONTROL_COLUMNS]: the control bits, for machines that go by them
    locations   for each pc the source location, or None
    labels      pc -> name of the block that begins there
    """

    name: str
    operations: list[str]
    code: np.ndarray
    constants: np.ndarray
    kernels: dict[str, Kernel]
    entry: str | None
    markers: np.ndarray
    reconverge: np.ndarray
    blocks: np.ndarray
    control: np.ndarray
    symbols: list[str] = field(default_factory=list)
    buffers: list[ProgramBuffer] = field(default_factory=list)
    locations: list[Location | None] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    kind: str = "simt"

    @property
    def parameters(self) -> list[Parameter]:
        """Those of the entry."""
        frame = self.kernels[self.entry].frame if self.entry else KernelFrame()
        return [Parameter(p.name, p.type, f"param+{p.offset}") for p in frame.parameters]

    result = None
    """A kernel returns nothing."""

    @property
    def content_hash(self) -> str:
        """SHA-256 of what runs; names of files and lines do not count."""
        digest = hashlib.sha256()
        for part in (self.code, self.constants, self.markers, self.reconverge, self.control):
            digest.update(np.ascontiguousarray(part).tobytes())
        kernels = [(k.name, k.first, k.end, k.registers, k.frame) for k in self.kernels.values()]
        rest = (self.kind, self.operations, self.symbols, self.entry, kernels, self.buffers)
        digest.update(repr(rest).encode())
        return digest.hexdigest()
