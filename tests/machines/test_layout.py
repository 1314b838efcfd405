"""Where buffers stand: blocks as glibc's malloc has them, sections behind each other, and unmapped
pages behind every segment."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from machines.layout import BASE, PAGE, Extent, Memory, MemoryFault, natural_alignment
from tests.compiler.frontends.llvm_native import CLANG, needs_clang

ALLOCATES = """
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **sizes)
{
    unsigned long *at = calloc(count, sizeof *at);
    for (int k = 1; k < count; k++)
        at[k] = (unsigned long)malloc(atol(sizes[k]));
    for (int k = 1; k < count; k++)
        printf("%lu\\n", at[k] - at[1]);
}
"""
SEGMENTS = ((None,), ("rodata",), ("data", "bss"), ("stack",))
"""Blocks, then as `ld --verbose` lists sections: what is written stands apart from constants."""
LARGEST = 100_000
"""Bytes: from 128 KiB on a block of glibc has pages of its own."""


@needs_clang
def test_blocks_lie_as_malloc_lays_them_out(tmp_path: Path):
    source, program = tmp_path / "m.c", tmp_path / "m"
    source.write_text(ALLOCATES, encoding="utf-8")
    subprocess.run([CLANG, str(source), "-o", str(program)], check=True)
    draw = Random(1)
    sizes = [draw.choice([0, 1, 8, 9, 24, 25, 40, 64, 4096, draw.randint(0, LARGEST)])
             for _ in range(200)]  # fmt: skip
    said = subprocess.run(
        [program, *map(str, sizes)], check=True, capture_output=True, text=True
    ).stdout
    memory = Memory((str(k), size) for k, size in enumerate(sizes))
    assert [memory.address(str(k)) - BASE for k in range(len(sizes))] == list(
        map(int, said.split())
    )


def random_extents(draw: Random) -> list[Extent]:
    sections = [section for segment in SEGMENTS for section in segment]
    return [
        Extent(str(k), draw.randint(1, 100), 1 << draw.randint(0, 8), draw.choice(sections))
        for k in range(draw.randint(1, 40))
    ]


@pytest.mark.parametrize("seed", range(30))
def test_sections_and_segments(seed: int):
    """Nothing overlaps; each is aligned; a variable stands where the one before it ends, but for
    its alignment; and a page at least is nobody's behind a segment."""
    extents = random_extents(Random(seed))
    memory = Memory(extents)
    assert list(memory.placements) == [one.name for one in extents]
    last = BASE - PAGE
    for segment in SEGMENTS:
        within = [one for section in segment for one in extents if one.section == section]
        stands = [memory.placements[one.name].address for one in within]
        for one, address in zip(within, stands, strict=True):
            assert address % one.alignment == 0
        for (one, begins), (other, address) in pairwise(zip(within, stands, strict=True)):
            gap = address - begins - (max(one.size, 24) if one.section is None else one.size)
            if one.section == other.section:
                most = other.alignment + (7 if one.section is None else -1)
                assert (8 if one.section is None else 0) <= gap <= most
            else:  # the section begins at its largest alignment
                assert gap >= 0
                assert address % max(o.alignment for o in within if o.section == other.section) == 0
        if within:
            assert stands[0] % PAGE == 0 and stands[0] >= last + PAGE
            last = stands[-1] + within[-1].size
    assert memory.bytes.size >= last + PAGE - BASE


def test_an_address_in_a_buffer():
    memory = Memory([("x", 64), ("y", 64)])
    assert memory.address("y+16") - memory.address("y") == 16
    assert memory.address("y") - memory.address("x") == 80
    with pytest.raises(MemoryFault):
        memory.check(memory.address("x+64"), 1)


@pytest.mark.parametrize(("element", "size", "alignment"), [(4, 12, 4), (4, 16, 16), (8, 800, 16)])
def test_alignment_of_who_says_none(element: int, size: int, alignment: int):
    assert natural_alignment(element, size) == alignment
