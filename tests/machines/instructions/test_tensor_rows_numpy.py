"""Windows with borders, groups, batches, gather and scatter of random shapes, beside numpy."""

from __future__ import annotations

import numpy as np
import pytest

from machines.instructions import operations
from machines.tensors.loops import python_loops
from machines.tensors.sizes import misfit
from sim.cores.tensor_loops import compiled_loops
from tests.campaign.seeds import short_form

ROWS = operations().family("ir")


def found(name: str, arrays: dict, size: int, **numbers: int) -> np.ndarray:
    """What a row gives in Python; what it gives compiled is the same."""
    row = ROWS[name]
    known = {key: array.size for key, array in arrays.items()} | numbers | {"d": size}
    assert misfit(row.walk, known) is None
    flat = {key: array.ravel() for key, array in arrays.items()}
    one, other = (loops(row)(flat, known)["d"] for loops in (python_loops, compiled_loops))
    assert one.tobytes() == other.tobytes()
    return one


def draws(seed: int, *, channels: int = 3):
    """An image, windows over it and its border, and where the points of each window lie."""
    draw = np.random.default_rng(seed)
    n = lambda low, high: int(draw.integers(low, high))  # noqa: E731
    shape = {"height": n(1, 7), "width": n(1, 7)}
    border = {name: n(0, 3) for name in ("top", "left", "bottom", "right")}
    apart = {"dy": n(1, 3), "dx": n(1, 3), "sy": n(1, 4), "sx": n(1, 4)}
    tall = shape["height"] + border["top"] + border["bottom"]
    wide = shape["width"] + border["left"] + border["right"]
    window = {"kh": n(1, (tall - 1) // apart["dy"] + 2), "kw": n(1, (wide - 1) // apart["dx"] + 2)}
    return draw, n, shape | border | apart | window


def windows(image: np.ndarray, of: dict, fill: float) -> np.ndarray:
    """float64[oh, ow, kh, kw, channels]: by numpy's own view of windows, with steps."""
    padded = np.pad(
        image, ((of["top"], of["bottom"]), (of["left"], of["right"]), (0, 0)), constant_values=fill
    )
    reach = [of["dy"] * (of["kh"] - 1) + 1, of["dx"] * (of["kw"] - 1) + 1]
    seen = np.lib.stride_tricks.sliding_window_view(padded, reach, (0, 1))
    seen = seen[:: of["sy"], :: of["sx"], :, :: of["dy"], :: of["dx"]]
    return seen.transpose(0, 1, 3, 4, 2)


@pytest.mark.parametrize("seed", short_form(range(200), 4))
def test_convolution(seed):
    draw, n, of = draws(seed)
    groups, inner, outer = n(1, 4), n(1, 3), n(1, 3)
    ci, co = groups * inner, groups * outer
    image = draw.integers(-9, 9, (of["height"], of["width"], ci)).astype("f4")
    kernels = draw.integers(-9, 9, (co, of["kh"], of["kw"], inner)).astype("f4")
    seen = windows(image, of, 0)
    parts = [
        np.einsum("yxijc,oijc->yxo", seen[..., g * inner :][..., :inner],
                  kernels[g * outer :][:outer])
        for g in range(groups)
    ]  # fmt: skip
    wanted = np.concatenate(parts, axis=2)
    got = found(
        "tensor.conv_padded.f32", {"a": image, "b": kernels}, wanted.size, ci=ci, co=co,
        groups=groups, **of,
    )  # fmt: skip
    assert got.tolist() == wanted.ravel().tolist()
    begun = draw.integers(-9, 9, wanted.size).astype("f4")
    got = found(
        "tensor.conv_padded_add.f32", {"acc": begun, "a": image, "b": kernels}, wanted.size, ci=ci,
        co=co, groups=groups, **of,
    )  # fmt: skip
    assert got.tolist() == (begun + wanted.ravel()).tolist()


@pytest.mark.parametrize("seed", short_form(range(200), 4))
def test_pools(seed):
    draw, n, of = draws(seed)
    channels = n(1, 4)
    image = draw.integers(-99, 99, (of["height"], of["width"], channels)).astype("f8")
    for name, fold, fill in (
        ("max", np.max, -np.inf), ("min", np.min, np.inf), ("average", np.mean, 0),
    ):  # fmt: skip
        wanted = fold(windows(image, of, fill), axis=(2, 3))
        arrays, row = {"a": image}, f"tensor.pool_{name}_padded.f64"
        got = found(row, arrays, wanted.size, channels=channels, **of)
        assert np.allclose(got, wanted.ravel(), rtol=1e-12, atol=0)


@pytest.mark.parametrize("seed", short_form(range(200), 4))
def test_batches_and_places(seed):
    draw = np.random.default_rng(seed)
    batch, m, k, n = (int(v) for v in draw.integers(1, 5, 4))
    a, b = draw.integers(-9, 9, (batch, m, k)), draw.integers(-9, 9, (batch, k, n))
    sizes = {"batch": batch, "m": m, "k": k, "n": n}
    wanted = (a @ b).ravel().tolist()
    got = found("tensor.batch_matmul.i64", {"a": a, "b": b}, len(wanted), **sizes)
    assert got.tolist() == wanted
    turned = b.transpose(0, 2, 1).copy()
    got = found("tensor.batch_matmul_t.i64", {"a": a, "b": turned}, len(wanted), **sizes)
    assert got.tolist() == wanted

    matrix, rows = draw.integers(-9, 9, (m, n)), draw.integers(-9, 9, (k, n))
    places = draw.integers(-1, m + 1, k).astype("i4")
    inside = (places >= 0) & (places < m)
    numbers = {"rows": m, "columns": n}
    taken = np.where(inside[:, None], matrix[np.clip(places, 0, m - 1)], 0)
    got = found("tensor.gather.i32.i64", {"a": matrix, "places": places}, taken.size, **numbers)
    assert got.tolist() == taken.ravel().tolist()
    put, added = matrix.copy(), matrix.copy()
    put[places[inside]] = rows[inside]
    np.add.at(added, places[inside], rows[inside])
    given = {"acc": matrix, "a": rows, "places": places}
    for name, wanted in (("scatter", put), ("scatter_add", added)):
        got = found(f"tensor.{name}.i32.i64", given, wanted.size, **numbers)
        assert got.tolist() == wanted.ravel().tolist()
