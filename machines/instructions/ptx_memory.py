"""ptx rows: loads, stores, atomics.

ld.global.v2.b32 d0, d1, address, offset      two words at address + offset, aligned to both
atom.shared.add.u32 d, address, offset, a     stored = loaded + a; d = loaded
"""

from __future__ import annotations

from machines.instructions.ptx_half_operands import HALVES
from machines.instructions.ptx_operands import ORDERS, immediate, read, row, width, write
from machines.operations.row import Access
from machines.threads.spaces import SHARED_BASE, WINDOW

SPACES = ("global", "shared", "local", "const", "generic")
LANES = {"u8": "u32", "s8": "s32", "u16": "u32", "s16": "s32", "b32": "b32", "b64": "b64"}
"""Type in memory -> how the register holds it."""
OFFSET = immediate("offset", 32)
SHIFT = WINDOW.bit_length() - 1
SHARED = SHARED_BASE >> SHIFT
"""What the upper bits, from `SHIFT` on, of a generic address in shared memory are."""
SIGNED = ("s8", "s16")
"""Types in memory that are sign-extended as they come into a register."""


def _address(space: str):
    return read("address", "u64" if space in ("global", "generic", "const") else "u32", "address")


def _accesses(what, kind, space, names, address="address", offset="offset", combines=None):
    """The one access of a row, which loads or stores a value for each of the names."""
    size, signed, values = width(kind) // 8, kind in SIGNED, tuple(names)
    elements = 1 if combines else len(values)
    return (Access(what, size, address, space, elements, offset, values, signed, combines),)


def _braced(names: list[str]) -> str:
    texts = ", ".join(f"{{{name}}}" for name in names)
    return texts if len(names) == 1 else f"{{{{{texts}}}}}"


def _vector(elements: int) -> str:
    return "" if elements == 1 else f".v{elements}"


def _shapes(kinds):
    """(type, elements) of accesses of up to 16 bytes."""
    for kind in kinds:
        for elements in (1, 2, 4):
            if width(kind) * elements <= 128:
                yield kind, elements


def _loads():
    for space in SPACES:
        for kind, elements in _shapes(LANES):
            name = f"ld.{space}{_vector(elements)}.{kind}"
            names = ["d"] if elements == 1 else [f"d{k}" for k in range(elements)]
            yield row(
                name,
                (*(write(d, LANES[kind]) for d in names), _address(space), OFFSET),
                "",
                _sentence("Load", kind, elements, f"from {space} memory"),
                f"load_{space}",
                accesses=_accesses("load", kind, space, names),
                syntax=f"{name} {_braced(names)}, [{{address}}+{{offset}}]",
            )
    for kind, lane in LANES.items():
        yield row(
            f"ld.param.{kind}",
            (write("d", lane), immediate("offset", 16, signed=False)),
            "",
            _sentence("Load", kind, 1, "from the kernel's parameters"),
            "load_param",
            accesses=_accesses("load", kind, "param", ["d"], "offset", None),
            syntax=f"ld.param.{kind} {{d}}, [{{offset}}]",
        )


def _sentence(what: str, kind: str, elements: int, where: str) -> str:
    extended = {"s": ", sign-extended", "u": ", zero-extended"}.get(kind[0], "")
    count = {1: "a value", 2: "two values", 4: "four values"}[elements]
    bits = f"of {width(kind)} bits" + (" each" if elements > 1 else "")
    return f"{what} {count} {bits} {where}{extended if what == 'Load' else ''}."


def _stores():
    for space in SPACES:
        if space == "const":
            continue
        for kind, elements in _shapes(("u8", "u16", "b32", "b64")):
            name = f"st.{space}{_vector(elements)}.{kind}"
            names = ["a"] if elements == 1 else [f"a{k}" for k in range(elements)]
            values = (read(a, LANES[kind], "store_data") for a in names)
            yield row(
                name,
                (_address(space), OFFSET, *values),
                "",
                _sentence("Store", kind, elements, f"to {space} memory"),
                f"store_{space}",
                accesses=_accesses("store", kind, space, names),
                syntax=f"{name} [{{address}}+{{offset}}], {_braced(names)}",
            )


# Atomics --------------------------------------------------------------------------------------

