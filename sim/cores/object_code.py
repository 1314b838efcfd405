"""Lowered functions as one module of LLVM: an object file of entry points, and a library of pieces.

A piece is a function that code for one program is put together of (see `sim.cores.bound_code`).
The library has the pieces and all that is inlined into them; what they call besides stands once, in
the object file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target

from sim.cores.host import PIECE, SHARED, SYMBOL, host
from sim.cores.lowering import CHOSEN

WORD = ir.IntType(64)


class Compiled(NamedTuple):
    """What lowered functions have become.

    code     an object file: C functions of int64 that do what the entry points do
    shared   symbols of its other functions that the library calls
    library  LLVM's bitcode; empty if there are no pieces
    """

    code: bytes
    shared: list[str]
    library: bytes


def compiled(
    entries: Mapping[str, CompileResult],
    pieces: Mapping[str, CompileResult],
    name: str,
    over_lanes: bool,
) -> Compiled:
    """Entry points and pieces, optimised as a whole.

    name  of all this, part of the symbols that the library asks for: two versions of a function may
          be in a process
    over_lanes  as in `machine_code.Text`
    """
    module = _linked({**entries, **pieces}, _c_functions(entries), _piece_functions(pieces))
    outer = {SYMBOL.format(one) for one in entries}
    inner = {PIECE.format(one) for one in pieces}
    _keep_only(module, outer | inner)
    _simplify(module)
    shared, library = [], b""
    if pieces:
        shared = _shared(module, name, outer | inner)
        library = _library(module, inner, shared)
        _keep_only(module, {*outer, *shared})
    _inline_chosen(module)
    _optimise(module, over_lanes)
    if any(function.name == "llvm.trap" for function in module.functions):
        raise AssertionError("a jitted function may raise an exception, which nobody would see")
    return Compiled(host().emit_object(module), shared, library)


def _linked(functions: Mapping[str, CompileResult], *modules: ir.Module) -> llvm.ModuleRef:
    """Modules with all that these functions reach; whoever calls stands before what it calls."""
    module = llvm.parse_assembly("")
    for own in modules:
        module.link_in(llvm.parse_assembly(str(own)))
    seen: set[CPUCodeLibrary] = set()
    for result in functions.values():
        for part in result.library.reached(seen):
            module.link_in(part, preserve=True)
    return module


def _is_inlined(function: llvm.ValueRef) -> bool:
    attributes = b" ".join(function.attributes).split()
    return b"alwaysinline" in attributes or _is_chosen(function)


def _is_chosen(function: llvm.ValueRef) -> bool:
    return CHOSEN.encode() in b" ".join(function.attributes).split()


def _inline_chosen(module: llvm.ModuleRef) -> None:
    for function in module.functions:
        if _is_chosen(function):
            function.add_function_attribute("alwaysinline")


def _keep_only(module: llvm.ModuleRef, exported: set[str]) -> None:
    """Let LLVM remove what none of these functions needs."""
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = llvm.Linkage.internal


def _shared(module: llvm.ModuleRef, name: str, known: set[str]) -> list[str]:
    """What is inlined nowhere becomes a function of the object file that others may call."""
    functions = [one for one in module.functions if not one.is_declaration]
    apart = [one for one in functions if not _is_inlined(one) and one.name not in known]
    for function in apart:
        function.name = SHARED.format(name, function.name)
        function.linkage = llvm.Linkage.external
    return [function.name for function in apart]


def _library(module: llvm.ModuleRef, pieces: set[str], shared: list[str]) -> bytes:
    """Pieces, with what is inlined into them whatever they are given, and what is chosen then."""
    library = module.clone()
    for name in shared:
        library.get_function(name).linkage = llvm.Linkage.available_externally
    _run(library, "always_inliner", "global_dead_code_eliminate", "sroa", "simplify_cfg")
    _inline_chosen(library)
    return library.as_bitcode()


def _run(module: llvm.ModuleRef, *passes: str) -> None:
    builder = llvm.create_pass_builder(host(), llvm.create_pipeline_tuning_options())
    manager = llvm.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, builder)


def _simplify(module: llvm.ModuleRef) -> None:
    """Each function by itself; and as none raises an exception, nobody says or asks whether one
    did."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(host(), options)
    simplify = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            simplify.run(function, builder)
    _run(module, "ipsccp", "dead_arg_elimination")


def _optimise(module: llvm.ModuleRef, over_lanes: bool) -> None:
    """What LLVM does at -O3, with vectors for loops over lanes.  It would unroll those of a known
    number of lanes before it looked for vectors, and then find none."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = True, False
    options.loop_unrolling = not over_lanes
    builder = llvm.create_pass_builder(host(), options)
    builder.getModulePassManager().run(module, builder)


def _c_functions(functions: Mapping[str, CompileResult]) -> ir.Module:
    """Functions by C's convention that call these, which have numba's."""

    def declared(outer: ir.Module, name: str, inside) -> ir.Function:
        kind = ir.FunctionType(WORD, [WORD] * len(inside.argtypes))
        return ir.Function(outer, kind, SYMBOL.format(name))

    def give_back(builder: ir.IRBuilder, inside, value: ir.Value) -> ir.Value:
        return cpu_target.target_context.cast(builder, value, inside.restype, types.int64)

    return _callers(functions, declared, give_back)


def _piece_functions(functions: Mapping[str, CompileResult]) -> ir.Module:
    """Functions that are given words, the three of a state first, and give a structure of words or
    one word."""

    def declared(outer: ir.Module, name: str, inside) -> ir.Function:
        convention = cpu_target.target_context.call_conv
        words = convention.get_function_type(inside.restype, inside.argtypes).args[2:]
        result = cpu_target.target_context.get_value_type(inside.restype)
        function = ir.Function(outer, ir.FunctionType(result, words), PIECE.format(name))
        function.attributes.add("alwaysinline")
        return function

    return _callers(functions, declared, lambda builder, inside, value: value)


def _callers(
    functions: Mapping[str, CompileResult],
    declared: Callable[..., ir.Function],
    give_back: Callable[..., ir.Value],
) -> ir.Module:
    """Functions that call these; a trap stands where one of them would have raised an exception."""
    context = cpu_target.target_context
    convention, module = context.call_conv, context.create_module("callers")
    trap = module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), []))
    for name, result in functions.items():
        inside = result.fndesc
        kind = convention.get_function_type(inside.restype, inside.argtypes)
        inner = ir.Function(module, kind, inside.llvm_func_name)
        outer = declared(module, name, inside)
        builder = ir.IRBuilder(outer.append_basic_block())
        arguments = convention._get_arg_packer(inside.argtypes).from_arguments(builder, outer.args)
        status, value = convention.call_function(
            builder, inner, inside.restype, inside.argtypes, arguments
        )
        with builder.if_then(status.is_error):
            builder.call(trap, [])
        builder.ret(give_back(builder, inside, value))
    return module
