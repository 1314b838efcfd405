"""The fields of an EPIC machine (kind `epic`): bundles of typed slots, dispersal, scoreboard.

Every field is declared here once: type, unit, bounds, one sentence.  Values come from YAML; nothing
here knows Itanium.  The classes are frozen and hold plain numbers in base units: cycles of the core
clock, bytes, hertz.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from machines.schema import (
    Bytes,
    Cycles,
    Description,
    Hertz,
    Nanoseconds,
    Rate,
    figure,
)

SlotKind = Literal["M", "I", "F", "B", "L", "X"]
Use = Literal[
    "integer", "address", "store_data", "fp_store_data", "multimedia", "setf", "getf", "fp",
    "predicate", "branch", "application",
]


class Template(Description):
    """One bundle template."""

    code: int = Field(ge=0, le=31, description="The template field of the encoded bundle.")
    slots: tuple[SlotKind, SlotKind, SlotKind] = Field(description="What each slot takes.")
    stops: tuple[int, ...] = Field((), description="Slots (0-2) after which an issue group ends.")


class Port(Description):
    """One issue port."""

    accepts: tuple[str, ...] = Field(description="Scheduling classes it executes.")


class Dispersal(Description):
    """Which syllables of a window of bundles issue together."""

    bundles_per_cycle: int = figure(ge=1, le=8, description="Bundles in the dispersal window.")
    matched_slots: tuple[SlotKind, ...] = Field(
        description="Slot kinds whose syllables may go to any free port that accepts them "
        "(bipartite matching); the others go to ports in order."
    )
    ordered_ports: dict[str, tuple[str, ...]] = Field(
        description="For each slot kind that is not matched: its ports; the n-th syllable of that "
        "kind in the window goes to the n-th port."
    )
    by_bundle: tuple[SlotKind, ...] = Field(
        (), description="Slot kinds whose n counts bundles of the window, not syllables before it."
    )
    branch_ports_by_position: tuple[str, ...] = Field(
        description="Templates whose B slots go to the branch port of their slot number."
    )
    branch_port: str = Field(description="Port of the single branch slot of other templates.")
    hint_port: str = Field(description="Port of that slot if it holds a class of `harmless`.")
    harmless: tuple[str, ...] = Field(
        description="Classes in a B slot that do not end the issue group."
    )
    spill_classes: tuple[str, ...] = Field(
        (), description="Classes that may leave an I slot for a free M port when I ports are taken."
    )
    spill_to: tuple[str, ...] = Field((), description="Ports such syllables may go to.")
    fixed_ports: dict[str, str] = Field(
        {}, description="'bundle.slot' of the window -> port its syllable always uses."
    )
    ends_group_after: tuple[str, ...] = Field(
        (), description="Templates after which the group always ends."
    )
    ends_group_after_branch: tuple[str, ...] = Field(
        (), description="Templates after which it ends unless their B slot is harmless."
    )
    begins_group_before: dict[str, tuple[str, ...]] = Field(
        {}, description="Template -> templates before it in the window that make it wait."
    )
    stops_after_class: tuple[str, ...] = Field(
        (), description="Classes after which the group ends (implicit stop)."
    )
    stops_before_class: tuple[str, ...] = Field((), description="Classes that begin a group.")
    exclusive_classes: dict[str, tuple[str, ...]] = Field(
        {}, description="Class -> slot kinds it shares no group with."
    )
    splits_template: dict[str, tuple[int, ...]] = Field(
        {}, description="Template -> slots before which it always splits (Merced's MMF)."
    )


class Latency(Description):
    """Latency of one scheduling class."""

    result: Cycles = figure(ge=0, description="Cycles until a consumer may issue.")
    bypasses: dict[Use, Cycles] = figure(
        default={}, description="Cycles to consumers for which it differs."
    )
    wait: Literal["integer", "load", "float", "predicate", "application"] = Field(
        description="Stall bucket of a consumer that waits for it."
    )


class RegisterFile(Description):
    """One register file."""

    count: int = figure(ge=1, le=128, description="Registers.")
    fixed: dict[int, float] = Field({}, description="Registers that always hold a constant.")
    rotating: tuple[int, int] | None = Field(None, description="First and last rotating register.")
    arguments: tuple[int, ...] = Field((), description="Registers that carry arguments, in order.")
    result: int | None = Field(None, description="Register of a function's result.")
    reserved: tuple[int, ...] = Field((), description="Registers the allocator leaves alone.")


class Predictor(Description):
    """Branch prediction."""

    kind: Literal["static", "local"] = Field(
        description="'static': by the branch's hint; 'local': per-branch history and counters."
    )
    entries: int = figure(default=1024, ge=1, description="Branches whose history is kept.")
    history_bits: int = figure(default=4, ge=0, le=16, description="Outcomes kept per branch.")
    counters: int = figure(default=4096, ge=1, description="Two-bit counters.")
    return_stack: int = figure(default=8, ge=0, description="Return addresses kept.")
    perfect_counted_loops: bool = figure(
        default=True, description="Loop branches on ar.lc/ar.ec are always predicted."
    )


class Branches(Description):
    """Cost of control flow."""

    mispredict: Cycles = figure(ge=0, description="Cycles lost to refill after a wrong prediction.")
    taken_bubble: Cycles = figure(ge=0, description="Cycles lost after a taken predicted branch.")
    fetch_bytes: Bytes = figure(ge=16, description="Aligned bytes fetched per cycle.")
    predictor: Predictor = Field(description="How branches are predicted.")


class Cache(Description):
    """One cache."""

    size: Bytes = figure(ge=64, description="Capacity.")
    ways: int = figure(ge=1, description="Lines per set.")
    line: Bytes = figure(ge=16, description="Line size.")
    replacement: Literal["lru", "nru"] = figure(description="Which line of a set leaves.")
    write: Literal["none", "through", "back"] = figure(description="What a store does.")
    allocate_on_write: bool = figure(default=False, description="A missing store fetches the line.")
    latency: Cycles = figure(ge=0, description="Cycles of a hit, for an integer load.")
    fp_extra: Cycles = figure(default=0, ge=0, description="Cycles more for a floating load.")
    holds_fp: bool = figure(default=True, description="Floating loads and stores look here.")
    banks: int = figure(default=1, ge=1, description="Banks that take one access a cycle each.")
    bank_bytes: Bytes = figure(default=16, ge=1, description="Consecutive bytes in a bank.")
    queue: int = figure(default=0, ge=0, description="Accesses in flight; 0: no limit.")
    misses: int = figure(default=0, ge=0, description="Misses in flight; 0: no limit.")


class MainMemory(Description):
    """Main memory behind the last cache."""

    latency_cycles: Cycles = figure(ge=0, description="Part of the latency that scales with clock.")
    latency_time: Nanoseconds = figure(ge=0, description="Part that does not.")
    bandwidth: Rate = figure(gt=0, description="Bytes a second on the bus.")


class Caches(Description):
    """The memory system from the core outward."""

    l1i: Cache = Field(description="First-level instruction cache.")
    l1d: Cache = Field(description="First-level data cache.")
    l2: Cache = Field(description="Second-level cache.")
    l3: Cache | None = Field(None, description="Third-level cache.")
    main: MainMemory = Field(description="Main memory.")


class Epic(Description):
    """An EPIC machine."""

    kind: Literal["epic"]
    name: str
    clock: Hertz = figure(gt=0, description="Core clock.")
    templates: dict[str, Template] = Field(description="Templates by name ('MI_I;').")
    ports: dict[str, Port] = Field(description="Issue ports by name.")
    dispersal: Dispersal = Field(description="Dispersal rules.")
    latencies: dict[str, Latency] = Field(description="Latencies by scheduling class.")
    registers: dict[Literal["general", "floating", "predicate", "branch"], RegisterFile] = Field(
        description="Register files."
    )
    branches: Branches = Field(description="Cost of control flow.")
    memory: Caches = Field(description="Caches and memory.")
    stall_order: tuple[str, ...] = Field(
        description="Stall causes, highest priority first: a lost cycle belongs to the first unmet."
    )


