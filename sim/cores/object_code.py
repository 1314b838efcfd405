"""An object file of lowered functions: one module, optimised and compiled as a whole."""

from __future__ import annotations

from collections.abc import Mapping

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target

from sim.cores.host import SYMBOL, host

WORD = ir.IntType(64)


def object_code(functions: Mapping[str, CompileResult], over_lanes: bool) -> bytes:
    """An object file with C functions of int64 that do what these do; `over_lanes` as in
    `machine_code.Text`."""
    module = llvm.parse_assembly(str(_c_functions(functions)))
    seen: set[CPUCodeLibrary] = set()
    for result in functions.values():
        for part in result.library.reached(seen):
            module.link_in(part, preserve=True)
    exported = {SYMBOL.format(name) for name in functions}
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = llvm.Linkage.internal
    _optimise(module, over_lanes)
    if any(function.name == "llvm.trap" for function in module.functions):
        raise AssertionError("a jitted function may raise an exception, which nobody would see")
    return host().emit_object(module)


def _optimise(module: llvm.ModuleRef, over_lanes: bool) -> None:
    """What LLVM does at -O3, with vectors for loops over lanes.  It would unroll those of a known
    number of lanes before it looked for vectors, and then find none."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = True, False
    options.loop_unrolling = not over_lanes
    builder = llvm.create_pass_builder(host(), options)
    simplify = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            simplify.run(function, builder)
    builder.getModulePassManager().run(module, builder)


def _c_functions(functions: Mapping[str, CompileResult]) -> ir.Module:
    """Functions by C's convention that call these, which have numba's; a trap stands where one of
    them would have raised an exception."""
    context = cpu_target.target_context
    convention, module = context.call_conv, context.create_module("entry_points")
    trap = module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), []))
    for name, result in functions.items():
        inside = result.fndesc
        kind = convention.get_function_type(inside.restype, inside.argtypes)
        inner = ir.Function(module, kind, inside.llvm_func_name)
        outer_kind = ir.FunctionType(WORD, [WORD] * len(inside.argtypes))
        outer = ir.Function(module, outer_kind, SYMBOL.format(name))
        builder = ir.IRBuilder(outer.append_basic_block())
        status, value = convention.call_function(
            builder, inner, inside.restype, inside.argtypes, outer.args
        )
        with builder.if_then(status.is_error):
            builder.call(trap, [])
        builder.ret(context.cast(builder, value, inside.restype, types.int64))
    return module
