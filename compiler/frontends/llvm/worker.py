"""LLVM in a process of its own: what it does to a module, a request a line.

It ends the process it runs in where it meets what it does not expect, as a wrong reference among
metadata; then only this one ends.  Run as a file by `prepare`, so that nothing but LLVM's bindings
is loaded:

    {"do": "read", "text": …}                          ->  {"printed": …, "layout": …}
    {"do": "simplify", "text": …, "entries": […], "libraries": […], "needed": […], "without": […]}
                                                       ->  {"printed": …, "roots": […]}
    what LLVM refuses                                  ->  {"error": …}
"""

from __future__ import annotations

import base64
import json
import re
import sys
from functools import lru_cache
from pathlib import Path

import llvmlite.binding as llvm

FIRST = ("tail_call_elimination", "global_dead_code_eliminate")
LAST = ("always_inliner", "global_dead_code_eliminate", "sroa", "simplify_cfg", "lower_switch")
"""Names of llvmlite's `add_…_pass`; what is inlined is decided between them."""
TARGET = "x86_64-unknown-linux-gnu"
"""Costs that a pass asks for are those of one target, whatever the host is."""
MOST, SHORT = 1000, 20
"""Instructions of a function with all that is inlined into it, and of one that always is."""
DEFINED = re.compile(r"^(?:define linkonce_odr[^@]*@(\w+)\(|@(\w+) = linkonce_odr)", re.MULTILINE)
HIDDEN = ".hidden"
NO_CODE = ("llvm.dbg.", "llvm.lifetime.")


def parsed(request: dict, context: llvm.ContextRef) -> llvm.ModuleRef:
    if "bitcode" in request:
        return llvm.parse_bitcode(base64.b64decode(request["bitcode"]), context)
    return llvm.parse_assembly(request["text"], context)


def read(request: dict) -> dict:
    """The module as LLVM prints it, and its layout."""
    # A module must go before its context does: not left to the collector, which takes any order.
    with llvm.create_context() as context, parsed(request, context) as module:
        module.verify()
        return {"printed": str(module), "layout": module.data_layout}


def defined(module: llvm.ModuleRef) -> list[str]:
    """The functions that have a body."""
    return [function.name for function in module.functions if not function.is_declaration]


def roots_of(module: llvm.ModuleRef, own: list[str]) -> list[str]:
    """Of `own` functions those that are still there and that no other one calls."""
    called = {name for f in module.functions for name in callees(f) if name != f.name}
    return [name for name in defined(module) if name in own and name not in called]


def callees(function: llvm.ValueRef) -> list[str]:
    """What its instructions call by name, once for each call."""
    return [
        operand.name
        for block in function.blocks
        for instruction in block.instructions
        if instruction.opcode == "call"
        for operand in list(instruction.operands)[-1:]
        if operand.name
    ]


def simplify(request: dict) -> dict:
    """The module after the passes, with the functions of the library that it calls; and which of
    its own functions nothing calls, when what no entry reaches is gone and nothing is inlined yet.

    entries    of these functions only what they reach is wanted; none: of all
    libraries  files whose functions are linked in where the module declares them
    without    functions of the libraries that are not to be had
    needed     declared functions that nothing calls by name: what the module's operations become
    """
    with (
        llvm.create_context() as context,
        parsed(request, context) as module,
        llvm.Target.from_triple(TARGET).create_target_machine() as machine,
        llvm.create_pipeline_tuning_options(speed_level=0) as tuning,
        llvm.create_pass_builder(machine, tuning) as builder,
    ):
        module.verify()  # LLVM's passes end the process where a module is broken
        own = defined(module)
        for library in request["libraries"]:
            link(module, library, context, request["without"])
        needed = request["needed"]
        for name in needed:  # nothing calls them yet
            module.get_function(name).linkage = "external"
        keep_reached(module, request["entries"], needed)
        run(FIRST, module, builder)
        roots = roots_of(module, own)
        decide(module)
        run(LAST, module, builder)
        return {"printed": str(module), "roots": roots}