OLD = {
    "s32": "sign_extend(loaded, 32)", "u32": "loaded", "b32": "loaded", "s64": "loaded",
    "u64": "loaded", "b64": "loaded", "f32": "f32_from_bits(loaded)",
    "f64": "f64_from_bits(loaded)", "b16": "loaded",
}  # fmt: skip
"""What was in memory as a value of a type."""
HALF_TYPES = {half.name: ("b16", half) for half in HALVES} | {
    half.pair: ("b32", half) for half in HALVES
}
"""Types of halves: how registers and memory hold them."""
KEPT, FLUSHED = "round_f32({old} + a)", "flush(round_f32(flush({old}) + flush(a)))"
SUMS = {
    "global": FLUSHED,
    "shared": KEPT,
    "generic": f"{KEPT} if shift_right_unsigned(address + offset, {SHIFT}) == {SHARED} "
    f"else {FLUSHED}",
}
"""Sums of f32 by the space: those in global memory take and leave subnormal numbers as zeros, those
in shared memory keep them (measured on an H100)."""


def _of_halves(kind: str, value: str) -> str:
    """What is stored where halves are: `value` of `{old}` and `{a}`."""
    lane, half = HALF_TYPES[kind]

    def stored(high: bool) -> str:
        return half.encoded(
            value.format(old=half.decoded("loaded", high), a=half.decoded("a", high))
        )

    return stored(False) if lane == "b16" else f"{stored(True)} << 16 | {stored(False)}"


def _updates(space: str):
    """(name, type, what is stored as an expression of `old` and the operands, sentence)"""
    for kind in ("u32", "u64"):
        yield "add", kind, "{old} + a", "Add to memory"
    yield "add", "f32", f"bits_of_f32({SUMS[space]})", "Add to memory, rounded"
    yield "add", "f64", "bits_of_f64({old} + a)", "Add to memory, rounded"
    for kind, (_, half) in HALF_TYPES.items():
        yield "add", kind, _of_halves(kind, half.rounded("{old} + {a}")), "Add to memory, rounded"
        if space != "shared":
            yield "min", kind, _of_halves(kind, "minimum({old}, {a})"), "Minimum with memory"
            yield "max", kind, _of_halves(kind, "maximum({old}, {a})"), "Maximum with memory"
    yield "cas", "b16", "b if {old} == a else {old}", "Store b in memory if it holds a"
    for kind in ("s32", "u32", "s64", "u64"):
        first = "below({old}, a)" if kind == "u64" else "{old} < a"
        yield "min", kind, f"{{old}} if {first} else a", "Minimum with memory"
        yield "max", kind, f"a if {first} else {{old}}", "Maximum with memory"
    for kind in ("b32", "b64"):
        yield "and", kind, "{old} & a", "And with memory"
        yield "or", kind, "{old} | a", "Or with memory"
        yield "xor", kind, "{old} ^ a", "Exclusive or with memory"
        yield "exch", kind, "a", "Exchange with memory"
        yield "cas", kind, "b if {old} == a else {old}", "Store b in memory if it holds a"
    yield "inc", "u32", "0 if {old} >= a else {old} + 1", "Count up to a, then from 0 again"
    yield (
        "dec",
        "u32",
        "a if {old} == 0 or {old} > a else {old} - 1",
        "Count down to 0, then from a again",
    )


def _atomics():
    for space in ("global", "shared", "generic"):
        for name, kind, value, sentence in _updates(space):
            names = ["a", "b"] if name == "cas" else ["a"]
            lane, _ = HALF_TYPES.get(kind, (kind, None))
            operands = [_address(space), OFFSET, *(read(a, lane, "store_data") for a in names)]
            stored = f"stored = {value.format(old=OLD.get(kind))}"
            texts = "".join(f", {{{a}}}" for a in names)
            accesses = _accesses("load_store", lane, space, names, combines=name)
            has_quiet = name not in ("exch", "cas")
            bits = f"b{lane[1:]}"
            yield row(
                f"atom.{space}.{name}.{kind}",
                (write("d", bits), *operands),
                f"{stored}\nd = loaded",
                f"{sentence}; gives what was there, and no other access comes in between.",
                f"atomic_{space}",
                accesses=accesses,
                quiet=f"red.{space}.{name}.{kind}" if has_quiet else None,
                flags=ORDERS,
                syntax=f"atom.{space}.{name}.{kind} {{d}}, [{{address}}+{{offset}}]{texts}",
            )
            if not has_quiet:
                continue
            yield row(
                f"red.{space}.{name}.{kind}",
                operands,
                stored,
                f"{sentence}, and no other access comes in between.",
                f"atomic_{space}",
                accesses=accesses,
                flags=ORDERS,
                syntax=f"red.{space}.{name}.{kind} [{{address}}+{{offset}}]{texts}",
            )


ROWS = (*_loads(), *_stores(), *_atomics())
