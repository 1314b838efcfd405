"""The machine interpreter: control flow, calls, faults, counts, limits, arguments."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import pytest

from compiler.frontends.ia64 import PLUGIN
from compiler.targets.epic.interpret import interpret
from machines.description.load import load_machine
from machines.kinds.epic.program import CODE_BASE
from machines.layout import Memory
from machines.program import Parameter
from machines.types import F64, I32, I64, PTR

MACHINE = load_machine("itanium2")


def read(text: str):
    return PLUGIN.read(text, "test.s", MACHINE)


def memory_of(program, *arrays: tuple[str, int]) -> Memory:
    memory = Memory([*arrays, *(b.extent for b in program.buffers)])
    for buffer in program.buffers:
        if buffer.data:
            memory.view(buffer.name)[: len(buffer.data)] = np.frombuffer(buffer.data, np.uint8)
    return memory


COUNTED = """
{ .mii
        mov r8 = 0
        mov ar.lc = 99
        nop.i 0 ;;
}
loop:
{ .mib
        add r8 = 3, r8
        nop.i 0
        br.cloop.sptk loop ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk b0 ;;
}
"""


def test_a_counted_loop():
    program = read(COUNTED)
    outcome = interpret(program, memory_of(program))
    assert (outcome.status, outcome.value) == ("done", 300)
    assert outcome.executed == [1, 1, 1, 100, 100, 100, 1, 1, 1]
    assert outcome.steps == 306
    assert outcome.ar["ar.lc"] == 0


def test_the_step_limit():
    program = read(COUNTED)
    outcome = interpret(program, memory_of(program), limit=10)
    assert (outcome.status, outcome.value, outcome.steps) == ("limit", None, 10)


def test_a_call_and_its_return():
    """main calls f, which doubles r8; the stub saves its own return address."""
    program = read(
        """
        .global main
        f:
        { .mib
              add r8 = r8, r8
              nop.i 0
              br.ret.sptk b6 ;;
        }
        main:
        { .mib
              mov r8 = 21
              nop.i 0
              br.call.sptk b6 = f ;;
        }
        { .mib
              nop.m 0
              nop.i 0
              br.ret.sptk b0 ;;
        }
        """
    )
    outcome = interpret(program, memory_of(program))
    assert (outcome.status, outcome.value) == ("done", 42)
    assert outcome.br[6] == CODE_BASE + 2 * 16


DOT = """
        .text
loop:
{ .mmi
        ldfd f6 = [r32], 8
        ldfd f7 = [r33], 8
        cmp.ne p6, p7 = 1, r34 ;;
}
{ .mfi
        add r34 = -1, r34
        fma.d f8 = f6, f7, f8
        nop.i 0
}
{ .bbb
  (p6)  br.cond.dptk loop
        br.ret.sptk b0
        nop.b 0 ;;
}
"""


def test_arguments_arrays_and_a_float_result():
    program = dataclasses.replace(
        read(DOT),
        parameters=[
            Parameter("x", PTR, "r32"),
            Parameter("y", PTR, "r33"),
            Parameter("n", I32, "r34"),
            Parameter("start", F64, "f8"),
        ],
        result=("f8", F64),
    )
    memory = memory_of(program, ("x", 24), ("y", 24))
    memory.view("x", np.float64)[:] = [1.0, 2.0, 3.0]
    memory.view("y", np.float64)[:] = [4.0, 5.0, 6.0]
    addresses = {name: memory.address(name) for name in ("x", "y")}
    outcome = interpret(program, memory, {**addresses, "n": 3, "start": 0.5})
    assert (outcome.status, outcome.value) == ("done", 32.5)
    outcome = interpret(program, memory, {**addresses, "n": 4, "start": 0.0})
    assert outcome.fault.kind == "out of bounds"
    assert outcome.fault.address == memory.address("x") + 24
    assert outcome.fault.location.line == 5
    assert (outcome.fault.syllable, outcome.executed[0], outcome.executed[1]) == (0, 3, 3)


def test_nothing_of_a_faulting_syllable_happens():
    program = read(
        """
        { .mlx
              nop.m 0
              movl r14 = cell ;;
        }
        { .mii
              add r14 = 60, r14
              mov r15 = 5
              nop.i 0 ;;
        }
        { .mii
              ld8 r15 = [r14], 8
              nop.i 0
              nop.i 0 ;;
        }
        .data
        cell: .skip 64
        """
    )
    memory = memory_of(program)
    outcome = interpret(program, memory)
    assert outcome.fault.kind == "out of bounds"
    assert outcome.gr[14] == memory.address("cell") + 60
    assert outcome.gr[15] == 5


@pytest.mark.parametrize(
    ("last", "address"),
    [("br.cond.sptk b6", 0x1230), ("nop.b 0", CODE_BASE + 32), ("br.ret.sptk b7", 0)],
)
def test_leaving_the_code_is_a_fault(last, address):
    program = read(
        "{ .mlx\nnop.m 0\nmovl r14 = 0x1230 ;;\n}\n"
        "{ .mib\nnop.m 0\nmov b6 = r14\n" + last + " ;;\n}\n"
    )
    outcome = interpret(program, memory_of(program))
    assert (outcome.fault.kind, outcome.fault.address) == ("bad branch target", address)
    assert outcome.fault.location.line == 8


def test_the_stack_pointer_and_symbols():
    program = read("{ .mlx\nnop.m 0\nmovl r14 = stack ;;\n}\n{ .mib\nsub r8 = r12, r14\nnop.i 0\n"
                   "br.ret.sptk b0 ;;\n}\n.bss\nstack: .skip 64\n")  # fmt: skip
    assert interpret(program, memory_of(program)).value == 48


def test_narrow_results_are_sign_extended():
    text = "{ .mlx\nnop.m 0\nmovl r8 = 0x80000001 ;;\n}\n{ .mib\nnop.m 0\nnop.i 0\n"
    program = read(text + "br.ret.sptk b0 ;;\n}\n")
    assert interpret(program, memory_of(program)).value == 0x80000001
    narrow = dataclasses.replace(program, result=("r8", I32))
    assert interpret(narrow, memory_of(program)).value == 0x80000001 - 2**32
    assert program.result == ("r8", I64)


def test_it_is_fast_enough_for_property_tests():
    """More than 300 000 syllables a second (it reaches several million)."""
    program = read(COUNTED.replace("mov ar.lc = 99", "mov ar.lc = r32"))
    program = dataclasses.replace(program, parameters=[Parameter("n", I64, "r32")])
    begin = time.perf_counter()
    outcome = interpret(program, memory_of(program), {"n": 40_000})
    assert outcome.steps / (time.perf_counter() - begin) > 300_000
