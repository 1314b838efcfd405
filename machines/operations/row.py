"""What a row of the operation table is, and the registry that holds all rows.

Everything that knows an operation (verifier, printer, interpreters, constant folder, jitted core,
the printed instruction-set page) loops over these rows; nothing keeps a second list.

A row's `meaning` is a few lines of Python over the names of its operands: what it reads is there
as a variable, what it writes is assigned.  It uses the vocabulary of
`machines/vocabulary/numbers.py` and `machines/vocabulary/floating.py` only (plus + - * & | ^ ~,
comparisons, and, or and `a if c else b`), because the same text is executed in Python by the
interpreters and compiled into the jitted cores, where the vocabulary has jitted twins of the same
names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from machines.operations.meaning import parsed
from machines.types import F32, F64, I1, I16, I32, I64, Type

_HELD = {"f32": F32, "f64": F64, "pred": I1}


@dataclass(frozen=True, slots=True)
class RegisterKind:
    """A register file seen as an operand kind: 'gr', 'fr', 'pr' or 'br' of family `ia64`.

    prefix  of the names of its registers: r0, r1, …
    holds   the type of what a register holds
    """

    name: str
    prefix: str
    holds: Type = I64

    @property
    def file(self) -> str:
        return self.name

    def objection(self, number: int) -> str | None:
        """What is wrong with a register of the file as this operand; None: nothing."""
        return None


@dataclass(frozen=True, slots=True)
class Lane:
    """A register that every lane of a warp has its own of, and how this operand reads its bits.

    type  's16' 's32' 's64' (signed), 'u8' 'u16' 'u32' 'u64' 'b16' 'b32' 'b64' (unsigned; 64 bits
          are held signed, as everywhere), 'f32', 'f64', or 'pred' (0 or 1)
    """

    type: str

    @property
    def file(self) -> str:
        """The registers it stands in: 'b32' (anything up to 32 bits), 'b64' or 'pred'."""
        if self.type == "pred":
            return "pred"
        return "b64" if self.type.endswith("64") else "b32"

    @property
    def prefix(self) -> str:
        """Of the names of its registers: r4, p0, and d4 for the pair r4, r5."""
        return {"b32": "r", "b64": "d", "pred": "p"}[self.file]

    @property
    def holds(self) -> Type:
        """The type of what a register holds."""
        if self.type in _HELD:
            return _HELD[self.type]
        if self.file == "b64":
            return I64
        return I16 if self.type.endswith("16") else I32

    def objection(self, number: int) -> str | None:
        """What is wrong with a register of the file as this operand; None: nothing."""
        return "a pair begins at an even number" if self.file == "b64" and number % 2 else None


@dataclass(frozen=True, slots=True)
class Immediate:
    """A constant in the instruction: a signed (or unsigned) field of `bits` bits."""

    bits: int
    signed: bool = True

    @property
    def lowest(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def highest(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def objection(self, value: int) -> str | None:
        """Why a number does not fit the field; None: it does."""
        if self.lowest <= value <= self.highest:
            return None
        return f"{value} is outside {self.lowest} … {self.highest}"


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a block."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """The name of a buffer; its value is the buffer's address."""


@dataclass(frozen=True, slots=True)
class Callee(Symbol):
    """The name of a function of the module; the operands behind it are the arguments."""


@dataclass(frozen=True, slots=True)
class Prototype(Callee):
    """The name of a function that has the parameters and the result of the one that is called; the
    address of that one is the first of the operands behind it."""


@dataclass(frozen=True, slots=True)
class Region:
    """An interval of a buffer of `type` elements that the operation loads or stores as a whole."""

    type: Type
    access: str  # 'load' or 'store'

    def __str__(self) -> str:
        return f"interval of {self.type}"


@dataclass(frozen=True, slots=True)
class Element:
    """What a name in a meaning stands for: an element of an operand, by an expression of indices,
    extents and the names before it."""

    name: str
    operand: str
    index: str


@dataclass(frozen=True, slots=True)
class Limit:
    """What must hold of extents, or nothing can be done.

    operand    the one that is to blame
    condition  an expression of extents
    sentence   the same in words
    """

    operand: str
    condition: str
    sentence: str


