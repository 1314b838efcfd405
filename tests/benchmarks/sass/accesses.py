"""What accesses of memory and instructions of whole warps of SASS do to lanes."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from tests.benchmarks.sass.instruction import Instruction
from tests.benchmarks.sass.lanes import WARP, CannotExecute, Threads, gathered, scattered
from tests.benchmarks.sass.operands import (
    CONSTANT,
    MASK,
    REGISTER,
    Meaning,
    bits,
    is_predicate,
    predicate,
    put,
)

_ADDRESS = re.compile(
    r"^(?:desc\[UR\w+\])?\[(?:(?P<base>R\w+)(?P<wide>\.64|\.U32|\.X\d+)?)?"
    r"(?:\+?(?P<uniform>UR\w+))?(?:\+?(?P<offset>-?0x[0-9a-f]+))?\]$"
)

_SPACES = {"G": "global", "S": "shared", "L": "local"}


def _size(instruction: Instruction) -> tuple[int, bool]:
    """(bytes of a lane, whether they are extended by their sign)."""
    for form, size in (("U8", 1), ("S8", 1), ("U16", 2), ("S16", 2), ("64", 8), ("128", 16)):
        if form in instruction.modifiers:
            return size, form[0] == "S"
    return 4, False


def _address(text: str, space: str) -> Callable[[Threads, np.ndarray], np.ndarray]:
    found = _ADDRESS.match(text)
    if found is None or found["wide"] == ".U32":
        raise CannotExecute(f"address {text}")
    scale = found["wide"] or ""
    times = np.uint64(int(scale[2:])) if scale.startswith(".X") else np.uint64(1)
    pair = space == "global"
    base = bits(found["base"], pair) if found["base"] else None
    uniform = bits(found["uniform"], pair and not found["base"]) if found["uniform"] else None
    offset = int(found["offset"] or "0", 16)

    def read(threads: Threads, at: np.ndarray) -> np.ndarray:
        total = np.full(len(at), offset & (2**64 - 1), np.uint64)
        if base:
            total += base(threads, at) * times
        if uniform:
            total += uniform(threads, at)
        return total if pair else total & MASK

    return read


def access(instruction: Instruction) -> Meaning:
    operation = instruction.operation
    space, (size, signed) = _SPACES[operation[2]], _size(instruction)
    loads = operation[0] == "L"
    if "LDGSTS" in operation or "LDSM" in operation:
        raise CannotExecute(str(instruction))
    *_, where = instruction.operands if loads else (instruction.operands[0],)
    address = _address(where, space)
    name = instruction.operands[0] if loads else instruction.operands[1].replace(".reuse", "")

    def run(threads: Threads, at: np.ndarray) -> None:
        flat, offset = threads.bytes_of(space, at, address(threads, at), size)
        number = REGISTER.match(name)[2]  # type: ignore[index]
        for k in range(0, size, 4):
            register = name if number == "Z" else f"R{int(number) + k // 4}"
            width = min(size, 4)
            if loads:
                value = gathered(flat, offset + k, width)
                if signed:
                    value = (value.astype(np.int64) << 64 - 8 * width) >> 64 - 8 * width
                    value = value.view(np.uint64)
                put(threads, register, at, value)
            else:
                scattered(flat, offset + k, width, threads.register(register, at).astype(np.uint64))

    return run


def atomic(instruction: Instruction) -> Meaning:
    """Sums of 32-bit integers and f32 whose result nobody reads; counting in shared memory."""
    operation, forms = instruction.operation, instruction.modifiers
    space = "shared" if operation == "ATOMS" else "global"
    inner = [k for k, o in enumerate(instruction.operands) if "[" in o and not o.startswith("c[")]
    address = _address(instruction.operands[inner[0]], space)
    result = instruction.operands[0] if operation.startswith("ATOM") else "RZ"
    counts = operation == "ATOMS" and forms[:2] == ("POPC", "INC")
    if not counts and (
        "ADD" not in forms or any(f in forms for f in ("64", "F64", "F16x2", "F16"))
    ):
        raise CannotExecute(str(instruction))
    if result not in ("RZ", "PT") or operation == "ATOMG":
        raise CannotExecute(str(instruction))
    value = None if counts else bits(instruction.operands[-1])
    floats = "F32" in forms

    def run(threads: Threads, at: np.ndarray) -> None:
        flat, offset = threads.bytes_of(space, at, address(threads, at), 4)
        kind = np.float32 if floats else np.uint32
        words = np.ones(len(at), kind)
        if value is not None:
            words = (value(threads, at) & MASK).astype(np.uint32).view(kind)
        np.add.at(flat.view(kind) if len(flat) % 4 == 0 else flat[: len(flat) // 4 * 4].view(kind),
                  offset // 4, words)  # fmt: skip

    return run


def load_constant(instruction: Instruction) -> Meaning:
    target, place = instruction.operands
    found = CONSTANT.match(place)
    if found is None:
        raise CannotExecute(str(instruction))
    base, offset = found[1], int(found[2] or "0", 16)
    size, signed = _size(instruction)

    def run(threads: Threads, at: np.ndarray) -> None:
        where = np.full(len(at), offset, np.int64)
        if base:
            where += threads.register(base, at).astype(np.int32)
        value = threads.constant(where, size)
        if signed:
            value = ((value.astype(np.int64) << 64 - 8 * size) >> 64 - 8 * size).view(np.uint64)
        put(threads, target, at, value, pair=size == 8)

    return run


def shuffle(instruction: Instruction) -> Meaning:
    flag, target, value, other, clamp = instruction.operands
    form = instruction.modifiers[0]
    source, distance, limits = bits(value), bits(other), bits(clamp)

    def run(threads: Threads, at: np.ndarray) -> None:
        every = np.arange(threads.number)
        words = source(threads, every)
        lane, by = threads.lane[at], distance(threads, at).astype(int) & 31
        limit = limits(threads, at).astype(int)
        segment, end = limit >> 8 & 31, limit & 31
        low, high = lane & segment, (lane & segment) | (end & ~segment)
        if form == "UP":
            goal = lane - by
            inside = goal >= high
        else:
            goal = {"DOWN": lane + by, "BFLY": lane ^ by, "IDX": low | (by & ~segment)}[form]
            inside = goal <= high
        goal = np.where(inside, goal, lane)
        put(threads, target, at, words[at - lane + goal])
        threads.set_predicate(flag, at, inside)

    return run


def vote(instruction: Instruction) -> Meaning:
    *written, asked = instruction.operands
    form, value = instruction.modifiers[0], predicate(asked)

    def run(threads: Threads, at: np.ndarray) -> None:
        holds = np.zeros(threads.number, bool)
        holds[at] = value(threads, at)
        here = np.zeros(threads.number, bool)
        here[at] = True
        rows, active = holds.reshape(-1, WARP), here.reshape(-1, WARP)
        mask = (rows.astype(np.uint64) << np.arange(WARP, dtype=np.uint64)).sum(
            axis=1, dtype=np.uint64
        )
        all_hold = (rows | ~active).all(axis=1)
        flag = {"ANY": rows.any(axis=1), "ALL": all_hold, "EQ": all_hold | ~rows.any(axis=1)}[form]
        warp = at // WARP
        for name in written:
            if is_predicate(name):
                threads.set_predicate(name, at, flag[warp])
            else:
                put(threads, name, at, mask[warp])

    return run


def bits_to_predicates(instruction: Instruction) -> Meaning:
    """R2P PR, R6.B1, 0x7f: each bit of a byte into the predicate of its number."""
    _, value, mask = instruction.operands
    byte = re.search(r"\.B([0-3])$", value)
    read = bits(value[: byte.start()] if byte else value)
    shift, chosen = 8 * int(byte[1]) if byte else 0, int(mask, 16)

    def run(threads: Threads, at: np.ndarray) -> None:
        word = read(threads, at) >> np.uint64(shift)
        for k in range(7):
            if chosen >> k & 1:
                threads.set_predicate(f"P{k}", at, (word >> np.uint64(k) & np.uint64(1)) != 0)

    return run
