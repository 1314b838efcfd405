"""Rooflines worked out by hand: points, roofs, what bounds; of runs of every kind."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

import sim
from compiler import compile
from machines.description.load import load_machine, machines
from machines.instructions import operations
from machines.instructions.ptx_warp_group import types_of
from machines.kinds import kinds
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores import Request
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.statistics import Statistics
from sim.kinds.cluster.roofline import ROOFLINE as CLUSTER
from sim.kinds.epic.roofline import ROOFLINE as EPIC
from sim.kinds.simt.roofline import ROOFLINE as SIMT
from sim.kinds.simt.work import variants, work_of
from sim.results.figures import Figures, between
from sim.results.laws import LawBroken
from sim.results.roofline import BYTES, OPERATIONS, Roof, roofline_of
from sim.results.roofline_text import chart, text_of
from sim.results.vocabulary import vocabulary_of
from sim.simulate import simulate
from sim.studies.figures import figures_of, names_of_figures, of_peak
from tests.campaign.same_results import cases
from tests.sim.cluster.chip_runs import run
from tests.warp_programs import emitted

ROOFS = (
    Roof("adds", OPERATIONS, Fraction(8), "Sums."),
    Roof("roots", OPERATIONS, Fraction(1), "Roots."),
    Roof("far", BYTES, Fraction(2), "Far memory."),
    Roof("near", BYTES, Fraction(32), "Near memory."),
    Roof("free", BYTES, None, "What nothing limits."),
)
WORK = {"adds": 300, "roots": 0, "far": 100, "near": 800, "free": 50}


def test_points_of_two_levels_by_hand():
    """100 cycles at 10 Hz are 10 s: 30 sums a second of 80, 10 and 80 bytes of 20 and 320."""
    found = roofline_of(WORK, ROOFS, 100, 10)
    points = {(p.operations.name, p.level.name): p for p in found.points}
    assert {*points} == {("adds", "far"), ("adds", "near"), ("adds", "free")}
    far, near, free = points.values()
    assert (far.intensity, far.achieved, far.roof) == (3, 30, 60)  # 20 bytes a second, 3 for each
    assert (near.intensity, near.achieved, near.roof) == (Fraction(3, 8), 30, 80)  # 120 is more
    assert (free.intensity, free.roof) == (6, 80)
    assert (found.bound.name, found.bound.part) == ("far", Fraction(1, 2))


def test_what_is_written_of_it():
    told = roofline_of(WORK, ROOFS, 100, 10).to_dict()
    assert told["operations"] == [
        {
            "name": "adds",
            "operations": 300,
            "operations_per_second": 30.0,
            "peak_operations_per_second": 80.0,
            "part": 0.375,
        }
    ]
    assert [one["name"] for one in told["levels"]] == ["far", "near", "free"]
    assert told["levels"][2] == {
        "name": "free", "bytes": 50, "bytes_per_second": 5.0, "peak_bytes_per_second": None,
        "part": None,
    }  # fmt: skip
    assert told["points"][0] == {
        "operations": "adds", "level": "far", "intensity": 3.0, "achieved": 30.0, "roof": 60.0,
    }  # fmt: skip
    assert told["bound"] == {"by": "far", "part": 0.5}


def test_a_run_of_nothing():
    assert roofline_of({}, ROOFS, 0, 10) is None
    idle = roofline_of({}, ROOFS, 100, 10)
    assert idle.bound is None and not [*idle.points] and chart(idle) == []


@pytest.mark.parametrize(
    "work, roofs, said",
    [
        ({"divisions": 1}, ROOFS, "there is work of 'divisions', and no roof for it"),
        ({}, (*ROOFS, ROOFS[0]), "there are two roofs 'adds'"),
        ({}, (Roof("x", "watts", None, "."),), "roof 'x' is of 'watts', not of operations or byt"),
    ],
)
def test_what_a_kind_may_not_say(work, roofs, said):
    with pytest.raises(ValueError, match=said):
        roofline_of(work, roofs, 1, 1)


def test_a_region_has_what_was_done_in_it():
    begin = Figures(10, {}, {}, (), None, None, {}, work={"adds": 5})
    end = Figures(30, {}, {}, (), None, None, {}, work={"adds": 9, "far": 2})
    vocabulary = SimpleNamespace(counters=())
    assert between(begin, end, vocabulary).work == {"adds": 4, "far": 2}
    with pytest.raises(LawBroken, match="adds only grows"):
        between(replace(end, cycles=1), replace(begin, cycles=2), vocabulary)


CHART = """\
adds, by operations a byte of each level
80 op/s ┤          bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbaaaaaaaaaaaa
        │        bb                                        aa
        │      bb                                        aa
