"""A time step of heat in a plate, in Numba; `python -m workloads.keep_generated numba` writes the
PTX."""

from pathlib import Path

from numba import cuda, float32


def relax(old, new, rate):
    """Each point a step towards the mean of its four neighbours; the border stays."""
    j, i = cuda.grid(2)
    rows, columns = old.shape
    if i >= rows or j >= columns:
        return
    if 0 < i < rows - 1 and 0 < j < columns - 1:
        around = old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
        new[i, j] = old[i, j] + rate * (around - float32(4) * old[i, j])
    else:
        new[i, j] = old[i, j]


def write(folder: Path) -> None:
    """The kernel for arrays of f32 with two axes, and sm_80."""
    plate = float32[:, ::1]
    text, _ = cuda.compile_ptx(relax, (plate, plate, float32), cc=(8, 0))
    (folder / "relax.ptx").write_text(text)