def link(
    module: llvm.ModuleRef, library: str, context: llvm.ContextRef, without: list[str]
) -> None:
    """Join the functions of a library, a file, that the module declares, but for some; its own
    come first."""
    text, offered = contents(library)
    declared = {v.name for v in (*module.functions, *module.global_variables) if v.is_declaration}
    if declared & offered:
        joined = llvm.parse_assembly(text, context)
        hidden = [name for name in without if name in declared]
        for name in hidden:
            module.get_function(name).name = f"{name}{HIDDEN}"
        joined.data_layout, joined.triple = module.data_layout, module.triple
        module.link_in(joined)
        for name in hidden:
            module.get_function(f"{name}{HIDDEN}").name = name


@lru_cache
def contents(library: str) -> tuple[str, set[str]]:
    """The text of a library, and what it defines."""
    text = Path(library).read_text(encoding="utf-8")
    return text, {found[1] or found[2] for found in DEFINED.finditer(text)}


def keep_reached(module: llvm.ModuleRef, entries: list[str], needed: list[str]) -> None:
    """Let the entries stay, and everything but them, and but what is needed without being named, be
    local, so that what they do not reach goes."""
    if not entries or not set(entries) <= set(defined(module)):
        return
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in needed:
            value.visibility = "default"
            value.linkage = "external" if value.name in entries else "internal"


def run(names: tuple[str, ...], module: llvm.ModuleRef, builder: llvm.PassBuilder) -> None:
    with llvm.create_new_module_pass_manager() as passes:
        for name in names:
            getattr(passes, f"add_{name}_pass")()
        passes.run(module, builder)


def decide(module: llvm.ModuleRef) -> None:
    """Mark the functions that are inlined: all, as long as their callers stay short.

    Callees come first.  Where a function would grow beyond `MOST` instructions, those that add
    most stay functions: a chain in which each calls the next one twice does not double without
    end.
    """
    functions = {f.name: f for f in module.functions if not f.is_declaration}
    calls = {name: [c for c in callees(f) if c in functions] for name, f in functions.items()}
    size: dict[str, int] = {}
    stays: set[str] = set()
    for name in callees_first(calls):
        own = length(functions[name])
        added = {c: calls[name].count(c) * size.get(c, 0) for c in dict.fromkeys(calls[name])}
        for c in sorted(added, key=added.__getitem__, reverse=True):
            if own + sum(n for c, n in added.items() if c not in stays) <= MOST:
                break
            if size.get(c, 0) > SHORT:
                stays.add(c)
        size[name] = own + sum(n for c, n in added.items() if c not in stays)
    for name, function in functions.items():
        if name not in stays:
            function.add_function_attribute("alwaysinline")


def length(function: llvm.ValueRef) -> int:
    """Instructions, but for those that are no code."""
    total = sum(1 for block in function.blocks for _ in block.instructions)
    return total - sum(name.startswith(NO_CODE) for name in callees(function))


def callees_first(calls: dict[str, list[str]]) -> list[str]:
    order: dict[str, None] = {}
    for root in calls:
        waiting = [(root, iter(calls[root]))]
        seen = {root}
        while waiting:
            name, rest = waiting[-1]
            following = next((c for c in rest if c not in order and c not in seen), None)
            if following is None:
                order.setdefault(name)
                waiting.pop()
            else:
                seen.add(following)
                waiting.append((following, iter(calls[following])))
    return list(order)


def main() -> None:
    # Else the parser looks at modules with debug information itself, and ends the process where
    # one is broken; `verify` raises.
    llvm.set_option("simrun", "-disable-auto-upgrade-debug-info")
    llvm.initialize_all_targets()
    requests = {"read": read, "simplify": simplify}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = requests[request["do"]](request)
        except RuntimeError as error:
            reply = {"error": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
