"""Snippets on SIMT machines: lines of PTX, one copy behind the other, that one warp runs.

    fma.rn.f32 %f1, %f2, %f3, %f1;     the snippet       entry:  registers are given values
                                                                 copy 0, copy 1, … copy N - 1
                                                                 ret

The kernel is launched twice; the second launch, which finds its data in the L2, is looked at.
Instructions stay as they are written and in their order: only those passes run without which there
is no code.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from machines.description.load import Machine
from machines.diagnostics import Location, input_error
from machines.kinds.simt.program import WarpProgram
from sim.cores.simt import state as at
from sim.cores.simt.decode import Decoded
from sim.cores.simt.unit import STEP, STEP_BITS
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.scoreboard import DEPENDENCE, WAITED_BITS
from sim.prepared_case import PreparedCase
from sim.snippets import CHAIN, FRONT_END, MEMORY, OTHER, PORTS, Snippets, Text, Wrapped
from sim.snippets.functions import of_function
from sim.timeline.span import Span, Track

PASSES = (
    "lay_out_for_warps", "place_convergence", {"allocate_registers": {"apart": True}},
    "set_control_bits",
)  # fmt: skip
TYPES = {"p": "pred", "rd": "b64", "rs": "b16", "h": "b16", "r": "b32", "f": "f32", "fd": "f64"}
"""Of registers by what their names begin with, as nvcc has them."""
REGISTER = re.compile(r"%([A-Za-z]+)(\d+)\b")
DECLARED = re.compile(r"\.reg\s+\.(\w+)\s+([^;]*);")
ADDRESS = re.compile(r"\[\s*%([A-Za-z]+\d+)")
ACCESS = re.compile(r"\.(v[248]\.)?[busf](8|16|32|64)\b")
SPECIAL = ("tid", "ntid", "ctaid", "nctaid", "laneid", "warpid", "clock", "smid")
OTHERS = re.compile(r"^\s*(@!?%\w+\s+)?(bra|brx\.idx|call|ret|exit|trap)\b")
ROOM, SHARED_ROOM = 1 << 15, 1 << 12
"""Bytes of what a register points to; of shared memory all do to the same."""
MEMORY_NAME, LANE, WIDE_LANE, SHARED = "snippet_memory", "%snippet_l", "%snippet_w", "snippet_room"
ENTRY = (
    "integer registers hold 3, 4, …, floating ones 1.25, 1.5, …, predicates true; one in brackets "
    f"points into {ROOM >> 10} KiB of its own, each lane to the word behind the one before; "
    "one warp runs it, a second time"
)


def wrap(text: Text, iterations: int, machine: Machine) -> Wrapped:
    """The program of a snippet; raises InputError."""
    body: list[tuple[int, str]] = []
    declared: dict[str, str] = {}
    for number, line in enumerate(text.lines):
        code = line.partition("//")[0].rstrip()
        _check(text, number, code)
        for kind, names in DECLARED.findall(code):
            declared |= {name.strip(): kind for name in names.split(",") if name.strip()}
        body.append((number, DECLARED.sub("", code)))
    code = "\n".join(line for _, line in body)
    if not code.strip():
        message = f"{text.name} has no instruction"
        raise input_error(message, hint="a line is an instruction: fma.rn.f32 %f1, %f2, %f3, %f1;")
    kinds = _kinds(text, declared)
    bases = _bases(body)
    lines = [*_set_up(kinds, bases, _target(machine))]
    origins: list[tuple[int, int] | None] = [None] * len(lines)
    for iteration in range(iterations):
        lines += [line for _, line in body]
        origins += [(number, iteration) for number, _ in body]
    lines += ["ret;", "}"]
    origins += [None, None]
    room = ROOM * max(1, len(bases))
    memory = {"dtype": "i32", "shape": [room // 4], "value": 3}
    launch = {"grid": [1], "block": [machine.description.warp_width]}
    workload = {
        "arguments": {"snippet_memory_0": memory},
        "launches": [launch, launch],
        "entry": "snippet",
    }
    for step in workload["launches"]:
        step["arguments"] = ["snippet_memory_0"]
    return Wrapped("\n".join(lines) + "\n", origins, workload, PASSES, 1, ENTRY)


def _check(text: Text, number: int, code: str) -> None:
    """Raise InputError where a line is none of straight code."""
    if found := OTHERS.match(code):
        hint = (
            "leave it out: the snippet is repeated; for branches, write a workload and --trace it"
        )
        word = found.group(2)
        raise text.wrong(number, f"a snippet is straight code, without '{word}'", hint, word)
    if re.match(r"^\s*[\w$]+:", code) or code.strip() in ("{", "}"):
        hint = "leave it out: the snippet is repeated; for a loop, write a workload and --trace it"
        raise text.wrong(number, "a snippet is straight code, without labels", hint, code.strip())
    stripped = code.lstrip()
    if stripped.startswith(".") and not stripped.startswith(".reg"):
        word = code.split()[0]
        hint = "leave it out: what stands around a snippet is made up; a module is a workload's"
        raise text.wrong(number, f"a snippet is instructions, without '{word}'", hint, word)


def _kinds(text: Text, declared: Mapping[str, str]) -> dict[str, str]:
    """The types of the registers that a snippet names, by their names."""
    kinds: dict[str, str] = {}
    for number, line in enumerate(text.lines):
        for prefix, count in REGISTER.findall(line.partition("//")[0]):
            name = f"%{prefix}{count}"
            kind = declared.get(name, TYPES.get(prefix))
            if kind is None:
                known = ", ".join(f"%{p} {k}" for p, k in TYPES.items())
                hint = f"declare it: .reg .b32 {name};  known are {known}"
                raise text.wrong(number, f"nothing says what '{name}' is", hint, name)
            kinds[name] = kind
    return kinds


def _bases(body: Sequence[tuple[int, str]]) -> dict[str, tuple[int, bool]]:
    """Registers that are addresses: bytes from lane to lane, and whether of shared memory."""
    found: dict[str, tuple[int, bool]] = {}
    for _, line in body:
        for statement in line.split(";"):
            size = ACCESS.search(statement)
            bytes_ = int(size.group(2)) // 8 * int((size.group(1) or "v1")[1]) if size else 4
            for name in ADDRESS.findall(statement):
                before, is_shared = found.get(f"%{name}", (0, False))
                found[f"%{name}"] = max(before, bytes_), is_shared or ".shared" in statement
    return found


def _target(machine: Machine) -> str:
    capability = getattr(machine.description, "compute_capability", None)
    return f"sm_{str(capability).replace('.', '')}" if capability else "sm_70"


def _set_up(
    kinds: Mapping[str, str], bases: Mapping[str, tuple[int, bool]], target: str
) -> Iterator[str]:
    """What stands before the copies."""
    yield from (".version 8.0", f".target {target}", ".address_size 64")
    yield f".visible .entry snippet(.param .u64 {MEMORY_NAME})"
    yield "{"
    for name, kind in kinds.items():
        yield f".reg .{kind} {name};"
    yield f".reg .b32 {LANE}; .reg .b64 {WIDE_LANE};"
    if any(is_shared for _, is_shared in bases.values()):
        yield f".shared .align 16 .b8 {SHARED}[{SHARED_ROOM}];"
    yield f"mov.u32 {LANE}, %tid.x;"
    value = 3
    for name, kind in kinds.items():
        if name in bases:
            continue
        if kind == "pred":
            yield f"setp.eq.u32 {name}, {LANE}, {LANE};"
        elif kind in ("f32", "f64"):
            number = 1 + value / 8
            bits = (
                f"0f{np.float32(number).view(np.uint32):08X}"
                if kind == "f32"
                else f"0d{np.float64(number).view(np.uint64):016X}"
            )
            yield f"mov.{kind} {name}, {bits};"
        else:
            yield f"mov.{kind} {name}, {value};"
        value += 1
    for place, (name, (step, is_shared)) in enumerate(bases.items()):
        if kinds.get(name) == "b32":
            yield f"mul.lo.u32 {name}, {LANE}, {step};"
            if is_shared:
                yield f".reg .b32 {LANE}_{place}; mov.u32 {LANE}_{place}, {SHARED};"
                yield f"add.u32 {name}, {name}, {LANE}_{place};"
            continue
        yield f"mul.wide.u32 {name}, {LANE}, {step};"
        if is_shared:
            yield f"mov.u64 {WIDE_LANE}, {SHARED};"
        else:
            yield f"ld.param.u64 {WIDE_LANE}, [{MEMORY_NAME}];"
            yield f"add.u64 {name}, {name}, {ROOM * place};"
        yield f"add.u64 {name}, {name}, {WIDE_LANE};"


class SimtCode:
    """The instructions of a program, by their pc."""

    has_flow = True

    def __init__(self, prepared: PreparedCase):
        program, memory = prepared.program, prepared.memory
        assert isinstance(program, WarpProgram)
        addresses = {
            name: memory.address(name) if name in memory.placements else 0
            for name in program.symbols
        }
        machine = prepared.compiled.machine.description
        decoded = Decoded(program, machine, addresses, len(memory.starts))
        self._program, self._lists = program, decoded.lists
        self._code = decoded.code.reshape(-1, at.CODE_COLUMNS)
        self._producers = decoded.producers.reshape(-1)

    def issued(self, one: Span) -> Sequence[int]:
        return (one.arguments["pc"],) if one.name == "issue" else ()

    def thread(self, one: Span) -> Hashable:
        return one.track.name

    def accessed(self, one: Span) -> int | None:
        return one.arguments["pc"] if one.name == "access" else None

    def is_memory(self, number: int) -> bool:
        return self._code[number, INSTRUCTION.KIND] >> STEP_BITS == STEP.ACCESSES

    def text(self, number: int) -> str:
        return self._program.operations[self._program.code[number, 0]]

    def location(self, number: int) -> Location | None:
        locations = self._program.locations
        return locations[number] if number < len(locations) else None

    def writes(self, number: int) -> Sequence[Hashable]:
        row = self._code[number]
        first = row[DEPENDENCE.DESTINATION]
        return self._lists[first : first + row[DEPENDENCE.DESTINATIONS]].tolist()

    def reads(self, number: int) -> Sequence[tuple[Hashable, Any]]:
        row = self._code[number]
        first = row[DEPENDENCE.WAITED]
        found = self._lists[first : first + row[DEPENDENCE.WAITS]].tolist()
        return [(one >> WAITED_BITS, one & ((1 << WAITED_BITS) - 1)) for one in found]

    def cycles(self, producer: int, use: Any, what: Hashable, took: int | None) -> int:
        """Who writes a register again may have to wait, too; of fixed latencies it does not."""
        extra = int(self._producers[self._code[producer, DEPENDENCE.PRODUCER] + use])
        return max(0, self.latency(producer, took) + extra)

    def latency(self, number: int, took: int | None) -> int:
        return took if took is not None else max(1, int(self._code[number, USE.LATENCY]))


def _launches(entry: str, count: int, machine: Machine) -> dict[str, Any]:
    """Of one warp."""
    launch = {"kernel": entry, "grid": [1], "block": [machine.description.warp_width]}
    return {"launches": [launch] * count}


def is_same_slot(own: Track | None, other: Track) -> bool:
    """Whether tracks are of a warp in the same slot: launches may be on different SMs."""
    return own is not None and own.family == other.family and own.name == other.name


SNIPPETS = Snippets(
    wraps={
        ".ptx": wrap,
        ".py": of_function(".py", _launches, 1),
        ".sir": of_function(".sir", _launches, 1),
    },
    code=SimtCode,
    instruction="issue",
    spends=("issue", "stall"),
    limits={
        "wait": CHAIN,
        "short_scoreboard": CHAIN,
        "long_scoreboard": MEMORY,
        "math_pipe_throttle": PORTS,
        "mio_throttle": PORTS,
        "lg_throttle": PORTS,
        "dispatch_stall": PORTS,
        "not_selected": PORTS,
        "branch_resolving": FRONT_END,
        "reconvergence_check": FRONT_END,
        "membar": MEMORY,
        "drain": MEMORY,
        "barrier": OTHER,
        "sleeping": OTHER,
    },
    resources=("pipe",),
    machines={".ptx": "h100"},
    is_of=is_same_slot,
)
