"""The page of the assembly front end: its program does what it says, its commands are there."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np

from compiler.frontends.ia64 import PLUGIN, frontend
from compiler.targets.epic.interpret import interpret
from machines.description.load import load_machine
from machines.layout import Memory
from machines.program import Parameter
from machines.types import I64
from tests.compiler.frontends.test_ia64_bundling import check_bundles
from tests.compiler.gnu_as import complaints, needs_gnu_as

PAGE = (Path(frontend.__file__).parents[1] / "IA64.md").read_text()
PROGRAM = re.search(r"```asm\n(.*?)```", PAGE, re.DOTALL).group(1)


def test_the_program_adds_one_to_each_word():
    program = PLUGIN.read(PROGRAM, "page.s", load_machine("itanium2"))
    parameters = [Parameter("count", I64, "r32"), Parameter("words", I64, "r33")]
    memory = Memory([("words", 80)])
    memory.view("words", np.int64)[:] = range(10)
    arguments = {"count": 9, "words": memory.address("words")}
    outcome = interpret(dataclasses.replace(program, parameters=parameters), memory, arguments)
    assert (outcome.status, outcome.value) == ("done", 9)
    assert memory.view("words", np.int64).tolist() == [*range(1, 10), 9]


@needs_gnu_as
def test_gnu_as_takes_the_program(tmp_path):
    assert not complaints(PROGRAM, tmp_path)
    check_bundles(PROGRAM.replace(".many", "").replace(".few", ""), tmp_path)
