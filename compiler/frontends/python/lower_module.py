"""From checked kernels to an IR module: a function for each, with the kernels it calls inlined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compiler.frontends.python.frame import Frame, Lowering
from compiler.frontends.python.lower_statements import lower_statements
from compiler.frontends.python.lower_values import lower, measure
from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.module import Buffer, Function, Module
from compiler.ir.module import Value as Operand
from compiler.python_syntax.scalars import Scalar
from compiler.python_syntax.scope import Declarations
from compiler.python_syntax.tree import Array, Call, Kernel
from machines.signature import Argument
from machines.types import I8, PTR, Type


def lower_module(declarations: Declarations, entries: Sequence[str] = ()) -> Module:
    """The module of a kernel file that has no findings; of its kernels those of `entries`, as what
    they call is inlined, or all if `entries` is empty or names one that is not there."""
    module = Module(source=declarations.source.text)
    for name, table in declarations.tables.items():
        _add_buffer(module, table, declarations.table_values[name])
    for kernel in declarations.kernels.values():
        for array in kernel.scratch:
            _add_buffer(module, array)
    kernels = declarations.kernels
    wanted = entries if entries and kernels.keys() >= set(entries) else kernels
    for kernel in (kernel for name, kernel in kernels.items() if name in wanted):
        try:
            _lower_kernel(module, declarations, kernel)
        except RecursionError:
            declarations.source.report_nesting(kernel.location)
            declarations.source.raise_findings()
    called = {callee for kernel in kernels.values() for callee in kernel.calls}
    roots = [name for name in kernels if name not in called]
    module.entry = roots[0] if len(roots) == 1 else None
    return module


def _add_buffer(module: Module, array: Array, values: list[int | float] | None = None) -> None:
    held = I8 if array.element.is_boolean else array.element.type
    data = None if values is None else np.array(values, _numpy_name(array.element)).tobytes()
    count = int(np.prod(array.sizes, dtype=object))
    buffer = Buffer(array.buffer, held, count, array.space, data, array.location)
    add_buffer(module, buffer)


def _numpy_name(scalar: Scalar) -> str:
    """numpy's little-endian name of an element type."""
    if scalar.is_boolean:
        return "<u1"
    kind = "f" if scalar.is_float else "i" if scalar.signed else "u"
    return f"<{kind}{scalar.type.bytes}"


def _lower_kernel(module: Module, declarations: Declarations, kernel: Kernel) -> None:
    parameters = [
        (name, PTR if isinstance(type, Array) else type.type)
        for name, type in kernel.parameters.items()
    ]
    result: Type | None = kernel.result.type if kernel.result else None
    builder = add_function(module, kernel.name, parameters, result, kernel.location)
    builder.function.locations = kernel.locations
    builder.function.noalias = frozenset(
        name for name, type in kernel.parameters.items() if isinstance(type, Array)
    )
    builder.function.signature = {
        name: Argument(type.element.name, type.sizes)
        if isinstance(type, Array)
        else Argument(type.name)
        for name, type in kernel.parameters.items()
    }
    builder.function.returns = Argument(kernel.result.name) if kernel.result else None
    code = Lowering(declarations.source, builder, declarations.kernels, inline)
    arrays = {name: name for name, type in kernel.parameters.items() if isinstance(type, Array)}
    frame = Frame(kernel, {name: name for name in kernel.variables}, arrays)
    builder.block("entry", kernel.location)
    measure(code, frame, kernel)
    lower_statements(code, frame, kernel.body)
    if not builder.is_terminated and kernel.result is None:
        builder.emit("return", location=kernel.location)
    _remove_unreachable(builder)


def inline(code: Lowering, frame: Frame, call: Call, result: str | None) -> Operand | None:
    """Emit the body of a called kernel in place of the call; returns what it returns."""
    code.count_inlined(call.location)
    callee = code.kernels[call.kernel]
    inner = Frame(callee, leave=code.builder.fresh_block("return"), wanted=result)
    for (name, type), argument in zip(callee.parameters.items(), call.arguments, strict=True):
        if isinstance(type, Array):
            inner.arrays[name] = frame.base(code, argument)
        elif name in callee.assigned:
            lower(code, frame, argument, inner.variable(code, name))
        else:
            inner.names[name] = lower(code, frame, argument)
    measure(code, inner, callee)
    lower_statements(code, inner, callee.body)
    code.arrive(inner.leave)
    if callee.result is None:
        return None
    if inner.value is None:
        # The callee never returns: what follows is unreachable and will be taken away.
        return inner.early_result(code)
    return inner.value


def _remove_unreachable(builder: Builder) -> None:
    function: Function = builder.function
    reached, waiting = set(), [function.entry.name]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += function.blocks[name].successors
    for name in [name for name in function.blocks if name not in reached]:
        builder.remove_block(name)
    builder.forget_unused_types()
