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
from functools import cache

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

_ATTRIBUTE = re.compile(
    r'(?P<text>"[^"]*")(?:="[^"]*")?|(?P<word>[\w.]+)(?:\([^()"]*(?:"[^"]*")?[^()"]*\)|=\d+)?'
)
"""`"no-trapping-math"="true"`, `noinline`, `memory(none)`, `allockind("alloc,zeroed")`."""
_UNWANTED = frozenset({"noinline", "optnone", "optsize", "minsize"})
"""Attributes of functions that keep calls; so does what is said for one target, in quotes."""
_LAYOUT = re.compile(r"^\s*target datalayout", re.MULTILINE)
_TITLE = re.compile(r"^LLVM .* parsing error\n")
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
    printed, roots = _read(data, file)
    written = data if isinstance(data, str) else printed
    if "\n@llvm.global_ctors =" in printed:
        raise input_error(
            f"{file}: code that runs before the program (llvm.global_ctors) is not supported",
            hint="call it from the entry function",
        )
    own_lines = "\n!llvm.dbg.cu = " not in printed
    text = "\n".join(map(_without_unwanted, printed.splitlines()))
    if own_lines:
        text = with_lines(text, written)
    result = _simplified(text)
    return Prepared(result, Places(result, file, written, own_lines), roots)


def _without_unwanted(line: str) -> str:
    if not line.startswith("attributes #"):
        return line
    head, _, said = line.partition("{")
    kept = [
        match.group()
        for match in _ATTRIBUTE.finditer(said.rpartition("}")[0])
        if match["word"] is not None and match["word"] not in _UNWANTED
    ]
    return f'{head}{{ {" ".join(kept)} "simrun" }}'  # so that no group becomes empty


@cache
def _llvm():
    """LLVM's bindings; loaded only when they are needed, which takes a tenth of a second."""
    import llvmlite.binding as llvm

    # Else the parser looks at modules with debug information itself, and ends the process where
    # one is broken; `verify` raises.
    llvm.set_option("simrun", "-disable-auto-upgrade-debug-info")
    llvm.initialize_all_targets()
    return llvm


def _read(data: str | bytes, file: str) -> tuple[str, tuple[str, ...]]:
    """The module as LLVM prints it, and its roots."""
    llvm = _llvm()
    # A module must go before its context does: not left to the collector, which takes any order.
    with llvm.create_context() as context:
        try:
            if isinstance(data, bytes):
                module = llvm.parse_bitcode(data, context)
            else:
                layout = "" if _LAYOUT.search(data) else f'target datalayout = "{LAYOUT}" '
                module = llvm.parse_assembly(layout + data, context)
            with module:
                module.verify()
                _check_layout(module.data_layout, file)
                return str(module), _roots(module)
        except RuntimeError as error:
            raise _not_llvm(str(error), data, file) from None


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


def _not_llvm(said: str, data: str | bytes, file: str) -> InputError:
    hint = "newer LLVM may print what this one cannot read: clang 16 to 20 are known to work"
    found = _PLACE.search(said)
    if isinstance(data, str) and found:
        place = Location(file, int(found[1]), int(found[2]))
        return input_error(f"LLVM does not take this: {found[3]}", place, source=data, hint=hint)
    reason = " ".join(_TITLE.sub("", said).split())
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
    llvm = _llvm()
    with (
        llvm.create_context() as context,
        llvm.parse_assembly(text, context) as module,
        llvm.Target.from_triple(TARGET).create_target_machine() as machine,
        llvm.create_pipeline_tuning_options(speed_level=0) as tuning,
        llvm.create_pass_builder(machine, tuning) as builder,
        llvm.create_new_module_pass_manager() as passes,
    ):
        module.verify()  # LLVM's passes end the process where a module is broken
        for function in module.functions:
            if not function.is_declaration:
                function.add_function_attribute("alwaysinline")
        for name in PASSES:
            getattr(passes, f"add_{name}_pass")()
        passes.run(module, builder)
        return str(module)
