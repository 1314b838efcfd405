"""How jitted functions become machine code: numba types and lowers them, LLVM does the rest, once.

numba by itself optimises each function and makes machine code of it, and then again of its callers
with all that they call.  Here each function is only lowered, to LLVM's IR; `object_code` puts all
that entry points reach into one module, which is optimised and compiled as a whole.  Of numba's
passes those are run that functions of numbers and pointers need.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import llvmlite.binding as llvm
from numba import _dynfunc, int64, njit
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


class Part(CPUCodeLibrary):
    """The IR of one function; nothing more is done to it by itself."""

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
                yield library._get_module_for_linking()

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """What numba links into a function that it compiles itself."""
        if self._shared_module is None:
            own, *others = self.reached(set())
            self._shared_module = own.clone()
            for module in others:
                self._shared_module.link_in(module, preserve=True)
        return self._shared_module


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


OPTIONS = {
    "_nrt": False,  # no reference counts: no function makes an array, or is given one
    "error_model": "numpy",  # a division by zero does not raise
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": Lowering,
}
"""Of every jitted function."""


def lowered(source: str, name: str) -> dict[str, CompileResult]:
    """The entry points of a module's text, typed and lowered, by name."""
    module = ModuleType(f"simrun_{name}")
    sys.modules[module.__name__] = module  # numba asks for the module of a function
    exec(compile(source, f"<{module.__name__}>", "exec"), module.__dict__)
    found = {}
    for function in vars(module).values():
        if getattr(function, "is_entry_point", False):
            signature = (int64,) * function.__code__.co_argcount
            inner = njit(**OPTIONS, forceinline=True)(function)
            inner.compile(signature)
            found[function.__name__] = inner.overloads[signature]
    return found
