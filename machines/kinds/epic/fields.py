"""The fields of an EPIC machine (kind `epic`): bundles of typed slots, dispersal, scoreboard.

Every field is declared here once: type, unit, bounds, one sentence.  Values come from YAML; nothing
here knows Itanium.  Quantities are held as plain numbers in base units: cycles of the core clock,
bytes, hertz, nanoseconds, bytes a second.

Three words used below.  The *shape* of a template is its slots written together, stops left out
('MII').  A *class* is the scheduling class of a row of the operation table.  The *window* is the
bundles that dispersal looks at in one cycle.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from machines.description.schema import (
    MOST_A_CYCLE,
    MOST_CACHE,
    MOST_ENTRIES,
    MOST_LINE,
    MOST_NAMED,
    MOST_TABLE,
    MOST_WAYS,
    Bytes,
    Cycles,
    Description,
    MachineDescription,
    Nanoseconds,
    Rate,
    figure,
)
from machines.instructions import operations
from machines.kinds.epic.stalls import CAUSES
from machines.layout import WRITTEN_BYTES

SlotKind = Literal["M", "I", "F", "B", "L", "X"]
Use = Literal[
    "integer", "address", "store_data", "fp_store_data", "multimedia", "setf", "getf", "fp",
    "predicate", "branch", "application",
]  # fmt: skip
Cause = Literal[*(cause.name for cause in CAUSES)]
Wait = Literal[*(cause.name for cause in CAUSES if cause.is_wait)]


SlotNumber = Annotated[int, Field(ge=0, le=2)]
MOST_REGISTERS = 128
"""Of a file: what seven bits of an instruction can name."""
RegisterNumber = Annotated[int, Field(ge=0, le=MOST_REGISTERS - 1)]


class Template(Description):
    """One bundle template."""

    code: int = figure(ge=0, le=31, description="The template field of the encoded bundle.")
    slots: tuple[SlotKind, SlotKind, SlotKind] = figure(description="What each slot takes.")
    stops: tuple[SlotNumber, ...] = figure(
        default=(), description="Slots (0-2) after which an issue group ends."
    )

    @property
    def shape(self) -> str:
        """The slots written together: 'MII'."""
        return "".join(self.slots)


class Port(Description):
    """One issue port."""

    accepts: tuple[str, ...] = figure(description="Classes it executes.")


class Dispersal(Description):
    """Which syllables of a window of bundles issue together.

    Syllables are taken from left to right until a stop, until one finds no port or breaks a rule
    (a split), or until the window is empty.
    """

    bundles_per_cycle: int = figure(ge=1, le=8, description="Bundles in the dispersal window.")
    matched_slots: dict[SlotKind, tuple[str, ...]] = figure(
        description="For each slot kind whose syllables may trade places: its ports. They issue "
        "together if each can be given a port of its own that accepts it (bipartite matching)."
    )
    ordered_slots: dict[SlotKind, tuple[str, ...]] = figure(
        description="For each slot kind that keeps its order: its ports. A syllable goes to the "
        "first port no syllable of the window has taken, and splits if that one refuses its class."
    )
    by_bundle: tuple[SlotKind, ...] = figure(
        default=(),
        description="Ordered slot kinds that use the n-th port in the n-th bundle of the window.",
    )
    fixed_ports: dict[str, str] = figure(
        default={},
        description="Kind and position ('I1.2': an I slot, bundle 1 of the window, slot 2) -> the "
        "port such a syllable always goes to.",
    )
    branches_by_position: tuple[str, ...] = figure(
        description="Shapes whose B slots go to the branch port of their slot number."
    )
    branch_ports: tuple[str, ...] = figure(description="Ports of B slots 0, 1 and 2.")
    branch_port: str = figure(description="Port of a branch in the single B slot of other shapes.")
    harmless: tuple[str, ...] = figure(
        description="Classes in such a B slot that do not end the group; they go to the first "
        "free branch port."
    )
    spill_classes: tuple[str, ...] = figure(
        default=(),
        description="Classes that may leave an ordered slot when its ports are all taken.",
    )
    spill_to: SlotKind | None = figure(
        default=None,
        description="The matched slot kind whose free ports they may go to.",
        read_when=("there are spill_classes", lambda at: bool(at.owner.spill_classes)),
    )
    ends_group_after: tuple[str, ...] = figure(
        default=(), description="Shapes after which the group always ends."
    )
    ends_group_after_branch: tuple[str, ...] = figure(
        default=(), description="Shapes after which it ends unless their B slot is harmless."
    )
    begins_group_after: dict[str, tuple[str, ...]] = figure(
        default={},
        description="Shape -> shapes; right after one of these in the window it waits for the "
        "next cycle.",
    )
    ends_group_after_class: tuple[str, ...] = figure(
        default=(), description="Classes after which the group ends (implicit stop)."
    )
    exclusive_classes: dict[str, tuple[str, ...]] = figure(
        default={}, description="Class -> classes that may not be in one group with it."
    )


class Latency(Description):
    """Latency of what one class writes."""

    result: Cycles | None = figure(
        default=None,
        ge=0,
        description="Cycles until a consumer may issue without waiting. A load class has none: "
        "the nearest cache that holds its data says it.",
    )
    bypasses: dict[Use, Cycles] = figure(
        default={}, description="The same for uses in which it differs."
    )
    extra: dict[Use, Cycles] = figure(
        default={},
        description="Of a load class: cycles more than the cache's, for uses in which it differs.",
    )
    wait: Wait = figure(
        description="Stall cause of a consumer that waits for it.",
        read_when=("a result comes later than a cycle", lambda at: at.owner.makes_wait),
    )

    @property
    def makes_wait(self) -> bool:
        """Whether a consumer in the next cycle can have to wait."""
        return self.result is None or max(self.result, *self.bypasses.values(), 0) > 1


class RegisterFile(Description):
    """One register file."""

    count: int = figure(ge=1, le=MOST_REGISTERS, description="Registers.")
    rotating: tuple[RegisterNumber, RegisterNumber] | None = figure(
        default=None,
        description="First and last register that may rotate; the general ones are also those that "
        "calls rename.",
    )
    arguments: tuple[RegisterNumber, ...] = Field(
        (), description="Registers that carry arguments, in order."
    )
    result: RegisterNumber | None = Field(None, description="Register of a function's result.")
    stack_pointer: RegisterNumber | None = Field(
        None, description="Register that holds the stack pointer."
    )
    reserved: tuple[RegisterNumber, ...] = Field(
        (), description="Registers the allocator leaves alone."
    )


class RegisterStack(Description):
    """The registers behind r32 … of all frames, and the engine that moves them to memory."""

    registers: int = figure(
        ge=8, le=256, description="Stacked registers there are; a frame has no more."
    )
    moves: int = figure(
        ge=1,
        le=MOST_A_CYCLE,
        description="Registers saved or restored a cycle when calls or returns need it.",
    )
    backing_store: Bytes = figure(
        ge=8,
        le=WRITTEN_BYTES,
        description="Memory for saved registers, eight bytes each; deeper calls fault.",
    )


class Predictor(Description):
    """Branch prediction."""

    kind: Literal["static", "local"] = figure(
        description="'static': by the branch's hint; 'local': per-branch history and counters."
    )
    entries: int = figure(ge=1, le=MOST_TABLE, description="Branches whose history is kept.")
    history_bits: int = figure(
        ge=0,
        le=16,
        description="Outcomes kept per branch.",
        read_when=("kind is local", lambda at: at.owner.kind == "local"),
    )
    counters: int = figure(
        ge=1,
        le=MOST_TABLE,
        description="Two-bit counters.",
        read_when=("kind is local", lambda at: at.owner.kind == "local"),
    )
    return_stack: int = figure(ge=0, le=MOST_TABLE, description="Return addresses kept.")
    perfect_counted_loops: bool = figure(
        description="Loop branches on the loop-count register are always predicted."
    )


class Branches(Description):
    """Cost of control flow."""

    mispredict: Cycles = figure(ge=0, description="Cycles lost to refill after a wrong prediction.")
    taken_bubble: Cycles = figure(ge=0, description="Cycles lost after a taken predicted branch.")
    fetch_bytes: Bytes = figure(ge=16, le=MOST_LINE, description="Aligned bytes fetched per cycle.")
    predictor: Predictor = Field(description="How branches are predicted.")


class Cache(Description):
    """One cache: what those of instructions and of data have in common.

    Fetch asks for a line when its first bundle is due and waits for it, so that nothing limits how
    many it asks for.
    """

    size: Bytes = figure(ge=64, le=MOST_CACHE, description="Capacity.")
    ways: int = figure(ge=1, le=MOST_WAYS, description="Lines per set.")
    line: Bytes = figure(ge=16, le=MOST_LINE, description="Line size.")
    replacement: Literal["lru", "nru"] = figure(
        description="Which line of a set leaves: least recently used, or the first not recently "
        "used by one reference bit a line.",
        read_when=("ways is at least 2", lambda at: at.owner.ways > 1),
    )
    latency: Cycles = figure(
        ge=0, description="Cycles from issue to use of an integer load that hits here."
    )

    @property
    def sets(self) -> int:
        return self.size // (self.ways * self.line)


class DataCache(Cache):
    """A cache that loads and stores look in."""

    accesses: int = figure(ge=1, le=MOST_A_CYCLE, description="Accesses a cycle.")
    banks: int = figure(
        ge=0,
        le=64,
        description="Banks that take one access a cycle each; 0: not divided into banks.",
        read_when=(
            "accesses is at least 2, or loads enter the caches here",
            lambda at: at.owner.accesses > 1 or at.machine.memory.is_entered(at.owner),
        ),
    )
    bank_bytes: Bytes = figure(
        ge=1,
        le=MOST_LINE,
        description="Consecutive bytes in a bank.",
        read_when=(
            "banks is not 0 and accesses is at least 2",
            lambda at: at.owner.banks > 0 and at.owner.accesses > 1,
        ),
    )
    retry: Cycles = figure(
        ge=0,
        description="Cycles more for an access that finds its bank or all ports taken.",
        read_when=(
            "banks is not 0, or more accesses can come in a cycle than 'accesses'",
            lambda at: not at.machine.never_retries(at.owner),
        ),
    )
    queue: int = figure(
        ge=0, le=MOST_ENTRIES, description="Accesses waiting or in flight; 0: no limit."
    )
    misses: int = figure(ge=0, le=MOST_ENTRIES, description="Line misses in flight; 0: no limit.")
    write: Literal["none", "through", "back"] = figure(
        description="What a store does.",
        read_when=(
            "stores come so far: no nearer cache has write back and allocate_on_write",
            lambda at: at.machine.memory.is_stored_to(at.owner),
        ),
    )
    allocate_on_write: bool = figure(
        description="A missing store fetches the line.",
        read_when=(
            "write is not none, and stores come so far: no nearer cache has write back and "
            "allocate_on_write",
            lambda at: at.owner.write != "none" and at.machine.memory.is_stored_to(at.owner),
        ),
    )
    fp_extra: Cycles = figure(
        ge=0,
        description="Cycles more for a floating-point load.",
        read_when=(
            "floating-point loads look in it: it or a nearer cache has holds_fp",
            lambda at: any(
                cache.holds_fp for cache in (at.owner, *at.machine.memory.before(at.owner))
            ),
        ),
    )
    holds_fp: bool = figure(
        description="Floating-point loads and stores look here.",
        read_when=(
            "no nearer cache has holds_fp",
            lambda at: not any(cache.holds_fp for cache in at.machine.memory.before(at.owner)),
        ),
    )


class MainMemory(Description):
    """Main memory behind the last cache."""

    latency_cycles: Cycles = figure(
        ge=0,
        description="Part of the time from issue to use of an integer load that scales with the "
        "clock.",
    )
    latency_time: Nanoseconds = figure(ge=0, description="Part that does not.")
    fp_extra: Cycles = figure(ge=0, description="Cycles more for a floating-point load.")
    bandwidth: Rate = figure(description="Bytes a second on the bus.")


class Caches(Description):
    """The memory system from the core outward."""

    l1i: Cache = Field(description="First-level instruction cache.")
    l1d: DataCache = Field(description="First-level data cache.")
    l2: DataCache = Field(description="Second-level cache, for data and instructions.")
    l3: DataCache | None = Field(None, description="Third-level cache.")
    main: MainMemory = Field(description="Main memory.")
    misaligned: Cycles | None = figure(
        default=None,
        ge=0,
        description="Cycles in which the operating system serves a load or store that is not "
        "aligned; left out: such an access faults, as one of a semaphore always does.",
    )
    stack: Bytes = figure(
        ge=32,
        le=WRITTEN_BYTES,
        description="Of the stack of an assembly program that names the stack pointer.",
    )

    @property
    def data_caches(self) -> list[DataCache]:
        """Those that loads may find their data in, from the core outward."""
        return [self.l1d, self.l2, *([self.l3] if self.l3 else [])]

    @property
    def nearest_with_floats(self) -> DataCache:
        """Where floating loads and stores, and semaphores, enter."""
        return next(cache for cache in self.data_caches if cache.holds_fp)

    def is_entered(self, cache: DataCache) -> bool:
        """Whether integer or floating loads enter the caches here."""
        return cache is self.l1d or cache is self.nearest_with_floats

    def is_stored_to(self, cache: DataCache) -> bool:
        """Whether stores can come to a cache, from where integers or floats enter: one that is
        written back and takes the lines that stores miss keeps them for itself."""
        position = self.data_caches.index(cache)
        entries = map(self.data_caches.index, (self.l1d, self.nearest_with_floats))
        return any(
            entry <= position
            and not any(
                c.write == "back" and c.allocate_on_write for c in self.data_caches[entry:position]
            )
            for entry in entries
        )

    def before(self, cache: DataCache) -> list[DataCache]:
        """The data caches nearer to the core."""
        return self.data_caches[: self.data_caches.index(cache)]


class Epic(MachineDescription):
    """An EPIC machine."""

    kind: Literal["epic"] = Field(description="The kind of machine.")
    instructions: str = Field(description="Family of the operation table it executes.")
    templates: dict[str, Template] = Field(description="Bundle templates by name ('MI;I').")
    ports: dict[str, Port] = Field(max_length=MOST_NAMED, description="Issue ports by name.")
    dispersal: Dispersal = Field(description="Which syllables issue together.")
    latencies: dict[str, Latency] = Field(description="Latencies by class of what is written.")
    registers: dict[Literal["general", "floating", "predicate", "branch"], RegisterFile] = Field(
        description="Register files."
    )
    register_stack: RegisterStack = Field(description="Stacked registers and where they overflow.")
    branches: Branches = Field(description="Cost of control flow.")
    memory: Caches = Field(description="Caches and main memory.")
    stall_order: dict[Cause, str] = figure(
        description="Stall causes, highest priority first (a lost cycle belongs to the first that "
        "is unmet), and the performance-monitor event each is reported as."
    )

    @property
    def largest_frame(self) -> int:
        """Stacked registers a function may have: those that are named, if there are so many."""
        named = self.registers["general"].rotating
        return min(named[1] - named[0] + 1 if named else 0, self.register_stack.registers)

    def latency(self, produced: str, use: str | None = None) -> int:
        """Cycles from a producer of a latency class to a consumer that may issue without waiting.

        `use` None is any use that has no bypass.  A load is taken to hit the nearest cache that
        holds its data.
        """
        latency = self.latencies[produced]
        if latency.result is not None:
            return latency.bypasses.get(use, latency.result)
        if load_classes(self.instructions)[produced] == "floating":
            cache = self.memory.nearest_with_floats
            return cache.latency + cache.fp_extra + latency.extra.get(use, 0)
        return self.memory.l1d.latency + latency.extra.get(use, 0)

    def lateness(self, produced: str) -> int:
        """Cycles that a load of a class often comes later than its latency says: because its bank
        is taken, or, from a cache without banks, because its data is in the cache behind."""
        is_floating = load_classes(self.instructions)[produced] == "floating"
        caches = self.memory.data_caches
        entered = self.memory.nearest_with_floats if is_floating else self.memory.l1d
        behind = caches[caches.index(entered) + 1 :]
        if entered.banks or not behind:
            return entered.retry if entered.banks else 0
        return behind[0].latency - entered.latency

    def never_retries(self, cache: DataCache) -> bool:
        """Whether no access to a cache can find its bank or all ports taken.  Those farther out may
        be asked by several nearer ones at a time."""
        is_near = cache is self.memory.l1d
        return is_near and cache.accesses >= self._memory_ports and not cache.banks

    @property
    def _memory_ports(self) -> int:
        """Ports from which memory can be accessed: as many accesses can issue in a cycle."""
        rows = operations().family(self.instructions).values()
        classes = {row.scheduling_class for row in rows if row.access}
        return sum(1 for port in self.ports.values() if classes & set(port.accepts))


@cache
def load_classes(instructions: str) -> dict[str, Literal["integer", "floating"]]:
    """The classes of a family's loads (semaphores are none), and what they load."""
    rows = operations().family(instructions).values()
    return {
        row.scheduling_class: "floating" if row.writes[0].kind.name == "fr" else "integer"
        for row in rows
        if row.access and row.access.kind == "load"
    }
