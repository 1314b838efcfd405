"""The processor that machine code is made for and runs on: this one."""

from __future__ import annotations

from functools import cache

import llvmlite.binding as llvm

HOST_LINE = 8
"""int64 in a line of its caches; that many are looked at together."""
SYMBOL = "simrun_{}"
"""What a C function is called in an object file: nothing else in the process has such a name."""
PIECE = "piece_{}"
"""What a piece is called in a library."""
SHARED = "simrun_{}_{}"
"""What a function is called that the library of a text calls in its object file: by the name of the
text, and its own."""


@cache
def host() -> llvm.TargetMachine:
    """This CPU, with all that it can do."""
    return machine()


def machine() -> llvm.TargetMachine:
    """The same, for who frees it: an engine that loads code does."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )
