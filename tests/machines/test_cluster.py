"""Cluster machines: their figures, what follows from them, the rules across their fields."""

from __future__ import annotations

from fractions import Fraction

import jsonschema
import pytest

from machines.description.json_schema import json_schema
from machines.description.load import load_machine, machine_names
from machines.diagnostics import InputError
from machines.instructions import operations
from machines.kinds.cluster.classes import COPY, MATRIX_CLASSES, VECTOR_CLASSES

KIB = 1024
SRAM = (
    "{size: 1 MiB, reserved: 0 B, alignment: 64 B, width: 64 B, staging: {piece: 64 B, pieces: 1}}"
)


def findings(machine: str, *overrides: str):
    with pytest.raises(InputError) as caught:
        load_machine(machine, overrides)
    return caught.value.diagnostics


def described(name: str, *overrides: str):
    return load_machine(name, overrides).description


def test_the_machines_that_come_along():
    cores = {name: described(name).core_count for name in machine_names("cluster")}
    assert cores == {
        "gemmini": 1, "mlu270": 16, "mlu370": 16, "mlu_single": 1, "seed_chip": 16,
        "systolic_128": 1, "systolic_32": 1, "teaching_chip": 4, "tpu_v3": 2,
    }  # fmt: skip


def test_memories_of_the_products():
    usable = {
        name: [described(name).usable(space) // KIB for space in ("nram", "wram", "sram")]
        for name in ("mlu270", "mlu370", "mlu_single")
    }
    assert usable == {
        "mlu270": [384, 1024, 1920], "mlu370": [640, 1024, 3968], "mlu_single": [640, 1024, 0],
    }  # fmt: skip
    assert described("mlu270").usable("dram") == 16 << 30


@pytest.mark.parametrize(
    ("machine", "left", "right", "products", "tera"),
    [
        ("mlu270", "i8", "i8", 4096, "131.072"),
        ("mlu270", "i16", "i16", 2048, "65.536"),
        ("mlu370", "i8", "i8", 4096, "170.3936"),
        ("mlu370", "f16", "f16", 1536, "63.8976"),
        ("mlu370", "bf16", "bf16", 1536, "63.8976"),
        ("mlu370", "f32", "f32", 384, "15.9744"),
        ("systolic_32", "f32", "f32", 1024, "2.048"),
        ("systolic_128", "i8", "i8", 16384, "32.768"),
        ("gemmini", "i8", "i8", 256, "0.512"),
        ("tpu_v3", "bf16", "bf16", 16384, "61.60384"),  # published: 123 of four arrays, rounded up
    ],
)
def test_peaks(machine, left, right, products, tera):
    machine = described(machine)
    assert machine.matrix.supports(left, right)
    assert machine.matrix.products(left, right) == products
    assert machine.peak_operations(left, right) == Fraction(tera) * 10**12


def test_what_cannot_be_multiplied():
    assert not described("mlu270").matrix.supports("f32", "f32")
    assert not described("mlu270").matrix.supports("i8", "i16")
    assert not described("mlu370").matrix.supports("f16", "f32")


def test_bandwidths_are_exact_ratios():
    old, new = described("mlu270"), described("mlu370")
    assert old.dram_bytes_per_cycle == Fraction("102.4")
    assert old.controller_bytes_per_cycle == Fraction("25.6")
    assert old.cluster_bytes_per_cycle is None
    assert new.dram_bytes_per_cycle * new.clock == 307_200_000_000
    assert new.cluster_bytes_per_cycle == Fraction(1280, 13)


def test_times_become_whole_cycles():
    assert described("mlu270").dram_latency == 120
    assert described("mlu370").dram_latency == 208
    assert described("mlu370", "dram.latency=161 ns").dram_latency == 210


def test_steps_of_the_vector_unit():
    unit = described("mlu270").vector
    assert [unit.steps(size) for size in (0, 1, 128, 129)] == [0, 1, 1, 2]
    assert unit.cycles("simple", 4096) == 32
    assert unit.cycles("transcendental", 129) == 12


@pytest.mark.parametrize(
    ("left", "right", "m", "k", "n", "cycles"),
    [
        ("i8", "i8", 3136, 576, 64, 28224),  # a layer of ResNet-50
        ("i8", "i8", 1, 1, 1, 1),
        ("i8", "i8", 1, 65, 65, 4),
        ("i16", "i16", 1, 33, 64, 2),  # rows are padded to 32 elements
        ("f16", "f16", 1, 32, 64, 2),  # 32 elements at 24 a cycle
        ("f16", "f16", 1, 33, 64, 3),
        ("f32", "f32", 128, 256, 256, 128 * 43 * 4),
        ("f32", "f32", 1, 16, 1, 3),
    ],
)
def test_cycles_of_lanes(left, right, m, k, n, cycles):
    assert described("mlu370").matrix.cycles(m, k, n, left, right) == cycles


@pytest.mark.parametrize(
    ("size", "dataflow", "m", "n", "k", "last"),
    [
        (32, "os", 12100, 64, 147, 158421),
        (128, "os", 12100, 64, 147, 38094),
        (128, "ws", 12100, 64, 147, 24963),
        (32, "os", 2916, 64, 576, 117391),
        (128, "ws", 25, 512, 4608, 58607),
        (32, "os", 256, 256, 256, 20351),
        (32, "ws", 256, 256, 256, 22399),
        (32, "is", 256, 256, 256, 22399),
        (128, "is", 256, 256, 256, 2551),
        (32, "os", 1, 4096, 4096, 532223),
    ],
)
def test_cycles_of_arrays_are_those_scale_sim_reports(size, dataflow, m, n, k, last):
    """Layers of ResNet-50 and products, as SCALE-Sim 3.0.0 was seen to run them."""
    unit = described(f"systolic_{size}", f"matrix.dataflow={dataflow}").matrix
    assert unit.cycles(m, k, n, "f32", "f32") == last + 1


@pytest.mark.parametrize("m", [16, 100, 1000])
@pytest.mark.parametrize(("k", "n"), [(16, 16), (64, 64), (50, 100)])
def test_overlapped_folds_are_those_of_onnxim(m, k, n):
    """ONNXim's weight-stationary array: a fold's product begins max(rows of the product before it,
    rows of the array) cycles after that one, and takes rows + columns - 2 + rows of the product."""
    unit = described("gemmini").matrix
    begin = unit.rows  # the first weights
    for _ in range(-(-k // 16) * -(-n // 16) - 1):
        begin += max(m, unit.rows)
    assert unit.cycles(m, k, n, "i8", "i8") == begin + unit.rows + unit.columns - 2 + m


@pytest.mark.parametrize("dataflow", ["os", "ws", "is"])
def test_one_fold_overlaps_with_nothing(dataflow):
    apart, overlapped = (
        described("systolic_32", f"matrix.dataflow={dataflow}", f"matrix.folds={folds}").matrix
        for folds in ("apart", "overlapped")
    )
    assert apart.cycles(32, 32, 32, "i8", "i8") == overlapped.cycles(32, 32, 32, "i8", "i8")
    assert apart.cycles(64, 64, 64, "i8", "i8") > overlapped.cycles(64, 64, 64, "i8", "i8")


@pytest.mark.parametrize("name", machine_names("cluster"))
def test_every_tensor_row_has_a_unit(name):
    rows = [row for row in operations().family("ir").values() if row.name.startswith("tensor.")]
    known = {COPY, *VECTOR_CLASSES, *MATRIX_CLASSES}
    assert {row.scheduling_class for row in rows} <= {None, *known}
    assert set(described(name).vector.cost) == set(VECTOR_CLASSES)


@pytest.mark.parametrize(
    ("override", "column", "message", "hint"),
    [
        ("sram=null", None, "a MEM core has 'sram', which is missing", "describe it"),
        ("bus=null", None, "a MEM core has 'bus', which is missing", None),
        ("mem_core=null", None, "'gdma' belongs to a MEM core, and there is none", "mem_core"),
        ("nram.alignment=48 B", 16, "48 is no power of two", None),
        ("nram.size=1000 B", 11, "1000 bytes are no multiple of the alignment", "128 bytes"),
        ("sram.reserved=100 B", 15, "100 bytes are no multiple of the alignment", None),
        ("wram.reserved=1 MiB", 15, "nothing is left for programs", "less than 1048576"),
        ("dram.line=96 B", 11, "96 is no power of two", None),
        ("dram.interleave=32 B", 17, "a line of 64 bytes is in two controllers", "64 bytes"),
        ("dram.controllers=7", None, "do not divide by 7 controllers", "1792 B"),
        ("arbitration=32 B", 13, "a turn of 32 bytes ends within a line", "64 bytes"),
        ("dram.banks.row=384 B", 16, "ends within 256 bytes of 'dram.interleave'", "256 bytes"),
        ("dram.banks.row=96 B", 16, "ends within 64 bytes of 'dram.line'", "64 bytes"),
        ("dram.banks.page=ajar", 17, "'ajar' is not one of", None),
        ("dram.cluster_bandwidth=308 GB/s", 24, "this limits nothing", "leave it out"),
        ("vector.cost.sort=null", None, "class 'sort' has no cost", "sort: 1 cycle"),
        ("vector.cost.sort=0 cycles", 18, "greater than or equal to 1", None),
        ("vector.cost.sorted=1 cycle", 13, "'sorted' is not one of", "'sort'"),
        ("bus.modes=[]", 5, "this bus does nothing", "unicast"),
        ("bus.modes=[unicast, unicast]", 5, "a mode is named twice", None),
        ("bus.modes=[anycast]", 12, "'anycast' is not one of", None),
        ("matrix.rates.f32.f32=17", 22, "64 bytes hold 16 elements", "no more products"),
        ("matrix.rates.i16.i16=33", 22, "64 bytes hold 32 elements", None),
        ("matrix.rates.i16.i8=32", 21, "no operation multiplies i16 by i8", "leave it out"),
        ("matrix.rates.i31={i31: 16}", 14, "'i31' is not one of", None),
        ("matrix.rates.i4={i4: 129}", 22, "64 bytes hold 128 elements", "no more products"),
        ("matrix.rates.e4m3={e5m2: 8}", 26, "no operation multiplies e4m3 by e5m2", "leave it"),
        ("matrix.rates=!replace {}", 8, "this unit multiplies nothing", "i8: 64"),
        ("matrix.reduction=6 B", None, "6 bytes are no whole elements", None),
        ("matrix.rows=32", 8, "unknown key 'rows'", "lanes"),
        ("matrix.dataflow=os", 8, "unknown key 'dataflow'", None),
        ("matrix.unit=systolicc", 13, "'systolicc' is not one of", "'systolic'"),
        ("matrix.unit=systolic", None, "'dataflow' is missing", "What stays in the cells"),
        ("matrix=!replace {lanes: 3}", 1, "'unit' is missing", "shape"),
        ("clusters=1024", 10, "there are 4096 cores", "at most 1024"),
        ("nram.size=128 MiB", None, "bytes together", "1073741824"),
        ("dma_engines=iodma+gdma", 13, "'iodma+gdma' is not one of", "iodma+mvdma"),
        ("iodma.width=64", 13, "64 has no unit", "16 KiB"),
        ("dram_path=gdma", 11, "'gdma' is not one of", "'iodma'"),
        ("noc.width=0 B", 11, "greater than or equal to 1", None),
        ("cores=0", 7, "greater than or equal to 1", None),
    ],
)
def test_broken_overrides(override, column, message, hint):
    found = [f for f in findings("mlu370", override) if message in f.message]
    assert found, [str(f) for f in findings("mlu370", override)]
    if column is not None:
        assert (found[0].location.file, found[0].location.column) == ("--set", column)
    assert hint is None or hint in found[0].hint


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("sram=" + SRAM, "'sram' belongs to"),
        ("dma_engines=gdma+iodma", "without a MEM core there is no GDMA"),
    ],
)
def test_broken_overrides_of_a_chip_without_mem_core(override, message):
    assert any(message in f.message for f in findings("mlu_single", override))


@pytest.mark.parametrize(
    ("override", "hint"),
    [
        ("arbitration=512 B", "several cores, or a MEM core"),
        ("dram.interleave=512 B", "controllers is at least 2"),
        ("iodma_over_bus=true", "a MEM core"),
        ("dram_path=auto", "a MEM core"),
    ],
)
def test_an_override_without_effect_says_why(override, hint):
    (found,) = findings("mlu_single", override)
    assert found.message.startswith("nothing that 'mlu_single' does depends on")
    assert hint in found.hint
    load_machine("mlu270", [override])


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["dma_engines=one"], "one DMA does all of a cluster: there is no second way to DRAM"),
        (["cores=5"], "163840 bytes are staged for 5 cores, and 131072 are reserved"),
        (["sram.staging.pieces=3"], "196608 bytes are staged for 4 cores, and 131072 are"),
        (["sram.staging=null"], "copies go through SRAM, and no part of it is for them"),
        (["sram.staging.piece=1000 B"], "a piece of 1000 bytes ends within a line of DRAM"),
    ],
)
def test_copies_that_cannot_go_through_sram(overrides, message):
    for way in ("gdma_mvdma", "auto"):
        found = [f.message for f in findings("mlu370", f"dram_path={way}", *overrides)]
        assert any(message in one for one in found), found
    if "staging." not in overrides[0]:
        load_machine("mlu370", overrides)


