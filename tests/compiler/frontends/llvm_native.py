"""Runs the functions of an LLVM module on this computer, and on ours in up to three ways.

The judge is LLVM's own just-in-time compiler (MCJIT), which gets the file as it was written; our
front end takes its own way through LLVM's passes.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest

from compiler.frontends.llvm import PLUGIN
from compiler.ir.builder import canonical
from compiler.ir.module import Module
from compiler.verify.ir import verify
from machines.description.load import load_machine
from machines.kinds.epic.program import BundleProgram
from machines.types import Type
from tests.campaign.test_random_programs_end_to_end import program_memory
from tests.compiler.both_ways import build, run_ir, run_program
from tests.sim.epic.epic_runs import simulate

PROGRAMS = Path(__file__).parent / "llvm"
CLANG = next((c for c in ("clang-16", "clang-17", "clang-18", "clang-19") if shutil.which(c)), None)
needs_clang = pytest.mark.skipif(
    CLANG is None, reason="clang 16 to 19 is not installed (apt install clang-16)"
)
NAMED_SCALARS = (
    "-fno-discard-value-names", "-fno-math-errno", "-fno-vectorize", "-fno-slp-vectorize",
)  # fmt: skip
_INTEGERS = {
    "i1": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
}  # fmt: skip
_UNSIGNED = {"i8": ctypes.c_uint8, "i16": ctypes.c_uint16}
_OTHERS = {"float": ctypes.c_float, "double": ctypes.c_double, "void": None}


@dataclass(frozen=True)
class Ran:
    """What a function returned, and what its array arguments held then."""

    value: int | float | None
    arrays: dict[str, list]

    def __eq__(self, other: object) -> bool:
        return repr(self) == repr(other)  # NaN is NaN, and -0.0 is not 0.0


def clang(source: Path, *options: str, vectors: bool = False) -> str:
    """The .ll text of a C file."""
    kept = NAMED_SCALARS[:-2] if vectors else NAMED_SCALARS
    command = [CLANG, "-S", "-emit-llvm", *options, *kept, str(source), "-o", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def native(text: str, name: str, arguments: dict[str, object]) -> Ran:
    """A run of a function as LLVM compiles it for this computer; its variables are fresh."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for library in ("m", "gcc_s"):  # of the latter what integers of 128 bits need
        llvm.load_library_permanently(ctypes.util.find_library(library))
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_context() as context:
        module = llvm.parse_assembly(text, context)
        module.triple = llvm.get_process_triple()
        module.data_layout = str(machine.target_data)
        with llvm.create_mcjit_compiler(module, machine) as engine:
            code = _code_of(text)
            engine.set_object_cache(
                lambda _, made: code.append(made), lambda _: next(iter(code), None)
            )
            engine.finalize_object()
            function = module.get_function(name)
            return _call(function, engine.get_function_address(name), arguments)


@lru_cache(32)
def _code_of(text: str) -> list[bytes]:
    """What LLVM has made of a text; nothing yet at first."""
    return []


def _call(function: llvm.ValueRef, address: int, arguments: dict[str, object]) -> Ran:
    held = {
        key: np.ascontiguousarray(value).copy()
        for key, value in arguments.items()
        if isinstance(value, np.ndarray)
    }
    types, values = [], []
    for parameter, (key, value) in zip(function.arguments, arguments.items(), strict=True):
        if key in held:
            types.append(ctypes.c_void_p)
            values.append(held[key].ctypes.data)
        else:
            types.append(_ctype(str(parameter.type), parameter.attributes))
            values.append(types[-1](value))
    result = _ctype(str(function.global_value_type).split(" (")[0], ())
    found = ctypes.CFUNCTYPE(result, *types)(address)(*values)
    return Ran(_plain(found), {key: array.tolist() for key, array in held.items()})


def _ctype(name: str, attributes) -> type | None:
    if name in _OTHERS:
        return _OTHERS[name]
    return _UNSIGNED.get(name, _INTEGERS[name]) if b"zeroext" in attributes else _INTEGERS[name]


def _plain(value: object) -> int | float | None:
    if isinstance(value, float):
        return math.nan if math.isnan(value) else value
    return None if value is None else int(value)


@lru_cache(32)
def read(text: str) -> Module:
    """The verified module of a .ll text."""
    module = PLUGIN.read(text, "program.ll")
    verify(module)
    return module


@lru_cache(32)
def program_of(text: str, name: str, machine: str) -> BundleProgram:
    module = read(text)
    return build(module.functions[name], module, load_machine(machine))


def ours(text: str, name: str, arguments: dict[str, object], way: str, machine: str) -> Ran:
    """A run in the 'ir' interpreter, in the 'machine' interpreter or on the 'core'."""
    module = read(text)
    function = module.functions[name]
    arguments = {
        given: _fitting(value, kind)
        for (given, kind), value in zip(function.parameters, arguments.values(), strict=True)
    }
    if way == "ir":
        ran = run_ir(function, module, arguments)
        status, value, fault, memory = ran.status, ran.value, ran.fault, ran.memory
    elif way == "machine":
        ran = run_program(program_of(text, name, machine), arguments)
        status, value, fault, memory = ran.status, ran.value, ran.fault, ran.memory
    else:
        status, value, fault, memory = _on_core(program_of(text, name, machine), arguments, machine)
    assert status == "done", (way, status, fault)
    arrays = {
        key: memory.view(key, array.dtype).reshape(array.shape).tolist()
        for key, array in arguments.items()
        if isinstance(array, np.ndarray)
    }
    return Ran(_plain(value), arrays)


def _fitting(value: object, kind: Type) -> object:
    """An argument as its parameter takes it: integers signed, floats rounded."""
    if isinstance(value, np.ndarray):
        return value
    return canonical(value, kind)


def _on_core(program: BundleProgram, arguments: dict[str, object], machine: str):
    memory = program_memory(program, arguments)
    outcome = simulate(program, load_machine(machine), memory, arguments, cycle_limit=50_000_000)
    return outcome.status, outcome.value, outcome.fault, memory
