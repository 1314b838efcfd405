"""The C library that programs are given does what this computer's own does (glibc).

pytest -m campaign tests/compiler/frontends/test_c_library.py
"""

from __future__ import annotations

import ctypes
import platform
import random

import pytest

from compiler.frontends.llvm import PLUGIN
from compiler.interpret.functions import interpret, memory_for
from tests.campaign.seeds import campaign, check_all
from tests.compiler.frontends.c_library import FUNCTIONS, here, random_call, there

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="the C library of this computer is not glibc"
)
HEAP = 4 << 20


def check(seed: int) -> None:
    call = random_call(seed)
    assert here(call) == there(call), call


@pytest.mark.parametrize("seeds", [range(40)], ids=str)
def test_some_calls(seeds: range):
    check_all(check, seeds)


def test_all_functions_are_called():
    assert {random_call(seed).name for seed in range(1000)} == {*FUNCTIONS, "snprintf"}


@campaign(500, 0, 20_000)
def test_campaign(seeds: range):
    check_all(check, seeds)


class Library:
    """Functions called one after the other in one memory."""

    def __init__(self, **heads: str):
        """Each by its name, `ptr @malloc(i64)` as `malloc="ptr i64"`."""
        text = ""
        for name, head in heads.items():
            result, *kinds = head.split()
            given = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(kinds))
            call = f"call {result} @{name}({given})"
            body = f"  {call}\n  ret void\n" if result == "void" else (
                f"  %v = {call}\n  ret {result} %v\n"
            )  # fmt: skip
            text += f"declare {result} @{name}({', '.join(kinds)})\n"
            text += f"define {result} @call_{name}({given}) {{\n{body}}}\n"
        self.module = PLUGIN.read(text, "library.ll", entries=[f"call_{name}" for name in heads])
        self.memory = memory_for(self.module, {})

    def __call__(self, name: str, *given: int) -> int | None:
        function = self.module.functions[f"call_{name}"]
        values = {key: value for (key, _), value in zip(function.parameters, given, strict=True)}
        ran = interpret(function, values, self.memory)
        assert ran.status == "done", ran.fault
        return ran.value


def test_random_numbers():
    library, libc = Library(srand="void i32", rand="i32"), ctypes.CDLL(None)
    for seed in (0, 1, 2, 12345, 2**31 - 1, -5):
        library("srand", seed)
        libc.srand(seed)
        assert [library("rand") for _ in range(80)] == [libc.rand() for _ in range(80)]


@pytest.mark.parametrize("seed", range(4))
def test_the_heap(seed: int):
    """Blocks are apart, aligned and keep what is written to them; what is free can be had again."""
    library = Library(
        malloc="ptr i64", calloc="ptr i64 i64", realloc="ptr ptr i64", free="void ptr"
    )
    draw, blocks = random.Random(seed), {}  # address -> bytes
    memory = library.memory

    def bytes_at(address: int, size: int) -> bytes:
        start = memory.check(address, max(size, 1), 16)
        return memory.bytes[start : start + size].tobytes()

    for _ in range(150):
        what, size = (
            draw.choice(("malloc", "calloc", "realloc", "free")),
            draw.choice((0, 1, 40, 900)),
        )
        old = draw.choice(list(blocks)) if blocks and draw.random() < 0.9 else 0
        held = blocks.pop(old, b"") if what in ("realloc", "free") else b""
        if what == "free":
            library("free", old)
            continue
        given = {"malloc": (size,), "calloc": (size, 3), "realloc": (old, size)}[what]
        size *= 3 if what == "calloc" else 1
        address = library(what, *given)
        assert address % 16 == 0
        assert all(address + size <= a or a + len(b) <= address for a, b in blocks.items())
        if what == "calloc":
            assert bytes_at(address, size) == bytes(size)
        if what == "realloc":
            kept = min(len(held), size)
            assert bytes_at(address, kept) == held[:kept]
        blocks[address] = draw.randbytes(size)
        start = memory.check(address, max(size, 1), 16)
        memory.bytes[start : start + size] = list(blocks[address])
        assert all(bytes_at(a, len(b)) == b for a, b in blocks.items())
    for address in blocks:
        library("free", address)
    assert library("malloc", HEAP - 16) and not library("malloc", 1)
    assert not library("malloc", 1 << 63) and not library("calloc", 1 << 40, 1 << 40)
