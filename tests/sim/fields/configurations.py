"""The machines on which figures are changed: those that come along, and some whose settings make
other figures matter.  The first of a kind is the one of which every figure is tried."""

from __future__ import annotations

CONFIGURATIONS: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "epic": {
        "itanium2": ("itanium2", ()),
        "small caches": (
            "itanium2",
            (
                "memory.l1i.size=256B",
                "memory.l1d.size=256B",
                "memory.l2.size=1KiB",
                "memory.l3.size=3KiB",
            ),
        ),
        "results that come late": (
            "itanium2",
            tuple(
                f"latencies.{name}.result=7 cycles"
                for name in (
                    "compare", "test_bit", "fp_seed_predicate", "move_to_predicates",
                    "move_to_branch", "move_to_ar_i", "call", "return", "loop_branch",
                )
            ),
        ),
        "banks, and floats in the L1D": (
            "itanium2",
            ("memory.l1d.banks=8", "memory.l1d.bank_bytes=8 B", "memory.l1d.holds_fp=true"),
        ),
        "stores that go far": (
            "itanium2",
            (
                "memory.l2.write=through",
                "memory.l2.holds_fp=false",
                "memory.l2.size=1KiB",
                "memory.l3.size=3KiB",
                "memory.l3.banks=4",
                "memory.l3.accesses=2",
            ),
        ),
        "static prediction": ("itanium2", ("branches.predictor.kind=static",)),
        "nothing spills": ("itanium2", ("dispersal.spill_classes=[]",)),
        "stores stay near": (
            "itanium2", ("memory.l1d.write=back", "memory.l1d.allocate_on_write=true")
        ),
        "one way": ("itanium2", ("memory.l1d.ways=1", "memory.l2.write=none")),
        "I slots that trade places": (
            "itanium2",
            ("dispersal.matched_slots.I=[I0, I1]", "dispersal.ordered_slots.I=null"),
        ),
        "fewer registers": (
            "itanium2",
            (
                "registers.general={count: 100, rotating: [32, 95]}",
                "registers.floating={count: 100, rotating: [32, 95]}",
                "registers.predicate={count: 60, rotating: [16, 50]}",
            ),
        ),
        "itanium": ("itanium", ()),
        "epic3": ("epic3", ()),
    },
    "simt": {
        "teaching_gpu": ("teaching_gpu", ()),
        "barriers": ("teaching_gpu", ("reconvergence.policy=barriers",)),
        "ipdom": ("teaching_gpu", ("reconvergence.policy=ipdom",)),
        "min_pc": ("teaching_gpu", ("reconvergence.policy=min_pc",)),
        "markers that are instructions": (
            "teaching_gpu", ("reconvergence.marker_position=first_in_block",)
        ),
        "control bits": (
            "teaching_gpu",
            ("dependences.kind=control_bits", "reconvergence.policy=barriers"),
        ),
        "banks": (
            "teaching_gpu",
            ("register_file.banks=2", "register_file.reuse_cache=true", "memory.l1.banks=8"),
        ),
        "narrow pipes": (
            "teaching_gpu",
            tuple(
                f"pipes.{name}.{what}"
                for name in ("alu", "fma", "half", "mio", "control")
                for what in ("lanes=8", "queue=2")
            ),
        ),
        "a slow control pipe": ("teaching_gpu", ("pipes.control.lanes=1",)),
        "two partitions": (
            "teaching_gpu", ("memory.l2.partitions=2", "memory.l2.far_latency=70 cycles")
        ),
        "less shared memory": (
            "teaching_gpu", ("limits.shared_per_cta=4 KiB", "limits.carve_outs=[8 KiB]")
        ),
        "few of everything": (
            "teaching_gpu",
            ("memory.l1.mshrs=8", "memory.l2.mshrs=4", "memory.l1.merges=1", "limits.ctas=2"),
        ),
        "rows of DRAM": (
            "teaching_gpu",
            (
                "memory.dram.rows={interleave: 256 B, banks: 2, interval: 8 ns, cycle: 50 ns}",
                "memory.dram.writes={batch: 64 B, turnaround: 20 ns}",
                "memory.dram.refresh={interval: 400 ns, time: 40 ns}",
                "memory.l2.size=4 KiB", "memory.l2.ways=4",
            ),
        ),
        "h200": ("h200", ()),
        "v100": ("v100", ("compute_capability=9.0",)),
        "a100": ("a100", ("compute_capability=9.0",)),
    },
    "cluster": {
        "teaching_chip": ("teaching_chip", ()),
        "one core": ("teaching_chip", ("clusters=1", "cores=1")),
        "one controller": (
            "teaching_chip",
            ("dram.controllers=1", "dram.cluster_bandwidth=8 GB/s"),
        ),
        "rows": (
            "teaching_chip",
            ("dram.banks={count: 2, row: 512 B, page: closed, read: 10 ns, write: 20 ns}",),
        ),
        "a fast port": ("teaching_chip", ("noc.width=256 B", "dram.cluster_bandwidth=24 GB/s")),
        "one engine": ("teaching_chip", ("dma_engines=one",)),
        "over the bus": ("teaching_chip", ("iodma_over_bus=true", "noc.width=256 B")),
        "through SRAM": ("teaching_chip", ("dram_path=gdma_mvdma",)),
        "counted waits": ("teaching_chip", ("waits=counted",)),
        "systolic": (
            "teaching_chip",
            (
                "matrix=!replace {unit: systolic, rows: 4, columns: 4, dataflow: os, folds: apart, "
                "issue: 1 cycle, depth: 5 cycles}",
            ),
        ),
        "mlu270": ("mlu270", ()),
        "mlu370": ("mlu370", ()),
        "mlu_single": ("mlu_single", ()),
        "seed_chip": ("seed_chip", ()),
        "systolic_32": ("systolic_32", ()),
    },
}  # fmt: skip
"""By kind and name: the machine, and what is set otherwise."""
