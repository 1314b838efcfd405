"""Layers that multiply, in tile form on several machines, against what the operators say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import Network, TensorType
from compiler.targets.cluster.network.lowering import tile_text
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.types import F16, F32, I8, I32, Type
from tests.campaign.seeds import campaign
from tests.compiler.targets.cluster.network.lowered import compare, numbers

MACHINES = ("mlu370", "mlu_single", "systolic_32", "teaching_chip", "mlu270")
TYPES = ((F32, F32), (F16, F16), (F16, F32), (I8, I32))


def layer(
    draw: np.random.Generator,
    operator: str,
    left: tuple[int, ...],
    right: tuple[int, ...],
    types: tuple[Type, Type] = (F32, F32),
    followers: str = "",
    **attributes: object,
) -> Network:
    """A product and what follows it in one layer: letters of b (bias), r (relu), a (another tensor
    of the shape), c (a column), n (a number), s (select), t (to other elements)."""
    source, target = types
    build = NetworkBuilder()
    x = build.input("x", TensorType(source, left))
    w = build.constant(numbers(draw, source, right), "w")
    found = build.emit(operator, x, w, to=target, layer="l", **attributes)
    for letter in followers:
        type = build.type(found)
        if letter == "r":
            found = build.emit("relu", found, layer="l")
        elif letter == "t":
            to = {F32: F16, F16: F32, I32: I8}.get(type.element, F32)
            found = build.emit("convert", found, to=to, layer="l")
        elif letter == "n":
            number = build.constant(np.full((), 3, numbers(draw, type.element, ()).dtype))
            found = build.emit("sub", number, found, layer="l")
        elif letter == "s":
            zero = build.constant(np.full((), 0, numbers(draw, type.element, ()).dtype))
            mask = build.emit("lt", found, zero, layer="l")
            found = build.emit("select", mask, found, zero, layer="l")
        else:
            shapes = {"b": type.shape[-1:], "a": type.shape, "c": (*type.shape[:-1], 1)}
            other = build.constant(numbers(draw, type.element, shapes[letter]))
            found = build.emit("add", found, other, layer="l")
    build.output("y", found)
    return build.network()


def random_layer(seed: int, whole: bool) -> Network:
    """A layer of odd sizes; `whole`: of integers alone."""
    draw = np.random.default_rng(seed)
    types = (I8, I32) if whole else TYPES[draw.integers(len(TYPES))]
    followers = "".join(draw.choice([*"brancst"], draw.integers(0, 5)))
    some = lambda *of: int(draw.choice(of))  # noqa: E731
    if draw.random() < 0.4:
        m, k, n = (some(1, 2, 3, 7, 16, 31, 64, 97) for _ in range(3))
        transposed = bool(draw.integers(2))
        batch = [some(1, 1, 2, 3) for _ in range(draw.integers(0, 3))]
        other = [one if draw.random() < 0.5 else 1 for one in batch][draw.integers(0, 2) :]
        right = (n, k) if transposed else (k, n)
        return layer(
            draw, "matmul", (*batch, m, k), (*other, *right), types, followers,
            transposed=transposed,
        )  # fmt: skip
    groups = some(1, 1, 1, 2, 3, 5)
    each, out = some(1, 2, 3, 8, 17), some(1, 2, 5, 16)
    kernel = some(1, 1, 2, 3, 3, 5), some(1, 1, 2, 3, 3, 5)
    dilations = some(1, 1, 1, 2), some(1, 1, 2)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    pads = tuple(int(draw.integers(0, reach[k % 2])) for k in range(4))
    extents = (max(some(1, 4, 7, 13, 19), r) for r in reach)
    return layer(
        draw, "conv", (some(1, 1, 2, 3), *extents, groups * each), (groups * out, *kernel, each),
        types, followers, strides=(some(1, 1, 2, 3), some(1, 1, 2)), dilations=dilations,
        pads=pads, groups=groups,
    )  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES)
def test_random_layers(machine: str, tmp_path: Path):
    compare(random_layer(MACHINES.index(machine), machine == "mlu270"), machine, tmp_path)


@campaign(part=50, end=1600)
def test_random_layers_widely(seeds: range, tmp_path: Path):
    for seed in seeds:
        machine = MACHINES[seed % len(MACHINES)]
        compare(random_layer(seed, machine == "mlu270"), machine, tmp_path, seed)


@pytest.mark.parametrize("types", [(F32, F32), (F16, F16), (I8, I32)], ids=str)
def test_a_depth_that_weights_have_no_room_for_comes_in_parts(types, tmp_path: Path):
    draw = np.random.default_rng(1)
    network = layer(draw, "matmul", (3, 1500), (1500, 9), types, "br")
    text, _, _ = tile_text(network, "main", load_machine("teaching_chip").description)
    assert ("tensor.matmul_add.f16.f32" in text) == (types[0] is F16), "rounded once"
    compare(network, "teaching_chip", tmp_path)


@pytest.mark.parametrize("apart", [1, 2])
def test_a_window_that_weights_have_no_room_for_comes_in_parts(apart: int, tmp_path: Path):
    draw = np.random.default_rng(1)
    network = layer(
        draw, "conv", (1, 4, 3, 70), (6, 3, 3, 70), (F32, F32), "br", pads=(apart,) * 4,
        dilations=(apart, apart),
    )  # fmt: skip
    text, _, _ = tile_text(network, "main", load_machine("teaching_chip").description)
    assert "parts" in text
    compare(network, "teaching_chip", tmp_path)


def test_images_that_no_scratchpad_holds_are_cut_along_both_axes(tmp_path: Path):
    draw = np.random.default_rng(1)
    network = layer(
        draw, "conv", (2, 11, 67, 4), (5, 3, 5, 4), (F32, F32), "abr", pads=(1, 2, 1, 2),
        strides=(2, 1),
    )  # fmt: skip
    compare(network, "teaching_chip", tmp_path)


def test_groups_of_several_channels_are_shared_by_cores(tmp_path: Path):
    draw = np.random.default_rng(1)
    network = layer(
        draw,
        "conv",
        (1, 3, 2, 512),
        (768, 3, 2, 2),
        (F32, F32),
        "ba",
        pads=(1, 0, 1, 1),
        groups=256,
    )
    text, _, _ = tile_text(network, "main", load_machine("teaching_chip").description)
    assert "l_q" in text, "tiles have some of the groups"
    compare(network, "teaching_chip", tmp_path)


def test_channels_each_with_a_window_of_its_own(tmp_path: Path):
    draw = np.random.default_rng(1)
    network = layer(
        draw, "conv", (2, 7, 9, 96), (96, 3, 3, 1), (F32, F32), "br", pads=(1, 1, 1, 1), groups=96
    )
    compare(network, "mlu370", tmp_path)


@pytest.mark.parametrize(
    ("kernel", "strides", "pads"),
    [
        ((7, 7), (2, 2), (3, 3, 3, 3)),
        ((3, 5), (3, 3), (1, 4, 0, 0)),
        ((1, 3), (1, 2), (0, 0, 0, 0)),
    ],
)
def test_rows_of_windows_of_few_channels_are_packed(kernel, strides, pads, tmp_path: Path):
    draw = np.random.default_rng(1)
    network = layer(
        draw, "conv", (2, 29, 31, 3), (64, *kernel, 3), (F16, F32), "br", strides=strides, pads=pads
    )
    text, _, _ = tile_text(network, "main", load_machine("mlu370").description)
    assert "packed" in text
    compare(network, "mlu370", tmp_path)


def test_elements_that_the_matrix_unit_does_not_have_are_refused():
    network = layer(np.random.default_rng(1), "matmul", (3, 5), (5, 7))
    with pytest.raises(InputError, match="multiplies i8 by i8, i16 by i16, not f32 by f32"):
        tile_text(network, "main", load_machine("mlu270").description)
