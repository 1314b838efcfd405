"""Front end for LLVM IR, as text (`.ll`) or bitcode (`.bc`); LLVM.md tells what it takes."""

from __future__ import annotations

from compiler.ir.module import Module


class LlvmFrontend:
    """Functions that clang or another LLVM compiler made, without vectors; calls are inlined."""

    name = "llvm"
    suffixes = (".ll", ".bc")
    binary_suffixes = (".bc",)

    def read(self, text: str | bytes, file: str, machine: object = None) -> Module:
        """The module of a file's text or bitcode.

        A function that cannot be had is in `Module.refused`.  Raises InputError if that is so of
        all, or if LLVM does not take the file.
        """
        # LLVM is loaded only when it is needed: a tenth of a second.
        from compiler.frontends.llvm_ir.lower_module import ModuleLowering
        from compiler.frontends.llvm_ir.prepare import prepare

        module = ModuleLowering(prepare(text, file)).run()
        if module.refused and not module.functions:
            raise next(iter(module.refused.values()))
        return module


PLUGIN = LlvmFrontend()