@dataclass(frozen=True)
class Walk:
    """How a tensor operation goes through its intervals: nested loops, an element of each a turn.

    A row's meaning is done in every turn.  What is written has the name of its operand there; it
    keeps its value from turn to turn of the loops that its element does not depend on.

    Extents are numbers: i64 operands; names that stand alone in `sizes`, which are the size of the
    first such interval; and what is `derived` from these.

    loops     (index, extent) pairs, the outermost loop first; indices count up from 0
    elements  of every operand that is an interval, and of a result
    sizes     operand -> the number of its elements, an expression of extents
    derived   extent -> an expression of those before it, for numbers within the limits
    limits    what must hold of the extents
    start     what is written -> what it is before its first turn, an expression of names
    end       what is done with it after its last turn, as in a meaning; empty: nothing
    """

    loops: tuple[tuple[str, str], ...]
    elements: tuple[Element, ...]
    sizes: tuple[tuple[str, str], ...]
    derived: tuple[tuple[str, str], ...] = ()
    limits: tuple[Limit, ...] = ()
    start: tuple[tuple[str, str], ...] = ()
    end: str = ""

    @cached_property
    def extents(self) -> tuple[str, ...]:
        """The names of all extents but those that are derived from others."""
        derived = dict(self.derived)
        texts = (
            *(extent for _, extent in self.loops),
            *(element.index for element in self.elements),
            *(size for _, size in self.sizes),
            *derived.values(),
            *(limit.condition for limit in self.limits),
        )
        named = {index for index, _ in self.loops} | {e.name for e in self.elements} | {*derived}
        found = (name for text in texts for name in sorted(parsed(text).reads))
        return tuple(dict.fromkeys(name for name in found if name not in named))


