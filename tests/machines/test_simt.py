"""SIMT machines: their figures, the rules across their fields, occupancy."""

from __future__ import annotations

import pytest

from machines.description.load import load_machine, machine_names
from machines.diagnostics import InputError
from machines.instructions import operations
from machines.kinds.simt.classes import CLASSES, TENSOR, traits
from machines.kinds.simt.occupancy import occupancy

MACHINES = machine_names("simt")


def findings(machine: str, *overrides: str):
    with pytest.raises(InputError) as caught:
        load_machine(machine, overrides)
    return caught.value.diagnostics


def test_the_machines_that_come_along():
    sizes = {name: load_machine(name).description for name in MACHINES}
    assert {name: machine.sms for name, machine in sizes.items()} == {
        "a100": 108,
        "h100": 132,
        "h200": 132,
        "l40s": 142,
        "rtx4090": 128,
        "rtx_pro_6000": 188,
        "teaching_gpu": 1,
        "v100": 80,
    }
    assert all(machine.warp_width == 32 for machine in sizes.values())


def test_figures_of_the_h200():
    machine = load_machine("h200").description
    assert (machine.sms, machine.subcores, machine.limits.warps) == (132, 4, 64)
    assert machine.distance("fma", "fma") == 4
    assert machine.distance("fma", "alu") == 5
    assert machine.distance("alu", "load_global") == 5
    assert machine.distance("predicate_compare", "alu") == 4
    assert machine.distance("predicate_compare", "branch", guard=True) == 13
    assert machine.distance("load_global", "fma") == 32
    assert machine.distance("load_shared", "fma") == 23
    assert machine.distance("atomic_global") == 281
    intervals = {name: machine.interval(name) for name in ("fma", "alu", "fma64", "special")}
    assert intervals == {"fma": 1, "alu": 2, "fma64": 2, "special": 8}
    assert round(machine.dram_bytes_per_cycle) == 2483
    assert machine.l1_sets(carve_out=100 * 1024) == 78
    assert machine.memory.l2.sets == 256


def test_intervals_follow_lanes_of_the_machines():
    fp64 = {name: load_machine(name).description.interval("fma64") for name in MACHINES}
    few = {"l40s": 64, "rtx4090": 64, "rtx_pro_6000": 64}  # two f64 units an SM
    assert fp64 == {"v100": 4, "a100": 4, "h100": 2, "h200": 2, "teaching_gpu": 2, **few}
    fma = {name: load_machine(name).description.interval("fma") for name in MACHINES}
    assert fma == {name: 2 if name in ("v100", "a100") else 1 for name in MACHINES}


PEAKS = {  # TFLOPS of f32, of f64, of f16 with sums of f32 on tensor cores, of data sheets
    "v100": (14.1, 7.1, None),  # at 1.38 GHz; 15.7 and 7.8 at 1.53
    "a100": (19.5, 9.7, 312),
    "h100": (66.9, 33.5, None),  # of warp groups: 990
    "rtx4090": (82.6, 1.29, 165.2),
    "l40s": (91.6, 1.43, 362),
    "rtx_pro_6000": (125, 1.95, 503.8),
}


@pytest.mark.parametrize("name", PEAKS)
def test_peaks_are_what_data_sheets_say(name):
    machine = load_machine(name).description
    lanes = 32 * machine.sms * machine.subcores * machine.clock / 1e12
    f32, f64, products = PEAKS[name]
    assert 2 * lanes / machine.interval("fma") == pytest.approx(f32, rel=0.01)
    assert 2 * lanes / machine.interval("fma64") == pytest.approx(f64, rel=0.01)
    if products:
        each = 2 * 16 * 8 * 16 / 32
        assert each * lanes / machine.interval("tensor_half") == pytest.approx(products, rel=0.015)


@pytest.mark.parametrize("name", MACHINES)
def test_every_row_of_ptx_has_a_class(name):
    machine = load_machine(name).description
    for row in operations().family("ptx").values():
        assert row.scheduling_class in CLASSES
        if row.scheduling_class in TENSOR and row.scheduling_class not in machine.classes:
            continue
        described = machine.classes[row.scheduling_class]
        assert described.pipe in machine.pipes
        does = traits("ptx")[row.scheduling_class]
        assert (described.latency is None) == (not does.has_latency)


def test_what_classes_wait_for():
    """As their rows say: who is told by the memory, and who by nobody's latency."""
    known = traits("ptx")
    memory = {name for name, does in known.items() if does.waits_for_memory}
    spaces = ("global", "shared", "generic")
    loads = {f"load_{space}" for space in (*spaces, "local", "const", "matrix")}
    atomics = {f"atomic_{space}" for space in spaces}
    assert memory == loads | atomics | {"copy_async", "copy_bulk", "mbarrier"}
    stores = {f"store_{space}" for space in (*spaces, "local", "matrix")}
    without = {name for name, does in known.items() if not does.has_latency}
    assert without == memory | stores | {"branch", "sleep"}
    figures = load_machine("h200").description.memory
    for name, cycles in (
        ("load_const", figures.constant.latency),
        ("load_shared", figures.shared.latency),
        ("atomic_shared", figures.shared.latency),
        ("atomic_generic", figures.l2.near_latency),
        ("load_local", figures.l1.latency),
    ):
        assert known[name].hit_latency(figures) == cycles


