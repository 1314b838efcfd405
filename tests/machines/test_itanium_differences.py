"""What Itanium does otherwise than Itanium 2: one test for each difference, run on both machines.

The differences are those gcc's description of Itanium quotes from Intel, and those Intel told
about dispersal.
"""

from __future__ import annotations

import numpy as np
import pytest

from compiler.frontends.ia64 import PLUGIN
from machines.description.load import load_machine
from machines.kinds.epic.dispersal import bundle_views, disperse
from machines.layout import Memory
from tests.sim.epic.epic_runs import simulate

MACHINES = {name: load_machine(name) for name in ("itanium", "itanium2")}


def assembled(text: str, machine):
    """Bundles, separated by '|': template (a label before it, if any), then instructions, separated
    by '/'."""
    bundles = []
    for bundle in text.split("|"):
        head, *instructions = (part.strip() for part in bundle.split("/"))
        label, _, template = head.rpartition(":")
        if label:
            bundles.append(f"{label}:\n")
        bundles.append("{ ." + template.strip() + "\n" + "\n".join(instructions) + "\n}\n")
    data = ".data\n.align 16\ncell: .skip 64\n"
    return PLUGIN.read(".explicit\n.text\nthere:\n" + "".join(bundles) + data, "test.s", machine)


def issued(text: str) -> tuple[int, int]:
    """Syllables of two bundles that issue in one cycle: on Itanium, on Itanium 2."""
    counts = []
    for machine in MACHINES.values():
        views = bundle_views(assembled(text, machine), machine.description)
        counts.append(disperse(machine.description, views).count)
    return tuple(counts)


def test_two_memory_ports_instead_of_four():
    adds = "adds r{0} = 1, r0 / adds r{1} = 1, r0 / nop.i 0"
    assert issued(f"mmi / {adds.format(14, 15)} | mmi / {adds.format(16, 17)}") == (3, 6)
    # Two loads and two stores: the second bundle waits.
    assert issued("mmi / ld8 r14 = [r20] / st8 [r21] = r2 / nop.i 0 | "
                  "mmi / ld8 r15 = [r20] / st8 [r21] = r2 / nop.i 0") == (3, 6)  # fmt: skip


def test_four_integer_units_instead_of_six():
    adds = "adds r{0} = 1, r0 / adds r{1} = 1, r0 / adds r{2} = 1, r0"
    first, second = adds.format(14, 15, 16), adds.format(17, 18, 19)
    assert issued(f"mii / {first} | mmi / {second}") == (4, 6)
    assert issued(f"mmi / {first} | mii / {second}") == (3, 6)


def test_memory_instructions_go_to_the_lowest_free_port():
    """getf runs on Itanium's M0 only, and an addition before it takes M0."""
    add, getf = "adds r14 = 1, r0", "getf.sig r15 = f6"
    assert issued(f"mmi / {getf} / {add} / nop.i 0 | mfi / nop.m 0 / nop.f 0 / nop.i 0")[0] == 3
    assert issued(f"mmi / {add} / {getf} / nop.i 0 | mfi / nop.m 0 / nop.f 0 / nop.i 0") == (1, 6)


@pytest.mark.parametrize(
    "instruction",
    ["getf.sig r15 = f6", "fetchadd8.acq r15 = [r20], 1", "mov r15 = ar.ccv", "mov ar.ccv = r15"],
)
def test_what_only_m0_takes(instruction):
    """Behind another M syllable it splits / on Itanium 2 it goes to M2 (semaphores to M3 too)."""
    found = issued(f"mmi / nop.m 0 / {instruction} / nop.i 0 | mfi / nop.m 0 / nop.f 0 / nop.i 0")
    ends_group = instruction.startswith("fetchadd")
    assert found == (1, 2 if ends_group else 6)


def test_mmf_stands_alone():
    mmf, mfi = "mmf / nop.m 0 / nop.m 0 / nop.f 0", "mfi / nop.m 0 / nop.f 0 / nop.i 0"
    assert issued(f"{mfi} | {mmf}") == (3, 6)
    assert issued(f"{mmf} | {mfi}") == (3, 6)


def test_the_last_slot_of_the_second_bundle_uses_i1():
    """A bit field, which I0 alone takes, as the only I syllable of the group."""
    field = "extr r14 = r15, 3, 4"
    assert issued(f"mfb / nop.m 0 / nop.f 0 / nop.b 0 | mfi / nop.m 0 / nop.f 0 / {field}") == (
        5,
        6,
    )
    assert issued(f"mfi / nop.m 0 / nop.f 0 / {field} | mfb / nop.m 0 / nop.f 0 / nop.b 0") == (
        6,
        6,
    )