OperandKind = Type | RegisterKind | Lane | Immediate | Label | Symbol | Region


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand of a row.

    mode      'r' read, 'w' written, 'rw' both (a post-incremented address)
    use       how a machine consumes it, the key of bypass latencies: 'integer', 'address',
              'store_data', 'fp_store_data', 'multimedia', 'setf', 'getf', 'fp', 'predicate',
              'branch', 'application'
    produces  latency class of the written value; None means the row's `scheduling_class`
    """

    name: str
    kind: OperandKind
    mode: str = "r"
    use: str = "integer"
    produces: str | None = None

    @property
    def is_read(self) -> bool:
        return "r" in self.mode

    @property
    def is_written(self) -> bool:
        return "w" in self.mode


@dataclass(frozen=True, slots=True)
class Access:
    """A memory access: `bytes` at the address in operand `address`, naturally aligned.

    A load makes the bytes available to the meaning as `loaded` (unsigned value held in a signed
    64-bit integer; accesses of 16 or 10 bytes also have `loaded_high`); a store's meaning assigns
    `stored` (and `stored_high`).

    Of rows for threads: `space` is 'global', 'shared', 'local', 'const', 'param' or 'generic' (the
    address says which), `offset` an operand that is added to the address, and `elements` how many
    values of `bytes` bytes follow each other (a vector access, aligned to all of them together).
    Loads and stores have no meaning of their own there: element k goes to operand `values[k]`
    (`signed`: sign-extended if it is narrower than that), or comes from it.  An atomic `combines`
    what is in memory with `values`: 'add', 'min', 'exch', …; its meaning says how.

    Of a row about fragments only the first `lanes` of a warp access memory (0: all of them), and
    `values` are operands of a fragment, not of the row.
    """

    kind: str  # 'load', 'store', 'load_store' (semaphores, atomics) or 'prefetch'
    bytes: int
    address: str
    space: str | None = None
    elements: int = 1
    offset: str | None = None
    values: tuple[str, ...] = ()
    signed: bool = False
    combines: str | None = None
    lanes: int = 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """Threads that come together at a row.

    among    'warp', 'block' or 'cluster': of a cluster, a thread that does not wait says that it
             has come, and one that waits has said so before
    who      the operand that says which: the lanes of the warp, as bits, or how many threads of the
             block (0: all that have not ended)
    barrier  the operand that says at which barrier of the block
    waits    False: a thread says that it has come, and goes on
    releases whether it has come only when its stores are seen
    """

    among: str
    who: str = ""
    barrier: str | None = None
    waits: bool = True
    releases: bool = True


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a matrix that lies in the registers of a warp.

    name      what the meaning calls it: number width · k + lane of it is its operand k in a lane
    operands  their names, as they follow each other in the row; into those that are written goes
              what the meaning has put there
    """

    name: str
    operands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """What the lanes that meet at a row make of the values that each brings.

    how      'shuffle'  the meaning assigns `source`; the result is the value of that lane
             'ballot'   the meaning reads `ballot`, the lanes whose value is true
             'match'    the meaning reads `equal`, the lanes that bring the same value
             'reduce'   the meaning is done once for each lane but the first, and reads `gathered`,
                        what the lanes before it have come to
             'matrix'   the meaning is done once for the warp, all lanes of which have to be there,
                        and calls functions of fragments
    operand    the value that is brought; of matrices none
    fragments  those of matrices
    """

    how: str
    operand: str | None = None
    fragments: tuple[Fragment, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """What a row does to the products of matrices that a group of warps has on its way.

    does     'multiply', 'fence', 'commit' (those so far are a group) or 'wait'
    columns  of a product's result
    left     the operand that says where its left matrix is in shared memory; None: it is not there
    right    the same of the other one
    turned   the operands that say whether they are transposed
    count    the operand that says how many groups may be left
    """

    does: str
    columns: int = 0
    left: str | None = None
    right: str | None = None
    turned: tuple[str, ...] = ()
    count: str | None = None


@dataclass(frozen=True, slots=True)
class Convergence:
    """What a row does to a convergence barrier, which threads of a warp wait at for each other.

    does     'begin' (threads that are here will wait), 'wait', 'leave', or 'choose' (no barrier: it
             is chosen anew which threads run)
    barrier  the operand that says which
    """

    does: str
    barrier: str | None = None


@dataclass(frozen=True, slots=True)
class Asynchronous:
    """What a row has to do with copies that go on while the thread does something else.

    does    'copy'    the bytes of its first access go to its second; until the thread has waited
                      for the copy nobody may access what it writes
            'commit'  the thread's copies since the last one are a group
            'wait'    the thread waits for its groups but the last `count` (None: for all copies)
            'bulk_in', 'bulk_out'  `size` bytes go from the first access to the second; of bytes
                      that come in, a barrier object is told; those that go out are of groups
            'tensor_in', 'tensor_out'  the same of a box of a tensor, which a map describes
            'bulk_commit', 'bulk_wait'  the same of groups of these, which are a thread's own, too
    size    of a copy, the operand that says how many of its bytes are read; the others become 0
    cached  of a copy: the L1 keeps what it reads
    count   of a wait, the operand that says how many groups may still be on their way
    barrier the operands that say where the barrier object is: an address, and what is added
    reduces of 'bulk_out', 'tensor_out': the operand that says what becomes of an element and the
            one that comes to it (see `machines.vocabulary.bulk_reductions`)
    map     of a box of a tensor, where its map is, likewise
    coordinates  the operands that say where it begins
    reads   of 'bulk_wait': until what goes out has been read, not until it is written
    """

    does: str
    size: str | None = None
    cached: bool = False
    count: str | None = None
    barrier: tuple[str, ...] = ()
    reduces: str | None = None
    map: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()
    reads: bool = False


@dataclass(frozen=True, slots=True)
class BarrierObject:
    """What a row does to a barrier object of 8 bytes in shared memory (mbarrier), where its access
    is; what it is then is told in `machines.vocabulary.mbarriers`.

    does     'init'     make one, which expects `count` arrivals
             'inval'    unmake it
             'arrive'   expect `bytes` more, then arrive `count` times
             'expect'   expect `bytes` more
             'complete' so many `bytes` have come
             'test'     ask whether a phase is over
             'copies'   arrive when all copies of the thread so far are there
    count, bytes   the operands that say it
    phase    of 'test', the operand that says which: the state that an arrival gave, or its parity
    time     of 'test', the operand that says for how many nanoseconds at most a thread waits for
             the phase to be over; without it does not
    is_parity      `phase` is a parity
    drops    the arrivals are not expected any more in the phases to come
    completes      False: the arrival may not end the phase
    counts_in      of 'copies': the arrival is one more than those expected
    """

    does: str
    count: str | None = None
    bytes: str | None = None
    phase: str | None = None
    time: str | None = None
    is_parity: bool = False
    drops: bool = False
    completes: bool = True
    counts_in: bool = False


@dataclass(frozen=True)
class Operation:
    """One row.

    name             unique: 'add.i32', 'ld8.increment_immediate', 'br.cloop'
    family           'ir', 'ia64' or 'ptx'
    operands         in the order of the machine encoding columns: written first, then read
    meaning          see the module docstring
    sentence         one sentence for the printed ISA page
    syntax           text form with {operand} fields, GNU syntax for ia64; IR rows have none, since
                     the IR prints them all the same way
    implicit_reads / implicit_writes   resources without an operand: 'ar.lc', 'ar.ec', 'rrb', …
    accesses         of memory, in the order in which they happen
    meets            threads that come together here, if they do
    combines         what they make of what each brings
    converges        what it does to a convergence barrier
    group            what it does to products that are on their way
    fences           'block', 'device' or 'system': what this thread wrote before is seen by all
                     threads there before what it writes after
    proxies          of such a row: by copies and products of matrices
    sleeps           the operand that says for how many nanoseconds the thread does nothing
    asynchronous     what it has to do with copies that go on meanwhile
    barrier_object   what it does to an object in shared memory that threads and copies arrive at
    quiet            the row that does the same without a result, or with only some of them
    faults_if        Python expression over the operands; true means a fault of kind `fault`
    control          None, 'jump', 'branch', 'return', 'call' or 'stop': how it may change the flow
    scheduling_class name of the class that the machine YAML gives ports and latencies to
    slot_kind        'A', 'I', 'M', 'F', 'B' or 'LX'
    commutes         the first two operands may be swapped
    walk             of a tensor operation: which elements its meaning is done for
    """

    name: str
    family: str
    operands: tuple[Operand, ...]
    meaning: str
    sentence: str
    syntax: str | None = None
    implicit_reads: tuple[str, ...] = ()
    implicit_writes: tuple[str, ...] = ()
    accesses: tuple[Access, ...] = ()
    faults_if: str | None = None
    fault: str | None = None
    control: str | None = None
    scheduling_class: str | None = None
    slot_kind: str | None = None
    commutes: bool = False
    flags: frozenset[str] = frozenset()
    walk: Walk | None = None
    meets: Meeting | None = None
    combines: Combination | None = None
    converges: Convergence | None = None
    group: Group | None = None
    fences: str | None = None
    proxies: bool = False
    sleeps: str | None = None
    asynchronous: Asynchronous | None = None
    barrier_object: BarrierObject | None = None
    quiet: str | None = None

    @cached_property
    def access(self) -> Access | None:
        """The access of a row that has at most one, as those of families `ir` and `ia64` have."""
        if len(self.accesses) > 1:
            raise ValueError(f"row {self.name} has several accesses: look at `accesses`")
        return self.accesses[0] if self.accesses else None

    def position(self, name: str) -> int:
        """Which of the operands has a name."""
        return next(k for k, operand in enumerate(self.operands) if operand.name == name)

    @cached_property
    def writes(self) -> tuple[Operand, ...]:
        return tuple(o for o in self.operands if o.is_written)

    @cached_property
    def reads(self) -> tuple[Operand, ...]:
        return tuple(o for o in self.operands if o.is_read)

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The kinds of the operands that are memory itself (tensor operations)."""
        return tuple(o.kind for o in self.operands if isinstance(o.kind, Region))

    @cached_property
    def made(self) -> tuple[str, ...]:
        """Of a row about fragments: those that its meaning makes, the others are read."""
        written = {operand.name for operand in self.writes}
        written.update(name for a in self.accesses if a.kind == "store" for name in a.values)
        return tuple(f.name for f in self.combines.fragments if written.issuperset(f.operands))

    @cached_property
    def alone(self) -> tuple[Operand, ...]:
        """Of a row about fragments: what its meaning reads beside them, of the first lane."""
        parts = {name for f in self.combines.fragments for name in f.operands}
        named = parsed(self.meaning).reads
        return tuple(o for o in self.reads if o.name in named and o.name not in parts)

    @cached_property
    def written_names(self) -> tuple[str, ...]:
        """Of a tensor operation: its results, and the intervals that it writes."""
        return tuple(
            o.name
            for o in self.operands
            if o.is_written or (isinstance(o.kind, Region) and o.kind.access == "store")
        )

    @cached_property
    def extents(self) -> tuple[str, ...]:
        """Of a tensor operation: the operands that say how many."""
        return tuple(o.name for o in self.reads if self.walk and o.name in self.walk.extents)

    @cached_property
    def label_positions(self) -> tuple[int, ...]:
        """Which of the operands that are read name blocks."""
        return tuple(k for k, o in enumerate(self.reads) if isinstance(o.kind, Label))

    @cached_property
    def name_positions(self) -> frozenset[int]:
        """Which of the operands that are read name blocks, buffers or functions: all others are
        values."""
        return frozenset(k for k, o in enumerate(self.reads) if isinstance(o.kind, (Label, Symbol)))

    @cached_property
    def has_plain_operands(self) -> bool:
        """True if all that it reads are variables, literals and, behind these, names of blocks."""
        labels = range(len(self.reads) - len(self.label_positions), len(self.reads))
        is_plain = self.label_positions == tuple(labels) and self.name_positions == {*labels}
        return is_plain and not self.regions and "phi" not in self.flags

    @cached_property
    def calls(self) -> bool:
        """True if the operation runs a function, which may load, store and fault."""
        return any(isinstance(o.kind, Callee) for o in self.operands)

    @cached_property
    def calls_through(self) -> bool:
        """True if the function that it runs is known only while the program runs."""
        return any(isinstance(o.kind, Prototype) for o in self.operands)

    @cached_property
    def orders_memory(self) -> bool:
        """True if other code may access any memory there (calls, and where threads meet), so that
        no access is moved across it."""
        return self.calls or "orders_memory" in self.flags

    @cached_property
    def is_volatile(self) -> bool:
        """True of a load or store that orders memory: it happens as often as the program says."""
        return self.orders_memory and any(one.kind != "load_store" for one in self.accesses)

    @cached_property
    def is_convergent(self) -> bool:
        """True if which threads come there together is part of what it does: it is never moved,
        merged, removed or duplicated."""
        return "convergent" in self.flags

    @cached_property
    def is_of_many(self) -> bool:
        """True if it means something only where a program runs many times at once: as the threads
        of a grid, or on the cores of a chip."""
        return not self.flags.isdisjoint({"threads", "cores"})

    @cached_property
    def stores(self) -> bool:
        """True if the operation writes memory."""
        scalar = any(access.kind in ("store", "load_store") for access in self.accesses)
        return scalar or self.orders_memory or any(r.access == "store" for r in self.regions)

    @cached_property
    def loads(self) -> bool:
        """True if the operation reads memory."""
        scalar = any(access.kind in ("load", "load_store") for access in self.accesses)
        return scalar or self.orders_memory or any(r.access == "load" for r in self.regions)

    def implicit_use(self, resource: str) -> str:
        """The use, as latencies know it, of a resource that is read without an operand."""
        if resource == "pr":
            return "predicate"
        return "branch" if self.control else "application"

    @cached_property
    def is_terminator(self) -> bool:
        """True if blocks end with it and it stands nowhere else; a branch may stand inside one."""
        return "terminator" in self.flags

    @cached_property
    def may_fault(self) -> bool:
        return self.faults_if is not None or self.loads or self.stores

    @cached_property
    def has_effect(self) -> bool:
        """True if the operation must stay where it is even when its results are unused."""
        return self.stores or self.may_fault or self.is_convergent or self.control is not None

    def __str__(self) -> str:
        return self.name


class OperationTable:
    """The registry: rows by name within each family."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, Operation]] = {}

    def add(self, rows: Iterable[Operation]) -> None:
        """Add rows; a name taken twice within a family is a programming error."""
        for row in rows:
            family = self._rows.setdefault(row.family, {})
            if row.name in family:
                raise ValueError(f"operation {row.family}:{row.name} is declared twice")
            family[row.name] = row

    def family(self, name: str) -> dict[str, Operation]:
        """All rows of one family by name, in declaration order."""
        return self._rows[name]

    @property
    def families(self) -> tuple[str, ...]:
        """Names of the families that have rows."""
        return tuple(self._rows)

    def __getitem__(self, key: tuple[str, str]) -> Operation:
        family, name = key
        return self._rows[family][name]
