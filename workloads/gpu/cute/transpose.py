"""A matrix transposed through shared memory, in the DSL of CuTe; `python -m
workloads.keep_generated cute` writes the PTX."""

from pathlib import Path

import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_compact_tensor

TILE = 16


@cute.kernel
def tiles(a: cute.Tensor, c: cute.Tensor):
    layout = cute.make_layout((TILE, TILE), stride=(TILE + 1, 1))
    tile = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, layout, 16)
    x, y, _ = cute.arch.thread_idx()
    i, j, _ = cute.arch.block_idx()
    tile[y, x] = a[j * TILE + y, i * TILE + x]
    cute.arch.sync_threads()
    c[i * TILE + y, j * TILE + x] = tile[x, y]


@cute.jit
def transpose(a: cute.Tensor, c: cute.Tensor):
    blocks = (cute.size(a, mode=[1]) // TILE, cute.size(a, mode=[0]) // TILE, 1)
    tiles(a, c).launch(grid=blocks, block=(TILE, TILE, 1), smem=4 * TILE * (TILE + 2))


def write(folder: Path) -> None:
    """The kernel for matrices of any extents, and sm_80."""
    extents = (cute.sym_int(), cute.sym_int())
    tensor = make_fake_compact_tensor(
        cutlass.Float32, extents, stride_order=(1, 0), assumed_align=16
    )
    how = f"--gpu-arch sm_80 --keep-ptx --dump-dir={folder}"
    made = cute.compile(transpose, tensor, tensor, options=how)
    for one in folder.glob("*.ptx"):
        one.unlink()
    (folder / "transpose.ptx").write_text(made.__ptx__)
