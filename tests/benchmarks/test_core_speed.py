"""The benchmark measures what it says: its program computes the same at any length."""

from __future__ import annotations

import numpy as np

import sim
from compiler.interpret.functions import interpret
from compiler.targets.epic.interpret import interpret as interpret_program
from sim.prepared_case import prepare
from sim.runner import compile_workload
from sim.workload.schema import read_workload
from tests.benchmarks import core_speed


def test_the_mixture_runs_as_the_interpreter_says():
    compiled = compile_workload(read_workload(core_speed.MIXTURE))
    start = prepare(compiled, compiled.workload.case("one_round"))
    arguments = {name: start.arguments.get(name, name) for name in start.inputs}
    judged = interpret(compiled.function, arguments, start.memory)
    result = sim.run(core_speed.MIXTURE, variant="one_round")
    assert (result.status, result.returned) == ("done", judged.value)
    for name, array in result.outputs.items():
        assert array.tobytes() == start.memory.view(name).tobytes(), name


def test_the_pipelined_loops_run_as_the_interpreter_says():
    compiled = compile_workload(read_workload(core_speed.PIPELINED))
    start = prepare(compiled, compiled.workload.case("one_round"))
    judged = interpret_program(start.program, start.memory, start.arguments)
    result = sim.run(core_speed.PIPELINED, variant="one_round")
    assert (result.status, result.returned) == ("done", judged.value)
    assert judged.steps == result.counters["IA64_INST_RETIRED"]
    turns = 3 * 1000 + 2 + 6 + 4
    assert result.counters["BR_MISPRED_DETAIL.ALL_PRED"] == turns + 2


def test_a_row_is_what_was_counted(capsys):
    compiled = compile_workload(read_workload(core_speed.MIXTURE))
    instructions, seconds = core_speed.measure(compiled, ["one_round"])["one_round"]
    assert instructions > 100_000 and seconds > 0
    assert f"{instructions:,}".replace(",", " ") in capsys.readouterr().out
    assert core_speed.calibrate(3) != np.uint64(88172645463325252)
