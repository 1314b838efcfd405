"""How jitted functions become machine code: numba types and lowers them, LLVM does the rest, once.

numba by itself optimises each function and makes machine code of it, and then again of its callers
with all that they call.  Here each function is only lowered, to LLVM's IR; `object_code` puts all
that entry points reach into one module, which is optimised and compiled as a whole.  Of numba's
passes those are run that functions of numbers and pointers need.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba import _dynfunc, int64, njit, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

from sim.cores.tables import table_type

CHOSEN = "hot"
"""An attribute that means nothing to what LLVM is asked for here."""


class Part(CPUCodeLibrary):
    """The IR of one function; nothing more is done to it by itself."""

    def add_ir_module(self, module: ir.Module) -> None:
        """Without the promise that a result's place has no other name: it says nothing once a
        function is in its caller, but LLVM copies it there with every instruction."""
        self.add_llvm_module(llvm.parse_assembly(str(module).replace("noalias ", "")))

    def add_llvm_module(self, module: llvm.ModuleRef) -> None:
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._finalized = True

    def reached(self, seen: set[CPUCodeLibrary]) -> Iterator[llvm.ModuleRef]:
        """The modules of this part and of all that it calls, but of those `seen`."""
        seen.add(self)
        yield self._final_module
        for library in self._linking_libraries:
            if library in seen:
                continue
            if isinstance(library, Part):
                yield from library.reached(seen)
            else:
                seen.add(library)
                yield _inlined(library._get_module_for_linking())

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """What numba links into a function that it compiles itself."""
        if self._shared_module is None:
            own, *others = self.reached(set())
            self._shared_module = own.clone()
            for module in others:
                self._shared_module.link_in(module, preserve=True)
        return self._shared_module


def _inlined(module: llvm.ModuleRef) -> llvm.ModuleRef:
    """What numba itself has in Python, `min` and `max`: shorter than a call of it."""
    for function in module.functions:
        if not function.is_declaration:
            function.add_function_attribute("alwaysinline")
    return module


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerIntoPart(NativeLowering):
    """Lowers a function into a `Part`, where jitted functions that call it find it."""

    _name = "lower_into_part"

    def run_pass(self, state) -> bool:
        name = state.func_id.func_name
        state.library = Part(state.targetctx.codegen(), name)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        descriptor = lowered.fndesc
        module = descriptor.lookup_module()
        key = _dynfunc.make_function(module, name, "", 0, lowered.env, ())  # nobody can call it
        state.targetctx.insert_user_function(key, descriptor, [state.library])
        state["cr"] = lowered._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerApart(LowerIntoPart):
    """The same for a function that LLVM is not to put into its callers."""

    _name = "lower_apart"

    def run_pass(self, state) -> bool:
        super().run_pass(state)
        name = state["cr"].fndesc.llvm_func_name
        for attribute in ("noinline", "cold"):
            state.library.get_function(name).add_function_attribute(attribute)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerChosen(LowerIntoPart):
    """The same for a function out of which its arguments choose a part; `CHOSEN` marks it."""

    _name = "lower_chosen"

    def run_pass(self, state) -> bool:
        super().run_pass(state)
        name = state["cr"].fndesc.llvm_func_name
        state.library.get_function(name).add_function_attribute(CHOSEN)
        return True


class Lowering(CompilerBase):
    """numba's compiler for functions of numbers, pointers and tuples of them."""

    lower = LowerIntoPart

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("lowering")
        for step in (
            TranslateByteCode, FixupArgs, IRProcessing, ReconstructSSA, NopythonTypeInference,
            PreLowerStripPhis, IRLegalization, self.lower, NoPythonBackend,
        ):  # fmt: skip
            manager.add_pass(step, step.__name__)
        manager.finalize()
        return [manager]


class LoweringApart(Lowering):
    """The same for functions that are put into no caller."""

    lower = LowerApart


class LoweringChosen(Lowering):
    """The same for functions out of which their arguments choose a part."""

    lower = LowerChosen


OPTIONS = {
    "_nrt": False,  # no reference counts: no function makes an array, or is given one
    "error_model": "numpy",  # a division by zero does not raise
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": Lowering,
}
"""Of every jitted function."""


class Lowered(NamedTuple):
    """The functions of a text, typed and lowered, by name: C functions, and pieces of code that is
    made for one program."""

    entries: dict[str, CompileResult]
    pieces: dict[str, CompileResult]


def lowered(source: str, name: str) -> Lowered:
    """What a module's text is compiled to."""
    module = ModuleType(f"simrun_{name}")
    sys.modules[module.__name__] = module  # numba asks for the module of a function
    exec(compile(source, f"<{module.__name__}>", "exec"), module.__dict__)
    found = Lowered({}, {})
    for function in list(vars(module).values()):
        state = getattr(function, "piece_of", None)
        if state is not None:
            found.pieces[function.__name__] = _lowered(function, (table_type(state),))
        elif getattr(function, "is_entry_point", False):
            found.entries[function.__name__] = _lowered(function, (int64,))
    return found


def _lowered(function: FunctionType, first: tuple[types.Type]) -> CompileResult:
    """A function of something and numbers."""
    signature = first + (int64,) * (function.__code__.co_argcount - 1)
    inner = njit(**OPTIONS, forceinline=True)(function)
    inner.compile(signature)
    return inner.overloads[signature]
