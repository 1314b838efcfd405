"""C programs, as clang 16 made LLVM IR of them, do what LLVM's own compiler makes of the same file.

    for f in tests/compiler/frontends/llvm/*.c; do clang-16 -O1 -S -emit-llvm -fno-vectorize \
        -fno-slp-vectorize -fno-unroll-loops -fno-discard-value-names -fno-math-errno \
        --target=x86_64-linux-gnu $f -o ${f%.c}.ll; done

made the files beside the C files.  Where clang is installed, the C files are compiled again in
other ways.
"""

from __future__ import annotations

import hashlib
import zlib
from itertools import product

import numpy as np
import pytest

from tests.campaign.seeds import spread
from tests.compiler.frontends.llvm_native import PROGRAMS, clang, native, needs_clang, ours, read

TEXT = np.frombuffer(bytes(range(256)) * 3 + b"the quick brown fox", np.uint8)
RANDOM = np.random.default_rng(4)
SHUFFLED = RANDOM.integers(-99, 99, 120).astype(np.int32)
MATRIX = RANDOM.standard_normal(144)
WAYS = ("-O0", "-O2", "-Os", "-O1 -g")
LOW, HIGH = -(1 << 63), (1 << 63) - 1
NAN, INF = float("nan"), float("inf")


def text_of(string: str, size: int = 40) -> np.ndarray:
    return np.frombuffer(string.encode().ljust(size, b"\0"), np.uint8)


STACK_CODE = np.array([0, 1, 5, 0, 3, 3, 6, 0, -1, 1, 6, 5, 1, 5, 2, 0, 9, 4, 8, 200], np.int32)
LOOP_CODE = np.array([0, 9, 0, -1, 1, 5, 7, 2, 200], np.int32)
CASES = {
    "crc32": [("crc32", {"data": TEXT, "n": TEXT.size}), ("crc32", {"data": TEXT, "n": 0})],
    "sha256": [
        ("sha256", {"text": TEXT, "n": n, "h": np.zeros(8, np.uint32)})
        for n in (0, 3, 55, 56, 64, 700)
    ],
    "quicksort": [("quicksort", {"x": SHUFFLED, "n": n}) for n in (120, 1, 0)],
    "recursion": [
        *(("factorial", {"n": n}) for n in (20, -3)),
        ("gcd", {"a": 1071, "b": 462}), ("gcd", {"a": -12, "b": 18}),
        ("fibonacci", {"n": 12}), ("ackermann", {"m": 2, "n": 3.0}), ("sum", {"depth": 0}),
        ("sorted", {"x": SHUFFLED, "n": SHUFFLED.size}), ("sorted", {"x": SHUFFLED, "n": 0}),
        ("even", {"n": 31}), ("odd", {"n": 31}),
    ],
    "strings": [
        *(("find", {"text": text_of(word)}) for word in ("borrow", "zero", "zer", "", "carrying")),
        ("format", {"value": -123456789, "base": 10, "indent": 3, "out": text_of("")}),
        ("format", {"value": LOW, "base": 16, "indent": 0, "out": text_of("")}),
        ("format", {"value": 255, "base": 2, "indent": 20, "out": text_of("")}),
        ("shift", {"text": text_of("abcdefghij"), "n": 10, "by": 3}),
        ("shift", {"text": text_of("abcdefghij"), "n": 10, "by": 0}),
    ],
    "matrix": [
        ("multiply", {"a": MATRIX, "b": MATRIX[::-1].copy(), "c": np.zeros(144), "n": 12}),
        ("trace", {"m": MATRIX[:16].astype(np.float32)}),
    ],
    "floats": [
        *(
            (name, {"a": a, "b": b})
            for name in ("compares", "compares_f")
            for a, b in ((1.0, 2.0), (2.0, 1.0), (1.5, 1.5), (NAN, 1.0), (1.0, NAN), (NAN, NAN),
                         (0.0, -0.0), (INF, -INF))
        ),
        ("mixture",
         {"a": 1.25, "b": -3.5, "i": -7, "u": 4_000_000_000, "l": LOW + 9, "v": (1 << 64) - 999}),
        ("mixture", {"a": -0.0, "b": 1e30, "i": 2147483647, "u": 1, "l": 16777217, "v": 1 << 63}),
        ("truncated", {"a": -12345.75, "b": 200.9}), ("truncated", {"a": 0.99, "b": 17.0}),
        ("bits", {"a": -1.5, "b": 3.25}), ("bits", {"a": -0.0, "b": INF}),
        ("steps", {"a": 2.0}), ("steps", {"a": 1e10}),
    ],
    "machine": [
        ("run", {"code": STACK_CODE, "n": STACK_CODE.size, "steps": np.zeros(1, np.int64)}),
        ("run", {"code": LOOP_CODE, "n": LOOP_CODE.size, "steps": np.zeros(1, np.int64)}),
        ("run", {"code": np.array([0, 5, 77], np.int32), "n": 3, "steps": np.zeros(1, np.int64)}),
        *(("days", {"month": month, "leap": 1}) for month in range(14)),
        *(("letter", {"key": key, "at": at}) for key, at in ((-5000000000, 4), (0, 1), (7, 0),
                                                         (5000000000, 5), (3, 0))),
    ],
    "structures": [
        ("walk", {}), ("corner", {"i": 0}), ("corner", {"i": 2}),
        ("swapped", {"a": 17, "b": 5}), ("swapped", {"a": 5, "b": -17}),
        ("records", {"bytes": TEXT, "n": 40}), ("fill", {"to": np.zeros(110, np.uint8), "n": 10}),
    ],
    "bits": [
        *(
            (f"bits{width}", {"a": a, "b": b, "n": n})
            for width in (8, 16, 32, 64)
            for a, b, n in ((0xFF, 3, 0), (0x80, 0, 1), (200, 255, 77))
        ),
        ("counts", {"a": 0x80000001, "b": 1 << 40}), ("counts", {"a": 0, "b": 0}),
        ("counts", {"a": 0xFFFFFFFF, "b": (1 << 64) - 1}),
        ("swapped", {"a": 0x1234, "b": 0x89ABCDEF, "c": 0x0123456789ABCDEF}),
        *(
            ("overflows", {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f})
            for a, b, c, d, e, f in (
                (2147483647, 1, HIGH, 1, (1 << 64) - 1, 1), (5, -6, -1, LOW, 3, 4),
                (-(1 << 31), 1, LOW, 1, 1 << 32, 1 << 32), (1 << 16, 1 << 15, 0, LOW, 0, 9),
                (46341, 46341, LOW, -1, 200, 56), (1, 1, 3037000500, 3037000500, 7, 9),
            )
        ),
    ],
    "library": [
        ("calculated", {"code": TEXT[3:40], "n": 37, "a": 5}),
        ("sorted", {"x": SHUFFLED[:9], "n": 9, "digits": 0}),
        ("sorted", {"x": SHUFFLED[:9].copy(), "n": 9, "digits": 1}),
        *(
            ("formatted", {"out": np.zeros(200, np.uint8), "a": a, "b": b, "c": c})
            for a, b, c in ((42, -77, 2.5), (0, LOW, -1e-7), (-9, HIGH, 1e22), (8, 0, INF))
        ),
        ("words", {"text": text_of("the quick\\brown  fox", 40), "out": np.zeros(60, np.uint8)}),
        ("allocated", {"n": 12}), ("summed", {"a": -3, "b": 2.75}),
        ("permuted", {"n": 4, "out": np.zeros(8, np.int32)}), ("variable", {"n": 9}),
        *(("saturated", {"a": a, "b": b}) for a, b in ((32000, 32000), (-32768, 1), (5, -9))),
        ("boxed", {"x": 1.5, "y": -2.25, "depth": 3}),
    ],
}  # fmt: skip
EACH = [(file, name, arguments) for file, cases in CASES.items() for name, arguments in cases]


