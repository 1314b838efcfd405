"""Front end for LLVM IR, as text (`.ll`) or bitcode (`.bc`); LLVM.md tells what it takes."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir.module import Module


class LlvmFrontend:
    """Functions that clang or another LLVM compiler made; most calls are inlined."""

    name = "llvm"
    suffixes = (".ll", ".bc")
    binary_suffixes = (".bc",)
    takes_entries = True

    def read(
        self,
        text: str | bytes,
        file: str,
        machine: object = None,
        entries: Sequence[str] = (),
    ) -> Module:
        """The module of a file's text or bitcode; of `entries` only, if some are named, and of what
        they reach.

        A function that cannot be had is in `Module.refused`.  Raises InputError if that is so of
        all, or if LLVM does not take the file.
        """
        # LLVM is loaded only when it is needed: a tenth of a second.
        from compiler.frontends.llvm_ir.lower_module import ModuleLowering
        from compiler.frontends.llvm_ir.prepare import prepare

        module = ModuleLowering(prepare(text, file, entries), entries).run()
        if module.refused and not module.functions:
            raise next(iter(module.refused.values()))
        return module


PLUGIN = LlvmFrontend()