@pytest.mark.parametrize(
    ("override", "column", "message", "hint"),
    [
        ("instructions=ptxx", 14, "no instructions for warps are called 'ptxx'", "ptx"),
        ("instructions=ia64", 14, "no instructions for warps are called 'ia64'", None),
        ("classes.alu=null", None, "class 'alu' is not described", "pipe and latency"),
        ("classes.alu.pipe=alux", 18, "there is no pipe 'alux'", "'alu'"),
        ("classes.aluu={pipe: alu, latency: 4 cycles}", 9, "there is no class 'aluu'", "'alu'"),
        ("classes.alu.latency=4", 21, "4 has no unit", "'5 cycles'"),
        ("classes.alu.latency=null", None, "'alu' has no latency", "latency: 4 cycles"),
        ("classes.load_shared.latency=4 cycles", 29, "the memory says how long", "memory.l1"),
        (
            "classes.branch.latency=997 cycles",
            24,
            "nothing waits for the latency of 'branch'",
            "branc",
        ),
        ("classes.store_global.latency=9 cycles", 30, "nothing waits for the latency", None),
        ("classes.special.guard=2 cycles", 23, "what 'special' writes guards nothing", None),
        ("pipes.alu.extra={fmaa: 1 cycle}", 24, "there is no pipe 'fmaa'", "'fma'"),
        ("pipes.alu.lanes=12", 17, "does not divide by 12 lanes", None),
        ("pipes.alu.lanes=64", 17, "does not divide by 64 lanes", None),
        ("warp_width=24", 12, "a warp is a power of two", None),
        ("warp_width=128", 12, "less than or equal to 64", None),
        ("subcores=3", None, "64 warps do not divide by 3", None),
        ("subcores=3", None, "65536 registers do not divide by 3", None),
        ("limits.threads_per_cta=4096", 24, "no more than 2048 threads", "warp_width"),
        ("limits.carve_outs=[]", 8, "there is no carve-out", None),
        ("limits.carve_outs=[0 KiB, 255 KiB]", 8, "leave no set of the L1", "larger"),
        ("limits.carve_outs=[3 KiB, 228 KiB]", 8, "leave 126.5 sets", "16 ways of 128-byte"),
        ("limits.shared_per_cta=228 KiB", 23, "no carve-out holds", None),
        ("scheduler.policy=gtoo", 18, "'gtoo' is not one of", "gto"),
        ("reconvergence.policy=stack", 22, "'stack' is not one of", None),
        ("reconvergence.check_cost=1", 26, "1 has no unit", None),
        ("memory.l1.sector=48 B", 18, "48 is no power of two", None),
        ("memory.l1.sector=64 B", 18, "a sector of the L1 is not as long", "L2"),
        ("memory.l1.sector=256 B", None, "a line has 1 to 8 sectors", None),
        ("memory.l2.size=61 MiB", 16, "make 260.267 sets", "power of two"),
        ("memory.l2.near_latency=20 cycles", 24, "20 cycles are fewer than the 32 of", "whole"),
        ("memory.l2.partitions=7", 22, "slices do not divide", None),
        ("memory.dram.rows.interleave=192 B", 29, "192 is no power of two", None),
        ("memory.dram.rows.interleave=64 B", 29, "64 bytes are less than a line", "128 bytes"),
        ("memory.dram.writes.batch=100 B", 26, "no whole number of sectors", "32 bytes"),
        (
            "memory.dram.refresh.interval=300 ns",
            None,
            "the next refresh is 300 ns behind",
            "interval",
        ),
        ("memory.dram.refresh.time=2 us", 26, "less than or equal to 1000", None),
        ("memory.l3.size=1 MiB", 8, "there is no 'l3' in 'memory'", "l1, l2"),
    ],
)
def test_broken_overrides(override, column, message, hint):
    found = [f for f in findings("h200", override) if message in f.message]
    assert found, [str(f) for f in findings("h200", override)]
    if column is not None:
        assert (found[0].location.file, found[0].location.column) == ("--set", column)
    assert hint is None or hint in found[0].hint