"""


def test_the_picture():
    lines = chart(roofline_of(WORK, ROOFS, 100, 10))
    assert lines[:4] == CHART.splitlines()
    (of_both,) = (line for line in lines[1:-1] if "A" in line)
    assert of_both.index("B") < of_both.index("A") and lines.index(of_both) == 9  # 30 of 16 … 80
    assert of_both.index("A") - 9 == round(63 * (math.log2(3) + 3) / 6)  # between 1/8 and 8
    assert lines[-1] == "roofs of a far, b near; capitals: what the run did"


def test_the_text_of_a_result_without_one():
    result = SimpleNamespace(title="x on y", status="done", cycles=7, clock=1, roofline=None)
    assert text_of(result) == "x on y: done, 7 cycles at 1e-09 GHz; no roofline\n"


# What runs of each kind did


LOOP = """
    .data
    .align 16
x:  data8 1, 2, 3, 4
    .text
main: mov r8 = 0
      addl r14 = @gprel(x), gp
      mov r9 = 5 ;;
loop: add r8 = r8, r9
      ld8 r10 = [r14]
      ldfd f6 = [r14]
      adds r9 = -1, r9 ;;
      fma.d f8 = f6, f6, f6
      fmpy.d f9 = f6, f6
      xma.l f10 = f6, f6, f6
      st8 [r14] = r10
      cmp.ne p6, p7 = 0, r9
(p6)  br.cond.dptk.few loop ;;
      br.ret.sptk.many b0 ;;
"""


def test_what_an_epic_run_did():
    """Five turns: 15 integer instructions, and three before; 3 floating operations each, one
    product of integers; 16 bytes of the L1D and 8 that pass through to the L2, where floats load 8.
    One line of each cache is filled: 64 bytes of the L2, 128 of the L3; main memory has the line of
    the code, too."""
    machine = load_machine("itanium2")
    program = compile("loop.s", machine=machine, source=LOOP).program
    outcome = simulate(
        Request(program, machine, Memory(buffer.extent for buffer in program.buffers))
    )
    assert outcome.status == "done"
    work = EPIC.work(outcome.statistics)
    assert work["floating"] == 15 and work["integer product"] == 10 and work["integer"] == 18
    assert work["L1D"] == 5 * 16
    assert work["L2"] == 5 * (8 + 8) + 64


def test_roofs_of_itanium_2_by_hand():
    """4 M ports: two load at the L1D and two store; at the L2 a load of two brings a line of 64
    bytes, two of floats 16; 16 misses of 128 bytes are on their way for 12 - 5 cycles."""
    peaks = {r.name: r.peak for r in EPIC.peaks(load_machine("itanium2").description)}
    assert peaks == {
        "floating": 4, "integer product": 4, "integer": 6, "main memory": Fraction(32, 5),
        "L3": Fraction(16 * 128, 7), "L2": 2 * 64 + 2 * 16, "L1D": 32,
    }  # fmt: skip


KERNEL = """
form allocated of ptx

