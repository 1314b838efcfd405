"""A function under @triton.jit, compiled for a machine that is not there.

Triton looks at each call's arguments: what is 1 becomes a constant, and of integers and pointers
that 16 divides it assumes so.  The same is done here; numpy's arrays lie at multiples of 512.
"""

from __future__ import annotations

import json
from typing import Any

from machines.diagnostics import input_error
from sim.kinds.simt.generators.calls import Call, Made, elements_of, failed

_TYPES = {
    "f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "e4m3": "fp8e4nv",
    "e5m2": "fp8e5", "boolean": "i1",
}  # fmt: skip
DIVISOR = 16


def make(kernel: Any, call: Call) -> Made:
    """The workload of a call; raises InputError."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource, compile

    name, names = kernel.__name__, list(kernel.arg_names)
    wanted = [one.name for one in kernel.params if not one.has_default]
    given = call.named(name, names, wanted)
    signature: dict[str, str] = {}
    constants: dict[str, Any] = {}
    assumed: dict[tuple[int, ...], list] = {}
    for place, parameter in enumerate(kernel.params):
        own = parameter.name
        value = given.get(own, parameter.default if parameter.has_default else None)
        if parameter.is_constexpr or value is None:
            signature[own], constants[own] = "constexpr", value
            continue
        plain = getattr(parameter, "do_not_specialize", False)
        if _is_one(value) and not plain:
            signature[own], constants[own] = "constexpr", 1
            continue
        signature[own], divides = _type(own, value)
        if divides and not plain:
            assumed[(place,)] = [["tt.divisibility", DIVISOR]]
    major, minor = call.capability
    try:
        source = ASTSource(kernel, signature, constants, assumed)
        target = GPUTarget("cuda", 10 * major + minor, 32)
        compiled = compile(source, target=target, options=dict(call.options))
    except Exception as error:  # whatever a compiler of others raises at what it does not take
        raise failed("Triton", name, error) from None
    _write(call, compiled)
    arguments = {own: given.get(own) for own in names if signature[own] != "constexpr"}
    return Made(
        {
            "workload": name,
            "program": str(call.folder),
            "arguments": arguments,
            "launch": {"grid": call.extents()},
        }
    )


def _is_one(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value == 1


def _type(name: str, value: Any) -> tuple[str, bool]:
    """Triton's type of an argument, and whether 16 divides it."""
    elements = elements_of(name, value)
    if elements is not None:
        return "*" + _TYPES.get(elements, elements), True
    if isinstance(value, bool):
        return "i1", False
    if isinstance(value, float):
        return "fp32", False
    try:
        number = int(value)
    except (TypeError, ValueError):
        hint = "numbers, arrays of numpy"
        raise input_error(f"arguments: '{name}' is a {type(value).__name__}", hint=hint) from None
    narrow = -(1 << 31) <= number < 1 << 31
    wide = "i64" if number < 1 << 63 else "u64"
    return "i32" if narrow else wide, number % DIVISOR == 0


def _write(call: Call, compiled: Any) -> None:
    """The files that Triton keeps of a kernel in its cache."""
    said = compiled.metadata._asdict()
    said["target"] = said["target"].__dict__ if hasattr(said["target"], "__dict__") else dict(
        zip(("backend", "arch", "warp_size"), _fields(said["target"]), strict=True)
    )  # fmt: skip
    stem = call.folder / said["name"]
    stem.with_suffix(".json").write_text(json.dumps(said, default=str))
    for suffix in ("ptx", "ttir"):
        stem.with_suffix(f".{suffix}").write_text(str(compiled.asm[suffix]))


def _fields(target: Any) -> tuple[Any, ...]:
    return target.backend, target.arch, target.warp_size
