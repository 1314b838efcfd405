"""Assembly that reaches the roofs of EPIC machines: groups that fill all ports with one thing, in
counted loops; streams for caches, each over as much as the nearer one does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler import compile
from machines.description.load import load_machine
from machines.kinds.epic.fields import Epic
from machines.layout import Memory
from sim.cores import Request
from sim.kinds.epic.roofline import ROOFLINE
from sim.simulate import simulate
from tests.sim.peaks.reached import Done

GROUPS = 64
"""Of a turn of the inner loop."""
OPERATIONS = {
    "floating": ("fma.d f{} = f8, f8, f8", 40), "integer": ("add r{} = r8, r8", 14),
    "integer product": ("xma.l f{} = f8, f8, f8", 40),
}  # fmt: skip
"""An instruction, and the first of eighteen registers that it writes."""
FIRST = 14
"""The first of the registers that hold addresses."""


def program(name: str, machine: Epic, times: int) -> str:
    """What does one thing `times` as long."""
    if name not in OPERATIONS:
        return _streaming(name, machine, times)
    each = int({r.name: r.peak for r in ROOFLINE.peaks(machine)}[name])
    each //= 1 if name == "integer" else 2
    text, first = OPERATIONS[name]
    groups = [[text.format(first + (k * each + n) % 18) for n in range(each)]
              for k in range(GROUPS)]  # fmt: skip
    slots = "f" if name != "integer" else "mib" if each % 3 else "mii"
    return looped([_bundles(group, slots) for group in groups], times)


def _bundles(group: Sequence[str], slots: str) -> str:
    """A group of bundles: of three integer instructions, two accesses, or one of floats each."""
    nop, lines = {"m": "nop.m 0", "i": "nop.i 0"}, []
    each = {"mii": 3, "mib": 2, "mm": 2, "f": 1}[slots]
    for k in range(0, len(group), each):
        some = list(group[k : k + each])
        if slots == "mii":
            texts, template = some + [nop["i"]] * (3 - len(some)), "mii"
        elif slots == "mib":
            texts, template = [*some, "nop.b 0"], "mib"
        elif slots == "mm":
            texts, template = [*some, *[nop["m"]] * (2 - len(some)), nop["i"]], "mmi"
        else:
            texts, template = [nop["m"], *some, nop["i"]], "mfi"
        stop = " ;;" if k + each >= len(group) else ""
        lines.append(f"{{ .{template}\n" + "\n".join(texts) + f"{stop}\n}}")
    return "\n".join(lines)


def _streaming(name: str, machine: Epic, times: int) -> str:
    """Accesses: at the L1D of the same lines, else of one line after the other, as many as the
    nearer cache does not hold; in main memory each line once."""
    data = machine.memory.data_caches
    ports = [port.accepts for port in machine.ports.values() if "nop_m" in port.accepts]
    loads = [accepts for accepts in ports if "fp_load" in accepts]
    if name == "main memory":
        line = data[-1].line
        groups = [[f"ldfd f{32 + k} = [r14], {line}"] for k in range(GROUPS)]
        return looped(_accesses(groups), times, [(14, 0)], GROUPS * line * times)
    if name == "L1D":
        near = [one for one in ports if {"integer_load", "integer_store"} & {*one}]
        texts = ["ld8 r{1} = [r{0}]" if "integer_load" in accepts else "st8 [r{0}] = r8"
                 for accepts in near]  # fmt: skip
        group = [text.format(FIRST + k, 20 + k) for k, text in enumerate(texts)]
        begins = [(FIRST + k, 16 * k) for k in range(len(group))]
        return looped(_accesses([group] * GROUPS), times, begins, 4096)
    if name == "L2":
        near, size = data[0].line, data[1].size
        whole = [k for k, accepts in enumerate(loads) if "integer_load" in accepts]
        step = near * len(whole)
        groups = [
            [f"ld8 r{32 + (g * len(loads) + k) % 48} = [r{FIRST + k}], {step}" if k in whole
             else f"ldf.fill f{32 + (2 * g + k) % 32} = [r{FIRST + k}]" for k in range(len(loads))]
            for g in range(GROUPS)
        ]  # fmt: skip
        begins = [(FIRST + k, near * whole.index(k) if k in whole else 32 + 64 * k)
                  for k in range(len(loads))]  # fmt: skip
        turns = size // 2 // (GROUPS * step)
        return looped(_accesses(groups), turns, begins, size, times)
    line = data[1].line
    step, size = line * len(loads), data[1].size * 4
    groups = [[f"ldfd f{32 + (g * len(loads) + k) % 96} = [r{FIRST + k}], r13"
               for k in range(len(loads))] for g in range(GROUPS)]  # fmt: skip
    begins = [(FIRST + k, line * k) for k in range(len(loads))]
    turns = size // (GROUPS * step)
    return looped(_accesses(groups), turns, begins, size, times, step)


def _accesses(groups: Sequence[Sequence[str]]) -> list[str]:
    return [_bundles(group, "mm") for group in groups]


def looped(
    groups: Sequence[str],
    turns: int,
    begins: Sequence[tuple[int, int]] = (),
    size: int = 0,
    times: int = 1,
    step: int = 0,
) -> str:
    """The groups in so many turns, and that so many times.

    begins  registers of addresses, and where in the `size` bytes they are before the turns
    step    what r13 holds
    """
    return "\n".join(_lines(groups, turns, begins, size, times, step)) + "\n"


def _lines(
    groups: Sequence[str],
    turns: int,
    begins: Sequence[tuple[int, int]],
    size: int,
    times: int,
    step: int,
) -> Iterator[str]:
    yield from (".bss", ".align 256", f"x: .skip {size + 8192}", ".text")
    yield "main: alloc r2 = ar.pfs, 0, 48, 0, 0"
    yield from (f"mov r12 = {times}", f"mov r13 = {step}")
    yield from ("again:", f"mov r9 = {turns - 1} ;;", "mov ar.lc = r9")
    yield "addl r10 = @gprel(x), gp ;;"
    yield from (f"adds r{register} = {begin}, r10" for register, begin in begins)
    yield ";;\nturn:"
    yield from groups
    yield "br.cloop.sptk.many turn ;;"
    yield "adds r12 = -1, r12 ;;\ncmp.ne p6, p7 = 0, r12 ;;\n(p6) br.cond.sptk.many again ;;"
    yield "br.ret.sptk.many b0 ;;"


def run(name: str, machine: str, times: int) -> Done:
    """The work of a run."""
    loaded = load_machine(machine)
    made = compile("peak.s", machine=loaded, source=program(name, loaded.description, times))
    memory = Memory(buffer.extent for buffer in made.program.buffers)
    outcome = simulate(Request(made.program, loaded, memory))
    assert outcome.status == "done", outcome.failure
    return outcome.cycles, ROOFLINE.work(outcome.statistics)