def committed(file: str) -> str:
    return (PROGRAMS / f"{file}.ll").read_text(encoding="utf-8")


def check(text: str, name: str, arguments: dict, *ways: str, machine: str = "itanium2") -> None:
    expected = native(text, name, arguments)
    for way in ways:
        found = ours(text, name, arguments, way, machine)
        assert (way, list(found.arrays.values())) == (way, list(expected.arrays.values()))
        assert (way, repr(found.value)) == (way, repr(expected.value))


def test_every_program_has_cases():
    assert {path.stem for path in PROGRAMS.glob("*.c")} == set(CASES)


@pytest.mark.parametrize("file", CASES)
def test_programs_compute_what_llvm_computes(file: str):
    """Of the C library every third function on the machine, too: it is compiled for each."""
    for number, (name, arguments) in enumerate(CASES[file]):
        is_compiled = file != "library" or number % 3 == 0
        check(committed(file), name, arguments, "ir", *(["machine"] if is_compiled else []))


@pytest.mark.parametrize("file", CASES)
def test_programs_run_on_the_core(file: str):
    for name, arguments in CASES[file][-1:]:
        check(committed(file), name, arguments, "core")


def test_the_checksums_are_right():
    """LLVM's compiler is no judge of what a CRC is."""
    text = TEXT.tobytes()
    found = ours(committed("crc32"), "crc32", {"data": TEXT, "n": TEXT.size}, "ir", "itanium2")
    assert found.value & 0xFFFF_FFFF == zlib.crc32(text)
    arguments = {"text": TEXT, "n": TEXT.size, "h": np.zeros(8, np.uint32)}
    digest = ours(committed("sha256"), "sha256", arguments, "ir", "itanium2").arrays["h"]
    assert b"".join(word.to_bytes(4, "big") for word in digest) == hashlib.sha256(text).digest()


@needs_clang
@pytest.mark.parametrize("case", spread(list(product(CASES, WAYS)), len(WAYS) + 1), ids=" ".join)
def test_other_ways_to_compile_them(case: tuple[str, str]):
    """In every run most files one way, which are all ways among them."""
    file, options = case
    text = clang(PROGRAMS / f"{file}.c", *options.split())
    refused = read(text).refused
    for name, arguments in CASES[file]:
        if name not in refused:
            check(text, name, arguments, "ir")
