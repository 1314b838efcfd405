"""Which modifiers of loads, stores and atomics go together: as ptxas takes them."""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.reading.tree import Operation
from compiler.frontends.ptx.types import PtxType, words

ORDERED = words("volatile relaxed acquire release acq_rel sc mmio")
"""Orders with which an access stays where it is among the others."""
_SCOPES = words("cta cluster gpu sys")
_SCOPED = words("relaxed acquire release acq_rel")
"""Orders that say of which threads."""
_ORDERS = {
    "ld": words("weak volatile relaxed acquire mmio"),
    "ldu": (),
    "st": words("weak volatile relaxed release mmio"),
    "atom": words("relaxed acquire release acq_rel"),
    "red": words("relaxed release"),
}
_CACHED = {"ld": words("ca cg cs lu cv"), "st": words("wb cg cs wt")}
_ALL_CACHED = words("ca cg cs lu cv wb wt")
_SHARED_BY_THREADS = words("generic global shared")
_LENGTHS = {"v2": 2, "v4": 4, "v8": 8}
_HALVES = {
    "f16": ("v2", "v4", "v8"), "bf16": ("v2", "v4", "v8"), "f16x2": ("v2", "v4"),
    "bf16x2": ("v2", "v4"),
}  # fmt: skip
"""Halves, and how many of them an atomic of vectors may have."""
HINT = "L2::cache_hint"
"""Says that a policy of `createpolicy` is the last operand."""
_PRIORITIES = words("evict_normal evict_unchanged evict_first evict_last no_allocate")
PRIORITIES = tuple(f"L1::{one}" for one in _PRIORITIES)
"""Which lines the L1 gives up first."""
FETCHED = words("L2::64B L2::128B L2::256B")
"""How much the L2 may fetch with what is missing."""
_HINTED = {
    "ld": (*PRIORITIES, *FETCHED, HINT),
    "st": (*PRIORITIES, HINT),
    "atom": (HINT,),
    "red": (HINT,),
}


def check_access(operation: Operation, space: str) -> None:
    """Refuse a load or store of modifiers that no access has together."""
    cached = _check_parts(operation)
    parts = operation.parts
    order = next((part for part in parts if part in ORDERED), None)
    _check_hints(operation, space, cached)
    if order and space not in _SHARED_BY_THREADS:
        raise _together(operation, order, space)
    if order and cached:
        raise _together(operation, order, cached)
    if operation.opcode == "ldu" and space not in ("generic", "global"):
        raise _together(operation, "ldu", space)
    if "nc" not in parts:
        return
    if operation.opcode != "ld" or space != "global":
        raise Refused(f"'{operation.text}': only ld.global has '.nc'")
    if order or "weak" in parts:
        raise _together(operation, order or "weak", "nc")


def check_atomic(
    operation: Operation, name: str, type: PtxType, space: str, has_result: bool
) -> int:
    """How many elements an atomic has; refuses one of modifiers that none has together."""
    _check_hints(operation, space, None)
    if name == "cas" and HINT in operation.parts:
        raise _together(operation, name, HINT)
    if cached := _check_parts(operation) or next((p for p in operation.parts if p == "nc"), None):
        raise Refused(f"'{operation.opcode}' has no '.{cached}'")
    if not has_result and name in ("exch", "cas"):
        raise Refused(f"there is no 'red.{name}'", f"atom.{name}, with '_' as its result")
    is_half = type.name in _HALVES
    if is_half != ("noftz" in operation.parts):
        what = "says '.noftz'" if is_half else "has no '.noftz'"
        raise Refused(f"'{operation.opcode}.{name}' of {type} {what}")
    return _elements(operation, name, type, space)


def _elements(operation: Operation, name: str, type: PtxType, space: str) -> int:
    """How many elements an atomic has: several of floats in global memory."""
    lengths = [part for part in operation.parts if part in _LENGTHS]
    if not lengths:
        if type.name in _HALVES and name != "add":
            raise Refused(f"'{operation.opcode}.{name}' of {type} is one of vectors", ".v2")
        return 1
    known = _HALVES.get(type.name, ("v2", "v4") if type.name == "f32" and name == "add" else ())
    if len(lengths) > 1 or lengths[0] not in known or space not in ("generic", "global"):
        hint = f"vectors: {', '.join(known)}, in global memory" if known else None
        raise Refused(f"there is no '{operation.text}'", hint)
    return _LENGTHS[lengths[0]]


def _check_parts(operation: Operation) -> str | None:
    """The cache operator, once what stands alone is right."""
    opcode, parts = operation.opcode, operation.parts
    known = _ORDERS[opcode]
    orders = [part for part in parts if part in ("weak", *ORDERED)]
    scopes = [part for part in parts if part in _SCOPES]
    cached = [part for part in parts if part in _ALL_CACHED]
    for part in orders:
        if part not in known:
            raise Refused(f"'{opcode}' has no '.{part}'", f"orders: {', '.join(known)}")
    for part in cached:
        of_opcode = _CACHED.get(opcode, ())
        if part not in of_opcode:
            hint = f"cache operators: {', '.join(of_opcode)}" if of_opcode else None
            raise Refused(f"'{opcode}' has no '.{part}'", hint)
    for group in ([one for one in orders if one != "mmio"], scopes, cached):
        if len(group) > 1:
            raise _together(operation, *group[:2])
    scoped = [part for part in orders if part in _SCOPED]
    if scoped and not scopes and opcode in ("ld", "st"):
        hint = f".{scoped[0]}.gpu; scopes: {', '.join(_SCOPES)}"
        raise Refused(
            f"'.{scoped[0]}' of '{operation.text}' does not say among which threads", hint
        )
    if scopes and not scoped and opcode in ("ld", "st", "ldu"):
        hint = f".relaxed.{scopes[0]}"
        raise Refused(f"'.{scopes[0]}' of '{operation.text}' belongs to an order", hint)
    return cached[0] if cached else None


def _check_hints(operation: Operation, space: str, cached: str | None) -> None:
    """Refuse hints to the caches that an access cannot have."""
    opcode, parts = operation.opcode, operation.parts
    hints = [part for part in parts if part in (*PRIORITIES, *FETCHED, HINT)]
    for hint in hints:
        if hint not in _HINTED.get(opcode, ()):
            raise Refused(f"'{opcode}' has no '.{hint}'")
        if space not in ("generic", "global"):
            raise _together(operation, hint, space)
    for group in (PRIORITIES, FETCHED, (HINT,)):
        of_group = [hint for hint in hints if hint in group]
        if len(of_group) > 1:
            raise _together(operation, *of_group[:2])
    order = next((part for part in ("volatile", "mmio") if part in parts), None)
    priority = next((hint for hint in hints if hint in PRIORITIES), None)
    if priority and (cached or order):
        raise _together(operation, cached or order, priority)
    if order and HINT in hints:
        raise _together(operation, order, HINT)


def _together(operation: Operation, one: str, other: str) -> Refused:
    return Refused(f"'.{one}' and '.{other}' do not go together in '{operation.text}'")