def test_what_another_setting_makes_matter_can_be_overridden():
    changes = ["dram.interleave=512 B", "dram.controllers=2", "cores=2", "arbitration=512 B"]
    assert described("mlu_single", *changes).core_count == 2


def test_every_figure_of_either_matrix_unit_has_a_source(tmp_path):
    text = "extends: systolic_32\nname: x\nmatrix: !replace\n  unit: systolic\n"
    text += "  rows: 2\n  columns: 2\n  dataflow: ws\n  folds: apart\n"
    text += "  issue: 0 cycles\n  depth: 0 cycles\n"
    path = tmp_path / "x.yaml"
    path.write_text(text)
    unsourced = {f.message.split("'")[1] for f in findings(str(path))}
    assert unsourced == {"unit", "rows", "columns", "dataflow", "folds", "issue", "depth"}
    path.write_text("source: 'assumed: x'\n" + text)
    assert described(str(path)).matrix.products("i8", "i8") == 4


@pytest.mark.parametrize(
    ("matrix", "is_right"),
    [
        ({"issue": "2 cycles"}, True),
        ({"rows": 3}, True),
        ({"rates": {"source": "manual: x", "f32": {"source": "manual: y", "f32": 6}}}, True),
        ({"rates": {"f32": {"value": {"f32": 6}, "source": "manual: y"}}}, True),
        ({"rates": {"f32": {"f31": 6}}}, False),
        ({"rates": {"f32": {"f32": "6"}}}, False),
        ({"lanes": 3, "rows": 3}, False),
        ({"unit": "tree"}, False),
    ],
)
def test_the_json_schema_knows_both_matrix_units(matrix, is_right):
    schema = jsonschema.Draft202012Validator(json_schema("cluster"))
    data = {"extends": "mlu370", "name": "x", "matrix": matrix}
    assert schema.is_valid(data) == is_right, list(schema.iter_errors(data))
