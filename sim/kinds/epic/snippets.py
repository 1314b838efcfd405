"""Snippets on EPIC machines: lines of assembly, one copy behind the other, called twice.

        adds r14 = 8, r14 ;;      the snippet        entry:  registers are given values
        ld8 r8 = [r14]                                       copy 0 ;; copy 1 ;; … copy N - 1 ;;
                                                             return

Copies are straight code, as llvm-mca takes it: no loop's branch is in the way.  The first call
brings code and data into the caches, the second is looked at.  A stop stands behind each copy.
A function, of Python or of IR, is called again and again instead: an iteration is a call.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import Location, input_error
from machines.kinds.epic.program import BundleProgram
from sim.cores.epic import state as at
from sim.cores.epic.decode import Decoded
from sim.prepared_case import PreparedCase
from sim.snippets import CHAIN, FRONT_END, MEMORY, OTHER, Snippets, Text, Wrapped
from sim.snippets.functions import of_function
from sim.timeline.span import Span

ROOM = 1 << 16
"""Bytes of the buffer that a register points to; it points into the middle."""
REGISTER = re.compile(r"\b([rfp])(\d+)\b")
ADDRESS = re.compile(r"\[\s*r(\d+)\s*\]")
LABEL = re.compile(r"^\s*[\w.$\[\]#]+:(?!:)")
BRANCH = re.compile(r"^\s*(\(\w+\)\s*)?(br[lp]?|break|chk|alloc|cover|clrrrb)\b")
STACKED, CONSTANT = 32, {"r": (0, 1, 12), "f": (0, 1), "p": (0,)}
"""Registers from which on a frame is needed, and those that programs do not set up."""
TEMPORARY = 2
ENTRY = (
    "integer registers hold 3, 4, … in the order of their numbers, floating ones 1.25, 1.5, …, "
    f"predicates 1; one in brackets points into the middle of {ROOM >> 10} KiB of its own, where "
    "it stands itself; caches are warm: it ran once before"
)


def wrap(text: Text, iterations: int, machine: Machine) -> Wrapped:
    """The program of a snippet; raises InputError."""
    body = [(number, line.partition("//")[0].rstrip()) for number, line in enumerate(text.lines)]
    for number, line in body:
        _check(text, number, line)
    code = "\n".join(line for _, line in body)
    if not code.strip():
        message = f"{text.name} has no instruction"
        raise input_error(message, hint="a line is an instruction: adds r14 = 8, r14 ;;")
    lines = [*_set_up(code)]
    origins: list[tuple[int, int] | None] = [None] * len(lines)
    for iteration in range(iterations):
        for number, line in body:
            lines.append(line)
            origins.append((number, iteration))
        if not code.rstrip().endswith((";;", "}")):
            lines.append(";;")
            origins.append(None)
    lines += ["        br.ret.sptk.many b0 ;;", *_buffers(code)]
    origins += [None] * (len(lines) - len(origins))
    return Wrapped("\n".join(lines) + "\n", origins, {"calls": 2}, None, 1, ENTRY)


def _check(text: Text, number: int, code: str) -> None:
    """Raise InputError where a line is none of straight code."""
    if LABEL.match(code):
        hint = "leave it out: the snippet is repeated; for a loop, write a workload and --trace it"
        raise text.wrong(number, "a snippet is straight code, without labels", hint, code.strip())
    if found := BRANCH.match(code):
        hint = (
            "leave it out: the snippet is repeated; for branches, write a workload and --trace it"
        )
        word = found.group(2)
        raise text.wrong(number, f"a snippet is straight code, without '{word}'", hint, word)
    if code.lstrip().startswith("."):
        word = code.split()[0]
        hint = "leave it out: what stands around a snippet is made up"
        raise text.wrong(number, f"a snippet is instructions, without '{word}'", hint, word)


def _set_up(code: str) -> Iterator[str]:
    """What stands before the copies: registers get values."""
    named = {(file, int(number)) for file, number in REGISTER.findall(code)}
    bases = {int(number) for number in ADDRESS.findall(code)}
    yield from (".explicit", ".text", ".global snippet", ".align 32", "snippet:")
    if any(file == "r" and number >= STACKED for file, number in named):
        yield f"alloc r{TEMPORARY} = ar.pfs, 0, 96, 0, 0 ;;"
    value = 3
    wanted = sorted(n for n in named if n[1] not in CONSTANT[n[0]])
    for file, number in wanted:
        if file == "f":
            bits = 0x3FF0_0000_0000_0000 + ((number % 16 + 1) << 48)
            yield f"movl r{TEMPORARY} = {bits:#x} ;;"
            yield f"setf.d f{number} = r{TEMPORARY} ;;"
        elif file == "p":
            yield f"cmp.eq p{number}, p0 = r0, r0 ;;"
    for file, number in wanted:
        if file == "r":
            at_buffer = f"buffer{number} + {ROOM // 2}"
            yield f"movl r{number} = {at_buffer if number in bases else value} ;;"
            value += number not in bases
    yield ".align 32"


def _buffers(code: str) -> Iterator[str]:
    bases = sorted({int(number) for number in ADDRESS.findall(code)})
    if bases:
        yield ".data"
    for number in bases:
        yield ".align 64"
        yield f"buffer{number}: .skip {ROOM // 2}, 3"
        yield f"data8 buffer{number} + {ROOM // 2}"
        yield f".skip {ROOM // 2 - 8}, 3"


class EpicCode:
    """The syllables of a program."""

    def __init__(self, prepared: PreparedCase):
        program, memory = prepared.program, prepared.memory
        assert isinstance(program, BundleProgram)
        addresses = [memory.address(symbol) for symbol in program.symbols]
        self._program = program
        self._decoded = Decoded(program, prepared.compiled.machine.description, addresses)
        plans = [plan for plan in self._decoded.plan_of if plan is not None]
        # Where registers rotate, a name is another register each time.
        self.has_flow = not any("rotates" in plan.row.flags for plan in plans)

    def issued(self, one: Span) -> Sequence[int]:
        if one.name != "issue":
            return ()
        said, plans = one.arguments, self._decoded.plan_of
        packets = self._decoded.packets.reshape(-1, at.PACKET_COLUMNS)
        first = 3 * said["bundle"] + said["slot"]
        window = self._decoded.window  # packets that begin there, by how many bundles are at hand
        ends = [
            int(packets[packet, at.END])
            for packet in range(first * window, (first + 1) * window)
            if packets[packet, at.COUNT] == said["instructions"]
        ]
        end = min(ends[0], len(plans))
        return [
            k for k in range(first, end) if plans[k] and not plans[k].row.name.startswith("nop")
        ]

    def thread(self, one: Span) -> Hashable:
        return None

    def accessed(self, one: Span) -> int | None:
        said = one.arguments
        return 3 * said["bundle"] + said["slot"] if one.name == "access" else None

    def is_memory(self, number: int) -> bool:
        plan = self._decoded.plan_of[number]
        return plan is not None and bool(plan.flags & at.LOADS)

    def text(self, number: int) -> str:
        plan = self._decoded.plan_of[number]
        return plan.row.name if plan is not None else ""

    def location(self, number: int) -> Location | None:
        locations = self._program.locations
        return locations[number] if number < len(locations) else None

    def writes(self, number: int) -> Sequence[Hashable]:
        return [register for register, _ in self._decoded.accesses[number].writes]

    def reads(self, number: int) -> Sequence[tuple[Hashable, Any]]:
        return [(register, use) for register, use in self._decoded.accesses[number].reads]

    def cycles(self, producer: int, use: Any, what: Hashable, took: int | None) -> int:
        classes = self._decoded.classes
        name = next(
            n for register, n in self._decoded.accesses[producer].writes if register == what
        )
        number = classes.number[name]
        return int(classes.toward[number, use]) + self._late(producer, name, took)

    def latency(self, number: int, took: int | None) -> int:
        classes, writes = self._decoded.classes, self._decoded.accesses[number].writes
        found = [
            int(classes.nominal[classes.number[name]]) + self._late(number, name, took)
            for _, name in writes
            if name in classes.number
        ]
        return max([1, *found])

    def _late(self, number: int, name: str, took: int | None) -> int:
        """Cycles by which a load came later than the nearest cache gives it."""
        plan, classes = self._decoded.plan_of[number], self._decoded.classes
        if took is None or not plan.flags & at.LOADS or name != plan.row.scheduling_class:
            return 0
        return max(0, took - int(classes.nominal[classes.number[name]]))


def _calls(entry: str, count: int, machine: Machine) -> dict[str, Any]:
    return {"calls": count}


SNIPPETS = Snippets(
    wraps={
        ".s": wrap,
        ".py": of_function(".py", _calls, 1),
        ".sir": of_function(".sir", _calls, 1),
    },
    code=EpicCode,
    instruction="issue",
    spends=("issue", "stall"),
    limits={
        "load": MEMORY,
        "float": CHAIN,
        "integer": CHAIN,
        "predicate": CHAIN,
        "application": CHAIN,
        "queue_full": MEMORY,
        "misaligned": MEMORY,
        "instruction_miss": FRONT_END,
        "taken_branch": FRONT_END,
        "branch_flush": FRONT_END,
        "register_stack": OTHER,
    },
    machines={".s": "itanium2", ".py": "itanium2"},
)
