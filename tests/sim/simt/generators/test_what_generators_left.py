"""Workloads of what generators left: their launches as PTX takes them, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from sim.workload.schema import read_workload

GPU = Path(__file__).parents[4] / "workloads" / "gpu"
TRITON, WARP = GPU / "triton" / "cache", GPU / "warp" / "cache"
NUMBA, CUTE = GPU / "numba" / "relax.ptx", GPU / "cute" / "transpose.ptx"
ROWS = np.linspace(-1, 1, 64, dtype="f4").reshape(2, 32)


def launch(generator: str) -> dict[str, Any]:
    """The launch that a workload becomes."""
    tree = read_workload(GPU / generator).tree
    key = "launch" if "launch" in tree.value else "launches"
    plain = tree.value[key].plain()
    return plain if key == "launch" else plain[0]


def test_a_launch_of_triton():
    assert launch("triton") == {
        "grid": [64], "kernel": "softmax", "block": [128], "shared": "16 B",
        "arguments": [
            {"value": "x", "elements": "f32", "multiple_of": 16},
            {"value": "y", "elements": "f32", "multiple_of": 16},
            {"value": "n", "multiple_of": 16},
            None, None,
        ],
    }  # fmt: skip
    assert read_workload(GPU / "triton").form.program == "cache/softmax.ptx"


def test_a_launch_of_numba():
    made = launch("numba")
    assert made["kernel"].startswith("_ZN") and made["block"] == [32, 8]
    first = {"value": "first", "elements": "f32", "axes": 2}
    assert made["arguments"][:9] == [
        None, None, {"size": "first"}, {"item": "first"}, first, {"extent": ["first", 0]},
        {"extent": ["first", 1]}, {"stride": ["first", 0]}, {"stride": ["first", 1]},
    ]  # fmt: skip
    assert len(made["arguments"]) == 19 and made["arguments"][-1] == "rate"


def test_a_launch_of_warp():
    made = launch("warp")
    assert made["grid"] == ["(1000 + 63) // 64"] and made["block"] == [64]
    bounds, x, _, energy, dt = made["arguments"]
    assert bounds == {"struct": [{"u32": [1000]}, {"u64": "1000"}, {"u64": 1}]} and dt == "dt"
    assert x["struct"][:2] == [{"ptr": {"value": "x", "elements": "f32", "axes": 2}}, {"u64": 0}]
    assert x["struct"][2] == {"i32": [{"extent": ["x", 0]}, 0, 0, 0]}
    assert x["struct"][4] == {"u16": 1} and energy["struct"][4] == {"u16": 1}


def test_a_launch_of_cute():
    made = launch("cute")
    assert made["block"] == [16, 16, 1] and made["shared"] == "1152 B"
    assert made["arguments"][0] == {
        "struct": [
            {"ptr": {"value": "a", "elements": "f32"}},
            {"i32": [{"extent": ["a", 0]}, {"extent": ["a", 1]}]},
            {"i64": {"stride_in_elements": ["a", 0]}},
        ]
    }


def workload(program: Path, **changes: Any) -> dict[str, Any]:
    """One of two rows of softmax."""
    own = {"x": ROWS, "y": np.zeros_like(ROWS), "n": 32}
    base = {"workload": "w", "program": str(program), "machine": "h200", "arguments": own}
    return base | {"launch": {"grid": [2]}} | changes


@pytest.fixture
def run(simt_core: None) -> Callable[..., sim.Result]:
    return lambda *program, **changes: sim.run(workload(*(program or (TRITON,)), **changes))


@pytest.fixture(scope="module")
def simt_core() -> None:
    """Compiled before any test is timed."""
    sim.run(workload(TRITON))


def refused(*program: Path, **changes: Any) -> str:
    with pytest.raises(InputError) as found:
        sim.run(workload(*(program or (TRITON,)), **changes))
    return str(found.value)


def test_a_folder_runs_with_arguments_by_name(run: Callable[..., sim.Result]):
    result = run()
    expected = np.exp(ROWS) / np.exp(ROWS).sum(1, keepdims=True)
    np.testing.assert_allclose(result.outputs["y"].reshape(2, 32), expected, rtol=3e-6)


@pytest.mark.parametrize(
    "arguments",
    [["x", "y", "n"], ["x", "y", 32], ["x + 0", "y", "16 + 16"], {"n": "n", "x": "x", "y": "y"}],
)
def test_a_launch_may_list_them(arguments: Any, run: Callable[..., sim.Result]):
    own = {"grid": [2], "arguments": arguments}
    given = workload(TRITON)["arguments"]
    if 32 in list(arguments) or "16 + 16" in list(arguments):
        given.pop("n")
    assert run(launch=own, arguments=given).status == "done"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"arguments": {"x": ROWS, "y": ROWS}},
         "'softmax' has a parameter 'n' (i32, a multiple of 16)"),
        ({"arguments": {"x": ROWS, "y": ROWS, "n": 32, "BLOCK": 512}}, "has no parameter 'BLOCK'"),
        ({"arguments": {"x": ROWS, "y": ROWS, "n": 30}}, "'n' is 30, which is no multiple of 16"),
        ({"arguments": {"x": ROWS, "y": ROWS, "n": ROWS}}, "is a number, not the array 'n'"),
        ({"arguments": {"x": ROWS.astype("f8"), "y": ROWS, "n": 32}},
         "'x' is an array of f64, and the kernel was compiled for f32"),
        ({"arguments": {"x": ROWS, "y": 3.5, "n": 32}}, "'y' is 3.5, and an array is wanted"),
        ({"launch": {"grid": [2], "block": [64]}}, "'softmax' was compiled for blocks of [128]"),
        ({"launch": {"grid": [2], "kernel": "norm"}}, "there is no kernel 'norm'"),
        ({"launch": {"grid": [2], "arguments": ["x", "y"]}}, "takes 3 arguments, not 2"),
        ({"launch": {"grid": [2], "arguments": ["x + 1", "y", "n"]}}, "which is no multiple of 16"),
        ({"launch": {"grid": [2], "arguments": {"x": "x", "y": "y", "m": "n"}}},
         "has no parameter 'm'"),
    ],
)  # fmt: skip
def test_what_a_launch_of_triton_refuses(changes: dict[str, Any], said: str, simt_core: None):
    assert said in refused(**changes)


def copied(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "cache"))


@pytest.mark.parametrize("suffix", ["json", "ptx"])
def test_a_file_that_is_missing(suffix: str, tmp_path: Path):
    cache = copied(TRITON, tmp_path)
    (cache / f"softmax.{suffix}").unlink()
    assert f"has softmax.ttir, but no softmax.{suffix}" in refused(cache)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"num_warps": None}, "softmax.json has no 'num_warps': it is of 3.9.0"),
        ({"shared": "16"}, "'shared' is '16', not an integer"),
        ({"target": {"backend": "hip", "arch": "gfx942"}}, "not for CUDA"),
        ({"name": "other"}, "softmax.ptx has no kernel 'other', which softmax.json names"),
        ({"num_ctas": 2}, "'softmax' wants clusters of 2 blocks"),
    ],
)
def test_metadata_of_another_form(changes: dict[str, Any], said: str, tmp_path: Path):
    cache = copied(TRITON, tmp_path)
    metadata = cache / "softmax.json"
    own = json.loads(metadata.read_text()) | changes
    metadata.write_text(json.dumps({key: one for key, one in own.items() if one is not None}))
    assert said in refused(cache)


def test_text_that_is_no_metadata(tmp_path: Path):
    cache = copied(TRITON, tmp_path)
    (cache / "softmax.json").write_text("{,")
    assert "softmax.json:1:2:" in refused(cache)
    (cache / "softmax.json").write_text("[]")
    assert "softmax.json is no metadata of a kernel" in refused(cache)


def test_ttir_of_another_form(tmp_path: Path):
    cache = copied(TRITON, tmp_path)
    ttir = cache / "softmax.ttir"
    ttir.write_text(ttir.read_text().replace("tt.func public", "tt.kernel"))
    assert "softmax.ttir: the kernel's parameters are not as they were" in refused(cache)


def test_more_hidden_parameters_than_are_known(tmp_path: Path):
    cache = copied(TRITON, tmp_path)
    ptx = cache / "softmax.ptx"
    last = ".param .u64 .ptr .global .align 1 softmax_param_4"
    ptx.write_text(ptx.read_text().replace(last, f"{last},\n\t.param .u64 softmax_param_5"))
    assert "'softmax' takes 6 parameters, its TTIR has 3" in refused(cache)


def test_a_cache_of_two_kernels_asks_which(tmp_path: Path, run: Callable[..., sim.Result]):
    for name in ("AAAA", "BBBB"):
        shutil.copytree(TRITON, tmp_path / name)
    said = refused(tmp_path)
    assert "has 2 kernels" in said and "name the folder of one: softmax in AAAA/" in said
    (tmp_path / "CCCC").mkdir()
    (tmp_path / "CCCC" / "unfinished.ttir").write_text("module {}")
    shutil.rmtree(tmp_path / "BBBB")
    assert run(tmp_path).status == "done"


def test_memory_that_blocks_want_of_their_own(tmp_path: Path, run: Callable[..., sim.Result]):
    cache = copied(TRITON, tmp_path)
    metadata = cache / "softmax.json"
    own = json.loads(metadata.read_text()) | {"global_scratch_size": 384}
    metadata.write_text(json.dumps(own))
    result = run(cache)
    assert result.status == "done" and result.outputs["global_scratch"].size == 2 * 384
    changed = workload(cache, launch={"grid": ["n // 16"]})
    with pytest.raises(InputError, match="wants 384 bytes of memory for each block"):
        sim.run(changed)


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        ({"grid": [16]}, "'drift' is launched over 'dim: \\[300\\]' or 'tiles: \\[6\\]'"),
        ({"dim": [10, 10]}, "'drift' asks for 1 coordinates of a thread, 2 are given"),
        ({"dim": [0]}, "'dim' is one to four positive integers or expressions"),
        ({"dim": [10], "block": [8, 8]}, "a block of Warp has one extent"),
        ({"dim": [10], "arguments": ["x", "x", None, 0.5, 1]}, "takes 4 arguments, not 5"),
        ({"dim": [10], "arguments": ["x + 3", "x", None, 0.5]}, "is given by its name"),
        ({"dim": [10], "arguments": ["line", "x", None, 0.5]}, "'line' has 1 axes, its elements 1"),
    ],
)
def test_what_a_launch_of_warp_refuses(launch: dict[str, Any], said: str):
    own = {"x": ROWS[:, :3].copy(), "line": np.zeros(3, "f4")}
    launch = {"arguments": ["x", "x", None, 0.5], **launch}
    with pytest.raises(InputError, match=said):
        sim.run(workload(WARP, arguments=own, launch=launch, machine="a100"))


def test_two_targets_of_warp_in_one_folder(tmp_path: Path):
    cache = copied(WARP, tmp_path)
    one = next(cache.glob("*.ptx"))
    shutil.copy(one, cache / one.name.replace("sm75", "sm90"))
    assert "has 2 files *.ptx" in refused(cache)


@pytest.mark.parametrize(
    "damage", [("launch_bounds_t<1>", "launch_bounds_t"), ("forward", "ahead")]
)
def test_another_version_of_warp(damage: tuple[str, str], tmp_path: Path):
    cache = copied(WARP, tmp_path)
    source = next(cache.glob("*.cu"))
    source.write_text(source.read_text().replace(*damage))
    assert "Warp 1.19 is known" in refused(cache)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"first": ROWS, "second": ROWS}, "takes 3 arguments, the workload has 2"),
        ({"first": ROWS, "second": ROWS[0], "rate": 0.5}, "'second' is an array of 1 axes"),
        ({"first": ROWS, "second": ROWS.astype("i4"), "rate": 0.5}, "'second' is an array of i32"),
        ({"first": ROWS, "second": None, "rate": 0.5}, "an array of Numba is given by its name"),
    ],
)
def test_what_a_launch_of_numba_refuses(arguments: dict[str, Any], said: str):
    if arguments["second"] is None:
        arguments, said = {"first": ROWS, "rate": 0.5}, "is never null"
        own = {"grid": [1], "block": [32, 2], "arguments": ["first", None, "rate"]}
    else:
        own = {"grid": [1], "block": [32, 2]}
    assert said in refused(NUMBA, arguments=arguments, launch=own)


def test_a_tensor_of_other_axes_than_cute_compiled():
    own = {"a": ROWS, "c": ROWS[0].copy()}
    said = refused(CUTE, arguments=own, launch={"grid": [1], "shared": "1152 B"})
    assert "the tensor is a structure of 24 bytes, one of 1 axes" in said


def test_a_folder_that_nobody_left(tmp_path: Path):
    assert "is a folder, in which no generator left a program" in refused(tmp_path)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ({"value": "n", "divides": 3}, "there is no condition 'divides'"),
        ({"value": "n", "multiple_of": 0}, "'multiple_of' is a positive integer"),
        ({"value": "x", "elements": "float"}, "there is no type 'float'"),
        ({"value": {"struct": [{"i32": 1}]}, "axes": 2}, "a structure has no conditions"),
        ({"extent": "x"}, "'extent' is asked of an array, {extent: [x, 0]}"),
        ({"extent": ["x", 2]}, "'x' has 2 axes: there is no axis 2"),
        ({"stride": ["n", 0]}, "there is no array 'n'"),
        ({"size": ["x", 0]}, "'size' is asked of an array, {size: x}"),
        ({"value": "n + 8", "multiple_of": 16}, "is 40, which is no multiple of 16"),
    ],
)
def test_conditions_and_questions_of_a_plain_launch(argument: Any, said: str):
    """Those of any workload of PTX: the last of a kernel's arguments is one of them."""
    own = {"kernel": "softmax", "grid": ["n // 16"], "block": [128], "shared": "16 B",
           "arguments": ["x", "y", argument, None, None]}  # fmt: skip
    assert said in refused(TRITON / "softmax.ptx", launch=own)
