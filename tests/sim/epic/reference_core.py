"""The timing of the EPIC core a second time, in plain Python: an oracle for tests.

`simulate_plainly` walks through a program once, packet by packet, and works out cycles, where they
were lost, and all counters, from the machine's description.  It shares with the jitted core only
what is tested elsewhere: the static dispersal of a window
(`machines.kinds.epic.dispersal.disperse`) and the actions of the machine interpreter, which give
values, addresses and branch outcomes (its private parts, because it hands out no trace).

The rules, as this model reads them:

1.  A packet is what issues in one cycle: the syllables that dispersal takes from the window.  The
    window holds `bundles_per_cycle` bundles; right after a taken branch (and at the entry) only
    those up to the end of the aligned block of `fetch_bytes` that the target stands in.
2.  A packet needs its lines of code.  The line used last is still at hand; any other is asked of
    the L1I when the packet is due, after flush and bubble.  Every fetch takes the L1I's latency, so
    only what exceeds it delays.
3.  A packet waits as a whole for the registers of its syllables.  A guard is always waited for,
    the rest of a syllable only if its guard is true, or unknown since the packet computes it.
4.  A value is there for a use when as many cycles have gone by since its producer issued as the
    latency of the producer's class towards that use.  A loaded value counts as if its load had
    issued as much later as its data came later than from the nearest cache that holds such data.
    A write waits until it cannot finish before the last write of that register.
    A register is the one that its name means when the syllable issues; a loop branch writes the
    last rotating predicate before it rotates.
5.  A lost cycle belongs to the first cause of `stall_order` that is unmet in it.
6.  A wrong prediction holds the next packet `mispredict` cycles, a taken branch foreseen
    `taken_bubble`, a full queue until it has room.  A syllable of the same packet that accesses
    memory after the one that met the full queue does so when the queue has room.
7.  The stacked registers are a window on all that were ever made.  A frame that would reach past
    the window's end moves it on, a return to registers before its beginning moves it back there;
    each register that enters or leaves the window costs the share of a cycle that `moves` says.
8.  A load or store that is not aligned, on a machine that serves them, holds the next packet
    `misaligned` cycles, several of a packet one after the other; the caches see one access.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from machines.instructions.ia64_control import EXIT_ADDRESS
from machines.kinds.epic.dispersal import bundle_views, disperse
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE, BundleProgram
from machines.layout import Memory
from machines.operations.row import Operation
from sim.kinds.epic.vocabulary import VOCABULARY
from tests.sim.epic.reference_caches import Caches
from tests.sim.epic.reference_predictor import Predictor
from tests.sim.epic.reference_program import (
    Execution,
    Step,
    Syllable,
    Use,
    is_floating,
    read_program,
)


@dataclass
class Reference:
    """What the plain model found: see `sim.cores.Outcome`."""

    status: str
    cycles: int
    issuing: int
    lost: dict[str, int]
    counters: dict[str, int]


class Core:
    """The walk through time."""

    def __init__(self, program: BundleProgram, machine: Epic, memory: Memory, arguments: Mapping):
        self.machine, self.program = machine, program
        self.syllables = read_program(program, machine)
        self.execution = Execution(program, machine, memory, arguments, self.syllables)
        self.window, self.frames_moved_by = 0, ""
        self.views = bundle_views(program, machine)
        self.caches, self.predictor = Caches(machine), Predictor(machine)
        self.producers: dict[tuple[str, int], tuple[int, str]] = {}
        self.cycle, self.line_at_hand = 0, None
        self.held = dict.fromkeys(machine.stall_order, 0)
        self.lost = dict.fromkeys(machine.stall_order, 0)
        self.counts: Counter[str] = Counter()
        self.status = "running"

    def run(self, cycle_limit: int) -> Reference:
        place, available = self.arrive(self.program.entry)
        while self.status == "running" and self.cycle < cycle_limit:
            place, available = self.packet(place, available)
        return Reference(
            self.status, self.cycle, self.counts["ISSUE_CYCLES"], self.lost, self.counters()
        )

    def arrive(self, bundle: int) -> tuple[int, int]:
        """Where the pipe goes on after a branch, and how many bundles it finds there."""
        block = self.machine.branches.fetch_bytes // BUNDLE_BYTES
        return 3 * bundle, min(self.machine.dispersal.bundles_per_cycle, block - bundle % block)

    def packet(self, place: int, available: int) -> tuple[int, int]:
        """Issue the packet that begins at a syllable; returns where the next one begins."""
        bundle, slot = divmod(place, 3)
        dispersed = disperse(self.machine, self.views[bundle : bundle + available], slot)
        places = range(place, place + dispersed.count)
        self.fetch(places)
        self.wait(places)
        self.counts["ISSUE_CYCLES"] += 1
        self.counts["INST_DISPERSED"] += sum(self.syllables[k] is not None for k in places)
        if dispersed.end.startswith("split:"):
            rule = dispersed.end.removeprefix("split:").upper().replace(" ", "_")
            self.counts["SPLIT_ISSUES"] += 1
            self.counts[f"SPLIT_ISSUES.{rule}"] += 1
        following = places.stop, self.machine.dispersal.bundles_per_cycle
        for k in places:
            if self.syllables[k] is None:
                continue
            written = [self.execution.behind(w.register) for w in self.syllables[k].writes]
            step = self.execution.step(k)
            if step.faulted:
                self.status = "fault"
                break
            self.account(step, written)
            if step.taken:
                if step.target == EXIT_ADDRESS:
                    self.status = "done"
                else:
                    following = self.arrive((step.target - CODE_BASE) // BUNDLE_BYTES)
                break
        self.cycle += 1
        return following

    def fetch(self, places: range) -> None:
        """Ask for the lines of code of a packet (rule 2)."""
        due = max(self.cycle, self.held["branch_flush"], self.held["taken_branch"])
        l1i = self.caches.l1i
        first, last = (
            (CODE_BASE + BUNDLE_BYTES * (k // 3)) // l1i.cache.line for k in (places[0], places[-1])
        )
        for line in range(first, last + 1):
            if line != self.line_at_hand:
                come, _ = l1i.access(line * l1i.cache.line, due, writing=False)
                ready = come - l1i.cache.latency
                if ready > due:
                    self.held["instruction_miss"] = max(self.held["instruction_miss"], ready)
        self.line_at_hand = last

    def wait(self, places: range) -> None:
        """Let cycles go by until the packet may issue, each charged to one cause (rule 5)."""
        until = dict(self.held)
        computed: set[tuple[str, int]] = set()
        for k in places:
            syllable = self.syllables[k]
            if syllable is None:
                continue
            needs = list(syllable.guard_reads)
            if ("pr", syllable.guard) in computed or self.execution.guard_is_true(k):
                needs += syllable.reads + syllable.writes
            for need in needs:
                if self.execution.behind(need.register) in self.producers:
                    ready, cause = self.usable(need)
                    until[cause] = max(until[cause], ready)
            computed.update(write.register for write in syllable.writes)
        while cause := next((c for c in self.lost if until[c] > self.cycle), None):
            self.lost[cause] += 1
            self.cycle += 1
            if cause == "register_stack":
                self.counts[f"BE_RSE_BUBBLE.{self.frames_moved_by}"] += 1

    def usable(self, need: Use) -> tuple[int, str]:
        """From which cycle on a register may be used, and the cause of waiting for it (rule 4)."""
        issued, name = self.producers[self.execution.behind(need.register)]
        machine, wait = self.machine, self.machine.latencies[name].wait
        if need.use is not None:
            return issued + machine.latency(name, need.use), wait
        return issued + machine.latency(name) - machine.latency(need.produces), wait

    def move_window(self, row: Operation) -> None:
        """Bring the frame into the registers there are (rule 7)."""
        names, stack = self.execution.state.names, self.machine.register_stack
        back = max(0, self.window - names.bottom)
        self.window -= back
        on = max(0, names.bottom + names.frame.size - stack.registers - self.window)
        self.window += on
        self.counts["RSE_REFERENCES_RETIRED.LOAD"] += back
        self.counts["RSE_REFERENCES_RETIRED.STORE"] += on
        if back + on:
            self.held["register_stack"] = self.cycle + 1 + -(-(back + on) // stack.moves)
            self.frames_moved_by = "UNDERFLOW" if row.control == "return" else "OVERFLOW"

    def account(self, step: Step, written: list[tuple[str, int]]) -> None:
        """What a syllable that issues in this cycle counts as and causes.

        written  the registers that it writes, as their names meant before it executed
        """
        syllable = self.syllables[step.syllable]
        row = syllable.row
        self.counts["IA64_INST_RETIRED"] += 1
        if step.executes:
            self.count_retired(syllable)
            come = self.cycle
            if row.access:
                come = self.access_memory(step, syllable)
            for register, write in zip(written, syllable.writes, strict=True):
                issued = self.cycle
                if row.access and write.produces == row.scheduling_class:
                    issued = come - self.hit_latency(row)
                self.producers[register] = (issued, write.produces)
            if "cfm" in row.implicit_writes and step.target != EXIT_ADDRESS:
                self.move_window(row)
        else:
            self.counts["PREDICATE_SQUASHED_RETIRED"] += 1
            if "unconditional" in row.flags:  # it clears its predicates all the same
                for register, write in zip(written, syllable.writes, strict=True):
                    self.producers[register] = (self.cycle, write.produces)
        if row.control:
            branches = self.machine.branches
            if not self.predictor.foresees(step, row, syllable.hint):
                self.held["branch_flush"] = self.cycle + 1 + branches.mispredict
            elif step.taken:
                self.held["taken_branch"] = self.cycle + 1 + branches.taken_bubble

    def hit_latency(self, row: Operation) -> int:
        """Cycles a load takes when it hits the cache at which it enters."""
        cache = self.caches.level_of(row).cache
        return cache.latency + is_floating(row) * cache.fp_extra

    def access_memory(self, step: Step, syllable: Syllable) -> int:
        """Make a memory access; the cycle at which a load has its data."""
        kind = syllable.row.access.kind
        if kind == "prefetch" and not step.mapped:
            self.counts["PREFETCHES_DROPPED"] += 1
            return self.cycle
        size = syllable.row.access.bytes
        if step.address % (16 if size > 8 else size):
            self.counts[f"MISALIGNED_{kind.upper()}S_RETIRED"] += 1
            start = max(self.held["misaligned"], self.cycle + 1)
            self.held["misaligned"] = start + self.machine.memory.misaligned
        level = self.caches.level_of(syllable.row)
        extra = int(kind == "load" and is_floating(syllable.row))
        come = self.cycle
        for request in {"load_store": ("load", "store")}.get(kind, (kind,)):
            begin = max(come, self.held["queue_full"])  # a semaphore stores when it has loaded
            data, full = level.access(step.address, begin, request == "store", extra)
            if request == "load":
                come = data
            self.held["queue_full"] = max(self.held["queue_full"], full)
        return come

    # ------------------------------------------------------------------------------- counters

    def count_retired(self, syllable: Syllable) -> None:
        """Count a syllable whose guard was true."""
        row, counts = syllable.row, self.counts
        if "nop" in row.flags:
            counts["NOPS_RETIRED"] += 1
            counts[f"NOPS_RETIRED.{row.name[-1].upper()}"] += 1
        else:
            counts["USEFUL_INST_RETIRED"] += 1
        if row.access:
            counts["LOADS_RETIRED"] += row.access.kind in ("load", "load_store")
            counts["STORES_RETIRED"] += row.access.kind in ("store", "load_store")
        if row.scheduling_class == "fp_arithmetic":
            _, factor, other, addend = syllable.operands[:4]
            counts["FP_OPS_RETIRED"] += (factor != 1 and other != 1) + (addend != 0)

    def counters(self) -> dict[str, int]:
        """All counters by name; those that never moved are there as 0 (see `differences`)."""
        found = dict(self.counts)
        found["CPU_CYCLES"] = self.cycle
        for name, value in self.predictor.counts.items():
            found[f"BR_MISPRED_DETAIL.{name}"] = value
        events: Counter[str] = Counter()
        for cause, event in self.machine.stall_order.items():
            events[event] += self.lost[cause]
        found |= events
        load, other = "BE_EXE_BUBBLE.GRALL-GRGR", "BE_EXE_BUBBLE.GRGR"
        found["BE_EXE_BUBBLE.GRALL"] = events[load] + events[other]
        for total, part in (
            ("BE_EXE_BUBBLE.ALL", "BE_EXE_"),
            ("BE_L1D_FPU_BUBBLE.ALL", "BE_L1D_"),
            ("BE_FLUSH_BUBBLE.ALL", "BE_FLUSH_"),
            ("BACK_END_BUBBLE.FE", "FE_"),
            ("BACK_END_BUBBLE.ALL", ""),
        ):
            found[total] = sum(n for event, n in events.items() if event.startswith(part))
        for level in self.caches.levels:
            found |= {f"{level.name}_{name}": value for name, value in level.counts.items()}
        found["BUS_BYTES_READ"] = self.caches.main.read * self.caches.main.line
        found["BUS_BYTES_WRITTEN"] = self.caches.main.written * self.caches.main.line
        return found


def simulate_plainly(
    program: BundleProgram,
    machine: Epic,
    memory: Memory,
    arguments: Mapping[str, int | float],
    cycle_limit: int = 10**9,
) -> Reference:
    """Run a program on `memory`, which it changes; `arguments` as the interpreter takes them."""
    return Core(program, machine, memory, arguments).run(cycle_limit)


def differences(reference: Reference, outcome) -> dict[str, tuple[object, object]]:
    """What differs between the plain model and the core: name -> (plain, core).

    The plain model counts all that the first version of the vocabulary had; of what came later it
    is compared in what it names.
    """
    pairs: dict[str, tuple[object, object]] = {
        "status": (reference.status, outcome.status),
        "cycles": (reference.cycles, outcome.cycles),
        "issuing": (reference.issuing, outcome.issuing),
    }
    for cause in reference.lost:
        pairs[f"lost to {cause}"] = (reference.lost[cause], outcome.lost[cause])
    counted = {counter.name for counter in VOCABULARY.counters if counter.since == 1}
    for name in sorted(counted | reference.counters.keys()):
        pairs[name] = (reference.counters.get(name, 0), outcome.counters.get(name, 0))
    return {name: (a, b) for name, (a, b) in pairs.items() if a != b}
