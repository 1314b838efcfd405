"""Clusters in PTX and in launches: what is taken, what is refused and how that is said."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from sim.results.result import Result
from tests.cluster_kernels import CUDA
from tests.compiler.frontends.ptx_runs import kernel, read, rows

RING = {"out": np.zeros((8, 64), np.int32), "steps": 3}
SUMS = {"out": np.zeros(2, np.float32), "in": np.ones(4096, np.float32), "n": 4096}


def on_core(entry: str, arguments: dict, launch: dict, machine: str = "h200", **more) -> Result:
    workload = {
        "workload": entry,
        "program": str(CUDA),
        "entry": entry,
        "arguments": arguments,
        "launch": launch,
    }
    return sim.run(workload, machine=machine, **more)


def test_a_launch_says_how_large_clusters_are():
    found = on_core("ring", RING, {"grid": [8], "block": [64], "cluster": ["2 * 2"]})
    assert found.status == "done"
    assert found.outputs["out"][:, 0].tolist() == [1003, 2003, 3003, 3, 5003, 6003, 7003, 4003]
    counters = found.to_dict()["counters"]
    assert counters["CLUSTER_REQUESTS"] == 8 * 2 * 3
    assert counters["CLUSTER_SEGMENTS"] == 4 * 8 * 2 * 3
    assert counters["CLUSTER_BYTES"] == 128 * 8 * 2 * 3


def test_a_kernel_says_how_large_clusters_are():
    found = on_core("reduction", SUMS, {"grid": [8], "block": [128]})
    assert found.status == "done" and found.outputs["out"].sum() == 4096


@pytest.mark.parametrize(
    "entry, launch, machine, message",
    [
        ("ring", {"grid": [6], "cluster": [4]}, "h200", "6 blocks does not divide into clusters"),
        ("ring", {"grid": [8, 2], "cluster": [2, 4]}, "h200", "clusters of 2 by 4"),
        ("ring", {"grid": [32], "cluster": [32]}, "h200", "'cluster' is too large"),
        ("ring", {"grid": [32], "cluster": [8, 4]}, "h200", "a cluster of 32 blocks, and 'h200'"),
        ("ring", {"grid": [8], "cluster": [2]}, "teaching_gpu", "has no clusters of several"),
        ("ring", {"grid": [8], "cluster": [0]}, "h200", "one to three positive integers"),
        ("reduction", {"grid": [8], "cluster": [2]}, "h200", "that its clusters have 4"),
        ("reduction", {"grid": [6]}, "h200", "6 blocks does not divide into clusters of 4"),
    ],
)
def test_launches_that_are_refused(entry: str, launch: dict, machine: str, message: str):
    arguments = RING if entry == "ring" else SUMS
    with pytest.raises(InputError, match=message) as refused:
        on_core(entry, arguments, {"block": [64], **launch}, machine)
    assert all(one.location is not None for one in refused.value.diagnostics)


def test_a_cluster_that_never_fits():
    launch = {"grid": [8], "block": [64], "cluster": [8]}
    with pytest.raises(InputError, match="each has an SM of its own, and a GPC of 'h200' has 4"):
        on_core("ring", RING, launch, overrides=["sms=4"])


@pytest.mark.parametrize(
    "directive, launch, message",
    [
        (".explicitcluster", {}, "the kernel says '.explicitcluster', and its launch no cluster"),
        (".maxclusterrank 2", {"cluster": [4]}, "its clusters have 2 at most"),
    ],
)
def test_what_a_kernel_promises(directive: str, launch: dict, message: str, tmp_path):
    text = kernel("ret;").replace(") {", f")\n{directive}\n{{", 1)
    (tmp_path / "k.ptx").write_text(text)
    workload = {
        "workload": "k",
        "program": str(tmp_path / "k.ptx"),
        "arguments": {"out": np.zeros(4, np.int32)},
        "launch": {"grid": [4], "block": [32], **launch},
    }
    with pytest.raises(InputError, match=message):
        sim.run(workload, machine="h200")


@pytest.mark.parametrize(
    "line, message",
    [
        ("barrier.cluster.arrive.acquire;", "there is no 'barrier.cluster.arrive.acquire'"),
        ("barrier.cluster.wait.release;", "there is no 'barrier.cluster.wait.release'"),
        ("barrier.cluster.wait 0;", "takes"),
        ("barrier.cluster.sync;", "there is no 'barrier.cluster.sync'"),
        ("mapa.u32 %r1, %r2, %r3;", "a generic address has 64 bits"),
        ("mapa.shared::cta.u32 %r1, %r2, %r3;", "there is no 'mapa.shared::cta.u32'"),
        ("mapa.shared::cluster.u16 %rs1, %rs2, %r3;", "u16"),
        ("getctarank.u32 %r1, %r2;", "a generic address has 64 bits"),
        ("mov.u32 %r1, %is_explicit_cluster;", "is a predicate"),
        ("mov.u64 %rd1, %cluster_ctarank;", "has 32 bits"),
        ("mov.u32 %r1, %clusterid;", "there is no register '%clusterid'"),
    ],
)
def test_lines_that_are_refused(line: str, message: str):
    with pytest.raises(InputError) as refused:
        read(kernel(f"{line} ret;"))
    assert any(message in one.message for one in refused.value.diagnostics), str(refused.value)


@pytest.mark.parametrize("numbers", ["0", "2, 0, 1", "2, 1, 1, 1"])
def test_extents_of_a_cluster(numbers: str):
    text = kernel("ret;").replace(") {", f")\n.reqnctapercluster {numbers}\n{{", 1)
    with pytest.raises(InputError, match="takes one to three numbers of blocks"):
        read(text)


@pytest.mark.parametrize("line", ["mapa.u64 %rd1, %rd2, %r3;", "barrier.cluster.wait;"])
def test_earlier_targets_have_none(line: str):
    with pytest.raises(InputError, match="sm_90 is the first target with"):
        read(kernel(f"{line} ret;").replace("sm_90", "sm_80"))


def test_forms_become_rows():
    text = kernel(
        """
        barrier.cluster.arrive.release.aligned; barrier.cluster.arrive.relaxed;
        barrier.cluster.wait.acquire.aligned; mapa.shared::cluster.u32 %r1, tile, %r2;
        ld.shared::cluster.u32 %r3, [%r1]; ld.shared::cluster.u32 %r4, [tile];
        ret;""",
        ".shared .align 4 .b8 tile[64];",
    )
    assert rows(text) == [
        "barrier.cluster.arrive",
        "barrier.cluster.arrive.relaxed",
        "barrier.cluster.wait",
        "mapa.u32",
        "mov.pack.b64",
        "ld.generic.b32",
        "ld.shared.b32",
    ]
