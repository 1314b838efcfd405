"""OpenCL's `__local` parameters: the launch says how many bytes each gets, behind what the kernel
has and what the launch itself asks for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import compiler
import sim
from machines.description.load import load_machine
from machines.diagnostics import InputError

PROGRAM = Path(__file__).parents[2] / "compiler" / "frontends" / "ptx" / "local_arguments.ptx"
N = 32
X = np.arange(N, dtype=np.float32) * 0.5
EXPECTED = (X + np.arange(N))[::-1].tolist()


def run(part: object, more: object, shared: str = "0 B", listed: list | None = None):
    launch = {"grid": [2], "block": [N], "shared": shared}
    if listed is not None:
        launch["arguments"] = listed
    given = {"x": X, "part": part, "y": np.zeros(N, np.float32), "more": more, "n": N}
    return sim.run(
        {
            "workload": "room", "program": str(PROGRAM), "entry": "reversed",
            "machine": "teaching_gpu", "arguments": given, "launch": launch,
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    "part, more, shared",
    [
        ({"shared": 4 * N}, {"shared": 8 * N}, "0 B"),
        ({"shared": "128 B"}, {"shared": "1 KiB"}, "0 B"),
        ({"shared": "4 * n"}, {"shared": "8 * n"}, "1 KiB"),
        ({"shared": 4 * N + 1}, {"shared": 8 * N}, "3 B"),
    ],
)
def test_each_gets_room_of_its_own(part: dict, more: dict, shared: str):
    result = run(part, more, shared)
    assert result.status == "done" and result.outputs["y"].tolist() == EXPECTED


def test_a_launch_may_list_room():
    result = run({"shared": 128}, {"shared": 256}, "0 B", ["x", "part", "y", "more", "n"])
    assert result.outputs["y"].tolist() == EXPECTED
    with pytest.raises(InputError, match="no launch reads 'more'"):
        run({"shared": 128}, {"shared": 8}, "0 B", ["x", "part", "y", {"shared": 256}, "n"])


def test_room_that_is_too_small_is_left_at_a_fault():
    result = run({"shared": 4 * N}, {"shared": 8 * N - 8})
    assert result.status == "fault" and result.fault["kind"] == "out of bounds of shared memory"


def test_the_kernel_says_what_its_pointers_want():
    program = compiler.compile(PROGRAM, machine=load_machine("teaching_gpu")).program
    frame = program.kernels["reversed"].frame
    assert [parameter.room for parameter in frame.parameters] == [0, 4, 0, 8, 0]
    assert frame.dynamic_alignment == 8 and frame.shared == 4


@pytest.mark.parametrize(
    "part, more, message",
    [
        (4 * N, {"shared": 256}, "'param_1' points into shared memory"),
        (np.zeros(N, np.float32), {"shared": 256}, "'param_1' points into shared memory"),
        (None, {"shared": 256}, "'param_1' points into shared memory"),
        ({"shared": 0}, {"shared": 256}, "room in shared memory is 0"),
        ({"shared": 2.5}, {"shared": 256}, "is 2.5, not an integer"),
        ({"shared": "x"}, {"shared": 256}, "a number is wanted here"),
        ({"shared": "9 KB"}, {"shared": 256}, "9 KB"),
        ({"shared": "20 KiB"}, {"shared": 256}, "bytes of shared memory a block"),
    ],
)
def test_what_is_no_room(part: object, more: object, message: str):
    with pytest.raises(InputError, match=message):
        run(part, more)


def test_the_launch_may_ask_for_more_beside():
    with pytest.raises(InputError, match="wants 9224 bytes of shared memory"):
        run({"shared": "1 KiB"}, {"shared": "1 KiB"}, "7164 B")


def test_other_parameters_take_none():
    with pytest.raises(InputError, match="'param_0' does not point into shared memory"):
        listed = [{"shared": 8}, "part", "y", "more", "n"]
        run({"shared": 128}, {"shared": 256}, "0 B", listed)