def test_mii_mii_does_not_disperse_fully():
    """Additions of the third and fourth I slot find no free M port to go to."""
    adds = "nop.m 0 / adds r{0} = 1, r0 / adds r{1} = 1, r0"
    assert issued(f"mii / {adds.format(14, 15)} | mii / {adds.format(16, 17)}") == (4, 6)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("mbb / nop.m 0 / nop.b 0 / nop.b 0", "mfi / nop.m 0 / nop.f 0 / nop.i 0", 3),
        ("bbb / nop.b 0 / nop.b 0 / nop.b 0", "mfi / nop.m 0 / nop.f 0 / nop.i 0", 3),
        ("mib / nop.m 0 / nop.i 0 / nop.b 0", "mfi / nop.m 0 / nop.f 0 / nop.i 0", 6),
        (
            "mib / nop.m 0 / nop.i 0 / (p6) br.cond.spnt there",
            "mfi / nop.m 0 / nop.f 0 / nop.i 0",
            3,
        ),
        (
            "mmb / nop.m 0 / nop.m 0 / (p6) br.cond.spnt there",
            "mfi / nop.m 0 / nop.f 0 / nop.i 0",
            3,
        ),
        (
            "mfb / nop.m 0 / nop.f 0 / (p6) br.cond.spnt there",
            "mfi / nop.m 0 / nop.f 0 / nop.i 0",
            3,
        ),
        ("mib / nop.m 0 / nop.i 0 / nop.b 0", "bbb / nop.b 0 / nop.b 0 / nop.b 0", 3),
    ],
)
def test_bundles_with_branches_are_the_same(first, second, expected):
    assert issued(f"{first} | {second}") == (expected, expected)


@pytest.mark.parametrize("instruction", ["fcmp.eq.s0 p6, p7 = f6, f7", "fmerge.s f8 = f6, f7"])
def test_what_only_f0_takes(instruction):
    """In the second bundle of the window it would be F1's."""
    found = issued(f"mfi / nop.m 0 / nop.f 0 / nop.i 0 | mfi / nop.m 0 / {instruction} / nop.i 0")
    assert found == (4, 6)


NOP = {"M": "nop.m 0", "I": "nop.i 0", "F": "nop.f 0"}
TEMPLATES = {"A": ("mii", 0), "M": ("mii", 0), "I": ("mii", 1), "F": ("mfi", 1)}


def bundle(kind: str, instruction: str) -> str:
    template, slot = TEMPLATES[kind]
    slots = [NOP[letter.upper()] for letter in template]
    slots[slot] = instruction
    return f"{template} / " + " / ".join(slots) + " ;;"


def latency(kinds: str, producer: str, consumer: str) -> tuple[int, int]:
    """Cycles from a producer to its consumer, on Itanium and Itanium 2: seen on the core, the data
    in the nearest cache that may have it."""
    found = []
    for machine in MACHINES.values():
        warm = ["mlx / nop.m 0 / movl r20 = cell ;;"]
        warm += [bundle("M", "ld8 r21 = [r20]"), bundle("A", "adds r22 = 0, r21")]
        lines = [*warm, bundle(kinds[0], producer), bundle(kinds[1], consumer)]
        lines.append("mib / nop.m 0 / nop.i 0 / br.ret.sptk.many b0 ;;")
        made = assembled(" | ".join(lines), machine)
        memory = Memory(buffer.extent for buffer in made.buffers)
        outcome = simulate(made, machine, memory, {})
        assert outcome.status == "done"
        causes = [cause for cause in outcome.lost if cause != "instruction_miss"]
        columns = [list(outcome.lost).index(cause) for cause in causes]
        place = 3 * (len(lines) - 2)
        found.append(1 + int(np.asarray(outcome.stalls)[place : place + 3, columns].sum()))
    return tuple(found)


@pytest.mark.parametrize(
    ("what", "kinds", "producer", "consumer", "expected"),
    [
        ("integer load", "MA", "ld8 r14 = [r20]", "adds r15 = 1, r14", (2, 1)),
        ("floating load", "MF", "ldfd f6 = [r20]", "fma.d.s0 f7 = f6, f1, f1", (9, 6)),
        ("fma", "FF", "fma.d.s0 f6 = f1, f1, f1", "fma.d.s0 f7 = f6, f1, f1", (5, 4)),
        ("xma", "FF", "xma.l f6 = f1, f1, f1", "xma.l f7 = f6, f1, f1", (7, 4)),
        ("fcvt.fx", "FF", "fcvt.fx.trunc.s0 f6 = f1", "fma.d.s0 f7 = f6, f1, f1", (7, 4)),
        ("setf", "MF", "setf.sig f6 = r20", "fma.d.s0 f7 = f6, f1, f1", (9, 5)),
        ("getf", "MA", "getf.sig r14 = f1", "adds r15 = 1, r14", (2, 5)),
        ("variable shift", "II", "shl r14 = r20, r0", "shl r15 = r14, r0", (2, 2)),
        ("floating compare", "FA", "fcmp.eq.s0 p6, p7 = f1, f1", "(p6) adds r15 = 1, r0", (2, 2)),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_latencies(what, kinds, producer, consumer, expected):
    assert latency(kinds, producer, consumer) == expected


def test_a_longer_pipeline_loses_more_to_a_misprediction():
    text = (
        f"{bundle('A', 'cmp.eq p6, p7 = r0, r0')} |"
        "mib / nop.m 0 / nop.i 0 / (p6) br.cond.spnt over ;; |"
        "over: mib / nop.m 0 / nop.i 0 / br.ret.sptk.many b0 ;;"
    )
    lost = [
        simulate(assembled(text, machine), machine, Memory([("cell", 64)]), {}).lost["branch_flush"]
        for machine in MACHINES.values()
    ]
    assert lost == [9, 6]
