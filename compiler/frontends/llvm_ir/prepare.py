"""LLVM's part: it reads, verifies, upgrades and simplifies the file, and prints it canonically.

What it is asked to do, in this order (`PASSES`), and why:

    tail_call_elimination   a function that calls itself last becomes a loop
    always_inliner          calls of functions with a body go away
    global_dead_code        and with them the local functions that nothing else needs
    sroa                    local variables become values (mem2reg is part of it)
    simplify_cfg            blocks that inlining left behind join
    lower_switch            switches become compares

Nothing else is optimized here, no arithmetic and no loop: that is the compiler's work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compiler.frontends.llvm_ir.places import Places, with_lines
from machines.diagnostics import InputError, Location, input_error

PASSES = (
    "tail_call_elimination", "always_inliner", "global_dead_code_eliminate", "sroa",
    "simplify_cfg", "lower_switch",
)  # fmt: skip
"""Names of llvmlite's `add_…_pass`."""
TARGET = "x86_64-unknown-linux-gnu"
"""Costs that a pass asks for are those of one target, whatever the host is."""
LAYOUT = "e-p:64:64-i64:64"
"""Of a file without a layout."""

_AGAINST_INLINING = re.compile(r"\b(?:noinline|optnone|optsize|minsize) ?")
_ANYTHING = '"simrun" '  # an attribute without a meaning: a group must not become empty
_PLACE = re.compile(r":(\d+):(\d+): error: (.*)")


@dataclass(frozen=True)
class Prepared:
    """The printed module, where its instructions came from, and the functions that no other one
    of the file called."""

    text: str
    places: Places
    roots: tuple[str, ...]


def prepare(data: str | bytes, file: str) -> Prepared:
    """Read a file's text or bitcode; raises InputError if LLVM does not take it."""
    module = _parsed(data, file)
    printed = str(module)
    written = data if isinstance(data, str) else printed
    _check_layout(module.data_layout, file)
    if "\n@llvm.global_ctors =" in printed:
        raise input_error(
            f"{file}: code that runs before the program (llvm.global_ctors) is not supported",
            hint="call it from the entry function",
        )
    own_lines = "\n!llvm.dbg.cu = " not in printed
    text = "\n".join(
        _AGAINST_INLINING.sub(_ANYTHING, line) if line.startswith("attributes #") else line
        for line in printed.splitlines()
    )
    if own_lines:
        text = with_lines(text, written)
    result = _simplified(text)
    return Prepared(result, Places(result, file, written, own_lines), _roots(module))


def _roots(module) -> tuple[str, ...]:
    called = {
        operand.name
        for function in module.functions
        for block in function.blocks
        for instruction in block.instructions
        if instruction.opcode == "call"
        for operand in instruction.operands
        if operand.name != function.name
    }
    return tuple(
        function.name
        for function in module.functions
        if not function.is_declaration and function.name not in called
    )


def _parsed(data: str | bytes, file: str):
    import llvmlite.binding as llvm

    context = llvm.create_context()
    try:
        if isinstance(data, bytes):
            return llvm.parse_bitcode(data, context)
        if not re.search(r"^\s*target datalayout", data, re.MULTILINE):
            data = f'target datalayout = "{LAYOUT}" {data}'
        return llvm.parse_assembly(data, context)
    except RuntimeError as error:
        raise _not_llvm(str(error), data, file) from None


def _not_llvm(said: str, data: str | bytes, file: str) -> InputError:
    hint = "newer LLVM may print what this one cannot read: clang 16 to 20 are known to work"
    found = _PLACE.search(said)
    if isinstance(data, str) and found:
        place = Location(file, int(found[1]), int(found[2]))
        return input_error(f"LLVM does not take this: {found[3]}", place, source=data, hint=hint)
    reason = " ".join(said.split("\n", 1)[-1].split())
    return input_error(f"{file}: LLVM does not take this: {reason}", hint=hint)


def _check_layout(layout: str, file: str) -> None:
    parts = layout.split("-")
    narrow = any(re.match(r"p0?:(?!64)", part) for part in parts)
    if "E" in parts or narrow or not any(part.startswith("i64:64") for part in parts):
        raise input_error(
            f"{file}: the data layout '{layout}' is not that of a 64-bit, little-endian target",
            hint="compile with --target=x86_64-linux-gnu",
        )


def _simplified(text: str) -> str:
    """The module after `PASSES`."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    module = llvm.parse_assembly(text, llvm.create_context())
    for function in module.functions:
        if not function.is_declaration:
            function.add_function_attribute("alwaysinline")
    machine = llvm.Target.from_triple(TARGET).create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    for name in PASSES:
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)
    return str(module)