func @k() {
    frame = KernelFrame(shared: 4096)
entry:
    d4 = mov.address x
    r0 = ld.global.b32 d4, 0
    r1 = fma.rn.f32 r0, r0, r0
    r1 = add.rn.f32 r1, r1
    r2 = mov.laneid
    r2 = mul.lo.s32 r2, 8
    r3 = ld.shared.b32 r2, 0
    r3 = add.s32 r3, 1
    exit
}
"""


def test_what_a_gpu_run_did():
    """A warp: 2 + 1 operations of f32 and two integer ones a lane.  All lanes load one word: 128
    bytes go to registers, of a sector of 32 that comes from DRAM by way of the L2; two words of
    each bank of shared memory take two cycles in which all banks give 128."""
    machine = load_machine("teaching_gpu").description
    core = SimtCore(emitted(KERNEL), machine, Memory([("x", 16384)]))
    core.start(0, "k", Grid((1, 1, 1), (32, 1, 1)), b"")
    core.advance(100_000)
    work = {name: amount for name, amount in SIMT.work(Statistics(core)).items() if amount}
    assert work == {
        "f32": 96, "integer": 64, "DRAM": 32, "L2": 32, "L1": 128, "shared memory": 256,
    }  # fmt: skip


def test_roofs_of_gpus_by_hand():
    """An H200 has 132 SMs of four sub-cores; a sub-core issues an instruction a cycle, of which 32
    lanes of f32 and 16 of f64 take two operations each; integer instructions come from two pipes of
    16 lanes; wgmma takes 4 cycles for 2 × 16 × 8 × 16."""
    peaks = {r.name: r.peak for r in SIMT.peaks(load_machine("h200").description)}
    subcores = 132 * 4
    assert peaks["f32"] == subcores * 64 and peaks["f64"] == subcores * 32
    assert peaks["integer"] == subcores * 32 and peaks["special"] == subcores * 4
    assert peaks["tensor f16"] == subcores * 1024 and peaks["tensor i8"] == subcores * 2048
    assert peaks["tensor tf32"] == subcores * 512
    assert peaks["DRAM"] == Fraction(4917, Fraction(198, 100)) and peaks["L2"] == 96 * 54
    assert peaks["L1"] == peaks["shared memory"] == 132 * 128


@pytest.mark.parametrize(
    "row, types, done",
    [
        ("fma.rn.f32", None, ("f32", 2, False)),
        ("dfma.negated", None, ("f64", 2, False)),
        ("mul.rn.f64", None, ("f64", 1, False)),
        ("min.f64", None, None),
        ("fma.rn.f16x2", None, ("f16", 4, False)),
        ("add.rn.f16", None, ("f16", 1, False)),
        ("ex2.approx.f16x2", None, ("special", 2, False)),
        ("mad.lo.s32", None, ("integer", 1, False)),
        ("setp.lt.u32", None, ("integer", 1, False)),
        ("cvt.u8.s8", None, None),
        ("div.rn.f32", None, None),
        ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", None,
         ("tensor f16", 2 * 16 * 8 * 16, True)),
        ("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", None,
         ("tensor i8", 2 * 16 * 8 * 32, True)),
        ("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", None,
         ("tensor b1", 2 * 8 * 8 * 128, True)),
        ("wgmma.mma_async.m64n24.f32.shared", types_of("f16", "f16", "f32"),
         ("tensor f16", 2 * 16 * 24 * 16, True)),  # a warp has 16 of 64 rows; 32 bytes of depth
        ("wgmma.mma_async.m64n24.f32.shared", types_of("e4m3", "e5m2", "f32"),
         ("tensor f8", 2 * 16 * 24 * 32, True)),
        ("wgmma.fence", None, None),
    ],
)  # fmt: skip
def test_what_rows_do(row: str, types: int | None, done: tuple | None):
    assert work_of(operations().family("ptx")[row], types) == done


def test_ffma_is_a_product_that_is_added():
    names = [name for name in operations().family("ptx") if name.startswith("ffma")]
    assert names and all(work_of(operations().family("ptx")[n]).count == 2 for n in names)


def test_no_work_is_without_a_roof():
    """Whatever a program may do has a roof on machines that run it: types of operations of rows."""
    for name in ("teaching_gpu", "v100", "h200", "rtx4090"):
        machine = load_machine(name).description
        rows = operations().family("ptx").values()
        done = {
            one.of for row in rows if row.scheduling_class in machine.classes
            for one in variants(row)
        }  # fmt: skip
        assert done <= {roof.name for roof in SIMT.peaks(machine)}


CHIP = """
x: i8[64] in dram
y: i8[256] in dram
w: i8[64] in wram
a: i8[64] in nram
b: i8[64] in nram
func @main() {
entry:
    y0 = mul.i64 task_id, 64
    y1 = add.i64 y0, 64
    tensor.copy.i8 a[0:64], x[0:64]
    tensor.copy.i8 w[0:64], x[0:64]
    sync_io 0
    tensor.matmul_t.i8 b[0:16], a[0:32], w[0:32], 4, 8, 4
    tensor.add.i8 a[0:64], a[0:64], a[0:64]
    sync_compute 0
    tensor.copy.i8 y[y0:y1], a[0:64]
    return
}
"""


def test_what_a_chip_did():
    """On each of 4 cores: a product of 4 × 8 by 8 × 4, twice 128 operations, and 64 sums; three
    copies of a line of 64 bytes go through DRAM, the port of the cluster and the IODMA."""
    done = run(CHIP, values=False)
    work = {name: size for name, size in CLUSTER.work(done.outcome.statistics).items() if size}
    assert work == {
        "matrix i8": 4 * 256, "vector i8": 4 * 64, "DRAM": 4 * 192, "ports": 4 * 192,
        "iodma": 4 * 192,
    }  # fmt: skip


def test_roofs_of_a_chip_by_hand():
    """Four cores; a matrix unit of 4 lanes that compute 8 products of i8, and steps of 32 bytes."""
    peaks = {r.name: r.peak for r in CLUSTER.peaks(load_machine("teaching_chip").description)}
    assert peaks["matrix i8"] == 2 * 4 * 8 * 4 and peaks["vector f32"] == 4 * 8
    assert peaks["DRAM"] == 2 * 16 and peaks["ports"] == 2 * 32 and peaks["SRAM"] == 2 * 64
    assert peaks["iodma"] == 4 * 16 and peaks["mvdma"] == 4 * 32 and peaks["cdma"] == 2 * 2 * 8
    assert peaks["bus"] == 2 * 16
    shared = load_machine("mlu270").description  # one engine is IODMA and MVDMA
    assert shared.dma_engines == "iodma+mvdma"
    assert {r.name for r in CLUSTER.peaks(shared)} & {"iodma", "mvdma", "iodma+mvdma"} == {
        "iodma+mvdma"
    }


SUITE = {
    "workloads/hand_tuned/ddot": "itanium2",
    "workloads/gpu/strided": "teaching_gpu",
    "workloads/gpu/histogram": "teaching_gpu",
    "workloads/chip/copies/sram": "teaching_chip",
    "workloads/chip/pipelines/three_stage": "mlu370",
}


@pytest.mark.parametrize("workload", SUITE)
def test_no_point_lies_above_its_roof(workload: str):
    found = sim.run(Path(__file__).parents[3] / workload, machine=SUITE[workload])
    points = list(found.roofline.points)
    assert all(point.roof is None or point.achieved <= point.roof for point in points)
    assert points or workload.startswith("workloads/chip/copies")
    for one in found.to_dict()["roofline"]["points"]:
        assert one["roof"] is None or one["achieved"] <= one["roof"]


@pytest.mark.campaign
def test_no_point_of_any_workload_lies_above_its_roof():
    above, count = [], 0
    for workload, variant, machine in cases(Path()):
        found = sim.run(workload, machine=machine, variant=variant, trust=True)
        points = list(found.roofline.points)
        count += len(points)
        above += [(workload, machine, p.to_dict()) for p in points
                  if p.roof is not None and p.achieved > p.roof]  # fmt: skip
    assert not above and count > 1000


@pytest.mark.parametrize("kind", kinds())
def test_studies_know_the_roofs_of_all_machines(kind: str):
    roofs = vocabulary_of(kind).roofline
    known = set(names_of_figures())
    for name, machine in machines().items():
        if machine.kind == kind:
            names = {roof.name for roof in roofs.peaks(load_machine(name).description)}
            assert names <= {*roofs.names()} and {of_peak(one) for one in names} <= known


def test_studies_have_the_part_of_each_roof():
    found = sim.run(Path(__file__).parents[3] / "workloads/gpu/strided", machine="teaching_gpu")
    figures = figures_of(found.to_dict())
    used = {one.name: one.part for one in found.roofline.levels}
    assert figures["of_peak_DRAM"] == float(used["DRAM"]) > 0.1
    assert figures["of_peak_shared_memory"] == 0
