"""A function under @cute.jit, compiled for a machine that is not there.

The function is the host's part: while it is compiled it says which kernels it launches, how, and
with which of its own arguments.  Each launch is noted as it is said, and becomes one of a workload;
what the host computes of an argument before it hands it on cannot be given so, and is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from machines.diagnostics import InputError, input_error
from sim.kinds.simt.generators.calls import Call, Made, axes_of, elements_of, failed
from sim.kinds.simt.generators.cute.file import kernels

_TYPES = {
    "i8": "Int8", "u8": "Uint8", "i16": "Int16", "u16": "Uint16", "i32": "Int32", "u32": "Uint32",
    "i64": "Int64", "u64": "Uint64", "f16": "Float16", "bf16": "BFloat16", "f32": "Float32",
    "f64": "Float64", "e4m3": "Float8E4M3FN", "e5m2": "Float8E5M2",
}  # fmt: skip
ALIGNED = 16
"""Bytes to which arrays are said to be aligned; they are to more."""
NEWEST_PLAIN = 9
"""From this capability on CuTe compiles for the target with everything: sm_90a."""


@dataclass
class Noted:
    """A launch that the function said.

    entry   the kernel's name in PTX
    values  of its parameters: the number of an argument of the function, or a constant as `[7]`
    """

    name: str
    values: list[int | list[Any] | str]
    grid: Any
    block: Any
    shared: int = 0
    entry: str = field(default="")


def make(function: Any, call: Call) -> Made:
    """The workload of a call; raises InputError."""
    major, minor = call.capability
    target = f"sm_{major}{minor}" + "a" * (major >= NEWEST_PLAIN)
    import cutlass
    from cutlass import cute
    from cutlass.cute.runtime import make_fake_compact_tensor

    own = function.__wrapped__
    name, signature = own.__name__, inspect.signature(own)
    names = list(signature.parameters)
    given = call.named(name, names, names)
    if call.grid is not None:
        raise input_error("grid: a function of CuTe says the grids of its launches", hint="None")
    dynamic = [key for key, one in signature.parameters.items() if not _is_constant(one)]
    handed = {key: _handed(key, given[key], cutlass, make_fake_compact_tensor) for key in dynamic}
    handed = {key: handed.get(key, given[key]) for key in names}
    try:
        with _noting() as noted:
            dump = call.folder / "dump"
            dump.mkdir()
            how = f"--gpu-arch {target} --keep-ptx --dump-dir={dump}"
            compiled = cute.compile(function, *handed.values(), options=how, **call.options)
            text = compiled.__ptx__
    except InputError:
        raise
    except Exception as error:  # whatever a compiler of others raises at what it does not take
        raise failed("CuTe", name, error) from None
    program = call.folder / f"{name}.ptx"
    program.write_text(text)
    launches = [_launch(one, dynamic, program) for one in noted]
    return Made(
        {
            "workload": name,
            "program": str(program),
            "arguments": {key: given[key] for key in dynamic},
            "launches": launches,
        }
    )


def _is_constant(parameter: inspect.Parameter) -> bool:
    return "Constexpr" in str(parameter.annotation)


def _handed(name: str, value: Any, cutlass: Any, fake: Any) -> Any:
    """What stands for an argument while it is compiled."""
    elements = elements_of(name, value)
    if elements is not None:
        shape = tuple(value["shape"]) if isinstance(value, dict) else value.shape
        order = tuple(reversed(range(axes_of(value))))
        if elements not in _TYPES:
            raise input_error(f"arguments: CuTe has no arrays of {elements}, as '{name}' is")
        type = getattr(cutlass, _TYPES[elements])
        return fake(type, shape, stride_order=order, assumed_align=ALIGNED)
    if isinstance(value, float):
        return cutlass.Float32(value)
    return cutlass.Int32(int(value)) if isinstance(value, int) else value


@contextmanager
def _noting() -> Iterator[list[Noted]]:
    """What a function launches while it is compiled in here."""
    from cutlass._mlir import ir
    from cutlass.cutlass_dsl import cutlass as dsl

    noted: list[Noted] = []
    launcher = dsl.KernelLauncher
    launch = launcher.launch

    def noting(self: Any, *arguments: Any, **how: Any) -> Any:
        body = inspect.signature(self.funcBody)
        bound = body.bind(*self.func_args, **self.func_kwargs).arguments
        dynamic = [key for key in bound if not _is_constant(body.parameters[key])]
        values = [_value(key, bound[key], ir) for key in dynamic]
        names = ("grid", "block")
        config = dict(zip(names, arguments, strict=False)) | how
        one = Noted(
            self.funcBody.__name__, [v for v in values if v is not None],
            config.get("grid", 1), config.get("block", 1), config.get("smem") or 0,
        )  # fmt: skip
        if config.get("cluster"):
            raise input_error(f"'{one.name}' is launched in clusters of {config['cluster']} blocks")
        result = launch(self, *arguments, **how)
        one.entry = self._launch_name
        noted.append(one)
        return result

    launcher.launch = noting
    try:
        yield noted
    finally:
        launcher.launch = launch


def _value(name: str, value: Any, ir: Any) -> int | list[Any] | str | None:
    """What a kernel is handed: which argument of the function, a constant in a list, nothing (what
    has no bytes, as a tiled product), or text that says what is wrong with it."""
    if isinstance(value, bool | int | float):
        return [value]
    inner = getattr(value, "value", None)
    if isinstance(inner, bool | int | float):
        return [inner]
    if not isinstance(inner, ir.Value):
        return None
    try:
        return ir.BlockArgument(inner).arg_number
    except (TypeError, ValueError):
        return f"'{name}' is computed by the host"


def _launch(noted: Noted, dynamic: list[str], program: Any) -> dict[str, Any]:
    """A launch of a workload; raises InputError for what it cannot say."""
    kernel = next(one for one in kernels(program) if one.entry == noted.entry)
    if len(noted.values) != len(kernel.parameters):
        message = f"'{noted.name}' takes {len(kernel.parameters)} parameters in PTX"
        raise input_error(message + f", {len(noted.values)} are seen of its arguments")
    arguments: list[Any] = []
    for one in noted.values:
        if isinstance(one, str):
            hint = "hand arguments of the function on as they are"
            raise input_error(f"{one} before '{noted.name}' is launched with it", hint=hint)
        arguments.append(one[0] if isinstance(one, list) else dynamic[one])
    return {
        "kernel": noted.entry,
        "grid": _extents("grid", noted.grid, noted.name),
        "block": _extents("block", noted.block, noted.name),
        "shared": f"{int(noted.shared)} B",
        "arguments": arguments,
    }


def _extents(what: str, given: Any, name: str) -> list[int]:
    extents = list(given) if isinstance(given, list | tuple) else [given]
    try:
        return [int(one) for one in extents]
    except (TypeError, ValueError):
        message = f"the {what} of '{name}' is not known when it is compiled"
        raise input_error(message, hint="arrays have their shapes: compute it from them") from None