@pytest.mark.parametrize(
    ("machine", "overrides", "field", "hint"),
    [
        ("h200", ["reconvergence.rules=seed"], "reconvergence.rules", "policy is markers"),
        ("teaching_gpu", ["reconvergence.yield_after=3"], "reconvergence.yield_after", "barriers"),
        (
            "teaching_gpu",
            ["reconvergence.policy=ipdom", "reconvergence.selection=largest_group"],
            "reconvergence.selection",
            "policy is not ipdom",
        ),
        ("teaching_gpu", ["register_file.ports=2"], "register_file.ports", "banks is not 0"),
        ("h200", ["classes.alu.read=2 cycles"], "classes.alu.read", "control_bits"),
        ("h200", ["classes.branch.result=long"], "classes.branch.result", "writes registers"),
        (
            "teaching_gpu",
            ["classes.convergence.latency=9 cycles"],
            "classes.convergence.latency",
            "",
        ),
        ("teaching_gpu", ["pipes.half.throttle=mio"], "pipes.half.throttle", "more than a cycle"),
        (
            "h200",
            ["pipes.control.extra.alu=3 cycles"],
            "pipes.control.extra.alu",
            "write registers",
        ),
        ("v100", ["memory.l2.far_latency=300 cycles"], "memory.l2.far_latency", "partitions"),
        ("teaching_gpu", ["modelled=[all]"], "modelled", "describes only"),
    ],
)
def test_an_override_without_effect_says_why(machine, overrides, field, hint):
    (found,) = findings(machine, *overrides)
    assert found.message == f"nothing that '{machine}' does depends on '{field}'"
    assert hint in found.hint


@pytest.mark.parametrize(
    "overrides",
    [
        ["reconvergence.policy=markers", "reconvergence.rules=seed"],
        ["reconvergence.policy=ipdom", "reconvergence.check_cost=3 cycles"],
        ["reconvergence.check_cost=3 cycles"],
        ["dependences.kind=control_bits", "classes.alu.read=2 cycles"],
        ["classes.fma.interval=3 cycles", "pipes.fma.queue=2"],
        ["classes.exit.latency=30 cycles"],
    ],
)
def test_what_another_setting_makes_matter_can_be_overridden(overrides):
    load_machine("h200", overrides)


def test_what_a_variant_says_wrongly_has_its_place(tmp_path):
    path = tmp_path / "wider.yaml"
    path.write_text("extends: teaching_gpu\nname: wider\nsource: 'assumed: x'\nwarp_width: 12\n")
    places = {(f.location.line, f.location.column) for f in findings(str(path))}
    assert (4, 13) in places


@pytest.mark.parametrize("width", [8, 16, 32])
def test_warps_of_other_widths(width):
    pipes = [
        f"pipes.{name}.lanes={width}" for name in ("alu", "fma", "half", "lg", "mio", "control")
    ]
    narrower = [f"pipes.{name}.lanes=8" for name in ("fp64", "sfu")]
    threads = f"limits.threads_per_cta={16 * width}"
    overrides = [f"warp_width={width}", threads, *pipes, *narrower]
    machine = load_machine("teaching_gpu", overrides).description
    assert machine.interval("alu") == 1 and machine.interval("fma64") == width // 8


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "ctas", "limiter"),
    [
        (256, 32, 0, 8, "warps"),
        (256, 64, 0, 4, "registers"),
        (256, 255, 0, 1, "registers"),
        (256, 32, 48 * 1024, 4, "shared"),
        (32, 32, 0, 32, "ctas"),
        (33, 16, 0, 32, "ctas"),
        (1024, 32, 0, 2, "warps"),
        (1024, 33, 0, 1, "registers"),
        (256, 0, 0, 8, "warps"),
        (64, 32, 227 * 1024, 1, "shared"),
        (96, 40, 1024, 16, "registers"),
    ],
)
def test_occupancy_on_an_h200(threads, registers, shared, ctas, limiter):
    """The first four are the check values of the rules; the others are counted by hand: 96 threads
    of 40 registers are three warps of 1280, twelve a sub-core, 48 in all."""
    machine = load_machine("h200").description
    found = occupancy(machine, threads, registers, shared)
    assert (found.ctas, found.limiter) == (ctas, limiter)


@pytest.mark.parametrize("name", ["rtx4090", "l40s", "rtx_pro_6000"])
@pytest.mark.parametrize(
    ("threads", "registers", "shared", "ctas", "limiter"),
    [
        (32, 32, 0, 24, "ctas"),
        (1024, 32, 0, 1, "warps"),
        (512, 48, 0, 2, "registers"),
        (128, 32, 40 * 1024, 2, "shared"),
    ],
)
def test_occupancy_on_sms_of_48_warps(name, threads, registers, shared, ctas, limiter):
    """By hand: 16 warps of 1536 registers are 24576 of 65536; 41 KiB are in 100 KiB twice."""
    found = occupancy(load_machine(name).description, threads, registers, shared)
    assert (found.ctas, found.limiter) == (ctas, limiter)


def test_the_carve_out_is_the_smallest_that_is_enough():
    machine = load_machine("h200").description
    for shared, kib in ((0, 0), (1024, 16), (7 * 1024, 64), (48 * 1024, 196), (100 * 1024, 228)):
        assert occupancy(machine, 256, 32, shared).carve_out == kib * 1024, shared


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "message"),
    [
        (1056, 32, 0, "wants 1056 threads a block, and the machine gives 1024"),
        (256, 256, 0, "wants 256 registers a thread"),
        (256, 32, 228 * 1024, "wants 233472 bytes of shared memory a block"),
        (1024, 72, 0, "no block of 1024 threads fits"),
    ],
)
def test_what_does_not_fit(threads, registers, shared, message):
    machine = load_machine("h200").description
    with pytest.raises(InputError, match=message):
        occupancy(machine, threads, registers, shared)
