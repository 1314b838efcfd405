"""Operands of SASS, read from lanes and written to them."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from tests.benchmarks.sass.lanes import CannotExecute, Threads

Meaning = Callable[[Threads, np.ndarray], None]
MASK = np.uint64(0xFFFFFFFF)
REGISTER = re.compile(r"^(U?R)(\d+|Z)$")
CONSTANT = re.compile(r"^c\[0x0\]\[(?:(U?R\w+)\+?)?(-?0x[0-9a-f]+)?\]$")


def bits(text: str, pair: bool = False) -> Callable[[Threads, np.ndarray], np.ndarray]:
    """uint64 of an integer operand: 32 bits, or the 64 of a pair; `-` and `~` are of 32 bits."""
    text = text.replace(".reuse", "").strip()
    if text.startswith(("-R", "-U", "-c")):
        inner = bits(text[1:], pair)
        mask = np.uint64(2**64 - 1) if pair else MASK
        return lambda threads, at: (~inner(threads, at) & mask) + np.uint64(1)
    if text.startswith("~"):
        inner = bits(text[1:], pair)
        mask = np.uint64(2**64 - 1) if pair else MASK
        return lambda threads, at: ~inner(threads, at) & mask
    text = text.removesuffix(".64").removesuffix(".H0_H0")
    if found := REGISTER.match(text):
        names = pair_of(text) if pair else (text,)
        return lambda threads, at: joined([threads.register(n, at) for n in names])
    if found := CONSTANT.match(text):
        base, offset = found[1], int(found[2] or "0", 16)
        size = 8 if pair else 4

        def constant(threads: Threads, at: np.ndarray) -> np.ndarray:
            place = np.full(len(at), offset, np.int64)
            if base:
                place += threads.register(base, at).astype(np.int32)
            return threads.constant(place, size)

        return constant
    if re.fullmatch(r"-?0x[0-9a-f]+|-?\d+", text):
        value = int(text, 0) & (2**64 - 1 if pair else 2**32 - 1)
        return lambda threads, at: np.full(len(at), value, np.uint64)
    raise CannotExecute(f"operand {text}")


def pair_of(name: str) -> tuple[str, str]:
    file, number = REGISTER.match(name).groups()  # type: ignore[union-attr]
    return (name, name) if number == "Z" else (name, f"{file}{int(number) + 1}")


def joined(words: list[np.ndarray]) -> np.ndarray:
    value = words[0].astype(np.uint64)
    return value if len(words) == 1 else value | words[1].astype(np.uint64) << np.uint64(32)


def signed_of(value: np.ndarray) -> np.ndarray:
    return value.astype(np.uint32).view(np.int32).astype(np.int64)


def predicate(text: str) -> Callable[[Threads, np.ndarray], np.ndarray]:
    name, no = text.lstrip("!"), text.startswith("!")
    return lambda threads, at: threads.predicate(name, at) != no


def is_predicate(text: str) -> bool:
    return re.fullmatch(r"!?U?P(T|\d)", text) is not None


def put(threads: Threads, name: str, at: np.ndarray, value: np.ndarray, pair: bool = False):
    threads.set_register(name, at, (value & MASK).astype(np.uint32))
    if pair:
        threads.set_register(pair_of(name)[1], at, (value >> np.uint64(32)).astype(np.uint32))


_NAMED = {"INF": np.inf, "QNAN": np.nan, "SNAN": np.nan}


def floating(text: str, wide: bool = False) -> Callable[[Threads, np.ndarray], np.ndarray]:
    """float32, or float64 of a pair."""
    text = text.replace(".reuse", "").strip()
    if text.startswith("-") and not re.fullmatch(r"-[\d.]+(e[-+]\d+)?", text):
        inner = floating(text[1:], wide)
        return lambda threads, at: -inner(threads, at)
    if text.startswith("|"):
        inner = floating(text.strip("|"), wide)
        return lambda threads, at: np.abs(inner(threads, at))
    kind = np.float64 if wide else np.float32
    if re.fullmatch(r"[-+]?[\d.]+(e[-+]\d+)?", text) and not text.startswith("0x"):
        return lambda threads, at: np.full(len(at), kind(float(text)))
    if text.lstrip("+") in _NAMED:
        return lambda threads, at: np.full(len(at), kind(_NAMED[text.lstrip("+")]))
    word = bits(text, pair=wide)
    if wide:
        return lambda threads, at: word(threads, at).view(np.float64)
    return lambda threads, at: word(threads, at).astype(np.uint32).view(np.float32)


def words_of(value: np.ndarray) -> np.ndarray:
    """uint64 of float32 or float64."""
    if value.dtype == np.float64:
        return value.view(np.uint64)
    return value.astype(np.float32).view(np.uint32).astype(np.uint64)
